//! What the workers of a search share: its bounds, the first violation, the wish to stop or to pause.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use system::{Arena, Notes, System};

use super::exchange::{Paused, Pausing};
use super::{End, EndStates, Errors, OpenSearch, Options, Outcome, Progress};
use crate::bounds::{Meter, Tally};

/// What the workers of one search share.
pub(super) struct Shared<'a> {
    pub options: &'a Options,
    pub meter: Meter<'a>,
    progress: &'a Progress,
    done: AtomicBool,
    end: Mutex<Option<End>>,
    /// Whether workers should pause so that the search can be saved.
    pausing: AtomicBool,
    /// Why the search ends once it was saved.
    end_when_saved: Mutex<Option<End>>,
    /// The path to the first violation.
    path: Mutex<Option<Vec<Vec<u8>>>>,
    violations: AtomicU64,
    /// What workers have learnt before the search was saved, and those that have come home.
    notes: Mutex<Notes>,
}

impl<'a> Shared<'a> {
    pub fn new(options: &'a Options, progress: &'a Progress) -> Shared<'a> {
        let resumed = options.resume.as_ref();
        let counters = resumed.map(OpenSearch::counters).unwrap_or_default();
        let truncated = resumed.is_some_and(|resumed| resumed.truncated);
        Shared {
            options,
            meter: Meter::new(options.bounds, progress, counters, truncated),
            progress,
            done: AtomicBool::new(false),
            end: Mutex::new(None),
            pausing: AtomicBool::new(false),
            end_when_saved: Mutex::new(None),
            path: Mutex::new(resumed.and_then(|resumed| resumed.path.clone())),
            violations: AtomicU64::new(resumed.map_or(0, |resumed| resumed.violations)),
            notes: Mutex::new(Notes::default()),
        }
    }

    /// A worker has expanded a state at this depth, and keeps so many bytes beside the store.
    #[inline]
    pub fn expanded(&self, tally: &mut Tally, depth: u64, bytes: impl FnOnce() -> u64) {
        if tally.expanded(depth, &self.meter) {
            let end = self.meter.look(tally, bytes);
            self.end_or_save(end);
        }
    }

    /// Adds a worker's counts to the common ones now.
    pub fn hand_in(&self, tally: &mut Tally) {
        let end = self.meter.hand_in(tally);
        self.end_or_save(end);
    }

    /// The same, and then the states that were stored are forgotten.
    pub fn begin_again(&self, tally: &mut Tally) {
        self.hand_in(tally);
        self.meter.begin_again();
    }

    /// Ends the search if there is a reason to, or lets workers pause if it is to be saved, now or at its end.
    fn end_or_save(&self, end: Option<End>) {
        match (&self.options.checkpointer, end) {
            (None, None) => {}
            (None, Some(end)) => self.finish(end),
            (Some(checkpointer), None) if !self.is_pausing() && checkpointer.is_due() => {
                self.pausing.store(true, Ordering::Relaxed)
            }
            (Some(_), None) => {}
            (Some(_), Some(end)) => {
                let mut when_saved = self.end_when_saved.lock().expect("no worker panics while it holds this");
                when_saved.get_or_insert(end);
                self.pausing.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Takes over what workers had learnt when the search was saved. Notes that make no sense are the sign of a damaged file: `false`.
    pub fn recall(&self, notes: &[Vec<u8>]) -> bool {
        let mut all = self.notes.lock().expect("no worker panics while it holds this");
        notes.iter().all(|notes| Notes::from_bytes(notes).map(|notes| all.merge(&notes)).is_some())
    }

    /// How many violations there are at a state whose successors are at hand.
    #[inline]
    pub fn violations_at(&self, successors: &Arena) -> u64 {
        let signals = successors.signals();
        let deadlock = signals.rest.is_invalid() && self.options.end_states == EndStates::Valid;
        u64::from(signals.errors) + u64::from(deadlock)
    }

    /// A worker comes home.
    pub fn come_home(&self, tally: &mut Tally, system: &impl System) {
        self.hand_in(tally);
        self.notes.lock().expect("no worker panics while it holds this").merge(&tally.notes(system));
    }

    /// Whether workers should come home.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Ends the search; the first reason given counts.
    pub fn finish(&self, end: End) {
        self.end.lock().expect("no worker panics while it holds this").get_or_insert(end);
        self.done.store(true, Ordering::Relaxed);
    }

    /// Notes violations at a state. `path` is asked for at most once in a search.
    pub fn violated(&self, count: u64, path: impl FnOnce() -> Vec<Vec<u8>>) {
        self.violations.fetch_add(count, Ordering::Relaxed);
        self.progress.violate();
        let mut first = self.path.lock().expect("no worker panics while it holds this");
        if first.is_none() {
            *first = Some(path());
        }
        drop(first);
        if self.options.errors == Errors::First {
            self.finish(End::Violation);
        }
    }

    /// The outcome, when all workers have come home.
    pub fn outcome<S>(self, systems: Vec<S>) -> Outcome<S> {
        let (end, counters) = self.meter.end(self.end.into_inner().expect("no worker panicked"));
        Outcome {
            end,
            stored: counters.stored,
            matched: counters.matched,
            depth: counters.depth,
            violations: self.violations.into_inner(),
            path: self.path.into_inner().expect("no worker panicked"),
            notes: self.notes.into_inner().expect("no worker panicked"),
            systems,
        }
    }
}

impl Pausing for Shared<'_> {
    fn is_pausing(&self) -> bool {
        self.pausing.load(Ordering::Relaxed)
    }

    fn save(&self, workers: Vec<Paused>) {
        let (notes, work): (Vec<_>, Vec<_>) = workers.into_iter().map(|Paused { notes, work }| (notes, work)).unzip();
        let recalled = self.notes.lock().expect("no worker panics while it holds this").to_bytes();
        let open = OpenSearch {
            counters: self.progress.counters(),
            violations: self.violations.load(Ordering::Relaxed),
            truncated: self.meter.is_truncated(),
            path: self.path.lock().expect("no worker panics while it holds this").clone(),
            notes: notes.into_iter().chain([recalled]).collect(),
            work: work.concat(),
        };
        if let Some(checkpointer) = &self.options.checkpointer {
            checkpointer.save(&open);
        }
        self.pausing.store(false, Ordering::Relaxed);
        let end = self.end_when_saved.lock().expect("no worker panics while it holds this").take();
        if let Some(end) = end {
            self.finish(end);
        }
    }
}
