//! Questions to the index.

use super::{Definition, DefinitionId, DefinitionKind, Index, Use};
use crate::model::Type;
use crate::source::{FileId, Position, SourceMap, Span};

/// A definition of an outline, with what belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// What is defined.
    pub definition: DefinitionId,
    /// Its parameters, variables, labels, fields or names, in the order of the text.
    pub children: Vec<Symbol>,
}

impl Index {
    /// What is known about a definition.
    #[must_use]
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.index()]
    }

    /// All definitions.
    pub fn definitions(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        self.definitions.iter().enumerate().map(|(number, definition)| (DefinitionId(number as u32), definition))
    }

    /// All uses, in the order of the text.
    #[must_use]
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// What the name at a place means. The place just behind a name belongs to it too, if no other name starts there.
    ///
    /// A name in the text of an inline or macro may mean several things; this is the first of [`Index::definitions_at`].
    #[must_use]
    pub fn definition_at(&self, sources: &SourceMap, position: Position) -> Option<DefinitionId> {
        self.definitions_at(sources, position).first().copied()
    }

    /// Everything that the name at a place means, be it a definition itself or a use.
    #[must_use]
    pub fn definitions_at(&self, sources: &SourceMap, position: Position) -> Vec<DefinitionId> {
        let at = sources.absolute(position);
        let inside = self.meanings(|span| span.start <= at && at < span.end, at);
        if inside.is_empty() { self.meanings(|span| span.end == at && span.start < at, at) } else { inside }
    }

    fn meanings(&self, wanted: impl Fn(Span) -> bool, at: u32) -> Vec<DefinitionId> {
        // Names do not overlap: those that start last before the place are the ones that can hold it.
        let uses = &self.uses[..self.uses.partition_point(|each| each.span.start <= at)];
        let start = uses.iter().rev().find(|each| wanted(each.span)).map(|each| each.span.start);
        let used = uses.iter().rev().skip_while(|each| Some(each.span.start) != start);
        let used = used.take_while(|each| Some(each.span.start) == start).map(|each| each.definition);
        let defined = &self.by_place[..self.by_place.partition_point(|&id| self.definition(id).span.start <= at)];
        let defined = defined.iter().rev().take(NEAR).copied().filter(|&id| wanted(self.definition(id).span));
        let mut found: Vec<DefinitionId> = defined.chain(used).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The uses of a definition, in the order of the text; the definition itself is none.
    pub fn uses_of(&self, definition: DefinitionId) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |each| each.definition == definition)
    }

    /// The outline of a file: what is defined there, as a tree. What a macro defines stands where the macro is used.
    #[must_use]
    pub fn symbols(&self, sources: &SourceMap, file: FileId) -> Vec<Symbol> {
        let place = |id: DefinitionId| sources.position(sources.visible_span(self.definition(id).span));
        let mut nodes: Vec<(Option<Position>, DefinitionId)> =
            self.by_place.iter().map(|&id| (place(id), id)).collect();
        nodes.sort_by_key(|&(place, _)| place);
        let mut children: Vec<Vec<DefinitionId>> = vec![Vec::new(); self.definitions.len()];
        let mut roots = Vec::new();
        for (place, id) in nodes {
            match self.definition(id).parent {
                Some(parent) => children[parent.index()].push(id),
                None if place.is_some_and(|place| place.file == file) => roots.push(id),
                None => {}
            }
        }
        roots.into_iter().map(|id| symbol(id, &children)).collect()
    }

    /// The definitions whose names can be used at a place: locals first, then what is global, then macros.
    ///
    /// Fields are not among them, since they stand behind a dot only; see [`Index::fields_of`].
    #[must_use]
    pub fn symbols_in_scope(&self, sources: &SourceMap, position: Position) -> Vec<DefinitionId> {
        let at = sources.absolute(position);
        let order = reading_order(sources, position);
        let is_above = |definition: &Definition| {
            let place = sources.position(sources.visible_span(definition.whole));
            place.is_some_and(|place| reading_order(sources, place) < order)
        };
        let visible = |definition: &Definition| match (definition.kind, definition.extent) {
            (DefinitionKind::Field | DefinitionKind::Init | DefinitionKind::Trace, _) => false,
            (DefinitionKind::Never | DefinitionKind::Ltl, _) => false,
            (DefinitionKind::Label | DefinitionKind::Parameter | DefinitionKind::InlineParameter, Some(extent)) => {
                extent.start <= at && at <= extent.end
            }
            (_, Some(extent)) => extent.start <= at && at <= extent.end && definition.whole.end <= at,
            (DefinitionKind::Proctype, None) => true,
            (_, None) => is_above(definition),
        };
        let rank = |id: DefinitionId| {
            let definition = self.definition(id);
            let class = match (definition.kind, definition.extent) {
                (DefinitionKind::Macro, _) => 2,
                (_, Some(_)) => 0,
                (_, None) => 1,
            };
            (class, definition.span)
        };
        let mut found: Vec<DefinitionId> =
            self.definitions().filter(|(_, definition)| visible(definition)).map(|(id, _)| id).collect();
        found.sort_by_key(|&id| rank(id));
        found
    }

    /// The fields of a structure variable, field or parameter, or of a typedef itself.
    #[must_use]
    pub fn fields_of(&self, definition: DefinitionId) -> Vec<DefinitionId> {
        let structure = match (self.definition(definition).kind, self.definition(definition).ty) {
            (DefinitionKind::Typedef, _) => definition,
            (_, Some(Type::Structure(id))) => self.structures[id.index()],
            _ => return Vec::new(),
        };
        self.by_place.iter().copied().filter(|&id| self.definition(id).parent == Some(structure)).collect()
    }

    /// A definition's type as it would be written: `byte`, `chan[3]`, `mtype:fruit`, the name of a typedef; empty where it
    /// has none.
    #[must_use]
    pub fn type_name(&self, definition: DefinitionId) -> String {
        let Definition { ty, length, .. } = self.definition(definition);
        let name = |id: DefinitionId| &*self.definition(id).name;
        let mut text = match ty {
            None => return String::new(),
            Some(Type::Bit) => "bit".to_owned(),
            Some(Type::Bool) => "bool".to_owned(),
            Some(Type::Byte) => "byte".to_owned(),
            Some(Type::Pid) => "pid".to_owned(),
            Some(Type::Short) => "short".to_owned(),
            Some(Type::Int) => "int".to_owned(),
            Some(Type::Unsigned(bits)) => format!("unsigned : {bits}"),
            Some(Type::Mtype(set)) => match self.mtype_sets.get(set.index()).copied().flatten() {
                Some(set) => format!("mtype:{}", name(set)),
                None => "mtype".to_owned(),
            },
            Some(Type::Chan) => "chan".to_owned(),
            Some(Type::Structure(id)) => name(self.structures[id.index()]).to_owned(),
            Some(Type::Ref(id)) => format!("ref {}", name(self.processes[id.index()])),
        };
        if let Some(length) = length {
            text += &format!("[{length}]");
        }
        text
    }
}

/// How many definitions before a place are looked at: names that macros glued together may stand at the same place.
const NEAR: usize = 64;

fn symbol(definition: DefinitionId, children: &[Vec<DefinitionId>]) -> Symbol {
    let inner = children[definition.index()].iter().map(|&child| symbol(child, children)).collect();
    Symbol { definition, children: inner }
}

/// A key by which places compare as they are read: a file that is included comes where its `#include` stands, and the
/// definitions of the command line before all else.
fn reading_order(sources: &SourceMap, position: Position) -> Vec<usize> {
    let file = sources.file(position.file);
    match file.included_at.and_then(|directive| sources.position(directive)) {
        Some(directive) => {
            let mut order = reading_order(sources, directive);
            order.push(position.offset);
            order
        }
        None if position.file == FileId::MAIN => vec![position.offset],
        None if file.path.starts_with('<') => Vec::new(),
        // A text that was added behind the model.
        None => vec![usize::MAX, position.offset],
    }
}
