//! Why a process cannot move: for each statement that it could execute next, what stands in its way.
//!
//! A condition is false because of the values in it, a channel is full or empty or holds another message, nobody is at the other end of a
//! rendezvous, a `provided` clause is false, or the process has ended and younger ones have not.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::action::{Action, ActionKind, Field, Receive, Send};
use crate::expression::{ChannelRef, Expr, Owner, Place};
use crate::id::{ChannelNumber, DefinitionId, Pid};
use crate::interpret::{Circumstances, Interpreter, Timeout};
use crate::show::{ChannelView, Show, SourcePlace, Value, VariableView, joined, one_line};
use crate::state::State;

/// A process that cannot move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waiting {
    /// Its number.
    pub pid: u8,
    /// The name of its proctype.
    pub process: String,
    /// Where it waits.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// What it could do next, and what stands in the way of each.
    pub obstacles: Vec<Obstacle>,
}

/// A statement that cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Obstacle {
    /// The statement as it is written; empty where it is not a statement that waits.
    pub statement: String,
    /// What stands in its way.
    #[serde(flatten)]
    pub reason: Reason,
}

/// What stands in the way of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Reason {
    /// It is false.
    False {
        /// The variables in it with their values.
        values: Vec<VariableView>,
        /// The channels that it asks about.
        channels: Vec<ChannelView>,
    },
    /// The channel has no room.
    Full {
        /// The channel.
        channel: ChannelView,
    },
    /// The channel holds no message.
    Empty {
        /// Its name.
        channel: String,
    },
    /// The channel holds other messages.
    OtherMessage {
        /// The channel.
        channel: ChannelView,
        /// Whether only the oldest message counts.
        oldest: bool,
    },
    /// Nobody is at the other end of a rendezvous with what would fit.
    NoPartner {
        /// The channel.
        channel: String,
        /// Those who are at the other end with something else: who, and the statement.
        others: Vec<(String, String)>,
    },
    /// The clause of the proctype is false.
    Provided {
        /// The variables in it, with their values.
        values: Vec<VariableView>,
    },
    /// Another process can move, so `timeout` is false.
    NoTimeout,
    /// The process has ended. It disappears behind all younger processes.
    Ended,
    /// It is not the turn of this process: another one is inside an `atomic`, or has a higher priority.
    NotItsTurn,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::False { values, channels } if values.is_empty() && channels.is_empty() => {
                f.write_str("it is false")
            }
            Reason::False { values, channels } => {
                let values = values.iter().map(|each| format!("{} = {}", each.name, each.value));
                let channels = channels.iter().map(contents);
                f.write_str(&values.chain(channels).collect::<Vec<_>>().join(", "))
            }
            Reason::Full { channel } => write!(f, "`{}` is full: {}", channel.name, messages(channel)),
            Reason::Empty { channel } => write!(f, "`{channel}` is empty"),
            Reason::OtherMessage { channel, oldest: true } => {
                let first = channel.messages.first().map(|message| joined(message)).unwrap_or_default();
                write!(f, "the oldest message in `{}` is {first}", channel.name)
            }
            Reason::OtherMessage { channel, oldest: false } => {
                write!(f, "no message in `{}` matches: {}", channel.name, messages(channel))
            }
            Reason::NoPartner { channel, others } if others.is_empty() => {
                write!(f, "nobody is at the other end of `{channel}`")
            }
            Reason::NoPartner { channel, others } => {
                let others = others.iter().map(|(who, statement)| format!("{who} is at `{statement}`"));
                write!(f, "nobody at the other end of `{channel}` matches: {}", others.collect::<Vec<_>>().join(", "))
            }
            Reason::Provided { values } => {
                let values = values.iter().map(|each| format!("{} = {}", each.name, each.value)).collect::<Vec<_>>();
                write!(f, "its `provided` clause is false: {}", values.join(", "))
            }
            Reason::NoTimeout => f.write_str("another process can move"),
            Reason::Ended => f.write_str("it has ended, and disappears after all younger processes"),
            Reason::NotItsTurn => f.write_str("it is not its turn"),
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.statement.is_empty() { self.reason.fmt(f) } else { write!(f, "`{}`: {}", self.statement, self.reason) }
    }
}

fn messages(channel: &ChannelView) -> String {
    Value::Messages(channel.messages.clone()).to_string()
}

/// `q holds 1 of 2`
fn contents(channel: &ChannelView) -> String {
    format!("`{}` holds {} of {}", channel.name, channel.messages.len(), channel.capacity)
}

/// The processes of a state that cannot move, each with its reasons; `moves` tells which can.
pub fn waiting(show: &Show<'_>, state: &State, moves: impl Fn(Pid) -> bool) -> Vec<Waiting> {
    let looker = Looker { show, interpreter: Interpreter::new(show.machine()), state };
    state.pids().filter(|&pid| !moves(pid)).map(|pid| looker.waiting(pid)).collect()
}

struct Looker<'a, 'm> {
    show: &'a Show<'m>,
    interpreter: Interpreter<'m>,
    state: &'a State,
}

impl<'m> Looker<'_, 'm> {
    fn waiting(&self, pid: Pid) -> Waiting {
        let automaton = &self.interpreter.machine().definition(self.definition(pid)).automaton;
        let location = automaton.location(self.location(pid));
        let circumstances =
            Circumstances { state: self.state, pid, timeout: Timeout::No, had_choice: false, offer: None };
        let obstacles = match &automaton.provided {
            Some(provided) if self.interpreter.provided(circumstances) != Some(true) => {
                let reason = Reason::Provided { values: self.values(pid, provided) };
                vec![Obstacle { statement: String::new(), reason }]
            }
            _ => self.obstacles(pid),
        };
        Waiting {
            pid: pid.0,
            process: automaton.name.to_string(),
            place: self.show.place(location.span.unwrap_or(automaton.span)),
            obstacles,
        }
    }

    fn definition(&self, pid: Pid) -> DefinitionId {
        self.state.definition(&self.interpreter.machine().layout, pid)
    }

    fn location(&self, pid: Pid) -> crate::id::Location {
        self.state.location(&self.interpreter.machine().layout, pid)
    }

    /// What stands in the way of each way out of where a process is.
    fn obstacles(&self, pid: Pid) -> Vec<Obstacle> {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for action in self.next_actions(pid) {
            let statement = match action.kind {
                ActionKind::End => String::new(),
                _ => self.show.written(action.span),
            };
            let obstacle = Obstacle { statement, reason: self.reason(pid, action) };
            if !obstacles.contains(&obstacle) {
                obstacles.push(obstacle);
            }
        }
        obstacles
    }

    /// The actions that a process could do next; the first ones of a `d_step` in its place.
    fn next_actions(&self, pid: Pid) -> Vec<&'m Action> {
        let machine = self.interpreter.machine();
        let edges = &machine.definition(self.definition(pid)).automaton.location(self.location(pid)).edges;
        let mut actions = Vec::new();
        for edge in edges {
            let action = machine.action(edge.action);
            match &action.kind {
                ActionKind::Deterministic(body) => {
                    let first = body.nodes.first().into_iter().flat_map(|node| &node.edges);
                    actions.extend(first.map(|edge| machine.action(edge.action)));
                }
                _ => actions.push(action),
            }
        }
        actions
    }

    fn reason(&self, pid: Pid, action: &'m Action) -> Reason {
        match &action.kind {
            ActionKind::Condition(Expr::Timeout) => Reason::NoTimeout,
            ActionKind::Condition(condition) if self.interpreter.value_for(self.state, pid, condition) == Some(0) => {
                Reason::False { values: self.values(pid, condition), channels: self.channels(pid, condition) }
            }
            ActionKind::Send(send) => self.send(pid, send),
            ActionKind::Receive(receive) => self.receive(pid, receive),
            ActionKind::End => Reason::Ended,
            _ => Reason::NotItsTurn,
        }
    }

    fn send(&self, pid: Pid, send: &Send) -> Reason {
        let Some(channel) = self.channel(pid, &send.channel) else { return Reason::NotItsTurn };
        if channel.capacity == 0 {
            let others = self.others(pid, &channel, |action| match &action.kind {
                ActionKind::Receive(receive) => Some(&receive.channel),
                _ => None,
            });
            return Reason::NoPartner { channel: channel.name, others };
        }
        if channel.messages.len() == channel.capacity as usize { Reason::Full { channel } } else { Reason::NotItsTurn }
    }

    fn receive(&self, pid: Pid, receive: &Receive) -> Reason {
        let Some(channel) = self.channel(pid, &receive.channel) else { return Reason::NotItsTurn };
        if channel.capacity == 0 {
            let others = self.others(pid, &channel, |action| match &action.kind {
                ActionKind::Send(send) => Some(&send.channel),
                _ => None,
            });
            return Reason::NoPartner { channel: channel.name, others };
        }
        let matches = receive.fields.iter().any(|field| matches!(field, Field::Match(_)));
        match (channel.messages.is_empty(), matches) {
            (true, _) => Reason::Empty { channel: channel.name },
            (false, true) => Reason::OtherMessage { channel, oldest: !receive.random },
            (false, false) => Reason::NotItsTurn,
        }
    }

    /// The others that are at the other end of a channel, and with which statement.
    fn others(
        &self,
        pid: Pid,
        channel: &ChannelView,
        other_end: impl Fn(&'m Action) -> Option<&'m ChannelRef>,
    ) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for other in self.state.pids().filter(|&other| other != pid) {
            let name = &self.interpreter.machine().definition(self.definition(other)).automaton.name;
            for action in self.next_actions(other) {
                let end = other_end(action).and_then(|end| self.channel(other, end));
                if end.is_some_and(|end| end.number == channel.number) {
                    found.push((format!("{name}({})", other.0), self.show.written(action.span)));
                }
            }
        }
        found
    }

    fn channel(&self, pid: Pid, channel: &ChannelRef) -> Option<ChannelView> {
        let number: ChannelNumber = self.interpreter.channel_number_for(self.state, pid, channel)?;
        self.show.channel(self.state, number)
    }

    /// The variables in an expression with their values.
    fn values(&self, pid: Pid, expression: &Expr) -> Vec<VariableView> {
        let mut found: Vec<VariableView> = Vec::new();
        expression.any(&mut |part| {
            if let Expr::Load(place) | Expr::Remote(place) = part
                && let Some(variable) = self.variable(pid, place)
                && !found.contains(&variable)
            {
                found.push(variable);
            }
            false
        });
        found
    }

    fn variable(&self, pid: Pid, place: &Place) -> Option<VariableView> {
        let element = self.interpreter.element(self.state, pid, place)?;
        let value = self.interpreter.peek(self.state, pid, place)?;
        let own = self.definition(pid);
        let (owner, written) = match &place.owner {
            Owner::Global => (None, None),
            Owner::Own => (Some(own), None),
            // Which process it belongs to is said best as it is written.
            Owner::Remote(definition, _) => (Some(*definition), Some(place.span)),
        };
        let written = written.map(|span| one_line(self.interpreter.machine().sources.snippet(span)));
        let cell = self.show.cell(self.state, owner, place.cells, element, value);
        Some(VariableView { name: written.unwrap_or(cell.name), value: cell.value })
    }

    /// The channels that an expression asks about.
    fn channels(&self, pid: Pid, expression: &Expr) -> Vec<ChannelView> {
        let mut found: Vec<ChannelView> = Vec::new();
        expression.any(&mut |part| {
            let asked = match part {
                Expr::Probe(_, channel) => self.channel(pid, channel),
                Expr::Poll(poll) => self.channel(pid, &poll.channel),
                _ => None,
            };
            found.extend(asked.filter(|channel| !found.contains(channel)));
            false
        });
        found
    }
}
