//! When one formula implies another, by their automata: `f` implies `g` if nothing satisfies `f & !g`.
//!
//! Exact where it answers "yes"; formulas that are large, or whose automata are, are not compared. Rewriting with such
//! checks goes back to Tauriainen's *language containment* rules; they cost little on the small formulas where they
//! pay.

use crate::emptiness::is_empty;
use crate::formula::{Formula, Operator};
use crate::simplify::{LanguageChecks, Simplifier, sorted};
use crate::tableau::{Branching, Limits, tableau};

/// The sizes of both formulas together.
const MAX_SIZE: u64 = 40;
/// Larger automata are given up.
const LIMITS: Limits = Limits { states: 60, edges: 400, steps: 20_000 };

impl Simplifier {
    pub(super) fn language_implies(&mut self, f: &Formula, g: &Formula) -> bool {
        if self.language_checks == LanguageChecks::Off || f.size().saturating_add(g.size()) > MAX_SIZE {
            return false;
        }
        if f.classes().boolean() && g.classes().boolean() {
            return false; // decided exactly before
        }
        let key = (f.clone(), g.clone());
        if let Some(&known) = self.inclusions.get(&key) {
            return known;
        }
        let not_g = self.negate(g);
        let difference = self.make(Operator::And(sorted(vec![f.clone(), not_g])));
        let atoms = difference.atoms();
        let included = tableau(&difference, &atoms, Branching::Immediate, LIMITS, self)
            .is_ok_and(|automaton| is_empty(&automaton));
        self.inclusions.insert(key, included);
        included
    }
}
