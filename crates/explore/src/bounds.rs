//! The bounds of a search, counted in one place for all searches: depth, states, time, memory, and the wish to end it.
//!
//! A worker counts in a [`Tally`] of its own and hands it in now and then; the [`Meter`] of the search adds it to the common counts and says
//! whether a bound was reached. What a worker keeps beside the store (its stack, queue or lists) is charged to the store's memory at the same
//! moments, so that one bound is for all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use system::{Arena, Notes, Seen, System};

use crate::progress::{Counters, Progress};
use crate::store::{Budget, Charge};

/// When a search gives up. Its memory is bounded by that of its store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// States farther than this from the initial state are not expanded.
    pub max_depth: Option<u64>,
    /// The search ends when so many states are stored.
    pub max_states: Option<u64>,
    /// The search ends after so long.
    pub max_time: Option<Duration>,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Everything reachable was visited.
    Complete,
    /// A violation was found and the search was told to end there.
    Violation,
    /// Some states were too deep to be expanded.
    Depth,
    /// Some states were dropped, as the order of the search wanted it.
    Dropped,
    /// Enough states were stored.
    States,
    /// The time was up.
    Time,
    /// The store was full.
    Memory,
    /// It was told to end.
    Interrupted,
    /// What it was to be resumed from makes no sense.
    Damaged,
}

/// Workers look at the bounds after so many expansions; after each where states are bounded.
const BATCH: u32 = 256;

/// A search that runs, measured by its bounds.
pub(crate) struct Meter<'a> {
    bounds: Bounds,
    progress: &'a Progress,
    start: Instant,
    /// Whether some state was too deep to be expanded.
    truncated: AtomicBool,
}

impl<'a> Meter<'a> {
    /// A search begins, with the counts of the one that it goes on with.
    pub fn new(bounds: Bounds, progress: &'a Progress, counters: Counters, truncated: bool) -> Meter<'a> {
        progress.set(counters);
        Meter { bounds, progress, start: Instant::now(), truncated: AtomicBool::new(truncated) }
    }

    /// Whether a state at this depth is not to be expanded. That there was one is remembered.
    #[inline]
    pub fn is_too_deep(&self, depth: u64) -> bool {
        let is_too_deep = self.bounds.max_depth.is_some_and(|most| depth >= most);
        if is_too_deep {
            self.truncated.store(true, Ordering::Relaxed);
        }
        is_too_deep
    }

    /// Whether some state was too deep to be expanded.
    pub fn is_truncated(&self) -> bool {
        self.truncated.load(Ordering::Relaxed)
    }

    /// Adds a worker's counts to the common ones. The result is why the search should end, if it should.
    pub fn hand_in(&self, tally: &mut Tally) -> Option<End> {
        let Tally { stored, matched, depth, .. } = *tally;
        (tally.stored, tally.matched) = (0, 0);
        let stored = self.progress.add(Counters { stored, matched, depth });
        let states = || self.bounds.max_states.filter(|&most| stored >= most).map(|_| End::States);
        let time = || self.bounds.max_time.filter(|&most| self.start.elapsed() >= most).map(|_| End::Time);
        self.progress.end_asked_for().or_else(states).or_else(time)
    }

    /// The states that were stored are forgotten, and will be stored again: what led to them led to known ones.
    pub fn begin_again(&self) {
        let Counters { stored, matched, depth } = self.progress.counters();
        self.progress.set(Counters { stored: 0, matched: matched + stored, depth });
    }

    /// As [`Meter::hand_in`] when it is time to look at the bounds, and the worker keeps so many bytes beside the store.
    pub fn look(&self, tally: &mut Tally, bytes: impl FnOnce() -> u64) -> Option<End> {
        let is_paid = !tally.is_batch() || tally.charge.resize(bytes());
        self.hand_in(tally).or((!is_paid).then_some(End::Memory))
    }

    /// The search is over, for this reason if there was one. Its counts.
    pub fn end(&self, end: Option<End>) -> (End, Counters) {
        self.progress.end();
        let whole = if self.is_truncated() { End::Depth } else { End::Complete };
        (end.unwrap_or(whole), self.progress.counters())
    }
}

/// A worker's own counts, and what it pays for its memory.
pub(crate) struct Tally {
    /// States stored, since it was handed in.
    pub stored: u64,
    /// Transitions to known states, since it was handed in.
    pub matched: u64,
    /// The greatest depth.
    pub depth: u64,
    expansions: u32,
    seen: Seen,
    charge: Charge,
}

impl Tally {
    /// Nothing yet, and nothing paid.
    pub fn new(budget: &Arc<Budget>) -> Tally {
        Tally { stored: 0, matched: 0, depth: 0, expansions: 0, seen: Seen::default(), charge: budget.open() }
    }

    /// A state at this depth was expanded. Whether it is time to look at the bounds.
    #[inline]
    pub fn expanded(&mut self, depth: u64, meter: &Meter<'_>) -> bool {
        self.depth = self.depth.max(depth);
        self.expansions = self.expansions.wrapping_add(1);
        self.is_batch() || meter.bounds.max_states.is_some()
    }

    #[inline]
    fn is_batch(&self) -> bool {
        self.expansions.is_multiple_of(BATCH)
    }

    /// A state is about to be expanded.
    #[inline]
    pub fn visited(&mut self) {
        self.seen.visited();
    }

    /// The successors of a state were asked for.
    #[inline]
    pub fn seen(&mut self, state: &[u8], successors: &Arena) {
        self.seen.expanded(state, successors);
    }

    /// What a worker has learnt so far.
    pub fn notes(&self, system: &impl System) -> Notes {
        let mut notes = Notes::default();
        self.seen.notes(&mut notes);
        system.notes(&mut notes);
        notes
    }

    /// What is kept is paid to another store from now on.
    pub fn move_to(&mut self, budget: &Arc<Budget>) {
        self.charge = budget.open();
    }

    /// The bytes that were paid for.
    pub fn paid(&self) -> u64 {
        self.charge.bytes()
    }

    /// What was kept beside the store is not there any more, or others pay for it.
    pub fn release(&mut self) {
        self.charge.resize(0);
    }
}
