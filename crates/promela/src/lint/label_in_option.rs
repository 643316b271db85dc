//! **label-in-option**: a label on the guard of an option.
//!
//! A jump to it tries this guard alone, without the other options, which is seldom meant. SPIN prints an error and goes on.
//!
//! ```promela
//! do
//! :: again: x > 0 -> x--       // put the label before the `do`
//! :: x == 0 -> break
//! od
//! ```

use super::Context;
use super::code::StatementAt;
use crate::diagnostic::Diagnostic;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for StatementAt { owner, guard, statement, .. } in &context.code.statements {
        if !guard || statement.labels.is_empty() {
            continue;
        }
        let Some(process) = context.model.owner(*owner) else { continue };
        for label in &statement.labels {
            let label = &process.labels[label.index()];
            let message = format!("label `{}` stands on the guard of an option", label.name);
            let note = "it marks this guard alone, not the whole selection; put it before the `if` or `do`";
            diagnostics.push(Diagnostic::warning("label-in-option", label.span, message).note(note));
        }
    }
}
