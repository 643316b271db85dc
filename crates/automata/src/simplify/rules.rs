//! Rewriting rules for `X`, `F`, `U` and `W`; the duals `G`, `R` and `M` follow by negation.
//!
//! In the comments `e` is a pure eventuality, `u` a pure universality, `q` a suspendable formula, and `f ≤ g` means
//! that `f` implies `g`. Operands are simplified already.

use crate::formula::{Formula, Operator};
use crate::simplify::{MAX_DEPTH, Simplifier};

impl Simplifier {
    pub(super) fn next(&mut self, f: &Formula) -> Formula {
        if f.classes().suspendable() {
            return f.clone(); // X q = q, constants included
        }
        self.make(Operator::Next(f.clone()))
    }

    pub(super) fn eventually(&mut self, f: &Formula) -> Formula {
        if f.classes().pure_eventuality() {
            return f.clone(); // F e = e
        }
        self.guarded(|simplifier| simplifier.rewrite_eventually(f), || Operator::Eventually(f.clone()))
    }

    pub(super) fn until(&mut self, f: &Formula, g: &Formula) -> Formula {
        if g.classes().pure_eventuality() || f.is_false() || self.implies(f, g) {
            return g.clone(); // f U e = e; f ≤ g: f U g = g
        }
        if self.exhaust(f, g) {
            return self.eventually(g); // !f ≤ g, in particular f true
        }
        self.guarded(|simplifier| simplifier.rewrite_until(f, g), || Operator::Until(f.clone(), g.clone()))
    }

    pub(super) fn weak_until(&mut self, f: &Formula, g: &Formula) -> Formula {
        if f.is_false() || self.implies(f, g) {
            return g.clone();
        }
        if self.exhaust(f, g) {
            return self.constant(true);
        }
        if g.is_false() {
            return self.always(f);
        }
        self.guarded(|simplifier| simplifier.rewrite_weak_until(f, g), || Operator::WeakUntil(f.clone(), g.clone()))
    }

    /// The rewritten formula if a rule applies, else the formula itself; chains of rules are bounded.
    fn guarded(
        &mut self,
        rewrite: impl FnOnce(&mut Simplifier) -> Option<Formula>,
        plain: impl FnOnce() -> Operator,
    ) -> Formula {
        self.depth += 1;
        let rewritten = if self.depth > MAX_DEPTH { None } else { rewrite(self) };
        self.depth -= 1;
        rewritten.unwrap_or_else(|| self.make(plain()))
    }

    fn rewrite_eventually(&mut self, f: &Formula) -> Option<Formula> {
        match f.operator() {
            Operator::Next(a) => {
                let eventually = self.eventually(a);
                Some(self.next(&eventually)) // F X a = X F a
            }
            Operator::Until(_, b) => Some(self.eventually(b)), // F(a U b) = F b
            Operator::StrongRelease(a, b) => {
                let both = self.and(vec![a.clone(), b.clone()]);
                Some(self.eventually(&both)) // F(a M b) = F(a & b)
            }
            Operator::WeakUntil(a, b) => {
                let always = self.always(a);
                let either = self.or(vec![always, b.clone()]);
                Some(self.eventually(&either)) // F(a W b) = F(G a | b)
            }
            Operator::Release(a, b) => {
                let both = self.and(vec![a.clone(), b.clone()]);
                let always = self.always(b);
                let either = self.or(vec![both, always]);
                Some(self.eventually(&either)) // F(a R b) = F((a & b) | G b)
            }
            // F(a | u) = F a | F u, F(a | e) = F a | e
            Operator::Or(parts) => {
                let (special, rest) =
                    partition(parts, |part| part.classes().pure_universality() || part.classes().pure_eventuality());
                self.split(special, rest, |simplifier, mut special, rest| {
                    for part in &mut special {
                        *part = simplifier.eventually(part);
                    }
                    if !rest.is_empty() {
                        let rest = simplifier.or(rest);
                        special.push(simplifier.eventually(&rest));
                    }
                    simplifier.or(special)
                })
            }
            // F(a & q) = F a & q
            Operator::And(parts) => {
                let (suspendable, rest) = partition(parts, |part| part.classes().suspendable());
                self.split(suspendable, rest, |simplifier, mut suspendable, rest| {
                    let rest = simplifier.and(rest);
                    suspendable.push(simplifier.eventually(&rest));
                    simplifier.and(suspendable)
                })
            }
            Operator::Always(a) => self.rewrite_eventually_always(a),
            _ => None,
        }
    }

    /// `F G a`: only the far future matters.
    fn rewrite_eventually_always(&mut self, a: &Formula) -> Option<Formula> {
        match a.operator() {
            // F G(a & X b) = F G(a & b)
            Operator::And(parts) if parts.iter().any(|part| matches!(part.operator(), Operator::Next(_))) => {
                let now = parts.iter().map(|part| match part.operator() {
                    Operator::Next(inner) => inner.clone(),
                    _ => part.clone(),
                });
                let now = now.collect();
                let all = self.and(now);
                let always = self.always(&all);
                Some(self.eventually(&always))
            }
            // F G(a | u) = F G a | F u
            Operator::Or(parts) => {
                let (universal, rest) = partition(parts, |part| part.classes().pure_universality());
                self.split(universal, rest, |simplifier, mut universal, rest| {
                    for part in &mut universal {
                        *part = simplifier.eventually(part);
                    }
                    let rest = simplifier.or(rest);
                    let always = simplifier.always(&rest);
                    universal.push(simplifier.eventually(&always));
                    simplifier.or(universal)
                })
            }
            _ => None,
        }
    }

    fn rewrite_until(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        if let (Operator::Next(a), Operator::Next(b)) = (f.operator(), g.operator()) {
            let until = self.until(a, b);
            return Some(self.next(&until)); // X a U X b = X(a U b)
        }
        if f.classes().suspendable() {
            let eventually = self.eventually(g);
            let later = self.and(vec![f.clone(), eventually]);
            return Some(self.or(vec![g.clone(), later])); // q U b = b | (q & F b)
        }
        if let Some(shorter) = self.shorten_left(f, g) {
            return Some(self.until(&shorter, g));
        }
        self.rewrite_until_right(f, g).or_else(|| self.rewrite_until_left(f, g))
    }

    fn rewrite_until_right(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        match g.operator() {
            Operator::Or(parts) => {
                // a U (b | c) = (a U b) | c if a U c = c
                let (free, rest): (Vec<Formula>, Vec<Formula>) =
                    parts.iter().cloned().partition(|part| self.absorbs(f, part));
                if !free.is_empty() {
                    return self.split(free, rest, |simplifier, mut free, rest| {
                        let rest = simplifier.or(rest);
                        free.push(simplifier.until(f, &rest));
                        simplifier.or(free)
                    });
                }
                // a U (b | (c U d)) = a U (b | d) if c ≤ a
                let mut shorter = parts.clone();
                for part in &mut shorter {
                    if let Operator::Until(c, d) = part.clone().operator()
                        && self.implies(c, f)
                    {
                        *part = d.clone();
                    }
                }
                (shorter != *parts).then(|| {
                    let shorter = self.or(shorter);
                    self.until(f, &shorter)
                })
            }
            // a U (b & q) = (a U b) & q
            Operator::And(parts) => {
                let (suspendable, rest) = partition(parts, |part| part.classes().suspendable());
                self.split(suspendable, rest, |simplifier, mut suspendable, rest| {
                    let rest = simplifier.and(rest);
                    suspendable.push(simplifier.until(f, &rest));
                    simplifier.and(suspendable)
                })
            }
            _ if self.absorbs(f, g) => Some(g.clone()),
            Operator::Until(c, d) if self.implies(c, f) => Some(self.until(f, d)), // c ≤ a: a U (c U d) = a U d
            // c M d is d U (c & d)
            Operator::StrongRelease(c, d) if self.implies(d, f) => {
                let both = self.and(vec![c.clone(), d.clone()]);
                Some(self.until(f, &both))
            }
            _ => None,
        }
    }

    /// Is `a U c = c`? So it is for pure eventualities, and if `c` is itself a wait during which at least `a` holds.
    fn absorbs(&mut self, a: &Formula, c: &Formula) -> bool {
        if c.classes().pure_eventuality() {
            return true;
        }
        match c.operator() {
            // c R d is d W (c & d), G d is d W false
            Operator::Until(during, _)
            | Operator::WeakUntil(during, _)
            | Operator::Release(_, during)
            | Operator::StrongRelease(_, during)
            | Operator::Always(during) => self.implies(a, during),
            _ => false,
        }
    }

    fn rewrite_until_left(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        match f.operator() {
            // (a & q) U b = b | (q & (a U b))
            Operator::And(parts) => {
                let (suspendable, rest) = partition(parts, |part| part.classes().suspendable());
                self.split(suspendable, rest, |simplifier, mut suspendable, rest| {
                    let rest = simplifier.and(rest);
                    suspendable.push(simplifier.until(&rest, g));
                    let later = simplifier.and(suspendable);
                    simplifier.or(vec![g.clone(), later])
                })
            }
            // (a | q) U b = (a U b) | (q & F b)
            Operator::Or(parts) => {
                let (suspendable, rest) = partition(parts, |part| part.classes().suspendable());
                self.split(suspendable, rest, |simplifier, suspendable, rest| {
                    let rest = simplifier.or(rest);
                    let until = simplifier.until(&rest, g);
                    let any = simplifier.or(suspendable);
                    let eventually = simplifier.eventually(g);
                    let later = simplifier.and(vec![any, eventually]);
                    simplifier.or(vec![until, later])
                })
            }
            // c ≤ b: (c U d) U b = d U b, and with W
            Operator::Until(c, d) | Operator::WeakUntil(c, d) if self.implies(c, g) => Some(self.until(d, g)),
            _ => None,
        }
    }

    fn rewrite_weak_until(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        if f.classes().pure_universality() {
            return Some(self.or(vec![f.clone(), g.clone()])); // u W b = u | b
        }
        if g.classes().pure_eventuality() {
            let always = self.always(f);
            return Some(self.or(vec![always, g.clone()])); // a W e = G a | e
        }
        if let (Operator::Next(a), Operator::Next(b)) = (f.operator(), g.operator()) {
            let until = self.weak_until(a, b);
            return Some(self.next(&until)); // X a W X b = X(a W b)
        }
        if let Some(shorter) = self.shorten_left(f, g) {
            return Some(self.weak_until(&shorter, g));
        }
        self.rewrite_weak_until_right(f, g).or_else(|| self.rewrite_weak_until_left(f, g))
    }

    fn rewrite_weak_until_right(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        match g.operator() {
            // a W (b | c) = (a W b) | c if c is a pure eventuality or a W c = c
            Operator::Or(parts) => {
                let (free, rest): (Vec<Formula>, Vec<Formula>) = parts
                    .iter()
                    .cloned()
                    .partition(|part| part.classes().pure_eventuality() || self.absorbs_weakly(f, part));
                self.split(free, rest, |simplifier, mut free, rest| {
                    let rest = simplifier.or(rest);
                    free.push(simplifier.weak_until(f, &rest));
                    simplifier.or(free)
                })
            }
            _ if self.absorbs_weakly(f, g) => Some(g.clone()),
            // c ≤ a: a W (c W d) = a W (c U d) = a W d
            Operator::WeakUntil(c, d) | Operator::Until(c, d) if self.implies(c, f) => Some(self.weak_until(f, d)),
            _ => None,
        }
    }

    /// Is `a W c = c`? So it is if `c` is a weak wait during which at least `a` holds.
    fn absorbs_weakly(&mut self, a: &Formula, c: &Formula) -> bool {
        match c.operator() {
            Operator::WeakUntil(during, _) | Operator::Release(_, during) | Operator::Always(during) => {
                self.implies(a, during)
            }
            _ => false,
        }
    }

    fn rewrite_weak_until_left(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        match f.operator() {
            // (a & q) W b = b | (q & (a W b))
            Operator::And(parts) => {
                let (suspendable, rest) = partition(parts, |part| part.classes().suspendable());
                self.split(suspendable, rest, |simplifier, mut suspendable, rest| {
                    let rest = simplifier.and(rest);
                    suspendable.push(simplifier.weak_until(&rest, g));
                    let later = simplifier.and(suspendable);
                    simplifier.or(vec![g.clone(), later])
                })
            }
            // (a | q) W b = q | (a W b)
            Operator::Or(parts) => {
                let (suspendable, rest) = partition(parts, |part| part.classes().suspendable());
                self.split(suspendable, rest, |simplifier, mut suspendable, rest| {
                    let rest = simplifier.or(rest);
                    suspendable.push(simplifier.weak_until(&rest, g));
                    simplifier.or(suspendable)
                })
            }
            Operator::Until(c, d) | Operator::WeakUntil(c, d) if self.implies(c, g) => Some(self.weak_until(d, g)),
            _ => None,
        }
    }

    /// The left side of an until counts only where the right side is false.
    ///
    /// So conjuncts `x` with `!x ≤ g` and disjuncts `x` with `x ≤ g` can go.
    fn shorten_left(&mut self, f: &Formula, g: &Formula) -> Option<Formula> {
        match f.operator() {
            Operator::And(parts) => {
                let kept: Vec<Formula> = parts.iter().filter(|part| !self.exhaust(part, g)).cloned().collect();
                (kept.len() < parts.len()).then(|| self.and(kept))
            }
            Operator::Or(parts) => {
                let kept: Vec<Formula> = parts.iter().filter(|part| !self.implies(part, g)).cloned().collect();
                (kept.len() < parts.len()).then(|| self.or(kept))
            }
            _ => None,
        }
    }

    /// Applies a rule to the two halves of a list; none if the special half is empty.
    fn split(
        &mut self,
        special: Vec<Formula>,
        rest: Vec<Formula>,
        rule: impl FnOnce(&mut Simplifier, Vec<Formula>, Vec<Formula>) -> Formula,
    ) -> Option<Formula> {
        (!special.is_empty()).then(|| rule(self, special, rest))
    }
}

fn partition(parts: &[Formula], special: impl Fn(&Formula) -> bool) -> (Vec<Formula>, Vec<Formula>) {
    parts.iter().cloned().partition(special)
}
