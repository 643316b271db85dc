//! Syntactic classes of formulas: what can be told about a language from the formula's operators alone.
//!
//! *Pure eventualities* are closed under adding a prefix, *pure universalities* under removing one (Etessami and
//! Holzmann 2000); a formula with both properties is *suspendable* (Babiak et al. 2012): only the far future matters,
//! so checking it may be put off. The *hierarchy* of safety, guarantee, obligation, recurrence and persistence is Manna
//! and Pnueli's, by the grammar of Černá and Pelánek (2003). All answers are sufficient conditions: "yes" is certain.

use std::fmt;

use crate::formula::{Formula, Operator};

/// The set of syntactic classes of one formula.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Classes(u16);

const BOOLEAN: u16 = 1 << 0;
const EVENTUALITY: u16 = 1 << 1;
const UNIVERSALITY: u16 = 1 << 2;
const SAFETY: u16 = 1 << 3;
const GUARANTEE: u16 = 1 << 4;
const OBLIGATION: u16 = 1 << 5;
const RECURRENCE: u16 = 1 << 6;
const PERSISTENCE: u16 = 1 << 7;
const WITHOUT_NEXT: u16 = 1 << 8;
const NEGATION_NORMAL: u16 = 1 << 9;
const ALL: u16 = (1 << 10) - 1;

impl Classes {
    /// No temporal operator: only the first position matters.
    pub fn boolean(self) -> bool {
        self.0 & BOOLEAN != 0
    }

    /// Whatever suffix satisfies the formula, the whole word does.
    pub fn pure_eventuality(self) -> bool {
        self.0 & EVENTUALITY != 0
    }

    /// If a word satisfies the formula, all its suffixes do.
    pub fn pure_universality(self) -> bool {
        self.0 & UNIVERSALITY != 0
    }

    /// Pure eventuality and pure universality: a word satisfies the formula exactly if all its suffixes do.
    pub fn suspendable(self) -> bool {
        self.pure_eventuality() && self.pure_universality()
    }

    /// Violations show on a finite prefix.
    pub fn safety(self) -> bool {
        self.0 & SAFETY != 0
    }

    /// Satisfaction shows on a finite prefix.
    pub fn guarantee(self) -> bool {
        self.0 & GUARANTEE != 0
    }

    /// A Boolean combination of safety and guarantee: a weak deterministic automaton exists.
    pub fn obligation(self) -> bool {
        self.0 & OBLIGATION != 0
    }

    /// A deterministic Büchi automaton exists.
    pub fn recurrence(self) -> bool {
        self.0 & RECURRENCE != 0
    }

    /// A weak (nondeterministic) Büchi automaton exists.
    pub fn persistence(self) -> bool {
        self.0 & PERSISTENCE != 0
    }

    /// No `X`: repeating a letter of a word, or removing a repetition, never changes satisfaction (Peled and Wilke
    /// 1997).
    pub fn stutter_invariant(self) -> bool {
        self.0 & WITHOUT_NEXT != 0
    }

    /// Negations at atoms only, no implication and no equivalence.
    pub fn negation_normal_form(self) -> bool {
        self.0 & NEGATION_NORMAL != 0
    }

    fn has(self, class: u16) -> bool {
        self.0 & class != 0
    }

    fn common(parts: &[Formula]) -> u16 {
        parts.iter().fold(ALL, |classes, part| classes & part.classes().0)
    }

    /// The classes of a formula, from its operator and the classes of its operands.
    pub(crate) fn of(operator: &Operator) -> Classes {
        let always_true = |condition: bool, class: u16| if condition { class } else { 0 };
        let classes = match operator {
            Operator::True | Operator::False => ALL,
            Operator::Atom(_) => ALL & !(EVENTUALITY | UNIVERSALITY),
            Operator::Not(f) => {
                let keeps = BOOLEAN | OBLIGATION | WITHOUT_NEXT;
                let atom = matches!(f.operator(), Operator::Atom(_));
                (f.classes().0 & keeps) | f.classes().dual() | always_true(atom, NEGATION_NORMAL)
            }
            Operator::And(parts) | Operator::Or(parts) => Classes::common(parts),
            Operator::Implies(f, g) => {
                let keeps = BOOLEAN | OBLIGATION | WITHOUT_NEXT;
                ((f.classes().0 & keeps) | f.classes().dual()) & g.classes().0 & !NEGATION_NORMAL
            }
            Operator::Equivalent(f, g) => {
                let both_ways = |h: &Formula| {
                    let keeps = BOOLEAN | OBLIGATION | WITHOUT_NEXT;
                    (h.classes().0 & keeps) | (h.classes().dual() & h.classes().0)
                };
                both_ways(f) & both_ways(g) & !NEGATION_NORMAL
            }
            Operator::Next(f) => f.classes().0 & !(BOOLEAN | WITHOUT_NEXT),
            Operator::Eventually(f) => {
                let keeps = UNIVERSALITY | GUARANTEE | PERSISTENCE | WITHOUT_NEXT | NEGATION_NORMAL;
                (f.classes().0 & keeps) | EVENTUALITY
            }
            Operator::Always(f) => {
                let keeps = EVENTUALITY | SAFETY | RECURRENCE | WITHOUT_NEXT | NEGATION_NORMAL;
                (f.classes().0 & keeps) | UNIVERSALITY
            }
            Operator::Until(f, g) => {
                let (left, right) = (f.classes(), g.classes());
                let keeps = UNIVERSALITY | GUARANTEE | PERSISTENCE | WITHOUT_NEXT | NEGATION_NORMAL;
                (left.0 & right.0 & keeps)
                    | always_true(right.has(EVENTUALITY), EVENTUALITY)
                    | always_true(left.has(OBLIGATION) && right.has(GUARANTEE), OBLIGATION)
                    | always_true(left.has(RECURRENCE) && right.has(GUARANTEE), RECURRENCE)
            }
            Operator::Release(f, g) => {
                let (left, right) = (f.classes(), g.classes());
                let keeps = EVENTUALITY | SAFETY | RECURRENCE | WITHOUT_NEXT | NEGATION_NORMAL;
                (left.0 & right.0 & keeps)
                    | always_true(right.has(UNIVERSALITY), UNIVERSALITY)
                    | always_true(left.has(OBLIGATION) && right.has(SAFETY), OBLIGATION)
                    | always_true(left.has(PERSISTENCE) && right.has(SAFETY), PERSISTENCE)
            }
            Operator::WeakUntil(f, g) => {
                let (left, right) = (f.classes(), g.classes());
                let keeps = EVENTUALITY | UNIVERSALITY | SAFETY | RECURRENCE | WITHOUT_NEXT | NEGATION_NORMAL;
                (left.0 & right.0 & keeps)
                    | always_true(left.has(SAFETY) && right.has(OBLIGATION), OBLIGATION)
                    | always_true(left.has(SAFETY) && right.has(PERSISTENCE), PERSISTENCE)
            }
            Operator::StrongRelease(f, g) => {
                let (left, right) = (f.classes(), g.classes());
                let keeps = EVENTUALITY | UNIVERSALITY | GUARANTEE | PERSISTENCE | WITHOUT_NEXT | NEGATION_NORMAL;
                (left.0 & right.0 & keeps)
                    | always_true(left.has(GUARANTEE) && right.has(OBLIGATION), OBLIGATION)
                    | always_true(left.has(GUARANTEE) && right.has(RECURRENCE), RECURRENCE)
            }
        };
        Classes(classes).closed()
    }

    /// The classes that a negation turns into one another.
    fn dual(self) -> u16 {
        let swap = |from: u16, to: u16| if self.has(from) { to } else { 0 } | if self.has(to) { from } else { 0 };
        swap(EVENTUALITY, UNIVERSALITY) | swap(SAFETY, GUARANTEE) | swap(RECURRENCE, PERSISTENCE)
    }

    /// The inclusions of the hierarchy.
    fn closed(self) -> Classes {
        let mut classes = self.0;
        if classes & (SAFETY | GUARANTEE) != 0 {
            classes |= OBLIGATION;
        }
        if classes & OBLIGATION != 0 {
            classes |= RECURRENCE | PERSISTENCE;
        }
        Classes(classes)
    }
}

impl fmt::Debug for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (BOOLEAN, "boolean"),
            (EVENTUALITY, "pure eventuality"),
            (UNIVERSALITY, "pure universality"),
            (SAFETY, "safety"),
            (GUARANTEE, "guarantee"),
            (OBLIGATION, "obligation"),
            (RECURRENCE, "recurrence"),
            (PERSISTENCE, "persistence"),
            (WITHOUT_NEXT, "stutter-invariant"),
            (NEGATION_NORMAL, "negation normal form"),
        ];
        f.debug_set().entries(names.iter().filter(|(class, _)| self.has(*class)).map(|(_, name)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::atom::AtomTable;
    use crate::classes::Classes;
    use crate::text::parse;

    fn classes(text: &str) -> Classes {
        parse(text, &mut AtomTable::default()).expect("the test's formulas are well formed").classes()
    }

    #[test]
    fn hierarchy_of_well_known_formulas() {
        assert!(classes("G p").safety() && !classes("G p").guarantee());
        assert!(classes("F p").guarantee() && !classes("F p").safety());
        assert!(classes("!F p").safety());
        assert!(classes("(G p) | F q").obligation() && !classes("(G p) | F q").safety());
        assert!(classes("G F p").recurrence() && !classes("G F p").persistence());
        assert!(classes("F G p").persistence() && !classes("F G p").recurrence());
        assert!(!classes("(G F p) & F G q").recurrence() && !classes("(G F p) & F G q").persistence());
        assert!(classes("p -> X q").safety() && classes("p -> X q").guarantee());
        assert!(classes("p <-> q").boolean() && classes("G p <-> q").obligation() && !classes("G p <-> q").safety());
    }

    #[test]
    fn far_future_formulas_are_suspendable() {
        for text in ["G F p", "F G p", "!(F G p) & G F q", "(G F p) U F G q", "G F p -> G F q", "G F p <-> G F q"] {
            assert!(classes(text).suspendable(), "{text}");
        }
        for text in ["F p", "G p", "p", "p U G F q"] {
            assert!(!classes(text).suspendable(), "{text}");
        }
    }

    #[test]
    fn only_next_breaks_syntactic_stutter_invariance() {
        assert!(classes("p U (q R !p)").stutter_invariant());
        assert!(!classes("p U X q").stutter_invariant());
    }
}
