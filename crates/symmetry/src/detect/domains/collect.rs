//! Going through the program: what is copied, compared and used as an index belongs to one class.

use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{
    CellId, ChannelId, ChannelTerm, Composite, FieldTerm, GroupId, Program, Reference, Step, Term, TermId, is_ordering,
};
use machine::id::{Location, Pid};
use machine::state::Storage;
use promela::source::Span;

use super::super::classes::{ClassId, NumberReason};
use super::super::commute;
use super::super::guards::{self, Guard};
use super::first::First;
use super::table::{Table, function_of_one, is_arithmetic, leaves_of, may_fail};
use super::{ChannelUse, Domains, Known};

/// What goes through a program.
pub(super) struct Generator<'p, 'm> {
    pub program: &'p Program<'m>,
    pub domains: Domains,
    /// What is known where the step at hand is taken.
    pub guards: Vec<Guard>,
    /// Where that is, and how many of these are known for being there.
    pub place: Option<(Pid, Location, usize)>,
}

impl Generator<'_, '_> {
    pub(super) fn all(&mut self, preserved: &[TermId]) {
        let program = self.program;
        for process in &program.processes {
            process.provided.iter().chain(&process.ends).for_each(|&asked| self.condition(asked));
        }
        preserved.iter().for_each(|&term| self.condition(term));
        let foreign = guards::written_by_others(program);
        for pid in program.configuration.pids() {
            let known = guards::known_conditions(program, pid, &foreign);
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
    pub(super) fn named_cells(&self) -> Vec<CellId> {
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
    pub(super) fn access(&mut self, cell: CellId) {
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

    pub(super) fn step(&mut self, step: &Step, span: Span) {
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
    pub(super) fn composite(&mut self, composite: &Composite, span: Span) {
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
    pub(super) fn pattern(&mut self, value: TermId) -> ClassId {
        let class = self.domains.classes.fresh();
        self.compare(value, class);
        class
    }

    pub(super) fn message(&mut self, channel: &ChannelTerm, fields: Vec<Option<ClassId>>, sorted: bool, span: Span) {
        match channel {
            ChannelTerm::Missing => {}
            ChannelTerm::Known(id) => self.unite_fields(*id, &fields, sorted, span),
            ChannelTerm::Variable(number) => {
                let channel = self.channel_number(*number);
                self.domains.sends.push(ChannelUse { channel, fields, sorted, span });
            }
        }
    }

    pub(super) fn channel_number(&mut self, number: TermId) -> ClassId {
        let class = self.value(number);
        self.domains.classes.get_mut(class).names_channels = true;
        class
    }

    pub(super) fn unite_fields(&mut self, channel: ChannelId, fields: &[Option<ClassId>], sorted: bool, span: Span) {
        let configuration = &self.program.configuration;
        let capacity = configuration.machine.layout.shape(configuration.channels[channel.index()].shape).capacity;
        // A message that is alone has no place among others.
        let sorted = sorted && capacity > 1;
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
    pub(super) fn flow_into(&mut self, term: TermId, class: ClassId) {
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
    pub(super) fn compare(&mut self, term: TermId, class: ClassId) {
        if self.program.terms.constant(term).is_some() {
            self.domains.terms[term.index()] = Some(class);
        } else {
            let value = self.value(term);
            self.domains.classes.unite(value, class);
        }
    }

    /// The class of a place's content.
    pub(super) fn place(&mut self, reference: &Reference) -> ClassId {
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

    pub(super) fn index(&mut self, group: GroupId, indices: &[TermId]) {
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
    pub(super) fn value(&mut self, id: TermId) -> ClassId {
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

    pub(super) fn number(&mut self, span: Span) -> ClassId {
        let class = self.domains.classes.fresh();
        self.domains.classes.make_number(class, NumberReason::Computed, span);
        class
    }

    pub(super) fn table(&mut self, id: TermId, result: Option<ClassId>) {
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
            self.domains.relied_on.extend(relied_on.map(|guard| (pid, location, Known::Guard(guard))));
        }
        let gone = self.gone(&leaves);
        self.domains.tables.insert(id, Table { leaves, result, guards, gone, computed_for: Vec::new() });
    }

    /// The first values of places that are gone where the step at hand is taken.
    fn gone(&mut self, leaves: &[TermId]) -> Vec<(usize, i32)> {
        let Some((pid, location, _)) = self.place else { return Vec::new() };
        let program = self.program;
        let mut gone = Vec::new();
        for (index, &leaf) in leaves.iter().enumerate() {
            let Term::Load(Reference::Cell(cell)) = *program.terms.get(leaf) else { continue };
            let first = self.domains.first.entry(cell).or_insert_with(|| First::of(program, cell));
            if let Some(first) = first.as_ref().filter(|first| first.is_gone(pid, location)) {
                gone.push((index, first.value));
                self.domains.relied_on.push((pid, location, Known::Gone(cell, first.value)));
            }
        }
        gone
    }

    /// Gives every leaf of an operator tree its class, equal ones too.
    pub(super) fn visit_leaves(&mut self, id: TermId, is_top: bool) {
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
    pub(super) fn condition(&mut self, id: TermId) {
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
}
