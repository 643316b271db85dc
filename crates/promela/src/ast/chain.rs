//! Long chains of binary operators: `a + b + c + …` is a tree as deep on its left side as the chain is long.
//!
//! The parser builds that side in a loop and bounds every other direction, so whoever walks the left side in a loop too
//! never recurses deeper than the nesting that the parser allows. [`OperatorChain`] is that loop's view of a tree; cloning
//! and comparing expressions use it.

use super::{BinaryOp, Expr, ExprKind};
use crate::source::Span;

/// An expression seen as its leftmost operand and the operators applied to it, innermost first.
///
/// ```
/// use promela::ast::{BinaryOp, Constant, Expr, ExprKind, OperatorChain};
/// use promela::source::Span;
/// let number = |n| Expr { kind: ExprKind::Constant(Constant::Number(n)), span: Span::NOWHERE };
/// let add = |a, b| Expr { kind: ExprKind::Binary(BinaryOp::Add, Box::new(a), Box::new(b)), span: Span::NOWHERE };
/// let sum = add(add(number(1), number(2)), number(3));
/// let chain = OperatorChain::of(&sum);
/// assert_eq!(*chain.first, number(1));
/// assert_eq!(chain.links.iter().map(|link| link.right).collect::<Vec<_>>(), [&number(2), &number(3)]);
/// ```
#[derive(Clone, Debug)]
pub struct OperatorChain<'a> {
    /// The leftmost operand; not a binary operation.
    pub first: &'a Expr,
    /// The operations on it, innermost first.
    pub links: Vec<Link<'a>>,
}

/// One operation of an [`OperatorChain`].
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// The operator.
    pub operator: BinaryOp,
    /// The right operand.
    pub right: &'a Expr,
    /// The text of the whole operation, left operand included.
    pub span: Span,
}

impl<'a> OperatorChain<'a> {
    /// The chain that ends with `expr`; without links when it is no binary operation.
    #[must_use]
    pub fn of(expr: &'a Expr) -> OperatorChain<'a> {
        let mut first = expr;
        let mut links = Vec::new();
        while let ExprKind::Binary(operator, left, right) = &first.kind {
            links.push(Link { operator: *operator, right, span: first.span });
            first = left;
        }
        links.reverse();
        OperatorChain { first, links }
    }
}

impl Clone for Expr {
    fn clone(&self) -> Expr {
        let chain = OperatorChain::of(self);
        let first = Expr { kind: chain.first.kind.clone(), span: chain.first.span };
        chain.links.into_iter().fold(first, |left, link| Expr {
            kind: ExprKind::Binary(link.operator, Box::new(left), Box::new(link.right.clone())),
            span: link.span,
        })
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        let (mine, its) = (OperatorChain::of(self), OperatorChain::of(other));
        mine.links.len() == its.links.len()
            && mine.first.span == its.first.span
            && mine.first.kind == its.first.kind
            && mine
                .links
                .iter()
                .zip(&its.links)
                .all(|(a, b)| a.operator == b.operator && a.span == b.span && a.right == b.right)
    }
}
