//! The choice of what executes a model.

use std::fmt;
use std::sync::Arc;

use machine::Machine;
use machine::generate::InterpretedGenerator;
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};

use super::options::Engine;

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

/// A machine with what executes it.
pub(super) enum Executable {
    Compiled(Arc<CompiledMachine>),
    Interpreted(InterpretedGenerator),
}

impl Executable {
    pub fn new(machine: &Arc<Machine>, engine: Engine) -> Result<Executable, Refusal> {
        Ok(match engine {
            Engine::Compiled => Executable::Compiled(CompiledMachine::new(machine.clone(), EmbeddedCode::none())?),
            Engine::Interpreter => Executable::Interpreted(InterpretedGenerator::new(machine.clone())?),
        })
    }
}

/// What executes a model for one worker.
pub(super) fn compiled(machine: &Arc<CompiledMachine>) -> CompiledGenerator {
    CompiledGenerator::new(machine.clone())
}
