//! Accepting cycles with several workers: CNDFS (Evangelista, Laarman, Petrucci and van de Pol, ATVA 2012).
//!
//! Every worker walks depth first from the initial state, each in an order of its own. What a worker has left for good is *blue*
//! for all, so workers share the work. When a worker leaves an accepting state, it looks from there for a state of its own path
//! (*cyan*) with a second, *red* search, which passes what others have made red. Where its red search met other accepting states, it
//! waits until these are red, so that no worker relies on a red state behind which a cycle is still undiscovered; the paper proves
//! that this neither misses cycles nor waits for ever.
//!
//! The algorithm wants one acceptance set, on states: all transitions out of a state have all marks, or none has.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rustc_hash::FxHashSet;

use super::{Fate, MarkedSystem, Marks, Options, Outcome, Transitions, Violation};
use crate::numbering::Numbering;
use crate::search::{Counters, End, Progress};
use crate::store::{FlagStates, Flags, Insert, LoadStates, StateRef, VisitedSet};

/// Some worker has left the state.
const BLUE: Flags = Flags::bit(0);
/// No accepting cycle through an accepting state that was left can be found from here.
const RED: Flags = Flags::bit(1);

/// Limits are looked at after so many expansions.
const BATCH: u64 = 64;

/// What the workers share.
struct Shared<'a> {
    options: &'a Options,
    progress: &'a Progress,
    started: Instant,
    done: AtomicBool,
    is_cut: AtomicBool,
    stored: AtomicU64,
    matched: AtomicU64,
    depth: AtomicU64,
    end: Mutex<Option<(End, Option<Violation>)>>,
}

/// A state on the path of a worker.
struct Frame {
    start: usize,
    accepting: bool,
}

struct Worker<'a, S: MarkedSystem, H: LoadStates> {
    shared: &'a Shared<'a>,
    system: S,
    handle: H,
    acceptance: Marks,
    /// The path.
    cyan: Numbering,
    frames: Vec<Frame>,
    pending: Vec<StateRef>,
    /// What the present red search has visited, and its path.
    red: FxHashSet<u64>,
    red_order: Vec<(StateRef, bool)>,
    random: u64,
    expansions: u64,
    state: Vec<u8>,
    cursor: H::Cursor,
    transitions: S::Transitions,
}

/// The worker comes home.
struct Stop;

/// Searches a system with acceptance on states for a violating run.
pub(super) fn search<S, V>(systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: MarkedSystem,
    V: VisitedSet<Handle: LoadStates + FlagStates>,
{
    let shared = Shared {
        options,
        progress,
        started: Instant::now(),
        done: AtomicBool::new(false),
        is_cut: AtomicBool::new(false),
        stored: AtomicU64::new(0),
        matched: AtomicU64::new(0),
        depth: AtomicU64::new(0),
        end: Mutex::new(None),
    };
    let mut systems: Vec<S> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..)
            .zip(systems)
            .map(|(number, system)| {
                let worker = Worker::new(&shared, system, store.handle(), number);
                scope.spawn(move || worker.run())
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    let counters = shared.counters();
    progress.set(counters);
    let found = shared.end.into_inner().expect("no worker panics while it holds this");
    let (end, violation) =
        found.unwrap_or_else(|| (if shared.is_cut.load(Ordering::Relaxed) { End::Depth } else { End::Complete }, None));
    Outcome {
        end,
        stored: counters.stored,
        matched: counters.matched,
        depth: counters.depth,
        components: 0,
        violation,
        system: systems.swap_remove(0),
    }
}

impl Shared<'_> {
    fn counters(&self) -> Counters {
        Counters {
            stored: self.stored.load(Ordering::Relaxed),
            matched: self.matched.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
        }
    }

    /// Ends the search; the first reason given counts.
    fn finish(&self, end: End, violation: Option<Violation>) -> Stop {
        self.end.lock().expect("no worker panics while it holds this").get_or_insert((end, violation));
        self.done.store(true, Ordering::Release);
        Stop
    }
}

impl<'a, S: MarkedSystem, H: LoadStates + FlagStates> Worker<'a, S, H> {
    fn new(shared: &'a Shared<'a>, system: S, handle: H, number: u64) -> Self {
        Worker {
            shared,
            acceptance: system.acceptance(),
            system,
            handle,
            cyan: Numbering::default(),
            frames: Vec::new(),
            pending: Vec::new(),
            red: FxHashSet::default(),
            red_order: Vec::new(),
            random: number.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            expansions: 0,
            state: Vec::new(),
            cursor: Default::default(),
            transitions: Default::default(),
        }
    }

    fn run(mut self) -> S {
        // Why it came home is known to all.
        let _ = self.blue();
        self.system
    }

    fn blue(&mut self) -> Result<(), Stop> {
        let mut initial = Vec::new();
        if self.system.initial(&mut initial) == Fate::Sealed {
            let violation = Violation::sealed(vec![initial]);
            return Err(self.shared.finish(End::Violation, Some(violation)));
        }
        let reference = self.insert(&initial)?;
        self.visit(reference)?;
        while let Some(frame) = self.frames.last() {
            if self.pending.len() == frame.start {
                self.leave()?;
                continue;
            }
            let target = self.pending.pop().expect("something is pending");
            match self.cyan.find(target) {
                Some(position) => self.meet(position)?,
                None if self.handle.flags(target).contains(BLUE) => {}
                None => self.visit(target)?,
            }
        }
        Ok(())
    }

    /// The path closes. If one of its two ends is accepting, that is an accepting cycle already.
    fn meet(&mut self, position: u32) -> Result<(), Stop> {
        let top = self.frames.last().is_some_and(|frame| frame.accepting);
        if top || self.frames[position as usize].accepting {
            return Err(self.cycle(position, &[]));
        }
        Ok(())
    }

    /// Comes to a state that is not on the path.
    fn visit(&mut self, state: StateRef) -> Result<(), Stop> {
        let depth = self.frames.len() as u64;
        if self.cyan.push(state).is_none() {
            return Err(self.shared.finish(End::Memory, None));
        }
        self.frames.push(Frame { start: self.pending.len(), accepting: false });
        self.shared.depth.fetch_max(depth, Ordering::Relaxed);
        if self.shared.options.max_depth.is_some_and(|limit| depth >= limit) {
            self.shared.is_cut.store(true, Ordering::Relaxed);
            return Ok(());
        }
        let start = self.pending.len();
        let mut pending = std::mem::take(&mut self.pending);
        let accepting = self.expand(state, &mut pending);
        self.pending = pending;
        self.frames.last_mut().expect("it was pushed").accepting = accepting?;
        self.shuffle(start);
        Ok(())
    }

    /// Appends the successors of a state; the result is whether it is accepting.
    fn expand(&mut self, state: StateRef, into: &mut Vec<StateRef>) -> Result<bool, Stop> {
        self.check_limits()?;
        self.handle.visit(state, &mut self.state, &mut self.cursor);
        let mut transitions = std::mem::take(&mut self.transitions);
        self.system.transitions(&self.state, &mut transitions);
        for index in 0..transitions.len() {
            if transitions.fate(index) == Fate::Sealed {
                return Err(self.sealed(state, transitions.target(index)));
            }
            into.push(self.insert(transitions.target(index))?);
        }
        let accepting = !transitions.is_empty() && transitions.marks(0).contain(self.acceptance);
        debug_assert!(
            (0..transitions.len()).all(|index| transitions.marks(index).contain(self.acceptance) == accepting),
            "acceptance is on states"
        );
        self.transitions = transitions;
        Ok(accepting)
    }

    fn insert(&mut self, state: &[u8]) -> Result<StateRef, Stop> {
        match self.handle.insert(state, &self.cursor) {
            Insert::New(reference) => {
                self.shared.stored.fetch_add(1, Ordering::Relaxed);
                Ok(reference)
            }
            Insert::Known(reference) => {
                self.shared.matched.fetch_add(1, Ordering::Relaxed);
                Ok(reference)
            }
            Insert::Full => Err(self.shared.finish(End::Memory, None)),
        }
    }

    /// Everything behind the state on top of the path is blue or on the path.
    fn leave(&mut self) -> Result<(), Stop> {
        let frame = self.frames.last().expect("a state is on the path");
        let (accepting, position) = (frame.accepting, self.frames.len() as u32 - 1);
        let state = self.cyan.state(position);
        self.handle.set_flags(state, BLUE);
        if accepting {
            self.look_for_a_way_back(state)?;
        }
        self.frames.pop();
        self.cyan.pop();
        Ok(())
    }

    /// The red search from an accepting state.
    fn look_for_a_way_back(&mut self, seed: StateRef) -> Result<(), Stop> {
        self.red.clear();
        self.red_order.clear();
        let mut path: Vec<(StateRef, Vec<StateRef>)> = Vec::new();
        self.enter_red(seed, &mut path)?;
        while let Some((_, pending)) = path.last_mut() {
            let Some(target) = pending.pop() else {
                path.pop();
                continue;
            };
            if let Some(position) = self.cyan.find(target) {
                let way: Vec<StateRef> = path.iter().skip(1).map(|&(state, _)| state).collect();
                return Err(self.cycle(position, &way));
            }
            if !self.red.contains(&target.to_bits()) && !self.handle.flags(target).contains(RED) {
                self.enter_red(target, &mut path)?;
            }
        }
        let visited = std::mem::take(&mut self.red_order);
        for &(state, _) in visited.iter().filter(|&&(state, accepting)| accepting && state != seed) {
            // Where a limit cut the search off, nothing is proven, and a state may never become red.
            while !self.handle.flags(state).contains(RED) && !self.shared.is_cut.load(Ordering::Relaxed) {
                if self.shared.done.load(Ordering::Acquire) || self.shared.progress.end_asked_for().is_some() {
                    return Err(self.shared.finish(End::Interrupted, None));
                }
                std::thread::yield_now();
            }
        }
        for &(state, _) in &visited {
            self.handle.set_flags(state, RED);
        }
        self.red_order = visited;
        Ok(())
    }

    fn enter_red(&mut self, state: StateRef, path: &mut Vec<(StateRef, Vec<StateRef>)>) -> Result<(), Stop> {
        let mut successors = Vec::new();
        let accepting = self.expand(state, &mut successors)?;
        self.red.insert(state.to_bits());
        self.red_order.push((state, accepting));
        path.push((state, successors));
        Ok(())
    }

    /// An accepting cycle: from a position of the path to its end, along a red way, and back.
    fn cycle(&mut self, position: u32, way: &[StateRef]) -> Stop {
        let top = self.frames.len() as u32;
        let prefix = (0..=position).map(|each| self.load(self.cyan.state(each))).collect();
        let mut cycle: Vec<Vec<u8>> = (position + 1..top).map(|each| self.load(self.cyan.state(each))).collect();
        cycle.extend(way.iter().map(|&state| self.load(state)));
        cycle.push(self.load(self.cyan.state(position)));
        self.shared.finish(End::Violation, Some(Violation { prefix, cycle, marks: Vec::new() }))
    }

    /// The run to a state, and then one that seals its fate. In a red search the state need not be at the end of the path: what
    /// lies between was visited on the red way.
    fn sealed(&mut self, state: StateRef, last: &[u8]) -> Stop {
        let top = self.frames.len() as u32;
        let on_path = self.cyan.find(state).map_or(top, |position| position + 1);
        let mut prefix: Vec<Vec<u8>> = (0..on_path).map(|each| self.load(self.cyan.state(each))).collect();
        if on_path == top && self.cyan.find(state).is_none() {
            // A red search came here: the run is found again from the initial state.
            prefix = self.way_to(state);
        }
        prefix.push(last.to_vec());
        self.shared.finish(End::Violation, Some(Violation::sealed(prefix)))
    }

    /// A run to a state that a red search has come to, from the end of the path on.
    fn way_to(&mut self, wanted: StateRef) -> Vec<Vec<u8>> {
        let top = self.frames.len() as u32;
        let mut run: Vec<Vec<u8>> = (0..top).map(|each| self.load(self.cyan.state(each))).collect();
        let start = self.cyan.state(top - 1);
        let mut arrivals: rustc_hash::FxHashMap<u64, StateRef> = rustc_hash::FxHashMap::default();
        let mut queue = std::collections::VecDeque::from([start]);
        let mut transitions = S::Transitions::default();
        while let Some(here) = queue.pop_front() {
            let bytes = self.load(here);
            self.system.transitions(&bytes, &mut transitions);
            for index in 0..transitions.len() {
                let target = self.handle.insert(transitions.target(index), &Default::default());
                let (Insert::New(target) | Insert::Known(target)) = target else { continue };
                if target != start && !arrivals.contains_key(&target.to_bits()) {
                    arrivals.insert(target.to_bits(), here);
                    queue.push_back(target);
                }
            }
            if arrivals.contains_key(&wanted.to_bits()) {
                break;
            }
        }
        let mut way = Vec::new();
        let mut here = wanted;
        while here != start {
            way.push(self.load(here));
            let Some(&before) = arrivals.get(&here.to_bits()) else { break };
            here = before;
        }
        run.extend(way.into_iter().rev());
        run
    }

    fn load(&mut self, state: StateRef) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.handle.load(state, &mut bytes);
        bytes
    }

    /// Workers go different ways.
    fn shuffle(&mut self, start: usize) {
        for index in (start + 1..self.pending.len()).rev() {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            let other = start + (self.random % (index - start + 1) as u64) as usize;
            self.pending.swap(index, other);
        }
    }

    fn check_limits(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        if shared.done.load(Ordering::Relaxed) {
            return Err(Stop);
        }
        self.expansions += 1;
        if shared.options.max_states.is_some_and(|limit| shared.stored.load(Ordering::Relaxed) >= limit) {
            return Err(shared.finish(End::States, None));
        }
        if self.expansions.is_multiple_of(BATCH) {
            shared.progress.set(shared.counters());
            if let Some(end) = shared.progress.end_asked_for() {
                return Err(shared.finish(end, None));
            }
            if shared.options.max_time.is_some_and(|limit| shared.started.elapsed() >= limit) {
                return Err(shared.finish(End::Time, None));
            }
        }
        Ok(())
    }
}
