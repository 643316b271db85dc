//! Which statements a verifier with statement merging executes together with the one before them.
//!
//! SPIN merges a statement into the step before it when it cannot wait, stands alone, carries no label, and either lies
//! inside an `atomic` or touches nothing global. Where a process has a later step in the trail, that step tells how far it
//! went; this rule is needed for its last one. It takes every channel for global, also those that `xr` and `xs` make exclusive.

use crate::action::{Action, ActionKind, Jump};
use crate::automaton::Automaton;
use crate::expression::{Expr, Index, Owner, Place, Predefined};
use crate::id::Location;
use crate::machine::Machine;

/// Where in an `atomic` a statement is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// Inside: nobody can come between.
    Atomic,
    /// Outside.
    Nothing,
}

/// Whether the statement that stands at a location is executed together with the step that leads there.
pub fn continues(machine: &Machine, automaton: &Automaton, at: Location, within: Within) -> bool {
    let location = automaton.location(at);
    let [edge] = location.edges.as_slice() else { return false };
    let action = machine.action(edge.action);
    !location.text.is_empty()
        && edge.escape.is_none()
        && !automaton.labels.iter().any(|&(_, labelled)| labelled == at)
        && is_unconditional(action)
        && (within == Within::Atomic || !touches_globals(action))
}

/// Whether a step can have statements merged into it at all.
pub fn may_begin(
    machine: &Machine,
    automaton: &Automaton,
    statement: Location,
    action: &Action,
    within: Within,
) -> bool {
    let location = automaton.location(statement);
    if location.edges.len() != 1 {
        return false;
    }
    let kind_can = match &action.kind {
        ActionKind::Condition(condition) => !matches!(condition, Expr::Run(_)),
        ActionKind::Receive(_) => true,
        ActionKind::Send(_) => machine.layout.shapes.iter().all(|shape| !shape.is_rendezvous()),
        ActionKind::Skip | ActionKind::Jump(_) => true,
        _ => is_unconditional(action),
    };
    kind_can && (within == Within::Atomic || !touches_globals(action))
}

/// Whether a statement only goes elsewhere. To SPIN, `skip` is a condition like any other.
pub fn is_jump(action: &Action) -> bool {
    matches!(action.kind, ActionKind::Jump(_))
}

/// Whether a statement is a `goto` that the model spells out.
pub fn is_goto(action: &Action) -> bool {
    matches!(action.kind, ActionKind::Jump(Jump::Goto))
}

/// Whether a statement can be executed whenever it is reached.
pub fn is_unconditional(action: &Action) -> bool {
    match &action.kind {
        ActionKind::Skip => false,
        ActionKind::Jump(_)
        | ActionKind::Assign(..)
        | ActionKind::Discard(_)
        | ActionKind::Assert(_)
        | ActionKind::Print(..)
        | ActionKind::PrintMtype(..) => true,
        _ => false,
    }
}

fn touches_globals(action: &Action) -> bool {
    match &action.kind {
        ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else => false,
        ActionKind::Condition(value)
        | ActionKind::Discard(value)
        | ActionKind::Assert(value)
        | ActionKind::PrintMtype(value, _) => is_global(value),
        ActionKind::Assign(place, value) => is_global_place(place) || is_global(value),
        ActionKind::Print(_, arguments) => arguments.iter().any(is_global),
        _ => true,
    }
}

fn is_global(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) => false,
        Expr::Load(place) => is_global_place(place),
        Expr::Predefined(which) => !matches!(which, Predefined::Pid | Predefined::Priority),
        Expr::Unary(_, operand) => is_global(operand),
        Expr::Binary(_, left, right, _) => is_global(left) || is_global(right),
        Expr::Conditional(condition, yes, no) => is_global(condition) || is_global(yes) || is_global(no),
        _ => true,
    }
}

fn is_global_place(place: &Place) -> bool {
    let index = match &place.index {
        Index::Constant(_) => false,
        Index::Computed(indices) => indices.iter().any(|(index, _)| is_global(index)),
    };
    place.owner != Owner::Own || index
}
