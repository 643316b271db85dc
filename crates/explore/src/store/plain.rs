//! The store without compression: every state's bytes in an arena, found through a hash index.
//!
//! ```text
//! arena    header | bytes … | header | bytes …        header: length 25 bits, flags 7 bits
//! index    hash ──▶ position of the header + 1
//! ```
//! The measure for the others: as exact as the tree, faster to load from, and larger by the length of the vectors. A
//! state's reference is its position. Records never move, so flags cost nothing: they live in the header.

use super::checkpoint::{BlockReader, BlockWriter, Checkpoint, CheckpointError, Kind, Rejected, Section};
use super::growing::{Worker, Workers};
use super::index::{Index, Indexed, Records};
use super::memory::Budget;
use super::mix::hash_bytes;
use super::segments::Segments;
use super::slot::prefetch;
use super::sync::{Arc, AtomicU32, AtomicU64, Mutex, Ordering, lock};
use super::{Coverage, FlagStates, Flags, Insert, Limits, LoadStates, StateRef, VisitedSet, Visitor};
use std::io::{self, Read, Write};
use std::ops::Range;

/// Bits of a header that are the length in bytes.
const LENGTH_BITS: u32 = 25;
const LENGTH_MASK: u32 = (1 << LENGTH_BITS) - 1;
/// Words reserved for a worker at a time: a page.
const BLOCK: u64 = 1024;

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
    words: Segments<AtomicU32>,
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

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }
}

impl Visitor for PlainHandle {
    type Cursor = ();
    type Prepared = PlainPrepared;

    fn prepare(&mut self, state: &[u8], (): &()) -> PlainPrepared {
        let hash = hash_bytes(state);
        self.shared.index.prefetch(hash, &self.worker.enter());
        PlainPrepared(hash)
    }

    fn commit(&mut self, state: &[u8], PlainPrepared(hash): PlainPrepared) -> Insert {
        let arena = &self.shared.arena;
        let length = match u32::try_from(state.len()) {
            Ok(length) if length <= LENGTH_MASK => length,
            _ => return Insert::Full,
        };
        let words = 1 + u64::from(length.div_ceil(4));
        let offer = || {
            if self.spare.end - self.spare.start < words {
                arena.give_back(std::mem::replace(&mut self.spare, arena.reserve(words)?));
            }
            arena.write(self.spare.start, length, state)?;
            Some(self.spare.start + 1)
        };
        let is_it = |number: u64| arena.holds(number - 1, length, state);
        match self.shared.index.find_or_insert(hash, &mut self.worker.enter(), arena, is_it, offer) {
            Indexed::Known(number) => Insert::Known(StateRef(number - 1)),
            Indexed::New(number) => {
                self.spare.start += words;
                self.shared.count.fetch_add(1, Ordering::Relaxed);
                Insert::New(StateRef(number - 1))
            }
            Indexed::Full => Insert::Full,
        }
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
        self.update_flags(state, |header| header.fetch_or(u32::from(mask.0) << LENGTH_BITS, Ordering::AcqRel))
    }

    fn clear_flags(&mut self, state: StateRef, mask: Flags) -> Flags {
        self.update_flags(state, |header| header.fetch_and(!(u32::from(mask.0) << LENGTH_BITS), Ordering::AcqRel))
    }
}

impl PlainHandle {
    fn update_flags(&self, state: StateRef, update: impl Fn(&AtomicU32) -> u32) -> Flags {
        let header = self.shared.arena.words.get(state.0);
        header.map_or(Flags::NONE, |header| Flags((update(header) >> LENGTH_BITS) as u8))
    }
}

impl Drop for PlainHandle {
    fn drop(&mut self) {
        self.shared.arena.give_back(std::mem::take(&mut self.spare));
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
    fn write(&self, position: u64, length: u32, state: &[u8]) -> Option<()> {
        let words = self.words.range(position, 1 + u64::from(length.div_ceil(4)))?;
        words[0].store(length, Ordering::Relaxed);
        for (word, bytes) in words[1..].iter().zip(words_of(state)) {
            word.store(bytes, Ordering::Relaxed);
        }
        Some(())
    }

    fn holds(&self, position: u64, length: u32, state: &[u8]) -> bool {
        self.record(position).is_some_and(|(found, words)| {
            found == length
                && words.iter().zip(words_of(state)).all(|(word, bytes)| word.load(Ordering::Relaxed) == bytes)
        })
    }

    fn read(&self, position: u64, into: &mut Vec<u8>) {
        into.clear();
        if let Some((length, words)) = self.record(position) {
            into.extend(words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()));
            into.truncate(length as usize);
        }
    }

    /// Length in bytes, and words, of the record at a position.
    fn record(&self, position: u64) -> Option<(u32, &[AtomicU32])> {
        let length = self.words.get(position)?.load(Ordering::Relaxed) & LENGTH_MASK;
        let words = self.words.range(position, 1 + u64::from(length.div_ceil(4)))?;
        Some((length, &words[1..]))
    }
}

impl Records for Arena {
    fn hash(&self, number: u64, scratch: &mut Vec<u8>) -> u64 {
        self.read(number - 1, scratch);
        hash_bytes(scratch)
    }

    fn prefetch(&self, number: u64) {
        prefetch(self.words.get(number - 1));
    }
}

/// The bytes as words, the last filled with zeroes.
fn words_of(state: &[u8]) -> impl Iterator<Item = u32> {
    let (whole, rest) = state.as_chunks::<4>();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(last);
    whole.iter().copied().chain(last).map(u32::from_le_bytes)
}

impl Checkpoint for PlainStore {
    fn save(&self, to: &mut impl Write) -> io::Result<()> {
        let mut blocks = BlockWriter::new(to, Kind::Plain)?;
        let words = &self.shared.arena.words;
        let word = |at: u64| words.get(at).map_or(0, |word| u64::from(word.load(Ordering::Acquire)));
        blocks.words(Section::Shape, [words.end()])?;
        blocks.words(Section::Content, (0..words.end()).step_by(2).map(|at| word(at) | word(at + 1) << 32))?;
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
            Section::Content => words.iter().try_for_each(|&pair| {
                for word in [pair as u32, (pair >> 32) as u32] {
                    match arena.words.get(next) {
                        Some(cell) if next < end => cell.store(word, Ordering::Relaxed),
                        // An odd number of words is filled up.
                        _ if next == end && word == 0 => {}
                        _ => return Err(Rejected::Nonsense),
                    }
                    next += 1;
                }
                Ok(())
            }),
            Section::States => words.iter().try_for_each(|&position| {
                let (length, _) = arena.record(position).filter(|_| position < end).ok_or(Rejected::Nonsense)?;
                arena.read(position, &mut state);
                let is_it = |number: u64| arena.holds(number - 1, length, &state);
                match store
                    .shared
                    .index
                    .find_or_insert(hash_bytes(&state), &mut inside, arena, is_it, || Some(position + 1))
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
        if states != restored || next.next_multiple_of(2) != end.next_multiple_of(2) {
            return Err(blocks.damaged());
        }
        store.shared.count.store(states, Ordering::Relaxed);
        Ok(store)
    }
}
