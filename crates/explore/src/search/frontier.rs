//! Frontiers: the states that wait to be visited, in an order of one's own.
//!
//! A frontier decides about the order and nothing else; what is done with a state is the kernel's affair ([`ordered`](super::ordered)).

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// A state that waits to be visited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry(pub(super) u32);

/// The states that wait to be visited, in an order.
pub trait Frontier {
    /// A state was found, so many transitions from the initial one along the path on which it was found.
    fn push(&mut self, entry: Entry, state: &[u8], depth: u64);

    /// The one to be visited next.
    fn pop(&mut self) -> Option<Entry>;

    /// The memory that it takes.
    fn bytes(&self) -> u64;
}

/// Nearest first by an estimate: greedy best-first search. Of states that are equally near the one that was found last comes first, so that a search
/// without an estimate goes deep.
pub struct Buckets<E> {
    estimate: E,
    buckets: Vec<VecDeque<Entry>>,
    /// No bucket before this one has an entry.
    first: usize,
    count: u64,
}

/// Estimates beyond this are one.
const FARTHEST: u32 = 1 << 16;

impl<E: FnMut(&[u8], u64) -> u32> Buckets<E> {
    /// The estimate is given a state and its depth.
    pub fn new(estimate: E) -> Buckets<E> {
        Buckets { estimate, buckets: Vec::new(), first: 0, count: 0 }
    }
}

impl<E: FnMut(&[u8], u64) -> u32> Frontier for Buckets<E> {
    fn push(&mut self, entry: Entry, state: &[u8], depth: u64) {
        let bucket = (self.estimate)(state, depth).min(FARTHEST) as usize;
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, VecDeque::new);
        }
        self.buckets[bucket].push_back(entry);
        self.first = self.first.min(bucket);
        self.count += 1;
    }

    fn pop(&mut self) -> Option<Entry> {
        while let Some(bucket) = self.buckets.get_mut(self.first) {
            if let Some(entry) = bucket.pop_back() {
                self.count -= 1;
                return Some(entry);
            }
            self.first += 1;
        }
        None
    }

    fn bytes(&self) -> u64 {
        // Queues double.
        self.count * 2 * size_of::<Entry>() as u64
    }
}

/// Makes a frontier for a search: an order of search as a value.
#[derive(Clone)]
pub struct NewFrontier(Arc<dyn Fn() -> Box<dyn Frontier> + Send + Sync>);

impl NewFrontier {
    /// The order of the frontiers that `make` makes.
    pub fn new<F: Frontier + 'static>(make: impl Fn() -> F + Send + Sync + 'static) -> NewFrontier {
        NewFrontier(Arc::new(move || Box::new(make())))
    }

    /// A frontier without states.
    pub(super) fn frontier(&self) -> Box<dyn Frontier> {
        (self.0)()
    }
}

impl fmt::Debug for NewFrontier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewFrontier")
    }
}
