//! **timeout-in-d-step**: `timeout` behind the guard of a `d_step`.
//!
//! Whether all processes are stuck is asked before a step, not within one, so it has no sensible value there.
//!
//! ```promela
//! d_step { x = 1; timeout -> x = 2 }
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Expr, ExprKind, Statement, StatementKind};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        walk::block(&mut Timeouts { steps: 0, diagnostics }, &process.body);
    }
}

struct Timeouts<'d> {
    /// Open `d_step`s.
    steps: u32,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Visitor for Timeouts<'_> {
    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::DStep(block) = &statement.kind {
            if let Some((guard, rest)) = block.statements.split_first() {
                self.statement(guard);
                self.steps += 1;
                rest.iter().for_each(|statement| self.statement(statement));
                self.steps -= 1;
            }
            return;
        }
        walk::statement(self, statement);
    }

    fn expression(&mut self, expression: &Expr) {
        if self.steps > 0 && matches!(expression.kind, ExprKind::Timeout) {
            let message = "`timeout` inside a `d_step`";
            let note = "whether everything is stuck is decided between steps, and a `d_step` is one step";
            self.diagnostics.push(Diagnostic::warning("timeout-in-d-step", expression.span, message).note(note));
        }
        walk::expression(self, expression);
    }
}
