//! Where everything lies in a state vector. The layout is data: it prints, compares and permutes states.
//!
//! ```text
//! ┌────────────────┬─────────┬─────────────────┬─────────┬─────────┬───
//! │ process count  │ globals │ global channels │ frame 0 │ frame 1 │ …
//! │ (_last)        │         │                 │         │         │
//! └────────────────┴─────────┴─────────────────┴─────────┴─────────┴───
//! frame:   definition │ location │ (priority) │ locals │ own channels │ padding to 4
//! channel: length │ messages, oldest first; the rest is zero
//! ```
//! Every variable is flattened into groups of equal scalars, so `T a[3]` with `typedef T { byte x; short y[2] }` is the
//! cells `a.x` (3 of them) and `a.y` (3 × 2). Frames form a stack, as in SPIN: only the youngest process can disappear, and with it
//! the channels it owns.

use std::fmt::Write as _;
use std::sync::Arc;

use promela::model::{External, Kind, Type};
use promela::source::Span;

use crate::id::{CellsId, ChannelShapeId};
use crate::scalar::Scalar;

/// Frames start and end at multiples of this, so that equal frames are equal words of the vector.
pub const FRAME_ALIGNMENT: u32 = 4;

/// A group of equal scalars that came from one variable or structure field.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Its name in parts: `a`, then field names.
    pub path: Vec<PathPart>,
    /// The Promela type of each cell.
    pub ty: Type,
    /// The storage of each cell.
    pub scalar: Scalar,
    /// How many cells: the product of all array lengths on the path.
    pub count: u32,
    /// Byte offset of the first cell from the start of its area.
    pub offset: u32,
    /// `hidden`: lies in the side store that is not part of a state's identity.
    pub hidden: bool,
    /// It is no part of a state's identity in SPIN, wherever it lies here.
    pub unmatched: bool,
    /// How it is observed from outside.
    pub external: Option<External>,
    /// What its values stand for.
    pub kind: Kind,
    /// The declaration.
    pub span: Span,
}

/// One part of a cell's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathPart {
    /// The variable or field.
    pub name: Arc<str>,
    /// Its array length; `None` for a scalar.
    pub length: Option<u32>,
}

impl Cells {
    /// The name of one cell, as a Promela reference: `a[1].y[0]`.
    #[must_use]
    pub fn element_name(&self, mut element: u32) -> String {
        let mut indices = Vec::new();
        for part in self.path.iter().rev() {
            let length = part.length.unwrap_or(1);
            indices.push(element % length);
            element /= length;
        }
        let mut text = String::new();
        for (part, index) in self.path.iter().zip(indices.into_iter().rev()) {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&part.name);
            if part.length.is_some() {
                let _ = write!(text, "[{index}]");
            }
        }
        text
    }

    /// Byte offset of one cell from the start of its area.
    #[must_use]
    pub fn element_offset(&self, element: u32) -> u32 {
        self.offset + element * self.scalar.width()
    }
}

/// What all channels of one declaration shape have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChannelShape {
    /// Messages it can hold; 0 is a rendezvous.
    pub capacity: u32,
    /// The fields of a message.
    pub fields: Vec<Type>,
}

impl ChannelShape {
    /// Whether it is a rendezvous port.
    #[must_use]
    pub fn is_rendezvous(&self) -> bool {
        self.capacity == 0
    }

    /// The storage of a field. Structures were flattened before.
    #[must_use]
    pub fn scalar(&self, field: usize) -> Scalar {
        Scalar::of(self.fields[field]).expect("message fields are flattened to scalars")
    }

    /// Bytes of the length counter: none for a rendezvous, which never holds a message between steps.
    #[must_use]
    pub fn length_width(&self) -> u32 {
        match self.capacity {
            0 => 0,
            1..=255 => 1,
            _ => 2,
        }
    }

    /// Byte offset of a field within a message.
    #[must_use]
    pub fn field_offset(&self, field: usize) -> u32 {
        (0..field).map(|earlier| self.scalar(earlier).width()).sum()
    }

    /// Bytes of a message.
    #[must_use]
    pub fn message_size(&self) -> u32 {
        self.field_offset(self.fields.len())
    }

    /// Bytes of a channel of this shape.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.length_width() + self.capacity * self.message_size()
    }
}

/// A channel that an area owns: it lives as long as the area.
#[derive(Clone, Debug)]
pub struct OwnedChannel {
    /// Its shape.
    pub shape: ChannelShapeId,
    /// Byte offset of its length from the start of the area.
    pub offset: u32,
    /// The cells whose initial value names it.
    pub cells: CellsId,
    /// Which of those cells.
    pub element: u32,
}

/// Variables and channels that live and die together: the globals, or the frame of a process.
#[derive(Clone, Debug, Default)]
pub struct Area {
    /// The variables.
    pub cells: Vec<Cells>,
    /// The channels, in the order in which they are numbered.
    pub channels: Vec<OwnedChannel>,
    /// Bytes of the area; a multiple of [`FRAME_ALIGNMENT`].
    pub size: u32,
    /// Bytes of its `hidden` cells in the side store.
    pub hidden_size: u32,
}

impl Area {
    /// A group of cells.
    #[must_use]
    pub fn cells(&self, id: CellsId) -> &Cells {
        &self.cells[id.index()]
    }

    /// Gives offsets behind a header: wide cells first, so that none needs padding, then channels.
    pub fn place(&mut self, header: u32, shapes: &[ChannelShape]) {
        let widest = self.cells.iter().map(|cells| cells.scalar.width()).max().unwrap_or(1);
        let mut offset = header.next_multiple_of(widest);
        let mut hidden = 0;
        for width in [4, 2, 1] {
            for cells in self.cells.iter_mut().filter(|cells| cells.scalar.width() == width) {
                let end = if cells.hidden { &mut hidden } else { &mut offset };
                cells.offset = *end;
                *end += cells.count * width;
            }
        }
        for channel in &mut self.channels {
            channel.offset = offset;
            offset += shapes[channel.shape.index()].size();
        }
        self.size = align(offset);
        self.hidden_size = hidden;
    }
}

/// The fixed fields at the start of a vector and of every frame.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Shapes of all channels of the model.
    pub shapes: Vec<ChannelShape>,
    /// Offset of `_last`, when the model reads it.
    pub last_offset: Option<u32>,
    /// Globals and global channels. Offsets count from the start of the vector.
    pub globals: Area,
    /// Bytes that name a frame's definition: 1 or 2.
    pub definition_width: u32,
    /// Bytes that hold a frame's location: 1, 2 or 4.
    pub location_width: u32,
    /// Offset of a frame's priority, when the model uses priorities.
    pub priority_offset: Option<u32>,
    /// Locals and own channels of each definition. Offsets count from the start of the frame.
    pub frames: Vec<Area>,
}

impl Layout {
    /// A shape.
    #[must_use]
    pub fn shape(&self, id: ChannelShapeId) -> &ChannelShape {
        &self.shapes[id.index()]
    }

    /// Bytes before a frame's first local.
    #[must_use]
    pub fn frame_header(&self) -> u32 {
        self.definition_width + self.location_width + u32::from(self.priority_offset.is_some())
    }
}

/// Rounds up to the alignment of frames.
#[must_use]
pub fn align(size: u32) -> u32 {
    size.next_multiple_of(FRAME_ALIGNMENT)
}
