//! Stutter invariance: does repeating letters, or removing repetitions, ever change satisfaction?
//!
//! Partial-order reduction is sound for stutter-invariant properties only. A formula without `X` is stutter-invariant;
//! one with `X` may be, and then the automata tell (Michaud and Duret-Lutz 2015): close the automata of the formula and
//! of its negation under removal of repeated letters. A word in both closures exists exactly if two words that differ
//! in repetitions only are told apart by the formula.

use crate::automaton::{Automaton, Edge, StateId};
use crate::degeneralise::on_edges;
use crate::emptiness::is_empty;
use crate::formula::Formula;
use crate::product::intersection;
use crate::reduce::Kind;
use crate::translate::{TranslationError, Translator};

/// Is the formula's language invariant under stuttering?
///
/// ```
/// use automata::{atom::AtomTable, stutter::is_stutter_invariant, text};
/// let check = |text: &str| is_stutter_invariant(&text::parse(text, &mut AtomTable::default()).unwrap());
/// assert_eq!(check("G(p -> F q)"), Ok(true));
/// assert_eq!(check("G(p -> X q)"), Ok(false));
/// assert_eq!(check("F(p & X !p)"), Ok(true));
/// ```
pub fn is_stutter_invariant(formula: &Formula) -> Result<bool, TranslationError> {
    if formula.classes().stutter_invariant() {
        return Ok(true);
    }
    let mut translator = Translator::default();
    let automaton = translator.translate(formula, Kind::Generalised)?;
    let complement = translator.translate(&formula.negated(), Kind::Generalised)?;
    Ok(is_language_stutter_invariant(&automaton, &complement))
}

/// Is the automaton's language invariant under stuttering? The second automaton must accept the complement.
pub fn is_language_stutter_invariant(automaton: &Automaton, complement: &Automaton) -> bool {
    is_empty(&intersection(&without_repetitions(automaton), &without_repetitions(complement)))
}

/// Accepts the words of the automaton, and those that repeat some letters less often.
fn without_repetitions(automaton: &Automaton) -> Automaton {
    let mut closure = on_edges(automaton);
    // Two edges in a row that can read one letter twice make an edge that reads it once.
    let mut changed = true;
    while changed {
        changed = false;
        for state in 0..closure.state_count() {
            let firsts: Vec<Edge> = closure.edges[state].clone();
            for first in firsts {
                for second in closure.edges(first.target).to_vec() {
                    let guard = closure.guards.and(first.guard, second.guard);
                    let marks = first.marks.union(second.marks);
                    let known = closure.edges[state]
                        .iter()
                        .find(|edge| edge.target == second.target && edge.marks == marks)
                        .is_some_and(|edge| closure.guards.implies(guard, edge.guard));
                    if !known && guard != crate::automaton::Guard::FALSE {
                        closure.add_edge(StateId::from_index(state), guard, marks, second.target);
                        changed = true;
                    }
                }
            }
        }
    }
    closure
}
