//! Directed search: the choice of an estimate, and of the order in which it lets states be visited.
//!
//! | order | the next state | is a shortest run found? |
//! | --- | --- | --- |
//! | best-first | the nearest by the estimate | no |
//! | A* | the least sum of its depth and the weighted estimate | if the estimate is a lower bound, and its weight at most 1 |
//! | iterative deepening | depth first, while that sum is within a bound, which grows | the same |
//! | beam | level by level, of each level the nearest | no, and not every state is visited |
//!
//! Whatever the order, what is done with a state is the kernel's affair, so that a search that ends without a violation has visited every state
//! unless its frontier dropped some.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use explore::Progress;
use explore::search::{Alternating, Beam, Buckets, Errors, Frontier, NewFrontier};
use machine::Machine;
use machine::claim::{Claim, Fairness};
use machine::estimate::{Active, Assertions, Blocked, Bound, Coverage, EndStates, Estimate, FAR, Goal, Kind, Pursuit};
use machine::expression::Expr;
use machine::interpret::Interpreter;
use system::System;

use super::choice::Choice as _;
use super::engine::Refusal;
use super::options::{Heuristic, HiddenVariables, Limits, Options, Order, Switch, Symmetry, Weight};

/// A directed search that is to be made.
#[derive(Clone)]
pub(super) struct Directed {
    /// What it goes by.
    pub heuristics: Vec<Heuristic>,
    /// Whether no estimate is greater than the number of transitions it takes.
    pub is_bound: bool,
    /// Who makes the estimates, one for each heuristic.
    estimates: Vec<NewEstimate>,
    /// The estimate of the first state that was found.
    initial: Arc<AtomicU32>,
}

/// Makes an estimate for a search.
type NewEstimate = Arc<dyn Fn() -> Box<dyn Estimate> + Send + Sync>;

/// What is looked for.
#[derive(Clone, Copy)]
pub(super) enum Aim<'a> {
    /// Errors and, if asked for, deadlocks.
    Violations,
    /// A state where this is true.
    Goal(&'a Expr),
    /// A run that this accepts.
    Claim(&'a Claim),
}

impl Directed {
    /// The estimates that are asked for, of states of a machine. `plain` makes its system without reductions.
    pub fn new(
        machine: &Arc<Machine>,
        aim: Aim<'_>,
        options: &Options,
        plain: impl Fn() -> Box<dyn System> + Send + Sync + Clone + 'static,
    ) -> Result<Directed, Refusal> {
        let heuristics = match (options.heuristic, aim) {
            // Each of the two is for one kind of property, and another one may be verified with it.
            (Heuristic::Auto, _) | (_, Aim::Claim(_)) | (Heuristic::Claim, _) => automatic(machine, aim, options),
            (chosen, _) => vec![chosen],
        };
        let made = |&heuristic: &Heuristic| estimate(machine, aim, options, heuristic, &plain);
        let estimates = heuristics.iter().map(made).collect::<Result<Vec<_>, Refusal>>()?;
        let is_bound = match (aim, heuristics.as_slice()) {
            (_, [Heuristic::Bound]) => true,
            (Aim::Goal(_), [Heuristic::Goal]) => options.order.adds_depth(),
            _ => false,
        };
        Ok(Directed { heuristics, is_bound, estimates, initial: Arc::new(AtomicU32::new(FAR)) })
    }

    /// The estimate at the start, if it is known.
    pub fn initial(&self) -> Option<u32> {
        Some(self.initial.load(Relaxed)).filter(|&estimate| estimate != FAR)
    }

    /// The order of search that the options ask for.
    pub fn frontier(&self, options: &Options, progress: &Arc<Progress>) -> NewFrontier {
        let (order, width, weight) = (options.order, options.width.get(), options.weight);
        let (directed, progress) = (self.clone(), progress.clone());
        NewFrontier::new(move || -> Box<dyn Frontier> {
            let each = directed.watched(&progress);
            match order {
                Order::AStar => by_sum(nearest(each), weight),
                Order::Beam => Box::new(Beam::new(width, nearest(each))),
                _ => in_turn(each.into_iter().map(greedy).collect()),
            }
        })
    }

    /// What a state costs at a depth, for iterative deepening. Where nothing can be reached any more it is more than any bound but the last.
    pub fn cost(&self, options: &Options, progress: &Arc<Progress>) -> impl FnMut(&[u8], u64) -> u64 {
        let (weight, mut estimate) = (options.weight, nearest(self.watched(progress)));
        move |state: &[u8], depth: u64| match estimate(state) {
            FAR => u64::MAX,
            found => weight.sum(depth, found),
        }
    }

    /// The least of the estimates.
    pub fn estimate(&self, progress: &Arc<Progress>) -> impl FnMut(&[u8]) -> u32 {
        nearest(self.watched(progress))
    }

    /// The estimates, of which the first and the least are noted.
    fn watched(&self, progress: &Arc<Progress>) -> Vec<impl FnMut(&[u8]) -> u32 + use<>> {
        let watch = |make: &NewEstimate| {
            let (mut estimate, initial, progress) = (make(), self.initial.clone(), progress.clone());
            move |state: &[u8]| {
                let found = estimate.estimate(state);
                let _ = initial.compare_exchange(FAR, found, Relaxed, Relaxed);
                progress.approach(u64::from(found));
                found
            }
        };
        self.estimates.iter().map(watch).collect()
    }
}

/// The least of several estimates.
fn nearest<E: FnMut(&[u8]) -> u32>(mut estimates: Vec<E>) -> impl FnMut(&[u8]) -> u32 {
    move |state| estimates.iter_mut().map(|estimate| estimate(state)).min().unwrap_or(FAR)
}

/// Nearest first.
fn greedy(mut estimate: impl FnMut(&[u8]) -> u32 + 'static) -> Box<dyn Frontier> {
    Box::new(Buckets::new(move |state: &[u8], _: u64| estimate(state)))
}

/// The least sum of depth and weighted estimate first, and of those with the same sum the nearest.
fn by_sum(mut estimate: impl FnMut(&[u8]) -> u32 + 'static, weight: Weight) -> Box<dyn Frontier> {
    Box::new(Buckets::reopening(move |state: &[u8], depth: u64| {
        let estimate = estimate(state);
        (weight.sum(depth, estimate), estimate)
    }))
}

/// One order, or several in turn.
fn in_turn(mut orders: Vec<Box<dyn Frontier>>) -> Box<dyn Frontier> {
    match (orders.pop(), orders.is_empty()) {
        (Some(only), true) => only,
        (last, _) => Box::new(Alternating::new(orders.into_iter().chain(last).collect())),
    }
}

/// Random walks end by themselves after so long.
const WALKING: Duration = Duration::from_secs(10);

/// The options of a search as its order wants them: where a shortest run is wanted, A* if the lower bound says something at the start. Orders in
/// which a state is found again on another path compare states as a whole, so that each path is a run.
pub(super) fn settled(machine: &Arc<Machine>, aim: Aim<'_>, options: &Options) -> Options {
    let options = match options.order {
        Order::Shortest => shortest(machine, aim, options),
        _ => options.clone(),
    };
    let whole = Options { hidden: HiddenVariables::Compared, ..options.clone() };
    let unreduced =
        Options { partial_order: Switch::Off, merging: Switch::Off, errors: Errors::First, ..whole.clone() };
    match options.order {
        Order::AStar => whole,
        Order::Deepening => unreduced,
        Order::Walk => {
            let Limits { time, states, .. } = options.limits;
            let time = time.or(states.is_none().then_some(WALKING));
            Options {
                dead: Switch::Off,
                symmetry: Symmetry::Off,
                audit: Switch::Off,
                limits: Limits { time, ..options.limits },
                ..unreduced
            }
        }
        _ => options,
    }
}

/// The same for a claim about infinite runs: an order without a frontier, and strong fairness, have a search of their own.
pub(super) fn settled_for_claim(options: &Options) -> Options {
    match options.order {
        order if order.has_frontier() && options.fairness != Fairness::Strong => Options {
            partial_order: Switch::Off,
            merging: Switch::Off,
            hidden: HiddenVariables::Compared,
            ..options.clone()
        },
        order if order.is_directed() || order == Order::Walk => Options { order: Order::DepthFirst, ..options.clone() },
        _ => options.clone(),
    }
}

fn shortest(machine: &Arc<Machine>, aim: Aim<'_>, options: &Options) -> Options {
    let end_states = end_states(options);
    let estimate = Interpreter::new(machine).initial().ok().map(|state| match aim {
        Aim::Violations => Bound::of(machine, end_states).estimate(state.bytes()),
        Aim::Goal(goal) => Goal::new(machine, goal, Kind::Bound).estimate(state.bytes()),
        Aim::Claim(_) => 0,
    });
    let order = if estimate > Some(1) { Order::AStar } else { Order::BreadthFirst };
    Options { order, heuristic: Heuristic::Bound, weight: Weight::ONE, ..options.clone() }
}

fn end_states(options: &Options) -> EndStates {
    match options.end_states {
        Switch::On => EndStates::Valid,
        Switch::Off => EndStates::Any,
    }
}

/// The estimates that fit what is looked for: lower bounds where the shortest run is wanted.
fn automatic(machine: &Arc<Machine>, aim: Aim<'_>, options: &Options) -> Vec<Heuristic> {
    match (aim, options.order) {
        (Aim::Goal(_), _) => vec![Heuristic::Goal],
        (Aim::Claim(_), _) => vec![Heuristic::Claim],
        (Aim::Violations, order) if order.adds_depth() => vec![Heuristic::Bound],
        (Aim::Violations, _) => {
            let asserts = Assertions::of(machine).is_some();
            let deadlocks = options.end_states == Switch::On;
            let fitting = [(Heuristic::Assertions, asserts), (Heuristic::Active, deadlocks)];
            let chosen: Vec<Heuristic> = fitting.into_iter().filter(|(_, fits)| *fits).map(|(each, _)| each).collect();
            if chosen.is_empty() { vec![Heuristic::Bound] } else { chosen }
        }
    }
}

fn estimate(
    machine: &Arc<Machine>,
    aim: Aim<'_>,
    options: &Options,
    heuristic: Heuristic,
    plain: &(impl Fn() -> Box<dyn System> + Send + Sync + Clone + 'static),
) -> Result<NewEstimate, Refusal> {
    let refusal = |why: &str| Err(Refusal { reason: format!("--heuristic {} {why}", heuristic.word()) });
    fn always<E: Estimate + Clone + Sync + 'static>(estimate: E) -> NewEstimate {
        Arc::new(move || Box::new(estimate.clone()))
    }
    let end_states = end_states(options);
    let kind = if options.order.adds_depth() { Kind::Bound } else { Kind::Sum };
    Ok(match (heuristic, aim) {
        (Heuristic::Assertions, Aim::Violations) => match Assertions::of(machine) {
            Some(assertions) => always(assertions),
            None => return refusal("needs an assertion, and the model has none that can fail"),
        },
        (Heuristic::Blocked, Aim::Violations) => always(Blocked::of(machine)),
        (Heuristic::Bound, Aim::Violations) => always(Bound::of(machine, end_states)),
        (Heuristic::Goal, Aim::Goal(goal)) => always(Goal::new(machine, goal, kind)),
        (Heuristic::Claim, Aim::Claim(claim)) => always(Pursuit::new(machine, claim)),
        (Heuristic::Bound, Aim::Goal(goal)) => always(Goal::new(machine, goal, Kind::Bound)),
        (Heuristic::Coverage, Aim::Violations | Aim::Goal(_)) => always(Coverage::new(machine)),
        (Heuristic::Active, Aim::Violations | Aim::Goal(_)) => {
            let plain = plain.clone();
            Arc::new(move || Box::new(Active::new(plain())))
        }
        (Heuristic::Goal, Aim::Violations) => return refusal("needs a --goal"),
        (Heuristic::Assertions | Heuristic::Blocked, Aim::Goal(_)) => {
            return refusal("leads to violations: it cannot be used for a --goal");
        }
        (Heuristic::Auto | Heuristic::Claim, _) | (_, Aim::Claim(_)) => {
            unreachable!("it was replaced by what fits")
        }
    })
}
