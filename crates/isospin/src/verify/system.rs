//! A machine as a transition system that can be searched, with its reductions.
//!
//! Partial order chooses which processes move in the state at hand; where merging is on, chains of steps that matter to
//! nobody else are followed to their ends; then every successor is replaced by the representative of its orbit. So only
//! representatives are stored and expanded. Dead variables are the generator's business: it is given one that sets them back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::{Extent, System};
use machine::Machine;
use machine::ample::{self, AmpleSets, Chains, Stops};
use machine::dead::DeadVariables;
use machine::generate::{Coverage, Generator, Rest, Successors};
use num_bigint::BigUint;
use symmetry::Canonicaliser;
use symmetry::detect::Deaths;

use super::audit::{Audit, Audited};
use super::options::{Reduction, Switch};
use super::orbits::Orbits;
use super::trial::Scale;

/// What a search is reduced by.
pub(super) struct Reductions {
    pub orbits: Option<Arc<Orbits>>,
    /// Variables that are set back in every state.
    pub dead: Option<Arc<DeadVariables>>,
    pub partial_order: bool,
    /// Whether chains are passed over.
    pub merging: bool,
}

impl Reductions {
    /// Their list.
    pub fn used(&self) -> Vec<Reduction> {
        let is_used = |reduction: &Reduction| match reduction {
            Reduction::PartialOrder => self.partial_order,
            Reduction::Merging => self.merging,
            Reduction::DeadVariables => self.dead.is_some(),
            Reduction::Symmetry => self.orbits.is_some(),
        };
        Reduction::ALL.into_iter().filter(is_used).collect()
    }
}

/// A machine as one worker sees it, with what it noticed on the way.
pub(super) struct MachineSystem<G> {
    /// Generates the successors of all states, or of those to which no symmetry applies.
    ordinary: Reducer<G>,
    symmetric: Option<Symmetric<G>>,
    /// Which of the two was used last.
    last_symmetric: bool,
    pub notes: Notes,
    /// What was executed before the search was resumed.
    recalled: Option<Coverage>,
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
    /// An `atomic` was too long to be followed to its end.
    pub cut_atomic: bool,
    /// How many states the expanded ones stand for.
    pub represented: BigUint,
}

impl Notes {
    pub fn merge(&mut self, other: &Notes) {
        self.atomic_steps += other.atomic_steps;
        self.vector_bytes = self.vector_bytes.max(other.vector_bytes);
        self.endless_atomic |= other.endless_atomic;
        self.cut_atomic |= other.cut_atomic;
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
        MachineSystem {
            ordinary,
            symmetric: None,
            last_symmetric: false,
            notes: Notes::default(),
            recalled: None,
            end_states,
        }
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

    /// What was executed.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = self.ordinary.generator.coverage().clone();
        if let Some(Symmetric { reducer: Some(reducer), .. }) = &self.symmetric {
            coverage.merge(reducer.generator.coverage());
        }
        self.recalled.iter().for_each(|recalled| coverage.merge(recalled));
        coverage
    }

    /// Which generator is the right one for a state.
    #[inline]
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

    #[inline]
    fn reducer(&mut self) -> &mut Reducer<G> {
        match &mut self.symmetric {
            Some(Symmetric { reducer: Some(reducer), .. }) if self.last_symmetric => reducer,
            _ => &mut self.ordinary,
        }
    }

    #[inline]
    fn finish(&mut self, state: &[u8], into: &mut Moves) {
        let signals = into.successors.signals();
        let deadlock = signals.rest == Rest::InvalidEnd && self.end_states == Switch::On;
        into.violations = u64::from(signals.errors) + u64::from(deadlock);
        self.notes.atomic_steps += signals.atomic_steps;
        self.notes.vector_bytes = self.notes.vector_bytes.max(state.len());
        self.notes.endless_atomic |= signals.endless_atomic;
        self.notes.cut_atomic |= signals.cut_atomic;
        if self.symmetric.is_some() {
            self.represent(state, into);
        }
    }

    /// Puts the representatives of their orbits in the place of successors.
    fn represent(&mut self, state: &[u8], into: &mut Moves) {
        if self.last_symmetric {
            self.cover_images(state);
        }
        if let Some(symmetric) = &mut self.symmetric {
            let start = symmetric.spent.is_some().then(Instant::now);
            for transition in 0..into.successors.len() {
                let target = into.successors.target_mut(transition);
                // To the successors of such a state symmetry applies, too, unless a process disappears.
                let follows = self.last_symmetric && symmetric.orbits.detection.deaths == Deaths::Ignored;
                if follows || symmetric.orbits.applies(target) {
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

    fn notes(&self) -> Vec<u8> {
        let Notes { atomic_steps, vector_bytes, endless_atomic, cut_atomic, represented } = &self.notes;
        let represented = represented.to_bytes_le();
        let atomics = u64::from(*endless_atomic) | u64::from(*cut_atomic) << 1;
        let numbers = [*atomic_steps, *vector_bytes as u64, atomics, represented.len() as u64];
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        bytes.extend(represented);
        bytes.extend(self.coverage().to_bytes());
        bytes
    }

    fn recall(&mut self, notes: &[u8]) -> bool {
        let Some((numbers, rest)) = notes.split_at_checked(32) else { return false };
        let (numbers, _) = numbers.as_chunks::<8>();
        let [atomic_steps, vector_bytes, endless, length] = [0, 1, 2, 3].map(|at| u64::from_le_bytes(numbers[at]));
        let represented = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
        let Some((represented, executed)) = represented else { return false };
        self.notes.merge(&Notes {
            atomic_steps,
            vector_bytes: vector_bytes as usize,
            endless_atomic: endless & 1 != 0,
            cut_atomic: endless & 2 != 0,
            represented: BigUint::from_bytes_le(represented),
        });
        let ordinary = &self.ordinary.generator;
        self.recalled.get_or_insert_with(|| ordinary.coverage().clone()).merge_bytes(executed)
    }

    fn initial(&mut self, into: &mut Vec<u8>) {
        self.ordinary.generator.initial(into).expect("the initial state was computed before the search");
        self.notes.vector_bytes = into.len();
        if let Some(symmetric) = &mut self.symmetric
            && symmetric.orbits.applies(into)
        {
            symmetric.canonicaliser.representative(into);
        }
    }

    /// Searches ask for this only to find a path again: what is noticed then was noticed before.
    fn successors(&mut self, state: &[u8], into: &mut Moves) {
        let notes = self.notes.clone();
        self.choose(state);
        let Reducer { generator, ample } = self.reducer();
        match ample {
            Some(ample) => ample.all_successors(generator, state, &mut into.successors),
            None => generator.successors(state, &mut into.successors),
        }
        self.finish(state, into);
        self.notes = notes;
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

pub(super) fn extent_of(extent: ample::Extent) -> Extent {
    match extent {
        ample::Extent::All => Extent::All,
        ample::Extent::Part => Extent::Part,
    }
}

impl explore::Successors for Moves {
    #[inline]
    fn len(&self) -> usize {
        self.successors.len()
    }

    #[inline]
    fn state(&self, index: usize) -> &[u8] {
        self.successors.target(index)
    }

    fn violations(&self) -> u64 {
        self.violations
    }
}

/// What leaves out successors of a machine or passes over chains, which end at the given states at the latest, unless its features forbid that
/// or neither is wanted.
pub(super) fn chained(
    machine: &Arc<Machine>,
    partial_order: bool,
    merging: bool,
    dead: Option<&DeadVariables>,
    stops: Stops,
) -> Option<AmpleSets> {
    if !partial_order && !merging {
        return None;
    }
    let sets = match dead {
        Some(dead) => AmpleSets::for_trimmed(machine.clone(), dead),
        None => AmpleSets::new(machine.clone(), &[]),
    };
    let sets = sets.ok()?;
    let reduction = if partial_order { ample::Reduction::Some } else { ample::Reduction::None };
    let chains = if merging { Chains::Skip } else { Chains::Keep };
    Some(sets.with_reduction(reduction).with_chains(chains).with_stops(stops))
}
