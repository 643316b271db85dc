//! **unreachable-code**: a statement that control never reaches.
//!
//! ```promela
//! do
//! :: q?x -> goto done; x = 0    // `x = 0` is never executed
//! od;
//! x = 1                         // nor is this: nothing breaks out of the loop
//! ```
//! Only what the shape of the code shows: whether a condition can ever hold is for the search to tell.

use super::Context;
use crate::diagnostic::Diagnostic;
use crate::model::{Block, ExprKind, Statement, StatementKind};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        flow(&process.body, diagnostics);
    }
}

/// How control can leave a piece of code.
#[derive(Clone, Copy, Default)]
struct Flow {
    /// At its end.
    falls_through: bool,
    /// By a `break` of the loop around it.
    breaks: bool,
}

fn flow(block: &Block, diagnostics: &mut Vec<Diagnostic>) -> Flow {
    let mut result = Flow { falls_through: true, breaks: false };
    let mut previous: Option<&Statement> = None;
    for statement in &block.statements {
        if !result.falls_through {
            if let Some(previous) = previous.filter(|_| !has_label(statement)) {
                report(previous, statement.span, diagnostics);
            }
            // Once is enough, and what a label makes reachable, is.
            result.falls_through = true;
        }
        let inner = flow_of(statement, diagnostics);
        result = Flow { falls_through: inner.falls_through, breaks: result.breaks || inner.breaks };
        previous = Some(statement);
    }
    result
}

fn flow_of(statement: &Statement, diagnostics: &mut Vec<Diagnostic>) -> Flow {
    let mut any = |blocks: &mut dyn Iterator<Item = &Block>| {
        blocks.fold(Flow::default(), |sum, block| {
            let one = flow(block, diagnostics);
            Flow { falls_through: sum.falls_through || one.falls_through, breaks: sum.breaks || one.breaks }
        })
    };
    match &statement.kind {
        StatementKind::Goto(_) => Flow::default(),
        StatementKind::Break => Flow { falls_through: false, breaks: true },
        StatementKind::Expression(e) if matches!(e.kind, ExprKind::Constant(0)) => Flow::default(),
        StatementKind::If(options) => any(&mut options.iter()),
        StatementKind::Do(options) => Flow { falls_through: any(&mut options.iter()).breaks, breaks: false },
        StatementKind::Unless(main, escape) => any(&mut [main, escape].into_iter()),
        StatementKind::Atomic(inner) | StatementKind::DStep(inner) | StatementKind::Block(inner) => {
            any(&mut std::iter::once(inner))
        }
        _ => Flow { falls_through: true, breaks: false },
    }
}

fn has_label(statement: &Statement) -> bool {
    let inside = |block: &Block| block.statements.iter().any(has_label);
    !statement.labels.is_empty()
        || match &statement.kind {
            StatementKind::If(options) | StatementKind::Do(options) => options.iter().any(inside),
            StatementKind::Unless(main, escape) => inside(main) || inside(escape),
            StatementKind::Atomic(block) | StatementKind::DStep(block) | StatementKind::Block(block) => inside(block),
            _ => false,
        }
}

fn report(previous: &Statement, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    // What sugar put behind the last statement of its body stands before it in the text, and is nobody's fault.
    let written_behind = span.expansion != previous.span.expansion || span.start >= previous.span.start;
    if !written_behind || span == previous.span {
        return;
    }
    let reason = match &previous.kind {
        StatementKind::Goto(_) => "control always jumps away here",
        StatementKind::Break => "control always leaves the loop here",
        StatementKind::Expression(_) => "this is never true",
        StatementKind::Do(_) => "nothing breaks out of this loop",
        _ => "control never passes this",
    };
    let warning = Diagnostic::warning("unreachable-code", span, "this is never executed");
    // A loop may be long; its first word is enough to find it.
    let at = match &previous.kind {
        StatementKind::Do(_) => Span { end: (previous.span.start + 2).min(previous.span.end), ..previous.span },
        _ => previous.span,
    };
    diagnostics.push(warning.also(at, reason));
}
