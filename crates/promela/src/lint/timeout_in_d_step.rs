//! **timeout-in-d-step**: `timeout` behind the guard of a `d_step`.
//!
//! Whether all processes are stuck is asked before a step, not within one, so it has no sensible value there.
//!
//! ```promela
//! d_step { x = 1; timeout -> x = 2 }
//! ```

use super::Context;
use super::code::{ExprAt, Inside};
use crate::diagnostic::Diagnostic;
use crate::model::ExprKind;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for ExprAt { inside, expression, .. } in &context.code.expressions {
        if *inside == Inside::DStep && matches!(expression.kind, ExprKind::Timeout) {
            let message = "`timeout` inside a `d_step`";
            let note = "whether everything is stuck is decided between steps, and a `d_step` is one step";
            diagnostics.push(Diagnostic::warning("timeout-in-d-step", expression.span, message).note(note));
        }
    }
}
