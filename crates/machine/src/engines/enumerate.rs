//! The simplest search there is: depth first, every state kept in a hash set.
//!
//! It visits states in the order in which SPIN's verifier does, so that not only the counts are comparable but also the depth
//! reached and the sequence of errors. It is the yardstick of every faster search, hence without any cleverness.

use std::collections::HashSet;

use crate::id::{DefinitionId, Location, Pid};
use crate::interpret::error::{ErrorKind, RuntimeError};
use crate::interpret::{Interpreter, Successors};
use crate::machine::Machine;
use crate::reached::Reached;
use crate::state::State;

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states to store.
    pub states: usize,
    /// The most errors to list; further ones are only counted.
    pub errors: usize,
    /// Which mistakes end the search.
    pub stop: fn(&Mistake) -> bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { states: 1_000_000, errors: 1_000, stop: |_| false }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// States stored.
    pub states: u64,
    /// Transitions as SPIN counts them: states stored plus states met again.
    pub transitions: u64,
    /// Steps inside `atomic` sequences.
    pub atomic_steps: u64,
    /// The most elementary steps between the initial state and another one.
    pub depth: usize,
    /// How many errors there are: one for every way to make a mistake, and one for every invalid end state.
    pub errors: u64,
    /// The first of them, in the order in which the search met them.
    pub found: Vec<Finding>,
    /// Control locations that no process ever came to.
    pub unreached: Vec<(DefinitionId, Location)>,
    /// How the search ended.
    pub end: End,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum End {
    /// Every state was visited.
    #[default]
    Complete,
    /// There was a mistake that was to end it.
    Stopped,
    /// There were more states than allowed.
    TooManyStates,
    /// An `atomic` never ends; what would follow it was not seen.
    EndlessAtomic,
}

/// An error and where it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub mistake: Mistake,
    /// Steps taken before the wrong one; for an end state, before the last one. The initial state is at -1.
    pub depth: i64,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// Nothing can happen, but this process (the oldest such) is not where it may stop; or all are, and a `trace` expects more.
    InvalidEndState(Pid),
    /// A step went wrong.
    Runtime(RuntimeError),
}

impl Mistake {
    /// The kind of a run-time error.
    #[must_use]
    pub fn kind(&self) -> Option<ErrorKind> {
        match self {
            Mistake::InvalidEndState(_) => None,
            Mistake::Runtime(error) => Some(error.kind),
        }
    }
}

/// Visits every reachable state.
///
/// # Errors
/// When there is no initial state.
///
/// ```
/// use machine::enumerate::{Limits, enumerate};
/// # let text = "byte x; active [2] proctype P() { x++; assert(x < 2) }";
/// # let model = promela::load_text("m.pml", text, &promela::Options::default()).model.unwrap();
/// let census = enumerate(&machine::lower(&model), Limits::default())?;
/// assert_eq!((census.states, census.errors), (13, 5));
/// # Ok::<(), machine::interpret::error::RuntimeError>(())
/// ```
pub fn enumerate(machine: &Machine, limits: Limits) -> Result<Census, RuntimeError> {
    let interpreter = Interpreter::new(machine);
    let initial = interpreter.initial()?;
    let mut search =
        Search { interpreter, limits, seen: HashSet::new(), reached: Reached::new(machine), census: Census::default() };
    let mut stack: Vec<Frame> = search.visit(&initial, 0).into_iter().collect();
    while let Some(top) = stack.last_mut() {
        if search.census.end == End::Stopped {
            break;
        }
        let next = top.next();
        // A search that stops half-way through a state has not taken the rest of its steps.
        search.census.atomic_steps += top.atomic_steps_since();
        match next {
            Next::Error(finding) => search.report(finding),
            Next::Transition(target, depth) => stack.extend(search.visit(&target, depth)),
            Next::Nothing => {
                stack.pop();
            }
        }
    }
    search.census.unreached = search.reached.missing(machine);
    Ok(search.census)
}

struct Search<'m> {
    interpreter: Interpreter<'m>,
    limits: Limits,
    /// Their vectors.
    seen: HashSet<Vec<u8>>,
    reached: Reached,
    census: Census,
}

impl Search<'_> {
    /// Comes to a state: a frame if it is new.
    fn visit(&mut self, state: &State, depth: usize) -> Option<Frame> {
        self.census.transitions += 1;
        if self.seen.contains(state.bytes()) {
            return None;
        }
        if self.seen.len() >= self.limits.states {
            self.census.end = End::TooManyStates;
            return None;
        }
        self.seen.insert(state.bytes().to_vec());
        self.census.states += 1;
        self.reached.note_state(&self.interpreter.machine().layout, state);
        let successors = self.interpreter.successors(state);
        successors.transitions.iter().for_each(|transition| self.reached.note_steps(&transition.steps));
        successors.errors.iter().for_each(|failure| self.reached.note_steps(&failure.steps));
        self.census.depth = self.census.depth.max(depth + successors.deepest);
        if successors.endless_atomic {
            self.census.end = End::EndlessAtomic;
        }
        let is_stuck = |pid: &Pid| !self.interpreter.is_at_end(state, *pid);
        if successors.is_final
            && let Some(stuck) = state.pids().find(is_stuck).or(self.interpreter.trace_is_open(state).then_some(Pid(0)))
        {
            self.report(Finding { mistake: Mistake::InvalidEndState(stuck), depth: depth as i64 - 1 });
        }
        Some(Frame { successors, depth, next_error: 0, next_transition: 0, atomic_steps: 0, counted: 0 })
    }

    fn report(&mut self, finding: Finding) {
        self.census.errors += 1;
        if (self.limits.stop)(&finding.mistake) {
            self.census.end = End::Stopped;
        }
        if self.census.found.len() < self.limits.errors {
            self.census.found.push(finding);
        }
    }
}

/// A state whose ways out are being followed.
struct Frame {
    successors: Successors,
    depth: usize,
    next_error: usize,
    next_transition: usize,
    /// Steps inside `atomic` sequences that were taken so far, and those of them that are counted.
    atomic_steps: u64,
    counted: u64,
}

enum Next {
    Error(Finding),
    Transition(State, usize),
    Nothing,
}

impl Frame {
    /// Errors and transitions in the order in which they were found.
    fn next(&mut self) -> Next {
        if let Some(failure) = self.successors.errors.get(self.next_error)
            && failure.position <= self.next_transition
        {
            self.next_error += 1;
            self.atomic_steps = failure.atomic_steps;
            let depth = (self.depth + failure.steps.len()) as i64 - 1;
            return Next::Error(Finding { mistake: Mistake::Runtime(failure.error.clone()), depth });
        }
        let Some(transition) = self.successors.transitions.get_mut(self.next_transition) else {
            self.atomic_steps = self.successors.atomic_steps;
            return Next::Nothing;
        };
        self.next_transition += 1;
        self.atomic_steps = transition.atomic_steps;
        Next::Transition(std::mem::take(&mut transition.target), self.depth + transition.steps.len())
    }

    /// Steps inside `atomic` sequences since the last time.
    fn atomic_steps_since(&mut self) -> u64 {
        let since = self.atomic_steps - self.counted;
        self.counted = self.atomic_steps;
        since
    }
}
