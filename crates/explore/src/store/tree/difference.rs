//! In which words two vectors of the same length differ: the first question about every successor.

use super::arrangement::WORD;
use super::form::read_word;

/// Bytes that are compared at a time.
const BLOCK: usize = 16;
/// Words of a block.
const WORDS: usize = BLOCK / WORD;

type Block = [[u8; WORD]; WORDS];

/// Calls `visit` with each word in which two vectors of equal length differ, and the difference, bit by bit. The last word may be short.
#[inline]
pub(super) fn for_each_difference(from: &[u8], to: &[u8], mut visit: impl FnMut(usize, u32)) {
    debug_assert!(from.len() == to.len());
    let ((from_words, _), (to_words, _)) = (from.as_chunks::<WORD>(), to.as_chunks::<WORD>());
    let ((from_blocks, _), (to_blocks, _)) = (from_words.as_chunks::<WORDS>(), to_words.as_chunks::<WORDS>());
    let mut within = |start: usize, from: &Block, to: &Block, mut words: u32| {
        while words != 0 {
            let word = words.trailing_zeros() as usize;
            words &= words - 1;
            let difference = u32::from_le_bytes(from[word % WORDS]) ^ u32::from_le_bytes(to[word % WORDS]);
            visit(start + word, difference);
        }
    };
    for (number, (from, to)) in from_blocks.iter().zip(to_blocks).enumerate() {
        within(WORDS * number, from, to, differing_words(from, to));
    }
    let done = WORDS * from_blocks.len();
    if let (Some(from), Some(to)) = (from_words.last_chunk::<WORDS>(), to_words.last_chunk::<WORDS>()) {
        // Words behind the last whole block, and some of that one, which are not looked at again.
        let again = done + WORDS - from_words.len();
        let words = differing_words(from, to) >> again << again;
        within(from_words.len() - WORDS, from, to, words);
    } else {
        for (word, (from, to)) in from_words.iter().zip(to_words).enumerate() {
            if from != to {
                visit(word, u32::from_le_bytes(*from) ^ u32::from_le_bytes(*to));
            }
        }
    }
    if !from.len().is_multiple_of(WORD) {
        let word = from_words.len();
        let difference = read_word(from, word) ^ read_word(to, word);
        if difference != 0 {
            visit(word, difference);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn differing_words(from: &Block, to: &Block) -> u32 {
    use std::arch::x86_64::{_mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps};
    #[expect(unsafe_code, reason = "intrinsics")]
    // SAFETY: the loads need no alignment and stay within the blocks; SSE2 is part of x86-64.
    let equal = unsafe {
        let (from, to) = (_mm_loadu_si128(from.as_ptr().cast()), _mm_loadu_si128(to.as_ptr().cast()));
        _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(from, to)))
    };
    (equal ^ 0b1111) as u32
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn differing_words(from: &Block, to: &Block) -> u32 {
    (0..WORDS).fold(0, |words, word| words | u32::from(from[word] != to[word]) << word)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_differ_where_their_bytes_do(
            from in prop::collection::vec(0u8..2, 0..200),
            changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        ) {
            let mut to = from.clone();
            for (at, value) in changes {
                if let Some(at) = at.checked_rem(to.len()) {
                    to[at] = value;
                }
            }
            let mut found = Vec::new();
            for_each_difference(&from, &to, |word, difference| found.push((word, difference)));
            let words = 0..from.len().div_ceil(WORD);
            let expected: Vec<_> = words.map(|word| (word, read_word(&from, word) ^ read_word(&to, word)))
                .filter(|(_, difference)| *difference != 0).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
