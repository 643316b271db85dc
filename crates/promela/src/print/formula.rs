//! Formulas as text, with the parentheses that are needed.

use super::Printer;
use crate::ast::{BinaryOp, ExprKind, Formula, FormulaKind};

/// How tightly a formula binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implication,
    Disjunction,
    Conjunction,
    Until,
    Expression,
    Operand,
}

impl Level {
    fn of(formula: &Formula) -> Level {
        match &formula.kind {
            FormulaKind::Atom(expr) => match expr.kind {
                ExprKind::Binary(BinaryOp::Or, ..) => Level::Disjunction,
                ExprKind::Binary(BinaryOp::And, ..) => Level::Conjunction,
                ExprKind::Binary(..) => Level::Expression,
                _ => Level::Operand,
            },
            FormulaKind::Implies(..) | FormulaKind::Equivalent(..) => Level::Implication,
            FormulaKind::Or(..) => Level::Disjunction,
            FormulaKind::And(..) => Level::Conjunction,
            FormulaKind::Until(..) | FormulaKind::WeakUntil(..) | FormulaKind::Release(..) => Level::Until,
            FormulaKind::Not(_) | FormulaKind::Next(_) | FormulaKind::Always(_) | FormulaKind::Eventually(_) => {
                Level::Operand
            }
        }
    }
}

impl Printer {
    pub(super) fn formula(&mut self, formula: &Formula) {
        match &formula.kind {
            FormulaKind::Atom(expr) => self.expr(expr),
            FormulaKind::Not(inner) => self.prefix("!", inner),
            FormulaKind::Next(inner) => self.prefix("X ", inner),
            FormulaKind::Always(inner) => self.prefix("[] ", inner),
            FormulaKind::Eventually(inner) => self.prefix("<> ", inner),
            FormulaKind::And(left, right) => self.connected(left, "&&", right, Level::Conjunction),
            FormulaKind::Or(left, right) => self.connected(left, "||", right, Level::Disjunction),
            FormulaKind::Implies(left, right) => self.connected(left, "->", right, Level::Implication),
            FormulaKind::Equivalent(left, right) => self.connected(left, "<->", right, Level::Implication),
            FormulaKind::Until(left, right) => self.connected(left, "U", right, Level::Until),
            FormulaKind::WeakUntil(left, right) => self.connected(left, "W", right, Level::Until),
            FormulaKind::Release(left, right) => self.connected(left, "V", right, Level::Until),
        }
    }

    fn prefix(&mut self, operator: &str, inner: &Formula) {
        self.word(operator);
        // `!!` is another token.
        if operator == "!" && matches!(inner.kind, FormulaKind::Not(_)) {
            self.word(" ");
        }
        self.formula_at(inner, Level::Operand);
    }

    /// A connective between two formulas; all connectives associate to the left.
    fn connected(&mut self, left: &Formula, connective: &str, right: &Formula, level: Level) {
        self.formula_at(left, level);
        self.format(format_args!(" {connective} "));
        let tighter = match level {
            Level::Implication => Level::Disjunction,
            Level::Disjunction => Level::Conjunction,
            Level::Conjunction => Level::Until,
            _ => Level::Expression,
        };
        self.formula_at(right, tighter);
    }

    fn formula_at(&mut self, formula: &Formula, loosest: Level) {
        if Level::of(formula) >= loosest {
            self.formula(formula);
        } else {
            self.word("(");
            self.formula(formula);
            self.word(")");
        }
    }
}
