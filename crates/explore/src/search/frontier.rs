//! Frontiers: the states that wait to be visited, in an order of one's own.
//!
//! A frontier decides about the order and nothing else; what is done with a state is the kernel's affair ([`ordered`](super::ordered)).
//!
//! | frontier | search |
//! | --- | --- |
//! | [`Buckets::new`] by an estimate | greedy best-first |
//! | [`Buckets::reopening`] by depth and estimate | A* (Hart, Nilsson and Raphael 1968), weighted if the estimate is |
//! | [`Alternating`] | best-first by several estimates in turn |
//! | [`Beam`] | breadth first, of each level the nearest states only: not every state is visited |

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;

/// A state that waits to be visited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry(pub(crate) u32);

/// The states that wait to be visited, in an order.
pub trait Frontier {
    /// A state was found, so many transitions from the initial one along the path on which it was found.
    fn push(&mut self, entry: Entry, state: &[u8], depth: u64);

    /// The one to be visited next.
    fn pop(&mut self) -> Option<Entry>;

    /// The memory that it takes.
    fn bytes(&self) -> u64;

    /// Whether a state is visited again when it is found on a shorter path: then it is given to `push` again.
    fn reopens(&self) -> bool {
        false
    }

    /// Whether states were dropped that will never be visited.
    fn has_dropped(&self) -> bool {
        false
    }
}

/// The least key first. Of states with the same key the first and the last that was found come in turn: where an estimate says nothing for a
/// while, the way on may be near, or far.
pub struct Buckets<E, K> {
    key: E,
    buckets: BTreeMap<K, VecDeque<Entry>>,
    count: u64,
    reopens: bool,
    /// Whether the first one of a bucket comes next, not the last.
    oldest: bool,
}

impl<E: FnMut(&[u8], u64) -> K, K: Ord> Buckets<E, K> {
    /// The key is made of a state and its depth. With an estimate of the state alone: greedy best-first search.
    pub fn new(key: E) -> Buckets<E, K> {
        Buckets { key, buckets: BTreeMap::new(), count: 0, reopens: false, oldest: false }
    }

    /// The same, where a state that is found on a shorter path gets a new key and is visited again, and of those with the same key the last one comes
    /// first. With depth and estimate together as the key: A*.
    pub fn reopening(key: E) -> Buckets<E, K> {
        Buckets { reopens: true, ..Buckets::new(key) }
    }
}

impl<E: FnMut(&[u8], u64) -> K, K: Ord> Frontier for Buckets<E, K> {
    fn push(&mut self, entry: Entry, state: &[u8], depth: u64) {
        let key = (self.key)(state, depth);
        self.buckets.entry(key).or_default().push_back(entry);
        self.count += 1;
    }

    fn pop(&mut self) -> Option<Entry> {
        let mut first = self.buckets.first_entry()?;
        let bucket = first.get_mut();
        let entry = if self.oldest { bucket.pop_front() } else { bucket.pop_back() };
        self.oldest = !self.oldest && !self.reopens;
        if first.get().is_empty() {
            first.remove();
        }
        self.count -= 1;
        entry
    }

    fn bytes(&self) -> u64 {
        bytes_of(self.count)
    }

    fn reopens(&self) -> bool {
        self.reopens
    }
}

/// The memory of so many entries in vectors, which double.
fn bytes_of(entries: u64) -> u64 {
    entries * 2 * size_of::<Entry>() as u64
}

/// Several orders in turn: each state waits in all of them, and is visited when the first of them says so. A search that is good by one of the
/// estimates is at most so many times as long as by that one alone.
pub struct Alternating {
    orders: Vec<Box<dyn Frontier>>,
    next: usize,
    /// The entries that came out.
    out: Vec<bool>,
}

impl Alternating {
    /// These orders in turn.
    #[must_use]
    pub fn new(orders: Vec<Box<dyn Frontier>>) -> Alternating {
        Alternating { orders, next: 0, out: Vec::new() }
    }

    fn is_out(&self, Entry(number): Entry) -> bool {
        self.out.get(number as usize).copied().unwrap_or_default()
    }
}

impl Frontier for Alternating {
    fn push(&mut self, entry: Entry, state: &[u8], depth: u64) {
        if let Some(out) = self.out.get_mut(entry.0 as usize) {
            *out = false;
        }
        self.orders.iter_mut().for_each(|order| order.push(entry, state, depth));
    }

    fn pop(&mut self) -> Option<Entry> {
        // All orders hold the same states but those that came out, so each has one if another has.
        let order = self.next;
        self.next = (order + 1) % self.orders.len();
        let entry = loop {
            match self.orders[order].pop() {
                Some(entry) if self.is_out(entry) => {}
                other => break other,
            }
        }?;
        let number = entry.0 as usize;
        self.out.resize(self.out.len().max(number + 1), false);
        self.out[number] = true;
        Some(entry)
    }

    fn bytes(&self) -> u64 {
        self.orders.iter().map(|order| order.bytes()).sum::<u64>() + 2 * self.out.len() as u64
    }
}

/// Level by level, of each level the nearest states only. The others are dropped for good.
pub struct Beam<E> {
    estimate: E,
    width: usize,
    /// The level at hand, the next one to come out last.
    level: Vec<Entry>,
    next: BTreeMap<u32, Vec<Entry>>,
    /// How many there are in the next level.
    found: usize,
    dropped: bool,
}

impl<E: FnMut(&[u8]) -> u32> Beam<E> {
    /// Keeps so many states of each level, at least one.
    pub fn new(width: usize, estimate: E) -> Beam<E> {
        let width = width.max(1);
        Beam { estimate, width, level: Vec::new(), next: BTreeMap::new(), found: 0, dropped: false }
    }

    /// Drops the farthest states of the next level that are too many.
    fn narrow(&mut self) {
        while self.found > self.width {
            let Some(mut last) = self.next.last_entry() else { return };
            let excess = self.found - self.width;
            let length = last.get().len();
            self.dropped = true;
            self.found -= excess.min(length);
            if excess >= length {
                last.remove();
            } else {
                last.get_mut().truncate(length - excess);
            }
        }
    }
}

impl<E: FnMut(&[u8]) -> u32> Frontier for Beam<E> {
    fn push(&mut self, entry: Entry, state: &[u8], _depth: u64) {
        self.next.entry((self.estimate)(state)).or_default().push(entry);
        self.found += 1;
        if self.found >= 2 * self.width {
            self.narrow();
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        if self.level.is_empty() {
            self.narrow();
            self.level.extend(std::mem::take(&mut self.next).into_values().rev().flatten());
            self.found = 0;
        }
        self.level.pop()
    }

    fn bytes(&self) -> u64 {
        bytes_of((self.level.len() + self.found) as u64)
    }

    fn has_dropped(&self) -> bool {
        self.dropped
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
    pub(crate) fn frontier(&self) -> Box<dyn Frontier> {
        (self.0)()
    }
}

impl Frontier for Box<dyn Frontier> {
    fn push(&mut self, entry: Entry, state: &[u8], depth: u64) {
        self.as_mut().push(entry, state, depth);
    }

    fn pop(&mut self) -> Option<Entry> {
        self.as_mut().pop()
    }

    fn bytes(&self) -> u64 {
        self.as_ref().bytes()
    }

    fn reopens(&self) -> bool {
        self.as_ref().reopens()
    }

    fn has_dropped(&self) -> bool {
        self.as_ref().has_dropped()
    }
}

impl fmt::Debug for NewFrontier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewFrontier")
    }
}
