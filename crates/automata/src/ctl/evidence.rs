//! Why a formula holds in a state, or does not: a tree of runs.
//!
//! What one run shows is shown by one: a path or a lasso, and at its states, in turn, why the operands have their values. What holds
//! of all runs has no such witness; there the evidence says how many states were looked at.

use super::evaluate::{Literals, Shape, shapes};
use super::{Evaluation, Operator, Part, Quantifier};
use crate::graph::StateSet;

/// Why a part of a formula has its value in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The part.
    pub part: Part,
    /// The state.
    pub state: u32,
    /// Whether the part holds there.
    pub holds: bool,
    /// Why.
    pub reason: Reason,
}

/// Why a part of a formula has its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The state itself says so: the part has no temporal operators.
    State,
    /// Because of the values of other parts in the same state.
    Parts(Vec<Evidence>),
    /// A run shows it.
    Run {
        /// The states, from this one on.
        states: Vec<u32>,
        /// For a run that goes on for ever: to which position it comes back after the last of them.
        cycle_start: Option<usize>,
        /// What holds at a position, and why.
        points: Vec<(usize, Evidence)>,
    },
    /// No run shows the contrary.
    EveryRun {
        /// How many states there are from here on, this one included.
        states: u64,
    },
    /// It is not said here: the tree is large enough.
    Omitted,
}

/// So many parts are explained at most: formulas that are nested deeply have trees too large for anybody.
const MOST: u32 = 300;

/// At the first so many states of a run it is said why they are as they must be.
const POINTS: usize = 4;

impl Evaluation<'_> {
    /// Why the formula has its value in a state.
    #[must_use]
    pub fn explain(&self, state: u32) -> Evidence {
        self.left.set(MOST);
        self.evidence(self.formula.root(), state)
    }

    fn evidence(&self, part: Part, state: u32) -> Evidence {
        let holds = self.holds(part, state);
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        let reason = match (self.formula.is_temporal(part), left) {
            (false, _) => Reason::State,
            (true, 0) => Reason::Omitted,
            (true, _) => self.reason(part, state, holds),
        };
        Evidence { part, state, holds, reason }
    }

    fn reason(&self, part: Part, state: u32, holds: bool) -> Reason {
        let one = |part: Part| Reason::Parts(vec![self.evidence(part, state)]);
        let both = |f: Part, g: Part| Reason::Parts(vec![self.evidence(f, state), self.evidence(g, state)]);
        // One part is enough if it has this value; the one that is simpler to explain, if both have it.
        let either = |f: Part, g: Part, values: (bool, bool)| {
            let (first, second) = (self.holds(f, state) == values.0, self.holds(g, state) == values.1);
            if first && !(second && self.formula.is_temporal(f)) { one(f) } else { one(g) }
        };
        match self.formula.operator(part) {
            Operator::Constant(_) | Operator::Atom(_) => Reason::State,
            Operator::Not(f) => one(f),
            Operator::And(f, g) if holds => both(f, g),
            Operator::And(f, g) => either(f, g, (false, false)),
            Operator::Or(f, g) if holds => either(f, g, (true, true)),
            Operator::Or(f, g) => both(f, g),
            Operator::Implies(f, g) if holds => either(f, g, (false, true)),
            Operator::Implies(f, g) => both(f, g),
            Operator::Equivalent(f, g) => both(f, g),
            temporal => {
                let (quantifier, shapes) = shapes(temporal);
                let has_witness = (quantifier == Quantifier::Some) == holds;
                let run = shapes.iter().filter(|_| has_witness).find_map(|shape| self.run(shape, state));
                run.unwrap_or_else(|| self.every_run(state))
            }
        }
    }

    /// A run of a shape.
    fn run(&self, shape: &Shape, state: u32) -> Option<Reason> {
        if !self.shown(shape).contains(state) {
            return None;
        }
        match shape {
            Shape::Next(next) => {
                let targets = self.with(next).and(&self.fair);
                let target = *self.graph.successors(state).iter().find(|&&target| targets.contains(target))?;
                let points = next.iter().map(|&(part, _)| (1, self.evidence(part, target))).collect();
                Some(Reason::Run { states: vec![state, target], cycle_start: None, points })
            }
            Shape::Until(before, goal) => {
                let goals = self.with(goal).and(&self.fair);
                let states = self.graph.path(state, &goals, &self.with(before))?;
                let last = states.len() - 1;
                let mut points = self.points(&states[..last], before);
                points.extend(goal.iter().map(|&(part, _)| (last, self.evidence(part, states[last]))));
                Some(Reason::Run { states, cycle_start: None, points })
            }
            Shape::Globally(always) => {
                let inside = self.with(always);
                let lasso = self.graph.lasso(state, &inside, &self.graph.fair_components(&inside))?;
                let points = self.points(&lasso.states, always);
                Some(Reason::Run { states: lasso.states, cycle_start: Some(lasso.cycle_start), points })
            }
        }
    }

    /// Why the first states of a run are as they must be, where the state itself does not say it.
    fn points(&self, states: &[u32], literals: &Literals) -> Vec<(usize, Evidence)> {
        let temporal = || literals.iter().filter(|&&(part, _)| self.formula.is_temporal(part));
        let positions = states.iter().enumerate().take(POINTS);
        positions.flat_map(|(at, &state)| temporal().map(move |&(part, _)| (at, self.evidence(part, state)))).collect()
    }

    fn every_run(&self, state: u32) -> Reason {
        let mut start = StateSet::none(self.graph.len());
        start.insert(state);
        Reason::EveryRun { states: self.graph.closure(&start, &StateSet::all(self.graph.len())).count() }
    }
}
