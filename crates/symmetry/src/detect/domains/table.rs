//! Operators as tables: which places they read, and what they make of values.

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{ChannelTerm, Reference, Term, TermId, Terms, is_comparison, is_ordering, unary};
use machine::interpret::arithmetic;

use super::super::classes::ClassId;
use super::super::guards::{self, Guard};

/// An operator tree over at most two different places.
#[derive(Clone, Debug)]
pub(in crate::detect) struct Table {
    /// The different places.
    pub leaves: Vec<TermId>,
    /// The class of the result; none for a condition.
    pub result: Option<ClassId>,
    /// What is known of the places where it is computed.
    pub guards: Vec<Guard>,
    /// Values that some of the places do not have where it is computed.
    pub gone: Vec<(usize, i32)>,
    /// How many values the classes of the leaves had when the results were computed last.
    pub computed_for: Vec<usize>,
}

impl Table {
    /// Whether arguments can occur where the table is used.
    pub fn allows(&self, terms: &Terms, row: &[i32]) -> bool {
        let agrees = |&(condition, holds): &Guard| match evaluate(terms, condition, &self.leaves, row) {
            Some(value) => (value != 0) == holds,
            None => true,
        };
        self.gone.iter().all(|&(leaf, value)| row[leaf] != value) && self.guards.iter().all(agrees)
    }
}

/// What a table makes of its arguments, whatever places these come from: a part for each node of the operator tree and of the guards.
///
/// `round[3] < k` of one process is the function that `round[5] < k` of another one is, and it takes long to write out the rows of
/// each.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::detect) struct Function(Vec<Part>);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::detect) enum Part {
    Argument(usize),
    Constant(i32),
    Unary(UnaryOp),
    Binary(BinaryOp),
    Conditional,
    /// Not known from the arguments.
    Unknown,
    /// A condition on the arguments follows that holds, or does not.
    Guard(bool),
    /// An argument does not have a value.
    Gone(usize, i32),
    /// So many paths follow, of which one is taken.
    Segment(usize),
    /// A path with so many assignments follows.
    Path {
        /// Whether it is taken when no other one is.
        otherwise: bool,
        /// How many assignments there are.
        steps: usize,
    },
}

impl Function {
    /// The function that a term computes which is this table.
    pub fn of(terms: &Terms, term: TermId, table: &Table) -> Function {
        let mut parts = Vec::new();
        write_function(terms, term, &table.leaves, &mut parts);
        for &(condition, holds) in &table.guards {
            parts.push(Part::Guard(holds));
            write_function(terms, condition, &table.leaves, &mut parts);
        }
        parts.extend(table.gone.iter().map(|&(leaf, value)| Part::Gone(leaf, value)));
        Function(parts)
    }
}

/// Operators first, so that it can be read in one way only; the same cases as in [`evaluate`].
pub(in crate::detect) fn write_function(terms: &Terms, term: TermId, leaves: &[TermId], parts: &mut Vec<Part>) {
    if let Some(place) = leaves.iter().position(|&leaf| terms.same(leaf, term)) {
        parts.push(Part::Argument(place));
        return;
    }
    match terms.get(term) {
        Term::Constant(value) => parts.push(Part::Constant(*value)),
        Term::Unary(op, operand) => {
            parts.push(Part::Unary(*op));
            write_function(terms, *operand, leaves, parts);
        }
        Term::Binary(op, left, right) => {
            parts.push(Part::Binary(*op));
            write_function(terms, *left, leaves, parts);
            write_function(terms, *right, leaves, parts);
        }
        Term::Conditional(condition, yes, no) => {
            parts.push(Part::Conditional);
            [condition, yes, no].into_iter().for_each(|&part| write_function(terms, part, leaves, parts));
        }
        _ => parts.push(Part::Unknown),
    }
}

/// The value of an operator tree when its leaves have these values; `None` for a run-time error.
pub(in crate::detect) fn evaluate(terms: &Terms, term: TermId, leaves: &[TermId], values: &[i32]) -> Option<i32> {
    if let Some(place) = leaves.iter().position(|&leaf| terms.same(leaf, term)) {
        return Some(values[place]);
    }
    match terms.get(term) {
        Term::Constant(value) => Some(*value),
        Term::Unary(op, operand) => evaluate(terms, *operand, leaves, values).map(|value| unary(*op, value)),
        Term::Binary(op, left, right) => {
            arithmetic(*op, evaluate(terms, *left, leaves, values)?, evaluate(terms, *right, leaves, values)?)
        }
        Term::Conditional(condition, yes, no) => {
            let chosen = if evaluate(terms, *condition, leaves, values)? != 0 { yes } else { no };
            evaluate(terms, *chosen, leaves, values)
        }
        _ => None,
    }
}

/// The places in an operator tree, equal ones once.
pub(in crate::detect) fn leaves_of(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut leaves = Vec::new();
    collect_leaves(terms, term, true, &mut leaves);
    leaves
}

fn collect_leaves(terms: &Terms, term: TermId, is_top: bool, leaves: &mut Vec<TermId>) {
    match terms.get(term) {
        Term::Constant(_) => {}
        Term::Conditional(..) if is_top => {
            leaves.extend(function_of_one(terms, term));
        }
        Term::Unary(UnaryOp::Negate | UnaryOp::Complement, operand) => collect_leaves(terms, *operand, false, leaves),
        Term::Binary(op, left, right) if is_arithmetic(*op) || (is_top && is_ordering(*op)) => {
            collect_leaves(terms, *left, false, leaves);
            collect_leaves(terms, *right, false, leaves);
        }
        _ if leaves.iter().any(|&leaf| terms.same(leaf, term)) => {}
        _ => leaves.push(term),
    }
}

/// The place that a conditional expression is a function of, if it is a function of one.
pub(in crate::detect) fn function_of_one(terms: &Terms, term: TermId) -> Option<TermId> {
    let [place] = guards::places_of(terms, term)?.try_into().ok()?;
    (!may_fail(terms, term)).then_some(place)
}

/// Whether an operator computes a number from numbers.
pub(in crate::detect) fn is_arithmetic(op: BinaryOp) -> bool {
    !is_comparison(op) && !matches!(op, BinaryOp::And | BinaryOp::Or)
}

/// Whether computing a term may be a run-time error.
pub(in crate::detect) fn may_fail(terms: &Terms, id: TermId) -> bool {
    let channel_fails = |channel: &ChannelTerm| !matches!(channel, ChannelTerm::Known(_));
    match terms.get(id) {
        Term::Constant(_) | Term::Load(Reference::Cell(_)) | Term::At(..) | Term::Timeout | Term::NonProgress => false,
        Term::ProcessCount | Term::ChannelCount | Term::Last | Term::Priority(_) | Term::Instance(..) => false,
        Term::Load(_) | Term::PriorityOf(_) | Term::Enabled(_) | Term::LocationOf(_) | Term::Fails | Term::Opaque => {
            true
        }
        Term::Unary(_, operand) | Term::AnyAt(operand, ..) => may_fail(terms, *operand),
        Term::Binary(op, left, right) => {
            let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
            let by_zero = divides && terms.constant(*right).is_none_or(|divisor| divisor == 0);
            by_zero || may_fail(terms, *left) || may_fail(terms, *right)
        }
        Term::Conditional(condition, yes, no) => [condition, yes, no].into_iter().any(|&term| may_fail(terms, term)),
        Term::Probe(_, channel) => channel_fails(channel),
        Term::Poll { .. } => true,
    }
}
