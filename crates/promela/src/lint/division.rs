//! **division-by-zero**, **wide-shift**: arithmetic that C does not define. SPIN's verifier crashes on the first.
//!
//! ```promela
//! x = y / 0;
//! x = 1 << 32
//! ```

use super::Context;
use super::code::ExprAt;
use crate::ast::BinaryOp;
use crate::diagnostic::Diagnostic;
use crate::model::ExprKind;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for ExprAt { expression, .. } in &context.code.expressions {
        let ExprKind::Binary(operator, _, right) = &expression.kind else { continue };
        let ExprKind::Constant(value) = right.kind else { continue };
        match operator {
            BinaryOp::Divide | BinaryOp::Remainder if value == 0 => {
                let warning = Diagnostic::warning("division-by-zero", expression.span, "division by zero");
                diagnostics.push(warning.note("executing this is an error"));
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..32).contains(&value) => {
                let message = format!("a shift by {value} bits");
                let note = "numbers have 32 bits, and C does not say what this gives";
                diagnostics.push(Diagnostic::warning("wide-shift", expression.span, message).note(note));
            }
            _ => {}
        }
    }
}
