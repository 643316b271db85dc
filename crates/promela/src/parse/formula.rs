//! Formulas of linear temporal logic.
//!
//! ```text
//! formula  = term { connective term }
//! connective = "->" "implies" "<->" "equivalent"  <  "||" "\/"  <  "&&" "/\"
//!            <  "U" "until" "stronguntil" "W" "weakuntil" "V" "R" "release"  (all associate to the left)
//! term     = ("[]" "always" | "<>" "eventually" | "X" "next" | "!") term
//!          | "(" formula ")" | an expression without "&&" and "||"
//! ```
//! The operators are written with tokens that mean other things elsewhere: `[]` is `[` directly followed by `]`, `<>` and
//! `<->` likewise, and `->` is no separator. The words are operators where an operator can stand, and names elsewhere.
//! As long as no temporal operator is involved, `&&`, `||` and `!` build an expression, so that every atom is the largest
//! expression it can be.
//!
//! Two traps of SPIN are mended. It reads `[] x == 1` as `([] x) == 1` and gives that no sensible meaning; we read
//! `[] (x == 1)` and warn. And `a -> b -> c` is `(a -> b) -> c`, against custom: we read it the same and warn.

use std::sync::Arc;

use super::MAX_FORMULA_CHAIN;
use super::cursor::{Parsed, Parser, Stop, Stream};
use super::expression::{Operand, Precedence};
use super::separator::LineRule;
use crate::ast::{BinaryOp, Expr, ExprKind, Formula, FormulaKind};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::token::TokenKind;

/// A connective of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Connective {
    Implies,
    Equivalent,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
}

/// How tightly a connective binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Implication,
    Disjunction,
    Conjunction,
    Until,
}

impl Connective {
    fn level(self) -> Level {
        match self {
            Connective::Implies | Connective::Equivalent => Level::Implication,
            Connective::Or => Level::Disjunction,
            Connective::And => Level::Conjunction,
            Connective::Until | Connective::WeakUntil | Connective::Release => Level::Until,
        }
    }
}

/// An operator before a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Prefix {
    Always,
    Eventually,
    Next,
}

/// What has been read: an expression as long as nothing temporal was in it.
enum Term {
    Expr(Operand),
    Formula(Formula),
}

impl Term {
    fn span(&self) -> Span {
        match self {
            Term::Expr(operand) => operand.expr.span,
            Term::Formula(formula) => formula.span,
        }
    }
}

impl Parser<'_> {
    /// A formula that stands by itself, up to the end of the tokens.
    pub(super) fn stand_alone_formula(&mut self, proctypes: &[Arc<str>]) -> Option<Formula> {
        self.stream = Stream::Formula;
        self.lines = LineRule::OUTSIDE;
        self.names.proctypes.extend(proctypes.iter().map(|name| (name.clone(), Span::NOWHERE)));
        let formula = self.formula().ok()?;
        if !self.at(TokenKind::End) {
            let problem = self.mistake_in_formula("the end of the formula");
            self.report(problem);
            return None;
        }
        Some(formula)
    }

    /// A formula, up to what cannot belong to it.
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        self.in_formula = true;
        let term = self.connected();
        self.in_formula = false;
        Ok(self.lift(term?))
    }

    /// Terms joined by connectives, by operator precedence (compare [`Parser::operators`]).
    fn connected(&mut self) -> Parsed<Term> {
        let mut waiting: Vec<(Term, Connective, Span)> = Vec::new();
        let mut right = self.term()?;
        let mut count = 0;
        loop {
            let connective = self.connective();
            while let Some((left, above, place)) = waiting.pop() {
                if connective.is_some_and(|(connective, _)| connective.level() > above.level()) {
                    waiting.push((left, above, place));
                    break;
                }
                self.check_custom(above, connective.map(|(connective, _)| connective), place);
                right = self.connect(left, above, right);
            }
            let Some((connective, tokens)) = connective else { return Ok(right) };
            count += 1;
            if count > MAX_FORMULA_CHAIN {
                let problem = Diagnostic::error("formula-too-long", self.span(), "this formula is too long").note(
                    format!("at most {MAX_FORMULA_CHAIN} operators may follow each other; put a part into parentheses"),
                );
                return Err(self.give_up(problem));
            }
            let place = self.span();
            for _ in 0..tokens {
                self.bump();
            }
            let place = self.since(place);
            self.check_mixture(&waiting, connective, place);
            waiting.push((right, connective, place));
            right = self.term()?;
        }
    }

    /// The connective at the current token, and how many tokens it is written with.
    fn connective(&self) -> Option<(Connective, usize)> {
        let adjacent = |kind: TokenKind| {
            let next = self.token_after(1);
            next.kind == kind && !next.space_before && !next.newline_before
        };
        Some(match self.kind() {
            TokenKind::Arrow => (Connective::Implies, 1),
            TokenKind::Less if adjacent(TokenKind::Arrow) => (Connective::Equivalent, 2),
            TokenKind::OrOr => (Connective::Or, 1),
            TokenKind::AndAnd => (Connective::And, 1),
            TokenKind::Slash if adjacent(TokenKind::Other) && &*self.token_after(1).text == "\\" => {
                (Connective::And, 2)
            }
            TokenKind::Other if &*self.token().text == "\\" && adjacent(TokenKind::Slash) => (Connective::Or, 2),
            TokenKind::Word => match &*self.token().text {
                "implies" => (Connective::Implies, 1),
                "equivalent" => (Connective::Equivalent, 1),
                "U" | "until" | "stronguntil" => (Connective::Until, 1),
                "W" | "weakuntil" => (Connective::WeakUntil, 1),
                "V" | "R" | "release" => (Connective::Release, 1),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether a connective stands here whose first token is an operator of expressions: `<->` or `/\`.
    pub(super) fn at_composed_connective(&self) -> bool {
        matches!(self.kind(), TokenKind::Less | TokenKind::Slash) && self.connective().is_some()
    }

    fn connect(&mut self, left: Term, connective: Connective, right: Term) -> Term {
        let span = self.sources.cover(left.span(), right.span());
        let operator = match connective {
            Connective::And => Some(BinaryOp::And),
            Connective::Or => Some(BinaryOp::Or),
            _ => None,
        };
        let (left, right) = match (operator, left, right) {
            (Some(operator), Term::Expr(left), Term::Expr(right)) => {
                return Term::Expr(self.binary(left, operator, right));
            }
            (_, left, right) => (Box::new(self.lift(left)), Box::new(self.lift(right))),
        };
        let kind = match connective {
            Connective::Implies => FormulaKind::Implies(left, right),
            Connective::Equivalent => FormulaKind::Equivalent(left, right),
            Connective::Or => FormulaKind::Or(left, right),
            Connective::And => FormulaKind::And(left, right),
            Connective::Until => FormulaKind::Until(left, right),
            Connective::WeakUntil => FormulaKind::WeakUntil(left, right),
            Connective::Release => FormulaKind::Release(left, right),
        };
        Term::Formula(Formula { kind, span })
    }

    /// A formula whatever was read; an expression becomes an atom.
    fn lift(&mut self, term: Term) -> Formula {
        match term {
            Term::Formula(formula) => formula,
            Term::Expr(operand) => {
                let expr = self.plain(operand);
                Formula { span: expr.span, kind: FormulaKind::Atom(expr) }
            }
        }
    }

    // ------------------------------------------------------------------------------------ terms

    /// A term with the operators of expressions behind it.
    fn term(&mut self) -> Parsed<Term> {
        let term = self.prefixed()?;
        match term {
            Term::Expr(operand) => Ok(Term::Expr(self.expression_operators(operand)?)),
            Term::Formula(formula) => {
                if self.at_expression_operator() {
                    return Err(self.temporal_operand(&formula));
                }
                Ok(Term::Formula(formula))
            }
        }
    }

    fn temporal_operand(&mut self, formula: &Formula) -> Stop {
        let operator = self.token().text.clone();
        let problem = Diagnostic::error(
            "temporal-operand",
            self.span(),
            format!("`{operator}` cannot be applied to a temporal formula"),
        )
        .also(formula.span, "true or false, not a value")
        .note("join formulas with `&&`, `||`, `->` or `<->`");
        self.fail(problem)
    }

    /// The operators that bind tighter than `&&` behind an expression.
    fn expression_operators(&mut self, first: Operand) -> Parsed<Operand> {
        if !self.at_expression_operator() {
            return Ok(first);
        }
        self.operators(first, Precedence::BitOr)
    }

    /// Whether an operator of expressions stands here that is no connective of formulas.
    fn at_expression_operator(&self) -> bool {
        self.connective().is_none()
            && self.binary_operator().is_some_and(|operator| Precedence::of(operator) >= Precedence::BitOr)
    }

    /// A term without the operators of expressions behind it.
    fn prefixed(&mut self) -> Parsed<Term> {
        match self.kind() {
            _ if self.prefix().is_some() => self.temporal(),
            TokenKind::Bang => self.negation_of_term(),
            TokenKind::BangBang => self.double_negation_of_term(),
            TokenKind::LeftParen => self.inside(Self::parenthesised_formula),
            _ => self.expression_term(),
        }
    }

    /// A temporal operator with its operand.
    fn temporal(&mut self) -> Parsed<Term> {
        let start = self.span();
        let Some((prefix, tokens)) = self.prefix() else { return Err(self.expected("a temporal operator")) };
        for _ in 0..tokens {
            self.bump();
        }
        let operator = self.since(start);
        let inner = match self.nested(Self::prefixed)? {
            Term::Expr(operand) => Term::Expr(self.under_prefix(operand, operator)?),
            formula => formula,
        };
        let inner = Box::new(self.lift(inner));
        let kind = match prefix {
            Prefix::Always => FormulaKind::Always(inner),
            Prefix::Eventually => FormulaKind::Eventually(inner),
            Prefix::Next => FormulaKind::Next(inner),
        };
        Ok(Term::Formula(Formula { kind, span: self.since(start) }))
    }

    fn negation_of_term(&mut self) -> Parsed<Term> {
        let start = self.bump().span;
        let inner = self.nested(Self::prefixed)?;
        Ok(self.negated(inner, start))
    }

    fn double_negation_of_term(&mut self) -> Parsed<Term> {
        let start = self.bump().span;
        self.beyond_spin(start, "`!!` for a double negation; write `! !`");
        let inner = self.nested(|parser| parser.nested(Self::prefixed))?;
        let inner = self.negated(inner, start);
        Ok(self.negated(inner, start))
    }

    fn expression_term(&mut self) -> Parsed<Term> {
        match self.mistake_at_term() {
            Some(stop) => Err(stop),
            None => Ok(Term::Expr(self.operand()?)),
        }
    }

    /// The temporal operator at the current token, and how many tokens it is written with.
    fn prefix(&self) -> Option<(Prefix, usize)> {
        Some(match self.kind() {
            TokenKind::LeftBracket if self.at_always() => (Prefix::Always, 2),
            TokenKind::Less if self.at_eventually() => (Prefix::Eventually, 2),
            TokenKind::Word => {
                let prefix = match &*self.token().text {
                    "always" => Prefix::Always,
                    "eventually" => Prefix::Eventually,
                    "X" | "next" => Prefix::Next,
                    _ => return None,
                };
                if !self.term_follows() {
                    return None;
                }
                (prefix, 1)
            }
            _ => return None,
        })
    }

    /// Whether a temporal operator stands here, inside a formula.
    pub(super) fn at_temporal_operator(&self) -> bool {
        self.in_formula && self.prefix().is_some()
    }

    /// Whether `[]` stands here.
    pub(super) fn at_always(&self) -> bool {
        let next = self.token_after(1);
        self.at(TokenKind::LeftBracket)
            && next.kind == TokenKind::RightBracket
            && !next.space_before
            && !next.newline_before
    }

    fn at_eventually(&self) -> bool {
        let next = self.token_after(1);
        self.at(TokenKind::Less) && next.kind == TokenKind::Greater && !next.space_before && !next.newline_before
    }

    /// Whether the token behind the current word can begin a term: then `X` is an operator, else a name.
    fn term_follows(&self) -> bool {
        let next = self.token_after(1);
        match next.kind {
            TokenKind::Word => !matches!(
                &*next.text,
                "U" | "V" | "R" | "W" | "until" | "stronguntil" | "weakuntil" | "release" | "implies" | "equivalent"
            ),
            TokenKind::Number
            | TokenKind::Character
            | TokenKind::LeftParen
            | TokenKind::Bang
            | TokenKind::BangBang
            | TokenKind::Minus
            | TokenKind::Tilde => true,
            TokenKind::LeftBracket => self.token_after(2).kind == TokenKind::RightBracket,
            TokenKind::Less => self.token_after(2).kind == TokenKind::Greater,
            _ => false,
        }
    }

    /// The operand of a temporal operator, which takes in what binds tighter than `&&`.
    fn under_prefix(&mut self, operand: Operand, operator: Span) -> Parsed<Operand> {
        if !self.at_expression_operator() {
            return Ok(operand);
        }
        let operand = self.operators(operand, Precedence::BitOr)?;
        let span = operand.expr.span;
        let text = self.sources.snippet(span).to_owned();
        let problem = Diagnostic::warning(
            "temporal-precedence",
            span,
            "SPIN 6.5 reads this differently: there, temporal operators bind tightest",
        )
        .also(operator, "read here as applied to all of it")
        .suggest("say so with parentheses", span, format!("({text})"));
        self.report(problem);
        let probe = operand.probe;
        let expr = Expr { kind: ExprKind::Paren(Box::new(operand.expr)), span };
        Ok(Operand { expr, probe })
    }

    fn negated(&mut self, inner: Term, start: Span) -> Term {
        match inner {
            Term::Expr(operand) => Term::Expr(self.negation(operand, start)),
            Term::Formula(formula) => {
                let span = self.sources.cover(start, formula.span);
                Term::Formula(Formula { kind: FormulaKind::Not(Box::new(formula)), span })
            }
        }
    }

    fn parenthesised_formula(&mut self) -> Parsed<Term> {
        let start = self.span();
        let open = self.open_parenthesis("`(`")?;
        let inner = self.connected()?;
        if self.at(TokenKind::Colon) {
            return self.conditional_in_formula(inner, open, start);
        }
        if !self.at(TokenKind::RightParen) {
            let problem = self.mistake_in_formula("`)`").also(open, "to close this parenthesis");
            return Err(self.fail(problem));
        }
        self.close_parenthesis(open)?;
        let span = self.since(start);
        Ok(match inner {
            Term::Expr(Operand { expr, probe }) => {
                Term::Expr(Operand { expr: Expr { kind: ExprKind::Paren(Box::new(expr)), span }, probe })
            }
            Term::Formula(formula) => Term::Formula(Formula { span, ..formula }),
        })
    }

    /// `(c -> a : b)`, whose arrow was read as an implication.
    fn conditional_in_formula(&mut self, inner: Term, open: Span, start: Span) -> Parsed<Term> {
        let (condition, first) = match inner {
            Term::Formula(Formula { kind: FormulaKind::Implies(condition, first), .. }) => (*condition, *first),
            _ => return Err(self.expected("`)`")),
        };
        let (FormulaKind::Atom(condition), FormulaKind::Atom(first)) = (condition.kind, first.kind) else {
            let problem = self.unexpected("`)`").note("a conditional expression cannot hold temporal operators");
            return Err(self.fail(problem));
        };
        self.beyond_spin(self.span(), "a conditional expression in a formula");
        self.bump();
        let second = self.expression()?;
        self.close_parenthesis(open)?;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(first), Box::new(second));
        Ok(Term::Expr(Expr { kind, span: self.since(start) }.into()))
    }

    // ------------------------------------------------------------------------------------ traps

    /// `a -> b -> c` means `(a -> b) -> c`.
    fn check_custom(&mut self, above: Connective, next: Option<Connective>, place: Span) {
        if above == Connective::Implies && next == Some(Connective::Implies) {
            let problem =
                Diagnostic::warning("chained-implication", self.span(), "`a -> b -> c` is read as `(a -> b) -> c`")
                    .also(place, "this implication is the condition of the next")
                    .note("as in SPIN; most books read it as `a -> (b -> c)`: say which with parentheses");
            self.report(problem);
        }
    }

    /// `spin -f` gives `&&` and `||` the same precedence, in contrast to `ltl` blocks and to C.
    fn check_mixture(&mut self, waiting: &[(Term, Connective, Span)], connective: Connective, place: Span) {
        let after_or = waiting.last().filter(|(_, above, _)| *above == Connective::Or);
        if let (Stream::Formula, Connective::And, Some((_, _, or))) = (self.stream, connective, after_or) {
            let or = *or;
            let problem = Diagnostic::warning("mixed-and-or", place, "`a || b && c` is read as `a || (b && c)`")
                .also(or, "this `||` binds less tightly")
                .note("as in C and in `ltl` blocks; `spin -f` reads `(a || b) && c`: say which with parentheses");
            self.report(problem);
        }
    }
}
