//! What a transition of an engine can show, told from its first action: nothing, at most what that action shows by itself, or more.
//!
//! An engine names the first action of a transition only. An `atomic` may go on with others, and a rendezvous may hand control to a process that does. What
//! cannot be told from the first action alone is left to the interpreter, which sees every step.

use promela::model::PortDirection;

use super::Observables;
use crate::action::{Action, ActionKind, Field, Receive};
use crate::automaton::{Automaton, Edge};
use crate::expression::{ChannelRef, Owner, Place};
use crate::id::{ActionId, Location};
use crate::machine::Machine;

/// What is seen of a transition that begins with some action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shows {
    /// Nothing.
    Nothing,
    /// What the action itself shows.
    Action,
    /// More than one action may show something.
    More,
}

/// For every action.
pub(super) fn shows(machine: &Machine, observables: &Observables) -> Vec<Shows> {
    let judge = Judge { machine, observables, handed: Handed::Nothing };
    let handed = judge.handed_on();
    let judge = Judge { handed, ..judge };
    let mut all = vec![Shows::Nothing; machine.actions.len()];
    for definition in &machine.definitions {
        for edge in definition.automaton.locations.iter().flat_map(|location| &location.edges) {
            let shows = judge.edge(&definition.automaton, edge);
            let known = &mut all[edge.action.index()];
            // One action on several edges, which go on in different ways.
            *known = if *known == Shows::Nothing || *known == shows { shows } else { Shows::More };
        }
    }
    all
}

struct Judge<'a> {
    machine: &'a Machine,
    observables: &'a Observables,
    handed: Handed,
}

/// What a rendezvous may hand on to its receiver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Handed {
    /// A message.
    Nothing,
    /// Control, inside of an `atomic` of which nothing is seen.
    Control,
    /// Something of which more than the message may be seen in the same transition.
    Events,
}

impl Judge<'_> {
    fn edge(&self, automaton: &Automaton, edge: &Edge) -> Shows {
        let action = self.machine.action(edge.action);
        let goes_on = edge.atomic && self.is_seen_behind(automaton, edge.target);
        let enough = if self.is_seen(action) { Handed::Control } else { Handed::Events };
        let meets = self.may_meet(action) && self.handed >= enough;
        match (self.is_seen(action), &action.kind) {
            _ if goes_on || meets => Shows::More,
            (false, _) => Shows::Nothing,
            (true, ActionKind::Deterministic(_)) => Shows::More,
            // What comes behind is not seen, but the states on the way are: the interpreter knows where they are.
            (true, _) if edge.atomic => Shows::More,
            (true, _) => Shows::Action,
        }
    }

    /// Whether something may be seen of an action by itself.
    fn is_seen(&self, action: &Action) -> bool {
        match &action.kind {
            ActionKind::Send(send) => self.may_be_observed(&send.channel, PortDirection::Send),
            ActionKind::Receive(receive) => {
                self.may_be_observed(&receive.channel, PortDirection::Receive) || self.binds(receive)
            }
            ActionKind::Assign(place, _) => self.is_watched(place),
            ActionKind::Code(_) => !self.observables.variables.is_empty(),
            ActionKind::Deterministic(body) => {
                let mut inside = body.nodes.iter().flat_map(|node| &node.edges);
                inside.any(|edge| self.is_seen(self.machine.action(edge.action)))
            }
            _ => false,
        }
    }

    fn binds(&self, receive: &Receive) -> bool {
        let mut fields = receive.fields.iter();
        fields.any(|field| matches!(field, Field::Bind(place) if self.is_watched(place)))
    }

    fn is_watched(&self, place: &Place) -> bool {
        place.owner == Owner::Global && self.observables.variables.iter().any(|variable| variable.cells == place.cells)
    }

    /// A rendezvous is observed at its sender, whichever end is meant.
    fn may_be_observed(&self, channel: &ChannelRef, direction: PortDirection) -> bool {
        let is_observed = |index: usize| {
            let rendezvous = self.is_rendezvous(index);
            self.observables.channels[index].as_ref().is_some_and(|observed| {
                observed.direction.is_none_or(|only| only == direction)
                    || (rendezvous && direction == PortDirection::Send)
            })
        };
        match channel {
            ChannelRef::Global(index) => is_observed(*index as usize),
            ChannelRef::Own(_) => false,
            ChannelRef::Variable(_) => (0..self.observables.channels.len()).any(is_observed),
        }
    }

    fn is_rendezvous(&self, index: usize) -> bool {
        let channel = &self.machine.layout.globals.channels[index];
        self.machine.layout.shape(channel.shape).is_rendezvous()
    }

    fn may_meet(&self, action: &Action) -> bool {
        match &action.kind {
            ActionKind::Send(send) => match &send.channel {
                ChannelRef::Global(index) => self.is_rendezvous(*index as usize),
                ChannelRef::Own(_) | ChannelRef::Variable(_) => {
                    self.machine.layout.shapes.iter().any(crate::layout::ChannelShape::is_rendezvous)
                }
            },
            _ => false,
        }
    }

    /// What a rendezvous may hand on. Who hands it on once more has a receiver that is looked at here, too.
    fn handed_on(&self) -> Handed {
        let mut handed = Handed::Nothing;
        for definition in &self.machine.definitions {
            let automaton = &definition.automaton;
            for edge in automaton.locations.iter().flat_map(|location| &location.edges) {
                let action = self.machine.action(edge.action);
                let is_seen = match &action.kind {
                    ActionKind::Receive(receive) => self.binds(receive),
                    ActionKind::Deterministic(_) => self.is_seen(action),
                    _ => continue,
                };
                let control = if edge.atomic { Handed::Control } else { Handed::Nothing };
                let goes_on = edge.atomic && self.is_seen_behind(automaton, edge.target);
                handed = handed.max(if is_seen || goes_on { Handed::Events } else { control });
            }
        }
        handed
    }

    /// Whether something may be seen before an `atomic` is left, from one of its locations on.
    fn is_seen_behind(&self, automaton: &Automaton, location: Location) -> bool {
        let mut seen = vec![false; automaton.locations.len()];
        let mut waiting = vec![location];
        while let Some(location) = waiting.pop() {
            if location.index() >= seen.len() || std::mem::replace(&mut seen[location.index()], true) {
                continue;
            }
            for Edge { action, target, atomic, .. } in &automaton.location(location).edges {
                if self.matters(*action) {
                    return true;
                }
                if *atomic {
                    waiting.push(*target);
                }
            }
        }
        false
    }

    /// Whether an action inside of an `atomic` shows something, or may hand control to a process that does.
    fn matters(&self, action: ActionId) -> bool {
        let action = self.machine.action(action);
        self.is_seen(action) || (self.may_meet(action) && self.handed == Handed::Events)
    }
}
