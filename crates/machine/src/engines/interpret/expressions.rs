//! The values of expressions.

use promela::model::{BinaryOp, ChannelProbe, Predefined, UnaryOp};
use promela::source::Span;

use super::error::ErrorKind;
use super::execution::{Attempt, Execution};
use crate::expression::{At, Expr, Index, Owner, Place, Poll};
use crate::id::{DefinitionId, Pid};
use crate::layout::Area;
use crate::state::Storage;

impl<'m> Execution<'m, '_> {
    /// The value of an expression. `run` in it changes the state.
    pub fn value(&mut self, expr: &'m Expr) -> Attempt<i32> {
        match expr {
            Expr::Constant(value) => Ok(*value),
            Expr::Load(place) => self.load(place),
            Expr::Remote(place) => match self.locate(place)? {
                Some((storage, element)) => Ok(self.state.read(&self.machine.layout, storage, place.cells, element)),
                None => Ok(0),
            },
            Expr::Predefined(which) => Ok(self.predefined(*which)),
            Expr::Unary(op, operand) => {
                let value = self.value(operand)?;
                Ok(match op {
                    UnaryOp::Negate => value.wrapping_neg(),
                    UnaryOp::Complement => !value,
                    UnaryOp::Not => i32::from(value == 0),
                })
            }
            Expr::Binary(BinaryOp::And, left, right, _) => {
                Ok(i32::from(self.value(left)? != 0 && self.value(right)? != 0))
            }
            Expr::Binary(BinaryOp::Or, left, right, _) => {
                Ok(i32::from(self.value(left)? != 0 || self.value(right)? != 0))
            }
            Expr::Binary(op, left, right, span) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                arithmetic(*op, left, right)
                    .ok_or_else(|| self.error(ErrorKind::DivisionByZero, *span, "division by zero"))
            }
            Expr::Conditional(condition, yes, no) => {
                if self.value(condition)? != 0 {
                    self.value(yes)
                } else {
                    self.value(no)
                }
            }
            Expr::Probe(probe, channel) => {
                let (_, channel) = self.channel(channel)?;
                let layout = &self.machine.layout;
                let length = self.state.channel_length(layout, channel);
                let capacity = layout.shape(channel.shape).capacity;
                // A rendezvous channel is always empty and never full.
                let full = capacity > 0 && length == capacity;
                Ok(match probe {
                    ChannelProbe::Len => length as i32,
                    ChannelProbe::Full => i32::from(full),
                    ChannelProbe::Empty => i32::from(length == 0),
                    ChannelProbe::NotFull => i32::from(!full),
                    ChannelProbe::NotEmpty => i32::from(length != 0),
                })
            }
            Expr::Poll(poll) => self.poll(poll),
            Expr::Run(run) => self.run(run),
            Expr::At(at) => self.at(at),
            Expr::Timeout => Ok(i32::from(self.timeout == super::Timeout::Now)),
            Expr::Enabled(pid) => {
                let pid = self.value(pid)?;
                self.enabled(pid)
            }
            Expr::LocationOf(pid) => {
                let pid = self.value(pid)?;
                Ok(self.state.exists(pid).map_or(0, |pid| self.state.location(&self.machine.layout, pid).0 as i32))
            }
            Expr::PriorityOf(pid) => {
                let pid = self.value(pid)?;
                Ok(self.state.exists(pid).map_or(0, |pid| self.state.priority(&self.machine.layout, pid)))
            }
            Expr::Code(id) => self.code_value(*id),
            Expr::AnyReference(definition, number) => match self.instance(*definition, *number) {
                Some(pid) => Ok(i32::from(pid.0)),
                None => Err(self.error(ErrorKind::NoSuchProcess, self.span, "no such process to refer to")),
            },
        }
    }

    fn predefined(&self, which: Predefined) -> i32 {
        let layout = &self.machine.layout;
        match which {
            Predefined::Pid => i32::from(self.pid.0),
            Predefined::ProcessCount => self.state.process_count() as i32,
            Predefined::ChannelCount => self.state.channel_count(layout) as i32,
            Predefined::Last => self.state.last(layout),
            Predefined::Priority => self.state.priority(layout, self.pid),
            Predefined::NonProgress => {
                let progress = |pid: Pid| {
                    let automaton = &self.machine.definition(self.state.definition(layout, pid)).automaton;
                    automaton.location(self.state.location(layout, pid)).progress
                };
                i32::from(!self.state.pids().any(progress))
            }
            Predefined::LocalNumber => {
                let own = self.state.definition(layout, self.pid);
                let older = self.state.pids().take(self.pid.index());
                older.filter(|&pid| self.state.definition(layout, pid) == own).count() as i32
            }
        }
    }

    /// The oldest process of a definition.
    fn oldest(&self, definition: DefinitionId) -> Option<Pid> {
        self.instance(definition, 0)
    }

    /// The process with a number among those of a definition.
    pub fn instance(&self, definition: DefinitionId, number: u32) -> Option<Pid> {
        let layout = &self.machine.layout;
        self.state.pids().filter(|&pid| self.state.definition(layout, pid) == definition).nth(number as usize)
    }

    /// A process that does not exist, or is of another proctype, is at no label of this one. (SPIN compares the location's
    /// number alone.)
    fn at(&mut self, at: &'m At) -> Attempt<i32> {
        let pid = match &at.pid {
            Some(pid) => {
                let pid = self.value(pid)?;
                self.state.exists(pid)
            }
            None => self.oldest(at.definition),
        };
        let layout = &self.machine.layout;
        Ok(i32::from(pid.is_some_and(|pid| {
            self.state.definition(layout, pid) == at.definition && self.state.location(layout, pid) == at.location
        })))
    }

    fn poll(&mut self, poll: &'m Poll) -> Attempt<i32> {
        let (_, channel) = self.channel(&poll.channel)?;
        let layout = &self.machine.layout;
        if layout.shape(channel.shape).is_rendezvous() {
            return Err(self.error(ErrorKind::PollRendezvous, poll.span, "a rendezvous channel cannot be polled"));
        }
        let mut pattern = Vec::new();
        for field in &poll.pattern {
            pattern.push(field.as_ref().map(|value| self.value(value)).transpose()?);
        }
        Ok(i32::from(self.find_message(channel, &pattern, poll.random).is_some()))
    }

    /// The area that a place's cells belong to.
    pub fn area_of(&self, place: &Place) -> &'m Area {
        let layout = &self.machine.layout;
        match &place.owner {
            Owner::Global => &layout.globals,
            Owner::Own => &layout.frames[self.state.definition(layout, self.pid).index()],
            Owner::Remote(definition, _) => &layout.frames[definition.index()],
        }
    }

    /// Where a place is. `None` when it belongs to a process that does not exist.
    pub fn locate(&mut self, place: &'m Place) -> Attempt<Option<(Storage, u32)>> {
        let storage = match &place.owner {
            Owner::Global => Storage::Global,
            Owner::Own => Storage::Process(self.pid),
            Owner::Remote(definition, pid) => {
                let pid = match pid {
                    Some(pid) => {
                        let pid = self.value(pid)?;
                        self.state.exists(pid)
                    }
                    None => self.oldest(*definition),
                };
                match pid {
                    Some(pid) if self.state.definition(&self.machine.layout, pid) == *definition => {
                        Storage::Process(pid)
                    }
                    _ => return Ok(None),
                }
            }
        };
        let element = match &place.index {
            Index::Constant(element) => *element,
            Index::Computed(indices) => {
                let mut element = 0;
                for (index, length) in indices {
                    let index = self.value(index)?;
                    let index = self.check_index(index, *length, place.span)?;
                    element = element * length + index;
                }
                element
            }
        };
        Ok(Some((storage, element)))
    }

    fn check_index(&self, index: i32, length: u32, span: Span) -> Attempt<u32> {
        u32::try_from(index).ok().filter(|&index| index < length).ok_or_else(|| {
            self.error(ErrorKind::ArrayIndex, span, format!("array index {index} is outside 0 .. {}", length - 1))
        })
    }

    /// The value of a place.
    pub fn load(&mut self, place: &'m Place) -> Attempt<i32> {
        match self.locate(place)? {
            Some((storage, element)) => Ok(self.state.read(&self.machine.layout, storage, place.cells, element)),
            None => Err(self.error(ErrorKind::NoSuchProcess, place.span, "no such process to take a variable from")),
        }
    }

    /// Stores a value in a place.
    pub fn store(&mut self, place: &'m Place, value: i32) -> Attempt<()> {
        match self.locate(place)? {
            Some((storage, element)) => {
                self.state.to_mut().write(&self.machine.layout, storage, place.cells, element, value);
                Ok(())
            }
            None => Err(self.error(ErrorKind::NoSuchProcess, place.span, "no such process to store a variable in")),
        }
    }
}

/// C's arithmetic on 32-bit integers; `None` for a division by zero. Shifts by 32 or more give what the shifted-out bits
/// leave (C leaves them undefined).
#[must_use]
pub fn arithmetic(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide if right == 0 => return None,
        BinaryOp::Divide => left.wrapping_div(right),
        BinaryOp::Remainder if right == 0 => return None,
        BinaryOp::Remainder => left.wrapping_rem(right),
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::ShiftLeft => left.wrapping_shl(right as u32),
        BinaryOp::ShiftRight => left.wrapping_shr(right as u32),
        BinaryOp::Less => i32::from(left < right),
        BinaryOp::LessEqual => i32::from(left <= right),
        BinaryOp::Greater => i32::from(left > right),
        BinaryOp::GreaterEqual => i32::from(left >= right),
        BinaryOp::Equal => i32::from(left == right),
        BinaryOp::NotEqual => i32::from(left != right),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitOr => left | right,
        BinaryOp::And => i32::from(left != 0 && right != 0),
        BinaryOp::Or => i32::from(left != 0 || right != 0),
    })
}
