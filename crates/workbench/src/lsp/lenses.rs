//! Above properties, assertions and the start of a model: commands that verify them. And what breaks symmetry, beside the statements that do.

use std::path::Path;

use gen_lsp_types::{CodeLens, Command, InlayHint, Label, Position, Range, Tooltip, Uri};
use promela::index::DefinitionKind;
use promela::lex::{PieceKind, pieces};
use promela::source::{ColumnUnit, LineColumn};
use promela::token::TokenKind;
use serde_json::json;

use super::documents::Analysis;
use super::places::{normal, path_of, position_of, range_of};
use super::runs::Symmetry;

/// The command that verifies: its arguments are the address of a model and, if only one is wanted, a property.
pub const VERIFY: &str = "isospin.verify";

/// The commands above the lines of a file.
pub fn lenses(analysis: &Analysis, uri: &Uri) -> Vec<CodeLens> {
    let Some(file) = analysis.file(&path_of(uri)) else { return Vec::new() };
    let index = &analysis.loaded.index;
    let mut lenses = Vec::new();
    let mut has_start = false;
    for (_, definition) in index.definitions() {
        let Some((at, bytes)) = analysis.loaded.sources.range(definition.whole) else { continue };
        if at != file {
            continue;
        }
        let range = range_of(analysis.source(file), bytes);
        match definition.kind {
            DefinitionKind::Ltl | DefinitionKind::Never => {
                lenses.push(lens(range, analysis, &format!("verify {}", definition.name), Some(&definition.name)));
            }
            DefinitionKind::Init | DefinitionKind::Proctype if !has_start => {
                has_start = true;
                lenses.push(lens(range, analysis, "verify the model", None));
            }
            _ => {}
        }
    }
    lenses.extend(assertions(analysis, uri));
    lenses
}

fn assertions(analysis: &Analysis, uri: &Uri) -> Vec<CodeLens> {
    let Some(file) = analysis.file(&path_of(uri)) else { return Vec::new() };
    let source = analysis.source(file);
    let words = pieces(&source.text).into_iter().filter(|piece| piece.kind == PieceKind::Token(TokenKind::Word));
    let found = words.filter(|piece| &source.text[piece.start..piece.end] == "assert");
    found
        .map(|piece| lens(range_of(source, piece.start..piece.end), analysis, "verify safety", Some("safety")))
        .collect()
}

fn lens(range: Range, analysis: &Analysis, title: &str, property: Option<&str>) -> CodeLens {
    let model = super::places::uri_of(&analysis.root);
    let arguments = std::iter::once(json!(model)).chain(property.map(|property| json!(property)));
    let command = Command::new(title.to_owned(), None, VERIFY.to_owned(), Some(arguments.collect()));
    let first_line = Range::new(range.start, Position::new(range.start.line, range.start.character + 1));
    CodeLens::new(first_line, Some(command), None)
}

/// What breaks symmetry in a range of a file.
pub fn hints(analysis: &Analysis, uri: &Uri, range: Range, symmetry: &Symmetry) -> Vec<InlayHint> {
    let path = path_of(uri);
    let Some(file) = analysis.file(&path) else { return Vec::new() };
    let source = analysis.source(file);
    let folder = analysis.root.parent().unwrap_or_else(|| Path::new(""));
    let here = symmetry.broken_by.iter().filter(|cause| normal(&folder.join(&cause.file)) == path);
    here.filter_map(|cause| {
        let place = LineColumn { line: cause.line, column: cause.column };
        let position = position_of(source, source.offset(place, ColumnUnit::Character)?);
        let label = match &cause.order_without {
            Some(order) => format!("breaks symmetry ({} → {order})", symmetry.order),
            None => "breaks symmetry".to_owned(),
        };
        let suggestion = cause.suggestion.iter().map(|suggestion| format!("\n{suggestion}"));
        let tooltip = std::iter::once(cause.message.clone()).chain(suggestion).collect::<String>();
        Some(InlayHint {
            position,
            label: Label::String(label),
            tooltip: Some(Tooltip::String(tooltip)),
            padding_right: Some(true),
            padding_left: None,
            kind: None,
            text_edits: None,
            data: None,
        })
    })
    .filter(|hint| range.start <= hint.position && hint.position <= range.end)
    .collect()
}
