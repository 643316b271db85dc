//! Reduction of automata: every language-preserving step, repeated until nothing gets smaller.
//!
//! Used on fresh tableaux, and open to automata from elsewhere (HOA files). Steps: pruning (`prune`), quotients by
//! simulation in both directions (`simulation`), and degeneralisation ([`crate::degeneralise`]) where one acceptance
//! set is wanted.

use rustc_hash::FxHashSet;

use crate::automaton::{Automaton, Marks, StateId};
use crate::degeneralise::{LookAhead, Orders, Placement, degeneralise};
use crate::prune::{Transient, mark_transient, prune, prune_states};
use crate::simulation::{Acceptance, backward, forward};

/// The kind of automaton wanted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Several acceptance sets, on edges: smallest.
    Generalised,
    /// One acceptance set, on edges.
    BuchiEdges,
    /// One acceptance set, on states: what never claims can say.
    BuchiStates,
}

/// How many orders of acceptance sets are tried, and how many of the results are reduced.
const MAX_ROTATIONS: u32 = 4;

/// A smaller automaton with the same language, with acceptance on edges: prunes and merges until nothing gets smaller.
pub fn reduce(automaton: &Automaton) -> Automaton {
    let mut best = prune(automaton);
    loop {
        let before = measure(&best);
        for transient in [Transient::Marked, Transient::Unmarked] {
            let quotient = forward(&mark_transient(&best, transient));
            let quotient = backward(&mark_transient(&prune(&quotient), transient), Acceptance::Edges);
            let quotient = prune(&quotient);
            if measure(&quotient) <= measure(&best) {
                best = quotient;
            }
        }
        if measure(&best) >= before {
            return best;
        }
    }
}

/// A small automaton of the kind wanted with the same language.
///
/// ```
/// use automata::{atom::AtomTable, reduce::{to_kind, Kind}, text, translate::translate};
/// let formula = text::parse("G F p & G F q", &mut AtomTable::default()).unwrap();
/// let buchi = to_kind(&translate(&formula).unwrap(), Kind::BuchiStates);
/// assert_eq!((buchi.state_count(), buchi.acceptance_sets()), (3, 1));
/// ```
pub fn to_kind(automaton: &Automaton, kind: Kind) -> Automaton {
    let placement = match kind {
        Kind::Generalised => return reduce(automaton),
        Kind::BuchiEdges => Placement::Edges,
        Kind::BuchiStates => Placement::States,
    };
    let mut raw = Vec::new();
    for look_ahead in [LookAhead::Common, LookAhead::Off] {
        for reversed in [false, true] {
            for rotation in 0..automaton.acceptance_sets.clamp(1, MAX_ROTATIONS) {
                raw.push(degeneralise(automaton, placement, &Orders { rotation, reversed, look_ahead }));
            }
        }
    }
    let reduced = |automaton: &Automaton| match placement {
        Placement::States => reduce_states(automaton),
        Placement::Edges => with_one_set(&reduce(automaton)),
    };
    let mut raw = distinct(raw);
    raw.sort_by_cached_key(measure);
    let best = raw.iter().take(MAX_ROTATIONS as usize).map(reduced).min_by_key(rank);
    best.unwrap_or_else(|| degeneralise(automaton, placement, &Orders::default()))
}

/// Leaves out automata that look the same as an earlier one: same edges, with the same numbers of letters.
pub(crate) fn distinct(automata: Vec<Automaton>) -> Vec<Automaton> {
    let mut seen = FxHashSet::default();
    let look = |automaton: &Automaton| -> Vec<(StateId, StateId, Marks, u128)> {
        let variables = automaton.atoms().len() as u32;
        let edges = automaton.states().flat_map(|state| automaton.edges(state).iter().map(move |edge| (state, edge)));
        edges
            .map(|(state, edge)| (state, edge.target, edge.marks, automaton.guards.model_count(edge.guard, variables)))
            .collect()
    };
    automata.into_iter().filter(|automaton| seen.insert(look(automaton))).collect()
}

/// As [`reduce`], for one acceptance set on states.
fn reduce_states(automaton: &Automaton) -> Automaton {
    let mut best = prune_states(automaton, Transient::Unmarked);
    loop {
        let before = measure(&best);
        for transient in [Transient::Marked, Transient::Unmarked] {
            let quotient = forward(&prune_states(&best, transient));
            let quotient = backward(&prune_states(&quotient, transient), Acceptance::States);
            let quotient = prune_states(&quotient, Transient::Unmarked);
            if measure(&quotient) <= measure(&best) {
                best = quotient;
            }
        }
        if measure(&best) >= before {
            return best;
        }
    }
}

/// The same language with exactly one acceptance set, for automata that have none or one.
pub(crate) fn with_one_set(automaton: &Automaton) -> Automaton {
    let mut result = automaton.clone();
    if automaton.acceptance_sets == 0 {
        result.acceptance_sets = 1;
        result.edges.iter_mut().flatten().for_each(|edge| edge.marks = Marks::single(0));
    }
    result
}

fn measure(automaton: &Automaton) -> (usize, usize) {
    let size = automaton.size();
    (size.states, size.edges)
}

/// The best comes first: fewest states, then deterministic, then fewest transitions and edges.
pub(crate) fn rank(automaton: &Automaton) -> (usize, bool, u128, usize) {
    let size = automaton.size();
    (size.states, !automaton.is_deterministic(), size.transitions, size.edges)
}
