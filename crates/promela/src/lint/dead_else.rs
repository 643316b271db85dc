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
use crate::model::{Block, ExprKind, StatementKind};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for at in &context.code.statements {
        match &at.statement.kind {
            StatementKind::If(options) | StatementKind::Do(options) => diagnostics.extend(selection(options)),
            StatementKind::Else if !at.guard => {
                let message = "`else` outside the guard of an option is always true";
                diagnostics.push(Diagnostic::warning("misplaced-else", at.statement.span, message));
            }
            _ => {}
        }
    }
}

fn selection(options: &[Block]) -> Option<Diagnostic> {
    let span = options.iter().find_map(Block::leading_else)?.span;
    let always = options.iter().find_map(always_executable)?;
    let warning = Diagnostic::warning("dead-else", span, "this `else` is never taken");
    Some(warning.also(always, "this can always be executed"))
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
