//! Each worker remembers the nodes it has used recently, so that most of the small and common ones are found without
//! touching shared memory. Nodes never change their numbers, so what is remembered stays true.

use super::nodes::{NodeId, Pair};
use crate::store::memory::{Budget, Charge};
use crate::store::sync::Arc;

/// Entries at first and at most, as powers of two: a small run costs little, a long one fills a part of the second cache.
const FIRST_BITS: u32 = 9;
const MOST_BITS: u32 = 15;
/// Failures for each entry after which there are to be twice as many.
const PATIENCE: usize = 2;

/// A direct-mapped cache from pairs to numbers.
pub(super) struct Recent {
    entries: Box<[Entry]>,
    /// How often a pair was not remembered since the last growth.
    failures: usize,
    /// `None`: the budget had nothing left, so it stays as small as it is.
    charge: Option<Charge>,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    /// Zero if the entry is free.
    pair: Pair,
    id: NodeId,
}

impl Recent {
    pub(super) fn new(budget: &Arc<Budget>) -> Recent {
        let entries = vec![Entry::default(); 1 << FIRST_BITS].into_boxed_slice();
        Recent { charge: budget.charge(size_of_val(&*entries) as u64), entries, failures: 0 }
    }

    /// The number of a pair, if it is remembered.
    #[inline]
    pub(super) fn get(&self, pair: Pair, hash: u64) -> Option<NodeId> {
        let entry = self.entries[self.place(hash)];
        // The pair of zeroes is node 0, which is what a free entry says.
        (entry.pair == pair).then_some(entry.id)
    }

    /// The number of a pair, remembered or found.
    #[inline]
    pub(super) fn get_or_find(
        &mut self,
        pair: Pair,
        hash: u64,
        find: impl FnOnce() -> Option<NodeId>,
    ) -> Option<NodeId> {
        if let Some(id) = self.get(pair, hash) {
            return Some(id);
        }
        let id = find()?;
        self.failures += 1;
        if self.failures > PATIENCE * self.entries.len() {
            self.grow();
        }
        let place = self.place(hash);
        self.entries[place] = Entry { pair, id };
        Some(id)
    }

    /// Doubles the entries, if there may be more and there is memory for them.
    #[cold]
    fn grow(&mut self) {
        self.failures = 0;
        let more = size_of_val(&*self.entries) as u64;
        if self.entries.len() < 1 << MOST_BITS && self.charge.as_mut().is_some_and(|charge| charge.extend(more)) {
            let more = vec![Entry::default(); 2 * self.entries.len()].into_boxed_slice();
            for entry in std::mem::replace(&mut self.entries, more) {
                let place = self.place(entry.pair.hash());
                self.entries[place] = entry;
            }
        }
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 20) as usize & (self.entries.len() - 1)
    }
}
