//! What the workers of a search share: limits, counts, the first violation, the wish to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use system::{Arena, Notes, Seen, System};

use super::{End, EndStates, Errors, OpenSearch, Options, Outcome};

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

    /// Replaces the counts by those of a search with one worker.
    pub fn set(&self, counters: Counters) {
        self.stored.store(counters.stored, Ordering::Relaxed);
        self.matched.store(counters.matched, Ordering::Relaxed);
        self.depth.store(counters.depth, Ordering::Relaxed);
    }
}

/// What the workers of one search share.
pub(super) struct Shared<'a> {
    pub options: &'a Options,
    progress: &'a Progress,
    start: Instant,
    done: AtomicBool,
    end: Mutex<Option<End>>,
    /// Whether workers should pause so that the search can be kept.
    pausing: AtomicBool,
    /// Why the search ends once it was kept.
    end_when_kept: Mutex<Option<End>>,
    /// The path to the first violation.
    path: Mutex<Option<Vec<Vec<u8>>>>,
    violations: AtomicU64,
    truncated: AtomicBool,
    /// What workers have learnt before the search was kept, and those that have come home.
    notes: Mutex<Notes>,
}

/// A worker's own counts, handed on in batches.
#[derive(Default)]
pub(super) struct Tally {
    stored: u64,
    matched: u64,
    depth: u64,
    expansions: u32,
    seen: Seen,
}

impl<'a> Shared<'a> {
    pub fn new(options: &'a Options, progress: &'a Progress) -> Shared<'a> {
        let resumed = options.resume.as_ref();
        if let Some(resumed) = resumed {
            progress.set(resumed.counters);
        }
        Shared {
            options,
            progress,
            start: Instant::now(),
            done: AtomicBool::new(false),
            end: Mutex::new(None),
            pausing: AtomicBool::new(false),
            end_when_kept: Mutex::new(None),
            path: Mutex::new(resumed.and_then(|resumed| resumed.path.clone())),
            violations: AtomicU64::new(resumed.map_or(0, |resumed| resumed.violations)),
            truncated: AtomicBool::new(resumed.is_some_and(|resumed| resumed.truncated)),
            notes: Mutex::new(Notes::default()),
        }
    }

    /// Whether workers should pause so that the search can be kept.
    pub fn is_pausing(&self) -> bool {
        self.pausing.load(Ordering::Relaxed)
    }

    /// Keeps the search; all workers have paused and handed in their counts.
    pub fn keep(&self, notes: Vec<Vec<u8>>, work: Vec<u8>) {
        let open = OpenSearch {
            counters: self.progress.counters(),
            violations: self.violations.load(Ordering::Relaxed),
            truncated: self.truncated.load(Ordering::Relaxed),
            path: self.path.lock().expect("no worker panics while it holds this").clone(),
            notes: notes.into_iter().chain([self.recalled().to_bytes()]).collect(),
            work,
        };
        if let Some(keeper) = &self.options.keeper {
            keeper.keep(&open);
        }
        self.pausing.store(false, Ordering::Relaxed);
        let end = self.end_when_kept.lock().expect("no worker panics while it holds this").take();
        if let Some(end) = end {
            self.finish(end);
        }
    }

    /// Takes over what workers had learnt when the search was kept. Notes that make no sense are the sign of a damaged file: `false`.
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
        tally.hand_in(self);
        self.notes.lock().expect("no worker panics while it holds this").merge(&tally.notes(system));
    }

    /// What was learnt before the search was kept the last time.
    fn recalled(&self) -> Notes {
        self.notes.lock().expect("no worker panics while it holds this").clone()
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

    /// Some state was too deep to be expanded.
    pub fn truncate(&self) {
        self.truncated.store(true, Ordering::Relaxed);
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

    /// Adds a worker's counts to the common ones, and looks at the limits.
    fn account(&self, tally: &mut Tally) {
        let stored = self.progress.stored.fetch_add(tally.stored, Ordering::Relaxed) + tally.stored;
        self.progress.matched.fetch_add(tally.matched, Ordering::Relaxed);
        self.progress.depth.fetch_max(tally.depth, Ordering::Relaxed);
        *tally = Tally { depth: tally.depth, seen: tally.seen, ..Tally::default() };
        let asked = self.progress.end_asked_for();
        let end = if asked.is_some() {
            asked
        } else if self.options.max_states.is_some_and(|limit| stored >= limit) {
            Some(End::States)
        } else if self.options.max_time.is_some_and(|limit| self.start.elapsed() >= limit) {
            Some(End::Time)
        } else {
            None
        };
        match (&self.options.keeper, end) {
            (None, None) => {}
            (None, Some(end)) => self.finish(end),
            (Some(keeper), None) if !self.is_pausing() && keeper.is_due() => {
                self.pausing.store(true, Ordering::Relaxed)
            }
            (Some(_), None) => {}
            (Some(_), Some(end)) => {
                let mut when_kept = self.end_when_kept.lock().expect("no worker panics while it holds this");
                when_kept.get_or_insert(end);
                self.pausing.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The outcome, when all workers have come home.
    pub fn outcome<S>(self, systems: Vec<S>) -> Outcome<S> {
        self.progress.end();
        let counters = self.progress.counters();
        let ended = self.end.into_inner().expect("no worker panicked");
        let truncated = self.truncated.into_inner();
        let end = ended.unwrap_or(if truncated { End::Depth } else { End::Complete });
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

/// Workers look at the limits after so many expansions.
const BATCH: u32 = 256;

impl Tally {
    pub fn stored(&mut self) {
        self.stored += 1;
    }

    pub fn matched(&mut self, transitions: u64) {
        self.matched += transitions;
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

    /// A state at this depth was expanded.
    pub fn expanded(&mut self, depth: u64, shared: &Shared<'_>) {
        self.depth = self.depth.max(depth);
        self.expansions += 1;
        if self.expansions == BATCH || shared.options.max_states.is_some() {
            shared.account(self);
        }
    }

    /// Adds the counts to the common ones now.
    pub fn hand_in(&mut self, shared: &Shared<'_>) {
        shared.account(self);
    }
}
