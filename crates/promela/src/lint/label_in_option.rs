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
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Label, Statement, StatementKind};

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        walk::block(&mut LabelInOption { labels: &process.labels, diagnostics }, &process.body);
    }
}

struct LabelInOption<'m, 'd> {
    labels: &'m [Label],
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Visitor for LabelInOption<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::If(options) | StatementKind::Do(options) = &statement.kind {
            let guards = options.iter().filter_map(|option| option.statements.first());
            for label in guards.flat_map(|guard| &guard.labels) {
                let label = &self.labels[label.index()];
                let message = format!("label `{}` stands on the guard of an option", label.name);
                let note = "it marks this guard alone, not the whole selection; put it before the `if` or `do`";
                self.diagnostics.push(Diagnostic::warning("label-in-option", label.span, message).note(note));
            }
        }
        walk::statement(self, statement);
    }
}
