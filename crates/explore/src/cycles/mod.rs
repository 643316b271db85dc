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
mod lasso;
mod records;
mod shortest;
mod space;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::arrange::{arrange, is_worth_it};
use crate::search::{End, Progress};
use crate::store::{LoadStates, NumberStates, VisitedSet};
use crate::system::{Extent, Successors, System};

pub use self::shortest::{Effort, Shortness, shortest};

/// A set of acceptance sets: bit `i` stands for the `i`-th.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks(pub u64);

impl Marks {
    /// No set.
    pub const NONE: Marks = Marks(0);

    /// The most acceptance sets a system can have.
    pub const LIMIT: u32 = 64;

    /// The first `count` sets.
    #[must_use]
    pub fn first(count: u32) -> Marks {
        if count >= Marks::LIMIT { Marks(u64::MAX) } else { Marks((1 << count) - 1) }
    }

    /// The sets in either.
    #[must_use]
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// The sets here that are not there.
    #[must_use]
    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }

    /// Are all sets of `other` here?
    #[must_use]
    pub fn contain(self, other: Marks) -> bool {
        other.0 & !self.0 == 0
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A transition system with acceptance marks.
pub trait MarkedSystem: Send {
    /// The list that receives transitions; it is reused from state to state.
    type Transitions: Transitions + Default + Send;

    /// Writes the initial state, and says whether its runs are violations whatever they do.
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate;

    /// Writes all transitions out of a state, replacing what is in the list.
    fn transitions(&mut self, state: &[u8], into: &mut Self::Transitions);

    /// Writes transitions out of a state that suffice, if none of those left out is put off for ever: if only a part is given, the search
    /// makes sure that none of them leads to a state of its path, or asks [`MarkedSystem::other_transitions`]. Then every cycle of what it follows has a
    /// state in which nothing was left out.
    fn reduced_transitions(&mut self, state: &[u8], into: &mut Self::Transitions) -> Extent {
        self.transitions(state, into);
        Extent::All
    }

    /// Writes other transitions that suffice, or all, for the state that was asked about last; after a few calls it is all.
    fn other_transitions(&mut self, state: &[u8], into: &mut Self::Transitions) -> Extent {
        self.transitions(state, into);
        Extent::All
    }

    /// The acceptance sets there are.
    fn acceptance(&self) -> Marks;

    /// Takes over what another worker's view of the same system has learnt on the way.
    fn learn(&mut self, _other: Self)
    where
        Self: Sized,
    {
    }
}

/// A search may borrow a system that is needed afterwards.
impl<S: MarkedSystem> MarkedSystem for &mut S {
    type Transitions = S::Transitions;

    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        (**self).initial(into)
    }

    fn transitions(&mut self, state: &[u8], into: &mut S::Transitions) {
        (**self).transitions(state, into);
    }

    fn reduced_transitions(&mut self, state: &[u8], into: &mut S::Transitions) -> Extent {
        (**self).reduced_transitions(state, into)
    }

    fn other_transitions(&mut self, state: &[u8], into: &mut S::Transitions) -> Extent {
        (**self).other_transitions(state, into)
    }

    fn acceptance(&self) -> Marks {
        (**self).acceptance()
    }
}

/// Whether what comes later matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It does.
    Open,
    /// The run is a violation already.
    Sealed,
}

/// The transitions out of one state.
pub trait Transitions {
    /// How many there are.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where one leads.
    fn target(&self, index: usize) -> &[u8];

    /// Its marks.
    fn marks(&self, index: usize) -> Marks;

    /// Whether a run that takes it is a violation.
    fn fate(&self, index: usize) -> Fate;

    /// The sets that the state asks for: a run that visits it again and again counts only if it also takes transitions of these again and
    /// again. Only [`graph::explore`](crate::graph::explore) asks; the searches here know no such conditions.
    fn requests(&self) -> Marks {
        Marks::NONE
    }
}

/// How to search.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// States farther than this from the initial state are not expanded.
    pub max_depth: Option<u64>,
    /// The search ends when so many states are stored.
    pub max_states: Option<u64>,
    /// The search ends after so long.
    pub max_time: Option<Duration>,
}

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
    /// The system, for what it has learnt on the way.
    pub system: S,
}

/// Lets a store that makes use of it know which parts of states change together, by watching a system that is not needed any more. It is of use before
/// the first state is stored, and if more than a few can be.
pub fn arrange_words<S: MarkedSystem>(system: S, store: &impl VisitedSet, max_states: Option<u64>) {
    if store.can_arrange() && is_worth_it(max_states) {
        store.arrange(arrange(&mut Unmarked(system)));
    }
}

/// A system without its marks.
struct Unmarked<S>(S);

/// The transitions of such a system.
#[derive(Default)]
struct UnmarkedTransitions<T>(T);

impl<S: MarkedSystem> System for Unmarked<S> {
    type Successors = UnmarkedTransitions<S::Transitions>;

    fn initial(&mut self, into: &mut Vec<u8>) {
        self.0.initial(into);
    }

    fn successors(&mut self, state: &[u8], into: &mut UnmarkedTransitions<S::Transitions>) {
        self.0.transitions(state, &mut into.0);
    }
}

impl<T: Transitions> Successors for UnmarkedTransitions<T> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn state(&self, index: usize) -> &[u8] {
        self.0.target(index)
    }

    fn violations(&self) -> u64 {
        0
    }
}

/// Searches a system for a violating run, with one worker.
pub fn search<S, V>(system: S, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: MarkedSystem,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    let found = component::Search::new(alone::Alone::new(system, store.handle()), options, progress).run();
    Outcome {
        end: found.end,
        stored: found.counters.stored,
        matched: found.counters.matched,
        depth: found.counters.depth,
        components: found.components,
        violation: found.violation,
        system: found.space.system,
    }
}

/// Searches a system for a violating run, with several workers, each with its own view of the system. The outcome is that of one worker.
///
/// # Panics
/// When there is no worker.
pub fn search_in_parallel<S, V>(systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: MarkedSystem,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    assert!(!systems.is_empty(), "somebody must do the work");
    ahead::search(systems, store, options, progress)
}
