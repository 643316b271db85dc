//! How far the nearest assertion is from failing.

use std::sync::Arc;

use super::condition::{Asked, Conditions, Distance};
use super::failure::asserts;
use super::flow::{Distances, Flow, all_edges};
use super::steppers::Steppers;
use super::{Estimate, FAR, plus};
use crate::action::ActionKind;
use crate::id::DefinitionId;
use crate::interpret::Interpreter;
use crate::machine::Machine;
use crate::state::{State, View};

/// The sum of the distance in control flow and that of the condition, for the nearest assertion of all processes.
#[derive(Clone, Debug)]
pub struct Assertions {
    machine: Arc<Machine>,
    /// The assertions of each definition.
    targets: Vec<Vec<Target>>,
    /// How far a process is from creating one that comes to an assertion.
    elsewhere: Distances,
}

/// An assertion.
#[derive(Clone, Debug)]
struct Target {
    distances: Vec<u32>,
    /// How far it is from failing, if that can be told.
    condition: Option<Distance>,
}

impl Assertions {
    /// The assertions of a machine; `None` if there is none that can fail.
    #[must_use]
    pub fn of(machine: &Arc<Machine>) -> Option<Assertions> {
        let (flow, steppers) = (Flow::of(machine), Steppers::of(machine));
        let mut targets = vec![Vec::new(); machine.definitions.len()];
        for (definition, location, edge) in all_edges(machine).filter(|(.., edge)| asserts(machine, edge.action)) {
            let conditions =
                Conditions { machine, flow: &flow, steppers: &steppers, asker: Some(definition), bounds: false };
            let condition = match &machine.action(edge.action).kind {
                ActionKind::Assert(condition) => Some(conditions.towards(condition, false)),
                _ => None,
            };
            let distances = flow.to(definition, |each| each == location);
            targets[definition.index()].push(Target { distances, condition });
        }
        if targets.iter().all(Vec::is_empty) {
            return None;
        }
        let at = |definition: DefinitionId, location: crate::id::Location| {
            let own = targets[definition.index()].iter().any(|target| target.distances[location.index()] == 0);
            own.then_some(0)
        };
        let elsewhere = flow.nearest(at);
        Some(Assertions { machine: machine.clone(), targets, elsewhere })
    }
}

impl Estimate for Assertions {
    fn estimate(&mut self, bytes: &[u8]) -> u32 {
        let view = View::new(&self.machine.layout, bytes);
        let mut state = None;
        let mut nearest = FAR;
        for frame in view.frames() {
            let (definition, location) = (frame.definition.index(), view.location(frame).index());
            if self.targets[definition].is_empty() {
                nearest = nearest.min(self.elsewhere[definition][location]);
            }
            for target in &self.targets[definition] {
                let distance = target.distances[location];
                if distance >= nearest {
                    continue;
                }
                let state = state.get_or_insert_with(|| State::from_bytes(bytes));
                let asked = Asked { interpreter: Interpreter::new(&self.machine), state, pid: frame.pid };
                let condition = target.condition.as_ref().map_or(0, |condition| condition.of(&asked));
                nearest = nearest.min(plus(distance, condition));
            }
        }
        nearest
    }
}
