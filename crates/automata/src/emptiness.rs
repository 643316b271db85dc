//! Emptiness: does an automaton accept any word, and which?
//!
//! It does exactly if a reachable component has a cycle through every acceptance set. The witness walks to such a
//! component by a shortest path, then collects the missing marks one after another and returns.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge, Guard, Marks, StateId};
use crate::components::Components;
use crate::lasso::{Lasso, Valuation};

/// Is no word accepted?
pub fn is_empty(automaton: &Automaton) -> bool {
    accepting_state(automaton).is_none()
}

/// A word that is accepted; `None` if there is none.
///
/// ```
/// use automata::{atom::AtomTable, emptiness::witness, lasso::holds, text, translate::translate};
/// let formula = text::parse("p & X !p & G F p", &mut AtomTable::default()).unwrap();
/// let word = witness(&translate(&formula).unwrap()).unwrap();
/// assert!(holds(&formula, &word.prefix, &word.cycle));
/// ```
pub fn witness(automaton: &Automaton) -> Option<Lasso> {
    let (home, components) = accepting_state(automaton)?;
    let component = components.of(home.index());
    let prefix = path(automaton, automaton.initial, |state, _| state == home, |_, _| true)?;
    let mut cycle: Vec<Edge> = Vec::new();
    let mut at = home;
    let mut seen = Marks::NONE;
    let inside = |_: StateId, edge: &Edge| components.of(edge.target.index()) == component;
    while let Some(set) = automaton.all_marks().without(seen).iter().next() {
        let more = path(automaton, at, |_, last| last.is_some_and(|edge| edge.marks.contains(set)), inside)?;
        at = more.last().map_or(at, |edge| edge.target);
        seen = more.iter().fold(seen, |seen, edge| seen.union(edge.marks));
        cycle.extend(more);
    }
    if at != home || cycle.is_empty() {
        cycle.extend(path(automaton, at, |state, last| last.is_some() && state == home, inside)?);
    }
    let letters = |edges: &[Edge]| edges.iter().map(|edge| letter(automaton, edge.guard)).collect();
    Some(Lasso { prefix: letters(&prefix), cycle: letters(&cycle) })
}

/// A reachable state of an accepting component.
fn accepting_state(automaton: &Automaton) -> Option<(StateId, Components)> {
    let components = Components::of_automaton(automaton);
    let accepting = components.accepting(automaton);
    let mut reached = vec![false; automaton.state_count()];
    let mut work = VecDeque::from([automaton.initial]);
    while let Some(state) = work.pop_front() {
        if std::mem::replace(&mut reached[state.index()], true) {
            continue;
        }
        if accepting[components.of(state.index())] {
            return Some((state, components));
        }
        work.extend(automaton.edges(state).iter().map(|edge| edge.target));
    }
    None
}

/// The edges of a shortest path of allowed edges whose end (state and last edge) is wanted.
pub(crate) fn path(
    automaton: &Automaton,
    from: StateId,
    wanted: impl Fn(StateId, Option<&Edge>) -> bool,
    allowed: impl Fn(StateId, &Edge) -> bool,
) -> Option<Vec<Edge>> {
    if wanted(from, None) {
        return Some(Vec::new());
    }
    let mut reached_by: FxHashMap<StateId, Option<(StateId, Edge)>> = FxHashMap::default();
    reached_by.insert(from, None);
    let mut work = VecDeque::from([from]);
    while let Some(state) = work.pop_front() {
        for edge in automaton.edges(state).iter().filter(|edge| allowed(state, edge)) {
            if wanted(edge.target, Some(edge)) {
                let mut edges = vec![*edge];
                let mut at = state;
                while let Some((source, edge)) = reached_by.get(&at).copied().flatten() {
                    edges.push(edge);
                    at = source;
                }
                edges.reverse();
                return Some(edges);
            }
            reached_by.entry(edge.target).or_insert_with(|| {
                work.push_back(edge.target);
                Some((state, *edge))
            });
        }
    }
    None
}

/// A letter that satisfies the guard; as few atoms as one product of the guard allows.
pub(crate) fn letter(automaton: &Automaton, guard: Guard) -> Valuation {
    let literals = automaton.guards.model(guard).unwrap_or_default();
    literals.into_iter().filter(|(_, value)| *value).map(|(level, _)| automaton.atoms()[level as usize]).collect()
}
