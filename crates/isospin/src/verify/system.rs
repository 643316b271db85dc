//! A machine as a transition system that can be searched, with its reductions.
//!
//! Partial order chooses which processes move in the state at hand; then every successor is replaced by the
//! representative of its orbit. So only representatives are stored and expanded.

use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::{Extent, System};
use machine::Machine;
use machine::ample::{self, AmpleSets};
use machine::generate::{Coverage, Generator, Rest, Successors};
use num_bigint::BigUint;
use symmetry::Canonicaliser;

use super::audit::{Audit, Audited};
use super::options::Switch;
use super::orbits::Orbits;
use super::trial::Scale;

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
    /// What has been executed in all images of the states expanded.
    covered: Option<Coverage>,
    audit: Option<Audit>,
    scale: Option<Scale>,
    /// What the expansion at hand has cost so far, if it is timed.
    spent: Option<Duration>,
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
            covered: None,
            audit: None,
            scale: None,
            spent: None,
        });
        self
    }

    /// Checks representatives on the way, if symmetry is used.
    pub fn audited(mut self, audit: Audit) -> MachineSystem<G> {
        if let Some(symmetric) = &mut self.symmetric {
            symmetric.audit = Some(audit);
        }
        self
    }

    /// Weighs whether symmetry pays, if it is used.
    pub fn weighed(mut self, scale: Scale) -> MachineSystem<G> {
        if let Some(symmetric) = &mut self.symmetric {
            symmetric.scale = Some(scale);
        }
        self
    }

    /// What the audit found.
    pub fn audit(&self) -> Option<&Audited> {
        self.symmetric.as_ref()?.audit.as_ref().map(|audit| &audit.found)
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
        let Some(symmetric) = &mut self.symmetric else { return };
        let start = symmetric.scale.as_mut().is_some_and(Scale::is_timing).then(Instant::now);
        if !self.last_symmetric {
            self.notes.represented += 1_u32;
            return;
        }
        self.notes.represented += symmetric.canonicaliser.orbit_size(state);
        symmetric.spent = start.map(|start| start.elapsed());
        if let Some(audit) = &mut symmetric.audit {
            let reducer = symmetric.reducer.as_mut().unwrap_or(&mut self.ordinary);
            audit.check(&symmetric.orbits, &mut symmetric.canonicaliser, &mut reducer.generator, state);
        }
    }

    /// What is executed in a state is executed in its images too: statements of other processes that no representative may ever
    /// execute. Where something is executed for the first time, the generators of the group lead to all its images.
    fn cover_images(&mut self, state: &[u8]) {
        let Some(Symmetric { orbits, reducer, covered, .. }) = &mut self.symmetric else { return };
        let generator = &mut reducer.as_mut().unwrap_or(&mut self.ordinary).generator;
        if covered.as_ref() == Some(generator.coverage()) {
            return;
        }
        let mut waiting = vec![state.to_vec()];
        let mut successors = Successors::new();
        *covered = Some(generator.coverage().clone());
        while let Some(state) = waiting.pop() {
            for each in &orbits.detection.generators {
                let image = orbits.detection.shape.apply(&each.permutation, &state);
                generator.successors(&image, &mut successors);
                if covered.as_ref() != Some(generator.coverage()) {
                    *covered = Some(generator.coverage().clone());
                    waiting.push(image);
                }
            }
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
        if self.last_symmetric {
            self.cover_images(state);
        }
        if let Some(symmetric) = &mut self.symmetric {
            let start = symmetric.spent.is_some().then(Instant::now);
            for transition in 0..into.successors.len() {
                let target = into.successors.target_mut(transition);
                // To the successors of such a state symmetry applies, too.
                if self.last_symmetric || symmetric.orbits.applies(target) {
                    symmetric.canonicaliser.representative(target);
                }
            }
            if let (Some(start), Some(spent), Some(scale)) = (start, symmetric.spent.take(), &mut symmetric.scale) {
                let represented = &self.notes.represented;
                scale.add(spent + start.elapsed(), |expansions| approximately(represented) / expansions as f64);
            }
        }
    }
}

/// A number as far as a machine number can tell it.
fn approximately(number: &BigUint) -> f64 {
    number.to_string().parse().unwrap_or(f64::INFINITY)
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

    /// Searches expand states by `reduced_successors`, and ask for these to find their way back; so no orbit is counted here.
    fn successors(&mut self, state: &[u8], into: &mut Moves) {
        self.choose(state);
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
