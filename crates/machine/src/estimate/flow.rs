//! Distances in control flow, counted in transitions.
//!
//! A step behind which a process keeps control costs nothing: the whole `atomic` sequence is one transition. Where distances are to be lower
//! bounds, a receive costs nothing either if a rendezvous can happen inside of an `atomic` sequence: then one transition takes the
//! receiver along, perhaps more than once.

use super::{FAR, plus};
use crate::action::ActionKind;
use crate::automaton::Edge;
use crate::expression::{ChannelRef, Expr};
use crate::id::{ActionId, DefinitionId, Location};
use crate::machine::Machine;

/// Distances by definition and location.
pub(super) type Distances = Vec<Vec<u32>>;

/// The control flow of a machine.
pub(super) struct Flow<'m> {
    machine: &'m Machine,
    /// Whether receives cost nothing.
    receives_are_free: bool,
}

impl<'m> Flow<'m> {
    /// Every transition counts.
    pub fn of(machine: &'m Machine) -> Flow<'m> {
        Flow { machine, receives_are_free: false }
    }

    /// No distance is greater than the number of transitions it takes.
    pub fn bounding(machine: &'m Machine) -> Flow<'m> {
        let edges = all_edges(machine);
        let offers_inside =
            edges.into_iter().any(|(_, _, edge)| edge.atomic && may_be_rendezvous_send(machine, edge.action));
        Flow { machine, receives_are_free: offers_inside }
    }

    /// How far each location of a definition is from those that are wanted.
    pub fn to(&self, definition: DefinitionId, is_wanted: impl Fn(Location) -> bool) -> Vec<u32> {
        let value = |of, location| (of == definition && is_wanted(location)).then_some(0);
        let mut distances = self.relax(value, &|_| Vec::new());
        distances.swap_remove(definition.index())
    }

    /// How far each location is from those that are wanted, in its own process or one that it creates; `value` is what is left at one of these.
    pub fn nearest(&self, value: impl Fn(DefinitionId, Location) -> Option<u32>) -> Distances {
        self.relax(value, &|action| created(self.machine, action))
    }

    fn relax(
        &self,
        value: impl Fn(DefinitionId, Location) -> Option<u32>,
        creates: &dyn Fn(ActionId) -> Vec<DefinitionId>,
    ) -> Distances {
        let definitions = (0..self.machine.definitions.len() as u32).map(DefinitionId);
        let locations = |definition: DefinitionId| {
            let count = self.machine.definition(definition).automaton.locations.len() as u32;
            (0..count).map(|location| value(definition, Location(location)).unwrap_or(FAR)).collect()
        };
        let mut distances: Distances = definitions.map(locations).collect();
        loop {
            let mut changed = false;
            for (definition, location, edge) in all_edges(self.machine) {
                let weight = self.weight(edge);
                let starts = creates(edge.action).into_iter();
                let starts = starts.map(|each| (each, self.machine.definition(each).automaton.start));
                let ends = starts.chain([(definition, edge.target)]);
                let through = ends.map(|(of, at)| plus(distances[of.index()][at.index()], weight)).min().unwrap_or(FAR);
                let here = &mut distances[definition.index()][location.index()];
                changed |= through < *here;
                *here = through.min(*here);
            }
            if !changed {
                return distances;
            }
        }
    }

    fn weight(&self, edge: &Edge) -> u32 {
        let is_receive = matches!(self.machine.action(edge.action).kind, ActionKind::Receive(_));
        u32::from(!(edge.atomic || is_receive && self.receives_are_free))
    }
}

/// All edges of all definitions, with where they begin.
pub(super) fn all_edges(machine: &Machine) -> impl Iterator<Item = (DefinitionId, Location, &Edge)> {
    (0..).map(DefinitionId).zip(&machine.definitions).flat_map(|(id, definition)| {
        let locations = (0..).map(Location).zip(&definition.automaton.locations);
        locations.flat_map(move |(location, info)| info.edges.iter().map(move |edge| (id, location, edge)))
    })
}

/// Every action of an edge: its own, and those inside of a `d_step`.
pub(super) fn parts(machine: &Machine, action: ActionId) -> Vec<ActionId> {
    match &machine.action(action).kind {
        ActionKind::Deterministic(body) => {
            body.nodes.iter().flat_map(|node| &node.edges).map(|edge| edge.action).collect()
        }
        _ => vec![action],
    }
}

/// Whether a send may hand its message over at once.
pub(super) fn may_be_rendezvous_send(machine: &Machine, action: ActionId) -> bool {
    let ActionKind::Send(send) = &machine.action(action).kind else { return false };
    match &send.channel {
        ChannelRef::Global(index) => {
            let shape = machine.layout.globals.channels[*index as usize].shape;
            machine.layout.shape(shape).is_rendezvous()
        }
        // Which channel it is is not known before the run.
        ChannelRef::Own(_) | ChannelRef::Variable(_) => machine.layout.shapes.iter().any(|shape| shape.is_rendezvous()),
    }
}

/// The definitions of which an action may create a process.
fn created(machine: &Machine, action: ActionId) -> Vec<DefinitionId> {
    let mut created = Vec::new();
    for part in parts(machine, action) {
        machine.action(part).any(&mut |expr| {
            if let Expr::Run(run) = expr {
                created.push(run.definition);
            }
            false
        });
    }
    created
}

/// Whether processes of a definition are created in a run.
pub(super) fn is_created(machine: &Machine, definition: DefinitionId) -> bool {
    all_edges(machine).any(|(.., edge)| created(machine, edge.action).contains(&definition))
}
