//! `*/` that closes no comment: SPIN reads over it.
//!
//! It is left behind where a comment was put around text that has comments: `/* a /* b */ c */` ends at the first `*/`. To
//! SPIN's scanner it is nothing, wherever it stands, not even the end of an operand: `3 */ 2` is `3 2`. It is taken out here, with
//! a warning, before the parser sees it. In embedded C it stays, for the C compiler to refuse.

use crate::diagnostic::Diagnostic;
use crate::token::{Token, TokenKind};

pub(super) fn take_out(tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    if tokens.iter().all(|token| token.kind != TokenKind::CommentEnd) {
        return tokens;
    }
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut embedded = Embedded::No;
    let (mut newline_before, mut space_before) = (false, false);
    for mut token in tokens {
        embedded = embedded.then(&token);
        if token.kind == TokenKind::CommentEnd && matches!(embedded, Embedded::No) {
            newline_before |= token.newline_before;
            space_before = true;
            diagnostics.push(
                Diagnostic::warning("stray-comment-end", token.span, "this `*/` closes no comment")
                    .note(
                        "comments do not nest: the first `*/` ends a comment, and what follows it is part of the model",
                    )
                    .suggest("remove it", token.span, ""),
            );
            continue;
        }
        token.newline_before |= std::mem::take(&mut newline_before);
        token.space_before |= std::mem::take(&mut space_before);
        kept.push(token);
    }
    kept
}

/// Whether a token is part of a C text.
#[derive(Clone, Copy)]
enum Embedded {
    No,
    /// The word before the text, or its precondition, has just ended.
    Announced,
    /// Between brackets of one kind.
    Inside {
        open: TokenKind,
        close: TokenKind,
        depth: usize,
    },
}

impl Embedded {
    fn then(self, token: &Token) -> Embedded {
        use TokenKind as T;
        match (self, token.kind) {
            // Not even SPIN reads over it between the word and its text.
            (Embedded::Announced, T::CommentEnd) => self,
            (Embedded::Announced, T::LeftBrace) => {
                Embedded::Inside { open: T::LeftBrace, close: T::RightBrace, depth: 1 }
            }
            (Embedded::Announced, T::LeftBracket) => {
                Embedded::Inside { open: T::LeftBracket, close: T::RightBracket, depth: 1 }
            }
            (Embedded::Inside { open, close, depth }, kind) if kind == open => {
                Embedded::Inside { open, close, depth: depth + 1 }
            }
            // A precondition; the text follows.
            (Embedded::Inside { close: T::RightBracket, depth: 1, .. }, T::RightBracket) => Embedded::Announced,
            (Embedded::Inside { close, depth: 1, .. }, kind) if kind == close => Embedded::No,
            (Embedded::Inside { open, close, depth }, kind) if kind == close => {
                Embedded::Inside { open, close, depth: depth - 1 }
            }
            (Embedded::Inside { .. }, _) => self,
            (_, T::Word) if matches!(&*token.text, "c_code" | "c_decl" | "c_expr") => Embedded::Announced,
            _ => Embedded::No,
        }
    }
}
