//! Conjunctions with suspendable formulas (Babiak, Křetínský, Řehák and Strejček 2012).
//!
//! Whether a suspendable formula holds does not depend on any prefix. So its automaton need not run along from the
//! start: it can be started each time the other conjunct's automaton enters a component in which it may accept, and
//! forgotten when it leaves. States outside accepting components are then not multiplied.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Guard, Marks, StateId, level_map};
use crate::components::Components;
use crate::diagram::Diagrams;

/// The words that both accept; the language of `suspended` must not depend on prefixes.
///
/// `None` if the acceptance sets of both together are too many.
pub(crate) fn suspended_intersection(main: &Automaton, suspended: &Automaton) -> Option<Automaton> {
    if main.acceptance_sets + suspended.acceptance_sets > Marks::LIMIT {
        return None;
    }
    let components = Components::of_automaton(main);
    let accepting = components.accepting(main);
    let mut suspended = suspended.clone();
    suspended.add_atoms(main.atoms());
    let mut guards: Diagrams = suspended.guards.clone();
    let rename = level_map(main.atoms(), suspended.atoms());
    let mut memo = FxHashMap::default();
    let mut copy = |guard| guards.import(&main.guards, guard, &rename, &mut memo);
    let main_guards: Vec<Vec<Guard>> =
        main.edges.iter().map(|edges| edges.iter().map(|edge| copy(edge.guard)).collect()).collect();

    let sets = main.acceptance_sets + suspended.acceptance_sets;
    let mut product = Automaton::with_states(suspended.atoms().to_vec(), guards, 1, sets);
    let running = |state: StateId| accepting[components.of(state.index())];
    let start = |state: StateId| (state, running(state).then_some(suspended.initial));
    let mut pairs = vec![start(main.initial)];
    let mut numbers = FxHashMap::default();
    numbers.insert(pairs[0], StateId(0));
    let mut next = 0;
    while next < pairs.len() {
        let (state, follower) = pairs[next];
        for (edge, &guard) in main.edges(state).iter().zip(&main_guards[state.index()]) {
            let stays = components.together(state, edge.target);
            let mut moves: Vec<(Guard, Marks, (StateId, Option<StateId>))> = Vec::new();
            match follower {
                Some(follower) if stays => {
                    for other in suspended.edges(follower) {
                        let both = product.guards.and(guard, other.guard);
                        let marks = edge.marks.union(other.marks.shifted(main.acceptance_sets));
                        moves.push((both, marks, (edge.target, Some(other.target))));
                    }
                }
                _ => moves.push((guard, Marks::NONE, start(edge.target))),
            }
            for (guard, marks, pair) in moves {
                if guard == Guard::FALSE {
                    continue;
                }
                let target = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    product.edges.push(Vec::new());
                    StateId::from_index(pairs.len() - 1)
                });
                product.add_edge(StateId::from_index(next), guard, marks, target);
            }
        }
        next += 1;
    }
    Some(product)
}
