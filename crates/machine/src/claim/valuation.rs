//! Which atoms of a claim hold in a state: a word of bits.

use std::sync::Arc;

use super::{Claim, Question};
use crate::expression::Expr;
use crate::interpret::error::{ErrorKind, RuntimeError};
use crate::interpret::{Interpreter, Timeout};
use crate::machine::Machine;
use crate::state::State;

/// The values of atoms in a state: bit `i` for the `i`-th.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values {
    /// Those that hold. One that asks about a process that does not exist does not.
    pub holds: u64,
    /// Those that cannot be evaluated, because an index is out of bounds or the like. They are not among those that hold.
    pub unknown: u64,
}

/// Evaluates the atoms of one claim.
pub trait Valuation: Send {
    /// The values of the atoms in a state.
    fn valuation(&mut self, state: &[u8]) -> Values;

    /// Whether there may be a state where some atom cannot be evaluated.
    fn can_fail(&self) -> bool;
}

/// Atoms evaluated by the reference interpreter.
#[derive(Clone, Debug)]
pub struct InterpretedValuation {
    machine: Arc<Machine>,
    claim: Arc<Claim>,
}

impl InterpretedValuation {
    /// The atoms of a claim about a machine.
    #[must_use]
    pub fn new(machine: Arc<Machine>, claim: Arc<Claim>) -> InterpretedValuation {
        InterpretedValuation { machine, claim }
    }
}

impl Valuation for InterpretedValuation {
    fn valuation(&mut self, state: &[u8]) -> Values {
        let state = State::from_bytes(state);
        let mut values = Values::default();
        for (number, question) in self.claim.atoms.iter().enumerate() {
            match question {
                Question::Expression(atom) => values.note(number, answer(&self.machine, &state, &atom.expression)),
                Question::Accepting => values.holds |= u64::from(is_accepting(&self.machine, &state)) << number,
            }
        }
        values
    }

    fn can_fail(&self) -> bool {
        true
    }
}

impl Values {
    /// Adds the value of an atom, by its number.
    pub(crate) fn note(&mut self, atom: usize, answer: Result<bool, RuntimeError>) {
        match answer {
            Ok(holds) => self.holds |= u64::from(holds) << atom,
            Err(_) => self.unknown |= 1 << atom,
        }
    }
}

/// Whether an atom holds. What is not there has no properties, so to ask about it is no error.
pub(crate) fn answer(machine: &Machine, state: &State, atom: &Expr) -> Result<bool, RuntimeError> {
    let interpreter = Interpreter::new(machine);
    // In a claim, as in a process, `timeout` means that nobody can move without it.
    let waits = asks_for_timeout(atom) && interpreter.moves(state, None, Timeout::No).is_empty();
    match interpreter.global_value(state, atom, if waits { Timeout::Now } else { Timeout::No }) {
        Ok(value) => Ok(value != 0),
        Err(RuntimeError { kind: ErrorKind::NoSuchProcess, .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the value of `timeout` matters to an atom.
pub(crate) fn asks_for_timeout(atom: &Expr) -> bool {
    atom.any(&mut |part| matches!(part, Expr::Timeout))
}

/// Whether some process is at an accepting location.
pub(crate) fn is_accepting(machine: &Machine, state: &State) -> bool {
    state.pids().any(|pid| {
        let automaton = &machine.definition(state.definition(&machine.layout, pid)).automaton;
        automaton.location(state.location(&machine.layout, pid)).accept
    })
}
