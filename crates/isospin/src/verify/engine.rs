//! The choice of what executes a model.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use machine::Machine;
use machine::generate::{Generator, InterpretedGenerator};
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};

/// Why a model cannot be verified in the way that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The reason, in words.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Refusal {}

impl From<machine::generate::Refusal> for Refusal {
    fn from(refusal: machine::generate::Refusal) -> Refusal {
        Refusal { reason: refusal.reason }
    }
}

/// What executes a machine for any number of workers.
pub(super) trait Executable: Sized {
    /// What executes it for one worker.
    type Generator: Generator;

    /// Prepares a machine.
    fn new(machine: &Arc<Machine>) -> Result<Self, Refusal>;

    /// One more.
    fn generator(&self) -> Self::Generator;

    /// How long it took so far to make code, which is made where a search first needs it.
    fn code_time(&self) -> Duration;
}

/// Native code made for the model.
pub(super) struct Compiled(Arc<CompiledMachine>);

impl Executable for Compiled {
    type Generator = CompiledGenerator;

    fn new(machine: &Arc<Machine>) -> Result<Compiled, Refusal> {
        Ok(Compiled(CompiledMachine::new(machine.clone(), EmbeddedCode::none())?))
    }

    fn generator(&self) -> CompiledGenerator {
        CompiledGenerator::new(self.0.clone())
    }

    fn code_time(&self) -> Duration {
        self.0.statistics().time
    }
}

/// The reference interpreter.
pub(super) struct Interpreted(InterpretedGenerator);

impl Executable for Interpreted {
    type Generator = InterpretedGenerator;

    fn new(machine: &Arc<Machine>) -> Result<Interpreted, Refusal> {
        Ok(Interpreted(InterpretedGenerator::new(machine.clone())?))
    }

    fn generator(&self) -> InterpretedGenerator {
        self.0.clone()
    }

    fn code_time(&self) -> Duration {
        Duration::ZERO
    }
}
