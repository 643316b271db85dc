//! A lower bound of the number of transitions to any violation: with it, A* finds a shortest path.
//!
//! A step goes wrong only where something can go wrong, so some process must come to such a location: the least of their distances is a lower
//! bound. In a deadlock every process is where it may have to wait. A transition moves one process at a time, so that their distances add up;
//! where it may be a rendezvous, two, so that half of the sum is left; where that may happen inside of an `atomic` sequence any number
//! may move, and the greatest distance is left.

use std::sync::Arc;

use super::failure::{can_fail, can_wait};
use super::flow::{Distances, Flow, all_edges, may_be_rendezvous_send};
use super::{Estimate, FAR, plus};
use crate::machine::Machine;
use crate::state::View;

/// Whether deadlocks are violations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndStates {
    /// They are.
    Valid,
    /// They are not: runs may end anywhere.
    Any,
}

/// A lower bound of the number of transitions to a violation.
#[derive(Clone, Debug)]
pub struct Bound {
    machine: Arc<Machine>,
    /// How far each location is from one where something can go wrong.
    errors: Distances,
    /// How far each location is from one where its process may have to wait, if deadlocks are violations.
    rest: Option<Distances>,
    moves: Moves,
}

/// How many processes a transition moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moves {
    One,
    Two,
    Any,
}

impl Bound {
    /// The bound for a machine.
    #[must_use]
    pub fn of(machine: &Arc<Machine>, end_states: EndStates) -> Bound {
        let flow = Flow::bounding(machine);
        let errors = flow.nearest(|definition, location| can_fail(machine, definition, location).then_some(0));
        let definitions = (0..machine.definitions.len() as u32).map(crate::id::DefinitionId);
        let rest = || definitions.map(|each| flow.to(each, |location| can_wait(machine, each, location))).collect();
        let rest = (end_states == EndStates::Valid).then(rest);
        Bound { machine: machine.clone(), errors, rest, moves: moves(machine) }
    }
}

fn moves(machine: &Machine) -> Moves {
    let sends = all_edges(machine).filter(|(.., edge)| may_be_rendezvous_send(machine, edge.action));
    sends.fold(Moves::One, |moves, (.., edge)| match (moves, edge.atomic) {
        (Moves::Any, _) | (_, true) => Moves::Any,
        _ => Moves::Two,
    })
}

impl Estimate for Bound {
    fn estimate(&mut self, bytes: &[u8]) -> u32 {
        let view = View::new(&self.machine.layout, bytes);
        let (mut error, mut sum, mut most) = (FAR, 0, 0);
        for frame in view.frames() {
            let (definition, location) = (frame.definition.index(), view.location(frame).index());
            error = error.min(self.errors[definition][location]);
            if let Some(rest) = &self.rest {
                let distance = rest[definition][location];
                (sum, most) = (plus(sum, distance), most.max(distance));
            }
        }
        let deadlock = match (&self.rest, self.moves) {
            (None, _) => FAR,
            (Some(_), Moves::One) => sum,
            (Some(_), Moves::Two) if sum == FAR => FAR,
            (Some(_), Moves::Two) => sum.div_ceil(2),
            (Some(_), Moves::Any) => most,
        };
        error.min(deadlock)
    }
}
