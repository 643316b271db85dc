//! **unused-label**: a label that no `goto` names, no other process asks for, and whose name means nothing to SPIN.
//!
//! Labels that start with `end`, `accept` or `progress` mark states, so a misspelled one loses its meaning silently:
//!
//! ```promela
//! proctype Server() { ned: do :: q?x od }   // meant `end:`; now the server is reported as stuck
//! ```

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Statement, StatementKind};
use crate::resolve::is_special;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        let mut targets = Targets(vec![false; process.labels.len()]);
        walk::block(&mut targets, &process.body);
        for (label, used) in process.labels.iter().zip(targets.0) {
            if !used && !label.remote && !is_special(&label.name) && !label.name.starts_with('_') {
                let message = format!("label `{}` is never used", label.name);
                diagnostics.push(Diagnostic::warning("unused-label", label.span, message));
            }
        }
    }
}

struct Targets(Vec<bool>);

impl Visitor for Targets {
    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::Goto(label) = statement.kind {
            self.0[label.index()] = true;
        }
        walk::statement(self, statement);
    }
}
