//! Visited states: what has been seen, in as few bytes as possible, shared by all workers.
//!
//! | store | keeps | gives states back | bytes for a state |
//! | --- | --- | --- | --- |
//! | [`TreeStore`] | everything, sub-vectors shared | yes | about 5 to 7, whatever the vector's length |
//! | [`PlainStore`] | everything, packed | yes | the vector and about 20 |
//! | [`FingerprintStore`] | a hash of up to 61 bits | no | 5 to 10 |
//! | [`BitstateStore`] | a few bits | no | as many as the memory allows |
//!
//! A search is written once, against the traits: [`VisitedSet`] is all that a safety search needs; [`StateStore`] adds
//! the way back from a [`StateRef`] to the bytes, which approximate stores cannot offer and therefore do not implement;
//! [`FlaggedSet`] adds bits for each state (on the stack, coloured, settled), [`NumberStates`] a number. Each worker owns a handle; calls through a
//! handle are static, and the only synchronisation between workers is in the store itself.
//!
//! ```
//! use explore::store::{Insert, Limits, LoadStates, TreeStore, VisitedSet, Visitor};
//!
//! let store = TreeStore::new(Limits::memory(1 << 20));
//! let mut worker = store.handle();
//! let mut parent = Default::default();
//!
//! let Insert::New(first) = worker.insert(&[1, 0, 0, 0, 2, 0, 0, 0], &parent) else { panic!("an empty store has seen nothing") };
//! worker.focus(first, &mut parent); // successors of `first` are stored by what they change
//! assert!(matches!(worker.insert(&[1, 0, 0, 0, 3, 0, 0, 0], &parent), Insert::New(_)));
//! assert_eq!(worker.insert(&[1, 0, 0, 0, 2, 0, 0, 0], &parent), Insert::Known(first));
//!
//! let mut bytes = Vec::new();
//! worker.load(first, &mut bytes);
//! assert_eq!(bytes, [1, 0, 0, 0, 2, 0, 0, 0]);
//! assert_eq!(store.len(), 2);
//! ```

mod bitstate;
mod checkpoint;
mod compact;
mod fingerprint;
mod flagging;
mod growing;
mod index;
#[cfg(all(test, loom))]
mod interleavings;
mod memory;
mod mix;
mod plain;
mod segments;
mod slot;
mod sync;
mod tree;
mod unmatched;

pub use bitstate::{BitsPerState, BitstateHandle, BitstatePrepared, BitstateStore};
pub(crate) use checkpoint::checksum;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use fingerprint::{FingerprintBits, FingerprintHandle, FingerprintPrepared, FingerprintStore};
pub use flagging::{ByteFlags, FlagMode, NoFlags, Numbers};
pub use memory::Budget;
pub(crate) use memory::Charge;
pub(crate) use mix::{hash_bytes, spread};
pub use plain::{PlainHandle, PlainPrepared, PlainStore};
pub(crate) use segments::Segments;
use sync::Arc;
pub(crate) use sync::AtomicU64 as CellU64;
pub use tree::{Arrangement, Branch, TreeCursor, TreeHandle, TreePrepared, TreeStore};
pub(crate) use tree::{MOST_WORDS, WIDEST, WORD, read_word};
pub use unmatched::{Unmatched, UnmatchedHandle};

/// The name of a stored state, valid as long as its store (and in stores restored from a checkpoint of it).
///
/// What the 64 bits mean is the store's affair. Two references from one store are equal exactly when their states are, in
/// stores that keep states; approximate stores may give one reference to several states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateRef(u64);

impl StateRef {
    /// The bits, to be written to a file or sent elsewhere.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// The reference with these bits, which came from [`StateRef::to_bits`].
    pub fn from_bits(bits: u64) -> StateRef {
        StateRef(bits)
    }
}

/// Which of so many workers or machines a state belongs to: a function of the state alone, the same in every process.
#[must_use]
pub fn owner(state: &[u8], owners: usize) -> usize {
    ((u128::from(hash_bytes(state)) * owners as u128) >> 64) as usize
}

/// What became of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Insert {
    /// The state was not there; it is now. Of all workers that insert one state, exactly one is told so.
    New(StateRef),
    /// The state was there (in an approximate store: it, or one taken for it).
    Known(StateRef),
    /// The state was not there, and the store's memory does not suffice to add it.
    Full,
}

/// What a store may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    memory: u64,
}

impl Limits {
    /// At most so many bytes.
    pub const fn memory(bytes: u64) -> Limits {
        Limits { memory: bytes }
    }
}

/// How far a store's answers can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coverage {
    /// Every state is told from every other.
    Exact,
    /// Some states may have been taken for others and so were not explored.
    Approximate(Omission),
}

/// How many states an approximate store is expected to have missed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omission {
    /// The probability that a state not seen before would be taken for a known one now.
    pub now: f64,
    /// The mean of that probability over all insertions of new states so far, hence the expected share of the states *offered* to the
    /// store that were not explored. What only those states lead to was never offered and is not counted.
    pub mean: f64,
    /// SPIN's hash factor: bits of memory for each state stored. SPIN's rule of thumb is that above 100 nearly all states were seen.
    pub hash_factor: f64,
}

/// A set of visited states, shared by workers through handles.
pub trait VisitedSet: Clone + Send + Sync {
    /// A worker's access to the set.
    type Handle: Visitor + Send;

    /// A handle for one more worker.
    fn handle(&self) -> Self::Handle;

    /// States in the set; exact when no worker is inserting.
    fn len(&self) -> u64;

    /// Has nothing been inserted?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory in use.
    fn memory(&self) -> u64;

    /// The most bytes that were in use at one time, with all that searches have charged to the set's budget: stacks and queues.
    fn most_memory(&self) -> u64;

    /// How far the answers can be trusted.
    fn coverage(&self) -> Coverage;

    /// Whether it would be of use to call [`VisitedSet::arrange`] now.
    fn can_arrange(&self) -> bool {
        false
    }

    /// Tells how the words of states of some lengths are best arranged. It has no effect on answers, only on memory.
    fn arrange(&self, _arrangements: Vec<(usize, Arrangement)>) {}
}

/// So many states are prepared before the first of them is committed.
const TOGETHER: usize = 8;

/// A worker's access to a [`VisitedSet`].
pub trait Visitor {
    /// A state whose successors are being inserted, in the form that helps the store: what they share with it need not be
    /// worked out again. The default is no state at all.
    type Cursor: Clone + Default + Send;

    /// A state on its way into the set: what could be worked out without looking for it.
    type Prepared: Copy;

    /// Adds a state, most likely a successor of `parent`; any cursor of the same store gives the same answer.
    fn insert(&mut self, state: &[u8], parent: &Self::Cursor) -> Insert {
        let prepared = self.prepare(state, parent);
        self.commit(state, prepared)
    }

    /// Adds the states with the numbers below `count`, all successors of `parent`, and writes what became of each to `into`,
    /// in order and as if they were inserted one after the other.
    fn insert_all<'s>(
        &mut self,
        count: usize,
        state: impl Fn(usize) -> &'s [u8],
        parent: &Self::Cursor,
        into: &mut Vec<Insert>,
    ) {
        into.clear();
        for start in (0..count).step_by(TOGETHER) {
            let number = |lane: usize| Some(start + lane).filter(|&number| number < count);
            let prepared: [_; TOGETHER] =
                std::array::from_fn(|lane| number(lane).map(|number| self.prepare(state(number), parent)));
            for (number, prepared) in (start..count).zip(prepared.into_iter().flatten()) {
                into.push(self.commit(state(number), prepared));
            }
        }
    }

    /// The first half of [`Visitor::insert`]: all but the look into the set, which is asked to come near.
    ///
    /// Looking for a state means waiting for a memory cell that is in no cache. A search that has all successors of a
    /// state at hand should prepare each, then commit each, and will wait for all cells at once.
    fn prepare(&mut self, state: &[u8], parent: &Self::Cursor) -> Self::Prepared;

    /// The second half of [`Visitor::insert`]; `state` is the one that was prepared.
    fn commit(&mut self, state: &[u8], prepared: Self::Prepared) -> Insert;

    /// Puts a cursor on a state of the set.
    fn focus(&mut self, state: StateRef, cursor: &mut Self::Cursor);

    /// What the memory of the set is charged to. A search charges its stacks and queues to it, too, so that one limit is for all.
    fn budget(&self) -> &Arc<Budget>;
}

/// A [`VisitedSet`] that can give its states back.
pub trait StateStore: VisitedSet<Handle: LoadStates> {}

impl<S: VisitedSet<Handle: LoadStates>> StateStore for S {}

/// The way back from references to states.
pub trait LoadStates: Visitor {
    /// Writes the state's bytes to `into`, replacing what is there. `state` must come from this store.
    fn load(&mut self, state: StateRef, into: &mut Vec<u8>);

    /// The state's bytes.
    fn loaded(&mut self, state: StateRef) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.load(state, &mut bytes);
        bytes
    }

    /// Loads a state and puts a cursor on it, for a search that takes references from a queue.
    fn visit(&mut self, state: StateRef, into: &mut Vec<u8>, cursor: &mut Self::Cursor) {
        self.load(state, into);
        self.focus(state, cursor);
    }
}

/// A [`VisitedSet`] with a few bits for each state that searches may use as they like.
pub trait FlaggedSet: VisitedSet<Handle: FlagStates> {}

impl<S: VisitedSet<Handle: FlagStates>> FlaggedSet for S {}

/// A set of the seven bits that a state can carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// No bit.
    pub const NONE: Flags = Flags(0);

    /// The bit with this number, from 0 to 6; others wrap.
    pub const fn bit(number: u32) -> Flags {
        Flags(1 << (number % 7))
    }

    /// The bits of both.
    pub const fn and(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Are all bits of `other` here?
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Bits for each state, all zero at first. Each call is atomic, and acquires and releases: who sees a bit sees what its
/// setter did before.
pub trait FlagStates: Visitor {
    /// The flags of a state of the set.
    fn flags(&mut self, state: StateRef) -> Flags;

    /// Sets the bits of `mask` and tells the flags before.
    fn set_flags(&mut self, state: StateRef, mask: Flags) -> Flags;

    /// Sets the bits of `mask` unless one of `unless` is set, and tells the flags before.
    fn set_flags_unless(&mut self, state: StateRef, mask: Flags, unless: Flags) -> Flags;

    /// Clears the bits of `mask` and tells the flags before.
    fn clear_flags(&mut self, state: StateRef, mask: Flags) -> Flags;
}

/// A number for each state, zero at first, below [`NumberStates::LIMIT`]. Each call is atomic, and acquires and releases: who sees a number
/// sees what its setter did before.
pub trait NumberStates: Visitor {
    /// No number reaches it.
    const LIMIT: u32 = 1 << 31;

    /// The number of a state of the set.
    fn number(&mut self, state: StateRef) -> u32;

    /// As [`Visitor::insert_all`]; beside what became of each state is the number that it had then, zero for new ones.
    fn insert_all_numbered<'s>(
        &mut self,
        count: usize,
        state: impl Fn(usize) -> &'s [u8],
        parent: &Self::Cursor,
        into: &mut Vec<(Insert, u32)>,
    );

    /// Gives a state another number.
    fn set_number(&mut self, state: StateRef, number: u32);

    /// Gives a state a number unless it has one other than zero; the number that it has then.
    fn number_or(&mut self, state: StateRef, number: u32) -> u32;
}
