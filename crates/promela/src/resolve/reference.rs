//! The rules for process references (an extension): what `ref P` values may meet.
//!
//! They are the rules of Derepas and Gastin, "Model Checking Systems of Replicated Processes with Spin" (SPIN 2001),
//! figure 2, which keep every permutation of the processes of a proctype a symmetry: a reference can be copied,
//! compared for equality and followed, and nothing else. `_lid` is a reference to the executing process itself.

use crate::ast::BinaryOp;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Access, Visitor, walk};
use crate::model::{
    Base, Expr, ExprKind, Initial, Model, Owner, Place, Predefined, ProcessId, Receive, ReceiveArgument, Statement,
    StatementKind, Type,
};
use crate::source::Span;

/// What a value is, as far as references go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Number,
    Reference(ProcessId),
    /// `_undef_ref` fits every reference.
    Undefined,
    /// `_lid` outside a proctype.
    Nobody,
}

/// Whether a process may be chosen: a statement makes one choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    /// Outside of statements.
    NotHere,
    /// In a `d_step`, which makes none.
    Deterministic,
    Possible,
    Made,
}

/// Reports every use of a reference that the rules forbid.
pub(super) fn check(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for variable in &model.globals {
        let mut checker = Checker { model, owner: None, choice: Choice::NotHere, diagnostics };
        checker.initial(variable.ty, &variable.initial);
    }
    for (owner, process) in model.owners() {
        let mut checker = Checker { model, owner: Some(owner), choice: Choice::NotHere, diagnostics };
        for local in &process.locals {
            checker.initial(local.ty, &local.initial);
        }
        if let Some(provided) = &process.provided {
            checker.expression(provided);
        }
        walk::block(&mut checker, &process.body);
    }
    for property in &model.ltl {
        walk::formula(&mut Checker { model, owner: None, choice: Choice::NotHere, diagnostics }, &property.formula);
    }
}

struct Checker<'m, 'd> {
    model: &'m Model,
    /// The process whose code is being checked.
    owner: Option<Owner>,
    /// Where `anyRef` may stand.
    choice: Choice,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Checker<'_, '_> {
    fn initial(&mut self, ty: Type, initial: &Initial) {
        match (ty, initial) {
            (_, Initial::Value(value)) => {
                self.expression(value);
                self.assigned(ty, value);
            }
            (Type::Ref(_), Initial::List(_)) => {
                self.report(Span::NOWHERE, "a reference cannot start as a number", None);
            }
            _ => {}
        }
    }

    fn sort(&self, value: &Expr) -> Sort {
        match &value.kind {
            ExprKind::Read(place) => self.place_sort(place),
            ExprKind::RemoteVariable(remote) => self.place_sort(&remote.place),
            ExprKind::AnyRef(process) => Sort::Reference(*process),
            ExprKind::UndefinedRef => Sort::Undefined,
            ExprKind::Predefined(Predefined::LocalNumber) => match self.owner {
                Some(Owner::Process(process)) => Sort::Reference(process),
                _ => Sort::Nobody,
            },
            ExprKind::Conditional(_, a, b) => match (self.sort(a), self.sort(b)) {
                (Sort::Undefined, other) => other,
                (one, _) => one,
            },
            _ => Sort::Number,
        }
    }

    fn place_sort(&self, place: &Place) -> Sort {
        match place.ty {
            Type::Ref(process) => Sort::Reference(process),
            _ => Sort::Number,
        }
    }

    /// A value stored in something of a type.
    fn assigned(&mut self, ty: Type, value: &Expr) {
        let sort = self.sort(value);
        match (ty, sort) {
            (Type::Ref(_), Sort::Undefined) | (Type::Ref(_), Sort::Nobody) => {}
            (Type::Ref(wanted), Sort::Reference(given)) if wanted == given => {}
            (Type::Ref(wanted), Sort::Reference(given)) => {
                let message = format!(
                    "a reference to `{}` where one to `{}` belongs",
                    self.model.processes[given.index()].name,
                    self.model.processes[wanted.index()].name
                );
                self.report(value.span, &message, None);
            }
            (Type::Ref(wanted), Sort::Number) => {
                let name = &self.model.processes[wanted.index()].name;
                let note =
                    format!("use `_undef_ref`, `anyRef({name})`, `_lid` inside `{name}`, or another `ref {name}`");
                let message = format!("a number where a reference to `{name}` belongs");
                self.report(value.span, &message, Some(note));
            }
            (_, Sort::Number) => {}
            (_, _) => self.report(value.span, "a reference where a number belongs", None),
        }
    }

    /// A value used as a number.
    fn number(&mut self, value: &Expr) {
        if self.sort(value) != Sort::Number {
            self.report(value.span, "a reference is no number: it can only be copied, compared and followed", None);
        }
    }

    fn equality(&mut self, a: &Expr, b: &Expr, span: Span) {
        let name = |process: ProcessId| &self.model.processes[process.index()].name;
        match (self.sort(a), self.sort(b)) {
            (Sort::Number, Sort::Number) => {}
            (Sort::Number, _) | (_, Sort::Number) => {
                self.report(span, "a reference compared with a number", None);
            }
            (Sort::Reference(p), Sort::Reference(q)) if p != q => {
                let message = format!("references to `{}` and to `{}` are never equal", name(p), name(q));
                self.report(span, &message, None);
            }
            _ => {}
        }
    }

    fn fields(&mut self, channel: &Place) -> Option<Vec<Type>> {
        let variable = self.model.variable(channel.base, self.owner?)?;
        match &variable.initial {
            Initial::Channel(spec) if channel.fields.is_empty() => Some(spec.fields.clone()),
            _ => None,
        }
    }

    fn receive(&mut self, receive: &Receive) {
        let Some(fields) = self.fields(&receive.channel) else { return };
        for (argument, &field) in receive.arguments.iter().zip(&fields) {
            match argument {
                ReceiveArgument::Match(value) => self.assigned(field, value),
                ReceiveArgument::Bind(place) => {
                    let clash = match (field, place.ty) {
                        (Type::Ref(a), Type::Ref(b)) => a != b,
                        (Type::Ref(_), _) | (_, Type::Ref(_)) => true,
                        _ => false,
                    };
                    if clash {
                        self.report(place.span, "a variable and a message field of different reference types", None);
                    }
                }
                ReceiveArgument::Ignore => {}
            }
        }
    }

    fn report(&mut self, span: Span, message: &str, note: Option<String>) {
        let mut error = Diagnostic::error("reference", span, message);
        if let Some(note) = note {
            error = error.note(note);
        }
        self.diagnostics.push(error);
    }
}

impl<'m> Visitor<'m> for Checker<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) => self.assigned(place.ty, value),
            StatementKind::Expression(value) | StatementKind::Assert(value) => self.number(value),
            StatementKind::Send(send) => {
                if let Some(fields) = self.fields(&send.channel) {
                    for (value, field) in send.arguments.iter().zip(fields) {
                        self.assigned(field, value);
                    }
                }
            }
            StatementKind::Receive(receive) => self.receive(receive),
            StatementKind::SetPriority(pid, priority) => {
                self.number(pid);
                self.number(priority);
            }
            _ => {}
        }
        let outside = self.choice;
        self.choice = match (&statement.kind, outside) {
            (StatementKind::DStep(_), _) | (_, Choice::Deterministic) => Choice::Deterministic,
            _ => Choice::Possible,
        };
        walk::statement(self, statement);
        self.choice = outside;
    }

    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Unary(_, a) => self.number(a),
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => self.equality(a, b, expression.span),
            ExprKind::Binary(_, a, b) => {
                let reference = [a, b].into_iter().find(|side| self.sort(side) != Sort::Number);
                if let Some(reference) = reference {
                    self.number(reference);
                }
            }
            ExprKind::Conditional(condition, _, _) => self.number(condition),
            ExprKind::Enabled(pid) | ExprKind::PcValue(pid) | ExprKind::GetPriority(pid) => self.number(pid),
            ExprKind::Poll(receive) => self.receive(receive),
            ExprKind::Run(run) => {
                let process = &self.model.processes[run.process.index()];
                let parameters = &process.locals[..process.parameters];
                if parameters.len() == run.arguments.len() {
                    for (parameter, value) in parameters.iter().zip(&run.arguments) {
                        self.assigned(parameter.ty, value);
                    }
                }
            }
            ExprKind::AnyRef(_) => match self.choice {
                Choice::Possible => self.choice = Choice::Made,
                Choice::Made => self.report(expression.span, "a statement can choose one process only", None),
                Choice::Deterministic => {
                    self.report(expression.span, "a `d_step` makes no choices, so `anyRef` cannot stand in it", None);
                }
                Choice::NotHere => self.report(expression.span, "`anyRef` stands in statements only", None),
            },
            ExprKind::Predefined(Predefined::LocalNumber) if !matches!(self.owner, Some(Owner::Process(_))) => {
                self.report(expression.span, "`_lid` outside a proctype", None);
            }
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn place(&mut self, place: &Place, _: Access) {
        if let (Base::Public(process, _), Some(owner)) = (place.base, &place.owner) {
            match self.sort(owner) {
                Sort::Reference(given) if given == process => {}
                _ => {
                    let name = &self.model.processes[process.index()].name;
                    let message = format!("`{name}[...]` needs a reference to `{name}`");
                    self.report(owner.span, &message, None);
                }
            }
        }
        let indices = place.fields.iter().filter_map(|field| field.index.as_deref());
        for index in place.index.as_deref().into_iter().chain(indices) {
            self.number(index);
        }
        walk::place(self, place);
    }
}
