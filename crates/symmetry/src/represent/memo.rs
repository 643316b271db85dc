//! Representatives found lately, by state: where steps commute, a search meets the same successors several times in a row.
//!
//! Atomic sequences that visit processes in any order lead to one state on many ways. Where that does not happen, remembering costs a little
//! for nothing, so it rests when few states are met again.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

/// A table with one place for each hash.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    /// By place: the hash of the state there; zero if there is none.
    hashes: Vec<u64>,
    /// By place: the state, then its representative.
    vectors: Vec<u8>,
    length: usize,
    /// Where the representative asked for belongs.
    place: Option<usize>,
    asked: u32,
    recalled: u32,
    /// For so many states nothing is remembered.
    rests: u32,
}

/// More places would take more of the caches than they save.
const MOST_PLACES: usize = 1 << 10;
const MOST_BYTES: usize = 1 << 18;

/// After so many states it is decided whether it pays.
const PERIOD: u32 = 1 << 10;
/// It does if one state in so many is met again.
const WORTHWHILE: u32 = 8;
const REST: u32 = 1 << 14;

impl Memo {
    pub(super) fn new(length: usize) -> Self {
        let places = MOST_PLACES.min(MOST_BYTES / (2 * length).max(1)).max(1);
        let places = 1 << places.ilog2();
        let vectors = vec![0; 2 * length * places];
        Self { hashes: vec![0; places], vectors, length, place: None, asked: 0, recalled: 0, rests: 0 }
    }

    /// Replaces a state by its representative, if that is known. If not, it has to be given with [`Memo::keep`].
    #[inline]
    pub(super) fn recall(&mut self, state: &mut [u8]) -> bool {
        if self.rests > 0 {
            self.rests -= 1;
            return false;
        }
        let mut hasher = FxHasher::default();
        hasher.write(state);
        let hash = hasher.finish() | 1;
        let place = (hash >> 1) as usize & (self.hashes.len() - 1);
        let (known, representative) =
            self.vectors[2 * self.length * place..][..2 * self.length].split_at_mut(self.length);
        let is_known = self.hashes[place] == hash && known == state;
        if is_known {
            state.copy_from_slice(representative);
        } else {
            self.hashes[place] = hash;
            known.copy_from_slice(state);
            self.place = Some(place);
        }
        self.asked += 1;
        self.recalled += u32::from(is_known);
        if self.asked == PERIOD {
            if self.recalled * WORTHWHILE < self.asked {
                self.rests = REST;
            }
            (self.asked, self.recalled) = (0, 0);
        }
        is_known
    }

    /// Says what the representative of the state asked for last is.
    #[inline]
    pub(super) fn keep(&mut self, representative: &[u8]) {
        if let Some(place) = self.place.take() {
            self.vectors[(2 * place + 1) * self.length..][..self.length].copy_from_slice(representative);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Memo, PERIOD, REST};

    /// Asks as a search does; the representative of a state is the state with a first byte of 255.
    fn asks(memo: &mut Memo, state: [u8; 4]) -> bool {
        let mut found = state;
        let is_known = memo.recall(&mut found);
        if !is_known {
            assert_eq!(found, state, "a state that is not known stays as it is");
            found[0] = 255;
            memo.keep(&found);
        }
        assert_eq!(found, [255, state[1], state[2], state[3]]);
        is_known
    }

    #[test]
    fn what_was_found_lately_is_recalled_and_right() {
        let mut memo = Memo::new(4);
        for number in 0..3000u32 {
            let [low, high, ..] = number.to_le_bytes();
            assert!(!asks(&mut memo, [1, low, high, 0]));
            assert!(asks(&mut memo, [1, low, high, 0]));
        }
    }

    #[test]
    fn without_repetitions_nothing_is_looked_for() {
        let mut memo = Memo::new(4);
        for number in 0..PERIOD {
            let [low, high, ..] = number.to_le_bytes();
            asks(&mut memo, [1, low, high, 0]);
        }
        assert_eq!(memo.rests, REST);
        // Not even what has just been found; and what is found meanwhile is not kept in a wrong place.
        for _ in 0..REST {
            assert!(!asks(&mut memo, [1, 2, 3, 4]));
        }
        assert!(!asks(&mut memo, [1, 2, 3, 4]));
        assert!(asks(&mut memo, [1, 2, 3, 4]));
    }
}
