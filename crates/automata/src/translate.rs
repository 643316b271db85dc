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
use crate::emptiness::is_empty;
use crate::formula::{Formula, Operator};
use crate::lasso::holds;
use crate::obligation::WeakDeterministic;
use crate::product::intersection;
use crate::prune::{Transient, prune, prune_states};
use crate::reduce::{Kind, distinct, rank, reduce, to_kind, with_one_set};
use crate::simplify::Simplifier;
use crate::suspension::suspended_intersection;
use crate::tableau::{Branching, Limits, tableau};

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
                write!(f, "the formula's automaton is too large (given up after {states} states and {edges} edges)")
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
const LIMITS: Limits = Limits { states: 20_000, edges: 200_000, steps: 1_500_000 };

/// More subsets than this, and a deterministic automaton is not what we want.
const MAX_SUBSETS: usize = 400;

/// How many of the generalised automata are degeneralised.
const MAX_DEGENERALISED: usize = 3;

/// A translator, which shares what it learns about subformulas.
pub(crate) struct Translator {
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
        candidates.sort_by_cached_key(rank);
        let weak = self.weak_deterministic(&simple, &atoms, &candidates[0]).map(|weak| match kind {
            Kind::Generalised => prune(weak.automaton()),
            Kind::BuchiEdges => with_one_set(&prune(weak.automaton())),
            Kind::BuchiStates => prune_states(weak.automaton(), Transient::Unmarked),
        });
        // With one acceptance set the others could only get larger.
        if let Some(weak) = &weak
            && weak.state_count() <= candidates[0].state_count()
        {
            return Ok(weak.clone());
        }
        if kind != Kind::Generalised {
            candidates.truncate(MAX_DEGENERALISED);
            candidates = candidates.iter().map(|candidate| to_kind(candidate, kind)).collect();
        }
        candidates.extend(weak);
        candidates.sort_by_cached_key(rank);
        Ok(candidates.swap_remove(0))
    }

    /// Several automata for a simplified formula, all reduced; at least one.
    fn generalised(&mut self, simple: &Formula, atoms: &[AtomId]) -> Result<Vec<Automaton>, TranslationError> {
        let prepared = self.simplifier.prepare(simple);
        let immediate = tableau(&prepared, atoms, Branching::Immediate, LIMITS, &mut self.simplifier)?;
        let mut raw = vec![immediate];
        for (form, branching) in
            [(&prepared, Branching::Postponed), (simple, Branching::Immediate), (simple, Branching::Postponed)]
        {
            raw.extend(tableau(form, atoms, branching, LIMITS, &mut self.simplifier));
        }
        raw.extend(self.suspended(simple, atoms)?);
        Ok(distinct(raw).iter().map(reduce).collect())
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
        smallest: &Automaton,
    ) -> Option<WeakDeterministic> {
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
