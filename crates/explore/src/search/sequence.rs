//! The order in which the successors of a state are visited: as the system gives them, or shuffled by a seed.
//!
//! The order at a state follows from the seed and the state alone, so a search by one worker can be repeated, and goes on in the
//! same way after it was saved.

use crate::store::checksum;

/// An order of the successors of one state after the other.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    seed: Option<u64>,
    order: Vec<u32>,
}

impl Sequence {
    pub fn new(seed: Option<u64>) -> Sequence {
        Sequence { seed, order: Vec::new() }
    }

    /// Arranges the successors of a state.
    pub fn arrange(&mut self, state: &[u8], successors: usize) {
        let Some(seed) = self.seed else { return };
        self.order.clear();
        self.order.extend(0..successors as u32);
        let mut random = SplitMix(seed ^ checksum(state));
        for last in (1..successors).rev() {
            self.order.swap(last, random.below(last as u64 + 1) as usize);
        }
    }

    /// The successor to be visited at a position.
    pub fn at(&self, position: usize) -> usize {
        if self.seed.is_some() { self.order[position] as usize } else { position }
    }
}

/// Steele, Lea and Flood's generator (OOPSLA 2014).
pub(super) struct SplitMix(u64);

impl SplitMix {
    /// The numbers that follow from a seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Sequence;

    #[test]
    fn every_successor_comes_once_whatever_the_seed() {
        let mut natural = true;
        for seed in [None, Some(0), Some(1), Some(2)] {
            let mut sequence = Sequence::new(seed);
            for successors in 0..20 {
                sequence.arrange(&[successors as u8], successors);
                let mut order: Vec<usize> = (0..successors).map(|position| sequence.at(position)).collect();
                natural &= seed.is_none() || order.is_sorted();
                order.sort_unstable();
                assert_eq!(order, (0..successors).collect::<Vec<_>>());
            }
        }
        assert!(!natural);
    }
}
