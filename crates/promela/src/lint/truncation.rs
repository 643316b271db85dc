//! **truncation**: a constant that does not fit where it is stored.
//!
//! The verifier stores what is left of it after cutting it to the type's bits, without a word.
//!
//! ```promela
//! byte x = 300;   // x is 44
//! ```
//! In a receive, such a constant never matches anything.

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{
    Expr, ExprKind, Initial, Model, Owner, Place, Receive, ReceiveArgument, Statement, StatementKind, Type, Variable,
};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let model = context.model;
    let locals = model.owners().flat_map(|(_, process)| &process.locals);
    let fields = model.structures.iter().flat_map(|structure| &structure.fields);
    for variable in model.globals.iter().chain(locals).chain(fields) {
        initial(model, variable, diagnostics);
    }
    let mut rule = Truncation { model, owner: Owner::Trace, diagnostics };
    context.walk(&mut rule, |rule, owner| rule.owner = owner);
}

struct Truncation<'m, 'd> {
    model: &'m Model,
    owner: Owner,
    diagnostics: &'d mut Vec<Diagnostic>,
}

fn initial(model: &Model, variable: &Variable, diagnostics: &mut Vec<Diagnostic>) {
    match &variable.initial {
        Initial::Value(value) => diagnostics.extend(stored(model, variable.ty, value)),
        Initial::List(values) => {
            if let Some(&value) = values.iter().find(|&&value| !fits(variable.ty, value)) {
                diagnostics.push(does_not_fit(model, variable.ty, value, variable.span));
            }
        }
        Initial::Zero | Initial::Channel(_) => {}
    }
}

fn fits(ty: Type, value: i32) -> bool {
    ty.range().is_none_or(|range| range.contains(&value))
}

fn stored(model: &Model, ty: Type, value: &Expr) -> Option<Diagnostic> {
    let ExprKind::Constant(number) = value.kind else { return None };
    (!fits(ty, number)).then(|| does_not_fit(model, ty, number, value.span))
}

fn does_not_fit(model: &Model, ty: Type, value: i32, span: Span) -> Diagnostic {
    let message = format!("{value} does not fit into a `{}`", model.type_name(ty));
    let note = format!("what is stored is {}", ty.truncate(value));
    Diagnostic::warning("truncation", span, message).note(note)
}

impl Truncation<'_, '_> {
    fn message_types(&self, channel: &Place) -> Vec<Option<Type>> {
        let ty = self.model.channel_type(channel, self.owner);
        ty.map_or(Vec::new(), |ty| ty.fields.iter().map(|field| field.ty).collect())
    }

    fn receive(&mut self, receive: &Receive) {
        let types = self.message_types(&receive.channel);
        for (argument, ty) in receive.arguments.iter().zip(types) {
            if let (ReceiveArgument::Match(value), Some(ty)) = (argument, ty)
                && let ExprKind::Constant(number) = value.kind
                && !fits(ty, number)
            {
                let message = format!("no `{}` is ever {number}, so this never matches", self.model.type_name(ty));
                self.diagnostics.push(Diagnostic::warning("truncation", value.span, message));
            }
        }
    }
}

impl Visitor for Truncation<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) => self.diagnostics.extend(stored(self.model, place.ty, value)),
            StatementKind::Send(send) => {
                for (value, ty) in send.arguments.iter().zip(self.message_types(&send.channel)) {
                    if let Some(ty) = ty {
                        self.diagnostics.extend(stored(self.model, ty, value));
                    }
                }
            }
            StatementKind::Receive(receive) => self.receive(receive),
            _ => {}
        }
        walk::statement(self, statement);
    }

    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Poll(receive) => self.receive(receive),
            ExprKind::Run(run) => {
                let process = &self.model.processes[run.process.index()];
                let parameters = &process.locals[..process.parameters];
                if parameters.len() == run.arguments.len() {
                    for (parameter, value) in parameters.iter().zip(&run.arguments) {
                        self.diagnostics.extend(stored(self.model, parameter.ty, value));
                    }
                }
            }
            _ => {}
        }
        walk::expression(self, expression);
    }
}
