//! The tokens handed to the parser.
//!
//! Line breaks are those that `gcc -E` writes, which is the text SPIN reads: before the first token of a line; and, where
//! a comment, joined lines or a call over several lines led on to another line, at the next place where gcc looks: a
//! token with white space before it, or the border of an expansion.

use std::sync::Arc;

use super::symbol::{PreToken, Symbols};
use crate::diagnostic::Diagnostic;
use crate::lex::split_number;
use crate::source::{ExpansionId, Span};
use crate::token::{Token, TokenKind};

/// Collects the result.
#[derive(Default)]
pub(super) struct Output {
    tokens: Vec<Token>,
    /// The line has changed but no token has been marked for it.
    line_changed: bool,
    /// The next token stands on a line of its own, whatever its place in the text.
    line_broken: bool,
    last_expansion: Option<ExpansionId>,
}

impl Output {
    pub(super) fn push(&mut self, token: PreToken, symbols: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) {
        self.line_changed |= token.line_changed;
        let at_border = self.last_expansion.replace(token.span.expansion) != Some(token.span.expansion);
        let broken = std::mem::take(&mut self.line_broken);
        let newline_before = token.newline_before || broken || (self.line_changed && (token.space_before || at_border));
        self.line_changed &= !newline_before;
        let text = Arc::clone(symbols.text(token.symbol));
        let whole = Token {
            kind: token.kind,
            text,
            span: token.span,
            newline_before,
            space_before: token.space_before || newline_before,
        };
        if token.unclosed {
            self.push_unclosed(whole, symbols, diagnostics);
        } else if token.kind == TokenKind::Number && !whole.text.bytes().all(|byte| byte.is_ascii_digit()) {
            self.push_split_number(whole, symbols);
        } else {
            self.tokens.push(whole);
        }
    }

    /// Ends the line. gcc writes the marker for a `#line` when it reads it: inside a call, before all that the call becomes.
    pub(super) fn break_line(&mut self) {
        self.line_broken = true;
    }

    pub(super) fn finish(&mut self, end: Span, symbols: &mut Symbols) -> Vec<Token> {
        let text = symbols.intern("");
        self.tokens.push(Token {
            kind: TokenKind::End,
            text: Arc::clone(symbols.text(text)),
            span: end,
            newline_before: true,
            space_before: true,
        });
        std::mem::take(&mut self.tokens)
    }

    /// `0x1F` was one token for macros; for the parser it is `0` and `x1F`.
    fn push_split_number(&mut self, whole: Token, symbols: &mut Symbols) {
        let (digits, letters) = split_number(&whole.text);
        let (digits, letters) = (symbols.intern(digits), symbols.intern(letters));
        let (digits, letters) = (Arc::clone(symbols.text(digits)), Arc::clone(symbols.text(letters)));
        // A number that was glued together or continued over lines has no place for each half.
        let (first, second) = if (whole.span.end - whole.span.start) as usize == whole.text.len() {
            let middle = whole.span.start + digits.len() as u32;
            (Span { end: middle, ..whole.span }, Span { start: middle, ..whole.span })
        } else {
            (whole.span, whole.span)
        };
        self.tokens.push(Token { text: digits, span: first, ..whole });
        self.tokens.push(Token {
            kind: TokenKind::Word,
            text: letters,
            span: second,
            newline_before: false,
            space_before: false,
        });
    }

    /// Reports a constant without closing quote and closes it, so that the parser meets whole constants only.
    fn push_unclosed(&mut self, mut token: Token, symbols: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) {
        let mut inner = token.text.chars();
        let quote = inner.next().unwrap_or('"');
        let (kind, message, mended) = if quote == '"' {
            // An odd number of backslashes at the end would escape the quote that is added.
            let content = inner.as_str();
            let backslashes = content.bytes().rev().take_while(|&byte| byte == b'\\').count();
            let content = &content[..content.len() - backslashes % 2];
            (TokenKind::String, "this string has no closing quote", format!("\"{content}\""))
        } else {
            let character = inner.next().filter(|&character| character != '\\').unwrap_or(' ');
            (TokenKind::Character, "this character constant has no closing quote", format!("'{character}'"))
        };
        diagnostics.push(Diagnostic::error("unclosed-quote", token.span, message));
        let mended = symbols.intern(&mended);
        token.kind = kind;
        token.text = Arc::clone(symbols.text(mended));
        self.tokens.push(token);
    }
}
