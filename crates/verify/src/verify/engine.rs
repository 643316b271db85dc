//! The choice of what executes a model.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use machine::Machine;
use machine::claim::{Claim, InterpretedValuation, Valuation};
use machine::generate::InterpretedGenerator;
use machine::jit::{CompiledClaim, CompiledGenerator, CompiledMachine, CompiledValuation, EmbeddedCode};
use system::Grouped;

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

/// What executes a machine, and answers a claim's questions, for any number of workers.
#[derive(Clone)]
pub(super) enum Executable {
    /// Native code made for the model.
    Compiled(Arc<CompiledMachine>),
    /// The reference interpreter.
    Interpreted(InterpretedGenerator),
}

/// What answers a claim's questions.
#[derive(Clone)]
pub(super) enum Answers {
    Compiled(Arc<CompiledClaim>),
    Interpreted(Arc<Machine>, Arc<Claim>),
}

impl Executable {
    /// Prepares a machine.
    pub fn new(machine: &Arc<Machine>, engine: Engine) -> Result<Executable, Refusal> {
        Ok(match engine {
            Engine::Compiled => Executable::Compiled(CompiledMachine::new(machine.clone(), EmbeddedCode::none())?),
            Engine::Interpreter => Executable::Interpreted(InterpretedGenerator::new(machine.clone())?),
        })
    }

    /// An engine for one worker.
    pub fn engine(&self) -> Box<dyn Grouped> {
        match self {
            Executable::Compiled(compiled) => Box::new(CompiledGenerator::new(compiled.clone())),
            Executable::Interpreted(engine) => Box::new(engine.clone()),
        }
    }

    /// How long it took so far to make code, which is made where a search first needs it.
    pub fn code_time(&self) -> Duration {
        match self {
            Executable::Compiled(compiled) => compiled.statistics().time,
            Executable::Interpreted(_) => Duration::ZERO,
        }
    }

    /// Prepares a claim about the machine.
    pub fn answers(&self, machine: &Arc<Machine>, claim: &Arc<Claim>) -> Result<Answers, Refusal> {
        Ok(match self {
            Executable::Compiled(compiled) => Answers::Compiled(CompiledClaim::new(compiled.clone(), claim.clone())?),
            Executable::Interpreted(_) => Answers::Interpreted(machine.clone(), claim.clone()),
        })
    }
}

impl Answers {
    /// For one worker.
    pub fn valuation(&self) -> Box<dyn Valuation> {
        match self {
            Answers::Compiled(code) => Box::new(CompiledValuation::new(code.clone())),
            Answers::Interpreted(machine, claim) => Box::new(InterpretedValuation::new(machine.clone(), claim.clone())),
        }
    }
}
