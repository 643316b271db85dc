//! `anyRef(P)` spelt out: a statement that chooses a process becomes one way out for each process that there may be.
//!
//! How many there may be follows from where processes are created. A `run` that a process can come back to may be executed any number
//! of times, so that there may be as many processes as SPIN allows.

use crate::action::{Action, ActionKind, Field, Receive, Send};
use crate::automaton::Automaton;
use crate::expression::{ChannelRef, Expr, Index, Owner, Place};
use crate::id::{ActionId, DefinitionId, Location};

/// SPIN's limit.
const MOST_PROCESSES: u32 = 255;

/// Spells out all choices.
pub fn spell_out(automata: &mut [Automaton], actions: &mut Vec<Action>, active: &[DefinitionId]) {
    let most = most_processes(automata, actions, active);
    for automaton in automata {
        for location in &mut automaton.locations {
            let mut edges = Vec::with_capacity(location.edges.len());
            for edge in location.edges.drain(..) {
                let Some(definition) = choice_in(&mut actions[edge.action.index()]) else {
                    edges.push(edge);
                    continue;
                };
                for number in 0..most[definition.index()] {
                    let mut action = actions[edge.action.index()].clone();
                    action.choice = Some((definition, number));
                    each_reference(&mut action, &mut |reference| *reference = Expr::AnyReference(definition, number));
                    actions.push(action);
                    let mut edge = edge.clone();
                    edge.action = ActionId(actions.len() as u32 - 1);
                    edges.push(edge);
                }
            }
            location.edges = edges;
        }
    }
}

/// Of which definition an action chooses a process. A statement makes one choice at most.
fn choice_in(action: &mut Action) -> Option<DefinitionId> {
    let mut found = None;
    each_reference(action, &mut |reference| {
        if let Expr::AnyReference(definition, _) = reference {
            found = Some(*definition);
        }
    });
    found
}

/// How many processes of each definition there may be.
fn most_processes(automata: &[Automaton], actions: &[Action], active: &[DefinitionId]) -> Vec<u32> {
    let mut most = vec![0; automata.len()];
    loop {
        let mut next = vec![0; automata.len()];
        active.iter().for_each(|definition| next[definition.index()] += 1);
        for (creator, automaton) in automata.iter().enumerate() {
            for (location, info) in automaton.locations.iter().enumerate() {
                for edge in &info.edges {
                    for created in runs_in(actions, edge.action) {
                        let again = returns_to(automaton, edge.target, Location(location as u32));
                        let times = if again && most[creator] > 0 { MOST_PROCESSES } else { most[creator] };
                        let count: &mut u32 = &mut next[created.index()];
                        *count = (*count + times).min(MOST_PROCESSES);
                    }
                }
            }
        }
        if next == most {
            return most;
        }
        most = next;
    }
}

/// Whether a process can come from one location to another.
fn returns_to(automaton: &Automaton, from: Location, to: Location) -> bool {
    let mut seen = vec![false; automaton.locations.len()];
    let mut waiting = vec![from];
    while let Some(location) = waiting.pop() {
        if location == to {
            return true;
        }
        if !std::mem::replace(&mut seen[location.index()], true) {
            waiting.extend(automaton.location(location).edges.iter().map(|edge| edge.target));
        }
    }
    false
}

/// The definitions of which an action creates processes. Inside of a `d_step`, a `run` may stand in a loop.
fn runs_in(actions: &[Action], action: ActionId) -> Vec<DefinitionId> {
    let mut found = Vec::new();
    if let ActionKind::Deterministic(body) = &actions[action.index()].kind {
        for edge in body.nodes.iter().flat_map(|node| &node.edges) {
            let inside = runs_in(actions, edge.action);
            found.extend(inside.iter().flat_map(|&created| std::iter::repeat_n(created, MOST_PROCESSES as usize)));
        }
    }
    each_expression(&mut actions[action.index()].clone(), &mut |expression| {
        if let Expr::Run(run) = expression {
            found.push(run.definition);
        }
    });
    found
}

fn each_reference(action: &mut Action, visit: &mut dyn FnMut(&mut Expr)) {
    each_expression(action, &mut |expression| {
        if matches!(expression, Expr::AnyReference(..)) {
            visit(expression);
        }
    });
}

/// Visits all expressions of an action, those inside of others too.
fn each_expression(action: &mut Action, visit: &mut dyn FnMut(&mut Expr)) {
    match &mut action.kind {
        ActionKind::Skip
        | ActionKind::Jump(_)
        | ActionKind::Else
        | ActionKind::End
        | ActionKind::Code(_)
        | ActionKind::Event(_) => {}
        ActionKind::Deterministic(_) => {}
        ActionKind::Condition(value)
        | ActionKind::Discard(value)
        | ActionKind::Assert(value)
        | ActionKind::PrintMtype(value, _) => within(value, visit),
        ActionKind::Assign(place, value) => {
            within_place(place, visit);
            within(value, visit);
        }
        ActionKind::Send(Send { channel, values, .. }) => {
            within_channel(channel, visit);
            values.iter_mut().for_each(|value| within(value, visit));
        }
        ActionKind::Receive(Receive { channel, fields, .. }) => {
            within_channel(channel, visit);
            for field in fields {
                match field {
                    Field::Bind(place) => within_place(place, visit),
                    Field::Match(value) => within(value, visit),
                    Field::Ignore => {}
                }
            }
        }
        ActionKind::Print(_, arguments) => arguments.iter_mut().for_each(|argument| within(argument, visit)),
        ActionKind::SetPriority(pid, priority) => {
            within(pid, visit);
            within(priority, visit);
        }
    }
}

fn within(expression: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expression);
    match expression {
        Expr::Constant(_) | Expr::Predefined(_) | Expr::Timeout | Expr::Code(_) | Expr::AnyReference(..) => {}
        Expr::Load(place) | Expr::Remote(place) => within_place(place, visit),
        Expr::Unary(_, operand) | Expr::Enabled(operand) | Expr::LocationOf(operand) | Expr::PriorityOf(operand) => {
            within(operand, visit);
        }
        Expr::Binary(_, left, right, _) => {
            within(left, visit);
            within(right, visit);
        }
        Expr::Conditional(condition, yes, no) => {
            within(condition, visit);
            within(yes, visit);
            within(no, visit);
        }
        Expr::Probe(_, channel) => within_channel(channel, visit),
        Expr::Poll(poll) => {
            within_channel(&mut poll.channel, visit);
            poll.pattern.iter_mut().flatten().for_each(|value| within(value, visit));
        }
        Expr::Run(run) => run.arguments.iter_mut().chain(&mut run.priority).for_each(|value| within(value, visit)),
        Expr::At(at) => at.pid.iter_mut().for_each(|pid| within(pid, visit)),
    }
}

fn within_channel(channel: &mut ChannelRef, visit: &mut dyn FnMut(&mut Expr)) {
    if let ChannelRef::Variable(place) = channel {
        within_place(place, visit);
    }
}

fn within_place(place: &mut Place, visit: &mut dyn FnMut(&mut Expr)) {
    if let Owner::Remote(_, Some(pid)) = &mut place.owner {
        within(pid, visit);
    }
    if let Index::Computed(indices) = &mut place.index {
        indices.iter_mut().for_each(|(index, _)| within(index, visit));
    }
}

#[cfg(test)]
mod tests {
    use crate::interpret::Interpreter;

    /// How many ways out of the initial state there are.
    fn ways(text: &str) -> usize {
        let loaded = promela::load_text("model.pml", text, &promela::Options::default());
        let machine = crate::lower(&loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
        let interpreter = Interpreter::new(&machine);
        let initial = interpreter.initial().expect("it has one");
        let successors = interpreter.successors(&initial);
        assert!(successors.errors.is_empty());
        successors.transitions.len()
    }

    #[test]
    fn a_choice_has_a_way_for_each_process_that_there_is() {
        let chooser = "active proctype Q() { ref P r; r = anyRef(P); assert(r != _undef_ref) }";
        assert_eq!(ways(&format!("active [3] proctype P() {{ false }} {chooser}")), 3);
        assert_eq!(ways(&format!("proctype P() {{ false }} {chooser} init {{ false; run P() }}")), 0);
        assert_eq!(ways(&format!("proctype P() {{ false }} {chooser} init {{ do :: false; run P() od }}")), 0);
    }

    #[test]
    fn a_choice_may_be_sent() {
        let text = "chan q = [1] of { ref P }; active [2] proctype P() { false } init { q!anyRef(P) }";
        assert_eq!(ways(text), 2);
    }
}
