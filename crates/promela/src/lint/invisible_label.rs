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
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Label, Statement, StatementKind};
use crate::resolve::is_special;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        let mut rule = Invisible { labels: &process.labels, inside: Inside::Neither, diagnostics };
        walk::block(&mut rule, &process.body);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Neither,
    Atomic,
    DStep,
}

struct Invisible<'m, 'd> {
    labels: &'m [Label],
    inside: Inside,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Visitor for Invisible<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        for label in &statement.labels {
            self.judge(&self.labels[label.index()]);
        }
        let outside = self.inside;
        self.inside = match (&statement.kind, outside) {
            (StatementKind::DStep(_), _) | (_, Inside::DStep) => Inside::DStep,
            (StatementKind::Atomic(_), _) => Inside::Atomic,
            _ => outside,
        };
        walk::statement(self, statement);
        self.inside = outside;
    }
}

impl Invisible<'_, '_> {
    fn judge(&mut self, label: &Label) {
        let message = match self.inside {
            Inside::DStep if is_special(&label.name) => {
                format!("label `{}` has no effect inside a `d_step`", label.name)
            }
            Inside::DStep if label.remote => {
                format!("no process is ever seen at label `{}` inside a `d_step`", label.name)
            }
            Inside::Atomic if label.remote => {
                format!("a process is rarely seen at label `{}` inside an `atomic`", label.name)
            }
            _ => return,
        };
        let note = "the states inside are passed in one go";
        self.diagnostics.push(Diagnostic::warning("invisible-label", label.span, message).note(note));
    }
}
