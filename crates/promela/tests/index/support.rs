//! Places as `line:column`, and listings of an index.

use promela::index::DefinitionId;
use promela::source::ColumnUnit::Character;
use promela::source::{FileId, LineColumn, Position, Span};
use promela::{Loaded, Options, load_text};

pub fn load(text: &str) -> Loaded {
    load_text("m.pml", text, &Options::default())
}

/// `2:7`, with the file before it if that is not the model.
pub fn place(loaded: &Loaded, span: Span) -> String {
    let Some(Position { file, offset }) = loaded.sources.position(span) else { return "nowhere".into() };
    let LineColumn { line, column } = loaded.sources.file(file).line_column(offset, Character);
    let path = &loaded.sources.file(file).path;
    if file == FileId::MAIN { format!("{line}:{column}") } else { format!("{path}:{line}:{column}") }
}

/// The place of the `number`th occurrence of a text in the model, from 1.
pub fn find(loaded: &Loaded, text: &str, number: usize) -> Position {
    let all = &loaded.sources.file(FileId::MAIN).text;
    let (offset, _) = all.match_indices(text).nth(number - 1).expect("it occurs as often");
    Position { file: FileId::MAIN, offset }
}

pub fn definition_at(loaded: &Loaded, text: &str, number: usize) -> DefinitionId {
    let at = find(loaded, text, number);
    loaded.index.definition_at(&loaded.sources, at).unwrap_or_else(|| panic!("`{text}` {number} means nothing"))
}

/// Every definition, in the order of the text: where, what, of which type, in what, and where it is used.
pub fn listing(loaded: &Loaded) -> Vec<String> {
    let index = &loaded.index;
    let mut all: Vec<_> = index.definitions().collect();
    all.sort_by_key(|(_, definition)| definition.span);
    let built_in = |span: Span| place(loaded, span).starts_with("<built-in>");
    let all = all.into_iter().filter(|(_, definition)| !built_in(definition.span));
    let line = |(id, definition): (DefinitionId, &promela::index::Definition)| {
        let mut text = format!("{} {} {}", place(loaded, definition.span), definition.kind.name(), definition.name);
        let ty = index.type_name(id);
        if !ty.is_empty() {
            text += &format!(" : {ty}");
        }
        if let Some(parent) = definition.parent {
            text += &format!(" in {}", index.definition(parent).name);
        }
        let uses: Vec<String> = index.uses_of(id).map(|each| place(loaded, each.span)).collect();
        if !uses.is_empty() {
            text += &format!(" <- {}", uses.join(" "));
        }
        text
    };
    all.map(line).collect()
}
