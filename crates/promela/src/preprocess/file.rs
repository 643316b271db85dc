//! A file being read: its tokens one by one, and the state of its `#if`s.
//!
//! Text that an `#if` leaves out is scanned for directives only: no token is made and nothing in it is reported, so
//! `#if 0` may hold prose with apostrophes.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::symbol::{PreToken, Symbols};
use crate::diagnostic::Diagnostic;
use crate::lex::{Piece, PieceKind, Scanner, has_blank_after_backslash, joined};
use crate::source::{ExpansionId, FileId, SourceMap, Span};
use crate::token::TokenKind;

/// A file on the include stack.
pub(super) struct OpenFile {
    pub(super) id: FileId,
    pub(super) path: Arc<str>,
    /// Where its own `#include "…"` look first.
    pub(super) directory: PathBuf,
    /// The `#if`s not yet closed, outermost first.
    pub(super) conditionals: Vec<Conditional>,
    text: Arc<str>,
    base: u32,
    position: usize,
    /// Only white space and comments stand before `position` on its line.
    at_line_start: bool,
    /// A line break was passed that no token has been marked with yet.
    line_changed: bool,
    lookahead: Option<PreToken>,
}

/// An open `#if`.
pub(super) struct Conditional {
    /// The directive that opened it.
    pub(super) opened: Span,
    /// Whether the present branch is read.
    pub(super) active: bool,
    /// Whether no further branch can be read: one was already, or the whole lies in text left out.
    pub(super) decided: bool,
    /// Its `#else`.
    pub(super) otherwise: Option<Span>,
}

/// How far to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    EndOfLine,
    EndOfFile,
}

impl OpenFile {
    pub(super) fn new(sources: &SourceMap, id: FileId, directory: PathBuf) -> OpenFile {
        let file = sources.file(id);
        OpenFile {
            id,
            path: Arc::clone(&file.path),
            directory,
            conditionals: Vec::new(),
            text: Arc::clone(&file.text),
            base: sources.span(id, 0, 0).start,
            position: 0,
            at_line_start: true,
            line_changed: true,
            lookahead: None,
        }
    }

    /// Reads only a part of the file.
    pub(super) fn part(sources: &SourceMap, id: FileId, part: Range<usize>) -> OpenFile {
        let whole = OpenFile::new(sources, id, PathBuf::new());
        OpenFile { text: whole.text[..part.end].into(), position: part.start, ..whole }
    }

    /// Whether an `#if` leaves out the present text.
    pub(super) fn is_skipping(&self) -> bool {
        self.conditionals.last().is_some_and(|conditional| !conditional.active)
    }

    /// The next token of the file.
    pub(super) fn next(&mut self, symbols: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) -> Option<PreToken> {
        match self.lookahead.take() {
            Some(token) => Some(token),
            None => self.read(Until::EndOfFile, symbols, diagnostics),
        }
    }

    /// The token that [`OpenFile::next`] will give.
    pub(super) fn peek(&mut self, symbols: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) -> Option<PreToken> {
        if self.lookahead.is_none() {
            self.lookahead = self.read(Until::EndOfFile, symbols, diagnostics);
        }
        self.lookahead
    }

    /// The next token of a directive's line.
    pub(super) fn next_in_line(
        &mut self,
        symbols: &mut Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<PreToken> {
        self.read(Until::EndOfLine, symbols, diagnostics)
    }

    /// Passes over the rest of a line, unread.
    pub(super) fn skip_line(&mut self) {
        let mut scanner = Scanner::at(&self.text, self.position);
        loop {
            let position = scanner.position();
            if scanner.next().is_none_or(|piece| piece.kind == PieceKind::Newline) {
                self.position = position;
                return;
            }
        }
    }

    /// Passes over text that is left out, up to and including the `#` of a directive. The directive's word and its
    /// place, or `None` at the end of the file.
    pub(super) fn skip_to_directive(&mut self) -> Option<(Span, String)> {
        let mut scanner = Scanner::at(&self.text, self.position);
        let mut at_line_start = self.at_line_start;
        while let Some(piece) = scanner.next() {
            match piece.kind {
                PieceKind::Newline => at_line_start = true,
                PieceKind::Token(TokenKind::Hash) if at_line_start => {
                    at_line_start = false;
                    self.position = scanner.position();
                    if let Some((word, end)) = first_word(&self.text, scanner.clone()) {
                        self.position = end;
                        self.at_line_start = false;
                        return Some((self.span(piece.start, end), word));
                    }
                }
                PieceKind::Token(_) | PieceKind::Unclosed(_) => at_line_start = false,
                _ => {}
            }
        }
        self.position = self.text.len();
        None
    }

    /// The text from a token of this file up to the end of its line, and the offset where it starts.
    pub(super) fn rest_of_line(&self, from: Span) -> (&str, usize) {
        let start = (from.start - self.base) as usize;
        (self.text[start..].lines().next().unwrap_or(""), start)
    }

    /// The offset of the line below the directive that is being read, or of the file's end.
    pub(super) fn next_line_offset(&self) -> usize {
        self.text[self.position..].find('\n').map_or(self.text.len(), |at| self.position + at + 1)
    }

    /// Remembers that a call which has just been read ran over several lines, for the token behind it.
    pub(super) fn note_line_change(&mut self) {
        self.line_changed = true;
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span { start: self.base + start as u32, end: self.base + end as u32, expansion: ExpansionId::NONE }
    }

    fn read(&mut self, until: Until, symbols: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) -> Option<PreToken> {
        let mut scanner = Scanner::at(&self.text, self.position);
        let mut space_before = false;
        loop {
            let Some(piece) = scanner.next() else {
                self.position = self.text.len();
                return None;
            };
            let (kind, unclosed) = match piece.kind {
                PieceKind::Token(kind) => (kind, false),
                PieceKind::Unclosed(_) => (TokenKind::Other, true),
                PieceKind::Newline => {
                    if until == Until::EndOfLine {
                        return None;
                    }
                    self.position = piece.end;
                    self.at_line_start = true;
                    self.line_changed = true;
                    space_before = true;
                    continue;
                }
                PieceKind::Continuation => {
                    self.check_continuation(piece, diagnostics);
                    self.line_changed = true;
                    self.position = piece.end;
                    continue;
                }
                PieceKind::UnclosedComment => {
                    diagnostics.push(
                        Diagnostic::error(
                            "unclosed-comment",
                            self.span(piece.start, piece.start + 2),
                            "this comment has no end",
                        )
                        .label("opened here, no `*/` follows"),
                    );
                    self.position = piece.end;
                    space_before = true;
                    continue;
                }
                PieceKind::BlockComment => {
                    self.line_changed |= self.text[piece.start..piece.end].contains('\n');
                    self.position = piece.end;
                    space_before = true;
                    continue;
                }
                PieceKind::Space | PieceKind::LineComment | PieceKind::Directive => {
                    self.line_changed |= piece.continued;
                    self.position = piece.end;
                    space_before = true;
                    continue;
                }
            };
            let text = &self.text[piece.start..piece.end];
            let symbol = if piece.continued { symbols.intern(&joined(text)) } else { symbols.intern(text) };
            let token = PreToken {
                kind,
                symbol,
                span: self.span(piece.start, piece.end),
                space_before,
                newline_before: self.at_line_start,
                line_changed: self.line_changed,
                painted: false,
                unclosed,
            };
            self.position = piece.end;
            self.at_line_start = false;
            self.line_changed = piece.continued;
            if piece.continued {
                self.check_continuation(piece, diagnostics);
            }
            return Some(token);
        }
    }

    fn check_continuation(&self, piece: Piece, diagnostics: &mut Vec<Diagnostic>) {
        if has_blank_after_backslash(&self.text[piece.start..piece.end]) {
            let span = self.span(piece.start, piece.end);
            diagnostics.push(
                Diagnostic::warning(
                    "blank-after-backslash",
                    span,
                    "blanks between a backslash and the end of its line",
                )
                .note("the lines are joined all the same, as gcc does; other preprocessors do not join them"),
            );
        }
    }
}

/// The word or number after a `#`, if one stands on its line, and where it ends.
fn first_word(text: &str, scanner: Scanner<'_>) -> Option<(String, usize)> {
    for piece in scanner {
        match piece.kind {
            PieceKind::Token(TokenKind::Word) => {
                return Some((joined(&text[piece.start..piece.end]).into_owned(), piece.end));
            }
            PieceKind::Newline | PieceKind::Token(_) | PieceKind::Unclosed(_) | PieceKind::UnclosedComment => {
                return None;
            }
            _ => {}
        }
    }
    None
}
