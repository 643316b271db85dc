//! Chains of states from which some process that may move alone has exactly one move: they are passed over, and only
//! their ends are given to the search.
//!
//! A state inside a chain is as good as one that was expanded in part: what was left out there is left out at the end of the
//! chain, or done. Chains end before a step that goes wrong, and where they would come back to themselves, so that nothing is put
//! off inside of one for ever. This does what SPIN's merging of local statements does, for whatever happens to be
//! local in a state.

use super::AmpleSets;
use crate::generate::{Generator, Successors};

/// What to do with states from which there is only one way that matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Chains {
    /// They are states like others.
    #[default]
    Keep,
    /// They are passed over.
    Skip,
}

/// A chain of more states than this is cut.
const LONGEST: usize = 1000;

/// Memory for following chains.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    moves: Successors,
    ends: Successors,
    passed: Vec<Vec<u8>>,
}

impl AmpleSets {
    /// Replaces each successor by the end of the chain that begins there.
    pub(super) fn skip_chains(&mut self, generator: &mut (impl Generator + ?Sized), into: &mut Successors) {
        let candidates = std::mem::take(&mut self.candidates);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.ends.clear();
        let mut atomic_steps = 0;
        for (target, first_step) in into.targets().zip(into.first_steps()) {
            scratch.passed.clear();
            self.follow(generator, target, &mut scratch.moves, &mut scratch.passed, &mut atomic_steps);
            scratch.ends.push(scratch.passed.last().map_or(target, Vec::as_slice), first_step);
        }
        *scratch.ends.signals_mut() = into.signals();
        scratch.ends.signals_mut().atomic_steps += atomic_steps;
        std::mem::swap(&mut scratch.ends, into);
        self.scratch = scratch;
        self.candidates = candidates;
    }

    /// The states that a search passed over between a state and a successor it was given, then that successor; `None` if it
    /// is none. So a path that leaves out chains becomes one that does not.
    pub fn states_between(
        &mut self,
        generator: &mut (impl Generator + ?Sized),
        from: &[u8],
        to: &[u8],
    ) -> Option<Vec<Vec<u8>>> {
        let (mut all, mut moves) = (Successors::new(), Successors::new());
        generator.successors(from, &mut all);
        all.targets().find_map(|target| {
            let mut passed = vec![target.to_vec()];
            if self.chains == Chains::Skip {
                self.follow(generator, target, &mut moves, &mut passed, &mut 0);
            }
            (passed.last().is_some_and(|last| last == to)).then_some(passed)
        })
    }

    /// Appends the chain behind a state to `passed`.
    fn follow(
        &mut self,
        generator: &mut (impl Generator + ?Sized),
        start: &[u8],
        moves: &mut Successors,
        passed: &mut Vec<Vec<u8>>,
        atomic_steps: &mut u64,
    ) {
        let from = passed.len();
        while passed.len() - from < LONGEST {
            let state = if passed.len() == from { start } else { &passed[passed.len() - 1] };
            if !self.has_single_move(generator, state, moves) {
                return;
            }
            let target = moves.target(0);
            let comes_back = start == target || passed[from..].iter().any(|earlier| earlier == target);
            if comes_back {
                return;
            }
            *atomic_steps += moves.signals().atomic_steps;
            passed.push(target.to_vec());
        }
    }

    /// Whether a set of processes that may move alone has one move only; `moves` then holds it.
    fn has_single_move(
        &mut self,
        generator: &mut (impl Generator + ?Sized),
        state: &[u8],
        moves: &mut Successors,
    ) -> bool {
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
                return true;
            }
        }
        false
    }
}
