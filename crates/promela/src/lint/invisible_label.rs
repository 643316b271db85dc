//! **invisible-label**: a label that marks a state which nobody sees.
//!
//! The states inside a `d_step` do not exist for the search, and those inside an `atomic` only in part, so an `end`,
//! `accept` or `progress` label inside a `d_step`, or a label inside either that another process asks for, has no or
//! little effect.
//!
//! ```promela
//! d_step { x = 1; progress: y = 2 }      // no progress is ever seen
//! ```

use super::Context;
use super::code::{Inside, StatementAt};
use crate::diagnostic::Diagnostic;
use crate::model::Label;
use crate::resolve::is_special;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for StatementAt { owner, inside, statement, .. } in &context.code.statements {
        if statement.labels.is_empty() || *inside == Inside::Neither {
            continue;
        }
        let Some(process) = context.model.owner(*owner) else { continue };
        let labels = statement.labels.iter().map(|label| &process.labels[label.index()]);
        diagnostics.extend(labels.filter_map(|label| judge(label, *inside)));
    }
}

fn judge(label: &Label, inside: Inside) -> Option<Diagnostic> {
    let name = &label.name;
    let message = match inside {
        Inside::Atomic if label.remote => format!("a process is rarely seen at label `{name}` inside an `atomic`"),
        // An `end` label counts where the sequence waits, which is what it is for.
        Inside::Atomic if is_special(name) && !name.starts_with("end") => {
            format!("label `{name}` inside an `atomic` counts only where the sequence waits there")
        }
        Inside::Atomic | Inside::Neither => return None,
        Inside::DStep | Inside::DStepGuard if is_special(name) => {
            format!("label `{name}` has no effect inside a `d_step`")
        }
        Inside::DStep | Inside::DStepGuard if label.remote => {
            format!("no process is ever seen at label `{name}` inside a `d_step`")
        }
        Inside::DStep | Inside::DStepGuard => return None,
    };
    let note = "the states inside are passed in one go";
    Some(Diagnostic::warning("invisible-label", label.span, message).note(note))
}
