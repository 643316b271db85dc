//! What can be written at a place: names in scope and words of the language, fields behind a dot, labels behind `@`; and the parameters
//! of what is being called.

use gen_lsp_types::{
    ActiveParameter, CompletionItem, CompletionItemKind, ParameterInformation, ParameterInformationLabel,
    SignatureHelp, SignatureInformation,
};
use promela::index::{DefinitionId, DefinitionKind};
use promela::parse::KEYWORDS;
use promela::source::Position;

use super::documents::{Analysis, Place};

/// Names that are always there.
const PREDEFINED: &[&str] = &["_pid", "_nr_pr", "_last", "_"];

/// What can be written at a place. The editor drops what does not go with the letters that are there.
pub fn completions(place: &Place) -> Vec<CompletionItem> {
    let text = place.text();
    let start = word_start(text, place.position.offset);
    let before = text[..start].trim_end();
    let analysis = &place.analysis;
    match before.chars().next_back() {
        Some('.') if !before.ends_with("..") => {
            let of = name_before(place, before.len() - 1);
            let members = of.into_iter().flat_map(|id| members(analysis, id, DefinitionKind::Variable));
            members.map(|id| item(analysis, id)).collect()
        }
        Some('@') => {
            let of = name_before(place, before.len() - 1);
            let labels = of.into_iter().flat_map(|id| members(analysis, id, DefinitionKind::Label));
            labels.map(|id| item(analysis, id)).collect()
        }
        _ => everything(place),
    }
}

fn everything(place: &Place) -> Vec<CompletionItem> {
    let Place { analysis, position } = place;
    let named = analysis.loaded.index.symbols_in_scope(&analysis.loaded.sources, *position);
    let names = named.into_iter().map(|id| item(analysis, id));
    let word = |kind: CompletionItemKind| {
        move |word: &&str| CompletionItem { label: (*word).to_owned(), kind: Some(kind), ..CompletionItem::default() }
    };
    let keywords = KEYWORDS.iter().map(word(CompletionItemKind::Keyword));
    names.chain(PREDEFINED.iter().map(word(CompletionItemKind::Variable))).chain(keywords).collect()
}

/// Where the word that ends at a place begins.
fn word_start(text: &str, end: usize) -> usize {
    let word = |each: char| each.is_ascii_alphanumeric() || each == '_';
    text[..end].rfind(|each| !word(each)).map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8))
}

/// What the name before a dot or `@` means, indices between them left out.
fn name_before(place: &Place, mut end: usize) -> Vec<DefinitionId> {
    let text = place.text();
    loop {
        end = text[..end].trim_end().len();
        match text[..end].chars().next_back() {
            Some(']') => match opening(text, end - 1, '[', ']') {
                Some(at) => end = at,
                None => return Vec::new(),
            },
            _ => break,
        }
    }
    let position = Position { file: place.position.file, offset: word_start(text, end) };
    let (index, sources) = (&place.analysis.loaded.index, &place.analysis.loaded.sources);
    let found = index.definitions_at(sources, position);
    if !found.is_empty() || position.offset == end {
        return found;
    }
    // What is being written cannot be read yet; its name may mean what it means elsewhere.
    let is_it = |id: &DefinitionId| *index.definition(*id).name == text[position.offset..end];
    index.symbols_in_scope(sources, position).into_iter().find(is_it).into_iter().collect()
}

/// The bracket that the one at `end` closes.
fn opening(text: &str, end: usize, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    text[..=end].char_indices().rev().find_map(|(at, each)| {
        depth += i32::from(each == close) - i32::from(each == open);
        (depth == 0).then_some(at)
    })
}

/// The fields of a structure, or what belongs to a proctype.
fn members(analysis: &Analysis, of: DefinitionId, kind: DefinitionKind) -> Vec<DefinitionId> {
    let index = &analysis.loaded.index;
    if index.definition(of).kind != DefinitionKind::Proctype {
        return index.fields_of(of);
    }
    let is_wanted = |found: DefinitionKind| match kind {
        DefinitionKind::Label => found == DefinitionKind::Label,
        _ => matches!(found, DefinitionKind::Variable | DefinitionKind::Channel | DefinitionKind::Parameter),
    };
    let belongs = index.definitions().filter(|(_, each)| each.parent == Some(of) && is_wanted(each.kind));
    belongs.map(|(id, _)| id).collect()
}

fn item(analysis: &Analysis, id: DefinitionId) -> CompletionItem {
    let index = &analysis.loaded.index;
    let definition = index.definition(id);
    let ty = index.type_name(id);
    CompletionItem {
        label: definition.name.to_string(),
        kind: Some(match definition.kind {
            DefinitionKind::Field => CompletionItemKind::Field,
            DefinitionKind::Channel => CompletionItemKind::Interface,
            DefinitionKind::Proctype => CompletionItemKind::Class,
            DefinitionKind::Inline => CompletionItemKind::Function,
            DefinitionKind::Macro => CompletionItemKind::Constant,
            DefinitionKind::MtypeSet => CompletionItemKind::Enum,
            DefinitionKind::MtypeConstant => CompletionItemKind::EnumMember,
            DefinitionKind::Typedef => CompletionItemKind::Struct,
            DefinitionKind::Label => CompletionItemKind::Reference,
            _ => CompletionItemKind::Variable,
        }),
        detail: Some(if ty.is_empty() { definition.kind.name().to_owned() } else { ty }),
        ..CompletionItem::default()
    }
}

/// The parameters of the proctype, inline or macro whose parentheses hold a place.
pub fn signature(place: &Place) -> Option<SignatureHelp> {
    let text = place.text();
    let (open, number) = open_parenthesis(&text[..place.position.offset])?;
    let id = name_before(place, open).into_iter().next()?;
    let index = &place.analysis.loaded.index;
    let definition = index.definition(id);
    let is_parameter = |kind| matches!(kind, DefinitionKind::Parameter | DefinitionKind::InlineParameter);
    let parameters: Vec<String> = index
        .definitions()
        .filter(|(_, each)| each.parent == Some(id) && is_parameter(each.kind))
        .map(|(parameter, each)| format!("{} {}", index.type_name(parameter), each.name).trim().to_owned())
        .collect();
    let label = match definition.kind {
        DefinitionKind::Proctype | DefinitionKind::Inline => format!("{}({})", definition.name, parameters.join(", ")),
        DefinitionKind::Macro => place.analysis.loaded.sources.snippet(definition.whole).lines().next()?.to_owned(),
        _ => return None,
    };
    let parameters =
        parameters.into_iter().map(|label| ParameterInformation::new(ParameterInformationLabel::String(label), None));
    let information = SignatureInformation {
        label,
        parameters: Some(parameters.collect()),
        active_parameter: Some(ActiveParameter::Int(number)),
        ..SignatureInformation::default()
    };
    Some(SignatureHelp { signatures: vec![information], active_signature: Some(0), ..SignatureHelp::default() })
}

/// The last parenthesis that is still open, and how many commas stand behind it.
fn open_parenthesis(text: &str) -> Option<(usize, u32)> {
    let (mut depth, mut commas) = (0, 0);
    for (at, each) in text.char_indices().rev() {
        match each {
            ')' | ']' => depth += 1,
            '(' if depth == 0 => return Some((at, commas)),
            '(' | '[' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            // Statements do not stand within parentheses.
            ';' | '{' | '}' => return None,
            _ => {}
        }
    }
    None
}
