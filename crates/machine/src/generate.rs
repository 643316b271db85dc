//! How engines and searches meet: an engine generates the successors of a state into an arena.
//!
//! All successors of a state are written first, then the search looks at them, so that a store can work on a batch. A
//! transition leads from one *stored* state to another, as SPIN counts them: `atomic` sequences run to their ends, a rendezvous
//! is one transition, and two ways to the same state are two transitions.
//!
//! Engines carry no labels: they only signal that something is wrong at a state. What it was, and how it came about, the
//! reference interpreter tells when it is asked about that state.

use std::sync::Arc;

use crate::id::{ActionId, Pid};
use crate::interpret::error::RuntimeError;
use crate::interpret::{self, Interpreter};
use crate::machine::Machine;
use crate::state::State;

/// Generates successors. Each worker of a search has its own; they share what is expensive to make.
pub trait Generator: Send {
    /// Writes the initial state to `into`, whose old content is dropped.
    ///
    /// # Errors
    /// When an initial value cannot be computed.
    fn initial(&mut self, into: &mut Vec<u8>) -> Result<(), RuntimeError>;

    /// Writes all successors of a state to `into`, whose old content is dropped.
    fn successors(&mut self, state: &[u8], into: &mut Successors);

    /// Appends the successors of a state in which a given process moves to `into`. `timeout` is false; of the
    /// signals, only what went wrong and the steps inside `atomic` sequences are counted.
    fn process_successors(&mut self, state: &[u8], pid: Pid, into: &mut Successors);

    /// The actions executed so far.
    fn coverage(&self) -> &Coverage;
}

/// Why an engine cannot execute a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What it cannot do, in words.
    pub reason: String,
}

/// The successors of one state, one after the other in one piece of memory that is used again for the next state.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    bytes: Vec<u8>,
    /// For each transition the end of its target in `bytes`, and its first step.
    transitions: Vec<(u32, FirstStep)>,
    signals: Signals,
}

/// The first step of a transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FirstStep {
    /// The process that moved; of a rendezvous, the sender.
    pub pid: Pid,
    /// What it did.
    pub action: ActionId,
    /// All processes that move in the transition: also the receiver of a rendezvous, and those that an `atomic` sequence takes along.
    pub movers: Movers,
}

/// A set of processes; those with numbers above 63 are not told apart from none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Movers(pub u64);

impl Movers {
    /// One process.
    #[inline]
    #[must_use]
    pub fn one(pid: Pid) -> Movers {
        Movers(1u64.checked_shl(u32::from(pid.0)).unwrap_or(0))
    }

    /// The processes of both.
    #[inline]
    #[must_use]
    pub fn and(self, other: Movers) -> Movers {
        Movers(self.0 | other.0)
    }
}

impl FirstStep {
    /// A step in which one process moves.
    #[inline]
    #[must_use]
    pub fn alone(pid: Pid, action: ActionId) -> FirstStep {
        FirstStep { pid, action, movers: Movers::one(pid) }
    }

    /// The same when others move too.
    #[inline]
    #[must_use]
    pub fn with(self, others: Movers) -> FirstStep {
        FirstStep { movers: self.movers.and(others), ..self }
    }
}

/// What a search must know of a state besides its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signals {
    /// How many things went wrong on the ways out of the state: failed assertions and run-time errors.
    pub errors: u32,
    /// Whether anything can happen at all.
    pub rest: Rest,
    /// An `atomic` sequence was found that never ends; it has no transition.
    pub endless_atomic: bool,
    /// It only seems so: it was not followed any further.
    pub cut_atomic: bool,
    /// Steps inside `atomic` sequences.
    pub atomic_steps: u64,
}

/// Whether a state is the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rest {
    /// It is not: something can happen.
    #[default]
    Moves,
    /// It is, and every process rests where it may.
    ValidEnd,
    /// It is, and some process rests where it may not: a deadlock.
    InvalidEnd,
}

/// How much there was of the successors of a state at some moment.
pub(crate) struct SuccessorsMark {
    bytes: usize,
    transitions: usize,
    signals: Signals,
}

impl Successors {
    /// An empty arena.
    #[must_use]
    pub fn new() -> Successors {
        Successors::default()
    }

    /// How many transitions there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    /// Whether there is no transition.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty()
    }

    /// The state a transition leads to.
    ///
    /// # Panics
    /// When there is no such transition.
    #[inline]
    #[must_use]
    pub fn target(&self, transition: usize) -> &[u8] {
        let start = if transition == 0 { 0 } else { self.transitions[transition - 1].0 as usize };
        &self.bytes[start..self.transitions[transition].0 as usize]
    }

    /// The same, to be replaced by a state of the same length that stands for it.
    ///
    /// # Panics
    /// When there is no such transition.
    #[inline]
    #[must_use]
    pub fn target_mut(&mut self, transition: usize) -> &mut [u8] {
        let start = if transition == 0 { 0 } else { self.transitions[transition - 1].0 as usize };
        &mut self.bytes[start..self.transitions[transition].0 as usize]
    }

    /// The states all transitions lead to, in order.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|transition| self.target(transition))
    }

    /// The first step of each transition, in order.
    pub fn first_steps(&self) -> impl ExactSizeIterator<Item = FirstStep> {
        self.transitions.iter().map(|&(_, first_step)| first_step)
    }

    /// All transitions, in order: where each leads, and its first step.
    #[inline]
    pub fn transitions(&self) -> impl Iterator<Item = (&[u8], FirstStep)> {
        let mut rest = &self.bytes[..];
        let mut start = 0;
        self.transitions.iter().map(move |&(end, first_step)| {
            let (target, others) = rest.split_at((end - start) as usize);
            (rest, start) = (others, end);
            (target, first_step)
        })
    }

    /// What else is known of the state.
    #[inline]
    #[must_use]
    pub fn signals(&self) -> Signals {
        self.signals
    }

    /// Forgets everything but the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.transitions.clear();
        self.signals = Signals::default();
    }

    /// Adds a transition.
    #[inline]
    pub fn push(&mut self, target: &[u8], first_step: FirstStep) {
        self.bytes.extend_from_slice(target);
        self.close(first_step);
    }

    /// What there is so far.
    pub(crate) fn mark(&self) -> SuccessorsMark {
        SuccessorsMark { bytes: self.bytes.len(), transitions: self.transitions.len(), signals: self.signals }
    }

    /// Forgets what was added since.
    pub(crate) fn return_to(&mut self, mark: SuccessorsMark) {
        self.bytes.truncate(mark.bytes);
        self.transitions.truncate(mark.transitions);
        self.signals = mark.signals;
    }

    /// Turns what was appended to [`Successors::bytes_mut`] into a transition.
    #[inline]
    pub(crate) fn close(&mut self, first_step: FirstStep) {
        self.transitions.push((self.bytes.len() as u32, first_step));
    }

    /// The arena, behind whose end the next target can be written.
    #[inline]
    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// What else is known of the state, to be changed.
    #[inline]
    pub(crate) fn signals_mut(&mut self) -> &mut Signals {
        &mut self.signals
    }
}

/// Which actions were ever executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    executed: Vec<bool>,
}

impl Coverage {
    /// None of a machine's actions was executed yet.
    #[must_use]
    pub fn none(machine: &Machine) -> Coverage {
        Coverage { executed: vec![false; machine.actions.len()] }
    }

    /// Notes that an action was executed.
    #[inline]
    pub fn mark(&mut self, action: ActionId) {
        self.executed[action.index()] = true;
    }

    /// Whether an action was ever executed.
    #[must_use]
    pub fn contains(&self, action: ActionId) -> bool {
        self.executed[action.index()]
    }

    /// The same as bytes, one for each action.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.executed.iter().map(|&executed| u8::from(executed)).collect()
    }

    /// Adds what such bytes say; whether they are of the same machine.
    pub fn merge_bytes(&mut self, bytes: &[u8]) -> bool {
        let fits = bytes.len() == self.executed.len();
        if fits {
            self.executed.iter_mut().zip(bytes).for_each(|(mine, theirs)| *mine |= *theirs != 0);
        }
        fits
    }

    /// Adds what another worker executed.
    pub fn merge(&mut self, other: &Coverage) {
        for (mine, theirs) in self.executed.iter_mut().zip(&other.executed) {
            *mine |= theirs;
        }
    }
}

/// The reference interpreter as an engine.
#[derive(Clone, Debug)]
pub struct InterpretedGenerator {
    machine: Arc<Machine>,
    coverage: Coverage,
}

impl InterpretedGenerator {
    /// A generator for a machine.
    ///
    /// # Errors
    /// A machine with `hidden` variables is refused: their values are no part of a state's vector. So is one with embedded C
    /// that was not compiled.
    pub fn new(machine: Arc<Machine>) -> Result<InterpretedGenerator, Refusal> {
        refuse_hidden(&machine)?;
        if machine.features.embedded_c && machine.code.library.is_none() {
            return Err(Refusal { reason: "the model has embedded C, which was not compiled".into() });
        }
        let coverage = Coverage::none(&machine);
        Ok(InterpretedGenerator { machine, coverage })
    }

    fn add(&mut self, found: &interpret::Successors, into: &mut Successors) {
        let executed = found.transitions.iter().map(|transition| &transition.steps);
        for step in executed.chain(found.errors.iter().map(|failure| &failure.steps)).flatten() {
            self.coverage.mark(step.action);
        }
        for transition in &found.transitions {
            let first = transition.steps[0];
            let movers = transition.steps.iter().fold(Movers::default(), |all, step| all.and(Movers::one(step.pid)));
            into.push(transition.target.bytes(), FirstStep { pid: first.pid, action: first.action, movers });
        }
        let signals = into.signals_mut();
        signals.errors += found.errors.len() as u32;
        signals.endless_atomic |= found.endless_atomic;
        signals.cut_atomic |= found.cut_atomic;
        signals.atomic_steps += found.atomic_steps;
    }
}

/// Refuses a machine whose states are more than their vectors.
pub(crate) fn refuse_hidden(machine: &Machine) -> Result<(), Refusal> {
    let areas = std::iter::once(&machine.layout.globals).chain(&machine.layout.frames);
    match areas.flat_map(|area| &area.cells).find(|cells| cells.hidden) {
        None => Ok(()),
        Some(cells) => Err(Refusal {
            reason: format!("the variable {} is hidden: its value is no part of a state", cells.path[0].name),
        }),
    }
}

impl Generator for InterpretedGenerator {
    fn initial(&mut self, into: &mut Vec<u8>) -> Result<(), RuntimeError> {
        let state = Interpreter::new(&self.machine).initial()?;
        into.clear();
        into.extend_from_slice(state.bytes());
        Ok(())
    }

    fn successors(&mut self, state: &[u8], into: &mut Successors) {
        into.clear();
        let interpreter = Interpreter::new(&self.machine);
        let state = State::from_bytes(state);
        let found = interpreter.successors(&state);
        into.signals_mut().rest = match (found.is_final, interpreter.is_valid_end(&state)) {
            (false, _) => Rest::Moves,
            (true, true) => Rest::ValidEnd,
            (true, false) => Rest::InvalidEnd,
        };
        self.add(&found, into);
    }

    fn process_successors(&mut self, state: &[u8], pid: Pid, into: &mut Successors) {
        let machine = Arc::clone(&self.machine);
        self.add(&Interpreter::new(&machine).process_successors(&State::from_bytes(state), pid), into);
    }

    fn coverage(&self) -> &Coverage {
        &self.coverage
    }
}
