//! Which parts of a reading a byte of a state belongs to, so that of a state like the one before only what differs is read again.
//!
//! Successors of a state differ from it, and from each other, in a few bytes, whatever the number of processes. Of a state with a hundred
//! columns a few bytes have to be read again.

use super::layout::Layout;

/// A word, a slot of an object that may hold a name, or such a slot outside, numbered in this order.
pub(super) type Part = u32;

/// By byte: the parts that depend on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// Those of byte `b` are `list[start[b]..start[b + 1]]`.
    start: Vec<u32>,
    list: Vec<Part>,
}

impl Touched {
    pub(super) fn new(length: usize, layout: &Layout) -> Self {
        let mut pairs: Vec<(u32, Part)> = Vec::new();
        for (part, word) in (0..).zip(&layout.words) {
            pairs.extend(word.bytes().map(|byte| (byte, part)));
        }
        for (part, slot) in (layout.words.len() as Part..).zip(layout.names.iter().chain(&layout.outside)) {
            pairs.extend(slot.bytes().map(|byte| (byte, part)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut start = vec![0; length + 1];
        pairs.iter().for_each(|&(byte, _)| start[byte as usize + 1] += 1);
        (0..length).for_each(|byte| start[byte + 1] += start[byte]);
        Self { start, list: pairs.into_iter().map(|(_, part)| part).collect() }
    }

    /// Calls for each part of each byte in which two states differ, for some of them several times.
    #[inline]
    pub(super) fn for_each_change(&self, before: &[u8], after: &[u8], mut call: impl FnMut(Part)) {
        let mut changed = |byte: usize| {
            let parts = self.start[byte] as usize..self.start[byte + 1] as usize;
            self.list[parts].iter().for_each(|&part| call(part));
        };
        let ((words, rest), (new_words, new_rest)) = (before.as_chunks::<8>(), after.as_chunks::<8>());
        for (number, (word, new)) in words.iter().zip(new_words).enumerate() {
            let mut difference = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*new);
            while difference != 0 {
                let byte = difference.trailing_zeros() / 8;
                changed(8 * number + byte as usize);
                difference &= !(0xff << (8 * byte));
            }
        }
        for (number, (byte, new)) in rest.iter().zip(new_rest).enumerate() {
            if byte != new {
                changed(8 * words.len() + number);
            }
        }
    }
}
