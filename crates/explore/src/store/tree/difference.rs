//! In which words two vectors of the same length differ: the first question about every successor.

use super::arrangement::WORD;

/// Bytes that are compared at a time.
const BLOCK: usize = 16;
/// Words of a block.
const WORDS: usize = BLOCK / WORD;

/// The most bytes of vectors that can be compared.
const LONGEST: usize = 2 * u64::BITS as usize * WORD;

/// The words in which two vectors of equal length, at most [`LONGEST`], differ, as bits. The last word may be short.
#[inline]
pub(super) fn differing_words(from: &[u8], to: &[u8]) -> [u64; 2] {
    debug_assert!(from.len() == to.len() && from.len() <= LONGEST);
    if from.len() <= LONGEST / 2 {
        return [differing_words_of_half(from, to), 0];
    }
    let ((from, from_rest), (to, to_rest)) = (from.split_at(LONGEST / 2), to.split_at(LONGEST / 2));
    [differing_words_of_half(from, to), differing_words_of_half(from_rest, to_rest)]
}

#[inline]
fn differing_words_of_half(from: &[u8], to: &[u8]) -> u64 {
    if from.len() >= BLOCK && from.len().is_multiple_of(WORD) {
        // The last block overlaps the one before it, unless all are full.
        let (Some(last_from), Some(last_to)) = (from.last_chunk(), to.last_chunk()) else { return 0 };
        let mut words = differing_words_of_block(last_from, last_to) << (from.len() / WORD - WORDS);
        for (number, (from, to)) in from.as_chunks::<BLOCK>().0.iter().zip(to.as_chunks::<BLOCK>().0).enumerate() {
            words |= differing_words_of_block(from, to) << (WORDS * number);
        }
        return words;
    }
    let ((from, from_rest), (to, to_rest)) = (from.as_chunks::<BLOCK>(), to.as_chunks::<BLOCK>());
    let (mut words, mut shift) = (0, 0);
    for (from, to) in from.iter().zip(to) {
        words |= differing_words_of_block(from, to) << shift;
        shift += WORDS as u32;
    }
    let ((from, from_rest), (to, to_rest)) = (from_rest.as_chunks::<WORD>(), to_rest.as_chunks::<WORD>());
    for (from, to) in from.iter().zip(to) {
        words |= u64::from(from != to) << shift;
        shift += 1;
    }
    if !from_rest.is_empty() {
        words |= u64::from(from_rest != to_rest) << shift;
    }
    words
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn differing_words_of_block(from: &[u8; BLOCK], to: &[u8; BLOCK]) -> u64 {
    use std::arch::x86_64::{_mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps};
    #[expect(unsafe_code, reason = "intrinsics")]
    // SAFETY: the loads need no alignment and stay within the blocks; SSE2 is part of x86-64.
    let equal = unsafe {
        let (from, to) = (_mm_loadu_si128(from.as_ptr().cast()), _mm_loadu_si128(to.as_ptr().cast()));
        _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(from, to)))
    };
    (equal ^ 0b1111) as u64
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn differing_words_of_block(from: &[u8; BLOCK], to: &[u8; BLOCK]) -> u64 {
    let difference = u128::from_le_bytes(*from) ^ u128::from_le_bytes(*to);
    (0..WORDS).fold(0, |words, word| words | u64::from((difference >> (32 * word)) as u32 != 0) << word)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_differ_where_their_bytes_do(
            from in prop::collection::vec(0u8..2, 0..=LONGEST),
            changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        ) {
            let mut to = from.clone();
            for (at, value) in changes {
                if let Some(at) = at.checked_rem(to.len()) {
                    to[at] = value;
                }
            }
            let words = differing_words(&from, &to);
            for (number, (from, to)) in from.chunks(WORD).zip(to.chunks(WORD)).enumerate() {
                prop_assert_eq!(words[number / 64] >> (number % 64) & 1 == 1, from != to);
            }
            prop_assert_eq!((words[0].count_ones() + words[1].count_ones()) as usize,
                from.chunks(WORD).zip(to.chunks(WORD)).filter(|(from, to)| from != to).count());
        }
    }
}
