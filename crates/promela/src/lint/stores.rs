//! Where values go: every value with the type of what it is stored in, by assignment, initial value, message or `run`.

use super::code::Code;
use crate::model::{Expr, ExprKind, Initial, Model, StatementKind, Type};

/// A value and the type of its target.
#[derive(Clone, Copy)]
pub(super) struct Store<'m> {
    pub(super) ty: Type,
    pub(super) value: &'m Expr,
}

/// All stores of a model. Values for channels of unknown type are left out.
pub(super) fn stores<'m>(model: &'m Model, code: &Code<'m>) -> Vec<Store<'m>> {
    let mut found = Vec::new();
    let locals = model.owners().flat_map(|(_, process)| &process.locals);
    let fields = model.structures.iter().flat_map(|structure| &structure.fields);
    for variable in model.globals.iter().chain(locals).chain(fields) {
        if let Initial::Value(value) = &variable.initial {
            found.push(Store { ty: variable.ty, value });
        }
    }
    for at in &code.statements {
        match &at.statement.kind {
            StatementKind::Assign(place, value) => found.push(Store { ty: place.ty, value }),
            StatementKind::Send(send) => {
                let types = model.message_types(&send.channel, at.owner).unwrap_or_default();
                found.extend(send.arguments.iter().zip(types).map(|(value, ty)| Store { ty, value }));
            }
            _ => {}
        }
    }
    for at in &code.expressions {
        if let ExprKind::Run(run) = &at.expression.kind {
            let process = &model.processes[run.process.index()];
            let parameters = &process.locals[..process.parameters];
            // With structures among them, arguments and parameters are not one to one.
            if parameters.len() == run.arguments.len() {
                let pairs = parameters.iter().zip(&run.arguments);
                found.extend(pairs.map(|(parameter, value)| Store { ty: parameter.ty, value }));
            }
        }
    }
    found
}
