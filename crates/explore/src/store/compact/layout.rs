//! Which bits of a key can be anything but zero, so that only those are hashed and stored.
//!
//! Node ids are handed out in order: with a million nodes, the two ids of a root pair need 20 bits each of the 29 that a
//! reference has for them. A table fixes a layout when it is built, and is rebuilt when a key does not fit.
//!
//! ```text
//! reference   class 6 | left id 29 | right id 21 + 8      the last 8 go into the choice of the shard
//! key             c   |      b     |       b - 8          narrowed: c and b chosen for a table
//! ```

use super::SHARD_BITS;

/// Bits of a node id in a reference.
pub(crate) const ID_BITS: u32 = 29;
/// Bits of the length class in a reference.
pub(crate) const CLASS_BITS: u32 = 6;
/// Bits of a right id that are left to the table.
const RIGHT_BITS: u32 = ID_BITS - SHARD_BITS;

/// How the part of a key that is left to a table is narrowed. Implementations are lossless: `pack` refuses what
/// `unpack` could not give back.
pub(crate) trait Layout: Copy + PartialEq + Send + Sync + 'static {
    /// The narrowest layout, for a table without keys.
    fn narrowest() -> Self;
    /// A layout for everything that fits into `self`, and for `rest`.
    fn including(self, rest: u64) -> Self;
    /// The widest layout of at most `bits` bits that includes `self`; `self` if there is none.
    fn widened(self, bits: u32) -> Self;
    /// Bits of a packed key, at least one.
    fn bits(self) -> u32;
    /// The packed key, if it fits.
    fn pack(self, rest: u64) -> Option<u64>;
    /// The inverse of `pack`.
    fn unpack(self, key: u64) -> u64;
}

/// The layout of a pair of node ids with a length class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairLayout {
    id_bits: u32,
    class_bits: u32,
    /// The bits that must be zero.
    forbidden: u64,
}

impl PairLayout {
    fn new(id_bits: u32, class_bits: u32) -> PairLayout {
        let allowed =
            ones(id_bits - SHARD_BITS) | ones(id_bits) << RIGHT_BITS | ones(class_bits) << (RIGHT_BITS + ID_BITS);
        PairLayout { id_bits, class_bits, forbidden: !allowed }
    }
}

impl Layout for PairLayout {
    fn narrowest() -> PairLayout {
        PairLayout::new(SHARD_BITS + 1, 0)
    }

    fn including(self, rest: u64) -> PairLayout {
        let left = (rest >> RIGHT_BITS) & ones(ID_BITS);
        let right = rest & ones(RIGHT_BITS);
        let class = rest >> (RIGHT_BITS + ID_BITS);
        let id_bits = self.id_bits.max(width(left)).max(width(right) + SHARD_BITS);
        PairLayout::new(id_bits, self.class_bits.max(width(class)))
    }

    fn widened(self, bits: u32) -> PairLayout {
        let Some(spare) = bits.checked_sub(self.bits()) else { return self };
        let id_bits = (self.id_bits + spare / 2).min(ID_BITS);
        let taken = 2 * (id_bits - self.id_bits);
        PairLayout::new(id_bits, (self.class_bits + spare - taken).min(CLASS_BITS))
    }

    fn bits(self) -> u32 {
        self.class_bits + 2 * self.id_bits - SHARD_BITS
    }

    #[inline]
    fn pack(self, rest: u64) -> Option<u64> {
        let right = rest & ones(RIGHT_BITS);
        let left = (rest >> RIGHT_BITS) & ones(ID_BITS);
        let class = rest >> (RIGHT_BITS + ID_BITS);
        let shift = self.id_bits - SHARD_BITS;
        (rest & self.forbidden == 0).then_some(right | left << shift | class << (shift + self.id_bits))
    }

    fn unpack(self, key: u64) -> u64 {
        let shift = self.id_bits - SHARD_BITS;
        let (right, left) = (key & ones(shift), (key >> shift) & ones(self.id_bits));
        let class = key >> (shift + self.id_bits);
        right | left << RIGHT_BITS | class << (RIGHT_BITS + ID_BITS)
    }
}

/// The layout of hashes of `BITS` bits, all of which vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordLayout {
    bits: u32,
}

impl Layout for WordLayout {
    fn narrowest() -> WordLayout {
        WordLayout { bits: 1 }
    }

    fn including(self, rest: u64) -> WordLayout {
        WordLayout { bits: self.bits.max(width(rest)) }
    }

    fn widened(self, bits: u32) -> WordLayout {
        WordLayout { bits: self.bits.max(bits.min(64 - SHARD_BITS)) }
    }

    fn bits(self) -> u32 {
        self.bits
    }

    #[inline]
    fn pack(self, rest: u64) -> Option<u64> {
        (rest >> self.bits == 0).then_some(rest)
    }

    fn unpack(self, key: u64) -> u64 {
        key
    }
}

#[inline]
fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// Bits needed to write `number`.
fn width(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn law<L: Layout + std::fmt::Debug>(first: u64, second: u64, spare: u32) -> Result<(), TestCaseError> {
        let narrow = L::narrowest().including(first).including(second);
        let wide = narrow.widened(narrow.bits() + spare);
        prop_assert!(wide.bits() <= narrow.bits() + spare);
        for layout in [narrow, wide] {
            for rest in [first, second] {
                let key = layout.pack(rest);
                prop_assert!(key.is_some_and(|key| key >> layout.bits() == 0));
                prop_assert_eq!(key.map(|key| layout.unpack(key)), Some(rest));
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn a_layout_gives_back_what_it_includes(first in 0..1u64 << 56, second in 0..1u64 << 56, cut in 0u32..56, spare in 0u32..30) {
            law::<PairLayout>(first >> cut, second, spare)?;
            law::<WordLayout>(first >> cut, second, spare)?;
        }

        #[test]
        fn a_layout_refuses_or_gives_back(included in 0..1u64 << 56, cut in 0u32..56, asked in 0..1u64 << 56) {
            let pair = PairLayout::narrowest().including(included >> cut);
            prop_assert!(pair.pack(asked).is_none_or(|key| pair.unpack(key) == asked));
            let word = WordLayout::narrowest().including(included >> cut);
            prop_assert!(word.pack(asked).is_none_or(|key| word.unpack(key) == asked));
        }
    }
}
