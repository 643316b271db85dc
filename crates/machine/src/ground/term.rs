//! Statements as one process of the configuration executes them.
//!
//! A [`Term`] is an expression with every name replaced by the cell, channel or process it means for that process, and with
//! every part whose value is known replaced by that value. Terms live in one arena, each with its own number, so that
//! analyses can note what they find about every occurrence.

use crate::expression::{BinaryOp, ChannelProbe, UnaryOp};
use crate::id::{CellId, CellsId, ChannelId, DefinitionId, GroupId, Location, Pid, TermId};
use crate::interpret::arithmetic;
use promela::source::Span;

/// An expression as one process evaluates it.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// A known value.
    Constant(i32),
    /// The value of a cell.
    Load(Reference),
    /// An operator with one operand.
    Unary(UnaryOp, TermId),
    /// An operator with two operands.
    Binary(BinaryOp, TermId, TermId),
    /// `(c -> a : b)`
    Conditional(TermId, TermId, TermId),
    /// `len(q)`, `full(q)` and their like.
    Probe(ChannelProbe, ChannelTerm),
    /// `q?[..]`
    Poll {
        /// The channel.
        channel: ChannelTerm,
        /// Whether any message may match, not just the oldest: `q??[..]`.
        random: bool,
        /// The value that each field must have; `None` is any.
        pattern: Vec<Option<TermId>>,
    },
    /// Whether a known process is at a location.
    At(Pid, Location),
    /// Whether the process with a pid is of a definition and at a location.
    AnyAt(TermId, DefinitionId, Location),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `_nr_pr`
    ProcessCount,
    /// `_nr_qs`
    ChannelCount,
    /// `_last`
    Last,
    /// The priority of a known process.
    Priority(Pid),
    /// The priority of the process with a pid.
    PriorityOf(TermId),
    /// Whether the process with a pid can move.
    Enabled(TermId),
    /// The location of the process with a pid, as a number.
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
pub enum Reference {
    /// This cell.
    Cell(CellId),
    /// One index for every dimension.
    Indexed(GroupId, Vec<TermId>),
    /// A cell of the process with a pid, if that is of the definition.
    Remote {
        /// The definition of the process.
        definition: DefinitionId,
        /// Which of its groups of cells.
        cells: CellsId,
        /// Its pid.
        pid: TermId,
        /// One index for every dimension.
        indices: Vec<TermId>,
    },
    /// No such cell: a run-time error.
    Missing,
}

/// A channel, or a value that names one.
#[derive(Clone, PartialEq, Debug)]
pub enum ChannelTerm {
    /// This channel.
    Known(ChannelId),
    /// The channel whose number is the value of a term.
    Variable(TermId),
    /// No such channel: a run-time error.
    Missing,
}

/// What a statement does, for one process.
#[derive(Clone, Debug)]
pub enum Step {
    /// Nothing.
    Skip,
    /// Waits until a term is not 0.
    Condition(TermId),
    /// Waits until nothing else is possible at the location.
    Else,
    /// Stores a value.
    Assign(Reference, TermId),
    /// Values that are computed and not used: only what can go wrong in them matters.
    Evaluate(Vec<TermId>),
    /// Puts a message into a channel, or hands it over at a rendezvous port.
    Send {
        /// The channel.
        channel: ChannelTerm,
        /// `q!!..`: the message comes before the first greater one.
        sorted: bool,
        /// A value for every field.
        values: Vec<TermId>,
    },
    /// Takes a message out of a channel, or over at a rendezvous port.
    Receive {
        /// The channel.
        channel: ChannelTerm,
        /// `q??..`: the first message that matches, not the oldest one only.
        random: bool,
        /// `q?<..>`: the message stays.
        copy: bool,
        /// What is done with every field.
        fields: Vec<FieldTerm>,
    },
    /// An error unless a term is not 0.
    Assert(TermId),
    /// Gives a process a priority.
    SetPriority(TermId, TermId),
    /// By location inside: the alternatives, each with where it goes.
    Deterministic(Vec<Vec<(Step, Option<u32>)>>),
    /// Several steps that nobody can see apart.
    Composite(Composite),
    /// The end of the process: it disappears.
    End,
    /// Nothing is known about it.
    Opaque,
}

/// Steps that are taken one after the other without anybody seeing what is in between. Grounding makes none of them; an analysis may.
#[derive(Clone, Debug)]
pub struct Composite {
    /// What decides whether it is possible; it is done first.
    pub first: Option<Box<Step>>,
    /// What is done then.
    pub segments: Vec<Segment>,
}

/// A part of a composite step. Those that do not come after each other may be done in any order.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Of these, one is taken.
    pub paths: Vec<SegmentPath>,
    /// The segments that it has to follow.
    pub after: Vec<usize>,
}

/// One way through a segment.
#[derive(Clone, Debug)]
pub struct SegmentPath {
    /// When it is taken: conditions that hold, or do not. `None` if it is taken when no other one is.
    pub conditions: Option<Vec<(Step, bool)>>,
    /// What is done.
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
pub enum FieldTerm {
    /// Stores it.
    Bind(Reference),
    /// Throws it away.
    Ignore,
    /// Needs it to be the value of a term.
    Match(TermId),
}

/// All terms, each with the statement it stands in.
#[derive(Clone, Default, Debug)]
pub struct Terms {
    list: Vec<(Term, Span)>,
}

impl Terms {
    /// Adds a term of a statement.
    pub fn add(&mut self, term: Term, span: Span) -> TermId {
        self.list.push((term, span));
        TermId(self.list.len() as u32 - 1)
    }

    /// Writes a term in another way, which must always have the same value.
    pub fn replace(&mut self, id: TermId, term: Term) {
        self.list[id.index()].0 = term;
    }

    /// A term.
    #[must_use]
    pub fn get(&self, id: TermId) -> &Term {
        &self.list[id.index()].0
    }

    /// The statement that a term stands in.
    #[must_use]
    pub fn span(&self, id: TermId) -> Span {
        self.list[id.index()].1
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The numbers of all terms.
    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        (0..self.list.len() as u32).map(TermId)
    }

    /// The value of a term, if it is known.
    #[must_use]
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
    #[must_use]
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
    #[must_use]
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
#[must_use]
pub fn is_comparison(op: BinaryOp) -> bool {
    is_ordering(op) || matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
}

/// Whether an operator depends on the order of numbers.
#[must_use]
pub fn is_ordering(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual)
}
