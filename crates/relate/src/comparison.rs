//! What a comparison found.

use explore::search::End;

use crate::formula::Formula;
use crate::{Event, Relation};

/// A side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The first system.
    Left,
    /// The second system.
    Right,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The relation that was asked for.
    pub relation: Relation,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Composite states: pairs that were stored.
    pub pairs: u64,
    /// Pairs that were met again, or for which a stored one spoke.
    pub matched: u64,
    /// What was seen of the left side.
    pub left: Size,
    /// What was seen of the right side.
    pub right: Size,
}

/// Whether a relation holds.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Violated(Box<Difference>),
    /// A limit was reached first.
    Unknown(End),
}

/// How much of a side was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// States.
    pub states: u64,
    /// Sets of states after a trace: SPINE's extended states. Classes of the partition for bisimulations.
    pub sets: u64,
    /// Transitions.
    pub transitions: u64,
}

/// Why a relation does not hold: something that one side can do and the other cannot, after a trace with the fewest events.
#[derive(Clone, Debug)]
pub struct Difference {
    /// What it is.
    pub kind: Kind,
    /// The events that lead to it. For [`Kind::Trace`] the last one is the event that only one side can do.
    pub trace: Vec<Event>,
    /// The side that can do it.
    pub by: Side,
    /// For [`Kind::Refusal`], what is refused.
    pub refusal: Option<Refusal>,
    /// For [`Kind::Formula`], a formula that holds of the initial state of `by` and not of the other one.
    pub formula: Option<Formula>,
    /// A run of the left side along the trace, as far as it can go.
    pub left: Run,
    /// A run of the right side along the trace, as far as it can go.
    pub right: Run,
}

/// The kinds of differences.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A trace that only one side has.
    Trace,
    /// After the trace one side can be in a stable state that refuses more than any of the other's.
    Refusal,
    /// After the trace one side can go on with internal steps for ever.
    Divergence,
    /// After the trace one side can stop for good.
    Completion,
    /// A formula of Hennessy–Milner logic.
    Formula,
}

impl Kind {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Trace => "trace",
            Kind::Refusal => "refusal",
            Kind::Divergence => "divergence",
            Kind::Completion => "completion",
            Kind::Formula => "formula",
        }
    }
}

/// What a stable state refuses that no stable state of the other side does after the same trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refusal {
    /// Events that it refuses together, as few as suffice: every stable state of the other side can do one of them. Empty if the other side has
    /// no stable state.
    pub refused: Vec<Event>,
    /// All events that it offers.
    pub offered: Vec<Event>,
    /// The least sets of events that stable states of the other side offer.
    pub other: Vec<Vec<Event>>,
}

/// A run of one side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The states, the initial one first.
    pub states: Vec<Vec<u8>>,
    /// The event between each state and the next, internal ones included.
    pub events: Vec<Event>,
    /// For an infinite run: the last state is the state with this index again, and everything between is repeated for ever.
    pub cycle_start: Option<usize>,
}
