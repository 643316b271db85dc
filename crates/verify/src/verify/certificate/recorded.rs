//! The layer that writes down the states which a search expands.

use std::sync::{Arc, Mutex, PoisonError};

use system::{Arena, Extent, System, leave_to_inner};

/// The states that the workers of a search have expanded so far.
#[derive(Clone, Debug, Default)]
pub struct States(Arc<Mutex<Vec<Box<[u8]>>>>);

impl States {
    /// Takes them out.
    pub fn take(&self) -> Vec<Box<[u8]>> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds one.
    pub fn add(&self, state: &[u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(state.into());
    }
}

/// The layer: states are written down when they are expanded.
pub struct Recorded<S> {
    inner: S,
    states: States,
}

impl<S: System> Recorded<S> {
    /// Writes the states of a system down.
    #[must_use]
    pub fn new(inner: S, states: &States) -> Recorded<S> {
        Recorded { inner, states: states.clone() }
    }
}

impl<S: System> System for Recorded<S> {
    leave_to_inner!(inner: initial, gives_all, acceptance, novelty, notes, normalise, unfold);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.states.add(state);
        self.inner.successors(state, into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.states.add(state);
        self.inner.reduced(state, into)
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.inner.other(state, into)
    }
}
