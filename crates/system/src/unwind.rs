//! From the states that a search stored back to a run of the model: the inverse of all layers at once.
//!
//! ```text
//! stored states ── what was passed over is filled in ──▶ every step ── one real state after the other ──▶ a run
//! ```
//! A stored state may be the representative of its orbit, its dead variables may be set back, and between two of them there may be steps that were
//! passed over. [`System::unfold`] of the outermost layer tells the steps; [`System::normalise`] tells what two states have in common when one
//! stands for the other. Then the model itself is walked from its initial state on, step by step to a successor that the next stored state stands
//! for. There always is one, because a state and what stands for it can do the same; so `None` is a mistake of a layer.

use std::ops::Range;

use crate::{Arena, Movers, Passed, System};

/// Undoes what layers do.
pub struct Unwinder<L, M> {
    /// The layers around the reference engine.
    layers: L,
    /// The model, without layers.
    model: M,
    unmatched: Unmatched,
    successors: Arena,
}

/// Bytes of a state that a search did not compare, in increasing order.
#[derive(Clone, Debug, Default)]
pub struct Unmatched {
    /// All of them.
    pub bytes: Vec<Range<usize>>,
    /// Those on which nothing depends: states that differ there only have the same futures.
    pub indifferent: Vec<Range<usize>>,
}

/// So often a cycle of states that were compared without some bytes is followed. A counter in one byte is back after 256 rounds.
const MOST_ROUNDS: usize = 300;

/// A path of stored states and, for ever, a cycle of them, whose last one is the path's last.
#[derive(Clone, Copy, Debug)]
pub struct StoredLasso<'s> {
    /// The states from the initial one on.
    pub path: &'s [Vec<u8>],
    /// The states after them; empty if the path is all.
    pub cycle: &'s [Vec<u8>],
    /// For the steps of the cycle: processes that move in it, if they can. For a step of which nothing is said, any will do.
    pub movers: &'s [Movers],
}

impl<L: System, M: System> Unwinder<L, M> {
    /// Undoes what `layers` do to `model`.
    pub fn new(layers: L, model: M) -> Unwinder<L, M> {
        Unwinder { layers, model, unmatched: Unmatched::default(), successors: Arena::new() }
    }

    /// The same for a search that did not compare some bytes. Then a stored state may stand for one that can do something else; a run is looked for
    /// all the same: one that comes back to where it was, but for bytes on which nothing depends, within some rounds.
    #[must_use]
    pub fn without(self, unmatched: Unmatched) -> Unwinder<L, M> {
        Unwinder { unmatched, ..self }
    }

    /// The one state for all that mean the same.
    pub fn normal(&mut self, state: &[u8]) -> Vec<u8> {
        let mut normal = cleared(state, &self.unmatched.bytes);
        self.layers.normalise(&mut normal);
        normal
    }

    /// A run through the states that those of a stored path stand for.
    pub fn path(&mut self, stored: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
        let mut run = Vec::new();
        self.follow(stored, &mut run)?;
        Some(run)
    }

    /// A run through the states that those of a stored lasso stand for, and where its cycle starts; the length of the run if it has none.
    ///
    /// Going round the stored cycle once leads to a state of the same orbit, and after as many rounds as the permutation between the two has
    /// order, to the same state, but for dead variables. On the way round these were given values that depend on what is not dead only, or were
    /// not touched; so the next time round they are given the same, and the run is back where it was.
    pub fn lasso(&mut self, stored: StoredLasso<'_>) -> Option<(Vec<Vec<u8>>, usize)> {
        let mut run = Vec::new();
        let mut current = self.follow(stored.path, &mut run)?;
        if stored.cycle.is_empty() {
            let length = run.len();
            return Some((run, length));
        }
        let mut cycle = Vec::new();
        let starts = stored.path.last().into_iter().chain(stored.cycle);
        for (index, (from, to)) in starts.zip(stored.cycle).enumerate() {
            cycle.extend(self.between(from, to, stored.movers.get(index).copied().unwrap_or_default()));
        }
        let most_rounds = if self.unmatched.bytes.is_empty() { usize::MAX } else { MOST_ROUNDS };
        let mut rounds: Vec<(Vec<u8>, usize)> = Vec::new();
        while rounds.len() < most_rounds {
            let here = cleared(&current, &self.unmatched.indifferent);
            if let Some(&(_, start)) = rounds.iter().find(|(state, _)| *state == here) {
                return Some((run, start));
            }
            rounds.push((here, run.len() - 1));
            for (next, movers) in &cycle {
                current = self.step(&current, next, *movers)?;
                run.push(current.clone());
            }
        }
        None
    }

    /// Follows a stored path; where it comes to.
    fn follow(&mut self, stored: &[Vec<u8>], run: &mut Vec<Vec<u8>>) -> Option<Vec<u8>> {
        let mut current = Vec::new();
        self.model.initial(&mut current);
        run.push(current.clone());
        for pair in stored.windows(2) {
            for (next, _) in self.between(&pair[0], &pair[1], Movers::default()) {
                current = self.step(&current, &next, Movers::default())?;
                run.push(current.clone());
            }
        }
        Some(current)
    }

    /// The states after a stored state up to the next one, and for each step which of the movers move in it, if they can.
    fn between(&mut self, from: &[u8], to: &[u8], movers: Movers) -> Vec<Passed> {
        let wanted = self.normal(to);
        let unfolded = self.layers.unfold(from);
        let leads_there = |steps: &Vec<Passed>| {
            let served = steps.iter().fold(Movers::default(), |all, &(_, served)| all.and(served));
            let end = steps.last().filter(|_| served.contain(movers));
            end.is_some_and(|(end, _)| self.normal(end) == wanted)
        };
        let found = unfolded.into_iter().find(leads_there);
        // Where nothing was passed over, the stored state is what comes next.
        let mut steps = found.unwrap_or_else(|| vec![(to.to_vec(), movers)]);
        steps.iter_mut().for_each(|(_, served)| served.0 &= movers.0);
        steps
    }

    /// A state that the stored one stands for, after one transition from the current one in which the movers move, as far as they can, or without
    /// one where nothing can move.
    pub fn step(&mut self, current: &[u8], stored: &[u8], movers: Movers) -> Option<Vec<u8>> {
        let wanted = self.normal(stored);
        let mut successors = std::mem::take(&mut self.successors);
        self.model.successors(current, &mut successors);
        let able = successors.labels().fold(Movers::default(), |able, label| able.and(Movers::one(label.process)));
        let owed = Movers(movers.0 & able.0);
        let mut found = None;
        for (target, _) in successors.transitions().filter(|(_, label)| label.movers.contain(owed)) {
            if self.normal(target) == wanted {
                // Of states that were not told apart the stored one itself is meant, if it is there.
                let is_meant = self.unmatched.bytes.is_empty() || target == stored;
                found = if is_meant { Some(target) } else { found.or(Some(target)) };
                if is_meant {
                    break;
                }
            }
        }
        let found = found.map(<[u8]>::to_vec);
        self.successors = successors;
        found.or_else(|| (self.normal(current) == wanted).then(|| current.to_vec()))
    }
}

/// A state with zeros in some of its bytes.
fn cleared(state: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
    let mut cleared = state.to_vec();
    ranges.iter().for_each(|range| cleared[range.clone()].fill(0));
    cleared
}
