//! What a use of a macro or inline became.

use std::sync::Arc;

use crate::Loaded;
use crate::ast::{Ast, Block, InlineCall, Statement, StatementKind, Step, Unit};
use crate::print::print_block;
use crate::source::{Expansion, ExpansionKind, Position, Span};
use crate::token::Token;

/// The text that a use of a macro or inline became.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpandedText {
    /// Macro or inline.
    pub kind: ExpansionKind,
    /// Its name.
    pub name: Arc<str>,
    /// The use: the name and, where there are any, the arguments.
    pub call: Span,
    /// The name in the definition.
    pub definition: Span,
    /// What it became, all further macros and inlines in it expanded too.
    pub text: String,
}

impl Loaded {
    /// The innermost use of a macro or inline that holds a place, and what it became. In the text of a macro or inline that
    /// is itself used several times, the first use counts.
    #[must_use]
    pub fn expansion_at(&self, position: Position) -> Option<ExpandedText> {
        let at = self.sources.absolute(position);
        let holds = |expansion: &&Expansion| {
            expansion.kind != ExpansionKind::Argument && expansion.call.start <= at && at < expansion.call.end
        };
        let innermost = |expansion: &&Expansion| expansion.call.end - expansion.call.start;
        let found = self.sources.expansions().iter().filter(holds).min_by_key(innermost)?;
        let text = match found.kind {
            ExpansionKind::Inline => print_block(&call_at(&self.ast, found.call)?.body),
            ExpansionKind::Macro | ExpansionKind::Argument => self.macro_text(found.call),
        };
        let Expansion { kind, call, definition, .. } = *found;
        Some(ExpandedText { kind, name: found.name.clone(), call, definition, text })
    }

    /// The tokens that a use of a macro left.
    fn macro_text(&self, call: Span) -> String {
        let mut text = String::new();
        for token in self.index.expanded.iter().filter(|token| self.comes_from(token, call)) {
            if token.space_before && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        text
    }

    fn comes_from(&self, token: &Token, call: Span) -> bool {
        let outwards = |span: &Span| self.sources.expansion(*span).map(|expansion| expansion.call);
        std::iter::successors(outwards(&token.span), outwards).any(|each| each == call)
    }
}

/// The use of an inline with this text.
fn call_at(ast: &Ast, call: Span) -> Option<&InlineCall> {
    ast.units.iter().find_map(|unit| match unit {
        Unit::Proctype(proctype) => call_in(&proctype.body, call),
        Unit::Init(init) => call_in(&init.body, call),
        Unit::Never(claim) => call_in(&claim.body, call),
        Unit::Trace(trace) => call_in(&trace.body, call),
        _ => None,
    })
}

fn call_in(block: &Block, call: Span) -> Option<&InlineCall> {
    block.steps.iter().find_map(|step| match step {
        Step::Statement(statement) => call_in_statement(statement, call),
        Step::Declaration(_) | Step::Mtype(_) | Step::Exclusive(_) => None,
    })
}

fn call_in_statement(statement: &Statement, call: Span) -> Option<&InlineCall> {
    match &statement.kind {
        StatementKind::Call(inner) | StatementKind::AssignInline(_, inner) => {
            if inner.span == call {
                Some(inner)
            } else {
                call_in(&inner.body, call)
            }
        }
        StatementKind::Labelled(_, inner) => call_in_statement(inner.as_deref()?, call),
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().find_map(|option| call_in(option, call))
        }
        StatementKind::For(it) => call_in(&it.body, call),
        StatementKind::Unless(main, escape) => {
            call_in_statement(main, call).or_else(|| call_in_statement(escape, call))
        }
        StatementKind::Atomic(block) | StatementKind::DStep(block) | StatementKind::Block(block) => {
            call_in(block, call)
        }
        _ => None,
    }
}
