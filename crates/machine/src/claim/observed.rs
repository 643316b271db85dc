//! What a claim sees of a state, in as few conditions as possible.
//!
//! Where a claim can go from a state of its own, and with which marks, is a function of the atoms. `[] !(in[0] && in[1])` has two atoms,
//! but its claim only asks whether both hold: exchanging the two changes nothing that it sees. So what symmetries have to keep is
//! the value of each of these functions, not of each atom.
//!
//! A function is written as the disjunction of all its prime implicants (Blake's canonical form). There is one such form only, so if
//! exchanging atoms does not change the function, it does not change the form either, up to the order of operands.

use std::collections::{BTreeMap, BTreeSet};

use promela::source::Span;

use super::{Claim, ClaimStateId, Cube, Question};
use crate::expression::{BinaryOp, Expr, UnaryOp};

/// Functions with more implicants than this on the way to the prime ones are not followed.
const MOST_IMPLICANTS: usize = 96;

/// Conjunctions, as the atoms that must hold and those that must not.
type Implicants = BTreeSet<(u64, u64)>;

impl Claim {
    /// Conditions that decide together what the claim can do, labels aside: a symmetry that keeps the value of each keeps every move of
    /// the claim.
    #[must_use]
    pub fn observations(&self) -> Vec<Expr> {
        let mut conditions: BTreeSet<Vec<(u64, u64)>> = BTreeSet::new();
        let mut alone = 0;
        for cubes in self.functions() {
            let Some(primes) = prime_implicants(&cubes) else {
                alone |= atoms_of(&cubes);
                continue;
            };
            match primes.first() {
                // Whether an atom does not hold is known where it is known whether it does.
                Some((required, excluded)) if primes.len() == 1 && (required | excluded).is_power_of_two() => {
                    alone |= required | excluded;
                }
                _ => drop(conditions.insert(primes.into_iter().collect())),
            }
        }
        // An atom on which nothing depends may still be an error to ask about, and labels are no expressions.
        let asked = conditions.iter().flatten().fold(0, |asked, (required, excluded)| asked | required | excluded);
        let is_label = |atom: usize| self.atoms.get(atom).is_some_and(|question| *question == Question::Accepting);
        if bits(asked).any(is_label) {
            return self.expressions().cloned().collect();
        }
        let single = |atom: &usize| alone >> atom & 1 == 1 || asked >> atom & 1 == 0;
        let singles = (0..self.atoms.len()).filter(single).filter_map(|atom| self.atom(atom));
        singles.chain(conditions.iter().filter_map(|primes| self.disjunction(primes))).collect()
    }

    /// For each pair of states and set of marks, when the claim can go that way.
    fn functions(&self) -> Vec<Vec<Cube>> {
        let mut functions = Vec::new();
        for state in &self.states {
            let mut ways: BTreeMap<(ClaimStateId, u64), Vec<Cube>> = BTreeMap::new();
            for edge in &state.edges {
                ways.entry((edge.target, edge.marks)).or_default().extend(&edge.guard);
            }
            functions.extend(ways.into_values());
        }
        functions
    }

    fn atom(&self, atom: usize) -> Option<Expr> {
        match self.atoms.get(atom)? {
            Question::Expression(atom) => Some(atom.expression.clone()),
            Question::Accepting => None,
        }
    }

    /// `None` for a constant.
    fn disjunction(&self, primes: &[(u64, u64)]) -> Option<Expr> {
        let conjunction = |&(required, excluded): &(u64, u64)| {
            let holds = bits(required).filter_map(|atom| self.atom(atom));
            let not = |atom: Expr| Expr::Unary(UnaryOp::Not, Box::new(atom));
            let fails = bits(excluded).filter_map(|atom| self.atom(atom)).map(not);
            joined(BinaryOp::And, holds.chain(fails))
        };
        joined(BinaryOp::Or, primes.iter().filter_map(conjunction))
    }
}

fn joined(op: BinaryOp, operands: impl Iterator<Item = Expr>) -> Option<Expr> {
    operands.reduce(|left, right| Expr::Binary(op, Box::new(left), Box::new(right), Span::NOWHERE))
}

fn bits(word: u64) -> impl Iterator<Item = usize> {
    (0..u64::BITS as usize).filter(move |bit| word >> bit & 1 == 1)
}

fn atoms_of(cubes: &[Cube]) -> u64 {
    cubes.iter().fold(0, |atoms, cube| atoms | cube.required | cube.excluded)
}

/// All prime implicants of a disjunction, by iterated consensus; `None` if there are too many.
fn prime_implicants(cubes: &[Cube]) -> Option<Implicants> {
    let satisfiable = cubes.iter().filter(|cube| cube.required & cube.excluded == 0);
    let mut waiting: Vec<(u64, u64)> = satisfiable.map(|cube| (cube.required, cube.excluded)).collect();
    let mut known = Implicants::new();
    let implies = |one: (u64, u64), other: (u64, u64)| other.0 & !one.0 == 0 && other.1 & !one.1 == 0;
    while let Some(next) = waiting.pop() {
        if known.iter().any(|&other| implies(next, other)) {
            continue;
        }
        known.retain(|&other| !implies(other, next));
        for &other in &known {
            let opposed = (next.0 & other.1) | (next.1 & other.0);
            if opposed.is_power_of_two() {
                waiting.push(((next.0 | other.0) & !opposed, (next.1 | other.1) & !opposed));
            }
        }
        known.insert(next);
        if known.len() > MOST_IMPLICANTS || waiting.len() > MOST_IMPLICANTS * MOST_IMPLICANTS {
            return None;
        }
    }
    Some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(required: u64, excluded: u64) -> Cube {
        Cube { required, excluded }
    }

    #[test]
    fn a_function_has_one_canonical_form() {
        // a || !a && b, and a || b; a && b || !a && c has the consensus b && c.
        let plain = prime_implicants(&[cube(1, 0), cube(2, 0)]);
        assert_eq!(prime_implicants(&[cube(1, 0), cube(2, 1)]), plain);
        assert_eq!(prime_implicants(&[cube(2, 1), cube(1, 0)]), plain);
        let three = prime_implicants(&[cube(3, 0), cube(4, 1)]);
        assert_eq!(three, Some([(3, 0), (4, 1), (6, 0)].into()));
        // A tautology has the empty conjunction, a contradiction nothing.
        assert_eq!(prime_implicants(&[cube(1, 0), cube(0, 1)]), Some([(0, 0)].into()));
        assert_eq!(prime_implicants(&[cube(1, 1)]), Some(Implicants::new()));
    }

    #[test]
    fn prime_implicants_are_those_that_brute_force_finds() {
        // All functions of three atoms, each given by its minterms.
        for function in 0u32..256 {
            let minterms: Vec<Cube> = (0..8u64)
                .filter(|letter| function >> letter & 1 == 1)
                .map(|letter| cube(letter, 7 & !letter))
                .collect();
            let covers = |(required, excluded): (u64, u64)| {
                let mut letters = (0..8u64).filter(|letter| letter & required == required && letter & excluded == 0);
                letters.all(|letter| function >> letter & 1 == 1)
            };
            let all: Vec<(u64, u64)> = (0..8u64)
                .flat_map(|required| (0..8u64).map(move |excluded| (required, excluded)))
                .filter(|&(required, excluded)| required & excluded == 0 && covers((required, excluded)))
                .collect();
            let is_prime = |one: &&(u64, u64)| {
                !all.iter().any(|other| other != *one && other.0 & !one.0 == 0 && other.1 & !one.1 == 0)
            };
            let expected: Implicants = all.iter().filter(is_prime).copied().collect();
            assert_eq!(prime_implicants(&minterms), Some(expected), "{function:b}");
        }
    }
}
