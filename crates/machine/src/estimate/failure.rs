//! What can go wrong, and where a process may have to wait: as far as can be told without running the model.
//!
//! Both are asked for lower bounds, so that what is not known can go wrong, and may wait.

use super::flow::parts;
use crate::action::{Action, ActionKind, DStep, Field};
use crate::expression::{BinaryOp, ChannelRef, Expr, Index, Owner, Place};
use crate::id::{DefinitionId, Location};
use crate::machine::Machine;

/// Whether something can go wrong in a step out of a location.
pub(super) fn can_fail(machine: &Machine, definition: DefinitionId, location: Location) -> bool {
    let automaton = &machine.definition(definition).automaton;
    let edges = &automaton.location(location).edges;
    let is_ambiguous = automaton.deterministic && edges.len() > 1;
    let asks = automaton.provided.as_ref().is_some_and(expression_can_fail);
    let fails = |action| action_can_fail(machine, machine.action(action));
    is_ambiguous || asks || edges.iter().any(|edge| fails(edge.action))
}

/// Whether a process may have to wait at a location.
pub(super) fn can_wait(machine: &Machine, definition: DefinitionId, location: Location) -> bool {
    let automaton = &machine.definition(definition).automaton;
    let edges = &automaton.location(location).edges;
    let kind = |index: usize| &machine.action(edges[index].action).kind;
    let moves = |index: usize| {
        edges[index].escape.is_none()
            && match kind(index) {
                // It is possible when nothing else is, if that can be told of all others without asking another process.
                ActionKind::Else => {
                    (0..edges.len()).all(|other| matches!(kind(other), ActionKind::Condition(_) | ActionKind::Else))
                }
                _ => never_waits(machine, machine.action(edges[index].action)),
            }
    };
    automaton.provided.is_some() || !(0..edges.len()).any(moves)
}

/// Whether an action is possible in every state.
fn never_waits(machine: &Machine, action: &Action) -> bool {
    let possible = match &action.kind {
        ActionKind::Skip
        | ActionKind::Jump(_)
        | ActionKind::Assign(..)
        | ActionKind::Discard(_)
        | ActionKind::Assert(_)
        | ActionKind::Print(..)
        | ActionKind::PrintMtype(..) => true,
        ActionKind::Condition(Expr::Constant(value)) => *value != 0,
        ActionKind::Deterministic(body) => starts_at_once(machine, body),
        _ => false,
    };
    possible && action.choice.is_none()
}

fn starts_at_once(machine: &Machine, body: &DStep) -> bool {
    let first = body.nodes.first().into_iter().flat_map(|node| &node.edges);
    first.into_iter().any(|edge| never_waits(machine, machine.action(edge.action)))
}

fn action_can_fail(machine: &Machine, action: &Action) -> bool {
    let watched = machine.trace.is_some() || machine.definitions.iter().any(|each| !each.exclusive.is_empty());
    action.choice.is_some()
        || match &action.kind {
            ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else | ActionKind::End => false,
            ActionKind::Condition(value) | ActionKind::Discard(value) => expression_can_fail(value),
            ActionKind::Assign(place, value) => place_can_fail(place) || expression_can_fail(value),
            ActionKind::Send(send) => {
                watched || channel_can_fail(&send.channel) || send.values.iter().any(expression_can_fail)
            }
            ActionKind::Receive(receive) => {
                let field = |field: &Field| match field {
                    Field::Bind(place) => place_can_fail(place),
                    Field::Ignore => false,
                    Field::Match(value) => expression_can_fail(value),
                };
                watched || channel_can_fail(&receive.channel) || receive.fields.iter().any(field)
            }
            ActionKind::Assert(value) => !matches!(value, Expr::Constant(value) if *value != 0),
            ActionKind::Print(_, arguments) => arguments.iter().any(expression_can_fail),
            ActionKind::Deterministic(body) => d_step_can_fail(machine, body),
            ActionKind::PrintMtype(..) | ActionKind::SetPriority(..) | ActionKind::Code(_) | ActionKind::Event(_) => {
                true
            }
        }
}

/// Once it has begun, waiting is an error.
fn d_step_can_fail(machine: &Machine, body: &DStep) -> bool {
    let waits = body.nodes.iter().skip(1).any(|node| {
        !node.edges.iter().any(|edge| {
            let action = machine.action(edge.action);
            matches!(action.kind, ActionKind::Else) || never_waits(machine, action)
        })
    });
    // One that goes round for ever is one.
    let goes_back =
        body.nodes.iter().enumerate().any(|(index, node)| {
            node.edges.iter().any(|edge| edge.target.is_some_and(|target| target as usize <= index))
        });
    let inside = body.nodes.iter().flat_map(|node| &node.edges);
    let fails = inside.into_iter().any(|edge| action_can_fail(machine, machine.action(edge.action)));
    waits || goes_back || fails
}

fn expression_can_fail(expression: &Expr) -> bool {
    expression.any(&mut |part| match part {
        Expr::Constant(_)
        | Expr::Predefined(_)
        | Expr::Unary(..)
        | Expr::Conditional(..)
        | Expr::At(_)
        | Expr::Timeout
        | Expr::LocationOf(_)
        | Expr::PriorityOf(_) => false,
        Expr::Load(place) => place_can_fail(place),
        Expr::Remote(place) => matches!(place.index, Index::Computed(_)),
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, right, _) => {
            !matches!(**right, Expr::Constant(value) if value != 0)
        }
        Expr::Binary(..) => false,
        Expr::Probe(_, channel) => channel_can_fail(channel),
        Expr::Poll(_) | Expr::Run(_) | Expr::Enabled(_) | Expr::Code(_) | Expr::AnyReference(..) => true,
    })
}

fn place_can_fail(place: &Place) -> bool {
    matches!(place.index, Index::Computed(_)) || matches!(place.owner, Owner::Remote(..))
}

fn channel_can_fail(channel: &ChannelRef) -> bool {
    matches!(channel, ChannelRef::Variable(_))
}

/// Whether an assertion stands in an action, and can fail.
pub(super) fn asserts(machine: &Machine, action: crate::id::ActionId) -> bool {
    parts(machine, action).into_iter().any(|part| match &machine.action(part).kind {
        ActionKind::Assert(value) => !matches!(value, Expr::Constant(value) if *value != 0),
        _ => false,
    })
}
