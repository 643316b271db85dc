//! The kernel of every search: expands a state, stores its successors, and makes sure that what a reduction leaves out is not put off for ever.
//!
//! An order of search decides which state comes next; what is done with it is decided here. Of a state that is expanded in part, one successor must
//! be a *witness*: see [`stages`](super::stages).

use system::{Arena, Extent, System};

use super::sequence::Sequence;
use super::shared::Shared;
use super::stages::{Stage, Stages};
use super::{End, Options};
use crate::bounds::Tally;
use crate::store::{Insert, StateRef, Visitor};

/// What one worker needs to expand states.
pub(super) struct Expander<S, H: Visitor> {
    pub system: S,
    pub handle: H,
    pub tally: Tally,
    /// The state that is expanded.
    pub state: Vec<u8>,
    /// Where it is in the store.
    pub cursor: H::Cursor,
    pub successors: Arena,
    /// What became of each successor.
    inserted: Vec<Insert>,
    sequence: Sequence,
}

/// What became of a successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// Nobody has stored it before.
    New,
    /// It is stored and waits to be visited; that it is visited is what keeps the rest from being put off for ever.
    Waiting,
    /// It is stored, and nothing depends on its being visited from here.
    Known,
}

impl<S: System, H: Visitor> Expander<S, H> {
    pub fn new(system: S, handle: H, options: &Options) -> Self {
        Expander {
            system,
            tally: Tally::new(handle.budget()),
            handle,
            state: Vec::new(),
            cursor: Default::default(),
            successors: Arena::new(),
            inserted: Vec::new(),
            sequence: Sequence::new(options.seed),
        }
    }

    /// Inserts enough successors of the current state: all, or a part with a witness. `found` is told what is to be visited; the result is the
    /// stage of the state then.
    #[inline]
    pub fn expand<F: Stages<H>>(
        &mut self,
        shared: &Shared<'_>,
        mut found: impl FnMut(&[u8], StateRef, Found),
    ) -> Stage {
        self.tally.visited();
        let mut extent = self.system.reduced(&self.state, &mut self.successors);
        loop {
            self.tally.seen(&self.state, &self.successors);
            let (mut new, mut safe) = (false, extent == Extent::All);
            let mut waiting = None;
            let mut known = 0;
            self.sequence.arrange(&self.state, self.successors.len());
            let (successors, sequence) = (&self.successors, &self.sequence);
            let target = |position| successors.target(sequence.at(position));
            self.handle.insert_all(successors.len(), target, &self.cursor, &mut self.inserted);
            for (position, &insert) in self.inserted.iter().enumerate() {
                match insert {
                    Insert::New(reference) => {
                        new = true;
                        self.tally.stored += 1;
                        found(target(position), reference, Found::New);
                    }
                    Insert::Known(reference) => {
                        known += 1;
                        found(target(position), reference, Found::Known);
                        if !safe {
                            match F::stage(&mut self.handle, reference) {
                                Stage::Safe => safe = true,
                                Stage::Unvisited => waiting = Some((position, reference)),
                                Stage::Visited => {}
                            }
                        }
                    }
                    Insert::Full => shared.finish(End::Memory),
                }
            }
            if let Some((position, reference)) = waiting.filter(|_| !new && !safe) {
                new = true;
                found(target(position), reference, Found::Waiting);
            }
            if new || safe || shared.is_done() {
                self.tally.matched += known;
                return if safe { Stage::Safe } else { Stage::Visited };
            }
            extent = self.system.other(&self.state, &mut self.successors);
        }
    }

    /// How many violations there are at the state that was expanded last.
    #[inline]
    pub fn violations(&self, shared: &Shared<'_>) -> u64 {
        shared.violations_at(&self.successors)
    }

    /// The initial state, stored; `None` if there is no memory for it.
    pub fn start(&mut self, shared: &Shared<'_>) -> Option<StateRef> {
        self.system.initial(&mut self.state);
        let stored = match self.handle.insert(&self.state, &Default::default()) {
            Insert::New(reference) | Insert::Known(reference) => {
                self.tally.stored += 1;
                Some(reference)
            }
            Insert::Full => {
                shared.finish(End::Memory);
                None
            }
        };
        shared.hand_in(&mut self.tally);
        stored
    }

    /// Goes on with another store, to which it owes nothing yet.
    pub fn move_to(&mut self, handle: H) {
        self.tally.move_to(handle.budget());
        self.handle = handle;
        self.cursor = Default::default();
    }

    /// What this worker has learnt, for a search that is saved.
    pub fn notes(&self) -> Vec<u8> {
        self.tally.notes(&self.system).to_bytes()
    }

    /// The worker comes home.
    pub fn come_home(mut self, shared: &Shared<'_>) -> S {
        shared.come_home(&mut self.tally, &self.system);
        self.system
    }
}
