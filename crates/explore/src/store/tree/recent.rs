//! Each worker remembers the nodes it has used recently, so that most of the small and common ones are found without
//! touching shared memory. Nodes never change their numbers, so what is remembered stays true.

use super::nodes::{NodeId, Pair};

/// Entries, as a power of two.
const BITS: u32 = 12;

/// A direct-mapped cache from pairs to numbers.
pub(super) struct Recent(Box<[Entry]>);

#[derive(Clone, Copy, Default)]
struct Entry {
    /// Zero, which is no pair that is ever asked for, if the entry is free.
    pair: Pair,
    id: NodeId,
}

impl Default for Recent {
    fn default() -> Recent {
        Recent(vec![Entry::default(); 1 << BITS].into_boxed_slice())
    }
}

impl Recent {
    /// The number of a pair, remembered or found.
    #[inline]
    pub(super) fn get_or_find(
        &mut self,
        pair: Pair,
        hash: u64,
        find: impl FnOnce() -> Option<NodeId>,
    ) -> Option<NodeId> {
        // The pair of zeroes is node 0, which is what a free entry says.
        let entry = &mut self.0[(hash >> 20) as usize % (1 << BITS)];
        if entry.pair != pair {
            *entry = Entry { pair, id: find()? };
        }
        Some(entry.id)
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&*self.0) as u64
    }
}
