//! A small seeded generator of random numbers.
//!
//! Randomness here only ever chooses where to look first; every result is verified. So what matters is that a run can
//! be repeated from its seed, not that the numbers are unpredictable. The generator is SplitMix64 (Steele, Lea, Flood
//! 2014).

/// A stream of random numbers, the same for the same seed on every machine.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream that starts from `seed`.
    pub fn from_seed(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`, each equally likely.
    ///
    /// # Panics
    /// If `bound` is zero: there is no such number.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below zero");
        let bound = bound as u64;
        // Draw again in the incomplete last stretch of multiples, so that the remainder is exactly uniform.
        let usable = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.next_bits();
            if bits < usable {
                return (bits % bound) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn equal_seeds_give_equal_streams() {
        let mut one = Random::from_seed(7);
        let mut two = Random::from_seed(7);
        assert!((0..100).all(|_| one.next_bits() == two.next_bits()));
    }

    #[test]
    fn numbers_below_a_bound_are_spread_evenly() {
        let mut random = Random::from_seed(1);
        let mut counts = [0u32; 6];
        for _ in 0..6000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    }
}
