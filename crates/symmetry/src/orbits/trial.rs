//! Whether symmetry pays: a worker weighs the time that representatives take against the states that they save.
//!
//! A search modulo symmetry stores fewer states and takes longer for each. With `c` the time of a state, representatives included, over that
//! without them, and `r` the states that are represented over those that are stored, the search without symmetry would
//! take `r / c` times as long. Some expansions are timed, and at growing distances the two are compared; a search that is slower by more
//! than the user is ready to accept is abandoned, and begins again without symmetry. Later the question is not asked any more:
//! a search that has gone far goes on.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// When a search modulo symmetry has been too slow for too long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Patience {
    /// How many times slower than without symmetry it may be.
    pub slowdown: f64,
    /// For how long it is not judged: the first states of a search have smaller orbits than most.
    pub period: Duration,
}

/// A search that uses symmetry, and saves memory by it, may be somewhat slower.
impl Default for Patience {
    fn default() -> Patience {
        Patience { slowdown: 1.3, period: Duration::from_secs(5) }
    }
}

/// One expansion of so many is timed.
const TIMED_OF: u64 = 8;
/// The first comparison, by expansions of a worker or by the time that representatives took.
const FIRST_EXPANSIONS: u64 = 4096;
const FIRST_TIME: Duration = Duration::from_millis(400);
/// The number grows by that factor from one comparison to the next.
const GROWTH: u32 = 4;
/// So many comparisons are made.
const COMPARISONS: u32 = 3;

/// The trial of one search, shared by its workers.
pub struct Trial {
    patience: Patience,
    /// Ends the search.
    abandon: Box<dyn Fn() + Send + Sync>,
    failed: OnceLock<Balance>,
}

/// What one worker has measured.
#[derive(Clone)]
pub(super) struct Scale {
    trial: Arc<Trial>,
    start: Option<Instant>,
    expansions: u64,
    /// Of the timed expansions: what representatives took.
    representatives: Duration,
    comparisons: u32,
}

/// What a comparison said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Balance {
    /// The time of a state, over that without representatives.
    pub cost: f64,
    /// The states represented, over those stored.
    pub saving: f64,
}

impl Balance {
    /// How much slower the search is than one without symmetry.
    fn slowdown(self) -> f64 {
        self.cost / self.saving
    }
}

impl Trial {
    /// A trial that calls `abandon` when symmetry does not pay.
    #[must_use]
    pub fn new(patience: Patience, abandon: impl Fn() + Send + Sync + 'static) -> Trial {
        Trial { patience, abandon: Box::new(abandon), failed: OnceLock::new() }
    }

    /// Why the search was abandoned, if it was.
    #[must_use]
    pub fn failed(&self) -> Option<Balance> {
        self.failed.get().copied()
    }
}

impl Scale {
    pub fn new(trial: &Arc<Trial>) -> Scale {
        let trial = trial.clone();
        Scale { trial, start: None, expansions: 0, representatives: Duration::ZERO, comparisons: 0 }
    }

    /// Whether the next expansion is to be timed.
    pub fn is_timing(&mut self) -> bool {
        if self.comparisons == COMPARISONS {
            return false;
        }
        self.start.get_or_insert_with(Instant::now);
        self.expansions += 1;
        self.expansions.is_multiple_of(TIMED_OF)
    }

    /// Takes in what the representatives of a timed expansion took; `saving` says how many states each of those expanded so
    /// far stands for.
    pub fn add(&mut self, representatives: Duration, saving: impl FnOnce(u64) -> f64) {
        self.representatives += representatives;
        let growth = GROWTH.pow(self.comparisons);
        let spent = self.representatives * TIMED_OF as u32;
        if self.expansions < FIRST_EXPANSIONS * u64::from(growth) && spent < FIRST_TIME * growth {
            return;
        }
        let all = self.start.map_or(Duration::ZERO, |start| start.elapsed());
        if all < self.trial.patience.period * growth {
            return;
        }
        self.comparisons += 1;
        let all = all.as_secs_f64();
        let rest = (all - spent.as_secs_f64()).max(1e-9);
        let balance = Balance { cost: all / rest, saving: saving(self.expansions) };
        if balance.slowdown() > self.trial.patience.slowdown {
            // Another worker may have come to the same conclusion.
            let _ = self.trial.failed.set(balance);
            (self.trial.abandon)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(slowdown: f64) -> Scale {
        let patience = Patience { slowdown, period: Duration::ZERO };
        Scale::new(&Arc::new(Trial::new(patience, || {})))
    }

    fn expand(scale: &mut Scale, representatives: Duration, saving: f64) {
        for _ in 0..FIRST_EXPANSIONS {
            if scale.is_timing() {
                scale.add(representatives, |_| saving);
            }
        }
    }

    #[test]
    fn a_large_saving_is_worth_its_time() {
        let mut scale = scale(1.3);
        expand(&mut scale, Duration::from_micros(1), 1e9);
        assert_eq!(scale.trial.failed(), None);
    }

    #[test]
    fn representatives_that_save_nothing_are_given_up() {
        let mut scale = scale(1.3);
        // They seem to take longer than there was time, so that what the machine does besides plays no part.
        expand(&mut scale, Duration::from_millis(10), 1.0);
        assert!(scale.trial.failed().is_some());
    }

    #[test]
    fn after_some_comparisons_the_question_is_settled() {
        let mut scale = scale(1.3);
        for _ in 0..100 {
            expand(&mut scale, Duration::ZERO, 1e9);
        }
        assert!(!scale.is_timing());
    }
}
