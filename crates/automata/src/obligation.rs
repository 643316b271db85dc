//! Minimal weak deterministic automata, for obligation properties (Dax, Eisinger and Klaedtke 2007; Löding 2001).
//!
//! If a language is an obligation (a Boolean combination of safety and guarantee), the subset construction recognises
//! it once each of its components is declared accepting or rejecting by asking about a single word that loops in the
//! component. The result is a weak deterministic automaton, and those have a unique smallest form: colour the
//! components by alternation depth, which gives transient states a definite side too, and minimise as for finite words.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge, Marks, StateId};
use crate::components::Components;
use crate::diagram::{Diagram, Level};
use crate::emptiness::{letter, path};
use crate::lasso::Lasso;

/// Steps of work on diagrams before determinisation is given up.
const MAX_STEPS: u64 = 2_000_000;

/// A complete deterministic automaton in which each component is accepting or rejecting as a whole.
///
/// One acceptance set, carried by all edges of accepting states.
#[derive(Clone)]
pub(crate) struct WeakDeterministic {
    automaton: Automaton,
}

impl WeakDeterministic {
    /// The minimal weak deterministic automaton for the language of `automaton`, *if* that language is an obligation;
    /// the caller must know or check that. `None` if more than `limit` subsets arise.
    ///
    /// `accepts` decides about single words of the language.
    pub fn of(automaton: &Automaton, accepts: impl Fn(&Lasso) -> bool, limit: usize) -> Option<WeakDeterministic> {
        let subsets = determinise(automaton, limit)?;
        let components = Components::of_automaton(&subsets);
        let colours = colour(&subsets, &components, accepts)?;
        Some(WeakDeterministic { automaton: minimise(&subsets, &colours) })
    }

    /// As a Büchi automaton with acceptance on states.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The words this one rejects.
    pub fn complement(&self) -> Automaton {
        let mut complement = self.automaton.clone();
        for edge in complement.edges.iter_mut().flatten() {
            edge.marks = Marks::single(0).without(edge.marks);
        }
        complement
    }
}

/// The subset construction, complete: the empty set is a state too.
fn determinise(automaton: &Automaton, limit: usize) -> Option<Automaton> {
    let cut = automaton.atoms().len() as Level;
    let mut diagrams = automaton.guards.clone().budgeted(MAX_STEPS);
    // For each state, the function "this letter can lead to that state", over one variable for each target.
    let functions: Vec<Diagram> = automaton
        .edges
        .iter()
        .map(|edges| {
            edges.iter().fold(Diagram::FALSE, |sum, edge| {
                let target = diagrams.variable(cut + edge.target.0);
                let term = diagrams.and(edge.guard, target);
                diagrams.or(sum, term)
            })
        })
        .collect();
    let mut subsets: Vec<Vec<Level>> = vec![vec![cut + automaton.initial.0]];
    let mut numbers: FxHashMap<Vec<Level>, usize> = FxHashMap::default();
    numbers.insert(subsets[0].clone(), 0);
    let mut edges: Vec<(usize, Diagram, usize)> = Vec::new();
    let mut next = 0;
    while next < subsets.len() {
        let function = subsets[next]
            .clone()
            .into_iter()
            .fold(Diagram::FALSE, |sum, member| diagrams.or(sum, functions[(member - cut) as usize]));
        let mut parts = diagrams.split(function, cut);
        let covered = parts.iter().fold(Diagram::FALSE, |sum, (guard, _)| diagrams.or(sum, *guard));
        parts.push((diagrams.not(covered), Diagram::FALSE));
        for (guard, remainder) in parts {
            if guard == Diagram::FALSE {
                continue;
            }
            let target = diagrams.support(remainder);
            let number = *numbers.entry(target).or_insert_with_key(|target| {
                subsets.push(target.clone());
                subsets.len() - 1
            });
            edges.push((next, guard, number));
        }
        if subsets.len() > limit || diagrams.exhausted() {
            return None;
        }
        next += 1;
    }
    let mut result = Automaton::with_states(automaton.atoms().to_vec(), diagrams.unlimited(), subsets.len(), 1);
    for (source, guard, target) in edges {
        result.add_edge(StateId::from_index(source), guard, Marks::NONE, StateId::from_index(target));
    }
    Some(result)
}

/// A colour for each state: even where staying accepts, odd where it rejects, never smaller than a successor's.
///
/// Colours are as small as possible, with `-1` for components from which nothing is accepted.
fn colour(subsets: &Automaton, components: &Components, accepts: impl Fn(&Lasso) -> bool) -> Option<Vec<i64>> {
    let mut colours = vec![-1i64; components.count()];
    for component in 0..components.count() {
        let members = || components.members(component).map(StateId::from_index);
        let outgoing = |state: StateId| {
            subsets.edges(state).iter().filter(move |edge| components.of(edge.target.index()) != component)
        };
        let below =
            members().flat_map(outgoing).map(|edge| colours[components.of(edge.target.index())]).max().unwrap_or(-1);
        let inside = |_: StateId, edge: &Edge| components.of(edge.target.index()) == component;
        let home = members().next()?;
        let cycle = path(subsets, home, |state, last| last.is_some() && state == home, inside);
        colours[component] = match cycle {
            None => below,
            Some(cycle) => {
                let prefix = path(subsets, subsets.initial, |state, _| state == home, |_, _| true)?;
                let letters = |edges: &[Edge]| edges.iter().map(|edge| letter(subsets, edge.guard)).collect();
                let accepting = accepts(&Lasso { prefix: letters(&prefix), cycle: letters(&cycle) });
                let parity = if accepting { 0 } else { 1 };
                if below.rem_euclid(2) == parity { below } else { below + 1 }
            }
        };
    }
    Some((0..subsets.state_count()).map(|state| colours[components.of(state)]).collect())
}

/// Merges states that agree on colour parity now and after every word (Moore's algorithm).
fn minimise(subsets: &Automaton, colours: &[i64]) -> Automaton {
    let cut = subsets.atoms().len() as Level;
    let mut diagrams = subsets.guards.clone();
    let mut classes: Vec<usize> = colours.iter().map(|colour| colour.rem_euclid(2) as usize).collect();
    let mut count = 0;
    loop {
        let mut numbers: FxHashMap<(usize, Diagram), usize> = FxHashMap::default();
        let mut refined = Vec::with_capacity(classes.len());
        for (state, edges) in subsets.edges.iter().enumerate() {
            let signature = edges.iter().fold(Diagram::FALSE, |sum, edge| {
                let class = diagrams.variable(cut + classes[edge.target.index()] as Level);
                let term = diagrams.and(edge.guard, class);
                diagrams.or(sum, term)
            });
            let fresh = numbers.len();
            refined.push(*numbers.entry((classes[state], signature)).or_insert(fresh));
        }
        classes = refined;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let mut result = Automaton::with_states(subsets.atoms().to_vec(), subsets.guards.clone(), count, 1);
    result.initial = StateId::from_index(classes[subsets.initial.index()]);
    let mut done = vec![false; count];
    for state in subsets.states() {
        let class = classes[state.index()];
        if std::mem::replace(&mut done[class], true) {
            continue;
        }
        let marks = if colours[state.index()].rem_euclid(2) == 0 { Marks::single(0) } else { Marks::NONE };
        for edge in subsets.edges(state) {
            let target = StateId::from_index(classes[edge.target.index()]);
            result.add_edge(StateId::from_index(class), edge.guard, marks, target);
        }
    }
    result.tidied()
}
