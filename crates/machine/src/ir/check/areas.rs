//! The layout: cells and channels lie behind the header, one after the other, inside their area.

use promela::model::{Kind, Type};

use super::Checker;
use crate::id::DefinitionId;
use crate::layout::{Area, Cells, ChannelShape, FRAME_ALIGNMENT};
use crate::scalar::Scalar;

/// Lengths of channels are numbers of two bytes.
const MOST_MESSAGES: u32 = u16::MAX as u32;

/// A part of an area: its first byte and the one behind its last.
type Range = (u64, u64);

impl Checker<'_> {
    pub(super) fn layout(&mut self) {
        let (machine, layout) = (self.machine, &self.machine.layout);
        self.place = "layout".into();
        let definitions = machine.definitions.len();
        self.demand(layout.frames.len() == definitions, "there is not one frame for each definition");
        let widths = matches!(layout.definition_width, 1 | 2) && matches!(layout.location_width, 1 | 2 | 4);
        self.demand(widths, "a definition takes 1 or 2 bytes, a location 1, 2 or 4");
        if !widths {
            return;
        }
        self.demand(definitions <= 1 << (8 * layout.definition_width), "a definition's number does not fit its bytes");
        let locations = machine.definitions.iter().map(|each| each.automaton.locations.len());
        let fits = |count: usize| layout.location_width == 4 || count <= 1 << (8 * layout.location_width);
        self.demand(locations.max().is_none_or(fits), "a location's number does not fit its bytes");
        self.demand(layout.last_offset.is_some() == machine.features.last, "`_last` is kept if it is read");
        self.demand(
            layout.priority_offset.is_some() == machine.features.priorities,
            "priorities are kept if they are used",
        );
        let behind = layout.definition_width + layout.location_width;
        self.demand(
            layout.priority_offset.is_none_or(|offset| offset == behind),
            "a priority stands behind the location",
        );
        layout.shapes.iter().for_each(|shape| self.shape(shape));
        let last = layout.last_offset.map(|offset| (u64::from(offset), u64::from(offset) + 1));
        let fixed = [Some((0, 1)), last].into_iter().flatten().collect();
        self.area("globals", &layout.globals, fixed);
        for (number, frame) in layout.frames.iter().enumerate() {
            self.area(&format!("frame {number}"), frame, vec![(0, u64::from(layout.frame_header()))]);
            let hidden = frame.hidden_size > 0 || frame.cells.iter().any(|cells| cells.hidden);
            self.demand(!hidden, "only globals are hidden");
        }
    }

    fn shape(&mut self, shape: &ChannelShape) {
        self.demand(shape.capacity <= MOST_MESSAGES, "a channel holds too many messages");
        for &field in &shape.fields {
            self.demand(Scalar::of(field).is_some(), "a field of a message is no scalar");
            self.ty(field);
        }
    }

    fn ty(&mut self, ty: Type) {
        match ty {
            Type::Mtype(set) => self.mtype(set),
            Type::Ref(process) => self.definition(DefinitionId(process.0)),
            _ => {}
        }
    }

    /// Checks that the parts of an area do not overlap; `fixed` are those at its start.
    fn area(&mut self, name: &str, area: &Area, fixed: Vec<Range>) {
        self.place = name.into();
        self.demand(area.size.is_multiple_of(FRAME_ALIGNMENT), "its size is no multiple of the alignment");
        let mut visible = fixed;
        let mut hidden = Vec::new();
        for cells in &area.cells {
            let range = self.cells(cells);
            if cells.hidden { hidden.push(range) } else { visible.push(range) }
        }
        for channel in &area.channels {
            let Some(shape) = self.machine.layout.shapes.get(channel.shape.index()) else {
                self.demand(false, "a channel has a shape that does not exist");
                continue;
            };
            let start = u64::from(channel.offset);
            visible.push((start, start.saturating_add(size(shape))));
            let cells = area.cells.get(channel.cells.index());
            self.demand(cells.is_some_and(|cells| channel.element < cells.count), "a channel belongs to no variable");
        }
        for (mut ranges, size) in [(visible, area.size), (hidden, area.hidden_size)] {
            ranges.retain(|(start, end)| start < end);
            ranges.sort_unstable();
            self.demand(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0), "two of its parts overlap");
            self.demand(ranges.last().is_none_or(|&(_, end)| end <= u64::from(size)), "a part lies outside");
        }
    }

    fn cells(&mut self, cells: &Cells) -> Range {
        let mut lengths = cells.path.iter().map(|part| part.length.unwrap_or(1));
        let count = lengths.try_fold(1_u32, u32::checked_mul);
        self.demand(count == Some(cells.count), "the number of cells is not the product of the lengths");
        self.demand(Scalar::of(cells.ty) == Some(cells.scalar), "the storage of cells is not that of their type");
        self.ty(cells.ty);
        match cells.kind {
            Kind::Mtype(set) => self.mtype(set),
            Kind::Reference(process) => self.definition(DefinitionId(process.0)),
            _ => {}
        }
        let start = u64::from(cells.offset);
        (start, start + u64::from(cells.count) * u64::from(cells.scalar.width()))
    }
}

/// The bytes of a channel.
fn size(shape: &ChannelShape) -> u64 {
    let fields = shape.fields.iter().map(|&field| Scalar::of(field).map_or(0, |scalar| u64::from(scalar.width())));
    u64::from(shape.length_width()) + u64::from(shape.capacity).saturating_mul(fields.sum())
}
