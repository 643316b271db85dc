//! Which class every place, index and value belongs to, and which values can occur in it.
//!
//! Assignments, comparisons for equality, messages and indices unite classes; other operators over at most two different
//! places become tables, whose results flow into the class of the result. All of it is repeated until nothing changes.

pub(super) mod classes;
mod collect;
mod first;
pub(super) mod guards;
mod solve;
mod table;

use std::collections::BTreeSet;

use machine::ground::{CellId, GroupId, Program, Reference, Term, TermId, Terms};
use machine::id::{CellsId, DefinitionId, Location, Pid};
use promela::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) use table::{Function, Part, Table, evaluate, is_arithmetic, may_fail, write_function};

use self::guards::Guard;
use super::classes::{ClassId, Classes};
use collect::Generator;
use first::First;

/// Classes of everything in a program.
pub(super) struct Domains {
    pub classes: Classes,
    /// The class of each cell's content.
    pub cells: Vec<ClassId>,
    /// The class of each index of the groups that are indexed by something unknown.
    pub indices: FxHashMap<GroupId, Vec<ClassId>>,
    /// The class of each message field of each channel.
    pub fields: Vec<Vec<ClassId>>,
    /// The class of `_last`.
    pub last: ClassId,
    /// Groups of processes of one definition that are accessed by pid.
    pub families: FxHashSet<(DefinitionId, CellsId)>,
    /// The cells that can be accessed, as far as is known.
    pub accessible: Vec<bool>,
    /// The class of each term that is used as a value.
    terms: Vec<Option<ClassId>>,
    /// Operators that are tables, by term.
    tables: FxHashMap<TermId, Table>,
    sends: Vec<ChannelUse>,
    /// The values of variables that are computed from nothing but themselves.
    pub own_values: FxHashMap<CellId, BTreeSet<i32>>,
    /// What is known at locations that tables rely on.
    pub relied_on: Vec<(Pid, Location, Known)>,
    /// Variables whose first value is gone at some locations, as far as anybody has asked.
    first: FxHashMap<CellId, Option<First>>,
}

/// What is known of a variable where a process is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// A condition holds, or does not.
    Guard(Guard),
    /// A cell does not hold a value any more.
    Gone(CellId, i32),
}

struct ChannelUse {
    channel: ClassId,
    fields: Vec<Option<ClassId>>,
    sorted: bool,
    span: Span,
}

impl Domains {
    /// The classes of a program, the given conditions included.
    pub fn of(program: &Program<'_>, preserved: &[TermId]) -> Domains {
        let mut classes = Classes::default();
        let cells = program.configuration.cells.iter().map(|_| classes.fresh()).collect();
        let layout = &program.configuration.machine.layout;
        let mut fields = Vec::new();
        for channel in &program.configuration.channels {
            let shape = layout.shape(channel.shape);
            fields.push((0..shape.fields.len()).map(|_| classes.fresh()).collect::<Vec<ClassId>>());
        }
        let last = classes.fresh();
        classes.get_mut(last).names_processes = true;
        let domains = Domains {
            classes,
            cells,
            indices: FxHashMap::default(),
            fields,
            last,
            families: FxHashSet::default(),
            accessible: vec![false; program.configuration.cells.len()],
            terms: vec![None; program.terms.len()],
            tables: FxHashMap::default(),
            sends: Vec::new(),
            own_values: FxHashMap::default(),
            relied_on: Vec::new(),
            first: FxHashMap::default(),
        };
        let mut generator = Generator { program, domains, guards: Vec::new(), place: None };
        generator.all(preserved);
        generator.domains.own_values = generator.own_values();
        generator.solve();
        generator.domains
    }

    /// The class of a term that is used as a value.
    pub fn class_of(&self, term: TermId) -> Option<ClassId> {
        self.terms[term.index()].map(|class| self.classes.root(class))
    }

    /// The table of an operator; `None` if it is a computation with plain numbers.
    pub fn table(&self, term: TermId) -> Option<&Table> {
        let table = self.tables.get(&term)?;
        let nominal = |&leaf: &TermId| self.class_of(leaf).is_some_and(|class| self.classes.names(class).is_some());
        let fits = table.leaves.iter().all(nominal) && table.leaves.len() <= 2;
        fits.then_some(table)
    }

    /// What the leaves of a table can be.
    pub fn arguments(&self, terms: &Terms, table: &Table) -> Vec<Vec<i32>> {
        let values = |&leaf: &TermId| -> Vec<i32> {
            let own = self.own_values_of(terms, leaf);
            let class = self.class_of(leaf).and_then(|class| self.classes.names(class));
            let occurs = |value: &&i32| own.is_none_or(|own| own.contains(value));
            class.into_iter().flatten().filter(occurs).copied().collect()
        };
        table.leaves.iter().map(values).collect()
    }

    /// The values of a place that is computed from nothing but itself.
    fn own_values_of(&self, terms: &Terms, leaf: TermId) -> Option<&BTreeSet<i32>> {
        match terms.get(leaf) {
            Term::Load(Reference::Cell(cell)) => self.own_values.get(cell),
            _ => None,
        }
    }

    /// The rows of a table: arguments and result; no result is a run-time error.
    pub fn rows(&self, terms: &Terms, term: TermId, table: &Table) -> Vec<(Vec<i32>, Option<i32>)> {
        let mut rows: Vec<Vec<i32>> = vec![Vec::new()];
        for values in self.arguments(terms, table) {
            let extended = rows
                .iter()
                .flat_map(|row| values.iter().map(|&value| row.iter().copied().chain([value]).collect::<Vec<i32>>()));
            rows = extended.collect();
        }
        let evaluate = |row: &[i32]| evaluate(terms, term, &table.leaves, row);
        rows.retain(|row| table.allows(terms, row));
        rows.into_iter().map(|row| (evaluate(&row), row)).map(|(result, row)| (row, result)).collect()
    }

    /// The values of a variable with which a process may be at a location.
    pub fn values_under(&self, terms: &Terms, known: Known) -> Option<(CellId, Vec<i32>)> {
        let (cell, allows): (CellId, Box<dyn Fn(i32) -> bool>) = match known {
            Known::Gone(cell, gone) => (cell, Box::new(move |value| value != gone)),
            Known::Guard((condition, holds)) => {
                let [place] = guards::places_of(terms, condition)?.try_into().ok()?;
                let Term::Load(Reference::Cell(cell)) = terms.get(place) else { return None };
                let allows = move |value| {
                    evaluate(terms, condition, &[place], &[value]).is_none_or(|result| (result != 0) == holds)
                };
                (*cell, Box::new(allows))
            }
        };
        let names = self.classes.names(self.cells[cell.index()])?;
        Some((cell, names.iter().copied().filter(|&value| allows(value)).collect()))
    }
}
