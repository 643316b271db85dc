//! Whether a reduction pays: what it left out is counted against how often it was asked, and one that leaves out too little is switched off for a while.
//!
//! The first states are a sample. A reduction that passes is weighed again and again; one that fails pauses, and then has another, smaller sample, at growing
//! distances, because a search may come to other parts of the state space. All depends on counts alone, so a search of one worker is the same every time.
//!
//! Why a search may change its mind at any state: a layer that is switched off answers with more than it must.
//!
//! - *Ample sets.* In every state all moves suffice: they meet C0 to C3 by themselves, and a state that is expanded fully is what the search
//!   waits for when it makes sure that nothing is put off for ever. No other state's set was justified by what is left out in this one.
//! - *Merging.* A state inside a chain is one that was expanded in part, and the end of a chain is a state like any other. Whether the next
//!   state inside is stored instead changes when it is expanded, and by which set, but either is enough. Where no chain leads from one
//!   stored state to the next, the unwinder takes the next for what comes after one step.
//!
//! For a claim about infinite runs what is left out may have to depend on the state of the system alone (`ample/endless.rs`): then a decision holds for the whole
//! search, and these layers are made without a gauge.

use crate::random::Random;

/// Which moments of a search decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Weighing {
    /// None: the reduction is used whatever it saves.
    Never,
    /// Samples at growing distances.
    #[default]
    Sampled,
    /// Any moments, which follow from a number: for tests.
    Random(u64),
}

/// States in the first sample.
const FIRST: u64 = 1 << 14;
/// States in a sample after a pause.
const AGAIN: u64 = 1 << 12;
/// States in the first pause. Every pause is twice as long as the last.
const PAUSE: u64 = 1 << 17;

/// Counts, and says whether a reduction is to be used.
#[derive(Clone, Debug)]
pub(crate) struct Gauge {
    weighing: Weighing,
    /// What was left out must be at least this part of what was asked.
    one_of: u64,
    on: bool,
    /// States until the next decision.
    left: u64,
    pause: u64,
    asked: u64,
    left_out: u64,
    random: Random,
}

impl Gauge {
    /// A reduction that pays if it leaves out one of so many.
    pub fn new(weighing: Weighing, one_of: u64) -> Gauge {
        let (seed, left) = match weighing {
            Weighing::Random(seed) => (seed, seed % 7),
            Weighing::Never | Weighing::Sampled => (0, FIRST),
        };
        let random = Random::new(seed);
        Gauge { weighing, one_of, on: true, left, pause: PAUSE, asked: 0, left_out: 0, random }
    }

    /// Whether the reduction is to be used for the next state.
    #[inline]
    pub fn is_on(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None if self.weighing != Weighing::Never => self.decide(),
            None => {}
        }
        self.on
    }

    /// Takes in what was asked and what was left out.
    #[inline]
    pub fn add(&mut self, asked: u64, left_out: u64) {
        self.asked += asked;
        self.left_out += left_out;
    }

    /// Whether the reduction is not to be used for the next state.
    #[inline]
    pub fn is_pausing(&self) -> bool {
        !self.on && self.left > 0
    }

    /// Whether it is switched off.
    pub fn has_given_up(&self) -> bool {
        !self.on
    }

    #[cold]
    fn decide(&mut self) {
        let was_on = self.on;
        self.on = match self.weighing {
            Weighing::Random(_) => self.random.below(2) == 0,
            _ => !was_on || self.left_out * self.one_of >= self.asked,
        };
        if was_on && !self.on {
            self.pause = self.pause.saturating_mul(2);
        }
        self.left = match (self.weighing, was_on, self.on) {
            (Weighing::Random(_), ..) => self.random.below(9) as u64,
            (_, false, _) => AGAIN,
            (_, true, true) => FIRST,
            (_, true, false) => self.pause / 2,
        };
        (self.asked, self.left_out) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::{AGAIN, FIRST, Gauge, PAUSE, Weighing};

    /// How many of so many states a reduction is used for that leaves out one of `one_of`.
    fn used(gauge: &mut Gauge, states: u64, one_of: u64) -> u64 {
        let mut used = 0;
        for state in 0..states {
            if gauge.is_on() {
                used += 1;
                gauge.add(1, u64::from(state % one_of == 0));
            }
        }
        used
    }

    #[test]
    fn what_leaves_out_enough_stays() {
        let mut gauge = Gauge::new(Weighing::Sampled, 10);
        assert_eq!(used(&mut gauge, 1_000_000, 8), 1_000_000);
        assert!(!gauge.has_given_up());
    }

    #[test]
    fn what_leaves_out_too_little_pauses_and_is_tried_again() {
        let mut gauge = Gauge::new(Weighing::Sampled, 10);
        assert_eq!(used(&mut gauge, FIRST + PAUSE, 100), FIRST);
        assert!(gauge.has_given_up());
        assert_eq!(used(&mut gauge, AGAIN + 2 * PAUSE, 100), AGAIN + 1);
        // In another part of the state space it pays.
        assert!(used(&mut gauge, 1_000_000, 8) > 800_000);
        assert!(!gauge.has_given_up());
    }

    #[test]
    fn what_was_insisted_on_is_never_given_up() {
        assert_eq!(used(&mut Gauge::new(Weighing::Never, 10), 1_000_000, 1_000_000), 1_000_000);
    }
}
