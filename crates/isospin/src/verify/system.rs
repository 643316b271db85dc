//! A machine as a transition system that can be searched.

use explore::System;
use machine::generate::{Generator, Rest, Successors};

use super::options::Switch;

/// A generator as one worker sees it, with what it noticed on the way.
pub(super) struct MachineSystem<G> {
    pub generator: G,
    pub notes: Notes,
    end_states: Switch,
}

/// What a worker noticed.
#[derive(Clone, Copy, Default)]
pub(super) struct Notes {
    /// Steps inside `atomic`.
    pub atomic_steps: u64,
    /// The longest vector.
    pub vector_bytes: usize,
    /// An `atomic` that never ends was met.
    pub endless_atomic: bool,
}

impl Notes {
    pub fn merge(&mut self, other: Notes) {
        self.atomic_steps += other.atomic_steps;
        self.vector_bytes = self.vector_bytes.max(other.vector_bytes);
        self.endless_atomic |= other.endless_atomic;
    }
}

/// The successors of a state, and what is wrong with it.
#[derive(Default)]
pub(super) struct Moves {
    successors: Successors,
    violations: u64,
}

impl<G: Generator> MachineSystem<G> {
    pub fn new(generator: G, end_states: Switch) -> MachineSystem<G> {
        MachineSystem { generator, notes: Notes::default(), end_states }
    }
}

impl<G: Generator> System for MachineSystem<G> {
    type Successors = Moves;

    fn initial(&mut self, into: &mut Vec<u8>) {
        self.generator.initial(into).expect("the initial state was computed before the search");
        self.notes.vector_bytes = into.len();
    }

    fn successors(&mut self, state: &[u8], into: &mut Moves) {
        self.generator.successors(state, &mut into.successors);
        let signals = into.successors.signals();
        let deadlock = signals.rest == Rest::InvalidEnd && self.end_states == Switch::On;
        into.violations = u64::from(signals.errors) + u64::from(deadlock);
        self.notes.atomic_steps += signals.atomic_steps;
        self.notes.vector_bytes = self.notes.vector_bytes.max(state.len());
        self.notes.endless_atomic |= signals.endless_atomic;
    }
}

impl explore::Successors for Moves {
    fn len(&self) -> usize {
        self.successors.len()
    }

    fn state(&self, index: usize) -> &[u8] {
        self.successors.target(index)
    }

    fn violations(&self) -> u64 {
        self.violations
    }
}
