//! **beyond-spin**: a variable as the argument for an mtype parameter.
//!
//! SPIN 6.5.2 accepts mtype names there, and numbers, but no variables. Here they mean what they say.
//!
//! ```promela
//! proctype P(mtype m) { ... }
//! init { mtype m = ack; run P(m) }
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Expr, ExprKind, Model, Type};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    context.walk(&mut Arguments { model: context.model, diagnostics }, |_, _| {});
}

struct Arguments<'m, 'd> {
    model: &'m Model,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Visitor for Arguments<'_, '_> {
    fn expression(&mut self, expression: &Expr) {
        if let ExprKind::Run(run) = &expression.kind {
            let process = &self.model.processes[run.process.index()];
            for (parameter, value) in process.locals[..process.parameters].iter().zip(&run.arguments) {
                if let (Type::Mtype(_), ExprKind::Read(_)) = (parameter.ty, &value.kind) {
                    let message = "SPIN 6.5 does not accept a variable for an mtype parameter";
                    self.diagnostics.push(Diagnostic::warning("beyond-spin", value.span, message));
                }
            }
        }
        walk::expression(self, expression);
    }
}
