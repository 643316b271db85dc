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
    /// How many slots at the start of a line need no look: they hold neither what is wanted nor the end of the line, and since slots
    /// change only once, never will. May be less than there are. Slots fill from the left: behind the end, nothing is wanted.
    #[inline]
    fn skip(_line: &[Self], _wanted: &Wanted) -> usize {
        0
    }
}

/// What is looked for in a line: a slot that holds `value` where `compared` has ones, or only zeroes where `nonzero` has ones.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(loom, expect(dead_code, reason = "loom's atomics are not read as memory"))]
pub(crate) struct Wanted {
    pub(crate) value: u64,
    pub(crate) compared: u64,
    pub(crate) nonzero: u64,
}

macro_rules! slot_word {
    ($($atomic:ty = $integer:ty { $($skip:item)? }),*) => {$(
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

            $($skip)?
        }
    )*};
}
slot_word!(
    AtomicU32 = u32 {
        #[cfg(all(target_arch = "x86_64", not(loom)))]
        #[inline]
        fn skip(line: &[AtomicU32], wanted: &Wanted) -> usize {
            line.first_chunk().map_or(0, |line| narrow::skip(line, wanted))
        }
    },
    AtomicU64 = u64 {}
);

/// Lines of narrow slots, looked at as a whole: which of its slots ends a search is a matter of chance, and loops of such lengths are what
/// processors guess worst.
#[cfg(all(target_arch = "x86_64", not(loom)))]
#[allow(unsafe_code)]
mod narrow {
    use super::{AtomicU32, LINE, Wanted};
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi32,
    };

    #[inline]
    pub(super) fn skip(line: &[AtomicU32; LINE / 4], wanted: &Wanted) -> usize {
        let (a, b, c, d) = load(line);
        let matching = together(
            equal(a, wanted.compared, wanted.value),
            equal(b, wanted.compared, wanted.value),
            equal(c, wanted.compared, wanted.value),
            equal(d, wanted.compared, wanted.value),
        );
        if matching != 0 {
            // Behind the end of a line there is nothing that could be wanted.
            return matching.trailing_zeros() as usize;
        }
        let ends = together(
            equal(a, wanted.nonzero, 0),
            equal(b, wanted.nonzero, 0),
            equal(c, wanted.nonzero, 0),
            equal(d, wanted.nonzero, 0),
        );
        (ends | 1 << line.len()).trailing_zeros() as usize
    }

    /// All ones for each slot that is `value` where `compared` has ones, zeroes for the others.
    #[inline]
    fn equal(slots: __m128i, compared: u64, value: u64) -> __m128i {
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let compared = _mm_and_si128(slots, _mm_set1_epi32(compared as i32));
            _mm_cmpeq_epi32(compared, _mm_set1_epi32(value as i32))
        }
    }

    /// One bit for each slot.
    #[inline]
    fn together(a: __m128i, b: __m128i, c: __m128i, d: __m128i) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d))) as u32 }
    }

    /// The slots of a line. Others may be writing to them, so this must not be an ordinary load; the processor reads each slot as a whole.
    #[inline]
    fn load(line: &[AtomicU32; LINE / 4]) -> (__m128i, __m128i, __m128i, __m128i) {
        let (a, b, c, d);
        // SAFETY: reads the 64 bytes of the line, which need no alignment, and changes nothing.
        unsafe {
            asm!(
                "movdqu {a}, [{line}]",
                "movdqu {b}, [{line} + 16]",
                "movdqu {c}, [{line} + 32]",
                "movdqu {d}, [{line} + 48]",
                line = in(reg) line.as_ptr(),
                a = lateout(xmm_reg) a,
                b = lateout(xmm_reg) b,
                c = lateout(xmm_reg) c,
                d = lateout(xmm_reg) d,
                options(readonly, nostack, preserves_flags),
            );
        }
        (a, b, c, d)
    }
}

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

    #[cfg(not(loom))]
    #[test]
    fn what_is_skipped_is_not_wanted_and_what_follows_is() {
        for seed in 0..2000u64 {
            let random = |at: u64| crate::store::mix::spread(seed << 8 | at);
            let filled = random(98) % 17;
            let slot = |at: u64| if at < filled { ((random(at) >> 8) as u32 % 7 + 1) * 0x1000_0001 } else { 0 };
            let line: Vec<AtomicU32> = (0..16).map(|at| AtomicU32::new(slot(at))).collect();
            let wanted = Wanted {
                value: (random(99) % 7 + 1) << 28,
                compared: if seed % 2 == 0 { 0x7000_0000 } else { u64::from(u32::MAX) },
                nonzero: 0x7fff_ffff,
            };
            let stops =
                |slot: &AtomicU32| slot.read() & wanted.compared == wanted.value || slot.read() & wanted.nonzero == 0;
            let first = line.iter().position(stops).unwrap_or(16);
            let skipped = AtomicU32::skip(&line, &wanted);
            assert!(skipped == first || (skipped == 0 && !cfg!(target_arch = "x86_64")), "{skipped}, not {first}");
            assert_eq!(AtomicU32::skip(&line[..15], &wanted), 0);
        }
    }

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
