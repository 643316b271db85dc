//! All states and transitions of a system, kept as a graph: for questions that a search on the fly cannot answer.
//!
//! States are numbered in the order in which a breadth-first search finds them, so the first path to a state is a shortest one.

use system::{Arena, Extent, Fate, Marks, Notes, System};

use crate::bounds::{Bounds, End, Meter, Tally};
use crate::parents::way_to;
use crate::progress::{Counters, Progress};
use crate::store::{Insert, LoadStates, NumberStates, StateRef, VisitedSet, Visitor};

/// The graph of a system.
#[derive(Debug)]
pub struct Explored<S> {
    /// Why the search ended.
    pub end: End,
    /// Where each state is stored; the first one is the initial one.
    pub states: Vec<StateRef>,
    /// The transitions of state `s` are those from `offsets[s]` to `offsets[s + 1]`.
    pub offsets: Vec<usize>,
    /// Where each transition leads.
    pub targets: Vec<u32>,
    /// The marks of each transition.
    pub marks: Vec<u64>,
    /// What each state asks for ([`Signals::requests`](system::Signals::requests)).
    pub requests: Vec<u64>,
    /// A run that is a violation whatever follows: its states, the last of which need not be one of the graph.
    pub sealed: Option<Vec<Vec<u8>>>,
    /// Transitions to states that were known.
    pub matched: u64,
    /// The greatest distance from the initial state.
    pub depth: u64,
    /// What was learnt on the way.
    pub notes: Notes,
    /// The system.
    pub system: S,
}

/// Explores a system to the end, unless a limit is reached or a run's fate is sealed.
pub fn explore<S, V>(mut system: S, store: &V, bounds: Bounds, progress: &Progress) -> Explored<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    let mut initial = Vec::new();
    let fate = system.initial(&mut initial);
    let meter = Meter::new(bounds, progress, Counters::default(), false);
    let mut search = Search {
        tally: Tally::new(store.handle().budget()),
        handle: store.handle(),
        parents: Vec::new(),
        found: Explored {
            end: End::Complete,
            states: Vec::new(),
            offsets: vec![0],
            targets: Vec::new(),
            marks: Vec::new(),
            requests: Vec::new(),
            sealed: None,
            matched: 0,
            depth: 0,
            notes: Notes::default(),
            system,
        },
    };
    let reached = match fate {
        Fate::Sealed => {
            search.found.sealed = Some(vec![initial]);
            Some(End::Violation)
        }
        Fate::Open => search.run(&initial, &meter).err(),
    };
    if search.found.sealed.is_some() {
        progress.violate();
    }
    meter.hand_in(&mut search.tally);
    let (end, Counters { matched, depth, .. }) = meter.end(reached);
    let notes = search.tally.notes(&search.found.system);
    Explored { end, matched, depth, notes, ..search.found }
}

struct Search<S, H: LoadStates> {
    handle: H,
    tally: Tally,
    /// The state from which each was found first.
    parents: Vec<u32>,
    found: Explored<S>,
}

impl<S: System, H: LoadStates + NumberStates> Search<S, H> {
    /// The memory of the lists.
    fn bytes(&self) -> u64 {
        let Explored { states, offsets, targets, marks, requests, .. } = &self.found;
        let for_states = (size_of::<StateRef>() + size_of::<u32>()) * states.len()
            + size_of::<usize>() * offsets.len()
            + size_of::<u64>() * requests.len();
        let for_transitions = size_of::<u32>() * targets.len() + size_of::<u64>() * marks.len();
        (for_states + for_transitions) as u64
    }

    fn run(&mut self, initial: &[u8], meter: &Meter<'_>) -> Result<(), End> {
        self.number(initial, 0)?;
        let (mut state, mut transitions) = (Vec::new(), Arena::new());
        // The states found so far lie in layers: this one ends here.
        let (mut next, mut layer_end, mut depth) = (0, 1, 0);
        while next < self.found.states.len() {
            if next == layer_end {
                depth += 1;
                layer_end = self.found.states.len();
            }
            if meter.is_too_deep(depth) {
                self.tally.depth = depth;
                return Err(End::Depth);
            }
            if self.tally.expanded(depth, meter) {
                let bytes = self.bytes();
                meter.look(&mut self.tally, || bytes).map_or(Ok(()), Err)?;
            }
            self.handle.load(self.found.states[next], &mut state);
            // A graph wants all transitions but those that the system itself knows to be superfluous.
            let mut extent = self.found.system.reduced(&state, &mut transitions);
            while extent == Extent::Part {
                extent = self.found.system.other(&state, &mut transitions);
            }
            self.tally.seen(&state, &transitions);
            for index in 0..transitions.len() {
                if transitions.fate(index) == Fate::Sealed {
                    self.found.sealed = Some(self.run_to(next as u32, transitions.target(index)));
                    return Err(End::Violation);
                }
                let target = self.number(transitions.target(index), next as u32)?;
                self.found.targets.push(target);
                self.found.marks.push(transitions.marks(index).0);
            }
            let Marks(requests) = transitions.signals().requests;
            self.found.requests.push(requests);
            self.found.offsets.push(self.found.targets.len());
            next += 1;
        }
        Ok(())
    }

    /// The number of a state, a new one if need be.
    fn number(&mut self, state: &[u8], parent: u32) -> Result<u32, End> {
        match self.handle.insert(state, &Default::default()) {
            Insert::Full => Err(End::Memory),
            Insert::New(reference) => {
                // The store keeps numbers from one on.
                let number = u32::try_from(self.found.states.len()).ok().filter(|&number| number + 1 < H::LIMIT);
                let number = number.ok_or(End::Memory)?;
                self.handle.set_number(reference, number + 1);
                self.tally.stored += 1;
                self.found.states.push(reference);
                self.parents.push(parent);
                Ok(number)
            }
            Insert::Known(reference) => {
                self.tally.matched += 1;
                self.handle.number(reference).checked_sub(1).ok_or(End::Damaged)
            }
        }
    }

    /// The states from the initial one to one with a number, then another.
    fn run_to(&mut self, state: u32, last: &[u8]) -> Vec<Vec<u8>> {
        let way = way_to(state, |state| self.parents[state as usize]);
        let run = way.into_iter().map(|state| self.handle.loaded(self.found.states[state as usize]));
        run.chain([last.to_vec()]).collect()
    }
}
