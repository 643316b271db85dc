//! Breadth-first search on any number of workers, level by level.
//!
//! In a reduced expansion a new state is a witness (the queue proviso of Bošnački, Leue and Lluch Lafuente, SPIN 2006); so is a known one that nobody has
//! begun to expand (proviso C3 of Bošnački and Holzmann, SPIN 2005).
//!
//! All levels are kept as references. The path to a violation is found backwards: which state of the level before has this one
//! among its successors?

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use system::System;

use super::exchange::{Paused, Pausing};
use super::expander::{Expander, Found};
use super::open::{Decoder, Encoder};
use super::shared::Shared;
use super::stages::{Coming, Stages};
use super::{End, Options, Outcome, Progress};
use crate::store::{LoadStates, StateRef, VisitedSet, Visitor};

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
    /// Adds new states to the next level.
    fn take(&mut self, found: &mut Vec<StateRef>) {
        if self.found.is_empty() {
            std::mem::swap(&mut self.found, found);
        } else {
            self.found.append(found);
        }
    }

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

pub(super) fn search<S, V, F>(systems: Vec<S>, store: &V, options: &Options, progress: &Progress) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
    F: Stages<V::Handle>,
{
    let shared = Shared::new(options, progress);
    let mut workers: Vec<Worker<S, V::Handle, F>> =
        systems.into_iter().map(|system| Worker::new(system, store.handle(), options)).collect();
    let mut front = match &options.resume {
        None => {
            let initial = workers[0].expander.start(&shared);
            Front { levels: initial.map(|reference| vec![reference]).into_iter().collect(), ..Front::default() }
        }
        Some(open) => Front::restore(&open.work).filter(|_| shared.recall(&open.notes)).unwrap_or_else(|| {
            shared.finish(End::Damaged);
            Front::default()
        }),
    };
    let mut states: usize = front.levels.iter().map(Vec::len).sum();
    // What levels take of the store's memory; that of new states is charged by who finds them.
    let mut charge = store.handle().budget().open();
    while let Some(level) = front.levels.last().filter(|level| !level.is_empty()) {
        let depth = front.levels.len() as u64 - 1;
        if shared.meter.is_too_deep(depth) {
            break;
        }
        let next = AtomicUsize::new(front.next);
        let violated = Mutex::new(front.violated);
        let alone = options.head_start > 0 && (level.len() < WORTH_SHARING || (states as u64) < options.head_start);
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
        workers.iter_mut().for_each(|worker| front.take(&mut worker.found));
        if shared.is_pausing() && !shared.is_done() {
            workers.iter_mut().for_each(|worker| shared.hand_in(&mut worker.expander.tally));
            let notes = workers.iter().map(|worker| Paused { notes: worker.expander.notes(), ..Paused::default() });
            shared.save(notes.chain([Paused { work: front.save(), ..Paused::default() }]).collect());
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
        front.found.shrink_to_fit();
        front.levels.push(std::mem::take(&mut front.found));
        states += front.levels.last().map_or(0, Vec::len);
        if !charge.resize(bytes_of_levels(front.levels.len(), states)) {
            shared.finish(End::Memory);
            break;
        }
        workers.iter_mut().for_each(Worker::forget);
    }
    let systems = workers.into_iter().map(|worker| worker.expander.come_home(&shared)).collect();
    shared.outcome(systems)
}

struct Worker<S: System, H: Visitor, F> {
    expander: Expander<S, H>,
    found: Vec<StateRef>,
    stages: PhantomData<F>,
}

/// The memory of so many references.
fn bytes_of(states: usize) -> u64 {
    (states * size_of::<StateRef>()) as u64
}

/// What a level takes beside its states: a place in a list that doubles, and what the allocator adds.
const LEVEL_BYTES: usize = 2 * size_of::<Vec<StateRef>>() + 32;

/// The memory of levels with so many states.
fn bytes_of_levels(levels: usize, states: usize) -> u64 {
    (levels * LEVEL_BYTES) as u64 + bytes_of(states)
}

impl<S: System, H: LoadStates, F: Stages<H>> Worker<S, H, F> {
    fn new(system: S, handle: H, options: &Options) -> Self {
        Worker { expander: Expander::new(system, handle, options), found: Vec::new(), stages: PhantomData }
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
                let Worker { expander, found, .. } = self;
                F::visit(&mut expander.handle, reference, Coming::Perhaps);
                expander.handle.visit(reference, &mut expander.state, &mut expander.cursor);
                // A state that waits is in one of the levels already.
                expander.expand::<F>(shared, |_, reference, how| {
                    if how == Found::New {
                        found.push(reference);
                    }
                });
                let violations = self.expander.violations(shared);
                if violations > 0 {
                    let mut first = violated.lock().expect("no worker panics while it holds this");
                    let (earliest, sum) = first.unwrap_or((usize::MAX, 0));
                    *first = Some((earliest.min(start + index), sum + violations));
                }
                let Worker { expander, found, .. } = self;
                // What was found and handed over is paid for until its level is.
                let paid = expander.tally.paid();
                shared.expanded(&mut expander.tally, depth, || bytes_of(found.len()).max(paid));
            }
        }
    }

    /// The states that it has found are part of a level now.
    fn forget(&mut self) {
        self.expander.tally.release();
    }

    fn leads_to(&mut self, from: StateRef, target: &[u8]) -> bool {
        let Expander { handle, system, state, successors, .. } = &mut self.expander;
        handle.load(from, state);
        system.successors(state, successors);
        successors.targets().any(|successor| successor == target)
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
    worker.expander.handle.load(last[index], &mut state);
    let mut backwards = vec![state];
    for level in before.iter().rev() {
        let target = backwards.last().expect("it starts with one").clone();
        let Some(&from) = level.iter().find(|&&from| worker.leads_to(from, &target)) else { break };
        let mut state = Vec::new();
        worker.expander.handle.load(from, &mut state);
        backwards.push(state);
    }
    backwards.reverse();
    backwards
}
