//! A state's bytes with the layout that says what lies where: the one place where vectors are taken apart.
//!
//! Frames lie behind the globals, oldest process first, and each says of which definition it is, so where a frame begins is known once all
//! before it are read. [`View::frames`] walks along them. Nothing is copied: searches, layers and analyses look at stored bytes through it.
//! [`Header`] reads the fixed fields of one frame, for those who walk with tables of their own.

use std::ops::Range;

use super::{Channel, Storage};
use crate::id::{CellsId, DefinitionId, Location, Pid};
use crate::layout::{Area, Layout};
use crate::scalar::Scalar;

/// The vector of a state, read through the layout. `hidden` variables are no part of it.
#[derive(Clone, Copy, Debug)]
pub struct View<'s> {
    layout: &'s Layout,
    bytes: &'s [u8],
}

/// Where a process lies in a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The process.
    pub pid: Pid,
    /// Its definition.
    pub definition: DefinitionId,
    /// The first byte of its frame.
    pub offset: usize,
    /// How many channels the globals and the older processes own.
    pub channels: usize,
}

/// A walk along the frames of a vector.
#[derive(Clone, Debug)]
pub struct Frames<'s> {
    view: View<'s>,
    header: Header,
    next: Frame,
}

/// The fixed fields at the start of every frame: its definition, and behind it the location.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Where the first frame begins.
    pub first: usize,
    definition_width: usize,
    location_width: usize,
}

/// Where a scalar lies in a vector, the least byte first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarAt {
    /// The first byte.
    pub offset: u32,
    /// How many bytes: 1, 2 or 4.
    pub width: u8,
    /// Whether the highest bit is a sign.
    pub signed: bool,
}

impl<'s> View<'s> {
    /// A vector of a machine with this layout.
    #[must_use]
    pub fn new(layout: &'s Layout, bytes: &'s [u8]) -> View<'s> {
        View { layout, bytes }
    }

    /// The vector.
    #[must_use]
    pub fn bytes(self) -> &'s [u8] {
        self.bytes
    }

    /// How many processes exist.
    #[must_use]
    pub fn process_count(self) -> usize {
        usize::from(self.bytes[0])
    }

    /// All processes, oldest first, in one walk along the vector.
    #[inline]
    #[must_use]
    pub fn frames(self) -> Frames<'s> {
        let header = Header::of(self.layout);
        let channels = self.layout.globals.channels.len();
        let next = Frame { pid: Pid(0), definition: DefinitionId(0), offset: header.first, channels };
        Frames { view: self, header, next }
    }

    /// Where a process lies. A walk along the vector: who asks for all of them uses [`View::frames`].
    #[must_use]
    pub fn frame(self, pid: Pid) -> Option<Frame> {
        self.frames().nth(pid.index())
    }

    /// Where the process of a frame is.
    #[inline]
    #[must_use]
    pub fn location(self, frame: Frame) -> Location {
        Header::of(self.layout).location(self.bytes, frame.offset)
    }

    /// The globals, or the variables and channels of a process, with the byte where they begin.
    #[must_use]
    pub fn area(self, storage: Storage) -> Option<(&'s Area, usize)> {
        match storage {
            Storage::Global => Some((&self.layout.globals, 0)),
            Storage::Process(pid) => self.frame(pid).map(|frame| self.area_of(frame)),
        }
    }

    /// The variables and channels of a process.
    #[must_use]
    pub fn area_of(self, frame: Frame) -> (&'s Area, usize) {
        (&self.layout.frames[frame.definition.index()], frame.offset)
    }

    /// All areas, each with the byte where it begins: the globals, then the processes.
    pub fn areas(self) -> impl Iterator<Item = (&'s Area, usize)> {
        std::iter::once((&self.layout.globals, 0)).chain(self.frames().map(move |frame| self.area_of(frame)))
    }

    /// The value of a variable, or of an element of one; `None` if it is not there or hidden.
    #[must_use]
    pub fn value(self, storage: Storage, cells: CellsId, element: u32) -> Option<i32> {
        let (area, base) = self.area(storage)?;
        let cells = area.cells(cells);
        (!cells.hidden).then(|| cells.scalar.read(&self.bytes[base + cells.element_offset(element) as usize..]))
    }

    /// The channel with a number; `None` if there is none.
    #[must_use]
    pub fn channel(self, number: i32) -> Option<Channel> {
        let mut index = usize::try_from(number).ok()?.checked_sub(1)?;
        for (area, base) in self.areas() {
            if let Some(channel) = area.channels.get(index) {
                return Some(Channel { shape: channel.shape, offset: base + channel.offset as usize });
            }
            index -= area.channels.len();
        }
        None
    }

    /// Messages in a channel.
    #[inline]
    #[must_use]
    pub fn channel_length(self, channel: Channel) -> u32 {
        match self.layout.shape(channel.shape).length_width() {
            0 => 0,
            width => read_number(&self.bytes[channel.offset..], width as usize),
        }
    }

    /// A field of a message, the oldest message being number 0.
    #[must_use]
    pub fn message_field(self, channel: Channel, message: u32, field: usize) -> i32 {
        let shape = self.layout.shape(channel.shape);
        let at = shape.length_width() + message * shape.message_size() + shape.field_offset(field);
        shape.scalar(field).read(&self.bytes[channel.offset + at as usize..])
    }
}

impl Frames<'_> {
    /// How many channels the globals and the processes passed so far own; in the end, how many there are.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.next.channels
    }
}

impl Iterator for Frames<'_> {
    type Item = Frame;

    #[inline]
    fn next(&mut self) -> Option<Frame> {
        if self.next.pid.0 >= self.view.bytes[0] {
            return None;
        }
        let frame = Frame { definition: self.header.definition(self.view.bytes, self.next.offset), ..self.next };
        let area = &self.view.layout.frames[frame.definition.index()];
        self.next.pid = Pid(frame.pid.0 + 1);
        self.next.offset += area.size as usize;
        self.next.channels += area.channels.len();
        Some(frame)
    }
}

impl Header {
    /// The header of the frames of a layout.
    #[inline]
    #[must_use]
    pub fn of(layout: &Layout) -> Header {
        Header {
            first: layout.globals.size as usize,
            definition_width: layout.definition_width as usize,
            location_width: layout.location_width as usize,
        }
    }

    /// The definition of the process whose frame begins at a byte.
    #[inline]
    #[must_use]
    pub fn definition(self, bytes: &[u8], frame: usize) -> DefinitionId {
        DefinitionId(read_number(&bytes[frame..], self.definition_width))
    }

    /// The location of the process whose frame begins at a byte.
    #[inline]
    #[must_use]
    pub fn location(self, bytes: &[u8], frame: usize) -> Location {
        Location(read_number(&bytes[frame + self.definition_width..], self.location_width))
    }

    /// The bytes of a frame that hold its location.
    #[must_use]
    pub fn location_bytes(self, frame: usize) -> Range<usize> {
        let start = frame + self.definition_width;
        start..start + self.location_width
    }
}

impl ScalarAt {
    /// A number of one byte.
    #[must_use]
    pub fn byte(offset: u32) -> ScalarAt {
        ScalarAt { offset, width: 1, signed: false }
    }

    /// A scalar of a type.
    #[must_use]
    pub fn of(offset: u32, scalar: Scalar) -> ScalarAt {
        ScalarAt { offset, width: scalar.width() as u8, signed: matches!(scalar, Scalar::Short | Scalar::Int) }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(self) -> Range<u32> {
        self.offset..self.offset + u32::from(self.width)
    }

    /// The value.
    #[inline]
    #[must_use]
    pub fn read(self, vector: &[u8]) -> i32 {
        // Most scalars are bytes.
        if (self.width, self.signed) == (1, false) {
            return i32::from(vector[self.offset as usize]);
        }
        self.read_wide(vector)
    }

    fn read_wide(self, vector: &[u8]) -> i32 {
        let number = read_number(&vector[self.offset as usize..], usize::from(self.width));
        match (self.width, self.signed) {
            (1, true) => i32::from(number as i8),
            (2, true) => i32::from(number as i16),
            _ => number as i32,
        }
    }

    /// Stores a value; what does not fit is cut off.
    #[inline]
    pub fn write(self, vector: &mut [u8], value: i32) {
        let bytes = value.to_le_bytes();
        let offset = self.offset as usize;
        match self.width {
            1 => vector[offset] = bytes[0],
            2 => vector[offset..offset + 2].copy_from_slice(&bytes[..2]),
            _ => vector[offset..offset + 4].copy_from_slice(&bytes),
        }
    }
}

/// Reads a number of 1, 2 or 4 bytes, the least byte first.
#[inline]
#[must_use]
pub fn read_number(bytes: &[u8], width: usize) -> u32 {
    match width {
        1 => u32::from(bytes[0]),
        2 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
    }
}

#[cfg(test)]
mod tests {
    use crate::id::{CellsId, DefinitionId, Pid};
    use crate::interpret::Interpreter;
    use crate::state::{State, Storage};

    #[test]
    fn a_view_finds_processes_variables_and_messages() {
        let text = "byte x = 3; chan q = [1] of { short };
            active [2] proctype P() { chan own = [2] of { byte }; int v = 70000; own!v }
            active proctype Q() { q!-2 }";
        let loaded = promela::load_text("m.pml", text, &promela::Options::default());
        let machine = crate::lower(&loaded.model.expect("it is correct"));
        let interpreter = Interpreter::new(&machine);
        let initial = interpreter.initial().expect("it has one");
        let mut sent = interpreter.successors(&initial).transitions.into_iter().map(|each| each.target);
        let is_sent = |state: &State| {
            state.view(&machine.layout).channel(1).is_some_and(|q| state.channel_length(&machine.layout, q) == 1)
        };
        let state = sent.find(is_sent).expect("Q can send");
        let view = state.view(&machine.layout);
        let definitions: Vec<DefinitionId> = view.frames().map(|frame| frame.definition).collect();
        assert_eq!(definitions, [DefinitionId(0), DefinitionId(0), DefinitionId(1)]);
        let channels: Vec<usize> = view.frames().map(|frame| frame.channels).collect();
        assert_eq!(channels, [1, 2, 3]);
        assert!(view.frames().all(|frame| view.location(frame) == state.location(&machine.layout, frame.pid)));
        let value = |storage, name: &str| {
            let (area, _) = view.area(storage).expect("there is one");
            let cells = area.cells.iter().position(|cells| &*cells.path[0].name == name).expect("it is declared");
            view.value(storage, CellsId(cells as u32), 0)
        };
        assert_eq!(value(Storage::Global, "x"), Some(3));
        assert_eq!(value(Storage::Process(Pid(1)), "v"), Some(70_000));
        assert_eq!(value(Storage::Process(Pid(1)), "own"), Some(3));
        let q = view.channel(1).expect("it exists");
        assert_eq!((view.channel_length(q), view.message_field(q, 0, 0)), (1, -2));
        assert!(view.channel(3).is_some() && view.channel(4).is_none() && view.frame(Pid(3)).is_none());
    }
}
