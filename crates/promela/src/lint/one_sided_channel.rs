//! **one-sided-channel**: messages that are sent and never received, or awaited and never sent.
//!
//! Only for channels that are used under their own name and nowhere copied, so that nobody else can be at the other end.
//!
//! ```promela
//! chan log = [8] of { byte };
//! active proctype P() { do :: log!1 od }      // blocks when 8 messages are in `log`
//! ```

use super::Context;
use super::usage::Uses;
use crate::diagnostic::Diagnostic;
use crate::model::{Base, GlobalId, Initial, LocalId, Owner, Variable};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if context.model.features.embedded_c {
        return;
    }
    for (number, variable) in context.model.globals.iter().enumerate() {
        let uses = context.usage.uses(Owner::Trace, Base::Global(GlobalId(number as u32)));
        diagnostics.extend(judge(variable, uses));
    }
    for (owner, process) in context.model.owners() {
        for (number, variable) in process.locals.iter().enumerate() {
            let uses = context.usage.uses(owner, Base::Local(LocalId(number as u32)));
            diagnostics.extend(judge(variable, uses));
        }
    }
}

fn judge(variable: &Variable, uses: Uses) -> Option<Diagnostic> {
    let Variable { name, span, .. } = variable;
    if !matches!(variable.initial, Initial::Channel(_))
        || uses.reads > 0
        || variable.external.is_some()
        || variable.public
    {
        return None;
    }
    let message = match uses {
        Uses { sends: 1.., receives: 0, .. } => format!("what is sent to `{name}` is never received"),
        Uses { sends: 0, receives: 1.., .. } => format!("nothing is ever sent to `{name}`"),
        _ => return None,
    };
    (!name.starts_with('_')).then(|| Diagnostic::warning("one-sided-channel", *span, message))
}
