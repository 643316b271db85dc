//! Components with several workers: one searches, the others go ahead of it.
//!
//! Most of the work of a search is to generate successors and to store them, and that can be done in any order. So one worker, the *searcher*, looks for
//! components as if it were alone ([`super::component`]); the others, *scouts*, take states that nobody has expanded, find their transitions, and leave a
//! record of them. The searcher takes the record where there is one, and expands the state itself otherwise. So it visits the states that one
//! worker would visit, in the same order, and comes to the same end with the same run, whatever the scouts do and however many there are: acceptance of any
//! kind, fairness, and the watch over the path that partial order wants are its own affair. The price is that all components are found by
//! one worker, which bounds what more workers can gain.
//!
//! States have numbers. For each there are two words: its reference; and its *stage*, which is open, taken by a scout, left to the searcher, or the
//! position of its record. A scout takes an open state and publishes its record by compare and exchange; the searcher may take a state at any time, and the
//! scout's record is not wanted then.
//!
//! All this is charged to the store's budget: twenty bytes for a state, and a part of the memory for records. Scouts that find none wait; the searcher then ends.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use system::{Arena, Extent, Marks, Notes, Seen, System};

use super::Outcome;
use super::alone::{expansion, sealed};
use super::component::Search;
use super::records::{Position, Recorded, Records, Unwritten, Writer};
use super::space::{Edge, Expansion, Place, Space};
use crate::store::{
    Budget, CellU64, Charge, Insert, LoadStates, NumberStates, Segments, StateRef, VisitedSet, Visitor,
};
use crate::{Bounds, Progress};

/// The searcher begins alone: many searches end soon.
const FIRST_STATES: u64 = if cfg!(test) { 10 } else { 200 };

/// So many numbers are reserved at a time.
const NUMBERS: u64 = 1024;

/// So many states are given away or taken at a time.
const SHARE: usize = 64;

/// Nobody has expanded the state.
const OPEN: u64 = 0;
/// A scout is about to.
const TAKEN: u64 = 1;
/// The searcher does, or did.
const LEFT: u64 = 2;
/// Positions of records are counted from here.
const RECORDS: u64 = 3;

/// What the workers share.
struct Shared {
    /// For each number a reference and a stage.
    states: Segments<CellU64>,
    records: Records,
    acceptance: Marks,
    /// States that somebody has given away.
    given: Mutex<Vec<u32>>,
    given_count: AtomicUsize,
    /// Scouts that wait for some.
    hungry: AtomicUsize,
    done: AtomicBool,
}

impl Shared {
    fn cell(&self, position: u64) -> &CellU64 {
        self.states.get(position).expect("the state has a number")
    }

    fn reference(&self, number: u32) -> StateRef {
        StateRef::from_bits(self.cell(2 * u64::from(number)).load(Ordering::Relaxed))
    }

    fn stage(&self, number: u32) -> &CellU64 {
        self.cell(2 * u64::from(number) + 1)
    }

    fn give(&self, numbers: impl Iterator<Item = u32>) {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.extend(numbers);
        self.given_count.store(given.len(), Ordering::Relaxed);
    }

    fn take(&self, into: &mut VecDeque<u32>) {
        if self.given_count.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let start = given.len().saturating_sub(SHARE);
        into.extend(given.drain(start..));
        self.given_count.store(given.len(), Ordering::Relaxed);
    }

    fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }
}

/// Sends the scouts home, whatever becomes of the searcher.
struct Homecoming<'a>(&'a Shared);

impl Drop for Homecoming<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Ordering::Relaxed);
    }
}

/// Searches a system for a violating run: with the first worker's view of it, while the others go ahead.
pub(super) fn search<S, V>(mut systems: Vec<S>, store: &V, bounds: Bounds, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    let first = systems.remove(0);
    let handle = store.handle();
    let budget = handle.budget();
    let shared = Shared {
        states: Segments::new(2 * (u64::from(<V::Handle as NumberStates>::LIMIT) - 1), budget),
        records: Records::new(budget),
        acceptance: first.acceptance(),
        given: Mutex::new(Vec::new()),
        given_count: AtomicUsize::new(0),
        hungry: AtomicUsize::new(0),
        done: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        let homecoming = Homecoming(&shared);
        let scouts: Vec<_> = systems
            .into_iter()
            .map(|system| {
                let scout = Scout { expander: Expander::new(&shared, system, store.handle()), queue: VecDeque::new() };
                scope.spawn(move || scout.run())
            })
            .collect();
        let searcher = Searcher {
            places: Places { list: Vec::new(), budget: Arc::clone(handle.budget()), charge: None },
            expander: Expander::new(&shared, first, handle),
            own: VecDeque::new(),
            expanded: 0,
            at_hand: None,
        };
        let found = Search::new(searcher, bounds, progress).run();
        drop(homecoming);
        let mut notes = found.space.expander.notes();
        for scout in scouts {
            notes.merge(&scout.join().expect("a scout does not panic"));
        }
        Outcome {
            end: found.end,
            stored: found.counters.stored,
            matched: found.counters.matched,
            depth: found.counters.depth,
            components: found.components,
            violation: found.violation,
            notes,
            system: found.space.expander.system,
        }
    })
}

/// What a worker needs to find the transitions out of a state.
struct Expander<'a, S: System, H: LoadStates> {
    shared: &'a Shared,
    system: S,
    handle: H,
    state: Vec<u8>,
    cursor: H::Cursor,
    transitions: Arena,
    seen: Seen,
    inserted: Vec<(Insert, u32)>,
    /// Numbers that no state has.
    spare: Range<u64>,
    /// The targets of the transitions found last, and those of them to which this worker gave a number.
    edges: Vec<Recorded>,
    named: Vec<u32>,
}

/// There is no memory for a state.
struct Full;

impl<'a, S: System, H: LoadStates + NumberStates> Expander<'a, S, H> {
    fn new(shared: &'a Shared, system: S, handle: H) -> Self {
        Expander {
            shared,
            system,
            handle,
            state: Vec::new(),
            cursor: Default::default(),
            transitions: Arena::new(),
            seen: Seen::default(),
            inserted: Vec::new(),
            spare: 0..0,
            edges: Vec::new(),
            named: Vec::new(),
        }
    }

    /// What was learnt on the way.
    fn notes(&self) -> Notes {
        let mut notes = Notes::default();
        self.seen.notes(&mut notes);
        self.system.notes(&mut notes);
        notes
    }

    /// Asks the system for the transitions out of a state that are to be tried first.
    fn expand(&mut self, number: u32) -> Extent {
        self.handle.visit(self.shared.reference(number), &mut self.state, &mut self.cursor);
        let extent = self.system.reduced(&self.state, &mut self.transitions);
        self.seen.expanded(&self.state, &self.transitions);
        extent
    }

    /// Stores the targets of the transitions at hand.
    fn store(&mut self) -> Result<(), Full> {
        let Expander { handle, transitions, cursor, inserted, .. } = self;
        handle.insert_all_numbered(transitions.len(), |index| transitions.target(index), cursor, inserted);
        self.edges.clear();
        self.named.clear();
        for index in 0..self.inserted.len() {
            let target = match self.inserted[index] {
                // Whoever stored it is about to give it a number.
                (Insert::New(state) | Insert::Known(state), 0) => self.name(state)?,
                (Insert::New(_) | Insert::Known(_), number) => number - 1,
                (Insert::Full, _) => return Err(Full),
            };
            self.edges
                .push(Recorded { target, missing: self.shared.acceptance.without(self.transitions.marks(index)) });
        }
        Ok(())
    }

    /// The number of a state that seems to have none.
    fn name(&mut self, state: StateRef) -> Result<u32, Full> {
        if self.spare.is_empty() {
            let cells = self.shared.states.reserve(2 * NUMBERS).ok_or(Full)?;
            self.spare = cells.start / 2..cells.end / 2;
        }
        let number = self.spare.start as u32;
        // Who sees the number sees the reference.
        self.shared.cell(2 * u64::from(number)).store(state.to_bits(), Ordering::Relaxed);
        match self.handle.number_or(state, number + 1) {
            0 => Err(Full),
            given if given == number + 1 => {
                self.spare.start += 1;
                self.named.push(number);
                Ok(number)
            }
            given => Ok(given - 1),
        }
    }
}

/// A worker that goes ahead.
struct Scout<'a, S: System, H: LoadStates> {
    expander: Expander<'a, S, H>,
    /// States that it may expand.
    queue: VecDeque<u32>,
}

impl<S: System, H: LoadStates + NumberStates> Scout<'_, S, H> {
    /// Goes ahead until the searcher is done; what was learnt on the way.
    fn run(mut self) -> Notes {
        let shared = self.expander.shared;
        let mut writer = Writer::default();
        while !shared.is_done() {
            let Some(number) = self.queue.pop_back() else {
                self.wait_for_work();
                continue;
            };
            let stage = shared.stage(number);
            if stage.compare_exchange(OPEN, TAKEN, Ordering::Relaxed, Ordering::Relaxed).is_err() {
                continue;
            }
            let extent = self.expander.expand(number);
            // What ends the search is found by the searcher.
            if sealed(&self.expander.transitions).is_some() || self.expander.store().is_err() {
                stage.store(LEFT, Ordering::Relaxed);
                continue;
            }
            self.queue.extend(&self.expander.named);
            let Some(position) = self.write(&mut writer, extent) else {
                stage.store(LEFT, Ordering::Relaxed);
                continue;
            };
            let published = RECORDS + position.0;
            if stage.compare_exchange(TAKEN, published, Ordering::Release, Ordering::Relaxed).is_err() {
                shared.records.withdraw(&mut writer, position);
            }
            if self.queue.len() > 2 * SHARE && shared.hungry.load(Ordering::Relaxed) > 0 {
                shared.give(self.queue.drain(..SHARE));
            }
        }
        self.expander.notes()
    }

    /// Writes the record of the state expanded last, as soon as there is room; `None` if there will be none.
    fn write(&self, writer: &mut Writer, extent: Extent) -> Option<Position> {
        let shared = self.expander.shared;
        loop {
            match shared.records.write(writer, extent, &self.expander.edges) {
                Ok(position) => return Some(position),
                Err(Unwritten::TooLong) => return None,
                Err(Unwritten::NoBlock) if shared.is_done() => return None,
                Err(Unwritten::NoBlock) => std::thread::sleep(PAUSE),
            }
        }
    }

    fn wait_for_work(&mut self) {
        let shared = self.expander.shared;
        shared.hungry.fetch_add(1, Ordering::Relaxed);
        while !shared.is_done() && self.queue.is_empty() {
            shared.take(&mut self.queue);
            if self.queue.is_empty() {
                std::thread::sleep(PAUSE);
            }
        }
        shared.hungry.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Who has nothing to do looks again after so long.
const PAUSE: Duration = Duration::from_micros(50);

/// The worker that looks for components.
struct Searcher<'a, S: System, H: LoadStates> {
    expander: Expander<'a, S, H>,
    places: Places,
    /// States to which the searcher gave a number, and which it may give away.
    own: VecDeque<u32>,
    /// How many states it has expanded itself.
    expanded: u64,
    /// The state whose transitions the system was asked for last.
    at_hand: Option<u32>,
}

/// The list of places grows by this part of itself, or by so many: one that doubles would be half empty when memory runs out.
const GROWTH: usize = 8;
const LEAST_GROWTH: usize = 1 << 10;

/// The place of each state, by its number, plus one; zero for states that the searcher has not met.
struct Places {
    list: Vec<u32>,
    budget: Arc<Budget>,
    charge: Option<Charge>,
}

impl Places {
    /// Makes room for the place of a state.
    #[inline]
    fn include(&mut self, number: u32) -> Result<(), Full> {
        if (number as usize) < self.list.len() { Ok(()) } else { self.grow(number as usize + 1) }
    }

    #[cold]
    fn grow(&mut self, least: usize) -> Result<(), Full> {
        let length = least.max(self.list.len() + (self.list.len() / GROWTH).max(LEAST_GROWTH));
        let bytes = ((length - self.list.len()) * size_of::<u32>()) as u64;
        match &mut self.charge {
            Some(charge) => charge.extend(bytes).then_some(()).ok_or(Full)?,
            none => *none = Some(self.budget.charge(bytes).ok_or(Full)?),
        }
        self.list.reserve_exact(length - self.list.len());
        self.list.resize(length, 0);
        Ok(())
    }
}

impl<S: System, H: LoadStates + NumberStates> Searcher<'_, S, H> {
    /// Follows a transition to its target; the result is whether it is new, as a number.
    fn meet(&mut self, edges: &mut Vec<Edge<u32>>, recorded: Recorded) -> Result<u64, Full> {
        let Recorded { target, missing } = recorded;
        self.places.include(target)?;
        let place = &mut self.places.list[target as usize];
        let new = u64::from(*place == 0);
        *place += new as u32;
        edges.push(Edge { target, place: Place(*place - 1), marks: self.expander.shared.acceptance.without(missing) });
        Ok(new)
    }

    /// Stores the targets of the transitions at hand.
    fn store(&mut self, extent: Extent, edges: &mut Vec<Edge<u32>>) -> (Expansion, u64) {
        edges.clear();
        if let Some(last) = sealed(&self.expander.transitions) {
            return (Expansion::Sealed(last), 0);
        }
        if self.expander.store().is_err() {
            return (Expansion::Full, 0);
        }
        let mut new = 0;
        for index in 0..self.expander.edges.len() {
            match self.meet(edges, self.expander.edges[index]) {
                Ok(one) => new += one,
                Err(Full) => return (Expansion::Full, new),
            }
        }
        self.own.extend(&self.expander.named);
        (expansion(extent), new)
    }

    /// Gives states to scouts that have nothing to do: the oldest, behind which there is most to be found.
    fn share(&mut self) {
        let shared = self.expander.shared;
        if self.expanded < FIRST_STATES || shared.hungry.load(Ordering::Relaxed) == 0 {
            return;
        }
        let open = std::iter::from_fn(|| {
            while let Some(number) = self.own.pop_front() {
                if shared.stage(number).load(Ordering::Relaxed) == OPEN {
                    return Some(number);
                }
            }
            None
        });
        let given: Vec<u32> = open.take(SHARE).collect();
        if !given.is_empty() {
            // A scout takes the last one first.
            shared.give(given.into_iter().rev());
        }
    }
}

impl<S: System, H: LoadStates + NumberStates> Space for Searcher<'_, S, H> {
    type System = S;

    type Node = u32;

    fn budget(&self) -> &Arc<Budget> {
        &self.places.budget
    }

    fn initial(&mut self, state: &[u8]) -> Option<u32> {
        let (Insert::New(reference) | Insert::Known(reference)) =
            self.expander.handle.insert(state, &Default::default())
        else {
            return None;
        };
        let number = self.expander.name(reference).ok()?;
        self.meet(&mut Vec::new(), Recorded { target: number, missing: Marks::NONE }).ok()?;
        Some(number)
    }

    fn expand(&mut self, node: u32, edges: &mut Vec<Edge<u32>>) -> (Expansion, u64) {
        let shared = self.expander.shared;
        // Whoever reads it sees the record.
        let stage = shared.stage(node).swap(LEFT, Ordering::AcqRel);
        if let Some(position) = stage.checked_sub(RECORDS) {
            self.at_hand = None;
            edges.clear();
            let (mut new, mut is_full) = (0, false);
            let extent = shared.records.read(Position(position), |recorded| match self.meet(edges, recorded) {
                Ok(one) => new += one,
                Err(Full) => is_full = true,
            });
            return (if is_full { Expansion::Full } else { expansion(extent) }, new);
        }
        self.at_hand = Some(node);
        self.expanded += 1;
        let extent = self.expander.expand(node);
        let stored = self.store(extent, edges);
        self.share();
        stored
    }

    fn expand_otherwise(&mut self, node: u32, edges: &mut Vec<Edge<u32>>) -> (Expansion, u64) {
        if self.at_hand != Some(node) {
            // A scout has asked for what was not enough.
            self.at_hand = Some(node);
            self.expander.expand(node);
        }
        let Expander { system, state, transitions, seen, .. } = &mut self.expander;
        let extent = system.other(state, transitions);
        seen.expanded(state, transitions);
        self.store(extent, edges)
    }

    fn place(&mut self, node: u32) -> Place {
        Place(self.places.list[node as usize] - 1)
    }

    fn put(&mut self, node: u32, place: Place) {
        self.places.list[node as usize] = place.0 + 1;
    }

    fn load(&mut self, node: u32, into: &mut Vec<u8>) {
        self.expander.handle.load(self.expander.shared.reference(node), into);
    }

    fn find(&mut self, state: &[u8]) -> Place {
        let Insert::Known(reference) = self.expander.handle.insert(state, &Default::default()) else {
            return Place::OPEN;
        };
        let number = self.expander.handle.number(reference);
        let place = number.checked_sub(1).and_then(|number| self.places.list.get(number as usize));
        place.map_or(Place::OPEN, |&place| Place(place.saturating_sub(1)))
    }

    fn system(&mut self) -> &mut S {
        &mut self.expander.system
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, GROWTH, LEAST_GROWTH, Places};

    #[test]
    fn places_are_paid_for_and_do_not_double() {
        const STATES: u32 = 100_000;
        let budget = Budget::new(4 * u64::from(STATES));
        let mut places = Places { list: Vec::new(), budget: budget.clone(), charge: None };
        let room = (0..2 * STATES).find(|&number| places.include(number).is_err()).expect("memory is limited");
        assert_eq!(budget.used(), 4 * places.list.len() as u64);
        assert!(room <= STATES && (room as usize) + (room as usize / GROWTH).max(LEAST_GROWTH) >= STATES as usize);
    }
}
