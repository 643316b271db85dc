//! Formulas without temporal operators: canonical text, and exact implication, through decision diagrams.
//!
//! A Boolean formula is rewritten to an irredundant sum of products of itself or to the negation of one of its
//! negation, whichever has fewer literals. Of equals the choice is one that a negation reverses; so equivalent formulas
//! become equal, and the result for a negation is the negation of the result.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use crate::atom::AtomId;
use crate::diagram::{Diagram, Diagrams, Level, Product};
use crate::formula::{Formula, Operator};
use crate::simplify::{Simplifier, sorted};

/// Beyond this many products (as in long chains of exclusive or) the user's text is kept.
const MAX_PRODUCTS: usize = 24;

/// Decision diagrams of Boolean formulas; levels are atoms in the order of registration.
pub(crate) struct Propositions {
    diagrams: Diagrams,
    levels: FxHashMap<AtomId, Level>,
    atoms: Vec<AtomId>,
    known: FxHashMap<Formula, Diagram>,
}

/// Steps of work on diagrams before Boolean formulas are left as they are.
const MAX_STEPS: u64 = 1_000_000;

impl Default for Propositions {
    fn default() -> Propositions {
        Propositions {
            diagrams: Diagrams::with_budget(MAX_STEPS),
            levels: FxHashMap::default(),
            atoms: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}

fn register(atom: AtomId, atoms: &mut Vec<AtomId>, levels: &mut FxHashMap<AtomId, Level>) -> Level {
    *levels.entry(atom).or_insert_with(|| {
        atoms.push(atom);
        atoms.len() as Level - 1
    })
}

impl Propositions {
    /// Gives levels to atoms in this order, if they have none yet.
    pub fn register(&mut self, atoms: &[AtomId]) {
        for &atom in atoms {
            register(atom, &mut self.atoms, &mut self.levels);
        }
    }

    /// The diagram of a Boolean formula.
    pub fn diagram(&mut self, formula: &Formula) -> Diagram {
        if let Some(&known) = self.known.get(formula) {
            return known;
        }
        let operands: Vec<Diagram> = formula.operator().operands().map(|operand| self.diagram(operand)).collect();
        let diagrams = &mut self.diagrams;
        let diagram = match formula.operator() {
            Operator::True => Diagram::TRUE,
            Operator::Atom(atom) => {
                let level = self.levels.get(atom).copied();
                let level = level.unwrap_or_else(|| register(*atom, &mut self.atoms, &mut self.levels));
                diagrams.variable(level)
            }
            Operator::Not(_) => diagrams.not(operands[0]),
            Operator::And(_) => operands.into_iter().fold(Diagram::TRUE, |all, part| diagrams.and(all, part)),
            Operator::Or(_) => operands.into_iter().fold(Diagram::FALSE, |any, part| diagrams.or(any, part)),
            // Falsehood; nothing else is Boolean and in negation normal form.
            _ => Diagram::FALSE,
        };
        self.known.insert(formula.clone(), diagram);
        diagram
    }

    /// Does the first Boolean formula imply the second?
    pub fn implies(&mut self, f: &Formula, g: &Formula) -> bool {
        let (f, g) = (self.diagram(f), self.diagram(g));
        self.diagrams.implies(f, g) && !self.diagrams.exhausted()
    }
}

impl Simplifier {
    /// The canonical equivalent of a Boolean formula in negation normal form.
    pub(super) fn canonical_boolean(&mut self, formula: &Formula) -> Formula {
        let diagram = self.propositions.diagram(formula);
        let diagrams = &mut self.propositions.diagrams;
        let negation = diagrams.not(diagram);
        let literals = |products: &[Product]| products.iter().map(Vec::len).sum::<usize>();
        let (sum, negated_sum) = (diagrams.products(diagram), diagrams.products(negation));
        // All atoms true: exactly one of a function and its negation holds there.
        let preference = diagrams.value(diagram, |_| true);
        let plain = match literals(&sum).cmp(&literals(&negated_sum)) {
            Ordering::Less => true,
            Ordering::Equal => preference,
            Ordering::Greater => false,
        };
        let products = if plain { sum } else { negated_sum };
        if products.len() > MAX_PRODUCTS || diagrams.exhausted() {
            return self.sort_operands(formula);
        }
        let mut terms = Vec::with_capacity(products.len());
        for product in products {
            let mut literals = Vec::with_capacity(product.len());
            for (level, value) in product {
                let atom = self.make(Operator::Atom(self.propositions.atoms[level as usize]));
                literals.push(if value { atom } else { self.negate(&atom) });
            }
            terms.push(self.join(literals, Operator::And, true));
        }
        let sum = self.join(terms, Operator::Or, false);
        if plain { sum } else { self.negate(&sum) }
    }

    /// A sorted list under its operator; the operand itself if there is just one, the constant if there is none.
    pub(super) fn join(
        &mut self,
        mut parts: Vec<Formula>,
        operator: impl Fn(Vec<Formula>) -> Operator,
        empty: bool,
    ) -> Formula {
        match parts.len() {
            0 => self.constant(empty),
            1 => parts.remove(0),
            _ => self.make(operator(sorted(parts))),
        }
    }

    /// The same formula with interned parts and sorted lists.
    fn sort_operands(&mut self, formula: &Formula) -> Formula {
        let parts: Vec<Formula> = formula.operator().operands().map(|part| self.sort_operands(part)).collect();
        match formula.operator() {
            Operator::And(_) => self.join(parts, Operator::And, true),
            Operator::Or(_) => self.join(parts, Operator::Or, false),
            _ => self.intern(formula),
        }
    }
}
