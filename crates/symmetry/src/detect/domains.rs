//! Which class every place, index and value belongs to, and which values can occur in it.
//!
//! Assignments, comparisons for equality, messages and indices unite classes; other operators over at most two different
//! places become tables, whose results flow into the class of the result. All of it is repeated until nothing changes.

use std::collections::BTreeSet;

use machine::expression::{BinaryOp, UnaryOp};
use machine::id::{CellsId, DefinitionId, Location, Pid};
use machine::interpret::arithmetic;
use machine::scalar::Scalar;
use machine::state::Storage;
use promela::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::{ClassId, Classes, NumberReason};
use super::commute;
use super::configuration::{CellId, ChannelId, GroupId};
use super::guards::{self, Guard};
use super::program::Program;
use super::specialise::unary;
use super::term::{
    ChannelTerm, Composite, FieldTerm, Reference, Step, Term, TermId, Terms, is_comparison, is_ordering,
};

/// More rows than this make an operator a plain computation with numbers.
const MOST_ROWS: usize = 1 << 14;

/// Variables with more values than this are taken to have all of their class.
const MOST_OWN: usize = 256;

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
    /// Conditions at locations that tables rely on.
    pub relied_on: Vec<(Pid, Location, Guard)>,
}

/// An operator tree over at most two different places.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The different places.
    pub leaves: Vec<TermId>,
    /// The class of the result; none for a condition.
    pub result: Option<ClassId>,
    /// What is known of the places where it is computed.
    guards: Vec<Guard>,
    /// How many values the classes of the leaves had when the results were computed last.
    computed_for: Vec<usize>,
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

    /// The rows of a table: arguments and result; no result is a run-time error.
    pub fn rows(&self, terms: &Terms, term: TermId, table: &Table) -> Vec<(Vec<i32>, Option<i32>)> {
        let values = |leaf: TermId| -> Vec<i32> {
            let own = match terms.get(leaf) {
                Term::Load(Reference::Cell(cell)) => self.own_values.get(cell),
                _ => None,
            };
            let class = self.class_of(leaf).and_then(|class| self.classes.names(class));
            let occurs = |value: &&i32| own.is_none_or(|own| own.contains(value));
            class.into_iter().flatten().filter(occurs).copied().collect()
        };
        let mut rows: Vec<Vec<i32>> = vec![Vec::new()];
        for &leaf in &table.leaves {
            let values = values(leaf);
            let extended = rows
                .iter()
                .flat_map(|row| values.iter().map(|&value| row.iter().copied().chain([value]).collect::<Vec<i32>>()));
            rows = extended.collect();
        }
        let evaluate = |row: &[i32]| evaluate(terms, term, &table.leaves, row);
        rows.retain(|row| table.allows(terms, row));
        rows.into_iter().map(|row| (evaluate(&row), row)).map(|(result, row)| (row, result)).collect()
    }
}

impl Table {
    /// Whether arguments can occur where the table is used.
    fn allows(&self, terms: &Terms, row: &[i32]) -> bool {
        let agrees = |&(condition, holds): &Guard| match evaluate(terms, condition, &self.leaves, row) {
            Some(value) => (value != 0) == holds,
            None => true,
        };
        self.guards.iter().all(agrees)
    }
}

/// The value of an operator tree when its leaves have these values; `None` for a run-time error.
fn evaluate(terms: &Terms, term: TermId, leaves: &[TermId], values: &[i32]) -> Option<i32> {
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
pub(super) fn leaves_of(terms: &Terms, term: TermId) -> Vec<TermId> {
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
pub(super) fn function_of_one(terms: &Terms, term: TermId) -> Option<TermId> {
    let [place] = guards::places_of(terms, term)?.try_into().ok()?;
    (!may_fail(terms, term)).then_some(place)
}

/// Whether an operator computes a number from numbers.
pub(super) fn is_arithmetic(op: BinaryOp) -> bool {
    !is_comparison(op) && !matches!(op, BinaryOp::And | BinaryOp::Or)
}

struct Generator<'p, 'm> {
    program: &'p Program<'m>,
    domains: Domains,
    /// What is known where the step at hand is taken.
    guards: Vec<Guard>,
    /// Where that is, and how many of these are known for being there.
    place: Option<(Pid, Location, usize)>,
}

impl Generator<'_, '_> {
    fn all(&mut self, preserved: &[TermId]) {
        let program = self.program;
        for process in &program.processes {
            process.provided.into_iter().for_each(|provided| self.condition(provided));
        }
        preserved.iter().for_each(|&term| self.condition(term));
        for pid in program.configuration.pids() {
            let known = guards::known_conditions(program, pid);
            for (location, ways) in &program.processes[pid.index()].locations {
                for way in ways {
                    self.guards = known.get(location).cloned().unwrap_or_default();
                    self.place = Some((pid, *location, self.guards.len()));
                    self.step(&way.step, way.span);
                }
            }
        }
        self.guards.clear();
        self.place = None;
        let configuration = &program.configuration;
        for cell in self.named_cells() {
            self.access(cell);
        }
        let layout = &configuration.machine.layout;
        for (index, channel) in configuration.channels.iter().enumerate() {
            let shape = layout.shape(channel.shape);
            let messages = configuration.entry_messages(ChannelId(index as u32));
            for field in 0..shape.fields.len() {
                let class = self.domains.fields[index][field];
                self.domains.classes.store_as(class, shape.scalar(field));
                messages.iter().for_each(|message| self.domains.classes.flow(class, message[field]));
            }
        }
        if layout.last_offset.is_some() {
            let last = self.domains.last;
            self.domains.classes.flow(last, configuration.entry.last(layout));
            configuration.pids().for_each(|pid| self.domains.classes.flow(last, i32::from(pid.0)));
        }
    }

    /// The cells that any step or preserved condition names without an index that has to be found out.
    fn named_cells(&self) -> Vec<CellId> {
        let program = self.program;
        let mut named = Vec::new();
        let mut mark = |reference: &Reference| match reference {
            Reference::Cell(cell) => named.push(*cell),
            Reference::Remote { indices, .. } if indices.is_empty() => named.extend(program.possible_cells(reference)),
            Reference::Remote { .. } | Reference::Indexed(..) | Reference::Missing => {}
        };
        for way in program.ways() {
            program.visit_step(&way.step, &mut mark, &mut |_| {});
        }
        for term in program.terms.ids().filter(|term| self.domains.terms[term.index()].is_some()) {
            program.visit_term(term, &mut mark, &mut |_| {});
        }
        named
    }

    /// A cell can be accessed: what it starts with can occur.
    fn access(&mut self, cell: CellId) {
        if std::mem::replace(&mut self.domains.accessible[cell.index()], true) {
            return;
        }
        let configuration = &self.program.configuration;
        let layout = configuration.layout_of(configuration.cells[cell.index()]);
        let class = self.domains.cells[cell.index()];
        self.domains.classes.changes += 1;
        if !self.program.forgotten.contains(&cell) {
            self.domains.classes.flow(class, configuration.entry_value(cell));
        }
        self.domains.classes.store_as(class, layout.scalar);
        if layout.hidden && !self.program.constants[cell.index()] {
            self.domains.classes.make_number(class, NumberReason::Hidden, layout.span);
        }
    }

    /// Cells whose indices are found to occur can be accessed.
    fn access_indexed(&mut self) {
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

    fn step(&mut self, step: &Step, span: Span) {
        match step {
            Step::Skip | Step::Else | Step::End | Step::Opaque => {}
            Step::Condition(condition) | Step::Assert(condition) => self.condition(*condition),
            Step::Assign(place, value) => {
                let class = self.place(place);
                self.flow_into(*value, class);
            }
            Step::Evaluate(terms) => {
                for &term in terms.iter().filter(|&&term| may_fail(&self.program.terms, term)) {
                    self.value(term);
                }
            }
            Step::Send { channel, sorted, values } => {
                let values: Vec<(TermId, ClassId)> =
                    values.iter().map(|&value| (value, self.domains.classes.fresh())).collect();
                values.iter().for_each(|&(value, class)| self.flow_into(value, class));
                let classes = values.into_iter().map(|(_, class)| Some(class)).collect();
                self.message(channel, classes, *sorted, span);
            }
            Step::Receive { channel, fields, .. } => {
                let mut classes = Vec::new();
                for field in fields {
                    classes.push(match field {
                        FieldTerm::Bind(place) => Some(self.place(place)),
                        FieldTerm::Ignore => None,
                        FieldTerm::Match(value) => Some(self.pattern(*value)),
                    });
                }
                self.message(channel, classes, false, span);
            }
            Step::SetPriority(pid, priority) => {
                let pid = self.value(*pid);
                self.domains.classes.get_mut(pid).names_processes = true;
                let priority = self.value(*priority);
                self.domains.classes.make_number(priority, NumberReason::Computed, span);
            }
            Step::Deterministic(nodes) => nodes.iter().flatten().for_each(|(step, _)| self.step(step, span)),
            Step::Composite(composite) => self.composite(composite, span),
        }
    }

    /// Inside of a composite step, the conditions of a path are known too, and what comes first.
    fn composite(&mut self, composite: &Composite, span: Span) {
        let program = self.program;
        let outside = self.guards.clone();
        let place = self.place;
        let mut first = Vec::new();
        if let Some(step) = &composite.first {
            self.step(step, span);
            if let Step::Condition(condition) = &**step {
                first = guards::conjuncts(&program.terms, *condition, true);
            }
        }
        let first_step: Vec<Step> = composite.first.iter().map(|step| (**step).clone()).collect();
        for (index, segment) in composite.segments.iter().enumerate() {
            let others: Vec<Step> = composite
                .segments
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != index)
                .flat_map(|(_, other)| other.paths.iter().flat_map(|path| path.steps.iter().cloned()))
                .chain(first_step.iter().cloned())
                .collect();
            let stays = |&(condition, _): &Guard| !commute::reads_written(program, condition, &others);
            let located: Vec<Guard> = outside.iter().copied().filter(stays).collect();
            let before: Vec<Guard> = first.iter().copied().filter(stays).collect();
            for path in &segment.paths {
                self.guards = located.clone();
                self.place = place.map(|(pid, location, _)| (pid, location, located.len()));
                self.guards.extend(&before);
                for (condition, _) in path.conditions.iter().flatten() {
                    self.step(condition, span);
                }
                for (condition, holds) in path.conditions.iter().flatten() {
                    if let Step::Condition(condition) = condition {
                        self.guards.extend(guards::conjuncts(&program.terms, *condition, *holds));
                    }
                }
                if path.ordered {
                    // Which step of the path changes what a condition reads is not told apart.
                    let stays = |&(condition, _): &Guard| !commute::reads_written(program, condition, &path.steps);
                    let located = located.iter().filter(|&guard| stays(guard)).count();
                    self.guards.retain(stays);
                    self.place = place.map(|(pid, location, _)| (pid, location, located));
                }
                path.steps.iter().for_each(|step| self.step(step, span));
            }
        }
        self.guards = outside;
        self.place = place;
    }

    /// A class with which a value is compared; a constant there is nothing that can occur.
    fn pattern(&mut self, value: TermId) -> ClassId {
        let class = self.domains.classes.fresh();
        self.compare(value, class);
        class
    }

    fn message(&mut self, channel: &ChannelTerm, fields: Vec<Option<ClassId>>, sorted: bool, span: Span) {
        match channel {
            ChannelTerm::Missing => {}
            ChannelTerm::Known(id) => self.unite_fields(*id, &fields, sorted, span),
            ChannelTerm::Variable(number) => {
                let channel = self.channel_number(*number);
                self.domains.sends.push(ChannelUse { channel, fields, sorted, span });
            }
        }
    }

    fn channel_number(&mut self, number: TermId) -> ClassId {
        let class = self.value(number);
        self.domains.classes.get_mut(class).names_channels = true;
        class
    }

    fn unite_fields(&mut self, channel: ChannelId, fields: &[Option<ClassId>], sorted: bool, span: Span) {
        for (index, &class) in self.domains.fields[channel.index()].clone().iter().enumerate() {
            if let Some(Some(given)) = fields.get(index) {
                self.domains.classes.unite(class, *given);
            }
            if sorted {
                self.domains.classes.make_number(class, NumberReason::Sorted, span);
            }
        }
    }

    /// The value of a term can occur in a class.
    fn flow_into(&mut self, term: TermId, class: ClassId) {
        match self.program.terms.constant(term) {
            Some(value) => {
                self.domains.terms[term.index()] = Some(class);
                self.domains.classes.flow(class, value);
            }
            None => {
                let value = self.value(term);
                self.domains.classes.unite(value, class);
            }
        }
    }

    /// The value of a term is compared with those of a class.
    fn compare(&mut self, term: TermId, class: ClassId) {
        if self.program.terms.constant(term).is_some() {
            self.domains.terms[term.index()] = Some(class);
        } else {
            let value = self.value(term);
            self.domains.classes.unite(value, class);
        }
    }

    /// The class of a place's content.
    fn place(&mut self, reference: &Reference) -> ClassId {
        let program = self.program;
        match reference {
            Reference::Cell(_) | Reference::Missing => {}
            Reference::Indexed(group, indices) => self.index(*group, indices),
            Reference::Remote { definition, cells, pid, indices } => {
                let pid = self.value(*pid);
                self.domains.classes.get_mut(pid).names_processes = true;
                self.domains.families.insert((*definition, *cells));
                for process in program.configuration.instances(*definition).collect::<Vec<_>>() {
                    let group = program.configuration.group(Storage::Process(process), *cells);
                    self.index(group, indices);
                }
            }
        }
        let cells = program.possible_cells(reference);
        let classes: Vec<ClassId> = cells.iter().map(|cell| self.domains.cells[cell.index()]).collect();
        for pair in classes.windows(2) {
            self.domains.classes.unite(pair[0], pair[1]);
        }
        classes.first().copied().unwrap_or_else(|| self.domains.classes.fresh())
    }

    fn index(&mut self, group: GroupId, indices: &[TermId]) {
        if indices.is_empty() {
            return;
        }
        let classes = match self.domains.indices.get(&group) {
            Some(classes) => classes.clone(),
            None => {
                let classes: Vec<ClassId> = indices.iter().map(|_| self.domains.classes.fresh()).collect();
                self.domains.indices.insert(group, classes.clone());
                classes
            }
        };
        for (&index, class) in indices.iter().zip(classes) {
            match self.domains.terms[index.index()] {
                // A remote reference has one index for the groups of several processes.
                Some(known) => self.domains.classes.unite(known, class),
                None => self.flow_into(index, class),
            }
        }
    }

    /// The class of a term's value.
    fn value(&mut self, id: TermId) -> ClassId {
        if let Some(class) = self.domains.terms[id.index()] {
            return class;
        }
        let program = self.program;
        let span = program.terms.span(id);
        let class = if program.terms.is_boolean(id) {
            self.condition(id);
            let class = self.domains.classes.fresh();
            self.domains.classes.flow(class, 0);
            self.domains.classes.flow(class, 1);
            class
        } else {
            match program.terms.get(id) {
                Term::Load(reference) => self.place(reference),
                Term::Unary(..) | Term::Binary(..) => {
                    let result = self.domains.classes.fresh();
                    self.table(id, Some(result));
                    result
                }
                Term::Conditional(..) if function_of_one(&program.terms, id).is_some() => {
                    let result = self.domains.classes.fresh();
                    self.table(id, Some(result));
                    result
                }
                Term::Conditional(condition, yes, no) => {
                    self.condition(*condition);
                    let class = self.domains.classes.fresh();
                    self.flow_into(*yes, class);
                    self.flow_into(*no, class);
                    class
                }
                Term::Probe(_, channel) => {
                    if let ChannelTerm::Variable(number) = channel {
                        self.channel_number(*number);
                    }
                    self.number(span)
                }
                Term::PriorityOf(pid) | Term::LocationOf(pid) => {
                    let pid = self.value(*pid);
                    self.domains.classes.get_mut(pid).names_processes = true;
                    self.number(span)
                }
                Term::AnyReference(definition) => {
                    let class = self.domains.classes.fresh();
                    for pid in program.configuration.instances(*definition) {
                        self.domains.classes.flow(class, i32::from(pid.0));
                    }
                    class
                }
                Term::Last => self.domains.last,
                Term::Constant(value) => {
                    let class = self.domains.classes.fresh();
                    self.domains.classes.flow(class, *value);
                    class
                }
                _ => self.number(span),
            }
        };
        self.domains.terms[id.index()] = Some(class);
        class
    }

    fn number(&mut self, span: Span) -> ClassId {
        let class = self.domains.classes.fresh();
        self.domains.classes.make_number(class, NumberReason::Computed, span);
        class
    }

    fn table(&mut self, id: TermId, result: Option<ClassId>) {
        let terms = &self.program.terms;
        let leaves = leaves_of(terms, id);
        self.visit_leaves(id, true);
        let speaks_of_leaves = |&(condition, _): &Guard| {
            guards::places_of(terms, condition)
                .is_some_and(|places| places.iter().all(|&place| leaves.iter().any(|&leaf| terms.same(leaf, place))))
        };
        let guards: Vec<Guard> = self.guards.iter().copied().filter(speaks_of_leaves).collect();
        if let Some((pid, location, located)) = self.place {
            let relied_on = self.guards[..located].iter().copied().filter(speaks_of_leaves);
            self.domains.relied_on.extend(relied_on.map(|guard| (pid, location, guard)));
        }
        self.domains.tables.insert(id, Table { leaves, result, guards, computed_for: Vec::new() });
    }

    /// Gives every leaf of an operator tree its class, equal ones too.
    fn visit_leaves(&mut self, id: TermId, is_top: bool) {
        match self.program.terms.get(id) {
            Term::Constant(_) => {}
            Term::Conditional(..) if is_top => {
                if let Some(place) = function_of_one(&self.program.terms, id) {
                    self.value(place);
                }
            }
            Term::Unary(UnaryOp::Negate | UnaryOp::Complement, operand) => self.visit_leaves(*operand, false),
            Term::Binary(op, left, right) if is_arithmetic(*op) || (is_top && is_ordering(*op)) => {
                self.visit_leaves(*left, false);
                self.visit_leaves(*right, false);
            }
            _ => {
                self.value(id);
            }
        }
    }

    /// A term is used as a condition.
    fn condition(&mut self, id: TermId) {
        let program = self.program;
        match program.terms.get(id) {
            Term::Constant(_) | Term::Timeout | Term::NonProgress | Term::At(..) | Term::Fails | Term::Opaque => {}
            Term::Unary(UnaryOp::Not, operand) => self.condition(*operand),
            Term::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.condition(*left);
                self.condition(*right);
            }
            Term::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                let class = self.domains.classes.fresh();
                self.compare(*left, class);
                self.compare(*right, class);
            }
            Term::Binary(op, ..) if is_ordering(*op) => self.table(id, None),
            Term::Probe(_, channel) if program.terms.is_boolean(id) => {
                if let ChannelTerm::Variable(number) = channel {
                    self.channel_number(*number);
                }
            }
            Term::Poll { channel, pattern, .. } => {
                let pattern: Vec<Option<ClassId>> =
                    pattern.iter().map(|value| value.map(|value| self.pattern(value))).collect();
                self.message(channel, pattern, false, program.terms.span(id));
            }
            Term::AnyAt(pid, ..) | Term::Enabled(pid) => {
                let pid = self.value(*pid);
                self.domains.classes.get_mut(pid).names_processes = true;
            }
            _ => {
                let class = self.value(id);
                self.domains.classes.get_mut(class).is_condition = true;
            }
        }
    }

    /// Variables of processes that are only ever set to constants and to functions of themselves, such as a counter that goes
    /// round: the values they can have, however many others are of their class.
    fn own_values(&self) -> FxHashMap<CellId, BTreeSet<i32>> {
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
            if let Some(values) = self.closure(cell, &values, layout.scalar) {
                found.insert(cell, values);
            }
        }
        found
    }

    /// What a variable can hold when it is set to these values.
    fn closure(&self, cell: CellId, values: &[TermId], scalar: Scalar) -> Option<BTreeSet<i32>> {
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
    fn solve(&mut self) {
        let mut tables: Vec<TermId> = self.domains.tables.keys().copied().collect();
        tables.sort_unstable();
        loop {
            let before = self.domains.classes.changes;
            self.access_indexed();
            for &table in &tables {
                self.compute(table);
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

    fn compute(&mut self, id: TermId) {
        let table = &self.domains.tables[&id];
        let (leaves, result) = (table.leaves.clone(), table.result);
        let names = |leaf: &TermId| {
            let class = self.domains.class_of(*leaf)?;
            self.domains.classes.names(class).map(|names| names.len())
        };
        let sizes: Option<Vec<usize>> = leaves.iter().map(names).collect();
        let span = self.program.terms.span(id);
        match sizes {
            Some(sizes) if leaves.len() <= 2 && sizes.iter().product::<usize>() <= MOST_ROWS => {
                if sizes == table.computed_for {
                    return;
                }
                let rows = self.domains.rows(&self.program.terms, id, table);
                if let Some(result) = result {
                    rows.into_iter()
                        .filter_map(|(_, value)| value)
                        .for_each(|value| self.domains.classes.flow(result, value));
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
}

/// Whether computing a term may be a run-time error.
pub(super) fn may_fail(terms: &Terms, id: TermId) -> bool {
    let channel_fails = |channel: &ChannelTerm| !matches!(channel, ChannelTerm::Known(_));
    match terms.get(id) {
        Term::Constant(_) | Term::Load(Reference::Cell(_)) | Term::At(..) | Term::Timeout | Term::NonProgress => false,
        Term::ProcessCount | Term::ChannelCount | Term::Last | Term::Priority(_) | Term::AnyReference(_) => false,
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

impl Domains {
    /// The values of an own variable with which a process may be at a location.
    pub fn values_under(&self, terms: &Terms, (condition, holds): Guard) -> Option<(CellId, Vec<i32>)> {
        let [place] = guards::places_of(terms, condition)?.try_into().ok()?;
        let Term::Load(Reference::Cell(cell)) = terms.get(place) else { return None };
        let names = self.classes.names(self.cells[cell.index()])?;
        let allowed = names.iter().copied().filter(|&value| {
            evaluate(terms, condition, &[place], &[value]).is_none_or(|result| (result != 0) == holds)
        });
        Some((*cell, allowed.collect()))
    }
}
