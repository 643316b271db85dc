//! What a step did beyond its effect on the state: the statements inside a `d_step`, and the messages that went through channels.
//!
//! Searches need none of this, so moves do not carry it. A trace executes the step once more and watches: the position at
//! which a message was put in or taken out is read off the channel's contents before and after.

use super::Interpreter;
use super::execution::{Execution, Offer, Verdict};
use super::moves::{Step, Timeout};
use crate::action::{Action, ActionKind, DStep, Field, Receive, Send};
use crate::id::{ActionId, ChannelNumber, Pid};
use crate::state::State;

/// What a move did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observation {
    /// The statements that a `d_step` executed; empty for any other step.
    pub inside: Vec<ActionId>,
    /// The messages that were sent and received, in order.
    pub communications: Vec<Communication>,
}

/// A message that was sent or received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Communication {
    /// What happened to it.
    pub kind: CommunicationKind,
    /// Who did it.
    pub pid: Pid,
    /// The channel.
    pub channel: ChannelNumber,
    /// The message's fields.
    pub message: Vec<i32>,
}

/// What happened to a message. Positions count from the oldest message of the channel, which is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommunicationKind {
    /// It was put into the channel and now stands at this position.
    Sent(u32),
    /// It was sent to a full channel and lost.
    Lost,
    /// It was taken out of this position.
    Received(u32),
    /// It was read at this position and left there.
    Copied(u32),
    /// It was handed to another process in a rendezvous.
    HandedTo(Pid),
}

/// A `d_step` is watched for so many statements; its effect is that of the interpreter in any case.
const WATCHED: usize = 10_000;

impl Interpreter<'_> {
    /// Watches a move that is possible in `state`.
    #[must_use]
    pub fn observe(&self, state: &State, steps: &[Step], timeout: Timeout) -> Observation {
        let mut observation = Observation::default();
        let Some(first) = steps.first() else { return observation };
        let mut execution = Execution::new(self.machine(), state, first.pid, timeout);
        let action = self.machine().action(first.action);
        match (&action.kind, steps.get(1)) {
            (ActionKind::Send(send), Some(partner)) => {
                if let Some((channel, message)) = execution.offered(send) {
                    let kind = CommunicationKind::HandedTo(partner.pid);
                    observation.communications.push(Communication { kind, pid: first.pid, channel, message });
                }
            }
            (ActionKind::Deterministic(body), _) => execution.watch_d_step(body, &mut observation),
            _ => {
                execution.watch(action, &mut observation);
            }
        }
        observation
    }
}

impl Interpreter<'_> {
    /// The message that an action of a process moves by itself in a state where it is possible: the channel, and its fields. A receive that
    /// leaves the message where it is moves none.
    #[must_use]
    pub fn moved(&self, state: &State, pid: Pid, action: ActionId) -> Option<(ChannelNumber, Vec<i32>)> {
        let mut execution = Execution::new(self.machine(), state, pid, Timeout::No);
        match &self.machine().action(action).kind {
            ActionKind::Send(send) => execution.offered(send),
            ActionKind::Receive(receive) if !receive.copy => execution.copied(receive),
            _ => None,
        }
    }

    /// What a move that ends in a `d_step` does in it, statement by statement: the state after each, and the message that it moves. If the `d_step`
    /// takes the offer of a rendezvous, that message is not among them.
    #[must_use]
    pub fn observe_inside(
        &self,
        state: &State,
        steps: &[Step],
        timeout: Timeout,
    ) -> Vec<(State, Option<Communication>)> {
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return Vec::new() };
        let ActionKind::Deterministic(body) = &self.machine().action(last.action).kind else { return Vec::new() };
        let mut start = state.clone();
        let mut offer = None;
        if steps.len() > 1
            && let ActionKind::Send(send) = &self.machine().action(first.action).kind
        {
            let offered = Execution::new(self.machine(), state, first.pid, timeout).offered(send);
            offer = offered.map(|(channel, message)| Offer { channel, message });
            start.set_location(&self.machine().layout, first.pid, first.to);
        }
        let mut execution = Execution::new(self.machine(), &start, last.pid, timeout);
        execution.offer = offer.as_ref();
        execution.statements(body)
    }
}

impl<'m> Execution<'m, '_> {
    fn statements(&mut self, body: &'m DStep) -> Vec<(State, Option<Communication>)> {
        let (mut node, mut all) = (0, Vec::new());
        while all.len() < WATCHED {
            self.had_choice = false;
            let mut seen = Observation::default();
            let mut edges = body.nodes[node].edges.iter();
            let Some(edge) = edges.find(|edge| self.watch(self.machine.action(edge.action), &mut seen)) else { break };
            // What is taken from a rendezvous is in no channel.
            let taken = self.offer.take().is_some();
            let message = seen.communications.pop().filter(|_| !taken);
            all.push((self.state.clone().into_owned(), message));
            match edge.target {
                Some(target) => node = target as usize,
                None => break,
            }
        }
        all
    }

    fn watch_d_step(&mut self, body: &'m DStep, observation: &mut Observation) {
        let mut node = 0;
        while observation.inside.len() < WATCHED {
            self.had_choice = false;
            let mut edges = body.nodes[node].edges.iter();
            let taken = edges.find(|edge| self.watch(self.machine.action(edge.action), observation));
            let Some(edge) = taken else { return };
            observation.inside.push(edge.action);
            match edge.target {
                Some(target) => node = target as usize,
                None => return,
            }
        }
    }

    /// Executes an action if that is possible, and notes the message that it moves.
    fn watch(&mut self, action: &'m Action, observation: &mut Observation) -> bool {
        let pid = self.pid;
        let (channel, copied) = match &action.kind {
            ActionKind::Send(send) => (self.channel(&send.channel).ok().map(|(number, _)| number), None),
            ActionKind::Receive(receive) => self.copied(receive).unzip(),
            _ => (None, None),
        };
        let before = channel.map(|channel| self.contents(channel));
        if self.action(action) != Ok(Verdict::Done) {
            return false;
        }
        let (Some(channel), Some(before)) = (channel, before) else { return true };
        let after = self.contents(channel);
        let communication = match &action.kind {
            // A message is inserted behind its equals, and taken from the front.
            ActionKind::Send(send) => match (0..after.len()).rev().find(|&at| is_without(&before, &after, at)) {
                Some(at) => Some((CommunicationKind::Sent(at as u32), after[at].clone())),
                None => self.offered(send).map(|(_, message)| (CommunicationKind::Lost, message)),
            },
            _ => match (0..before.len()).find(|&at| is_without(&after, &before, at)) {
                Some(at) => Some((CommunicationKind::Received(at as u32), before[at].clone())),
                None => copied.map(|message| {
                    let at = before.iter().position(|present| *present == message).unwrap_or(0);
                    (CommunicationKind::Copied(at as u32), message)
                }),
            },
        };
        if let Some((kind, message)) = communication {
            observation.communications.push(Communication { kind, pid, channel, message });
        }
        true
    }

    /// The channel of a send and the message it would put there.
    fn offered(&mut self, send: &'m Send) -> Option<(ChannelNumber, Vec<i32>)> {
        let (number, channel) = self.channel(&send.channel).ok()?;
        let shape = self.machine.layout.shape(channel.shape);
        let mut message = Vec::new();
        for (field, value) in send.values.iter().enumerate().take(shape.fields.len()) {
            message.push(shape.scalar(field).truncate(self.value(value).ok()?));
        }
        Some((number, message))
    }

    /// The channel of a receive and the message it would read.
    fn copied(&mut self, receive: &'m Receive) -> Option<(ChannelNumber, Vec<i32>)> {
        let (number, channel) = self.channel(&receive.channel).ok()?;
        let mut pattern = Vec::new();
        for field in &receive.fields {
            pattern.push(match field {
                Field::Match(value) => Some(self.value(value).ok()?),
                Field::Bind(_) | Field::Ignore => None,
            });
        }
        let position = self.find_message(channel, &pattern, receive.random)?;
        self.contents(number).into_iter().nth(position as usize).map(|message| (number, message))
    }

    fn contents(&self, number: ChannelNumber) -> Vec<Vec<i32>> {
        let layout = &self.machine.layout;
        let Some(channel) = self.state.channel(layout, i32::from(number.0)) else { return Vec::new() };
        let fields = layout.shape(channel.shape).fields.len();
        let message =
            |position| (0..fields).map(|field| self.state.message_field(layout, channel, position, field)).collect();
        (0..self.state.channel_length(layout, channel)).map(message).collect()
    }
}

/// Whether `fewer` is `more` without the message at a position.
fn is_without(fewer: &[Vec<i32>], more: &[Vec<i32>], position: usize) -> bool {
    more.len() == fewer.len() + 1 && more[..position] == fewer[..position] && more[position + 1..] == fewer[position..]
}
