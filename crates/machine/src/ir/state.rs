//! States: packed byte vectors, read and written through the layout.
//!
//! A [`State`] owns its bytes and knows `hidden` variables; a [`View`] borrows bytes from anywhere. A [`State`] is compared and hashed by its vector alone. `hidden` globals travel beside it: SPIN keeps them out of a state's
//! identity, so a state reached twice with different hidden values is one state.

mod view;

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

pub use view::{Frame, Frames, Header, ScalarAt, View, read_number};

use crate::embedded::Target;
use crate::id::{CellsId, ChannelNumber, ChannelShapeId, DefinitionId, Location, Pid};
use crate::layout::{Area, Layout};
use crate::scalar::Scalar;

/// A state of a machine.
#[derive(Debug, Default)]
pub struct State {
    bytes: Vec<u8>,
    hidden: Vec<u8>,
    /// One entry a process and one for the end, once somebody asked where a process is that has many older ones: walks along the
    /// vector for each of them are quadratic.
    starts: OnceLock<Box<[Start]>>,
}

/// Where a frame begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    offset: u32,
    /// How many channels the globals and the older processes own.
    channels: u32,
}

/// With so many processes a look at a table is cheaper than a walk along the vector.
const MANY: usize = 8;

impl Clone for State {
    fn clone(&self) -> State {
        State { bytes: self.bytes.clone(), hidden: self.hidden.clone(), starts: OnceLock::new() }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.bytes.hash(hasher);
    }
}

/// Whose cells are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// The globals.
    Global,
    /// A process.
    Process(Pid),
}

/// A channel of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its shape.
    pub shape: ChannelShapeId,
    /// Where its length lies in the vector.
    offset: usize,
}

impl State {
    /// A state with no processes and all globals zero.
    #[must_use]
    pub fn empty(layout: &Layout) -> State {
        let hidden = vec![0; layout.globals.hidden_size as usize];
        State { bytes: vec![0; layout.globals.size as usize], hidden, starts: OnceLock::new() }
    }

    /// The state with the given vector, of a machine without `hidden` variables.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> State {
        State { bytes: bytes.to_vec(), ..State::default() }
    }

    /// The vector.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The vector, read through the layout.
    #[must_use]
    pub fn view<'s>(&'s self, layout: &'s Layout) -> View<'s> {
        View::new(layout, &self.bytes)
    }

    /// How many processes exist.
    #[must_use]
    pub fn process_count(&self) -> usize {
        usize::from(self.bytes[0])
    }

    /// All processes, oldest first.
    pub fn pids(&self) -> impl DoubleEndedIterator<Item = Pid> + use<> {
        (0..self.process_count() as u8).map(Pid)
    }

    /// Whether a process exists.
    #[must_use]
    pub fn exists(&self, pid: i32) -> Option<Pid> {
        u8::try_from(pid).ok().filter(|&pid| usize::from(pid) < self.process_count()).map(Pid)
    }

    fn frame(&self, layout: &Layout, pid: Pid) -> usize {
        if let Some(start) = self.starts(layout).and_then(|starts| starts.get(pid.index())) {
            return start.offset as usize;
        }
        self.view(layout).frame(pid).map_or(self.bytes.len(), |frame| frame.offset)
    }

    /// Where the frames begin, where a table of it pays.
    fn starts(&self, layout: &Layout) -> Option<&[Start]> {
        let table = || {
            let start = |frame: Frame| Start { offset: frame.offset as u32, channels: frame.channels as u32 };
            let mut starts: Vec<Start> = self.view(layout).frames().map(start).collect();
            let channels = self.view(layout).areas().map(|(area, _)| area.channels.len() as u32).sum();
            starts.push(Start { offset: self.bytes.len() as u32, channels });
            starts.into()
        };
        (self.process_count() >= MANY).then(|| &**self.starts.get_or_init(table))
    }

    /// All processes with what they are, oldest first, in one walk along the vector.
    pub fn definitions<'s>(&'s self, layout: &'s Layout) -> impl Iterator<Item = (Pid, DefinitionId)> + use<'s> {
        self.view(layout).frames().map(|frame| (frame.pid, frame.definition))
    }

    /// What a process is.
    #[must_use]
    pub fn definition(&self, layout: &Layout, pid: Pid) -> DefinitionId {
        Header::of(layout).definition(&self.bytes, self.frame(layout, pid))
    }

    /// Where a process is.
    #[must_use]
    pub fn location(&self, layout: &Layout, pid: Pid) -> Location {
        Header::of(layout).location(&self.bytes, self.frame(layout, pid))
    }

    /// Moves a process.
    pub fn set_location(&mut self, layout: &Layout, pid: Pid, location: Location) {
        let at = self.frame(layout, pid) + layout.definition_width as usize;
        write_number(&mut self.bytes[at..], layout.location_width, location.0);
    }

    /// The priority of a process; 1 where the model uses none.
    #[must_use]
    pub fn priority(&self, layout: &Layout, pid: Pid) -> i32 {
        layout.priority_offset.map_or(1, |offset| i32::from(self.bytes[self.frame(layout, pid) + offset as usize]))
    }

    /// Sets the priority of a process.
    pub fn set_priority(&mut self, layout: &Layout, pid: Pid, priority: u8) {
        if let Some(offset) = layout.priority_offset {
            let at = self.frame(layout, pid) + offset as usize;
            self.bytes[at] = priority;
        }
    }

    /// The process that moved last; 0 at the start.
    #[must_use]
    pub fn last(&self, layout: &Layout) -> i32 {
        layout.last_offset.map_or(0, |offset| i32::from(self.bytes[offset as usize]))
    }

    /// Notes the process that moved.
    pub fn set_last(&mut self, layout: &Layout, pid: Pid) {
        if let Some(offset) = layout.last_offset {
            self.bytes[offset as usize] = pid.0;
        }
    }

    /// Adds a process at the given location, its locals zero and its channels empty. The caller keeps to the limit of 255.
    pub fn push_process(&mut self, layout: &Layout, definition: DefinitionId, location: Location) -> Pid {
        let pid = Pid(self.bytes[0]);
        let frame = self.bytes.len();
        let area = &layout.frames[definition.index()];
        self.bytes.resize(frame + area.size as usize, 0);
        self.bytes[0] += 1;
        self.starts = OnceLock::new();
        write_number(&mut self.bytes[frame..], layout.definition_width, definition.0);
        self.set_location(layout, pid, location);
        let first_channel = self.channel_count_before(layout, pid);
        for (number, channel) in area.channels.iter().enumerate() {
            let value = (first_channel + number + 1) as i32;
            self.write(layout, Storage::Process(pid), channel.cells, channel.element, value);
        }
        pid
    }

    /// Removes the youngest process with its channels.
    pub fn pop_process(&mut self, layout: &Layout) {
        let youngest = Pid(self.bytes[0] - 1);
        self.bytes.truncate(self.frame(layout, youngest));
        self.bytes[0] -= 1;
        self.starts = OnceLock::new();
    }

    fn area<'l>(&self, layout: &'l Layout, storage: Storage) -> &'l Area {
        match storage {
            Storage::Global => &layout.globals,
            Storage::Process(pid) => &layout.frames[self.definition(layout, pid).index()],
        }
    }

    fn cell(&self, layout: &Layout, storage: Storage, cells: CellsId, element: u32) -> (Scalar, bool, usize) {
        let info = self.area(layout, storage).cells(cells);
        let offset = info.element_offset(element) as usize;
        let base = match storage {
            Storage::Process(pid) => self.frame(layout, pid),
            Storage::Global => 0,
        };
        (info.scalar, info.hidden, base + offset)
    }

    /// The value of a cell.
    #[must_use]
    pub fn read(&self, layout: &Layout, storage: Storage, cells: CellsId, element: u32) -> i32 {
        let (scalar, hidden, at) = self.cell(layout, storage, cells, element);
        scalar.read(if hidden { &self.hidden[at..] } else { &self.bytes[at..] })
    }

    /// Stores a value, truncated to the cell's type.
    pub fn write(&mut self, layout: &Layout, storage: Storage, cells: CellsId, element: u32, value: i32) {
        let (scalar, hidden, at) = self.cell(layout, storage, cells, element);
        scalar.write(if hidden { &mut self.hidden[at..] } else { &mut self.bytes[at..] }, value);
    }

    /// What embedded C works on when a process executes it. Observers are no process and have no frame.
    pub(crate) fn for_code(&mut self, layout: &Layout, pid: Pid) -> Target<'_> {
        let exists = pid.index() < self.process_count();
        let frame = if exists { self.frame(layout, pid) } else { self.bytes.len() };
        Target { state: &mut self.bytes, hidden: &mut self.hidden, frame, pid: u32::from(pid.0) }
    }

    fn channel_count_before(&self, layout: &Layout, pid: Pid) -> usize {
        if let Some(start) = self.starts(layout).and_then(|starts| starts.get(pid.index())) {
            return start.channels as usize;
        }
        let areas = self.view(layout).areas().take(1 + pid.index());
        areas.map(|(area, _)| area.channels.len()).sum()
    }

    /// How many channels exist.
    #[must_use]
    pub fn channel_count(&self, layout: &Layout) -> usize {
        self.channel_count_before(layout, Pid(self.bytes[0]))
    }

    /// The number of a channel that an area owns.
    #[must_use]
    pub fn channel_number(&self, layout: &Layout, storage: Storage, index: u32) -> ChannelNumber {
        let before = match storage {
            Storage::Global => 0,
            Storage::Process(pid) => self.channel_count_before(layout, pid),
        };
        ChannelNumber((before + index as usize + 1) as u8)
    }

    /// The channel with a number; `None` if there is none.
    #[must_use]
    pub fn channel(&self, layout: &Layout, number: i32) -> Option<Channel> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        if let Some(starts) = self.starts(layout)
            && index >= layout.globals.channels.len()
        {
            let owner = starts.partition_point(|start| start.channels as usize <= index).checked_sub(1)?;
            let (start, pid) = (starts.get(owner)?, Pid(u8::try_from(owner).ok()?));
            let area = &layout.frames[self.definition(layout, self.exists(i32::from(pid.0))?).index()];
            let channel = area.channels.get(index - start.channels as usize)?;
            return Some(Channel { shape: channel.shape, offset: (start.offset + channel.offset) as usize });
        }
        self.view(layout).channel(number)
    }

    /// Messages in a channel.
    #[must_use]
    pub fn channel_length(&self, layout: &Layout, channel: Channel) -> u32 {
        self.view(layout).channel_length(channel)
    }

    /// A field of a message, the oldest message being number 0.
    #[must_use]
    pub fn message_field(&self, layout: &Layout, channel: Channel, message: u32, field: usize) -> i32 {
        self.view(layout).message_field(channel, message, field)
    }

    /// Inserts a message before the one at `position`. The caller made sure that there is room.
    pub fn insert_message(&mut self, layout: &Layout, channel: Channel, position: u32, values: &[i32]) {
        let shape = layout.shape(channel.shape);
        let length = self.channel_length(layout, channel);
        let start = channel.offset + shape.length_width() as usize;
        let size = shape.message_size() as usize;
        let (from, to) = (start + position as usize * size, start + length as usize * size);
        self.bytes.copy_within(from..to, from + size);
        for (field, &value) in values.iter().enumerate() {
            shape.scalar(field).write(&mut self.bytes[from + shape.field_offset(field) as usize..], value);
        }
        write_number(&mut self.bytes[channel.offset..], shape.length_width(), length + 1);
    }

    /// Removes the message at `position`; what follows moves up, and the room behind is zero again.
    pub fn remove_message(&mut self, layout: &Layout, channel: Channel, position: u32) {
        let shape = layout.shape(channel.shape);
        let length = self.channel_length(layout, channel);
        let start = channel.offset + shape.length_width() as usize;
        let size = shape.message_size() as usize;
        let (from, to) = (start + position as usize * size, start + length as usize * size);
        self.bytes.copy_within(from + size..to, from);
        self.bytes[to - size..to].fill(0);
        write_number(&mut self.bytes[channel.offset..], shape.length_width(), length - 1);
    }
}

fn write_number(bytes: &mut [u8], width: u32, value: u32) {
    bytes[..width as usize].copy_from_slice(&value.to_le_bytes()[..width as usize]);
}
