//! **index-bounds**: a constant index outside its array. Executing it is an error.
//!
//! ```promela
//! byte a[3];
//! init { a[3] = 1 }   // the elements are a[0] to a[2]
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Access, Visitor, walk};
use crate::model::{Expr, ExprKind, Model, Owner, Place, Type, Variable};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut rule = Bounds { model: context.model, owner: Owner::Trace, diagnostics };
    context.walk(&mut rule, |rule, owner| rule.owner = owner);
}

struct Bounds<'m, 'd> {
    model: &'m Model,
    owner: Owner,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Bounds<'_, '_> {
    fn check_place(&mut self, place: &Place, owner: Owner) {
        let Some(mut variable) = self.model.variable(place.base, owner) else { return };
        self.check_index(variable, place.index.as_deref());
        for step in &place.fields {
            let Type::Structure(id) = variable.ty else { return };
            variable = &self.model.structures[id.index()].fields[step.field as usize];
            self.check_index(variable, step.index.as_deref());
        }
    }

    fn check_index(&mut self, variable: &Variable, index: Option<&Expr>) {
        let (Some(length), Some(index)) = (variable.length, index) else { return };
        let ExprKind::Constant(value) = index.kind else { return };
        if value >= 0 && (value as u32) < length {
            return;
        }
        let message = format!("array `{}` has no element {value}", variable.name);
        let note = match length {
            1 => "its only element is number 0".to_owned(),
            _ => format!("its elements are numbered from 0 to {}", length - 1),
        };
        let warning = Diagnostic::warning("index-bounds", index.span, message);
        self.diagnostics.push(warning.also(variable.span, "declared here").note(note));
    }
}

impl Visitor for Bounds<'_, '_> {
    fn place(&mut self, place: &Place, _: Access) {
        self.check_place(place, self.owner);
        walk::place(self, place);
    }

    fn expression(&mut self, expression: &Expr) {
        if let ExprKind::RemoteVariable(remote) = &expression.kind {
            self.check_place(&remote.place, Owner::Process(remote.process));
        }
        walk::expression(self, expression);
    }
}
