//! What is known of cells at some point of a step that is put together.

use machine::expression::BinaryOp;
use rustc_hash::FxHashMap;

use super::super::commute;
use super::super::configuration::CellId;
use super::super::guards;
use super::super::term::{Reference, Step, Term, TermId};
use super::Composer;

/// Values of cells that are known at some point.
pub(super) type Store = FxHashMap<CellId, i32>;

impl Composer<'_> {
    /// Takes note of what a condition that holds says: `x == 3`.
    pub(super) fn assume(&self, store: &mut Store, step: &Step) {
        let Step::Condition(condition) = step else { return };
        for (part, holds) in guards::conjuncts(&self.program.terms, *condition, true) {
            self.assume_part(store, part, holds);
        }
    }

    pub(super) fn assume_all(&self, store: &mut Store, condition: TermId, holds: bool) {
        for (part, holds) in guards::conjuncts(&self.program.terms, condition, holds) {
            self.assume_part(store, part, holds);
        }
    }

    fn assume_part(&self, store: &mut Store, part: TermId, holds: bool) {
        let terms = &self.program.terms;
        let (op, left, right) = match terms.get(part) {
            Term::Binary(op, left, right) => (*op, *left, *right),
            _ => return,
        };
        if (op, holds) != (BinaryOp::Equal, true) && (op, holds) != (BinaryOp::NotEqual, false) {
            return;
        }
        let pair = match (terms.get(left), terms.get(right)) {
            (Term::Load(Reference::Cell(cell)), Term::Constant(value)) => (*cell, *value),
            (Term::Constant(value), Term::Load(Reference::Cell(cell))) => (*cell, *value),
            _ => return,
        };
        let configuration = &self.program.configuration;
        if !configuration.layout_of(configuration.cells[pair.0.index()]).hidden && !self.untracked.contains(&pair.0) {
            store.insert(pair.0, pair.1);
        }
    }

    /// Takes note of what is known after a step.
    pub(super) fn learn(&mut self, store: &mut Store, step: &Step) {
        let constant = match step {
            Step::Assign(Reference::Cell(_), value) => self.program.terms.constant(*value),
            _ => None,
        };
        if constant.is_none() {
            let written = commute::written(&self.program, step);
            self.lost.extend(written.into_iter().filter(|cell| store.contains_key(cell)));
        }
        self.forget(store, step);
        if let (Step::Assign(Reference::Cell(cell), _), Some(value)) = (step, constant)
            && !self.untracked.contains(cell)
        {
            let configuration = &self.program.configuration;
            let scalar = configuration.layout_of(configuration.cells[cell.index()]).scalar;
            store.insert(*cell, scalar.truncate(value));
        }
    }

    pub(super) fn forget(&self, store: &mut Store, step: &Step) {
        for cell in commute::written(&self.program, step) {
            store.remove(&cell);
        }
    }
}

/// Whether two states in which these values are known cannot be the same.
pub(super) fn differ(one: &Store, other: &Store) -> bool {
    one.iter().any(|(cell, value)| other.get(cell).is_some_and(|known| known != value))
}
