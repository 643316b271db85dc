//! All states and transitions of a system, kept as a graph: for questions that a search on the fly cannot answer.
//!
//! States are numbered in the order in which a breadth-first search finds them, so the first path to a state is a shortest one.

use std::time::Instant;

use system::{Arena, Extent, Fate, Marks, Notes, Seen, System};

use crate::cycles::Options;
use crate::search::{Counters, End, Progress};
use crate::store::{Charge, Insert, LoadStates, NumberStates, StateRef, VisitedSet, Visitor};

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

/// Limits are looked at after so many states.
const BATCH: usize = 256;

/// Explores a system to the end, unless a limit is reached or a run's fate is sealed.
pub fn explore<S, V>(mut system: S, store: &V, options: &Options, progress: &Progress) -> Explored<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    let mut initial = Vec::new();
    let fate = system.initial(&mut initial);
    let mut search = Search {
        charge: store.handle().budget().open(),
        handle: store.handle(),
        parents: Vec::new(),
        seen: Seen::default(),
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
    search.found.end = match fate {
        Fate::Sealed => {
            search.found.sealed = Some(vec![initial]);
            End::Violation
        }
        Fate::Open => search.run(&initial, options, progress).err().unwrap_or(End::Complete),
    };
    progress.set(search.counters());
    progress.end();
    search.seen.notes(&mut search.found.notes);
    search.found.system.notes(&mut search.found.notes);
    search.found
}

struct Search<S, H: LoadStates> {
    handle: H,
    /// What the lists take of the store's memory.
    charge: Charge,
    /// The state from which each was found first.
    parents: Vec<u32>,
    seen: Seen,
    found: Explored<S>,
}

impl<S: System, H: LoadStates + NumberStates> Search<S, H> {
    fn counters(&self) -> Counters {
        Counters { stored: self.found.states.len() as u64, matched: self.found.matched, depth: self.found.depth }
    }

    /// The memory of the lists.
    fn bytes(&self) -> u64 {
        let Explored { states, offsets, targets, marks, requests, .. } = &self.found;
        let for_states = (size_of::<StateRef>() + size_of::<u32>()) * states.len()
            + size_of::<usize>() * offsets.len()
            + size_of::<u64>() * requests.len();
        let for_transitions = size_of::<u32>() * targets.len() + size_of::<u64>() * marks.len();
        (for_states + for_transitions) as u64
    }

    fn run(&mut self, initial: &[u8], options: &Options, progress: &Progress) -> Result<(), End> {
        let started = Instant::now();
        self.number(initial, 0)?;
        let (mut state, mut transitions) = (Vec::new(), Arena::new());
        // The states found so far lie in layers: this one ends here.
        let (mut next, mut layer_end) = (0, 1);
        while next < self.found.states.len() {
            if next == layer_end {
                self.found.depth += 1;
                layer_end = self.found.states.len();
            }
            if options.max_depth.is_some_and(|limit| self.found.depth >= limit) {
                return Err(End::Depth);
            }
            if options.max_states.is_some_and(|limit| self.found.states.len() as u64 > limit) {
                return Err(End::States);
            }
            if next.is_multiple_of(BATCH) {
                progress.set(self.counters());
                if let Some(end) = progress.end_asked_for() {
                    return Err(end);
                }
                if options.max_time.is_some_and(|limit| started.elapsed() >= limit) {
                    return Err(End::Time);
                }
                if !self.charge.resize(self.bytes()) {
                    return Err(End::Memory);
                }
            }
            self.handle.load(self.found.states[next], &mut state);
            // A graph wants all transitions but those that the system itself knows to be superfluous.
            let mut extent = self.found.system.reduced(&state, &mut transitions);
            while extent == Extent::Part {
                extent = self.found.system.other(&state, &mut transitions);
            }
            self.seen.expanded(&state, &transitions);
            for index in 0..transitions.len() {
                if transitions.fate(index) == Fate::Sealed {
                    progress.violate();
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
                self.found.states.push(reference);
                self.parents.push(parent);
                Ok(number)
            }
            Insert::Known(reference) => {
                self.found.matched += 1;
                self.handle.number(reference).checked_sub(1).ok_or(End::Damaged)
            }
        }
    }

    /// The states from the initial one to one with a number, then another.
    fn run_to(&mut self, mut state: u32, last: &[u8]) -> Vec<Vec<u8>> {
        let mut run = vec![last.to_vec()];
        loop {
            let mut bytes = Vec::new();
            self.handle.load(self.found.states[state as usize], &mut bytes);
            run.push(bytes);
            if state == 0 {
                break;
            }
            state = self.parents[state as usize];
        }
        run.reverse();
        run
    }
}
