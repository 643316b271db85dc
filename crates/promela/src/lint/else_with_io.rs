//! **else-with-io**: an `else` beside options that send, receive, or ask whether a channel is full or empty.
//!
//! Whether such an `else` can be taken changes with every step of the other side, so partial order reduction must be off
//! around it. SPIN calls it dubious, and refuses it in a model with `xr` or `xs`.
//!
//! ```promela
//! if :: q?x -> ... :: else -> ... fi      // better: if :: nempty(q) -> q?x ... :: empty(q) -> ... fi
//! ```

use super::Context;
use crate::ast::ChannelProbe;
use crate::diagnostic::Diagnostic;
use crate::model::visit::{Visitor, walk};
use crate::model::{Block, Expr, ExprKind, Role, Statement, StatementKind};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for (_, process) in context.model.owners() {
        if process.role != Role::Trace {
            walk::block(&mut ElseWithIo(diagnostics), &process.body);
        }
    }
}

struct ElseWithIo<'d>(&'d mut Vec<Diagnostic>);

impl Visitor for ElseWithIo<'_> {
    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::If(options) | StatementKind::Do(options) = &statement.kind
            && let Some(span) = options.last().and_then(|option| option.statements.first()).and_then(else_span)
            && let Some(guard) = options.iter().find_map(talks)
        {
            let message = "`else` beside an option that communicates";
            let note = "whether it can be taken depends on the other processes; SPIN calls this dubious";
            let warning = Diagnostic::warning("else-with-io", span, message);
            self.0.push(warning.also(guard, "the other option").note(note));
        }
        walk::statement(self, statement);
    }
}

fn else_span(statement: &Statement) -> Option<Span> {
    matches!(statement.kind, StatementKind::Else).then_some(statement.span)
}

/// The guard of an option, if it sends, receives or probes.
fn talks(option: &Block) -> Option<Span> {
    let guard = option.statements.first()?;
    let talks = match &guard.kind {
        StatementKind::Send(_) | StatementKind::Receive(_) => true,
        StatementKind::Expression(e) => probes(e),
        StatementKind::Assign(_, e) => probes(e),
        _ => false,
    };
    talks.then_some(guard.span)
}

fn probes(expression: &Expr) -> bool {
    struct Probes(bool);
    impl Visitor for Probes {
        fn expression(&mut self, expression: &Expr) {
            self.0 |= matches!(&expression.kind, ExprKind::Probe(probe, _) if *probe != ChannelProbe::Len);
            walk::expression(self, expression);
        }
    }
    let mut found = Probes(false);
    found.expression(expression);
    found.0
}
