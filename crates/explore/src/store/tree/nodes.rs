//! The nodes of all trees: pairs that are stored once and known by a number (hash-consing).
//!
//! A node is 64 bits: eight bytes of a state, or the numbers of two nodes; which of the two is known from its place in
//! the tree, so both kinds live in one table and may even share an entry. Node 0 is the pair of zeroes, hence the all-zero subtree of any
//! height. Numbers stay valid for ever, so that references can be decoded without locks and written to files.

use crate::store::checkpoint::Rejected;
use crate::store::compact::layout::ID_BITS;
use crate::store::growing::Inside;
use crate::store::index::{Index, Indexed, Records};
use crate::store::memory::Budget;
use crate::store::mix::spread;
use crate::store::segments::Segments;
use crate::store::slot::prefetch;
use crate::store::sync::{Arc, AtomicU32, AtomicU64, Mutex, Ordering, lock};
use std::mem;
use std::ops::Range;

/// Numbers reserved for a worker at a time: a page.
const BLOCK: u64 = if cfg!(loom) { 4 } else { 512 };

/// So many nodes, with their index, stay in the caches.
const NEAR: u64 = if cfg!(loom) { 4 } else { 1 << 15 };

/// The number of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub(crate) fn new(number: u32) -> NodeId {
        NodeId(number)
    }

    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// The content of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Pair(pub(crate) u64);

impl Pair {
    #[inline]
    pub(crate) fn of(left: NodeId, right: NodeId) -> Pair {
        Pair(u64::from(left.0) | u64::from(right.0) << 32)
    }

    #[inline]
    pub(crate) fn children(self) -> [NodeId; 2] {
        [NodeId(self.0 as u32), NodeId((self.0 >> 32) as u32)]
    }

    #[inline]
    pub(crate) fn hash(self) -> u64 {
        spread(self.0)
    }
}

/// All nodes.
pub(crate) struct Nodes {
    cells: Segments<AtomicU64>,
    index: Index<AtomicU32>,
    /// What workers that ended had reserved and not used.
    returned: Mutex<Vec<Range<u64>>>,
}

/// Numbers that a worker may give to new nodes.
#[derive(Default)]
pub(crate) struct Spare(Range<u64>);

impl Nodes {
    pub(crate) fn new(budget: &Arc<Budget>) -> Nodes {
        Nodes { cells: Segments::new(1 << ID_BITS, budget), index: Index::new(budget), returned: Mutex::default() }
    }

    /// The number of a pair; `None` if it is new and there is no memory or number for it.
    #[inline]
    pub(crate) fn cons(&self, pair: Pair, hash: u64, spare: &mut Spare, inside: &mut Inside<'_>) -> Option<NodeId> {
        if pair == Pair(0) {
            return Some(NodeId(0));
        }
        let mut offered = None;
        let offer = || {
            let number = self.next_of(spare)?;
            // Ours alone until the index publishes it.
            self.cells.get(number)?.store(pair.0, Ordering::Relaxed);
            offered = Some(number);
            offered
        };
        let indexed = self.index.find_or_insert(hash, inside, self, |number| self.content(number) == pair.0, offer);
        if let (Some(number), Indexed::Known(_) | Indexed::Full) = (offered, indexed) {
            // Nodes that nobody uses are zero, or a saved store would come back with two numbers for one pair.
            self.cells.get(number)?.store(0, Ordering::Relaxed);
        }
        match indexed {
            Indexed::Known(number) => Some(NodeId(number as u32)),
            Indexed::New(number) => {
                spare.0.start += 1;
                Some(NodeId(number as u32))
            }
            Indexed::Full => None,
        }
    }

    /// Is a node likely to be waited for? A worker whose numbers are low knows that there are few nodes.
    #[inline]
    pub(crate) fn are_far(spare: &Spare) -> bool {
        spare.0.start > NEAR
    }

    /// Asks for what [`Nodes::cons`] looks at first to be brought near.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64, inside: &Inside<'_>) {
        self.index.prefetch(hash, inside);
    }

    /// The content of a node.
    #[inline]
    pub(crate) fn pair(&self, node: NodeId) -> Pair {
        Pair(self.content(u64::from(node.0)))
    }

    /// Gives up the numbers a worker has not used.
    pub(crate) fn give_back(&self, spare: Spare) {
        if !spare.0.is_empty() {
            lock(&self.returned).push(spare.0);
        }
    }

    /// Nodes are numbered below this; those that nobody uses are zero.
    pub(crate) fn end(&self) -> u64 {
        self.cells.end()
    }

    /// Reserves all numbers below `end`, in a table without nodes.
    pub(crate) fn reserve_until(&self, end: u64) -> Result<(), Rejected> {
        self.cells.reserve_until(end)
    }

    /// Enters a node under the number it had. Zero stands for a number without node; those are collected in `unused`.
    pub(crate) fn restore(
        &self,
        number: u64,
        pair: Pair,
        unused: &mut Spare,
        inside: &mut Inside<'_>,
    ) -> Result<(), Rejected> {
        if pair == Pair(0) {
            if unused.0.is_empty() || unused.0.end != number {
                self.give_back(mem::replace(unused, Spare(number.max(1)..number)));
            }
            unused.0.end = number + 1;
            return Ok(());
        }
        let cell = self.cells.get(number).ok_or(Rejected::Nonsense)?;
        cell.store(pair.0, Ordering::Relaxed);
        let is_it = |other| self.content(other) == pair.0;
        match self.index.find_or_insert(pair.hash(), inside, self, is_it, || Some(number)) {
            Indexed::New(_) => Ok(()),
            Indexed::Known(_) => Err(Rejected::Nonsense),
            Indexed::Full => Err(Rejected::Full),
        }
    }

    /// The content of a node; zero if there is none.
    #[inline]
    pub(crate) fn content(&self, number: u64) -> u64 {
        self.cells.get(number).map_or(0, |cell| cell.load(Ordering::Relaxed))
    }

    #[inline]
    fn next_of(&self, spare: &mut Spare) -> Option<u64> {
        if spare.0.is_empty() {
            self.refill(spare)?;
        }
        Some(spare.0.start)
    }

    #[cold]
    fn refill(&self, spare: &mut Spare) -> Option<()> {
        spare.0 = match lock(&self.returned).pop() {
            Some(range) => range,
            None => self.cells.reserve(BLOCK)?,
        };
        // Number 0 is taken, and the index knows none.
        spare.0.start = spare.0.start.max(1);
        Some(())
    }
}

impl Records for Nodes {
    fn hash(&self, number: u64, _scratch: &mut Vec<u8>) -> u64 {
        Pair(self.content(number)).hash()
    }

    fn prefetch(&self, number: u64) {
        prefetch(self.cells.get(number));
    }
}
