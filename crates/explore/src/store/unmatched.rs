//! A store for states of which some bytes do not count: two states that differ only there are one, the one that was found first.
//!
//! That is what `hidden` variables mean in SPIN. The store below gets states with zeroes in place of these bytes; the bytes of the state that was new
//! are kept beside it, so that loading gives back that very state. Who was told that a state is new may load it; others need not find its
//! bytes there yet, so searches that load states which they found known cannot use this store.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Arrangement, Budget, Charge, Coverage, Insert, LoadStates, NumberStates, StateRef, VisitedSet, Visitor};

/// Tables of bytes that do not count, so that workers seldom meet.
const SHARDS: usize = 64;

/// What an entry of a table takes beside the bytes themselves.
const ENTRY: usize = 48;

/// A [`VisitedSet`] that compares states without some of their bytes.
#[derive(Clone)]
pub struct Unmatched<V> {
    inner: V,
    shared: Arc<Shared>,
}

struct Shared {
    /// The bytes that do not count, in increasing order.
    ranges: Vec<Range<usize>>,
    /// None where states are not asked for again.
    shards: Vec<Mutex<Shard>>,
}

#[derive(Default)]
struct Shard {
    bytes: FxHashMap<StateRef, Box<[u8]>>,
    charge: Option<Charge>,
}

/// A worker's access to an [`Unmatched`] store.
pub struct UnmatchedHandle<H> {
    inner: H,
    shared: Arc<Shared>,
    /// A state with zeroes in place of the bytes that do not count.
    matched: Vec<u8>,
}

impl<V: VisitedSet> Unmatched<V> {
    /// A store in which the bytes in these ranges do not count.
    pub fn new(inner: V, ranges: Vec<Range<usize>>) -> Unmatched<V> {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Unmatched { inner, shared: Arc::new(Shared { ranges, shards }) }
    }

    /// The same above a store that does not give states back.
    pub fn forgetting(inner: V, ranges: Vec<Range<usize>>) -> Unmatched<V> {
        Unmatched { inner, shared: Arc::new(Shared { ranges, shards: Vec::new() }) }
    }
}

impl Shared {
    fn shard(&self, state: StateRef) -> &Mutex<Shard> {
        &self.shards[state.to_bits() as usize % SHARDS]
    }

    /// Keeps the bytes of a new state that do not count; false if there is no memory for them.
    fn keep(&self, state: &[u8], reference: StateRef, budget: &Arc<Budget>) -> bool {
        if self.shards.is_empty() {
            return true;
        }
        let bytes: Box<[u8]> = self.ranges.iter().flat_map(|range| &state[range.clone()]).copied().collect();
        let mut shard = self.shard(reference).lock().unwrap_or_else(PoisonError::into_inner);
        let charge = shard.charge.get_or_insert_with(|| budget.open());
        let paid = charge.extend((bytes.len() + ENTRY) as u64);
        shard.bytes.insert(reference, bytes);
        paid
    }
}

impl<V: VisitedSet> VisitedSet for Unmatched<V> {
    type Handle = UnmatchedHandle<V::Handle>;

    fn handle(&self) -> Self::Handle {
        UnmatchedHandle { inner: self.inner.handle(), shared: Arc::clone(&self.shared), matched: Vec::new() }
    }

    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn memory(&self) -> u64 {
        self.inner.memory()
    }

    fn most_memory(&self) -> u64 {
        self.inner.most_memory()
    }

    fn coverage(&self) -> Coverage {
        self.inner.coverage()
    }

    fn can_arrange(&self) -> bool {
        self.inner.can_arrange()
    }

    fn arrange(&self, arrangements: Vec<(usize, Arrangement)>) {
        self.inner.arrange(arrangements);
    }
}

impl<H> UnmatchedHandle<H> {
    fn match_only(&mut self, state: &[u8]) {
        self.matched.clear();
        self.matched.extend_from_slice(state);
        for range in &self.shared.ranges {
            self.matched[range.clone()].fill(0);
        }
    }
}

impl<H: Visitor> Visitor for UnmatchedHandle<H> {
    type Cursor = H::Cursor;
    type Prepared = H::Prepared;

    fn prepare(&mut self, state: &[u8], parent: &H::Cursor) -> H::Prepared {
        self.match_only(state);
        self.inner.prepare(&self.matched, parent)
    }

    fn commit(&mut self, state: &[u8], prepared: H::Prepared) -> Insert {
        self.match_only(state);
        let inserted = self.inner.commit(&self.matched, prepared);
        match inserted {
            Insert::New(reference) if !self.shared.keep(state, reference, self.inner.budget()) => Insert::Full,
            _ => inserted,
        }
    }

    fn focus(&mut self, state: StateRef, cursor: &mut H::Cursor) {
        self.inner.focus(state, cursor);
    }

    fn budget(&self) -> &Arc<Budget> {
        self.inner.budget()
    }
}

impl<H: LoadStates> LoadStates for UnmatchedHandle<H> {
    fn load(&mut self, state: StateRef, into: &mut Vec<u8>) {
        self.inner.load(state, into);
        let shard = self.shared.shard(state).lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = shard.bytes.get(&state).into_iter().flatten();
        for range in &self.shared.ranges {
            into[range.clone()].iter_mut().zip(&mut bytes).for_each(|(to, &from)| *to = from);
        }
    }
}

impl<H: NumberStates> NumberStates for UnmatchedHandle<H> {
    fn number(&mut self, state: StateRef) -> u32 {
        self.inner.number(state)
    }

    fn insert_all_numbered<'s>(
        &mut self,
        count: usize,
        state: impl Fn(usize) -> &'s [u8],
        parent: &H::Cursor,
        into: &mut Vec<(Insert, u32)>,
    ) {
        into.clear();
        for index in 0..count {
            let insert = self.insert(state(index), parent);
            let number = match insert {
                Insert::Known(known) => self.inner.number(known),
                Insert::New(_) | Insert::Full => 0,
            };
            into.push((insert, number));
        }
    }

    fn set_number(&mut self, state: StateRef, number: u32) {
        self.inner.set_number(state, number);
    }

    fn number_or(&mut self, state: StateRef, number: u32) -> u32 {
        self.inner.number_or(state, number)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::store::{Limits, TreeStore};

    #[test]
    fn states_that_differ_only_in_what_does_not_count_are_the_first_of_them() {
        let store = Unmatched::new(TreeStore::new(Limits::memory(1 << 20)), vec![1..2, 3..5]);
        let mut handle = store.handle();
        let cursor = Default::default();
        let mut insert = |state: &[u8]| handle.insert(state, &cursor);
        let Insert::New(first) = insert(&[1, 2, 3, 4, 5, 6]) else { panic!("it is new") };
        assert_eq!(insert(&[1, 9, 3, 9, 9, 6]), Insert::Known(first));
        let Insert::New(second) = insert(&[1, 2, 4, 9, 5, 6]) else { panic!("it is new") };
        let mut state = Vec::new();
        for (reference, expected) in [(first, [1, 2, 3, 4, 5, 6]), (second, [1, 2, 4, 9, 5, 6])] {
            store.handle().load(reference, &mut state);
            assert_eq!(state, expected);
        }
    }
}
