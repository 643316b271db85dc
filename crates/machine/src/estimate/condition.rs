//! How far a condition is from being true, or false: the formula-based estimate.
//!
//! | condition | until it is true | until it is false |
//! | --- | --- | --- |
//! | `a && b` | the sum of both | the lesser |
//! | `a \|\| b` | the lesser | the sum |
//! | `a < b` and the like | by how much it fails | by how much it holds |
//! | `a == b` | the difference, where it is counted up and down; otherwise 1 unless it holds | 1 if it holds |
//! | `full(q)`, `empty(q)` | messages that lack, messages that are too many | 1 if it holds |
//! | `q?[m]` | messages before the first that matches; if there is none, one more than there are | 1 if it holds |
//! | `P[i]@L` | the distance in control flow | 1 if it holds |
//! | others | 1 unless it holds | 1 if it holds |
//!
//! A lower bound takes the greater one in the place of a sum, and of everything but control flow only whether it holds: one transition can do much.

use super::flow::{Flow, is_created};
use super::steppers::Steppers;
use super::{FAR, plus};
use crate::expression::{At, BinaryOp, ChannelProbe, ChannelRef, Expr, Poll, UnaryOp};
use crate::id::{DefinitionId, Pid};
use crate::interpret::Interpreter;
use crate::machine::Machine;
use crate::state::State;

/// The distance of states from a condition.
#[derive(Clone, Debug)]
pub(super) enum Distance {
    /// The same everywhere.
    Known(u32),
    /// 0 where the expression is true or not, as wanted; otherwise 1.
    Truth(Expr, bool),
    Sum(Vec<Distance>),
    Most(Vec<Distance>),
    Least(Vec<Distance>),
    /// By how much a comparison fails.
    Gap(BinaryOp, Expr, Expr),
    /// The messages that a channel lacks to be full, if it holds so many.
    Room(Expr, u32),
    /// The messages of a channel.
    Messages(Expr),
    /// The messages before the first that matches.
    Before(Box<Poll>),
    /// The distance of a process, by location.
    Control(Box<At>, Vec<u32>),
}

/// Makes distances of conditions that a process asks about, or nobody in particular.
pub(super) struct Conditions<'m> {
    pub machine: &'m Machine,
    pub flow: &'m Flow<'m>,
    pub steppers: &'m Steppers,
    pub asker: Option<DefinitionId>,
    /// Whether the distances are to be lower bounds.
    pub bounds: bool,
}

impl Conditions<'_> {
    /// The distance from states where the value of the expression is not zero, or is.
    pub fn towards(&self, expr: &Expr, wanted: bool) -> Distance {
        match (expr, wanted) {
            (Expr::Constant(value), _) => Distance::Known(if (*value != 0) == wanted { 0 } else { FAR }),
            (Expr::Unary(UnaryOp::Not, operand), _) => self.towards(operand, !wanted),
            (Expr::Binary(BinaryOp::And, left, right, _), true)
            | (Expr::Binary(BinaryOp::Or, left, right, _), false) => self.both(left, right, wanted),
            (Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right, _), _) => {
                Distance::Least(vec![self.towards(left, wanted), self.towards(right, wanted)])
            }
            (Expr::Conditional(condition, yes, no), _) => {
                let with = |condition_is, then: &Expr| {
                    self.together(vec![self.towards(condition, condition_is), self.towards(then, wanted)])
                };
                Distance::Least(vec![with(true, yes), with(false, no)])
            }
            (Expr::At(at), true) => Distance::Control(at.clone(), self.to(at)),
            _ if self.bounds => Distance::Truth(expr.clone(), wanted),
            (Expr::Binary(op, left, right, _), _) => self.comparison(expr, *op, left, right, wanted),
            (Expr::Probe(probe, channel), _) => self.probe(expr, *probe, channel, wanted),
            (Expr::Poll(poll), true) if !poll.random => Distance::Before(poll.clone()),
            _ => Distance::Truth(expr.clone(), wanted),
        }
    }

    /// How far the locations of a process are from the one that is asked about. A process may end, and another one get its number: where that can
    /// happen, a lower bound has to take it into account.
    fn to(&self, at: &At) -> Vec<u32> {
        let automaton = &self.machine.definition(at.definition).automaton;
        let straight = self.flow.to(at.definition, |each| each == at.location);
        if !self.bounds || !is_created(self.machine, at.definition) {
            return straight;
        }
        let again = straight[automaton.start.index()];
        let to_end = self.flow.to(at.definition, |each| each == automaton.end);
        straight.iter().zip(to_end).map(|(&straight, end)| straight.min(plus(end, again))).collect()
    }

    fn both(&self, left: &Expr, right: &Expr, wanted: bool) -> Distance {
        self.together(vec![self.towards(left, wanted), self.towards(right, wanted)])
    }

    pub fn together(&self, parts: Vec<Distance>) -> Distance {
        if self.bounds { Distance::Most(parts) } else { Distance::Sum(parts) }
    }

    fn comparison(&self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr, wanted: bool) -> Distance {
        let gap = |op| Distance::Gap(op, left.clone(), right.clone());
        match (op, wanted) {
            (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => gap(BinaryOp::Less),
            (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => gap(BinaryOp::LessEqual),
            (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => gap(BinaryOp::Greater),
            (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => gap(BinaryOp::GreaterEqual),
            (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) if self.is_counted(left, right) => {
                gap(BinaryOp::Equal)
            }
            _ => Distance::Truth(expr.clone(), wanted),
        }
    }

    /// Whether the difference of two expressions changes by counting.
    fn is_counted(&self, left: &Expr, right: &Expr) -> bool {
        let steps = |expr: &Expr| self.steppers.is_one(self.asker, expr);
        let is_number = |expr: &Expr| matches!(expr, Expr::Constant(_)) || steps(expr);
        is_number(left) && is_number(right) && (steps(left) || steps(right))
    }

    fn probe(&self, expr: &Expr, probe: ChannelProbe, channel: &ChannelRef, wanted: bool) -> Distance {
        let length = || Expr::Probe(ChannelProbe::Len, channel.clone());
        match (probe, wanted, self.capacity(channel)) {
            (ChannelProbe::Full, true, Some(capacity)) | (ChannelProbe::NotFull, false, Some(capacity)) => {
                Distance::Room(length(), capacity)
            }
            (ChannelProbe::Empty, true, _) | (ChannelProbe::NotEmpty, false, _) => Distance::Messages(length()),
            _ => Distance::Truth(expr.clone(), wanted),
        }
    }

    /// How many messages a channel holds, if that is known.
    pub fn capacity(&self, channel: &ChannelRef) -> Option<u32> {
        let layout = &self.machine.layout;
        let shape = match (channel, self.asker) {
            (ChannelRef::Global(index), _) => layout.globals.channels.get(*index as usize)?.shape,
            (ChannelRef::Own(index), Some(asker)) => layout.frames[asker.index()].channels.get(*index as usize)?.shape,
            _ => return None,
        };
        Some(layout.shape(shape).capacity)
    }
}

/// A state, and who asks about it.
pub(super) struct Asked<'a> {
    pub interpreter: Interpreter<'a>,
    pub state: &'a State,
    pub pid: Pid,
}

impl Asked<'_> {
    fn value(&self, expr: &Expr) -> Option<i32> {
        self.interpreter.value_for(self.state, self.pid, expr)
    }

    /// Where the process is that is asked about, if there is one.
    fn location(&self, at: &At) -> Option<usize> {
        let layout = &self.interpreter.machine().layout;
        let is_meant = |pid: &Pid| self.state.definition(layout, *pid) == at.definition;
        let pid = match &at.pid {
            Some(pid) => self.state.exists(self.value(pid)?).filter(is_meant)?,
            None => self.state.pids().find(is_meant)?,
        };
        Some(self.state.location(layout, pid).index())
    }

    /// The messages before the first that matches, one more than there are if there is none.
    fn before(&self, poll: &Poll) -> Option<u32> {
        let layout = &self.interpreter.machine().layout;
        let channel = self.interpreter.channel_for(self.state, self.pid, &poll.channel)?;
        let length = self.state.channel_length(layout, channel);
        let wanted: Vec<Option<i32>> =
            poll.pattern.iter().map(|value| value.as_ref().and_then(|value| self.value(value))).collect();
        let matches = |message: &u32| {
            let field = |(field, wanted): (usize, &Option<i32>)| {
                wanted.is_none_or(|wanted| self.state.view(layout).message_field(channel, *message, field) == wanted)
            };
            wanted.iter().enumerate().all(field)
        };
        Some((0..length).find(matches).unwrap_or(length + 1))
    }
}

impl Distance {
    /// The distance of a state. Of what cannot be evaluated there nothing is known but that it is not there yet.
    pub fn of(&self, asked: &Asked<'_>) -> u32 {
        match self {
            Distance::Known(distance) => *distance,
            Distance::Truth(expr, wanted) => asked.value(expr).map_or(1, |value| u32::from((value != 0) != *wanted)),
            Distance::Sum(parts) => parts.iter().fold(0, |sum, part| plus(sum, part.of(asked))),
            Distance::Most(parts) => parts.iter().map(|part| part.of(asked)).max().unwrap_or(0),
            Distance::Least(parts) => parts.iter().map(|part| part.of(asked)).min().unwrap_or(FAR),
            Distance::Gap(op, left, right) => match (asked.value(left), asked.value(right)) {
                (Some(left), Some(right)) => gap(*op, left, right),
                _ => 1,
            },
            Distance::Room(length, capacity) => {
                let length = asked.value(length).and_then(|length| u32::try_from(length).ok());
                length.map_or(1, |length| capacity.saturating_sub(length))
            }
            Distance::Messages(length) => {
                asked.value(length).and_then(|length| u32::try_from(length).ok()).unwrap_or(1)
            }
            Distance::Before(poll) => asked.before(poll).unwrap_or(1),
            // A process that does not exist has to be created first.
            Distance::Control(at, distances) => asked.location(at).map_or(1, |location| distances[location]),
        }
    }
}

/// By how much a comparison fails.
fn gap(op: BinaryOp, left: i32, right: i32) -> u32 {
    let (left, right) = (i64::from(left), i64::from(right));
    let lacks = match op {
        BinaryOp::Less => left - right + 1,
        BinaryOp::LessEqual => left - right,
        BinaryOp::Greater => right - left + 1,
        BinaryOp::GreaterEqual => right - left,
        _ => (left - right).abs(),
    };
    u32::try_from(lacks.max(0)).unwrap_or(FAR)
}
