//! Quotients by direct simulation, forward and backward (Etessami, Wilke and Schuller 2001; Babiak et al. 2013).
//!
//! A state *simulates* another if it can answer each edge by one with the same letter, at least the same marks, and a
//! target that simulates the other's target. States that simulate each other are merged, and edges that another edge of
//! the same state beats are dropped. Backward simulation is the same for incoming edges, where the initial state counts.
//!
//! A state's *signature* is the function `⋁ guard ∧ missing marks ∧ simulators of the target's class` over its edges.
//! Missing marks and classes are variables that occur only positively, so one state simulates another exactly if the
//! other's signature implies its own, and the prime implicants of a signature are the edges worth keeping.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Marks, StateId};
use crate::diagram::{Diagram, Diagrams, Level};

/// Above this many states only states with equal signatures are merged: comparing all pairs would take too long.
const MAX_PAIRWISE: usize = 400;

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
    let mut levels = Levels::of(automaton);
    let fixpoint = simulate(
        automaton.state_count(),
        &mut levels,
        |_| Marks::NONE,
        |state, classes, levels| {
            let mut signature = Diagram::FALSE;
            for edge in &automaton.edges[state] {
                let term = levels.term(edge.guard, edge.marks, classes.encoding(edge.target));
                signature = levels.diagrams.or(signature, term);
            }
            signature
        },
    );
    let mut quotient = Vec::new();
    for (class, &signature) in fixpoint.signatures.iter().enumerate() {
        for (guard, marks, target) in levels.edges(signature, &fixpoint) {
            if let Some(target) = target {
                quotient.push((class, guard, marks, target));
            }
        }
    }
    levels.build(automaton, &fixpoint, quotient)
}

/// The quotient by backward simulation.
pub(crate) fn backward(automaton: &Automaton, acceptance: Acceptance) -> Automaton {
    let mut levels = Levels::of(automaton);
    let mut incoming = vec![Vec::new(); automaton.state_count()];
    for source in automaton.states() {
        for edge in automaton.edges(source) {
            incoming[edge.target.index()].push((source, *edge));
        }
    }
    // A state's marks take part as its own property, and edges carry none.
    let state_marks = |state: usize| match acceptance {
        Acceptance::Edges => Marks::NONE,
        Acceptance::States => automaton.state_marks(StateId::from_index(state)).unwrap_or(Marks::NONE),
    };
    let fixpoint = simulate(automaton.state_count(), &mut levels, state_marks, |state, classes, levels| {
        let mut signature = if state == automaton.initial.index() { levels.initial() } else { Diagram::FALSE };
        for (source, edge) in &incoming[state] {
            let marks = if acceptance == Acceptance::Edges { edge.marks } else { levels.all_marks };
            let term = levels.term(edge.guard, marks, classes.encoding(*source));
            signature = levels.diagrams.or(signature, term);
        }
        signature
    });
    let mut quotient = Vec::new();
    for (class, &signature) in fixpoint.signatures.iter().enumerate() {
        for (guard, marks, source) in levels.edges(signature, &fixpoint) {
            if let Some(source) = source {
                let marks = if acceptance == Acceptance::Edges { marks } else { fixpoint.marks[source] };
                quotient.push((source, guard, marks, class));
            }
        }
    }
    levels.build(automaton, &fixpoint, quotient)
}

/// The levels below the atoms: one for "initial", one for each missing mark, then one for each class.
struct Levels {
    diagrams: Diagrams,
    cut: Level,
    sets: u32,
    all_marks: Marks,
}

impl Levels {
    fn of(automaton: &Automaton) -> Levels {
        Levels {
            diagrams: automaton.guards.clone(),
            cut: automaton.atoms().len() as Level,
            sets: automaton.acceptance_sets,
            all_marks: automaton.all_marks(),
        }
    }

    fn initial(&mut self) -> Diagram {
        self.diagrams.variable(self.cut)
    }

    fn first_class(&self) -> Level {
        self.cut + 1 + self.sets
    }

    fn term(&mut self, guard: Diagram, marks: Marks, class: Diagram) -> Diagram {
        let mut term = self.diagrams.and(guard, class);
        for set in self.all_marks.without(marks).iter() {
            let missing = self.diagrams.variable(self.cut + 1 + set);
            term = self.diagrams.and(term, missing);
        }
        term
    }

    /// The edges a signature stands for; the class is `None` for "initial".
    fn edges(&mut self, signature: Diagram, fixpoint: &Fixpoint) -> Vec<(Diagram, Marks, Option<usize>)> {
        let mut edges = Vec::new();
        for (guard, remainder) in self.diagrams.split(signature, self.cut) {
            for prime in self.diagrams.monotone_primes(remainder) {
                let first_class = self.first_class();
                let (marks, classes): (Vec<Level>, Vec<Level>) =
                    prime.into_iter().partition(|&level| level < first_class);
                let missing: Marks = marks.into_iter().filter_map(|level| level.checked_sub(self.cut + 1)).collect();
                let class = fixpoint.by_simulators.get(&classes).copied();
                edges.push((guard, self.all_marks.without(missing), class));
            }
        }
        edges
    }

    fn build(
        self,
        automaton: &Automaton,
        fixpoint: &Fixpoint,
        edges: Vec<(usize, Diagram, Marks, usize)>,
    ) -> Automaton {
        let count = fixpoint.signatures.len();
        let mut result = Automaton::with_states(automaton.atoms().to_vec(), self.diagrams, count, self.sets);
        result.initial = StateId::from_index(fixpoint.classes.of[automaton.initial.index()]);
        for (source, guard, marks, target) in edges {
            result.add_edge(StateId::from_index(source), guard, marks, StateId::from_index(target));
        }
        result.tidied()
    }
}

/// The classes of states in one round, with the variables that stand for them.
struct Classes {
    of: Vec<usize>,
    encodings: Vec<Diagram>,
}

impl Classes {
    fn encoding(&self, state: StateId) -> Diagram {
        self.encodings[self.of[state.index()]]
    }
}

/// The coarsest simulation: classes of states that simulate each other.
struct Fixpoint {
    classes: Classes,
    signatures: Vec<Diagram>,
    /// The marks of a class's states, where those take part.
    marks: Vec<Marks>,
    /// Each class by the levels of all classes that simulate it.
    by_simulators: FxHashMap<Vec<Level>, usize>,
}

/// Refines from "every state simulates every other" until signatures confirm the relation.
fn simulate(
    count: usize,
    levels: &mut Levels,
    own_marks: impl Fn(usize) -> Marks,
    signature: impl Fn(usize, &Classes, &mut Levels) -> Diagram,
) -> Fixpoint {
    let first_class = levels.first_class();
    let everything = levels.diagrams.variable(first_class);
    let mut classes = Classes { of: vec![0; count], encodings: vec![everything] };
    let mut pairs = 1;
    loop {
        let mut numbers: FxHashMap<(Diagram, Marks), usize> = FxHashMap::default();
        let mut keys: Vec<(Diagram, Marks)> = Vec::new();
        let mut of = Vec::with_capacity(count);
        for state in 0..count {
            let key = (signature(state, &classes, levels), own_marks(state));
            of.push(*numbers.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() - 1
            }));
        }
        let mut simulators: Vec<Vec<Level>> = Vec::with_capacity(keys.len());
        for (class, &(signature, marks)) in keys.iter().enumerate() {
            let simulates = |(other, &(candidate, candidate_marks)): (usize, &(Diagram, Marks))| {
                let better = other == class
                    || (count <= MAX_PAIRWISE
                        && marks.is_subset(candidate_marks)
                        && levels.diagrams.implies(signature, candidate));
                better.then_some(first_class + other as Level)
            };
            simulators.push(keys.iter().enumerate().filter_map(simulates).collect());
        }
        let new_pairs = simulators.iter().map(Vec::len).sum();
        let stable = keys.len() == classes.encodings.len() && new_pairs == pairs && of == classes.of;
        let encodings = simulators
            .iter()
            .map(|set| {
                set.iter().fold(Diagram::TRUE, |all, &level| {
                    let variable = levels.diagrams.variable(level);
                    levels.diagrams.and(all, variable)
                })
            })
            .collect();
        if stable {
            return Fixpoint {
                // The signatures speak of the classes of the round before, which are the same.
                classes,
                signatures: keys.iter().map(|key| key.0).collect(),
                marks: keys.iter().map(|key| key.1).collect(),
                by_simulators: simulators.into_iter().enumerate().map(|(class, set)| (set, class)).collect(),
            };
        }
        classes = Classes { of, encodings };
        pairs = new_pairs;
    }
}
