//! What the driver and the runtime helpers need of a machine on every state, in flat tables.

use promela::model::PortDirection;

use super::needs::reads_timeout;
use crate::exclusive::{ExclusiveEnd, element};
use crate::expression::{ChannelRef, Expr, Owner};
use crate::id::DefinitionId;
use crate::layout::Area;
use crate::machine::{InitialValues, Machine};
use crate::state::{State, Storage};

/// Flat tables of a machine.
#[derive(Debug)]
pub struct Tables {
    /// Bytes that name a frame's definition: 1 or 2.
    pub definition_width: u32,
    /// Bytes of a frame's location: 1, 2 or 4.
    pub location_width: u32,
    /// Offset of `_last`, when the model reads it.
    pub last_offset: Option<u32>,
    /// Offset of a frame's priority, when the model uses priorities.
    pub priority_offset: Option<u32>,
    /// How many channels are global.
    pub global_channels: u32,
    /// Whether some process owns channels, so that their numbers depend on the processes.
    pub owned_channels: bool,
    /// Whether `timeout` is read anywhere.
    pub reads_timeout: bool,
    /// How many locations the definitions before each have together.
    pub locations_before: Vec<u32>,
    /// How many locations all definitions have.
    pub locations: usize,
    /// Whether no process has to ask before it may move: there is no `provided` clause, and there are no priorities.
    pub free_turns: bool,
    /// For every definition.
    pub definitions: Vec<DefinitionTable>,
    /// Who has the sending ends of channels to itself.
    pub sends_alone: Owners,
    /// Who has the receiving ends of channels to itself.
    pub receives_alone: Owners,
    /// The most fields a message has.
    pub most_fields: usize,
}

/// Which definitions said that one kind of end of a channel is theirs.
#[derive(Debug, Default)]
pub struct Owners {
    /// For each global channel, the definitions as bits.
    channels: Vec<u64>,
    /// Not all is known beforehand: some name the channel by a variable, or there are too many.
    pub depends_on_state: bool,
}

impl Owners {
    fn new(definitions: &[DefinitionTable], ends: impl Fn(&DefinitionTable) -> &[EndChannel]) -> Owners {
        let mut owners = Owners::default();
        for (number, definition) in definitions.iter().enumerate() {
            for end in ends(definition) {
                match *end {
                    EndChannel::Global(channel) if number < u64::BITS as usize => {
                        owners.channels.resize(owners.channels.len().max(channel as usize + 1), 0);
                        owners.channels[channel as usize] |= 1 << number;
                    }
                    _ => owners.depends_on_state = true,
                }
            }
        }
        owners
    }

    /// The definitions that said so of a channel, as bits.
    #[inline]
    pub fn of(&self, channel: u32) -> u64 {
        self.channels.get(channel as usize).copied().unwrap_or(0)
    }
}

/// Flat tables of a process definition.
#[derive(Debug)]
pub struct DefinitionTable {
    /// A frame as it is before parameters and computed initial values are stored, and with no channel numbers.
    pub template: Vec<u8>,
    /// The channels it owns.
    pub channels: Vec<OwnChannel>,
    /// The channels to which it alone sends.
    pub sends_alone: Vec<EndChannel>,
    /// The channels from which it alone receives.
    pub receives_alone: Vec<EndChannel>,
}

/// Where the number of a channel is found.
#[derive(Clone, Copy, Debug)]
pub enum EndChannel {
    /// Here.
    Global(u32),
    /// It is the process' own channel with this index.
    Own(u32),
    /// In a global variable, so many bytes from the start.
    GlobalCell(u32),
    /// In a variable of the process, so many bytes from the start of its frame.
    Cell(u32),
}

/// A channel that a process owns.
#[derive(Clone, Copy, Debug)]
pub struct OwnChannel {
    /// Its shape.
    pub shape: u32,
    /// Byte offset from the start of the frame.
    pub offset: u32,
    /// Byte offset of the cell that holds its number.
    pub cell: u32,
}

impl Tables {
    /// The tables of a machine.
    pub fn new(machine: &Machine) -> Tables {
        let layout = &machine.layout;
        let definitions: Vec<DefinitionTable> =
            (0..machine.definitions.len() as u32).map(|id| DefinitionTable::new(machine, DefinitionId(id))).collect();
        Tables {
            sends_alone: Owners::new(&definitions, |definition| &definition.sends_alone),
            receives_alone: Owners::new(&definitions, |definition| &definition.receives_alone),
            definition_width: layout.definition_width,
            location_width: layout.location_width,
            last_offset: layout.last_offset,
            priority_offset: layout.priority_offset,
            global_channels: layout.globals.channels.len() as u32,
            owned_channels: layout.frames.iter().any(|frame| !frame.channels.is_empty()),
            reads_timeout: reads_timeout(machine),
            locations_before: machine
                .definitions
                .iter()
                .scan(0, |before, definition| {
                    Some(std::mem::replace(before, *before + definition.automaton.locations.len() as u32))
                })
                .collect(),
            locations: machine.definitions.iter().map(|definition| definition.automaton.locations.len()).sum(),
            free_turns: layout.priority_offset.is_none()
                && machine.definitions.iter().all(|definition| definition.automaton.provided.is_none()),
            definitions,
            most_fields: layout.shapes.iter().map(|shape| shape.fields.len()).max().unwrap_or(0),
        }
    }
}

impl DefinitionTable {
    fn new(machine: &Machine, definition: DefinitionId) -> DefinitionTable {
        let layout = &machine.layout;
        let details = machine.definition(definition);
        let area = &layout.frames[definition.index()];
        let mut state = State::empty(layout);
        let pid = state.push_process(layout, definition, details.automaton.start);
        let storage = Storage::Process(pid);
        for channel in &area.channels {
            state.write(layout, storage, channel.cells, channel.element, 0);
        }
        for initialiser in &details.initial[..constant_prefix(details.initial.iter().map(|each| &each.values))] {
            for element in 0..area.cells(initialiser.cells).count {
                if let Some(value) = constant(&initialiser.values, element) {
                    state.write(layout, storage, initialiser.cells, element, value);
                }
            }
        }
        let alone = |direction: PortDirection| {
            let ends = details.exclusive.iter().filter(|end| end.direction == direction);
            ends.map(|end| EndChannel::new(machine, area, end)).collect()
        };
        DefinitionTable {
            template: state.bytes()[layout.globals.size as usize..].to_vec(),
            channels: area
                .channels
                .iter()
                .map(|channel| OwnChannel {
                    shape: channel.shape.0,
                    offset: channel.offset,
                    cell: area.cells(channel.cells).element_offset(channel.element),
                })
                .collect(),
            sends_alone: alone(PortDirection::Send),
            receives_alone: alone(PortDirection::Receive),
        }
    }
}

impl EndChannel {
    /// Channel variables are one byte wide.
    fn new(machine: &Machine, area: &Area, end: &ExclusiveEnd) -> EndChannel {
        match &end.channel {
            ChannelRef::Global(index) => EndChannel::Global(index + 1),
            ChannelRef::Own(index) => EndChannel::Own(*index),
            ChannelRef::Variable(place) if place.owner == Owner::Global => {
                EndChannel::GlobalCell(machine.layout.globals.cells(place.cells).element_offset(element(place)))
            }
            ChannelRef::Variable(place) => EndChannel::Cell(area.cells(place.cells).element_offset(element(place))),
        }
    }
}

/// How many of a list of initial values are known beforehand, up to the first that is not.
pub fn constant_prefix<'v>(values: impl Iterator<Item = &'v InitialValues>) -> usize {
    values
        .take_while(|values| !matches!(values, InitialValues::Same(value) if !matches!(value, Expr::Constant(_))))
        .count()
}

fn constant(values: &InitialValues, element: u32) -> Option<i32> {
    match values {
        InitialValues::Same(Expr::Constant(value)) => Some(*value),
        InitialValues::Same(_) => None,
        InitialValues::Each(values) => values.get(element as usize).copied(),
    }
}
