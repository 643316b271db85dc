//! A search in an order of one's own: the next state is what a *frontier* says.
//!
//! The frontier decides about the order and nothing else. Which states were found, from where, and how far they are from the initial state, is kept in
//! a log of sixteen bytes for each state, so that every violation comes with its path whatever the order. A reduced expansion is justified as in
//! any other order: see [`stages`](super::stages).

use std::collections::VecDeque;

use system::System;

use super::chunks::Chunks;
use super::expander::{Expander, Found};
use super::shared::Shared;
use super::stages::{Stage, Stages};
use super::{End, Options, Outcome, Progress};
use crate::store::{LoadStates, StateRef, VisitedSet, Visitor as _};

/// A state that waits to be visited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry(u32);

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

/// A state that was found.
#[derive(Clone, Copy)]
struct Logged {
    reference: StateRef,
    /// Where it was found; itself for the initial state.
    parent: u32,
    depth: u32,
}

/// The memory is looked at after so many states.
const PAYING_INTERVAL: u64 = 256;

pub(super) fn search<S, V, F>(
    system: S,
    store: &V,
    options: &Options,
    progress: &Progress,
    frontier: &mut impl Frontier,
) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
    F: Stages<V::Handle>,
{
    // Nothing here can pause, so a keeper would wait for ever, and limits with it.
    let options = &Options { keeper: None, resume: None, ..options.clone() };
    let shared = Shared::new(options, progress);
    let mut expander = Expander::new(system, store.handle(), options);
    let mut charge = expander.handle.budget().open();
    let mut log: Chunks<Logged> = Chunks::default();
    if let Some(reference) = expander.start(&shared) {
        log.push(Logged { reference, parent: 0, depth: 0 });
        frontier.push(Entry(0), &expander.state, 0);
    }
    let mut visits = 0_u64;
    while let Some(Entry(number)) = frontier.pop().filter(|_| !shared.is_done()) {
        let Logged { reference, depth, .. } = log.get(number as usize);
        let depth = u64::from(depth);
        if options.max_depth.is_some_and(|limit| depth >= limit) {
            shared.truncate();
            continue;
        }
        // A state that waited may have been visited for another one's sake.
        if F::visit(&mut expander.handle, reference) != Stage::Unvisited {
            continue;
        }
        expander.handle.visit(reference, &mut expander.state, &mut expander.cursor);
        let mut is_full = false;
        expander.expand::<F>(&shared, |state, reference, how| {
            // A state that waits is in the frontier already.
            if how == Found::New {
                match u32::try_from(log.len()) {
                    Ok(found) => {
                        log.push(Logged { reference, parent: number, depth: depth as u32 + 1 });
                        frontier.push(Entry(found), state, depth + 1);
                    }
                    Err(_) => is_full = true,
                }
            }
        });
        let violations = expander.violations(&shared);
        if violations > 0 {
            shared.violated(violations, || path(&log, number, &mut expander.handle));
        }
        expander.tally.expanded(depth, &shared);
        visits += 1;
        let pays = visits.is_multiple_of(PAYING_INTERVAL);
        if is_full || pays && !charge.resize(log.bytes() + frontier.bytes()) {
            shared.finish(End::Memory);
        }
    }
    let system = expander.come_home(&shared);
    shared.outcome(vec![system])
}

/// The states from the initial one to one of the log.
fn path<H: LoadStates>(log: &Chunks<Logged>, mut number: u32, handle: &mut H) -> Vec<Vec<u8>> {
    let mut path = Vec::new();
    loop {
        let Logged { reference, parent, .. } = log.get(number as usize);
        let mut state = Vec::new();
        handle.load(reference, &mut state);
        path.push(state);
        if parent == number {
            path.reverse();
            return path;
        }
        number = parent;
    }
}

#[cfg(test)]
mod tests {
    use system::{Arena, Fate, Label, System};

    use std::sync::Arc;

    use super::super::{Errors, Keeper, OpenSearch, Options, Order, Progress, search, search_in_order};
    use super::Buckets;
    use crate::store::{Limits, PlainStore, TreeStore};

    /// A grid whose far corner is wrong. Two walls leave one way through each.
    struct Grid;

    const SIZE: u8 = 30;

    impl System for Grid {
        fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
            into.clear();
            into.extend([0, 0]);
            Fate::Open
        }

        fn successors(&mut self, state: &[u8], into: &mut Arena) {
            into.clear();
            into.signals_mut().errors = u32::from(state == [SIZE, SIZE]);
            let [x, y] = [state[0], state[1]];
            let steps = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
            for (x, y) in steps.into_iter().filter(|&(x, y)| x <= SIZE && y <= SIZE) {
                if x != 10 || y == 20 {
                    into.push(&[x, y], Label::default());
                }
            }
        }
    }

    fn distance(state: &[u8], _: u64) -> u32 {
        u32::from(SIZE - state[0]) + u32::from(SIZE - state[1])
    }

    #[test]
    fn an_estimate_finds_a_violation_among_few_states() {
        let store = || TreeStore::new(Limits::memory(1 << 24));
        let options = Options { order: Order::BreadthFirst, ..Options::default() };
        let wide = search(|| Grid, &store(), &options, &Progress::new());
        let nearest = &mut Buckets::new(distance);
        let best = search_in_order(|| Grid, &store(), &options, &Progress::new(), nearest);
        assert!(best.stored * 2 < wide.stored, "{} of {}", best.stored, wide.stored);
        let path = best.path.expect("the corner can be reached");
        let mut successors = Arena::new();
        assert_eq!((path[0].as_slice(), path.last()), ([0, 0].as_slice(), Some(&vec![SIZE, SIZE])));
        for pair in path.windows(2) {
            Grid.successors(&pair[0], &mut successors);
            assert!(successors.targets().any(|target| target == pair[1]));
        }
    }

    #[test]
    fn every_order_visits_every_state() {
        let all = Options { errors: Errors::All, ..Options::default() };
        let store = || PlainStore::new(Limits::memory(1 << 24));
        let expected = search(|| Grid, &store(), &all, &Progress::new());
        let estimates: [fn(&[u8], u64) -> u32; 4] =
            [distance, |_, depth| depth as u32, |_, _| 0, |state, _| u32::from(state[0] ^ state[1])];
        for estimate in estimates {
            let found = search_in_order(|| Grid, &store(), &all, &Progress::new(), &mut Buckets::new(estimate));
            assert_eq!((found.stored, found.matched), (expected.stored, expected.matched));
            assert_eq!((found.end, found.violations), (expected.end, 1));
        }
    }

    /// Keeps nothing, and never wants to.
    #[derive(Debug)]
    struct Idle;

    impl Keeper for Idle {
        fn is_due(&self) -> bool {
            false
        }

        fn keep(&self, _open: &OpenSearch) {}
    }

    #[test]
    fn limits_hold_whoever_would_keep_the_search() {
        let options = Options { max_states: Some(50), keeper: Some(Arc::new(Idle)), ..Options::default() };
        let store = TreeStore::new(Limits::memory(1 << 24));
        let found = search_in_order(|| Grid, &store, &options, &Progress::new(), &mut Buckets::new(|_, _| 0));
        assert_eq!(found.end, super::End::States);
    }

    #[test]
    fn limits_end_a_search_in_any_order() {
        let options = Options { max_states: Some(50), ..Options::default() };
        let store = TreeStore::new(Limits::memory(1 << 24));
        let found = search_in_order(|| Grid, &store, &options, &Progress::new(), &mut Buckets::new(|_, _| 0));
        assert_eq!(found.end, super::End::States);
        let options = Options { max_depth: Some(5), ..Options::default() };
        let store = TreeStore::new(Limits::memory(1 << 24));
        let nearest = &mut Buckets::new(|_, depth| depth as u32);
        let found = search_in_order(|| Grid, &store, &options, &Progress::new(), nearest);
        assert_eq!((found.end, found.stored), (super::End::Depth, 21));
    }
}
