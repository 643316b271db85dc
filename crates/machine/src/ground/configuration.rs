//! The configuration of an entry state: which processes there are, and where every cell and channel lies from then on.
//!
//! All cells of all processes get one numbering, and so do all channels (SPIN's own: from 1). While the processes stay, so do
//! the offsets.

use std::ops::Range;

use promela::model::Role;

use crate::expression::ChannelRef;
use crate::id::{CellId, CellsId, ChannelId, ChannelShapeId, DefinitionId, GroupId, Pid};
use crate::layout::{Area, Cells};
use crate::machine::Machine;
use crate::state::{Frame, State, Storage};

/// Processes, cells and channels of an entry state.
#[derive(Clone, Debug)]
pub struct Configuration<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// The entry state.
    pub entry: State,
    /// The definition of each process.
    pub definitions: Vec<DefinitionId>,
    /// The offset of each process' frame.
    pub frames: Vec<u32>,
    /// Groups of cells, owner by owner.
    pub groups: Vec<CellGroup>,
    /// The group of each cell.
    pub cells: Vec<GroupId>,
    /// The channels, by number.
    pub channels: Vec<StaticChannel>,
    first_groups: Vec<u32>,
    first_channels: Vec<u32>,
}

/// A group of equal scalars of one owner.
#[derive(Clone, Debug)]
pub struct CellGroup {
    /// Its owner.
    pub storage: Storage,
    /// Which of the owner's groups.
    pub id: CellsId,
    /// The first cell; the others follow it.
    pub first: CellId,
    /// How many cells.
    pub count: u32,
    /// The length of every array on the way to a cell.
    pub lengths: Vec<u32>,
}

/// A channel of a configuration.
#[derive(Clone, Debug)]
pub struct StaticChannel {
    /// Capacity and fields.
    pub shape: ChannelShapeId,
    /// Its owner.
    pub storage: Storage,
    /// Where its length lies in the vector.
    pub offset: u32,
    /// The variable it was declared with.
    pub cells: CellsId,
    /// Which element of that variable.
    pub element: u32,
}

impl<'m> Configuration<'m> {
    /// The configuration of an entry state.
    #[must_use]
    pub fn of(machine: &'m Machine, entry: State) -> Configuration<'m> {
        let frames: Vec<Frame> = entry.view(&machine.layout).frames().collect();
        let mut configuration = Configuration {
            machine,
            entry,
            definitions: frames.iter().map(|frame| frame.definition).collect(),
            frames: frames.iter().map(|frame| frame.offset as u32).collect(),
            groups: Vec::new(),
            cells: Vec::new(),
            channels: Vec::new(),
            first_groups: Vec::new(),
            first_channels: Vec::new(),
        };
        configuration.add_area(Storage::Global, &machine.layout.globals, 0);
        for Frame { pid, definition, offset, .. } in frames {
            let area = &machine.layout.frames[definition.index()];
            configuration.add_area(Storage::Process(pid), area, offset as u32);
        }
        configuration
    }

    fn add_area(&mut self, storage: Storage, area: &Area, base: u32) {
        self.first_groups.push(self.groups.len() as u32);
        self.first_channels.push(self.channels.len() as u32);
        for (number, cells) in area.cells.iter().enumerate() {
            let group = GroupId(self.groups.len() as u32);
            self.groups.push(CellGroup {
                storage,
                id: CellsId(number as u32),
                first: CellId(self.cells.len() as u32),
                count: cells.count,
                lengths: cells.path.iter().filter_map(|part| part.length).collect(),
            });
            self.cells.extend(std::iter::repeat_n(group, cells.count as usize));
        }
        self.channels.extend(area.channels.iter().map(|channel| StaticChannel {
            shape: channel.shape,
            storage,
            offset: base + channel.offset,
            cells: channel.cells,
            element: channel.element,
        }));
    }

    /// All processes.
    pub fn pids(&self) -> impl DoubleEndedIterator<Item = Pid> + use<> {
        (0..self.definitions.len() as u8).map(Pid)
    }

    /// The definition of a process.
    #[must_use]
    pub fn definition(&self, pid: Pid) -> DefinitionId {
        self.definitions[pid.index()]
    }

    /// The processes of a definition.
    pub fn instances(&self, definition: DefinitionId) -> impl Iterator<Item = Pid> {
        self.pids().filter(move |&pid| self.definition(pid) == definition)
    }

    fn area_number(storage: Storage) -> usize {
        match storage {
            Storage::Global => 0,
            Storage::Process(pid) => pid.index() + 1,
        }
    }

    /// A group of cells.
    #[must_use]
    pub fn group(&self, storage: Storage, cells: CellsId) -> GroupId {
        GroupId(self.first_groups[Self::area_number(storage)] + cells.0)
    }

    /// The layout of a group of cells.
    #[must_use]
    pub fn layout_of(&self, group: GroupId) -> &'m Cells {
        let CellGroup { storage, id, .. } = self.groups[group.index()];
        let layout = &self.machine.layout;
        match storage {
            Storage::Global => layout.globals.cells(id),
            Storage::Process(pid) => layout.frames[self.definition(pid).index()].cells(id),
        }
    }

    /// The cells of a group.
    pub fn cells_of(&self, group: GroupId) -> impl Iterator<Item = CellId> + use<> {
        let CellGroup { first, count, .. } = self.groups[group.index()];
        Range { start: first.0, end: first.0 + count }.map(CellId)
    }

    /// A cell of a group.
    #[must_use]
    pub fn cell(&self, group: GroupId, element: u32) -> CellId {
        CellId(self.groups[group.index()].first.0 + element)
    }

    /// The place of a cell in its group.
    #[must_use]
    pub fn element(&self, cell: CellId) -> (GroupId, u32) {
        let group = self.cells[cell.index()];
        (group, cell.0 - self.groups[group.index()].first.0)
    }

    /// The index of a cell in every dimension of its group.
    #[must_use]
    pub fn indices(&self, cell: CellId) -> Vec<i32> {
        let (group, mut element) = self.element(cell);
        let mut indices: Vec<i32> = Vec::new();
        for length in self.groups[group.index()].lengths.iter().rev() {
            indices.push((element % length) as i32);
            element /= length;
        }
        indices.reverse();
        indices
    }

    /// Where a cell lies in the vector; `None` if it is hidden.
    #[must_use]
    pub fn offset(&self, cell: CellId) -> Option<u32> {
        let (group, element) = self.element(cell);
        let layout = self.layout_of(group);
        let base = match self.groups[group.index()].storage {
            Storage::Global => 0,
            Storage::Process(pid) => self.frames[pid.index()],
        };
        (!layout.hidden).then(|| base + layout.element_offset(element))
    }

    /// The value of a cell in the entry state.
    #[must_use]
    pub fn entry_value(&self, cell: CellId) -> i32 {
        let (group, element) = self.element(cell);
        let CellGroup { storage, id, .. } = self.groups[group.index()];
        self.entry.read(&self.machine.layout, storage, id, element)
    }

    /// The channel that a number names.
    #[must_use]
    pub fn channel(&self, number: i32) -> Option<ChannelId> {
        let id = u32::try_from(number).ok()?.checked_sub(1)?;
        ((id as usize) < self.channels.len()).then_some(ChannelId(id))
    }

    /// A channel that is named without a variable.
    #[must_use]
    pub fn static_channel(&self, pid: Option<Pid>, channel: &ChannelRef) -> Option<ChannelId> {
        match channel {
            ChannelRef::Global(index) => Some(ChannelId(*index)),
            ChannelRef::Own(index) => pid.map(|pid| ChannelId(self.first_channels[pid.index() + 1] + index)),
            ChannelRef::Variable(_) => None,
        }
    }

    /// The messages of a channel in the entry state, oldest first.
    #[must_use]
    pub fn entry_messages(&self, id: ChannelId) -> Vec<Vec<i32>> {
        let layout = &self.machine.layout;
        let Some(channel) = self.entry.channel(layout, id.number()) else { return Vec::new() };
        let fields = layout.shape(channel.shape).fields.len();
        let message = |position| {
            (0..fields).map(|field| self.entry.message_field(layout, channel, position, field)).collect::<Vec<i32>>()
        };
        (0..self.entry.channel_length(layout, channel)).map(message).collect()
    }
}

/// What things are called.
impl Configuration<'_> {
    /// A process: its proctype and pid, as in a remote reference.
    #[must_use]
    pub fn process_name(&self, pid: Pid) -> String {
        let automaton = &self.machine.definition(self.definition(pid)).automaton;
        match automaton.role {
            Role::Init => "init".to_string(),
            _ => format!("{}[{}]", automaton.name, pid.0),
        }
    }

    /// A cell: `link[1]`, `client[2]:x`.
    #[must_use]
    pub fn cell_name(&self, cell: CellId) -> String {
        let (group, element) = self.element(cell);
        self.owned_name(self.groups[group.index()].storage, &self.layout_of(group).element_name(element))
    }

    /// A channel: as the variable it was declared with.
    #[must_use]
    pub fn channel_name(&self, id: ChannelId) -> String {
        let channel = &self.channels[id.index()];
        let group = self.group(channel.storage, channel.cells);
        self.owned_name(channel.storage, &self.layout_of(group).element_name(channel.element))
    }

    fn owned_name(&self, storage: Storage, name: &str) -> String {
        match storage {
            Storage::Global => name.to_string(),
            Storage::Process(pid) => format!("{}:{name}", self.process_name(pid)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::expression::ChannelRef;
    use crate::id::{CellId, CellsId, ChannelId, Pid};
    use crate::state::Storage;

    use super::Configuration;
    use crate::ground::entry;
    use crate::ground::testing::machine_of;

    #[test]
    fn cells_and_channels_are_numbered_owner_by_owner() {
        let machine = machine_of(
            "typedef T { byte x[2] } T a[3]; chan q = [1] of { byte };
             active [2] proctype p() { chan own = [2] of { byte }; byte v; v = 1; own!v; a[v].x[0] = 3 }",
        );
        let entry = entry::find(&machine).unwrap();
        let configuration = Configuration::of(&machine, entry);
        let globals = configuration.group(Storage::Global, CellsId(0));
        assert_eq!(configuration.indices(configuration.cell(globals, 5)), [2, 1]);
        assert_eq!(configuration.channels.len(), 3);
        assert_eq!(configuration.static_channel(Some(Pid(1)), &ChannelRef::Own(0)), Some(ChannelId(2)));
        assert_eq!(configuration.channel(3), Some(ChannelId(2)));
        let own = configuration.group(Storage::Process(Pid(1)), CellsId(0));
        let own: Vec<CellId> = configuration.cells_of(own).collect();
        assert_eq!(configuration.entry_value(own[0]), 3);
    }
}
