//! What names mean in the text of one definition, whichever process executes it: places have their cells, channels their shapes,
//! expressions their ranges. Compiled code and partial order ask this; for one process of a configuration there is [`super::Program`].

use std::ops::RangeInclusive;

use crate::expression::{BinaryOp, ChannelRef, Expr, Owner, Place, Predefined, UnaryOp};
use crate::id::DefinitionId;
use crate::layout::{Area, Cells, ChannelShape};
use crate::machine::Machine;

/// The text of one definition, or of none.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// The definition of the executing process.
    pub definition: Option<DefinitionId>,
}

impl<'m> Scope<'m> {
    /// The text of a definition.
    #[must_use]
    pub fn new(machine: &'m Machine, definition: Option<DefinitionId>) -> Scope<'m> {
        Scope { machine, definition }
    }

    /// The area of the executing process.
    fn own_area(&self) -> Option<&'m Area> {
        self.definition.map(|definition| &self.machine.layout.frames[definition.index()])
    }

    /// The cells of a place; `None` for locals of nobody in particular.
    #[must_use]
    pub fn cells(&self, place: &Place) -> Option<&'m Cells> {
        let layout = &self.machine.layout;
        let area = match &place.owner {
            Owner::Global => &layout.globals,
            Owner::Own => self.own_area()?,
            Owner::Remote(definition, _) => &layout.frames[definition.index()],
        };
        Some(area.cells(place.cells))
    }

    /// The shape of a channel that is known now.
    #[must_use]
    pub fn fixed_shape(&self, channel: &ChannelRef) -> Option<&'m ChannelShape> {
        let layout = &self.machine.layout;
        let owned = match channel {
            ChannelRef::Global(index) => &layout.globals.channels[*index as usize],
            ChannelRef::Own(index) => &self.own_area()?.channels[*index as usize],
            ChannelRef::Variable(_) => return None,
        };
        Some(layout.shape(owned.shape))
    }

    /// Whether a channel may turn out to be a rendezvous port.
    #[must_use]
    pub fn may_be_rendezvous(&self, channel: &ChannelRef) -> bool {
        match self.fixed_shape(channel) {
            Some(shape) => shape.is_rendezvous(),
            None => self.machine.layout.shapes.iter().any(ChannelShape::is_rendezvous),
        }
    }

    /// Whether an index is known to lie within an array.
    #[must_use]
    pub fn is_within(&self, index: &Expr, length: u32) -> bool {
        self.range(index).is_some_and(|range| *range.start() >= 0 && *range.end() < i64::from(length))
    }

    /// Bounds on the value of an expression, where they are easily seen.
    #[must_use]
    pub fn range(&self, expr: &Expr) -> Option<RangeInclusive<i64>> {
        let range = match expr {
            Expr::Constant(value) => i64::from(*value)..=i64::from(*value),
            Expr::Load(place) => {
                let (least, greatest) = self.cells(place)?.scalar.range();
                i64::from(least)..=i64::from(greatest)
            }
            Expr::Predefined(Predefined::Pid | Predefined::LocalNumber) => 0..=254,
            Expr::Predefined(_) => 0..=255,
            Expr::Unary(UnaryOp::Not, _) | Expr::At(_) | Expr::Poll(_) | Expr::Timeout | Expr::Enabled(_) => 0..=1,
            Expr::Conditional(_, yes, no) => {
                let (yes, no) = (self.range(yes)?, self.range(no)?);
                *yes.start().min(no.start())..=*yes.end().max(no.end())
            }
            Expr::Binary(op, left, right, _) => self.binary_range(*op, left, right)?,
            _ => return None,
        };
        let fits = *range.start() >= i64::from(i32::MIN) && *range.end() <= i64::from(i32::MAX);
        fits.then_some(range)
    }

    fn binary_range(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<RangeInclusive<i64>> {
        Some(match op {
            BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or => 0..=1,
            BinaryOp::Add => {
                let (left, right) = (self.range(left)?, self.range(right)?);
                left.start() + right.start()..=left.end() + right.end()
            }
            BinaryOp::Subtract => {
                let (left, right) = (self.range(left)?, self.range(right)?);
                left.start() - right.end()..=left.end() - right.start()
            }
            BinaryOp::Remainder => {
                let (left, right) = (self.range(left)?, self.range(right)?);
                if *left.start() < 0 || *right.start() <= 0 {
                    return None;
                }
                0..=*left.end().min(&(right.end() - 1))
            }
            BinaryOp::BitAnd => {
                let bounds = [self.range(left), self.range(right)];
                let smallest =
                    bounds.into_iter().flatten().filter(|range| *range.start() >= 0).map(|range| *range.end());
                0..=smallest.min()?
            }
            _ => return None,
        })
    }
}
