//! Depth-first search on any number of workers.
//!
//! The states that wait are on a [`stack`](super::stack). A worker that has nothing to do is given about half of the oldest waiting states of another, in
//! frames, together with the path that leads to them ([`exchange`](super::exchange)), so every violation comes with its path.
//!
//! When a system offers only a part of a state's successors, one of them must be a *witness* that what is left out is not
//! put off for ever: see [`stages`](super::stages). When a state is expanded fully, or has a safe successor, all states on the path to it become
//! safe. So of the states on a path only those above the last one that was expanded fully are not: a cycle is expanded
//! fully in one state at least (the stack proviso: Holzmann and Peled, FORTE 1994), but not again wherever it is closed. What other workers
//! have on their paths is treated likewise. A state that waits to be visited is visited from here first, so that this path becomes
//! safe with it; where it waited it is passed over then.
//!
//! The first states are visited by one worker alone: see [`Options::head_start`].

use std::marker::PhantomData;

use system::System;

use super::chunks::Chunks;
use super::entries::Entries;
use super::exchange::{Exchange, Paused, Pausing, Pool, Portable};
use super::expander::{Expander, Found};
use super::path::Path;
use super::shared::Shared;
use super::stack::{Frame, Stack};
use super::stages::{Coming, Stage, Stages};
use super::{End, Options, Outcome, Progress};
use crate::store::{VisitedSet, Visitor};

pub(super) fn search<S, V, E, F>(systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet,
    E: Entries<V::Handle>,
    F: Stages<V::Handle>,
{
    let pool = Pool::new(systems.len(), options.head_start == 0);
    search_with::<S, V, E, F, _>(systems, store, options, progress, &pool)
}

/// Searches with workers that exchange their work in some way.
pub(super) fn search_with<S, V, E, F, X>(
    systems: Vec<S>,
    store: &V,
    options: &Options,
    progress: &Progress,
    exchange: &X,
) -> Outcome<S>
where
    S: System,
    V: VisitedSet,
    E: Entries<V::Handle>,
    F: Stages<V::Handle>,
    X: Exchange<Stack<E>>,
{
    let shared = Shared::new(options, progress);
    let handles = systems.into_iter().map(|system| (system, store.handle()));
    let mut expanders: Vec<Expander<S, V::Handle>> =
        handles.map(|(system, handle)| Expander::new(system, handle, options)).collect();
    match &options.resume {
        None => {
            if let Some(reference) = expanders[0].start(&shared) {
                let mut waiting = E::default();
                waiting.push(&expanders[0].state, reference);
                exchange.give(Stack::waiting(waiting));
            }
        }
        Some(open) => match Stack::all_from_bytes(&open.work).filter(|_| shared.recall(&open.notes)) {
            Some(stacks) => stacks.into_iter().for_each(|stack| exchange.give(stack)),
            None => shared.finish(End::Damaged),
        },
    }
    // One worker needs no thread of its own, which would take as long as a small search.
    if expanders.len() == 1 {
        let run = |expander| Worker::<_, _, _, F, _>::new(expander, &shared, exchange).run();
        let systems = expanders.into_iter().map(run).collect();
        return shared.outcome(systems);
    }
    let systems = std::thread::scope(|scope| {
        let spawn = |expander| {
            let shared = &shared;
            scope.spawn(move || Worker::<_, _, _, F, _>::new(expander, shared, exchange).run())
        };
        let workers: Vec<_> = expanders.into_iter().map(spawn).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker's panic is a bug")).collect()
    });
    shared.outcome(systems)
}

/// A worker looks after so many visits whether somebody waits for work.
const SHARING_INTERVAL: u64 = 16;

/// So many states are given away at a time, at most, from so many frames.
const MOST_SHARED: usize = 256;

struct Worker<'a, S: System, H: Visitor, E, F, X> {
    expander: Expander<S, H>,
    shared: &'a Shared<'a>,
    exchange: &'a X,
    stack: Stack<E>,
    /// The way to the states that this worker was given, and the states on the path of the first `shared_frames` frames, in which nothing waits.
    shared_path: Path<E>,
    shared_frames: usize,
    /// How many states this worker has visited.
    visits: u64,
    /// In the frames before this one nothing waits.
    oldest: usize,
    /// The states on the path of the first so many frames are known to be safe.
    safe_levels: usize,
    stages: PhantomData<F>,
}

impl<'a, S: System, H: Visitor, E: Entries<H>, F: Stages<H>, X: Exchange<Stack<E>>> Worker<'a, S, H, E, F, X> {
    fn new(expander: Expander<S, H>, shared: &'a Shared<'a>, exchange: &'a X) -> Self {
        Worker {
            expander,
            shared,
            exchange,
            stack: Stack::default(),
            shared_path: Path::default(),
            shared_frames: 0,
            visits: 0,
            oldest: 0,
            safe_levels: 0,
            stages: PhantomData,
        }
    }

    fn run(mut self) -> S {
        while let Some(stack) = self.next_work() {
            self.shared_path = stack.path.clone();
            self.stack = stack;
            (self.oldest, self.shared_frames, self.safe_levels) = (0, 0, 0);
            self.search();
            if self.shared.is_done() {
                self.exchange.close();
                break;
            }
        }
        self.expander.come_home(self.shared)
    }

    fn next_work(&mut self) -> Option<Stack<E>> {
        // Should the search be saved while this worker waits, its counts must have been handed in.
        self.shared.hand_in(&mut self.expander.tally);
        let work = self.exchange.take(self.shared, || self.expander.notes());
        if self.shared.is_done() {
            self.exchange.close();
            return None;
        }
        work
    }

    /// Waits while the search is saved.
    fn pause(&mut self) {
        self.shared.hand_in(&mut self.expander.tally);
        let paused = Paused { notes: self.expander.notes(), work: self.stack.to_bytes() };
        self.exchange.pause(self.shared, paused);
    }

    fn search(&mut self) {
        while let Some(frame) = self.stack.frames.last_mut() {
            if frame.next == frame.end {
                let start = frame.start;
                self.stack.frames.drop_last();
                self.oldest = self.oldest.min(self.stack.frames.len());
                self.stack.entries.truncate(start);
                continue;
            }
            if self.shared.is_pausing() {
                self.pause();
                if self.shared.is_done() {
                    return;
                }
                continue;
            }
            let index = frame.next;
            frame.next += 1;
            self.visit(index);
            self.visits += 1;
            if self.visits == self.shared.options.head_start {
                self.exchange.open();
            }
            if self.shared.is_done() {
                return;
            }
            if self.exchange.is_wanted() && self.visits.is_multiple_of(SHARING_INTERVAL) {
                self.share();
            }
        }
    }

    fn visit(&mut self, index: usize) {
        let depth = self.stack.depth();
        if self.shared.meter.is_too_deep(depth) {
            return self.expanded(depth);
        }
        let level = self.stack.frames.len() - 1;
        self.safe_levels = self.safe_levels.min(level);
        let Worker { expander, stack: Stack { entries, .. }, shared, .. } = self;
        let coming = if F::REMEMBERS && expander.system.gives_all() { Coming::All } else { Coming::Perhaps };
        match F::visit(&mut expander.handle, entries.reference(index), coming) {
            Stage::Unvisited => {}
            Stage::Visited => return,
            Stage::Safe => return self.settle(level),
        }
        entries.visit(index, &mut expander.handle, &mut expander.state, &mut expander.cursor);
        let start = entries.len();
        let stage = expander.expand::<F>(shared, |state, reference, how| {
            if how != Found::Known {
                entries.push(state, reference);
            }
        });
        if stage == Stage::Safe {
            self.settle(level + usize::from(coming == Coming::Perhaps));
            self.safe_levels = level + 1;
        }
        let violations = self.expander.violations(self.shared);
        if violations > 0 {
            self.report(violations);
        }
        self.expanded(depth);
        let end = self.stack.entries.len();
        if end > start {
            self.stack.frames.push(Frame { start, next: start, end });
        }
    }

    fn expanded(&mut self, depth: u64) {
        let Worker { expander, stack, shared, .. } = self;
        shared.expanded(&mut expander.tally, depth, || stack.bytes());
    }

    /// Notes that the states on the path up to this level are safe.
    fn settle(&mut self, levels: usize) {
        if !F::REMEMBERS {
            return;
        }
        for level in self.safe_levels..levels {
            F::settle(&mut self.expander.handle, self.stack.entries.reference(self.stack.frames.get(level).next - 1));
        }
        self.safe_levels = self.safe_levels.max(levels);
    }

    fn report(&mut self, violations: u64) {
        let Worker { shared, stack: Stack { path, entries, frames }, expander, .. } = self;
        shared.violated(violations, || {
            let mut states = Vec::new();
            let mut load = |list: &E, index: usize| {
                let mut state = Vec::new();
                list.load(index, &mut expander.handle, &mut state);
                states.push(state);
            };
            for (piece, count) in path.pieces() {
                (0..count).for_each(|index| load(piece, index));
            }
            frames.iter().for_each(|frame| load(entries, frame.next - 1));
            states
        });
    }

    /// Gives about half of the oldest waiting states away.
    fn share(&mut self) {
        // A stack may be long, and somebody may ask again and again.
        let waiting_in = |frame: Frame| frame.end - frame.next;
        while self.oldest < self.stack.frames.len() && waiting_in(self.stack.frames.get(self.oldest)) == 0 {
            self.oldest += 1;
        }
        let oldest = self.oldest;
        let seen = oldest..self.stack.frames.len().min(oldest + MOST_SHARED);
        let waiting: usize = seen.clone().map(|frame| waiting_in(self.stack.frames.get(frame))).sum();
        // When these are all, one at least is this worker's own next state.
        let all = oldest + seen.len() == self.stack.frames.len();
        let mut wanted = if all { waiting / 2 } else { waiting.div_ceil(2) }.min(MOST_SHARED);
        if wanted == 0 {
            return;
        }
        let mut path = E::default();
        let frames = self.shared_frames..oldest;
        frames.clone().for_each(|frame| path.copy(&self.stack.entries, self.stack.frames.get(frame).next - 1));
        let mut charge = self.expander.handle.budget().open();
        if !charge.resize(path.bytes()) {
            // Who waits for work has to wait: there is no memory to say how to get there.
            return;
        }
        self.shared_path = self.shared_path.followed_by(path, frames.len(), Some(charge));
        self.shared_frames = oldest;
        let (mut entries, mut given) = (E::default(), Chunks::default());
        for frame in oldest..self.stack.frames.len() {
            let frame = self.stack.frames.get_mut(frame);
            let Frame { next, end, .. } = *frame;
            let count = wanted.min(end - next);
            wanted -= count;
            let start = entries.len();
            frame.end = end - count;
            // The way to the frames that are given away after this one.
            let first = if wanted > 0 { next - 1..next } else { next..next };
            first.chain(frame.end..end).for_each(|index| entries.copy(&self.stack.entries, index));
            given.push(Frame { start, next: start + usize::from(wanted > 0), end: entries.len() });
            if wanted == 0 {
                break;
            }
        }
        self.exchange.give(Stack { path: self.shared_path.clone(), entries, frames: given });
    }
}

#[cfg(test)]
mod tests {
    use system::{Arena, Fate, Label, System};

    use super::super::entries::{Entries, References, Vectors};
    use super::super::exchange::{Exchange, Paused, Pausing, Pool, Portable};
    use super::super::stages::Unknown;
    use super::super::{Errors, Options, Outcome, Progress};
    use super::search_with;
    use crate::store::{Limits, PlainStore, VisitedSet};

    /// Work on its way, as another transport than shared memory has it.
    struct Letter(Vec<u8>);

    impl Portable for Letter {
        fn to_bytes(&self) -> Vec<u8> {
            self.0.clone()
        }

        fn from_bytes(bytes: &[u8]) -> Option<(Letter, &[u8])> {
            Some((Letter(bytes.to_vec()), &[]))
        }
    }

    struct Post(Pool<Letter>);

    impl<W: Portable> Exchange<W> for Post {
        fn is_wanted(&self) -> bool {
            self.0.is_wanted()
        }

        fn open(&self) {
            self.0.open();
        }

        fn give(&self, work: W) {
            self.0.give(Letter(work.to_bytes()));
        }

        fn take(&self, search: &impl Pausing, notes: impl Fn() -> Vec<u8>) -> Option<W> {
            let Letter(bytes) = self.0.take(search, notes)?;
            W::from_bytes(&bytes).map(|(work, _)| work)
        }

        fn pause(&self, search: &impl Pausing, paused: Paused) {
            self.0.pause(search, paused);
        }

        fn close(&self) {
            self.0.close();
        }
    }

    /// Pairs of numbers that grow, the far corner wrong.
    #[derive(Clone, Copy)]
    struct Plane;

    impl System for Plane {
        fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
            into.clear();
            into.extend([0, 0]);
            Fate::Open
        }

        fn successors(&mut self, state: &[u8], into: &mut Arena) {
            into.clear();
            into.signals_mut().errors = u32::from(state == [120, 120]);
            for (x, y) in [(state[0] + 1, state[1]), (state[0], state[1] + 1)] {
                if x <= 120 && y <= 120 {
                    into.push(&[x, y], Label::default());
                }
            }
        }
    }

    fn found_by_post<E: Entries<<PlainStore as VisitedSet>::Handle>>(workers: usize) -> Outcome<Plane> {
        let options = Options { workers, errors: Errors::All, head_start: 0, ..Options::default() };
        let post = Post(Pool::new(workers, true));
        let store = PlainStore::new(Limits::memory(1 << 26));
        let systems = vec![Plane; workers];
        search_with::<_, _, E, Unknown, _>(systems, &store, &options, &Progress::new(), &post)
    }

    #[test]
    fn work_that_travels_as_bytes_is_done_and_comes_with_its_path() {
        for found in [found_by_post::<References>(1), found_by_post::<References>(3), found_by_post::<Vectors>(3)] {
            assert_eq!((found.stored, found.matched, found.violations), (121 * 121, 120 * 120, 1));
            let path = found.path.expect("the corner is wrong");
            assert_eq!((path.len(), path.last()), (241, Some(&vec![120, 120])));
        }
    }
}
