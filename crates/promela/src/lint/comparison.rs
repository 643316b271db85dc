//! **comparison**: a comparison whose outcome is known, or that compares unlike things.
//!
//! ```promela
//! byte x;
//! if :: x == 300 -> ...     // never: a byte is at most 255
//!    :: x >= 0 -> ...       // always
//! fi
//! ```

use super::Context;
use crate::ast::BinaryOp;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Expr, ExprKind, Model, Owner, Type};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut rule = Comparison { model: context.model, owner: Owner::Trace, diagnostics };
    context.walk(&mut rule, |rule, owner| rule.owner = owner);
}

struct Comparison<'m, 'd> {
    model: &'m Model,
    owner: Owner,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Visitor for Comparison<'_, '_> {
    fn expression(&mut self, expression: &Expr) {
        if let ExprKind::Binary(operator, a, b) = &expression.kind {
            self.against_range(*operator, a, b, expression);
            if let Some(mirrored) = mirrored(*operator) {
                self.against_range(mirrored, b, a, expression);
            }
            if matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual) {
                self.unlike(a, b, expression);
            }
        }
        walk::expression(self, expression);
    }
}

impl Comparison<'_, '_> {
    /// A variable compared with a constant that its type decides.
    fn against_range(&mut self, operator: BinaryOp, variable: &Expr, constant: &Expr, whole: &Expr) {
        let (ExprKind::Read(place), ExprKind::Constant(value)) = (&variable.kind, &constant.kind) else { return };
        // Elements of bit arrays keep more than a bit in SPIN's verifier, so nothing is certain about them.
        let Some(range) = place.ty.range().filter(|_| !matches!(place.ty, Type::Bit | Type::Bool)) else { return };
        let Some(outcome) = outcome(operator, *range.start(), *range.end(), *value) else { return };
        let message = format!("this is {} true", if outcome { "always" } else { "never" });
        let note =
            format!("a `{}` holds values from {} to {}", self.model.type_name(place.ty), range.start(), range.end());
        self.diagnostics.push(Diagnostic::warning("comparison", whole.span, message).note(note));
    }

    /// Things that have nothing in common but their numbers.
    fn unlike(&mut self, a: &Expr, b: &Expr, whole: &Expr) {
        let (Some(x), Some(y)) = (self.sort(a), self.sort(b)) else { return };
        if x != y {
            let message = format!("{x} compared with {y}");
            self.diagnostics.push(Diagnostic::warning("comparison", whole.span, message));
        }
    }

    fn sort(&self, value: &Expr) -> Option<&'static str> {
        match &value.kind {
            ExprKind::Read(place) => match place.ty {
                Type::Chan => Some("a channel"),
                Type::Pid => Some("a process"),
                Type::Mtype(_) => Some("an mtype value"),
                _ => None,
            },
            ExprKind::Predefined(crate::model::Predefined::Pid) => Some("a process"),
            _ => None,
        }
    }
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
