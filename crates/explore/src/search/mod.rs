//! Searches: every reachable state is visited once, violations are found with a path that leads to them.
//!
//! | order | path to the first violation | memory beside the store |
//! | --- | --- | --- |
//! | [`Order::DepthFirst`] | any | the stack: eight bytes for every state on it or beside it |
//! | [`Order::BreadthFirst`] | a shortest one | eight bytes for every state |
//! | of a [`Frontier`] | any | sixteen bytes for every state, and the frontier |
//! | iterative deepening ([`deepen`]) | a shortest one, if costs are lower bounds | the stack, and seventeen bytes for every state |
//! | random walks ([`walk`]) | any, if one is found | the path; there is no store |
//!
//! The first two run on any number of workers that share one store. Counts of states and transitions do not depend on order or
//! workers; which violation is found first does, with more than one worker.

mod breadth_first;
pub(crate) mod chunks;
mod deepening;
mod depth_first;
mod entries;
mod exchange;
mod expander;
mod frontier;
mod open;
mod ordered;
mod path;
#[cfg(test)]
mod random;
mod sequence;
mod shared;
mod stack;
mod stages;
mod walk;

use std::sync::Arc;

use system::{Notes, System};

use crate::arrange::{arrange, is_worth_it};
use crate::store::{FlagStates, LoadStates, VisitedSet};

use self::stages::Stages;

pub use self::deepening::{Cost, ITERATIONS, deepen, deepen_approximately};
pub use self::frontier::{Alternating, Beam, Buckets, Entry, Frontier, NewFrontier};
pub use self::open::{Checkpointer, OpenSearch};
pub use self::walk::{STEPS, WALKS, walk};
pub use crate::{Bounds, Counters, End, Progress};

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Deep first: little memory.
    #[default]
    DepthFirst,
    /// Near states first: shortest paths.
    BreadthFirst,
}

/// What happens when a violation is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    /// The search ends.
    #[default]
    First,
    /// It goes on and counts.
    All,
}

/// Where runs may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EndStates {
    /// In valid end states only: a deadlock is a violation.
    #[default]
    Valid,
    /// Anywhere.
    Any,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// The order.
    pub order: Order,
    /// The order of a frontier instead, with one worker.
    pub frontier: Option<NewFrontier>,
    /// How many workers, at least one.
    pub workers: usize,
    /// What to do with violations.
    pub errors: Errors,
    /// When to give up.
    pub bounds: Bounds,
    /// One worker alone visits so many states before others help, so that what is found in a small system does not depend on
    /// who is faster.
    pub head_start: u64,
    /// Shuffles the successors of each state; without it they are visited in the order in which the system gives them.
    pub seed: Option<u64>,
    /// Who saves the search.
    pub checkpointer: Option<Arc<dyn Checkpointer>>,
    /// Whether invalid end states are violations.
    pub end_states: EndStates,
    /// Where to go on, with the store as it was then, instead of at the initial state. The order must be the same as before.
    pub resume: Option<OpenSearch>,
}

/// A search of so many states takes no longer than waking other workers.
const HEAD_START: u64 = 4096;

impl Default for Options {
    fn default() -> Options {
        Options {
            order: Order::DepthFirst,
            frontier: None,
            workers: 1,
            errors: Errors::First,
            bounds: Bounds::default(),
            head_start: HEAD_START,
            seed: None,
            checkpointer: None,
            end_states: EndStates::Valid,
            resume: None,
        }
    }
}

/// What a search found.
#[derive(Debug)]
pub struct Outcome<S> {
    /// Why it ended.
    pub end: End,
    /// States stored.
    pub stored: u64,
    /// Transitions that led to a stored state.
    pub matched: u64,
    /// The greatest distance from the initial state along the search's own paths.
    pub depth: u64,
    /// How many violations were seen.
    pub violations: u64,
    /// The states from the initial one to the one where the first violation was found.
    pub path: Option<Vec<Vec<u8>>>,
    /// What the workers have learnt on the way.
    pub notes: Notes,
    /// The workers' systems.
    pub systems: Vec<S>,
}

impl<S> Outcome<S> {
    /// Transitions as SPIN counts them: stored and matched.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.stored + self.matched
    }
}

/// Searches a system. `make` gives each worker its own view of it; `progress` can be read, and told to stop the search, from
/// another thread.
pub fn search<S, V>(make: impl Fn() -> S, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
{
    arrange_words(&make, store, options);
    in_order::<S, V, stages::Unknown>(make, store, options, progress)
}

/// Searches a system that offers reduced successors, with a store that keeps flags, by which fewer states need to be expanded
/// fully: it is known which states were visited and, in a search that goes deep first, from which of them it has come to a state that was
/// expanded fully. Otherwise as [`search`].
pub fn search_reduced<S, V>(make: impl Fn() -> S, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + FlagStates>,
{
    arrange_words(&make, store, options);
    in_order::<S, V, stages::Flagged>(make, store, options, progress)
}

/// Searches depth first with a store that cannot give states back: the stack holds the states themselves.
pub fn search_approximately<S, V>(make: impl Fn() -> S, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet,
{
    depth_first::search::<S, V, entries::Vectors, stages::Unknown>(systems(make, options), store, options, progress)
}

/// Searches a system in the order of a frontier that somebody has, with one worker; otherwise as [`search`].
pub fn search_in_order<S, V>(
    make: impl Fn() -> S,
    store: &V,
    options: &Options,
    progress: &Progress,
    frontier: &mut impl Frontier,
) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
{
    arrange_words(&make, store, options);
    ordered::search::<S, V, stages::Unknown>(make(), store, options, progress, frontier)
}

/// The same, otherwise as [`search_reduced`].
pub fn search_reduced_in_order<S, V>(
    make: impl Fn() -> S,
    store: &V,
    options: &Options,
    progress: &Progress,
    frontier: &mut impl Frontier,
) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + FlagStates>,
{
    arrange_words(&make, store, options);
    ordered::search::<S, V, stages::Flagged>(make(), store, options, progress, frontier)
}

/// Every order there is.
fn in_order<S, V, F>(make: impl Fn() -> S, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
    F: Stages<V::Handle>,
{
    use entries::References;
    match (&options.frontier, options.order) {
        (Some(new), _) => ordered::search::<S, V, F>(make(), store, options, progress, &mut *new.frontier()),
        (None, Order::DepthFirst) => {
            depth_first::search::<S, V, References, F>(systems(make, options), store, options, progress)
        }
        (None, Order::BreadthFirst) => {
            breadth_first::search::<S, V, F>(systems(make, options), store, options, progress)
        }
    }
}

/// Each worker's view of a system.
fn systems<S>(make: impl Fn() -> S, options: &Options) -> Vec<S> {
    (0..options.workers.max(1)).map(|_| make()).collect()
}

/// Lets a store that makes use of it know which parts of states change together.
fn arrange_words<S: System>(make: impl Fn() -> S, store: &impl VisitedSet, options: &Options) {
    if store.can_arrange() && is_worth_it(options.bounds.max_states) {
        store.arrange(arrange(&mut make()));
    }
}
