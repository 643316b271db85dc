//! What a comparison may use, and who watches over it.

use std::time::{Duration, Instant};

use explore::search::{Counters, End, Progress};

/// What a comparison may use. Past a limit its verdict is unknown.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most states of both sides together.
    pub max_states: Option<u64>,
    /// The most bytes for everything that is kept.
    pub max_memory: u64,
    /// The longest time.
    pub max_time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_states: None, max_memory: u64::MAX, max_time: None }
    }
}

/// Limits are looked at after so many calls.
const BATCH: u32 = 256;

/// Looks now and then whether a limit was passed, and tells whoever watches how far the work is.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    pub(crate) limits: Limits,
    progress: &'a Progress,
    started: Instant,
    calls: u32,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: Limits, progress: &'a Progress) -> Watch<'a> {
        Watch { limits, progress, started: Instant::now(), calls: 0 }
    }

    /// Is it time to look? Cheap, for every turn of a loop.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.calls = self.calls.wrapping_add(1);
        self.calls.is_multiple_of(BATCH)
    }

    /// Fails if a limit was passed or somebody asked for the end.
    #[cold]
    pub(crate) fn look(&self, states: u64, bytes: u64, counters: Counters) -> Result<(), End> {
        self.progress.set(counters);
        if let Some(end) = self.progress.end_asked_for() {
            return Err(end);
        }
        if self.limits.max_states.is_some_and(|limit| states > limit) {
            return Err(End::States);
        }
        if bytes > self.limits.max_memory {
            return Err(End::Memory);
        }
        if self.limits.max_time.is_some_and(|limit| self.started.elapsed() >= limit) {
            return Err(End::Time);
        }
        Ok(())
    }
}
