//! The meaning of formulas, on ultimately periodic words `prefix · cycle^ω`.
//!
//! This is the oracle for everything else in the crate, so it follows the textbook semantics: each subformula gets a
//! truth value at each position of the lasso, operands before operators, and the fixpoint operators are solved by going
//! backwards twice around the cycle. Cost: (subformulas) × (positions), with no automaton in sight.

use rustc_hash::FxHashMap;

use crate::atom::AtomId;
use crate::formula::{Formula, Operator};

/// The atoms that hold at one position.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Valuation {
    words: Vec<u64>,
}

impl Valuation {
    /// No atom holds.
    pub fn empty() -> Valuation {
        Valuation::default()
    }

    /// Does the atom hold?
    pub fn holds(&self, atom: AtomId) -> bool {
        self.words.get(atom.index() / 64).is_some_and(|word| word >> (atom.index() % 64) & 1 == 1)
    }

    /// Makes the atom hold.
    pub fn insert(&mut self, atom: AtomId) {
        let word = atom.index() / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (atom.index() % 64);
    }

    /// The atoms that hold, in increasing order.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + '_ {
        (0..self.words.len() as u32 * 64).map(AtomId).filter(|&atom| self.holds(atom))
    }
}

impl FromIterator<AtomId> for Valuation {
    fn from_iter<I: IntoIterator<Item = AtomId>>(atoms: I) -> Valuation {
        let mut valuation = Valuation::empty();
        for atom in atoms {
            valuation.insert(atom);
        }
        valuation
    }
}

impl std::fmt::Debug for Valuation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.atoms().map(|atom| atom.0)).finish()
    }
}

/// The word `prefix · cycle^ω`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The letters read once.
    pub prefix: Vec<Valuation>,
    /// The letters repeated for ever; not empty.
    pub cycle: Vec<Valuation>,
}

impl Lasso {
    /// The letter at a position of the lasso, counted through prefix and cycle.
    pub(crate) fn letter(&self, position: usize) -> &Valuation {
        match position.checked_sub(self.prefix.len()) {
            None => &self.prefix[position],
            Some(inside) => &self.cycle[inside],
        }
    }

    /// The number of positions of prefix and cycle.
    pub(crate) fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// The position after this one; the last one leads back to the start of the cycle.
    pub(crate) fn next(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.prefix.len() } else { position + 1 }
    }
}

/// Does the word `prefix · cycle^ω` satisfy the formula?
///
/// An empty cycle repeats the last letter of the prefix (SPIN's stutter extension); an entirely empty word is read as
/// one where no atom ever holds.
///
/// ```
/// use automata::{atom::AtomTable, lasso::{holds, Valuation}, text};
/// let mut atoms = AtomTable::default();
/// let formula = text::parse("<>[]p", &mut atoms).unwrap();
/// let p = Valuation::from_iter(atoms.find("p"));
/// assert!(holds(&formula, &[Valuation::empty()], &[p.clone()]));
/// assert!(!holds(&formula, &[], &[Valuation::empty(), p]));
/// ```
pub fn holds(formula: &Formula, prefix: &[Valuation], cycle: &[Valuation]) -> bool {
    holds_by(formula, prefix.len(), cycle.len(), |position, atom| match position.checked_sub(prefix.len()) {
        None => prefix[position].holds(atom),
        Some(inside) => cycle.get(inside).is_some_and(|letter| letter.holds(atom)),
    })
}

/// As [`holds`], with the truth of atoms given by a callback `(position, atom)`; positions count through prefix and
/// cycle.
///
/// With `cycle_length` 0 the last position of the prefix is repeated for ever.
pub fn holds_by(
    formula: &Formula,
    prefix_length: usize,
    cycle_length: usize,
    atom_holds: impl Fn(usize, AtomId) -> bool,
) -> bool {
    let length = (prefix_length + cycle_length).max(1);
    let cycle_start = if cycle_length == 0 { length - 1 } else { prefix_length };
    let mut evaluation =
        Evaluation { length, cycle_start, atom_holds, memo: FxHashMap::default(), columns: Vec::new() };
    let column = evaluation.column(formula);
    evaluation.columns[column][0]
}

/// Truth values of subformulas by position.
struct Evaluation<A> {
    length: usize,
    cycle_start: usize,
    atom_holds: A,
    memo: FxHashMap<usize, usize>,
    columns: Vec<Vec<bool>>,
}

impl<A: Fn(usize, AtomId) -> bool> Evaluation<A> {
    /// The index of the formula's column of truth values.
    fn column(&mut self, formula: &Formula) -> usize {
        if let Some(&known) = self.memo.get(&formula.address()) {
            return known;
        }
        let operands: Vec<usize> = formula.operator().operands().map(|operand| self.column(operand)).collect();
        let operand = |index: usize| self.columns[operands[index]].as_slice();
        let pointwise = |value: &dyn Fn(usize) -> bool| (0..self.length).map(value).collect::<Vec<bool>>();
        let column = match formula.operator() {
            Operator::True => pointwise(&|_| true),
            Operator::False => pointwise(&|_| false),
            Operator::Atom(atom) => pointwise(&|position| (self.atom_holds)(position, *atom)),
            Operator::Not(_) => pointwise(&|position| !operand(0)[position]),
            Operator::And(_) => pointwise(&|position| operands.iter().all(|&index| self.columns[index][position])),
            Operator::Or(_) => pointwise(&|position| operands.iter().any(|&index| self.columns[index][position])),
            Operator::Implies(..) => pointwise(&|position| !operand(0)[position] || operand(1)[position]),
            Operator::Equivalent(..) => pointwise(&|position| operand(0)[position] == operand(1)[position]),
            Operator::Next(_) => pointwise(&|position| operand(0)[self.next(position)]),
            Operator::Eventually(_) => self.fixpoint(false, |position, later| operand(0)[position] || later),
            Operator::Always(_) => self.fixpoint(true, |position, later| operand(0)[position] && later),
            Operator::Until(..) => {
                self.fixpoint(false, |position, later| operand(1)[position] || (operand(0)[position] && later))
            }
            Operator::WeakUntil(..) => {
                self.fixpoint(true, |position, later| operand(1)[position] || (operand(0)[position] && later))
            }
            Operator::Release(..) => {
                self.fixpoint(true, |position, later| operand(1)[position] && (operand(0)[position] || later))
            }
            Operator::StrongRelease(..) => {
                self.fixpoint(false, |position, later| operand(1)[position] && (operand(0)[position] || later))
            }
        };
        self.columns.push(column);
        self.memo.insert(formula.address(), self.columns.len() - 1);
        self.columns.len() - 1
    }

    fn next(&self, position: usize) -> usize {
        if position + 1 == self.length { self.cycle_start } else { position + 1 }
    }

    /// Solves `value(i) = step(i, value(next(i)))`; least solution from `start == false`, greatest from `true`.
    ///
    /// One turn around the cycle carries the truth of each position to all others, the second settles the first ones.
    fn fixpoint(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut column = vec![start; self.length];
        for position in (self.cycle_start..self.length).rev() {
            column[position] = step(position, column[self.next(position)]);
        }
        for position in (0..self.length).rev() {
            column[position] = step(position, column[self.next(position)]);
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::{Valuation, holds};
    use crate::atom::AtomTable;
    use crate::text::parse;

    /// Letters are written as the names of the atoms that hold; `-` for none.
    fn check(text: &str, prefix: &str, cycle: &str) -> bool {
        let mut atoms = AtomTable::default();
        let formula = parse(text, &mut atoms).expect("the test's formulas are well formed");
        let mut word = |letters: &str| -> Vec<Valuation> {
            let letters = letters.split_whitespace();
            letters
                .map(|letter| letter.chars().filter(|c| *c != '-').map(|c| atoms.intern(&c.to_string())).collect())
                .collect()
        };
        holds(&formula, &word(prefix), &word(cycle))
    }

    #[test]
    fn until_needs_its_right_side() {
        assert!(check("p U q", "p p q", "-"));
        assert!(!check("p U q", "p - q", "-"));
        assert!(!check("p U q", "", "p"));
        assert!(check("p W q", "", "p"));
        assert!(check("p U q", "", "p p q"));
    }

    #[test]
    fn release_includes_the_releasing_position() {
        assert!(check("p R q", "q pq", "-"));
        assert!(!check("p R q", "q p", "-"));
        assert!(check("p R q", "", "q"));
        assert!(!check("p M q", "", "q"));
    }

    #[test]
    fn operators_wrap_around_the_cycle() {
        assert!(check("G F p", "", "p - -"));
        assert!(!check("F G p", "", "p - -"));
        assert!(check("X X X p", "", "p - -"));
        assert!(check("G(p -> X q)", "- p", "q p"));
    }

    #[test]
    fn an_empty_cycle_repeats_the_last_letter() {
        assert!(check("F G p", "- p", ""));
        assert!(!check("F p", "", ""));
    }
}
