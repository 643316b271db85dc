//! Breadth-first search on any number of workers, level by level.
//!
//! All levels are kept as references. The path to a violation is found backwards: which state of the level before has this one
//! among its successors?

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::open::{Decoder, Encoder};
use super::sequence::Sequence;
use super::shared::{Shared, Tally};
use super::stages::{Stage, Stages};
use super::{End, Options, Outcome, Progress};
use crate::store::{Insert, LoadStates, StateRef, VisitedSet, Visitor};
use crate::system::{Extent, Successors, System};

/// Workers take this many states of a level at a time, at most.
const CHUNK: usize = 64;

/// A level with fewer states than this is expanded by one worker: starting the others would take longer.
const WORTH_SHARING: usize = 512;

/// All levels so far, and how far the last one has come.
#[derive(Default)]
struct Front {
    levels: Vec<Vec<StateRef>>,
    /// States of the last level that were expanded.
    next: usize,
    /// New states of the next level.
    found: Vec<StateRef>,
    /// The first state of the last level with a violation, and how many violations the level has.
    violated: Option<(usize, u64)>,
}

impl Front {
    fn save(&self) -> Vec<u8> {
        let mut to = Encoder::default();
        to.number(self.levels.len() as u64);
        self.levels.iter().for_each(|level| to.references(level));
        to.number(self.next as u64);
        to.references(&self.found);
        let (index, violations) = self.violated.unwrap_or((usize::MAX, 0));
        to.number(index as u64);
        to.number(violations);
        to.0
    }

    fn restore(bytes: &[u8]) -> Option<Front> {
        let mut from = Decoder(bytes);
        let count = from.length(8)?;
        let levels: Option<Vec<_>> = (0..count).map(|_| from.references()).collect();
        let levels = levels?;
        let next = usize::try_from(from.number()?).ok()?;
        let found = from.references()?;
        let violated = (usize::try_from(from.number()?).ok()?, from.number()?);
        let last = levels.last()?.len();
        let sane = from.0.is_empty() && next <= last && (violated.1 == 0 || violated.0 < last);
        sane.then(|| Front { levels, next, found, violated: (violated.1 > 0).then_some(violated) })
    }
}

pub(super) fn search<S, V, F>(mut systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
    F: Stages<V::Handle>,
{
    let shared = Shared::new(options, progress);
    let mut front = match &options.resume {
        None => start(&mut systems[0], store, &shared),
        Some(open) => {
            let recalled = open.notes.iter().all(|notes| systems[0].recall(notes));
            Front::restore(&open.work).filter(|_| recalled).unwrap_or_else(|| {
                shared.finish(End::Damaged);
                Front::default()
            })
        }
    };
    let mut workers: Vec<Worker<S, V::Handle, F>> =
        systems.into_iter().map(|system| Worker::new(system, store.handle(), options)).collect();
    while let Some(level) = front.levels.last().filter(|level| !level.is_empty()) {
        let depth = front.levels.len() as u64 - 1;
        if options.max_depth.is_some_and(|limit| depth >= limit) {
            shared.truncate();
            break;
        }
        let next = AtomicUsize::new(front.next);
        let violated = Mutex::new(front.violated);
        let states = front.levels.iter().map(Vec::len).sum::<usize>() as u64;
        let alone = options.head_start > 0 && (level.len() < WORTH_SHARING || states < options.head_start);
        let chunk = (level.len() / (4 * workers.len())).clamp(1, CHUNK);
        if alone || workers.len() == 1 {
            workers[0].expand(level, chunk, depth, &next, &violated, &shared);
        } else {
            std::thread::scope(|scope| {
                for worker in &mut workers {
                    let (shared, next, violated) = (&shared, &next, &violated);
                    scope.spawn(move || worker.expand(level, chunk, depth, next, violated, shared));
                }
            });
        }
        front.next = next.into_inner().min(level.len());
        front.violated = violated.into_inner().expect("no worker panicked");
        workers.iter_mut().for_each(|worker| front.found.append(&mut worker.found));
        if shared.is_pausing() && !shared.is_done() {
            workers.iter_mut().for_each(|worker| worker.tally.hand_in(&shared));
            shared.keep(workers.iter().map(|worker| worker.system.notes()).collect(), front.save());
            if !shared.is_done() {
                continue;
            }
        }
        if let Some((index, violations)) = front.violated.take() {
            shared.violated(violations, || path(&front.levels, index, &mut workers[0]));
        }
        if shared.is_done() {
            break;
        }
        front.next = 0;
        front.levels.push(std::mem::take(&mut front.found));
    }
    let systems = workers
        .into_iter()
        .map(|mut worker| {
            worker.tally.hand_in(&shared);
            worker.system
        })
        .collect();
    shared.outcome(systems)
}

/// The initial state as the first level.
fn start<S: System, V: VisitedSet>(system: &mut S, store: &V, shared: &Shared<'_>) -> Front {
    let mut state = Vec::new();
    system.initial(&mut state);
    let mut tally = Tally::default();
    let mut front = Front::default();
    match store.handle().insert(&state, &Default::default()) {
        Insert::New(reference) | Insert::Known(reference) => {
            tally.stored();
            front.levels.push(vec![reference]);
        }
        Insert::Full => shared.finish(End::Memory),
    }
    tally.hand_in(shared);
    front
}

struct Worker<S: System, H: Visitor, F> {
    system: S,
    handle: H,
    tally: Tally,
    found: Vec<StateRef>,
    state: Vec<u8>,
    cursor: H::Cursor,
    successors: S::Successors,
    /// What became of each successor.
    inserted: Vec<Insert>,
    sequence: Sequence,
    stages: PhantomData<F>,
}

impl<S: System, H: LoadStates, F: Stages<H>> Worker<S, H, F> {
    fn new(system: S, handle: H, options: &Options) -> Self {
        Worker {
            system,
            handle,
            tally: Tally::default(),
            found: Vec::new(),
            state: Vec::new(),
            cursor: Default::default(),
            successors: Default::default(),
            inserted: Vec::new(),
            sequence: Sequence::new(options.seed),
            stages: PhantomData,
        }
    }

    /// Expands a share of a level. The first violation in the level's order is kept, so that one worker or many report the same depth.
    fn expand(
        &mut self,
        level: &[StateRef],
        chunk: usize,
        depth: u64,
        next: &AtomicUsize,
        violated: &Mutex<Option<(usize, u64)>>,
        shared: &Shared<'_>,
    ) {
        while !shared.is_done() && !shared.is_pausing() {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            if start >= level.len() {
                return;
            }
            let end = (start + chunk).min(level.len());
            for (index, &reference) in level[start..end].iter().enumerate() {
                F::visit(&mut self.handle, reference);
                self.handle.visit(reference, &mut self.state, &mut self.cursor);
                self.insert_successors(shared);
                let violations = self.successors.violations();
                if violations > 0 {
                    let mut first = violated.lock().expect("no worker panics while it holds this");
                    let (earliest, sum) = first.unwrap_or((usize::MAX, 0));
                    *first = Some((earliest.min(start + index), sum + violations));
                }
                self.tally.expanded(depth, shared);
            }
        }
    }

    /// Inserts enough successors of the current state: all, or a part of which one is a *witness*, for any number of workers: see
    /// [`stages`](super::stages). A new state is a witness (the queue proviso of Bošnački, Leue and Lluch Lafuente, SPIN 2006); so is a known
    /// one that nobody has begun to expand (proviso C3 of Bošnački and Holzmann, SPIN 2005).
    fn insert_successors(&mut self, shared: &Shared<'_>) {
        let mut extent = self.system.reduced_successors(&self.state, &mut self.successors);
        loop {
            let mut witness = false;
            let mut known = 0;
            self.sequence.arrange(&self.state, self.successors.len());
            let (successors, sequence) = (&self.successors, &self.sequence);
            let state = |position| successors.state(sequence.at(position));
            self.handle.insert_all(successors.len(), state, &self.cursor, &mut self.inserted);
            for &insert in &self.inserted {
                match insert {
                    Insert::New(reference) => {
                        witness = true;
                        self.tally.stored();
                        self.found.push(reference);
                    }
                    Insert::Known(reference) => {
                        known += 1;
                        if extent == Extent::Part && !witness {
                            witness = F::stage(&mut self.handle, reference) == Stage::Unvisited;
                        }
                    }
                    Insert::Full => shared.finish(End::Memory),
                }
            }
            if extent == Extent::All || witness || shared.is_done() {
                return self.tally.matched(known);
            }
            extent = self.system.other_successors(&self.state, &mut self.successors);
        }
    }

    fn leads_to(&mut self, from: StateRef, target: &[u8]) -> bool {
        self.handle.load(from, &mut self.state);
        self.system.successors(&self.state, &mut self.successors);
        (0..self.successors.len()).any(|successor| self.successors.state(successor) == target)
    }
}

/// The states from the initial one to entry `index` of the last level.
fn path<S, H, F>(levels: &[Vec<StateRef>], index: usize, worker: &mut Worker<S, H, F>) -> Vec<Vec<u8>>
where
    S: System,
    H: LoadStates,
    F: Stages<H>,
{
    let Some((last, before)) = levels.split_last() else { return Vec::new() };
    let mut state = Vec::new();
    worker.handle.load(last[index], &mut state);
    let mut backwards = vec![state];
    for level in before.iter().rev() {
        let target = backwards.last().expect("it starts with one").clone();
        let Some(&from) = level.iter().find(|&&from| worker.leads_to(from, &target)) else { break };
        let mut state = Vec::new();
        worker.handle.load(from, &mut state);
        backwards.push(state);
    }
    backwards.reverse();
    backwards
}
