//! When one formula implies another, as far as their syntax tells (Somenzi and Bloem 2000, section 4).
//!
//! Sound, not complete. Both formulas are interned and in negation normal form. The rules fall in three groups: what
//! the left side gives up to imply the whole right side, what of the right side suffices, and operators compared
//! pairwise.

use crate::formula::{Formula, Operator};
use crate::simplify::Simplifier;

impl Simplifier {
    /// Does every word that satisfies `f` satisfy `g`? "No" means "not known".
    pub(crate) fn implies(&mut self, f: &Formula, g: &Formula) -> bool {
        self.syntax_implies(f, g) || self.language_implies(f, g)
    }

    fn syntax_implies(&mut self, f: &Formula, g: &Formula) -> bool {
        if f == g || f.is_false() || g.is_true() {
            return true;
        }
        if f.is_true() || g.is_false() {
            return false;
        }
        if f.classes().boolean() && g.classes().boolean() {
            return self.propositions.implies(f, g);
        }
        let key = (f.clone(), g.clone());
        if let Some(&known) = self.implications.get(&key) {
            return known;
        }
        let result = match (f.operator(), g.operator()) {
            (Operator::Or(parts), _) => parts.iter().all(|part| self.syntax_implies(part, g)),
            (_, Operator::And(parts)) => parts.iter().all(|part| self.syntax_implies(f, part)),
            _ => self.left_suffices(f, g) || self.right_suffices(f, g) || self.pairwise(f, g),
        };
        self.implications.insert(key, result);
        result
    }

    /// Can the two never hold together?
    pub(crate) fn contradict(&mut self, f: &Formula, g: &Formula) -> bool {
        let not_g = self.negate(g);
        self.implies(f, &not_g)
    }

    /// As [`Simplifier::contradict`], by syntax alone: cheap enough to ask often.
    pub(crate) fn syntax_contradict(&mut self, f: &Formula, g: &Formula) -> bool {
        let not_g = self.negate(g);
        self.syntax_implies(f, &not_g)
    }

    /// Does one of the two always hold?
    pub(crate) fn exhaust(&mut self, f: &Formula, g: &Formula) -> bool {
        let not_f = self.negate(f);
        self.implies(&not_f, g)
    }

    /// Something that `f` says implies the whole of `g`.
    fn left_suffices(&mut self, f: &Formula, g: &Formula) -> bool {
        let eventual = g.classes().pure_eventuality();
        match f.operator() {
            Operator::And(parts) => parts.iter().any(|part| self.syntax_implies(part, g)),
            Operator::Always(a) => self.syntax_implies(a, g),
            Operator::Next(a) | Operator::Eventually(a) => eventual && self.syntax_implies(a, g),
            Operator::Until(a, b) => self.syntax_implies(b, g) && (eventual || self.syntax_implies(a, g)),
            Operator::WeakUntil(a, b) => self.syntax_implies(a, g) && self.syntax_implies(b, g),
            Operator::Release(_, b) => self.syntax_implies(b, g),
            Operator::StrongRelease(a, b) => self.syntax_implies(b, g) || (eventual && self.syntax_implies(a, g)),
            _ => false,
        }
    }

    /// The whole of `f` implies something that suffices for `g`.
    fn right_suffices(&mut self, f: &Formula, g: &Formula) -> bool {
        let universal = f.classes().pure_universality();
        match g.operator() {
            Operator::Or(parts) => parts.iter().any(|part| self.syntax_implies(f, part)),
            Operator::Eventually(b) => self.syntax_implies(f, b),
            Operator::Next(b) | Operator::Always(b) => universal && self.syntax_implies(f, b),
            Operator::Release(a, b) => self.syntax_implies(f, b) && (universal || self.syntax_implies(f, a)),
            Operator::StrongRelease(a, b) => self.syntax_implies(f, a) && self.syntax_implies(f, b),
            Operator::Until(_, b) => self.syntax_implies(f, b),
            Operator::WeakUntil(a, b) => self.syntax_implies(f, b) || (universal && self.syntax_implies(f, a)),
            _ => false,
        }
    }

    /// The operators are monotone in their operands; the four binary ones are compared as untils.
    fn pairwise(&mut self, f: &Formula, g: &Formula) -> bool {
        match (f.operator(), g.operator()) {
            (Operator::Next(a), Operator::Next(b)) => self.syntax_implies(a, b),
            (Operator::Until(a, b), Operator::Until(c, d) | Operator::WeakUntil(c, d))
            | (Operator::WeakUntil(a, b), Operator::WeakUntil(c, d))
            | (Operator::StrongRelease(a, b), Operator::StrongRelease(c, d) | Operator::Release(c, d))
            | (Operator::Release(a, b), Operator::Release(c, d)) => {
                self.syntax_implies(a, c) && self.syntax_implies(b, d)
            }
            // f M g is g U (f & g); f R g is g W (f & g).
            (Operator::StrongRelease(a, b), Operator::Until(c, d) | Operator::WeakUntil(c, d))
            | (Operator::Release(a, b), Operator::WeakUntil(c, d)) => {
                self.syntax_implies(b, c) && (self.syntax_implies(a, d) || self.syntax_implies(b, d))
            }
            (Operator::Until(a, b), Operator::StrongRelease(c, d) | Operator::Release(c, d))
            | (Operator::WeakUntil(a, b), Operator::Release(c, d)) => {
                self.syntax_implies(a, d) && self.syntax_implies(b, d) && self.syntax_implies(b, c)
            }
            _ => false,
        }
    }
}
