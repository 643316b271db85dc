//! What a search needs to know of a transition system.
//!
//! Nothing but states as bytes, the successors of a state, and how many things are wrong with it. *What* is wrong, and what
//! happens between a state and its successor, is the system's own affair: it can be asked again about the few states of a
//! counterexample. So nothing of the kind is carried along for the many others.

/// A transition system, as one worker sees it. Every worker owns one.
pub trait System: Send {
    /// The list that receives successors; it is reused from state to state.
    type Successors: Successors + Default + Send;

    /// Writes the initial state.
    fn initial(&mut self, into: &mut Vec<u8>);

    /// Writes all successors of a state, replacing what is in the list.
    fn successors(&mut self, state: &[u8], into: &mut Self::Successors);

    /// Writes successors of a state that suffice (persistent or ample sets), if none of the transitions left out is put off
    /// for ever: the search sees to that, and asks [`System::other_successors`] when these do not do.
    fn reduced_successors(&mut self, state: &[u8], into: &mut Self::Successors) -> Extent {
        self.successors(state, into);
        Extent::All
    }

    /// What this worker has learnt on the way, for a search that is kept for later.
    fn notes(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Adds what a worker had learnt when the search was kept. Notes that make no sense are the sign of a damaged file: `false`.
    fn recall(&mut self, notes: &[u8]) -> bool {
        notes.is_empty()
    }

    /// Writes other successors that suffice, or all, for the state that was asked about last; after a few calls it is all.
    fn other_successors(&mut self, state: &[u8], into: &mut Self::Successors) -> Extent {
        self.successors(state, into);
        Extent::All
    }
}

/// How many of a state's successors were given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// All of them.
    All,
    /// Enough of them, if the others are not put off for ever.
    Part,
}

/// The successors of one state.
pub trait Successors {
    /// How many transitions lead out of the state. Two may lead to the same state.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a transition leads.
    fn state(&self, index: usize) -> &[u8];

    /// How many violations were found at the state and on the transitions out of it.
    fn violations(&self) -> u64;
}
