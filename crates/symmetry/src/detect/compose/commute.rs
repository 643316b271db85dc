//! Which parts of a composite step commute.
//!
//! Two parts that touch different cells and channels do. So do two that add to one counter, set one flag to the same
//! value, or take one more number into a maximum, under whatever conditions that do not read it: the loops over all ids that models
//! are full of. All others keep their order. An assertion keeps its order with what may be a run-time error, since the error
//! would hide it; of two errors one is as good as the other.

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{
    CellId, ChannelId, ChannelTerm, FieldTerm, Program, Reference, SegmentPath, Step, Term, TermId, Terms,
};
use machine::scalar::Scalar;
use rustc_hash::FxHashSet;

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
            Reference::Indexed(_, indices) | Reference::Remote { indices, .. } => {
                effects.may_fail = true;
                indices.iter().for_each(|&index| term(index, effects));
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
        let effects = effects_of_paths(program, paths);
        overwritten.retain(|cell| !effects.reads.contains(cell));
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
pub(in crate::detect) fn order(program: &Program<'_>, segments: &[Vec<SegmentPath>]) -> Vec<Vec<usize>> {
    let effects: Vec<Effects> = segments.iter().map(|paths| effects_of_paths(program, paths)).collect();
    let collecting: Vec<Option<Collecting>> = segments.iter().map(|paths| collecting(program, paths)).collect();
    let commute = |left: usize, right: usize| {
        !effects[left].conflict(&effects[right])
            || match (&collecting[left], &collecting[right]) {
                (Some(one), Some(other)) => one == other && !effects[left].conflict_elsewhere(&effects[right]),
                _ => false,
            }
    };
    (0..segments.len()).map(|right| (0..right).filter(|&left| !commute(left, right)).collect()).collect()
}

/// A segment that does nothing but collect in one cell, in a way that commutes with all of its kind.
#[derive(PartialEq, Eq)]
struct Collecting {
    cell: CellId,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// `c = c + e` or `c = c - e`
    Add,
    /// `c = c op e`
    Operator(BinaryOp),
    /// `c = constant`
    Set(i32),
    /// `if :: e > c -> c = e :: else fi`
    Maximum,
    /// `if :: e < c -> c = e :: else fi`
    Minimum,
}

fn collecting(program: &Program<'_>, paths: &[SegmentPath]) -> Option<Collecting> {
    let terms = &program.terms;
    let mut found: Option<Collecting> = None;
    for path in paths {
        let [step] = path.steps.as_slice() else {
            if path.steps.is_empty() {
                continue;
            }
            return None;
        };
        let Step::Assign(Reference::Cell(cell), value) = step else { return None };
        let reads = |id: TermId| {
            let mut reads = false;
            program.visit_term(id, &mut |place| reads |= program.possible_cells(place).contains(cell), &mut |_| {});
            reads
        };
        let condition_reads = path_conditions(paths).any(reads);
        let is_cell = |id: TermId| matches!(terms.get(id), Term::Load(Reference::Cell(other)) if other == cell);
        let how = match terms.get(*value) {
            _ if condition_reads => {
                extremum(terms, paths, *cell, *value).filter(|_| !reads(*value) && fits(program, *value, *cell))?
            }
            Term::Constant(value) => How::Set(*value),
            Term::Binary(BinaryOp::Subtract, left, right) if is_cell(*left) && !reads(*right) => How::Add,
            Term::Binary(op, left, right) => {
                let other = if is_cell(*left) {
                    *right
                } else if is_cell(*right) {
                    *left
                } else {
                    return None;
                };
                match op {
                    _ if reads(other) => return None,
                    BinaryOp::Add => How::Add,
                    BinaryOp::Multiply | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => How::Operator(*op),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let this = Collecting { cell: *cell, how };
        match &found {
            Some(before) if *before != this => return None,
            _ => found = Some(this),
        }
    }
    found
}

fn path_conditions(paths: &[SegmentPath]) -> impl Iterator<Item = TermId> {
    let conditions = paths.iter().flat_map(|path| path.conditions.iter().flatten());
    conditions.filter_map(|(step, _)| match step {
        Step::Condition(term) => Some(*term),
        _ => None,
    })
}

/// Whether nothing is cut off a value when it is stored in a cell: what was cut off would make it small again.
fn fits(program: &Program<'_>, value: TermId, cell: CellId) -> bool {
    let configuration = &program.configuration;
    let scalar_of = |cell: CellId| configuration.layout_of(configuration.cells[cell.index()]).scalar;
    let target = scalar_of(cell);
    let holds = |value: i32| target.truncate(value) == value;
    let holds_all = |source: Scalar| {
        let (least, most) = source.range();
        holds(least) && holds(most)
    };
    match program.terms.get(value) {
        Term::Constant(value) => holds(*value),
        Term::Load(Reference::Cell(source)) => holds_all(scalar_of(*source)),
        Term::Load(Reference::Indexed(group, _)) => holds_all(configuration.layout_of(*group).scalar),
        _ => false,
    }
}

/// Whether a segment is `if :: e > c -> c = e :: else fi`, or with `<`. With `>=` it comes to the same.
fn extremum(terms: &Terms, paths: &[SegmentPath], cell: CellId, value: TermId) -> Option<How> {
    let [one, other] = paths else { return None };
    let (writing, idle) = if one.steps.is_empty() { (other, one) } else { (one, other) };
    let [(Step::Condition(condition), true)] = writing.conditions.as_deref()? else { return None };
    let [(Step::Condition(otherwise), false)] = idle.conditions.as_deref()? else { return None };
    if !idle.steps.is_empty() || condition != otherwise {
        return None;
    }
    let is_cell = |id: TermId| matches!(terms.get(id), Term::Load(Reference::Cell(other)) if *other == cell);
    let Term::Binary(op, left, right) = terms.get(*condition) else { return None };
    let value_first = terms.same(*left, value) && is_cell(*right);
    let cell_first = is_cell(*left) && terms.same(*right, value);
    match (op, value_first, cell_first) {
        (BinaryOp::Greater | BinaryOp::GreaterEqual, true, _) | (BinaryOp::Less | BinaryOp::LessEqual, _, true) => {
            Some(How::Maximum)
        }
        (BinaryOp::Less | BinaryOp::LessEqual, true, _) | (BinaryOp::Greater | BinaryOp::GreaterEqual, _, true) => {
            Some(How::Minimum)
        }
        _ => None,
    }
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
