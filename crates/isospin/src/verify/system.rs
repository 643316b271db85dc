//! A machine as a transition system that can be searched, with its reductions.
//!
//! Partial order chooses which processes move in the state at hand; then every successor is replaced by the
//! representative of its orbit. So only representatives are stored and expanded.

use std::sync::Arc;

use explore::{Extent, System};
use machine::Machine;
use machine::ample::{self, AmpleSets};
use machine::generate::{Generator, Rest, Successors};
use num_bigint::BigUint;
use symmetry::Canonicaliser;

use super::options::Switch;
use super::orbits::Orbits;

/// A machine as one worker sees it, with what it noticed on the way.
pub(super) struct MachineSystem<G> {
    /// Generates the successors of all states, or of those to which no symmetry applies.
    ordinary: Reducer<G>,
    symmetric: Option<Symmetric<G>>,
    /// Which of the two was used last.
    last_symmetric: bool,
    pub notes: Notes,
    end_states: Switch,
}

/// A generator, and which processes may move alone.
struct Reducer<G> {
    generator: G,
    ample: Option<AmpleSets>,
}

struct Symmetric<G> {
    orbits: Arc<Orbits>,
    canonicaliser: Canonicaliser,
    /// In states to which symmetry applies, processes may have to stay at their end.
    reducer: Option<Reducer<G>>,
}

/// What a worker noticed.
#[derive(Clone, Default)]
pub(super) struct Notes {
    /// Steps inside `atomic`.
    pub atomic_steps: u64,
    /// The longest vector.
    pub vector_bytes: usize,
    /// An `atomic` that never ends was met.
    pub endless_atomic: bool,
    /// How many states the expanded ones stand for.
    pub represented: BigUint,
}

impl Notes {
    pub fn merge(&mut self, other: &Notes) {
        self.atomic_steps += other.atomic_steps;
        self.vector_bytes = self.vector_bytes.max(other.vector_bytes);
        self.endless_atomic |= other.endless_atomic;
        self.represented += &other.represented;
    }
}

/// The successors of a state, and what is wrong with it.
#[derive(Default)]
pub(super) struct Moves {
    successors: Successors,
    violations: u64,
}

impl<G: Generator> MachineSystem<G> {
    pub fn new(generator: G, ample: Option<AmpleSets>, end_states: Switch) -> MachineSystem<G> {
        let ordinary = Reducer { generator, ample };
        MachineSystem { ordinary, symmetric: None, last_symmetric: false, notes: Notes::default(), end_states }
    }

    /// Searches modulo symmetry. `reducer` generates successors of states to which symmetry applies, if they differ there.
    pub fn modulo(mut self, orbits: &Arc<Orbits>, reducer: Option<(G, Option<AmpleSets>)>) -> MachineSystem<G> {
        self.symmetric = Some(Symmetric {
            orbits: orbits.clone(),
            canonicaliser: orbits.canonicaliser(),
            reducer: reducer.map(|(generator, ample)| Reducer { generator, ample }),
        });
        self
    }

    /// The generators, for what they have executed.
    pub fn generators(&self) -> impl Iterator<Item = &G> {
        let other = self.symmetric.as_ref().and_then(|symmetric| symmetric.reducer.as_ref());
        std::iter::once(&self.ordinary.generator).chain(other.map(|reducer| &reducer.generator))
    }

    /// Which generator is the right one for a state.
    fn choose(&mut self, state: &[u8]) {
        self.last_symmetric = self.symmetric.as_ref().is_some_and(|symmetric| symmetric.orbits.applies(state));
    }

    /// A state is about to be expanded: counts the states that it stands for.
    fn note_orbit(&mut self, state: &[u8]) {
        if let Some(symmetric) = &mut self.symmetric {
            self.notes.represented +=
                if self.last_symmetric { symmetric.canonicaliser.orbit_size(state) } else { BigUint::from(1_u32) };
        }
    }

    fn reducer(&mut self) -> &mut Reducer<G> {
        match &mut self.symmetric {
            Some(Symmetric { reducer: Some(reducer), .. }) if self.last_symmetric => reducer,
            _ => &mut self.ordinary,
        }
    }

    fn finish(&mut self, state: &[u8], into: &mut Moves) {
        let signals = into.successors.signals();
        let deadlock = signals.rest == Rest::InvalidEnd && self.end_states == Switch::On;
        into.violations = u64::from(signals.errors) + u64::from(deadlock);
        self.notes.atomic_steps += signals.atomic_steps;
        self.notes.vector_bytes = self.notes.vector_bytes.max(state.len());
        self.notes.endless_atomic |= signals.endless_atomic;
        if let Some(symmetric) = &mut self.symmetric {
            for transition in 0..into.successors.len() {
                let target = into.successors.target_mut(transition);
                // To the successors of such a state symmetry applies, too.
                if self.last_symmetric || symmetric.orbits.applies(target) {
                    symmetric.canonicaliser.representative(target);
                }
            }
        }
    }
}

impl<G: Generator> System for MachineSystem<G> {
    type Successors = Moves;

    fn initial(&mut self, into: &mut Vec<u8>) {
        self.ordinary.generator.initial(into).expect("the initial state was computed before the search");
        self.notes.vector_bytes = into.len();
        if let Some(symmetric) = &mut self.symmetric
            && symmetric.orbits.applies(into)
        {
            symmetric.canonicaliser.representative(into);
        }
    }

    fn successors(&mut self, state: &[u8], into: &mut Moves) {
        self.choose(state);
        self.note_orbit(state);
        self.reducer().generator.successors(state, &mut into.successors);
        self.finish(state, into);
    }

    fn reduced_successors(&mut self, state: &[u8], into: &mut Moves) -> Extent {
        self.choose(state);
        self.note_orbit(state);
        let Reducer { generator, ample } = self.reducer();
        let extent = match ample {
            Some(ample) => ample.successors(generator, state, &mut into.successors),
            None => {
                generator.successors(state, &mut into.successors);
                ample::Extent::All
            }
        };
        self.finish(state, into);
        extent_of(extent)
    }

    fn other_successors(&mut self, state: &[u8], into: &mut Moves) -> Extent {
        let Reducer { generator, ample } = self.reducer();
        let extent = match ample {
            Some(ample) => ample.next_successors(generator, state, &mut into.successors),
            None => {
                generator.successors(state, &mut into.successors);
                ample::Extent::All
            }
        };
        self.finish(state, into);
        extent_of(extent)
    }
}

fn extent_of(extent: ample::Extent) -> Extent {
    match extent {
        ample::Extent::All => Extent::All,
        ample::Extent::Part => Extent::Part,
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

/// The reduction of a machine by partial order, unless its features forbid one.
pub(super) fn ample_sets(machine: &Arc<Machine>, switch: Switch) -> Option<AmpleSets> {
    match switch {
        Switch::On => AmpleSets::new(machine.clone(), &[]).ok(),
        Switch::Off => None,
    }
}
