//! Depth-first search on any number of workers.
//!
//! A worker's stack is a list of frames; a frame holds the new successors of one state, the states behind `next` still to be
//! visited. The states just before each frame's `next` form the path. A worker that has nothing to do is given half of the
//! oldest waiting states of another, together with the path that leads to them, so every violation comes with its path.
//!
//! When a system offers only a part of a state's successors, one of them must be a *witness* that what is left out is not
//! put off for ever: a new state, or one that was finished, so that the search came back from it. Ordered by the time when the search
//! comes back from them, witnesses are earlier than their predecessors; following them ends at a state that was expanded
//! fully (the idea of the stack proviso: Holzmann and Peled, FORTE 1994). A state that waits in an older frame is no witness, but
//! becomes one when it is visited from here first; where it waited it is passed over then.
//! Several workers come back in no common order: then only new states are witnesses, ordered by when they were stored.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

use super::entries::Entries;
use super::shared::{Shared, Tally};
use super::stages::{Stage, Stages};
use super::{End, Options, Outcome, Progress};
use crate::store::{Insert, VisitedSet, Visitor};
use crate::system::{Extent, Successors, System};

pub(super) fn search<S, V, E, F>(systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet,
    E: Entries<V::Handle>,
    F: Stages<V::Handle>,
{
    let shared = Shared::new(options, progress);
    let pool = Pool::<E>::new(systems.len());
    let mut systems = systems;
    let mut first = store.handle();
    let mut state = Vec::new();
    systems[0].initial(&mut state);
    let mut tally = Tally::default();
    match first.insert(&state, &Default::default()) {
        Insert::New(reference) | Insert::Known(reference) => {
            tally.stored();
            let mut waiting = E::default();
            waiting.push(&state, reference);
            pool.give(Work { path: E::default(), waiting });
        }
        Insert::Full => shared.finish(End::Memory),
    }
    tally.hand_in(&shared);
    drop(first);
    let systems = std::thread::scope(|scope| {
        let workers: Vec<_> = systems
            .into_iter()
            .map(|system| {
                let (shared, pool) = (&shared, &pool);
                let handle = store.handle();
                scope.spawn(move || Worker::<_, _, _, F>::new(system, handle, shared, pool).run())
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker's panic is a bug")).collect()
    });
    shared.outcome(systems)
}

/// States to visit, and how to get to them.
struct Work<E> {
    path: E,
    waiting: E,
}

/// Where workers without work wait for some.
struct Pool<E> {
    inner: Mutex<PoolInner<E>>,
    arrival: Condvar,
    workers: usize,
    /// How many workers wait, minus how much work lies ready: positive when work should be given away.
    wanted: AtomicUsize,
}

struct PoolInner<E> {
    ready: VecDeque<Work<E>>,
    waiting: usize,
    closed: bool,
}

impl<E> Pool<E> {
    fn new(workers: usize) -> Pool<E> {
        let inner = PoolInner { ready: VecDeque::new(), waiting: 0, closed: false };
        Pool { inner: Mutex::new(inner), arrival: Condvar::new(), workers, wanted: AtomicUsize::new(0) }
    }

    fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    fn give(&self, work: Work<E>) {
        let mut inner = self.inner.lock().expect("no worker panics while it holds this");
        inner.ready.push_back(work);
        self.wanted.store(inner.waiting.saturating_sub(inner.ready.len()), Ordering::Relaxed);
        drop(inner);
        self.arrival.notify_one();
    }

    /// Work, or `None` when all workers wait: then there is none left anywhere.
    fn take(&self) -> Option<Work<E>> {
        let mut inner = self.inner.lock().expect("no worker panics while it holds this");
        inner.waiting += 1;
        loop {
            if let Some(work) = inner.ready.pop_front() {
                inner.waiting -= 1;
                self.wanted.store(inner.waiting.saturating_sub(inner.ready.len()), Ordering::Relaxed);
                return Some(work);
            }
            if inner.closed || inner.waiting == self.workers {
                inner.closed = true;
                self.arrival.notify_all();
                return None;
            }
            self.wanted.store(inner.waiting, Ordering::Relaxed);
            inner = self.arrival.wait(inner).expect("no worker panics while it holds this");
        }
    }

    fn close(&self) {
        self.inner.lock().expect("no worker panics while it holds this").closed = true;
        self.arrival.notify_all();
    }
}

/// The successors of one state that were new: entries from `start` to `end`, those before `next` visited.
#[derive(Clone, Copy)]
struct Frame {
    start: usize,
    next: usize,
    end: usize,
}

struct Worker<'a, S: System, H: Visitor, E, F> {
    system: S,
    handle: H,
    shared: &'a Shared<'a>,
    pool: &'a Pool<E>,
    tally: Tally,
    /// The way to the states that this worker was given.
    path: E,
    entries: E,
    frames: Vec<Frame>,
    state: Vec<u8>,
    cursor: H::Cursor,
    successors: S::Successors,
    /// What became of each successor.
    inserted: Vec<Insert>,
    stages: PhantomData<F>,
}

impl<'a, S: System, H: Visitor, E: Entries<H>, F: Stages<H>> Worker<'a, S, H, E, F> {
    fn new(system: S, handle: H, shared: &'a Shared<'a>, pool: &'a Pool<E>) -> Self {
        Worker {
            system,
            handle,
            shared,
            pool,
            tally: Tally::default(),
            path: E::default(),
            entries: E::default(),
            frames: Vec::new(),
            state: Vec::new(),
            cursor: Default::default(),
            successors: Default::default(),
            inserted: Vec::new(),
            stages: PhantomData,
        }
    }

    fn run(mut self) -> S {
        while let Some(work) = self.pool.take() {
            self.path = work.path;
            self.entries = work.waiting;
            self.frames.push(Frame { start: 0, next: 0, end: self.entries.len() });
            self.search();
            if self.shared.is_done() {
                self.pool.close();
                break;
            }
        }
        self.tally.hand_in(self.shared);
        self.system
    }

    fn search(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                let start = frame.start;
                self.frames.pop();
                self.entries.truncate(start);
                if let Some(parent) = self.frames.last() {
                    F::finish(&mut self.handle, self.entries.reference(parent.next - 1));
                }
                continue;
            }
            let index = frame.next;
            frame.next += 1;
            self.visit(index);
            if self.shared.is_done() {
                return;
            }
            if self.pool.is_wanted() {
                self.share();
            }
        }
    }

    fn visit(&mut self, index: usize) {
        let depth = (self.path.len() + self.frames.len() - 1) as u64;
        if self.shared.options.max_depth.is_some_and(|limit| depth >= limit) {
            self.shared.truncate();
            self.tally.expanded(depth, self.shared);
            return;
        }
        if !F::visit(&mut self.handle, self.entries.reference(index)) {
            return;
        }
        self.entries.visit(index, &mut self.handle, &mut self.state, &mut self.cursor);
        let start = self.entries.len();
        self.insert_successors();
        let violations = self.successors.violations();
        if violations > 0 {
            self.report(violations);
        }
        self.tally.expanded(depth, self.shared);
        let end = self.entries.len();
        if end > start {
            self.frames.push(Frame { start, next: start, end });
        } else {
            F::finish(&mut self.handle, self.entries.reference(index));
        }
    }

    /// Inserts enough successors of the current state: all, or a part with a witness.
    fn insert_successors(&mut self) {
        let mut extent = self.system.reduced_successors(&self.state, &mut self.successors);
        loop {
            let mut witness = false;
            let mut waiting = None;
            let mut known = 0;
            let successors = &self.successors;
            let state = |successor| successors.state(successor);
            self.handle.insert_all(successors.len(), state, &self.cursor, &mut self.inserted);
            for (successor, &insert) in self.inserted.iter().enumerate() {
                match insert {
                    Insert::New(reference) => {
                        witness = true;
                        self.tally.stored();
                        self.entries.push(state(successor), reference);
                    }
                    Insert::Known(reference) => {
                        known += 1;
                        if extent == Extent::Part && !witness {
                            match F::stage(&mut self.handle, reference) {
                                Stage::Finished => witness = true,
                                Stage::Waiting => waiting = Some((successor, reference)),
                                Stage::Other => {}
                            }
                        }
                    }
                    Insert::Full => self.shared.finish(End::Memory),
                }
            }
            if let Some((successor, reference)) = waiting.filter(|_| !witness) {
                witness = true;
                self.entries.push(self.successors.state(successor), reference);
            }
            if extent == Extent::All || witness || self.shared.is_done() {
                return self.tally.matched(known);
            }
            extent = self.system.other_successors(&self.state, &mut self.successors);
        }
    }

    fn report(&mut self, violations: u64) {
        let Worker { shared, path, entries, frames, handle, .. } = self;
        shared.violated(violations, || {
            let mut states = Vec::new();
            let mut load = |list: &E, index: usize| {
                let mut state = Vec::new();
                list.load(index, handle, &mut state);
                states.push(state);
            };
            (0..path.len()).for_each(|index| load(path, index));
            frames.iter().for_each(|frame| load(entries, frame.next - 1));
            states
        });
    }

    /// Gives half of the oldest waiting states away.
    fn share(&mut self) {
        let Some(oldest) = self.frames.iter().position(|frame| frame.end > frame.next) else { return };
        let Frame { next, end, .. } = self.frames[oldest];
        // The last state of the last frame is this worker's own next one.
        let keep = if oldest + 1 == self.frames.len() { (end - next).div_ceil(2) } else { (end - next) / 2 };
        if keep == end - next {
            return;
        }
        let mut work = Work { path: E::default(), waiting: E::default() };
        (0..self.path.len()).for_each(|index| work.path.copy(&self.path, index));
        self.frames[..oldest].iter().for_each(|frame| work.path.copy(&self.entries, frame.next - 1));
        (next + keep..end).for_each(|index| work.waiting.copy(&self.entries, index));
        self.frames[oldest].end = next + keep;
        self.pool.give(work);
    }
}
