//! **index-bounds**: a constant index outside its array. Executing it is an error.
//!
//! ```promela
//! byte a[3];
//! init { a[3] = 1 }   // the elements are a[0] to a[2]
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::{Expr, ExprKind, Model, Owner, Place, Type, Variable};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for at in &context.code.places {
        check_place(context.model, at.place, at.owner, diagnostics);
    }
    for at in &context.code.expressions {
        if let ExprKind::RemoteVariable(remote) = &at.expression.kind {
            check_place(context.model, &remote.place, Owner::Process(remote.process), diagnostics);
        }
    }
}

fn check_place(model: &Model, place: &Place, owner: Owner, diagnostics: &mut Vec<Diagnostic>) {
    if place.index.is_none() && place.fields.is_empty() {
        return;
    }
    let Some(mut variable) = model.variable(place.base, owner) else { return };
    diagnostics.extend(check_index(variable, place.index.as_deref()));
    for step in &place.fields {
        let Type::Structure(id) = variable.ty else { return };
        variable = &model.structures[id.index()].fields[step.field as usize];
        diagnostics.extend(check_index(variable, step.index.as_deref()));
    }
}

fn check_index(variable: &Variable, index: Option<&Expr>) -> Option<Diagnostic> {
    let (length, index) = (variable.length?, index?);
    let ExprKind::Constant(value) = index.kind else { return None };
    if value >= 0 && (value as u32) < length {
        return None;
    }
    let message = format!("array `{}` has no element {value}", variable.name);
    let note = match length {
        1 => "its only element is number 0".to_owned(),
        _ => format!("its elements are numbered from 0 to {}", length - 1),
    };
    let warning = Diagnostic::warning("index-bounds", index.span, message);
    Some(warning.also(variable.span, "declared here").note(note))
}
