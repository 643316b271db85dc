//! Formulas of linear temporal logic.
//!
//! A [`Formula`] is a shared, immutable tree (a graph once parts are reused). It keeps every operator users write,
//! also the redundant ones: `F`, `G`, weak until and strong release make rewriting simple and printing faithful.
//! Each node knows its hash, its size and its syntactic classes ([`crate::classes`]), computed once from its children.
//!
//! Constructors do no rewriting besides flattening nested conjunctions and disjunctions; that is [`crate::simplify`]'s
//! job.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::atom::AtomId;
use crate::classes::Classes;

/// A formula; cheap to clone.
#[derive(Clone)]
pub struct Formula(Arc<Node>);

struct Node {
    operator: Operator,
    hash: u64,
    size: u64,
    nesting: u32,
    classes: Classes,
}

/// The outermost operator of a formula, with its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// Truth.
    True,
    /// Falsehood.
    False,
    /// An atomic proposition.
    Atom(AtomId),
    /// Negation.
    Not(Formula),
    /// Conjunction of two or more formulas.
    And(Vec<Formula>),
    /// Disjunction of two or more formulas.
    Or(Vec<Formula>),
    /// `f -> g`.
    Implies(Formula, Formula),
    /// `f <-> g`.
    Equivalent(Formula, Formula),
    /// `X f`: at the next position.
    Next(Formula),
    /// `F f`: now or later.
    Eventually(Formula),
    /// `G f`: from now on.
    Always(Formula),
    /// `f U g`: `g` now or later, and `f` until then.
    Until(Formula, Formula),
    /// `f R g` (SPIN's `V`): `g` up to and including the first `f`, or for ever.
    Release(Formula, Formula),
    /// `f W g`: `f U g`, or `f` for ever.
    WeakUntil(Formula, Formula),
    /// `f M g`: `f R g`, and `f` now or later.
    StrongRelease(Formula, Formula),
}

impl Formula {
    /// The formula with this outermost operator.
    pub fn new(operator: Operator) -> Formula {
        let mut hasher = FxHasher::default();
        operator.hash(&mut hasher);
        let size = operator.operands().map(Formula::size).fold(1u64, u64::saturating_add);
        let nesting = 1 + operator.operands().map(Formula::nesting).max().unwrap_or(0);
        let classes = Classes::of(&operator);
        Formula(Arc::new(Node { hash: hasher.finish(), size, nesting, classes, operator }))
    }

    /// Truth.
    pub fn truth() -> Formula {
        Formula::new(Operator::True)
    }

    /// Falsehood.
    pub fn falsehood() -> Formula {
        Formula::new(Operator::False)
    }

    /// An atomic proposition.
    pub fn atom(atom: AtomId) -> Formula {
        Formula::new(Operator::Atom(atom))
    }

    /// `!f`.
    pub fn negation(f: Formula) -> Formula {
        Formula::new(Operator::Not(f))
    }

    /// The conjunction of any number of formulas; nested conjunctions are flattened.
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part.operator() {
                Operator::And(inner) => flat.extend(inner.iter().cloned()),
                _ => flat.push(part),
            }
        }
        match flat.len() {
            0 => Formula::truth(),
            1 => flat.remove(0),
            _ => Formula::new(Operator::And(flat)),
        }
    }

    /// The disjunction of any number of formulas; nested disjunctions are flattened.
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part.operator() {
                Operator::Or(inner) => flat.extend(inner.iter().cloned()),
                _ => flat.push(part),
            }
        }
        match flat.len() {
            0 => Formula::falsehood(),
            1 => flat.remove(0),
            _ => Formula::new(Operator::Or(flat)),
        }
    }

    /// `f -> g`.
    pub fn implies(f: Formula, g: Formula) -> Formula {
        Formula::new(Operator::Implies(f, g))
    }

    /// `f <-> g`.
    pub fn equivalent(f: Formula, g: Formula) -> Formula {
        Formula::new(Operator::Equivalent(f, g))
    }

    /// `X f`.
    pub fn next(f: Formula) -> Formula {
        Formula::new(Operator::Next(f))
    }

    /// `F f`.
    pub fn eventually(f: Formula) -> Formula {
        Formula::new(Operator::Eventually(f))
    }

    /// `G f`.
    pub fn always(f: Formula) -> Formula {
        Formula::new(Operator::Always(f))
    }

    /// `f U g`.
    pub fn until(f: Formula, g: Formula) -> Formula {
        Formula::new(Operator::Until(f, g))
    }

    /// `f R g`.
    pub fn release(f: Formula, g: Formula) -> Formula {
        Formula::new(Operator::Release(f, g))
    }

    /// `f W g`.
    pub fn weak_until(f: Formula, g: Formula) -> Formula {
        Formula::new(Operator::WeakUntil(f, g))
    }

    /// `f M g`.
    pub fn strong_release(f: Formula, g: Formula) -> Formula {
        Formula::new(Operator::StrongRelease(f, g))
    }

    /// The outermost operator and its operands.
    pub fn operator(&self) -> &Operator {
        &self.0.operator
    }

    /// The number of operators and atoms, counted as in a tree; saturates.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// The number of operators and atoms on the longest way down.
    pub fn nesting(&self) -> u32 {
        self.0.nesting
    }

    /// The syntactic classes this formula belongs to.
    pub fn classes(&self) -> Classes {
        self.0.classes
    }

    /// Is this the constant truth?
    pub fn is_true(&self) -> bool {
        matches!(self.operator(), Operator::True)
    }

    /// Is this the constant falsehood?
    pub fn is_false(&self) -> bool {
        matches!(self.operator(), Operator::False)
    }

    /// The atoms that occur, sorted.
    pub fn atoms(&self) -> Vec<AtomId> {
        let mut atoms = Vec::new();
        let mut seen = FxHashMap::default();
        let mut work = vec![self];
        while let Some(formula) = work.pop() {
            if seen.insert(formula.address(), ()).is_some() {
                continue;
            }
            if let Operator::Atom(atom) = formula.operator() {
                atoms.push(*atom);
            }
            work.extend(formula.operator().operands());
        }
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The equivalent formula in negation normal form: negations at atoms only, no implication, no equivalence.
    ///
    /// ```
    /// use automata::{atom::AtomTable, text};
    /// let mut atoms = AtomTable::default();
    /// let formula = text::parse("!(p U []q)", &mut atoms).unwrap();
    /// assert_eq!(formula.negation_normal_form().spot(&atoms).to_string(), "!p R F!q");
    /// ```
    pub fn negation_normal_form(&self) -> Formula {
        normal_form(self, Polarity::Plain, &mut FxHashMap::default())
    }

    /// The negation, in negation normal form.
    pub fn negated(&self) -> Formula {
        normal_form(self, Polarity::Negated, &mut FxHashMap::default())
    }

    /// The identity of the shared node: equal for clones, so it can key a memo table while the formula lives.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl Operator {
    /// The operands, left to right.
    pub fn operands(&self) -> impl Iterator<Item = &Formula> {
        let (many, few): (&[Formula], [Option<&Formula>; 2]) = match self {
            Operator::True | Operator::False | Operator::Atom(_) => (&[], [None, None]),
            Operator::Not(f) | Operator::Next(f) | Operator::Eventually(f) | Operator::Always(f) => {
                (&[], [Some(f), None])
            }
            Operator::And(parts) | Operator::Or(parts) => (parts, [None, None]),
            Operator::Implies(f, g)
            | Operator::Equivalent(f, g)
            | Operator::Until(f, g)
            | Operator::Release(f, g)
            | Operator::WeakUntil(f, g)
            | Operator::StrongRelease(f, g) => (&[], [Some(f), Some(g)]),
        };
        many.iter().chain(few.into_iter().flatten())
    }

    /// The same operator with each operand replaced.
    pub(crate) fn map(&self, mut replace: impl FnMut(&Formula) -> Formula) -> Operator {
        match self {
            Operator::True | Operator::False | Operator::Atom(_) => self.clone(),
            Operator::Not(f) => Operator::Not(replace(f)),
            Operator::And(parts) => Operator::And(parts.iter().map(replace).collect()),
            Operator::Or(parts) => Operator::Or(parts.iter().map(replace).collect()),
            Operator::Implies(f, g) => Operator::Implies(replace(f), replace(g)),
            Operator::Equivalent(f, g) => Operator::Equivalent(replace(f), replace(g)),
            Operator::Next(f) => Operator::Next(replace(f)),
            Operator::Eventually(f) => Operator::Eventually(replace(f)),
            Operator::Always(f) => Operator::Always(replace(f)),
            Operator::Until(f, g) => Operator::Until(replace(f), replace(g)),
            Operator::Release(f, g) => Operator::Release(replace(f), replace(g)),
            Operator::WeakUntil(f, g) => Operator::WeakUntil(replace(f), replace(g)),
            Operator::StrongRelease(f, g) => Operator::StrongRelease(replace(f), replace(g)),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Operator::True => 0,
            Operator::False => 1,
            Operator::Atom(_) => 2,
            Operator::Not(_) => 3,
            Operator::And(_) => 4,
            Operator::Or(_) => 5,
            Operator::Implies(..) => 6,
            Operator::Equivalent(..) => 7,
            Operator::Next(_) => 8,
            Operator::Eventually(_) => 9,
            Operator::Always(_) => 10,
            Operator::Until(..) => 11,
            Operator::Release(..) => 12,
            Operator::WeakUntil(..) => 13,
            Operator::StrongRelease(..) => 14,
        }
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.operator == other.0.operator)
    }
}

impl Eq for Formula {}

impl Hash for Formula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

/// Small formulas first, then by operator and operands: the same on every run, so automata are reproducible.
impl Ord for Formula {
    fn cmp(&self, other: &Formula) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        let atom = |formula: &Formula| match formula.operator() {
            Operator::Atom(atom) => Some(*atom),
            _ => None,
        };
        self.size()
            .cmp(&other.size())
            .then_with(|| self.operator().rank().cmp(&other.operator().rank()))
            .then_with(|| atom(self).cmp(&atom(other)))
            .then_with(|| self.operator().operands().cmp(other.operator().operands()))
    }
}

impl PartialOrd for Formula {
    fn partial_cmp(&self, other: &Formula) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Polarity {
    Plain,
    Negated,
}

impl Polarity {
    fn flip(self) -> Polarity {
        match self {
            Polarity::Plain => Polarity::Negated,
            Polarity::Negated => Polarity::Plain,
        }
    }
}

/// Pushes a negation (or none) down to the atoms by the dualities of the operators; linear in the shared graph.
fn normal_form(formula: &Formula, polarity: Polarity, memo: &mut FxHashMap<(usize, Polarity), Formula>) -> Formula {
    use Operator::{
        Always, And, Atom, Equivalent, Eventually, False, Implies, Next, Not, Or, Release, StrongRelease, True, Until,
        WeakUntil,
    };
    if let Some(known) = memo.get(&(formula.address(), polarity)) {
        return known.clone();
    }
    let negated = polarity == Polarity::Negated;
    let mut same = |f: &Formula| normal_form(f, polarity, memo);
    let result = match formula.operator() {
        True | False => {
            if formula.is_true() != negated {
                Formula::truth()
            } else {
                Formula::falsehood()
            }
        }
        Atom(_) if negated => Formula::negation(formula.clone()),
        Atom(_) => formula.clone(),
        Not(f) => normal_form(f, polarity.flip(), memo),
        And(parts) => {
            let parts: Vec<Formula> = parts.iter().map(same).collect();
            if negated { Formula::or(parts) } else { Formula::and(parts) }
        }
        Or(parts) => {
            let parts: Vec<Formula> = parts.iter().map(same).collect();
            if negated { Formula::and(parts) } else { Formula::or(parts) }
        }
        Implies(f, g) => {
            let f = normal_form(f, polarity.flip(), memo);
            let g = normal_form(g, polarity, memo);
            if negated { Formula::and([f, g]) } else { Formula::or([f, g]) }
        }
        Equivalent(f, g) => {
            let f_plain = normal_form(f, Polarity::Plain, memo);
            let f_negated = normal_form(f, Polarity::Negated, memo);
            let g_same = normal_form(g, polarity, memo);
            let g_opposite = normal_form(g, polarity.flip(), memo);
            Formula::or([Formula::and([f_plain, g_same]), Formula::and([f_negated, g_opposite])])
        }
        Next(f) => Formula::next(same(f)),
        Eventually(f) if negated => Formula::always(same(f)),
        Eventually(f) => Formula::eventually(same(f)),
        Always(f) if negated => Formula::eventually(same(f)),
        Always(f) => Formula::always(same(f)),
        Until(f, g) if negated => Formula::release(same(f), same(g)),
        Until(f, g) => Formula::until(same(f), same(g)),
        Release(f, g) if negated => Formula::until(same(f), same(g)),
        Release(f, g) => Formula::release(same(f), same(g)),
        WeakUntil(f, g) if negated => Formula::strong_release(same(f), same(g)),
        WeakUntil(f, g) => Formula::weak_until(same(f), same(g)),
        StrongRelease(f, g) if negated => Formula::weak_until(same(f), same(g)),
        StrongRelease(f, g) => Formula::strong_release(same(f), same(g)),
    };
    memo.insert((formula.address(), polarity), result.clone());
    result
}
