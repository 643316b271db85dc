//! **dead-else**, **misplaced-else**: an `else` that is never taken, or that stands where it is always taken.
//!
//! ```promela
//! if
//! :: x = 1 -> ...      // an assignment is always executable ...
//! :: else -> ...       // ... so this is never taken; perhaps `x == 1` was meant
//! fi
//! ```
//! Anywhere but first in an option of `if` or `do`, `else` is simply true.

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Block, ExprKind, Statement, StatementKind};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        walk::block(&mut DeadElse(diagnostics), &process.body);
    }
}

struct DeadElse<'d>(&'d mut Vec<Diagnostic>);

impl Visitor for DeadElse<'_> {
    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::If(options) | StatementKind::Do(options) => {
                self.selection(options);
                for option in options {
                    let own_else = usize::from(else_of(option).is_some());
                    option.statements[own_else..].iter().for_each(|inner| self.statement(inner));
                }
            }
            StatementKind::Else => {
                let message = "`else` outside the guard of an option is always true";
                self.0.push(Diagnostic::warning("misplaced-else", statement.span, message));
            }
            _ => walk::statement(self, statement),
        }
    }
}

impl DeadElse<'_> {
    fn selection(&mut self, options: &[Block]) {
        let Some(span) = options.iter().find_map(else_of) else { return };
        let Some(always) = options.iter().find_map(always_executable) else { return };
        let warning = Diagnostic::warning("dead-else", span, "this `else` is never taken");
        self.0.push(warning.also(always, "this can always be executed"));
    }
}

fn else_of(option: &Block) -> Option<Span> {
    let first = option.statements.first()?;
    matches!(first.kind, StatementKind::Else).then_some(first.span)
}

/// The guard of an option, if nothing can ever block it.
fn always_executable(option: &Block) -> Option<Span> {
    let first = option.statements.first()?;
    let always = match &first.kind {
        StatementKind::Expression(e) => matches!(e.kind, ExprKind::Constant(value) if value != 0),
        StatementKind::Assign(..)
        | StatementKind::Discard(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Assert(_)
        | StatementKind::Printf(..)
        | StatementKind::Printm(..)
        | StatementKind::SetPriority(..) => true,
        StatementKind::Atomic(inner) | StatementKind::DStep(inner) | StatementKind::Block(inner) => {
            return always_executable(inner);
        }
        _ => false,
    };
    always.then_some(first.span)
}
