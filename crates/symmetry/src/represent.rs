//! The representative of a state's orbit: the same vector for all states that symmetries carry to each other, and for no others.
//!
//! ```text
//! Group ──▶ clusters of factors ──▶ objects ──▶ a forest?  ──▶ siblings: sort by refined colours
//!           (independent)           (columns)   any other? ──▶ chain: search along the stabiliser chain
//! ```
//! [`Canonicaliser::new`] compiles a shape and a group to a plan once; workers share it, each with buffers of its own, and ask for
//! representatives without allocating.
//!
//! # Which factors are independent
//! The group is a product of factors that move disjoint points. Canonicalising by one factor after another is exact for factors `A`
//! and `B` if no slot that `A` moves can hold a name that `B` renames, and the other way round. For then what
//! `A` does depends on the slots it moves and on its own names in slots that nothing moves, all of which `B` leaves alone; so the element
//! chosen for `s` serves for `b(s)` too, and `canon_A(b(s)) = b(canon_A(s))`. Hence `canon_B(canon_A(·))` is constant on orbits of
//! `A × B`. Likewise `ab` fixes a state only if `a` and `b` do, so sizes of orbits multiply. Factors that are not independent form a
//! *cluster* and are searched as one. (Applying factors in turn without that condition is the mistake behind inexact
//! "fast" strategies: references couple factors.)

mod approximate;
mod best;
mod chain;
mod enumerate;
mod forest;
mod gset;
mod kinds;
mod layout;
mod memo;
mod objects;
mod orbitals;
mod plan;
mod reading;
mod refine;
mod siblings;
mod stages;
#[cfg(test)]
mod tests;
mod touched;
mod transport;
mod undo;

use std::sync::Arc;

use group::Group;
use num_bigint::BigUint;

use crate::shape::Shape;
use approximate::Approximation;
use best::Factor;
use chain::ChainSearch;
use enumerate::Enumeration;
use forest::Effort;
use memo::Memo;
use plan::{Cluster, Method, Plan};
pub use plan::{ObjectClass, Part};
use reading::{Reading, Referrals};
use siblings::Siblings;

/// How representatives are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// One representative for each orbit, found by sorting, refinement and search.
    Exact,
    /// The least image under all elements of the group, tried one after the other.
    Enumerate {
        /// A group with more elements than that is treated as by [`Strategy::Exact`].
        most_elements: u64,
    },
    /// The objects are told apart by what they hold, references aside, and the elements that keep that partition are searched for the least
    /// image: exact, and slow where many objects are alike (TopSPIN's "segmented").
    Segmented,
    /// Factor by factor: columns sorted by what they hold, references aside, small groups enumerated, others by local search. Exact
    /// without references only (TopSPIN's "fast").
    Fast,
    /// Descent with the generators (TopSPIN's "localsearch").
    LocalSearch,
    /// Columns sorted by exchanges that rename references at once (Derepas and Gastin's pseudo-sort); other factors by local search.
    Sort,
}

/// Finds representatives of orbits.
///
/// Clones share what has been compiled; give each worker one.
///
/// ```
/// use group::{Group, Permutation};
/// use machine::state::ScalarAt;
/// use symmetry::{Canonicaliser, Content, Shape, Slot, Strategy, Validity};
/// // Three equal processes of one byte each.
/// let mut shape = Shape { length: 3, ..Shape::default() };
/// for offset in 0..3 {
///     let content = Content::Number;
///     shape.add_slot(Slot { at: ScalarAt::byte(offset), content, validity: Validity::Always });
/// }
/// let mut canonicaliser = Canonicaliser::new(&shape, &Group::symmetric(3), Strategy::Exact);
/// let (mut one, mut other) = ([7, 1, 7], [7, 7, 1]);
/// assert_eq!(canonicaliser.orbit_size(&one), 3u32.into());
/// canonicaliser.representative(&mut one);
/// canonicaliser.representative(&mut other);
/// assert_eq!(one, other);
/// assert!(canonicaliser.is_exact());
/// ```
#[derive(Clone, Debug)]
pub struct Canonicaliser {
    plan: Arc<Plan>,
    workers: Vec<Worker>,
    found: Found,
    /// Of exact representatives, those found lately.
    memo: Memo,
    /// What counts the states of orbits where representatives are not exact.
    exact: Option<Box<Canonicaliser>>,
}

/// The buffers for one cluster.
#[derive(Clone, Debug)]
struct Worker {
    reading: Reading,
    search: Search,
    /// Whether the reading is that of a state whose orbit's size was asked for, which searches do before they ask for successors.
    has_base: bool,
}

#[derive(Clone, Debug)]
enum Search {
    Siblings(Box<Siblings>),
    Chain(Box<ChainSearch>),
    Enumerate(Box<Enumeration>),
    Approximate(Box<Approximation>),
}

/// What a search finds.
#[derive(Clone, Debug)]
struct Found {
    purpose: Purpose,
    image: Vec<u8>,
    /// Whether the image differs from the state; only then it is written.
    changed: bool,
    /// The order of the state's stabiliser as a product, if asked for.
    stabiliser: Vec<Factor>,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Representative,
    OrbitSize,
}

impl Canonicaliser {
    /// Compiles a shape and a group of symmetries of its vectors.
    ///
    /// A symmetry maps slots to slots of the same form, the domain of each slot to the domain of its image, and the number of
    /// messages that a slot depends on to that of its image; a value that one of the domains lists and the other does not is in no state.
    ///
    /// # Panics
    /// If the group's degree is not the number of points of the shape.
    #[must_use]
    pub fn new(shape: &Shape, group: &Group, strategy: Strategy) -> Self {
        assert_eq!(group.degree(), shape.degree(), "the group permutes the points of the shape");
        let plan = Plan::new(shape, group, strategy);
        let workers = plan.clusters.iter().map(|cluster| Worker::new(cluster, plan.length)).collect();
        let image = vec![0; plan.length];
        let found = Found { purpose: Purpose::Representative, image, changed: false, stabiliser: Vec::new() };
        let is_exact = plan.clusters.iter().all(|cluster| cluster.is_exact);
        let exact = (!is_exact).then(|| Box::new(Self::new(shape, group, Strategy::Exact)));
        let memo = Memo::new(plan.length);
        Self { plan: Arc::new(plan), workers, found, memo, exact }
    }

    /// Replaces a state by the representative of its orbit.
    ///
    /// # Panics
    /// If the state has not the length of the shape.
    pub fn representative(&mut self, state: &mut [u8]) {
        assert_eq!(state.len(), self.plan.length, "states have the length of the shape");
        let remembers = self.is_exact() && !self.is_trivial();
        if remembers && self.memo.recall(state) {
            return;
        }
        for (cluster, worker) in self.plan.clusters.iter().zip(&mut self.workers) {
            worker.run(cluster, state, &mut self.found);
            if self.found.changed {
                state.copy_from_slice(&self.found.image);
            }
        }
        if remembers {
            self.memo.keep(state);
        }
    }

    /// How many states the orbit of a state has.
    ///
    /// # Panics
    /// If the state has not the length of the shape.
    pub fn orbit_size(&mut self, state: &[u8]) -> BigUint {
        if let Some(exact) = &mut self.exact {
            return exact.orbit_size(state);
        }
        self.found.purpose = Purpose::OrbitSize;
        self.found.stabiliser.clear();
        for (cluster, worker) in self.plan.clusters.iter().zip(&mut self.workers) {
            worker.run(cluster, state, &mut self.found);
        }
        self.found.purpose = Purpose::Representative;
        best::quotient(&self.plan.order, &self.found.stabiliser)
    }

    /// Whether each orbit has one representative only.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.exact.is_none()
    }

    /// Whether every state is its own representative.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.plan.clusters.is_empty()
    }

    /// The order of the group.
    #[must_use]
    pub fn order(&self) -> &BigUint {
        &self.plan.order
    }

    /// The parts of the plan, which are independent of each other; none for the trivial group.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        self.plan.parts()
    }

    /// The plan, a line for each part, for people.
    #[must_use]
    pub fn describe(&self) -> String {
        self.plan.describe()
    }
}

impl Worker {
    fn new(cluster: &Cluster, length: usize) -> Self {
        let objects = cluster.objects.count();
        let search = match &cluster.method {
            Method::Siblings(forest) => Search::Siblings(Box::new(Siblings::new(forest, length))),
            Method::Chain(chain) => Search::Chain(Box::new(ChainSearch::new(chain, objects, length))),
            Method::Enumerate(chain) => Search::Enumerate(Box::new(Enumeration::new(chain, objects, length))),
            Method::LocalSearch(_) | Method::PseudoSort => {
                Search::Approximate(Box::new(Approximation::new(objects, length)))
            }
        };
        let referrals = match &cluster.method {
            Method::Siblings(forest) if forest.effort == Effort::Exact => Referrals::Told,
            _ => Referrals::Untold,
        };
        Self { reading: Reading::new(&cluster.layout, objects, length, referrals), search, has_base: false }
    }

    fn run(&mut self, cluster: &Cluster, state: &[u8], found: &mut Found) {
        let layout = &cluster.layout;
        let is_passing = self.has_base && found.purpose == Purpose::Representative;
        if is_passing {
            self.reading.read_in_passing(layout, state);
        } else {
            self.reading.read(layout, state);
        }
        let Self { reading, search, has_base } = self;
        match (search, &cluster.method) {
            (Search::Siblings(search), Method::Siblings(forest)) => search.run(forest, layout, reading, state, found),
            (Search::Chain(search), Method::Chain(chain)) => search.run(chain, layout, reading, state, found),
            (Search::Enumerate(search), Method::Enumerate(chain)) => search.run(chain, layout, reading, state, found),
            // These read more states on their way, and orbits are counted by others.
            (Search::Approximate(search), Method::LocalSearch(moves)) => {
                return search.descend(moves, layout, reading, state, found);
            }
            (Search::Approximate(search), Method::PseudoSort) => {
                return search.sort(&cluster.objects, layout, reading, state, found);
            }
            _ => unreachable!("a worker is made for its cluster's method"),
        }
        if is_passing {
            reading.revert(layout);
        } else {
            *has_base = found.purpose == Purpose::OrbitSize;
        }
    }
}
