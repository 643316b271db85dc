//! The store without compression: every state's bytes in an arena, found through a hash index.
//!
//! ```text
//! arena    header | words … | header | words …        header: length 25 bits, flags 7 bits, hash 32 bits
//! index    hash ──▶ position of the header + 1
//! ```
//! The measure for the others: as exact as the tree, faster to load from, and larger by the length of the vectors. A
//! state's reference is its position. Records never move, so flags cost nothing: they live in the header. Of the hash of a
//! state 32 bits are kept and used, so that the index can grow without reading whole states again.

use super::checkpoint::{BlockReader, BlockWriter, Checkpoint, CheckpointError, Kind, Rejected, Section};
use super::growing::{Inside, Worker, Workers};
use super::index::{Index, Indexed, Records};
use super::memory::Budget;
use super::mix::{hash_bytes, spread};
use super::segments::Segments;
use super::slot::prefetch;
use super::sync::{Arc, AtomicU64, Mutex, Ordering, lock};
use super::{Coverage, FlagStates, Flags, Insert, Limits, LoadStates, StateRef, VisitedSet, Visitor};
use std::io::{self, Read, Write};
use std::ops::Range;

/// Bits of a header that are the length in bytes.
const LENGTH_BITS: u32 = 25;
const LENGTH_MASK: u64 = (1 << LENGTH_BITS) - 1;
/// The bits behind the length that are flags.
const FLAGS_MASK: u64 = (1 << (HASH_SHIFT - LENGTH_BITS)) - 1;
/// Where the hash begins in a header, and how many of its bits are there.
const HASH_SHIFT: u32 = 32;
/// The hash in a header, moved down.
const SHORT_MASK: u64 = u64::MAX >> HASH_SHIFT;
/// Bytes of a word.
const WORD: usize = 8;
/// Words reserved for a worker at a time: some pages.
const BLOCK: u64 = 4096;
/// So many states are looked for at a time: enough to keep the memory busy.
const LANES: usize = 16;

/// A lossless set of uncompressed states. Clones share one set.
#[derive(Clone)]
pub struct PlainStore {
    shared: Arc<Shared>,
}

struct Shared {
    arena: Arena,
    index: Index<AtomicU64>,
    workers: Arc<Workers>,
    budget: Arc<Budget>,
    count: AtomicU64,
}

/// The records.
struct Arena {
    words: Segments<AtomicU64>,
    /// What workers that ended had reserved and not used.
    returned: Mutex<Vec<Range<u64>>>,
}

/// A worker's access to a [`PlainStore`].
pub struct PlainHandle {
    shared: Arc<Shared>,
    worker: Worker,
    spare: Range<u64>,
}

/// The hash of a state on its way into the set.
#[derive(Clone, Copy, Debug)]
pub struct PlainPrepared(u64);

impl PlainStore {
    /// An empty store.
    pub fn new(limits: Limits) -> PlainStore {
        let budget = Budget::new(limits.memory);
        let shared = Shared {
            arena: Arena { words: Segments::new(u64::MAX, &budget), returned: Mutex::default() },
            index: Index::new(&budget),
            workers: Arc::new(Workers::default()),
            count: AtomicU64::new(0),
            budget,
        };
        PlainStore { shared: Arc::new(shared) }
    }
}

impl VisitedSet for PlainStore {
    type Handle = PlainHandle;

    fn handle(&self) -> PlainHandle {
        let worker = Worker::new(&self.shared.workers);
        PlainHandle { shared: Arc::clone(&self.shared), worker, spare: 0..0 }
    }

    fn len(&self) -> u64 {
        self.shared.count.load(Ordering::Relaxed)
    }

    fn memory(&self) -> u64 {
        self.shared.budget.used()
    }

    fn most_memory(&self) -> u64 {
        self.shared.budget.most()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }
}

impl Visitor for PlainHandle {
    type Cursor = ();
    type Prepared = PlainPrepared;

    #[inline]
    fn prepare(&mut self, state: &[u8], (): &()) -> PlainPrepared {
        let hash = short_hash(state);
        self.shared.index.prefetch(index_hash(hash), &self.worker.enter());
        PlainPrepared(hash)
    }

    #[inline]
    fn commit(&mut self, state: &[u8], PlainPrepared(hash): PlainPrepared) -> Insert {
        self.shared.insert(state, hash, &mut self.spare, &mut self.worker.enter())
    }

    /// First the index is asked for the line of each state, then for the record that is most likely the state's; when its turn
    /// comes to be compared, both are near.
    fn insert_all<'s>(&mut self, count: usize, state: impl Fn(usize) -> &'s [u8], (): &(), into: &mut Vec<Insert>) {
        let PlainHandle { shared, worker, spare } = self;
        let mut inside = worker.enter();
        into.clear();
        into.reserve(count);
        let (mut hashes, mut candidates) = ([0; LANES], [None; LANES]);
        let mut start = 0;
        while start < count {
            let lanes = LANES.min(count - start);
            for (lane, slot) in hashes[..lanes].iter_mut().enumerate() {
                *slot = short_hash(state(start + lane));
                shared.index.prefetch(index_hash(*slot), &inside);
            }
            for (&hash, candidate) in hashes[..lanes].iter().zip(&mut candidates) {
                *candidate = shared.index.candidate(index_hash(hash), &inside, &shared.arena);
            }
            for lane in 0..lanes {
                let state = state(start + lane);
                into.push(match candidates[lane] {
                    Some(number) if shared.arena.holds(number - 1, state) => Insert::Known(StateRef(number - 1)),
                    _ => shared.insert(state, hashes[lane], spare, &mut inside),
                });
            }
            start += lanes;
        }
    }

    fn budget(&self) -> &Arc<Budget> {
        &self.shared.budget
    }

    fn focus(&mut self, _state: StateRef, (): &mut ()) {}
}

impl LoadStates for PlainHandle {
    fn load(&mut self, state: StateRef, into: &mut Vec<u8>) {
        self.shared.arena.read(state.0, into);
    }
}

impl FlagStates for PlainHandle {
    fn flags(&mut self, state: StateRef) -> Flags {
        self.update_flags(state, |header| header.load(Ordering::Acquire))
    }

    fn set_flags(&mut self, state: StateRef, mask: Flags) -> Flags {
        self.update_flags(state, |header| header.fetch_or(u64::from(mask.0) << LENGTH_BITS, Ordering::AcqRel))
    }

    fn set_flags_unless(&mut self, state: StateRef, mask: Flags, unless: Flags) -> Flags {
        let bits = |flags: Flags| u64::from(flags.0) << LENGTH_BITS;
        let set = |old: u64| (old & bits(unless) == 0).then_some(old | bits(mask));
        self.update_flags(state, |header| {
            header.fetch_update(Ordering::AcqRel, Ordering::Acquire, set).unwrap_or_else(|found| found)
        })
    }

    fn clear_flags(&mut self, state: StateRef, mask: Flags) -> Flags {
        self.update_flags(state, |header| header.fetch_and(!(u64::from(mask.0) << LENGTH_BITS), Ordering::AcqRel))
    }
}

impl PlainHandle {
    fn update_flags(&self, state: StateRef, update: impl Fn(&AtomicU64) -> u64) -> Flags {
        let header = self.shared.arena.words.get(state.0);
        header.map_or(Flags::NONE, |header| Flags((update(header) >> LENGTH_BITS & FLAGS_MASK) as u8))
    }
}

impl Drop for PlainHandle {
    fn drop(&mut self) {
        self.shared.arena.give_back(std::mem::take(&mut self.spare));
    }
}

impl Shared {
    #[inline]
    fn insert(&self, state: &[u8], hash: u64, spare: &mut Range<u64>, inside: &mut Inside<'_>) -> Insert {
        let arena = &self.arena;
        if state.len() as u64 > LENGTH_MASK {
            return Insert::Full;
        }
        let words = words_of(state.len());
        let offer = || {
            if spare.end - spare.start < words {
                arena.give_back(std::mem::replace(spare, arena.reserve(words)?));
            }
            arena.write(spare.start, hash, state)?;
            Some(spare.start + 1)
        };
        let is_it = |number: u64| arena.holds(number - 1, state);
        match self.index.find_or_insert(index_hash(hash), inside, arena, is_it, offer) {
            Indexed::Known(number) => Insert::Known(StateRef(number - 1)),
            Indexed::New(number) => {
                spare.start += words;
                self.count.fetch_add(1, Ordering::Relaxed);
                Insert::New(StateRef(number - 1))
            }
            Indexed::Full => Insert::Full,
        }
    }
}

impl Arena {
    fn reserve(&self, words: u64) -> Option<Range<u64>> {
        let mut returned = lock(&self.returned);
        match returned.iter().position(|range| range.end - range.start >= words) {
            Some(fitting) => Some(returned.swap_remove(fitting)),
            // A last attempt without generosity, when memory runs out.
            None => self.words.reserve(words.max(BLOCK)).or_else(|| self.words.reserve(words)),
        }
    }

    /// Takes back what is left of a reservation, unless it is too little to look at again.
    fn give_back(&self, range: Range<u64>) {
        if range.end - range.start >= BLOCK / 8 {
            lock(&self.returned).push(range);
        }
    }

    /// Writes a record where nobody can see it yet.
    #[inline]
    fn write(&self, position: u64, hash: u64, state: &[u8]) -> Option<()> {
        let words = self.words.range(position, words_of(state.len()))?;
        words[0].store(state.len() as u64 | (hash << HASH_SHIFT), Ordering::Relaxed);
        content::write(&words[1..], state);
        Some(())
    }

    #[inline]
    fn holds(&self, position: u64, state: &[u8]) -> bool {
        let Some((length, words)) = self.record(position) else { return false };
        if length != state.len() {
            return false;
        }
        content::equals(words, state)
    }

    fn read(&self, position: u64, into: &mut Vec<u8>) {
        let Some((length, words)) = self.record(position) else { return into.clear() };
        into.clear();
        content::read(words, length, into);
    }

    /// Length in bytes, and words, of the record at a position.
    #[inline]
    fn record(&self, position: u64) -> Option<(usize, &[AtomicU64])> {
        let length = (self.words.get(position)?.load(Ordering::Relaxed) & LENGTH_MASK) as usize;
        let words = self.words.range(position, words_of(length))?;
        Some((length, &words[1..]))
    }
}

impl Records for Arena {
    fn hash(&self, number: u64, _scratch: &mut Vec<u8>) -> u64 {
        index_hash(self.words.get(number - 1).map_or(0, |header| header.load(Ordering::Relaxed) >> HASH_SHIFT))
    }

    fn hash_of_tag(tag: u64, bits: u32) -> Option<u64> {
        (bits >= HASH_SHIFT).then(|| index_hash(tag & SHORT_MASK))
    }

    fn prefetch(&self, number: u64) {
        prefetch(self.words.get(number - 1));
    }
}

/// The hash of a state, as far as a header has room for it.
#[inline]
fn short_hash(state: &[u8]) -> u64 {
    hash_bytes(state) >> HASH_SHIFT
}

/// The hash that the index is given: the short one, and above it bits that are spread by it. While a slot has room for the short one,
/// the index can grow without looking at records.
#[inline]
fn index_hash(short: u64) -> u64 {
    spread(short) & !SHORT_MASK | short
}

/// Words of the record of a state of so many bytes.
#[inline]
fn words_of(length: usize) -> u64 {
    1 + length.div_ceil(WORD) as u64
}

/// The words of a record behind its header.
///
/// They are written once, by one worker, before the number of the record is published in the index, and read only by who found it there: so
/// no reading meets a writing, and words can be copied and compared like any other memory.
#[cfg(not(loom))]
#[allow(unsafe_code)]
mod content {
    use super::AtomicU64;

    /// Writes the content of a record where nobody can see it yet. There are words enough.
    #[inline]
    pub(super) fn write(words: &[AtomicU64], state: &[u8]) {
        assert!(size_of_val(words) >= state.len());
        // SAFETY: the words have room for the state and belong to this worker alone; atomics may be written to through shared
        // references. The two do not overlap, since states are never borrowed from an arena.
        unsafe { words.as_ptr().cast::<u8>().cast_mut().copy_from_nonoverlapping(state.as_ptr(), state.len()) }
    }

    #[inline]
    pub(super) fn equals(words: &[AtomicU64], state: &[u8]) -> bool {
        bytes(words, state.len()) == state
    }

    /// Appends the first `length` bytes of the words.
    #[inline]
    pub(super) fn read(words: &[AtomicU64], length: usize, into: &mut Vec<u8>) {
        into.extend_from_slice(bytes(words, length));
    }

    #[inline]
    fn bytes(words: &[AtomicU64], length: usize) -> &[u8] {
        assert!(size_of_val(words) >= length);
        // SAFETY: the words have so many bytes, which were written before their record was published and do not change.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), length) }
    }
}

/// The same for loom, whose atomics are not plain memory.
#[cfg(loom)]
mod content {
    use super::{AtomicU64, Ordering, WORD};

    pub(super) fn write(words: &[AtomicU64], state: &[u8]) {
        for (word, bytes) in words.iter().zip(state.chunks(WORD)) {
            let mut whole = [0; WORD];
            whole[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_le_bytes(whole), Ordering::Relaxed);
        }
    }

    pub(super) fn equals(words: &[AtomicU64], state: &[u8]) -> bool {
        let mut content = Vec::new();
        read(words, state.len(), &mut content);
        content == state
    }

    pub(super) fn read(words: &[AtomicU64], length: usize, into: &mut Vec<u8>) {
        let start = into.len();
        into.extend(words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()));
        into.truncate(start + length);
    }
}

impl Checkpoint for PlainStore {
    fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut blocks = BlockWriter::new(to, Kind::Plain)?;
        let words = &self.shared.arena.words;
        let word = |at: u64| words.get(at).map_or(0, |word| word.load(Ordering::Acquire));
        blocks.words(Section::Shape, [words.end()])?;
        blocks.words(Section::Content, (0..words.end()).map(word))?;
        let mut worker = Worker::new(&self.shared.workers);
        let (mut result, mut states) = (Ok(()), 0);
        self.shared.index.for_each(&worker.enter(), |number| {
            states += 1;
            if result.is_ok() {
                result = blocks.entry(Section::States, &[number - 1]);
            }
        });
        result?;
        blocks.finish(states)
    }

    fn restore(from: &mut impl Read, limits: Limits) -> Result<PlainStore, CheckpointError> {
        let mut blocks = BlockReader::new(from, Kind::Plain)?;
        let store = PlainStore::new(limits);
        let arena = &store.shared.arena;
        let &[end] = blocks.shape()?.as_slice() else { return Err(blocks.damaged()) };
        arena.words.reserve_until(end).map_err(|rejected| blocks.explain(rejected))?;
        let mut worker = Worker::new(&store.shared.workers);
        let mut inside = worker.enter();
        let (mut next, mut state) = (0, Vec::new());
        let states = blocks.rest(|section, words| match section {
            Section::Content => words.iter().try_for_each(|&word| {
                let cell = arena.words.get(next).filter(|_| next < end).ok_or(Rejected::Nonsense)?;
                cell.store(word, Ordering::Relaxed);
                next += 1;
                Ok(())
            }),
            Section::States => words.iter().try_for_each(|&position| {
                arena.record(position).filter(|_| position < end).ok_or(Rejected::Nonsense)?;
                arena.read(position, &mut state);
                let hash = short_hash(&state);
                if arena.hash(position + 1, &mut Vec::new()) != index_hash(hash) {
                    return Err(Rejected::Nonsense);
                }
                let is_it = |number: u64| arena.holds(number - 1, &state);
                match store
                    .shared
                    .index
                    .find_or_insert(index_hash(hash), &mut inside, arena, is_it, || Some(position + 1))
                {
                    Indexed::New(_) => Ok(()),
                    Indexed::Known(_) => Err(Rejected::Nonsense),
                    Indexed::Full => Err(Rejected::Full),
                }
            }),
            Section::Shape | Section::Flags | Section::End => Err(Rejected::Nonsense),
        })?;
        drop(inside);
        drop(worker);
        let mut restored = 0;
        store.shared.index.for_each(&Worker::new(&store.shared.workers).enter(), |_| restored += 1);
        if states != restored || next != end {
            return Err(blocks.damaged());
        }
        store.shared.count.store(states, Ordering::Relaxed);
        Ok(store)
    }
}
