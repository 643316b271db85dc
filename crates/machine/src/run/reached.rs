//! Which statements were tried, as SPIN counts: a statement is reached when some process comes to it, whether or not it can be
//! executed there.

use std::collections::HashSet;

use crate::action::ActionKind;
use crate::footprint::Footprint;
use crate::generate::Coverage;
use crate::id::{ActionId, DefinitionId, Location};
use crate::interpret::Step;
use crate::layout::Layout;
use crate::machine::Machine;
use crate::state::State;

/// Which locations some process came to, inside `atomic` sequences too.
#[derive(Clone, Debug)]
pub struct Reached {
    locations: Vec<Vec<bool>>,
}

impl Reached {
    /// Nothing was reached yet.
    #[must_use]
    pub fn new(machine: &Machine) -> Reached {
        let locations = machine.definitions.iter().map(|definition| vec![false; definition.automaton.locations.len()]);
        Reached { locations: locations.collect() }
    }

    /// Notes where the processes of a state are.
    pub fn note_state(&mut self, layout: &Layout, state: &State) {
        for pid in state.pids() {
            self.locations[state.definition(layout, pid).index()][state.location(layout, pid).index()] = true;
        }
    }

    /// Only processes that exist in `state`, and those that an `atomic` creates, take part in its transitions.
    pub fn note_steps(&mut self, steps: &[Step]) {
        for step in steps {
            let reached = &mut self.locations[step.definition.index()];
            reached[step.from.index()] = true;
            reached[step.to.index()] = true;
        }
    }

    /// What processes came to by executing some actions, given where they are in the initial state.
    #[must_use]
    pub fn by_executing(machine: &Machine, initial: &State, executed: &Coverage) -> Reached {
        let mut reached = Reached::new(machine);
        reached.note_state(&machine.layout, initial);
        for (number, definition) in machine.definitions.iter().enumerate() {
            for edge in definition.automaton.locations.iter().flat_map(|location| &location.edges) {
                if executed.contains(edge.action) {
                    reached.locations[number][edge.target.index()] = true;
                    for created in Footprint::of_action(machine, machine.action(edge.action)).created {
                        let start = machine.definition(created).automaton.start;
                        reached.locations[created.index()][start.index()] = true;
                    }
                }
            }
        }
        reached
    }

    /// The locations of statements that were never even tried, each reported once: at the selection or block that begins with it
    /// if there is one.
    #[must_use]
    pub fn missing(&self, machine: &Machine) -> Vec<(DefinitionId, Location)> {
        let mut missing = Vec::new();
        for (number, reached) in self.locations.iter().enumerate() {
            let definition = DefinitionId(number as u32);
            let locations = &machine.definition(definition).automaton.locations;
            let tried = locations.iter().zip(reached).filter(|(_, reached)| **reached);
            let tried: HashSet<ActionId> =
                tried.flat_map(|(info, _)| info.edges.iter().map(|edge| edge.action)).collect();
            let mut listed: HashSet<ActionId> = HashSet::new();
            for (location, info) in locations.iter().enumerate().rev() {
                // Joints, jumps and the like are no statements that anybody misses.
                let mut own = info.edges.iter().filter(|edge| edge.escape.is_none()).map(|edge| edge.action).peekable();
                let Some(&first) = own.peek() else { continue };
                if matches!(machine.action(first).kind, ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else) {
                    continue;
                }
                if !reached[location] && own.all(|action| !tried.contains(&action) && listed.insert(action)) {
                    missing.push((definition, Location(location as u32)));
                }
            }
        }
        missing.sort();
        missing
    }
}
