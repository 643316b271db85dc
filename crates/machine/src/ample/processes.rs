//! What a process may touch at once and later, by its location.
//!
//! Footprints are symbolic; here they are resolved for a process whose pid and fixed values are known, so that
//! `flag[_pid]` is one slot and a channel parameter one channel. A process that does not exist yet is resolved without
//! that knowledge.

use promela::model::PortDirection;

use super::conflict::Touched;
use super::reach::Reach;
use super::slots::Slots;
use crate::action::ActionKind;
use crate::automaton::{Edge, LocationInfo};
use crate::expression::{ChannelRef, Index, Owner, Place};
use crate::footprint::{ChannelUse, Footprint};
use crate::ground::Scope;
use crate::id::{ActionId, DefinitionId, Location, Pid};
use crate::interpret::Interpreter;
use crate::machine::Machine;
use crate::state::{State, Storage};

/// What is done at one location of a definition.
#[derive(Clone, Debug, Default)]
pub(super) struct Station {
    /// Everything that may be tried there.
    pub footprint: Footprint,
    /// Where it leads, and whether the process then still is inside an `atomic`.
    pub targets: Vec<(Location, bool)>,
}

/// The process whose footprints are resolved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Who<'s> {
    /// It exists.
    Known(&'s State, Pid),
    /// It may be created some day.
    Anyone,
}

/// The stations of a definition, by location.
pub(super) fn stations(machine: &Machine, definition: DefinitionId) -> Vec<Station> {
    let automaton = &machine.definition(definition).automaton;
    let provided = automaton.provided.as_ref().map(|provided| Footprint::of_expr(machine, provided));
    let station = |location: &LocationInfo| {
        let mut station = Station::default();
        for edge in &location.edges {
            station.footprint.merge(&Footprint::of_action(machine, machine.action(edge.action)));
            station.targets.push((edge.target, edge.atomic));
        }
        // Where there is an `else`, an escape or a duty to be deterministic, it matters of each edge whether it is possible.
        let is_else =
            |edge: &Edge| matches!(machine.action(edge.action).kind, ActionKind::Else) || edge.escape.is_some();
        if automaton.deterministic || location.edges.iter().any(is_else) {
            station.footprint.watch_channels();
        }
        if !location.edges.is_empty() {
            provided.iter().for_each(|provided| station.footprint.merge(provided));
        }
        // Whoever tries a rendezvous port finds a partner by the partner's location.
        let targets = station.targets.iter().map(|&(target, _)| automaton.location(target));
        for place in targets.chain(std::iter::once(location).filter(|location| !location.edges.is_empty())) {
            for port in ports(machine, definition, place) {
                station.footprint.use_channel(port, ChannelUse::ARRIVE);
            }
        }
        station
    };
    automaton.locations.iter().map(station).collect()
}

/// The channels that may be rendezvous ports and at which a process waits for a partner at a location.
fn ports<'m>(
    machine: &'m Machine,
    definition: DefinitionId,
    location: &'m LocationInfo,
) -> impl Iterator<Item = &'m ChannelRef> {
    let channel_of = |action: ActionId| match &machine.action(action).kind {
        ActionKind::Send(send) => Some(&send.channel),
        ActionKind::Receive(receive) => Some(&receive.channel),
        _ => None,
    };
    let tried = location.edges.iter().flat_map(move |edge| {
        // Only the first statement of a `d_step` may wait.
        let inside = match &machine.action(edge.action).kind {
            ActionKind::Deterministic(body) => &body.nodes[0].edges[..],
            _ => &[],
        };
        channel_of(edge.action).into_iter().chain(inside.iter().filter_map(move |edge| channel_of(edge.action)))
    });
    let scope = Scope::new(machine, Some(definition));
    tried.filter(move |channel| scope.may_be_rendezvous(channel))
}

/// Resolves footprints.
#[derive(Clone, Copy)]
pub(super) struct Resolver<'a> {
    pub machine: &'a Machine,
    pub slots: &'a Slots,
}

impl Resolver<'_> {
    /// What processes of each definition may touch in their lives, if nothing is known of them. The processes that they create
    /// are included.
    pub fn whole_lives(&self, stations: &[Vec<Station>]) -> Vec<Touched> {
        let mut lives: Vec<Touched> = vec![Touched::default(); stations.len()];
        loop {
            let before = lives.clone();
            for (index, all) in stations.iter().enumerate() {
                let reach = self.reach(DefinitionId(index as u32), all, Who::Anyone, &before);
                reach.future.distinct().iter().for_each(|touched| lives[index].merge(touched));
            }
            if lives == before {
                return lives;
            }
        }
    }

    /// What a process touches, by location.
    pub fn reach(&self, definition: DefinitionId, stations: &[Station], who: Who<'_>, lives: &[Touched]) -> Reach {
        let here: Vec<Touched> = (0..stations.len())
            .map(|location| self.station(definition, Location(location as u32), &stations[location], who))
            .collect();
        Reach::new(stations, &here, lives)
    }

    fn station(&self, definition: DefinitionId, location: Location, station: &Station, who: Who<'_>) -> Touched {
        let mut touched = self.resolve(Some(definition), &station.footprint, who);
        // Leaving and entering a location changes the answer to a question about it.
        let moves = station.targets.iter().map(|&(target, _)| target);
        for end in moves.chain((!station.targets.is_empty()).then_some(location)) {
            self.slots.label(definition, end).into_iter().for_each(|slot| touched.writes.insert(slot));
        }
        touched
    }

    /// What a footprint touches when it is that of a process, or of an observer (`definition` is `None`).
    pub fn resolve(&self, definition: Option<DefinitionId>, footprint: &Footprint, who: Who<'_>) -> Touched {
        // A variable in `xr` or `xs` that is assigned moves the claim from one channel to another.
        let moves_ends = definition.is_some_and(|definition| self.may_move_ends(definition));
        let mut touched = Touched {
            processes: footprint.processes,
            everything: footprint.everything || moves_ends,
            ..Touched::default()
        };
        for place in &footprint.reads {
            self.slots_of(definition, place, who).for_each(|slot| touched.reads.insert(slot));
        }
        for place in &footprint.writes {
            self.slots_of(definition, place, who).for_each(|slot| touched.writes.insert(slot));
        }
        for &(other, label) in &footprint.locations {
            self.slots.label(other, label).into_iter().for_each(|slot| touched.reads.insert(slot));
        }
        for (channel, usage) in &footprint.channels {
            self.resolve_channel(definition, channel, *usage, who, &mut touched);
        }
        for &created in &footprint.created {
            self.resolve_ends(created, Who::Anyone, &mut touched);
            let automaton = &self.machine.definition(created).automaton;
            for port in ports(self.machine, created, automaton.location(automaton.start)) {
                self.resolve_channel(Some(created), port, ChannelUse::ARRIVE, Who::Anyone, &mut touched);
            }
        }
        if let (true, Some(definition)) = (footprint.processes.ends, definition) {
            self.resolve_ends(definition, who, &mut touched);
        }
        if let (true, Some(definition), Who::Known(state, pid)) = (footprint.processes.ends, definition, who) {
            // Nobody else can use a channel of this process unless its number gets about.
            let own = &self.machine.layout.frames[definition.index()].channels;
            for index in (0..own.len() as u32).filter(|_| self.slots.leaked_local) {
                let number = state.channel_number(&self.machine.layout, Storage::Process(pid), index);
                touched.use_channel(number.0, ChannelUse::DESTROY);
            }
        }
        touched
    }

    fn may_move_ends(&self, definition: DefinitionId) -> bool {
        self.machine.definition(definition).exclusive.iter().any(|end| match &end.channel {
            ChannelRef::Global(_) | ChannelRef::Own(_) => false,
            ChannelRef::Variable(place) => !self.slots.is_fixed_place(definition, place),
        })
    }

    /// The ends of channels that a process has to itself from its beginning to its end.
    fn resolve_ends(&self, definition: DefinitionId, who: Who<'_>, touched: &mut Touched) {
        for end in &self.machine.definition(definition).exclusive {
            let usage = match end.direction {
                PortDirection::Receive => ChannelUse::OWN_RECEIVES,
                PortDirection::Send => ChannelUse::OWN_SENDS,
            };
            self.resolve_channel(Some(definition), &end.channel, usage, who, touched);
        }
    }

    fn slots_of(
        &self,
        definition: Option<DefinitionId>,
        place: &Place,
        who: Who<'_>,
    ) -> impl Iterator<Item = usize> + use<> {
        match &place.owner {
            Owner::Global => self.slots.global(place.cells, self.element(definition, place, who)),
            Owner::Own => {
                let slot = definition.and_then(|definition| self.slots.local(definition, place.cells));
                slot.map_or(0..0, |slot| slot..slot + 1)
            }
            Owner::Remote(other, _) => {
                self.slots.local(*other, place.cells).map_or(0..self.slots.len(), |slot| slot..slot + 1)
            }
        }
    }

    fn element(&self, definition: Option<DefinitionId>, place: &Place, who: Who<'_>) -> Option<u32> {
        match (&place.index, who, definition) {
            (Index::Constant(element), ..) => Some(*element),
            (_, Who::Known(state, pid), Some(definition)) if self.slots.has_fixed_index(definition, place) => {
                Interpreter::new(self.machine).element(state, pid, place)
            }
            _ => None,
        }
    }

    fn resolve_channel(
        &self,
        definition: Option<DefinitionId>,
        channel: &ChannelRef,
        usage: ChannelUse,
        who: Who<'_>,
        touched: &mut Touched,
    ) {
        let layout = &self.machine.layout;
        let place = match (channel, who) {
            (ChannelRef::Global(index), _) => return touched.use_channel(*index as u8 + 1, usage),
            (ChannelRef::Own(index), Who::Known(state, pid)) => {
                let number = state.channel_number(layout, Storage::Process(pid), *index);
                return touched.use_channel(number.0, usage);
            }
            // Channels of a process that does not exist yet do not exist either.
            (ChannelRef::Own(_), Who::Anyone) => return,
            (ChannelRef::Variable(place), _) => place,
        };
        if let (Who::Known(state, pid), Some(definition)) = (who, definition)
            && self.slots.is_fixed_place(definition, place)
            && let Some(number) = Interpreter::new(self.machine).peek(state, pid, place)
            && let Ok(number @ 1..) = u8::try_from(number)
        {
            // If it is a channel of another process, that process destroys it at its end.
            return touched.use_channel(number, usage);
        }
        let declared = layout.globals.channels.iter().filter(|each| each.cells == place.cells).count() as u32;
        let all_declared = declared == layout.globals.cells.get(place.cells.index()).map_or(0, |cells| cells.count);
        if place.owner == Owner::Global && self.slots.is_fixed_global(place.cells) && all_declared {
            for (number, each) in (1..).zip(&layout.globals.channels) {
                if each.cells == place.cells {
                    touched.use_channel(number, usage);
                }
            }
            return;
        }
        touched.unknown_channels = touched.unknown_channels.and(usage);
        touched.processes.counts |= self.slots.leaked_local;
    }
}
