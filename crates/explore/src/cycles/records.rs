//! Transitions that were found in advance, until the search asks for them.
//!
//! A record is written once, by one worker, and read once, by the worker that searches. Records lie in blocks; a block that was filled and
//! whose records were all read is used again. There are so many blocks and no more, a part of the memory that the search may use: who goes too far ahead
//! has to wait.
//!
//! ```text
//! record    transitions | whether they are all | width,  then for each transition
//!           target | missing marks                       if these fit into half a word, or
//!           target, missing marks
//! ```
//! Nothing here is kept in order by the words themselves: a record is handed over by whoever publishes its position.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use system::{Extent, Marks};

use crate::store::{Budget, Charge};

/// Words of a block, as a power of two.
const BLOCK_BITS: u32 = 15;
const BLOCK: usize = 1 << BLOCK_BITS;
const BLOCK_BYTES: u64 = (BLOCK * size_of::<AtomicU64>()) as u64;
/// With all of them, 256 MB.
const BLOCKS: u64 = 1024;
/// Of the memory there is, records take at most this part: what remains is for states, without which there is nothing to record.
const PART: u64 = 8;

/// A transition by the number of its target, and the marks that it lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recorded {
    pub target: u32,
    pub missing: Marks,
}

/// Where a record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position(pub u64);

/// The blocks.
pub(super) struct Records {
    blocks: Box<[Block]>,
    free: Mutex<Vec<u32>>,
    budget: Arc<Budget>,
}

#[derive(Default)]
struct Block {
    words: OnceLock<Words>,
    /// Records that were not read, and one more while the block is being filled.
    unread: AtomicU32,
}

/// The words of a block, once it is used, and the memory taken for them.
struct Words {
    words: Box<[AtomicU64]>,
    _charge: Charge,
}

/// The block that a worker fills.
#[derive(Default)]
pub(super) struct Writer {
    block: Option<u32>,
    used: usize,
}

/// Why a record was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unwritten {
    /// All blocks are in use, or there is no memory for one more.
    NoBlock,
    /// No block is large enough.
    TooLong,
}

impl Records {
    pub fn new(budget: &Arc<Budget>) -> Records {
        let count = BLOCKS.min(budget.limit() / PART / BLOCK_BYTES) as u32;
        let blocks = (0..count).map(|_| Block::default()).collect();
        // Those that were used last come first.
        Records { blocks, free: Mutex::new((0..count).rev().collect()), budget: Arc::clone(budget) }
    }

    /// Writes a record, which nobody knows of; [`Records::keep`] keeps it.
    pub fn write(&self, writer: &mut Writer, extent: Extent, edges: &[Recorded]) -> Result<Position, Unwritten> {
        let wide = edges.iter().any(|edge| edge.missing.0 >> u32::BITS != 0);
        let length = 1 + edges.len() * if wide { 2 } else { 1 };
        if length > BLOCK {
            return Err(Unwritten::TooLong);
        }
        if writer.block.is_none() || writer.used + length > BLOCK {
            self.close(writer);
            let next = self.free_block().ok_or(Unwritten::NoBlock)?;
            self.blocks[next as usize].unread.store(1, Ordering::Relaxed);
            *writer = Writer { block: Some(next), used: 0 };
        }
        let block = writer.block.unwrap_or(0);
        let mut words = self.words(block)[writer.used..].iter();
        let mut write = |word: u64| {
            if let Some(cell) = words.next() {
                cell.store(word, Ordering::Relaxed);
            }
        };
        write(edges.len() as u64 | u64::from(extent == Extent::Part) << 32 | u64::from(wide) << 33);
        for edge in edges {
            if wide {
                write(u64::from(edge.target));
                write(edge.missing.0);
            } else {
                write(u64::from(edge.target) | edge.missing.0 << 32);
            }
        }
        self.blocks[block as usize].unread.fetch_add(1, Ordering::Relaxed);
        let position = u64::from(block) << BLOCK_BITS | writer.used as u64;
        writer.used += length;
        Ok(Position(position))
    }

    /// The record that was written last is not wanted.
    pub fn withdraw(&self, writer: &mut Writer, position: Position) {
        writer.used = position.0 as usize % BLOCK;
        if let Some(block) = writer.block {
            self.release(block);
        }
    }

    /// Reads a record for the only time.
    pub fn read(&self, Position(position): Position, mut each: impl FnMut(Recorded)) -> Extent {
        let block = (position >> BLOCK_BITS) as u32;
        let mut words = self.words(block)[position as usize % BLOCK..].iter().map(|word| word.load(Ordering::Relaxed));
        let mut next = || words.next().unwrap_or(0);
        let head = next();
        for _ in 0..head as u32 {
            let word = next();
            let missing = if head >> 33 & 1 == 1 { next() } else { word >> 32 };
            each(Recorded { target: word as u32, missing: Marks(missing) });
        }
        self.release(block);
        if head >> 32 & 1 == 1 { Extent::Part } else { Extent::All }
    }

    /// A worker writes no more.
    pub fn close(&self, writer: &mut Writer) {
        if let Some(block) = writer.block.take() {
            self.release(block);
        }
    }

    /// A block that nobody uses; those that have words come before those that have none.
    fn free_block(&self) -> Option<u32> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let words = &self.blocks[*free.last()? as usize].words;
        if words.get().is_none() {
            let charge = self.budget.charge(BLOCK_BYTES)?;
            // Nobody else can have set it: the block is free, and the list is locked.
            let _ = words.set(Words { words: (0..BLOCK).map(|_| AtomicU64::new(0)).collect(), _charge: charge });
        }
        free.pop()
    }

    fn words(&self, block: u32) -> &[AtomicU64] {
        self.blocks[block as usize].words.get().map_or(&[], |block| &block.words)
    }

    /// One record less to be read, or the block is full. Acquires and releases: who fills the block again does so after all reading.
    fn release(&self, block: u32) {
        if self.blocks[block as usize].unread.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

    use super::{BLOCK_BYTES, BLOCKS, Budget, Marks, PART, Recorded, Records, Unwritten, Writer};
    use system::Extent;

    proptest! {
        #[test]
        fn what_was_written_is_read(
            lists in prop::collection::vec((prop::collection::vec((any::<u32>(), any::<u64>(), 0u32..64), 0..9000), any::<bool>()), 0..40),
        ) {
            let (records, mut writer, mut waiting) = (Records::new(&Budget::new(u64::MAX)), Writer::default(), VecDeque::new());
            for (number, (list, all)) in lists.into_iter().enumerate() {
                let edge = |&(target, marks, shift): &(u32, u64, u32)| Recorded { target, missing: Marks(marks >> shift) };
                let edges: Vec<Recorded> = list.iter().map(edge).collect();
                let extent = if all { Extent::All } else { Extent::Part };
                let position = records.write(&mut writer, extent, &edges).expect("there is room");
                if number % 3 == 2 {
                    records.withdraw(&mut writer, position);
                } else {
                    waiting.push_back((position, extent, edges));
                }
                if number % 2 == 1 && let Some((position, extent, edges)) = waiting.pop_front() {
                    let mut read = Vec::new();
                    prop_assert_eq!(records.read(position, |edge| read.push(edge)), extent);
                    prop_assert_eq!(read, edges);
                }
            }
            for (position, extent, edges) in waiting {
                let mut read = Vec::new();
                prop_assert_eq!(records.read(position, |edge| read.push(edge)), extent);
                prop_assert_eq!(read, edges);
            }
            records.close(&mut writer);
            prop_assert!(records.free.lock().is_ok_and(|free| free.len() as u64 == BLOCKS));
        }
    }

    #[test]
    fn records_that_nobody_reads_fill_all_blocks() {
        let (records, mut writer) = (Records::new(&Budget::new(u64::MAX)), Writer::default());
        let edges = vec![Recorded { target: 1, missing: Marks(2) }; 20_000];
        let positions: Vec<_> = std::iter::from_fn(|| records.write(&mut writer, Extent::All, &edges).ok()).collect();
        assert_eq!(positions.len() as u64, BLOCKS);
        assert_eq!(records.write(&mut writer, Extent::All, &edges), Err(Unwritten::NoBlock));
        records.read(positions[7], |_| {});
        assert!(records.write(&mut writer, Extent::All, &edges).is_ok());
        let longer = vec![Recorded { target: 1, missing: Marks(2) }; 40_000];
        assert_eq!(records.write(&mut writer, Extent::All, &longer), Err(Unwritten::TooLong));
    }

    #[test]
    fn blocks_are_paid_for_and_leave_memory_for_states() {
        let edges = vec![Recorded { target: 1, missing: Marks(2) }; 20_000];
        let count = |budget: &std::sync::Arc<Budget>| {
            let (records, mut writer) = (Records::new(budget), Writer::default());
            let written = std::iter::from_fn(|| records.write(&mut writer, Extent::All, &edges).ok()).count() as u64;
            assert_eq!(budget.used() % BLOCK_BYTES, 0);
            (written, budget.used() / BLOCK_BYTES)
        };
        let budget = Budget::new(3 * PART * BLOCK_BYTES);
        assert_eq!(count(&budget), (3, 3));
        assert_eq!(budget.used(), 0, "they are given back");
        // Others have taken most of it.
        let _states = budget.charge(3 * PART * BLOCK_BYTES - BLOCK_BYTES).expect("it is there");
        let (records, mut writer) = (Records::new(&budget), Writer::default());
        let written = std::iter::from_fn(|| records.write(&mut writer, Extent::All, &edges).ok()).count();
        assert_eq!(written, 1);
        assert_eq!(count(&Budget::new(1000)), (0, 0));
    }
}
