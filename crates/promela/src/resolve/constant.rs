//! Constants: folding, and the constant expressions of array bounds, capacities and counts.
//!
//! Values are C `int`s. What C leaves undefined (division by zero, shifts by 32 and more) is not folded: it has no
//! value before it is executed, and then it is an error of the run.

use super::Resolver;
use super::names::Meaning;
use crate::ast::{self, BinaryOp, Constant, OperatorChain, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The value of a constant as written.
pub(crate) fn value_of(constant: Constant) -> i32 {
    match constant {
        Constant::Number(value) => value,
        Constant::Character(value) => i32::from(value),
        Constant::True | Constant::Skip => 1,
        Constant::False => 0,
    }
}

/// The value of a unary operation.
pub(crate) fn fold_unary(operator: UnaryOp, value: i32) -> i32 {
    match operator {
        UnaryOp::Negate => value.wrapping_neg(),
        UnaryOp::Complement => !value,
        UnaryOp::Not => i32::from(value == 0),
    }
}

/// The value of a binary operation, if C defines one.
pub(crate) fn fold_binary(operator: BinaryOp, a: i32, b: i32) -> Option<i32> {
    let truth = |value: bool| Some(i32::from(value));
    match operator {
        BinaryOp::Multiply => Some(a.wrapping_mul(b)),
        BinaryOp::Divide => (b != 0).then(|| a.wrapping_div(b)),
        BinaryOp::Remainder => (b != 0).then(|| a.wrapping_rem(b)),
        BinaryOp::Add => Some(a.wrapping_add(b)),
        BinaryOp::Subtract => Some(a.wrapping_sub(b)),
        BinaryOp::ShiftLeft => (0..32).contains(&b).then(|| a.wrapping_shl(b as u32)),
        BinaryOp::ShiftRight => (0..32).contains(&b).then(|| a.wrapping_shr(b as u32)),
        BinaryOp::Less => truth(a < b),
        BinaryOp::LessEqual => truth(a <= b),
        BinaryOp::Greater => truth(a > b),
        BinaryOp::GreaterEqual => truth(a >= b),
        BinaryOp::Equal => truth(a == b),
        BinaryOp::NotEqual => truth(a != b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::And => truth(a != 0 && b != 0),
        BinaryOp::Or => truth(a != 0 || b != 0),
    }
}

/// An expression without the parentheses around it.
pub(super) fn without_parentheses(mut expression: &ast::Expr) -> &ast::Expr {
    while let ast::ExprKind::Paren(inner) = &expression.kind {
        expression = inner;
    }
    expression
}

impl Resolver<'_> {
    /// The value of an expression that SPIN's grammar takes for one constant token, parentheses aside.
    pub(super) fn literal(&self, expression: &ast::Expr) -> Option<i32> {
        match &without_parentheses(expression).kind {
            ast::ExprKind::Constant(constant) => Some(value_of(*constant)),
            ast::ExprKind::Variable(variable) => match (&*variable.parts, variable.parts.first()) {
                ([part], _) if part.index.is_none() => match self.names.meaning(&part.name.text) {
                    Meaning::Mtype(_, value) => Some(value),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a constant expression; reports what is not one. `what` completes "... must be a constant".
    /// (The parser warns about operators that SPIN does not take there.)
    pub(super) fn constant_expression(&mut self, expression: &ast::Expr, what: &str) -> Option<i32> {
        match self.constant_value(expression) {
            Ok(value) => Some(value),
            Err(Failure::Reported) => None,
            Err(Failure::NotConstant(span)) => {
                let message = format!("{what} must be a constant");
                self.report(Diagnostic::error("not-constant", span, message).label("its value is not known here"));
                None
            }
            Err(Failure::Undefined(span)) => {
                self.report(Diagnostic::error("undefined-constant", span, "this constant has no value"));
                None
            }
        }
    }

    /// Whether an expression is made of constants only.
    pub(super) fn is_constant(&mut self, expression: &ast::Expr) -> bool {
        self.constant_value(expression).is_ok()
    }

    fn constant_value(&mut self, expression: &ast::Expr) -> Result<i32, Failure> {
        let literal = self.literal(expression);
        let expression = without_parentheses(expression);
        if let Some(value) = literal {
            if let ast::ExprKind::Variable(name) = &expression.kind {
                self.index.used_mtype(&name.parts[0].name);
            }
            return Ok(value);
        }
        match &expression.kind {
            ast::ExprKind::Unary(operator, operand) => Ok(fold_unary(*operator, self.constant_value(operand)?)),
            ast::ExprKind::Binary(..) => {
                let chain = OperatorChain::of(expression);
                let mut value = self.constant_value(chain.first)?;
                for link in chain.links {
                    let right = self.constant_value(link.right)?;
                    value = fold_binary(link.operator, value, right).ok_or(Failure::Undefined(link.span))?;
                }
                Ok(value)
            }
            ast::ExprKind::Conditional(condition, yes, no) => {
                let condition = self.constant_value(condition)?;
                self.constant_value(if condition != 0 { yes } else { no })
            }
            ast::ExprKind::Error => Err(Failure::Reported),
            _ => Err(Failure::NotConstant(expression.span)),
        }
    }
}

enum Failure {
    /// The parser has reported it.
    Reported,
    NotConstant(Span),
    Undefined(Span),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_c_ints() {
        assert_eq!(fold_binary(BinaryOp::Divide, -7, 3), Some(-2));
        assert_eq!(fold_binary(BinaryOp::Remainder, -7, 3), Some(-1));
        assert_eq!(fold_binary(BinaryOp::Add, i32::MAX, 1), Some(i32::MIN));
        assert_eq!(fold_binary(BinaryOp::ShiftRight, -8, 1), Some(-4));
        assert_eq!(fold_binary(BinaryOp::Divide, i32::MIN, -1), Some(i32::MIN));
        assert_eq!(fold_unary(UnaryOp::Not, 7), 0);
        assert_eq!(fold_unary(UnaryOp::Complement, 0), -1);
    }

    #[test]
    fn what_c_leaves_undefined_is_not_folded() {
        assert_eq!(fold_binary(BinaryOp::Divide, 1, 0), None);
        assert_eq!(fold_binary(BinaryOp::Remainder, 1, 0), None);
        assert_eq!(fold_binary(BinaryOp::ShiftLeft, 1, 32), None);
        assert_eq!(fold_binary(BinaryOp::ShiftRight, 1, -1), None);
    }
}
