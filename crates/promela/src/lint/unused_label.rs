//! **unused-label**: a label that no `goto` names, no other process asks for, and whose name means nothing to SPIN.
//!
//! Labels that start with `end`, `accept` or `progress` mark states, so a misspelled one loses its meaning silently:
//!
//! ```promela
//! proctype Server() { ned: do :: q?x od }   // meant `end:`; now the server is reported as stuck
//! ```
//!
//! Labels that start with `danger` guide a directed search, and are no mistake either.

use rustc_hash::FxHashSet;

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::{LabelId, StatementKind};
use crate::resolve::is_special;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let jumps = context.code.statements.iter().filter_map(|at| match at.statement.kind {
        StatementKind::Goto(label) => Some((at.owner, label)),
        _ => None,
    });
    let targets: FxHashSet<_> = jumps.collect();
    for (owner, process) in context.model.owners() {
        for (number, label) in process.labels.iter().enumerate() {
            let used = label.remote || targets.contains(&(owner, LabelId(number as u32)));
            let is_meant = is_special(&label.name) || label.name.starts_with('_') || label.name.starts_with("danger");
            if !used && !is_meant {
                let message = format!("label `{}` is never used", label.name);
                let note = "SPIN gives a meaning only to labels that start with `end`, `accept` or `progress`";
                diagnostics.push(Diagnostic::warning("unused-label", label.span, message).note(note));
            }
        }
    }
}
