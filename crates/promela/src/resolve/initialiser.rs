//! What variables start with, and the flattening of structures into their scalar parts.
//!
//! A local that is declared before the first statement of a process starts with its initial value when the process is
//! created. One declared later, or in an inner block, is set by a step of its own whenever control passes it: a scalar
//! to its initial value or zero, an array in its element 0 only, a structure not at all (the step is there, and does
//! nothing). Found with `pan -d` on SPIN 6.5.2.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Resolver;
use super::declare::Home;
use super::names::Meaning;
use crate::ast::{self, Initialiser, TypeName};
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{
    Base, ChannelSpec, Expr, ExprKind, FieldStep, Initial, Kind, LocalId, Place, Statement, StatementKind, Type,
    Variable,
};
use crate::source::Span;

/// What is asked often about a typedef.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Its fields by name.
    pub(super) fields: FxHashMap<Arc<str>, u32>,
    /// How many scalars it holds.
    pub(super) leaves: u64,
    /// How many channels come to life with it.
    pub(super) channels: u64,
    /// A field that is an array, however deep inside.
    pub(super) array: Option<Arc<str>>,
    /// A field that is an array of structures, however deep inside.
    pub(super) structure_array: Option<Arc<str>>,
}

/// More scalars than this in one message or parameter list are not flattened.
const MOST_LEAVES: u64 = 1 << 12;

/// Whether a variable comes to life with rendezvous channels.
pub(super) fn is_rendezvous(variable: &Variable) -> bool {
    matches!(&variable.initial, Initial::Channel(channel) if channel.capacity == 0)
}

impl Resolver<'_> {
    pub(super) fn shape_of(&self, fields: &[Variable], numbers: FxHashMap<Arc<str>, u32>) -> Shape {
        let mut shape = Shape { fields: numbers, leaves: 0, channels: 0, array: None, structure_array: None };
        for field in fields {
            shape.leaves = shape.leaves.saturating_add(self.leaf_count(field) as u64);
            shape.channels = shape.channels.saturating_add(self.channels_of(field));
            let inner = match field.ty {
                Type::Structure(id) => Some(&self.shapes[id.index()]),
                _ => None,
            };
            if field.length.is_some() {
                shape.array.get_or_insert_with(|| field.name.clone());
            }
            match inner {
                Some(_) if field.length.is_some() => {
                    shape.structure_array.get_or_insert_with(|| field.name.clone());
                }
                Some(inner) => {
                    shape.array = shape.array.or_else(|| inner.array.clone());
                    shape.structure_array = shape.structure_array.or_else(|| inner.structure_array.clone());
                }
                None => {}
            }
        }
        shape
    }

    /// How many scalars a variable holds.
    pub(super) fn leaf_count(&self, variable: &Variable) -> usize {
        let each = match variable.ty {
            Type::Structure(id) => self.shapes[id.index()].leaves,
            _ => 1,
        };
        usize::try_from(each.saturating_mul(u64::from(variable.length.unwrap_or(1)))).unwrap_or(usize::MAX)
    }

    /// How many channels come to life with a variable.
    pub(super) fn channels_of(&self, variable: &Variable) -> u64 {
        let each = match (&variable.initial, variable.ty) {
            (Initial::Channel(_), _) => 1,
            (_, Type::Structure(id)) => self.shapes[id.index()].channels,
            _ => 0,
        };
        each.saturating_mul(u64::from(variable.length.unwrap_or(1)))
    }

    /// Appends the types of a structure's scalars. `false` (and a report) if it cannot be flattened.
    pub(super) fn flatten_types(&mut self, ty: Type, span: Span, types: &mut Vec<Type>) -> bool {
        let Type::Structure(id) = ty else {
            types.push(ty);
            return true;
        };
        if !self.can_flatten(ty, span) {
            return false;
        }
        for index in 0..self.structure(id).fields.len() {
            let field = &self.structure(id).fields[index];
            let (ty, length) = (field.ty, field.length.unwrap_or(1));
            for _ in 0..length {
                self.flatten_types(ty, span, types);
            }
        }
        true
    }

    /// Appends the places of a structure's scalars.
    pub(super) fn flatten_place(&self, place: Place, places: &mut Vec<Place>) {
        let Type::Structure(id) = place.ty else {
            places.push(place);
            return;
        };
        for (number, field) in self.structure(id).fields.iter().enumerate() {
            for element in 0..field.length.unwrap_or(1) {
                let mut inner = place.clone();
                let index = field.length.map(|_| Box::new(constant(element as i32, place.span)));
                inner.fields.push(FieldStep { field: number as u32, index });
                inner.ty = field.ty;
                self.flatten_place(inner, places);
            }
        }
    }

    /// Whether a value of this type can be a message field or argument; reports if not.
    pub(super) fn can_flatten(&mut self, ty: Type, span: Span) -> bool {
        let Type::Structure(id) = ty else { return true };
        let shape = &self.shapes[id.index()];
        let problem = if let Some(field) = &shape.structure_array {
            format!("a structure with an array of structures, here `{field}`, cannot be part of a message")
        } else if shape.leaves > MOST_LEAVES {
            format!("a structure of {} numbers is too large for a message", shape.leaves)
        } else {
            return true;
        };
        if self.unsendable.insert(id) {
            self.report(Diagnostic::error("structure-in-message", span, problem));
        }
        false
    }

    /// What a declared variable starts with. A local behind a statement starts with zero; [`Resolver::late_value`] is
    /// what its step sets it to.
    pub(super) fn initial(
        &mut self,
        declarator: &ast::Declarator,
        ty: Type,
        length: Option<u32>,
        home: Home,
    ) -> Initial {
        let Some(initialiser) = &declarator.initialiser else { return Initial::Zero };
        let late = home == Home::Local && self.body.as_ref().is_some_and(|body| !body.at_start);
        match initialiser {
            Initialiser::Channel(channel) => self.initial_channel(declarator, channel, ty, late),
            Initialiser::List(values, span) => self.initial_list(declarator, values, *span, length, late),
            Initialiser::Expression(value) => {
                if home == Home::Field && !self.is_constant(value) {
                    let message = "the initial value of a field must be a constant";
                    self.report(Diagnostic::error("field-initial-value", value.span, message));
                    return Initial::Zero;
                }
                if matches!(ty, Type::Structure(_)) {
                    self.initial_value(declarator, value, ty);
                    let message = format!("structure `{}` cannot have an initial value", declarator.name.text);
                    let note = "SPIN ignores it; give the fields of the typedef initial values";
                    self.report(Diagnostic::warning("structure-initial-value", value.span, message).note(note));
                    return Initial::Zero;
                }
                if late {
                    return Initial::Zero;
                }
                Initial::Value(self.initial_value(declarator, value, ty))
            }
        }
    }

    /// The initial value as an expression of the process, checked as one.
    fn initial_value(&mut self, declarator: &ast::Declarator, value: &ast::Expr, ty: Type) -> Expr {
        let resolved = self.expression(value);
        if let Some(span) = first_run(&resolved) {
            let message = "`run` cannot be used in an initial value";
            self.report(Diagnostic::error("run-in-initial-value", span, message));
        }
        if let Some(span) = first_remote(&resolved) {
            self.beyond_spin(span, "a reference into another process in an initial value");
        }
        self.check_channel_arithmetic(&resolved);
        if ty == Type::Chan && matches!(resolved.kind, ExprKind::Constant(_)) {
            let message = format!("channel `{}` starts as a number", declarator.name.text);
            let note = "write `[capacity] of { types }` to create a channel";
            self.report(Diagnostic::warning("number-as-channel", value.span, message).note(note));
        }
        resolved
    }

    fn initial_channel(
        &mut self,
        declarator: &ast::Declarator,
        channel: &ast::ChannelInitialiser,
        ty: Type,
        late: bool,
    ) -> Initial {
        let name = &declarator.name.text;
        if ty != Type::Chan {
            let message = format!("`{name}` is no channel, so it cannot start as one");
            self.report(Diagnostic::error("channel-for-number", channel.span, message));
            return Initial::Zero;
        }
        if late {
            let message = format!("channel `{name}` is created behind a statement or in an inner block");
            let note = "channels are created when their process is: declare it at the start of the process";
            self.report(Diagnostic::error("late-channel", declarator.span, message).note(note));
        }
        let capacity = self.constant_expression(&channel.capacity, "a channel's capacity").unwrap_or(0);
        if capacity < 0 {
            let message = format!("a capacity of {capacity}");
            let note = "SPIN's verifier treats such a channel as one of capacity 1";
            self.report(Diagnostic::warning("negative-capacity", channel.capacity.span, message).note(note));
        }
        let mut fields = Vec::new();
        let mut groups = Vec::new();
        for (field, span) in &channel.fields {
            let before = fields.len();
            if *field == TypeName::Unsigned {
                self.report(Diagnostic::error("unsigned-in-message", *span, "`unsigned` cannot be a message field"));
                fields.push(Type::Byte);
            } else {
                // A type that was refused counts as one field, so that nothing follows from the mistake.
                let ty = self.type_named(field, *span).unwrap_or(Type::Byte);
                self.flatten_types(ty, *span, &mut fields);
            }
            groups.push((fields.len() - before) as u32);
        }
        if let [(TypeName::User(name), _)] = &*channel.fields
            && let Meaning::Typedef(id) = self.names.meaning(&name.text)
        {
            self.structure_channels.insert(declarator.span, id);
        }
        self.widest_message = self.widest_message.max(fields.len());
        let capacity = u32::try_from(capacity).unwrap_or(1);
        Initial::Channel(ChannelSpec { capacity, fields, groups })
    }

    fn initial_list(
        &mut self,
        declarator: &ast::Declarator,
        values: &[ast::Expr],
        span: Span,
        length: Option<u32>,
        late: bool,
    ) -> Initial {
        let name = &declarator.name.text;
        let Some(length) = length else {
            if declarator.length.is_none() {
                let message = format!("`{name}` is no array, so it cannot have a list of initial values");
                self.report(Diagnostic::error("list-for-scalar", span, message));
            }
            return Initial::Zero;
        };
        if late {
            let message = format!("array `{name}` gets a list of values behind a statement or in an inner block");
            let note = "declare it at the start of the process, or assign its elements one by one";
            self.report(Diagnostic::error("late-list", span, message).note(note));
        }
        let mut numbers = Vec::with_capacity(values.len());
        for value in values {
            if let Some(number) = self.constant_expression(value, "an element of a list of initial values") {
                numbers.push(number);
            }
        }
        let elements = super::counted(length as usize, "element");
        if values.len() > length as usize {
            let message = format!("{} values for {elements}", values.len());
            self.report(Diagnostic::warning("list-too-long", span, message).note("the last ones are ignored"));
            numbers.truncate(length as usize);
        } else if values.len() < length as usize {
            let message = format!("{} for {elements}", super::counted(values.len(), "value"));
            let note = "the last value is repeated for the elements that have none";
            self.report(Diagnostic::warning("list-too-short", span, message).note(note));
            numbers.resize(length as usize, numbers.last().copied().unwrap_or(0));
        }
        Initial::List(numbers)
    }

    /// The value that the step of a declaration behind a statement assigns, if it was written.
    pub(super) fn late_value(&mut self, declarator: &ast::Declarator, ty: Type) -> Option<Expr> {
        match &declarator.initialiser {
            Some(Initialiser::Expression(value)) if !matches!(ty, Type::Structure(_)) => {
                if declarator.length.is_some() {
                    let message = format!("only element 0 of array `{}` gets this value", declarator.name.text);
                    let note = "SPIN 6.5.2 does so behind a statement or in an inner block; assign the others yourself";
                    let warning = Diagnostic::warning("late-array-value", declarator.span, message);
                    self.report(warning.note(note));
                }
                Some(self.initial_value(declarator, value, ty))
            }
            _ => None,
        }
    }

    /// The step that a declaration behind a statement makes.
    pub(super) fn late_step(&self, id: LocalId, value: Option<Expr>) -> Statement {
        let base = Base::Local(id);
        let Variable { ty, length, span, .. } = *self.variable(base);
        let kind = if matches!(ty, Type::Structure(_)) {
            StatementKind::Expression(constant(1, span))
        } else {
            let index = length.map(|_| Box::new(constant(0, span)));
            let place = Place { base, owner: None, index, fields: Vec::new(), ty, span };
            StatementKind::Assign(place, value.unwrap_or_else(|| constant(0, span)))
        };
        Statement { labels: Vec::new(), kind, span }
    }
}

/// A constant that no text stands for by itself.
pub(super) fn constant(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Constant(value), meaning: Kind::Number, span }
}

/// The first `run` in an expression.
pub(super) fn first_run(expression: &Expr) -> Option<Span> {
    first(expression, |kind| matches!(kind, ExprKind::Run(_)))
}

fn first_remote(expression: &Expr) -> Option<Span> {
    first(expression, |kind| matches!(kind, ExprKind::RemoteLabel(_) | ExprKind::RemoteVariable(_)))
}

fn first(expression: &Expr, wanted: fn(&ExprKind) -> bool) -> Option<Span> {
    struct Finder(fn(&ExprKind) -> bool, Option<Span>);
    impl<'m> Visitor<'m> for Finder {
        fn expression(&mut self, expression: &Expr) {
            if self.0(&expression.kind) {
                self.1.get_or_insert(expression.span);
            }
            walk::expression(self, expression);
        }
    }
    let mut finder = Finder(wanted, None);
    finder.expression(expression);
    finder.1
}
