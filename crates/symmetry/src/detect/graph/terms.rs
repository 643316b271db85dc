//! Statements and expressions in the program graph; `conditions.rs` adds conditions.
//!
//! What may be done in any order has unordered parts: alternatives, operands of `==`, `+`, `*` and their like. A
//! term that is a table says what it does to names by its rows alone, so its text does not matter.

use group::graph::Vertex;
use machine::expression::{BinaryOp, UnaryOp};
use machine::ground::{ChannelTerm, Composite, FieldTerm, Reference, SegmentPath, Step, Term, TermId, is_ordering};

use crate::detect::classes::ClassId;
use crate::detect::colour::{Colour, Label, RowResult};
use crate::detect::commute::exclude;
use crate::detect::domains::{Function, is_arithmetic, may_fail};
use crate::detect::program_graph::Writer;

pub(super) fn parts(vertices: impl IntoIterator<Item = Vertex>) -> Vec<(Label, Vertex)> {
    vertices.into_iter().enumerate().map(|(index, vertex)| (Label::Part(index as u32), vertex)).collect()
}

pub(super) fn unordered(vertices: impl IntoIterator<Item = Vertex>) -> Vec<(Label, Vertex)> {
    vertices.into_iter().map(|vertex| (Label::Part(0), vertex)).collect()
}

/// A condition of a path, as a term.
fn as_asked((step, holds): &(Step, bool)) -> Option<(TermId, bool)> {
    match step {
        Step::Condition(condition) => Some((*condition, *holds)),
        _ => None,
    }
}

impl Writer<'_, '_> {
    /// The vertex of a statement.
    pub fn step(&mut self, step: &Step) -> Vertex {
        match step {
            Step::Skip => self.node(Colour::Skip, Vec::new()),
            Step::Condition(condition) => {
                let condition = self.condition(*condition);
                self.node(Colour::Condition, parts([condition]))
            }
            Step::Else => self.node(Colour::Else, Vec::new()),
            Step::Assign(place, value) => {
                let (place, value) = (self.place(place), self.value(*value));
                self.node(Colour::Assign, parts([place, value]))
            }
            Step::Evaluate(terms) => {
                let failing: Vec<TermId> =
                    terms.iter().copied().filter(|&term| may_fail(&self.program.terms, term)).collect();
                if failing.is_empty() {
                    return self.node(Colour::Skip, Vec::new());
                }
                let values: Vec<Vertex> = failing.into_iter().map(|term| self.value(term)).collect();
                self.node(Colour::Evaluate, unordered(values))
            }
            Step::Send { channel, sorted, values } => {
                let channel = self.channel(channel);
                let values: Vec<Vertex> = values.iter().map(|&value| self.value(value)).collect();
                let colour = Colour::Send { sorted: *sorted, values: values.len() };
                self.node(colour, parts([channel].into_iter().chain(values)))
            }
            Step::Receive { channel, random, copy, fields } => {
                let colour = Colour::Receive { random: *random, copy: *copy, fields: fields.len() };
                let mut children = vec![(Label::Part(0), self.channel(channel))];
                for (index, field) in fields.iter().enumerate() {
                    let index = index as u32;
                    match field {
                        FieldTerm::Bind(place) => children.push((Label::Part(1 + 2 * index), self.place(place))),
                        FieldTerm::Match(value) => children.push((Label::Part(2 + 2 * index), self.value(*value))),
                        FieldTerm::Ignore => {}
                    }
                }
                self.node(colour, children)
            }
            Step::Assert(condition) => {
                let condition = self.condition(*condition);
                self.node(Colour::Assert, parts([condition]))
            }
            Step::SetPriority(pid, priority) => {
                let (pid, priority) = (self.value(*pid), self.value(*priority));
                self.node(Colour::SetPriority, parts([pid, priority]))
            }
            Step::Deterministic(nodes) => self.d_step(nodes),
            Step::Composite(composite) => self.composite(composite),
            Step::End => self.node(Colour::End, Vec::new()),
            Step::Opaque => self.vertex(Colour::Opaque),
        }
    }

    fn composite(&mut self, composite: &Composite) -> Vertex {
        let body = self.vertex(Colour::Composite);
        if let Some(first) = &composite.first {
            let first = self.step(first);
            self.arc(body, first, Label::Does);
        }
        let segments: Vec<Vertex> = composite.segments.iter().map(|_| self.vertex(Colour::Segment)).collect();
        for (segment, &vertex) in composite.segments.iter().zip(&segments) {
            self.arc(body, vertex, Label::Out);
            segment.after.iter().for_each(|&before| self.arc(vertex, segments[before], Label::Entry));
            for path in &segment.paths {
                let path = self.segment_path(path);
                self.arc(vertex, path, Label::Part(0));
            }
        }
        body
    }

    fn segment_path(&mut self, path: &SegmentPath) -> Vertex {
        let vertex = self.vertex(Colour::SegmentPath { otherwise: path.conditions.is_none(), ordered: path.ordered });
        let asked: Option<Vec<(TermId, bool)>> = path.conditions.iter().flatten().map(as_asked).collect();
        match asked.filter(|asked| !asked.iter().any(|&(condition, _)| self.can_fail(condition))) {
            Some(asked) if asked.is_empty() => {}
            Some(asked) => {
                let condition = self.conjunction(&asked);
                self.arc(vertex, condition, Label::Part(0));
            }
            None => {
                for (condition, holds) in path.conditions.iter().flatten() {
                    let condition = self.step(condition);
                    self.arc(vertex, condition, Label::Part(u32::from(!holds)));
                }
            }
        }
        for (position, step) in path.steps.iter().enumerate() {
            let step = self.step(step);
            let position = if path.ordered { position as u32 } else { 0 };
            self.arc(vertex, step, Label::Part(2 + position));
        }
        vertex
    }

    fn d_step(&mut self, nodes: &[Vec<(Step, Option<u32>)>]) -> Vertex {
        let body = self.vertex(Colour::DStep);
        let mut vertices: Vec<Option<Vertex>> = vec![None; nodes.len()];
        let mut waiting = vec![0];
        while let Some(index) = waiting.pop() {
            if vertices[index].is_none() {
                vertices[index] = Some(self.vertex(Colour::DStepNode));
                waiting.extend(nodes[index].iter().filter_map(|(_, target)| target.map(|target| target as usize)));
            }
        }
        vertices[0].into_iter().for_each(|start| self.arc(body, start, Label::Entry));
        for (alternatives, from) in nodes.iter().zip(vertices.clone()) {
            let Some(from) = from else { continue };
            let ordered = !self.are_exclusive(alternatives);
            for (position, (step, target)) in alternatives.iter().enumerate() {
                let way = self.vertex(Colour::DStepWay { position: ordered.then_some(position) });
                self.arc(from, way, Label::Out);
                let target = target.and_then(|target| vertices[target as usize]);
                target.into_iter().for_each(|target| self.arc(way, target, Label::Target));
                let step = self.step(step);
                self.arc(way, step, Label::Does);
            }
        }
        body
    }

    /// Whether at most one alternative is possible, an `else` at the end aside.
    fn are_exclusive(&self, alternatives: &[(Step, Option<u32>)]) -> bool {
        let mut guards = Vec::new();
        for (position, (step, _)) in alternatives.iter().enumerate() {
            match step {
                Step::Condition(condition) if !may_fail(&self.program.terms, *condition) => guards.push(*condition),
                Step::Else if position + 1 == alternatives.len() => {}
                _ => return alternatives.len() == 1,
            }
        }
        let pairs = (0..guards.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        pairs.into_iter().all(|(left, right)| exclude(&self.program.terms, guards[left], guards[right]))
    }

    pub(super) fn channel(&mut self, channel: &ChannelTerm) -> Vertex {
        match channel {
            ChannelTerm::Known(id) => match self.channels.get(id) {
                Some(&vertex) => vertex,
                // Every channel that a statement knows has a vertex; what has none is unlike everything.
                None => self.vertex(Colour::Opaque),
            },
            ChannelTerm::Variable(number) => {
                let number = self.value(*number);
                self.node(Colour::ChannelOf, parts([number]))
            }
            ChannelTerm::Missing => self.node(Colour::Missing, Vec::new()),
        }
    }

    fn place(&mut self, place: &Reference) -> Vertex {
        match place {
            Reference::Cell(cell) => match self.cells.get(cell) {
                Some(&vertex) => vertex,
                None => self.vertex(Colour::Opaque),
            },
            Reference::Missing => self.node(Colour::Missing, Vec::new()),
            Reference::Indexed(group, indices) => {
                let array = self.arrays[group];
                let indices: Vec<Vertex> = indices.iter().map(|&index| self.value(index)).collect();
                self.node(Colour::Indexed, parts([array].into_iter().chain(indices)))
            }
            Reference::Remote { definition, cells, pid, indices } => {
                let family = self.families[&(*definition, *cells)];
                let pid = self.value(*pid);
                let indices: Vec<Vertex> = indices.iter().map(|&index| self.value(index)).collect();
                self.node(Colour::Remote, parts([family, pid].into_iter().chain(indices)))
            }
        }
    }

    /// The vertex of a term that is used as a value.
    pub fn value(&mut self, id: TermId) -> Vertex {
        let terms = &self.program.terms;
        let class = self.domains.class_of(id).filter(|&class| self.domains.classes.names(class).is_some());
        if let Some(value) = terms.constant(id) {
            return match class {
                None => self.node(Colour::Number(value), Vec::new()),
                Some(class) => match self.name(class, value) {
                    Some(name) => name,
                    None => self.node(Colour::Foreign, Vec::new()),
                },
            };
        }
        if terms.is_boolean(id) {
            let condition = self.condition(id);
            let mut children = vec![(Label::Part(0), condition)];
            if let Some(class) = class {
                for (part, value) in [(1, 1), (2, 0)] {
                    children.extend(self.name(class, value).map(|name| (Label::Part(part), name)));
                }
            }
            return self.node(Colour::AsValue, children);
        }
        match terms.get(id).clone() {
            Term::Load(place) => self.place(&place),
            Term::Unary(..) | Term::Binary(..) => self.operator(id),
            Term::Conditional(..) if self.domains.table(id).is_some() => self.operator(id),
            Term::Conditional(condition, yes, no) => {
                let children = [self.condition(condition), self.value(yes), self.value(no)];
                self.node(Colour::Conditional, parts(children))
            }
            Term::Probe(probe, channel) => {
                let channel = self.channel(&channel);
                self.node(Colour::Probe(probe), parts([channel]))
            }
            Term::Last => match self.last {
                Some(last) => last,
                None => self.vertex(Colour::Opaque),
            },
            Term::Priority(pid) => {
                let process = self.processes[pid.index()];
                self.node(Colour::PriorityOf, vec![(Label::Owner, process)])
            }
            Term::PriorityOf(pid) => {
                let pid = self.value(pid);
                self.node(Colour::PriorityOf, parts([pid]))
            }
            Term::LocationOf(pid) => {
                let pid = self.value(pid);
                self.node(Colour::LocationOf, parts([pid]))
            }
            Term::ProcessCount => self.node(Colour::ProcessCount, Vec::new()),
            Term::ChannelCount => self.node(Colour::ChannelCount, Vec::new()),
            _ => self.vertex(Colour::Opaque),
        }
    }

    /// An operator: a table over names, or a computation with plain numbers.
    pub(super) fn operator(&mut self, id: TermId) -> Vertex {
        if let Some(table) = self.domains.table(id) {
            let table_vertex = self.table(id);
            let leaves: Vec<Vertex> = table.leaves.iter().map(|&leaf| self.value(leaf)).collect();
            return self.node(Colour::Apply, parts([table_vertex].into_iter().chain(leaves)));
        }
        self.computation(id, true)
    }

    fn computation(&mut self, id: TermId, is_top: bool) -> Vertex {
        match self.program.terms.get(id).clone() {
            Term::Constant(value) => self.node(Colour::Number(value), Vec::new()),
            Term::Unary(op @ (UnaryOp::Negate | UnaryOp::Complement), operand) => {
                let operand = self.computation(operand, false);
                self.node(Colour::Unary(op), parts([operand]))
            }
            Term::Binary(op, left, right) if is_arithmetic(op) || (is_top && is_ordering(op)) => {
                let commutes = matches!(
                    op,
                    BinaryOp::Add | BinaryOp::Multiply | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
                );
                if !commutes {
                    let children = [self.computation(left, false), self.computation(right, false)];
                    return self.node(Colour::Binary(op), parts(children));
                }
                // Associative, too: what is added up, with how often it is.
                let mut operands = Vec::new();
                self.operands(op, left, &mut operands);
                self.operands(op, right, &mut operands);
                let mut vertices: Vec<Vertex> =
                    operands.into_iter().map(|operand| self.computation(operand, false)).collect();
                vertices.sort_unstable();
                let counted = vertices.chunk_by(|left, right| left == right);
                let children = counted.map(|equal| (Label::Part(equal.len() as u32), equal[0])).collect();
                self.node(Colour::Binary(op), children)
            }
            _ => self.value(id),
        }
    }

    /// The table of an operator; equal functions share it.
    fn table(&mut self, id: TermId) -> Vertex {
        let domains = self.domains;
        let Some(table) = domains.table(id) else { return self.vertex(Colour::Opaque) };
        let terms = &self.program.terms;
        let arguments: Vec<ClassId> = table.leaves.iter().filter_map(|&leaf| domains.class_of(leaf)).collect();
        let result = table.result.map(|class| domains.classes.root(class));
        let function = (arguments.clone(), result, domains.arguments(terms, table), Function::of(terms, id, table));
        if let Some(&known) = self.functions.get(&function) {
            return known;
        }
        let rows = domains.rows(terms, id, table);
        let key = (arguments.clone(), result, rows.clone());
        if let Some(&known) = self.tables.get(&key) {
            self.functions.insert(function, known);
            return known;
        }
        let vertex = self.vertex(Colour::Table);
        for (values, value) in rows {
            let name = result.zip(value).and_then(|(class, value)| self.name(class, value));
            let kind = match (value, result, name) {
                (None, ..) => RowResult::Error,
                (Some(value), None, _) => RowResult::Condition(value != 0),
                (Some(_), Some(_), Some(_)) => RowResult::Name,
                (Some(value), Some(_), None) => RowResult::Number(value),
            };
            let row = self.vertex(Colour::Row(kind));
            self.arc(row, vertex, Label::InClass);
            name.into_iter().for_each(|name| self.arc(row, name, Label::Result));
            for (position, (&class, &value)) in arguments.iter().zip(&values).enumerate() {
                let argument = self.name(class, value);
                argument.into_iter().for_each(|argument| self.arc(row, argument, Label::Part(position as u32)));
            }
        }
        self.tables.insert(key, vertex);
        self.functions.insert(function, vertex);
        vertex
    }

    fn operands(&self, op: BinaryOp, id: TermId, operands: &mut Vec<TermId>) {
        match self.program.terms.get(id) {
            Term::Binary(inner, left, right) if *inner == op => {
                self.operands(op, *left, operands);
                self.operands(op, *right, operands);
            }
            _ => operands.push(id),
        }
    }
}
