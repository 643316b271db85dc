//! Rewriting of formulas to smaller equivalent ones, before they become automata.
//!
//! The rules are those of Etessami and Holzmann (2000: pure eventualities and universalities), Somenzi and Bloem (2000:
//! rules conditional on implications between subformulas) and Babiak et al. (2012: suspendable subformulas move to the
//! top); in the translator also implications between languages of subformulas. Each rule is stated once, for one
//! operator of a dual pair: conjunction in `conjunction`, and `F`, `U`, `W` in `rules`; the duals for disjunction, `G`,
//! `R` and `M` follow by negating operands and result.
//!
//! All formulas in here are in negation normal form and *interned*: equal formulas are the same node.

mod boolean;
mod conjunction;
mod implication;
mod language;
mod prepare;
mod rules;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::formula::{Formula, Operator};
use boolean::Propositions;

/// A smaller formula with the same meaning, in negation normal form.
///
/// ```
/// use automata::{atom::AtomTable, simplify::simplify, text};
/// let mut atoms = AtomTable::default();
/// let formula = text::parse("F(p U (q & GF r)) | GF(q U r)", &mut atoms).unwrap();
/// assert_eq!(simplify(&formula).spot(&atoms).to_string(), "GF r");
/// ```
pub fn simplify(formula: &Formula) -> Formula {
    Simplifier::default().simplify(formula)
}

/// The tables that rewriting shares between formulas.
#[derive(Default)]
pub(crate) struct Simplifier {
    interned: FxHashSet<Formula>,
    simplified: FxHashMap<Formula, Formula>,
    negations: FxHashMap<Formula, Formula>,
    implications: FxHashMap<(Formula, Formula), bool>,
    propositions: Propositions,
    language_checks: LanguageChecks,
    inclusions: FxHashMap<(Formula, Formula), bool>,
    /// How many rewriting steps are under way inside one another.
    depth: u32,
}

/// Whether implications that syntax does not show are looked for in the languages.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub(crate) enum LanguageChecks {
    /// Syntax alone.
    #[default]
    Off,
    /// Small formulas are compared through their automata.
    On,
}

/// Chains of rewriting longer than this are cut; the formula built so far is correct, only less simple.
const MAX_DEPTH: u32 = 400;

impl Simplifier {
    /// A simplifier that also compares languages.
    pub fn with_language_checks() -> Simplifier {
        Simplifier { language_checks: LanguageChecks::On, ..Simplifier::default() }
    }

    /// The simplified formula; the argument may use any operator.
    pub fn simplify(&mut self, formula: &Formula) -> Formula {
        let normal =
            if formula.classes().negation_normal_form() { formula.clone() } else { formula.negation_normal_form() };
        self.propositions.register(&normal.atoms());
        let normal = self.intern_all(&normal, &mut FxHashMap::default());
        self.simplify_normal(&normal)
    }

    /// Interns a formula from its leaves up, each shared node once.
    ///
    /// From here on equal formulas are one node; comparing unshared copies can take exponential time.
    fn intern_all(&mut self, formula: &Formula, memo: &mut FxHashMap<usize, Formula>) -> Formula {
        if let Some(known) = memo.get(&formula.address()) {
            return known.clone();
        }
        let operator = formula.operator().map(|operand| self.intern_all(operand, memo));
        let interned = self.make(operator);
        memo.insert(formula.address(), interned.clone());
        interned
    }

    fn simplify_normal(&mut self, formula: &Formula) -> Formula {
        if let Some(known) = self.simplified.get(formula) {
            return known.clone();
        }
        let operands: Vec<Formula> = match formula.operator() {
            // Boolean formulas are put in canonical form as a whole; their parts need no rewriting.
            _ if formula.classes().boolean() => Vec::new(),
            operator => operator.operands().map(|operand| self.simplify_normal(operand)).collect(),
        };
        let pair = || (operands[0].clone(), operands[1].clone());
        let result = match formula.operator() {
            _ if formula.classes().boolean() => self.canonical_boolean(formula),
            Operator::And(_) => self.and(operands),
            Operator::Or(_) => self.or(operands),
            Operator::Next(_) => self.next(&operands[0]),
            Operator::Eventually(_) => self.eventually(&operands[0]),
            Operator::Always(_) => self.always(&operands[0]),
            Operator::Until(..) => {
                let (f, g) = pair();
                self.until(&f, &g)
            }
            Operator::Release(..) => {
                let (f, g) = pair();
                self.release(&f, &g)
            }
            Operator::WeakUntil(..) => {
                let (f, g) = pair();
                self.weak_until(&f, &g)
            }
            Operator::StrongRelease(..) => {
                let (f, g) = pair();
                self.strong_release(&f, &g)
            }
            // Negations at atoms are Boolean; the other operators do not occur in negation normal form.
            _ => self.intern(formula),
        };
        self.simplified.insert(formula.clone(), result.clone());
        self.simplified.insert(result.clone(), result.clone());
        result
    }

    /// The one node that stands for this formula.
    fn intern(&mut self, formula: &Formula) -> Formula {
        if let Some(known) = self.interned.get(formula) {
            return known.clone();
        }
        self.interned.insert(formula.clone());
        formula.clone()
    }

    fn make(&mut self, operator: Operator) -> Formula {
        self.intern(&Formula::new(operator))
    }

    fn constant(&mut self, value: bool) -> Formula {
        self.make(if value { Operator::True } else { Operator::False })
    }

    /// The negation of an interned formula, by duality; no rewriting.
    pub(crate) fn negate(&mut self, formula: &Formula) -> Formula {
        if let Some(known) = self.negations.get(formula) {
            return known.clone();
        }
        let duals: Vec<Formula> = match formula.operator() {
            Operator::Not(_) => Vec::new(),
            operator => operator.operands().map(|operand| self.negate(operand)).collect(),
        };
        let pair = || (duals[0].clone(), duals[1].clone());
        let negation = match formula.operator() {
            Operator::True => Operator::False,
            Operator::False => Operator::True,
            Operator::Atom(_) => Operator::Not(formula.clone()),
            Operator::Not(atom) => atom.operator().clone(),
            // Sorted again, since operands and their negations need not be in the same order.
            Operator::And(_) => Operator::Or(sorted(duals)),
            Operator::Or(_) => Operator::And(sorted(duals)),
            Operator::Next(_) => Operator::Next(duals[0].clone()),
            Operator::Eventually(_) => Operator::Always(duals[0].clone()),
            Operator::Always(_) => Operator::Eventually(duals[0].clone()),
            Operator::Until(..) => Operator::Release(pair().0, pair().1),
            Operator::Release(..) => Operator::Until(pair().0, pair().1),
            Operator::WeakUntil(..) => Operator::StrongRelease(pair().0, pair().1),
            Operator::StrongRelease(..) => Operator::WeakUntil(pair().0, pair().1),
            // Absent from negation normal form.
            Operator::Implies(..) | Operator::Equivalent(..) => formula.negated().operator().clone(),
        };
        let negation = self.make(negation);
        self.negations.insert(formula.clone(), negation.clone());
        self.negations.insert(negation.clone(), formula.clone());
        negation
    }

    fn or(&mut self, parts: Vec<Formula>) -> Formula {
        let negations = parts.iter().map(|part| self.negate(part)).collect();
        let conjunction = self.and(negations);
        self.negate(&conjunction)
    }

    fn always(&mut self, f: &Formula) -> Formula {
        let dual = self.negate(f);
        let eventually = self.eventually(&dual);
        self.negate(&eventually)
    }

    fn release(&mut self, f: &Formula, g: &Formula) -> Formula {
        let (f, g) = (self.negate(f), self.negate(g));
        let until = self.until(&f, &g);
        self.negate(&until)
    }

    fn strong_release(&mut self, f: &Formula, g: &Formula) -> Formula {
        let (f, g) = (self.negate(f), self.negate(g));
        let weak_until = self.weak_until(&f, &g);
        self.negate(&weak_until)
    }
}

fn sorted(mut parts: Vec<Formula>) -> Vec<Formula> {
    parts.sort_unstable();
    parts
}
