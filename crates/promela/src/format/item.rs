//! A file as lines of items: what the formatter moves about, and what it must not look into.
//!
//! Items are the scanner's [pieces](crate::lex::pieces) without white space and line breaks, with two kinds of text made
//! one item each: embedded C, which is none of our business, and the arguments of a macro that turns them into a string,
//! where white space is part of the program. Lines below `#if 0` are marked, for nobody looks into them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::FormatError;
use super::definition::{Bracket, Condition, Definitions, DirectiveKind};
use crate::lex::{Piece, PieceKind, Quote, Scanner, pieces};
use crate::token::TokenKind;

/// What an [`Item`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ItemKind {
    /// A token.
    Token(TokenKind),
    /// Copied as it stands, from its opening to its closing bracket.
    Verbatim,
    /// A quote that its line does not close, with the rest of the line.
    Unclosed,
    /// A comment.
    Comment(CommentKind),
    /// A preprocessor directive with all its lines.
    Directive,
    /// Backslashes that join this line with the next.
    Continuation,
}

/// The two kinds of comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CommentKind {
    /// `//`
    Line,
    /// `/* */`
    Block,
}

/// A stretch of the file that is not white space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset one past its last byte.
    pub end: usize,
    /// Whether joined lines lie inside.
    pub continued: bool,
}

impl Item {
    /// Its text.
    pub fn text<'a>(&self, file: &'a str) -> &'a str {
        &file[self.start..self.end]
    }

    /// Its place.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether it means something to the parser.
    pub fn is_code(&self) -> bool {
        matches!(self.kind, ItemKind::Token(_) | ItemKind::Verbatim | ItemKind::Unclosed)
    }
}

/// The items of a line, between two line breaks; comments and verbatim text may hold line breaks of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// Offset of the line's first byte.
    pub start: usize,
    /// Indices of its items.
    pub items: Range<usize>,
    /// What it is.
    pub kind: LineKind,
}

/// What a [`Line`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineKind {
    /// Tokens and comments, or nothing.
    Promela,
    /// Below `#if 0`: prose as often as code.
    Dead,
    /// A preprocessor directive, perhaps behind comments.
    Directive(DirectiveKind),
}

/// A file cut into items and lines.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// All items.
    pub items: Vec<Item>,
    /// The lines, blank ones included.
    pub lines: Vec<Line>,
    /// For items that are names of macros which hide brackets, those brackets.
    pub hidden_brackets: FxHashMap<usize, Vec<Bracket>>,
}

/// Cuts the file. Fails where a comment, embedded C or a quote (outside conditional text) has no end.
pub(super) fn lines(file: &str) -> Result<Lines, FormatError> {
    let mut cutter = Cutter {
        file,
        pieces: pieces(file),
        position: 0,
        definitions: Definitions::default(),
        conditions: Vec::new(),
        result: Lines { items: Vec::new(), lines: Vec::new(), hidden_brackets: FxHashMap::default() },
    };
    let mut line = cutter.line_from(0);
    while let Some(&piece) = cutter.pieces.get(cutter.position) {
        cutter.position += 1;
        match piece.kind {
            PieceKind::Space => {}
            PieceKind::Newline => {
                let next = cutter.line_from(piece.end);
                cutter.result.lines.push(std::mem::replace(&mut line, next));
            }
            _ => {
                let item = cutter.item(piece)?;
                if item.kind == ItemKind::Directive {
                    line.kind = LineKind::Directive(cutter.directive(item.text(file)));
                } else {
                    cutter.note_hidden_brackets(&item);
                }
                cutter.result.items.push(item);
                line.items.end = cutter.result.items.len();
            }
        }
    }
    if !line.items.is_empty() {
        cutter.result.lines.push(line);
    }
    Ok(cutter.result)
}

struct Cutter<'a> {
    file: &'a str,
    pieces: Vec<Piece>,
    position: usize,
    definitions: Definitions,
    /// The `#if`s that are open.
    conditions: Vec<Condition>,
    result: Lines,
}

impl Cutter<'_> {
    /// A line yet without items.
    fn line_from(&self, start: usize) -> Line {
        let first = self.result.items.len();
        Line { start, items: first..first, kind: if self.is_dead() { LineKind::Dead } else { LineKind::Promela } }
    }

    fn is_dead(&self) -> bool {
        self.conditions.contains(&Condition::Never)
    }

    fn directive(&mut self, text: &str) -> DirectiveKind {
        let kind = DirectiveKind::of(text);
        match kind {
            DirectiveKind::If(condition) => self.conditions.push(condition),
            DirectiveKind::Else => {
                if let Some(condition) = self.conditions.last_mut() {
                    *condition = Condition::Open;
                }
            }
            DirectiveKind::EndIf => {
                self.conditions.pop();
            }
            DirectiveKind::Other if self.is_dead() => {}
            DirectiveKind::Other => self.definitions.note(text),
        }
        kind
    }

    fn note_hidden_brackets(&mut self, item: &Item) {
        if item.kind == ItemKind::Token(TokenKind::Word) {
            let brackets = self.definitions.hidden_brackets(item.text(self.file));
            if !brackets.is_empty() {
                self.result.hidden_brackets.insert(self.result.items.len(), brackets.to_vec());
            }
        }
    }

    fn item(&mut self, piece: Piece) -> Result<Item, FormatError> {
        let mut end = piece.end;
        let kind = match piece.kind {
            // Moved to the front, it would become part of the file's encoding.
            PieceKind::Token(TokenKind::Other) if self.file[piece.start..].starts_with('\u{feff}') => {
                return Err(FormatError::new("a byte order mark stands amid the text", piece.start..piece.end));
            }
            PieceKind::Token(kind) => match self.closing_bracket(kind) {
                Some(closing) => {
                    end = self.verbatim_end(piece, kind, closing)?;
                    ItemKind::Verbatim
                }
                None => ItemKind::Token(kind),
            },
            PieceKind::Unclosed(_) if !self.conditions.is_empty() => ItemKind::Unclosed,
            PieceKind::Unclosed(quote) => {
                let what = match quote {
                    Quote::Single => "character constant",
                    Quote::Double => "string",
                };
                return Err(FormatError::new(format!("this {what} is not closed"), piece.start..piece.end));
            }
            PieceKind::LineComment => ItemKind::Comment(CommentKind::Line),
            PieceKind::BlockComment => ItemKind::Comment(CommentKind::Block),
            PieceKind::UnclosedComment => return Err(unclosed_comment(piece.start)),
            PieceKind::Directive => {
                let mut inside = Scanner::at(&self.file[..piece.end], piece.start);
                if let Some(comment) = inside.find(|inner| inner.kind == PieceKind::UnclosedComment) {
                    return Err(unclosed_comment(comment.start));
                }
                ItemKind::Directive
            }
            PieceKind::Continuation | PieceKind::Space | PieceKind::Newline => ItemKind::Continuation,
        };
        Ok(Item { kind, start: piece.start, end, continued: piece.continued })
    }

    /// The bracket that ends the verbatim text which starts with this token, if one does.
    fn closing_bracket(&self, kind: TokenKind) -> Option<TokenKind> {
        if self.is_dead() {
            return None;
        }
        let mut code = self.result.items.iter().rev().filter(|item| item.is_code());
        let mut previous = code.next()?;
        let takes_c = |item: &Item| {
            item.kind == ItemKind::Token(TokenKind::Word)
                && matches!(item.text(self.file), "c_code" | "c_decl" | "c_expr")
        };
        match kind {
            TokenKind::LeftBracket if takes_c(previous) => Some(TokenKind::RightBracket),
            TokenKind::LeftBrace => {
                // `c_code [precondition] { … }`
                if previous.kind == ItemKind::Verbatim && previous.text(self.file).starts_with('[') {
                    previous = code.next()?;
                }
                takes_c(previous).then_some(TokenKind::RightBrace)
            }
            TokenKind::LeftParen if previous.kind == ItemKind::Token(TokenKind::Word) => {
                self.definitions.makes_strings(previous.text(self.file)).then_some(TokenKind::RightParen)
            }
            _ => None,
        }
    }

    /// Moves behind the bracket that closes `opening`.
    fn verbatim_end(&mut self, piece: Piece, opening: TokenKind, closing: TokenKind) -> Result<usize, FormatError> {
        let mut depth = 1;
        while let Some(inner) = self.pieces.get(self.position) {
            self.position += 1;
            match inner.kind {
                PieceKind::Token(kind) if kind == opening => depth += 1,
                PieceKind::Token(kind) if kind == closing => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(inner.end);
                    }
                }
                _ => {}
            }
        }
        let bracket = &self.file[piece.start..piece.end];
        Err(FormatError::new(format!("this `{bracket}` is not closed"), piece.start..piece.end))
    }
}

fn unclosed_comment(start: usize) -> FormatError {
    FormatError::new("this comment is not closed", start..start + 2)
}
