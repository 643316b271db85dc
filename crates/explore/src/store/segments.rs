//! An array that grows at its end and never moves: positions stay valid, and reading needs no synchronisation.
//!
//! Segment s has 512·2ˢ cells, so 40 segments are enough for any machine and the segment of a position is a logarithm.
//! Large segments are mappings whose pages are committed when first touched, so the budget is charged for what is
//! reserved, not for the whole segment.

use super::checkpoint::Rejected;
use super::memory::{Budget, Charge, ZeroBytes, Zeroed};
use super::sync::{Arc, AtomicU64, Mutex, Ordering, lock};
use std::ops::Range;
use std::sync::OnceLock;

/// Cells of the first segment, as a power of two.
const FIRST_BITS: u32 = if cfg!(loom) { 3 } else { 9 };
const FIRST: u64 = 1 << FIRST_BITS;
const SEGMENTS: usize = 40;

/// A growing array of zero-initialised atomics.
pub(crate) struct Segments<A> {
    segments: [OnceLock<Zeroed<A>>; SEGMENTS],
    /// Positions below this have been reserved.
    end: AtomicU64,
    /// No position from here on.
    limit: u64,
    charge: Mutex<Option<Charge>>,
    budget: Arc<Budget>,
}

impl<A: ZeroBytes> Segments<A> {
    /// An array of at most `limit` cells.
    pub(crate) fn new(limit: u64, budget: &Arc<Budget>) -> Segments<A> {
        Segments {
            segments: [const { OnceLock::new() }; SEGMENTS],
            end: AtomicU64::new(0),
            limit,
            charge: Mutex::new(None),
            budget: Arc::clone(budget),
        }
    }

    /// `count` neighbouring cells that nobody else has; `None` if there is no memory for them. May skip cells.
    pub(crate) fn reserve(&self, count: u64) -> Option<Range<u64>> {
        let mut charge = lock(&self.charge);
        let mut start = self.end.load(Ordering::Relaxed);
        let (mut segment, mut offset) = locate(start);
        while offset + count > size(segment) {
            segment += 1;
            offset = 0;
            start = size(segment) - FIRST;
        }
        if start + count > self.limit || segment >= SEGMENTS {
            return None;
        }
        self.pay(&mut charge, count)?;
        self.allocate(segment)?;
        self.end.store(start + count, Ordering::Release);
        Some(start..start + count)
    }

    /// Reserves all positions below `end` of an empty array, as they were when it was saved.
    pub(crate) fn reserve_until(&self, end: u64) -> Result<(), Rejected> {
        if end > self.limit.min(size(SEGMENTS) - FIRST) {
            return Err(Rejected::Nonsense);
        }
        let mut charge = lock(&self.charge);
        self.pay(&mut charge, end).ok_or(Rejected::Full)?;
        for segment in 0..=locate(end.saturating_sub(1)).0 {
            self.allocate(segment).ok_or(Rejected::Full)?;
        }
        self.end.store(end, Ordering::Release);
        Ok(())
    }

    fn pay(&self, charge: &mut Option<Charge>, cells: u64) -> Option<()> {
        let bytes = cells * size_of::<A>() as u64;
        match charge {
            Some(charge) => charge.extend(bytes).then_some(()),
            none => {
                *none = Some(self.budget.charge(bytes)?);
                Some(())
            }
        }
    }

    /// Allocates a segment that has not been; under the lock.
    fn allocate(&self, segment: usize) -> Option<()> {
        if self.segments[segment].get().is_none() {
            // Nobody else can have set it: see the lock.
            let _ = self.segments[segment].set(Zeroed::new(size(segment) as usize)?);
        }
        Some(())
    }

    /// A reserved cell; `None` if the position is not in a segment that has one.
    #[inline]
    pub(crate) fn get(&self, position: u64) -> Option<&A> {
        let (segment, offset) = locate(position);
        self.segments.get(segment)?.get()?.get(offset as usize)
    }

    /// Neighbouring cells, reserved together.
    #[inline]
    pub(crate) fn range(&self, position: u64, count: u64) -> Option<&[A]> {
        let (segment, offset) = locate(position);
        self.segments.get(segment)?.get()?.get(offset as usize..(offset + count) as usize)
    }

    /// Positions below this may have been reserved.
    pub(crate) fn end(&self) -> u64 {
        self.end.load(Ordering::Acquire)
    }
}

/// Segment and offset of a position.
#[inline]
fn locate(position: u64) -> (usize, u64) {
    let shifted = position + FIRST;
    let log = shifted.ilog2();
    ((log - FIRST_BITS) as usize, shifted - (1 << log))
}

/// Cells of a segment. All segments before it have that many together, less those of the first.
fn size(segment: usize) -> u64 {
    FIRST << segment
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn positions_run_through_the_segments() {
        assert_eq!(locate(0), (0, 0));
        assert_eq!(locate(511), (0, 511));
        assert_eq!(locate(512), (1, 0));
        assert_eq!(locate(1535), (1, 1023));
        assert_eq!(locate(1536), (2, 0));
    }

    #[test]
    fn a_limit_in_cells_or_bytes_ends_it() {
        let budget = Budget::new(1 << 20);
        let cells = Segments::<AtomicU64>::new(1000, &budget);
        assert!(cells.reserve(512).is_some() && cells.reserve(400).is_some() && cells.reserve(100).is_none());
        let bytes = Segments::<AtomicU64>::new(u64::MAX, &Budget::new(8000));
        assert!(bytes.reserve(512).is_some() && bytes.reserve(512).is_none());
    }

    proptest! {
        #[test]
        fn reservations_are_disjoint_and_stay(counts in prop::collection::vec(1u64..3000, 1..60)) {
            let array = Segments::<AtomicU64>::new(u64::MAX, &Budget::new(1 << 30));
            let ranges: Vec<_> = counts.iter().map(|&count| array.reserve(count).expect("within the budget")).collect();
            for (owner, range) in (1..).zip(&ranges) {
                let cells = array.range(range.start, range.end - range.start).expect("reserved");
                cells.iter().for_each(|cell| assert_eq!(cell.swap(owner, Ordering::Relaxed), 0));
            }
            for (owner, range) in (1..).zip(ranges) {
                prop_assert!(range.clone().all(|at| array.get(at).expect("reserved").load(Ordering::Relaxed) == owner));
                prop_assert!(range.end <= array.end());
            }
        }
    }
}
