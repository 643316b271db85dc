//! Which parts of a composite step commute.
//!
//! Two parts that touch different cells and channels do. So do rounds of a loop that collect something in one cell, see `folds.rs`. All
//! others keep their order. An assertion keeps its order with what may be a run-time error, since the error
//! would hide it; of two errors one is as good as the other.

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{
    CellId, ChannelId, ChannelTerm, FieldTerm, Program, Reference, SegmentPath, Step, Term, TermId, Terms,
};
use rustc_hash::FxHashSet;

use super::folds::{self, Collecting};
use super::values::Values;
use crate::detect::domains::may_fail;

/// What steps touch.
#[derive(Default)]
struct Effects {
    reads: FxHashSet<CellId>,
    writes: FxHashSet<CellId>,
    channels: FxHashSet<Option<ChannelId>>,
    asserts: bool,
    may_fail: bool,
}

impl Effects {
    fn conflict(&self, other: &Effects) -> bool {
        let writes = |one: &Effects, other: &Effects| {
            one.writes.iter().any(|cell| other.reads.contains(cell) || other.writes.contains(cell))
        };
        writes(self, other) || writes(other, self) || self.conflict_elsewhere(other)
    }

    fn conflict_elsewhere(&self, other: &Effects) -> bool {
        let any = |one: &Effects, other: &Effects| one.channels.contains(&None) && !other.channels.is_empty();
        let channels = any(self, other) || any(other, self) || !self.channels.is_disjoint(&other.channels);
        channels || (self.asserts && other.may_fail) || (self.may_fail && other.asserts)
    }
}

fn effects_of(program: &Program<'_>, steps: &[Step]) -> Effects {
    let mut effects = Effects::default();
    steps.iter().for_each(|step| add_effects(program, step, &mut effects));
    effects
}

fn effects_of_paths(program: &Program<'_>, paths: &[SegmentPath]) -> Effects {
    let mut effects = Effects::default();
    for path in paths {
        path.conditions.iter().flatten().for_each(|(step, _)| add_effects(program, step, &mut effects));
        path.steps.iter().for_each(|step| add_effects(program, step, &mut effects));
    }
    effects
}

fn add_effects(program: &Program<'_>, step: &Step, effects: &mut Effects) {
    let term = |id: TermId, effects: &mut Effects| {
        effects.may_fail |= may_fail(&program.terms, id);
        let mut reads = Vec::new();
        let mut channels = Vec::new();
        program.visit_term(id, &mut |place| reads.extend(program.possible_cells(place)), &mut |channel| {
            channels.push(known(channel));
        });
        effects.reads.extend(reads);
        effects.channels.extend(channels);
    };
    let place = |reference: &Reference, effects: &mut Effects| {
        effects.writes.extend(program.possible_cells(reference));
        match reference {
            Reference::Cell(_) => {}
            Reference::Missing => effects.may_fail = true,
            Reference::Indexed(_, indices) => {
                effects.may_fail = true;
                indices.iter().for_each(|&index| term(index, effects));
            }
            Reference::Remote { pid, indices, .. } => {
                effects.may_fail = true;
                indices.iter().chain([pid]).for_each(|&index| term(index, effects));
            }
        }
    };
    match step {
        Step::Assign(target, value) => {
            place(target, effects);
            term(*value, effects);
        }
        Step::Condition(value) => term(*value, effects),
        Step::Assert(value) => {
            effects.asserts = true;
            term(*value, effects);
        }
        Step::Evaluate(values) => values.iter().for_each(|&value| term(value, effects)),
        Step::Send { channel, values, .. } => {
            effects.channels.insert(known(channel));
            effects.may_fail = true;
            values.iter().for_each(|&value| term(value, effects));
        }
        Step::Receive { channel, fields, .. } => {
            effects.channels.insert(known(channel));
            effects.may_fail = true;
            for field in fields {
                match field {
                    FieldTerm::Bind(target) => place(target, effects),
                    FieldTerm::Match(value) => term(*value, effects),
                    FieldTerm::Ignore => {}
                }
            }
        }
        Step::Composite(composite) => composite.steps().for_each(|step| add_effects(program, step, effects)),
        Step::Skip | Step::Else => {}
        Step::SetPriority(..) | Step::Deterministic(_) | Step::End | Step::Opaque => {
            if let Step::Deterministic(nodes) = step {
                nodes.iter().flatten().for_each(|(step, _)| add_effects(program, step, effects));
            }
            effects.channels.insert(None);
            effects.asserts = true;
            effects.may_fail = true;
        }
    }
}

fn known(channel: &ChannelTerm) -> Option<ChannelId> {
    match channel {
        ChannelTerm::Known(id) => Some(*id),
        ChannelTerm::Variable(_) | ChannelTerm::Missing => None,
    }
}

/// The cells that a step may write.
pub(in crate::detect) fn written(program: &Program<'_>, step: &Step) -> FxHashSet<CellId> {
    effects_of(program, std::slice::from_ref(step)).writes
}

/// Whether a condition reads what steps write.
pub(in crate::detect) fn reads_written(program: &Program<'_>, condition: TermId, steps: &[Step]) -> bool {
    let written = effects_of(program, steps);
    written.conflict(&effects_of(program, &[Step::Condition(condition)]))
}

/// Whether all steps may be done in any order.
pub(in crate::detect) fn all_independent(program: &Program<'_>, steps: &[Step]) -> bool {
    let effects: Vec<Effects> = steps.iter().map(|step| effects_of(program, std::slice::from_ref(step))).collect();
    (0..steps.len()).all(|right| (0..right).all(|left| !effects[left].conflict(&effects[right])))
}

/// Takes out assignments whose results are overwritten before anybody reads them, or are in cells that are dead afterwards; whether
/// the latter happened.
pub(in crate::detect) fn remove_overwritten(
    program: &Program<'_>,
    segments: &mut [Vec<SegmentPath>],
    dead: &FxHashSet<CellId>,
) -> bool {
    let mut overwritten: FxHashSet<CellId> = dead.clone();
    let mut forgets = false;
    for paths in segments.iter_mut().rev() {
        for path in paths.iter_mut() {
            let mut later = overwritten.clone();
            let mut kept = Vec::new();
            for step in path.steps.drain(..).rev() {
                let is_lost = match &step {
                    Step::Assign(Reference::Cell(cell), value) => {
                        later.contains(cell) && !may_fail(&program.terms, *value)
                    }
                    _ => false,
                };
                if is_lost {
                    forgets |= !dead.is_empty();
                    continue;
                }
                let effects = effects_of(program, std::slice::from_ref(&step));
                if let Step::Assign(Reference::Cell(cell), _) = &step {
                    later.insert(*cell);
                }
                later.retain(|cell| !effects.reads.contains(cell));
                kept.push(step);
            }
            kept.reverse();
            path.steps = kept;
        }
        // Only what is written in any case makes earlier values superfluous.
        if let [only] = paths.as_slice() {
            for step in &only.steps {
                if let Step::Assign(Reference::Cell(cell), _) = step {
                    overwritten.insert(*cell);
                }
            }
        }
        // Where nothing is left to be done, it does not matter what was asked.
        let is_void = paths.iter().all(|path| path.steps.is_empty())
            && !path_conditions(paths).any(|condition| may_fail(&program.terms, condition));
        if !is_void {
            let effects = effects_of_paths(program, paths);
            overwritten.retain(|cell| !effects.reads.contains(cell));
        }
    }
    forgets
}

/// Paths that do the same: where several do, they are taken when none of the others is.
pub(in crate::detect) fn join_equal(program: &Program<'_>, paths: &mut Vec<SegmentPath>) {
    // Which condition is asked does not matter as long as none of them can be an error.
    if paths.len() < 2 || path_conditions(paths).any(|condition| may_fail(&program.terms, condition)) {
        return;
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        match groups.iter_mut().find(|group| same_steps(program, &paths[group[0]].steps, &path.steps)) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    let most = groups.iter().map(Vec::len).max().unwrap_or(0);
    if most < 2 {
        return;
    }
    let mut largest = groups.iter().filter(|group| group.len() == most);
    let (Some(joined), None) = (largest.next().cloned(), largest.next()) else { return };
    let keep = joined[0];
    paths[keep].conditions = if groups.len() == 1 { Some(Vec::new()) } else { None };
    let mut index = 0;
    paths.retain(|_| {
        index += 1;
        index - 1 == keep || !joined.contains(&(index - 1))
    });
}

fn same_steps(program: &Program<'_>, left: &[Step], right: &[Step]) -> bool {
    let same = |left: &Step, right: &Step| match (left, right) {
        (Step::Assign(Reference::Cell(one), left), Step::Assign(Reference::Cell(other), right)) => {
            one == other && program.terms.same(*left, *right)
        }
        (Step::Assert(left), Step::Assert(right)) => program.terms.same(*left, *right),
        _ => false,
    };
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
}

/// For each segment, the earlier ones that it does not commute with.
pub(super) fn order(program: &Program<'_>, segments: &[Vec<SegmentPath>], values: &mut Values) -> Vec<Vec<usize>> {
    let effects: Vec<Effects> = segments.iter().map(|paths| effects_of_paths(program, paths)).collect();
    let collecting: Vec<Option<Collecting>> = segments.iter().map(|paths| folds::collecting(program, paths)).collect();
    let mut collects_alike = |left: usize, right: usize| match (&collecting[left], &collecting[right]) {
        (Some(one), Some(other)) if one == other => true,
        _ => folds::agree(program, values, &segments[left], &segments[right]),
    };
    let mut commute = |left: usize, right: usize| {
        !effects[left].conflict(&effects[right])
            || (!effects[left].conflict_elsewhere(&effects[right]) && collects_alike(left, right))
    };
    (0..segments.len()).map(|right| (0..right).filter(|&left| !commute(left, right)).collect()).collect()
}

pub(super) fn path_conditions(paths: &[SegmentPath]) -> impl Iterator<Item = TermId> {
    let conditions = paths.iter().flat_map(|path| path.conditions.iter().flatten());
    conditions.filter_map(|(step, _)| match step {
        Step::Condition(term) => Some(*term),
        _ => None,
    })
}

/// Whether a term's value depends on nothing but cells and channels.
pub(in crate::detect) fn is_plain(terms: &Terms, id: TermId) -> bool {
    let all = |ids: &[TermId]| ids.iter().all(|&id| is_plain(terms, id));
    let channel = |channel: &ChannelTerm| match channel {
        ChannelTerm::Known(_) => true,
        ChannelTerm::Variable(number) => is_plain(terms, *number),
        ChannelTerm::Missing => false,
    };
    match terms.get(id) {
        Term::Constant(_) | Term::Load(Reference::Cell(_)) => true,
        Term::Load(Reference::Indexed(_, indices)) => all(indices),
        Term::Load(Reference::Remote { pid, indices, .. }) => is_plain(terms, *pid) && all(indices),
        Term::Unary(_, operand) => is_plain(terms, *operand),
        Term::Binary(_, left, right) => all(&[*left, *right]),
        Term::Conditional(condition, yes, no) => all(&[*condition, *yes, *no]),
        Term::Probe(_, name) => channel(name),
        Term::Poll { channel: name, pattern, .. } => {
            channel(name) && pattern.iter().flatten().all(|&value| is_plain(terms, value))
        }
        // All others ask about processes, or are errors.
        _ => false,
    }
}

/// Whether two conditions cannot both hold: they compare one thing with different constants, or one negates the other.
pub(in crate::detect) fn exclude(terms: &Terms, left: TermId, right: TermId) -> bool {
    if let Term::Binary(BinaryOp::And, one, other) = terms.get(left) {
        return exclude(terms, *one, right) || exclude(terms, *other, right);
    }
    if let Term::Binary(BinaryOp::And, one, other) = terms.get(right) {
        return exclude(terms, left, *one) || exclude(terms, left, *other);
    }
    let comparison = |id: TermId| match terms.get(id) {
        Term::Binary(BinaryOp::Equal, a, b) => match (terms.constant(*a), terms.constant(*b)) {
            (None, Some(value)) => Some((*a, value)),
            (Some(value), None) => Some((*b, value)),
            _ => None,
        },
        _ => None,
    };
    match (comparison(left), comparison(right)) {
        (Some((left, one)), Some((right, other))) => one != other && terms.same(left, right),
        _ => are_opposite(terms, left, right),
    }
}

/// Whether exactly one of two conditions holds.
pub(in crate::detect) fn are_opposite(terms: &Terms, left: TermId, right: TermId) -> bool {
    let negates = |one: TermId, other: TermId| matches!(terms.get(one), Term::Unary(UnaryOp::Not, inside) if terms.same(*inside, other));
    let opposite = |op: BinaryOp| match op {
        BinaryOp::Equal => Some(BinaryOp::NotEqual),
        BinaryOp::NotEqual => Some(BinaryOp::Equal),
        BinaryOp::Less => Some(BinaryOp::GreaterEqual),
        BinaryOp::GreaterEqual => Some(BinaryOp::Less),
        BinaryOp::Greater => Some(BinaryOp::LessEqual),
        BinaryOp::LessEqual => Some(BinaryOp::Greater),
        _ => None,
    };
    let compares_opposite = match (terms.get(left), terms.get(right)) {
        (Term::Binary(one, a, b), Term::Binary(other, c, d)) => {
            opposite(*one) == Some(*other) && terms.same(*a, *c) && terms.same(*b, *d)
        }
        _ => false,
    };
    compares_opposite || negates(left, right) || negates(right, left)
}
