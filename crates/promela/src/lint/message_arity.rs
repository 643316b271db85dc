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
use crate::model::visit::{Visitor, walk};
use crate::model::{Expr, ExprKind, Model, Owner, Place, Statement, StatementKind};
use crate::resolve::fields;
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut rule = Arity { model: context.model, owner: Owner::Trace, diagnostics };
    context.walk(&mut rule, |rule, owner| rule.owner = owner);
}

struct Arity<'m, 'd> {
    model: &'m Model,
    owner: Owner,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Arity<'_, '_> {
    fn compare(&mut self, what: &str, channel: &Place, given: usize, span: Span) {
        let Some(variable) = self.model.reached(channel, self.owner) else { return };
        let Some(id) = variable.channel else { return };
        let ty = &self.model.channel_types[id.index()];
        if !ty.declared || ty.fields.len() == given {
            return;
        }
        let message =
            format!("this {what} has {}, but a message of `{}` has {}", fields(given), variable.name, ty.fields.len());
        let note = format!("the channel is a `{}`; executing this is an error", self.model.channel_type_name(id));
        self.diagnostics.push(Diagnostic::warning("message-arity", span, message).note(note));
    }
}

impl Visitor for Arity<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Send(send) => self.compare("send", &send.channel, send.arguments.len(), statement.span),
            StatementKind::Receive(receive) => {
                self.compare("receive", &receive.channel, receive.arguments.len(), statement.span);
            }
            StatementKind::Event(event) => {
                self.compare("event", &event.channel, event.arguments.len(), statement.span);
            }
            _ => {}
        }
        walk::statement(self, statement);
    }

    fn expression(&mut self, expression: &Expr) {
        if let ExprKind::Poll(receive) = &expression.kind {
            // A poll may leave out the last fields.
            let given = receive.arguments.len();
            let fields = self.model.channel_type(&receive.channel, self.owner).map_or(0, |ty| ty.fields.len());
            if given > fields {
                self.compare("poll", &receive.channel, given, expression.span);
            }
        }
        walk::expression(self, expression);
    }
}
