//! Which atoms of a claim hold in a state: a word of bits.

use std::sync::Arc;

use super::{Claim, Question};
use crate::interpret::Interpreter;
use crate::machine::Machine;
use crate::state::State;

/// Evaluates the atoms of one claim.
pub trait Valuation: Send {
    /// The atoms that hold in a state: bit `i` for the `i`-th. One that cannot be evaluated, because a process it asks about
    /// does not exist or an index is out of bounds, does not hold.
    fn valuation(&mut self, state: &[u8]) -> u64;
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
    fn valuation(&mut self, state: &[u8]) -> u64 {
        let state = State::from_bytes(state);
        let interpreter = Interpreter::new(&self.machine);
        let holds = |question: &Question| match question {
            Question::Expression(atom) => interpreter.global_value(&state, &atom.expression).unwrap_or(0) != 0,
            Question::Accepting => is_accepting(&self.machine, &state),
        };
        let values = self.claim.atoms.iter().map(holds);
        values.enumerate().fold(0, |word, (atom, holds)| word | u64::from(holds) << atom)
    }
}

/// Whether some process is at an accepting location.
pub(crate) fn is_accepting(machine: &Machine, state: &State) -> bool {
    state.pids().any(|pid| {
        let automaton = &machine.definition(state.definition(&machine.layout, pid)).automaton;
        automaton.location(state.location(&machine.layout, pid)).accept
    })
}
