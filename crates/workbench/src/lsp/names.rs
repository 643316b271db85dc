//! What a name means, where else it stands, and another name for it.
//!
//! A name in the body of an inline may mean several things, since the body is read anew at each use. Renaming is done only where it is
//! known to be sound: the changed text is analysed, and every name in it must mean what it meant before.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Range, TextEdit, Uri, WorkspaceEdit};
use promela::diagnostic::Diagnostic;
use promela::index::{Definition, DefinitionId, DefinitionKind};
use promela::parse::KEYWORDS;
use promela::source::Span;

use super::documents::{Analysis, Documents, Place};
use super::hover::accesses;
use super::places::{offset_of, path_of};
use super::problems::edit_of;

/// Where the name at a place is defined.
pub fn definitions(place: &Place) -> Vec<Location> {
    let analysis = &place.analysis;
    let spans = meanings(place).into_iter().map(|id| analysis.loaded.index.definition(id).span);
    spans.filter_map(|span| analysis.exact_location(span)).collect()
}

/// Where the name at a place is used, and, if asked for, defined.
pub fn references(place: &Place, with_definition: bool) -> Vec<Location> {
    let mut found: Vec<Location> = Vec::new();
    for id in meanings(place) {
        let spans = spans_of(&place.analysis, id, with_definition);
        for location in spans.into_iter().filter_map(|span| place.analysis.exact_location(span)) {
            if !found.contains(&location) {
                found.push(location);
            }
        }
    }
    found
}

/// The places in the same file that name the same thing, and whether they write or read it.
pub fn highlights(place: &Place, uri: &Uri) -> Vec<DocumentHighlight> {
    let uses = accesses(&place.analysis);
    let mut found = Vec::new();
    for id in meanings(place) {
        for span in spans_of(&place.analysis, id, true) {
            let Some(location) = place.analysis.exact_location(span).filter(|each| path_of(&each.uri) == path_of(uri))
            else {
                continue;
            };
            let kind = match uses.get(&span.start) {
                Some(all) if all.iter().any(|how| how.writes()) => DocumentHighlightKind::Write,
                Some(_) => DocumentHighlightKind::Read,
                None => DocumentHighlightKind::Text,
            };
            found.push(DocumentHighlight::new(location.range, Some(kind)));
        }
    }
    found.sort_by_key(|each| each.range.start);
    found.dedup_by_key(|each| each.range);
    found
}

/// The name at a place, if it can have another.
pub fn renamed_range(place: &Place) -> Result<Range, String> {
    let id = only_meaning(place)?;
    let definition = place.analysis.loaded.index.definition(id);
    let here = spans_of(&place.analysis, id, true).into_iter().find(|span| {
        let range = place.analysis.loaded.sources.range(*span);
        range.is_some_and(|(file, bytes)| {
            file == place.position.file && bytes.start <= place.position.offset && place.position.offset <= bytes.end
        })
    });
    let location = here.and_then(|span| place.analysis.exact_location(span));
    location.map(|location| location.range).ok_or_else(|| format!("`{}` has no name in the text", definition.name))
}

/// The edits that give what stands at a place another name.
///
/// # Errors
/// If the text would not mean the same with it, or not for certain.
pub fn rename(documents: &Documents, place: &Place, new: &str) -> Result<WorkspaceEdit, String> {
    let analysis = &place.analysis;
    let id = only_meaning(place)?;
    let definition = analysis.loaded.index.definition(id);
    check_name(definition, new)?;
    let mut edits: BTreeMap<PathBuf, Vec<(Uri, Range)>> = BTreeMap::new();
    for span in spans_of(analysis, id, true) {
        if analysis.loaded.sources.snippet(span) != &*definition.name {
            return Err(format!("a macro makes a use of `{}` out of parts", definition.name));
        }
        let location = analysis.exact_location(span).ok_or("it is defined on the command line")?;
        let places = edits.entry(path_of(&location.uri)).or_default();
        if !places.iter().any(|(_, range)| *range == location.range) {
            places.push((location.uri, location.range));
        }
    }
    let changed = changed_texts(analysis, &edits, new).ok_or("it is used in a file that is not there")?;
    let after = documents.analyse_changed(&analysis.root, &changed).ok_or("the model is not open")?;
    check_meaning(analysis, &after, new)?;
    let changes: HashMap<Uri, Vec<TextEdit>> = edits
        .into_values()
        .filter_map(|places| {
            let uri = places.first()?.0.clone();
            Some((uri, places.into_iter().map(|(_, range)| TextEdit::new(range, new.to_owned())).collect()))
        })
        .collect();
    Ok(edit_of(changes))
}

fn meanings(place: &Place) -> Vec<DefinitionId> {
    place.analysis.loaded.index.definitions_at(&place.analysis.loaded.sources, place.position)
}

fn only_meaning(place: &Place) -> Result<DefinitionId, String> {
    match meanings(place)[..] {
        [id] => Ok(id),
        [] => Err("there is no name here".to_owned()),
        _ => Err("this name means several things, since the text around it is used in several places".to_owned()),
    }
}

fn spans_of(analysis: &Analysis, id: DefinitionId, with_definition: bool) -> Vec<Span> {
    let index = &analysis.loaded.index;
    let definition = with_definition.then(|| index.definition(id).span);
    definition.into_iter().chain(index.uses_of(id).map(|each| each.span)).collect()
}

fn check_name(definition: &Definition, new: &str) -> Result<(), String> {
    let is_word = new.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && new.chars().all(|each| each.is_ascii_alphanumeric() || each == '_');
    if matches!(definition.kind, DefinitionKind::Init | DefinitionKind::Trace) {
        return Err(format!("`{}` is a word of the language", definition.name));
    }
    if !is_word {
        return Err(format!("`{new}` is no name"));
    }
    if KEYWORDS.contains(&new) {
        return Err(format!("`{new}` is a word of the language"));
    }
    // SPIN goes by how labels begin.
    let role = |name: &str| ["accept", "end", "progress"].into_iter().find(|start| name.starts_with(start));
    if definition.kind == DefinitionKind::Label && role(&definition.name) != role(new) {
        return Err(format!("a label that begins like `{new}` means something else to the verification"));
    }
    Ok(())
}

/// The files of a model in which something is changed, with their new texts.
fn changed_texts(
    analysis: &Analysis,
    edits: &BTreeMap<PathBuf, Vec<(Uri, Range)>>,
    new: &str,
) -> Option<BTreeMap<PathBuf, String>> {
    edits
        .iter()
        .map(|(path, places)| {
            let source = analysis.source(analysis.file(path)?);
            let at = |range: &Range| (offset_of(source, range.start), offset_of(source, range.end));
            let mut bytes: Vec<(usize, usize)> = places.iter().map(|(_, range)| at(range)).collect();
            bytes.sort_unstable();
            let mut text = source.text.to_string();
            bytes.into_iter().rev().for_each(|(start, end)| text.replace_range(start..end, new));
            Some((path.clone(), text))
        })
        .collect()
}

/// Whether a text has the same errors as before, and each name in it means the same.
fn check_meaning(before: &Analysis, after: &Analysis, new: &str) -> Result<(), String> {
    let errors = |analysis: &Analysis| analysis.loaded.diagnostics.iter().filter(|each| each.is_error()).count();
    let uses =
        |analysis: &Analysis| analysis.loaded.index.uses().iter().map(|each| each.definition).collect::<Vec<_>>();
    let kinds = |analysis: &Analysis| {
        analysis.loaded.index.definitions().map(|(_, definition)| definition.kind).collect::<Vec<_>>()
    };
    if let Some(error) =
        after.loaded.diagnostics.iter().find(|each| each.is_error()).filter(|_| errors(after) > errors(before))
    {
        let Diagnostic { message, .. } = error;
        return Err(format!("with `{new}` there would be an error: {message}"));
    }
    if uses(before) != uses(after) || kinds(before) != kinds(after) {
        return Err(format!("with `{new}` some name would mean something else"));
    }
    Ok(())
}
