//! What is wrong with a text, and the edits that mend it.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use gen_lsp_types::{
    Code, CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Message, Range, TextEdit, Uri, WorkspaceEdit,
};
use promela::diagnostic::{self, Severity};
use promela::source::Span;

use super::documents::Analysis;
use super::places::path_of;

/// What is wrong with a model, for each of its files; files with nothing wrong are there too.
pub fn problems(analysis: &Analysis) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let sources = &analysis.loaded.sources;
    let files = sources.files().iter().filter(|file| !file.path.starts_with('<'));
    let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> =
        files.map(|file| (super::places::normal(std::path::Path::new(&*file.path)), Vec::new())).collect();
    for each in &analysis.loaded.diagnostics {
        if is_header(analysis) && CONSEQUENCES.contains(&each.code) {
            continue;
        }
        let at = analysis.location(each.span());
        let path = at.as_ref().map_or_else(|| analysis.root.clone(), |location| path_of(&location.uri));
        let range = at.map_or_else(Range::default, |location| location.range);
        found.entry(path).or_default().push(problem(analysis, each, range));
    }
    found
}

/// What is said of a file that is meant to be included, when it is read alone.
const CONSEQUENCES: &[&str] = &["unknown-name", "unknown-type", "unknown-proctype", "unknown-label", "no-process"];

fn is_header(analysis: &Analysis) -> bool {
    analysis.root.extension().is_some_and(|extension| extension == "h" || extension == "inc")
}

fn problem(analysis: &Analysis, diagnostic: &diagnostic::Diagnostic, range: Range) -> Diagnostic {
    let mut message = diagnostic.message.clone();
    let remarks = diagnostic.labels.first().map(|label| &label.message).into_iter().chain(&diagnostic.notes);
    remarks.filter(|remark| !remark.is_empty()).for_each(|remark| message += &format!("\n{remark}"));
    let others = diagnostic.labels.iter().skip(1).filter_map(|label| {
        Some(DiagnosticRelatedInformation::new(analysis.location(label.span)?, label.message.clone()))
    });
    let body = body_of(analysis, diagnostic.span());
    let related: Vec<DiagnosticRelatedInformation> = others.chain(body).collect();
    Diagnostic {
        range,
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        }),
        code: Some(Code::String(diagnostic.code.to_owned())),
        source: Some("isospin".to_owned()),
        message: Message::String(message),
        tags: (diagnostic.code.starts_with("unused-") || diagnostic.code.starts_with("unreachable-"))
            .then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// The text of the macro or inline that a problem is about, if that is not where it is shown.
fn body_of(analysis: &Analysis, span: Span) -> Option<DiagnosticRelatedInformation> {
    let expansion = analysis.loaded.sources.expansion(span)?;
    let (shown, exact) = (analysis.location(span)?, analysis.exact_location(span)?);
    let message = format!("this text of `{}`", expansion.name);
    (shown != exact).then(|| DiagnosticRelatedInformation::new(exact, message))
}

/// The edits that mend what is wrong in a range of a file.
pub fn mends(analysis: &Analysis, uri: &Uri, range: Range) -> Vec<CodeAction> {
    let path = path_of(uri);
    let mut actions = Vec::new();
    for each in &analysis.loaded.diagnostics {
        let Some(at) = analysis.location(each.span()) else { continue };
        if path_of(&at.uri) != path || !overlap(at.range, range) {
            continue;
        }
        for (number, suggestion) in each.suggestions.iter().enumerate() {
            let Some(edited) = analysis.exact_location(suggestion.span) else { continue };
            let edit = TextEdit::new(edited.range, suggestion.replacement.clone());
            actions.push(CodeAction {
                title: suggestion.message.clone(),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![problem(analysis, each, at.range)]),
                is_preferred: (number == 0).then_some(true),
                edit: Some(edit_of(HashMap::from([(edited.uri, vec![edit])]))),
                ..CodeAction::default()
            });
        }
    }
    actions
}

/// Edits of several files.
pub fn edit_of(changes: HashMap<Uri, Vec<TextEdit>>) -> WorkspaceEdit {
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

fn overlap(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}
