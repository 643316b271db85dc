//! One process tries one action: statements in the order of the language reference.

use std::borrow::Cow;

use promela::source::Span;

use super::error::{ErrorKind, RuntimeError};
use super::moves::Timeout;
use crate::action::{Action, ActionKind, DStep};
use crate::expression::{Expr, Place};
use crate::id::{ChannelNumber, Pid};
use crate::machine::Machine;
use crate::state::State;

/// A `d_step` that takes more steps than this inside is taken for an endless one.
pub(crate) const D_STEP_LIMIT: usize = 1_000_000;

/// An attempt of one process to execute actions. The state is copied when it is first changed.
pub(super) struct Execution<'m, 's> {
    pub machine: &'m Machine,
    pub state: Cow<'s, State>,
    pub pid: Pid,
    pub timeout: Timeout,
    /// Whether the process had another action to execute in this state: `else` needs to know.
    pub had_choice: bool,
    /// A rendezvous that another process offers; only a receive that takes it can be executed.
    pub offer: Option<&'s Offer>,
    /// What went wrong without stopping the step.
    pub errors: Vec<RuntimeError>,
    /// What was printed.
    pub output: String,
    /// The statement being executed, for messages.
    pub span: Span,
    /// Processes whose readiness is being asked about, to end questions about questions.
    pub asking: Vec<Pid>,
}

/// A message offered in a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offer {
    pub channel: ChannelNumber,
    pub message: Vec<i32>,
}

/// How an attempt went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It has to wait.
    Blocked,
    /// It was executed.
    Done,
    /// It is the sending half of a rendezvous: it is executed if somebody takes the message.
    Offers(Offer),
}

impl Verdict {
    fn when(executable: bool) -> Verdict {
        if executable { Verdict::Done } else { Verdict::Blocked }
    }
}

pub(super) type Attempt<T> = Result<T, RuntimeError>;

impl<'m, 's> Execution<'m, 's> {
    /// An attempt of `pid` in `state`.
    pub fn new(machine: &'m Machine, state: &'s State, pid: Pid, timeout: Timeout) -> Execution<'m, 's> {
        Execution {
            machine,
            state: Cow::Borrowed(state),
            pid,
            timeout,
            had_choice: false,
            offer: None,
            errors: Vec::new(),
            output: String::new(),
            span: Span::NOWHERE,
            asking: Vec::new(),
        }
    }

    pub fn error(&self, kind: ErrorKind, span: Span, message: impl Into<String>) -> RuntimeError {
        RuntimeError { kind, message: message.into(), pid: Some(self.pid), span }
    }

    /// Tries an action.
    pub fn action(&mut self, action: &'m Action) -> Attempt<Verdict> {
        self.span = action.span;
        if self.offer.is_some() && !matches!(action.kind, ActionKind::Receive(_) | ActionKind::Deterministic(_)) {
            return Ok(Verdict::Blocked);
        }
        if action.choice.is_some_and(|(definition, number)| self.instance(definition, number).is_none()) {
            return Ok(Verdict::Blocked);
        }
        match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) => Ok(Verdict::Done),
            ActionKind::Condition(condition) => Ok(Verdict::when(self.value(condition)? != 0)),
            ActionKind::Else => Ok(Verdict::when(!self.had_choice)),
            ActionKind::Assign(place, value) => self.assign(place, value),
            ActionKind::Discard(value) => self.value(value).map(|_| Verdict::Done),
            ActionKind::Send(send) => self.send(send),
            ActionKind::Receive(receive) => self.receive(receive),
            ActionKind::Assert(condition) => {
                if self.value(condition)? == 0 {
                    let text = action.text.strip_prefix("assert(").and_then(|text| text.strip_suffix(')'));
                    let text = text.unwrap_or(&action.text);
                    let error = self.error(ErrorKind::Assertion, action.span, format!("assertion violated {text}"));
                    self.errors.push(error);
                }
                Ok(Verdict::Done)
            }
            ActionKind::Print(format, arguments) => self.print(format, arguments),
            ActionKind::PrintMtype(value, set) => {
                let value = self.value(value)?;
                let members = &self.machine.mtypes[set.index()].members;
                match members.iter().find(|(_, member)| *member == value) {
                    Some((name, _)) => self.output.push_str(name),
                    None => self.output.push_str(&value.to_string()),
                }
                Ok(Verdict::Done)
            }
            ActionKind::SetPriority(pid, priority) => self.set_priority(pid, priority),
            ActionKind::Code(id) => self.execute_code(*id, action.span),
            ActionKind::Deterministic(body) => self.d_step(body, action.span),
            ActionKind::Event(_) => Ok(Verdict::Blocked),
            ActionKind::End => Ok(Verdict::when(self.end_process())),
        }
    }

    fn assign(&mut self, place: &'m Place, value: &'m Expr) -> Attempt<Verdict> {
        let value = self.value(value)?;
        self.store(place, value)?;
        Ok(Verdict::Done)
    }

    /// The first alternative that is possible is taken, until the body is left. Having to wait is allowed at the start only, and
    /// so is taking the offer of a rendezvous.
    fn d_step(&mut self, body: &'m DStep, span: Span) -> Attempt<Verdict> {
        let mut node = 0;
        for step in 0..D_STEP_LIMIT {
            // Only an `else` that is itself the guard looks at what else the process could have done.
            self.had_choice &= step == 0 && body.nodes[0].edges.len() == 1;
            let mut taken = None;
            for edge in &body.nodes[node].edges {
                match self.action(self.machine.action(edge.action))? {
                    Verdict::Done => {
                        self.offer = None;
                        taken = Some(edge);
                        break;
                    }
                    Verdict::Blocked => {}
                    Verdict::Offers(_) => {
                        return Err(self.error(ErrorKind::RendezvousInDStep, self.span, "rendezvous inside a d_step"));
                    }
                }
            }
            match taken {
                None if step == 0 => return Ok(Verdict::Blocked),
                None => {
                    let what = if body.nodes[node].edges.len() > 1 { "selection" } else { "statement" };
                    let message = format!("a {what} inside a d_step has to wait");
                    return Err(self.error(ErrorKind::BlockedInDStep, self.span, message));
                }
                Some(edge) => match edge.target {
                    None => return Ok(Verdict::Done),
                    Some(target) => node = target as usize,
                },
            }
        }
        Err(self.error(ErrorKind::EndlessDStep, span, "the d_step does not end"))
    }

    fn print(&mut self, format: &str, arguments: &'m [Expr]) -> Attempt<Verdict> {
        let mut arguments = arguments.iter();
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            if character != '%' {
                self.output.push(character);
                continue;
            }
            let Some(conversion) = characters.next() else { break };
            if conversion == '%' {
                self.output.push('%');
                continue;
            }
            let Some(argument) = arguments.next() else { continue };
            let value = self.value(argument)?;
            let text = match conversion {
                'c' => char::from(value as u8).to_string(),
                'u' => (value as u32).to_string(),
                'x' => format!("{value:x}"),
                'o' => format!("{value:o}"),
                'e' => self.mtype_name(argument, value),
                _ => value.to_string(),
            };
            self.output.push_str(&text);
        }
        Ok(Verdict::Done)
    }

    /// `%e` prints the name of an mtype value: of the variable's own set where that is known, else of the plain one.
    fn mtype_name(&self, argument: &Expr, value: i32) -> String {
        let set = match argument {
            Expr::Load(place) => match self.area_of(place).cells(place.cells).ty {
                promela::model::Type::Mtype(set) => set.index(),
                _ => 0,
            },
            _ => 0,
        };
        let named = self.machine.mtypes.iter().skip(set).chain(&self.machine.mtypes);
        let mut members = named.flat_map(|set| &set.members);
        members.find(|(_, member)| *member == value).map_or_else(|| value.to_string(), |(name, _)| name.to_string())
    }
}
