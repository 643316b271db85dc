//! **run-in-expression**: a `run` that is neither a statement of its own nor the value of an assignment.
//!
//! Whenever such an expression is evaluated, a process starts, also when it is only tested whether the statement could be
//! executed.
//!
//! ```promela
//! assert(run P() < 3)      // better: x = run P(); assert(x < 3)
//! ```

use super::Context;
use super::code::ExprAt;
use crate::diagnostic::Diagnostic;
use crate::model::ExprKind;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for ExprAt { whole, expression, .. } in &context.code.expressions {
        if matches!(expression.kind, ExprKind::Run(_)) && !whole {
            let message = "`run` inside a larger expression";
            let note = "assign its result to a variable first";
            diagnostics.push(Diagnostic::warning("run-in-expression", expression.span, message).note(note));
        }
    }
}
