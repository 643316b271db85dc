//! One process tries one action, alone: what another engine asks when it meets something it leaves to the interpreter.

use super::Interpreter;
use super::error::RuntimeError;
use super::execution::{Execution, Offer, Verdict};
use super::moves::Timeout;
use crate::expression::{ChannelRef, Expr, Place};
use crate::id::{ActionId, ChannelNumber, Pid};
use crate::state::{Channel, State};

/// The circumstances of an attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circumstances<'s> {
    pub state: &'s State,
    pub pid: Pid,
    pub timeout: Timeout,
    /// Whether the process could do something else, which matters for an `else` that guards a `d_step`.
    pub had_choice: bool,
    /// A message that another process offers in a rendezvous.
    pub offer: Option<(ChannelNumber, &'s [i32])>,
}

/// How an attempt went. Locations are not moved.
#[derive(Clone, Debug)]
pub(crate) enum Attempted {
    /// It has to wait.
    Blocked,
    /// It went wrong.
    Failed,
    /// It was executed, and that many assertions failed.
    Done { target: State, assertions: u32 },
    /// It is the sending half of a rendezvous.
    Offers { half: State, channel: ChannelNumber, message: Vec<i32> },
}

/// Claims are no process: nobody has this number.
const OBSERVER: Pid = Pid(u8::MAX);

impl<'m> Interpreter<'m> {
    /// The value of an expression over the global state, asked by nobody in particular.
    ///
    /// # Errors
    /// When it cannot be computed.
    pub fn global_value(&self, state: &State, expression: &'m Expr, timeout: Timeout) -> Result<i32, RuntimeError> {
        Execution::new(self.machine(), state, OBSERVER, timeout).value(expression)
    }
}

impl Interpreter<'_> {
    /// Tries an action other than `else`.
    pub(crate) fn attempt(&self, circumstances: Circumstances<'_>, action: ActionId) -> Attempted {
        let Circumstances { state, pid, timeout, had_choice, offer } = circumstances;
        let offer = offer.map(|(channel, message)| Offer { channel, message: message.to_vec() });
        let mut execution = Execution::new(self.machine(), state, pid, timeout);
        execution.offer = offer.as_ref();
        execution.had_choice = had_choice;
        match execution.action(self.machine().action(action)) {
            Err(_) => Attempted::Failed,
            Ok(Verdict::Blocked) => Attempted::Blocked,
            Ok(Verdict::Done) => {
                let assertions = execution.errors.len() as u32;
                Attempted::Done { target: execution.state.into_owned(), assertions }
            }
            Ok(Verdict::Offers(Offer { channel, message })) => {
                Attempted::Offers { half: execution.state.into_owned(), channel, message }
            }
        }
    }

    /// Which cell of its group a place is, when a process names it.
    pub(crate) fn element(&self, state: &State, pid: Pid, place: &Place) -> Option<u32> {
        let mut execution = Execution::new(self.machine(), state, pid, Timeout::No);
        execution.locate(place).ok().flatten().map(|(_, element)| element)
    }

    /// The value of a place, when a process names it.
    pub(crate) fn peek(&self, state: &State, pid: Pid, place: &Place) -> Option<i32> {
        Execution::new(self.machine(), state, pid, Timeout::No).load(place).ok()
    }

    /// The value of an expression, when a process asks; `None` when it cannot be evaluated.
    pub(crate) fn value_for(&self, state: &State, pid: Pid, expression: &Expr) -> Option<i32> {
        Execution::new(self.machine(), state, pid, Timeout::No).value(expression).ok()
    }

    /// The channel that a process means; `None` when there is none.
    pub(crate) fn channel_for(&self, state: &State, pid: Pid, channel: &ChannelRef) -> Option<Channel> {
        Execution::new(self.machine(), state, pid, Timeout::No).channel(channel).ok().map(|(_, channel)| channel)
    }

    /// The number of the channel that a process means; `None` when there is none.
    pub(crate) fn channel_number_for(&self, state: &State, pid: Pid, channel: &ChannelRef) -> Option<ChannelNumber> {
        Execution::new(self.machine(), state, pid, Timeout::No).channel(channel).ok().map(|(number, _)| number)
    }

    /// Whether a process' `provided` clause lets it move; `None` when it cannot be evaluated.
    pub(crate) fn provided(&self, circumstances: Circumstances<'_>) -> Option<bool> {
        let Circumstances { state, pid, timeout, .. } = circumstances;
        let automaton = &self.machine().definition(state.definition(&self.machine().layout, pid)).automaton;
        let Some(provided) = &automaton.provided else { return Some(true) };
        let mut execution = Execution::new(self.machine(), state, pid, timeout);
        execution.value(provided).ok().map(|value| value != 0)
    }
}
