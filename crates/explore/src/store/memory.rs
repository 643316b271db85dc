//! Memory: a budget that every allocation of a store is charged to, and zeroed slices of atomics taken from it.
//!
//! Small slices come from the heap and large ones from anonymous mappings, so that a model of three states costs
//! kilobytes, untouched pages cost nothing, and a table that has been outgrown goes back to the system at once (a heap
//! would keep it: each table is larger than every hole left by its predecessors). A refused charge or a failed
//! allocation is `None`, which the callers turn into "the store is full".

#![allow(unsafe_code)]

use super::sync::{Arc, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::ops::Deref;

/// How many bytes a store may use, and uses.
pub struct Budget {
    limit: u64,
    used: AtomicU64,
    /// The most that was used at one time.
    most: AtomicU64,
}

impl Budget {
    /// A budget of so many bytes.
    pub fn new(limit: u64) -> Arc<Budget> {
        Arc::new(Budget { limit, used: AtomicU64::new(0), most: AtomicU64::new(0) })
    }

    /// Takes `bytes` out of the budget until the charge is dropped; `None` if they are not there.
    pub(crate) fn charge(self: &Arc<Self>, bytes: u64) -> Option<Charge> {
        let take = |used: u64| used.checked_add(bytes).filter(|&total| total <= self.limit);
        let before = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        self.most.fetch_max(before + bytes, Ordering::Relaxed);
        Some(Charge { budget: Arc::clone(self), bytes })
    }

    /// A charge of nothing, to be resized.
    pub(crate) fn open(self: &Arc<Self>) -> Charge {
        Charge { budget: Arc::clone(self), bytes: 0 }
    }

    /// The bytes that are in use.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The most bytes that were in use at one time.
    pub fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }
}

/// Bytes taken from a [`Budget`]; they return when this is dropped.
pub(crate) struct Charge {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Charge {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes `bytes` more; false, and nothing taken, if they are not there.
    pub(crate) fn extend(&mut self, bytes: u64) -> bool {
        let Some(mut more) = self.budget.charge(bytes) else { return false };
        self.bytes += std::mem::take(&mut more.bytes);
        true
    }

    /// Takes or returns bytes so that there are so many; false, and nothing taken, if they are not there.
    pub(crate) fn resize(&mut self, bytes: u64) -> bool {
        if bytes > self.bytes {
            return self.extend(bytes - self.bytes);
        }
        self.budget.used.fetch_sub(self.bytes - bytes, Ordering::Relaxed);
        self.bytes = bytes;
        true
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A value whose representation of zero bytes is the value zero, so that fresh pages need no initialisation.
///
/// # Safety
/// All-zero bytes must be a valid value, and dropping must do nothing.
pub(crate) unsafe trait ZeroBytes: Sized {
    /// Zero, for allocators that cannot give zeroed memory.
    #[cfg(loom)]
    fn zero() -> Self;
}

macro_rules! zero_bytes {
    ($($atomic:ty),*) => {$(
        // SAFETY: an atomic integer has the representation of its integer, for which zero is valid; integers have no drop.
        unsafe impl ZeroBytes for $atomic {
            #[cfg(loom)]
            fn zero() -> Self { <$atomic>::new(0) }
        }
    )*};
}
zero_bytes!(AtomicU8, AtomicU32, AtomicU64);

// SAFETY: an array is its elements side by side.
unsafe impl<A: ZeroBytes, const N: usize> ZeroBytes for [A; N] {
    #[cfg(loom)]
    fn zero() -> Self {
        std::array::from_fn(|_| A::zero())
    }
}

/// How much of a large slice is made when one element of it is first written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(loom, expect(dead_code, reason = "loom's atomics are not read as memory"))]
pub(crate) enum Pages {
    /// Much, so that few pages are probed: for tables that are as large as what is in them.
    Large,
    /// Little: for fields of which a search may touch a few places only, all over.
    Small,
}

#[cfg(not(loom))]
pub(crate) use mapped::Zeroed;
#[cfg(loom)]
pub(crate) use modelled::Zeroed;

#[cfg(not(loom))]
mod mapped {
    use super::{Deref, Pages, ZeroBytes};
    use memmap2::{MmapMut, MmapOptions};
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// From this size on a slice is a mapping of its own.
    const MAPPED: usize = 128 << 10;
    /// From this size on huge pages are asked for: tables are probed at random, and each small page they touch is one more
    /// that the processor has to look up.
    #[cfg(target_os = "linux")]
    const HUGE: usize = 4 << 20;
    /// Tables are probed by the cache line, so they start on one.
    const LINE: usize = 64;

    /// A slice that starts as zeroes.
    pub(crate) struct Zeroed<A> {
        start: NonNull<A>,
        length: usize,
        source: Source,
    }

    enum Source {
        Nothing,
        Heap(Layout),
        /// Held to be unmapped on drop.
        Mapping(#[expect(dead_code, reason = "owns the memory")] MmapMut),
    }

    // SAFETY: `Zeroed` owns its elements and hands out only shared references to them, like a boxed slice.
    unsafe impl<A: Send> Send for Zeroed<A> {}
    // SAFETY: as above.
    unsafe impl<A: Sync> Sync for Zeroed<A> {}

    impl<A: ZeroBytes> Zeroed<A> {
        /// `length` zeroes, or `None` if the system has no memory for them.
        pub(crate) fn new(length: usize) -> Option<Self> {
            Zeroed::with(length, Pages::Large)
        }

        /// The same, with the size of pages.
        pub(crate) fn with(length: usize, pages: Pages) -> Option<Self> {
            let layout = Layout::array::<A>(length).ok()?.align_to(LINE).ok()?;
            if layout.size() == 0 {
                return Some(Zeroed { start: NonNull::dangling(), length: 0, source: Source::Nothing });
            }
            if layout.size() >= MAPPED {
                let mut map = MmapOptions::new().len(layout.size()).no_reserve_swap().map_anon().ok()?;
                #[cfg(not(target_os = "linux"))]
                let _ = pages;
                #[cfg(target_os = "linux")]
                if layout.size() >= HUGE {
                    // Only a wish: where the system has none, pages are small.
                    let _ = map.advise(match pages {
                        Pages::Large => memmap2::Advice::HugePage,
                        Pages::Small => memmap2::Advice::NoHugePage,
                    });
                }
                let start = NonNull::new(map.as_mut_ptr())?.cast();
                return Some(Zeroed { start, length, source: Source::Mapping(map) });
            }
            // SAFETY: the layout's size is not zero.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) })?.cast();
            Some(Zeroed { start, length, source: Source::Heap(layout) })
        }
    }

    impl<A> Deref for Zeroed<A> {
        type Target = [A];

        #[inline]
        fn deref(&self) -> &[A] {
            // SAFETY: `start` points to `length` elements, zeroed and so valid (`ZeroBytes`), aligned by the layout or the
            // page, owned by `source` for as long as `self` lives. Elements are atomics, changed through shared references.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
        }
    }

    impl<A> Drop for Zeroed<A> {
        fn drop(&mut self) {
            if let Source::Heap(layout) = self.source {
                // SAFETY: allocated in `new` with this very layout; elements need no drop (`ZeroBytes`).
                unsafe { dealloc(self.start.as_ptr().cast(), layout) }
            }
        }
    }
}

#[cfg(loom)]
mod modelled {
    use super::{Deref, Pages, ZeroBytes};

    /// The same slice for loom, whose atomics carry bookkeeping and cannot live in raw pages.
    pub(crate) struct Zeroed<A>(Box<[A]>);

    impl<A: ZeroBytes> Zeroed<A> {
        pub(crate) fn new(length: usize) -> Option<Self> {
            Some(Zeroed((0..length).map(|_| A::zero()).collect()))
        }

        pub(crate) fn with(length: usize, _: Pages) -> Option<Self> {
            Zeroed::new(length)
        }
    }

    impl<A> Deref for Zeroed<A> {
        type Target = [A];

        fn deref(&self) -> &[A] {
            &self.0
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_budget_never_lends_more_than_it_has() {
        let budget = Budget::new(100);
        let mut first = budget.charge(60).expect("60 of 100");
        assert!(budget.charge(41).is_none());
        assert!(first.extend(40));
        assert!(!first.extend(1));
        assert_eq!(budget.used(), 100);
        assert!(!first.resize(101) && first.resize(30));
        assert_eq!((budget.used(), budget.most()), (30, 100));
        drop(first);
        assert_eq!((budget.used(), budget.most()), (0, 100));
        assert!(budget.charge(u64::MAX).is_none());
    }

    #[test]
    fn slices_start_as_zeroes_on_a_line_of_their_own() {
        for length in [0, 1, 100, 100_000] {
            let slice = Zeroed::<AtomicU32>::new(length).expect("little memory");
            assert_eq!(slice.len(), length);
            assert!(slice.iter().all(|cell| cell.load(Ordering::Relaxed) == 0));
            assert!(length == 0 || slice.as_ptr().addr().is_multiple_of(64));
        }
    }

    #[test]
    fn a_slice_that_cannot_exist_is_refused() {
        assert!(Zeroed::<AtomicU64>::new(usize::MAX / 4).is_none());
        assert!(Zeroed::<AtomicU64>::new(1 << 58).is_none());
    }
}
