//! Diagnostics as people and as programs read them.

use std::io::Write as _;

use isospin::report::Warning;
use promela::Loaded;
use promela::diagnostic::{Diagnostic, Severity};
use promela::render;
use promela::source::{SourceMap, Span};
use serde::Serialize;

use crate::console::{self, Exit};

/// Prints diagnostics on standard error, with the source underlined.
pub fn print(diagnostics: &[Diagnostic], sources: &SourceMap) {
    let style = console::style();
    let mut stderr = std::io::stderr().lock();
    for diagnostic in diagnostics {
        let text = render::render(diagnostic, sources, style);
        if writeln!(stderr, "{}", text.trim_end()).and_then(|()| writeln!(stderr)).is_err() {
            return;
        }
    }
}

/// Prints why something that the user gave is refused.
pub fn refuse(diagnostics: &[Diagnostic], sources: &SourceMap) -> Exit {
    print(diagnostics, sources);
    Exit::Usage
}

/// A diagnostic in JSON.
#[derive(Serialize, Debug)]
pub struct Record {
    severity: &'static str,
    code: &'static str,
    message: String,
    #[serde(flatten)]
    place: Option<PlaceRecord>,
    labels: Vec<LabelRecord>,
    notes: Vec<String>,
    suggestions: Vec<SuggestionRecord>,
}

#[derive(Serialize, Debug)]
struct PlaceRecord {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize, Debug)]
struct LabelRecord {
    #[serde(flatten)]
    place: Option<PlaceRecord>,
    message: String,
}

#[derive(Serialize, Debug)]
struct SuggestionRecord {
    message: String,
    #[serde(flatten)]
    place: Option<PlaceRecord>,
    replacement: String,
}

impl Record {
    /// The JSON form of a diagnostic.
    pub fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Record {
        Record {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            place: place(diagnostic.span(), sources),
            labels: diagnostic
                .labels
                .iter()
                .map(|label| LabelRecord { place: place(label.span, sources), message: label.message.clone() })
                .collect(),
            notes: diagnostic.notes.clone(),
            suggestions: diagnostic
                .suggestions
                .iter()
                .map(|suggestion| SuggestionRecord {
                    message: suggestion.message.clone(),
                    place: place(suggestion.span, sources),
                    replacement: suggestion.replacement.clone(),
                })
                .collect(),
        }
    }
}

/// What is suspicious in a model's text.
pub fn warnings(loaded: &Loaded) -> Vec<Warning> {
    let warning = |diagnostic: &Diagnostic| {
        let place = place(diagnostic.span(), &loaded.sources)?;
        Some(Warning {
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            file: place.file,
            line: place.line,
            column: place.column,
        })
    };
    loaded.diagnostics.iter().filter(|each| each.severity == Severity::Warning).filter_map(warning).collect()
}

fn place(span: Span, sources: &SourceMap) -> Option<PlaceRecord> {
    let label = promela::diagnostic::Label { span, message: String::new() };
    let place = render::place(sources, &label)?;
    Some(PlaceRecord {
        file: place.path.to_string(),
        line: place.line,
        column: place.column,
        end_line: place.end_line,
        end_column: place.end_column,
    })
}
