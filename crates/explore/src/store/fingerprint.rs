//! Hash compaction: a state is represented by a hash of up to 64 bits, exactly stored.
//!
//! Two states with one hash are taken for one. With n states stored in b bits, a new state is mistaken with probability
//! n / 2ᵇ; 48 bits and ten million states make that one in 28 million, and the expected number of states lost 0.2. Because the set stores
//! quotients, up to 45 bits fit into 4-byte slots from a million states on. (Wolper and Leroy 1993; Stern and Dill 1995.)

use super::checkpoint::{BlockReader, BlockWriter, Checkpoint, CheckpointError, Kind, Section};
use super::compact::layout::WordLayout;
use super::compact::set::{Added, CompactSet};
use super::flagging::{ByteFlags, FlagMode, NoFlags};
use super::growing::{Worker, Workers};
use super::memory::Budget;
use super::mix::hash_bytes;
use super::sync::Arc;
use super::{Coverage, FlagStates, Flags, Insert, Limits, Omission, StateRef, VisitedSet, Visitor};
use std::io::{self, Read, Write};
use std::marker::PhantomData;

/// The width of the hash that stands for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FingerprintBits(u32);

impl FingerprintBits {
    /// From 24 to 64 bits; `None` for others.
    pub fn new(bits: u32) -> Option<FingerprintBits> {
        (24..=64).contains(&bits).then_some(FingerprintBits(bits))
    }
}

impl Default for FingerprintBits {
    /// 48 bits.
    fn default() -> FingerprintBits {
        FingerprintBits(48)
    }
}

/// An approximate set of states that keeps a hash of each. Clones share one set.
pub struct FingerprintStore<F = NoFlags> {
    shared: Arc<Shared>,
    flags: PhantomData<F>,
}

struct Shared {
    bits: FingerprintBits,
    set: CompactSet<WordLayout>,
    workers: Arc<Workers>,
    budget: Arc<Budget>,
}

/// A worker's access to a [`FingerprintStore`].
pub struct FingerprintHandle<F = NoFlags> {
    shared: Arc<Shared>,
    worker: Worker,
    flags: PhantomData<F>,
}

/// The fingerprint of a state on its way into the set.
#[derive(Clone, Copy, Debug)]
pub struct FingerprintPrepared(StateRef);

impl FingerprintStore {
    /// An empty store without flags.
    pub fn new(limits: Limits, bits: FingerprintBits) -> FingerprintStore {
        FingerprintStore::with_mode(limits, bits)
    }
}

impl FingerprintStore<ByteFlags> {
    /// An empty store with seven flags for each state.
    pub fn with_flags(limits: Limits, bits: FingerprintBits) -> FingerprintStore<ByteFlags> {
        FingerprintStore::with_mode(limits, bits)
    }
}

impl<F: FlagMode> FingerprintStore<F> {
    fn with_mode(limits: Limits, bits: FingerprintBits) -> FingerprintStore<F> {
        let budget = Budget::new(limits.memory);
        let set = CompactSet::new(F::FLAGGING, &budget);
        let shared = Shared { bits, set, workers: Arc::new(Workers::default()), budget };
        FingerprintStore { shared: Arc::new(shared), flags: PhantomData }
    }
}

impl<F> Clone for FingerprintStore<F> {
    fn clone(&self) -> FingerprintStore<F> {
        FingerprintStore { shared: Arc::clone(&self.shared), flags: PhantomData }
    }
}

impl<F: FlagMode> VisitedSet for FingerprintStore<F> {
    type Handle = FingerprintHandle<F>;

    fn handle(&self) -> FingerprintHandle<F> {
        let worker = Worker::new(&self.shared.workers);
        FingerprintHandle { shared: Arc::clone(&self.shared), worker, flags: PhantomData }
    }

    fn len(&self) -> u64 {
        self.shared.set.len(&Worker::new(&self.shared.workers).enter())
    }

    fn memory(&self) -> u64 {
        self.shared.budget.used()
    }

    fn most_memory(&self) -> u64 {
        self.shared.budget.most()
    }

    fn coverage(&self) -> Coverage {
        let states = self.len() as f64;
        let now = states / f64::from(self.shared.bits.0).exp2();
        let hash_factor = 8.0 * self.memory() as f64 / states.max(1.0);
        Coverage::Approximate(Omission { now, mean: now / 2.0, hash_factor })
    }
}

impl<F: FlagMode> Visitor for FingerprintHandle<F> {
    type Cursor = ();
    type Prepared = FingerprintPrepared;

    fn prepare(&mut self, state: &[u8], (): &()) -> FingerprintPrepared {
        let fingerprint = hash_bytes(state) >> (64 - self.shared.bits.0);
        self.shared.set.prefetch(fingerprint, &self.worker.enter());
        FingerprintPrepared(StateRef(fingerprint))
    }

    fn commit(&mut self, _state: &[u8], FingerprintPrepared(state): FingerprintPrepared) -> Insert {
        match self.shared.set.insert(state.0, &mut self.worker.enter()) {
            Added::New => Insert::New(state),
            Added::Known => Insert::Known(state),
            Added::Full => Insert::Full,
        }
    }

    fn budget(&self) -> &Arc<Budget> {
        &self.shared.budget
    }

    fn focus(&mut self, _state: StateRef, (): &mut ()) {}
}

impl FlagStates for FingerprintHandle<ByteFlags> {
    fn flags(&mut self, state: StateRef) -> Flags {
        self.update_flags(state, |flags| flags)
    }

    fn set_flags(&mut self, state: StateRef, mask: Flags) -> Flags {
        self.update_flags(state, |flags| flags | mask.0)
    }

    fn set_flags_unless(&mut self, state: StateRef, mask: Flags, unless: Flags) -> Flags {
        self.update_flags(state, |flags| if flags & unless.0 == 0 { flags | mask.0 } else { flags })
    }

    fn clear_flags(&mut self, state: StateRef, mask: Flags) -> Flags {
        self.update_flags(state, |flags| flags & !mask.0)
    }
}

impl FingerprintHandle<ByteFlags> {
    fn update_flags(&mut self, state: StateRef, change: impl Fn(u8) -> u8) -> Flags {
        let change = |flags: u32| u32::from(change(flags as u8));
        let before = self.shared.set.update_flags(state.0, &mut self.worker.enter(), change);
        before.map_or(Flags::NONE, |flags| Flags(flags as u8))
    }
}

impl<F: FlagMode> Checkpoint for FingerprintStore<F> {
    fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut blocks = BlockWriter::new(to, Kind::Fingerprint)?;
        blocks.words(Section::Shape, [F::FLAGGING as u64, u64::from(self.shared.bits.0)])?;
        let states = blocks.set(&self.shared.set, &Worker::new(&self.shared.workers).enter())?;
        blocks.finish(states)
    }

    fn restore(from: &mut impl Read, limits: Limits) -> Result<FingerprintStore<F>, CheckpointError> {
        let mut blocks = BlockReader::new(from, Kind::Fingerprint)?;
        let &[flagging, bits] = blocks.shape()?.as_slice() else { return Err(blocks.damaged()) };
        if flagging != F::FLAGGING as u64 {
            return Err(CheckpointError::OtherStore);
        }
        let bits = u32::try_from(bits).ok().and_then(FingerprintBits::new).ok_or_else(|| blocks.damaged())?;
        let store = FingerprintStore::with_mode(limits, bits);
        let mut worker = Worker::new(&store.shared.workers);
        let mut inside = worker.enter();
        let states = blocks.rest(|section, words| store.shared.set.restore(section, words, &mut inside))?;
        if states != store.shared.set.len(&inside) {
            return Err(blocks.damaged());
        }
        drop(inside);
        drop(worker);
        Ok(store)
    }
}
