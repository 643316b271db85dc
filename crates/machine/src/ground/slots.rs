//! Slots: where every scalar of a configuration lies in the vector, what it is, and what it is called.
//!
//! While the processes of a configuration stay, every state is a vector of the same length in which every scalar has a fixed place. `hidden`
//! variables are no part of a vector and have no slot; neither have the definitions of processes, which never change, nor padding.

use super::configuration::Configuration;
use crate::id::{CellId, ChannelId, Pid, SlotId};
use crate::layout::ChannelShape;
use crate::state::{Header, ScalarAt};

/// The slots of a configuration, in the order of the vector: first what belongs to nobody, then variables and channels owner by owner.
#[derive(Clone, Debug)]
pub struct Slots {
    list: Vec<Slot>,
    last: Option<SlotId>,
    locations: Vec<SlotId>,
    priorities: Vec<SlotId>,
    cells: Vec<Option<SlotId>>,
    /// The slot of the length; those of the fields follow it, message by message.
    channels: Vec<Option<SlotId>>,
}

/// The place of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Where it lies, how wide it is, and whether it has a sign.
    pub at: ScalarAt,
    /// What it is.
    pub kind: SlotKind,
}

/// What a slot is the place of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SlotKind {
    /// How many processes there are.
    ProcessCount,
    /// The process that moved last, where the model asks for it.
    Last,
    /// Where a process is.
    Location(Pid),
    /// The priority of a process, where the model uses priorities.
    Priority(Pid),
    /// A scalar variable, or an element of one.
    Cell(CellId),
    /// How many messages a channel holds.
    Length(ChannelId),
    /// A field of a message.
    Field {
        /// The channel.
        channel: ChannelId,
        /// The position of the message, from the oldest on.
        position: u32,
        /// The number of the field.
        field: usize,
    },
}

impl Slots {
    /// The slots of a configuration.
    #[must_use]
    pub fn of(configuration: &Configuration<'_>) -> Slots {
        let layout = &configuration.machine.layout;
        let mut slots = Slots {
            list: vec![Slot { at: ScalarAt::byte(0), kind: SlotKind::ProcessCount }],
            last: None,
            locations: Vec::new(),
            priorities: Vec::new(),
            cells: Vec::new(),
            channels: Vec::new(),
        };
        slots.last = layout.last_offset.map(|offset| slots.add(ScalarAt::byte(offset), SlotKind::Last));
        for pid in configuration.pids() {
            let frame = configuration.frames[pid.index()];
            let bytes = Header::of(layout).location_bytes(frame as usize);
            let at = ScalarAt { offset: bytes.start as u32, width: bytes.len() as u8, signed: false };
            let location = slots.add(at, SlotKind::Location(pid));
            slots.locations.push(location);
            let priority = layout.priority_offset.map(|offset| ScalarAt::byte(frame + offset));
            let priority = priority.map(|at| slots.add(at, SlotKind::Priority(pid)));
            slots.priorities.extend(priority);
        }
        for cell in (0..configuration.cells.len() as u32).map(CellId) {
            let scalar = configuration.layout_of(configuration.cells[cell.index()]).scalar;
            let at = configuration.offset(cell).map(|offset| ScalarAt::of(offset, scalar));
            let slot = at.map(|at| slots.add(at, SlotKind::Cell(cell)));
            slots.cells.push(slot);
        }
        for id in (0..configuration.channels.len() as u32).map(ChannelId) {
            let channel = &configuration.channels[id.index()];
            let slot = slots.add_channel(id, channel.offset, layout.shape(channel.shape));
            slots.channels.push(slot);
        }
        slots
    }

    fn add(&mut self, at: ScalarAt, kind: SlotKind) -> SlotId {
        self.list.push(Slot { at, kind });
        SlotId(self.list.len() as u32 - 1)
    }

    /// The slot of a channel's length; those of its fields follow. A rendezvous port holds nothing.
    fn add_channel(&mut self, channel: ChannelId, offset: u32, shape: &ChannelShape) -> Option<SlotId> {
        if shape.is_rendezvous() {
            return None;
        }
        let width = shape.length_width();
        let at = ScalarAt { offset, width: width as u8, signed: false };
        let length = self.add(at, SlotKind::Length(channel));
        for position in 0..shape.capacity {
            for field in 0..shape.fields.len() {
                let offset = offset + width + position * shape.message_size() + shape.field_offset(field);
                self.add(ScalarAt::of(offset, shape.scalar(field)), SlotKind::Field { channel, position, field });
            }
        }
        Some(length)
    }

    /// How many slots there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The numbers of all slots.
    pub fn ids(&self) -> impl Iterator<Item = SlotId> + use<> {
        (0..self.list.len() as u32).map(SlotId)
    }

    /// A slot.
    #[must_use]
    pub fn get(&self, id: SlotId) -> Slot {
        self.list[id.index()]
    }

    /// The slot of the number of processes.
    #[must_use]
    pub fn process_count(&self) -> SlotId {
        SlotId(0)
    }

    /// The slot of `_last`, where the model asks for it.
    #[must_use]
    pub fn last(&self) -> Option<SlotId> {
        self.last
    }

    /// The slot of a process' location.
    #[must_use]
    pub fn location(&self, pid: Pid) -> SlotId {
        self.locations[pid.index()]
    }

    /// The slot of a process' priority, where the model uses priorities.
    #[must_use]
    pub fn priority(&self, pid: Pid) -> Option<SlotId> {
        self.priorities.get(pid.index()).copied()
    }

    /// Whether the model uses no priorities.
    #[must_use]
    pub fn priorities_are_absent(&self) -> bool {
        self.priorities.is_empty()
    }

    /// The slot of a cell; `None` if it is hidden.
    #[must_use]
    pub fn cell(&self, cell: CellId) -> Option<SlotId> {
        self.cells[cell.index()]
    }

    /// The slot of the number of messages in a channel; `None` for a rendezvous port.
    #[must_use]
    pub fn length(&self, channel: ChannelId) -> Option<SlotId> {
        self.channels[channel.index()]
    }

    /// The slots of the messages of a channel, the oldest first.
    pub fn fields(&self, channel: ChannelId) -> impl Iterator<Item = SlotId> {
        let first = self.length(channel).map_or(self.list.len(), |length| length.index() + 1);
        let is_field = move |slot: &&Slot| matches!(slot.kind, SlotKind::Field { channel: of, .. } if of == channel);
        let count = self.list[first..].iter().take_while(is_field).count();
        (first as u32..(first + count) as u32).map(SlotId)
    }

    /// What a slot is called: `x`, `p[1]:flag[0]`, `p[1]@`, `len(q)`.
    #[must_use]
    pub fn name(&self, configuration: &Configuration<'_>, id: SlotId) -> String {
        self.get(id).kind.name(configuration)
    }
}

impl SlotKind {
    /// What a slot of this kind is called.
    #[must_use]
    pub fn name(self, configuration: &Configuration<'_>) -> String {
        match self {
            SlotKind::ProcessCount => "_nr_pr".to_owned(),
            SlotKind::Last => "_last".to_owned(),
            SlotKind::Location(pid) => format!("{}@", configuration.process_name(pid)),
            SlotKind::Priority(pid) => format!("priority of {}", configuration.process_name(pid)),
            SlotKind::Cell(cell) => configuration.cell_name(cell),
            SlotKind::Length(channel) => format!("len({})", configuration.channel_name(channel)),
            SlotKind::Field { channel, position, field } => {
                format!("{} message {position} field {field}", configuration.channel_name(channel))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SlotKind, Slots};
    use crate::ground::testing::machine_of;
    use crate::ground::{Configuration, find_entry};
    use crate::id::Pid;

    #[test]
    fn slots_do_not_overlap_and_hold_what_the_state_holds() {
        let machine = machine_of(
            "typedef T { byte x; short y[2] } T a[2]; int n = -5; hidden byte h; chan q = [2] of { byte, int };
             chan port = [0] of { bit };
             active [2] proctype p() { chan own = [1] of { short }; unsigned v : 11 = 9; own!v; q!v,n; a[v].y[0] = h }",
        );
        let configuration = Configuration::of(&machine, find_entry(&machine).unwrap());
        let slots = Slots::of(&configuration);
        let mut bytes: Vec<u32> = slots.ids().flat_map(|id| slots.get(id).at.bytes()).collect();
        let count = bytes.len();
        bytes.sort_unstable();
        bytes.dedup();
        assert_eq!(bytes.len(), count, "a byte belongs to one slot");
        let vector = configuration.entry.bytes();
        for id in slots.ids() {
            let value = slots.get(id).at.read(vector);
            match slots.get(id).kind {
                SlotKind::Cell(cell) => assert_eq!(value, configuration.entry_value(cell)),
                SlotKind::Location(pid) => {
                    assert_eq!(value, configuration.entry.location(&machine.layout, pid).0 as i32);
                }
                SlotKind::ProcessCount => assert_eq!(value, 2),
                _ => assert_eq!(value, 0),
            }
        }
        let names: Vec<String> = slots.ids().map(|id| slots.name(&configuration, id)).collect();
        for name in ["_nr_pr", "p[1]@", "a[1].y[0]", "p[0]:v", "len(q)", "q message 1 field 1", "len(p[1]:own)"] {
            assert!(names.iter().any(|each| each == name), "{name} in {names:?}");
        }
        assert!(!names.iter().any(|name| name == "h" || name.contains("port message")));
        assert_eq!(slots.get(slots.location(Pid(1))).kind, SlotKind::Location(Pid(1)));
    }
}
