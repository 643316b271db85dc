//! Letting values flow until nothing changes.

use std::collections::BTreeSet;

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{CellId, ChannelId, GroupId, Reference, Step, Term, TermId, Terms};
use machine::scalar::Scalar;
use machine::state::Storage;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::classes::{ClassId, NumberReason};
use super::super::commute;
use super::ChannelUse;
use super::collect::Generator;
use super::table::{Function, evaluate};

/// More rows than this make an operator a plain computation with numbers.
const MOST_ROWS: usize = 1 << 14;

/// Variables with more values than this are taken to have all of their class.
const MOST_OWN: usize = 256;

impl Generator<'_, '_> {
    /// Cells whose indices are found to occur can be accessed.
    pub(super) fn access_indexed(&mut self) {
        let configuration = &self.program.configuration;
        let mut found = Vec::new();
        for (&group, classes) in &self.domains.indices {
            found.extend(configuration.cells_of(group).filter(|&cell| {
                let mut indices = classes.iter().zip(configuration.indices(cell));
                !self.domains.accessible[cell.index()]
                    && indices.all(|(&class, index)| match self.domains.classes.names(class) {
                        Some(names) => names.contains(&index),
                        None => true,
                    })
            }));
        }
        found.sort_unstable();
        found.into_iter().for_each(|cell| self.access(cell));
    }

    /// Variables of processes that are only ever set to constants and to functions of themselves, such as a counter that goes
    /// round: the values they can have, however many others are of their class.
    pub(super) fn own_values(&self) -> FxHashMap<CellId, BTreeSet<i32>> {
        let program = self.program;
        let configuration = &program.configuration;
        let mut writes: FxHashMap<CellId, Vec<TermId>> = FxHashMap::default();
        let mut others: FxHashSet<CellId> = FxHashSet::default();
        for (_, step) in program.steps() {
            match step {
                Step::Assign(Reference::Cell(cell), value) => writes.entry(*cell).or_default().push(*value),
                step => others.extend(commute::written(program, step)),
            }
        }
        let mut found = FxHashMap::default();
        for (cell, values) in writes {
            let group = configuration.cells[cell.index()];
            let layout = configuration.layout_of(group);
            let is_own = configuration.groups[group.index()].storage != Storage::Global;
            if !is_own || layout.hidden || others.contains(&cell) {
                continue;
            }
            if let Some(values) = self.closure(cell, &self.different(values), layout.scalar) {
                found.insert(cell, values);
            }
        }
        found
    }

    /// What a variable can hold when it is set to these values.
    pub(super) fn closure(&self, cell: CellId, values: &[TermId], scalar: Scalar) -> Option<BTreeSet<i32>> {
        let terms = &self.program.terms;
        let mut known: BTreeSet<i32> = match self.program.forgotten.contains(&cell) {
            true => values.iter().filter_map(|&value| terms.constant(value)).collect(),
            false => BTreeSet::from([self.program.configuration.entry_value(cell)]),
        };
        if known.is_empty() {
            return None;
        }
        let mut waiting: Vec<i32> = known.iter().copied().collect();
        while let Some(value) = waiting.pop() {
            for &term in values {
                let next = match (terms.constant(term), self.domains.tables.get(&term)) {
                    (Some(constant), _) => Some(constant),
                    (None, Some(table)) => {
                        let [leaf] = table.leaves.as_slice() else { return None };
                        if !matches!(terms.get(*leaf), Term::Load(Reference::Cell(other)) if *other == cell) {
                            return None;
                        }
                        if table.allows(terms, &[value]) {
                            evaluate(terms, term, &table.leaves, &[value])
                        } else {
                            None
                        }
                    }
                    (None, None) => return None,
                };
                let Some(next) = next else { continue };
                if scalar.truncate(next) != next || known.len() > MOST_OWN {
                    return None;
                }
                if known.insert(next) {
                    waiting.push(next);
                }
            }
        }
        Some(known)
    }

    /// Lets values flow until nothing changes.
    pub(super) fn solve(&mut self) {
        let tables = self.different(self.domains.tables.keys().copied().collect());
        let mut computed = FxHashSet::default();
        loop {
            let before = self.domains.classes.changes;
            self.access_indexed();
            for &table in &tables {
                self.compute(table, &mut computed);
            }
            for index in 0..self.domains.sends.len() {
                let ChannelUse { channel, fields, sorted, span } = &self.domains.sends[index];
                let (fields, sorted, span) = (fields.clone(), *sorted, *span);
                // Numbers that are not followed may name any channel.
                let possible: Vec<ChannelId> = match self.domains.classes.names(*channel) {
                    Some(names) => names.iter().filter_map(|&name| self.program.configuration.channel(name)).collect(),
                    None => (0..self.program.configuration.channels.len() as u32).map(ChannelId).collect(),
                };
                for id in possible {
                    self.unite_fields(id, &fields, sorted, span);
                }
            }
            self.domains.classes.check_values();
            if self.domains.classes.changes == before {
                return;
            }
        }
    }

    /// Of terms that compute the same from the same places for the same class, the first one: `x++` may stand in thousands of
    /// places.
    fn different(&self, mut list: Vec<TermId>) -> Vec<TermId> {
        let mut forms = Forms::default();
        let mut known = FxHashSet::default();
        let terms = &self.program.terms;
        list.sort_unstable();
        list.retain(|&id| {
            let table = self.domains.tables.get(&id);
            let result = table.and_then(|table| table.result).map(|class| self.domains.classes.root(class));
            let guards = table.into_iter().flat_map(|table| &table.guards);
            let guards: Vec<(u32, bool)> =
                guards.map(|&(condition, holds)| (forms.of(terms, condition), holds)).collect();
            known.insert((forms.of(terms, id), result, guards))
        });
        list
    }

    fn compute(&mut self, id: TermId, computed: &mut FxHashSet<Computed>) {
        let table = &self.domains.tables[&id];
        let names = |leaf: &TermId| {
            let class = self.domains.class_of(*leaf)?;
            self.domains.classes.names(class).map(|names| names.len())
        };
        let sizes = table.leaves.iter().map(names);
        // This is asked thousands of times for each answer that is not yes.
        if table.computed_for.len() == table.leaves.len()
            && sizes.clone().eq(table.computed_for.iter().map(|&n| Some(n)))
        {
            return;
        }
        let (leaves, result) = (table.leaves.clone(), table.result);
        let span = self.program.terms.span(id);
        match sizes.collect::<Option<Vec<usize>>>() {
            Some(sizes) if leaves.len() <= 2 && sizes.iter().product::<usize>() <= MOST_ROWS => {
                // What a condition makes of them flows nowhere.
                if let Some(result) = result {
                    let function = Function::of(&self.program.terms, id, table);
                    self.flow_results(id, function, result, computed);
                }
                if let Some(table) = self.domains.tables.get_mut(&id) {
                    table.computed_for = sizes;
                }
            }
            _ => {
                let classes: Vec<ClassId> =
                    leaves.iter().filter_map(|&leaf| self.domains.class_of(leaf)).chain(result).collect();
                for class in classes {
                    self.domains.classes.make_number(class, NumberReason::Computed, span);
                }
            }
        }
    }

    /// Lets what a table makes of its arguments flow into the class of its results.
    fn flow_results(&mut self, id: TermId, function: Function, result: ClassId, computed: &mut FxHashSet<Computed>) {
        let terms = &self.program.terms;
        let result = self.domains.classes.root(result);
        let table = &self.domains.tables[&id];
        if !computed.insert((function.clone(), self.domains.arguments(terms, table), result)) {
            return;
        }
        let [leaf] = *table.leaves.as_slice() else {
            let rows = self.domains.rows(terms, id, table);
            self.domains.classes.flow_all(result, rows.into_iter().filter_map(|(_, value)| value));
            return;
        };
        // The results may be arguments again, as those of `x + 1` are: each is computed once, not all again for each new one.
        let is_repeated = self.domains.class_of(leaf) == Some(result);
        let mut arguments = self.domains.arguments(terms, table).concat();
        while !arguments.is_empty() {
            let table = &self.domains.tables[&id];
            let allowed = arguments.iter().filter(|&&value| table.allows(terms, &[value]));
            let results: Vec<i32> = allowed.filter_map(|&value| evaluate(terms, id, &table.leaves, &[value])).collect();
            let own = self.domains.own_values_of(terms, leaf).cloned();
            arguments = self.domains.classes.flow_new(result, results);
            arguments.retain(|value| is_repeated && own.as_ref().is_none_or(|own| own.contains(value)));
        }
        computed.insert((function, self.domains.arguments(terms, &self.domains.tables[&id]), result));
    }
}

/// A function, the values of its arguments, and the class into which the results went.
type Computed = (Function, Vec<Vec<i32>>, ClassId);

/// What a term computes from which cells.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Constant(i32),
    Cell(CellId),
    Indexed(GroupId, Vec<u32>),
    Unary(UnaryOp, u32),
    Binary(BinaryOp, u32, u32),
    Conditional(u32, u32, u32),
    /// Like no other.
    Unique(TermId),
}

/// Numbers for the forms of terms: equal ones have equal numbers.
#[derive(Default)]
struct Forms(FxHashMap<Form, u32>);

impl Forms {
    fn of(&mut self, terms: &Terms, id: TermId) -> u32 {
        let form = match terms.get(id) {
            Term::Constant(value) => Form::Constant(*value),
            Term::Load(Reference::Cell(cell)) => Form::Cell(*cell),
            Term::Load(Reference::Indexed(group, indices)) => {
                Form::Indexed(*group, indices.iter().map(|&index| self.of(terms, index)).collect())
            }
            Term::Unary(op, operand) => Form::Unary(*op, self.of(terms, *operand)),
            Term::Binary(op, left, right) => Form::Binary(*op, self.of(terms, *left), self.of(terms, *right)),
            Term::Conditional(condition, yes, no) => {
                Form::Conditional(self.of(terms, *condition), self.of(terms, *yes), self.of(terms, *no))
            }
            _ => Form::Unique(id),
        };
        let next = self.0.len() as u32;
        *self.0.entry(form).or_insert(next)
    }
}
