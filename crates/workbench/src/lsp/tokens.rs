//! Colours by meaning: each token of a file with what it is, lines that are cut in two included.

use std::collections::HashMap;

use gen_lsp_types::SemanticToken;
use promela::index::{DefinitionId, DefinitionKind};
use promela::lex::{PieceKind, pieces};
use promela::parse::KEYWORDS;
use promela::source::{FileId, SourceFile};
use promela::token::TokenKind;

use super::documents::Analysis;
use super::places::position_of;

/// The names of the types, in the order of [`Kind`].
pub const TYPES: &[&str] = &[
    "comment",
    "string",
    "number",
    "keyword",
    "macro",
    "variable",
    "parameter",
    "property",
    "class",
    "function",
    "enumMember",
    "struct",
    "label",
    "event",
    "interface",
];

/// The names of the modifiers, in the order of their bits.
pub const MODIFIERS: &[&str] = &["declaration"];

#[derive(Clone, Copy)]
enum Kind {
    Comment,
    String,
    Number,
    Keyword,
    Macro,
    Variable,
    Parameter,
    Property,
    Class,
    Function,
    EnumMember,
    Struct,
    Label,
    Event,
    Interface,
}

/// The tokens of a file, each relative to the one before.
pub fn tokens(analysis: &Analysis, file: FileId) -> Vec<SemanticToken> {
    let names = Names::of(analysis, file);
    let source = analysis.source(file);
    let mut writer = Writer { source, last: (0, 0), tokens: Vec::new() };
    for piece in pieces(&source.text) {
        let text = &source.text[piece.start..piece.end];
        let (kind, declares, end) = match piece.kind {
            PieceKind::LineComment | PieceKind::BlockComment | PieceKind::UnclosedComment => {
                (Kind::Comment, false, piece.end)
            }
            PieceKind::Token(TokenKind::String | TokenKind::Character) | PieceKind::Unclosed(_) => {
                (Kind::String, false, piece.end)
            }
            PieceKind::Token(TokenKind::Number) => (Kind::Number, false, piece.end),
            PieceKind::Token(TokenKind::Word) => match names.get(piece.start) {
                Some((kind, declares)) => (kind, declares, piece.end),
                None if KEYWORDS.contains(&text) => (Kind::Keyword, false, piece.end),
                None => continue,
            },
            PieceKind::Directive => {
                let word = text[1..].trim_start();
                let length = word.find(|each: char| !each.is_ascii_alphabetic()).unwrap_or(word.len());
                (Kind::Macro, false, piece.start + text.len() - word.len() + length)
            }
            _ => continue,
        };
        writer.write(piece.start, end, kind, declares);
    }
    writer.tokens
}

struct Names<'a> {
    analysis: &'a Analysis,
    /// Where names stand, as bytes of the file.
    at: HashMap<usize, (DefinitionId, bool)>,
}

impl Names<'_> {
    fn of(analysis: &Analysis, file: FileId) -> Names<'_> {
        let index = &analysis.loaded.index;
        let used = index.uses().iter().map(|each| (each.span, each.definition, false));
        let defined = index.definitions().map(|(id, definition)| (definition.span, id, true));
        let at = used.chain(defined).filter_map(|(span, id, declares)| {
            let (found, bytes) = analysis.loaded.sources.range(span)?;
            (found == file).then_some((bytes.start, (id, declares)))
        });
        Names { analysis, at: at.collect() }
    }

    fn get(&self, offset: usize) -> Option<(Kind, bool)> {
        let &(id, declares) = self.at.get(&offset)?;
        let kind = match self.analysis.loaded.index.definition(id).kind {
            DefinitionKind::Variable => Kind::Variable,
            DefinitionKind::Channel => Kind::Interface,
            DefinitionKind::Field => Kind::Property,
            DefinitionKind::Parameter | DefinitionKind::InlineParameter => Kind::Parameter,
            DefinitionKind::Proctype => Kind::Class,
            DefinitionKind::Inline => Kind::Function,
            DefinitionKind::Macro => Kind::Macro,
            DefinitionKind::Label => Kind::Label,
            DefinitionKind::MtypeSet | DefinitionKind::Typedef => Kind::Struct,
            DefinitionKind::MtypeConstant => Kind::EnumMember,
            DefinitionKind::Ltl => Kind::Event,
            // These stand for themselves, by a keyword.
            DefinitionKind::Init | DefinitionKind::Never | DefinitionKind::Trace => Kind::Keyword,
        };
        Some((kind, declares))
    }
}

struct Writer<'a> {
    source: &'a SourceFile,
    /// Line and column of the token before.
    last: (u32, u32),
    tokens: Vec<SemanticToken>,
}

impl Writer<'_> {
    /// Writes a token, one for each line that it goes over.
    fn write(&mut self, start: usize, end: usize, kind: Kind, declares: bool) {
        let mut from = start;
        for line in self.source.text[start..end].split_inclusive('\n') {
            let text = line.trim_end_matches(['\n', '\r']);
            let length: usize = text.chars().map(char::len_utf16).sum();
            if length > 0 {
                self.push(from, length as u32, kind, declares);
            }
            from += line.len();
        }
    }

    fn push(&mut self, at: usize, length: u32, kind: Kind, declares: bool) {
        let place = position_of(self.source, at);
        let (line, column) = self.last;
        self.tokens.push(SemanticToken {
            delta_line: place.line - line,
            delta_start: if place.line == line { place.character - column } else { place.character },
            length,
            token_type: kind as u32,
            token_modifiers_bitset: u32::from(declares),
        });
        self.last = (place.line, place.character);
    }
}
