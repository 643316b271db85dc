//! Transitions between stored states: `atomic` sequences run to their ends.
//!
//! A state in the middle of an `atomic` is not stored: the process goes on alone, by every way it has, until it leaves the
//! `atomic` or cannot move. In the latter case it loses control, and the state counts as an ordinary one. Two ways to the
//! same end count twice, as in SPIN.

use super::Interpreter;
use super::error::RuntimeError;
use super::moves::{Move, Moves, Step, Timeout};
use crate::id::Pid;
use crate::state::State;

/// A transition from one stored state to another.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The elementary steps.
    pub steps: Vec<Step>,
    /// The state it leads to.
    pub target: State,
    /// What was printed.
    pub output: String,
}

/// Everything that leads out of a state.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// What went wrong, and the steps that led to it; the last one is the one that failed.
    pub errors: Vec<(Vec<Step>, RuntimeError)>,
    /// Nothing can happen at all.
    pub is_final: bool,
    /// An `atomic` sequence was found that never ends; it has no transition.
    pub endless_atomic: bool,
    /// Steps inside `atomic` sequences.
    pub atomic_steps: u64,
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
        self.follow(moves, &Path::Start, &mut successors);
        successors
    }

    /// The transitions out of a stored state in which a given process moves, or sends in a rendezvous; `timeout` is false.
    #[must_use]
    pub fn process_successors(&self, state: &State, pid: Pid) -> Successors {
        let moves = self.moves(state, Some(pid), Timeout::No);
        let mut successors = Successors { is_final: moves.is_empty(), ..Successors::default() };
        self.follow(moves, &Path::Start, &mut successors);
        successors
    }

    fn follow(&self, moves: Moves, path: &Path<'_>, successors: &mut Successors) {
        for (step, error) in moves.failures {
            successors.errors.push((path.steps(&[step]), error));
        }
        for Move { steps, target, exclusive, errors, output } in moves.moves {
            for error in errors {
                successors.errors.push((path.steps(&steps), error));
            }
            let here = Path::Step { before: path, steps: &steps, state: &target, output: &output };
            let inner = match exclusive {
                Some(pid) => {
                    successors.atomic_steps += 1;
                    if path.visits(&target) {
                        successors.endless_atomic = true;
                        continue;
                    }
                    self.moves(&target, Some(pid), Timeout::No)
                }
                None => Moves::default(),
            };
            if inner.is_empty() {
                successors.transitions.push(Transition {
                    steps: here.steps(&[]),
                    output: here.output(),
                    target: target.clone(),
                });
            } else {
                self.follow(inner, &here, successors);
            }
        }
    }

    /// Whether every process rests where it may: at its end or at an `end` label.
    #[must_use]
    pub fn is_valid_end(&self, state: &State) -> bool {
        state.pids().all(|pid| self.is_at_end(state, pid))
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
enum Path<'p> {
    Start,
    Step { before: &'p Path<'p>, steps: &'p [Step], state: &'p State, output: &'p str },
}

impl Path<'_> {
    fn steps(&self, last: &[Step]) -> Vec<Step> {
        let mut all = match self {
            Path::Start => Vec::new(),
            Path::Step { before, steps, .. } => before.steps(steps),
        };
        all.extend_from_slice(last);
        all
    }

    fn output(&self) -> String {
        match self {
            Path::Start => String::new(),
            Path::Step { before, output, .. } => before.output() + output,
        }
    }

    fn visits(&self, target: &State) -> bool {
        match self {
            Path::Start => false,
            Path::Step { before, state, .. } => *state == target || before.visits(target),
        }
    }
}
