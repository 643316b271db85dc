//! The number of every statement: the `(state n)` that SPIN's listings show.
//!
//! A step out of a selection or block starts at the selection's location but executes a statement inside it, which has a
//! location of its own. Listings, traces and SPIN's trails name the statement.

use crate::automaton::Automaton;
use crate::id::{ActionId, Location};
use crate::machine::Machine;

/// The number of each action's statement.
#[derive(Clone, Debug)]
pub struct Statements {
    numbers: Vec<Location>,
}

impl Statements {
    /// The statements of a machine.
    #[must_use]
    pub fn new(machine: &Machine) -> Statements {
        let mut numbers = vec![Location(0); machine.actions.len()];
        let definitions = machine.definitions.iter().map(|definition| &definition.automaton);
        let trace = machine.trace.iter().map(|trace| &trace.automaton);
        for automaton in definitions.chain(&machine.claims).chain(trace) {
            number(automaton, &mut numbers);
        }
        Statements { numbers }
    }

    /// The number of an action's statement in its automaton; 0 for a statement inside a `d_step` that is a mere jump.
    #[must_use]
    pub fn number(&self, action: ActionId) -> Location {
        self.numbers[action.index()]
    }
}

/// Only a location at which a statement stands has a text; selections and blocks repeat the ways out of others.
fn number(automaton: &Automaton, numbers: &mut [Location]) {
    for (index, location) in automaton.locations.iter().enumerate().filter(|(_, location)| !location.text.is_empty()) {
        for edge in location.edges.iter().filter(|edge| edge.escape.is_none()) {
            numbers[edge.action.index()] = Location(index as u32);
        }
    }
}
