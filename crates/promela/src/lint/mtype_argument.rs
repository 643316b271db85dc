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
use crate::model::{ExprKind, Type};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for at in &context.code.expressions {
        let ExprKind::Run(run) = &at.expression.kind else { continue };
        let process = &context.model.processes[run.process.index()];
        for (parameter, value) in process.locals[..process.parameters].iter().zip(&run.arguments) {
            if let (Type::Mtype(_), ExprKind::Read(_)) = (parameter.ty, &value.kind) {
                let message = "SPIN 6.5 does not accept a variable for an mtype parameter";
                diagnostics.push(Diagnostic::warning("beyond-spin", value.span, message));
            }
        }
    }
}
