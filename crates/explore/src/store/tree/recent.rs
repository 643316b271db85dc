//! Each worker remembers the records it has used recently, so that most of the small and common ones are found without
//! touching shared memory. Records never change their numbers, so what is remembered stays true.

use super::nodes::{Content, NodeId};
use crate::store::memory::{Budget, Charge};
use crate::store::mix::hash_words;
use crate::store::sync::Arc;

/// Entries at first, as a power of two: a small run costs little.
const FIRST_BITS: u32 = 4;
/// Bytes at most: a long run fills a part of the second cache.
const MOST_BYTES: usize = 1 << 18;
/// Failures for each entry after which there are to be twice as many.
const PATIENCE: usize = 2;

/// A direct-mapped cache from records of `W` words to their numbers.
pub(super) struct Recent<const W: usize> {
    entries: Box<[Entry<W>]>,
    /// How often a record was not remembered since the last growth.
    failures: usize,
    /// `None`: the budget had nothing left, so it stays as small as it is.
    charge: Option<Charge>,
}

#[derive(Clone, Copy)]
struct Entry<const W: usize> {
    /// Zero if the entry is free.
    content: Content<W>,
    id: NodeId,
}

impl<const W: usize> Entry<W> {
    const FREE: Entry<W> = Entry { content: [0; W], id: NodeId::ZERO };
}

impl<const W: usize> Recent<W> {
    pub(super) fn new(budget: &Arc<Budget>) -> Recent<W> {
        let entries = vec![Entry::FREE; 1 << FIRST_BITS].into_boxed_slice();
        Recent { charge: budget.charge(size_of_val(&*entries) as u64), entries, failures: 0 }
    }

    /// The number of a record, if it is remembered.
    #[inline]
    pub(super) fn get(&self, content: &Content<W>, hash: u64) -> Option<NodeId> {
        let entry = &self.entries[self.place(hash)];
        // All zeroes are record 0, which is what a free entry says.
        (entry.content == *content).then_some(entry.id)
    }

    /// Remembers the number of a record that was not remembered.
    #[inline]
    pub(super) fn remember(&mut self, content: &Content<W>, hash: u64, id: NodeId) {
        self.failures += 1;
        if self.failures > PATIENCE * self.entries.len() {
            self.grow();
        }
        let place = self.place(hash);
        self.entries[place] = Entry { content: *content, id };
    }

    /// Doubles the entries, if there may be more and there is memory for them.
    #[cold]
    fn grow(&mut self) {
        self.failures = 0;
        let size = size_of_val(&*self.entries);
        if 2 * size <= MOST_BYTES && self.charge.as_mut().is_some_and(|charge| charge.extend(size as u64)) {
            let more = vec![Entry::FREE; 2 * self.entries.len()].into_boxed_slice();
            for entry in std::mem::replace(&mut self.entries, more) {
                let place = self.place(hash_words(&entry.content));
                self.entries[place] = entry;
            }
        }
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 20) as usize & (self.entries.len() - 1)
    }
}
