//! Going on after an error: skipping to a place where the next statement or unit is likely to begin.
//!
//! Inside a body that is the next separator, option or closing bracket at the same level; outside, the next word that
//! begins a unit. Brackets and `if`/`do` that open on the way are skipped with what they enclose, so that an error inside
//! them is not followed by errors about their ends.

use super::cursor::{Opener, Parser};
use super::separator::continues_expression;
use super::words::{TYPE_WORDS, UNIT_WORDS, VISIBILITY_WORDS};
use crate::source::Span;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    /// Whether a sequence of statements must end here.
    pub(super) fn at_sequence_end(&self) -> bool {
        match self.kind() {
            TokenKind::RightBrace | TokenKind::DoubleColon | TokenKind::End => true,
            TokenKind::Word => self.at_one_of(&["fi", "od"]),
            _ => false,
        }
    }

    /// Skips the rest of a statement that cannot be read. What separates it from the next stays.
    pub(super) fn skip_statement(&mut self) {
        loop {
            while !self.at_sequence_end() && !self.at_separator() && !self.at_one_of(UNIT_WORDS) {
                self.skip_group();
            }
            if !self.at_line_end() || !self.goes_on_in_this_line() {
                return;
            }
            self.bump();
        }
    }

    /// Whether the line that begins here can only belong to the statement before it.
    fn goes_on_in_this_line(&self) -> bool {
        let kind = self.token().kind;
        continues_expression(kind) && kind != TokenKind::Minus
            || matches!(kind, TokenKind::RightParen | TokenKind::RightBracket | TokenKind::Comma)
    }

    /// Skips the rest of a unit that cannot be read.
    pub(super) fn skip_unit(&mut self) {
        let starts = |parser: &Parser<'_>| {
            parser.at_one_of(UNIT_WORDS)
                || parser.token().newline_before
                    && (parser.at_one_of(TYPE_WORDS)
                        || parser.at_one_of(VISIBILITY_WORDS)
                        || parser.at_one_of(&["ltl", "c_decl", "c_code"]))
        };
        while !self.at(TokenKind::End) && !self.at(TokenKind::Semicolon) && !starts(self) {
            let ends_body = matches!(self.kind(), TokenKind::LeftBrace | TokenKind::RightBrace);
            self.skip_group();
            if ends_body && self.last_closed_brace() {
                return;
            }
        }
    }

    /// Skips one token, or all of a bracketed group or `if`/`do`.
    pub(super) fn skip_group(&mut self) {
        let first = self.bump();
        let mut open: Vec<&str> = Vec::new();
        open.extend(closer_of(first.kind, &first.text));
        while !open.is_empty() {
            let token = self.token().clone();
            let is_closer = is_closer(token.kind, &token.text);
            let closes_none = is_closer && !open.iter().rev().any(|closer| *closer == &*token.text);
            if token.kind == TokenKind::End || closes_none || self.at_one_of(UNIT_WORDS) {
                // The group does not end where it should: whoever opened the group around it goes on from here.
                return;
            }
            self.bump_raw();
            if is_closer {
                while open.pop().is_some_and(|top| top != &*token.text) {}
            } else {
                open.extend(closer_of(token.kind, &token.text));
            }
        }
    }

    /// The place before the first line that begins no further right than the token at `first`: what that token opened
    /// was probably meant to end before it.
    pub(super) fn outdented_since(&self, first: usize) -> Option<Span> {
        let column = |token: &Token| self.sources.location(token.span).column;
        let opener = &self.tokens[first];
        let inside = &self.tokens[first + 1..self.position];
        let plain = |token: &&Token| token.newline_before && token.span.expansion == opener.span.expansion;
        let limit = column(opener);
        let outdented = inside
            .iter()
            .filter(plain)
            .find(|token| column(token) <= limit && token.kind != TokenKind::DoubleColon || column(token) < limit)?;
        Some(Span { end: outdented.span.start, ..outdented.span })
    }

    /// Whether what is open around here includes `opener`, inside the innermost braces.
    pub(super) fn is_inside(&self, opener: Opener) -> bool {
        self.open.iter().rev().take_while(|(other, _)| *other != Opener::Brace).any(|(other, _)| *other == opener)
    }

    fn last_closed_brace(&self) -> bool {
        self.position > 0 && self.tokens[self.position - 1].kind == TokenKind::RightBrace
    }

    /// Takes a token whatever line break stands before it.
    pub(super) fn bump_raw(&mut self) {
        if self.at_line_end() {
            self.bump();
        }
        self.bump();
    }
}

fn closer_of(kind: TokenKind, text: &str) -> Option<&'static str> {
    match kind {
        TokenKind::LeftBrace => Some("}"),
        TokenKind::LeftParen => Some(")"),
        TokenKind::LeftBracket => Some("]"),
        TokenKind::Word if text == "if" => Some("fi"),
        TokenKind::Word if text == "do" => Some("od"),
        _ => None,
    }
}

fn is_closer(kind: TokenKind, text: &str) -> bool {
    match kind {
        TokenKind::RightBrace | TokenKind::RightParen | TokenKind::RightBracket => true,
        TokenKind::Word => matches!(text, "fi" | "od"),
        _ => false,
    }
}
