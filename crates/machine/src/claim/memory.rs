//! The variables of a never claim: globals that it changes and no process uses. Their values are part of the claim's state, and known when its conditions
//! become atoms.
//!
//! A condition that mixes both, such as `count < limit` with the claim's `count` and the system's `limit`, is one atom for each value that `count` can have:
//! `2 < limit`, `3 < limit`. A variable can be set to what follows from the claim's own variables only: what the system says would be known
//! no sooner than in the search.

use std::fmt::Write as _;

use promela::source::Span;

use super::ClaimError;
use crate::automaton::Automaton;
use crate::expression::{At, ChannelRef, Expr, Index, Owner, Place, Poll};
use crate::footprint::Footprint;
use crate::id::{ActionId, CellsId};
use crate::interpret::{Interpreter, Timeout};
use crate::machine::{InitialValues, Initialiser, Machine};

/// The values of all cells, one group after the other.
pub(super) type Memory = Vec<i32>;

/// The variables of a claim of a machine.
pub(super) struct Variables<'m> {
    machine: &'m Machine,
    cells: Vec<CellsId>,
}

impl<'m> Variables<'m> {
    /// The globals that a claim changes and nobody else uses.
    pub fn new(machine: &'m Machine, never: &Automaton) -> Variables<'m> {
        let mut cells: Vec<CellsId> = Vec::new();
        for footprint in footprints(machine, never) {
            let changed = footprint.writes.iter().filter(|place| place.owner == Owner::Global);
            cells.extend(changed.map(|place| place.cells));
        }
        cells.sort_unstable_by_key(|cells| cells.index());
        cells.dedup();
        let mut others = Vec::new();
        for definition in &machine.definitions {
            others.extend(footprints(machine, &definition.automaton));
            others.extend(definition.automaton.provided.iter().map(|provided| Footprint::of_expr(machine, provided)));
            others.extend(definition.initial.iter().filter_map(|initial| match &initial.values {
                InitialValues::Same(value) => Some(Footprint::of_expr(machine, value)),
                InitialValues::Each(_) => None,
            }));
        }
        others.extend(machine.trace.iter().flat_map(|trace| footprints(machine, &trace.automaton)));
        let is_used = |cells: CellsId| {
            let uses = |place: &Place| place.owner == Owner::Global && place.cells == cells;
            others.iter().any(|other| other.everything || other.reads.iter().chain(&other.writes).any(uses))
        };
        cells.retain(|&cells| !is_used(cells));
        Variables { machine, cells }
    }

    /// Whether a place is one of them.
    pub fn contain(&self, place: &Place) -> bool {
        place.owner == Owner::Global && self.cells.contains(&place.cells)
    }

    /// What they start with.
    pub fn initial(&self) -> Result<Memory, ClaimError> {
        let globals = &self.machine.layout.globals;
        let mut memory = vec![0; self.cells.iter().map(|&cells| globals.cells(cells).count as usize).sum()];
        for Initialiser { cells, values } in &self.machine.global_initial {
            let Some(start) = self.start(*cells) else { continue };
            let group = globals.cells(*cells);
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
    pub fn assign(&self, memory: &Memory, place: &Place, value: &Expr, span: Span) -> Result<Memory, ClaimError> {
        let value = self.known(value, memory, span)?;
        let cell = self.cell(place, memory, span)?;
        let mut after = memory.clone();
        after[cell] = self.machine.layout.globals.cells(place.cells).scalar.truncate(value);
        Ok(after)
    }

    /// The expression with the values of the claim's variables in their place.
    pub fn specialise(&self, expression: &Expr, memory: &Memory, span: Span) -> Result<Expr, ClaimError> {
        let inner = |part: &Expr| self.specialise(part, memory, span).map(Box::new);
        let list = |parts: &[Option<Expr>]| -> Result<Vec<Option<Expr>>, ClaimError> {
            parts.iter().map(|part| part.as_ref().map(|part| self.specialise(part, memory, span)).transpose()).collect()
        };
        Ok(match expression {
            Expr::Load(place) if self.contain(place) => Expr::Constant(memory[self.cell(place, memory, span)?]),
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
            | Expr::AnyReference(..) => expression.clone(),
        })
    }

    /// The value of an expression that asks nothing of the system.
    pub fn constant(&self, expression: &Expr, span: Span) -> Result<Option<i32>, ClaimError> {
        let asks = |part: &Expr| {
            !matches!(part, Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..))
        };
        if expression.any(&mut |part| asks(part)) {
            return Ok(None);
        }
        let interpreter = Interpreter::new(self.machine);
        let value = interpreter.initial().and_then(|state| interpreter.global_value(&state, expression, Timeout::No));
        value.map(Some).map_err(|_| ClaimError::Unobservable(span, "compute this"))
    }

    /// The claim's variables that an expression names, with their values: `count = 2`.
    pub fn named_in(&self, expression: &Expr, memory: &Memory) -> String {
        let mut text = String::new();
        let mut seen = Vec::new();
        expression.any(&mut |part| {
            if let Expr::Load(place) = part
                && self.contain(place)
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

    fn specialise_place(&self, place: &Place, memory: &Memory, span: Span) -> Result<Place, ClaimError> {
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

    fn specialise_channel(&self, channel: &ChannelRef, memory: &Memory, span: Span) -> Result<ChannelRef, ClaimError> {
        match channel {
            ChannelRef::Own(_) => Err(ClaimError::Unobservable(span, "have channels of its own")),
            ChannelRef::Variable(place) if self.contain(place) => {
                Err(ClaimError::Unobservable(span, "choose a channel"))
            }
            ChannelRef::Variable(place) => Ok(ChannelRef::Variable(self.specialise_place(place, memory, span)?)),
            ChannelRef::Global(_) => Ok(channel.clone()),
        }
    }

    /// A value that follows from the claim's variables alone.
    fn known(&self, expression: &Expr, memory: &Memory, span: Span) -> Result<i32, ClaimError> {
        let expression = self.specialise(expression, memory, span)?;
        let refusal = ClaimError::Unobservable(span, "keep what the model says in a variable of its own");
        self.constant(&expression, span)?.ok_or(refusal)
    }

    /// Where a cell lies in the memory.
    fn cell(&self, place: &Place, memory: &Memory, span: Span) -> Result<usize, ClaimError> {
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
        let start = self.start(place.cells);
        Ok(start.expect("it is one of the claim's variables") + element)
    }

    /// Where a group of cells begins in the memory, if it is one of the claim's.
    fn start(&self, wanted: CellsId) -> Option<usize> {
        let position = self.cells.iter().position(|&cells| cells == wanted)?;
        let globals = &self.machine.layout.globals;
        Some(self.cells[..position].iter().map(|&cells| globals.cells(cells).count as usize).sum())
    }
}

/// What the actions of an automaton touch.
fn footprints(machine: &Machine, automaton: &Automaton) -> Vec<Footprint> {
    let actions = automaton.locations.iter().flat_map(|location| &location.edges).map(|edge| edge.action);
    actions.map(|action: ActionId| Footprint::of_action(machine, machine.action(action))).collect()
}
