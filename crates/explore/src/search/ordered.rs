//! A search in an order of one's own: the next state is what a [frontier](super::frontier) says.
//!
//! Which states were found, from where, and how far they are from the initial state, is kept in a log of sixteen bytes for each state, so that every
//! violation comes with its path whatever the order. A reduced expansion is justified as in any other order: see [`stages`](super::stages).
//!
//! A frontier may reopen states (A*): one that is found again on a shorter path gets the new parent and waits again, whether it was visited or
//! not. A parent is nearer to the initial state than its child, at the moment and ever after, so that the way back from a state always ends.

use rustc_hash::FxHashMap;
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

/// What is needed to reopen states.
#[derive(Default)]
struct Reopening {
    /// Where each state is in the log.
    numbers: FxHashMap<u64, u32>,
    /// How deep each state was when it was expanded last.
    expanded: Chunks<u32>,
}

impl Reopening {
    /// Nobody has expanded it yet.
    const NEVER: u32 = u32::MAX;

    fn of(log: &Chunks<Logged>) -> Reopening {
        let mut reopening = Reopening::default();
        log.iter().for_each(|logged| reopening.add(logged.reference));
        reopening
    }

    /// A state is added to the log.
    fn add(&mut self, reference: StateRef) {
        self.numbers.insert(reference.to_bits(), self.expanded.len() as u32);
        self.expanded.push(Reopening::NEVER);
    }

    /// Whether a state is to be expanded at this depth, and whether for the first time.
    fn expand(&mut self, number: u32, depth: u32) -> (bool, bool) {
        let last = std::mem::replace(self.expanded.get_mut(number as usize), depth);
        (depth < last, last == Reopening::NEVER)
    }

    fn bytes(&self) -> u64 {
        // A table of pairs that is at most seven eighths full, and doubles.
        self.expanded.bytes() + self.numbers.capacity() as u64 * 8 / 7 * 17
    }
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
    let mut reopening = frontier.reopens().then(|| Reopening::of(&log));
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
        let is_visited = F::visit(&mut expander.handle, reference, Coming::Perhaps) != Stage::Unvisited;
        let (is_wanted, is_first) = match &mut reopening {
            Some(reopening) => reopening.expand(number, depth),
            None => (!is_visited, true),
        };
        if !is_wanted {
            continue;
        }
        expander.handle.visit(reference, &mut expander.state, &mut expander.cursor);
        let mut is_full = false;
        expander.expand::<F>(&shared, |state, reference, how| {
            let found = Logged { reference, parent: number, depth: depth + 1 };
            match (how, &mut reopening) {
                (Found::New, _) => match u32::try_from(log.len()) {
                    Ok(number) => {
                        log.push(found);
                        reopening.iter_mut().for_each(|reopening| reopening.add(reference));
                        frontier.push(Entry(number), state, u64::from(found.depth));
                    }
                    Err(_) => is_full = true,
                },
                (Found::Known, Some(reopening)) => {
                    let number = reopening.numbers[&reference.to_bits()];
                    let known = log.get_mut(number as usize);
                    if found.depth < known.depth {
                        *known = found;
                        frontier.push(Entry(number), state, u64::from(found.depth));
                    }
                }
                // A state that waits is in the frontier already.
                (Found::Known | Found::Waiting, _) => {}
            }
        });
        if is_full {
            shared.finish(End::Memory);
        }
        let violations = expander.violations(&shared);
        if violations > 0 && is_first {
            shared.violated(violations, || path(&log, number, &mut expander.handle));
        }
        shared.expanded(&mut expander.tally, u64::from(depth), || {
            log.bytes() + frontier.bytes() + reopening.as_ref().map_or(0, Reopening::bytes)
        });
    }
    if frontier.has_dropped() {
        shared.finish(End::Dropped);
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
    for _ in 0..from.length(16)? {
        let (reference, rest) = (StateRef::from_bits(from.number()?), from.number()?);
        let (parent, depth) = (rest >> 32, rest & u64::from(u32::MAX));
        log.push(Logged { reference, parent: parent as u32, depth: depth as u32 });
    }
    // Whoever follows parents comes to the initial state.
    let is_nearer =
        |logged: Logged| (logged.parent as usize) < log.len() && log.get(logged.parent as usize).depth < logged.depth;
    if log.iter().next().is_some_and(|first| first.parent != 0) || !log.iter().skip(1).all(is_nearer) {
        return None;
    }
    let entry = |number: u64| u32::try_from(number).ok().filter(|&number| (number as usize) < log.len()).map(Entry);
    let waiting: Option<Vec<Entry>> = (0..from.length(8)?).map(|_| entry(from.number()?)).collect();
    from.0.is_empty().then_some((log, waiting?))
}

#[cfg(test)]
mod tests {
    use system::{Arena, Fate, Label, System};

    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;

    use super::super::random::small;
    use super::super::{
        Alternating, Beam, Bounds, Buckets, Checkpointer, Errors, Frontier, NewFrontier, OpenSearch, Options, Order,
        Progress, search, search_in_order,
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
            let ends = |path: &Option<Vec<Vec<u8>>>| path.as_ref().map(|path| (path[0].clone(), path.last().cloned()));
            assert_eq!((found.violations, ends(&found.path)), (1, ends(&expected.path)));
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn with_a_lower_bound_a_path_is_as_short_as_breadth_first(graph in small()) {
            let store = || PlainStore::new(Limits::memory(1 << 20));
            let options = Options { order: Order::BreadthFirst, ..Options::default() };
            let expected = search(|| graph.clone(), &store(), &options, &Progress::new());
            let estimates = graph.estimates();
            let key = |state: &[u8], depth: u64| {
                let estimate = estimates[usize::from(state[0])];
                (depth + u64::from(estimate), estimate)
            };
            let found = search_in_order(|| graph.clone(), &store(), &options, &Progress::new(), &mut Buckets::reopening(key));
            prop_assert_eq!(found.end, expected.end);
            prop_assert_eq!(found.path.map(|path| path.len()), expected.path.map(|path| path.len()));
        }
    }

    #[test]
    fn states_are_reopened_and_a_shortest_path_is_found_among_fewer_states() {
        let store = || TreeStore::new(Limits::memory(1 << 24));
        let options = Options { order: Order::BreadthFirst, ..Options::default() };
        let wide = search(|| Grid, &store(), &options, &Progress::new());
        let key = |state: &[u8], depth: u64| (depth + u64::from(distance(state, 0)), distance(state, 0));
        let found = search_in_order(|| Grid, &store(), &options, &Progress::new(), &mut Buckets::reopening(key));
        assert_eq!(found.path.map(|path| path.len()), wide.path.map(|path| path.len()));
        assert!(found.stored < wide.stored, "{} of {}", found.stored, wide.stored);
    }

    #[test]
    fn orders_in_turn_find_what_one_of_them_finds_and_visit_every_state() {
        let store = || TreeStore::new(Limits::memory(1 << 24));
        let alternating = || {
            let away: Box<dyn Frontier> = Box::new(Buckets::new(|state: &[u8], _: u64| 60 - distance(state, 0)));
            Alternating::new(vec![away, Box::new(Buckets::new(distance))])
        };
        let options = Options::default();
        let alone = search_in_order(|| Grid, &store(), &options, &Progress::new(), &mut Buckets::new(distance));
        let both = search_in_order(|| Grid, &store(), &options, &Progress::new(), &mut alternating());
        assert!(both.path.is_some() && both.stored <= 2 * alone.stored + 4, "{} and {}", both.stored, alone.stored);
        let all = Options { errors: Errors::All, ..Options::default() };
        let expected = search(|| Grid, &store(), &all, &Progress::new());
        let found = search_in_order(|| Grid, &store(), &all, &Progress::new(), &mut alternating());
        assert_eq!((found.end, found.stored, found.matched), (expected.end, expected.stored, expected.matched));
    }

    #[test]
    fn a_narrow_beam_says_that_it_dropped_states_and_a_wide_one_visits_all() {
        let store = || TreeStore::new(Limits::memory(1 << 24));
        let all = Options { errors: Errors::All, ..Options::default() };
        let expected = search(|| Grid, &store(), &all, &Progress::new());
        let beam = |width| {
            let mut beam = Beam::new(width, |state: &[u8]| distance(state, 0));
            search_in_order(|| Grid, &store(), &all, &Progress::new(), &mut beam)
        };
        let (narrow, wide) = (beam(2), beam(1000));
        assert!(narrow.end == super::End::Dropped && narrow.stored < expected.stored);
        assert_eq!((wide.end, wide.stored, wide.violations), (super::End::Complete, expected.stored, 1));
    }
}
