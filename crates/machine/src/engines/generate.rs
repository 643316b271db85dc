//! Engines: what makes a machine a labelled transition system.
//!
//! A transition leads from one *stored* state to another, as SPIN counts them: `atomic` sequences run to their ends, a rendezvous
//! is one transition, and two ways to the same state are two transitions. Engines only signal that something is wrong at a state. What it was,
//! and how it came about, the reference interpreter tells when it is asked about that state.

use std::sync::Arc;

use system::{Arena, Fate, Grouped, Label, Movers, Note, Notes, Rest, System};

use crate::id::{ActionId, Pid};
use crate::interpret::{self, Interpreter};
use crate::machine::Machine;
use crate::state::State;

/// Why an engine cannot execute a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What it cannot do, in words.
    pub reason: String,
}

/// Which actions were ever executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    executed: Vec<bool>,
    count: u64,
}

impl Coverage {
    /// None of a machine's actions was executed yet.
    #[must_use]
    pub fn none(machine: &Machine) -> Coverage {
        Coverage { executed: vec![false; machine.actions.len()], count: 0 }
    }

    /// The name of the note that has the same, one byte for each action.
    pub const EXECUTED: &'static str = "executed";

    /// What the notes of a search of a machine say.
    #[must_use]
    pub fn of_notes(machine: &Machine, notes: &Notes) -> Coverage {
        let mut coverage = Coverage::none(machine);
        let bytes = notes.bytes(Coverage::EXECUTED).iter();
        (0..).zip(bytes).filter(|(_, byte)| **byte != 0).for_each(|(action, _)| coverage.mark(ActionId(action)));
        coverage
    }

    /// Notes that an action was executed.
    #[inline]
    pub fn mark(&mut self, action: ActionId) {
        if !self.executed[action.index()] {
            self.executed[action.index()] = true;
            self.count += 1;
        }
    }

    /// How many actions were executed.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether an action was ever executed.
    #[must_use]
    pub fn contains(&self, action: ActionId) -> bool {
        self.executed[action.index()]
    }

    /// The same as a note.
    #[must_use]
    pub fn note(&self) -> Note {
        Note::Union(self.executed.iter().map(|&executed| u8::from(executed)).collect())
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

    fn add(&mut self, found: &interpret::Successors, into: &mut Arena) {
        let executed = found.transitions.iter().map(|transition| &transition.steps);
        for step in executed.chain(found.errors.iter().map(|failure| &failure.steps)).flatten() {
            self.coverage.mark(step.action);
        }
        for transition in &found.transitions {
            let first = transition.steps[0];
            let movers = transition.steps.iter().fold(Movers::default(), |all, step| all.and(Movers::one(step.pid.0)));
            into.push(transition.target.bytes(), Label { process: first.pid.0, action: first.action.0, movers });
        }
        let signals = into.signals_mut();
        signals.errors += found.errors.len() as u32;
        signals.diverges |= found.endless_atomic;
        signals.truncated |= found.cut_atomic;
        signals.inner_steps += found.atomic_steps;
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

impl System for InterpretedGenerator {
    /// # Panics
    /// When an initial value cannot be computed: who asks has made sure.
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        write_initial(&self.machine, into)
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
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

    fn novelty(&self) -> u64 {
        self.coverage.count()
    }

    fn notes(&self, into: &mut Notes) {
        into.add(Coverage::EXECUTED, self.coverage.note());
    }
}

impl Grouped for InterpretedGenerator {
    fn of_process(&mut self, state: &[u8], process: u8, into: &mut Arena) {
        let machine = Arc::clone(&self.machine);
        self.add(&Interpreter::new(&machine).process_successors(&State::from_bytes(state), Pid(process)), into);
    }
}

/// Writes the initial state of a machine.
pub(crate) fn write_initial(machine: &Machine, into: &mut Vec<u8>) -> Fate {
    let state = Interpreter::new(machine).initial().expect("the initial state was computed before");
    into.clear();
    into.extend_from_slice(state.bytes());
    Fate::Open
}
