//! How the index comes about: the tables that the resolver fills while it reads, and what is added at the end.
//!
//! Numbers of the model (a global, a local of the process being read, a field) lead to definitions by tables that grow
//! alongside the model's own. What a process further down declares is noted and looked up at the end.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Definition, DefinitionId, DefinitionKind, Index, Use};
use crate::ast::Name;
use crate::model::{Base, LabelId, LocalId, MtypeSetId, Owner, ProcessId, StructureId, Type};
use crate::preprocess::Macros;
use crate::source::{ExpansionId, SourceMap, Span};
use crate::token::Token;

/// The index being filled.
#[derive(Default)]
pub(crate) struct Builder {
    definitions: Vec<Definition>,
    uses: Vec<Use>,
    /// Definitions in copied text, by their written place and name: each copy is the same definition.
    copied: FxHashMap<(u32, u32, Arc<str>), DefinitionId>,
    globals: Vec<DefinitionId>,
    mtypes: FxHashMap<Arc<str>, DefinitionId>,
    mtype_sets: Vec<Option<DefinitionId>>,
    structures: Vec<Structure>,
    processes: Vec<Process>,
    /// The process, claim or trace being read.
    body: Option<Body>,
    /// The typedef being read.
    typedef: Option<DefinitionId>,
    /// Uses of a local variable or label of a process that may not have been read yet.
    remote: Vec<(Span, ProcessId, Member)>,
}

struct Structure {
    definition: DefinitionId,
    fields: Vec<DefinitionId>,
}

struct Process {
    definition: DefinitionId,
    /// `None` for a local that no text declares.
    locals: Vec<Option<DefinitionId>>,
    labels: Vec<DefinitionId>,
}

struct Body {
    owner: Owner,
    process: Process,
    /// The open braces, outermost first.
    blocks: Vec<Span>,
}

/// What a remote reference names.
#[derive(Clone, Copy)]
pub(crate) enum Member {
    Local(LocalId),
    Label(LabelId),
}

/// Something new: a name, and all there is to say about it but where it stands.
pub(crate) struct New<'n> {
    pub(crate) name: &'n Name,
    pub(crate) kind: DefinitionKind,
    pub(crate) whole: Span,
    pub(crate) ty: Option<Type>,
    pub(crate) length: Option<u32>,
}

impl<'n> New<'n> {
    pub(crate) fn plain(name: &'n Name, kind: DefinitionKind, whole: Span) -> New<'n> {
        New { name, kind, whole, ty: None, length: None }
    }
}

impl Builder {
    /// A definition that belongs to no other.
    pub(crate) fn define(&mut self, new: New<'_>) -> DefinitionId {
        self.add(new, None, None)
    }

    /// A parameter of an inline, a name of an mtype set.
    pub(crate) fn define_in(
        &mut self,
        new: New<'_>,
        parent: Option<DefinitionId>,
        extent: Option<Span>,
    ) -> DefinitionId {
        self.add(new, parent, extent)
    }

    /// A variable, field or parameter where we are.
    pub(crate) fn define_here(&mut self, new: New<'_>) -> DefinitionId {
        if let (Some(typedef), DefinitionKind::Field) = (self.typedef, new.kind) {
            return self.add(new, Some(typedef), None);
        }
        let parent = self.body.as_ref().map(|body| body.process.definition);
        let extent = self.body.as_ref().and_then(|body| body.blocks.last().copied());
        self.add(new, parent, extent)
    }

    fn add(&mut self, new: New<'_>, parent: Option<DefinitionId>, extent: Option<Span>) -> DefinitionId {
        let New { name: Name { text, span }, kind, whole, ty, length } = new;
        let id = DefinitionId(self.definitions.len() as u32);
        if span.expansion != ExpansionId::NONE {
            let first = *self.copied.entry((span.start, span.end, text.clone())).or_insert(id);
            if first != id {
                return first;
            }
        }
        let (name, span) = (text.clone(), *span);
        self.definitions.push(Definition { name, kind, span, whole, parent, extent, ty, length });
        id
    }

    // ------------------------------------------------------------------------------------------ tables of the model

    pub(crate) fn add_global(&mut self, definition: DefinitionId) {
        self.globals.push(definition);
    }

    pub(crate) fn add_mtype(&mut self, name: &Arc<str>, definition: DefinitionId) {
        self.mtypes.entry(name.clone()).or_insert(definition);
    }

    pub(crate) fn add_mtype_set(&mut self, set: MtypeSetId, definition: DefinitionId) {
        self.mtype_sets.resize(self.mtype_sets.len().max(set.index() + 1), None);
        self.mtype_sets[set.index()] = Some(definition);
    }

    pub(crate) fn mtype_set(&self, set: MtypeSetId) -> Option<DefinitionId> {
        self.mtype_sets.get(set.index()).copied().flatten()
    }

    pub(crate) fn begin_typedef(&mut self, definition: DefinitionId) {
        self.typedef = Some(definition);
    }

    pub(crate) fn end_typedef(&mut self, fields: Vec<DefinitionId>) {
        if let Some(definition) = self.typedef.take() {
            self.structures.push(Structure { definition, fields });
        }
    }

    /// The next process of the model.
    pub(crate) fn add_process(&mut self, definition: DefinitionId) {
        self.processes.push(Process { definition, locals: Vec::new(), labels: Vec::new() });
    }

    pub(crate) fn process(&self, id: ProcessId) -> DefinitionId {
        self.processes[id.index()].definition
    }

    pub(crate) fn begin_body(&mut self, owner: Owner, definition: DefinitionId) {
        let process = Process { definition, locals: Vec::new(), labels: Vec::new() };
        let whole = self.definitions[definition.index()].whole;
        self.body = Some(Body { owner, process, blocks: vec![whole] });
    }

    pub(crate) fn end_body(&mut self) {
        if let Some(Body { owner: Owner::Process(id), process, .. }) = self.body.take() {
            self.processes[id.index()] = process;
        }
    }

    pub(crate) fn enter_block(&mut self, span: Span) {
        if let Some(body) = &mut self.body {
            body.blocks.push(span);
        }
    }

    pub(crate) fn leave_block(&mut self) {
        if let Some(body) = &mut self.body {
            body.blocks.pop();
        }
    }

    pub(crate) fn add_local(&mut self, definition: Option<DefinitionId>) {
        if let Some(body) = &mut self.body {
            body.process.locals.push(definition);
        }
    }

    pub(crate) fn add_label(&mut self, name: &Name) {
        let Some(definition) = self.body.as_ref().map(|body| body.process.definition) else { return };
        let extent = self.definitions[definition.index()].whole;
        let new = New::plain(name, DefinitionKind::Label, name.span);
        let label = self.add(new, Some(definition), Some(extent));
        if let Some(body) = &mut self.body {
            body.process.labels.push(label);
        }
    }

    // ------------------------------------------------------------------------------------------ uses

    pub(crate) fn used(&mut self, span: Span, definition: DefinitionId) {
        self.uses.push(Use { span, definition });
    }

    pub(crate) fn used_variable(&mut self, span: Span, base: Base) {
        match (base, &self.body) {
            (Base::Global(id), _) => self.used(span, self.globals[id.index()]),
            (Base::Local(id), Some(body)) => {
                if let Some(definition) = body.process.locals.get(id.index()).copied().flatten() {
                    self.used(span, definition);
                }
            }
            (Base::Local(_), None) => {}
            (Base::Public(process, id), _) => self.used_member(span, process, Member::Local(id)),
        }
    }

    pub(crate) fn used_mtype(&mut self, name: &Name) {
        if let Some(&definition) = self.mtypes.get(&name.text) {
            self.used(name.span, definition);
        }
    }

    pub(crate) fn used_structure(&mut self, span: Span, id: StructureId) {
        self.used(span, self.structures[id.index()].definition);
    }

    pub(crate) fn used_field(&mut self, span: Span, structure: StructureId, field: u32) {
        self.used(span, self.structures[structure.index()].fields[field as usize]);
    }

    pub(crate) fn used_process(&mut self, span: Span, id: ProcessId) {
        self.used(span, self.process(id));
    }

    /// A jump's label, in the process being read.
    pub(crate) fn used_label(&mut self, span: Span, id: LabelId) {
        if let Some(body) = &self.body {
            self.used(span, body.process.labels[id.index()]);
        }
    }

    /// A variable or label of any process.
    pub(crate) fn used_member(&mut self, span: Span, process: ProcessId, member: Member) {
        self.remote.push((span, process, member));
    }

    // ------------------------------------------------------------------------------------------ the end

    /// The index, when the whole text has been read.
    pub(crate) fn finish(mut self, sources: &SourceMap, macros: &Macros, expanded: Vec<Token>) -> Index {
        for (span, process, member) in std::mem::take(&mut self.remote) {
            let process = &self.processes[process.index()];
            let definition = match member {
                Member::Local(id) => process.locals.get(id.index()).copied().flatten(),
                Member::Label(id) => process.labels.get(id.index()).copied(),
            };
            if let Some(definition) = definition {
                self.used(span, definition);
            }
        }
        self.add_macros(sources, macros);
        self.give_to_inlines();
        let Builder { definitions, mut uses, structures, processes, mtype_sets, .. } = self;
        // Copies of one text that mean the same are one use.
        let key = |each: &Use| (each.span.start, each.span.end, each.definition);
        uses.sort_by_key(key);
        uses.dedup_by_key(|each| key(each));
        let mut by_place: Vec<DefinitionId> = (0..definitions.len() as u32).map(DefinitionId).collect();
        by_place.sort_by_key(|id| definitions[id.index()].span);
        let structures = structures.into_iter().map(|structure| structure.definition).collect();
        let processes = processes.into_iter().map(|process| process.definition).collect();
        Index { definitions, uses, by_place, structures, processes, mtype_sets, expanded }
    }

    /// Adds macros, and the uses of macros, inlines and the parameters of inlines, which were replaced before the resolver
    /// saw the text.
    fn add_macros(&mut self, sources: &SourceMap, macros: &Macros) {
        for definition in macros.definitions() {
            let name = Name { text: definition.name.clone(), span: definition.span };
            self.define(New::plain(&name, DefinitionKind::Macro, definition.whole));
        }
        let is_replaced = |kind: DefinitionKind| {
            matches!(kind, DefinitionKind::Macro | DefinitionKind::Inline | DefinitionKind::InlineParameter)
        };
        let replaced = self.definitions.iter().enumerate().filter(|(_, definition)| is_replaced(definition.kind));
        let by_start: FxHashMap<u32, DefinitionId> =
            replaced.map(|(number, definition)| (definition.span.start, DefinitionId(number as u32))).collect();
        for (question, definition) in macros.questions() {
            if let Some(&definition) = by_start.get(&definition.start) {
                self.used(*question, definition);
            }
        }
        let mut last = None;
        for expansion in sources.expansions() {
            let Some(&definition) = by_start.get(&expansion.definition.start) else { continue };
            // The arguments of a macro are an expansion of their own, with the same call.
            let this = Some((expansion.call.start, definition));
            if std::mem::replace(&mut last, this) == this {
                continue;
            }
            let end = expansion.call.start + expansion.name.len() as u32;
            let span = Span { end, ..expansion.call };
            // A name that was glued together stands nowhere.
            if sources.snippet(span) == &*expansion.name {
                self.used(span, definition);
            }
        }
    }

    /// What is declared in the text of an inline belongs to the inline, not to the process that uses it first.
    fn give_to_inlines(&mut self) {
        let is_inline = |(_, definition): &(usize, &Definition)| definition.kind == DefinitionKind::Inline;
        let mut inlines: Vec<(u32, u32, DefinitionId)> = (self.definitions.iter().enumerate().filter(is_inline))
            .map(|(number, inline)| (inline.whole.start, inline.whole.end, DefinitionId(number as u32)))
            .collect();
        inlines.sort_unstable();
        let local = |kind: DefinitionKind| {
            matches!(kind, DefinitionKind::Variable | DefinitionKind::Channel | DefinitionKind::Label)
        };
        for definition in &mut self.definitions {
            if definition.span.expansion == ExpansionId::NONE || !local(definition.kind) {
                continue;
            }
            let before = inlines.partition_point(|&(start, ..)| start <= definition.span.start);
            if let Some(&(start, end, inline)) = before.checked_sub(1).map(|index| &inlines[index])
                && definition.span.end <= end
            {
                definition.parent = Some(inline);
                if definition.kind == DefinitionKind::Label {
                    definition.extent = Some(Span { start, end, expansion: ExpansionId::NONE });
                }
            }
        }
    }
}
