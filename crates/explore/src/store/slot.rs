//! What all tables of the store have in common: slots that change once, cache lines, and the sizes tables take.

use super::memory::ZeroBytes;
use super::sync::{AtomicU32, AtomicU64, Ordering};
use std::num::NonZero;

/// Bytes of a cache line; two narrow slots where loom runs all interleavings.
pub(crate) const LINE: usize = if cfg!(loom) { 8 } else { 64 };

/// The ratio of the sizes that one shard's tables take.
///
/// Small, so that slots per key stay within this factor, where doubling would leave half of the slots empty at worst.
pub(crate) const RATIO: f64 = 1.5;

/// The ratio up to [`SMALL`]: there all tables together take a megabyte at most, and moving their keys takes longer than
/// the memory is worth.
const STEEP: f64 = RATIO * RATIO;

/// The lines of a small table.
const SMALL: f64 = 64.0;

/// A word of a table: zero until claimed, then for ever the same (unless frozen: see `growing`).
pub(crate) trait SlotWord: ZeroBytes {
    /// Slots on a cache line.
    const PER_LINE: usize = LINE / (Self::BITS as usize / 8);
    /// Bits of a slot.
    const BITS: u32;
    fn read(&self) -> u64;
    /// Writes to an empty slot; `Err` with the value found if it was not empty.
    fn claim(&self, value: u64) -> Result<(), u64>;
    /// Writes to a slot that nobody else can see yet.
    fn fill(&self, value: u64);
    /// Claims an empty slot for the mark `frozen`; the value found, zero if it was empty.
    #[inline]
    fn freeze(&self, frozen: u64) -> u64 {
        match self.read() {
            0 => self.claim(frozen).err().unwrap_or(0),
            occupied => occupied,
        }
    }
    /// Empties the slot if it holds the mark of frozen ones; the value found. Only for who froze it.
    fn thaw(&self, frozen: u64) -> u64;
}

macro_rules! slot_word {
    ($($atomic:ty = $integer:ty),*) => {$(
        impl SlotWord for $atomic {
            const BITS: u32 = <$integer>::BITS;

            #[inline]
            fn read(&self) -> u64 {
                u64::from(self.load(Ordering::Acquire))
            }

            #[inline]
            fn claim(&self, value: u64) -> Result<(), u64> {
                debug_assert!(value != 0 && value <= u64::from(<$integer>::MAX));
                self.compare_exchange(0, value as $integer, Ordering::AcqRel, Ordering::Acquire).map(drop).map_err(u64::from)
            }

            #[inline]
            fn fill(&self, value: u64) {
                self.store(value as $integer, Ordering::Relaxed);
            }

            fn thaw(&self, frozen: u64) -> u64 {
                let found = self.compare_exchange(frozen as $integer, 0, Ordering::AcqRel, Ordering::Acquire);
                u64::from(found.unwrap_or_else(|found| found))
            }
        }
    )*};
}
slot_word!(AtomicU32 = u32, AtomicU64 = u64);

/// The next size above `least`: the least r^(k + phase), rounded up, where r is [`STEEP`] or [`RATIO`].
///
/// Shards fill at the same pace; if they took the same sizes, they would all grow at the same time. So shard i of n takes
/// i/n for its phase. At any moment some shards have just grown and some are about to, and the memory for each key is the
/// same whatever the number of keys.
pub(crate) fn next_size(least: f64, phase: f64) -> NonZero<u64> {
    if least < 1.0 {
        return NonZero::<u64>::MIN;
    }
    let ratio = if least < SMALL { STEEP } else { RATIO };
    let steps = (least.ln() / ratio.ln() - phase).floor() + 1.0;
    let size = ratio.powf(steps.max(0.0) + phase).ceil();
    NonZero::new(size as u64).unwrap_or(NonZero::<u64>::MIN)
}

/// Asks for the cache line of a cell to be brought near.
#[inline]
pub(crate) fn prefetch<T>(cell: Option<&T>) {
    #[cfg(all(target_arch = "x86_64", not(loom)))]
    if let Some(cell) = cell {
        #[expect(unsafe_code, reason = "an intrinsic")]
        // SAFETY: a hint about a valid reference; SSE is part of x86-64.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cell).cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(loom))))]
    let _ = cell;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn sizes_of_different_shards_interleave() {
        for (least, phase) in [(1.0, 0.0), (1.0, 0.99), (1000.0, 0.5), (1e9, 0.25)] {
            let size = next_size(least, phase).get() as f64;
            assert!(
                size > least && size <= least * if least < SMALL { STEEP } else { RATIO } + 1.0,
                "{size} for {least}"
            );
        }
        let sizes: HashSet<u64> = (0..16).map(|shard| next_size(1e6, f64::from(shard) / 16.0).get()).collect();
        assert_eq!(sizes.len(), 16);
    }
}
