//! What can go wrong while a model runs.

use promela::source::Span;

use crate::id::Pid;

/// A run-time error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuntimeError {
    /// What kind of error.
    pub kind: ErrorKind,
    /// What happened, in words.
    pub message: String,
    /// The process that did it.
    pub pid: Option<Pid>,
    /// Where in the text.
    pub span: Span,
}

/// The kinds of run-time errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// `assert` failed. The step is taken all the same.
    Assertion,
    /// An index outside its array.
    ArrayIndex,
    /// `/` or `%` by zero.
    DivisionByZero,
    /// A channel variable that holds no channel, or one that is gone.
    BadChannel,
    /// A message with too few fields, or a receive that asks for too few.
    MessageArity,
    /// A rendezvous channel was polled.
    PollRendezvous,
    /// More than 255 processes, or channels.
    TooMany,
    /// A statement in a `d_step` could not be executed.
    BlockedInDStep,
    /// A `d_step` tried a rendezvous.
    RendezvousInDStep,
    /// A `d_step` does not come to its end.
    EndlessDStep,
    /// A `D_proctype` had a choice.
    Nondeterminism,
    /// A process that does not exist was asked about.
    NoSuchProcess,
    /// `enabled(p)` where what `p` can do depends on what the asking process can do.
    CircularQuestion,
    /// `enabled(_pid)`, or priorities out of range.
    BadPriority,
    /// A process used an end of a channel that another has to itself. The step is taken all the same.
    ExclusiveEnd,
    /// `trace` or `notrace`. Unless the automaton has a choice, the step is taken all the same.
    TraceAssertion,
    /// Embedded C.
    Code,
}
