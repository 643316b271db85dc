//! The last rewriting before the tableau: forms that are no simpler but make smaller automata.
//!
//! A suspendable disjunct moves under a neighbouring eventuality, so that one waiting state serves both; and where only
//! the first occurrence of something matters, `F` says so, which removes a nondeterministic choice.

use rustc_hash::FxHashMap;

use crate::formula::{Formula, Operator};
use crate::simplify::Simplifier;

impl Simplifier {
    /// The formula in the form the tableau likes; the argument is simplified.
    pub(crate) fn prepare(&mut self, formula: &Formula) -> Formula {
        self.prepare_with(formula, &mut FxHashMap::default())
    }

    fn prepare_with(&mut self, formula: &Formula, memo: &mut FxHashMap<Formula, Formula>) -> Formula {
        if formula.classes().boolean() {
            return formula.clone();
        }
        if let Some(known) = memo.get(formula) {
            return known.clone();
        }
        let result = match formula.operator().map(|operand| self.prepare_with(operand, memo)) {
            Operator::And(parts) => self.and(parts),
            Operator::Or(parts) => {
                let disjunction = self.or(parts);
                match disjunction.operator() {
                    Operator::Or(parts) => self.shelter_suspendable(parts),
                    _ => disjunction,
                }
            }
            Operator::Eventually(f) => self.first_occurrence(&f),
            Operator::Always(f) => {
                let dual = self.negate(&f);
                let eventually = self.first_occurrence(&dual);
                self.negate(&eventually)
            }
            operator => self.make(operator),
        };
        memo.insert(formula.clone(), result.clone());
        result
    }

    /// `F a | F b | q` is `F(a | b | q)`, `(a U b) | q` is `a U (b | q)`, `X a | q` is `X(a | q)`.
    fn shelter_suspendable(&mut self, parts: &[Formula]) -> Formula {
        let (guests, rest): (Vec<Formula>, Vec<Formula>) =
            parts.iter().cloned().partition(|part| part.classes().suspendable());
        if guests.is_empty() {
            return self.join(rest, Operator::Or, false);
        }
        let mut inside = Vec::new();
        let mut outside = Vec::new();
        let mut waits = false;
        for part in guests {
            let body = self.eventuality_body(&part);
            waits |= body.is_some();
            inside.push(body.unwrap_or(part));
        }
        for part in rest {
            match part.operator() {
                Operator::Eventually(body) => {
                    waits = true;
                    inside.push(body.clone());
                }
                _ => outside.push(part),
            }
        }
        if waits {
            let body = self.disjunction(inside);
            outside.push(self.make(Operator::Eventually(body)));
            return self.join(outside, Operator::Or, false);
        }
        let host = outside.iter().position(|part| {
            matches!(part.operator(), Operator::Until(..) | Operator::WeakUntil(..) | Operator::Next(_))
        });
        let Some(index) = host else {
            outside.extend(inside);
            return self.join(outside, Operator::Or, false);
        };
        let host = outside.remove(index);
        let with_guests = |simplifier: &mut Simplifier, body: &Formula| {
            let mut inside = inside.clone();
            inside.push(body.clone());
            simplifier.disjunction(inside)
        };
        let sheltered = match host.operator() {
            Operator::Until(a, b) => Operator::Until(a.clone(), with_guests(self, b)),
            Operator::WeakUntil(a, b) => Operator::WeakUntil(a.clone(), with_guests(self, b)),
            Operator::Next(a) => Operator::Next(with_guests(self, a)),
            other => other.clone(),
        };
        outside.push(self.make(sheltered));
        self.join(outside, Operator::Or, false)
    }

    /// `a` for a suspendable formula that can be written `F a`: from `F a`, or from `F u & q`, which is `F(u & q)`.
    fn eventuality_body(&mut self, suspendable: &Formula) -> Option<Formula> {
        match suspendable.operator() {
            Operator::Eventually(body) => Some(body.clone()),
            Operator::And(parts) => {
                let index = parts.iter().position(|part| matches!(part.operator(), Operator::Eventually(_)))?;
                let mut parts = parts.clone();
                let Operator::Eventually(body) = parts.remove(index).operator().clone() else { return None };
                parts.push(body);
                Some(self.join(parts, Operator::And, true))
            }
            _ => None,
        }
    }

    fn disjunction(&mut self, parts: Vec<Formula>) -> Formula {
        let flat = Formula::or(parts);
        self.intern_list(&flat)
    }

    fn intern_list(&mut self, formula: &Formula) -> Formula {
        match formula.operator() {
            Operator::Or(parts) => self.join(parts.clone(), Operator::Or, false),
            _ => self.intern(formula),
        }
    }

    /// `F(b & e)` is `!b U (b & e)` for Boolean `b` and a pure eventuality `e`: if any `b` will do, the first does.
    fn first_occurrence(&mut self, f: &Formula) -> Formula {
        if let Operator::And(parts) = f.operator() {
            let (boolean, rest): (Vec<Formula>, Vec<Formula>) =
                parts.iter().cloned().partition(|part| part.classes().boolean());
            if !boolean.is_empty() && rest.iter().all(|part| part.classes().pure_eventuality()) {
                let trigger = self.join(boolean, Operator::And, true);
                let before = self.negate(&trigger);
                return self.make(Operator::Until(before, f.clone()));
            }
        }
        self.make(Operator::Eventually(f.clone()))
    }
}
