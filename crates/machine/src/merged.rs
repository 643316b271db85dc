//! Merging: chains of states from which some process that may move alone has exactly one move are passed over, and only
//! their ends are given to the search. Sets of several processes that have one move together are rare, and dear to look for.
//!
//! A state inside a chain is as good as one that was expanded in part: what was left out there is left out at the end of the
//! chain, or done. Chains end before a step that goes wrong, and where they would come back to themselves, so that nothing is put
//! off inside of one for ever. This does what SPIN's merging of local statements does, for whatever happens to be
//! local in a state.
//!
//! An infinite run keeps what a claim sees but for repetitions: the steps inside a chain are invisible, so a state that is passed over shows what the
//! next one shows. Fairness sees to it that a process moves or cannot: so along with the end of a chain goes which processes moved on
//! the way, or were asked to and could not.
//!
//! Most transitions lead to states that are known, and the chain behind such a state was followed before. So what was found behind a state is remembered for a
//! while. Where few states are passed over the layer does nothing for a while ([`Weighing`]).

use std::fmt;
use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::FxHasher;
use system::{Arena, Extent, Grouped, Movers, Note, Notes, Passed, System, leave_to_inner};

use crate::ample::{AmpleSets, moves_of};
use crate::gauge::{Gauge, Weighing};

/// States at which every chain ends, because the search goes on from them in another way than the chain would; by default there are none.
#[derive(Clone, Default)]
pub struct Stops(Option<Arc<IsStop>>);

/// Whether a state is one of them.
type IsStop = dyn Fn(&[u8]) -> bool + Send + Sync;

impl Stops {
    /// The states for which something holds.
    pub fn at(is_stop: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Stops {
        Stops(Some(Arc::new(is_stop)))
    }

    fn contain(&self, state: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|is_stop| is_stop(state))
    }
}

impl fmt::Debug for Stops {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "some states" } else { "no states" })
    }
}

/// A chain of more states than this is cut. Where a process goes round through many states, chains that are cut end anywhere, so that all of
/// these states are stored in the end, and each costs a whole chain: more would save little and may cost much.
const LONGEST: usize = 16;

/// Merging pays if it passes over one state for so many successors. Of the models for measuring, those on which it does not pay have one for 50 at most, the others one for 7 at least.
const ONE_OF: u64 = 16;

/// The layer: a system in which chains are passed over.
#[derive(Clone, Debug)]
pub struct Merged<S> {
    inner: S,
    /// Which processes may move alone inside of a chain.
    sets: AmpleSets,
    stops: Stops,
    gauge: Gauge,
    /// Memory for the moves inside of a chain, and for the ends of chains.
    moves: Arena,
    ends: Arena,
    walk: Walk,
    remembered: Remembered,
}

/// Where a chain has come to.
#[derive(Clone, Debug, Default)]
struct Walk {
    current: Vec<u8>,
    /// An earlier state of the chain. It moves on when the chain has doubled, so every loop meets it in the end (Brent's
    /// way to find cycles, BIT 1980).
    anchor: Vec<u8>,
    /// Who has moved since the start of the chain, or could not.
    served: Movers,
    inner_steps: u64,
    length: u64,
}

/// Where chains end that were followed lately: a table without collision lists, in which what comes later takes the place of what was there.
#[derive(Clone, Debug, Default)]
struct Remembered {
    chains: Vec<Chain>,
    /// The first and the last state of each.
    states: Vec<u8>,
    /// The bytes that there are for a state.
    room: usize,
    asked: usize,
}

/// A chain from its first state to its last, which is the same if nothing is passed over. One of no bytes is none.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    hash: u64,
    start_bytes: usize,
    end_bytes: usize,
    served: Movers,
    inner_steps: u64,
    length: u64,
}

/// How many chains are remembered, by how many were asked for: a small search is over before a large table is made.
const PLACES: [usize; 3] = [1 << 6, 1 << 9, 1 << 13];

impl Remembered {
    /// Where the chain that begins at a state belongs, and what tells it from others there.
    fn place(&mut self, start: &[u8]) -> (usize, u64) {
        let [first, second, most] = PLACES;
        let places = [first, second].into_iter().find(|&places| self.asked < 4 * places).unwrap_or(most);
        self.asked += 1;
        if self.chains.len() != places || self.room < start.len() {
            self.make(places, start.len());
        }
        let mut hasher = FxHasher::default();
        hasher.write(start);
        let hash = hasher.finish();
        // The upper bits depend on all bytes.
        ((hash >> 40) as usize % places, hash)
    }

    fn make(&mut self, places: usize, room: usize) {
        self.room = self.room.max(room);
        self.chains.clear();
        self.chains.resize(places, Chain::default());
        self.states.resize(2 * places * self.room, 0);
    }

    /// The chain that begins at a state, if it is the one at its place, and its last state.
    fn get(&self, (place, hash): (usize, u64), start: &[u8]) -> Option<(Chain, &[u8])> {
        let chain = self.chains[place];
        let first = 2 * place * self.room;
        let is_it = || self.states[first..first + chain.start_bytes] == *start;
        let end = first + self.room..first + self.room + chain.end_bytes;
        (chain.hash == hash && chain.start_bytes == start.len() && is_it()).then(|| (chain, &self.states[end]))
    }

    /// Remembers a chain that begins at a state.
    fn put(&mut self, (place, hash): (usize, u64), start: &[u8], walk: &Walk) {
        let Walk { current, served, inner_steps, length, .. } = walk;
        if current.len() > self.room {
            // It is not worth it to lose the others.
            return;
        }
        let (start_bytes, end_bytes) = (start.len(), current.len());
        let [served, inner_steps, length] = [served.0, *inner_steps, *length];
        self.chains[place] = Chain { hash, start_bytes, end_bytes, served: Movers(served), inner_steps, length };
        let first = 2 * place * self.room;
        self.states[first..first + start_bytes].copy_from_slice(start);
        self.states[first + self.room..first + self.room + end_bytes].copy_from_slice(current);
    }
}

impl<S: Grouped> Merged<S> {
    /// The name of the note: merging did not pay, and was switched off when the search ended.
    pub const GIVEN_UP: &'static str = "merging given up";

    /// Passes over chains of moves of processes that may move alone, up to states at which every chain ends.
    #[must_use]
    pub fn new(inner: S, sets: AmpleSets, stops: Stops, weighing: Weighing) -> Merged<S> {
        Merged {
            inner,
            sets,
            stops,
            gauge: Gauge::new(weighing, ONE_OF),
            moves: Arena::new(),
            ends: Arena::new(),
            walk: Walk::default(),
            remembered: Remembered::default(),
        }
    }

    /// Replaces each successor by the end of the chain that begins there. Those who were served on the way count as movers.
    fn skip_chains(&mut self, into: &mut Arena) {
        let mut inner_steps = 0;
        let mut passed = 0;
        for index in 0..into.len() {
            let is_chain = self.end_of(into.target(index));
            // As long as there is none the successors stay where they are.
            if is_chain && passed == 0 {
                self.ends.clear();
                into.transitions().take(index).for_each(|(target, label)| self.ends.push(target, label));
            }
            if is_chain {
                passed += self.walk.length;
                inner_steps += self.walk.inner_steps;
            }
            if passed > 0 {
                let target = if is_chain { &self.walk.current[..] } else { into.target(index) };
                let served = if is_chain { self.walk.served } else { Movers::default() };
                self.ends.push(target, into.label(index).with(served));
            }
        }
        self.gauge.add(into.len() as u64, passed);
        if passed > 0 {
            *self.ends.signals_mut() = into.signals();
            self.ends.signals_mut().inner_steps += inner_steps;
            std::mem::swap(&mut self.ends, into);
        }
    }

    /// Whether a chain begins at a state; if so, the walk is at its end.
    fn end_of(&mut self, start: &[u8]) -> bool {
        if self.stops.contain(start) {
            return false;
        }
        self.sets.prepare(start);
        if self.sets.alone().is_none() && !self.sets.has_single() {
            return false;
        }
        let place = self.remembered.place(start);
        if let Some((chain, end)) = self.remembered.get(place, start) {
            let Chain { served, inner_steps, length, .. } = chain;
            set(&mut self.walk.current, end);
            (self.walk.served, self.walk.inner_steps, self.walk.length) = (served, inner_steps, length);
            return length > 0;
        }
        self.follow(start, |_, _| {});
        self.remembered.put(place, start, &self.walk);
        self.walk.length > 0
    }

    /// Follows the chain behind a state to its end, which is the walk's current state then; `pass` sees every state of it. The sets are prepared for
    /// the state.
    fn follow(&mut self, start: &[u8], mut pass: impl FnMut(&[u8], Movers)) {
        set(&mut self.walk.current, start);
        set(&mut self.walk.anchor, start);
        self.walk.served = Movers::default();
        (self.walk.inner_steps, self.walk.length) = (0, 0);
        let mut next_anchor = 1;
        for length in 1..=LONGEST {
            let Some(served) = self.single_move() else { return };
            let Merged { moves, walk, .. } = self;
            if moves.target(0) == walk.anchor {
                return;
            }
            walk.served = walk.served.and(served);
            walk.inner_steps += moves.signals().inner_steps;
            walk.length += 1;
            set(&mut walk.current, moves.target(0));
            pass(&walk.current, served);
            if length == next_anchor {
                set(&mut walk.anchor, moves.target(0));
                next_anchor *= 2;
            }
            if self.stops.contain(&self.walk.current) {
                return;
            }
            self.sets.prepare(&self.walk.current);
        }
    }

    /// If a process that may move alone has one move only from where the walk has come to, for which the sets are prepared: who moves
    /// in it, or cannot; `moves` then holds it.
    fn single_move(&mut self) -> Option<Movers> {
        let Merged { inner, sets, moves, walk, .. } = self;
        // A process that is alone need not be told from others.
        let alone = sets.alone();
        let mut only = alone.filter(|invisible| *invisible).map(|_| 1);
        while let Some(set) = only.take().or_else(|| sets.next_single()) {
            moves_of(set, inner, &walk.current, moves);
            let signals = moves.signals();
            if moves.len() == 1 && signals.errors == 0 && !signals.diverges {
                let moved = moves.labels().fold(Movers::default(), |all, label| all.and(label.movers));
                // The others of the set cannot move; nor can those that do not exist, if one process is alone.
                let asked = if alone.is_some() { Movers::ALL } else { Movers(set as u64) };
                return Some(moved.and(asked));
            }
        }
        None
    }
}

fn set(to: &mut Vec<u8>, state: &[u8]) {
    to.clear();
    to.extend_from_slice(state);
}

impl<S: Grouped> System for Merged<S> {
    leave_to_inner!(inner: initial, gives_all, acceptance, novelty, normalise);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.inner.successors(state, into);
        if self.gauge.is_on() {
            self.skip_chains(into);
        }
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.reduced(state, into);
        if self.gauge.is_on() {
            self.skip_chains(into);
        }
        extent
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.other(state, into);
        if self.gauge.is_on() {
            self.skip_chains(into);
        }
        extent
    }

    fn notes(&self, into: &mut Notes) {
        self.inner.notes(into);
        if self.gauge.has_given_up() {
            into.add(Merged::<S>::GIVEN_UP, Note::Happened);
        }
    }

    fn unfold(&mut self, from: &[u8]) -> Vec<Vec<Passed>> {
        let mut unfolded = self.inner.unfold(from);
        for steps in &mut unfolded {
            let Some((last, _)) = steps.last().cloned().filter(|(last, _)| !self.stops.contain(last)) else { continue };
            self.sets.prepare(&last);
            self.follow(&last, |state, served| steps.push((state.to_vec(), served)));
        }
        unfolded
    }
}
