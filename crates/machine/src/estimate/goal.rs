//! How far a condition about the whole state is from being true.

use std::sync::Arc;

use super::Estimate;
use super::condition::{Asked, Conditions, Distance};
use super::flow::Flow;
use super::steppers::Steppers;
use crate::expression::Expr;
use crate::id::Pid;
use crate::interpret::Interpreter;
use crate::machine::Machine;
use crate::state::State;

/// What kind of an estimate is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One that goes straight there: distances are added up.
    Sum,
    /// A lower bound of the number of transitions.
    Bound,
}

/// The distance from a condition that nobody in particular asks about.
#[derive(Clone, Debug)]
pub struct Goal {
    machine: Arc<Machine>,
    distance: Distance,
}

/// Nobody has this number.
pub(super) const NOBODY: Pid = Pid(u8::MAX);

impl Goal {
    /// The distance from states where the expression is true.
    #[must_use]
    pub fn new(machine: &Arc<Machine>, expression: &Expr, kind: Kind) -> Goal {
        let bounds = kind == Kind::Bound;
        let flow = if bounds { Flow::bounding(machine) } else { Flow::of(machine) };
        let steppers = Steppers::of(machine);
        let conditions = Conditions { machine, flow: &flow, steppers: &steppers, asker: None, bounds };
        let distance = conditions.towards(expression, true);
        Goal { machine: machine.clone(), distance }
    }
}

impl Estimate for Goal {
    fn estimate(&mut self, bytes: &[u8]) -> u32 {
        let state = State::from_bytes(bytes);
        self.distance.of(&Asked { interpreter: Interpreter::new(&self.machine), state: &state, pid: NOBODY })
    }
}
