//! From the states that a search went through to a trace: the steps between them are found again in the interpreter.
//!
//! A search stores states and nothing else; what happened between two of them is computed once, for the one run that is
//! shown. Searches that store representatives (of orbits, or with dead variables cut) say when a real state is meant by a
//! stored one. A cycle of representatives need not close at once: it is followed until it comes back to a real state where
//! it began before, which it must, because what is followed depends on that state only and an orbit is finite.

use std::fmt;

use system::Movers;

use super::{End, EndKind, Origin, Trace};
use crate::interpret::error::RuntimeError;
use crate::interpret::{Interpreter, Transition};
use crate::machine::Machine;
use crate::simulate::{History, Run};
use crate::state::State;
use crate::unmatched::Indifferent;

/// What is wrong with the last state that a search went through.
#[derive(Clone, Debug)]
pub enum PathEnd {
    /// A step out of it goes wrong.
    Fails(RuntimeError),
    /// Nothing can move in it.
    Rests,
    /// A step leads from it back to an earlier state, or to itself.
    Returns {
        /// The index of that state among those of the path.
        to: usize,
        /// What is wrong with going round for ever.
        kind: EndKind,
        /// In words.
        message: String,
    },
    /// Somebody who watches the run objects: a claim, a trace assertion.
    Judged(End),
}

/// Why states are no run of a machine. From states that a search really found this never comes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoCounterexample {
    /// There is no initial state.
    NoInitialState(RuntimeError),
    /// Nothing leads to the state of this index; 0 is not the initial state.
    NoTransition {
        /// The index.
        index: usize,
    },
    /// No step out of the last state goes wrong in that way.
    NoSuchError,
    /// Some process can move in the last state.
    CanMove,
}

/// The trace that goes through these stored states, from the initial one to the violation.
///
/// States are equal, and a cycle closes, if they are but for `hidden` variables on which nothing depends.
///
/// Equal states one after the other with no step between them are allowed: a claim may move alone. If the run is to be fair, its cycle is
/// made of steps of as many processes as can take the run from one of its states to the next.
///
/// # Errors
/// When the states are no run of the machine.
///
/// ```
/// use machine::interpret::Interpreter;
/// use machine::trace::{EndKind, Origin, PathEnd, counterexample};
///
/// let text = "byte x; active proctype P() { atomic { x = 1; x = 2 }; assert(x < 2) }";
/// let model = promela::load_text("m.pml", text, &promela::Options::default()).model.unwrap();
/// let machine = machine::lower(&model);
/// let interpreter = Interpreter::new(&machine);
/// let initial = interpreter.initial().unwrap();
/// let next = interpreter.successors(&initial).transitions[0].target.clone();
/// let error = interpreter.successors(&next).errors[0].error.clone();
///
/// let trace = counterexample(&machine, Origin::default(), &[initial, next], PathEnd::Fails(error)).unwrap();
/// let statements: Vec<&str> = trace.steps.iter().map(|step| step.part.statement.as_str()).collect();
/// assert_eq!(statements, ["x = 1", "x = 2", "assert((x<2))"]);
/// assert_eq!(trace.end.kind, EndKind::Assertion);
/// ```
pub fn counterexample(
    machine: &Machine,
    origin: Origin,
    states: &[State],
    end: PathEnd,
) -> Result<Trace, NoCounterexample> {
    let indifferent = Indifferent::of(machine);
    counterexample_modulo(machine, origin, states, end, |real, stored| indifferent.is_same(real, stored))
}

/// The same for a search that stores representatives: `same(real, stored)` tells whether a real state is meant by a stored
/// one. It must be kept by steps: what one of two such states can do, the other one can do too.
///
/// # Errors
/// When the states are no run of the machine.
pub fn counterexample_modulo(
    machine: &Machine,
    origin: Origin,
    states: &[State],
    end: PathEnd,
    same: impl Fn(&State, &State) -> bool,
) -> Result<Trace, NoCounterexample> {
    let run = Run::new(machine, History::Record).map_err(NoCounterexample::NoInitialState)?;
    if !states.first().is_some_and(|first| same(run.state(), first)) {
        return Err(NoCounterexample::NoTransition { index: 0 });
    }
    let indifferent = Indifferent::of(machine);
    let mut walk = Walk { interpreter: Interpreter::new(machine), run, states, same, indifferent, movers: None };
    match end {
        PathEnd::Fails(error) => {
            walk.along(1..states.len())?;
            walk.fail(&error)?;
            let end = walk.run.end();
            Ok(walk.run.into_trace(origin, end))
        }
        PathEnd::Rests => {
            walk.along(1..states.len())?;
            match walk.run.end() {
                end if end.kind == EndKind::Stopped => Err(NoCounterexample::CanMove),
                end => Ok(walk.run.into_trace(origin, end)),
            }
        }
        PathEnd::Judged(end) => {
            walk.along(1..states.len())?;
            Ok(walk.run.into_trace(origin, end))
        }
        PathEnd::Returns { to, kind, message } => {
            let fair = origin.fairness.is_some();
            let cycle_start = walk.around(to, fair.then(CycleMovers::default))?;
            let trace = walk.run.into_trace(origin, End::new(kind, message));
            Ok(Trace { cycle_start: Some(cycle_start), ..trace })
        }
    }
}

struct Walk<'m, 's, Same> {
    interpreter: Interpreter<'m>,
    run: Run<'m>,
    states: &'s [State],
    same: Same,
    indifferent: Indifferent,
    /// Who moved on the cycle and who might have, if that matters.
    movers: Option<CycleMovers>,
}

/// Several processes may be able to take a run from one state to the next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct CycleMovers {
    moved: Movers,
    possible: Movers,
}

impl<Same: Fn(&State, &State) -> bool> Walk<'_, '_, Same> {
    fn along(&mut self, indices: std::ops::Range<usize>) -> Result<(), NoCounterexample> {
        for index in indices {
            self.advance(index)?;
        }
        Ok(())
    }

    /// From the present state to the one of an index.
    fn advance(&mut self, index: usize) -> Result<(), NoCounterexample> {
        let wanted = self.states.get(index).ok_or(NoCounterexample::NoTransition { index })?;
        let mut transitions = self.interpreter.successors(self.run.state()).transitions;
        transitions.retain(|transition| (self.same)(&transition.target, wanted));
        if let Some(movers) = &mut self.movers {
            // One who has not moved yet comes first.
            let waiting = |transition: &Transition| transition.movers().0 & !movers.moved.0 != 0;
            let chosen = transitions.iter().position(waiting).unwrap_or_default();
            movers.possible = transitions.iter().fold(movers.possible, |all, each| all.and(each.movers()));
            transitions.drain(..chosen);
            movers.moved = transitions.first().map_or(movers.moved, |chosen| movers.moved.and(chosen.movers()));
        }
        match transitions.into_iter().next() {
            Some(found) => {
                self.run.follow(&found.steps).map_err(|_| NoCounterexample::NoTransition { index })?;
                Ok(())
            }
            None if (self.same)(self.run.state(), wanted) => Ok(()),
            None => Err(NoCounterexample::NoTransition { index }),
        }
    }

    /// Goes to the last state and on to the one where the cycle starts, until the cycle closes. If it matters who moves, one round may not be enough
    /// to let all move who can: where several can take the run from a state to the next, only one of them does. The result is the number
    /// of the steps before the cycle.
    fn around(&mut self, start: usize, movers: Option<CycleMovers>) -> Result<usize, NoCounterexample> {
        if start >= self.states.len() {
            return Err(NoCounterexample::NoTransition { index: start });
        }
        self.along(1..start + 1)?;
        self.movers = movers;
        let mut before = movers;
        let mut starts: Vec<(State, usize)> = Vec::new();
        loop {
            let served = self.movers.is_none_or(|movers| movers.possible == movers.moved || self.movers == before);
            let known = starts.iter().find(|(state, _)| self.indifferent.is_same(state, self.run.state()));
            if let Some((_, steps)) = known
                && served
            {
                return Ok(*steps);
            }
            before = self.movers;
            starts.push((self.run.state().clone(), self.run.length() as usize));
            self.along(start + 1..self.states.len())?;
            self.advance(start)?;
        }
    }

    /// The step that goes wrong, or one that goes wrong at the same place: of a representative, another process may do it.
    fn fail(&mut self, error: &RuntimeError) -> Result<(), NoCounterexample> {
        let errors = self.interpreter.successors(self.run.state()).errors;
        let exact = errors.iter().find(|failure| failure.error == *error);
        let place = |error: &RuntimeError| (error.kind, error.span);
        let like = || errors.iter().find(|failure| place(&failure.error) == place(error));
        let failure = exact.or_else(like).ok_or(NoCounterexample::NoSuchError)?;
        self.run.follow(&failure.steps).map_err(|_| NoCounterexample::NoSuchError)
    }
}

impl fmt::Display for NoCounterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCounterexample::NoInitialState(error) => write!(f, "there is no initial state: {}", error.message),
            NoCounterexample::NoTransition { index: 0 } => f.write_str("the first state is not the initial one"),
            NoCounterexample::NoTransition { index } => write!(f, "nothing leads to state {index} of the path"),
            NoCounterexample::NoSuchError => f.write_str("no step out of the last state goes wrong in that way"),
            NoCounterexample::CanMove => f.write_str("some process can move in the last state"),
        }
    }
}

impl std::error::Error for NoCounterexample {}
