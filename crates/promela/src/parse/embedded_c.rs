//! Embedded C: text that Promela passes on.
//!
//! ```text
//! embedded-c = ("c_decl" | "c_code") c-text | ("c_state" | "c_track") string string [ string ]
//! c-text     = [ "[" C "]" ] "{" C "}"          (C: any tokens with matching brackets of the enclosing kind)
//! ```
//! The text is put together again from its tokens: macros are expanded, line breaks and the presence of white space are
//! kept, comments are gone.

use std::sync::Arc;

use super::cursor::{Parsed, Parser, Stop};
use crate::ast::{CStrings, CText, EmbeddedC};
use crate::diagnostic::Diagnostic;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    /// Embedded C outside a process.
    pub(super) fn embedded_c(&mut self) -> Parsed<EmbeddedC> {
        let word = self.token().text.clone();
        Ok(match &*word {
            "c_decl" => EmbeddedC::Declarations(self.c_text()?),
            "c_code" => EmbeddedC::Code(self.c_text()?),
            "c_state" => EmbeddedC::State(self.c_strings()?),
            _ => EmbeddedC::Track(self.c_strings()?),
        })
    }

    /// `c_code`, `c_decl` or `c_expr` with its text.
    pub(super) fn c_text(&mut self) -> Parsed<CText> {
        let word = self.bump();
        let precondition = if self.at(TokenKind::LeftBracket) {
            Some(self.c_group(TokenKind::LeftBracket, TokenKind::RightBracket, &word)?)
        } else {
            None
        };
        let text = self.c_group(TokenKind::LeftBrace, TokenKind::RightBrace, &word)?;
        Ok(CText { text, precondition, span: self.since(word.span) })
    }

    /// The text between brackets of one kind, the brackets themselves taken but not kept.
    fn c_group(&mut self, open: TokenKind, close: TokenKind, word: &Token) -> Parsed<Arc<str>> {
        if self.token().kind != open {
            return Err(self.expected(&format!("`{{` and C text after `{}`", word.text)));
        }
        let opening = self.token().span;
        let first = self.position + 1;
        let mut depth = 0;
        loop {
            let kind = self.token().kind;
            if kind == TokenKind::End {
                let problem =
                    Diagnostic::error("unclosed-c", opening, format!("this C text after `{}` does not end", word.text));
                self.report(problem);
                return Err(Stop::Unit);
            }
            self.bump_raw();
            if kind == open {
                depth += 1;
            } else if kind == close {
                depth -= 1;
            }
            if depth == 0 {
                return Ok(source_text(&self.tokens[first..self.position - 1]).into());
            }
        }
    }

    fn c_strings(&mut self) -> Parsed<CStrings> {
        let word = self.bump();
        let mut strings = Vec::new();
        while self.at(TokenKind::String) && strings.len() < 3 {
            let text = self.bump().text;
            strings.push(text.trim_matches('"').into());
        }
        if strings.len() < 2 || self.at(TokenKind::String) {
            let problem = self.unexpected("two or three strings").note(match &*word.text {
                "c_state" => "`c_state \"declaration\" \"Global\"`, or \"Hidden\", or \"Local proctype\"; then, if need be, an initial value",
                _ => "`c_track \"address\" \"size\"`; then, if need be, \"Matched\" or \"UnMatched\"",
            });
            return Err(self.fail(problem));
        }
        Ok(CStrings { strings, span: self.since(word.span) })
    }
}

/// Tokens as text, with their line breaks and with one blank where there was white space; trimmed.
pub(super) fn source_text(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        if token.newline_before {
            text.push('\n');
        } else if token.space_before {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    text.trim().to_owned()
}
