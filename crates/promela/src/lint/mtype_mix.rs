//! **mtype-mix**: a name of one mtype set where a name of another belongs.
//!
//! Names of different sets can have the same number, so a mix-up goes unnoticed at run time. SPIN refuses some of these
//! and accepts others.
//!
//! ```promela
//! mtype:fruit = { apple, pear };
//! mtype:colour = { red, green };
//! mtype:fruit f = red;               // red is 2, and so is apple
//! ```

use rustc_hash::FxHashMap;

use super::Context;
use crate::ast::BinaryOp;
use crate::diagnostic::Diagnostic;
use crate::model::{
    Base, Expr, ExprKind, Initial, Kind, Model, MtypeSetId, Owner, Place, Receive, ReceiveArgument, Statement,
    StatementKind, Type,
};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let model = context.model;
    if model.mtypes.len() == 1 {
        return;
    }
    let mut rule = Mix { model, owner: Owner::Trace, adopted: FxHashMap::default(), diagnostics };
    let locals = model.owners().flat_map(|(_, process)| &process.locals);
    for variable in model.globals.iter().chain(locals) {
        if let Initial::Value(value) = &variable.initial {
            rule.given(variable.ty, value);
        }
    }
    for at in &context.code.statements {
        rule.owner = at.owner;
        rule.statement(at.statement);
    }
    for at in &context.code.expressions {
        rule.owner = at.owner;
        rule.expression(at.expression);
    }
}

struct Mix<'m, 'd> {
    model: &'m Model,
    owner: Owner,
    /// The set whose names a variable of no particular set was given first.
    adopted: FxHashMap<(Option<Owner>, Base), (MtypeSetId, Span)>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Mix<'_, '_> {
    /// A value goes to something of a type.
    fn given(&mut self, ty: Type, value: &Expr) {
        let (Type::Mtype(wanted), Some(given)) = (ty, self.set_of(value)) else { return };
        if wanted.0 == 0 || given == wanted {
            return;
        }
        let mut warning = self.warning(wanted, given, value.span);
        if let ExprKind::Constant(number) = value.kind {
            let other = self.model.mtypes[wanted.index()].members.iter().find(|(_, value)| *value == number);
            if let Some((name, _)) = other {
                warning = warning.note(format!("it is the number {number}, which is `{name}` there"));
            }
        }
        self.diagnostics.push(warning);
    }

    /// The set of an mtype name, or of a variable of a named set.
    fn set_of(&self, value: &Expr) -> Option<MtypeSetId> {
        match (&value.kind, value.meaning) {
            // A plain number has the meaning of what it meets, so it never makes a mix.
            (ExprKind::Constant(_), Kind::Mtype(set)) => Some(set),
            (ExprKind::Read(Place { ty: Type::Mtype(set), .. }), _) if set.0 != 0 => Some(*set),
            _ => None,
        }
    }

    fn assigned(&mut self, place: &Place, value: &Expr) {
        self.given(place.ty, value);
        let named = matches!(place.ty, Type::Mtype(set) if set.0 != 0);
        if named || !place.fields.is_empty() {
            return;
        }
        if let (ExprKind::Constant(_), Some(given)) = (&value.kind, self.set_of(value)) {
            let owner = matches!(place.base, Base::Local(_)).then_some(self.owner);
            let (first, at) = *self.adopted.entry((owner, place.base)).or_insert((given, value.span));
            if first != given {
                let message = format!("a name of {} in a variable for names of {}", self.name(given), self.name(first));
                let warning = Diagnostic::warning("mtype-mix", value.span, message);
                self.diagnostics.push(warning.also(at, "the other set's name is assigned here"));
            }
        }
    }

    fn receive(&mut self, receive: &Receive) {
        let types = self.model.message_types(&receive.channel, self.owner);
        for (argument, ty) in receive.arguments.iter().zip(types.unwrap_or_default()) {
            match argument {
                ReceiveArgument::Match(value) => self.given(ty, value),
                ReceiveArgument::Bind(place) => {
                    if let (Type::Mtype(given), Type::Mtype(wanted)) = (ty, place.ty)
                        && given != wanted
                        && given.0 != 0
                        && wanted.0 != 0
                    {
                        let warning = self.warning(wanted, given, place.span);
                        self.diagnostics.push(warning);
                    }
                }
                ReceiveArgument::Ignore => {}
            }
        }
    }

    fn name(&self, set: MtypeSetId) -> String {
        format!("`{}`", self.model.type_name(Type::Mtype(set)))
    }

    fn warning(&self, wanted: MtypeSetId, given: MtypeSetId, span: Span) -> Diagnostic {
        let message = format!("a value of {} where one of {} belongs", self.name(given), self.name(wanted));
        Diagnostic::warning("mtype-mix", span, message)
    }
}

impl Mix<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) => self.assigned(place, value),
            StatementKind::Send(send) => {
                let types = self.model.message_types(&send.channel, self.owner);
                for (value, ty) in send.arguments.iter().zip(types.unwrap_or_default()) {
                    self.given(ty, value);
                }
            }
            StatementKind::Receive(receive) => self.receive(receive),
            _ => {}
        }
    }

    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
                if let (Some(x), Some(y)) = (self.set_of(a), self.set_of(b))
                    && x != y
                {
                    let message = format!("names of {} and {} compared", self.name(x), self.name(y));
                    self.diagnostics.push(Diagnostic::warning("mtype-mix", expression.span, message));
                }
            }
            ExprKind::Poll(receive) => self.receive(receive),
            ExprKind::Run(run) => {
                let process = &self.model.processes[run.process.index()];
                let parameters = &process.locals[..process.parameters];
                if parameters.len() == run.arguments.len() {
                    for (parameter, value) in parameters.iter().zip(&run.arguments) {
                        self.given(parameter.ty, value);
                    }
                }
            }
            _ => {}
        }
    }
}
