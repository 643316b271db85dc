//! Actions: what one step of a process does.
//!
//! An action is executable in a state or not; when it is executed it changes the state. Both halves are read off one
//! description here, so every engine (interpreter, compiled code) and every analysis sees the same thing.

use std::sync::Arc;

use promela::model::{MtypeSetId, PortDirection};
use promela::source::Span;

use crate::expression::{ChannelRef, Expr, Place};
use crate::id::{ActionId, CodeId, DefinitionId, Location};

/// One action.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it does.
    pub kind: ActionKind,
    /// The statement's text, in one line, as SPIN shows it.
    pub text: Arc<str>,
    /// Where the statement stands.
    pub span: Span,
    /// The process that must exist for it to be possible, if it is one choice of an `anyRef`: its definition, and which one.
    pub choice: Option<(DefinitionId, u32)>,
}

/// A step that only goes elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// `goto`.
    Goto,
    /// `break`.
    Break,
    /// From the end of a selection to what comes behind it.
    Join,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// Nothing, always possible: `skip`.
    Skip,
    /// Nothing but going elsewhere, where that is a step of its own.
    Jump(Jump),
    /// Possible when the value is not zero. `run P()` is one of these.
    Condition(Expr),
    /// Possible when no other action of the process is, in this state.
    Else,
    /// `x = e`
    Assign(Place, Expr),
    /// `_ = e`: only what can go wrong in `e` matters.
    Discard(Expr),
    /// `q!...`
    Send(Send),
    /// `q?...`
    Receive(Receive),
    /// `assert(e)`: an error when the value is zero, but possible all the same.
    Assert(Expr),
    /// `printf`
    Print(Arc<str>, Vec<Expr>),
    /// `printm`
    PrintMtype(Expr, MtypeSetId),
    /// `set_priority(p, n)`
    SetPriority(Expr, Expr),
    /// `c_code`
    Code(CodeId),
    /// Several statements in one indivisible, deterministic step.
    Deterministic(DStep),
    /// In a trace only: a send or receive that is observed.
    Event(Event),
    /// The end of the body: the process disappears, once it is the youngest.
    End,
}

/// What a trace observes: any process sends or receives such a message.
#[derive(Clone, Debug)]
pub struct Event {
    /// Whether sends or receives are meant.
    pub direction: PortDirection,
    /// The channel.
    pub channel: ChannelRef,
    /// What each field must equal; `None` for any value.
    pub pattern: Vec<Option<Expr>>,
}

/// A send.
#[derive(Clone, Debug)]
pub struct Send {
    /// The channel.
    pub channel: ChannelRef,
    /// `!!`: before the first message that is greater.
    pub sorted: bool,
    /// The values, one per field as far as they were given.
    pub values: Vec<Expr>,
}

/// A receive.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: ChannelRef,
    /// `??`: the first message that matches.
    pub random: bool,
    /// `<...>`: leave the message where it is.
    pub copy: bool,
    /// What happens with each field, as far as they were given.
    pub fields: Vec<Field>,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub enum Field {
    /// Stores it.
    Bind(Place),
    /// Throws it away.
    Ignore,
    /// Needs it to be this value.
    Match(Expr),
}

/// The body of a `d_step`: a small automaton that runs to its exit in one go.
#[derive(Clone, Debug)]
pub struct DStep {
    /// Its locations; 0 is the start.
    pub nodes: Vec<DStepNode>,
}

/// A location inside a `d_step`.
#[derive(Clone, Debug)]
pub struct DStepNode {
    /// The alternatives: the first one that is possible is taken. At the start, none means that the `d_step` has to
    /// wait; later it is an error.
    pub edges: Vec<DStepEdge>,
    /// The number SPIN gives to this control state, for reports of unreached code.
    pub location: Location,
}

/// An alternative inside a `d_step`.
#[derive(Clone, Debug)]
pub struct DStepEdge {
    /// What it does; never itself a `d_step`.
    pub action: ActionId,
    /// Where it goes; `None` leaves the `d_step`.
    pub target: Option<u32>,
}

impl Action {
    /// Whether a test holds for an expression in the action. The actions inside a `d_step` are actions of their own.
    pub fn any(&self, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
        match &self.kind {
            ActionKind::Skip
            | ActionKind::Jump(_)
            | ActionKind::Else
            | ActionKind::Code(_)
            | ActionKind::Deterministic(_)
            | ActionKind::End => false,
            ActionKind::Condition(value)
            | ActionKind::Discard(value)
            | ActionKind::Assert(value)
            | ActionKind::PrintMtype(value, _) => value.any(test),
            ActionKind::Assign(place, value) => place.any(test) || value.any(test),
            ActionKind::Send(send) => send.channel.any(test) || send.values.iter().any(|value| value.any(test)),
            ActionKind::Receive(receive) => {
                let field = |field: &Field| match field {
                    Field::Bind(place) => place.any(test),
                    Field::Ignore => false,
                    Field::Match(value) => value.any(test),
                };
                receive.fields.iter().any(field) || receive.channel.any(test)
            }
            ActionKind::Print(_, arguments) => arguments.iter().any(|argument| argument.any(test)),
            ActionKind::SetPriority(pid, priority) => pid.any(test) || priority.any(test),
            ActionKind::Event(event) => {
                event.channel.any(test) || event.pattern.iter().flatten().any(|value| value.any(test))
            }
        }
    }
}
