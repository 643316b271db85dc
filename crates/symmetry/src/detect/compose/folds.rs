//! Rounds of a loop that collect something in one cell, in any order.
//!
//! A loop over all ids is a product of rounds, and a product of rounds that commute pairwise is the same in any order, so it commutes with
//! every renaming of the ids. Rounds that add, multiply, join by `&&`, `||`, `&`, `|` or `^`, set one constant, or take a maximum or minimum
//! do, under whatever conditions that do not read the cell, and whatever the range of the cell is. Two other rounds that write
//! one cell of few values are tried on all its values and on all that they may read: then it does not matter how they are written.

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{CellId, Program, Reference, SegmentPath, Step, Term, TermId, Terms};
use machine::scalar::Scalar;

use super::commute::path_conditions;
use super::values::Values;
use crate::detect::domains::{Part, evaluate, may_fail, write_function};

/// More cases than this are not tried.
const MOST_CASES: usize = 1 << 16;

/// A segment that does nothing but collect in one cell, in a way that commutes with all of its kind.
#[derive(PartialEq, Eq)]
pub(super) struct Collecting {
    cell: CellId,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// `c = c + e` or `c = c - e`
    Add,
    /// `c = c op e`, also `&&` and `||`
    Operator(BinaryOp),
    /// `c = constant`
    Set(i32),
    /// `if :: e > c -> c = e :: else fi`
    Maximum,
    /// `if :: e < c -> c = e :: else fi`
    Minimum,
}

/// How a segment collects, if it does nothing else.
pub(super) fn collecting(program: &Program<'_>, paths: &[SegmentPath]) -> Option<Collecting> {
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
                    // What is not computed in one order may be an error in another one.
                    BinaryOp::And | BinaryOp::Or if !may_fail(terms, other) => How::Operator(*op),
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
    let [(Step::Condition(condition), mut holds)] = *writing.conditions.as_deref()? else { return None };
    let [(Step::Condition(otherwise), opposite)] = *idle.conditions.as_deref()? else { return None };
    if !idle.steps.is_empty() || condition != otherwise || holds == opposite {
        return None;
    }
    let mut condition = condition;
    while let Term::Unary(UnaryOp::Not, operand) = terms.get(condition) {
        (condition, holds) = (*operand, !holds);
    }
    let is_cell = |id: TermId| matches!(terms.get(id), Term::Load(Reference::Cell(other)) if *other == cell);
    let Term::Binary(BinaryOp::Less, left, right) = terms.get(condition) else { return None };
    let is_less = match (terms.same(*left, value) && is_cell(*right), is_cell(*left) && terms.same(*right, value)) {
        (true, _) => holds,
        (_, true) => !holds,
        _ => return None,
    };
    Some(if is_less { How::Minimum } else { How::Maximum })
}

/// What two segments compute, whatever places they read: the values of the places, and the parts of both.
pub(super) type Pair = (Vec<Vec<i32>>, Vec<Part>);

/// Whether two segments that write one and the same cell do the same in either order, tried on all values.
pub(super) fn agree(program: &Program<'_>, values: &mut Values, left: &[SegmentPath], right: &[SegmentPath]) -> bool {
    let Some(cell) = only_cell(left).filter(|&cell| only_cell(right) == Some(cell)) else { return false };
    let Some(trial) = Trial::of(program, values, cell, [left, right]) else { return false };
    let pair = trial.pair();
    if let Some(&known) = values.tried.get(&pair) {
        return known;
    }
    let agrees = trial.agrees(&pair.0);
    values.tried.insert(pair, agrees);
    agrees
}

/// The cell that a segment writes, if it writes no other and does nothing else.
fn only_cell(paths: &[SegmentPath]) -> Option<CellId> {
    let mut cells = paths.iter().flat_map(|path| &path.steps).map(|step| match step {
        Step::Assign(Reference::Cell(cell), _) => Some(*cell),
        _ => None,
    });
    let first = cells.next()??;
    cells.all(|cell| cell == Some(first)).then_some(first)
}

struct Trial<'p> {
    terms: &'p Terms,
    segments: [&'p [SegmentPath]; 2],
    scalar: Scalar,
    /// What is read: first the cell, then what does not depend on it.
    leaves: Vec<TermId>,
    values: Vec<Vec<i32>>,
}

impl<'p> Trial<'p> {
    fn of(
        program: &'p Program<'_>,
        values: &Values,
        cell: CellId,
        segments: [&'p [SegmentPath]; 2],
    ) -> Option<Trial<'p>> {
        let configuration = &program.configuration;
        let scalar = configuration.layout_of(configuration.cells[cell.index()]).scalar;
        let mut trial = Trial { terms: &program.terms, segments, scalar, leaves: Vec::new(), values: Vec::new() };
        let mut places = Vec::new();
        for paths in segments {
            for condition in paths.iter().flat_map(|path| path.conditions.iter().flatten()) {
                let (Step::Condition(term), _) = condition else { return None };
                places.push(*term);
            }
            for step in paths.iter().flat_map(|path| &path.steps) {
                let Step::Assign(_, term) = step else { return None };
                places.push(*term);
            }
        }
        let itself = |id: TermId| matches!(program.terms.get(id), Term::Load(Reference::Cell(other)) if *other == cell);
        for term in places {
            if may_fail(&program.terms, term) {
                return None;
            }
            trial.collect(program, values, term, &itself)?;
        }
        // Without it, the order of the two decides which value stays.
        let cell_values = values.of_cell(program, cell)?;
        if let Some(place) = trial.leaves.iter().position(|&leaf| itself(leaf)) {
            trial.leaves.swap(0, place);
            trial.values.swap(0, place);
        } else {
            return None;
        }
        trial.values[0] = cell_values;
        let cases: usize = trial.values.iter().try_fold(1usize, |product, set| product.checked_mul(set.len()))?;
        (cases <= MOST_CASES).then_some(trial)
    }

    /// Finds the largest parts that do not depend on the cell and have few values.
    fn collect(
        &mut self,
        program: &Program<'_>,
        values: &Values,
        term: TermId,
        itself: &dyn Fn(TermId) -> bool,
    ) -> Option<()> {
        if self.leaves.iter().any(|&leaf| self.terms.same(leaf, term)) || self.terms.constant(term).is_some() {
            return Some(());
        }
        if itself(term) {
            self.leaves.push(term);
            self.values.push(Vec::new());
            return Some(());
        }
        if !reads(program, term, itself)
            && let Some(set) = values.of_term(program, term)
        {
            self.leaves.push(term);
            self.values.push(set);
            return Some(());
        }
        let operands: Vec<TermId> = match self.terms.get(term) {
            Term::Unary(_, operand) => vec![*operand],
            Term::Binary(_, left, right) => vec![*left, *right],
            Term::Conditional(condition, yes, no) => vec![*condition, *yes, *no],
            _ => return None,
        };
        operands.into_iter().try_for_each(|operand| self.collect(program, values, operand, itself))
    }

    fn pair(&self) -> Pair {
        let mut parts = Vec::new();
        for paths in self.segments {
            parts.push(Part::Segment(paths.len()));
            for path in paths {
                parts.push(Part::Path { otherwise: path.conditions.is_none(), steps: path.steps.len() });
                for (step, holds) in path.conditions.iter().flatten() {
                    parts.push(Part::Guard(*holds));
                    if let Step::Condition(term) = step {
                        write_function(self.terms, *term, &self.leaves, &mut parts);
                    }
                }
                for step in &path.steps {
                    if let Step::Assign(_, term) = step {
                        write_function(self.terms, *term, &self.leaves, &mut parts);
                    }
                }
            }
        }
        (self.values.clone(), parts)
    }

    fn agrees(&self, values: &[Vec<i32>]) -> bool {
        let mut row: Vec<i32> = values.iter().map(|set| set[0]).collect();
        let mut places = vec![0; values.len()];
        loop {
            let mut after = [row[0]; 2];
            for (result, order) in after.iter_mut().zip([[0, 1], [1, 0]]) {
                let mut current = row.clone();
                for segment in order {
                    match self.run(self.segments[segment], &mut current) {
                        Some(()) => {}
                        None => return false,
                    }
                }
                *result = current[0];
            }
            if after[0] != after[1] {
                return false;
            }
            let Some(next) = (0..values.len()).find(|&leaf| places[leaf] + 1 < values[leaf].len()) else { return true };
            for leaf in 0..=next {
                places[leaf] = if leaf == next { places[leaf] + 1 } else { 0 };
                row[leaf] = values[leaf][places[leaf]];
            }
        }
    }

    /// What a segment makes of a row, which is left as it is but for its first value.
    fn run(&self, paths: &[SegmentPath], row: &mut [i32]) -> Option<()> {
        let holds = |path: &SegmentPath, row: &[i32]| {
            path.conditions.iter().flatten().all(|(step, holds)| match step {
                Step::Condition(term) => {
                    evaluate(self.terms, *term, &self.leaves, row).map(|it| it != 0) == Some(*holds)
                }
                _ => false,
            })
        };
        let taken = paths.iter().find(|path| path.conditions.is_some() && holds(path, row));
        let path = taken.or_else(|| paths.iter().find(|path| path.conditions.is_none()))?;
        for step in &path.steps {
            let Step::Assign(_, term) = step else { return None };
            row[0] = self.scalar.truncate(evaluate(self.terms, *term, &self.leaves, row)?);
        }
        Some(())
    }
}

fn reads(program: &Program<'_>, term: TermId, itself: &dyn Fn(TermId) -> bool) -> bool {
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        match program.terms.get(term) {
            _ if itself(term) => return true,
            Term::Unary(_, operand) => waiting.push(*operand),
            Term::Binary(_, left, right) => waiting.extend([*left, *right]),
            Term::Conditional(condition, yes, no) => waiting.extend([*condition, *yes, *no]),
            Term::Constant(_) | Term::Load(Reference::Cell(_)) | Term::Probe(..) => {}
            // What else a term asks about may be the cell.
            _ => return true,
        }
    }
    false
}

/// A segment as one segment for each cell that it writes, if what it does to one says nothing about the others.
pub(super) fn by_cell(program: &Program<'_>, paths: Vec<SegmentPath>) -> Vec<Vec<SegmentPath>> {
    let Some(cells) = separate_cells(program, &paths) else { return vec![paths] };
    let of_cell = |cell: CellId| -> Vec<SegmentPath> {
        let writes = |step: &&Step| matches!(step, Step::Assign(Reference::Cell(other), _) if *other == cell);
        let path = |path: &SegmentPath| SegmentPath {
            conditions: path.conditions.clone(),
            steps: path.steps.iter().filter(writes).cloned().collect(),
            ordered: false,
        };
        paths.iter().map(path).collect()
    };
    cells.into_iter().map(of_cell).collect()
}

/// The cells that a segment writes, at least two, if nothing in it reads any of them but to compute its own new value.
fn separate_cells(program: &Program<'_>, paths: &[SegmentPath]) -> Option<Vec<CellId>> {
    let terms = &program.terms;
    let mut written: Vec<CellId> = Vec::new();
    for step in paths.iter().flat_map(|path| &path.steps) {
        let Step::Assign(Reference::Cell(cell), _) = step else { return None };
        if !written.contains(cell) {
            written.push(*cell);
        }
    }
    let is_single = paths.len() < 2 || written.len() < 2;
    if is_single || paths.iter().any(|path| path.ordered) {
        return None;
    }
    let reads_other = |term: TermId, own: Option<CellId>| {
        may_fail(terms, term)
            || program.cells_of_term(term).iter().any(|cell| Some(*cell) != own && written.contains(cell))
    };
    let asks = paths.iter().flat_map(|path| path.conditions.iter().flatten()).any(|(step, _)| match step {
        Step::Condition(term) => reads_other(*term, None),
        _ => true,
    });
    let computes = paths.iter().flat_map(|path| &path.steps).any(|step| match step {
        Step::Assign(Reference::Cell(cell), term) => reads_other(*term, Some(*cell)),
        _ => true,
    });
    (!asks && !computes).then_some(written)
}
