//! Transitions between stored states: `atomic` sequences run to their ends.
//!
//! A state in the middle of an `atomic` is not stored: the process goes on alone, by every way it has, until it leaves the
//! `atomic` or cannot move. In the latter case it loses control, and the state counts as an ordinary one. Two ways to the
//! same end count twice, as in SPIN.

use std::collections::hash_map::Entry;
use std::hash::BuildHasher as _;

use rustc_hash::{FxBuildHasher, FxHashMap};

use system::Movers;

use super::Interpreter;
use super::error::RuntimeError;
use super::moves::{Move, Moves, Outcome, Step, Timeout};
use crate::id::Pid;
use crate::state::State;

/// When so many steps inside `atomic` sequences follow one state, they are taken for endless.
const ATOMIC_LIMIT: u64 = 2_000_000;
/// So many steps of transitions are kept for one state: where many long sequences follow it, they would fill the memory first.
const KEPT_LIMIT: usize = 8 * ATOMIC_LIMIT as usize;

/// A transition from one stored state to another.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The elementary steps.
    pub steps: Vec<Step>,
    /// The state it leads to.
    pub target: State,
    /// What was printed.
    pub output: String,
    /// Steps inside `atomic` sequences until it was found.
    pub atomic_steps: u64,
}

impl Transition {
    /// The processes that move in it: both of a rendezvous, and all that an `atomic` takes along.
    #[must_use]
    pub fn movers(&self) -> Movers {
        self.steps.iter().fold(Movers::default(), |movers, step| movers.and(Movers::one(step.pid.0)))
    }
}

/// Something that went wrong on the way out of a state.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The steps that led to it; the last one is the one that failed.
    pub steps: Vec<Step>,
    /// What went wrong.
    pub error: RuntimeError,
    /// How many transitions were found before it.
    pub position: usize,
    /// Steps inside `atomic` sequences until it was found.
    pub atomic_steps: u64,
}

/// Everything that leads out of a state, in the order in which SPIN finds it.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// What went wrong.
    pub errors: Vec<Failure>,
    /// Nothing can happen at all.
    pub is_final: bool,
    /// An `atomic` sequence was found that never ends; it has no transition.
    pub endless_atomic: bool,
    /// An `atomic` sequence was so long that it was not followed to its end.
    pub cut_atomic: bool,
    /// Steps inside `atomic` sequences, all of them.
    pub atomic_steps: u64,
    /// The most steps that were taken without coming to a stored state, an offer that nobody took being one.
    pub deepest: usize,
}

impl Successors {
    fn note_offers(&mut self, moves: &Moves, steps_before: usize) {
        if moves.offered {
            self.deepest = self.deepest.max(steps_before + 1);
        }
    }
}

impl Interpreter<'_> {
    /// The transitions out of a stored state.
    #[must_use]
    pub fn successors(&self, state: &State) -> Successors {
        let mut moves = self.moves(state, None, Timeout::No);
        if moves.is_empty() {
            moves = self.moves(state, None, Timeout::Now);
        }
        let mut successors = Successors { is_final: moves.is_empty(), ..Successors::default() };
        successors.note_offers(&moves, 0);
        self.follow(moves, &mut successors);
        successors
    }

    /// The transitions out of a stored state in which a given process moves, or sends in a rendezvous; `timeout` is false.
    #[must_use]
    pub fn process_successors(&self, state: &State, pid: Pid) -> Successors {
        let moves = self.moves(state, Some(pid), Timeout::No);
        let mut successors = Successors { is_final: moves.is_empty(), ..Successors::default() };
        self.follow(moves, &mut successors);
        successors
    }

    /// Follows moves to the next stored states. A sequence may be long, so the way is kept on a stack of our own.
    fn follow(&self, moves: Moves, successors: &mut Successors) {
        let mut path = Path::default();
        let mut levels = vec![moves.moves.into_iter()];
        let mut kept = 0;
        while let Some(level) = levels.last_mut() {
            let Some(Move { steps, outcome, errors, output }) = level.next() else {
                levels.pop();
                path.leave();
                continue;
            };
            for error in errors {
                let (position, atomic_steps) = (successors.transitions.len(), successors.atomic_steps);
                successors.errors.push(Failure { steps: path.steps(&steps), error, position, atomic_steps });
            }
            let Some(Outcome { target, exclusive }) = outcome else { continue };
            let mut inner = Moves::default();
            if let Some(pid) = exclusive {
                successors.atomic_steps += 1;
                let length = path.length() + steps.len();
                successors.deepest = successors.deepest.max(length);
                let is_cut = successors.atomic_steps > ATOMIC_LIMIT || kept > KEPT_LIMIT;
                if is_cut || path.visits(&target) {
                    successors.endless_atomic = true;
                    successors.cut_atomic |= is_cut;
                    continue;
                }
                inner = self.moves(&target, Some(pid), Timeout::No);
                successors.note_offers(&inner, length);
            }
            if inner.is_empty() {
                let (steps, output) = (path.steps(&steps), path.output(&output));
                kept += steps.len();
                let atomic_steps = successors.atomic_steps;
                successors.transitions.push(Transition { steps, output, target, atomic_steps });
            } else {
                path.enter(steps, target, output);
                levels.push(inner.moves.into_iter());
            }
        }
    }

    /// Whether every process rests where it may, at its end or at an `end` label, and so does a `trace`.
    #[must_use]
    pub fn is_valid_end(&self, state: &State) -> bool {
        state.pids().all(|pid| self.is_at_end(state, pid)) && !self.trace_is_open(state)
    }

    /// Whether a process rests where it may.
    #[must_use]
    pub fn is_at_end(&self, state: &State, pid: Pid) -> bool {
        let layout = &self.machine().layout;
        let automaton = &self.machine().definition(state.definition(layout, pid)).automaton;
        automaton.location(state.location(layout, pid)).end
    }
}

/// The way through an `atomic` so far.
#[derive(Default)]
struct Path {
    taken: Vec<Taken>,
    /// How many of its states have a hash.
    hashes: FxHashMap<u64, u32>,
}

/// Steps on the way, and where they led.
struct Taken {
    steps: Vec<Step>,
    state: State,
    output: String,
    /// How many steps there are up to here.
    length: usize,
}

impl Path {
    fn length(&self) -> usize {
        self.taken.last().map_or(0, |taken| taken.length)
    }

    fn steps(&self, last: &[Step]) -> Vec<Step> {
        self.taken.iter().flat_map(|taken| &taken.steps).chain(last).copied().collect()
    }

    fn output(&self, last: &str) -> String {
        self.taken.iter().map(|taken| taken.output.as_str()).chain([last]).collect()
    }

    fn visits(&self, state: &State) -> bool {
        self.hashes.contains_key(&hash(state)) && self.taken.iter().any(|taken| taken.state == *state)
    }

    fn enter(&mut self, steps: Vec<Step>, state: State, output: String) {
        *self.hashes.entry(hash(&state)).or_insert(0) += 1;
        let length = self.length() + steps.len();
        self.taken.push(Taken { steps, state, output, length });
    }

    fn leave(&mut self) {
        let Some(taken) = self.taken.pop() else { return };
        if let Entry::Occupied(mut known) = self.hashes.entry(hash(&taken.state)) {
            *known.get_mut() -= 1;
            if *known.get() == 0 {
                known.remove();
            }
        }
    }
}

fn hash(state: &State) -> u64 {
    FxBuildHasher.hash_one(state)
}

#[cfg(test)]
mod tests {
    use crate::interpret::Interpreter;

    #[test]
    fn many_long_sequences_are_not_all_kept() {
        // 4,096 ways of more than 30,000 steps each.
        let choice = "if :: b = 0 :: b = 1 fi; ".repeat(12);
        let text = format!(
            "short i; bit b; active proctype P() {{ atomic {{ do :: i < 15000 -> i++ :: i >= 15000 -> break od; {choice} }} }}"
        );
        let model = promela::load_text("m.pml", &text, &promela::Options::default()).model.expect("it is correct");
        let machine = crate::lower(&model);
        let interpreter = Interpreter::new(&machine);
        let found = interpreter.successors(&interpreter.initial().expect("it starts"));
        assert!(found.cut_atomic);
        assert!(found.transitions.len() < 1_000, "{}", found.transitions.len());
    }
}
