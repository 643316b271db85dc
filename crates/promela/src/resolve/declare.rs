//! Declarations: variables, mtype sets, typedefs.
//!
//! All names of one declaration come to life together at its end, so none of its initial values can read another of
//! its names. A typedef can only use typedefs above it, so no type contains itself.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Resolver;
use super::names::Meaning;
use super::scope::Symbol;
use crate::ast::{self, Name, TypeName};
use crate::diagnostic::Diagnostic;
use crate::index::{DefinitionId, DefinitionKind, New};
use crate::model::{
    Base, Expr, External, GlobalId, Kind, LocalId, MtypeSet, MtypeSetId, Predefined, Scope, Structure, StructureId,
    Type, Variable, Visibility,
};
use crate::source::Span;

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    Global,
    Field,
    Parameter,
    Local,
}

/// A declared variable whose name is not visible yet.
pub(super) struct Declared<'d> {
    pub(super) declarator: &'d ast::Declarator,
    pub(super) variable: Variable,
    pub(super) definition: DefinitionId,
    /// What the step of a declaration behind a statement assigns, if the text says so.
    pub(super) late_value: Option<Expr>,
}

/// The longest array, and the most fields a message may have: more is a slip, not a model.
const MOST_ELEMENTS: i32 = 1 << 24;

impl Resolver<'_> {
    pub(super) fn globals(&mut self, declaration: &ast::Declaration) {
        if let Some(span) = declaration.public {
            self.report(Diagnostic::error("public-global", span, "`public` is for variables of a proctype"));
        }
        for Declared { declarator, variable, definition, .. } in self.declaration(declaration, Home::Global) {
            self.check_external(declarator);
            self.index.add_global(definition);
            let id = GlobalId(self.model.globals.len() as u32);
            self.note_number(Base::Global(id), declarator);
            self.names.globals.entry(variable.name.clone()).or_insert(id);
            self.model.globals.push(variable);
        }
    }

    /// Parameters are locals too; arrays and initial values among them are refused.
    pub(super) fn parameters(&mut self, declarations: &[ast::Declaration]) {
        for declaration in declarations {
            for declared in self.declaration(declaration, Home::Parameter) {
                self.check_parameter(&declared.variable);
                self.add_local(declared.variable, declared.definition);
            }
        }
    }

    fn check_parameter(&mut self, parameter: &Variable) {
        if let Type::Structure(id) = parameter.ty
            && let Some(field) = self.shapes[id.index()].array.clone()
        {
            let message = format!("parameter `{}` cannot be a structure with an array, here `{field}`", parameter.name);
            self.report(Diagnostic::error("array-parameter", parameter.span, message));
        }
    }

    pub(super) fn add_local(&mut self, variable: Variable, definition: DefinitionId) -> LocalId {
        self.index.add_local(Some(definition));
        let (Some(body), Some(scopes)) = (&mut self.body, &mut self.names.scopes) else {
            unreachable!("locals are declared in a process")
        };
        let id = LocalId(body.locals.len() as u32);
        scopes.declare(&variable.name, Symbol::Variable(id));
        body.locals.push(variable);
        id
    }

    /// The variables of a declaration. Their names are checked, and become visible when the caller adds them.
    pub(super) fn declaration<'d>(&mut self, declaration: &'d ast::Declaration, home: Home) -> Vec<Declared<'d>> {
        let ty = self.type_named(&declaration.type_name, declaration.type_span);
        self.model.features.references |= declaration.public.is_some();
        let mut variables = Vec::with_capacity(declaration.variables.len());
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for declarator in &declaration.variables {
            let first = *seen.entry(&declarator.name.text).or_insert(declarator.span);
            if first != declarator.span {
                self.redeclared(&declarator.name, "a variable", Some(first));
            } else if home != Home::Field {
                self.check_new(&declarator.name);
            }
            let variable = self.declarator(declaration, declarator, ty, home);
            let definition = self.define_variable(declarator, ty, variable.as_ref(), home);
            let Some(variable) = variable else {
                self.names.refused.insert(declarator.name.text.clone());
                continue;
            };
            let late = home == Home::Local && self.body.as_ref().is_some_and(|body| !body.at_start);
            let late_value = if late { self.late_value(declarator, variable.ty) } else { None };
            variables.push(Declared { declarator, variable, definition, late_value });
        }
        variables
    }

    /// Notes a declared name; `variable` is what it became, if it did.
    fn define_variable(
        &mut self,
        declarator: &ast::Declarator,
        ty: Option<Type>,
        variable: Option<&Variable>,
        home: Home,
    ) -> DefinitionId {
        let ty = variable.map(|variable| variable.ty).or(ty);
        let kind = match home {
            Home::Field => DefinitionKind::Field,
            Home::Parameter => DefinitionKind::Parameter,
            Home::Global | Home::Local if ty == Some(Type::Chan) => DefinitionKind::Channel,
            Home::Global | Home::Local => DefinitionKind::Variable,
        };
        let length = variable.and_then(|variable| variable.length);
        let new = New { name: &declarator.name, kind, whole: declarator.span, ty, length };
        self.index.define_here(new)
    }

    fn declarator(
        &mut self,
        declaration: &ast::Declaration,
        declarator: &ast::Declarator,
        ty: Option<Type>,
        home: Home,
    ) -> Option<Variable> {
        let length = declarator.length.as_ref().map(|length| self.array_length(&declarator.name, length));
        let ty = ty.map(|ty| self.with_width(ty, declarator));
        if home == Home::Parameter {
            if declarator.length.is_some() {
                let message = format!("parameter `{}` cannot be an array", declarator.name.text);
                self.report(Diagnostic::error("array-parameter", declarator.span, message));
            }
            if declarator.initialiser.is_some() {
                let message = format!("parameter `{}` cannot have an initial value", declarator.name.text);
                self.report(Diagnostic::error("initialised-parameter", declarator.span, message));
                return None;
            }
        }
        if let Some((Visibility::Hidden, span)) = declaration.visibility {
            self.check_hidden(ty?, home, span);
        }
        let ty = ty?;
        let length = match length {
            // Already refused; as a scalar it takes one argument, so that nothing follows from the mistake.
            _ if home == Home::Parameter => None,
            Some(None) => return None,
            Some(length) => length,
            None => None,
        };
        let initial = self.initial(declarator, ty, length, home);
        let external = declarator.external.as_ref().and_then(|external| self.external(external, home));
        let scope = match (home, &self.names.scopes) {
            (Home::Local, Some(scopes)) => scopes.path().clone(),
            _ => Scope::new(),
        };
        Some(Variable {
            name: declarator.name.text.clone(),
            ty,
            length,
            initial,
            visibility: declaration.visibility.map(|(visibility, _)| visibility),
            public: declaration.public.is_some(),
            external,
            kind: Kind::Number,
            index: Kind::Number,
            channel: None,
            scope,
            span: declarator.span,
        })
    }

    /// No two things can be observed by the same name.
    fn check_external(&mut self, declarator: &ast::Declarator) {
        let Some(ast::External { name, .. }) = &declarator.external else { return };
        let mut others = self.model.globals.iter().filter_map(|other| Some((other.external.as_ref()?, other.span)));
        if let Some((_, earlier)) = others.find(|(other, _)| other.name == name.text) {
            let message = format!("the external name `{}` is given twice", name.text);
            self.report(Diagnostic::error("extern-twice", name.span, message).also(earlier, "first here"));
        }
    }

    /// Only what exists once can be observed by a name.
    fn external(&mut self, external: &ast::External, home: Home) -> Option<External> {
        let ast::External { name, direction, span } = external;
        if home != Home::Global {
            let message = "only global channels and variables can be `extern`";
            self.report(Diagnostic::error("extern-local", *span, message));
            return None;
        }
        Some(External { name: name.text.clone(), direction: *direction })
    }

    /// The type behind a name; `unsigned` comes without its width.
    pub(super) fn type_named(&mut self, name: &TypeName, span: Span) -> Option<Type> {
        Some(match name {
            TypeName::Bit => Type::Bit,
            TypeName::Bool => Type::Bool,
            TypeName::Byte => Type::Byte,
            TypeName::Pid => Type::Pid,
            TypeName::Short => Type::Short,
            TypeName::Int => Type::Int,
            TypeName::Unsigned => Type::Unsigned(0),
            TypeName::Mtype(None) => Type::Mtype(MtypeSetId(0)),
            TypeName::Mtype(Some(set)) => Type::Mtype(self.mtype_set_used(set)),
            TypeName::Chan => Type::Chan,
            TypeName::User(name) => match self.names.meaning(&name.text) {
                Meaning::Typedef(id) => {
                    self.index.used_structure(name.span, id);
                    Type::Structure(id)
                }
                _ => {
                    let message = format!("no type is called `{}`", name.text);
                    let note = "a typedef must stand above its uses";
                    self.report(Diagnostic::error("unknown-type", span, message).note(note));
                    return None;
                }
            },
            TypeName::Ref(name) => match self.names.proctypes.get(&name.text) {
                Some(&id) => {
                    self.model.features.references = true;
                    self.index.used_process(name.span, id);
                    Type::Ref(id)
                }
                None => {
                    let message = format!("no proctype is called `{}`", name.text);
                    self.report(Diagnostic::error("unknown-proctype", name.span, message));
                    return None;
                }
            },
        })
    }

    fn with_width(&mut self, ty: Type, declarator: &ast::Declarator) -> Type {
        let name = &declarator.name.text;
        match (ty, &declarator.width) {
            (Type::Unsigned(_), None) => {
                let message = format!("`unsigned {name}` needs a width");
                let mend = declarator.name.span.after();
                self.report(Diagnostic::error("missing-width", declarator.span, message).suggest(
                    "give its bits",
                    mend,
                    " : 8",
                ));
                Type::Unsigned(16)
            }
            (Type::Unsigned(_), Some(width)) => match self.constant_expression(width, "a width") {
                Some(bits @ 1..=31) => Type::Unsigned(bits as u8),
                Some(bits) => {
                    let message = format!("a width of {bits} bits: it must be from 1 to 31");
                    self.report(Diagnostic::error("bad-width", width.span, message));
                    Type::Unsigned(16)
                }
                None => Type::Unsigned(16),
            },
            (_, Some(width)) => {
                let message = format!("only an `unsigned` has a width, and `{name}` is none");
                self.report(Diagnostic::error("unexpected-width", width.span, message));
                ty
            }
            (_, None) => ty,
        }
    }

    /// A bound is a constant expression, or the name of a variable declared with a number.
    fn array_length(&mut self, name: &Name, length: &ast::Expr) -> Option<u32> {
        let value = match self.bare_variable(length) {
            Some((base, bound)) => self.bound_by_variable(base, &bound)?,
            None => self.constant_expression(length, "an array's length")?,
        };
        match value {
            1..=MOST_ELEMENTS => Some(value as u32),
            _ => {
                let message = format!("array `{}` cannot have {value} elements", name.text);
                let note = format!("the length of an array is from 1 to {MOST_ELEMENTS}");
                self.report(Diagnostic::error("array-length", length.span, message).note(note));
                None
            }
        }
    }

    fn bound_by_variable(&mut self, base: Base, bound: &Name) -> Option<i32> {
        let value = self.number_of(base, bound).filter(|&value| value > 0);
        let message = format!("variable `{}` as an array's length", bound.text);
        let warning = Diagnostic::warning("variable-bound", bound.span, message);
        match value {
            Some(value) => {
                let note = "an array's length never changes; use a macro for it";
                self.report(warning.label(format!("taken as {value}, its initial value")).note(note));
            }
            None => {
                let note = "SPIN takes 8 when the variable is not initialised with one positive number";
                self.report(warning.label("taken as 8").note(note));
            }
        }
        Some(value.unwrap_or(8))
    }

    /// The number that a variable was declared with, asked for by its name.
    pub(super) fn number_of(&mut self, base: Base, name: &Name) -> Option<i32> {
        self.index.used_variable(name.span, base);
        self.numbers.get(&base).copied()
    }

    /// A lone name that is a variable.
    pub(super) fn bare_variable(&self, expression: &ast::Expr) -> Option<(Base, Name)> {
        let ast::ExprKind::Variable(variable) = &expression.kind else { return None };
        let [part] = &*variable.parts else { return None };
        match self.names.meaning(&part.name.text) {
            Meaning::Variable(base) if part.index.is_none() => Some((base, part.name.clone())),
            _ => None,
        }
    }

    /// Remembers a variable declared with one plain number.
    pub(super) fn note_number(&mut self, base: Base, declarator: &ast::Declarator) {
        if let Some(ast::Initialiser::Expression(value)) = &declarator.initialiser
            && let Some(value) = self.literal(value)
        {
            self.numbers.insert(base, value);
        }
    }

    fn check_hidden(&mut self, ty: Type, home: Home, span: Span) {
        let problem = match (home, ty) {
            (Home::Global, Type::Bit | Type::Bool) => "a `bit` or `bool` cannot be hidden",
            (Home::Global, Type::Chan) => "a channel cannot be hidden",
            (Home::Global, Type::Structure(_)) => {
                let message = "SPIN's verifier does not compile for a hidden structure";
                self.report(Diagnostic::warning("hidden-structure", span, message));
                return;
            }
            (Home::Global, _) => return,
            (Home::Field | Home::Parameter | Home::Local, _) => "only a global variable can be hidden",
        };
        self.report(Diagnostic::error("bad-hidden", span, problem));
    }

    /// Reports a name that is already taken here.
    pub(super) fn check_new(&mut self, name: &Name) {
        if let Some((taken, at)) = self.taken(name) {
            self.redeclared(name, taken, at);
            self.names.refused.insert(name.text.clone());
        }
    }

    /// What a name is already, and where that was said.
    pub(super) fn taken(&self, name: &Name) -> Option<(&'static str, Option<Span>)> {
        Some(match self.names.meaning(&name.text) {
            Meaning::Unknown | Meaning::Predefined(Predefined::LocalNumber) => return None,
            Meaning::Variable(base) => ("a variable", Some(self.variable(base).span)),
            Meaning::Label => ("a label", None),
            Meaning::Mtype(..) => ("an mtype name", self.names.mtypes.get(&name.text).map(|entry| entry.2)),
            Meaning::Typedef(_) => ("a typedef", None),
            Meaning::Proctype(id) => ("a proctype", self.processes[id.index()].as_ref().map(|p| p.name_span)),
            Meaning::Inline => ("an inline", self.names.inlines.get(&name.text).copied()),
            Meaning::Predefined(_) | Meaning::Scratch | Meaning::Location => ("predefined", None),
        })
    }

    fn redeclared(&mut self, name: &Name, taken: &str, at: Option<Span>) {
        let message = format!("`{}` is already {taken} here", name.text);
        let mut error = Diagnostic::error("redeclared", name.span, message);
        if let Some(at) = at {
            error = error.also(at, "first declared here");
            error = error.note("a name that is visible from outside cannot be declared again inside");
        }
        self.report(error);
    }

    pub(super) fn mtype(&mut self, declaration: &ast::MtypeDeclaration) {
        if self.body.is_some() {
            let message = "an mtype set must be declared outside processes";
            self.report(Diagnostic::error("local-mtype", declaration.span, message));
            return;
        }
        let set = self.mtype_set(declaration.set.as_ref());
        let before = self.model.mtypes[set.index()].members.len();
        // The first name of a list gets the highest number.
        for (offset, name) in declaration.names.iter().rev().enumerate() {
            self.mtype_name(set, name, (before + offset + 1) as i32);
        }
        if before + declaration.names.len() > 255 {
            let message = "an mtype set cannot have more than 255 names";
            self.report(Diagnostic::error("too-many-mtypes", declaration.span, message));
        }
    }

    fn mtype_name(&mut self, set: MtypeSetId, name: &Name, value: i32) {
        match self.names.meaning(&name.text) {
            Meaning::Mtype(..) | Meaning::Typedef(_) | Meaning::Proctype(_) | Meaning::Inline => self.check_new(name),
            Meaning::Variable(base) => {
                let message = format!("mtype name `{}` hides a variable", name.text);
                let at = self.variable(base).span;
                let note = "from here on the name is a constant";
                self.report(
                    Diagnostic::warning("mtype-hides-variable", name.span, message).also(at, "the variable").note(note),
                );
            }
            _ => {}
        }
        let new = New { ty: Some(Type::Mtype(set)), ..New::plain(name, DefinitionKind::MtypeConstant, name.span) };
        let definition = self.index.define_in(new, self.index.mtype_set(set), None);
        self.index.add_mtype(&name.text, definition);
        self.names.mtypes.entry(name.text.clone()).or_insert((set, value, name.span));
        self.model.mtypes[set.index()].members.push((name.text.clone(), value));
    }

    fn mtype_set(&mut self, name: Option<&Name>) -> MtypeSetId {
        let Some(name) = name else { return MtypeSetId(0) };
        if let Some(&id) = self.names.mtype_sets.get(&name.text) {
            if let Some(definition) = self.index.mtype_set(id) {
                self.index.used(name.span, definition);
            }
            return id;
        }
        let id = MtypeSetId(self.model.mtypes.len() as u32);
        self.names.mtype_sets.insert(name.text.clone(), id);
        let definition = self.index.define(New::plain(name, DefinitionKind::MtypeSet, name.span));
        self.index.add_mtype_set(id, definition);
        self.model.mtypes.push(MtypeSet { name: Some(name.text.clone()), members: Vec::new() });
        id
    }

    fn mtype_set_used(&mut self, name: &Name) -> MtypeSetId {
        let set = self.mtype_set(Some(name));
        if self.model.mtypes[set.index()].members.is_empty() {
            let message = format!("mtype set `{}` has no names yet", name.text);
            let note = "declare `mtype:set = { ... }` above its uses";
            self.report(Diagnostic::warning("unknown-mtype-set", name.span, message).note(note));
        }
        set
    }

    pub(super) fn typedef(&mut self, typedef: &ast::Typedef) {
        match self.names.meaning(&typedef.name.text) {
            Meaning::Mtype(..) | Meaning::Typedef(_) | Meaning::Proctype(_) | Meaning::Inline => {
                self.check_new(&typedef.name);
            }
            Meaning::Variable(base) => {
                let message = format!("typedef `{}` hides a variable", typedef.name.text);
                let at = self.variable(base).span;
                self.report(
                    Diagnostic::warning("typedef-hides-variable", typedef.name.span, message).also(at, "the variable"),
                );
            }
            _ => {}
        }
        let definition = self.index.define(New::plain(&typedef.name, DefinitionKind::Typedef, typedef.span));
        self.index.begin_typedef(definition);
        let mut field_definitions = Vec::new();
        let mut fields: Vec<Variable> = Vec::new();
        let mut numbers: FxHashMap<Arc<str>, u32> = FxHashMap::default();
        for declaration in &typedef.fields {
            if let Some(span) = declaration.public {
                self.report(Diagnostic::error("public-field", span, "`public` is for variables of a proctype"));
            }
            for Declared { declarator, variable: field, definition, .. } in self.declaration(declaration, Home::Field) {
                match numbers.get(&field.name) {
                    Some(&first) => self.redeclared(&declarator.name, "a field", Some(fields[first as usize].span)),
                    None => self.check_field_name(&declarator.name),
                }
                numbers.entry(field.name.clone()).or_insert(fields.len() as u32);
                fields.push(field);
                field_definitions.push(definition);
            }
        }
        let id = StructureId(self.model.structures.len() as u32);
        self.index.end_typedef(field_definitions);
        let shape = self.shape_of(&fields, numbers);
        self.shapes.push(shape);
        self.model.structures.push(Structure { name: typedef.name.text.clone(), fields });
        self.names.typedefs.entry(typedef.name.text.clone()).or_insert(id);
    }

    /// A field may be named like a variable, but not like what SPIN's lexer takes for something else.
    fn check_field_name(&mut self, name: &Name) {
        match self.names.meaning(&name.text) {
            Meaning::Mtype(..) | Meaning::Typedef(_) | Meaning::Proctype(_) | Meaning::Inline => self.check_new(name),
            _ => {}
        }
    }
}
