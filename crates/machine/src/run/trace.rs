//! Traces: a run as data, every step with its process, line, statement, messages, output and changes.
//!
//! Whatever shows or stores a run does it from this type: listings, columns, message sequence charts, JSON. A trace needs no
//! model to be read; together with the model it can be executed again ([`crate::replay`]). Its serialised form is the schema
//! `isospin.trace/1`, described field by field in `docs/traces.md`.

mod counterexample;
mod text;

pub use self::counterexample::{NoCounterexample, PathEnd, counterexample, counterexample_modulo};
pub use self::text::Extent;

use std::fmt;

use serde::{Deserialize, Serialize};

use system::Movers;

use crate::interpret::error::{ErrorKind, RuntimeError};
use crate::show::{Change, ProcessBirth, Show, SourcePlace, StateView, Value, joined};
use crate::waiting::Waiting;

/// The schema of serialised traces.
pub const SCHEMA: &str = "isospin.trace/1";

/// A run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of isospin that wrote it.
    pub version: String,
    /// Which model it is a run of.
    #[serde(flatten)]
    pub origin: Origin,
    /// The state before the first step.
    pub initial: StateView,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// For a run that goes on for ever: the index (from 0) of the first step that is repeated. The steps from there on lead
    /// back to the state before it.
    pub cycle_start: Option<usize>,
    /// How it ends.
    pub end: End,
    /// The state after the last step.
    #[serde(rename = "final")]
    pub last: StateView,
    /// If no process can move there: what each of them waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
}

/// What a run is a run of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Origin {
    /// The model's path as it was given.
    pub model: String,
    /// A hash of the model's text after preprocessing, blanks and comments aside.
    pub digest: String,
    /// The definitions (`-D`) that the model was read with.
    #[serde(default)]
    pub defines: Vec<String>,
    /// Whether messages sent to full channels were lost instead of waiting.
    #[serde(default)]
    pub message_loss: bool,
    /// What was not checked: where the run goes wrong in such a way, it goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Check>,
    /// The property that the run violates, if it was made for one.
    pub property: Option<String>,
    /// The text of that property, if it is a formula: `ltl p { ... }`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The claims that were added to the model from files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimText>,
    /// `weak` or `strong` if the run is said to be fair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<String>,
    /// The seed, if the run was a random one.
    pub seed: Option<u64>,
}

/// Something that is checked in every run, unless it is not wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// Assertions hold.
    Assertions,
    /// Nobody uses an end of a channel that a process has to itself.
    ExclusiveEnds,
}

/// A claim from a file: an automaton in the Hanoi format, or a never claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClaimText {
    /// The file, as it was named.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// One step: what a process does in one go, or two processes in a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// Its number, from 1.
    pub number: u32,
    /// Who did what; in a rendezvous, the sender.
    #[serde(flatten)]
    pub part: Part,
    /// In a rendezvous, the receiver's part.
    pub partner: Option<Part>,
    /// Whether it belongs to an `atomic` sequence: the process held control before it or holds it afterwards.
    pub atomic: bool,
    /// The process that alone may go on, if one is inside an `atomic`.
    pub control: Option<u8>,
    /// Whether no process could move without `timeout`.
    pub timeout: bool,
    /// The statements that a `d_step` executed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<Inside>,
    /// The messages that were sent and received.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub communications: Vec<Exchange>,
    /// What was printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Variables and channels that changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Processes that were created.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub created: Vec<ProcessBirth>,
    /// Processes that ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<u8>,
    /// What went wrong in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
}

impl TraceStep {
    /// The processes that move in it.
    #[must_use]
    pub fn movers(&self) -> Movers {
        let one = |part: &Part| Movers::one(part.pid);
        self.partner.as_ref().map_or_else(Movers::default, one).and(one(&self.part))
    }
}

/// One process' part in a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The process.
    pub pid: u8,
    /// The name of its proctype.
    pub process: String,
    /// Where the statement stands.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// The statement as SPIN shows it.
    pub statement: String,
    /// The statement as it is written, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// The statement's number in its proctype: the `(state n)` of SPIN's listings.
    pub state: u32,
    /// The control location before.
    pub from: u32,
    /// The control location afterwards; 0 when the process is gone.
    pub to: u32,
}

impl Part {
    /// How the end of a process is written in the place of a statement.
    pub const END: &'static str = "-end-";

    /// Whether the process ends with this step.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.statement == Part::END
    }

    /// The statement as it is written.
    #[must_use]
    pub fn written(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.statement)
    }
}

/// A statement that was executed inside a `d_step`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inside {
    /// Where it stands.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// Its text.
    pub statement: String,
}

/// A message on its way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// What happened to it.
    pub kind: ExchangeKind,
    /// Who did it; in a rendezvous, the sender.
    pub pid: u8,
    /// The receiver of a rendezvous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u8>,
    /// The channel's name.
    pub channel: String,
    /// The channel's number.
    pub number: u8,
    /// The fields.
    pub fields: Vec<Value>,
    /// The position in the channel, 0 being the oldest message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// The number of the message, from 1 in the order in which the run's messages are sent: a receive has the number of
    /// the very message that it takes.
    pub message: u32,
}

/// What happened to a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExchangeKind {
    /// It was put into a channel.
    Send,
    /// It was sent to a full channel and is gone.
    Lose,
    /// It was taken out of a channel.
    Receive,
    /// It was read and left in its channel.
    Copy,
    /// It went from one process to another without delay.
    Rendezvous,
}

impl Exchange {
    /// `q!ack,1` or `q?ack,1`.
    #[must_use]
    pub fn text(&self, direction: Direction) -> String {
        let fields = joined(&self.fields);
        let name = &self.channel;
        match direction {
            Direction::Send => format!("{name}!{fields}"),
            Direction::Receive if self.kind == ExchangeKind::Copy => format!("{name}?<{fields}>"),
            Direction::Receive => format!("{name}?{fields}"),
        }
    }
}

/// Which end of an exchange is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// The sender's.
    Send,
    /// The receiver's.
    Receive,
}

/// Something that went wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// `assertion` or `runtime-error`.
    pub kind: EndKind,
    /// What happened.
    pub message: String,
    /// The process.
    pub pid: Option<u8>,
    /// Where in the text.
    #[serde(flatten)]
    pub place: SourcePlace,
}

impl Failure {
    /// The form of a run-time error that traces hold.
    #[must_use]
    pub fn new(error: &RuntimeError, show: &Show<'_>) -> Failure {
        let kind = match error.kind {
            ErrorKind::Assertion => EndKind::Assertion,
            ErrorKind::ExclusiveEnd => EndKind::ExclusiveEnd,
            ErrorKind::TraceAssertion => EndKind::TraceAssertion,
            _ => EndKind::RuntimeError,
        };
        Failure { kind, message: error.message.clone(), pid: error.pid.map(|pid| pid.0), place: show.place(error.span) }
    }
}

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// The kind of end.
    pub kind: EndKind,
    /// In words.
    pub message: String,
    /// The process at fault, if one is.
    pub pid: Option<u8>,
    /// Where in the text, if somewhere.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<u32>,
}

/// The kinds of ends. All but the last three are violations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// An assertion failed in the last step.
    Assertion,
    /// The last step went wrong otherwise.
    RuntimeError,
    /// Nothing can move, and some process is where it may not rest.
    InvalidEndState,
    /// The run goes round for ever and accepts.
    AcceptanceCycle,
    /// The run goes round for ever without progress.
    NonProgressCycle,
    /// A never claim came to its end.
    Claim,
    /// In the last step a process used an end of a channel that another said to have to itself, with `xr` or `xs`.
    ExclusiveEnd,
    /// A `trace` or `notrace` is violated.
    TraceAssertion,
    /// The run is a branch of a tree of runs that violates a formula of computation tree logic.
    Ctl,
    /// The state that was to be reached.
    Goal,
    /// Nothing can move, and every process may rest where it is.
    ValidEndState,
    /// The run was broken off here; it could go on.
    Stopped,
}

impl EndKind {
    /// Whether it is a violation.
    #[must_use]
    pub fn is_violation(self) -> bool {
        !matches!(self, EndKind::Goal | EndKind::ValidEndState | EndKind::Stopped)
    }

    /// Whether the run goes round for ever.
    #[must_use]
    pub fn is_cycle(self) -> bool {
        matches!(self, EndKind::AcceptanceCycle | EndKind::NonProgressCycle)
    }

    /// Whether a formula, a claim or labels make it what it is.
    #[must_use]
    pub fn is_judged(self) -> bool {
        self.is_cycle() || matches!(self, EndKind::Claim | EndKind::Goal)
    }

    /// The name that files and reports use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EndKind::Assertion => "assertion",
            EndKind::RuntimeError => "runtime-error",
            EndKind::InvalidEndState => "invalid-end-state",
            EndKind::AcceptanceCycle => "acceptance-cycle",
            EndKind::NonProgressCycle => "non-progress-cycle",
            EndKind::Claim => "claim",
            EndKind::ExclusiveEnd => "exclusive-end",
            EndKind::TraceAssertion => "trace-assertion",
            EndKind::Ctl => "ctl",
            EndKind::Goal => "goal",
            EndKind::ValidEndState => "valid-end-state",
            EndKind::Stopped => "stopped",
        }
    }
}

impl fmt::Display for EndKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl End {
    /// An end at no place in particular.
    #[must_use]
    pub fn new(kind: EndKind, message: impl Into<String>) -> End {
        End { kind, message: message.into(), pid: None, file: None, line: None }
    }
}

impl From<&Failure> for End {
    fn from(failure: &Failure) -> End {
        let line = (failure.place.line > 0).then_some(failure.place.line);
        End {
            kind: failure.kind,
            message: failure.message.clone(),
            pid: failure.pid,
            file: line.map(|_| failure.place.file.clone()),
            line,
        }
    }
}
