//! A system in which nothing is wrong but what is looked for.
//!
//! Searches stop where something is wrong. This layer, outside of all others, says so exactly of the states that are looked for: those where a
//! condition is true, or where the very violation happens that is known already, so that a shorter run to it can be found.

use std::sync::Arc;

use machine::Machine;
use machine::claim::Valuation;
use machine::interpret::Interpreter;
use machine::interpret::error::RuntimeError;
use machine::show::Show;
use machine::state::State;
use machine::trace::{EndKind, Failure};
use system::{Arena, Extent, Rest, System, leave_to_inner};

/// The layer.
pub(super) struct Sought {
    inner: Box<dyn System>,
    what: What,
}

/// What is looked for.
pub(super) enum What {
    /// The first atom of a claim is true.
    Goal(Box<dyn Valuation>),
    /// This violation.
    Violation(Arc<Machine>, Violation),
}

/// A violation, whoever is at fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Violation {
    pub kind: EndKind,
    pub file: Option<String>,
    pub line: Option<u32>,
}

impl Sought {
    pub fn new(inner: Box<dyn System>, what: What) -> Sought {
        Sought { inner, what }
    }

    /// Says of a state whose successors are at hand whether it is what is looked for.
    fn judge(&mut self, state: &[u8], into: &mut Arena) {
        let signals = into.signals();
        let is_deadlock = signals.rest.is_invalid();
        let is_sought = match &mut self.what {
            What::Goal(valuation) => valuation.valuation(state).holds & 1 == 1,
            // Where nothing can move nothing goes wrong.
            What::Violation(_, violation) if violation.kind == EndKind::InvalidEndState => {
                into.signals_mut().errors = 0;
                return;
            }
            What::Violation(machine, violation) => signals.errors > 0 && violation.happens(machine, state),
        };
        let signals = into.signals_mut();
        signals.errors = u32::from(is_sought);
        if is_deadlock {
            signals.rest = Rest::ValidEnd;
        }
    }
}

impl Violation {
    /// Whether a step out of a state goes wrong in this way.
    fn happens(&self, machine: &Machine, state: &[u8]) -> bool {
        let found = Interpreter::new(machine).successors(&State::from_bytes(state)).errors;
        found.iter().any(|failure| self.is(machine, &failure.error))
    }

    /// Whether it is this error.
    pub fn is(&self, machine: &Machine, error: &RuntimeError) -> bool {
        let failure = Failure::new(error, &Show::new(machine));
        let place = (Some(failure.place.file), Some(failure.place.line));
        failure.kind == self.kind && place == (self.file.clone(), self.line)
    }
}

impl System for Sought {
    leave_to_inner!(inner: initial, acceptance, novelty, notes, normalise, unfold);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.inner.successors(state, into);
        self.judge(state, into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.reduced(state, into);
        self.judge(state, into);
        extent
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.other(state, into);
        self.judge(state, into);
        extent
    }
}
