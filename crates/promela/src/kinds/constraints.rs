//! Walks the model and unites what belongs together.
//!
//! | text | united |
//! | --- | --- |
//! | `x = e`, `run P(e)`, `q!e`, `q?x`, initial values | the value with what takes it |
//! | `a == b`, `a != b` | both sides; order (`<`) says nothing, since counts are ordered too |
//! | `v[e]` | the index with all other indices of `v` |
//! | `_pid`, `run`, `_last`, `P[e]:x`, `P[e]@L`, `enabled(e)` and their like | with the process identifiers |
//!
//! A value moved by a constant, as in `(x % n) + 1` or `1 - i`, belongs to the class of `x` or `i`: it names another
//! member of the same family, and whether that move respects a symmetry is for others to find out.

use super::classes::{Channel, Classes};
use super::mixes::{Sightings, Sort};
use super::nodes::{Node, Nodes};
use crate::ast::{BinaryOp, ChannelProbe};
use crate::model::visit::{Access, Visitor, walk};
use crate::model::{
    Array, Expr, ExprKind, GlobalId, Initial, Kind, LocalId, Model, Owner, Place, Predefined, Receive, ReceiveArgument,
    Statement, StatementKind, StructureId, Type, UnaryOp, Variable,
};
use crate::resolve::IndexHint;
use crate::source::Span;

/// The classes of a model, and what was seen of their kinds on the way.
pub(super) fn unite(model: &Model, nodes: &Nodes, hints: &[IndexHint]) -> (Classes, Sightings) {
    // Code outside processes has no locals, so any owner will do for it.
    let nobody = Owner::Trace;
    let mut walker = Walker { nodes, classes: Classes::new(nodes.count()), seen: Sightings::default(), owner: nobody };
    walker.classes.facts_mut(Nodes::PID).pid = true;
    for (number, variable) in model.globals.iter().enumerate() {
        walker.declared(Array::Global(GlobalId(number as u32)), variable);
    }
    for (number, structure) in model.structures.iter().enumerate() {
        for (field, variable) in structure.fields.iter().enumerate() {
            walker.declared(Array::Field(StructureId(number as u32), field as u32), variable);
        }
    }
    for (owner, process) in model.owners() {
        walker.owner = owner;
        for (number, variable) in process.locals.iter().enumerate() {
            walker.declared(Array::Local(owner, LocalId(number as u32)), variable);
        }
        walk::process(&mut walker, process);
    }
    walker.owner = nobody;
    for property in &model.ltl {
        walk::formula(&mut walker, &property.formula);
    }
    for hint in hints {
        let variable = nodes.value(super::nodes::base_array(hint.variable, hint.owner));
        walker.classes.unite(variable, nodes.index(hint.array), Span::NOWHERE);
    }
    (walker.classes, walker.seen)
}

/// The node whose class a value belongs to, if it is more than a number.
pub(super) fn value_node(nodes: &Nodes, value: &Expr, owner: Owner) -> Option<Node> {
    let of = |value: &Expr| value_node(nodes, value, owner);
    match &value.kind {
        ExprKind::Read(place) => nodes.place(place, owner),
        ExprKind::RemoteVariable(remote) => nodes.place(&remote.place, Owner::Process(remote.process)),
        ExprKind::Predefined(Predefined::Pid | Predefined::Last) | ExprKind::Run(_) => Some(Nodes::PID),
        ExprKind::Binary(BinaryOp::Remainder, a, _) => of(a),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, a, b) => match (&a.kind, &b.kind) {
            (_, ExprKind::Constant(_)) => of(a),
            (ExprKind::Constant(_), _) => of(b),
            _ => None,
        },
        ExprKind::Conditional(_, a, b) => of(a).or_else(|| of(b)),
        _ => None,
    }
}

/// Whether a value is true or false by its operator.
pub(super) fn is_truth(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::Poll(_)
        | ExprKind::Timeout
        | ExprKind::RemoteLabel(_)
        | ExprKind::Enabled(_)
        | ExprKind::Predefined(Predefined::NonProgress) => true,
        ExprKind::Probe(probe, _) => *probe != ChannelProbe::Len,
        ExprKind::Binary(operator, ..) => matches!(
            operator,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::And
                | BinaryOp::Or
        ),
        _ => false,
    }
}

struct Walker<'m> {
    nodes: &'m Nodes,
    classes: Classes,
    seen: Sightings,
    owner: Owner,
}

impl Walker<'_> {
    /// What a declaration says.
    fn declared(&mut self, array: Array, variable: &Variable) {
        let node = self.nodes.value(array);
        self.typed(node, variable.ty, variable.span);
        if variable.length.is_some() {
            self.classes.facts_mut(self.nodes.index(array)).arrays.push(array);
        }
        match &variable.initial {
            Initial::Value(value) => self.flow(node, value),
            Initial::Channel(spec) => {
                let fields: Vec<Node> = spec
                    .fields
                    .iter()
                    .map(|&ty| {
                        let field = self.classes.fresh();
                        self.typed(field, ty, variable.span);
                        field
                    })
                    .collect();
                self.seen.message(&fields);
                let declared = Some(spec.fields.clone());
                self.classes.facts_mut(node).channel = Some(Channel { fields, declared, clashed: false });
            }
            Initial::Zero | Initial::List(_) => {}
        }
    }

    fn typed(&mut self, node: Node, ty: Type, span: Span) {
        if let Some(sort) = Sort::of(ty) {
            self.seen.declared(node, sort, span);
        }
        match ty {
            Type::Pid => self.classes.unite(node, Nodes::PID, Span::NOWHERE),
            Type::Bit | Type::Bool => self.classes.facts_mut(node).truth = true,
            Type::Mtype(set) if set.0 == 0 => self.classes.facts_mut(node).plain_mtype = true,
            Type::Mtype(set) => self.classes.seed_mtype(node, set),
            Type::Ref(process) => self.classes.seed_reference(node, process),
            Type::Chan => {
                self.classes.facts_mut(node).channel.get_or_insert_default();
            }
            Type::Byte | Type::Short | Type::Int | Type::Unsigned(_) | Type::Structure(_) => {}
        }
    }

    /// A value goes to a node.
    fn flow(&mut self, node: Node, value: &Expr) {
        if let ExprKind::Conditional(_, a, b) = &value.kind {
            self.flow(node, a);
            self.flow(node, b);
        } else if let Some(from) = value_node(self.nodes, value, self.owner) {
            self.classes.unite(node, from, value.span);
        } else if is_truth(value) {
            self.classes.facts_mut(node).truth = true;
        } else {
            self.seed_literal(node, value);
        }
    }

    fn seed_literal(&mut self, node: Node, value: &Expr) {
        match (&value.kind, value.meaning) {
            (ExprKind::Constant(_), Kind::Mtype(set)) => {
                self.seen.name(node, value.span);
                self.classes.seed_mtype(node, set);
            }
            (ExprKind::Constant(number), _) => self.seen.number(node, *number, value.span),
            (ExprKind::AnyRef(process), _) => self.classes.seed_reference(node, *process),
            (ExprKind::Predefined(Predefined::LocalNumber), _) => {
                if let Owner::Process(process) = self.owner {
                    self.classes.seed_reference(node, process);
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, a: &Expr, b: &Expr) {
        let nodes = [a, b].map(|value| value_node(self.nodes, value, self.owner));
        match nodes {
            [Some(x), Some(y)] => self.classes.unite(x, y, a.span.to(b.span)),
            [Some(x), None] => self.seed_literal(x, b),
            [None, Some(y)] => self.seed_literal(y, a),
            [None, None] => {}
        }
    }

    fn message<'f>(&mut self, channel: &Place, fields: impl Iterator<Item = Field<'f>>) {
        let Some(channel) = self.nodes.place(channel, self.owner) else { return };
        let fields: Vec<Field<'f>> = fields.collect();
        let nodes: Vec<Node> = (0..fields.len()).map(|number| self.classes.channel_field(channel, number)).collect();
        self.seen.message(&nodes);
        for (field, node) in fields.into_iter().zip(nodes) {
            match field {
                Field::Value(value) => self.flow(node, value),
                Field::Place(place) => {
                    if let Some(target) = self.nodes.place(place, self.owner) {
                        self.seen.bound(node, target);
                        self.classes.unite(node, target, place.span);
                    }
                }
                Field::Nothing => {}
            }
        }
    }

    fn receive(&mut self, receive: &Receive) {
        let fields = receive.arguments.iter().map(|argument| match argument {
            ReceiveArgument::Bind(place) => Field::Place(place),
            ReceiveArgument::Match(value) => Field::Value(value),
            ReceiveArgument::Ignore => Field::Nothing,
        });
        self.message(&receive.channel, fields);
    }

    /// The indices of a place, whose base belongs to `owner`, are computed by the process being walked.
    fn indices(&mut self, place: &Place, owner: Owner) {
        let steps: Vec<Array> = self.nodes.steps(place, owner).collect();
        let indices = std::iter::once(place.index.as_deref()).chain(place.fields.iter().map(|f| f.index.as_deref()));
        for (array, index) in steps.into_iter().zip(indices) {
            if let Some(index) = index {
                self.flow(self.nodes.index(array), index);
            }
        }
    }
}

/// A field of a message in a send or receive.
enum Field<'f> {
    Value(&'f Expr),
    Place(&'f Place),
    Nothing,
}

impl<'m> Visitor<'m> for Walker<'_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                if let Some(node) = self.nodes.place(place, self.owner) {
                    self.flow(node, value);
                }
            }
            StatementKind::Send(send) => self.message(&send.channel, send.arguments.iter().map(Field::Value)),
            StatementKind::Receive(receive) => self.receive(receive),
            StatementKind::Event(event) => {
                let fields = event.arguments.iter().map(|a| a.as_ref().map_or(Field::Nothing, Field::Value));
                self.message(&event.channel, fields);
            }
            StatementKind::SetPriority(pid, _) => self.flow(Nodes::PID, pid),
            _ => {}
        }
        walk::statement(self, statement);
    }

    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => self.compare(a, b),
            ExprKind::Conditional(_, a, b) => self.compare(a, b),
            ExprKind::Enabled(pid) | ExprKind::PcValue(pid) | ExprKind::GetPriority(pid) => {
                self.flow(Nodes::PID, pid);
            }
            ExprKind::RemoteLabel(remote) => {
                if let Some(pid) = &remote.pid {
                    self.flow(Nodes::PID, pid);
                }
            }
            ExprKind::RemoteVariable(remote) => {
                if let Some(pid) = &remote.pid {
                    self.flow(Nodes::PID, pid);
                }
                self.indices(&remote.place, Owner::Process(remote.process));
            }
            ExprKind::Poll(receive) => self.receive(receive),
            ExprKind::Run(run) => {
                let nodes = self.nodes.parameters(run.process);
                for (node, argument) in nodes.into_iter().zip(&run.arguments) {
                    self.flow(node, argument);
                }
            }
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &Place, _: Access) {
        self.indices(place, self.owner);
        walk::place(self, place);
    }
}
