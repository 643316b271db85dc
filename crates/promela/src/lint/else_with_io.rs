//! **else-with-io**: an `else` beside options that send, receive, or ask whether a channel is full or empty.
//!
//! Whether such an `else` can be taken changes with every step of the other side, so partial order reduction must be off
//! around it. SPIN calls it dubious, and refuses it in a model with `xr` or `xs`.
//!
//! ```promela
//! if :: q?x -> ... :: else -> ... fi      // better: if :: nempty(q) -> q?x ... :: empty(q) -> ... fi
//! ```

use super::Context;
use super::code::StatementAt;
use crate::ast::ChannelProbe;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Block, Expr, ExprKind, StatementKind};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for StatementAt { statement, .. } in &context.code.statements {
        if let StatementKind::If(options) | StatementKind::Do(options) = &statement.kind
            && let Some(otherwise) = options.iter().find_map(Block::leading_else)
            && let Some(guard) = options.iter().find_map(talks)
        {
            let message = "`else` beside an option that communicates";
            let note = "whether it can be taken depends on the other processes; SPIN calls this dubious";
            let warning = Diagnostic::warning("else-with-io", otherwise.span, message);
            diagnostics.push(warning.also(guard, "the other option").note(note));
        }
    }
}

/// The guard of an option, if it sends, receives or probes.
fn talks(option: &Block) -> Option<Span> {
    let guard = option.statements.first()?;
    let talks = match &guard.kind {
        StatementKind::Send(_) | StatementKind::Receive(_) => true,
        StatementKind::Expression(e) | StatementKind::Assign(_, e) => probes(e),
        _ => false,
    };
    talks.then_some(guard.span)
}

fn probes(expression: &Expr) -> bool {
    struct Probes(bool);
    impl<'m> Visitor<'m> for Probes {
        fn expression(&mut self, expression: &Expr) {
            self.0 |= matches!(&expression.kind, ExprKind::Probe(probe, _) if *probe != ChannelProbe::Len);
            walk::expression(self, expression);
        }
    }
    let mut found = Probes(false);
    found.expression(expression);
    found.0
}
