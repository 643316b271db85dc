//! Infinite runs that must not be: accepting cycles of a system whose transitions carry acceptance marks.
//!
//! A run is *accepting* when it takes transitions of every acceptance set again and again (generalised Büchi acceptance).
//! Two things of different origin come as such sets. The sets of a claim's automaton; and *weak fairness*: for a process `p`,
//! the set of all transitions in which `p` moves or before which `p` is not enabled. A run is weakly fair to `p`, that is, `p`
//! is not for ever enabled without moving, exactly when it takes transitions of this set again and again.
//!
//! Theorem: a system has an accepting run exactly when it can reach a strongly connected component whose inner transitions
//! carry all marks. (A closed walk through all of them is such a run; and the transitions that a run takes again and again lie
//! in one component.) So neither several acceptance sets nor weak fairness needs copies of the state space, and no
//! component has to be looked at twice: what holds for a part of a component holds for the whole.
//!
//! [`search`] finds components on the fly and stops when the part of one that it has seen carries all marks.

mod ahead;
mod alone;
mod component;
mod directed;
mod lasso;
mod records;
mod shortest;
mod space;
#[cfg(test)]
mod tests;

use system::{Marks, Notes, System};

use crate::arrange::{arrange, is_worth_it};
use crate::store::{LoadStates, NumberStates, VisitedSet};
use crate::{Bounds, End, Progress};

pub use self::directed::{Guide, search_in_order};
pub use self::shortest::{Effort, Shortness, shortest};

/// A run that is a violation: its states from the initial one on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The states up to and including the one where the cycle starts, or where the fate is sealed.
    pub prefix: Vec<Vec<u8>>,
    /// The states after it, of which the last one equals the last one of the prefix. Empty when the prefix is a violation
    /// whatever follows.
    pub cycle: Vec<Vec<u8>>,
    /// The marks of the transitions of the cycle that count, one after the other; empty where acceptance is on states.
    pub marks: Vec<Marks>,
}

impl Violation {
    /// A finite run whose fate is sealed.
    #[must_use]
    pub fn sealed(prefix: Vec<Vec<u8>>) -> Violation {
        Violation { prefix, cycle: Vec::new(), marks: Vec::new() }
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
    /// The longest path that was followed.
    pub depth: u64,
    /// Components found to the end.
    pub components: u64,
    /// The violating run.
    pub violation: Option<Violation>,
    /// What was learnt on the way.
    pub notes: Notes,
    /// The searcher's system.
    pub system: S,
}

/// Lets a store that makes use of it know which parts of states change together, by watching a system that is not needed any more. It is of use before
/// the first state is stored, and if more than a few can be.
pub fn arrange_words<S: System>(mut system: S, store: &impl VisitedSet, max_states: Option<u64>) {
    if store.can_arrange() && is_worth_it(max_states) {
        store.arrange(arrange(&mut system));
    }
}

/// Searches a system for a violating run, with one worker.
pub fn search<S, V>(system: S, store: &V, bounds: Bounds, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    let found = component::Search::new(alone::Alone::new(system, store.handle()), bounds, progress).run();
    Outcome {
        end: found.end,
        stored: found.counters.stored,
        matched: found.counters.matched,
        depth: found.counters.depth,
        components: found.components,
        violation: found.violation,
        notes: found.space.notes(),
        system: found.space.system,
    }
}

/// Searches a system for a violating run, with several workers, each with its own view of the system. The outcome is that of one worker.
///
/// # Panics
/// When there is no worker.
pub fn search_in_parallel<S, V>(systems: Vec<S>, store: &V, bounds: Bounds, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    assert!(!systems.is_empty(), "somebody must do the work");
    ahead::search(systems, store, bounds, progress)
}
