//! Breadth-first search on any number of workers, level by level.
//!
//! All levels are kept as references. The path to a violation is found backwards: which state of the level before has this one
//! among its successors?

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::shared::{Shared, Tally};
use super::{End, Options, Outcome, Progress};
use crate::store::{Insert, LoadStates, StateRef, VisitedSet, Visitor};
use crate::system::{Extent, Successors, System};

/// Workers take this many states of a level at a time.
const CHUNK: usize = 64;

/// A level with fewer states than this is expanded by one worker: starting the others would take longer.
const WORTH_SHARING: usize = 512;

pub(super) fn search<S, V>(mut systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
{
    let shared = Shared::new(options, progress);
    let mut handle = store.handle();
    let mut state = Vec::new();
    systems[0].initial(&mut state);
    let mut tally = Tally::default();
    let mut levels: Vec<Vec<StateRef>> = Vec::new();
    match handle.insert(&state, &Default::default()) {
        Insert::New(reference) | Insert::Known(reference) => {
            tally.stored();
            levels.push(vec![reference]);
        }
        Insert::Full => shared.finish(End::Memory),
    }
    tally.hand_in(&shared);
    let mut workers: Vec<Worker<S, V::Handle>> =
        systems.into_iter().map(|system| Worker::new(system, store.handle())).collect();
    while let Some(level) = levels.last().filter(|level| !level.is_empty()) {
        let depth = levels.len() as u64 - 1;
        if options.max_depth.is_some_and(|limit| depth >= limit) {
            shared.truncate();
            break;
        }
        let next = AtomicUsize::new(0);
        let violated = Mutex::new(None);
        if level.len() < WORTH_SHARING || workers.len() == 1 {
            workers[0].expand(level, depth, &next, &violated, &shared);
        } else {
            std::thread::scope(|scope| {
                for worker in &mut workers {
                    let (shared, next, violated) = (&shared, &next, &violated);
                    scope.spawn(move || worker.expand(level, depth, next, violated, shared));
                }
            });
        }
        let violated = violated.into_inner().expect("no worker panicked");
        if let Some((index, violations)) = violated {
            shared.violated(violations, || path(&levels, index, &mut workers[0]));
        }
        if shared.is_done() {
            break;
        }
        let found = workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.found)).collect();
        levels.push(found);
    }
    let systems = workers
        .into_iter()
        .map(|worker| {
            worker.tally.hand_in(&shared);
            worker.system
        })
        .collect();
    shared.outcome(systems)
}

struct Worker<S: System, H: Visitor> {
    system: S,
    handle: H,
    tally: Tally,
    found: Vec<StateRef>,
    state: Vec<u8>,
    cursor: H::Cursor,
    successors: S::Successors,
    /// What became of each successor.
    inserted: Vec<Insert>,
}

impl<S: System, H: LoadStates> Worker<S, H> {
    fn new(system: S, handle: H) -> Self {
        Worker {
            system,
            handle,
            tally: Tally::default(),
            found: Vec::new(),
            state: Vec::new(),
            cursor: Default::default(),
            successors: Default::default(),
            inserted: Vec::new(),
        }
    }

    /// Expands a share of a level. The first violation in the level's order is kept, so that one worker or many report the same depth.
    fn expand(
        &mut self,
        level: &[StateRef],
        depth: u64,
        next: &AtomicUsize,
        violated: &Mutex<Option<(usize, u64)>>,
        shared: &Shared<'_>,
    ) {
        while !shared.is_done() {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= level.len() {
                return;
            }
            let end = (start + CHUNK).min(level.len());
            for (index, &reference) in level[start..end].iter().enumerate() {
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

    /// Inserts enough successors of the current state: all, or a part of which one is new. A new one will be expanded later than
    /// this state, so following such states leads to one that was expanded fully, where nothing is put off any more
    /// (the queue proviso of Bošnački, Leue and Lluch Lafuente, SPIN 2006, with "new" for "in the queue").
    fn insert_successors(&mut self, shared: &Shared<'_>) {
        let mut extent = self.system.reduced_successors(&self.state, &mut self.successors);
        loop {
            let before = self.found.len();
            let mut known = 0;
            let successors = &self.successors;
            let state = |successor| successors.state(successor);
            self.handle.insert_all(successors.len(), state, &self.cursor, &mut self.inserted);
            for &insert in &self.inserted {
                match insert {
                    Insert::New(reference) => {
                        self.tally.stored();
                        self.found.push(reference);
                    }
                    Insert::Known(_) => known += 1,
                    Insert::Full => shared.finish(End::Memory),
                }
            }
            if extent == Extent::All || self.found.len() > before || shared.is_done() {
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
fn path<S: System, H: LoadStates>(levels: &[Vec<StateRef>], index: usize, worker: &mut Worker<S, H>) -> Vec<Vec<u8>> {
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
