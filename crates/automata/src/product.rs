//! Intersections: of two automata, and of an automaton with one ultimately periodic word.
//!
//! A run of the product is a pair of runs over the same letters; the acceptance sets stand side by side.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Marks, StateId, level_map};
use crate::components::Components;
use crate::degeneralise::on_edges;
use crate::diagram::Diagrams;
use crate::lasso::Lasso;

/// An automaton for the words that both accept, over the atoms of both.
///
/// If the two together have more acceptance sets than an automaton can have, they are degeneralised first.
pub fn intersection(left: &Automaton, right: &Automaton) -> Automaton {
    if left.acceptance_sets + right.acceptance_sets > Marks::LIMIT {
        return intersection(&on_edges(left), &on_edges(right));
    }
    let mut atoms: Vec<_> = left.atoms().iter().chain(right.atoms()).copied().collect();
    atoms.sort_unstable();
    atoms.dedup();
    let mut guards = Diagrams::default();
    let mut import = |automaton: &Automaton| -> Vec<Vec<_>> {
        let rename = level_map(automaton.atoms(), &atoms);
        let mut memo = FxHashMap::default();
        let mut copy = |guard| guards.import(&automaton.guards, guard, &rename, &mut memo);
        automaton.edges.iter().map(|edges| edges.iter().map(|edge| copy(edge.guard)).collect()).collect()
    };
    let (left_guards, right_guards) = (import(left), import(right));

    let mut product = Automaton::with_states(atoms, guards, 1, left.acceptance_sets + right.acceptance_sets);
    let mut pairs = vec![(left.initial, right.initial)];
    let mut numbers = FxHashMap::default();
    numbers.insert(pairs[0], StateId(0));
    let mut next = 0;
    while next < pairs.len() {
        let (l, r) = pairs[next];
        for (l_edge, &l_guard) in left.edges(l).iter().zip(&left_guards[l.index()]) {
            for (r_edge, &r_guard) in right.edges(r).iter().zip(&right_guards[r.index()]) {
                let guard = product.guards.and(l_guard, r_guard);
                if guard == crate::automaton::Guard::FALSE {
                    continue;
                }
                let pair = (l_edge.target, r_edge.target);
                let target = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    product.edges.push(Vec::new());
                    StateId::from_index(pairs.len() - 1)
                });
                let marks = l_edge.marks.union(r_edge.marks.shifted(left.acceptance_sets));
                product.add_edge(StateId::from_index(next), guard, marks, target);
            }
        }
        next += 1;
    }
    product
}

/// Does the automaton accept the word `prefix · cycle^ω`?
///
/// ```
/// use automata::{atom::AtomTable, lasso::{Lasso, Valuation}, product::accepts, text, translate::translate};
/// let mut atoms = AtomTable::default();
/// let automaton = translate(&text::parse("<>p", &mut atoms).unwrap()).unwrap();
/// let p = Valuation::from_iter(atoms.find("p"));
/// assert!(accepts(&automaton, &Lasso { prefix: vec![p], cycle: vec![Valuation::empty()] }));
/// ```
pub fn accepts(automaton: &Automaton, word: &Lasso) -> bool {
    if word.cycle.is_empty() {
        return false;
    }
    let length = word.len();
    let vertex = |state: StateId, position: usize| state.index() * length + position;
    let steps: Vec<Vec<(usize, Marks)>> = (0..automaton.state_count() * length)
        .map(|vertex_number| {
            let (state, position) = (vertex_number / length, vertex_number % length);
            let edges = automaton.edges[state].iter();
            let enabled =
                edges.filter(|edge| automaton.guard_holds(edge.guard, |atom| word.letter(position).holds(atom)));
            enabled.map(|edge| (vertex(edge.target, word.next(position)), edge.marks)).collect()
        })
        .collect();
    let components = Components::of_graph(steps.len(), |vertex| steps[vertex].iter().map(|(target, _)| *target));
    let mut inner: Vec<Option<Marks>> = vec![None; components.count()];
    for (source, targets) in steps.iter().enumerate() {
        for (target, marks) in targets {
            if components.of(source) == components.of(*target) {
                let seen = &mut inner[components.of(source)];
                *seen = Some(seen.unwrap_or(Marks::NONE).union(*marks));
            }
        }
    }
    let mut reached = vec![false; steps.len()];
    let mut work = vec![vertex(automaton.initial, 0)];
    while let Some(source) = work.pop() {
        if std::mem::replace(&mut reached[source], true) {
            continue;
        }
        if inner[components.of(source)] == Some(automaton.all_marks()) {
            return true;
        }
        work.extend(steps[source].iter().map(|(target, _)| *target));
    }
    false
}
