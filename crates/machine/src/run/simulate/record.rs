//! From a choice to the step of a trace, and to the moment after it.

use super::{Choice, Moment, Run};
use crate::id::{ActionId, ChannelNumber, Pid};
use crate::interpret::{Communication, CommunicationKind, Outcome, Step, Timeout};
use crate::show::Changes;
use crate::trace::{Exchange, ExchangeKind, Failure, Inside, Part, TraceStep};

/// The messages of a state by the order in which the run sent them: which message is received is no matter of its contents.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages {
    /// The numbers of the messages in each channel, oldest first.
    channels: Vec<Vec<u32>>,
    /// Messages sent so far.
    sent: u32,
}

impl Messages {
    /// No message in any channel.
    pub fn new(channels: usize) -> Messages {
        Messages { channels: vec![Vec::new(); channels], sent: 0 }
    }

    fn number(&mut self) -> u32 {
        self.sent += 1;
        self.sent
    }

    fn pass(&mut self, channel: ChannelNumber, kind: CommunicationKind) -> u32 {
        let index = usize::from(channel.0).saturating_sub(1);
        if self.channels.len() <= index {
            self.channels.resize(index + 1, Vec::new());
        }
        match kind {
            CommunicationKind::Sent(position) => {
                let number = self.number();
                let queue = &mut self.channels[index];
                queue.insert((position as usize).min(queue.len()), number);
                number
            }
            CommunicationKind::Lost | CommunicationKind::HandedTo(_) => self.number(),
            CommunicationKind::Copied(position) => {
                self.channels[index].get(position as usize).copied().unwrap_or_default()
            }
            CommunicationKind::Received(position) if (position as usize) < self.channels[index].len() => {
                self.channels[index].remove(position as usize)
            }
            CommunicationKind::Received(_) => 0,
        }
    }
}

impl Run<'_> {
    /// Executes a choice: what is after it, and the step of the trace.
    pub(super) fn record(&self, choice: Choice) -> (Moment, TraceStep) {
        let before = &self.now;
        let layout = &self.interpreter.machine().layout;
        let observation = self.interpreter.observe(&before.state, &choice.steps, choice.timeout);
        let mut messages = before.messages.clone();
        let parts = self.parts(&choice);
        let failure = choice.errors.first().map(|error| Failure::new(error, &self.show));
        let output = choice.output.clone();
        let (state, control) = match choice.outcome {
            Some(Outcome { target, exclusive }) => (target, exclusive),
            None => (before.state.clone(), None),
        };
        let communications = observation.communications.iter();
        let communications = communications.map(|each| self.exchange(each, &mut messages)).collect();
        // A process takes its channels with it.
        messages.channels.resize(state.channel_count(layout), Vec::new());

        let view = self.show.state(&state);
        let Changes { changed, created, ended } = Changes::between(&before.view, &view);
        let mover = choice.steps[0].pid;
        let mut parts = parts.into_iter();
        let step = TraceStep {
            number: self.taken + 1,
            part: parts.next().expect("a choice has a step"),
            partner: parts.next(),
            atomic: self.control() == Some(mover) || control.is_some(),
            control: control.map(|pid| pid.0),
            timeout: choice.timeout == Timeout::Now,
            inside: observation.inside.into_iter().map(|action| self.inside(action)).collect(),
            communications,
            output,
            changes: changed,
            created,
            ended,
            error: failure.clone(),
        };
        (Moment { state, view, control, failure, messages, choices: Vec::new() }, step)
    }

    /// One process' part in a step that is possible now.
    pub(super) fn part(&self, step: Step) -> Part {
        let Step { pid, definition: _, from, action, to } = step;
        let machine = self.interpreter.machine();
        let automaton = &machine.definition(self.now.state.definition(&machine.layout, pid)).automaton;
        let (statement, written, span, number) =
            if automaton.location(from).edges.iter().any(|edge| edge.action == action) {
                let Inside { statement, .. } = self.inside(action);
                let written = self.show.statement(machine.action(action)).filter(|written| *written != statement);
                (statement, written, machine.action(action).span, self.statements.number(action).0)
            } else {
                // Only the condition under which a process may move at all is evaluated outside of its statements.
                ("provided".to_string(), None, automaton.span, 0)
            };
        Part {
            pid: pid.0,
            process: automaton.name.to_string(),
            place: self.show.place(span),
            statement,
            written,
            state: number,
            from: from.0,
            to: to.0,
        }
    }

    fn inside(&self, action: ActionId) -> Inside {
        let action = self.interpreter.machine().action(action);
        Inside { place: self.show.place(action.span), statement: action.text.to_string() }
    }

    fn exchange(&self, communication: &Communication, messages: &mut Messages) -> Exchange {
        let Communication { kind, pid: Pid(pid), channel, message: ref fields } = *communication;
        let state = &self.now.state;
        let number = i32::from(channel.0);
        let found = state.channel(&self.interpreter.machine().layout, number);
        let (exchange, position) = match kind {
            CommunicationKind::Sent(position) => (ExchangeKind::Send, Some(position)),
            CommunicationKind::Lost => (ExchangeKind::Lose, None),
            CommunicationKind::Received(position) => (ExchangeKind::Receive, Some(position)),
            CommunicationKind::Copied(position) => (ExchangeKind::Copy, Some(position)),
            CommunicationKind::HandedTo(_) => (ExchangeKind::Rendezvous, None),
        };
        Exchange {
            kind: exchange,
            pid,
            to: match kind {
                CommunicationKind::HandedTo(receiver) => Some(receiver.0),
                _ => None,
            },
            channel: self.show.channel_name(state, number).unwrap_or_else(|| format!("channel {number}")),
            number: channel.0,
            fields: found.map(|found| self.show.message(state, found, fields)).unwrap_or_default(),
            position,
            message: messages.pass(channel, kind),
        }
    }
}
