//! Hashing: one-way for bytes, invertible for keys.
//!
//! A table that stores the quotient of an invertible hash need not store what the slot's position already says. The
//! mixing is a permutation of n-bit numbers (n ≤ 64): rounds of `x ^= x >> ⌈n/2⌉`, which is its own inverse, and of a
//! multiplication by an odd number modulo 2ⁿ, which has one. Numbers are kept aligned to the top of 64 bits, so that
//! the modulus costs nothing and the high half of one product is the table position ([`Place`]).

use std::num::NonZero;

/// Odd multipliers with well-spread bits, and their inverses modulo 2⁶⁴ (checked by the tests).
const MULTIPLY: [u64; 2] = [0x9fb2_1c65_1e98_df25, 0xd6e8_feb8_6659_fd93];
const DIVIDE: [u64; 2] = [inverse(MULTIPLY[0]), inverse(MULTIPLY[1])];

/// Words with well-spread bits, to be combined with those that are hashed: the fractions of the square roots of 2, 3, 5 and 7.
const KEYS: [[u64; 2]; 2] =
    [[0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b], [0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1]];

/// The inverse of an odd number modulo 2⁶⁴, by Newton's iteration: each step doubles the correct low bits.
const fn inverse(odd: u64) -> u64 {
    let mut guess = odd; // correct to three bits, as odd² = 1 modulo 8
    let mut step = 0;
    while step < 5 {
        guess = guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)));
        step += 1;
    }
    guess
}

/// A permutation of the numbers of `bits` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Permutation {
    bits: u32,
    half: u32,
    /// The bits of aligned numbers.
    kept: u64,
}

impl Permutation {
    /// `bits` is from 1 to 64.
    pub(crate) fn new(bits: u32) -> Permutation {
        debug_assert!((1..=64).contains(&bits));
        Permutation { bits, half: bits.div_ceil(2), kept: u64::MAX << (64 - bits) }
    }

    /// The image of `key`, aligned to the top: its last `64 - bits` bits are zero.
    #[inline]
    pub(crate) fn mix(self, key: u64) -> u64 {
        let aligned = key << (64 - self.bits);
        let first = self.fold(aligned).wrapping_mul(MULTIPLY[0]);
        self.fold(first).wrapping_mul(MULTIPLY[1])
    }

    /// The key whose image is `mixed`.
    #[inline]
    pub(crate) fn unmix(self, mixed: u64) -> u64 {
        let first = self.fold(mixed.wrapping_mul(DIVIDE[1]));
        let aligned = self.fold(first.wrapping_mul(DIVIDE[0]));
        aligned >> (64 - self.bits)
    }

    /// `x ^ (x >> ⌈bits/2⌉)` on aligned numbers.
    #[inline]
    fn fold(self, aligned: u64) -> u64 {
        aligned ^ ((aligned >> self.half) & self.kept)
    }
}

/// Where a mixed number belongs among `lines` places, and what of it the place does not tell.
///
/// Multiplying an aligned n-bit number x by m gives, in the high word, ⌊x·m / 2ⁿ⌋: a place below m, monotone in x, for
/// any m. The low word is the fraction, and two numbers at one place have fractions that differ by at least m units. So
/// the fraction without its last ⌊log₂ m⌋ bits still tells them apart: that is the remainder, of n − ⌊log₂ m⌋ bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    lines: NonZero<u64>,
    bits: u32,
    shift: u32,
}

impl Place {
    pub(crate) fn new(lines: NonZero<u64>, bits: u32) -> Place {
        let shift = lines.ilog2().min(bits);
        Place { lines, bits, shift }
    }

    /// Bits of a remainder.
    #[cfg(test)]
    pub(crate) fn remainder_bits(self) -> u32 {
        self.bits - self.shift
    }

    /// Line and remainder.
    #[inline]
    pub(crate) fn of(self, mixed: u64) -> (u64, u64) {
        let product = u128::from(mixed) * u128::from(self.lines.get());
        let fraction = product as u64;
        // Two shifts, since together they can be 64.
        ((product >> 64) as u64, (fraction >> (64 - self.bits)) >> self.shift)
    }

    /// What the numbers of a line have in common; then [`Base::mixed`] inverts [`Place::of`].
    pub(crate) fn base(self, line: u64) -> Base {
        let start = u128::from(line) << self.bits;
        let lines = u128::from(self.lines.get());
        Base { quotient: (start / lines) as u64, rest: (start % lines) as u64 }
    }

    /// How to get from the base of a line to that of the next one, and from a base to a number.
    pub(crate) fn stride(self) -> Stride {
        Stride { place: self, step: self.base(1), reciprocal: u64::MAX / self.lines.get() }
    }
}

/// The start of a line: the line number times 2ⁿ, divided by the number of lines.
#[derive(Clone, Copy)]
pub(crate) struct Base {
    quotient: u64,
    rest: u64,
}

/// Divisions by the number of lines, made once.
#[derive(Clone, Copy)]
pub(crate) struct Stride {
    place: Place,
    step: Base,
    /// At most 2⁶⁴ divided by the number of lines, and less than one below it.
    reciprocal: u64,
}

impl Stride {
    /// The base of the line behind one that is not the last.
    #[inline]
    pub(crate) fn next(&self, base: Base) -> Base {
        let lines = self.place.lines.get();
        let (quotient, rest) = (base.quotient.wrapping_add(self.step.quotient), base.rest + self.step.rest);
        if rest < lines { Base { quotient, rest } } else { Base { quotient: quotient + 1, rest: rest - lines } }
    }

    /// The mixed number, aligned, that has this line and `remainder`: the least x with x·m ≥ line·2ⁿ + remainder·2ˢ.
    #[inline]
    pub(crate) fn mixed(&self, base: Base, remainder: u64) -> u64 {
        let fraction = remainder << self.place.shift;
        let lines = self.place.lines.get();
        let steps = match fraction.checked_add(base.rest) {
            Some(distance) => {
                // The quotient, or one less.
                let quotient = ((u128::from(distance) * u128::from(self.reciprocal)) >> 64) as u64;
                let rest = distance - quotient * lines;
                quotient + u64::from(rest > 0) + u64::from(rest > lines)
            }
            None => (u128::from(fraction) + u128::from(base.rest)).div_ceil(u128::from(lines)) as u64,
        };
        (base.quotient + steps) << (64 - self.place.bits)
    }
}

/// A hash of one word, for choosing among few (high bits are best).
#[inline]
pub(crate) fn spread(word: u64) -> u64 {
    let product = u128::from(word ^ MULTIPLY[1]) * u128::from(MULTIPLY[0]);
    (product >> 64) as u64 ^ product as u64
}

/// A hash of some words, for tables that are made anew by every program that runs. Each pair of words is one multiplication by the other; keys
/// keep words that are zero from wiping out the rest.
#[inline]
pub(crate) fn hash_words<const W: usize>(words: &[u64; W]) -> u64 {
    if W == 1 {
        return spread(words[0]);
    }
    let mut hash = 0u64;
    for (number, pair) in words.chunks(2).enumerate() {
        let second = pair.get(1).copied().unwrap_or(0);
        let product = u128::from(pair[0] ^ KEYS[number % 2][0]) * u128::from(second ^ KEYS[number % 2][1]);
        hash = hash.rotate_left(23) ^ (product >> 64) as u64 ^ product as u64;
    }
    hash
}

/// The hash of a state's bytes. Stable for ever: saved stores rely on it.
#[inline]
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn multipliers_have_inverses() {
        for i in 0..2 {
            assert_eq!(MULTIPLY[i].wrapping_mul(DIVIDE[i]), 1);
        }
    }

    #[test]
    fn mixing_permutes_the_numbers_of_n_bits() {
        for bits in 1..=16 {
            let permutation = Permutation::new(bits);
            let images: HashSet<u64> = (0..1 << bits).map(|key| permutation.mix(key)).collect();
            assert_eq!(images.len(), 1 << bits);
            assert!((0..1 << bits).all(|key| permutation.unmix(permutation.mix(key)) == key));
        }
    }

    #[test]
    fn line_and_remainder_tell_all_numbers_apart() {
        for bits in [1, 4, 9] {
            for lines in [1, 2, 3, 5, 8, 13, 100, 511] {
                let place = Place::new(NonZero::new(lines).expect("not zero"), bits);
                let mut seen = HashSet::new();
                for key in 0..1u64 << bits {
                    let (line, remainder) = place.of(key << (64 - bits));
                    assert!(line < lines && remainder >> place.remainder_bits() == 0);
                    assert!(seen.insert((line, remainder)));
                    assert_eq!(place.stride().mixed(place.base(line), remainder), key << (64 - bits));
                }
            }
        }
    }

    /// Ids are handed out in order, so keys are dense and structured; lines must still fill evenly.
    #[test]
    fn dense_pairs_fill_lines_evenly() {
        let (permutation, lines) = (Permutation::new(40), 1000);
        let place = Place::new(NonZero::new(lines).expect("not zero"), 40);
        let mut load = vec![0u32; 1000];
        for left in 0..100u64 {
            for right in 0..160u64 {
                load[place.of(permutation.mix(left << 20 | right)).0 as usize] += 1;
            }
        }
        let variance = load.iter().map(|&n| (f64::from(n) - 16.0).powi(2)).sum::<f64>() / 1000.0;
        assert!(variance < 24.0, "variance {variance}, where chance gives 16");
    }

    proptest! {
        #[test]
        fn mixing_and_placing_are_invertible(key: u64, bits in 1u32..=64, lines in 1u64..1 << 40) {
            let key = key >> (64 - bits);
            let permutation = Permutation::new(bits);
            let mixed = permutation.mix(key);
            prop_assert_eq!(permutation.unmix(mixed), key);
            let place = Place::new(NonZero::new(lines).expect("not zero"), bits);
            let (line, remainder) = place.of(mixed);
            let stride = place.stride();
            prop_assert_eq!(stride.mixed(place.base(line), remainder), mixed);
            if let Some(before) = line.checked_sub(1) {
                prop_assert_eq!(stride.mixed(stride.next(place.base(before)), remainder), mixed);
            }
        }
    }
}
