//! Quotients by direct simulation, forward and backward (Etessami, Wilke and Schuller 2001; Somenzi and Bloem 2000).
//!
//! A state *simulates* another if it can answer each edge by edges with the same letters, at least the same marks, and
//! targets that simulate the other's target. States that simulate each other are merged, and of an edge only the
//! letters remain that no better edge of the same state reads. Backward simulation is the same for incoming edges, and
//! there only an initial state simulates the initial state; its soundness is an application of König's lemma.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge, Guard, Marks, StateId};
use crate::bisimulation::merge_bisimilar;
use crate::diagram::{Diagram, Diagrams};

/// Comparing all pairs of more states than this would take too long; then only bisimilar states are merged.
const MAX_STATES: usize = 200;

/// Where acceptance sits, which the quotient preserves.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Acceptance {
    /// On edges.
    Edges,
    /// On states: all edges of a state carry the same marks.
    States,
}

/// The quotient by forward simulation; acceptance on states stays on states.
pub(crate) fn forward(automaton: &Automaton) -> Automaton {
    if automaton.state_count() > MAX_STATES {
        return merge_bisimilar(automaton);
    }
    let mut guards = automaton.guards.clone();
    let simulation = Simulation::new(&automaton.edges, &mut guards, |_, _| true);
    let merged = simulation.merge(&automaton.edges, &mut guards);
    let mut quotient = merged.states(automaton, guards);
    for (class, edges) in merged.edges.iter().enumerate() {
        for edge in edges {
            quotient.add_edge(StateId::from_index(class), edge.guard, edge.marks, edge.target);
        }
    }
    quotient.tidied()
}

/// The quotient by backward simulation.
pub(crate) fn backward(automaton: &Automaton, acceptance: Acceptance) -> Automaton {
    if automaton.state_count() > MAX_STATES {
        return automaton.clone();
    }
    let mut guards = automaton.guards.clone();
    // Edges the other way round. With acceptance on states, marks are a state's own property.
    let mut incoming: Vec<Vec<Edge>> = vec![Vec::new(); automaton.state_count()];
    for source in automaton.states() {
        for edge in automaton.edges(source) {
            let marks = if acceptance == Acceptance::Edges { edge.marks } else { Marks::NONE };
            incoming[edge.target.index()].push(Edge { guard: edge.guard, marks, target: source });
        }
    }
    let own_marks = |state: usize| match acceptance {
        Acceptance::Edges => Marks::NONE,
        Acceptance::States => automaton.state_marks(StateId::from_index(state)).unwrap_or(Marks::NONE),
    };
    let simulation = Simulation::new(&incoming, &mut guards, |weaker, stronger| {
        weaker != automaton.initial.index() && own_marks(weaker).is_subset(own_marks(stronger))
    });
    let merged = simulation.merge(&incoming, &mut guards);
    let mut quotient = merged.states(automaton, guards);
    for (class, edges) in merged.edges.iter().enumerate() {
        for edge in edges {
            let source = edge.target;
            let marks = match acceptance {
                Acceptance::Edges => edge.marks,
                Acceptance::States => own_marks(merged.representatives[source.index()]),
            };
            quotient.add_edge(source, edge.guard, marks, StateId::from_index(class));
        }
    }
    quotient.tidied()
}

/// The largest simulation of a graph.
struct Simulation {
    /// Row `q`, column `r`: does `r` simulate `q`?
    rows: Vec<Vec<bool>>,
}

impl Simulation {
    /// Starts from all pairs (weaker, stronger) that are allowed and removes those where an edge has no answer.
    fn new(edges: &[Vec<Edge>], guards: &mut Diagrams, allowed: impl Fn(usize, usize) -> bool) -> Simulation {
        let count = edges.len();
        let row = |weaker: usize| (0..count).map(|stronger| weaker == stronger || allowed(weaker, stronger)).collect();
        let mut simulation = Simulation { rows: (0..count).map(row).collect() };
        loop {
            let mut stable = true;
            for weaker in 0..count {
                for stronger in 0..count {
                    if weaker != stronger
                        && simulation.rows[weaker][stronger]
                        && !simulation.answers(&edges[weaker], &edges[stronger], guards)
                    {
                        simulation.rows[weaker][stronger] = false;
                        stable = false;
                    }
                }
            }
            if stable {
                return simulation;
            }
        }
    }

    /// Does each of the first edges have an answer among the second ones?
    fn answers(&self, edges: &[Edge], answers: &[Edge], guards: &mut Diagrams) -> bool {
        edges.iter().all(|edge| {
            let good = || answers.iter().filter(|answer| self.beats(answer, edge));
            good().any(|answer| answer.guard == edge.guard) || {
                let answered = good().fold(Diagram::FALSE, |sum, answer| guards.or(sum, answer.guard));
                guards.implies(edge.guard, answered)
            }
        })
    }

    /// Are the first edge's marks and target at least as good?
    fn beats(&self, strong: &Edge, weak: &Edge) -> bool {
        weak.marks.is_subset(strong.marks) && self.rows[weak.target.index()][strong.target.index()]
    }

    /// Puts states that simulate each other together, and keeps the best edges of each class.
    fn merge(&self, edges: &[Vec<Edge>], guards: &mut Diagrams) -> Merged {
        let mut class_of = Vec::with_capacity(self.rows.len());
        let mut representatives: Vec<usize> = Vec::new();
        for state in 0..self.rows.len() {
            let known = representatives.iter().position(|&other| self.rows[state][other] && self.rows[other][state]);
            class_of.push(known.unwrap_or(representatives.len()));
            if known.is_none() {
                representatives.push(state);
            }
        }
        let best = |&state: &usize| self.undominated(&edges[state], &class_of, &representatives, guards);
        let edges = representatives.iter().map(best).collect();
        Merged { class_of, representatives, edges }
    }

    /// Edges between classes, each with only the letters for which no other edge beats it.
    fn undominated(
        &self,
        edges: &[Edge],
        class_of: &[usize],
        representatives: &[usize],
        guards: &mut Diagrams,
    ) -> Vec<Edge> {
        let mut merged: FxHashMap<(usize, Marks), Guard> = FxHashMap::default();
        let mut order = Vec::new();
        for edge in edges {
            let key = (class_of[edge.target.index()], edge.marks);
            let guard = merged.entry(key).or_insert_with(|| {
                order.push(key);
                Diagram::FALSE
            });
            *guard = guards.or(*guard, edge.guard);
        }
        let merged: Vec<Edge> = order
            .iter()
            .map(|key| Edge { guard: merged[key], marks: key.1, target: StateId::from_index(representatives[key.0]) })
            .collect();
        merged
            .iter()
            .enumerate()
            .map(|(index, edge)| {
                let better =
                    merged.iter().enumerate().filter(|(other, strong)| *other != index && self.beats(strong, edge));
                let beaten = better.fold(Diagram::FALSE, |sum, (_, strong)| guards.or(sum, strong.guard));
                let unbeaten = guards.not(beaten);
                Edge {
                    guard: guards.and(edge.guard, unbeaten),
                    marks: edge.marks,
                    target: StateId::from_index(class_of[edge.target.index()]),
                }
            })
            .collect()
    }
}

/// The classes of a simulation.
struct Merged {
    class_of: Vec<usize>,
    /// A state of each class.
    representatives: Vec<usize>,
    /// The edges of each class, to classes.
    edges: Vec<Vec<Edge>>,
}

impl Merged {
    /// An automaton with a state for each class and no edges yet.
    fn states(&self, automaton: &Automaton, guards: Diagrams) -> Automaton {
        let count = self.representatives.len();
        let mut quotient = Automaton::with_states(automaton.atoms().to_vec(), guards, count, automaton.acceptance_sets);
        quotient.initial = StateId::from_index(self.class_of[automaton.initial.index()]);
        quotient
    }
}
