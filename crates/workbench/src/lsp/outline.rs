//! The outline of a file, and names looked for in all files.

use gen_lsp_types::{BaseSymbolInformation, DocumentSymbol, SymbolInformation, SymbolKind, Uri};
use promela::index::{DefinitionKind, Symbol};
use promela::source::Span;

use super::documents::Analysis;
use super::places::path_of;

/// What is defined in a file, as a tree.
pub fn symbols(analysis: &Analysis, uri: &Uri) -> Vec<DocumentSymbol> {
    let Some(file) = analysis.file(&path_of(uri)) else { return Vec::new() };
    let symbols = analysis.loaded.index.symbols(&analysis.loaded.sources, file);
    symbols.iter().filter_map(|symbol| node(analysis, uri, symbol)).collect()
}

#[expect(deprecated, reason = "the type has a field that the protocol has given up")]
fn node(analysis: &Analysis, uri: &Uri, symbol: &Symbol) -> Option<DocumentSymbol> {
    let index = &analysis.loaded.index;
    let definition = index.definition(symbol.definition);
    let here = |span: Span| analysis.location(span).filter(|location| path_of(&location.uri) == path_of(uri));
    let selection_range = here(definition.span)?.range;
    // The protocol wants the name inside of the whole.
    let whole = here(definition.whole).map(|location| location.range);
    let holds = |whole: &gen_lsp_types::Range| whole.start <= selection_range.start && selection_range.end <= whole.end;
    let detail = index.type_name(symbol.definition);
    let children: Vec<DocumentSymbol> = symbol.children.iter().filter_map(|each| node(analysis, uri, each)).collect();
    Some(DocumentSymbol {
        name: definition.name.to_string(),
        detail: (!detail.is_empty()).then_some(detail),
        kind: kind(definition.kind),
        range: whole.filter(holds).unwrap_or(selection_range),
        selection_range,
        children: (!children.is_empty()).then_some(children),
        tags: None,
        deprecated: None,
    })
}

/// The definitions of a model whose names contain a text, whatever the case of its letters.
#[expect(deprecated, reason = "the type has a field that the protocol has given up")]
pub fn find(analysis: &Analysis, text: &str) -> Vec<SymbolInformation> {
    let text = text.to_lowercase();
    let index = &analysis.loaded.index;
    let named = index.definitions().filter(|(_, definition)| definition.name.to_lowercase().contains(&text));
    named
        .filter_map(|(_, definition)| {
            let parent = definition.parent.map(|parent| index.definition(parent).name.to_string());
            Some(SymbolInformation {
                deprecated: None,
                location: analysis.exact_location(definition.span)?,
                base_symbol_information: BaseSymbolInformation {
                    name: definition.name.to_string(),
                    kind: kind(definition.kind),
                    tags: None,
                    container_name: parent,
                },
            })
        })
        .collect()
}

fn kind(kind: DefinitionKind) -> SymbolKind {
    match kind {
        DefinitionKind::Variable | DefinitionKind::Parameter | DefinitionKind::InlineParameter => SymbolKind::Variable,
        DefinitionKind::Channel => SymbolKind::Interface,
        DefinitionKind::Field => SymbolKind::Field,
        DefinitionKind::Proctype | DefinitionKind::Init => SymbolKind::Class,
        DefinitionKind::Inline => SymbolKind::Function,
        DefinitionKind::Macro => SymbolKind::Constant,
        DefinitionKind::Label => SymbolKind::Key,
        DefinitionKind::MtypeSet => SymbolKind::Enum,
        DefinitionKind::MtypeConstant => SymbolKind::EnumMember,
        DefinitionKind::Typedef => SymbolKind::Struct,
        DefinitionKind::Ltl | DefinitionKind::Never | DefinitionKind::Trace => SymbolKind::Event,
    }
}
