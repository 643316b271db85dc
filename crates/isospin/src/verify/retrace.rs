//! From the states that a search stored back to a run of the model.
//!
//! ```text
//! stored states ── chains filled in ──▶ every step ── one real state after the other ──▶ a run
//! ```
//! A stored state may be the representative of its orbit, its dead variables may be set back, and between two of them there
//! may be steps that were passed over. All of this is undone with the reference interpreter, which starts at the real initial state and
//! chooses, step by step, a successor that the next stored state stands for. There always is one, because a state and what
//! stands for it can do the same.

use std::ops::Range;
use std::sync::Arc;

use machine::ample::{AmpleSets, Passed, Stops};
use machine::dead::{DeadVariables, Trimmed};
use machine::generate::{InterpretedGenerator, Movers};
use machine::interpret::{Interpreter, Transition};
use machine::state::State;
use machine::{Indifferent, Machine};
use symmetry::Canonicaliser;

use super::orbits::{Living, Orbits};
use super::system::{Reductions, chained};

/// So often a cycle of states that were compared without some bytes is followed. A counter in one byte is back after 256 rounds.
const MOST_ROUNDS: usize = 300;

/// What undoes the reductions of a search.
pub(super) struct Retrace<'a> {
    machine: &'a Arc<Machine>,
    reductions: &'a Reductions,
    normal: Normal<'a>,
}

/// A path of stored states and, for ever, a cycle of them, whose last one is the path's last.
pub(super) struct StoredLasso<'a> {
    pub path: &'a [Vec<u8>],
    pub cycle: &'a [Vec<u8>],
    /// For the steps of the cycle: processes that move in it, if they can. For a step of which nothing is said, any will do.
    pub movers: &'a [Movers],
    /// What the search made steps with, if it passed over chains: where processes stay at their end, and elsewhere.
    pub steps: [Option<Steps>; 2],
    /// The bytes that the search did not compare, those of `hidden` variables.
    pub unmatched: &'a [Range<usize>],
}

impl StoredLasso<'_> {
    /// The states after a state up to a stored one, chains included, and for each step which of the movers move in it, if they can.
    fn between(&mut self, normal: &mut Normal<'_>, from: &[u8], to: &[u8], movers: Movers) -> Vec<Passed> {
        let [symmetric, ordinary] = &mut self.steps;
        let steps = if normal.is_immortal(from) { symmetric } else { ordinary };
        let wanted = normal.of(to);
        let is_target = |end: &[u8], served: Movers| movers.0 & !served.0 == 0 && normal.of(end) == wanted;
        let between =
            steps.as_mut().and_then(|steps| steps.chains.states_between(&mut steps.generator, from, is_target));
        // Where nothing was passed over, the stored state is what comes next.
        let mut between = between.unwrap_or_else(|| vec![(to.to_vec(), movers)]);
        between.iter_mut().for_each(|(_, served)| served.0 &= movers.0);
        between
    }
}

/// A run through the states that those of a stored lasso stand for, and where its cycle starts; nothing if there is no such run.
///
/// Going round the stored cycle once leads to a state of the same orbit, and after as many rounds as the permutation between the two has order, to
/// the same state, but for dead variables. On the way round these were given values that depend on what is not dead only, or were not touched; so the
/// next time round they are given the same, and the run is back where it was.
///
/// Where `hidden` variables were not compared, a stored state may stand for one that can do something else. Then a run is looked for all the same: one
/// that comes back to where it was, but for those on which nothing depends, within some rounds.
pub(super) fn lasso(
    machine: &Machine,
    orbits: Option<&Orbits>,
    dead: Option<&DeadVariables>,
    mut stored: StoredLasso<'_>,
) -> Option<(Vec<State>, usize)> {
    let immortal = orbits.and_then(|orbits| orbits.immortal.as_deref());
    let mut walk = Walk {
        interpreter: Interpreter::new(machine),
        immortal: immortal.map(Interpreter::new),
        normal: Normal {
            dead,
            orbits: orbits.map(|orbits| (orbits, orbits.exact_canonicaliser())),
            unmatched: stored.unmatched,
        },
    };
    let indifferent = Indifferent::of(machine);
    let is_back = |before: &State, now: &State| match stored.unmatched {
        [] => before == now,
        _ => indifferent.is_same(before, now),
    };
    let most_rounds = if stored.unmatched.is_empty() { usize::MAX } else { MOST_ROUNDS };
    let mut current = walk.interpreter.initial().ok()?;
    let mut living = Living::new(machine, immortal.is_some());
    let mut run = Vec::new();
    living.append(&current, walk.normal.applies(current.bytes()), &mut run);
    for pair in stored.path.windows(2) {
        for (next, movers) in stored.between(&mut walk.normal, &pair[0], &pair[1], Movers::default()) {
            current = walk.step(&current, &next, movers)?;
            living.append(&current, walk.normal.applies(current.bytes()), &mut run);
        }
    }
    if stored.cycle.is_empty() {
        let last = run.len();
        return Some((run, last));
    }
    let mut cycle = Vec::new();
    let starts = stored.path.last().into_iter().chain(stored.cycle);
    for (index, (from, to)) in starts.zip(stored.cycle).enumerate() {
        let movers = stored.movers.get(index).copied().unwrap_or_default();
        cycle.extend(stored.between(&mut walk.normal, from, to, movers));
    }
    let mut rounds: Vec<(State, usize)> = Vec::new();
    while rounds.len() < most_rounds {
        if let Some(&(_, start)) = rounds.iter().find(|(state, _)| is_back(state, &current)) {
            run.truncate((run.len() - 1).max(start + 1));
            return Some((run, start));
        }
        rounds.push((current.clone(), run.len() - 1));
        for (next, movers) in &cycle {
            current = walk.step(&current, next, *movers)?;
            living.append(&current, walk.normal.applies(current.bytes()), &mut run);
        }
    }
    None
}

/// Follows stored states in the model.
struct Walk<'a> {
    interpreter: Interpreter<'a>,
    immortal: Option<Interpreter<'a>>,
    normal: Normal<'a>,
}

impl Walk<'_> {
    /// A state that the wanted one stands for, after one transition in which the movers move, as far as they can, or without one where nothing
    /// can move.
    fn step(&mut self, current: &State, stored: &[u8], movers: Movers) -> Option<State> {
        let wanted = self.normal.of(stored);
        let moving = match &self.immortal {
            Some(immortal) if self.normal.applies(current.bytes()) => immortal,
            _ => &self.interpreter,
        };
        let transitions = moving.successors(current).transitions;
        let able = transitions.iter().fold(Movers::default(), |able, each| able.and(Movers::one(each.steps[0].pid)));
        let moved = |transition: &Transition| {
            transition.steps.iter().fold(Movers::default(), |movers, step| movers.and(Movers::one(step.pid)))
        };
        let fits = |transition: &Transition| movers.0 & able.0 & !moved(transition).0 == 0;
        let mut meant = None;
        for transition in transitions.iter().filter(|&transition| fits(transition)) {
            if self.normal.of(transition.target.bytes()) == wanted {
                if self.normal.unmatched.is_empty() || transition.target.bytes() == stored {
                    return Some(transition.target.clone());
                }
                meant = meant.or_else(|| Some(transition.target.clone()));
            }
        }
        if meant.is_some() {
            return meant;
        }
        (self.normal.of(current.bytes()) == wanted).then(|| current.clone())
    }
}

/// What two states have in common when one stands for the other.
struct Normal<'a> {
    dead: Option<&'a DeadVariables>,
    orbits: Option<(&'a Orbits, Canonicaliser)>,
    /// Bytes that are not compared.
    unmatched: &'a [Range<usize>],
}

impl Normal<'_> {
    fn trimmed(&self, state: &[u8]) -> Vec<u8> {
        let mut trimmed = state.to_vec();
        self.unmatched.iter().for_each(|range| trimmed[range.clone()].fill(0));
        if let Some(dead) = self.dead {
            dead.reset(&mut trimmed);
        }
        trimmed
    }

    /// Whether the search applied symmetry to what stands for a state.
    fn applies(&self, state: &[u8]) -> bool {
        self.orbits.as_ref().is_some_and(|(orbits, _)| orbits.applies(&self.trimmed(state)))
    }

    /// Whether the search let processes stay at their end in what stands for a state.
    fn is_immortal(&self, state: &[u8]) -> bool {
        self.orbits.as_ref().is_some_and(|(orbits, _)| orbits.immortal.is_some()) && self.applies(state)
    }

    /// One state for all that mean the same.
    fn of(&mut self, state: &[u8]) -> Vec<u8> {
        let mut normal = self.trimmed(state);
        if let Some((orbits, canonicaliser)) = &mut self.orbits {
            if orbits.applies(&normal) {
                canonicaliser.representative(&mut normal);
            } else if let Some(mut whole) = orbits.with_the_dead(&normal) {
                // The search did not apply symmetry here, but what it stored may be an image of what the run comes to.
                canonicaliser.representative(&mut whole);
                whole.push(normal[0]);
                return whole;
            }
        }
        normal
    }
}

impl<'a> Retrace<'a> {
    pub fn new(machine: &'a Arc<Machine>, reductions: &'a Reductions) -> Retrace<'a> {
        // Representatives of a search may be approximate; whether two states are in the same orbit must be known here.
        let orbits = reductions.orbits.as_deref().map(|orbits| (orbits, orbits.exact_canonicaliser()));
        Retrace { machine, reductions, normal: Normal { dead: reductions.dead.as_deref(), orbits, unmatched: &[] } }
    }

    /// A run through the states that the stored ones of a path stand for. A state can do what the state that stands for it can do, so
    /// `None` is a mistake of the reductions.
    pub fn run(mut self, path: &[Vec<u8>]) -> Option<Vec<State>> {
        if self.reductions.orbits.is_none() && self.reductions.dead.is_none() && !self.reductions.merging {
            return Some(path.iter().map(|bytes| State::from_bytes(bytes)).collect());
        }
        let path = self.with_chains(path);
        let orbits = self.reductions.orbits.as_deref();
        let immortal = orbits.and_then(|orbits| orbits.immortal.as_deref());
        let interpreter = Interpreter::new(self.machine);
        let immortal_interpreter = immortal.map(Interpreter::new);
        let mut current = interpreter.initial().ok()?;
        let mut living = Living::new(self.machine, immortal.is_some());
        let mut run = Vec::new();
        living.append(&current, self.normal.applies(current.bytes()), &mut run);
        for stored in path.iter().skip(1) {
            let moving = match &immortal_interpreter {
                Some(immortal) if self.normal.applies(current.bytes()) => immortal,
                _ => &interpreter,
            };
            let wanted = self.normal.of(stored);
            let mut targets = moving.successors(&current).transitions.into_iter().map(|transition| transition.target);
            let next = targets.find(|target| self.normal.of(target.bytes()) == wanted)?;
            living.append(&next, self.normal.applies(next.bytes()), &mut run);
            current = next;
        }
        Some(run)
    }

    /// The path with the states that were passed over between its own.
    fn with_chains(&mut self, path: &[Vec<u8>]) -> Vec<Vec<u8>> {
        if !self.reductions.merging {
            return path.to_vec();
        }
        let Some(first) = path.first() else { return Vec::new() };
        let orbits = self.reductions.orbits.as_deref();
        let immortal = orbits.and_then(|orbits| orbits.immortal.as_ref());
        let beginning = self.reductions.orbits.as_ref().map(Orbits::beginning).unwrap_or_default();
        let mut ordinary = Steps::new(self.machine, self.reductions, beginning);
        let mut symmetric = immortal.and_then(|machine| Steps::new(machine, self.reductions, Stops::default()));
        let mut filled = vec![first.clone()];
        for pair in path.windows(2) {
            let steps = if self.normal.is_immortal(&pair[0]) { &mut symmetric } else { &mut ordinary };
            let wanted = self.normal.of(&pair[1]);
            let normal = &mut self.normal;
            let between = steps.as_mut().and_then(|steps| {
                steps.chains.states_between(&mut steps.generator, &pair[0], |end, _| normal.of(end) == wanted)
            });
            // Where nothing was passed over, the stored state is what comes next.
            let mut between = between.unwrap_or_default();
            between.pop();
            filled.extend(between.into_iter().map(|(state, _)| state));
            filled.push(pair[1].clone());
        }
        filled
    }
}

/// What a search made steps with.
pub(super) struct Steps {
    pub generator: Trimmed<InterpretedGenerator>,
    pub chains: AmpleSets,
}

impl Steps {
    fn new(machine: &Arc<Machine>, reductions: &Reductions, stops: Stops) -> Option<Steps> {
        let Reductions { partial_order, merging, .. } = *reductions;
        let generator = InterpretedGenerator::new(machine.clone()).ok()?;
        let chains = chained(machine, partial_order, merging, reductions.dead.as_deref(), stops)?;
        Some(Steps { generator: Trimmed::new(generator, reductions.dead.clone()), chains })
    }
}
