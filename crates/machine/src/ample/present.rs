//! The processes of the state that was asked about last, with what is known of each.
//!
//! From one question to the next mostly one process or two have moved, and only what changed of these is written down. A process that is
//! met for the first time, by its number and its fixed values, is analysed once, for all workers.

use std::sync::{Arc, PoisonError};

use super::conflict::{Conflict, Touched, conflict};
use super::processes::{Resolver, Who};
use super::reach::Reach;
use super::{AmpleSets, Shared};
use crate::action::ActionKind;
use crate::expression::Expr;
use crate::id::{DefinitionId, Pid};
use crate::machine::Machine;
use crate::state::{self, State};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct InstanceId(pub u32);

/// A process with its fixed values.
#[derive(Debug)]
pub(super) struct Instance {
    pub reach: Reach,
    /// At which locations the next transition is visible to the property.
    pub visible: Vec<bool>,
    /// At which locations there is no next transition, ever.
    pub stuck: Vec<bool>,
    pub definition: DefinitionId,
    /// The highest number of a channel that is used here.
    highest_channel: u8,
    frame_size: usize,
    /// How many channels it has itself.
    channels: usize,
    /// Its fixed values, its definition first.
    fixed: Vec<Fixed>,
}

/// A value of one, two, four or eight bytes that a process has for its whole life, and where it lies in its frame.
#[derive(Clone, Copy, Debug)]
struct Fixed {
    offset: u32,
    width: u32,
    value: u64,
}

impl Fixed {
    /// A value that may have more bytes.
    fn pieces(offset: usize, mut bytes: &[u8]) -> Vec<Fixed> {
        let mut pieces = Vec::new();
        let mut offset = offset as u32;
        while !bytes.is_empty() {
            let width = [8, 4, 2, 1].into_iter().find(|&width| width <= bytes.len()).unwrap_or(1);
            let (piece, rest) = bytes.split_at(width);
            let mut value = [0; 8];
            value[..width].copy_from_slice(piece);
            pieces.push(Fixed { offset, width: width as u32, value: u64::from_le_bytes(value) });
            (bytes, offset) = (rest, offset + width as u32);
        }
        pieces
    }

    #[inline]
    fn is_at(self, state: &[u8], frame: usize) -> bool {
        let start = frame + self.offset as usize;
        let value = self.value.to_le_bytes();
        match self.width {
            1 => state[start] == value[0],
            2 => state[start..start + 2] == value[..2],
            4 => state[start..start + 4] == value[..4],
            _ => state[start..start + 8] == value,
        }
    }
}

/// A process of the current state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Presence {
    pub instance: InstanceId,
    pub location: u32,
    /// The class of what it may do from there on.
    pub future: u32,
    pub frame: u32,
}

/// What differs from the state before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Changes {
    /// The processes with another location.
    pub next: u128,
    /// Those with another future.
    pub future: u128,
    /// Whether there are other processes.
    pub anew: bool,
}

/// What must be known of the layout to find processes and their locations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    frames: state::Header,
    /// How many global channels there are.
    channels: usize,
}

impl Header {
    pub fn of(machine: &Machine) -> Header {
        let layout = &machine.layout;
        Header { frames: state::Header::of(layout), channels: layout.globals.channels.len() }
    }
}

impl Instance {
    /// Whether this is the process whose frame begins there.
    #[inline]
    fn is_at(&self, state: &[u8], frame: usize) -> bool {
        self.fixed.iter().all(|fixed| fixed.is_at(state, frame))
    }
}

impl AmpleSets {
    /// Finds out which processes there are, and where.
    pub(super) fn describe(&mut self, state: &[u8]) -> Changes {
        let header = self.header;
        let count = usize::from(state[0]);
        let mut changes = Changes { anew: count != self.present.len(), ..Changes::default() };
        let (mut frame, mut same) = (header.frames.first, 0);
        for presence in self.present.iter_mut().take(count) {
            let instance = &self.instances[presence.instance.0 as usize];
            if !instance.is_at(state, frame) {
                break;
            }
            let location = header.frames.location(state, frame).0;
            if location != presence.location {
                let (bit, future) = (1_u128 << (same & 127), instance.reach.future.class(location));
                changes.next |= bit;
                changes.future |= if future == presence.future { 0 } else { bit };
                (presence.location, presence.future) = (location, future);
            }
            frame += instance.frame_size;
            same += 1;
        }
        if same < count || changes.anew {
            self.describe_from(state, same, frame);
            changes.anew = true;
        }
        changes
    }

    /// Finds out which processes there are from one on, whose frame is given.
    #[cold]
    fn describe_from(&mut self, state: &[u8], first: usize, mut frame: usize) {
        self.present.truncate(first);
        let instance_of = |presence: &Presence| presence.instance.0 as usize;
        let before = self.present.iter().map(|presence| self.instances[instance_of(presence)].channels);
        let mut channels = self.header.channels + before.sum::<usize>();
        for pid in first..usize::from(state[0]) {
            let definition = self.header.frames.definition(state, frame);
            let instance = self.instance(state, Pid(pid as u8), definition, frame, channels);
            let location = self.header.frames.location(state, frame).0;
            let known = &self.instances[instance.0 as usize];
            let future = known.reach.future.class(location);
            self.present.push(Presence { instance, location, future, frame: frame as u32 });
            frame += known.frame_size;
            channels += known.channels;
        }
        let mut present = self.present.iter().map(|presence| &self.instances[instance_of(presence)]);
        self.channels_exist = present.all(|instance| usize::from(instance.highest_channel) <= channels);
    }

    fn instance(
        &mut self,
        state: &[u8],
        pid: Pid,
        definition: DefinitionId,
        frame: usize,
        channels: usize,
    ) -> InstanceId {
        let fixed = self.fixed_values(state, definition, frame);
        self.key.clear();
        self.key.extend_from_slice(&[pid.0, channels as u8]);
        fixed.iter().for_each(|(_, values)| self.key.extend_from_slice(values));
        if let Some(&id) = self.known.get(&self.key) {
            return id;
        }
        let met = |shared: &Shared| shared.met.lock().unwrap_or_else(PoisonError::into_inner).get(&self.key).cloned();
        let instance = met(&self.shared).unwrap_or_else(|| {
            let instance = Arc::new(self.meet(state, pid, definition, fixed));
            let mut all = self.shared.met.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry(self.key.clone()).or_insert(instance).clone()
        });
        let id = InstanceId(self.instances.len() as u32);
        self.known.insert(self.key.clone(), id);
        self.instances.push(instance);
        id
    }

    /// Where the fixed values of a process lie in its frame, its definition first, and what they are.
    fn fixed_values(&self, state: &[u8], definition: DefinitionId, frame: usize) -> Vec<(usize, Box<[u8]>)> {
        let area = &self.machine.layout.frames[definition.index()];
        let cells = self.shared.slots.fixed_locals(definition).map(|cells| area.cells(cells));
        let cells = cells.map(|cells| (cells.offset as usize, (cells.count * cells.scalar.width()) as usize));
        let places = std::iter::once((0, self.machine.layout.definition_width as usize)).chain(cells);
        places.map(|(offset, size)| (offset, state[frame + offset..][..size].into())).collect()
    }

    /// What is known of a process that nobody has met before.
    fn meet(&self, state: &[u8], pid: Pid, definition: DefinitionId, fixed: Vec<(usize, Box<[u8]>)>) -> Instance {
        let shared = &*self.shared;
        let resolver = Resolver { machine: &self.machine, slots: &shared.slots };
        let state = State::from_bytes(state);
        let stations = &shared.stations[definition.index()];
        let reach = resolver.reach(definition, stations, Who::Known(&state, pid), &shared.lives);
        let guarded = shared.guarded.get(definition.index());
        let seen =
            |touched: &Touched| conflict(touched, &shared.observer, shared.creation, |_| true) != Conflict::Never;
        let seen: Vec<bool> = reach.next.distinct().iter().map(seen).collect();
        let visible = (0..reach.next.locations()).map(|location| {
            guarded.is_some_and(|guarded| guarded[location as usize]) || seen[reach.next.class(location) as usize]
        });
        let numbers = reach.future.distinct().iter().flat_map(|future| &future.channels).map(|&(number, _)| number);
        let highest_channel = numbers.max().unwrap_or(0);
        let frame = &self.machine.layout.frames[definition.index()];
        Instance {
            visible: visible.collect(),
            stuck: stuck(&self.machine, definition),
            definition,
            highest_channel,
            frame_size: frame.size as usize,
            channels: frame.channels.len(),
            fixed: fixed.iter().flat_map(|(offset, bytes)| Fixed::pieces(*offset, bytes)).collect(),
            reach,
        }
    }
}

/// By location: whether all that a process could do there is a condition that never holds.
fn stuck(machine: &Machine, definition: DefinitionId) -> Vec<bool> {
    let is_false = |kind: &ActionKind| matches!(kind, ActionKind::Condition(Expr::Constant(0)));
    let locations = &machine.definition(definition).automaton.locations;
    let stuck =
        locations.iter().map(|location| location.edges.iter().all(|edge| is_false(&machine.action(edge.action).kind)));
    stuck.collect()
}
