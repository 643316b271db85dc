//! In which states of a graph each part of a formula holds.
//!
//! Each temporal operator with `E` is a choice of [`Shape`]s, and so is the negation of each with `A`. The states from which a run of
//! a shape starts are found backwards, in time linear in the graph; runs count if they are fair.

use std::cell::Cell;

use super::{Ctl, Operator, Part, Quantifier};
use crate::graph::{Graph, StateSet};

/// Parts with the values that they must have.
pub(super) type Literals = Vec<(Part, bool)>;

/// What one run shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// The next state is one with these values.
    Next(Literals),
    /// A state with the second values comes, and all before it have the first.
    Until(Literals, Literals),
    /// All states have these values.
    Globally(Literals),
}

/// The shapes of runs that show that a part with `E` holds, or that one with `A` does not.
pub(super) fn shapes(operator: Operator) -> (Quantifier, Vec<Shape>) {
    use Quantifier::{All, Some};
    let (yes, no) = (|part: Part| (part, true), |part: Part| (part, false));
    let (quantifier, list) = match operator {
        Operator::Next(Some, f) => (Some, vec![Shape::Next(vec![yes(f)])]),
        Operator::Next(All, f) => (All, vec![Shape::Next(vec![no(f)])]),
        Operator::Finally(Some, f) => (Some, vec![Shape::Until(vec![], vec![yes(f)])]),
        Operator::Finally(All, f) => (All, vec![Shape::Globally(vec![no(f)])]),
        Operator::Globally(Some, f) => (Some, vec![Shape::Globally(vec![yes(f)])]),
        Operator::Globally(All, f) => (All, vec![Shape::Until(vec![], vec![no(f)])]),
        Operator::Until(Some, f, g) => (Some, vec![Shape::Until(vec![yes(f)], vec![yes(g)])]),
        Operator::Until(All, f, g) => {
            (All, vec![Shape::Until(vec![no(g)], vec![no(f), no(g)]), Shape::Globally(vec![no(g)])])
        }
        Operator::WeakUntil(Some, f, g) => {
            (Some, vec![Shape::Until(vec![yes(f)], vec![yes(g)]), Shape::Globally(vec![yes(f)])])
        }
        Operator::WeakUntil(All, f, g) => (All, vec![Shape::Until(vec![no(g)], vec![no(f), no(g)])]),
        Operator::Release(Some, f, g) => {
            (Some, vec![Shape::Until(vec![yes(g)], vec![yes(f), yes(g)]), Shape::Globally(vec![yes(g)])])
        }
        Operator::Release(All, f, g) => (All, vec![Shape::Until(vec![no(f)], vec![no(g)])]),
        Operator::Constant(_)
        | Operator::Atom(_)
        | Operator::Not(_)
        | Operator::And(..)
        | Operator::Or(..)
        | Operator::Implies(..)
        | Operator::Equivalent(..) => (Some, Vec::new()),
    };
    (quantifier, list)
}

/// A formula and the states of a graph in which its parts hold.
#[derive(Debug)]
pub struct Evaluation<'g> {
    pub(super) formula: &'g Ctl,
    pub(super) graph: &'g Graph,
    /// Those in which each part holds.
    sets: Vec<StateSet>,
    /// Those from which a fair run starts.
    pub(super) fair: StateSet,
    backwards: Graph,
    /// How many parts may still be explained.
    pub(super) left: Cell<u32>,
}

impl<'g> Evaluation<'g> {
    /// Evaluates a formula whose propositions hold where `holds` says so.
    #[must_use]
    pub fn new(formula: &'g Ctl, graph: &'g Graph, holds: impl Fn(u32, u32) -> bool) -> Evaluation<'g> {
        let all = StateSet::all(graph.len());
        let backwards = graph.reversed();
        let mut evaluation =
            Evaluation { formula, graph, sets: Vec::new(), fair: all.clone(), backwards, left: Cell::new(0) };
        evaluation.fair = evaluation.globally(&all);
        for part in formula.parts() {
            let set = evaluation.states_of(formula.operator(part), &holds);
            evaluation.sets.push(set);
        }
        evaluation
    }

    /// Whether a part holds in a state.
    #[must_use]
    pub fn holds(&self, part: Part, state: u32) -> bool {
        self.sets[part.index()].contains(state)
    }

    /// The states in which a part holds.
    #[must_use]
    pub fn states(&self, part: Part) -> &StateSet {
        &self.sets[part.index()]
    }

    fn states_of(&self, operator: Operator, holds: &impl Fn(u32, u32) -> bool) -> StateSet {
        let count = self.graph.len();
        let set = |part: Part| self.sets[part.index()].clone();
        match operator {
            Operator::Constant(true) => StateSet::all(count),
            Operator::Constant(false) => StateSet::none(count),
            Operator::Atom(atom) => {
                let mut states = StateSet::none(count);
                (0..count as u32).filter(|&state| holds(state, atom)).for_each(|state| {
                    states.insert(state);
                });
                states
            }
            Operator::Not(f) => set(f).complement(),
            Operator::And(f, g) => set(f).and(&set(g)),
            Operator::Or(f, g) => set(f).or(&set(g)),
            Operator::Implies(f, g) => set(f).complement().or(&set(g)),
            Operator::Equivalent(f, g) => {
                let both = set(f).and(&set(g));
                both.or(&set(f).or(&set(g)).complement())
            }
            temporal => {
                let (quantifier, shapes) = shapes(temporal);
                let shown = shapes.iter().map(|shape| self.shown(shape));
                let shown = shown.fold(StateSet::none(count), |all, each| all.or(&each));
                match quantifier {
                    Quantifier::Some => shown,
                    Quantifier::All => shown.complement(),
                }
            }
        }
    }

    /// The states in which all parts have their values.
    pub(super) fn with(&self, literals: &Literals) -> StateSet {
        literals.iter().fold(StateSet::all(self.graph.len()), |states, &(part, value)| {
            let set = self.sets[part.index()].clone();
            states.and(&if value { set } else { set.complement() })
        })
    }

    /// The states from which a fair run of a shape starts.
    pub(super) fn shown(&self, shape: &Shape) -> StateSet {
        match shape {
            Shape::Next(next) => {
                let targets = self.with(next).and(&self.fair);
                let mut sources = StateSet::none(self.graph.len());
                for target in targets.states() {
                    self.backwards.successors(target).iter().for_each(|&source| {
                        sources.insert(source);
                    });
                }
                sources
            }
            Shape::Until(before, goal) => {
                let goal = self.with(goal).and(&self.fair);
                self.backwards.closure(&goal, &self.with(before))
            }
            Shape::Globally(always) => self.globally(&self.with(always)),
        }
    }

    /// The states from which a fair run stays in a set.
    fn globally(&self, inside: &StateSet) -> StateSet {
        let mut rounds = StateSet::none(self.graph.len());
        self.graph.fair_components(inside).into_iter().flatten().for_each(|state| {
            rounds.insert(state);
        });
        self.backwards.closure(&rounds, inside)
    }
}
