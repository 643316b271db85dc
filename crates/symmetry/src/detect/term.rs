//! Statements as one process of the configuration executes them.
//!
//! A [`Term`] is an expression with every name replaced by the cell, channel or process it means for that process, and with
//! every part whose value is known replaced by that value. Terms live in one arena, each with its own number, so that
//! analyses can note what they find about every occurrence.

use machine::expression::{BinaryOp, ChannelProbe, UnaryOp};
use machine::id::{CellsId, DefinitionId, Location, Pid};
use machine::interpret::arithmetic;
use promela::source::Span;

use super::configuration::{CellId, ChannelId, GroupId};

/// An occurrence of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct TermId(u32);

impl TermId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An expression as one process evaluates it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Term {
    Constant(i32),
    Load(Reference),
    Unary(UnaryOp, TermId),
    Binary(BinaryOp, TermId, TermId),
    Conditional(TermId, TermId, TermId),
    Probe(ChannelProbe, ChannelTerm),
    Poll {
        channel: ChannelTerm,
        random: bool,
        pattern: Vec<Option<TermId>>,
    },
    /// Whether a known process is at a location.
    At(Pid, Location),
    /// Whether the process with a pid is of a definition and at a location.
    AnyAt(TermId, DefinitionId, Location),
    Timeout,
    NonProgress,
    ProcessCount,
    ChannelCount,
    Last,
    /// The priority of a known process.
    Priority(Pid),
    PriorityOf(TermId),
    Enabled(TermId),
    LocationOf(TermId),
    /// The process with a number among those of a definition, which may change.
    Instance(DefinitionId, u32),
    /// A run-time error in every state.
    Fails,
    /// Nothing is known about it.
    Opaque,
}

/// A cell, or cells of which one is meant.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Reference {
    Cell(CellId),
    /// One index for every dimension.
    Indexed(GroupId, Vec<TermId>),
    /// A cell of the process with a pid, if that is of the definition.
    Remote {
        definition: DefinitionId,
        cells: CellsId,
        pid: TermId,
        indices: Vec<TermId>,
    },
    /// No such cell: a run-time error.
    Missing,
}

/// A channel, or a value that names one.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ChannelTerm {
    Known(ChannelId),
    Variable(TermId),
    /// No such channel: a run-time error.
    Missing,
}

/// What a statement does, for one process.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Skip,
    Condition(TermId),
    Else,
    Assign(Reference, TermId),
    /// Values that are computed and not used: only what can go wrong in them matters.
    Evaluate(Vec<TermId>),
    Send {
        channel: ChannelTerm,
        sorted: bool,
        values: Vec<TermId>,
    },
    Receive {
        channel: ChannelTerm,
        random: bool,
        copy: bool,
        fields: Vec<FieldTerm>,
    },
    Assert(TermId),
    SetPriority(TermId, TermId),
    /// By location inside: the alternatives, each with where it goes.
    Deterministic(Vec<Vec<(Step, Option<u32>)>>),
    /// Several steps that nobody can see apart.
    Composite(Composite),
    End,
    /// Nothing is known about it.
    Opaque,
}

/// Steps that are taken one after the other without anybody seeing what is in between: see `compose.rs`.
#[derive(Clone, Debug)]
pub(super) struct Composite {
    /// What decides whether it is possible; it is done first.
    pub first: Option<Box<Step>>,
    pub segments: Vec<Segment>,
}

/// A part of a composite step. Those that do not come after each other may be done in any order.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Of these, one is taken.
    pub paths: Vec<SegmentPath>,
    /// The segments that it has to follow.
    pub after: Vec<usize>,
}

/// One way through a segment.
#[derive(Clone, Debug)]
pub(super) struct SegmentPath {
    /// When it is taken: conditions that hold, or do not. `None` if it is taken when no other one is.
    pub conditions: Option<Vec<(Step, bool)>>,
    pub steps: Vec<Step>,
    /// Whether the order of the steps matters.
    pub ordered: bool,
}

impl Composite {
    /// The steps inside, and the conditions as steps.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        let paths = self.segments.iter().flat_map(|segment| &segment.paths);
        let inside = paths.flat_map(|path| {
            let conditions = path.conditions.iter().flatten().map(|(condition, _)| condition);
            conditions.chain(&path.steps)
        });
        self.first.as_deref().into_iter().chain(inside)
    }
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub(super) enum FieldTerm {
    Bind(Reference),
    Ignore,
    Match(TermId),
}

/// All terms, each with the statement it stands in.
#[derive(Clone, Default)]
pub(super) struct Terms {
    list: Vec<(Term, Span)>,
}

impl Terms {
    pub fn add(&mut self, term: Term, span: Span) -> TermId {
        self.list.push((term, span));
        TermId(self.list.len() as u32 - 1)
    }

    pub fn get(&self, id: TermId) -> &Term {
        &self.list[id.index()].0
    }

    /// The statement that a term stands in.
    pub fn span(&self, id: TermId) -> Span {
        self.list[id.index()].1
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        (0..self.list.len() as u32).map(TermId)
    }

    /// The value of a term, if it is known.
    pub fn constant(&self, id: TermId) -> Option<i32> {
        match self.get(id) {
            Term::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// An operator over two terms, folded as far as their values are known.
    pub fn binary(&mut self, op: BinaryOp, left: TermId, right: TermId, span: Span) -> TermId {
        let (known_left, known_right) = (self.constant(left), self.constant(right));
        match (op, known_left) {
            (BinaryOp::And, Some(0)) => return self.add(Term::Constant(0), span),
            (BinaryOp::Or, Some(value)) if value != 0 => return self.add(Term::Constant(1), span),
            _ => {}
        }
        if let (Some(left), Some(right)) = (known_left, known_right) {
            let term = arithmetic(op, left, right).map_or(Term::Fails, Term::Constant);
            return self.add(term, span);
        }
        // What is left of `1 && e`, `e && 1`, `0 || e` and `e || 0` is e, where that is 0 or 1.
        let neutral = |known: Option<i32>| known.is_some_and(|value| (value != 0) == (op == BinaryOp::And));
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            if neutral(known_left) && self.is_boolean(right) {
                return right;
            }
            if neutral(known_right) && self.is_boolean(left) {
                return left;
            }
        }
        self.add(Term::Binary(op, left, right), span)
    }

    /// Whether two terms are the same text over the same cells, so that they always have the same value.
    pub fn same(&self, left: TermId, right: TermId) -> bool {
        let all = |left: &[TermId], right: &[TermId]| {
            left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| self.same(left, right))
        };
        match (self.get(left), self.get(right)) {
            (Term::Load(Reference::Indexed(one, left)), Term::Load(Reference::Indexed(other, right))) => {
                one == other && all(left, right)
            }
            (Term::Load(Reference::Cell(left)), Term::Load(Reference::Cell(right))) => left == right,
            (Term::Constant(left), Term::Constant(right)) => left == right,
            (Term::Unary(one, left), Term::Unary(other, right)) => one == other && self.same(*left, *right),
            (Term::Binary(one, a, b), Term::Binary(other, c, d)) => one == other && all(&[*a, *b], &[*c, *d]),
            _ => left == right,
        }
    }

    /// Whether the value is 0 or 1, whatever happens.
    pub fn is_boolean(&self, id: TermId) -> bool {
        match self.get(id) {
            Term::Unary(op, _) => *op == UnaryOp::Not,
            Term::Binary(op, ..) => is_comparison(*op) || matches!(op, BinaryOp::And | BinaryOp::Or),
            Term::Probe(probe, _) => *probe != ChannelProbe::Len,
            Term::Poll { .. }
            | Term::At(..)
            | Term::AnyAt(..)
            | Term::Timeout
            | Term::NonProgress
            | Term::Enabled(_)
            | Term::Fails => true,
            _ => false,
        }
    }
}

/// Whether an operator compares numbers.
pub(super) fn is_comparison(op: BinaryOp) -> bool {
    is_ordering(op) || matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
}

/// Whether an operator depends on the order of numbers.
pub(super) fn is_ordering(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual)
}
