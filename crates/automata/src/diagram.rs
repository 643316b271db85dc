//! Boolean functions as reduced ordered binary decision diagrams (Bryant 1986).
//!
//! Guards of automata are Boolean functions of atoms. A diagram is canonical, so equal guards are equal numbers,
//! however many atoms there are. The same structure carries the *transition functions* of translation and simulation:
//! there, variables for atoms come first and auxiliary variables (next states, promises), which occur only positively,
//! follow. [`Diagrams::split`] and [`Diagrams::monotone_primes`] turn such a function back into edges.
//!
//! Variables are levels `0, 1, 2, …` from the root down; their meaning belongs to the owner. Diagrams can be
//! exponentially large in unlucky orders, so a table can be given a *budget* of steps; once that is spent, operations
//! return quickly and what they return means nothing. Whoever sets a budget asks [`Diagrams::exhausted`].

use rustc_hash::FxHashMap;

/// A Boolean function, as a node of its [`Diagrams`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Diagram(u32);

impl Diagram {
    /// The function that is always false.
    pub const FALSE: Diagram = Diagram(0);
    /// The function that is always true.
    pub const TRUE: Diagram = Diagram(1);
}

/// A variable, by its place in the order.
pub(crate) type Level = u32;

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Node {
    level: Level,
    low: Diagram,
    high: Diagram,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
}

/// A product of literals: each level with the value it must have, in increasing order of levels.
pub(crate) type Product = Vec<(Level, bool)>;

/// A table of shared nodes.
#[derive(Clone)]
pub(crate) struct Diagrams {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Diagram>,
    computed: FxHashMap<(Operation, Diagram, Diagram), Diagram>,
    negated: FxHashMap<Diagram, Diagram>,
    implied: FxHashMap<(Diagram, Diagram), bool>,
    budget: u64,
}

impl Default for Diagrams {
    fn default() -> Diagrams {
        let leaf = |value| Node { level: Level::MAX, low: value, high: value };
        Diagrams {
            nodes: vec![leaf(Diagram::FALSE), leaf(Diagram::TRUE)],
            unique: FxHashMap::default(),
            computed: FxHashMap::default(),
            negated: FxHashMap::default(),
            implied: FxHashMap::default(),
            budget: u64::MAX,
        }
    }
}

impl Diagrams {
    /// A table that gives up after so many steps; a step costs up to some fifty bytes.
    pub fn with_budget(budget: u64) -> Diagrams {
        Diagrams { budget, ..Diagrams::default() }
    }

    /// The same table with a new budget.
    pub fn budgeted(mut self, budget: u64) -> Diagrams {
        self.budget = budget;
        self
    }

    /// The same table without a budget; only for one that is not exhausted.
    pub fn unlimited(self) -> Diagrams {
        self.budgeted(u64::MAX)
    }

    /// Has the budget been spent? Then nothing computed in this table can be trusted.
    pub fn exhausted(&self) -> bool {
        self.budget == 0
    }

    fn spend(&mut self, steps: usize) {
        if self.budget != u64::MAX {
            self.budget = self.budget.saturating_sub(steps as u64);
        }
    }

    /// The function that is true when the variable is.
    pub fn variable(&mut self, level: Level) -> Diagram {
        self.node(level, Diagram::FALSE, Diagram::TRUE)
    }

    /// The function that is true when the variable has the value.
    pub fn literal(&mut self, level: Level, value: bool) -> Diagram {
        if value { self.variable(level) } else { self.node(level, Diagram::TRUE, Diagram::FALSE) }
    }

    /// `low` where the variable is false, `high` where it is true; both must depend on deeper levels only.
    fn node(&mut self, level: Level, low: Diagram, high: Diagram) -> Diagram {
        if low == high {
            return low;
        }
        if self.exhausted() {
            return Diagram::FALSE;
        }
        let node = Node { level, low, high };
        *self.unique.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Diagram(self.nodes.len() as u32 - 1)
        })
    }

    /// The root variable; `Level::MAX` for constants.
    pub fn level(&self, f: Diagram) -> Level {
        self.nodes[f.0 as usize].level
    }

    fn low(&self, f: Diagram) -> Diagram {
        self.nodes[f.0 as usize].low
    }

    fn high(&self, f: Diagram) -> Diagram {
        self.nodes[f.0 as usize].high
    }

    /// The two halves of `f` when the variable is decided.
    fn halves(&self, f: Diagram, level: Level) -> (Diagram, Diagram) {
        let node = self.nodes[f.0 as usize];
        if node.level == level { (node.low, node.high) } else { (f, f) }
    }

    /// Conjunction.
    pub fn and(&mut self, f: Diagram, g: Diagram) -> Diagram {
        match (f, g) {
            (Diagram::FALSE, _) | (_, Diagram::FALSE) => return Diagram::FALSE,
            (Diagram::TRUE, other) | (other, Diagram::TRUE) => return other,
            _ if f == g => return f,
            _ => {}
        }
        self.combine(Operation::And, f.min(g), f.max(g))
    }

    /// Disjunction.
    pub fn or(&mut self, f: Diagram, g: Diagram) -> Diagram {
        match (f, g) {
            (Diagram::TRUE, _) | (_, Diagram::TRUE) => return Diagram::TRUE,
            (Diagram::FALSE, other) | (other, Diagram::FALSE) => return other,
            _ if f == g => return f,
            _ => {}
        }
        self.combine(Operation::Or, f.min(g), f.max(g))
    }

    fn combine(&mut self, operation: Operation, f: Diagram, g: Diagram) -> Diagram {
        if self.exhausted() {
            return Diagram::FALSE;
        }
        if let Some(&known) = self.computed.get(&(operation, f, g)) {
            return known;
        }
        self.spend(1);
        let level = self.level(f).min(self.level(g));
        let (f_low, f_high) = self.halves(f, level);
        let (g_low, g_high) = self.halves(g, level);
        let (low, high) = match operation {
            Operation::And => (self.and(f_low, g_low), self.and(f_high, g_high)),
            Operation::Or => (self.or(f_low, g_low), self.or(f_high, g_high)),
        };
        let result = self.node(level, low, high);
        self.computed.insert((operation, f, g), result);
        result
    }

    /// Negation.
    pub fn not(&mut self, f: Diagram) -> Diagram {
        match f {
            Diagram::FALSE => return Diagram::TRUE,
            Diagram::TRUE => return Diagram::FALSE,
            _ => {}
        }
        if let Some(&known) = self.negated.get(&f) {
            return known;
        }
        if self.exhausted() {
            return Diagram::FALSE;
        }
        self.spend(1);
        let low = self.not(self.low(f));
        let high = self.not(self.high(f));
        let result = self.node(self.level(f), low, high);
        self.negated.insert(f, result);
        self.negated.insert(result, f);
        result
    }

    /// Is `g` true wherever `f` is?
    pub fn implies(&mut self, f: Diagram, g: Diagram) -> bool {
        if f == Diagram::FALSE || g == Diagram::TRUE || f == g {
            return true;
        }
        if f == Diagram::TRUE || g == Diagram::FALSE {
            return false;
        }
        if let Some(&known) = self.implied.get(&(f, g)) {
            return known;
        }
        if self.exhausted() {
            return false;
        }
        self.spend(1);
        let level = self.level(f).min(self.level(g));
        let (f_low, f_high) = self.halves(f, level);
        let (g_low, g_high) = self.halves(g, level);
        let result = self.implies(f_low, g_low) && self.implies(f_high, g_high);
        self.implied.insert((f, g), result);
        result
    }

    /// The value under a valuation of the variables.
    pub fn value(&self, mut f: Diagram, holds: impl Fn(Level) -> bool) -> bool {
        while self.level(f) != Level::MAX {
            f = if holds(self.level(f)) { self.high(f) } else { self.low(f) };
        }
        f == Diagram::TRUE
    }

    /// Some product of literals that implies `f`; none if `f` is false.
    pub fn model(&self, mut f: Diagram) -> Option<Product> {
        let mut product = Product::new();
        while self.level(f) != Level::MAX {
            let value = self.low(f) == Diagram::FALSE;
            product.push((self.level(f), value));
            f = if value { self.high(f) } else { self.low(f) };
        }
        (f == Diagram::TRUE).then_some(product)
    }

    /// The number of valuations of `variables` levels (`0..variables`) that satisfy `f`; saturates.
    pub fn model_count(&self, f: Diagram, variables: u32) -> u128 {
        let mut memo = FxHashMap::default();
        self.count_from(f, 0, variables, &mut memo)
    }

    fn count_from(&self, f: Diagram, from: Level, variables: u32, memo: &mut FxHashMap<Diagram, u128>) -> u128 {
        let doubled = |count: u128, levels: u32| (0..levels).fold(count, |count, _| count.saturating_mul(2));
        if f == Diagram::FALSE {
            return 0;
        }
        let level = self.level(f).min(variables);
        let below = if f == Diagram::TRUE {
            1
        } else if let Some(&known) = memo.get(&f) {
            known
        } else {
            let low = self.count_from(self.low(f), level + 1, variables, memo);
            let high = self.count_from(self.high(f), level + 1, variables, memo);
            let count = low.saturating_add(high);
            memo.insert(f, count);
            count
        };
        doubled(below, level - from)
    }

    /// The levels that `f` depends on, in increasing order.
    pub fn support(&self, f: Diagram) -> Vec<Level> {
        let mut seen = FxHashMap::default();
        let mut levels = Vec::new();
        let mut work = vec![f];
        while let Some(g) = work.pop() {
            if self.level(g) == Level::MAX || seen.insert(g, ()).is_some() {
                continue;
            }
            levels.push(self.level(g));
            work.extend([self.low(g), self.high(g)]);
        }
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// Splits `f` at a level: pairs (condition on the levels above the cut, what remains of `f` there).
    ///
    /// The conditions are disjoint, the remainders differ from one another and are not false.
    pub fn split(&mut self, f: Diagram, cut: Level) -> Vec<(Diagram, Diagram)> {
        let mut parts = self.split_below(f, cut, &mut FxHashMap::default());
        parts.retain(|&(_, remainder)| remainder != Diagram::FALSE);
        parts
    }

    fn split_below(
        &mut self,
        f: Diagram,
        cut: Level,
        memo: &mut FxHashMap<Diagram, Vec<(Diagram, Diagram)>>,
    ) -> Vec<(Diagram, Diagram)> {
        if self.level(f) >= cut {
            return vec![(Diagram::TRUE, f)];
        }
        if let Some(known) = memo.get(&f) {
            let known = known.clone();
            self.spend(known.len());
            return known;
        }
        if self.exhausted() {
            return Vec::new();
        }
        let level = self.level(f);
        let low = self.split_below(self.low(f), cut, memo);
        let high = self.split_below(self.high(f), cut, memo);
        let mut parts: Vec<(Diagram, Diagram)> = Vec::with_capacity(low.len() + high.len());
        let mut places: FxHashMap<Diagram, usize> = FxHashMap::default();
        for (condition, remainder) in low {
            places.insert(remainder, parts.len());
            parts.push((self.node(level, condition, Diagram::FALSE), remainder));
        }
        for (condition, remainder) in high {
            match places.get(&remainder) {
                Some(&place) => {
                    let (low, _) = self.halves(parts[place].0, level);
                    parts[place].0 = self.node(level, low, condition);
                }
                None => parts.push((self.node(level, Diagram::FALSE, condition), remainder)),
            }
        }
        self.spend(parts.len());
        memo.insert(f, parts.clone());
        parts
    }

    /// The prime implicants of a function whose variables all occur positively, each as an increasing list of levels.
    ///
    /// For such a function they are its only irredundant sum of products.
    pub fn monotone_primes(&mut self, f: Diagram) -> Vec<Vec<Level>> {
        self.primes_below(f, &mut FxHashMap::default())
    }

    fn primes_below(&mut self, f: Diagram, memo: &mut FxHashMap<Diagram, Vec<Vec<Level>>>) -> Vec<Vec<Level>> {
        match f {
            Diagram::FALSE => return Vec::new(),
            Diagram::TRUE => return vec![Vec::new()],
            _ => {}
        }
        if let Some(known) = memo.get(&f) {
            let known = known.clone();
            self.spend(known.len());
            return known;
        }
        if self.exhausted() {
            return Vec::new();
        }
        let mut primes = self.primes_below(self.low(f), memo);
        let without = primes.len();
        for prime in self.primes_below(self.high(f), memo) {
            let absorbed = primes[..without].iter().any(|smaller| is_sublist(smaller, &prime));
            if !absorbed {
                let mut extended = Vec::with_capacity(prime.len() + 1);
                extended.push(self.level(f));
                extended.extend(prime);
                primes.push(extended);
            }
        }
        // The search for absorbing primes above is quadratic.
        self.spend(without * (primes.len() - without) + primes.len());
        memo.insert(f, primes.clone());
        primes
    }

    /// An irredundant sum of products of `f` (Minato 1992, Morreale 1970); a function of `f` alone, hence canonical.
    pub fn products(&mut self, f: Diagram) -> Vec<Product> {
        let mut products = self.cover(f, f, &mut FxHashMap::default()).0;
        products.iter_mut().for_each(|product| product.reverse());
        products
    }

    /// Products that cover `lower` and stay within `upper`, deepest literal first, and the function they make.
    fn cover(
        &mut self,
        lower: Diagram,
        upper: Diagram,
        memo: &mut FxHashMap<(Diagram, Diagram), (Vec<Product>, Diagram)>,
    ) -> (Vec<Product>, Diagram) {
        if lower == Diagram::FALSE {
            return (Vec::new(), Diagram::FALSE);
        }
        if upper == Diagram::TRUE {
            return (vec![Product::new()], Diagram::TRUE);
        }
        if let Some(known) = memo.get(&(lower, upper)) {
            let known = known.clone();
            self.spend(known.0.len());
            return known;
        }
        if self.exhausted() {
            return (Vec::new(), Diagram::FALSE);
        }
        let level = self.level(lower).min(self.level(upper));
        let (lower_low, lower_high) = self.halves(lower, level);
        let (upper_low, upper_high) = self.halves(upper, level);
        let must_negative = self.without(lower_low, upper_high);
        let (negative, negative_made) = self.cover(must_negative, upper_low, memo);
        let must_positive = self.without(lower_high, upper_low);
        let (positive, positive_made) = self.cover(must_positive, upper_high, memo);
        let left_low = self.without(lower_low, negative_made);
        let left_high = self.without(lower_high, positive_made);
        let left = self.or(left_low, left_high);
        let common = self.and(upper_low, upper_high);
        let (free, free_made) = self.cover(left, common, memo);
        let mut products = Vec::with_capacity(negative.len() + positive.len() + free.len());
        for (part, value) in [(negative, false), (positive, true)] {
            products.extend(part.into_iter().map(|mut product| {
                product.push((level, value));
                product
            }));
        }
        products.extend(free);
        let split = self.node(level, negative_made, positive_made);
        let made = self.or(split, free_made);
        self.spend(products.len());
        memo.insert((lower, upper), (products.clone(), made));
        (products, made)
    }

    fn without(&mut self, f: Diagram, g: Diagram) -> Diagram {
        let complement = self.not(g);
        self.and(f, complement)
    }

    /// Copies a function from another table, renaming levels by a strictly increasing map.
    pub fn import(
        &mut self,
        source: &Diagrams,
        f: Diagram,
        rename: &impl Fn(Level) -> Level,
        memo: &mut FxHashMap<Diagram, Diagram>,
    ) -> Diagram {
        if f == Diagram::FALSE || f == Diagram::TRUE {
            return f;
        }
        if let Some(&known) = memo.get(&f) {
            return known;
        }
        let low = self.import(source, source.low(f), rename, memo);
        let high = self.import(source, source.high(f), rename, memo);
        let copy = self.node(rename(source.level(f)), low, high);
        memo.insert(f, copy);
        copy
    }
}

/// Is the first increasing list contained in the second?
fn is_sublist(small: &[Level], large: &[Level]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|level| rest.any(|candidate| candidate == level))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, proptest};

    use super::{Diagram, Diagrams, Level};

    const VARIABLES: u32 = 4;

    /// A function of four variables, by its truth table.
    fn build(diagrams: &mut Diagrams, table: u16) -> Diagram {
        let mut result = Diagram::FALSE;
        for row in (0..16u32).filter(|row| table >> row & 1 == 1) {
            let mut term = Diagram::TRUE;
            for level in 0..VARIABLES {
                let literal = diagrams.literal(level, row >> level & 1 == 1);
                term = diagrams.and(term, literal);
            }
            result = diagrams.or(result, term);
        }
        result
    }

    fn table(diagrams: &Diagrams, f: Diagram) -> u16 {
        let value = |row: u32| diagrams.value(f, |level| row >> level & 1 == 1);
        (0..16).filter(|&row| value(row)).fold(0, |table, row| table | 1 << row)
    }

    fn tables() -> impl Strategy<Value = (u16, u16)> {
        (any::<u16>(), any::<u16>())
    }

    proptest! {
        #[test]
        fn operations_agree_with_truth_tables((a, b) in tables()) {
            let mut diagrams = Diagrams::default();
            let f = build(&mut diagrams, a);
            let g = build(&mut diagrams, b);
            let (and, or, not) = (diagrams.and(f, g), diagrams.or(f, g), diagrams.not(f));
            assert_eq!(table(&diagrams, and), a & b);
            assert_eq!(table(&diagrams, or), a | b);
            assert_eq!(table(&diagrams, not), !a);
            assert_eq!(diagrams.implies(f, g), a & !b == 0);
            assert_eq!(f == g, a == b);
            assert_eq!(diagrams.model_count(f, VARIABLES), u128::from(a.count_ones()));
            assert_eq!(diagrams.model(f).is_some(), a != 0);
        }

        #[test]
        fn products_cover_exactly_and_none_is_redundant(a in any::<u16>()) {
            let mut diagrams = Diagrams::default();
            let f = build(&mut diagrams, a);
            let products = diagrams.products(f);
            let rows = |product: &[(Level, bool)]| {
                (0..16u32).filter(|row| product.iter().all(|&(level, value)| (row >> level & 1 == 1) == value))
                    .fold(0u16, |table, row| table | 1 << row)
            };
            let cover = |skip: usize| products.iter().enumerate().filter(|(index, _)| *index != skip)
                .fold(0, |table, (_, product)| table | rows(product));
            assert_eq!(cover(usize::MAX), a);
            for (index, product) in products.iter().enumerate() {
                assert_ne!(cover(index), a);
                assert!(product.is_sorted());
            }
        }

        #[test]
        fn split_parts_put_together_give_the_function(a in any::<u16>(), cut in 0..=VARIABLES) {
            let mut diagrams = Diagrams::default();
            let f = build(&mut diagrams, a);
            let mut whole = Diagram::FALSE;
            for (condition, remainder) in diagrams.split(f, cut) {
                assert!(diagrams.support(condition).iter().all(|&level| level < cut));
                assert!(diagrams.support(remainder).iter().all(|&level| level >= cut));
                let part = diagrams.and(condition, remainder);
                whole = diagrams.or(whole, part);
            }
            assert_eq!(whole, f);
        }

        #[test]
        fn primes_of_monotone_functions_are_minimal_points(points in proptest::collection::vec(0u32..16, 0..5)) {
            let mut diagrams = Diagrams::default();
            let mut f = Diagram::FALSE;
            for point in &points {
                let mut term = Diagram::TRUE;
                for level in (0..VARIABLES).filter(|level| point >> level & 1 == 1) {
                    let literal = diagrams.variable(level);
                    term = diagrams.and(term, literal);
                }
                f = diagrams.or(f, term);
            }
            let mut primes: Vec<u32> = diagrams.monotone_primes(f).iter()
                .map(|prime| prime.iter().fold(0, |point, level| point | 1 << level)).collect();
            primes.sort_unstable();
            let mut minimal: Vec<u32> = points.iter().copied()
                .filter(|point| !points.iter().any(|other| other != point && other & point == *other)).collect();
            minimal.sort_unstable();
            minimal.dedup();
            assert_eq!(primes, minimal);
        }
    }
}
