//! Writes what was inferred into the model: the kind of every variable and the meaning of every expression.
//!
//! A constant has no kind of its own: it means what it is compared with, assigned to or used for, so `p == 3` makes 3 a
//! process where `p` is one.

use super::channel_type::TypeOfClass;
use super::classes::Classes;
use super::constraints::{is_truth, value_node};
use super::nodes::{Node, Nodes};
use crate::ast::{BinaryOp, UnaryOp};
use crate::model::visit::{Access, VisitorMut, walk_mut};
use crate::model::{
    Array, Expr, ExprKind, Formula, FormulaKind, GlobalId, Initial, Kind, LocalId, Model, Owner, Place, Predefined,
    Process, ProcessId, Receive, ReceiveArgument, Statement, StatementKind, StructureId, Type, Variable,
};

/// Everything that was inferred.
pub(super) struct Inferred<'k> {
    pub(super) nodes: &'k Nodes,
    pub(super) classes: &'k Classes,
    pub(super) type_of_class: &'k TypeOfClass,
}

/// Writes kinds into variables and expressions.
pub(super) fn fill(model: &mut Model, inferred: &Inferred<'_>) {
    // Code outside processes has no locals, so any owner will do for it.
    let mut filler = Filler { inferred, owner: Owner::Trace };
    for (number, variable) in model.globals.iter_mut().enumerate() {
        filler.variable(Array::Global(GlobalId(number as u32)), variable);
    }
    for (number, structure) in model.structures.iter_mut().enumerate() {
        for (field, variable) in structure.fields.iter_mut().enumerate() {
            filler.variable(Array::Field(StructureId(number as u32), field as u32), variable);
        }
    }
    for property in &mut model.ltl {
        filler.formula(&mut property.formula);
    }
    if let Some(trace) = &mut model.trace {
        filler.process(Owner::Trace, &mut trace.process);
    }
    for (number, claim) in model.claims.iter_mut().enumerate() {
        filler.process(Owner::Claim(number as u32), claim);
    }
    for (number, process) in model.processes.iter_mut().enumerate() {
        filler.process(Owner::Process(ProcessId(number as u32)), process);
    }
}

struct Filler<'k> {
    inferred: &'k Inferred<'k>,
    owner: Owner,
}

impl Filler<'_> {
    fn variable(&mut self, array: Array, variable: &mut Variable) {
        let Inferred { nodes, classes, type_of_class } = self.inferred;
        let node = nodes.value(array);
        if !matches!(variable.ty, Type::Structure(_)) {
            variable.kind = classes.kind(node);
            variable.channel = type_of_class.get(&classes.find(node)).copied();
        }
        if variable.length.is_some() {
            variable.index = classes.kind(nodes.index(array));
        }
        if let Initial::Value(value) = &mut variable.initial {
            self.value(value, variable.kind);
        }
    }

    fn process(&mut self, owner: Owner, process: &mut Process) {
        self.owner = owner;
        for (number, variable) in process.locals.iter_mut().enumerate() {
            self.variable(Array::Local(owner, LocalId(number as u32)), variable);
        }
        if let Some(provided) = &mut process.provided {
            self.value(provided, Kind::Truth);
        }
        walk_mut::block(self, &mut process.body);
    }

    fn formula(&mut self, formula: &mut Formula) {
        match &mut formula.kind {
            FormulaKind::Atom(atom) => self.value(atom, Kind::Truth),
            FormulaKind::Not(f) | FormulaKind::Next(f) | FormulaKind::Always(f) | FormulaKind::Eventually(f) => {
                self.formula(f);
            }
            FormulaKind::And(f, g)
            | FormulaKind::Or(f, g)
            | FormulaKind::Implies(f, g)
            | FormulaKind::Equivalent(f, g)
            | FormulaKind::Until(f, g)
            | FormulaKind::WeakUntil(f, g)
            | FormulaKind::Release(f, g) => {
                self.formula(f);
                self.formula(g);
            }
        }
    }

    fn kind(&self, node: Node) -> Kind {
        self.inferred.classes.kind(node)
    }

    /// What a value stands for by itself; [`Kind::Number`] for a constant.
    fn natural(&self, value: &Expr) -> Kind {
        match (&value.kind, value.meaning) {
            (ExprKind::Constant(_), meaning @ Kind::Mtype(_)) => meaning,
            (ExprKind::AnyRef(process), _) => Kind::Reference(*process),
            (ExprKind::Predefined(Predefined::LocalNumber), _) => match self.owner {
                Owner::Process(process) => Kind::Reference(process),
                _ => Kind::Number,
            },
            _ => match value_node(self.inferred.nodes, value, self.owner) {
                Some(node) => self.kind(node),
                None if is_truth(value) => Kind::Truth,
                None => Kind::Number,
            },
        }
    }

    /// Fills in a value of which its surroundings expect a kind.
    fn value(&mut self, value: &mut Expr, expected: Kind) {
        let natural = self.natural(value);
        let constant = matches!(value.kind, ExprKind::Constant(_) | ExprKind::UndefinedRef);
        match &mut value.kind {
            ExprKind::Binary(operator, a, b) => match operator {
                BinaryOp::And | BinaryOp::Or => {
                    self.value(a, Kind::Truth);
                    self.value(b, Kind::Truth);
                }
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual => {
                    let (of_a, of_b) = (self.natural(a), self.natural(b));
                    self.value(a, of_b);
                    self.value(b, of_a);
                }
                _ => {
                    self.value(a, Kind::Number);
                    self.value(b, Kind::Number);
                }
            },
            ExprKind::Unary(operator, a) => {
                self.value(a, if *operator == UnaryOp::Not { Kind::Truth } else { Kind::Number });
            }
            ExprKind::Conditional(condition, a, b) => {
                self.value(condition, Kind::Truth);
                let of_branches = if natural == Kind::Number { expected } else { natural };
                self.value(a, of_branches);
                self.value(b, of_branches);
            }
            ExprKind::Enabled(pid) | ExprKind::PcValue(pid) | ExprKind::GetPriority(pid) => {
                self.value(pid, Kind::Pid);
            }
            ExprKind::RemoteLabel(remote) => {
                if let Some(pid) = &mut remote.pid {
                    self.value(pid, Kind::Pid);
                }
            }
            ExprKind::RemoteVariable(remote) => {
                if let Some(pid) = &mut remote.pid {
                    self.value(pid, Kind::Pid);
                }
                self.indices(&mut remote.place, Owner::Process(remote.process));
            }
            ExprKind::Run(run) => {
                let parameters = self.inferred.nodes.parameters(run.process);
                for (argument, node) in run.arguments.iter_mut().zip(parameters) {
                    let kind = self.kind(node);
                    self.value(argument, kind);
                }
                if let Some(priority) = &mut run.priority {
                    self.value(priority, Kind::Number);
                }
            }
            ExprKind::Poll(receive) => self.receive(receive),
            ExprKind::Read(place) | ExprKind::Probe(_, place) => self.indices(place, self.owner),
            ExprKind::Constant(_)
            | ExprKind::Predefined(_)
            | ExprKind::Timeout
            | ExprKind::CExpr(_)
            | ExprKind::AnyRef(_)
            | ExprKind::UndefinedRef => {}
        }
        value.meaning = if natural == Kind::Number && constant { expected } else { natural };
    }

    fn indices(&mut self, place: &mut Place, owner: Owner) {
        if let Some(reference) = &mut place.owner {
            self.value(reference, Kind::Number);
        }
        let kinds: Vec<Kind> =
            self.inferred.nodes.steps(place, owner).map(|array| self.kind(self.inferred.nodes.index(array))).collect();
        let indices = std::iter::once(&mut place.index).chain(place.fields.iter_mut().map(|field| &mut field.index));
        for (index, kind) in indices.zip(kinds) {
            if let Some(index) = index {
                self.value(index, kind);
            }
        }
    }

    fn place_kind(&self, place: &Place) -> Kind {
        self.inferred.nodes.place(place, self.owner).map_or(Kind::Number, |node| self.kind(node))
    }

    /// The kinds of the fields of a channel's messages.
    fn fields(&self, channel: &Place) -> Vec<Kind> {
        let Some(node) = self.inferred.nodes.place(channel, self.owner) else { return Vec::new() };
        let channel = self.inferred.classes.facts(node).channel.as_ref();
        channel.map_or(Vec::new(), |channel| channel.fields.iter().map(|&field| self.kind(field)).collect())
    }

    fn receive(&mut self, receive: &mut Receive) {
        let fields = self.fields(&receive.channel);
        self.indices(&mut receive.channel, self.owner);
        for (number, argument) in receive.arguments.iter_mut().enumerate() {
            let kind = fields.get(number).copied().unwrap_or(Kind::Number);
            match argument {
                ReceiveArgument::Bind(place) => self.indices(place, self.owner),
                ReceiveArgument::Match(value) => self.value(value, kind),
                ReceiveArgument::Ignore => {}
            }
        }
    }
}

impl VisitorMut for Filler<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        match &mut statement.kind {
            StatementKind::Expression(value) | StatementKind::Assert(value) => self.value(value, Kind::Truth),
            StatementKind::Assign(place, value) => {
                let kind = self.place_kind(place);
                self.indices(place, self.owner);
                self.value(value, kind);
            }
            StatementKind::Send(send) => {
                let fields = self.fields(&send.channel);
                self.indices(&mut send.channel, self.owner);
                for (number, argument) in send.arguments.iter_mut().enumerate() {
                    self.value(argument, fields.get(number).copied().unwrap_or(Kind::Number));
                }
            }
            StatementKind::Receive(receive) => self.receive(receive),
            StatementKind::Event(event) => {
                let fields = self.fields(&event.channel);
                self.indices(&mut event.channel, self.owner);
                for (number, argument) in event.arguments.iter_mut().enumerate() {
                    if let Some(argument) = argument {
                        self.value(argument, fields.get(number).copied().unwrap_or(Kind::Number));
                    }
                }
            }
            StatementKind::SetPriority(pid, priority) => {
                self.value(pid, Kind::Pid);
                self.value(priority, Kind::Number);
            }
            _ => walk_mut::statement(self, statement),
        }
    }

    fn expression(&mut self, expression: &mut Expr) {
        self.value(expression, Kind::Number);
    }

    fn place(&mut self, place: &mut Place, _: Access) {
        self.indices(place, self.owner);
    }
}
