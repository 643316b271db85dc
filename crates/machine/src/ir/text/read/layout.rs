//! Areas: cells, channels and their offsets, given or worked out.

use std::sync::Arc;

use promela::model::{DomainId, External, Kind, MtypeSetId, PortDirection, ProcessId, Type};

use super::{Draft, Problem, Reader, Reading};
use crate::id::{CellsId, ChannelShapeId};
use crate::layout::{Area, Cells, ChannelShape, Layout, OwnedChannel, PathPart};
use crate::machine::{InitialValues, Initialiser, Machine};
use crate::scalar::Scalar;

/// The most cells of one group, as in Promela.
const MOST_CELLS: u32 = 1 << 24;

/// The most bytes of an area.
const MOST_BYTES: u64 = 1 << 28;

/// An area whose offsets may still be unknown.
#[derive(Default)]
pub struct AreaDraft {
    area: Area,
    /// The offset of the block in the text.
    start: usize,
    /// Whether the text gives the size.
    has_size: bool,
    /// How many offsets it gives.
    offsets: usize,
}

/// A layout of nothing.
pub fn nothing() -> Layout {
    Layout {
        shapes: Vec::new(),
        last_offset: None,
        globals: Area::default(),
        definition_width: 1,
        location_width: 1,
        priority_offset: None,
        frames: Vec::new(),
    }
}

impl Reader<'_> {
    pub fn shape(&mut self, number: usize) -> Reading<ChannelShape> {
        self.numbered("shape", number)?;
        self.sign("[")?;
        let capacity = self.number()?;
        self.sign("]")?;
        self.word("of")?;
        self.sign("{")?;
        let fields = if self.is_sign("}") { Vec::new() } else { self.list(Self::ty)? };
        self.sign("}")?;
        Ok(ChannelShape { capacity, fields })
    }

    pub fn layout(&mut self) -> Reading<Layout> {
        let mut layout = nothing();
        while !self.is_line() {
            let start = self.here();
            match &*self.any_word("a part of the layout")? {
                "definition" => layout.definition_width = self.width()?,
                "location" => layout.location_width = self.width()?,
                "last" => layout.last_offset = Some(self.offset()?),
                "priority" => layout.priority_offset = Some(self.offset()?),
                other => return Err(Problem::new(start, format!("`{other}` is no part of the layout"))),
            }
        }
        Ok(layout)
    }

    fn width(&mut self) -> Reading<u32> {
        let start = self.here();
        let width = self.number()?;
        if width > 4 { Err(Problem::new(start, "a number has at most 4 bytes")) } else { Ok(width) }
    }

    fn offset(&mut self) -> Reading<u32> {
        self.sign("@")?;
        self.number()
    }

    pub fn globals(&mut self, initial: &mut Vec<Initialiser>) -> Reading<AreaDraft> {
        let mut draft = self.area()?;
        self.block(|reader| match reader.declaration(&mut draft, "g")? {
            true => Ok(()),
            false => {
                initial.push(reader.initial("g")?);
                Ok(())
            }
        })?;
        Ok(draft)
    }

    /// The sizes of an area, before its block.
    pub fn area(&mut self) -> Reading<AreaDraft> {
        let mut draft = AreaDraft { start: self.here(), ..AreaDraft::default() };
        if self.accepts_word("size") {
            draft.has_size = true;
            draft.area.size = self.number()?;
        }
        if self.accepts_word("hidden") {
            draft.area.hidden_size = self.number()?;
        }
        Ok(draft)
    }

    /// The declaration of cells or of a channel, if the line is one.
    pub fn declaration(&mut self, draft: &mut AreaDraft, letter: &str) -> Reading<bool> {
        let channels = format!("{letter}c");
        if self.peek_id(letter).is_some() {
            self.next_id(letter, draft.area.cells.len())?;
            let cells = self.cells(draft)?;
            draft.area.cells.push(cells);
        } else if self.peek_id(&channels).is_some() {
            self.next_id(&channels, draft.area.channels.len())?;
            let channel = self.owned_channel(draft, letter)?;
            draft.area.channels.push(channel);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn cells(&mut self, draft: &mut AreaDraft) -> Reading<Cells> {
        let start = self.here();
        let ty = self.ty()?;
        let scalar = Scalar::of(ty).ok_or_else(|| Problem::new(start, "cells are scalars"))?;
        let mut path = Vec::new();
        let mut count = Some(1_u32);
        while path.is_empty() || self.accepts(".") {
            let name: Arc<str> = self.name()?;
            let mut length = None;
            if self.accepts("[") {
                length = Some(self.number()?);
                self.sign("]")?;
            }
            count = count.and_then(|count| count.checked_mul(length.unwrap_or(1))).filter(|&count| count <= MOST_CELLS);
            path.push(PathPart { name, length });
        }
        let count = count.ok_or_else(|| Problem::new(start, format!("there are more than {MOST_CELLS} cells")))?;
        let offset = self.given_offset(draft)?;
        let hidden = self.accepts_word("hidden");
        let unmatched = self.accepts_word("unmatched");
        let external = if self.accepts_word("extern") { Some(self.external()?) } else { None };
        let kind = if self.accepts_word("kind") { self.kind()? } else { Kind::Number };
        Ok(Cells { path, ty, scalar, count, offset, hidden, unmatched, external, kind, span: self.since(start) })
    }

    fn external(&mut self) -> Reading<External> {
        let name = self.name()?;
        let direction = match self.accepts("!") {
            true => Some(PortDirection::Send),
            false => self.accepts("?").then_some(PortDirection::Receive),
        };
        Ok(External { name, direction })
    }

    fn owned_channel(&mut self, draft: &mut AreaDraft, letter: &str) -> Reading<OwnedChannel> {
        self.word("shape")?;
        let shape = ChannelShapeId(self.number()?);
        self.word("of")?;
        let cells = CellsId(self.id(letter)?);
        let mut element = 0;
        if self.accepts("[") {
            element = self.number()?;
            self.sign("]")?;
        }
        Ok(OwnedChannel { shape, offset: self.given_offset(draft)?, cells, element })
    }

    fn given_offset(&mut self, draft: &mut AreaDraft) -> Reading<u32> {
        if !self.is_sign("@") {
            return Ok(0);
        }
        draft.offsets += 1;
        self.offset()
    }

    pub fn initial(&mut self, letter: &str) -> Reading<Initialiser> {
        self.word("initial")?;
        let cells = CellsId(self.id(letter)?);
        self.sign("=")?;
        let values = match self.accepts("{") {
            false => InitialValues::Same(self.expr()?),
            true => {
                let values = if self.is_sign("}") { Vec::new() } else { self.list(Self::integer)? };
                self.sign("}")?;
                InitialValues::Each(values)
            }
        };
        Ok(Initialiser { cells, values })
    }

    pub fn ty(&mut self) -> Reading<Type> {
        let start = self.here();
        Ok(match &*self.any_word("a type")? {
            "bit" => Type::Bit,
            "bool" => Type::Bool,
            "byte" => Type::Byte,
            "pid" => Type::Pid,
            "short" => Type::Short,
            "int" => Type::Int,
            "chan" => Type::Chan,
            "mtype" => Type::Mtype(MtypeSetId(self.numbered_type()?)),
            "ref" => Type::Ref(ProcessId(self.numbered_type()?)),
            "unsigned" => {
                let bits = u8::try_from(self.numbered_type()?).ok().filter(|bits| (1..=32).contains(bits));
                Type::Unsigned(bits.ok_or_else(|| Problem::new(start, "an unsigned number has 1 to 32 bits"))?)
            }
            other => return Err(Problem::new(start, format!("`{other}` is no type"))),
        })
    }

    fn kind(&mut self) -> Reading<Kind> {
        let start = self.here();
        Ok(match &*self.any_word("a kind")? {
            "pid" => Kind::Pid,
            "chan" => Kind::Channel,
            "bool" => Kind::Truth,
            "index" => Kind::Index(DomainId(self.numbered_type()?)),
            "mtype" => Kind::Mtype(MtypeSetId(self.numbered_type()?)),
            "ref" => Kind::Reference(ProcessId(self.numbered_type()?)),
            other => return Err(Problem::new(start, format!("`{other}` is no kind"))),
        })
    }

    /// What follows the word of a type: `:3`.
    pub fn numbered_type(&mut self) -> Reading<u32> {
        self.sign(":")?;
        self.number()
    }
}

impl Draft {
    /// The machine, with everything in its place.
    pub fn finish(self) -> Reading<Machine> {
        let Draft { mut machine, layout, globals, frames } = self;
        let shapes = std::mem::take(&mut machine.layout.shapes);
        let mut layout = layout.unwrap_or_else(|| usual(&machine));
        let header = 1 + u32::from(layout.last_offset.is_some());
        layout.globals = globals.unwrap_or_default().finish(header, &shapes)?;
        let header = layout.frame_header();
        layout.frames = frames.into_iter().map(|frame| frame.finish(header, &shapes)).collect::<Reading<_>>()?;
        machine.layout = Layout { shapes, ..layout };
        Ok(machine)
    }
}

/// The layout without areas that lowering would choose.
fn usual(machine: &Machine) -> Layout {
    let locations = machine.definitions.iter().map(|definition| definition.automaton.locations.len()).max();
    let mut layout = nothing();
    layout.definition_width = if machine.definitions.len() <= 256 { 1 } else { 2 };
    layout.location_width = match locations.unwrap_or(0) {
        0..=256 => 1,
        257..=65_536 => 2,
        _ => 4,
    };
    layout.last_offset = machine.features.last.then_some(1);
    layout.priority_offset = machine.features.priorities.then_some(layout.definition_width + layout.location_width);
    layout
}

impl AreaDraft {
    fn finish(self, header: u32, shapes: &[ChannelShape]) -> Reading<Area> {
        let AreaDraft { mut area, start, has_size, offsets } = self;
        let all = area.cells.len() + area.channels.len();
        match (offsets, has_size) {
            (given, true) if given == all => return Ok(area),
            (0, false) => {}
            _ => {
                let message = "give an offset to all cells and channels and a size to the area, or none of these";
                return Err(Problem::new(start, message));
            }
        }
        let cells = area.cells.iter().map(|cells| u64::from(cells.count) * 4);
        let channels = area.channels.iter().filter_map(|channel| shapes.get(channel.shape.index()));
        let bytes = cells.chain(channels.map(room)).fold(0, u64::saturating_add);
        if bytes > MOST_BYTES {
            return Err(Problem::new(start, format!("this takes more than {MOST_BYTES} bytes")));
        }
        // A channel of no shape is a fault that the check reports.
        if area.channels.iter().all(|channel| channel.shape.index() < shapes.len()) {
            area.place(header, shapes);
        }
        Ok(area)
    }
}

/// An upper bound for the bytes of a channel.
fn room(shape: &ChannelShape) -> u64 {
    2 + u64::from(shape.capacity).saturating_mul(4 * shape.fields.len() as u64)
}
