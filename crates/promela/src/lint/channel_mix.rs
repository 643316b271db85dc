//! **channel-mix**: a channel where a number belongs, or a number where a channel belongs.
//!
//! SPIN keeps channels as numbers and lets them pass for each other. A number in a channel variable names whatever channel
//! happens to have it, and no type can be reconstructed for it.
//!
//! ```promela
//! proctype P(chan c) { c!1 }
//! init { byte x = 1; run P(x) }      // the channel that was created first
//! ```

use super::Context;
use super::stores::Store;
use crate::diagnostic::Diagnostic;
use crate::model::{Expr, ExprKind, Receive, ReceiveArgument, StatementKind, Type};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.extend(context.stores.iter().filter_map(mixed));
    for at in &context.code.statements {
        if let StatementKind::Receive(receive) = &at.statement.kind {
            let types = context.model.message_types(&receive.channel, at.owner).unwrap_or_default();
            bound(receive, &types, diagnostics);
        }
    }
}

fn mixed(store: &Store<'_>) -> Option<Diagnostic> {
    let message = match (store.ty, sort(store.value)?) {
        (Type::Chan, Sort::Number) => "a number where a channel belongs",
        (Type::Chan, Sort::Channel) | (Type::Structure(_), _) | (_, Sort::Number) => return None,
        (_, Sort::Channel) => "a channel where a number belongs",
    };
    Some(Diagnostic::warning("channel-mix", store.value.span, message))
}

fn bound(receive: &Receive, types: &[Type], diagnostics: &mut Vec<Diagnostic>) {
    for (argument, &ty) in receive.arguments.iter().zip(types) {
        if let ReceiveArgument::Bind(place) = argument {
            let message = match (ty, place.ty) {
                (Type::Chan, Type::Chan) => continue,
                (Type::Chan, _) => "a number variable receives a channel",
                (_, Type::Chan) => "a channel variable receives a number",
                _ => continue,
            };
            diagnostics.push(Diagnostic::warning("channel-mix", place.span, message));
        }
    }
}

enum Sort {
    Channel,
    Number,
}

/// What a value is. Constants are left to the resolver, which refuses or warns about them as SPIN does.
fn sort(value: &Expr) -> Option<Sort> {
    match &value.kind {
        ExprKind::Read(place) if place.ty == Type::Chan => Some(Sort::Channel),
        ExprKind::Read(_) | ExprKind::Predefined(_) | ExprKind::Run(_) | ExprKind::Unary(..) => Some(Sort::Number),
        ExprKind::Conditional(_, a, _) => sort(a),
        _ => None,
    }
}
