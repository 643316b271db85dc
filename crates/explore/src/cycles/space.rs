//! What the search for components asks of the states it walks over: where each stands in the search, and where its transitions lead.
//!
//! One worker names states by their references and keeps their places in the store ([`super::alone`]). With several, states have numbers, the
//! places are in an array, and the transitions of most states are known already when they are asked for ([`super::ahead`]).

use std::sync::Arc;

use system::{Marks, System};

use crate::store::Budget;

/// Where a state stands in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(pub u32);

impl Place {
    /// It was not visited.
    pub const OPEN: Place = Place(0);
    /// Its component is complete and was no violation.
    pub const DEAD: Place = Place(1);

    /// The most states that can be live at a time.
    pub const LIMIT: u32 = (1 << 31) - 3;

    /// It was visited, its component is not complete, and it lies here among those of which that is true.
    pub fn live(position: u32) -> Place {
        Place(position + 2)
    }

    /// Its position, if it is live.
    pub fn position(self) -> Option<u32> {
        self.0.checked_sub(2)
    }
}

/// A transition, and where it leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<N> {
    pub target: N,
    pub place: Place,
    pub marks: Marks,
}

/// What became of looking for the transitions out of a state.
pub(super) enum Expansion {
    /// These are all.
    All,
    /// They suffice if none of them leads to the path.
    Part,
    /// One of them seals the fate of the run; it leads here.
    Sealed(Vec<u8>),
    /// There was no memory for their targets.
    Full,
}

/// The states of a system.
pub(super) trait Space {
    type System: System;

    /// The name of a state.
    type Node: Copy + PartialEq;

    /// The name of the initial state; `None` if there is no memory for it.
    fn initial(&mut self, state: &[u8]) -> Option<Self::Node>;

    /// Writes the transitions out of a state that are to be tried first, replacing what is in the list, and tells how many targets are new.
    fn expand(&mut self, node: Self::Node, edges: &mut Vec<Edge<Self::Node>>) -> (Expansion, u64);

    /// Writes other transitions out of the state that was expanded last; after a few calls it is all.
    fn expand_otherwise(&mut self, node: Self::Node, edges: &mut Vec<Edge<Self::Node>>) -> (Expansion, u64);

    /// How many transitions of the last expansion are none of this search's business.
    fn left_out(&self) -> u64 {
        0
    }

    /// Where a state stands.
    fn place(&mut self, node: Self::Node) -> Place;

    /// Puts a state elsewhere.
    fn put(&mut self, node: Self::Node, place: Place);

    /// Writes the bytes of a state, replacing what is there.
    fn load(&mut self, node: Self::Node, into: &mut Vec<u8>);

    /// Where the state with these bytes stands, if it is stored.
    fn find(&mut self, state: &[u8]) -> Place;

    /// What the memory of the states is charged to.
    fn budget(&self) -> &Arc<Budget>;

    /// The system.
    fn system(&mut self) -> &mut Self::System;
}
