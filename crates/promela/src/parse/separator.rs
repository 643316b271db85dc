//! Separators: where a line break counts as `;`, and where none is needed.
//!
//! SPIN (since 6.3) puts a `;` at the end of a line inside a body or `typedef` when the last token can end a statement and
//! no parenthesis is open. The rule looks at tokens, not at grammar, so an expression cannot go on with an operator at the
//! start of the next line. After `}` and `else` no separator is needed at all. `;` and `->` are one and the same.
//!
//! ```text
//! separator  = ";" | "->" | line break after a token that can end a statement, no "(" being open
//! ```
//!
//! The rule was found by experiment; `tests/parse/agreement/separators.txt` repeats the experiments with the `spin` on this
//! machine.

use super::words::{TYPE_WORDS, is_keyword};
use crate::token::{Token, TokenKind};

/// What the token before a line break makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The statement goes on in the next line.
    Open,
    /// The statement ends.
    Statement,
    /// The statement ends, unless `unless` follows.
    Brace,
    /// `timeout`, which SPIN wraps in parentheses except in an inline: there the statement can go on with an operator.
    TimeoutInInline,
}

/// The state of the rule at one point of the token stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineRule {
    /// Inside a body or typedef: elsewhere line breaks mean nothing.
    pub in_body: bool,
    /// Parentheses open since the body began.
    pub parentheses: u32,
    /// What the last token makes of a line break.
    pub last: Ending,
}

impl LineRule {
    /// The rule at the start of a model.
    pub(super) const OUTSIDE: LineRule = LineRule { in_body: false, parentheses: 0, last: Ending::Open };

    /// Whether the line break before `next` is a separator.
    pub(super) fn separates(&self, next: &Token) -> bool {
        if !next.newline_before || !self.in_body || self.parentheses > 0 {
            return false;
        }
        match self.last {
            Ending::Open => false,
            Ending::Statement => true,
            Ending::Brace => !next.is_word("unless"),
            Ending::TimeoutInInline => !continues_expression(next.kind),
        }
    }
}

/// What names a word may be, as far as the line rule cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordClass {
    /// A variable, label, mtype name or anything not known yet.
    Plain,
    /// A proctype, typedef or inline defined above: SPIN's scanner knows these apart and they end nothing.
    Definition,
}

/// What a token makes of a line break behind it.
pub(super) fn ending(token: &Token, class: WordClass, in_inline: bool) -> Ending {
    match token.kind {
        TokenKind::RightBrace => Ending::Brace,
        TokenKind::RightParen
        | TokenKind::RightBracket
        | TokenKind::Number
        | TokenKind::Character
        | TokenKind::Increment
        | TokenKind::Decrement => Ending::Statement,
        TokenKind::Word => match &*token.text {
            "od" | "fi" | "else" | "break" | "skip" | "true" | "false" => Ending::Statement,
            "timeout" if in_inline => Ending::TimeoutInInline,
            "timeout" => Ending::Statement,
            word if is_keyword(word) || class == WordClass::Definition => Ending::Open,
            _ => Ending::Statement,
        },
        _ => Ending::Open,
    }
}

/// Whether a token can only stand between or behind the operands of an expression.
pub(super) fn continues_expression(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Plus
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Percent
            | TokenKind::Ampersand
            | TokenKind::AndAnd
            | TokenKind::Bar
            | TokenKind::OrOr
            | TokenKind::Caret
            | TokenKind::Equal
            | TokenKind::NotEqual
            | TokenKind::Less
            | TokenKind::LessEqual
            | TokenKind::Greater
            | TokenKind::GreaterEqual
            | TokenKind::ShiftLeft
            | TokenKind::ShiftRight
            | TokenKind::Minus
    )
}

/// Whether a token can begin a declaration or statement.
pub(super) fn begins_step(token: &Token) -> bool {
    match token.kind {
        TokenKind::Word => {
            let word = &*token.text;
            !matches!(word, "fi" | "od" | "of" | "unless" | "eval" | "priority" | "provided")
                || TYPE_WORDS.contains(&word)
        }
        TokenKind::Number
        | TokenKind::Character
        | TokenKind::LeftBrace
        | TokenKind::LeftParen
        | TokenKind::Bang
        | TokenKind::Tilde
        | TokenKind::Minus => true,
        _ => false,
    }
}
