//! Variables as written, from `x` to `t[i].a[j].b`, and the predefined names that look like variables.

use super::Resolver;
use super::names::Meaning;
use crate::ast::{self, Name, RefPart, VariableRef};
use crate::diagnostic::Diagnostic;
use crate::index::Member;
use crate::model::{
    Base, Expr, ExprKind, FieldStep, MtypeSetId, Owner, Place, Predefined, ProcessId, StructureId, Type, Variable,
};
use crate::source::Span;

/// What a reference turned out to be.
pub(super) enum Reference {
    Place(Place),
    /// A name of an mtype set.
    Constant(MtypeSetId, i32),
    Predefined(Predefined),
    /// `_`
    Scratch,
    /// `_p`
    Location,
}

/// Whether a reference may leave out the index of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrays {
    NeedIndex,
    Whole,
}

impl Resolver<'_> {
    /// What a reference means; `None` if it was reported to mean nothing.
    pub(super) fn reference(&mut self, reference: &VariableRef) -> Option<Reference> {
        self.resolve_reference(reference, Arrays::NeedIndex)
    }

    /// A reference that may name a whole array, as in `for (i in a)`.
    pub(super) fn whole_reference(&mut self, reference: &VariableRef) -> Option<Reference> {
        self.resolve_reference(reference, Arrays::Whole)
    }

    /// The target of an assignment.
    pub(super) fn target(&mut self, reference: &VariableRef) -> Option<Reference> {
        let found = self.reference(reference)?;
        let problem = match &found {
            Reference::Place(place) if matches!(place.ty, Type::Structure(_)) => {
                self.whole_structure(last_name(reference), reference.span);
                return None;
            }
            Reference::Place(place) if let Some(problem) = self.foreign_target(place) => problem.to_owned(),
            Reference::Place(_) | Reference::Scratch | Reference::Predefined(Predefined::Priority) => {
                return Some(found);
            }
            Reference::Constant(..) => {
                format!("`{}` is an mtype name, and names are constants", reference.parts[0].name.text)
            }
            Reference::Predefined(_) | Reference::Location => {
                format!("`{}` cannot be changed", reference.parts[0].name.text)
            }
        };
        if !self.names.refused.contains(&reference.parts[0].name.text) {
            self.report(Diagnostic::error("read-only", reference.span, problem));
        }
        None
    }

    /// Why a variable of another process cannot be set here, if it is one and cannot.
    pub(super) fn foreign_target(&self, place: &Place) -> Option<&'static str> {
        if !matches!(place.base, Base::Public(..)) {
            return None;
        }
        let in_process = self.body.as_ref().is_some_and(|body| matches!(body.owner, Owner::Process(_)));
        match place.ty {
            _ if !in_process => Some("only processes can set variables of processes"),
            Type::Chan => Some("which channel a variable means can be changed by its own process only"),
            _ => None,
        }
    }

    fn resolve_reference(&mut self, reference: &VariableRef, arrays: Arrays) -> Option<Reference> {
        let (first, rest) = reference.parts.split_first()?;
        let name = &first.name;
        let meaning = self.names.meaning(&name.text);
        self.note_use(name, meaning);
        let found = match meaning {
            Meaning::Variable(base) => return self.variable_reference(base, reference, arrays),
            Meaning::Proctype(process) if !rest.is_empty() && first.index.is_some() => {
                return self.public_reference(process, reference, arrays);
            }
            Meaning::Mtype(set, value) => Reference::Constant(set, value),
            Meaning::Predefined(which) => {
                self.note_predefined(which, name.span);
                Reference::Predefined(which)
            }
            Meaning::Scratch => Reference::Scratch,
            Meaning::Location => Reference::Location,
            Meaning::Typedef(_) => return self.not_a_variable(name, "a typedef"),
            Meaning::Proctype(_) => return self.not_a_variable(name, "a proctype"),
            Meaning::Inline => return self.not_a_variable(name, "an inline"),
            Meaning::Label => return self.not_a_variable(name, "a label"),
            Meaning::Unknown if let Some(process) = self.proctype_below(reference) => {
                self.index.used_process(name.span, process);
                return self.public_reference(process, reference, arrays);
            }
            Meaning::Unknown => {
                if !self.names.refused.contains(&name.text) {
                    self.unknown_name(name);
                }
                self.resolve_indices(&reference.parts);
                return None;
            }
        };
        if first.index.is_some() || !rest.is_empty() {
            let message = format!("`{}` has no elements or fields", name.text);
            self.report(Diagnostic::error("not-an-array", reference.span, message));
            return None;
        }
        Some(found)
    }

    /// Tells the index what a name means.
    pub(super) fn note_use(&mut self, name: &Name, meaning: Meaning) {
        match meaning {
            Meaning::Variable(base) => self.index.used_variable(name.span, base),
            Meaning::Mtype(..) => self.index.used_mtype(name),
            Meaning::Typedef(id) => self.index.used_structure(name.span, id),
            Meaning::Proctype(id) => self.index.used_process(name.span, id),
            // Uses of inlines are known from their expansions, those of labels when all labels are.
            Meaning::Inline | Meaning::Label => {}
            Meaning::Predefined(_) | Meaning::Scratch | Meaning::Location | Meaning::Unknown => {}
        }
    }

    fn not_a_variable<T>(&mut self, name: &Name, what: &str) -> Option<T> {
        if self.names.refused.contains(&name.text) {
            return None;
        }
        let message = format!("`{}` is {what}, not a variable", name.text);
        self.report(Diagnostic::error("not-a-variable", name.span, message));
        None
    }

    fn unknown_name(&mut self, name: &Name) {
        let message = format!("no variable is called `{}` here", name.text);
        let mut error = Diagnostic::error("unknown-name", name.span, message);
        let ended = self.body.as_ref().and_then(|body| body.locals.iter().find(|local| local.name == name.text));
        if let Some(ended) = ended {
            error = error.also(ended.span, "this one ended with its block");
        } else if let Some(similar) = self.names.similar(&name.text) {
            error = error.suggest("a variable with a similar name exists", name.span, similar);
        } else if self.names.proctypes.contains_key(&name.text) {
            error = error.note("a proctype of that name stands further down; only `run` can name it before");
        } else {
            self.unknown.push((self.diagnostics.len(), name.text.clone()));
            error = error.note("a variable must be declared above its uses");
        }
        self.report(error);
    }

    /// The indices of a reference that means nothing may hold further mistakes.
    fn resolve_indices(&mut self, parts: &[RefPart]) {
        for part in parts {
            if let Some(index) = &part.index {
                self.expression(index);
            }
        }
    }

    fn note_predefined(&mut self, which: Predefined, span: Span) {
        match which {
            Predefined::Last => self.model.features.last = true,
            Predefined::Priority => self.model.features.priorities = true,
            Predefined::LocalNumber => self.model.features.references = true,
            Predefined::ChannelCount => {
                self.beyond_spin(span, "`_nr_qs`");
            }
            Predefined::Pid if self.body.is_none() => {
                let message = "`_pid` outside a process";
                self.report(Diagnostic::warning("pid-outside-process", span, message).note("its value here is 0"));
            }
            Predefined::Pid | Predefined::ProcessCount | Predefined::NonProgress => {}
        }
    }

    fn variable_reference(&mut self, base: Base, reference: &VariableRef, arrays: Arrays) -> Option<Reference> {
        let (first, rest) = reference.parts.split_first()?;
        let Variable { ty, length, .. } = *self.variable(base);
        let index = self.index_of(first, length, arrays, rest.is_empty())?;
        let place = Place { base, owner: None, index, fields: Vec::new(), ty, span: reference.span };
        self.field_steps(place, rest, arrays).map(Reference::Place)
    }

    /// `P[r].x`
    fn public_reference(&mut self, process: ProcessId, reference: &VariableRef, arrays: Arrays) -> Option<Reference> {
        self.model.features.references = true;
        let [owner, variable, rest @ ..] = &*reference.parts else { return None };
        let owner = self.expression(owner.index.as_ref()?);
        let locals = match (&self.processes[process.index()], &self.body) {
            (Some(process), _) => &process.locals,
            (None, Some(body)) if body.owner == Owner::Process(process) => &body.locals,
            _ => {
                self.looked_ahead = true;
                self.known.get(process.index())?
            }
        };
        let name = &variable.name;
        let found = locals.iter().position(|local| local.name == name.text && local.public);
        let Some(position) = found else {
            let hidden = locals.iter().find(|local| local.name == name.text).map(|local| local.span);
            let message = format!("proctype `{}` has no public variable `{}`", reference.parts[0].name.text, name.text);
            let mut error = Diagnostic::error("unknown-public", name.span, message);
            if let Some(span) = hidden {
                error = error.also(span, "declare it `public`");
            }
            self.report(error);
            return None;
        };
        let Variable { ty, length, .. } = locals[position];
        let local = crate::model::LocalId(position as u32);
        self.index.used_member(name.span, process, Member::Local(local));
        let index = self.index_of(variable, length, arrays, rest.is_empty())?;
        let base = Base::Public(process, local);
        let place = Place { base, owner: Some(Box::new(owner)), index, fields: Vec::new(), ty, span: reference.span };
        self.field_steps(place, rest, arrays).map(Reference::Place)
    }

    /// The proctype that `P[r].x` names before its text has been read.
    fn proctype_below(&self, reference: &VariableRef) -> Option<ProcessId> {
        let [owner, _, ..] = &*reference.parts else { return None };
        owner.index.as_ref().and_then(|_| self.names.proctypes.get(&owner.name.text)).copied()
    }

    fn field_steps(&mut self, mut place: Place, parts: &[RefPart], arrays: Arrays) -> Option<Place> {
        for (position, part) in parts.iter().enumerate() {
            let (field, ty, length) = self.field_named(place.ty, &part.name)?;
            let index = self.index_of(part, length, arrays, position + 1 == parts.len())?;
            place.fields.push(FieldStep { field, index });
            place.ty = ty;
        }
        Some(place)
    }

    /// The number, type and length of a structure's field; reports what is none.
    pub(super) fn field_named(&mut self, ty: Type, name: &Name) -> Option<(u32, Type, Option<u32>)> {
        let Type::Structure(structure) = ty else {
            let message = format!("only a structure has fields, so there is no `{}` here", name.text);
            self.report(Diagnostic::error("not-a-structure", name.span, message));
            return None;
        };
        let Some(&field) = self.shapes[structure.index()].fields.get(&name.text) else {
            self.unknown_field(structure, name);
            return None;
        };
        self.index.used_field(name.span, structure, field);
        let Variable { ty, length, .. } = self.structure(structure).fields[field as usize];
        Some((field, ty, length))
    }

    fn unknown_field(&mut self, structure: StructureId, name: &Name) {
        let fields = self.structure(structure).fields.iter().map(|field| &*field.name);
        let similar = super::names::closest(&name.text, fields).map(str::to_owned);
        let message = format!("typedef `{}` has no field `{}`", self.structure(structure).name, name.text);
        let mut error = Diagnostic::error("unknown-field", name.span, message);
        if let Some(similar) = similar {
            error = error.suggest("a field with a similar name exists", name.span, similar);
        }
        self.report(error);
    }

    /// The index of one part of a reference: outer `None` after a report, inner `None` for a scalar.
    #[expect(clippy::option_option, reason = "a missing index and a reported one are different things")]
    fn index_of(
        &mut self,
        part: &RefPart,
        length: Option<u32>,
        arrays: Arrays,
        last: bool,
    ) -> Option<Option<Box<Expr>>> {
        match (&part.index, length) {
            (Some(index), Some(_)) => Some(Some(Box::new(self.expression(index)))),
            (None, None) => Some(None),
            (None, Some(_)) if arrays == Arrays::Whole && last => Some(None),
            (None, Some(length)) => {
                let message = format!("array `{}` needs an index", part.name.text);
                let note = format!("it has {}", super::counted(length as usize, "element"));
                self.report(Diagnostic::error("missing-index", part.name.span, message).note(note));
                None
            }
            (Some(index), None) => {
                let value = self.expression(index);
                let zero = matches!(value.kind, ExprKind::Constant(0)) && self.literal(index).is_some();
                let message = format!("`{}` is no array", part.name.text);
                if zero {
                    let note = "SPIN takes element 0 of a scalar as the scalar itself";
                    self.report(Diagnostic::warning("index-of-scalar", index.span, message).note(note));
                    Some(None)
                } else {
                    self.report(Diagnostic::error("index-of-scalar", index.span, message));
                    None
                }
            }
        }
    }

    /// The structure that holds a place's field step, and the length of that field.
    pub(super) fn field_of(&self, place: &Place, step: usize) -> Option<(StructureId, Option<u32>)> {
        let mut ty = self.variable(place.base).ty;
        for (position, field) in place.fields.iter().enumerate() {
            let Type::Structure(structure) = ty else { return None };
            let variable = &self.structure(structure).fields[field.field as usize];
            if position == step {
                return Some((structure, variable.length));
            }
            ty = variable.ty;
        }
        None
    }

    /// A whole structure where only a number makes sense.
    pub(super) fn whole_structure(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is a whole structure, and only its fields have values");
        let note = "structures cannot be assigned or compared; they can only be sent, received and passed to `run`";
        self.report(Diagnostic::error("whole-structure", span, message).note(note));
    }

    /// SPIN cannot undo `a[a[i]] = e`, and refuses it; here it has its plain meaning.
    pub(super) fn check_self_index(&mut self, target: &VariableRef) {
        let mut arrays: Vec<&str> = Vec::new();
        let mut at = target;
        while let [RefPart { name, index: Some(index) }] = &*at.parts {
            if arrays.contains(&&*name.text) {
                self.beyond_spin(target.span, "an array indexed with its own element here");
                return;
            }
            arrays.push(&name.text);
            match &index.kind {
                ast::ExprKind::Variable(inner) => at = inner,
                _ => return,
            }
        }
    }
}

/// The name that a reference ends with.
pub(super) fn last_name(reference: &VariableRef) -> &str {
    reference.parts.last().map_or("", |part| &part.name.text)
}
