//! Rewriting of conjunctions; disjunctions follow by duality.
//!
//! Conjuncts are compared pairwise until nothing changes: one may imply another, contradict it, or merge with it. The
//! Boolean conjuncts are put in canonical form together.

use crate::formula::{Formula, Operator};
use crate::simplify::{MAX_DEPTH, Simplifier};

/// What a pair of conjuncts comes to.
enum Pair {
    /// They say different things.
    Keep,
    /// Nothing satisfies both.
    Contradiction,
    /// The first can go.
    DropFirst,
    /// The second can go.
    DropSecond,
    /// One formula says what both say.
    Merge(Formula),
}

impl Simplifier {
    pub(super) fn and(&mut self, parts: Vec<Formula>) -> Formula {
        let mut parts = self.flat_conjuncts(parts);
        if self.depth > MAX_DEPTH {
            parts.sort_unstable();
            parts.dedup();
            return self.join(parts, Operator::And, true);
        }
        self.depth += 1;
        let result = self.and_of_flat(parts);
        self.depth -= 1;
        result
    }

    fn and_of_flat(&mut self, mut parts: Vec<Formula>) -> Formula {
        'again: loop {
            parts.sort_unstable();
            parts.dedup();
            if parts.iter().any(Formula::is_false) {
                return self.constant(false);
            }
            parts.retain(|part| !part.is_true());
            for second in 1..parts.len() {
                for first in 0..second {
                    let (f, g) = (parts[first].clone(), parts[second].clone());
                    match self.pair(&f, &g) {
                        Pair::Keep => continue,
                        Pair::Contradiction => return self.constant(false),
                        Pair::DropFirst => drop(parts.remove(first)),
                        Pair::DropSecond => drop(parts.remove(second)),
                        Pair::Merge(merged) => {
                            parts.remove(second);
                            parts.remove(first);
                            parts.push(merged);
                        }
                    }
                    parts = self.flat_conjuncts(parts);
                    continue 'again;
                }
            }
            if let Some(rolled) = self.roll_up(&parts) {
                parts = rolled;
                continue 'again;
            }
            return self.join(parts, Operator::And, true);
        }
    }

    /// The conjuncts of all parts, with the Boolean ones replaced by the conjuncts of their canonical form.
    fn flat_conjuncts(&mut self, parts: Vec<Formula>) -> Vec<Formula> {
        let mut flat = Vec::with_capacity(parts.len());
        let mut boolean = Vec::new();
        for part in parts {
            let conjuncts = match part.operator() {
                Operator::And(inner) => inner.clone(),
                _ => vec![part],
            };
            for conjunct in conjuncts {
                if conjunct.classes().boolean() { boolean.push(conjunct) } else { flat.push(conjunct) }
            }
        }
        if boolean.len() > 1 {
            let canonical = self.canonical_boolean(&Formula::and(boolean));
            match canonical.operator() {
                Operator::And(inner) => flat.extend(inner.iter().cloned()),
                _ => flat.push(canonical),
            }
        } else {
            flat.extend(boolean);
        }
        flat
    }

    fn pair(&mut self, f: &Formula, g: &Formula) -> Pair {
        if f.classes().boolean() && g.classes().boolean() {
            return Pair::Keep; // already canonical together
        }
        if self.contradict(f, g) {
            return Pair::Contradiction;
        }
        if self.implies(f, g) {
            return Pair::DropSecond;
        }
        if self.implies(g, f) {
            return Pair::DropFirst;
        }
        if let Some(shorter) = self.propagate(f, g) {
            return Pair::Merge(Formula::and([f.clone(), shorter]));
        }
        if let Some(shorter) = self.propagate(g, f) {
            return Pair::Merge(Formula::and([g.clone(), shorter]));
        }
        match self.merge(f, g).or_else(|| self.merge(g, f)) {
            Some(merged) => Pair::Merge(merged),
            None => Pair::Keep,
        }
    }

    /// `f & (g | h)` is `f & h` when `f` excludes `g`; `f & ((g & h) | i)` is `f & (h | i)` when `f` implies `g`.
    fn propagate(&mut self, f: &Formula, disjunction: &Formula) -> Option<Formula> {
        let Operator::Or(parts) = disjunction.operator() else { return None };
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            if self.contradict(f, part) {
                continue;
            }
            kept.push(match part.operator() {
                Operator::And(inner) if !part.classes().boolean() => {
                    let rest: Vec<Formula> =
                        inner.iter().filter(|conjunct| !self.implies(f, conjunct)).cloned().collect();
                    if rest.len() < inner.len() { self.and(rest) } else { part.clone() }
                }
                _ => part.clone(),
            });
        }
        (kept != *parts).then(|| self.or(kept))
    }

    /// One formula for `f & g`, for operators in this order.
    fn merge(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        match (f.operator(), g.operator()) {
            (Operator::Next(a), Operator::Next(b)) => {
                let both = self.and(vec![a.clone(), b.clone()]);
                Some(self.next(&both))
            }
            // G a & G b, unless one is a GF: suspendable formulas are better kept apart.
            (Operator::Always(a), Operator::Always(b)) if !f.classes().suspendable() && !g.classes().suspendable() => {
                let both = self.and(vec![a.clone(), b.clone()]);
                Some(self.always(&both))
            }
            (Operator::Eventually(fa), Operator::Eventually(ga)) => match (fa.operator(), ga.operator()) {
                (Operator::Always(a), Operator::Always(b)) => {
                    let both = self.and(vec![a.clone(), b.clone()]);
                    let always = self.always(&both);
                    Some(self.eventually(&always))
                }
                _ => None,
            },
            // (a U b) & (c U b), and with W for either.
            (Operator::Until(a, b), Operator::Until(c, d) | Operator::WeakUntil(c, d)) if b == d => {
                let both = self.and(vec![a.clone(), c.clone()]);
                Some(self.until(&both, b))
            }
            (Operator::WeakUntil(a, b), Operator::WeakUntil(c, d)) if b == d => {
                let both = self.and(vec![a.clone(), c.clone()]);
                Some(self.weak_until(&both, b))
            }
            // (a R b) & (a R c), and with M for either.
            (Operator::StrongRelease(a, b), Operator::StrongRelease(c, d) | Operator::Release(c, d)) if a == c => {
                let both = self.and(vec![b.clone(), d.clone()]);
                Some(self.strong_release(a, &both))
            }
            (Operator::Release(a, b), Operator::Release(c, d)) if a == c => {
                let both = self.and(vec![b.clone(), d.clone()]);
                Some(self.release(a, &both))
            }
            // (a W b) & F b = a U b, (a R b) & F a = a M b
            (Operator::WeakUntil(a, b), Operator::Eventually(c)) if b == c => Some(self.until(a, b)),
            (Operator::Release(a, b), Operator::Eventually(c)) if a == c => Some(self.strong_release(a, b)),
            // Under G a, the side of an until that a implies is free.
            (Operator::Always(a), Operator::Until(b, c)) if self.implies(a, b) => {
                let eventually = self.eventually(c);
                Some(Formula::and([f.clone(), eventually]))
            }
            (Operator::Always(a), Operator::StrongRelease(b, c)) if self.implies(a, c) => {
                let eventually = self.eventually(b);
                Some(Formula::and([f.clone(), eventually]))
            }
            _ => None,
        }
    }

    /// `a & X G a` is `G a`.
    fn roll_up(&mut self, parts: &[Formula]) -> Option<Vec<Formula>> {
        for part in parts {
            let Operator::Next(next) = part.operator() else { continue };
            let Operator::Always(body) = next.operator() else { continue };
            let conjuncts: &[Formula] = match body.operator() {
                Operator::And(inner) => inner,
                _ => std::slice::from_ref(body),
            };
            if conjuncts.iter().all(|conjunct| parts.contains(conjunct)) {
                let mut rolled: Vec<Formula> =
                    parts.iter().filter(|other| *other != part && !conjuncts.contains(other)).cloned().collect();
                rolled.push(next.clone());
                return Some(rolled);
            }
        }
        None
    }
}
