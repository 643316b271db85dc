//! A search seen from outside: its counts so far, and the wish to end it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::bounds::End;

/// A search seen from outside: its counts so far, and a switch to end it.
///
/// Workers add to the counts now and then, not with every state.
#[derive(Debug, Default)]
pub struct Progress {
    stored: AtomicU64,
    matched: AtomicU64,
    depth: AtomicU64,
    stop: AtomicBool,
    abandoned: AtomicBool,
    exhausted: AtomicBool,
    looks: AtomicU64,
    over: AtomicBool,
    violated: AtomicBool,
    /// One more than the least estimate so far; 0 if there was none.
    nearest: AtomicU64,
    /// What the user should know before the search is over.
    warnings: Mutex<Vec<String>>,
}

/// Counts of a search at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// States stored.
    pub stored: u64,
    /// Transitions that led to a stored state.
    pub matched: u64,
    /// The greatest depth.
    pub depth: u64,
}

impl Progress {
    /// Nothing has happened yet.
    #[must_use]
    pub fn new() -> Progress {
        Progress::default()
    }

    /// The counts so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters {
            stored: self.stored.load(Ordering::Relaxed),
            matched: self.matched.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
        }
    }

    /// Forgets the counts, for another search that is watched in the same way. A wish to end is kept.
    pub fn restart(&self) {
        self.stored.store(0, Ordering::Relaxed);
        self.matched.store(0, Ordering::Relaxed);
        self.depth.store(0, Ordering::Relaxed);
        self.abandoned.store(false, Ordering::Relaxed);
        self.exhausted.store(false, Ordering::Relaxed);
        self.over.store(false, Ordering::Relaxed);
        self.violated.store(false, Ordering::Relaxed);
        self.nearest.store(0, Ordering::Relaxed);
    }

    /// A directed search has met a state with this estimate.
    pub fn approach(&self, estimate: u64) {
        let known = self.nearest.load(Ordering::Relaxed);
        if known == 0 || estimate + 1 < known {
            self.nearest.store(estimate + 1, Ordering::Relaxed);
        }
    }

    /// The least estimate of a directed search so far.
    #[must_use]
    pub fn nearest(&self) -> Option<u64> {
        self.nearest.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Asks the search at hand to end, since another one is to take its place; `restart` forgets that.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Asks the search to end; it will report what it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Asks the search at hand to end because memory runs out: stacks and queues are not part of a store's limit. `restart` forgets that.
    pub fn exhaust(&self) {
        self.exhausted.store(true, Ordering::Relaxed);
    }

    /// Whether the user asked for the end.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search at hand was asked to end for good.
    #[must_use]
    pub fn is_asked_to_end(&self) -> bool {
        self.is_interrupted() || self.exhausted.load(Ordering::Relaxed)
    }

    /// How often a search has looked whether it was asked to end: one that is being prepared, or is held up by a single state, does not.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }

    /// Whether a search has come to its end since the last `restart`; what it found may still be worked on.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether a search has found a violation since the last `restart`; the run that shows it may still be worked on.
    #[must_use]
    pub fn is_violated(&self) -> bool {
        self.violated.load(Ordering::Relaxed)
    }

    /// Tells the user something before the search is over: who watches takes it.
    pub fn warn(&self, warning: String) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
    }

    /// What was told since it was asked for last.
    #[must_use]
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A violation was found: that is known, whatever becomes of the work on its run.
    pub fn violate(&self) {
        self.violated.store(true, Ordering::Relaxed);
    }

    /// A search has come to its end.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Why the search was asked to end, if it was: searches look here now and then.
    pub fn end_asked_for(&self) -> Option<End> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) || self.abandoned.load(Ordering::Relaxed) {
            return Some(End::Interrupted);
        }
        self.exhausted.load(Ordering::Relaxed).then_some(End::Memory)
    }

    /// Adds counts to those so far; how many states are stored then.
    pub(crate) fn add(&self, counters: Counters) -> u64 {
        self.matched.fetch_add(counters.matched, Ordering::Relaxed);
        self.depth.fetch_max(counters.depth, Ordering::Relaxed);
        self.stored.fetch_add(counters.stored, Ordering::Relaxed) + counters.stored
    }

    /// A search begins with these counts, or counts by itself.
    pub fn set(&self, counters: Counters) {
        self.stored.store(counters.stored, Ordering::Relaxed);
        self.matched.store(counters.matched, Ordering::Relaxed);
        self.depth.store(counters.depth, Ordering::Relaxed);
    }
}
