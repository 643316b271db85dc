//! One side of a comparison as far as it was asked for: states get numbers when they are met, and steps when somebody wants them.
//!
//! Everything behind this file works on numbers. A state's bytes lie in the compressed store of the searches, and its steps in one list, sorted and
//! without doubles; each state is expanded once.

use explore::search::{Counters, End, Progress};
use explore::store::{
    Insert, Limits as StoreLimits, LoadStates, NumberStates, Numbers, StateRef, TreeHandle, TreeStore, VisitedSet,
    Visitor,
};

use crate::graph::Graph;
use crate::limits::Watch;
use crate::lts::Row;
use crate::{Event, Limits, Lts, Observed, Steps};

/// A part of a system, which grows.
pub(crate) struct Space<'o> {
    observed: &'o mut dyn Observed,
    store: TreeStore<Numbers>,
    handle: TreeHandle<Numbers>,
    /// Where each state is stored.
    references: Vec<StateRef>,
    /// Where the steps of each state are; [`UNKNOWN`] until they are asked for.
    rows: Vec<(u32, u32)>,
    steps: Vec<(Event, u32)>,
    expanded: u64,
    state: Vec<u8>,
    arena: Steps,
    /// A single closure under internal steps may be the whole system, so limits are looked at here, too.
    watch: Watch<'o>,
    inserted: Vec<(Insert, u32)>,
}

const UNKNOWN: (u32, u32) = (u32::MAX, u32::MAX);

impl<'o> Space<'o> {
    /// A space with the initial state alone, whose number is zero.
    pub(crate) fn new(observed: &'o mut dyn Observed, watch: Watch<'o>) -> Result<Space<'o>, End> {
        let store = TreeStore::with_numbers(StoreLimits::memory(watch.limits.max_memory));
        let mut initial = Vec::new();
        observed.initial(&mut initial);
        let mut space = Space {
            handle: store.handle(),
            store,
            observed,
            references: Vec::new(),
            rows: Vec::new(),
            steps: Vec::new(),
            expanded: 0,
            state: Vec::new(),
            arena: Steps::new(),
            watch,
            inserted: Vec::new(),
        };
        let inserted = space.handle.insert(&initial, &Default::default());
        space.number(inserted, 0)?;
        Ok(space)
    }

    /// Steps known so far.
    pub(crate) fn transitions(&self) -> u64 {
        self.steps.len() as u64
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.references.capacity() * size_of::<StateRef>()
            + self.rows.capacity() * size_of::<(u32, u32)>()
            + self.steps.capacity() * size_of::<(Event, u32)>();
        self.store.memory() + lists as u64
    }

    /// The bytes of a state.
    pub(crate) fn load(&mut self, state: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.handle.load(self.references[state as usize], &mut bytes);
        bytes
    }

    fn expand_anew(&mut self, state: u32) -> Result<(), End> {
        if self.watch.is_due() {
            self.watch.look(u64::from(self.states()), self.bytes(), self.counters())?;
        }
        let mut cursor = Default::default();
        self.handle.visit(self.references[state as usize], &mut self.state, &mut cursor);
        self.observed.steps(&self.state, &mut self.arena);
        let (arena, mut inserted) = (std::mem::take(&mut self.arena), std::mem::take(&mut self.inserted));
        self.handle.insert_all_numbered(arena.len(), |number| arena.target(number), &cursor, &mut inserted);
        let start = self.steps.len();
        for (step, &(insert, number)) in inserted.iter().enumerate() {
            let target = self.number(insert, number)?;
            self.steps.push((arena.event(step), target));
        }
        (self.arena, self.inserted) = (arena, inserted);
        self.sort_from(start);
        self.rows[state as usize] = (row_index(start)?, row_index(self.steps.len() - start)?);
        self.expanded += 1;
        Ok(())
    }

    /// The number of a state that was just inserted or found, a new one if need be. The store keeps numbers from one on.
    fn number(&mut self, insert: Insert, known: u32) -> Result<u32, End> {
        match insert {
            Insert::Full => Err(End::Memory),
            Insert::New(reference) => {
                let number = u32::try_from(self.references.len()).ok().filter(|&number| number + 1 < TreeHandle::LIMIT);
                let number = number.ok_or(End::Memory)?;
                self.handle.set_number(reference, number + 1);
                self.references.push(reference);
                self.rows.push(UNKNOWN);
                Ok(number)
            }
            // A state that came twice in one batch had no number when it was looked for.
            Insert::Known(reference) if known == 0 => self.handle.number(reference).checked_sub(1).ok_or(End::Damaged),
            Insert::Known(_) => Ok(known - 1),
        }
    }

    /// Sorts the last row and drops doubles.
    fn sort_from(&mut self, start: usize) {
        self.steps[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.steps.len() {
            if at == start || self.steps[at] != self.steps[kept - 1] {
                self.steps[kept] = self.steps[at];
                kept += 1;
            }
        }
        self.steps.truncate(kept);
    }

    /// Expands every state that can be reached, nearest first.
    pub(crate) fn expand_all(&mut self, watch: &mut Watch<'_>) -> Result<(), End> {
        self.expand_some(u32::MAX, watch)?;
        watch.look(u64::from(self.states()), self.bytes(), self.counters())
    }

    /// The same for the first so many states; answers whether there are no others.
    pub(crate) fn expand_some(&mut self, most: u32, watch: &mut Watch<'_>) -> Result<bool, End> {
        let mut state = 0;
        while state < self.states().min(most) {
            if watch.is_due() {
                watch.look(u64::from(self.states()), self.bytes(), self.counters())?;
            }
            self.expand(state)?;
            state += 1;
        }
        Ok(self.states() <= most)
    }

    fn counters(&self) -> Counters {
        let stored = u64::from(self.states());
        Counters { stored, matched: (self.transitions() + 1).saturating_sub(stored), depth: 0 }
    }

    /// The explicit system, in which unexpanded states have no steps.
    pub(crate) fn to_lts(&self) -> Lts {
        let row = |state| if self.rows[state as usize] == UNKNOWN { &[][..] } else { self.steps(state) };
        Lts::of_rows(0, (0..self.states()).map(row))
    }
}

impl Graph for Space<'_> {
    fn states(&self) -> u32 {
        self.references.len() as u32
    }

    #[inline]
    fn expand(&mut self, state: u32) -> Result<(), End> {
        if self.rows[state as usize] == UNKNOWN { self.expand_anew(state) } else { Ok(()) }
    }

    #[inline]
    fn steps(&self, state: u32) -> &Row {
        let (start, length) = self.rows[state as usize];
        debug_assert_ne!((start, length), UNKNOWN, "the state was expanded");
        &self.steps[start as usize..start as usize + length as usize]
    }
}

fn row_index(index: usize) -> Result<u32, End> {
    u32::try_from(index).ok().filter(|&index| index != u32::MAX).ok_or(End::Memory)
}

/// All states and steps of a system.
pub struct Explored<'o> {
    /// The explicit system. States are numbered in the order in which a breadth-first search meets them; the initial one is zero.
    pub lts: Lts,
    space: Space<'o>,
}

impl Explored<'_> {
    /// The system's own bytes for a state of the explicit system.
    pub fn state(&mut self, number: u32) -> Vec<u8> {
        self.space.load(number)
    }
}

/// Explores a system to the end; fails past a limit.
pub fn explore<'o>(
    observed: &'o mut dyn Observed,
    limits: &Limits,
    progress: &'o Progress,
) -> Result<Explored<'o>, End> {
    let mut watch = Watch::new(*limits, progress);
    let mut space = Space::new(observed, watch)?;
    space.expand_all(&mut watch)?;
    Ok(Explored { lts: space.to_lts(), space })
}
