//! Transitions between stored states: `atomic` sequences run to their ends.
//!
//! A state in the middle of an `atomic` is not stored: the process goes on alone, by every way it has, until it leaves the
//! `atomic` or cannot move. In the latter case it loses control, and the state counts as an ordinary one. Two ways to the
//! same end count twice, as in SPIN.

use super::Interpreter;
use super::error::RuntimeError;
use super::moves::{Move, Moves, Outcome, Step, Timeout};
use crate::generate::Movers;
use crate::id::Pid;
use crate::state::State;

/// When so many steps inside `atomic` sequences follow one state, they are taken for endless.
const ATOMIC_LIMIT: u64 = 200_000;

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
        self.steps.iter().fold(Movers::default(), |movers, step| movers.and(Movers::one(step.pid)))
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
        for Move { steps, outcome, errors, output } in moves.moves {
            for error in errors {
                let (position, atomic_steps) = (successors.transitions.len(), successors.atomic_steps);
                successors.errors.push(Failure { steps: path.steps(&steps), error, position, atomic_steps });
            }
            let Some(Outcome { target, exclusive }) = outcome else { continue };
            let here = Path::Step { before: path, steps: &steps, state: &target, output: &output };
            let mut inner = Moves::default();
            if let Some(pid) = exclusive {
                successors.atomic_steps += 1;
                successors.deepest = successors.deepest.max(here.length());
                let is_cut = successors.atomic_steps > ATOMIC_LIMIT;
                if is_cut || path.visits(&target) {
                    successors.endless_atomic = true;
                    successors.cut_atomic |= is_cut;
                    continue;
                }
                inner = self.moves(&target, Some(pid), Timeout::No);
                successors.note_offers(&inner, here.length());
            }
            if inner.is_empty() {
                let (steps, output) = (here.steps(&[]), here.output());
                let atomic_steps = successors.atomic_steps;
                successors.transitions.push(Transition { steps, output, target, atomic_steps });
            } else {
                self.follow(inner, &here, successors);
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
enum Path<'p> {
    Start,
    Step { before: &'p Path<'p>, steps: &'p [Step], state: &'p State, output: &'p str },
}

impl Path<'_> {
    fn length(&self) -> usize {
        match self {
            Path::Start => 0,
            Path::Step { before, steps, .. } => before.length() + steps.len(),
        }
    }

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
