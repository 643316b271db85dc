//! Mistakes inside expressions and formulas.

use super::word_operator;
use crate::diagnostic::Diagnostic;
use crate::parse::cursor::{Parser, Stop};
use crate::source::Span;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    // ------------------------------------------------------------------------------------ expressions

    /// An operator was read; does another follow that makes it one of another language?
    pub(in crate::parse) fn mistake_behind_operator(&mut self) -> Option<Stop> {
        let operator = self.tokens[self.position - 1].clone();
        let next = self.token().clone();
        let both = self.sources.cover(operator.span, next.span);
        let problem = match (operator.kind, next.kind) {
            (TokenKind::Less, TokenKind::Greater) => Diagnostic::error(
                "foreign-operator",
                both,
                "there is no operator `<>`",
            )
            .suggest("not equal is", both, "!="),
            (TokenKind::Equal, TokenKind::Assign) => {
                Diagnostic::error("foreign-operator", both, "there is no operator `===`")
                    .suggest("equal is", both, "==")
            }
            (TokenKind::NotEqual, TokenKind::Assign) => Diagnostic::error(
                "foreign-operator",
                both,
                "there is no operator `!==`",
            )
            .suggest("not equal is", both, "!="),
            _ if self.at_temporal_operator() => {
                let text = &operator.text;
                let problem = Diagnostic::error(
                    "temporal-operand",
                    operator.span,
                    format!("`{text}` cannot be applied to a temporal formula"),
                )
                .note("join formulas with `&&`, `||`, `->` or `<->`");
                match operator.kind {
                    TokenKind::Ampersand => problem.suggest("conjunction is", operator.span, "&&"),
                    TokenKind::Bar => problem.suggest("disjunction is", operator.span, "||"),
                    _ => problem,
                }
            }
            (_, TokenKind::Assign) if !next.space_before => {
                let operator = &operator.text;
                Diagnostic::error("foreign-operator", both, format!("there is no operator `{operator}=`"))
                    .note(format!("write the variable twice: `x = x {operator} 1`"))
            }
            _ => return None,
        };
        Some(self.fail(problem))
    }

    /// An operand was expected.
    pub(in crate::parse) fn mistake_at_operand(&mut self) -> Stop {
        let span = self.span();
        let before = self.tokens[self.position.saturating_sub(1)].clone();
        let next = self.token_after(1).kind;
        let problem = match self.kind() {
            TokenKind::Less | TokenKind::Greater if before.kind == TokenKind::Assign && !self.token().space_before => {
                let right_way = if self.at(TokenKind::Less) { "<=" } else { ">=" };
                let both = self.sources.cover(before.span, span);
                Diagnostic::error("foreign-operator", both, format!("there is no operator `={}`", self.token().text))
                    .suggest("comparisons are written", both, right_way)
            }
            _ if self.in_formula => self.unexpected("a formula"),
            TokenKind::String => self.unexpected("an expression").note("a string can only stand in `printf(\"...\")`"),
            TokenKind::LeftBracket if next == TokenKind::RightBracket => {
                self.unexpected("an expression").note("temporal operators stand in `ltl` blocks only")
            }
            TokenKind::Less if next == TokenKind::Greater => {
                self.unexpected("an expression").note("temporal operators stand in `ltl` blocks only")
            }
            TokenKind::Increment | TokenKind::Decrement => {
                self.unexpected("an expression").note("`x++` and `x--` are statements and have no value")
            }
            TokenKind::Hash => self.leftover_directive(),
            TokenKind::Semicolon if self.at_line_end() => self.unexpected("an expression"),
            TokenKind::Word if self.at_word("eval") => {
                self.unexpected("an expression").note("`eval(...)` stands among the fields of a receive: `q?eval(x)`")
            }
            TokenKind::Word if self.at_word("if") => self
                .unexpected("an expression")
                .note("the conditional expression is written `(condition -> value : other value)`"),
            TokenKind::LeftBrace => self
                .unexpected("an expression")
                .note("a structure cannot be written as a value; assign its fields one by one"),
            _ => self.unexpected("an expression"),
        };
        self.fail(problem)
    }

    /// Something other than `)` follows an expression in parentheses.
    pub(in crate::parse) fn mistake_in_parentheses(&mut self, open: Span) -> Stop {
        let span = self.span();
        let problem = match self.kind() {
            TokenKind::Assign => {
                Diagnostic::error("assignment-in-expression", span, "an assignment cannot stand inside an expression")
                    .note("`=` assigns, `==` compares")
                    .suggest("compare", span, "==")
            }
            TokenKind::Comma => self
                .unexpected("`)` or an operator")
                .note("a message is sent without parentheses around it: `q!a,b`, or `q!a(b)`"),
            TokenKind::Question => self
                .unexpected("`)` or an operator")
                .note("the conditional expression is written `(condition -> value : other value)`")
                .suggest("write", span, "->"),
            _ => {
                let problem = match self.mistake_between_statements() {
                    Some(problem) => problem,
                    None => self.unexpected("`)` or an operator"),
                };
                problem.also(open, "to close this parenthesis")
            }
        };
        self.fail(problem)
    }

    /// Letters are stuck to a number.
    pub(in crate::parse) fn mistake_in_number(&mut self, digits: &Token) -> Stop {
        let rest = self.bump();
        let span = self.sources.cover(digits.span, rest.span);
        let text = format!("{}{}", digits.text, rest.text);
        let radix = |prefix: &str| match prefix {
            "x" | "X" => Some((16, "hexadecimal")),
            "b" | "B" => Some((2, "binary")),
            "o" | "O" => Some((8, "octal")),
            _ => None,
        };
        let letters = &*rest.text;
        let based = letters.get(..1).and_then(radix).filter(|_| &*digits.text == "0");
        let value = based.and_then(|(radix, _)| i64::from_str_radix(&letters[1..], radix).ok());
        let suffix = letters.chars().all(|letter| matches!(letter, 'u' | 'U' | 'l' | 'L'));
        let problem = match (based, value) {
            (Some((_, name)), Some(value)) => Diagnostic::error(
                "number-base",
                span,
                format!("there are no {name} numbers"),
            )
            .suggest("the same in decimal", span, value.to_string()),
            _ if suffix => Diagnostic::error("number-suffix", span, format!("`{text}` is not a number")).suggest(
                "numbers have no suffix",
                span,
                &*digits.text,
            ),
            _ => Diagnostic::error("number-suffix", span, format!("`{text}` is neither a number nor a name"))
                .note("a name cannot begin with a digit, and numbers are decimal"),
        };
        self.fail(problem)
    }

    // ------------------------------------------------------------------------------------ formulas

    /// A formula should end here with `end`, or go on with an operator.
    pub(in crate::parse) fn mistake_in_formula(&self, end: &str) -> Diagnostic {
        let span = self.span();
        if self.at(TokenKind::Assign) {
            return Diagnostic::error("assignment-in-expression", span, "`=` cannot stand in a formula")
                .suggest("compare", span, "==");
        }
        if let Some(problem) = self.mistake_between_statements() {
            return problem;
        }
        let problem = self.unexpected(&format!("an operator or {end}"));
        match self.kind() {
            TokenKind::Less => problem.note("`<>` and `<->` are written without blanks"),
            TokenKind::Word => {
                problem.note("the operators are `!`, `&&`, `||`, `->`, `<->`, `[]`, `<>`, `X`, `U`, `W` and `V`")
            }
            _ => problem,
        }
    }

    /// A term of a formula begins with something from another notation.
    pub(in crate::parse) fn mistake_at_term(&mut self) -> Option<Stop> {
        let span = self.span();
        let next = self.token_after(1).clone();
        let both = self.sources.cover(span, next.span);
        let applied = matches!(next.kind, TokenKind::LeftParen | TokenKind::Bang)
            || next.kind == TokenKind::Word
                && !matches!(&*next.text, "U" | "V" | "R" | "W" | "until" | "release" | "implies");
        let problem = match (self.kind(), &*self.token().text) {
            (TokenKind::LeftBracket, _) if next.kind == TokenKind::RightBracket => {
                Diagnostic::error("foreign-operator", both, "`[]` is written without a blank")
                    .suggest("write", both, "[]")
            }
            (TokenKind::Less, _) if next.kind == TokenKind::Greater => {
                Diagnostic::error("foreign-operator", both, "`<>` is written without a blank")
                    .suggest("write", both, "<>")
            }
            (TokenKind::Word, "G") if applied => Diagnostic::error(
                "foreign-operator",
                span,
                "`G` is not an operator here",
            )
            .suggest("always is", span, "[]"),
            (TokenKind::Word, "F") if applied => Diagnostic::error(
                "foreign-operator",
                span,
                "`F` is not an operator here",
            )
            .suggest("eventually is", span, "<>"),
            (TokenKind::Word, "not") if applied => word_operator(span, "not", "!"),
            _ => return None,
        };
        Some(self.fail(problem))
    }
}
