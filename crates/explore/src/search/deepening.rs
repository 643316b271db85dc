//! Iterative deepening (IDA*, Korf 1985): depth-first searches, each bounded by what a path may cost, until one leaves nothing out.
//!
//! The cost of a state at a depth is a lower bound of the length of every run through it, or whatever a caller takes for one. A state that costs more than the
//! bound is left out; the least cost that was left out is the next bound. If no cost is too high, no goal is nearer than the bound of the
//! iteration before, and the first one that is found is a nearest.
//!
//! A store that gives states back remembers at which depth a state was expanded in the iteration at hand. It is expanded again when it is found nearer. Let
//! no goal be found, and some state be expanded with a goal `k` transitions away within the bound: its successor on the way is within the bound too, and
//! so was expanded at this depth or a lesser one; by induction over `k` the goal was.
//!
//! An approximate store does not know depths, and is empty at the start of each iteration: a state is expanded where it is found first. Then a run need not be a shortest one, but
//! an iteration that leaves nothing out has visited what the store can tell apart.

use rustc_hash::FxHashMap;
use system::{Note, System};

use super::chunks::Chunks;
use super::entries::{Entries, References, Vectors};
use super::expander::{Expander, Found};
use super::shared::Shared;
use super::stack::Frame;
use super::stages::Unknown;
use super::{End, Options, Outcome, Progress};
use crate::store::{LoadStates, StateRef, VisitedSet, Visitor};

/// The name of the note: how many iterations there were.
pub const ITERATIONS: &str = "iterations";

/// What a state costs at a depth.
pub type Cost<'a> = &'a mut dyn FnMut(&[u8], u64) -> u64;

/// Searches a system by iterative deepening, with one worker; otherwise as [`search`](super::search()).
pub fn deepen<S, V>(
    make: impl Fn() -> S,
    store: &V,
    options: &Options,
    progress: &Progress,
    cost: Cost<'_>,
) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates>,
{
    super::arrange_words(&make, store, options);
    let shared = Shared::new(options, progress);
    let expander = Expander::new(make(), store.handle(), options);
    let mut search = Deepening::<_, _, References, _>::new(expander, &shared, cost, Depths::default());
    if let Some(initial) = search.expander.start(&shared) {
        search.run(initial, |_| Some(initial));
    }
    let ended = search.end();
    outcome(shared, ended)
}

/// The same with stores that cannot give states back, a new one for each iteration; the last one comes with the outcome. `None` if there is no memory
/// for the first.
pub fn deepen_approximately<S, V>(
    system: S,
    mut new_store: impl FnMut() -> Option<V>,
    options: &Options,
    progress: &Progress,
    cost: Cost<'_>,
) -> Option<(Outcome<S>, V)>
where
    S: System,
    V: VisitedSet,
{
    let mut store = new_store()?;
    let shared = Shared::new(options, progress);
    let expander = Expander::new(system, store.handle(), options);
    let mut search = Deepening::<_, _, Vectors, _>::new(expander, &shared, cost, Once);
    if let Some(initial) = search.expander.start(&shared) {
        search.run(initial, |expander| {
            let Some(empty) = new_store() else {
                shared.finish(End::Memory);
                return None;
            };
            shared.begin_again(&mut expander.tally);
            expander.move_to(empty.handle());
            store = empty;
            expander.start(&shared)
        });
    }
    let ended = search.end();
    Some((outcome(shared, ended), store))
}

fn outcome<S>(shared: Shared<'_>, (system, iterations): (S, u64)) -> Outcome<S> {
    let mut outcome = shared.outcome(vec![system]);
    outcome.notes.add(ITERATIONS, Note::sum(iterations));
    outcome
}

/// Which states an iteration has expanded.
trait Memory {
    /// Whether a successor at this depth is to be visited.
    fn wants(&self, state: StateRef, depth: u64, how: Found) -> bool;

    /// Whether a state that waited is still to be expanded at this depth, which is noted then.
    fn expands(&mut self, state: StateRef, depth: u64) -> bool;

    /// Another iteration begins.
    fn begin_again(&mut self);

    fn bytes(&self) -> u64;
}

/// The least depth at which each state was expanded, and in which iteration.
#[derive(Default)]
struct Depths {
    iteration: u32,
    least: FxHashMap<u64, (u32, u32)>,
}

impl Depths {
    fn is_nearer(&self, state: StateRef, depth: u64) -> bool {
        self.least
            .get(&state.to_bits())
            .is_none_or(|&(iteration, least)| iteration < self.iteration || depth < u64::from(least))
    }
}

impl Memory for Depths {
    fn wants(&self, state: StateRef, depth: u64, _: Found) -> bool {
        self.is_nearer(state, depth)
    }

    fn expands(&mut self, state: StateRef, depth: u64) -> bool {
        let expands = self.is_nearer(state, depth);
        if expands {
            self.least.insert(state.to_bits(), (self.iteration, u32::try_from(depth).unwrap_or(u32::MAX)));
        }
        expands
    }

    fn begin_again(&mut self) {
        self.iteration += 1;
    }

    fn bytes(&self) -> u64 {
        // A table of pairs that is at most seven eighths full.
        self.least.capacity() as u64 * 8 / 7 * 17
    }
}

/// Every state once: where it was found first.
struct Once;

impl Memory for Once {
    fn wants(&self, _: StateRef, _: u64, how: Found) -> bool {
        how == Found::New
    }

    fn expands(&mut self, _: StateRef, _: u64) -> bool {
        true
    }

    fn begin_again(&mut self) {}

    fn bytes(&self) -> u64 {
        0
    }
}

struct Deepening<'a, S: System, H: Visitor, E, M> {
    expander: Expander<S, H>,
    shared: &'a Shared<'a>,
    cost: Cost<'a>,
    memory: M,
    /// The states of the path, and those that wait beside it.
    entries: E,
    frames: Chunks<Frame>,
    bound: u64,
    /// The least cost that was left out.
    beyond: Option<u64>,
    iterations: u64,
}

impl<'a, S: System, H: Visitor, E: Entries<H>, M: Memory> Deepening<'a, S, H, E, M> {
    fn new(expander: Expander<S, H>, shared: &'a Shared<'a>, cost: Cost<'a>, memory: M) -> Self {
        Deepening {
            expander,
            shared,
            cost,
            memory,
            entries: E::default(),
            frames: Chunks::default(),
            bound: 0,
            beyond: None,
            iterations: 0,
        }
    }

    /// Searches with one bound after the other. `begin_again` gives the initial state of another iteration.
    fn run(&mut self, mut initial: StateRef, mut begin_again: impl FnMut(&mut Expander<S, H>) -> Option<StateRef>) {
        let state = self.expander.state.clone();
        self.bound = (self.cost)(&state, 0);
        loop {
            self.iterations += 1;
            self.entries.push(&state, initial);
            self.frames.push(Frame { start: 0, next: 0, end: 1 });
            self.search();
            let Some(bound) = self.beyond.take().filter(|_| !self.shared.is_done()) else { return };
            self.bound = bound;
            self.memory.begin_again();
            match begin_again(&mut self.expander) {
                Some(again) => initial = again,
                None => return,
            }
        }
    }

    fn search(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                let start = frame.start;
                self.frames.drop_last();
                self.entries.truncate(start);
                continue;
            }
            let index = frame.next;
            frame.next += 1;
            self.visit(index);
            if self.shared.is_done() {
                return;
            }
        }
    }

    fn visit(&mut self, index: usize) {
        let depth = self.frames.len() as u64 - 1;
        let Deepening { expander, shared, cost, memory, entries, bound, beyond, .. } = self;
        let is_wanted = !shared.meter.is_too_deep(depth) && memory.expands(entries.reference(index), depth);
        if is_wanted {
            entries.visit(index, &mut expander.handle, &mut expander.state, &mut expander.cursor);
            let start = entries.len();
            expander.expand::<Unknown>(shared, |state, reference, how| {
                if !memory.wants(reference, depth + 1, how) {
                    return;
                }
                match cost(state, depth + 1) {
                    cost if cost > *bound => *beyond = Some(beyond.map_or(cost, |least| least.min(cost))),
                    _ => entries.push(state, reference),
                }
            });
            let violations = expander.violations(shared);
            if violations > 0 {
                self.report(violations);
            }
            let end = self.entries.len();
            if end > start {
                self.frames.push(Frame { start, next: start, end });
            }
        }
        let Deepening { expander, shared, memory, entries, frames, .. } = self;
        shared.expanded(&mut expander.tally, depth, || entries.bytes() + frames.bytes() + memory.bytes());
    }

    fn report(&mut self, violations: u64) {
        let Deepening { shared, frames, entries, expander, .. } = self;
        shared.violated(violations, || {
            let on_path = frames.iter().map(|frame| frame.next - 1);
            on_path
                .map(|index| {
                    let mut state = Vec::new();
                    entries.load(index, &mut expander.handle, &mut state);
                    state
                })
                .collect()
        });
    }

    /// The search is over: its system, and how many iterations there were.
    fn end(self) -> (S, u64) {
        (self.expander.come_home(self.shared), self.iterations)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random::{Small, small};
    use super::super::{Errors, Options, Order, Progress, search};
    use super::{ITERATIONS, deepen, deepen_approximately};
    use crate::store::{BitsPerState, BitstateStore, Limits, PlainStore, TreeStore};
    use crate::{Bounds, End};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn with_a_lower_bound_a_path_is_as_short_as_breadth_first(graph in small()) {
            let store = || PlainStore::new(Limits::memory(1 << 20));
            let options = Options { order: Order::BreadthFirst, ..Options::default() };
            let expected = search(|| graph.clone(), &store(), &options, &Progress::new());
            let estimates = graph.estimates();
            let mut cost = |state: &[u8], depth: u64| depth + u64::from(estimates[usize::from(state[0])]);
            let found = deepen(|| graph.clone(), &store(), &options, &Progress::new(), &mut cost);
            prop_assert_eq!(found.end, expected.end);
            prop_assert_eq!(found.path.as_ref().map(Vec::len), expected.path.as_ref().map(Vec::len));
            if found.end == End::Complete {
                // Every iteration finds the transitions again.
                prop_assert_eq!(found.stored, expected.stored);
                prop_assert!(found.transitions() >= expected.transitions());
            }
        }

        #[test]
        fn a_path_of_an_approximate_search_is_a_path_and_what_is_wrong_is_found(graph in small()) {
            let options = Options::default();
            let store = || TreeStore::new(Limits::memory(1 << 20));
            let expected = search(|| graph.clone(), &store(), &options, &Progress::new());
            let estimates = graph.estimates();
            let mut cost = |state: &[u8], depth: u64| depth + u64::from(estimates[usize::from(state[0])]);
            let empty = || BitstateStore::new(Limits::memory(1 << 16), BitsPerState::default());
            let found = deepen_approximately(graph.clone(), empty, &options, &Progress::new(), &mut cost);
            let (found, _) = found.expect("so much memory is there");
            prop_assert_eq!((found.end, found.path.is_some()), (expected.end, expected.path.is_some()));
            for pair in found.path.unwrap_or_default().windows(2) {
                prop_assert!(graph.edges[usize::from(pair[0][0])].contains(&pair[1][0]));
            }
            if found.end == End::Complete {
                prop_assert_eq!(found.stored, expected.stored);
            }
        }
    }

    /// A state that is reached by a detour first is expanded again when it is found nearer: 0 -> 1 -> 2 -> 3 -> 4, and 0 -> 3.
    #[test]
    fn a_state_that_is_found_nearer_is_expanded_again() {
        let graph = Small {
            edges: vec![vec![1, 3], vec![2], vec![3], vec![4], vec![5], vec![]],
            wrong: vec![false, false, false, false, false, true],
            less: vec![0; 6],
        };
        let store = PlainStore::new(Limits::memory(1 << 20));
        let found = deepen(|| graph.clone(), &store, &Options::default(), &Progress::new(), &mut |_, depth| depth);
        assert_eq!(found.path.map(|path| path.concat()), Some(vec![0, 3, 4, 5]));
        assert_eq!(found.notes.number(ITERATIONS), 4);
    }

    #[test]
    fn limits_end_an_iteration() {
        let graph = || Small {
            edges: (1..=200).map(|next| vec![next]).chain([vec![]]).collect(),
            wrong: vec![false; 201],
            less: vec![0; 201],
        };
        let with = |bounds: Bounds| {
            let options = Options { bounds, errors: Errors::First, ..Options::default() };
            let store = PlainStore::new(Limits::memory(1 << 20));
            deepen(graph, &store, &options, &Progress::new(), &mut |_, depth| depth)
        };
        let states = with(Bounds { max_states: Some(50), ..Bounds::default() });
        assert_eq!((states.end, states.stored), (End::States, 50));
        let depth = with(Bounds { max_depth: Some(7), ..Bounds::default() });
        assert_eq!((depth.end, depth.stored), (End::Depth, 8));
        assert_eq!(with(Bounds::default()).end, End::Complete);
    }
}
