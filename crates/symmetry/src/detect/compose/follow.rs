//! Following the control flow until something can be seen, and what is put together on the way.

use machine::ground::{CellId, Composite, SegmentPath, Step, TermId};

use super::super::commute;
use super::flow::{Alternative, Flow, Join, Place, common_exit, postdominator};
use super::knowledge::Store;
use super::{Composer, MOST_WAYS};

/// More elementary steps than this are not put together.
const MOST_STEPS: usize = 2_048;
/// More ways through one segment than this are not told apart.
const MOST_PATHS: usize = 64;

/// What has been put together so far.
#[derive(Clone, Default)]
pub(super) struct Trace {
    pub first: Option<Step>,
    pub segments: Vec<Vec<SegmentPath>>,
    pub store: Store,
    visited: Vec<(usize, Store)>,
    steps: usize,
}

/// One way through a branch.
#[derive(Clone)]
struct Path {
    conditions: Vec<(TermId, bool)>,
    steps: Vec<Step>,
}

impl Composer<'_, '_> {
    /// Follows the flow until something can be seen. A cell whose value was known first and then was not, such as a sum that
    /// starts with 0, would make the first round of a loop unlike the others; so it is not followed, unless it is an index.
    pub(super) fn follow_tracking(
        &mut self,
        flow: &Flow,
        trace: &Trace,
        place: usize,
    ) -> Option<Vec<(Trace, usize, bool)>> {
        self.untracked.clear();
        self.lost.clear();
        let mut ends = Vec::new();
        self.follow(flow, trace.clone(), place, &mut ends)?;
        let counted = self.indices_in(flow);
        for _ in 0..4 {
            let collecting: Vec<CellId> = self.lost.drain().filter(|cell| !counted.contains(cell)).collect();
            if collecting.iter().all(|cell| self.untracked.contains(cell)) {
                break;
            }
            self.untracked.extend(collecting);
            let mut start = trace.clone();
            start.store.retain(|cell| !self.untracked.contains(&cell));
            let mut better = Vec::new();
            if self.follow(flow, start, place, &mut better).is_none() || better.len() != ends.len() {
                break;
            }
            ends = better;
        }
        Some(ends)
    }

    /// Follows the flow until something can be seen. `None` if that is too far.
    fn follow(
        &mut self,
        flow: &Flow,
        mut trace: Trace,
        mut place: usize,
        ends: &mut Vec<(Trace, usize, bool)>,
    ) -> Option<()> {
        loop {
            if trace.steps > MOST_STEPS || ends.len() > MOST_WAYS {
                return None;
            }
            // At a place that is met again, something known must have changed: then no state is met again, whatever the order.
            if trace.visited.iter().any(|(before, store)| *before == place && !store.differs(&trace.store)) {
                return None;
            }
            trace.visited.push((place, trace.store.clone()));
            match self.at(flow, place, &trace.store) {
                Place::Visible => {
                    ends.push((trace, place, true));
                    return Some(());
                }
                Place::Choice(mut alternatives) => {
                    let last = alternatives.pop()?;
                    for alternative in alternatives {
                        self.take(flow, trace.clone(), alternative, ends)?;
                    }
                    let Alternative { step, target, unseen } = last;
                    self.append_any(&mut trace, step);
                    if !unseen {
                        if target == usize::MAX {
                            return None;
                        }
                        ends.push((trace, target, false));
                        return Some(());
                    }
                    place = target;
                }
                Place::Branch(branches) => {
                    let join = postdominator(flow, place).map(Join::Inside).or_else(|| common_exit(flow, place));
                    let joined = join.and_then(|join| Some((join, self.paths(flow, branches, join, &trace.store)?)));
                    let Some((join, paths)) = joined else {
                        ends.push((trace, place, true));
                        return Some(());
                    };
                    self.append_paths(&mut trace, paths);
                    match join {
                        Join::Inside(join) => place = join,
                        Join::Outside(target) => {
                            ends.push((trace, target, false));
                            return Some(());
                        }
                    }
                }
            }
        }
    }

    fn take(
        &mut self,
        flow: &Flow,
        mut trace: Trace,
        alternative: Alternative,
        ends: &mut Vec<(Trace, usize, bool)>,
    ) -> Option<()> {
        let Alternative { step, target, unseen } = alternative;
        if target == usize::MAX {
            return None;
        }
        self.append_any(&mut trace, step);
        if unseen {
            return self.follow(flow, trace, target, ends);
        }
        ends.push((trace, target, false));
        Some(())
    }

    /// All ways from a branch to the place where they meet again.
    fn paths(
        &mut self,
        flow: &Flow,
        branches: Vec<(Vec<(TermId, bool)>, Alternative)>,
        join: Join,
        store: &Store,
    ) -> Option<Vec<(Path, Store)>> {
        let mut waiting: Vec<(Path, Store, Alternative)> = branches
            .into_iter()
            .map(|(conditions, alternative)| {
                let mut known = store.clone();
                conditions.iter().for_each(|&(part, holds)| self.assume_all(&mut known, part, holds));
                (Path { conditions, steps: Vec::new() }, known, alternative)
            })
            .collect();
        let mut finished = Vec::new();
        let mut steps = 0;
        while let Some((mut path, mut store, alternative)) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || finished.len() + waiting.len() > MOST_PATHS {
                return None;
            }
            let Alternative { step, target, unseen } = alternative;
            match step {
                Step::Skip => {}
                Step::Composite(composite) => {
                    // Only what is a plain sequence can be part of a path.
                    for segment in composite.segments {
                        let [SegmentPath { conditions: Some(conditions), steps, .. }] = segment.paths.as_slice() else {
                            return None;
                        };
                        if !conditions.is_empty() {
                            return None;
                        }
                        for step in steps {
                            self.learn(&mut store, step);
                            path.steps.push(step.clone());
                        }
                    }
                }
                step => {
                    self.learn(&mut store, &step);
                    path.steps.push(step);
                }
            }
            match (join, unseen) {
                (Join::Inside(join), true) if target == join => {
                    finished.push((path, store));
                    continue;
                }
                (Join::Outside(join), false) if target == join => {
                    finished.push((path, store));
                    continue;
                }
                (_, true) => {}
                (_, false) => return None,
            }
            match self.at(flow, target, &store) {
                Place::Visible => return None,
                Place::Choice(mut alternatives) => {
                    let only = alternatives.pop()?;
                    if !alternatives.is_empty() {
                        return None;
                    }
                    waiting.push((path, store, only));
                }
                Place::Branch(branches) => {
                    for (conditions, alternative) in branches {
                        // The conditions of a path are read at its start.
                        if conditions
                            .iter()
                            .any(|&(condition, _)| commute::reads_written(&self.program, condition, &path.steps))
                        {
                            return None;
                        }
                        let mut longer = path.clone();
                        let mut known = store.clone();
                        conditions.iter().for_each(|&(part, holds)| self.assume_all(&mut known, part, holds));
                        longer.conditions.extend(conditions);
                        waiting.push((longer, known, alternative));
                    }
                }
            }
        }
        Some(finished)
    }

    fn append_any(&mut self, trace: &mut Trace, step: Step) {
        match step {
            Step::Composite(composite) => self.append_composite(trace, composite),
            step => self.append(trace, step),
        }
    }

    pub(super) fn append(&mut self, trace: &mut Trace, step: Step) {
        trace.steps += 1;
        if matches!(step, Step::Skip) {
            return;
        }
        self.learn(&mut trace.store, &step);
        trace.segments.push(vec![SegmentPath { conditions: Some(Vec::new()), steps: vec![step], ordered: false }]);
    }

    pub(super) fn append_composite(&mut self, trace: &mut Trace, composite: Composite) {
        if let Some(first) = composite.first {
            trace.first = Some(*first);
        }
        trace.steps += composite.segments.len();
        for segment in composite.segments {
            for path in &segment.paths {
                let only = segment.paths.len() == 1;
                path.steps.iter().for_each(|step| {
                    if only {
                        self.learn(&mut trace.store, step);
                    } else {
                        self.forget(&mut trace.store, step);
                    }
                });
            }
            trace.segments.push(segment.paths);
        }
    }

    fn append_paths(&mut self, trace: &mut Trace, paths: Vec<(Path, Store)>) {
        trace.steps += paths.len();
        let before = std::mem::take(&mut trace.store);
        trace.store = match paths.split_first() {
            Some(((_, first), others)) => others.iter().fold(first.clone(), |known, (_, store)| known.common(store)),
            None => Store::default(),
        };
        self.lost.extend(before.known().filter(|&cell| trace.store.value(cell).is_none()));
        let paths = paths.into_iter().map(|(path, _)| {
            let conditions = path.conditions.into_iter().map(|(term, holds)| (Step::Condition(term), holds));
            SegmentPath { conditions: Some(conditions.collect()), steps: path.steps, ordered: true }
        });
        trace.segments.push(paths.collect());
    }
}
