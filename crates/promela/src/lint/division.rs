//! **division-by-zero**, **wide-shift**: arithmetic that C does not define. SPIN's verifier crashes on the first.
//!
//! ```promela
//! x = y / 0;
//! x = 1 << 32
//! ```

use super::Context;
use crate::ast::BinaryOp;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Expr, ExprKind};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    context.walk(&mut Division(diagnostics), |_, _| {});
}

struct Division<'d>(&'d mut Vec<Diagnostic>);

impl Visitor for Division<'_> {
    fn expression(&mut self, expression: &Expr) {
        if let ExprKind::Binary(operator, _, right) = &expression.kind
            && let ExprKind::Constant(value) = right.kind
        {
            match operator {
                BinaryOp::Divide | BinaryOp::Remainder if value == 0 => {
                    let message = "division by zero";
                    let note = "executing this is an error";
                    self.0.push(Diagnostic::warning("division-by-zero", expression.span, message).note(note));
                }
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..32).contains(&value) => {
                    let message = format!("a shift by {value} bits");
                    let note = "numbers have 32 bits, and C does not say what this gives";
                    self.0.push(Diagnostic::warning("wide-shift", expression.span, message).note(note));
                }
                _ => {}
            }
        }
        walk::expression(self, expression);
    }
}
