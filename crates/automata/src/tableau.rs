//! From a formula to a generalised Büchi automaton (Couvreur 1999), with transition functions as decision diagrams.
//!
//! The fixpoint laws say what a formula demands of the current letter and what it leaves for the next position:
//! `f U g = g | (f & X(f U g) & promise of g)`. Read as a Boolean function of atoms, *next* variables and *promise*
//! variables, this is the transition function of a very weak alternating automaton (Gastin and Oddoux 2001); the states
//! of the automaton built here are conjunctions of its states. Next and promise variables occur only positively, so for
//! each class of letters the prime implicants of the function are the edges, none of them dominated by another. Edges
//! belong to the acceptance set of `g` unless they promise `g`.
//!
//! States with equal transition functions are one state (`GF p & F p` is `GF p`, say), and an edge is dropped if
//! another one makes no more promises and its target simulates; these two keep the automaton small while it grows.

use rustc_hash::FxHashMap;

use crate::atom::AtomId;
use crate::automaton::{Automaton, Marks, StateId};
use crate::diagram::{Diagram, Diagrams, Level};
use crate::formula::{Formula, Operator};
use crate::simplify::Simplifier;
use crate::translate::TranslationError;

/// What becomes of several ways to read one letter with the same promises.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Branching {
    /// Each is an edge of its own.
    Immediate,
    /// One edge to the disjunction of what they leave: later, but more deterministic.
    Postponed,
}

/// Bounds on the automaton's growth.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    pub states: usize,
    pub edges: usize,
    /// Steps of work on diagrams.
    pub steps: u64,
}

/// The automaton of a simplified formula over the given (sorted) atoms.
pub(crate) fn tableau(
    formula: &Formula,
    atoms: &[AtomId],
    branching: Branching,
    limits: Limits,
    simplifier: &mut Simplifier,
) -> Result<Automaton, TranslationError> {
    let mut tableau = Tableau {
        simplifier,
        atoms,
        diagrams: Diagrams::with_budget(limits.steps),
        auxiliaries: Vec::new(),
        next: FxHashMap::default(),
        promises: FxHashMap::default(),
        functions: FxHashMap::default(),
        targets: FxHashMap::default(),
    };
    let initial = tableau.function(formula)?;
    let mut numbers: FxHashMap<Diagram, StateId> = FxHashMap::default();
    numbers.insert(initial, StateId(0));
    let mut work = vec![initial];
    let mut edges: Vec<(StateId, Diagram, Marks, StateId)> = Vec::new();
    while let Some(function) = work.pop() {
        let source = numbers[&function];
        for (guard, promised, target) in tableau.successors(function, branching)? {
            let fresh = StateId::from_index(numbers.len());
            let target = *numbers.entry(target).or_insert_with(|| {
                work.push(target);
                fresh
            });
            edges.push((source, guard, promised, target));
        }
        let exhausted = tableau.diagrams.exhausted();
        if exhausted || numbers.len() > limits.states || edges.len() > limits.edges {
            return Err(TranslationError::TooLarge { states: numbers.len(), edges: edges.len() });
        }
    }
    let sets = tableau.promises.len() as u32;
    let mut automaton = Automaton::with_states(atoms.to_vec(), tableau.diagrams.unlimited(), numbers.len(), sets);
    for (source, guard, promised, target) in edges {
        automaton.add_edge(source, guard, Marks::all(sets).without(promised), target);
    }
    Ok(automaton)
}

/// What a variable below the atoms stands for.
enum Auxiliary {
    /// The formula must hold at the next position.
    Next(Formula),
    /// Something is put off; by number of its acceptance set.
    Promise(u32),
}

struct Tableau<'a> {
    simplifier: &'a mut Simplifier,
    atoms: &'a [AtomId],
    diagrams: Diagrams,
    auxiliaries: Vec<Auxiliary>,
    next: FxHashMap<Formula, Level>,
    promises: FxHashMap<Formula, Level>,
    functions: FxHashMap<Formula, Diagram>,
    /// The transition function of a conjunction, by the levels of what is demanded.
    targets: FxHashMap<Vec<Level>, Diagram>,
}

impl Tableau<'_> {
    /// The transition function of a formula.
    fn function(&mut self, formula: &Formula) -> Result<Diagram, TranslationError> {
        if let Some(&known) = self.functions.get(formula) {
            return Ok(known);
        }
        let function = match formula.operator() {
            Operator::True => Diagram::TRUE,
            Operator::False => Diagram::FALSE,
            Operator::Atom(atom) => self.diagrams.variable(self.level(*atom)),
            Operator::Not(f) => {
                let function = self.function(f)?;
                self.diagrams.not(function)
            }
            Operator::And(parts) => {
                let mut all = Diagram::TRUE;
                for part in parts {
                    let function = self.function(part)?;
                    all = self.diagrams.and(all, function);
                }
                all
            }
            Operator::Or(parts) => {
                let mut any = Diagram::FALSE;
                for part in parts {
                    let function = self.function(part)?;
                    any = self.diagrams.or(any, function);
                }
                any
            }
            Operator::Next(f) => self.demand(f),
            Operator::Eventually(f) => {
                let now = self.function(f)?;
                let later = self.put_off(formula, f)?;
                self.diagrams.or(now, later)
            }
            Operator::Always(f) => {
                let now = self.function(f)?;
                let later = self.demand(formula);
                self.diagrams.and(now, later)
            }
            Operator::Until(f, g) => {
                let (left, right) = (self.function(f)?, self.function(g)?);
                let later = self.put_off(formula, g)?;
                let wait = self.diagrams.and(left, later);
                self.diagrams.or(right, wait)
            }
            Operator::WeakUntil(f, g) => {
                let (left, right) = (self.function(f)?, self.function(g)?);
                let later = self.demand(formula);
                let wait = self.diagrams.and(left, later);
                self.diagrams.or(right, wait)
            }
            Operator::Release(f, g) => {
                let (left, right) = (self.function(f)?, self.function(g)?);
                let later = self.demand(formula);
                let released = self.diagrams.or(left, later);
                self.diagrams.and(right, released)
            }
            Operator::StrongRelease(f, g) => {
                let (left, right) = (self.function(f)?, self.function(g)?);
                let later = self.put_off(formula, f)?;
                let released = self.diagrams.or(left, later);
                self.diagrams.and(right, released)
            }
            Operator::Implies(..) | Operator::Equivalent(..) => self.function(&formula.negation_normal_form())?,
        };
        self.functions.insert(formula.clone(), function);
        Ok(function)
    }

    /// Atoms are sorted, and all atoms of the formula are among them.
    fn level(&self, atom: AtomId) -> Level {
        self.atoms.partition_point(|&other| other < atom) as Level
    }

    /// The formula at the next position; conjunctions are demanded part by part.
    fn demand(&mut self, formula: &Formula) -> Diagram {
        match formula.operator() {
            Operator::True => Diagram::TRUE,
            Operator::False => Diagram::FALSE,
            Operator::And(parts) => {
                let mut all = Diagram::TRUE;
                for part in parts {
                    let part = self.demand(part);
                    all = self.diagrams.and(all, part);
                }
                all
            }
            _ => {
                let level = match self.next.get(formula) {
                    Some(&level) => level,
                    None => {
                        let level = self.auxiliary(Auxiliary::Next(formula.clone()));
                        self.next.insert(formula.clone(), level);
                        level
                    }
                };
                self.diagrams.variable(level)
            }
        }
    }

    /// The formula at the next position, under the promise that its goal comes some day.
    fn put_off(&mut self, formula: &Formula, goal: &Formula) -> Result<Diagram, TranslationError> {
        let level = match self.promises.get(goal) {
            Some(&level) => level,
            None => {
                let set = self.promises.len() as u32;
                if set >= Marks::LIMIT {
                    return Err(TranslationError::TooManyAcceptanceSets);
                }
                let level = self.auxiliary(Auxiliary::Promise(set));
                self.promises.insert(goal.clone(), level);
                level
            }
        };
        let promise = self.diagrams.variable(level);
        let later = self.demand(formula);
        Ok(self.diagrams.and(promise, later))
    }

    fn auxiliary(&mut self, auxiliary: Auxiliary) -> Level {
        self.auxiliaries.push(auxiliary);
        self.cut() + self.auxiliaries.len() as Level - 1
    }

    /// The first level that is not an atom.
    fn cut(&self) -> Level {
        self.atoms.len() as Level
    }

    /// The edges of a state: guard, promises, and the transition function of the target.
    fn successors(
        &mut self,
        function: Diagram,
        branching: Branching,
    ) -> Result<Vec<(Diagram, Marks, Diagram)>, TranslationError> {
        let mut edges = Vec::new();
        for (guard, remainder) in self.diagrams.split(function, self.cut()) {
            let mut ways: Vec<(Marks, Diagram)> = Vec::new();
            for prime in self.diagrams.monotone_primes(remainder) {
                if self.diagrams.exhausted() {
                    return Ok(Vec::new());
                }
                let (promised, target) = self.way(&prime)?;
                match ways.iter_mut().find(|(promises, _)| *promises == promised) {
                    Some((_, known)) if branching == Branching::Postponed => *known = self.diagrams.or(*known, target),
                    _ => self.add_way(&mut ways, promised, target),
                }
            }
            edges.extend(ways.into_iter().map(|(promised, target)| (guard, promised, target)));
        }
        Ok(edges)
    }

    /// One way to satisfy what remains once the letter is known: promises made, and what must hold next.
    fn way(&mut self, prime: &[Level]) -> Result<(Marks, Diagram), TranslationError> {
        let mut promised = Marks::NONE;
        let mut demanded: Vec<Level> = Vec::new();
        for &level in prime {
            match &self.auxiliaries[(level - self.cut()) as usize] {
                Auxiliary::Next(_) => demanded.push(level),
                Auxiliary::Promise(set) => promised = promised.union(Marks::single(*set)),
            }
        }
        if let Some(&known) = self.targets.get(&demanded) {
            return Ok((promised, known));
        }
        let demands: Vec<Formula> = demanded
            .iter()
            .filter_map(|level| match &self.auxiliaries[(level - self.cut()) as usize] {
                Auxiliary::Next(formula) => Some(formula.clone()),
                Auxiliary::Promise(_) => None,
            })
            .collect();
        let target = self.conjunction(&demands)?;
        self.targets.insert(demanded, target);
        Ok((promised, target))
    }

    /// The transition function of a conjunction; false at once if two conjuncts contradict each other.
    fn conjunction(&mut self, demands: &[Formula]) -> Result<Diagram, TranslationError> {
        let mut target = Diagram::TRUE;
        for (index, demand) in demands.iter().enumerate() {
            if demands[..index].iter().any(|other| self.simplifier.syntax_contradict(other, demand)) {
                return Ok(Diagram::FALSE);
            }
            let function = self.function(demand)?;
            target = self.diagrams.and(target, function);
        }
        Ok(target)
    }

    /// Adds a way unless another is as good: no more promises, and a target whose function the other's implies.
    ///
    /// Implication between transition functions is a direct simulation. (Implication between *formulas* would not do:
    /// `p R X F p` implies `F p`, yet it is the repeated demand of `F p` that makes the promise.)
    fn add_way(&mut self, ways: &mut Vec<(Marks, Diagram)>, promised: Marks, target: Diagram) {
        if target == Diagram::FALSE {
            return;
        }
        if ways.iter().any(|way| way.0.is_subset(promised) && self.diagrams.implies(target, way.1)) {
            return;
        }
        ways.retain(|way| !(promised.is_subset(way.0) && self.diagrams.implies(way.1, target)));
        ways.push((promised, target));
    }
}
