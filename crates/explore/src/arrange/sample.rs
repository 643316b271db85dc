//! How many values some words of a state will take together, told from few states.
//!
//! Of n states that were seen, let d be the values of some words, and f those that only one of the states has. If another state were
//! seen, it would have a new value with probability f / n (Good and Turing); so if the number of values grows like a power of the number of
//! states, it is the power f / d. Words that took all their values have no value that is rare; words that tell all states apart have nothing
//! else.

use std::collections::HashSet;

use crate::store::{WORD, hash_bytes, read_word, spread};

/// States whose words are counted, at most.
const COUNTED: usize = 1024;
/// States that are kept until then, at most.
const KEPT: usize = 8 * COUNTED;

/// For so many states records are foretold.
pub(super) const STATES: f64 = (1 << 18) as f64;

/// Different states of one length.
pub(super) struct Sample {
    length: usize,
    states: Vec<u8>,
    seen: HashSet<u64>,
}

impl Sample {
    pub fn new(length: usize) -> Sample {
        Sample { length, states: Vec::new(), seen: HashSet::new() }
    }

    /// Notes a state of this length. Whether it is new, as far as there was room to know it.
    pub fn note(&mut self, state: &[u8]) -> bool {
        let is_new = self.seen.len() < KEPT && self.seen.insert(hash_bytes(state));
        if is_new {
            self.states.extend_from_slice(state);
        }
        is_new
    }

    /// Some of the states, from first to last, by words.
    pub fn counted(&self) -> Counted {
        let states = self.states.chunks(self.length.max(1));
        let step = states.len().div_ceil(COUNTED).max(1);
        let words = (0..self.length.div_ceil(WORD))
            .map(|word| states.clone().step_by(step).map(|state| read_word(state, word)).collect())
            .collect();
        Counted { words, hashes: Vec::new() }
    }
}

/// States whose words are counted.
pub(super) struct Counted {
    /// The values of each word, state by state.
    words: Vec<Vec<u32>>,
    hashes: Vec<u64>,
}

impl Counted {
    /// How many values these words are likely to take together in [`STATES`] states.
    pub fn values(&mut self, words: &[u16]) -> f64 {
        let states = self.words.first().map_or(0, Vec::len);
        self.hashes.clear();
        self.hashes.resize(states, 0);
        for &word in words {
            for (hash, &value) in self.hashes.iter_mut().zip(&self.words[usize::from(word)]) {
                *hash = spread(hash.rotate_left(32) ^ u64::from(value));
            }
        }
        self.hashes.sort_unstable();
        let (mut values, mut rare) = (0.0, 0.0);
        for same in self.hashes.chunk_by(|a, b| a == b) {
            values += 1.0;
            rare += if same.len() == 1 { 1.0 } else { 0.0 };
        }
        if values == 0.0 {
            return 0.0;
        }
        (values * (STATES / states as f64).max(1.0).powf(rare / values)).min(STATES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_all_known_stay_as_many_and_values_that_are_all_new_become_as_many_as_states() {
        let mut sample = Sample::new(12);
        for number in 0..2000u32 {
            let words = [number % 7, number, number / 3 * 3];
            sample.note(&words.map(u32::to_le_bytes).concat());
        }
        assert!(!sample.note(&[0; 12]));
        let mut counted = sample.counted();
        assert_eq!(counted.values(&[]), 1.0);
        assert_eq!(counted.values(&[0]), 7.0);
        assert_eq!(counted.values(&[1]), STATES);
        assert_eq!(counted.values(&[0, 1]), STATES);
        let between = counted.values(&[2]);
        assert!(between < STATES && between > 500.0, "{between}");
    }
}
