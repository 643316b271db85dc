//! Records that are stored once and known by a number (hash-consing): the leaves of all trees, and their nodes.
//!
//! A record is some 64-bit words: a part of a state, or the numbers of two records; which of the two is known from its place in
//! the tree. Record 0 is all zeroes, in every table; hence node 0 is the all-zero subtree of any height. Numbers stay valid for ever, so that
//! references can be decoded without locks and written to files.

use crate::store::checkpoint::Rejected;
use crate::store::compact::layout::ID_BITS;
use crate::store::growing::Inside;
use crate::store::index::{Index, Indexed, Records};
use crate::store::memory::Budget;
use crate::store::mix::hash_words;
use crate::store::segments::Segments;
use crate::store::slot::prefetch;
use crate::store::sync::{Arc, AtomicU32, AtomicU64, Mutex, Ordering, lock};
use std::mem;
use std::ops::Range;

/// Numbers reserved for a worker at a time: a few pages at most.
const BLOCK: u64 = if cfg!(loom) { 4 } else { 512 };

/// So many words of records, with their index, stay in the caches.
const NEAR: u64 = if cfg!(loom) { 4 } else { 1 << 15 };

/// The number of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The number of zeroes.
    pub(crate) const ZERO: NodeId = NodeId(0);

    /// The number of no record: numbers have [`ID_BITS`] bits.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);

    pub(crate) fn new(number: u32) -> NodeId {
        NodeId(number)
    }

    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// What a record says.
pub(crate) type Content<const W: usize> = [u64; W];

/// A node with two children, as a record.
#[inline]
pub(crate) fn pair(left: NodeId, right: NodeId) -> Content<1> {
    [u64::from(left.0) | u64::from(right.0) << 32]
}

/// The children of a node.
#[inline]
pub(crate) fn children([pair]: Content<1>) -> [NodeId; 2] {
    [NodeId(pair as u32), NodeId((pair >> 32) as u32)]
}

/// All records of `W` words.
pub(crate) struct Nodes<const W: usize> {
    cells: Segments<[AtomicU64; W]>,
    index: Index<AtomicU32>,
    /// What workers that ended had reserved and not used.
    returned: Mutex<Vec<Range<u64>>>,
}

/// Numbers that a worker may give to new records.
#[derive(Default)]
pub(crate) struct Spare(Range<u64>);

impl<const W: usize> Nodes<W> {
    pub(crate) fn new(budget: &Arc<Budget>) -> Nodes<W> {
        Nodes { cells: Segments::new(1 << ID_BITS, budget), index: Index::new(budget), returned: Mutex::default() }
    }

    /// The number of a record with this hash (see [`hash_words`]); `None` if it is new and there is no memory or number for it.
    #[inline]
    pub(crate) fn cons(
        &self,
        content: &Content<W>,
        hash: u64,
        spare: &mut Spare,
        inside: &mut Inside<'_>,
    ) -> Option<NodeId> {
        if *content == [0; W] {
            return Some(NodeId(0));
        }
        let mut offered = None;
        let offer = || {
            let number = self.next_of(spare)?;
            // Ours alone until the index publishes it.
            self.write(number, content)?;
            offered = Some(number);
            offered
        };
        let is_it = |number| self.content(number) == *content;
        let indexed = self.index.find_or_insert(hash, inside, self, is_it, offer);
        if let (Some(number), Indexed::Known(_) | Indexed::Full) = (offered, indexed) {
            // Records that nobody uses are zero, or a saved store would come back with two numbers for one record.
            self.write(number, &[0; W])?;
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

    /// Is a record likely to be waited for? A worker whose numbers are low knows that there are few records.
    #[inline]
    pub(crate) fn are_far(spare: &Spare) -> bool {
        spare.0.start > NEAR / W as u64
    }

    /// Asks for what [`Nodes::cons`] looks at first to be brought near.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64, inside: &Inside<'_>) {
        self.index.prefetch(hash, inside);
    }

    /// What a record says.
    #[inline]
    pub(crate) fn get(&self, node: NodeId) -> Content<W> {
        self.content(u64::from(node.0))
    }

    /// Gives up the numbers a worker has not used.
    pub(crate) fn give_back(&self, spare: Spare) {
        if !spare.0.is_empty() {
            lock(&self.returned).push(spare.0);
        }
    }

    /// Records are numbered below this; those that nobody uses are zero.
    pub(crate) fn end(&self) -> u64 {
        self.cells.end()
    }

    /// Reserves all numbers below `end`, in a table without records.
    pub(crate) fn reserve_until(&self, end: u64) -> Result<(), Rejected> {
        self.cells.reserve_until(end)
    }

    /// Enters a record under the number it had. Zeroes stand for a number without record; those are collected in `unused`.
    pub(crate) fn restore(
        &self,
        number: u64,
        content: &Content<W>,
        unused: &mut Spare,
        inside: &mut Inside<'_>,
    ) -> Result<(), Rejected> {
        if *content == [0; W] {
            if unused.0.is_empty() || unused.0.end != number {
                self.give_back(mem::replace(unused, Spare(number.max(1)..number)));
            }
            unused.0.end = number + 1;
            return Ok(());
        }
        self.write(number, content).ok_or(Rejected::Nonsense)?;
        let is_it = |other| self.content(other) == *content;
        match self.index.find_or_insert(hash_words(content), inside, self, is_it, || Some(number)) {
            Indexed::New(_) => Ok(()),
            Indexed::Known(_) => Err(Rejected::Nonsense),
            Indexed::Full => Err(Rejected::Full),
        }
    }

    /// What a record says; zeroes if there is none.
    #[inline]
    pub(crate) fn content(&self, number: u64) -> Content<W> {
        let mut content = [0; W];
        if let Some(cells) = self.cells.get(number) {
            for (word, cell) in content.iter_mut().zip(cells) {
                *word = cell.load(Ordering::Relaxed);
            }
        }
        content
    }

    #[inline]
    fn write(&self, number: u64, content: &Content<W>) -> Option<()> {
        let cells = self.cells.get(number)?;
        cells.iter().zip(content).for_each(|(cell, &word)| cell.store(word, Ordering::Relaxed));
        Some(())
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

impl<const W: usize> Records for Nodes<W> {
    fn hash(&self, number: u64, _scratch: &mut Vec<u8>) -> u64 {
        hash_words(&self.content(number))
    }

    fn prefetch(&self, number: u64) {
        prefetch(self.cells.get(number));
    }
}
