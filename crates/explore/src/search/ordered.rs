//! A search in an order of one's own: the next state is what a [frontier](super::frontier) says.
//!
//! Which states were found, from where, and how far they are from the initial state, is kept in a log of sixteen bytes for each state, so that every
//! violation comes with its path whatever the order. A reduced expansion is justified as in any other order: see [`stages`](super::stages).

use system::System;

use super::chunks::Chunks;
use super::exchange::{Paused, Pausing};
use super::expander::{Expander, Found};
use super::frontier::{Entry, Frontier};
use super::open::{Decoder, Encoder};
use super::shared::Shared;
use super::stages::{Coming, Stage, Stages};
use super::{End, Options, Outcome, Progress};
use crate::parents::way_to;
use crate::store::{LoadStates, StateRef, VisitedSet};

/// A state that was found.
#[derive(Clone, Copy)]
struct Logged {
    reference: StateRef,
    /// Where it was found; itself for the initial state.
    parent: u32,
    depth: u32,
}

pub(super) fn search<S, V, F>(
    system: S,
    store: &V,
    options: &Options,
    progress: &Progress,
    frontier: &mut dyn Frontier,
) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
    F: Stages<V::Handle>,
{
    let shared = Shared::new(options, progress);
    let mut expander = Expander::new(system, store.handle(), options);
    let mut log: Chunks<Logged> = Chunks::default();
    match &options.resume {
        None => {
            if let Some(reference) = expander.start(&shared) {
                log.push(Logged { reference, parent: 0, depth: 0 });
                frontier.push(Entry(0), &expander.state, 0);
            }
        }
        Some(open) => match restore(&open.work).filter(|_| shared.recall(&open.notes)) {
            Some((saved, waiting)) => {
                log = saved;
                push_all(&waiting, &log, &mut expander.handle, frontier);
            }
            None => shared.finish(End::Damaged),
        },
    }
    while !shared.is_done() {
        if shared.is_pausing() {
            shared.hand_in(&mut expander.tally);
            let waiting: Vec<Entry> = std::iter::from_fn(|| frontier.pop()).collect();
            shared.save(vec![Paused { notes: expander.notes(), work: save(&log, &waiting) }]);
            push_all(&waiting, &log, &mut expander.handle, frontier);
            continue;
        }
        let Some(Entry(number)) = frontier.pop() else { break };
        let Logged { reference, depth, .. } = log.get(number as usize);
        if shared.meter.is_too_deep(u64::from(depth)) {
            continue;
        }
        // A state that waited may have been visited for another one's sake.
        if F::visit(&mut expander.handle, reference, Coming::Perhaps) != Stage::Unvisited {
            continue;
        }
        expander.handle.visit(reference, &mut expander.state, &mut expander.cursor);
        let mut is_full = false;
        expander.expand::<F>(&shared, |state, reference, how| {
            // A state that waits is in the frontier already.
            if how == Found::New {
                match u32::try_from(log.len()) {
                    Ok(found) => {
                        log.push(Logged { reference, parent: number, depth: depth + 1 });
                        frontier.push(Entry(found), state, u64::from(depth) + 1);
                    }
                    Err(_) => is_full = true,
                }
            }
        });
        if is_full {
            shared.finish(End::Memory);
        }
        let violations = expander.violations(&shared);
        if violations > 0 {
            shared.violated(violations, || path(&log, number, &mut expander.handle));
        }
        shared.expanded(&mut expander.tally, u64::from(depth), || log.bytes() + frontier.bytes());
    }
    let system = expander.come_home(&shared);
    shared.outcome(vec![system])
}

/// The states from the initial one to one of the log.
fn path<H: LoadStates>(log: &Chunks<Logged>, number: u32, handle: &mut H) -> Vec<Vec<u8>> {
    let way = way_to(number, |number| log.get(number as usize).parent);
    way.into_iter().map(|number| handle.loaded(log.get(number as usize).reference)).collect()
}

/// Puts states back into a frontier, so that they come out in the order in which they came out before.
fn push_all<H: LoadStates>(waiting: &[Entry], log: &Chunks<Logged>, handle: &mut H, frontier: &mut dyn Frontier) {
    for &Entry(number) in waiting.iter().rev() {
        let Logged { reference, depth, .. } = log.get(number as usize);
        frontier.push(Entry(number), &handle.loaded(reference), u64::from(depth));
    }
}

fn save(log: &Chunks<Logged>, waiting: &[Entry]) -> Vec<u8> {
    let mut to = Encoder::default();
    to.number(log.len() as u64);
    for Logged { reference, parent, depth } in log.iter() {
        to.number(reference.to_bits());
        to.number(u64::from(parent) << 32 | u64::from(depth));
    }
    to.number(waiting.len() as u64);
    waiting.iter().for_each(|&Entry(number)| to.number(u64::from(number)));
    to.0
}

/// What was saved; `None` if it makes no sense.
fn restore(bytes: &[u8]) -> Option<(Chunks<Logged>, Vec<Entry>)> {
    let mut from = Decoder(bytes);
    let mut log: Chunks<Logged> = Chunks::default();
    for number in 0..from.length(16)? as u64 {
        let (reference, rest) = (StateRef::from_bits(from.number()?), from.number()?);
        let (parent, depth) = (rest >> 32, rest & u64::from(u32::MAX));
        // Whoever follows parents comes to the initial state.
        if parent >= number && number > 0 || parent > number {
            return None;
        }
        log.push(Logged { reference, parent: parent as u32, depth: depth as u32 });
    }
    let entry = |number: u64| u32::try_from(number).ok().filter(|&number| (number as usize) < log.len()).map(Entry);
    let waiting: Option<Vec<Entry>> = (0..from.length(8)?).map(|_| entry(from.number()?)).collect();
    from.0.is_empty().then_some((log, waiting?))
}

#[cfg(test)]
mod tests {
    use system::{Arena, Fate, Label, System};

    use std::sync::{Arc, Mutex};

    use super::super::{
        Bounds, Buckets, Checkpointer, Errors, NewFrontier, OpenSearch, Options, Order, Progress, search,
        search_in_order,
    };
    use crate::store::{Limits, PlainStore, TreeStore};

    /// A grid whose far corner is wrong. Two walls leave one way through each.
    struct Grid;

    const SIZE: u8 = 30;

    impl System for Grid {
        fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
            into.clear();
            into.extend([0, 0]);
            Fate::Open
        }

        fn successors(&mut self, state: &[u8], into: &mut Arena) {
            into.clear();
            into.signals_mut().errors = u32::from(state == [SIZE, SIZE]);
            let [x, y] = [state[0], state[1]];
            let steps = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
            for (x, y) in steps.into_iter().filter(|&(x, y)| x <= SIZE && y <= SIZE) {
                if x != 10 || y == 20 {
                    into.push(&[x, y], Label::default());
                }
            }
        }
    }

    fn distance(state: &[u8], _: u64) -> u32 {
        u32::from(SIZE - state[0]) + u32::from(SIZE - state[1])
    }

    #[test]
    fn an_estimate_finds_a_violation_among_few_states() {
        let store = || TreeStore::new(Limits::memory(1 << 24));
        let options = Options { order: Order::BreadthFirst, ..Options::default() };
        let wide = search(|| Grid, &store(), &options, &Progress::new());
        let nearest = &mut Buckets::new(distance);
        let best = search_in_order(|| Grid, &store(), &options, &Progress::new(), nearest);
        assert!(best.stored * 2 < wide.stored, "{} of {}", best.stored, wide.stored);
        let path = best.path.expect("the corner can be reached");
        let mut successors = Arena::new();
        assert_eq!((path[0].as_slice(), path.last()), ([0, 0].as_slice(), Some(&vec![SIZE, SIZE])));
        for pair in path.windows(2) {
            Grid.successors(&pair[0], &mut successors);
            assert!(successors.targets().any(|target| target == pair[1]));
        }
    }

    #[test]
    fn every_order_visits_every_state() {
        let all = Options { errors: Errors::All, ..Options::default() };
        let store = || PlainStore::new(Limits::memory(1 << 24));
        let expected = search(|| Grid, &store(), &all, &Progress::new());
        let estimates: [fn(&[u8], u64) -> u32; 4] =
            [distance, |_, depth| depth as u32, |_, _| 0, |state, _| u32::from(state[0] ^ state[1])];
        for estimate in estimates {
            let found = search_in_order(|| Grid, &store(), &all, &Progress::new(), &mut Buckets::new(estimate));
            assert_eq!((found.stored, found.matched), (expected.stored, expected.matched));
            assert_eq!((found.end, found.violations), (expected.end, 1));
        }
    }

    /// Keeps nothing, and never wants to.
    #[derive(Debug)]
    struct Idle;

    impl Checkpointer for Idle {
        fn is_due(&self) -> bool {
            false
        }

        fn save(&self, _open: &OpenSearch) {}
    }

    #[test]
    fn limits_hold_whoever_would_keep_the_search() {
        let options = Options {
            bounds: Bounds { max_states: Some(50), ..Bounds::default() },
            checkpointer: Some(Arc::new(Idle)),
            ..Options::default()
        };
        let store = TreeStore::new(Limits::memory(1 << 24));
        let found = search_in_order(|| Grid, &store, &options, &Progress::new(), &mut Buckets::new(|_, _| 0));
        assert_eq!(found.end, super::End::States);
    }

    /// Saves the search whenever it is asked.
    #[derive(Debug, Default)]
    struct Always(Mutex<Option<OpenSearch>>);

    impl Checkpointer for Always {
        fn is_due(&self) -> bool {
            false
        }

        fn save(&self, open: &OpenSearch) {
            *self.0.lock().expect("nobody panicked") = Some(open.clone());
        }
    }

    #[test]
    fn a_search_in_any_order_goes_on_where_it_was_saved() {
        let frontier = Some(NewFrontier::new(|| Buckets::new(distance)));
        let all = Options { frontier, errors: Errors::All, ..Options::default() };
        let store = || TreeStore::new(Limits::memory(1 << 24));
        let expected = search(|| Grid, &store(), &all, &Progress::new());
        for states in [1, 20, 400] {
            let (store, saved) = (store(), Arc::new(Always::default()));
            let bounds = Bounds { max_states: Some(states), ..Bounds::default() };
            let options = Options { bounds, checkpointer: Some(saved.clone()), ..all.clone() };
            assert_eq!(search(|| Grid, &store, &options, &Progress::new()).end, super::End::States);
            let resume = saved.0.lock().expect("nobody panicked").take();
            assert!(resume.is_some());
            let found = search(|| Grid, &store, &Options { resume, ..all.clone() }, &Progress::new());
            assert_eq!((found.end, found.stored, found.matched), (expected.end, expected.stored, expected.matched));
            assert_eq!((found.violations, found.path), (1, expected.path.clone()));
        }
    }

    #[test]
    fn limits_end_a_search_in_any_order() {
        let options = Options { bounds: Bounds { max_states: Some(50), ..Bounds::default() }, ..Options::default() };
        let store = TreeStore::new(Limits::memory(1 << 24));
        let found = search_in_order(|| Grid, &store, &options, &Progress::new(), &mut Buckets::new(|_, _| 0));
        assert_eq!(found.end, super::End::States);
        let options = Options { bounds: Bounds { max_depth: Some(5), ..Bounds::default() }, ..Options::default() };
        let store = TreeStore::new(Limits::memory(1 << 24));
        let nearest = &mut Buckets::new(|_, depth| depth as u32);
        let found = search_in_order(|| Grid, &store, &options, &Progress::new(), nearest);
        assert_eq!((found.end, found.stored), (super::End::Depth, 21));
    }
}
