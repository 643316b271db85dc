//! Chains of states from which some process that may move alone has exactly one move: they are passed over, and only
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

use super::AmpleSets;
use crate::generate::{Generator, Movers, Successors};

/// What to do with states from which there is only one way that matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Chains {
    /// They are states like others.
    #[default]
    Keep,
    /// They are passed over.
    Skip,
}

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

/// Memory for following chains.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    moves: Successors,
    ends: Successors,
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
    atomic_steps: u64,
}

/// A state that was passed over, or the end of a chain, and who moved in the step to it or could not.
pub type Passed = (Vec<u8>, Movers);

impl AmpleSets {
    /// Writes all successors of a state, with chains treated as in the other successors.
    pub fn all_successors(&mut self, generator: &mut (impl Generator + ?Sized), state: &[u8], into: &mut Successors) {
        generator.successors(state, into);
        if self.chains == Chains::Skip {
            self.skip_chains(generator, into);
        }
    }

    /// Replaces each successor by the end of the chain that begins there. Those who were served on the way count as movers.
    pub(super) fn skip_chains(&mut self, generator: &mut (impl Generator + ?Sized), into: &mut Successors) {
        let candidates = std::mem::take(&mut self.candidates);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.ends.clear();
        scratch.walk.atomic_steps = 0;
        for (target, first_step) in into.targets().zip(into.first_steps()) {
            self.follow(generator, target, &mut scratch.moves, &mut scratch.walk, |_, _| {});
            scratch.ends.push(&scratch.walk.current, first_step.with(scratch.walk.served));
        }
        *scratch.ends.signals_mut() = into.signals();
        scratch.ends.signals_mut().atomic_steps += scratch.walk.atomic_steps;
        std::mem::swap(&mut scratch.ends, into);
        self.scratch = scratch;
        self.candidates = candidates;
    }

    /// The states that a search passed over between a state and a successor it was given, then that successor, which is
    /// recognised by `is_target`, which is also told who moved on the way or could not; `None` if there is none. So a path that leaves out
    /// chains becomes one that does not.
    pub fn states_between(
        &mut self,
        generator: &mut (impl Generator + ?Sized),
        from: &[u8],
        mut is_target: impl FnMut(&[u8], Movers) -> bool,
    ) -> Option<Vec<Passed>> {
        let (mut all, mut moves, mut walk) = (Successors::new(), Successors::new(), Walk::default());
        generator.successors(from, &mut all);
        let able = all.first_steps().fold(Movers::default(), |able, first| able.and(Movers::one(first.pid)));
        all.targets().zip(all.first_steps()).find_map(|(target, first)| {
            let mut passed = vec![(target.to_vec(), first.movers.and(Movers(!able.0)))];
            if self.chains == Chains::Skip {
                self.follow(generator, target, &mut moves, &mut walk, |state, served| {
                    passed.push((state.to_vec(), served));
                });
            }
            let served = passed.iter().fold(Movers::default(), |all, &(_, served)| all.and(served));
            passed.last().is_some_and(|(last, _)| is_target(last, served)).then_some(passed)
        })
    }

    /// Follows the chain behind a state to its end, which is the walk's current state then; `pass` sees every state of it.
    fn follow(
        &mut self,
        generator: &mut (impl Generator + ?Sized),
        start: &[u8],
        moves: &mut Successors,
        walk: &mut Walk,
        mut pass: impl FnMut(&[u8], Movers),
    ) {
        fn set(to: &mut Vec<u8>, state: &[u8]) {
            to.clear();
            to.extend_from_slice(state);
        }
        set(&mut walk.current, start);
        set(&mut walk.anchor, start);
        walk.served = Movers::default();
        let mut next_anchor = 1;
        for length in 1..=LONGEST {
            if self.stops.contain(&walk.current) {
                return;
            }
            let Some(served) = self.single_move(generator, &walk.current, moves) else { return };
            if moves.target(0) == walk.anchor {
                return;
            }
            walk.served = walk.served.and(served);
            walk.atomic_steps += moves.signals().atomic_steps;
            set(&mut walk.current, moves.target(0));
            pass(&walk.current, served);
            if length == next_anchor {
                set(&mut walk.anchor, moves.target(0));
                next_anchor *= 2;
            }
        }
    }

    /// If a set of processes that may move alone has one move only: who moves in it, or cannot; `moves` then holds it.
    fn single_move(
        &mut self,
        generator: &mut (impl Generator + ?Sized),
        state: &[u8],
        moves: &mut Successors,
    ) -> Option<Movers> {
        self.prepare(state);
        // A process that is alone need not be told from others.
        if let [alone] = self.present[..]
            && !self.is_visible(alone)
        {
            self.candidates.push(1);
        }
        while let Some(set) = self.candidates.pop() {
            self.moves_of(set, generator, state, moves);
            let signals = moves.signals();
            if moves.len() == 1 && signals.errors == 0 && !signals.endless_atomic {
                let moved = moves.first_steps().fold(Movers::default(), |all, first| all.and(first.movers));
                // The others of the set cannot move; nor can those that do not exist, if one process is alone.
                let asked = if self.present.len() == 1 { u64::MAX } else { set as u64 };
                return Some(moved.and(Movers(asked)));
            }
        }
        None
    }
}
