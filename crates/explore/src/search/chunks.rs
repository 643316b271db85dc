//! A list that grows at its end by chunks: it never moves, never has twice the room that it needs, and gives back what it does not need.
//!
//! A depth-first search may have a stack of many millions of states. A vector that doubles would be half empty when memory runs out.

use std::ops::Range;

/// Elements of a chunk, as a power of two.
const BITS: usize = if cfg!(test) { 3 } else { 14 };
const CHUNK: usize = 1 << BITS;

/// A stack of numbers and the like.
pub(crate) struct Chunks<T> {
    /// All but the last are full, and none is empty.
    chunks: Vec<Vec<T>>,
    /// An empty chunk, so that a list that grows and shrinks at a chunk's border does not ask for memory each time.
    spare: Option<Vec<T>>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Chunks<T> {
        Chunks { chunks: Vec::new(), spare: None }
    }
}

impl<T: Copy> Chunks<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    #[inline]
    pub fn push(&mut self, element: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(element),
            _ => self.push_to_new_chunk(element),
        }
    }

    #[cold]
    fn push_to_new_chunk(&mut self, element: T) {
        // Short lists are common: the first chunk grows as vectors do.
        let room = if self.chunks.is_empty() { 0 } else { CHUNK };
        let mut chunk = self.spare.take().unwrap_or_else(|| Vec::with_capacity(room));
        chunk.push(element);
        self.chunks.push(chunk);
    }

    /// Appends some elements.
    pub fn extend(&mut self, mut elements: &[T]) {
        while let Some((&first, rest)) = elements.split_first() {
            self.push(first);
            let last = self.chunks.last_mut().expect("something was pushed");
            let (now, later) = rest.split_at(rest.len().min(CHUNK - last.len()));
            last.extend_from_slice(now);
            elements = later;
        }
    }

    /// Appends a part of the list to another.
    pub fn append_to(&self, part: Range<usize>, into: &mut Vec<T>) {
        let mut start = part.start;
        while start < part.end {
            let offset = start & (CHUNK - 1);
            let count = (part.end - start).min(CHUNK - offset);
            into.extend_from_slice(&self.chunks[start >> BITS][offset..offset + count]);
            start += count;
        }
    }

    /// # Panics
    /// When the list is not that long.
    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.chunks[index >> BITS][index & (CHUNK - 1)]
    }

    /// # Panics
    /// When the list is not that long.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> BITS][index & (CHUNK - 1)]
    }

    #[inline]
    pub fn last(&self) -> Option<T> {
        self.chunks.last()?.last().copied()
    }

    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.chunks.last_mut()?.last_mut()
    }

    #[inline]
    pub fn truncate(&mut self, len: usize) {
        while let Some(before) = self.chunks.len().checked_sub(1) {
            if before * CHUNK < len {
                return self.chunks[before].truncate(len - before * CHUNK);
            }
            self.drop_last_chunk();
        }
    }

    /// Takes the last element off, if there is one.
    #[inline]
    pub fn drop_last(&mut self) {
        if let Some(last) = self.chunks.last_mut() {
            last.pop();
            if last.is_empty() {
                self.drop_last_chunk();
            }
        }
    }

    #[cold]
    fn drop_last_chunk(&mut self) {
        self.spare = self.chunks.pop();
        self.spare.iter_mut().for_each(Vec::clear);
    }

    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.chunks.iter().flatten().copied()
    }

    /// The memory that it has.
    pub fn bytes(&self) -> u64 {
        let full = self.chunks.len().saturating_sub(1) * CHUNK;
        let last = self.chunks.last().map_or(0, Vec::capacity);
        let spare = self.spare.as_ref().map_or(0, Vec::capacity);
        ((full + last + spare) * size_of::<T>()) as u64
    }
}

impl<T: Copy> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Chunks<T> {
        let mut list = Chunks::default();
        elements.into_iter().for_each(|element| list.push(element));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Chunks};
    use proptest::prelude::*;

    proptest! {
        /// A number below 50 is pushed; below 70 one is taken off; from there on it is a length to be cut to.
        #[test]
        fn it_is_a_stack(actions in prop::collection::vec(0usize..100, 0..300)) {
            let (mut list, mut plain) = (Chunks::default(), Vec::new());
            for action in actions {
                if action < 50 {
                    list.push(action);
                    plain.push(action);
                } else if action < 70 {
                    list.drop_last();
                    plain.pop();
                } else {
                    list.truncate(action - 70);
                    plain.truncate(action - 70);
                }
                prop_assert_eq!(list.len(), plain.len());
                prop_assert_eq!(list.last_mut().copied(), plain.last().copied());
                prop_assert_eq!(list.last(), plain.last().copied());
                prop_assert_eq!(list.iter().collect::<Vec<_>>(), plain.clone());
                let middle = plain.len() / 3..plain.len() - plain.len() / 4;
                let (mut part, mut more) = (Vec::new(), list.iter().take(5).collect::<Chunks<_>>());
                list.append_to(middle.clone(), &mut part);
                prop_assert_eq!(&part, &plain[middle]);
                more.extend(&part);
                prop_assert_eq!(more.iter().collect::<Vec<_>>(), [&plain[..plain.len().min(5)], &part].concat());
                prop_assert!((0..plain.len()).all(|index| list.get(index) == plain[index]));
                let most = (plain.len() + 2 * CHUNK) * size_of::<usize>();
                prop_assert!(list.bytes() <= most as u64, "{} of {}", list.bytes(), most);
            }
        }
    }
}
