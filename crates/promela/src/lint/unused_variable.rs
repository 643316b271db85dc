//! **unused-variable**, **unread-variable**: a variable that nothing uses, or whose value nothing ever looks at.
//!
//! An unused variable costs nothing, but is often a misspelling of another; one that is only assigned makes states
//! different that are the same to everyone, so the search grows for nothing.
//!
//! ```promela
//! init { byte count; byte cuont; cuont = 1 }   // `count` is never used, `cuont` never read
//! ```
//! Models with embedded C are left alone: C may use any variable.

use super::Context;
use super::usage::Uses;
use crate::diagnostic::Diagnostic;
use crate::model::{Base, GlobalId, LocalId, Owner, Role, Type, Variable};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if context.model.features.embedded_c {
        return;
    }
    for (number, variable) in context.model.globals.iter().enumerate() {
        let uses = context.usage.uses(Owner::Trace, Base::Global(GlobalId(number as u32)));
        diagnostics.extend(judge(variable, uses, "variable"));
    }
    for (owner, process) in context.model.owners() {
        for (number, variable) in process.locals.iter().enumerate() {
            if process.role == Role::Trace {
                // In a trace, a variable only marks a field that may have any value.
                continue;
            }
            let uses = context.usage.uses(owner, Base::Local(LocalId(number as u32)));
            let what = if number < process.parameters { "parameter" } else { "variable" };
            diagnostics.extend(judge(variable, uses, what));
        }
    }
}

fn judge(variable: &Variable, uses: Uses, what: &str) -> Option<Diagnostic> {
    let Variable { name, span, .. } = variable;
    if name.starts_with('_') || variable.external.is_some() || variable.public {
        return None;
    }
    if uses == Uses::default() {
        let what = if variable.ty == Type::Chan && what == "variable" { "channel" } else { what };
        return Some(Diagnostic::warning("unused-variable", *span, format!("{what} `{name}` is never used")));
    }
    let looked_at = uses.reads + uses.sends + uses.receives + uses.probes;
    if looked_at > 0 || matches!(variable.ty, Type::Structure(_)) {
        return None;
    }
    let message = format!("{what} `{name}` is assigned, but its value is never read");
    let note = "its values still make states different; if that is meant, start its name with `_`";
    Some(Diagnostic::warning("unread-variable", *span, message).note(note))
}
