//! The variables of a never claim: their values are part of the claim's state, and known when its conditions become atoms.
//!
//! A condition that mixes both, such as `count < limit` with the claim's `count` and the system's `limit`, is one atom for each value that `count` can have:
//! `2 < limit`, `3 < limit`. A variable can be set to what follows from the claim's own variables only: what the system says would be known
//! no sooner than in the search.

use std::fmt::Write as _;

use promela::source::Span;

use super::ClaimError;
use crate::expression::{At, ChannelRef, Expr, Index, Owner, Place, Poll};
use crate::interpret::Interpreter;
use crate::layout::Area;
use crate::machine::{InitialValues, Initialiser, Machine};

/// The variables of a claim.
#[derive(Clone, Debug, Default)]
pub struct ClaimVariables {
    /// Their cells.
    pub area: Area,
    /// How they start.
    pub initial: Vec<Initialiser>,
}

/// The values of all cells, one group after the other.
pub(super) type Memory = Vec<i32>;

/// The variables of a claim of a machine.
#[derive(Clone, Copy)]
pub(super) struct Variables<'m> {
    machine: &'m Machine,
    own: &'m ClaimVariables,
}

impl<'m> Variables<'m> {
    pub fn new(machine: &'m Machine, own: &'m ClaimVariables) -> Variables<'m> {
        Variables { machine, own }
    }

    /// What they start with.
    pub fn initial(self) -> Result<Memory, ClaimError> {
        let mut memory = vec![0; self.own.area.cells.iter().map(|cells| cells.count as usize).sum()];
        for Initialiser { cells, values } in &self.own.initial {
            let group = self.own.area.cells(*cells);
            let start = self.start(cells.index());
            match values {
                InitialValues::Same(value) => {
                    let value = self.known(value, &memory, group.span)?;
                    memory[start..start + group.count as usize].fill(group.scalar.truncate(value));
                }
                InitialValues::Each(values) => {
                    memory[start..].iter_mut().zip(values).take(group.count as usize).for_each(|(cell, &value)| {
                        *cell = group.scalar.truncate(value);
                    });
                }
            }
        }
        Ok(memory)
    }

    /// The values after an assignment.
    pub fn assign(self, memory: &Memory, place: &Place, value: &Expr, span: Span) -> Result<Memory, ClaimError> {
        let value = self.known(value, memory, span)?;
        let cell = self.cell(place, memory, span)?;
        let mut after = memory.clone();
        after[cell] = self.own.area.cells(place.cells).scalar.truncate(value);
        Ok(after)
    }

    /// The expression with the values of the claim's variables in their place.
    pub fn specialise(self, expression: &Expr, memory: &Memory, span: Span) -> Result<Expr, ClaimError> {
        let inner = |part: &Expr| self.specialise(part, memory, span).map(Box::new);
        let list = |parts: &[Option<Expr>]| -> Result<Vec<Option<Expr>>, ClaimError> {
            parts.iter().map(|part| part.as_ref().map(|part| self.specialise(part, memory, span)).transpose()).collect()
        };
        Ok(match expression {
            Expr::Load(place) if place.owner == Owner::Own => Expr::Constant(memory[self.cell(place, memory, span)?]),
            Expr::Load(place) => Expr::Load(self.specialise_place(place, memory, span)?),
            Expr::Remote(place) => Expr::Remote(self.specialise_place(place, memory, span)?),
            Expr::Unary(operator, part) => Expr::Unary(*operator, inner(part)?),
            Expr::Binary(operator, left, right, text) => Expr::Binary(*operator, inner(left)?, inner(right)?, *text),
            Expr::Conditional(condition, yes, no) => Expr::Conditional(inner(condition)?, inner(yes)?, inner(no)?),
            Expr::Probe(probe, channel) => Expr::Probe(*probe, self.specialise_channel(channel, memory, span)?),
            Expr::Poll(poll) => Expr::Poll(Box::new(Poll {
                channel: self.specialise_channel(&poll.channel, memory, span)?,
                pattern: list(&poll.pattern)?,
                ..(**poll).clone()
            })),
            Expr::At(at) => {
                let pid = at.pid.as_ref().map(|pid| self.specialise(pid, memory, span)).transpose()?;
                Expr::At(Box::new(At { pid, ..(**at).clone() }))
            }
            Expr::Enabled(pid) => Expr::Enabled(inner(pid)?),
            Expr::LocationOf(pid) => Expr::LocationOf(inner(pid)?),
            Expr::PriorityOf(pid) => Expr::PriorityOf(inner(pid)?),
            Expr::Constant(_)
            | Expr::Predefined(_)
            | Expr::Run(_)
            | Expr::Timeout
            | Expr::Code(_)
            | Expr::AnyReference(_) => expression.clone(),
        })
    }

    /// The value of an expression that asks nothing of the system.
    pub fn constant(self, expression: &Expr, span: Span) -> Result<Option<i32>, ClaimError> {
        let asks = |part: &Expr| {
            !matches!(part, Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..))
        };
        if expression.any(&mut |part| asks(part)) {
            return Ok(None);
        }
        let interpreter = Interpreter::new(self.machine);
        let value = interpreter.initial().and_then(|state| interpreter.global_value(&state, expression));
        value.map(Some).map_err(|_| ClaimError::Unobservable(span, "compute this"))
    }

    /// The claim's variables that an expression names, with their values: `count = 2`.
    pub fn named_in(self, expression: &Expr, memory: &Memory) -> String {
        let mut text = String::new();
        let mut seen = Vec::new();
        expression.any(&mut |part| {
            if let Expr::Load(place) = part
                && place.owner == Owner::Own
                && let Ok(cell) = self.cell(place, memory, place.span)
                && !seen.contains(&cell)
            {
                seen.push(cell);
                let comma = if text.is_empty() { "" } else { ", " };
                let _ = write!(text, "{comma}{} = {}", self.machine.sources.snippet(place.span), memory[cell]);
            }
            false
        });
        text
    }

    fn specialise_place(self, place: &Place, memory: &Memory, span: Span) -> Result<Place, ClaimError> {
        let owner = match &place.owner {
            Owner::Remote(definition, Some(pid)) => {
                Owner::Remote(*definition, Some(Box::new(self.specialise(pid, memory, span)?)))
            }
            other => other.clone(),
        };
        let index = match &place.index {
            Index::Computed(indices) => {
                let each = |(index, length): &(Expr, u32)| Ok((self.specialise(index, memory, span)?, *length));
                Index::Computed(indices.iter().map(each).collect::<Result<_, ClaimError>>()?)
            }
            Index::Constant(index) => Index::Constant(*index),
        };
        Ok(Place { owner, index, ..place.clone() })
    }

    fn specialise_channel(self, channel: &ChannelRef, memory: &Memory, span: Span) -> Result<ChannelRef, ClaimError> {
        match channel {
            ChannelRef::Own(_) => Err(ClaimError::Unobservable(span, "have channels of its own")),
            ChannelRef::Variable(place) if place.owner == Owner::Own => {
                Err(ClaimError::Unobservable(span, "have channels of its own"))
            }
            ChannelRef::Variable(place) => Ok(ChannelRef::Variable(self.specialise_place(place, memory, span)?)),
            ChannelRef::Global(_) => Ok(channel.clone()),
        }
    }

    /// A value that follows from the claim's variables alone.
    fn known(self, expression: &Expr, memory: &Memory, span: Span) -> Result<i32, ClaimError> {
        let expression = self.specialise(expression, memory, span)?;
        let refusal = ClaimError::Unobservable(span, "keep what the model says in a variable of its own");
        self.constant(&expression, span)?.ok_or(refusal)
    }

    /// Where a cell lies in the memory.
    fn cell(self, place: &Place, memory: &Memory, span: Span) -> Result<usize, ClaimError> {
        let element = match &place.index {
            Index::Constant(element) => *element as usize,
            Index::Computed(indices) => {
                let mut element = 0;
                for (index, length) in indices {
                    let value = self.known(index, memory, span)?;
                    let value = u32::try_from(value).ok().filter(|value| value < length);
                    let value = value.ok_or(ClaimError::Unobservable(span, "go beyond the end of an array"))?;
                    element = element * *length as usize + value as usize;
                }
                element
            }
        };
        Ok(self.start(place.cells.index()) + element)
    }

    fn start(self, cells: usize) -> usize {
        self.own.area.cells[..cells].iter().map(|cells| cells.count as usize).sum()
    }
}
