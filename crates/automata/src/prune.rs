//! Removes what cannot matter: useless states, marks outside accepting components, redundant acceptance sets.
//!
//! A run's acceptance is decided inside one component, so each accepting component may number the sets it needs afresh.
//! There, a set is redundant if no cycle visits all the other sets and avoids this one; the test is exact: it looks for
//! such a cycle in the component without the set's edges.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge, Marks, StateId};
use crate::components::Components;

/// The marks to give to edges that belong to no cycle, where they mean nothing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Transient {
    /// No marks.
    Unmarked,
    /// All marks.
    Marked,
}

/// An automaton with the same language, without useless states, with as few acceptance sets as the components need.
pub(crate) fn prune(automaton: &Automaton) -> Automaton {
    let mut pruned = without_useless_states(automaton);
    renumber_sets(&mut pruned);
    pruned.tidied()
}

/// Only states from which some word is accepted, and the initial state; marks only on cycles that can accept.
fn without_useless_states(automaton: &Automaton) -> Automaton {
    let components = Components::of_automaton(automaton);
    let accepting = components.accepting(automaton);
    let useful = useful_components(automaton, &components, &accepting);
    let mut pruned = automaton.clone();
    for state in automaton.states() {
        pruned.edges[state.index()].retain_mut(|edge| {
            let inner = components.together(state, edge.target) && accepting[components.of(state.index())];
            if !inner {
                edge.marks = Marks::NONE;
            }
            useful[components.of(edge.target.index())]
        });
    }
    pruned
}

/// The components from which an accepting one can be reached, themselves included.
fn useful_components(automaton: &Automaton, components: &Components, accepting: &[bool]) -> Vec<bool> {
    let mut useful = accepting.to_vec();
    // Successors have smaller numbers, so they are settled first.
    for component in 0..components.count() {
        useful[component] |= components.members(component).any(|state| {
            let mut edges = automaton.edges[state].iter();
            edges.any(|edge| useful[components.of(edge.target.index())])
        });
    }
    useful
}

/// Gives each accepting component only the sets it needs, numbered from 0.
fn renumber_sets(automaton: &mut Automaton) {
    let components = Components::of_automaton(automaton);
    let accepting = components.accepting(automaton);
    let needed: Vec<Vec<u32>> = (0..components.count())
        .map(|component| if accepting[component] { needed_sets(automaton, &components, component) } else { Vec::new() })
        .collect();
    let count = needed.iter().map(Vec::len).max().unwrap_or(0) as u32;
    // With no set at all every run accepts, so a rejecting cycle needs a set to miss.
    let rejecting_cycle = components
        .inner_marks(automaton)
        .iter()
        .zip(&accepting)
        .any(|(inner, accepting)| inner.is_some() && !accepting);
    let count = if rejecting_cycle { count.max(1) } else { count };
    for state in 0..automaton.state_count() {
        let component = components.of(state);
        let sets = &needed[component];
        for edge in &mut automaton.edges[state] {
            if accepting[component] && component == components.of(edge.target.index()) {
                let kept = sets.iter().enumerate().filter(|(_, old)| edge.marks.contains(**old));
                let kept: Marks = kept.map(|(new, _)| new as u32).collect();
                edge.marks = kept.union(Marks::all(count).without(Marks::all(sets.len() as u32)));
            } else {
                edge.marks = Marks::NONE;
            }
        }
    }
    automaton.acceptance_sets = count;
}

/// The sets of an accepting component without the redundant ones.
fn needed_sets(automaton: &Automaton, components: &Components, component: usize) -> Vec<u32> {
    let mut needed = automaton.all_marks();
    for set in 0..automaton.acceptance_sets {
        let others = needed.without(Marks::single(set));
        let avoiding = |_: StateId, edge: &Edge| !edge.marks.contains(set);
        if !has_cycle(automaton, components, component, others, avoiding) {
            needed = others;
        }
    }
    needed.iter().collect()
}

/// Is there a cycle in the component, of allowed edges only, that collects all the wanted marks?
pub(crate) fn has_cycle(
    automaton: &Automaton,
    components: &Components,
    component: usize,
    wanted: Marks,
    allowed: impl Fn(StateId, &Edge) -> bool,
) -> bool {
    let members: Vec<usize> = components.members(component).collect();
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    places.extend(members.iter().enumerate().map(|(place, &member)| (member, place)));
    let inner: Vec<Vec<(usize, Marks)>> = members
        .iter()
        .map(|&member| {
            let source = StateId::from_index(member);
            let edges = automaton.edges(source).iter().filter(|edge| allowed(source, edge));
            edges.filter_map(|edge| Some((*places.get(&edge.target.index())?, edge.marks))).collect()
        })
        .collect();
    let parts = Components::of_graph(members.len(), |vertex| inner[vertex].iter().map(|(target, _)| *target));
    let mut marks: Vec<Option<Marks>> = vec![None; parts.count()];
    for (vertex, edges) in inner.iter().enumerate() {
        for (target, edge_marks) in edges {
            if parts.of(vertex) == parts.of(*target) {
                let seen = &mut marks[parts.of(vertex)];
                *seen = Some(seen.unwrap_or(Marks::NONE).union(*edge_marks));
            }
        }
    }
    marks.into_iter().flatten().any(|seen| wanted.is_subset(seen))
}

/// The same automaton with marks on edges between components chosen afresh; its language does not change.
pub(crate) fn mark_transient(automaton: &Automaton, transient: Transient) -> Automaton {
    let components = Components::of_automaton(automaton);
    let mut marked = automaton.clone();
    let marks = match transient {
        Transient::Unmarked => Marks::NONE,
        Transient::Marked => automaton.all_marks(),
    };
    for state in automaton.states() {
        for edge in &mut marked.edges[state.index()] {
            if !components.together(state, edge.target) {
                edge.marks = marks;
            }
        }
    }
    marked
}

/// As [`prune`], for one acceptance set on states; it stays on states.
///
/// States of rejecting components are unmarked, those of components where every cycle accepts are marked, and states on
/// no cycle are as the caller likes.
pub(crate) fn prune_states(automaton: &Automaton, transient: Transient) -> Automaton {
    let mut pruned = automaton.clone();
    let components = Components::of_automaton(automaton);
    let accepting = components.accepting(automaton);
    let inner = components.inner_marks(automaton);
    let useful = useful_components(automaton, &components, &accepting);
    for component in 0..components.count() {
        let every_cycle_accepts = accepting[component]
            && !has_cycle(automaton, &components, component, Marks::NONE, |_, edge| edge.marks.is_empty());
        for state in components.members(component) {
            let edges = &mut pruned.edges[state];
            edges.retain(|edge| useful[components.of(edge.target.index())]);
            let marked = match (inner[component], transient) {
                (None, Transient::Marked) => true,
                (None, Transient::Unmarked) => false,
                (Some(_), _) if every_cycle_accepts => true,
                (Some(_), _) if !accepting[component] => false,
                (Some(_), _) => continue,
            };
            let marks = if marked { Marks::single(0) } else { Marks::NONE };
            edges.iter_mut().for_each(|edge| edge.marks = marks);
        }
    }
    pruned.tidied()
}
