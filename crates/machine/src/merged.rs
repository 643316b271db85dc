//! Merging: chains of states from which some process that may move alone has exactly one move are passed over, and only
//! their ends are given to the search.
//!
//! A state inside a chain is as good as one that was expanded in part: what was left out there is left out at the end of the
//! chain, or done. Chains end before a step that goes wrong, and where they would come back to themselves, so that nothing is put
//! off inside of one for ever. This does what SPIN's merging of local statements does, for whatever happens to be
//! local in a state.
//!
//! An infinite run keeps what a claim sees but for repetitions: the steps inside a chain are invisible, so a state that is passed over shows what the
//! next one shows. Fairness sees to it that a process moves or cannot: so along with the end of a chain goes which processes moved on
//! the way, or were asked to and could not.

use std::fmt;
use std::sync::Arc;

use system::{Arena, Extent, Grouped, Movers, Passed, System, leave_to_inner};

use crate::ample::{AmpleSets, moves_of};

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

/// The layer: a system in which chains are passed over.
#[derive(Clone, Debug)]
pub struct Merged<S> {
    inner: S,
    /// Which processes may move alone inside of a chain.
    sets: AmpleSets,
    stops: Stops,
    /// Memory for the moves inside of a chain, and for the ends of chains.
    moves: Arena,
    ends: Arena,
    walk: Walk,
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
}

impl<S: Grouped> Merged<S> {
    /// Passes over chains of moves of processes that may move alone, up to states at which every chain ends.
    #[must_use]
    pub fn new(inner: S, sets: AmpleSets, stops: Stops) -> Merged<S> {
        Merged { inner, sets, stops, moves: Arena::new(), ends: Arena::new(), walk: Walk::default() }
    }

    /// Replaces each successor by the end of the chain that begins there. Those who were served on the way count as movers.
    fn skip_chains(&mut self, into: &mut Arena) {
        self.ends.clear();
        self.walk.inner_steps = 0;
        for (target, label) in into.transitions() {
            self.follow(target, |_, _| {});
            self.ends.push(&self.walk.current, label.with(self.walk.served));
        }
        *self.ends.signals_mut() = into.signals();
        self.ends.signals_mut().inner_steps += self.walk.inner_steps;
        std::mem::swap(&mut self.ends, into);
    }

    /// Follows the chain behind a state to its end, which is the walk's current state then; `pass` sees every state of it.
    fn follow(&mut self, start: &[u8], mut pass: impl FnMut(&[u8], Movers)) {
        fn set(to: &mut Vec<u8>, state: &[u8]) {
            to.clear();
            to.extend_from_slice(state);
        }
        set(&mut self.walk.current, start);
        set(&mut self.walk.anchor, start);
        self.walk.served = Movers::default();
        let mut next_anchor = 1;
        for length in 1..=LONGEST {
            if self.stops.contain(&self.walk.current) {
                return;
            }
            let Some(served) = self.single_move() else { return };
            let Merged { moves, walk, .. } = self;
            if moves.target(0) == walk.anchor {
                return;
            }
            walk.served = walk.served.and(served);
            walk.inner_steps += moves.signals().inner_steps;
            set(&mut walk.current, moves.target(0));
            pass(&walk.current, served);
            if length == next_anchor {
                set(&mut walk.anchor, moves.target(0));
                next_anchor *= 2;
            }
        }
    }

    /// If a set of processes that may move alone has one move only from where the walk has come to: who moves in it, or cannot; `moves` then
    /// holds it.
    fn single_move(&mut self) -> Option<Movers> {
        let Merged { inner, sets, moves, walk, .. } = self;
        sets.prepare(&walk.current);
        // A process that is alone need not be told from others.
        let alone = sets.alone();
        let mut only = alone.filter(|invisible| *invisible).map(|_| 1);
        while let Some(set) = only.take().or_else(|| sets.next()) {
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

impl<S: Grouped> System for Merged<S> {
    leave_to_inner!(inner: initial, acceptance, novelty, notes, normalise);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.inner.successors(state, into);
        self.skip_chains(into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.reduced(state, into);
        self.skip_chains(into);
        extent
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.other(state, into);
        self.skip_chains(into);
        extent
    }

    fn unfold(&mut self, from: &[u8]) -> Vec<Vec<Passed>> {
        let mut unfolded = self.inner.unfold(from);
        for steps in &mut unfolded {
            let Some((last, _)) = steps.last().cloned() else { continue };
            self.follow(&last, |state, served| steps.push((state.to_vec(), served)));
        }
        unfolded
    }
}
