//! Holzmann's bitstate hashing: a state is a few bits set in a large array, and is known if they are all set.
//!
//! The bits of a state lie in one cache line of 512, chosen by its hash: one memory access instead of one for each bit,
//! at the price of a slightly higher chance of mistakes, since lines do not fill equally (Putze, Sanders and Singler 2007,
//! blocked Bloom filters). The first bit of a line is a lock held while bits are being set, so that of two workers that
//! insert one state exactly one is told that it is new; states already known never touch it.
//!
//! *The chance of mistakes* is measured, not modelled: a fresh state falls into any line with the same probability, and
//! into set bits only with probability (set bits / 511)ᵏ; the mean over the lines is the answer.

use super::checkpoint::{BlockReader, BlockWriter, Checkpoint, CheckpointError, Kind, Rejected, Section};
use super::memory::{Budget, Pages, Zeroed};
use super::mix::{Permutation, hash_bytes, spread};
use super::slot::prefetch;
use super::sync::{Arc, AtomicU64, Ordering, wait_until};
use super::{Coverage, Insert, Limits, Omission, StateRef, VisitedSet, Visitor};
use std::io::{self, Read, Write};

/// Words of a line.
const WORDS: usize = 8;
/// Bits of a line that states can have.
const USABLE: u64 = 511;
const LOCK: u64 = 1;
/// Lines looked at for an estimate, at most: enough for three digits, and done in a moment.
const SAMPLE: usize = 1 << 18;
/// Counters of states, so that workers rarely meet at one.
const COUNTERS: usize = 64;

/// How many bits are set for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitsPerState(u32);

impl BitsPerState {
    /// From 1 to 7; `None` for others.
    pub fn new(bits: u32) -> Option<BitsPerState> {
        (1..=7).contains(&bits).then_some(BitsPerState(bits))
    }
}

impl Default for BitsPerState {
    /// Three, as in SPIN.
    fn default() -> BitsPerState {
        BitsPerState(3)
    }
}

/// An approximate set of states in a fixed amount of memory. Clones share one set.
#[derive(Clone)]
pub struct BitstateStore {
    shared: Arc<Shared>,
}

struct Shared {
    bits: BitsPerState,
    /// Changes the hash of every state, unless it is 0.
    seed: u64,
    words: Zeroed<AtomicU64>,
    counters: Box<[Counter]>,
    /// For what searches keep beside the field.
    budget: Arc<Budget>,
}

/// Of the memory there is, searches have this part for what they keep beside the field: a stack of states.
const PART_BESIDE: u64 = 4;
/// Small fields are common: what matters is how many states they may miss. A search beside one may have this much memory nevertheless, and the field
/// all that there is.
const LEAST_BESIDE: u64 = 4 << 20;

/// The bytes of the field, and those for what is kept beside it.
fn shares(memory: u64) -> (u64, u64) {
    match memory / PART_BESIDE {
        beside if beside < LEAST_BESIDE => (memory, LEAST_BESIDE),
        beside => (memory - beside, beside),
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Counter(AtomicU64);

/// A worker's access to a [`BitstateStore`].
#[derive(Clone)]
pub struct BitstateHandle {
    shared: Arc<Shared>,
}

/// The hash of a state on its way into the set.
#[derive(Clone, Copy, Debug)]
pub struct BitstatePrepared(StateRef);

impl BitstateStore {
    /// An empty store of as many bits as the limits allow beside the stack of a search; `None` if the system does not have that memory.
    pub fn new(limits: Limits, bits: BitsPerState) -> Option<BitstateStore> {
        BitstateStore::seeded(limits, bits, 0)
    }

    /// The same; with another seed, other states are taken for each other.
    pub fn seeded(limits: Limits, bits: BitsPerState, seed: u64) -> Option<BitstateStore> {
        let (field, beside) = shares(limits.memory);
        let lines = usize::try_from(field / 64).ok()?.max(1);
        BitstateStore::with_lines(lines, bits, seed, beside)
    }

    fn with_lines(lines: usize, bits: BitsPerState, seed: u64, beside: u64) -> Option<BitstateStore> {
        // Huge pages would cost a small search as much as one that fills the field.
        let words = Zeroed::with(lines.checked_mul(WORDS)?, Pages::Small)?;
        let counters = (0..COUNTERS).map(|_| Counter::default()).collect();
        let budget = Budget::new(beside);
        Some(BitstateStore { shared: Arc::new(Shared { bits, seed, words, counters, budget }) })
    }
}

impl VisitedSet for BitstateStore {
    type Handle = BitstateHandle;

    fn handle(&self) -> BitstateHandle {
        BitstateHandle { shared: Arc::clone(&self.shared) }
    }

    fn len(&self) -> u64 {
        self.shared.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }

    fn memory(&self) -> u64 {
        // A page is committed when its first bit is set.
        (8 * self.shared.words.len() as u64).min(self.len() * 4096)
    }

    fn most_memory(&self) -> u64 {
        self.memory() + self.shared.budget.most()
    }

    fn coverage(&self) -> Coverage {
        let lines = self.shared.words.len() / WORDS;
        let step = lines.div_ceil(SAMPLE);
        let sample = (0..lines).step_by(step);
        let looked_at = sample.len() as f64;
        let mistaken = |line: usize| {
            let words = &self.shared.words[line * WORDS..][..WORDS];
            let set: u32 = words.iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum();
            (f64::from(set) / USABLE as f64).powi(self.shared.bits.0 as i32)
        };
        let now = sample.map(mistaken).sum::<f64>() / looked_at;
        // While the array fills evenly, the chance grows with the k-th power of the number of states; its mean over the
        // run is the integral of that.
        let mean = now / f64::from(self.shared.bits.0 + 1);
        let hash_factor = 64.0 * self.shared.words.len() as f64 / (self.len() as f64).max(1.0);
        Coverage::Approximate(Omission { now, mean, hash_factor })
    }
}

impl Visitor for BitstateHandle {
    type Cursor = ();
    type Prepared = BitstatePrepared;

    fn prepare(&mut self, state: &[u8], (): &()) -> BitstatePrepared {
        let hash = match self.shared.seed {
            0 => hash_bytes(state),
            seed => Permutation::new(64).mix(hash_bytes(state) ^ seed),
        };
        prefetch(self.shared.line(hash).first());
        BitstatePrepared(StateRef(hash))
    }

    fn commit(&mut self, _state: &[u8], BitstatePrepared(state): BitstatePrepared) -> Insert {
        if self.shared.set_bits(state.0) { Insert::New(state) } else { Insert::Known(state) }
    }

    fn budget(&self) -> &Arc<Budget> {
        &self.shared.budget
    }

    fn focus(&mut self, _state: StateRef, (): &mut ()) {}
}

impl Shared {
    fn line(&self, hash: u64) -> &[AtomicU64] {
        let lines = self.words.len() / WORDS;
        let line = ((u128::from(hash) * lines as u128) >> 64) as usize;
        &self.words[line * WORDS..][..WORDS]
    }

    /// Sets the bits of a hash; was one of them not set?
    fn set_bits(&self, hash: u64) -> bool {
        let line = self.line(hash);
        let mut masks = [0u64; WORDS];
        let mut choices = spread(hash);
        for _ in 0..self.bits.0 {
            let bit = 1 + (choices % 512) % USABLE;
            masks[(bit / 64) as usize] |= 1 << (bit % 64);
            choices >>= 9;
        }
        let all_set = || line.iter().zip(masks).all(|(word, mask)| word.load(Ordering::Acquire) & mask == mask);
        if all_set() {
            return false;
        }
        wait_until(|| line[0].fetch_or(LOCK, Ordering::Acquire) & LOCK == 0);
        let new = !all_set();
        for (word, mask) in line.iter().zip(masks) {
            if mask != 0 {
                word.fetch_or(mask, Ordering::Relaxed);
            }
        }
        line[0].fetch_and(!LOCK, Ordering::Release);
        if new {
            self.counters[hash as usize % COUNTERS].0.fetch_add(1, Ordering::Relaxed);
        }
        new
    }
}

impl Checkpoint for BitstateStore {
    fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut blocks = BlockWriter::new(to, Kind::Bitstate)?;
        let lines = self.shared.words.chunks_exact(WORDS);
        blocks.words(Section::Shape, [u64::from(self.shared.bits.0), lines.len() as u64, self.shared.seed])?;
        for (number, line) in (0..).zip(lines) {
            let mut entry = [number; WORDS + 1];
            entry[1..].iter_mut().zip(line).for_each(|(word, cell)| *word = cell.load(Ordering::Acquire));
            entry[1] &= !LOCK;
            if entry[1..].iter().any(|&word| word != 0) {
                blocks.entry(Section::Content, &entry)?;
            }
        }
        blocks.finish(self.len())
    }

    fn restore(from: &mut impl Read, limits: Limits) -> Result<BitstateStore, CheckpointError> {
        let mut blocks = BlockReader::new(from, Kind::Bitstate)?;
        let &[bits, lines, seed] = blocks.shape()?.as_slice() else { return Err(blocks.damaged()) };
        let bits = u32::try_from(bits).ok().and_then(BitsPerState::new).ok_or_else(|| blocks.damaged())?;
        let lines = usize::try_from(lines).ok().filter(|&lines| lines > 0).ok_or_else(|| blocks.damaged())?;
        let (field, beside) = shares(limits.memory);
        if lines as u64 > (field / 64).max(1) {
            return Err(CheckpointError::TooLarge);
        }
        let store = BitstateStore::with_lines(lines, bits, seed, beside).ok_or(CheckpointError::TooLarge)?;
        let states = blocks.rest(|section, words| {
            if section != Section::Content {
                return Err(Rejected::Nonsense);
            }
            words.chunks(WORDS + 1).try_for_each(|entry| {
                let (&number, content) = entry.split_first().ok_or(Rejected::Nonsense)?;
                let number = usize::try_from(number).ok().filter(|&number| number < lines).ok_or(Rejected::Nonsense)?;
                let line = &store.shared.words[number * WORDS..][..WORDS];
                line.iter().zip(content).for_each(|(cell, &word)| cell.store(word, Ordering::Relaxed));
                Ok(())
            })
        })?;
        store.shared.counters[0].0.store(states, Ordering::Relaxed);
        Ok(store)
    }
}
