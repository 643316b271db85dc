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
use crate::model::{Expr, ExprKind, Initial, Model, Owner, Receive, ReceiveArgument, StatementKind, Type, Variable};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let model = context.model;
    let locals = model.owners().flat_map(|(_, process)| &process.locals);
    let fields = model.structures.iter().flat_map(|structure| &structure.fields);
    for variable in model.globals.iter().chain(locals).chain(fields) {
        diagnostics.extend(initial(model, variable));
    }
    for at in &context.code.statements {
        match &at.statement.kind {
            StatementKind::Assign(place, value) => diagnostics.extend(stored(model, place.ty, value)),
            StatementKind::Send(send) => {
                let types = model.message_types(&send.channel, at.owner).unwrap_or_default();
                diagnostics.extend(send.arguments.iter().zip(types).filter_map(|(value, ty)| stored(model, ty, value)));
            }
            StatementKind::Receive(receive) => matched(model, receive, at.owner, diagnostics),
            _ => {}
        }
    }
    for at in &context.code.expressions {
        match &at.expression.kind {
            ExprKind::Poll(receive) => matched(model, receive, at.owner, diagnostics),
            ExprKind::Run(run) => {
                let process = &model.processes[run.process.index()];
                let parameters = &process.locals[..process.parameters];
                // With structures among them, arguments and parameters are not one to one.
                if parameters.len() == run.arguments.len() {
                    let pairs = parameters.iter().zip(&run.arguments);
                    diagnostics.extend(pairs.filter_map(|(parameter, value)| stored(model, parameter.ty, value)));
                }
            }
            _ => {}
        }
    }
}

fn initial(model: &Model, variable: &Variable) -> Option<Diagnostic> {
    match &variable.initial {
        Initial::Value(value) => stored(model, variable.ty, value),
        Initial::List(values) => {
            let value = values.iter().find(|&&value| !fits(variable.ty, value))?;
            Some(does_not_fit(model, variable.ty, *value, variable.span))
        }
        Initial::Zero | Initial::Channel(_) => None,
    }
}

fn matched(model: &Model, receive: &Receive, owner: Owner, diagnostics: &mut Vec<Diagnostic>) {
    let types = model.message_types(&receive.channel, owner).unwrap_or_default();
    for (argument, ty) in receive.arguments.iter().zip(types) {
        if let ReceiveArgument::Match(value) = argument
            && let ExprKind::Constant(number) = value.kind
            && !fits(ty, number)
        {
            let message = format!("no `{}` is ever {number}, so this never matches", model.type_name(ty));
            diagnostics.push(Diagnostic::warning("truncation", value.span, message));
        }
    }
}

fn stored(model: &Model, ty: Type, value: &Expr) -> Option<Diagnostic> {
    let ExprKind::Constant(number) = value.kind else { return None };
    (!fits(ty, number)).then(|| does_not_fit(model, ty, number, value.span))
}

fn fits(ty: Type, value: i32) -> bool {
    ty.range().is_none_or(|range| range.contains(&value))
}

fn does_not_fit(model: &Model, ty: Type, value: i32, span: Span) -> Diagnostic {
    let message = format!("{value} does not fit into a `{}`", model.type_name(ty));
    let note = format!("what is stored is {}", ty.truncate(value));
    Diagnostic::warning("truncation", span, message).note(note)
}
