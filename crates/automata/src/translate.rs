//! From a formula to a small automaton: the whole way.
//!
//! ```text
//! formula ── simplify ──▶ tableau ──▶ prune, simulate ──▶ generalised Büchi ── degeneralise, simulate ──▶ Büchi
//!                            └──▶ minimal weak deterministic automaton, if the language is an obligation
//! ```
//! No single construction is best, and formulas are small; so a few are tried and the smallest automaton is kept:
//! fewest states, then deterministic, then fewest transitions.

use std::fmt;

use crate::atom::AtomId;
use crate::automaton::{Automaton, Marks};
use crate::degeneralise::{LookAhead, Orders, Placement, degeneralise};
use crate::emptiness::is_empty;
use crate::formula::{Formula, Operator};
use crate::lasso::holds;
use crate::obligation::WeakDeterministic;
use crate::product::intersection;
use crate::prune::{Transient, mark_transient, prune, prune_states};
use crate::simplify::Simplifier;
use crate::simulation::{Acceptance, backward, forward};
use crate::suspension::suspended_intersection;
use crate::tableau::{Branching, Limits, tableau};

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

/// Why a formula was not translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TranslationError {
    /// The automaton grew beyond the limit.
    TooLarge {
        /// States when it was given up.
        states: usize,
        /// Edges when it was given up.
        edges: usize,
    },
    /// The formula has more than [`Marks::LIMIT`] different goals of `F`, `U` and `M`.
    TooManyAcceptanceSets,
}

impl fmt::Display for TranslationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranslationError::TooLarge { states, edges } => {
                write!(f, "the automaton of the formula is too large: given up at {states} states and {edges} edges")
            }
            TranslationError::TooManyAcceptanceSets => {
                write!(f, "the formula has more than {} different things to happen eventually", Marks::LIMIT)
            }
        }
    }
}

impl std::error::Error for TranslationError {}

/// The automaton of a formula, with acceptance sets on edges.
///
/// ```
/// use automata::{atom::AtomTable, text, translate::translate};
/// let formula = text::parse("G F p & G F q", &mut AtomTable::default()).unwrap();
/// let automaton = translate(&formula).unwrap();
/// assert_eq!((automaton.state_count(), automaton.acceptance_sets()), (1, 2));
/// ```
pub fn translate(formula: &Formula) -> Result<Automaton, TranslationError> {
    translate_to(formula, Kind::Generalised)
}

/// The automaton of a formula, of the kind wanted; its atoms are those that matter.
pub fn translate_to(formula: &Formula, kind: Kind) -> Result<Automaton, TranslationError> {
    Translator::default().translate(formula, kind)
}

/// More states or edges than this are an error of their own kind, not a reason to fill the memory.
const LIMITS: Limits = Limits { states: 20_000, edges: 200_000 };

/// More subsets than this, and a deterministic automaton is not what we want.
const MAX_SUBSETS: usize = 400;

/// A translator that can be used for many formulas, and shares what it learns about subformulas.
pub struct Translator {
    simplifier: Simplifier,
}

impl Default for Translator {
    fn default() -> Translator {
        Translator { simplifier: Simplifier::with_language_checks() }
    }
}

impl Translator {
    /// The automaton of a formula, of the kind wanted; its atoms are those that matter.
    pub fn translate(&mut self, formula: &Formula, kind: Kind) -> Result<Automaton, TranslationError> {
        let simple = self.simplifier.simplify(formula);
        let atoms = simple.atoms();
        let mut candidates = self.generalised(&simple, &atoms)?;
        let weak = self.weak_deterministic(&simple, &atoms, &candidates);
        if kind != Kind::Generalised {
            candidates = candidates.iter().flat_map(|candidate| buchi(candidate, kind)).collect();
        }
        if let Some(weak) = weak {
            candidates.push(match kind {
                Kind::Generalised => prune(weak.automaton()),
                Kind::BuchiEdges => one_set(&prune(weak.automaton())),
                Kind::BuchiStates => prune_states(weak.automaton(), Transient::Unmarked),
            });
        }
        Ok(smallest(candidates))
    }

    /// Several automata for a simplified formula, all reduced; at least one.
    fn generalised(&mut self, simple: &Formula, atoms: &[AtomId]) -> Result<Vec<Automaton>, TranslationError> {
        let prepared = self.simplifier.prepare(simple);
        let immediate = tableau(&prepared, atoms, Branching::Immediate, LIMITS, &mut self.simplifier)?;
        let mut candidates = vec![reduce(&immediate)];
        for (form, branching) in
            [(&prepared, Branching::Postponed), (simple, Branching::Immediate), (simple, Branching::Postponed)]
        {
            if let Ok(automaton) = tableau(form, atoms, branching, LIMITS, &mut self.simplifier) {
                candidates.push(reduce(&automaton));
            }
        }
        if let Some(suspended) = self.suspended(simple, atoms)? {
            candidates.push(reduce(&suspended));
        }
        Ok(candidates)
    }

    /// For a conjunction with suspendable parts: those parts started late.
    fn suspended(&mut self, simple: &Formula, atoms: &[AtomId]) -> Result<Option<Automaton>, TranslationError> {
        let Operator::And(parts) = simple.operator() else { return Ok(None) };
        let (suspendable, rest): (Vec<Formula>, Vec<Formula>) =
            parts.iter().cloned().partition(|part| part.classes().suspendable());
        if suspendable.is_empty() || rest.is_empty() {
            return Ok(None);
        }
        let main = self.translate(&Formula::and(rest), Kind::Generalised)?;
        let far = self.translate(&Formula::and(suspendable), Kind::Generalised)?;
        Ok(suspended_intersection(&main, &far).map(|mut product| {
            product.add_atoms(atoms);
            product
        }))
    }

    /// The minimal weak deterministic automaton, if the language is an obligation and the automaton is worth having.
    fn weak_deterministic(
        &mut self,
        simple: &Formula,
        atoms: &[AtomId],
        candidates: &[Automaton],
    ) -> Option<WeakDeterministic> {
        let smallest = candidates.iter().min_by_key(|candidate| measure(candidate))?;
        let weak = WeakDeterministic::of(smallest, |word| holds(simple, &word.prefix, &word.cycle), MAX_SUBSETS)?;
        if simple.classes().obligation() {
            return Some(weak);
        }
        if prune(weak.automaton()).state_count() > smallest.state_count() {
            return None;
        }
        // Not known to be an obligation, so both inclusions are checked.
        let negation = self.simplifier.negate(simple);
        let negation = self.simplifier.prepare(&negation);
        let negated = tableau(&negation, atoms, Branching::Immediate, LIMITS, &mut self.simplifier).ok()?;
        let same = is_empty(&intersection(weak.automaton(), &prune(&negated)))
            && is_empty(&intersection(&weak.complement(), smallest));
        same.then_some(weak)
    }
}

/// Prunes and merges until nothing gets smaller.
pub(crate) fn reduce(automaton: &Automaton) -> Automaton {
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

/// Büchi automata for the language, from several orders of the acceptance sets.
fn buchi(automaton: &Automaton, kind: Kind) -> Vec<Automaton> {
    let placement = if kind == Kind::BuchiStates { Placement::States } else { Placement::Edges };
    let rotations = automaton.acceptance_sets.clamp(1, 4);
    let mut results = Vec::new();
    for look_ahead in [LookAhead::Common, LookAhead::Off] {
        for reversed in [false, true] {
            for rotation in 0..rotations {
                let orders = Orders { rotation, reversed, look_ahead };
                let plain = degeneralise(automaton, placement, &orders);
                results.push(match kind {
                    Kind::BuchiStates => reduce_states(&plain),
                    _ => one_set(&reduce(&plain)),
                });
                if automaton.acceptance_sets < 2 && look_ahead == LookAhead::Off {
                    return results;
                }
            }
        }
    }
    results
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
fn one_set(automaton: &Automaton) -> Automaton {
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

/// The best: fewest states, then deterministic, then fewest transitions and edges; of equals, the first.
fn smallest(candidates: Vec<Automaton>) -> Automaton {
    let rank = |automaton: &Automaton| {
        let size = automaton.size();
        (size.states, !automaton.is_deterministic(), size.transitions, size.edges)
    };
    let best = candidates.into_iter().min_by_key(rank);
    best.unwrap_or_else(|| Automaton::new(Vec::new(), 0))
}
