//! **comparison**: a comparison whose outcome is known.
//!
//! ```promela
//! byte x;
//! if :: x == 300 -> ...     // never: a byte is at most 255
//!    :: x >= 0 -> ...       // always
//! fi
//! ```

use super::Context;
use super::code::ExprAt;
use crate::ast::BinaryOp;
use crate::diagnostic::Diagnostic;
use crate::model::{Expr, ExprKind, Model, Type};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for ExprAt { expression, .. } in &context.code.expressions {
        if let ExprKind::Binary(operator, a, b) = &expression.kind
            && let Some(mirrored) = mirrored(*operator)
        {
            diagnostics.extend(against_range(context.model, *operator, a, b, expression));
            diagnostics.extend(against_range(context.model, mirrored, b, a, expression));
        }
    }
}

/// A variable compared with a constant that its type decides.
fn against_range(
    model: &Model,
    operator: BinaryOp,
    variable: &Expr,
    constant: &Expr,
    whole: &Expr,
) -> Option<Diagnostic> {
    let (ExprKind::Read(place), ExprKind::Constant(value)) = (&variable.kind, &constant.kind) else { return None };
    // Elements of bit arrays keep more than a bit in SPIN's verifier, so nothing is certain about them.
    let range = place.ty.range().filter(|_| !matches!(place.ty, Type::Bit | Type::Bool))?;
    let outcome = outcome(operator, *range.start(), *range.end(), *value)?;
    let message = format!("this is {} true", if outcome { "always" } else { "never" });
    let note = format!("a `{}` holds values from {} to {}", model.type_name(place.ty), range.start(), range.end());
    Some(Diagnostic::warning("comparison", whole.span, message).note(note))
}

/// The operator with its sides exchanged.
fn mirrored(operator: BinaryOp) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        BinaryOp::Equal | BinaryOp::NotEqual => operator,
        _ => return None,
    })
}

/// Whether every value from `low` to `high` compares the same with `value`, and how.
fn outcome(operator: BinaryOp, low: i32, high: i32, value: i32) -> Option<bool> {
    let decide = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
    match operator {
        BinaryOp::Less => decide(high < value, low >= value),
        BinaryOp::LessEqual => decide(high <= value, low > value),
        BinaryOp::Greater => decide(low > value, high <= value),
        BinaryOp::GreaterEqual => decide(low >= value, high < value),
        BinaryOp::Equal => decide(false, value < low || value > high),
        BinaryOp::NotEqual => decide(value < low || value > high, false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_is_that_of_trying_every_value() {
        let operators = [
            (BinaryOp::Less, (|a, b| a < b) as fn(i32, i32) -> bool),
            (BinaryOp::LessEqual, |a, b| a <= b),
            (BinaryOp::Greater, |a, b| a > b),
            (BinaryOp::GreaterEqual, |a, b| a >= b),
            (BinaryOp::Equal, |a, b| a == b),
            (BinaryOp::NotEqual, |a, b| a != b),
        ];
        for (operator, compare) in operators {
            for value in -3..8 {
                let results: Vec<bool> = (0..=4).map(|x| compare(x, value)).collect();
                let expected = if results.iter().all(|&r| r) {
                    Some(true)
                } else {
                    (!results.iter().any(|&r| r)).then_some(false)
                };
                assert_eq!(outcome(operator, 0, 4, value), expected, "{operator:?} {value}");
            }
        }
    }
}
