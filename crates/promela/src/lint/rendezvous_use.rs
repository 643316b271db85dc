//! **rendezvous-use**: what cannot be done with a channel of capacity 0.
//!
//! It never holds a message, so polling it is an error of the run; and a `d_step` is one step of one process, in which
//! nobody else can take part.
//!
//! ```promela
//! chan q = [0] of { byte };
//! init { if :: q?[1] -> ... fi; d_step { x = 1; q!x } }
//! ```

use super::Context;
use super::code::Inside;
use crate::diagnostic::Diagnostic;
use crate::model::{ExprKind, Initial, Model, Owner, Place, StatementKind};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let note = "executing this is an error";
    for at in &context.code.statements {
        if let StatementKind::Send(send) = &at.statement.kind
            && at.inside == Inside::DStep
            && is_rendezvous(context.model, &send.channel, at.owner)
        {
            let message = "a rendezvous inside a `d_step`";
            diagnostics.push(Diagnostic::warning("rendezvous-use", at.statement.span, message).note(note));
        }
    }
    for at in &context.code.expressions {
        if let ExprKind::Poll(receive) = &at.expression.kind
            && is_rendezvous(context.model, &receive.channel, at.owner)
        {
            let message = "a rendezvous channel cannot be polled: it never holds a message";
            diagnostics.push(Diagnostic::warning("rendezvous-use", at.expression.span, message).note(note));
        }
    }
}

fn is_rendezvous(model: &Model, channel: &Place, owner: Owner) -> bool {
    let variable = model.reached(channel, owner);
    matches!(variable.map(|variable| &variable.initial), Some(Initial::Channel(spec)) if spec.capacity == 0)
}
