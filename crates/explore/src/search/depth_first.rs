//! Depth-first search on any number of workers.
//!
//! A worker's stack is a list of frames; a frame holds the new successors of one state, the states behind `next` still to be
//! visited. The states just before each frame's `next` form the path. A worker that has nothing to do is given about half of the
//! oldest waiting states of another, in frames, together with the path that leads to them, so every violation comes with its path.
//!
//! When a system offers only a part of a state's successors, one of them must be a *witness* that what is left out is not
//! put off for ever: see [`stages`](super::stages). When a state is expanded fully, or has a safe successor, all states on the path to it become
//! safe. So of the states on a path only those above the last one that was expanded fully are not: a cycle is expanded
//! fully in one state at least (the stack proviso: Holzmann and Peled, FORTE 1994), but not again wherever it is closed. What other workers
//! have on their paths is treated likewise. A state that waits to be visited is visited from here first, so that this path becomes
//! safe with it; where it waited it is passed over then.
//!
//! The first states are visited by one worker alone: see [`Options::head_start`].

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use system::System;

use super::chunks::Chunks;
use super::entries::Entries;
use super::expander::Expander;
use super::open::{Decoder, Encoder};
use super::path::Path;
use super::shared::Shared;
use super::stages::{Stage, Stages};
use super::{End, Options, Outcome, Progress};
use crate::store::{Charge, VisitedSet, Visitor};

pub(super) fn search<S, V, E, F>(systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet,
    E: Entries<V::Handle>,
    F: Stages<V::Handle>,
{
    let shared = Shared::new(options, progress);
    let pool = Pool::<E>::new(systems.len(), options.head_start == 0);
    let handles = systems.into_iter().map(|system| (system, store.handle()));
    let mut expanders: Vec<Expander<S, V::Handle>> =
        handles.map(|(system, handle)| Expander::new(system, handle, options)).collect();
    match &options.resume {
        None => {
            if let Some(reference) = expanders[0].start(&shared) {
                let mut waiting = E::default();
                waiting.push(&expanders[0].state, reference);
                pool.give(Work::waiting::<V::Handle>(waiting));
            }
        }
        Some(open) => match Work::restore_all(&open.work).filter(|_| shared.recall(&open.notes)) {
            Some(stacks) => stacks.into_iter().for_each(|work| pool.give(work)),
            None => shared.finish(End::Damaged),
        },
    }
    // One worker needs no thread of its own, which would take as long as a small search.
    if expanders.len() == 1 {
        let run = |expander| Worker::<_, _, _, F>::new(expander, &shared, &pool).run();
        let systems = expanders.into_iter().map(run).collect();
        return shared.outcome(systems);
    }
    let systems = std::thread::scope(|scope| {
        let spawn = |expander| {
            let (shared, pool) = (&shared, &pool);
            scope.spawn(move || Worker::<_, _, _, F>::new(expander, shared, pool).run())
        };
        let workers: Vec<_> = expanders.into_iter().map(spawn).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker's panic is a bug")).collect()
    });
    shared.outcome(systems)
}

/// States to visit, and how to get to them: a stack.
struct Work<E> {
    path: Path<E>,
    entries: E,
    frames: Chunks<Frame>,
}

impl<E> Work<E> {
    /// States that wait to be visited, and to which no path is needed.
    fn waiting<H: Visitor>(waiting: E) -> Work<E>
    where
        E: Entries<H>,
    {
        let frames = [Frame { start: 0, next: 0, end: waiting.len() }].into_iter().collect();
        Work { path: Path::default(), entries: waiting, frames }
    }

    fn save<H: Visitor>(path: &Path<E>, entries: &E, frames: &Chunks<Frame>, to: &mut Encoder)
    where
        E: Entries<H>,
    {
        let mut whole = E::default();
        for (states, count) in path.pieces() {
            (0..count).for_each(|index| whole.copy(states, index));
        }
        whole.save(to);
        entries.save(to);
        to.number(frames.len() as u64);
        for Frame { start, next, end } in frames.iter() {
            [start, next, end].into_iter().for_each(|index| to.number(index as u64));
        }
    }

    /// All stacks that were saved one after the other; `None` if they make no sense.
    fn restore_all<H: Visitor>(bytes: &[u8]) -> Option<Vec<Work<E>>>
    where
        E: Entries<H>,
    {
        let mut from = Decoder(bytes);
        let mut stacks = Vec::new();
        while !from.0.is_empty() {
            let (path, entries) = (E::restore(&mut from)?, E::restore(&mut from)?);
            let length = path.len();
            let path = Path::default().followed_by(path, length, None);
            let mut frames: Chunks<Frame> = Chunks::default();
            for _ in 0..from.length(24)? {
                let mut index = || usize::try_from(from.number()?).ok();
                let frame = Frame { start: index()?, next: index()?, end: index()? };
                // All frames but the last have a visited state, from which the next one comes.
                let above = frames.last_mut().is_none_or(|below| frame.start >= below.end && below.next > below.start);
                if !above || frame.next < frame.start || frame.end < frame.next || frame.end > entries.len() {
                    return None;
                }
                frames.push(frame);
            }
            stacks.push(Work { path, entries, frames });
        }
        Some(stacks)
    }
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
    /// Whether work may be given away: not during the head start of the first worker.
    open: bool,
    /// What the workers that have paused so far handed over.
    paused: Vec<Paused>,
    /// How often the search was kept.
    round: u64,
}

/// What a worker hands over when it pauses.
struct Paused {
    notes: Vec<u8>,
    stack: Vec<u8>,
}

impl<E> Pool<E> {
    fn new(workers: usize, open: bool) -> Pool<E> {
        let inner = PoolInner { ready: VecDeque::new(), waiting: 0, closed: false, open, paused: Vec::new(), round: 0 };
        Pool { inner: Mutex::new(inner), arrival: Condvar::new(), workers, wanted: AtomicUsize::new(0) }
    }

    fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    fn note_wanted(&self, inner: &PoolInner<E>) {
        let wanted = if inner.open { inner.waiting.saturating_sub(inner.ready.len()) } else { 0 };
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, PoolInner<E>> {
        self.inner.lock().expect("no worker panics while it holds this")
    }

    /// From now on work may be given away.
    fn open(&self) {
        let mut inner = self.lock();
        inner.open = true;
        self.note_wanted(&inner);
    }

    fn give(&self, work: Work<E>) {
        let mut inner = self.lock();
        inner.ready.push_back(work);
        self.note_wanted(&inner);
        drop(inner);
        self.arrival.notify_one();
    }

    /// Work, or `None` when all workers wait: then there is none left anywhere. `notes` is what the worker has learnt.
    fn take<H: Visitor>(&self, shared: &Shared<'_>, notes: impl Fn() -> Vec<u8>) -> Option<Work<E>>
    where
        E: Entries<H>,
    {
        let mut inner = self.lock();
        inner.waiting += 1;
        let mut paused_in = None;
        loop {
            if shared.is_pausing() && !inner.closed {
                if paused_in != Some(inner.round) {
                    paused_in = Some(inner.round);
                    inner.paused.push(Paused { notes: notes(), stack: Vec::new() });
                    self.keep_if_all_paused(shared, &mut inner);
                    continue;
                }
            } else if let Some(work) = inner.ready.pop_front() {
                inner.waiting -= 1;
                self.note_wanted(&inner);
                return Some(work);
            } else if inner.closed || inner.waiting == self.workers {
                inner.closed = true;
                self.arrival.notify_all();
                return None;
            }
            self.note_wanted(&inner);
            inner = self.arrival.wait(inner).expect("no worker panics while it holds this");
        }
    }

    /// Hands a worker's stack over and waits until the search was kept, or has ended.
    fn pause<H: Visitor>(&self, shared: &Shared<'_>, paused: Paused)
    where
        E: Entries<H>,
    {
        let mut inner = self.lock();
        // Workers without work must notice, too.
        self.arrival.notify_all();
        let round = inner.round;
        inner.paused.push(paused);
        self.keep_if_all_paused(shared, &mut inner);
        while inner.round == round && !inner.closed {
            inner = self.arrival.wait(inner).expect("no worker panics while it holds this");
        }
    }

    fn keep_if_all_paused<H: Visitor>(&self, shared: &Shared<'_>, inner: &mut PoolInner<E>)
    where
        E: Entries<H>,
    {
        if inner.paused.len() < self.workers {
            return;
        }
        let mut work = Encoder::default();
        inner.ready.iter().for_each(|stack| Work::save(&stack.path, &stack.entries, &stack.frames, &mut work));
        let mut notes = Vec::new();
        for paused in inner.paused.drain(..) {
            work.0.extend(paused.stack);
            notes.push(paused.notes);
        }
        shared.keep(notes, work.0);
        inner.round += 1;
        self.arrival.notify_all();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.arrival.notify_all();
    }
}

/// A worker looks after so many visits whether somebody waits for work.
const SHARING_INTERVAL: u64 = 16;

/// A worker pays for its stack after so many visits.
const PAYING_INTERVAL: u64 = 256;

/// So many states are given away at a time, at most, from so many frames.
const MOST_SHARED: usize = 256;

/// The successors of one state that were new: entries from `start` to `end`, those before `next` visited.
#[derive(Clone, Copy)]
struct Frame {
    start: usize,
    next: usize,
    end: usize,
}

struct Worker<'a, S: System, H: Visitor, E, F> {
    expander: Expander<S, H>,
    shared: &'a Shared<'a>,
    pool: &'a Pool<E>,
    /// The way to the states that this worker was given.
    path: Path<E>,
    /// The same, and the states on the path of the first `shared_frames` frames, in which nothing waits.
    shared_path: Path<E>,
    shared_frames: usize,
    entries: E,
    frames: Chunks<Frame>,
    /// What the entries and frames take of the store's memory.
    charge: Charge,
    /// How many states this worker has visited.
    visits: u64,
    /// In the frames before this one nothing waits.
    oldest: usize,
    /// The states on the path of the first so many frames are known to be safe.
    safe_levels: usize,
    stages: PhantomData<F>,
}

impl<'a, S: System, H: Visitor, E: Entries<H>, F: Stages<H>> Worker<'a, S, H, E, F> {
    fn new(expander: Expander<S, H>, shared: &'a Shared<'a>, pool: &'a Pool<E>) -> Self {
        Worker {
            charge: expander.handle.budget().open(),
            expander,
            shared,
            pool,
            path: Path::default(),
            shared_path: Path::default(),
            shared_frames: 0,
            entries: E::default(),
            frames: Chunks::default(),
            visits: 0,
            oldest: 0,
            safe_levels: 0,
            stages: PhantomData,
        }
    }

    fn run(mut self) -> S {
        while let Some(work) = self.next_work() {
            self.shared_path = work.path.clone();
            self.path = work.path;
            self.entries = work.entries;
            self.frames = work.frames;
            (self.oldest, self.shared_frames, self.safe_levels) = (0, 0, 0);
            self.search();
            if self.shared.is_done() {
                self.pool.close();
                break;
            }
        }
        self.expander.come_home(self.shared)
    }

    fn next_work(&mut self) -> Option<Work<E>> {
        // Should the search be kept while this worker waits, its counts must have been handed in.
        self.expander.tally.hand_in(self.shared);
        let work = self.pool.take(self.shared, || self.expander.notes());
        if self.shared.is_done() {
            self.pool.close();
            return None;
        }
        work
    }

    /// Waits while the search is kept for later.
    fn pause(&mut self) {
        self.expander.tally.hand_in(self.shared);
        let mut stack = Encoder::default();
        Work::save(&self.path, &self.entries, &self.frames, &mut stack);
        self.pool.pause(self.shared, Paused { notes: self.expander.notes(), stack: stack.0 });
    }

    fn search(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                let start = frame.start;
                self.frames.drop_last();
                self.oldest = self.oldest.min(self.frames.len());
                self.entries.truncate(start);
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
                self.pool.open();
            }
            if self.shared.is_done() {
                return;
            }
            if self.visits.is_multiple_of(PAYING_INTERVAL) {
                self.pay();
            }
            if self.pool.is_wanted() && self.visits.is_multiple_of(SHARING_INTERVAL) {
                self.share();
            }
        }
    }

    /// Charges what the stack has grown by.
    fn pay(&mut self) {
        if !self.charge.resize(self.entries.bytes() + self.frames.bytes()) {
            self.shared.finish(End::Memory);
        }
    }

    fn visit(&mut self, index: usize) {
        let depth = (self.path.len() + self.frames.len() - 1) as u64;
        if self.shared.options.max_depth.is_some_and(|limit| depth >= limit) {
            self.shared.truncate();
            self.expander.tally.expanded(depth, self.shared);
            return;
        }
        let level = self.frames.len() - 1;
        self.safe_levels = self.safe_levels.min(level);
        let Worker { expander, entries, shared, .. } = self;
        match F::visit(&mut expander.handle, entries.reference(index)) {
            Stage::Unvisited => {}
            Stage::Visited => return,
            Stage::Safe => return self.settle(level),
        }
        entries.visit(index, &mut expander.handle, &mut expander.state, &mut expander.cursor);
        let start = entries.len();
        let stage = expander.expand::<F>(shared, |state, reference, _| entries.push(state, reference));
        if stage == Stage::Safe {
            self.settle(level + 1);
        }
        let violations = self.expander.violations(self.shared);
        if violations > 0 {
            self.report(violations);
        }
        self.expander.tally.expanded(depth, self.shared);
        let end = self.entries.len();
        if end > start {
            self.frames.push(Frame { start, next: start, end });
        }
    }

    /// Notes that the states on the path up to this level are safe.
    fn settle(&mut self, levels: usize) {
        if !F::REMEMBERS {
            return;
        }
        for level in self.safe_levels..levels {
            F::settle(&mut self.expander.handle, self.entries.reference(self.frames.get(level).next - 1));
        }
        self.safe_levels = self.safe_levels.max(levels);
    }

    fn report(&mut self, violations: u64) {
        let Worker { shared, path, entries, frames, expander, .. } = self;
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
        while self.oldest < self.frames.len() && waiting_in(self.frames.get(self.oldest)) == 0 {
            self.oldest += 1;
        }
        let oldest = self.oldest;
        let seen = oldest..self.frames.len().min(oldest + MOST_SHARED);
        let waiting: usize = seen.clone().map(|frame| waiting_in(self.frames.get(frame))).sum();
        // When these are all, one at least is this worker's own next state.
        let all = oldest + seen.len() == self.frames.len();
        let mut wanted = if all { waiting / 2 } else { waiting.div_ceil(2) }.min(MOST_SHARED);
        if wanted == 0 {
            return;
        }
        let mut path = E::default();
        let frames = self.shared_frames..oldest;
        frames.clone().for_each(|frame| path.copy(&self.entries, self.frames.get(frame).next - 1));
        let mut charge = self.expander.handle.budget().open();
        if !charge.resize(path.bytes()) {
            // Who waits for work has to wait: there is no memory to say how to get there.
            return;
        }
        self.shared_path = self.shared_path.followed_by(path, frames.len(), Some(charge));
        self.shared_frames = oldest;
        let (mut entries, mut given) = (E::default(), Chunks::default());
        for frame in oldest..self.frames.len() {
            let frame = self.frames.get_mut(frame);
            let Frame { next, end, .. } = *frame;
            let count = wanted.min(end - next);
            wanted -= count;
            let start = entries.len();
            frame.end = end - count;
            // The way to the frames that are given away after this one.
            let first = if wanted > 0 { next - 1..next } else { next..next };
            first.chain(frame.end..end).for_each(|index| entries.copy(&self.entries, index));
            given.push(Frame { start, next: start + usize::from(wanted > 0), end: entries.len() });
            if wanted == 0 {
                break;
            }
        }
        self.pool.give(Work { path: self.shared_path.clone(), entries, frames: given });
    }
}
