//! **message-arity**: a send or receive with more or fewer fields than the channel's messages have.
//!
//! SPIN accepts it and stops the run with an error when it is executed. The channel's type is reconstructed through
//! parameters, assignments and channels that carry channels.
//!
//! ```promela
//! chan q = [1] of { mtype, byte };
//! proctype P(chan c) { c!ack }       // one field of two
//! init { run P(q) }
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::{ExprKind, Model, Owner, Place, StatementKind};
use crate::resolve::fields;
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let model = context.model;
    for at in &context.code.statements {
        let (what, channel, given) = match &at.statement.kind {
            StatementKind::Send(send) => ("send", &send.channel, send.arguments.len()),
            StatementKind::Receive(receive) => ("receive", &receive.channel, receive.arguments.len()),
            StatementKind::Event(event) => ("event", &event.channel, event.arguments.len()),
            _ => continue,
        };
        diagnostics.extend(compare(model, what, channel, at.owner, given, at.statement.span));
    }
    for at in &context.code.expressions {
        if let ExprKind::Poll(receive) = &at.expression.kind {
            let given = receive.arguments.len();
            diagnostics.extend(compare(model, "poll", &receive.channel, at.owner, given, at.expression.span));
        }
    }
}

fn compare(model: &Model, what: &str, channel: &Place, owner: Owner, given: usize, span: Span) -> Option<Diagnostic> {
    let types = model.message_types(channel, owner)?;
    // A poll may leave out the last fields.
    if types.len() == given || what == "poll" && given < types.len() {
        return None;
    }
    let variable = model.reached(channel, owner)?;
    let message =
        format!("this {what} has {}, but a message of `{}` has {}", fields(given), variable.name, types.len());
    let names: Vec<String> = types.iter().map(|&ty| model.type_name(ty)).collect();
    let note = format!("the channel is a `chan {{{}}}`; executing this is an error", names.join(", "));
    Some(Diagnostic::warning("message-arity", span, message).note(note))
}
