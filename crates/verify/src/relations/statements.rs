//! A model in which every statement is visible: a transition is called by the processes that move in it and what they execute.

use std::sync::Arc;

use machine::Machine;
use machine::interpret::{Interpreter, Step};
use machine::state::State;
use relate::{Alphabet, Observed, Steps};

/// The system of a model whose labels are statements.
pub struct Statements {
    machine: Arc<Machine>,
    alphabet: Alphabet,
}

/// The state after an error or a valid end: no vector has one byte.
const STOPPED: &[u8] = &[0];

impl Statements {
    /// The system of a machine. Its initial state was computed before.
    #[must_use]
    pub fn new(machine: Arc<Machine>, alphabet: &Alphabet) -> Statements {
        Statements { machine, alphabet: alphabet.clone() }
    }

    fn label(&self, steps: &[Step]) -> String {
        let text = |step: &Step| {
            let name = &self.machine.definition(step.definition).automaton.name;
            format!("{name}({}) {}", step.pid.0, self.machine.action(step.action).text)
        };
        steps.iter().map(text).collect::<Vec<_>>().join("; ")
    }
}

impl Observed for Statements {
    /// # Panics
    /// When an initial value cannot be computed: who asks has made sure.
    fn initial(&mut self, into: &mut Vec<u8>) {
        let state = Interpreter::new(&self.machine).initial().expect("the initial state was computed before");
        into.clear();
        into.extend_from_slice(state.bytes());
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        into.clear();
        if state == STOPPED {
            return;
        }
        let interpreter = Interpreter::new(&self.machine);
        let state = State::from_bytes(state);
        let found = interpreter.successors(&state);
        if found.is_final && interpreter.is_valid_end(&state) {
            into.push(self.alphabet.event("√"), STOPPED);
        }
        for transition in &found.transitions {
            into.push(self.alphabet.event(&self.label(&transition.steps)), transition.target.bytes());
        }
        for failure in &found.errors {
            into.push(self.alphabet.event(&format!("error: {}", self.label(&failure.steps))), STOPPED);
        }
    }
}
