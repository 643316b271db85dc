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
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Expr, ExprKind, Initial, Model, Owner, Place, Statement, StatementKind};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut rule = Rendezvous { model: context.model, owner: Owner::Trace, steps: 0, diagnostics };
    context.walk(&mut rule, |rule, owner| rule.owner = owner);
}

struct Rendezvous<'m, 'd> {
    model: &'m Model,
    owner: Owner,
    /// Open `d_step`s.
    steps: u32,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Rendezvous<'_, '_> {
    fn is_rendezvous(&self, channel: &Place) -> bool {
        let variable = self.model.reached(channel, self.owner);
        matches!(variable.map(|variable| &variable.initial), Some(Initial::Channel(spec)) if spec.capacity == 0)
    }

    fn report(&mut self, span: Span, message: &str) {
        let note = "executing this is an error";
        self.diagnostics.push(Diagnostic::warning("rendezvous-use", span, message).note(note));
    }
}

impl Visitor for Rendezvous<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Send(send) if self.steps > 0 && self.is_rendezvous(&send.channel) => {
                self.report(statement.span, "a rendezvous inside a `d_step`");
            }
            StatementKind::DStep(block) => {
                // The first statement of a `d_step` is its guard.
                if let Some((guard, rest)) = block.statements.split_first() {
                    self.statement(guard);
                    self.steps += 1;
                    rest.iter().for_each(|statement| self.statement(statement));
                    self.steps -= 1;
                }
                return;
            }
            _ => {}
        }
        walk::statement(self, statement);
    }

    fn expression(&mut self, expression: &Expr) {
        if let ExprKind::Poll(receive) = &expression.kind
            && self.is_rendezvous(&receive.channel)
        {
            self.report(expression.span, "a rendezvous channel cannot be polled: it never holds a message");
        }
        walk::expression(self, expression);
    }
}
