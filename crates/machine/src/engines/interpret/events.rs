//! `trace` and `notrace`: an automaton that watches the messages of some channels.
//!
//! Where the automaton is belongs to the state. Each send and each receive on a channel that it names in that direction is an event;
//! a rendezvous is two, and reading a message that stays where it is is none. An event that a `trace` does not expect is an
//! error, and so is the last event of a `notrace`; the step is taken all the same. A `notrace` that meets an event it does not expect has
//! nothing more to say. (SPIN offers the sending half of a rendezvous to the automaton before anybody takes it, and looks at the
//! wrong message after `!!` and `??`.)

use promela::model::PortDirection;

use super::Interpreter;
use super::error::ErrorKind;
use super::execution::{Attempt, Execution};
use crate::action::{ActionKind, Event};
use crate::id::{ChannelNumber, Location};
use crate::machine::TraceAutomaton;
use crate::state::{State, Storage};

impl<'m> Execution<'m, '_> {
    /// A message went through a channel.
    pub fn event(&mut self, direction: PortDirection, channel: ChannelNumber, message: &[i32]) -> Attempt<()> {
        let Some(trace) = &self.machine.trace else { return Ok(()) };
        let automaton = &trace.automaton;
        let everywhere = automaton.locations.iter().flat_map(|location| &location.edges);
        if !everywhere.map(|edge| edge.action).any(|action| self.concerns(action, direction, channel).is_some()) {
            return Ok(());
        }
        let location = trace.location(&self.machine.layout, &self.state);
        let edges = if location == automaton.end { &[][..] } else { &automaton.location(location).edges };
        let mut target = None;
        for edge in edges {
            if let Some(event) = self.concerns(edge.action, direction, channel)
                && self.expects(event, message)?
            {
                if target.is_some() {
                    return Err(self.error(ErrorKind::TraceAssertion, self.span, "non-determinism in event-trace"));
                }
                target = Some(edge.target);
                if trace.negated && edge.target == automaton.end {
                    break;
                }
            }
        }
        let problem = match (target, trace.negated) {
            (Some(target), true) if target == automaton.end => Some("event_trace error (all events matched)"),
            (None, false) => Some("event_trace error (no matching event)"),
            (Some(_), _) | (None, true) => None,
        };
        if let Some(problem) = problem {
            let error = self.error(ErrorKind::TraceAssertion, self.span, problem);
            self.errors.push(error);
        }
        let target = if trace.negated { target.or(Some(automaton.end)) } else { target };
        if let Some(target) = target {
            let layout = &self.machine.layout;
            self.state.to_mut().write(layout, Storage::Global, trace.cells, 0, target.0 as i32);
        }
        Ok(())
    }

    /// The event of an action of the automaton, if it is one of that channel in that direction.
    fn concerns(
        &mut self,
        action: crate::id::ActionId,
        direction: PortDirection,
        channel: ChannelNumber,
    ) -> Option<&'m Event> {
        let ActionKind::Event(event) = &self.machine.action(action).kind else { return None };
        let named = self.channel(&event.channel).ok()?.0;
        (event.direction == direction && named == channel).then_some(event)
    }

    fn expects(&mut self, event: &'m Event, message: &[i32]) -> Attempt<bool> {
        for (wanted, value) in event.pattern.iter().zip(message) {
            if let Some(wanted) = wanted
                && self.value(wanted)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl TraceAutomaton {
    /// Where the automaton is.
    #[must_use]
    pub fn location(&self, layout: &crate::layout::Layout, state: &State) -> Location {
        Location(state.read(layout, Storage::Global, self.cells, 0) as u32)
    }
}

impl Interpreter<'_> {
    /// Whether a `trace` expects more to come, so that a run should not end here. As in SPIN, nobody asks when no process is
    /// left; unlike there, a `notrace` expects nothing.
    #[must_use]
    pub fn trace_is_open(&self, state: &State) -> bool {
        self.machine().trace.as_ref().is_some_and(|trace| {
            let location = trace.location(&self.machine().layout, state);
            !trace.negated && state.process_count() > 0 && !trace.automaton.location(location).end
        })
    }
}
