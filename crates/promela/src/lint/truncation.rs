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
        diagnostics.extend(listed(model, variable));
    }
    diagnostics.extend(context.stores.iter().filter_map(|store| stored(model, store.ty, store.value)));
    for at in &context.code.statements {
        if let StatementKind::Receive(receive) = &at.statement.kind {
            matched(model, receive, at.owner, diagnostics);
        }
    }
    for at in &context.code.expressions {
        if let ExprKind::Poll(receive) = &at.expression.kind {
            matched(model, receive, at.owner, diagnostics);
        }
    }
}

fn listed(model: &Model, variable: &Variable) -> Option<Diagnostic> {
    let Initial::List(values) = &variable.initial else { return None };
    let value = values.iter().find(|&&value| !fits(variable.ty, value))?;
    Some(does_not_fit(model, variable.ty, *value, variable.span))
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
