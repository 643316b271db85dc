//! Which values cells can hold, as far as constants and copies tell: enough to try out all cases of a round of a loop.

use std::collections::BTreeSet;

use machine::ground::{CellId, FieldTerm, Program, Reference, Step, Term, TermId, unary};
use machine::interpret::arithmetic;
use rustc_hash::FxHashMap;

use super::folds::Pair;

/// A cell with more values than this may hold everything that fits.
const MOST_VALUES: usize = 16;
/// Cells that may hold everything are tried if that is not more than this.
const MOST_OF_A_TYPE: i64 = 256;

/// What cells can hold from the entry state on.
pub(super) struct Values {
    /// `None` is everything that fits.
    cells: Vec<Option<BTreeSet<i32>>>,
    /// Pairs of segments that were tried out, and whether they agree.
    pub tried: FxHashMap<Pair, bool>,
}

impl Values {
    /// The values that flow by assignments, until nothing changes.
    pub fn of(program: &Program<'_>) -> Values {
        let configuration = &program.configuration;
        let start = |index: usize| {
            let cell = CellId(index as u32);
            let hidden = configuration.layout_of(configuration.cells[index]).hidden;
            (!hidden).then(|| BTreeSet::from([configuration.entry_value(cell)]))
        };
        let mut values =
            Values { cells: (0..configuration.cells.len()).map(start).collect(), tried: FxHashMap::default() };
        let steps: Vec<&Step> = program.steps().map(|(_, step)| step).collect();
        let mut changes = true;
        while changes {
            changes = steps.iter().filter(|step| values.flow(program, step)).count() > 0;
        }
        values
    }

    /// Lets a step store what it may; whether that is new.
    fn flow(&mut self, program: &Program<'_>, step: &Step) -> bool {
        match step {
            Step::Assign(place, value) => {
                let stored = self.known(program, *value);
                self.store(program, place, stored.as_ref())
            }
            Step::Receive { fields, .. } => fields.iter().fold(false, |changed, field| match field {
                FieldTerm::Bind(place) => self.store(program, place, None) || changed,
                FieldTerm::Ignore | FieldTerm::Match(_) => changed,
            }),
            _ => false,
        }
    }

    fn store(&mut self, program: &Program<'_>, place: &Reference, values: Option<&BTreeSet<i32>>) -> bool {
        let configuration = &program.configuration;
        let mut changed = false;
        for cell in program.possible_cells(place) {
            let scalar = configuration.layout_of(configuration.cells[cell.index()]).scalar;
            let Some(held) = &mut self.cells[cell.index()] else { continue };
            let count = held.len();
            match values {
                Some(values) => held.extend(values.iter().map(|&value| scalar.truncate(value))),
                None => held.clear(),
            }
            changed |= held.len() != count;
            if values.is_none() || held.len() > MOST_VALUES {
                self.cells[cell.index()] = None;
                changed = true;
            }
        }
        changed
    }

    /// The values of a term, if they are few.
    fn known(&self, program: &Program<'_>, term: TermId) -> Option<BTreeSet<i32>> {
        let terms = &program.terms;
        let found: BTreeSet<i32> = match terms.get(term) {
            Term::Constant(value) => BTreeSet::from([*value]),
            _ if terms.is_boolean(term) => BTreeSet::from([0, 1]),
            Term::Load(place) => {
                let sets = program.possible_cells(place).into_iter().map(|cell| self.cells[cell.index()].as_ref());
                sets.collect::<Option<Vec<_>>>()?.into_iter().flatten().copied().collect()
            }
            Term::Unary(op, operand) => self.known(program, *operand)?.into_iter().map(|it| unary(*op, it)).collect(),
            Term::Binary(op, left, right) => {
                let (left, right) = (self.known(program, *left)?, self.known(program, *right)?);
                let pairs = left.iter().flat_map(|&one| right.iter().map(move |&other| (one, other)));
                pairs.filter_map(|(one, other)| arithmetic(*op, one, other)).collect()
            }
            Term::Conditional(_, yes, no) => {
                let (yes, no) = (self.known(program, *yes)?, self.known(program, *no)?);
                yes.union(&no).copied().collect()
            }
            _ => return None,
        };
        (found.len() <= MOST_VALUES).then_some(found)
    }

    /// All values that a cell can hold, if they are not too many to be tried.
    pub fn of_cell(&self, program: &Program<'_>, cell: CellId) -> Option<Vec<i32>> {
        if let Some(known) = &self.cells[cell.index()] {
            return Some(known.iter().copied().collect());
        }
        let configuration = &program.configuration;
        let (least, most) = configuration.layout_of(configuration.cells[cell.index()]).scalar.range();
        (i64::from(most) - i64::from(least) < MOST_OF_A_TYPE).then(|| (least..=most).collect())
    }

    /// All values of a term, if they are not too many to be tried.
    pub fn of_term(&self, program: &Program<'_>, term: TermId) -> Option<Vec<i32>> {
        match (self.known(program, term), program.terms.get(term)) {
            (Some(known), _) => Some(known.into_iter().collect()),
            (None, Term::Load(Reference::Cell(cell))) => self.of_cell(program, *cell),
            _ => None,
        }
    }
}
