//! `ltl` properties: the temporal structure goes to the logic of `automata`, the expressions become its atoms.
//!
//! Expressions with the same text are the same atom, so the translation sees that `p` and `!p` exclude each other. `&&` and `||`
//! in expressions become the logic's: an atom that cannot be evaluated does not hold, so it makes no difference which side is
//! looked at first.

use automata::atom::AtomTable;
use automata::formula::Formula;
use promela::model::{self, BinaryOp, ExprKind, FormulaKind, LtlProperty, UnaryOp};

use super::expression::Context;
use super::text::Writer;
use crate::claim::{Atom, Property};
use crate::expression::Expr;

/// Lowers a property.
pub fn lower(property: &LtlProperty, context: &Context<'_>) -> Property {
    let mut atoms = Atoms { context, table: AtomTable::default(), list: Vec::new() };
    let formula = atoms.formula(&property.formula);
    let proposition = match &property.formula.kind {
        FormulaKind::Atom(expression) => Some(Atom {
            expression: context.expr(expression),
            text: Writer { model: context.model, process: None }.expr(expression).into(),
        }),
        _ => None,
    };
    let (name, form, span) = (property.name.clone(), property.form, property.span);
    Property { name, formula, atoms: atoms.list, proposition, form, span }
}

struct Atoms<'a> {
    context: &'a Context<'a>,
    table: AtomTable,
    list: Vec<Atom>,
}

impl Atoms<'_> {
    fn formula(&mut self, formula: &model::Formula) -> Formula {
        match &formula.kind {
            FormulaKind::Atom(atom) => self.expression(atom),
            FormulaKind::Not(f) => Formula::negation(self.formula(f)),
            FormulaKind::And(f, g) => Formula::and([self.formula(f), self.formula(g)]),
            FormulaKind::Or(f, g) => Formula::or([self.formula(f), self.formula(g)]),
            FormulaKind::Implies(f, g) => Formula::implies(self.formula(f), self.formula(g)),
            FormulaKind::Equivalent(f, g) => Formula::equivalent(self.formula(f), self.formula(g)),
            FormulaKind::Next(f) => Formula::next(self.formula(f)),
            FormulaKind::Always(f) => Formula::always(self.formula(f)),
            FormulaKind::Eventually(f) => Formula::eventually(self.formula(f)),
            FormulaKind::Until(f, g) => Formula::until(self.formula(f), self.formula(g)),
            FormulaKind::WeakUntil(f, g) => Formula::weak_until(self.formula(f), self.formula(g)),
            FormulaKind::Release(f, g) => Formula::release(self.formula(f), self.formula(g)),
        }
    }

    fn expression(&mut self, expression: &model::Expr) -> Formula {
        match &expression.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => return Formula::negation(self.expression(operand)),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                return Formula::and([self.expression(left), self.expression(right)]);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                return Formula::or([self.expression(left), self.expression(right)]);
            }
            _ => {}
        }
        let lowered = match self.context.expr(expression) {
            Expr::Constant(0) => return Formula::falsehood(),
            Expr::Constant(_) => return Formula::truth(),
            lowered => lowered,
        };
        let text = Writer { model: self.context.model, process: None }.expr(expression);
        let id = self.table.intern(&text);
        if id.index() == self.list.len() {
            self.list.push(Atom { expression: lowered, text: text.into() });
        }
        Formula::atom(id)
    }
}
