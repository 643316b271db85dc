//! **kind-mix**: processes, mtype values, channels and numbers taken for one another.
//!
//! All of them are numbers to SPIN, so a mix-up goes unnoticed, and a model that orders processes or computes with them
//! has less symmetry than it looks. What stands for what is inferred through variables, messages and parameters.
//!
//! ```promela
//! mtype = { req, ack };
//! chan q = [1] of { mtype };
//! active proctype P() { pid who; q!5; who = req; who < _pid; byte b = who * 2 }
//! ```

use super::Context;
use crate::ast::BinaryOp;
use crate::diagnostic::Diagnostic;
use crate::kinds::{Mix, Sort};
use crate::model::{Expr, ExprKind, Model, Owner, Place, Predefined, Type};
use crate::source::Span;

pub(super) fn check(context: &Context<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut found: Vec<Diagnostic> = context.mixes.iter().map(mixed).collect();
    let indices = indices(context);
    for at in &context.code.expressions {
        if let ExprKind::Binary(operator, a, b) = &at.expression.kind {
            let span = at.expression.span;
            let in_index = || indices.iter().any(|&index| covers(index, span));
            found.extend(on_processes(context.model, at.owner, (*operator, a, b), span, in_index));
        }
    }
    let marked: Vec<Span> = diagnostics.iter().map(Diagnostic::span).collect();
    found.retain(|each| !marked.contains(&each.span()));
    diagnostics.extend(found);
}

fn mixed(mix: &Mix) -> Diagnostic {
    match *mix {
        Mix::Sorts { span, evidence: [a, b] } => {
            let message = format!("{} and {} are taken for one another", name(a.sort), name(b.sort));
            let mut warning = Diagnostic::warning("kind-mix", span, message);
            for evidence in [a, b].into_iter().filter(|_| a.span != b.span) {
                let remark = format!("{} here", name(evidence.sort));
                warning =
                    if evidence.span == span { warning.label(remark) } else { warning.also(evidence.span, remark) };
            }
            warning
        }
        Mix::Number { span, number, belongs } => {
            let message = format!("the number {number} where {} belongs", name(belongs.sort));
            Diagnostic::warning("kind-mix", span, message).also(belongs.span, "by this declaration")
        }
    }
}

fn name(sort: Sort) -> &'static str {
    match sort {
        Sort::Process => "a process",
        Sort::Mtype => "an mtype value",
        Sort::Channel => "a channel",
    }
}

/// Processes compared by size, or multiplied and divided. An index that is computed, as of a table with a row for each
/// process, is no mistake.
fn on_processes(
    model: &Model,
    owner: Owner,
    (operator, a, b): (BinaryOp, &Expr, &Expr),
    span: Span,
    in_index: impl Fn() -> bool,
) -> Option<Diagnostic> {
    let [x, y] = [a, b].map(|value| process(model, owner, value));
    let (message, places) = match operator {
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
            ("processes compared by size", [Some(x?), Some(y?)])
        }
        BinaryOp::Multiply | BinaryOp::Divide if (declared(x) || declared(y)) && !in_index() => {
            ("a process is no number to compute with", [x, y])
        }
        _ => return None,
    };
    let mut warning = Diagnostic::warning("kind-mix", span, message);
    for place in places.into_iter().flatten().flatten() {
        warning = warning.also(place, "declared to hold a process");
    }
    Some(
        warning
            .note("numbers of processes only tell them apart; what orders them or computes with them costs symmetry"),
    )
}

fn declared(value: Option<Option<Span>>) -> bool {
    matches!(value, Some(Some(_)))
}

/// Whether a value is a process by declaration, and where it is declared if it is a variable.
fn process(model: &Model, owner: Owner, value: &Expr) -> Option<Option<Span>> {
    match &value.kind {
        ExprKind::Predefined(Predefined::Pid) => Some(None),
        ExprKind::Read(place) if place.ty == Type::Pid => Some(model.reached(place, owner).map(|it| it.span)),
        _ => None,
    }
}

/// The texts of all indices.
fn indices(context: &Context<'_>) -> Vec<Span> {
    let of = |place: &Place| {
        let fields = place.fields.iter().filter_map(|field| field.index.as_ref().map(|index| index.span));
        place.index.iter().map(|index| index.span).chain(fields).collect::<Vec<_>>()
    };
    context.code.places.iter().flat_map(|at| of(at.place)).collect()
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.expansion == inner.expansion && outer.start <= inner.start && inner.end <= outer.end
}
