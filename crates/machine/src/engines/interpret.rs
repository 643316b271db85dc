//! The reference interpreter: the meaning of every statement, written for clarity.
//!
//! Other engines are compared with this one, and this one with SPIN. It has three layers:
//! `execution` evaluates expressions and executes one action of one process; `moves` tells which processes can move in a
//! state, rendezvous, escapes, `else` and `timeout` included; `successors` runs `atomic` sequences to their ends, which gives
//! the transitions that SPIN counts.

mod attempt;
mod embedded;
pub mod error;
mod events;
mod execution;
mod expressions;
mod messages;
mod moves;
mod observe;
mod processes;
mod successors;

pub(crate) use self::attempt::{Attempted, Circumstances};
pub(crate) use self::execution::D_STEP_LIMIT;
pub use self::expressions::arithmetic;
pub use self::moves::{Move, Moves, Outcome, Step, Timeout};
pub use self::observe::{Communication, CommunicationKind, Observation};
pub use self::successors::{Failure, Successors, Transition};

use crate::machine::Machine;

/// Executes a machine.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'m> {
    machine: &'m Machine,
}

impl<'m> Interpreter<'m> {
    /// An interpreter for a machine.
    #[must_use]
    pub fn new(machine: &'m Machine) -> Interpreter<'m> {
        Interpreter { machine }
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &'m Machine {
        self.machine
    }
}
