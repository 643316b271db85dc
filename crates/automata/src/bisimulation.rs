//! The quotient by bisimulation: merges states whose edges agree up to merging, by refining a partition.
//!
//! Coarser relations merge more ([`crate::simulation`]); this one is cheap on automata of any size.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Guard, Marks, StateId};

/// What the edges of a state look like when targets are known by class only.
type Signature = Vec<(usize, Marks, Guard)>;

/// The quotient by the coarsest bisimulation.
pub(crate) fn merge_bisimilar(automaton: &Automaton) -> Automaton {
    let mut guards = automaton.guards.clone();
    let mut class_of = vec![0; automaton.state_count()];
    let mut count = 1;
    loop {
        let mut numbers: FxHashMap<(usize, Signature), usize> = FxHashMap::default();
        let mut refined = Vec::with_capacity(class_of.len());
        for (state, edges) in automaton.edges.iter().enumerate() {
            let mut signature = Signature::new();
            for edge in edges {
                let class = class_of[edge.target.index()];
                match signature.iter_mut().find(|known| known.0 == class && known.1 == edge.marks) {
                    Some(known) => known.2 = guards.or(known.2, edge.guard),
                    None => signature.push((class, edge.marks, edge.guard)),
                }
            }
            signature.sort_unstable();
            let fresh = numbers.len();
            refined.push(*numbers.entry((class_of[state], signature)).or_insert(fresh));
        }
        class_of = refined;
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let mut quotient = Automaton::with_states(automaton.atoms().to_vec(), guards, count, automaton.acceptance_sets);
    quotient.initial = StateId::from_index(class_of[automaton.initial.index()]);
    let mut done = vec![false; count];
    for state in automaton.states() {
        let class = class_of[state.index()];
        if !std::mem::replace(&mut done[class], true) {
            for edge in automaton.edges(state) {
                let target = StateId::from_index(class_of[edge.target.index()]);
                quotient.add_edge(StateId::from_index(class), edge.guard, edge.marks, target);
            }
        }
    }
    quotient.tidied()
}
