//! **run-in-expression**: a `run` that is neither a statement of its own nor the value of an assignment.
//!
//! Whenever such an expression is evaluated, a process starts, also when it is only tested whether the statement could be
//! executed.
//!
//! ```promela
//! assert(run P() < 3)      // better: x = run P(); assert(x < 3)
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Expr, ExprKind, Statement, StatementKind};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        walk::block(&mut Runs(diagnostics), &process.body);
    }
}

struct Runs<'d>(&'d mut Vec<Diagnostic>);

impl Visitor for Runs<'_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Expression(e) | StatementKind::Discard(e) if matches!(e.kind, ExprKind::Run(_)) => {
                walk::expression(self, e);
            }
            StatementKind::Assign(place, e) if matches!(e.kind, ExprKind::Run(_)) => {
                walk::expression(self, e);
                walk::place(self, place);
            }
            _ => walk::statement(self, statement),
        }
    }

    fn expression(&mut self, expression: &Expr) {
        if matches!(expression.kind, ExprKind::Run(_)) {
            let message = "`run` inside a larger expression";
            let note = "assign its result to a variable first";
            self.0.push(Diagnostic::warning("run-in-expression", expression.span, message).note(note));
        }
        walk::expression(self, expression);
    }
}
