//! The search on explicit graphs, against the theorem it rests on, computed by reachability alone.

use proptest::prelude::{Strategy, prop, prop_assert, prop_assert_eq, proptest};

use system::{Arena, Extent, Fate, Label, Marks, System};

use super::{
    Bounds as Options, Effort, Guide, Shortness, Violation, search, search_in_order, search_in_parallel, shortest,
};
use crate::search::{Beam, Buckets, End, NewFrontier, Progress};
use crate::store::{Limits, TreeStore, VisitedSet as _};

/// A graph: for each state its transitions. State 0 is initial.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<Edge>>,
    acceptance: Marks,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    target: usize,
    marks: Marks,
    fate: Fate,
}

fn list(edges: &[Edge], into: &mut Arena) {
    into.clear();
    for edge in edges {
        into.push_marked(&vector(edge.target), &[], Label::default(), edge.marks, edge.fate);
    }
}

fn vector(state: usize) -> Vec<u8> {
    vec![state as u8, (state >> 8) as u8, (state >> 16) as u8, 7]
}

fn number(vector: &[u8]) -> usize {
    usize::from(vector[0]) | usize::from(vector[1]) << 8 | usize::from(vector[2]) << 16
}

impl System for Graph {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        *into = vector(0);
        Fate::Open
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        list(&self.edges[number(state)], into);
    }

    fn acceptance(&self) -> Marks {
        self.acceptance
    }
}

impl Graph {
    /// The states that can be reached from each state by at least one transition.
    fn reachability(&self) -> Vec<Vec<bool>> {
        let count = self.edges.len();
        let mut reach = vec![vec![false; count]; count];
        for (state, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|edge| reach[state][edge.target] = true);
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    reach[from][to] |= reach[from][middle] && reach[middle][to];
                }
            }
        }
        reach
    }

    fn has_violation(&self) -> bool {
        let reach = self.reachability();
        let reachable = |state: usize| state == 0 || reach[0][state];
        let sealed = |state: usize| self.edges[state].iter().any(|edge| edge.fate == Fate::Sealed);
        (0..self.edges.len())
            .filter(|&state| reachable(state))
            .any(|state| sealed(state) || self.accepts_at(&reach, state))
    }

    /// Whether some cycle through a state is accepting.
    fn accepts_at(&self, reach: &[Vec<bool>], state: usize) -> bool {
        let member = |other: usize| reach[state][other] && reach[other][state];
        let inside = (0..self.edges.len()).filter(|&other| member(other)).flat_map(|other| &self.edges[other]);
        let marks = inside.filter(|edge| member(edge.target)).fold(Marks::NONE, |all, edge| all.union(edge.marks));
        reach[state][state] && marks.contain(self.acceptance)
    }

    /// Regions of states from which about as many can be reached, so that no cycle leaves one; those without an accepting cycle are left
    /// out, or not.
    fn regions(&self, width: usize, kept: u32) -> Vec<Option<u32>> {
        let reach = self.reachability();
        let level = |state: usize| reach[state].iter().filter(|reached| **reached).count() / width;
        let states = || 0..self.edges.len();
        let accepts = |wanted: usize| states().any(|state| level(state) == wanted && self.accepts_at(&reach, state));
        let region = |level: usize| Some(level as u32).filter(|_| accepts(level) || kept >> level & 1 == 1);
        states().map(|state| region(level(state))).collect()
    }

    /// The marks of the best-marked transition between two states of a run; none if there is no transition.
    fn between(&self, from: &[u8], to: &[u8]) -> Option<Vec<Edge>> {
        let edges = &self.edges[number(from)];
        let found: Vec<Edge> = edges.iter().filter(|edge| vector(edge.target) == to).copied().collect();
        (!found.is_empty()).then_some(found)
    }

    fn confirms(&self, violation: &Violation) -> bool {
        let run: Vec<&Vec<u8>> = violation.prefix.iter().chain(&violation.cycle).collect();
        let steps: Option<Vec<Vec<Edge>>> = run.windows(2).map(|pair| self.between(pair[0], pair[1])).collect();
        let Some(steps) = steps else { return false };
        if *run[0] != vector(0) {
            return false;
        }
        if violation.cycle.is_empty() {
            return steps.last().is_some_and(|last| last.iter().any(|edge| edge.fate == Fate::Sealed));
        }
        let inside = steps[violation.prefix.len() - 1..].iter().flatten();
        let marks = inside.fold(Marks::NONE, |marks, edge| marks.union(edge.marks));
        violation.cycle.last() == violation.prefix.last() && marks.contain(self.acceptance)
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    (2usize..14, 0u32..4).prop_flat_map(|(count, sets)| {
        let edge = (0..count, 0u64..8, 0u32..40).prop_map(move |(target, marks, fate)| Edge {
            target,
            marks: Marks(marks & (marks >> 1) & Marks::first(sets).0 | (marks & Marks::first(sets).0 & 4)),
            fate: if fate == 0 { Fate::Sealed } else { Fate::Open },
        });
        prop::collection::vec(prop::collection::vec(edge, 0..4), count)
            .prop_map(move |edges| Graph { edges, acceptance: Marks::first(sets) })
    })
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(3000))]

    #[test]
    fn a_violation_is_found_exactly_when_there_is_one(graph in graphs()) {
        let store = TreeStore::with_numbers(Limits::memory(1 << 20));
        let outcome = search(graph.clone(), &store, Options::default(), &Progress::new());
        prop_assert_eq!(outcome.violation.is_some(), graph.has_violation());
        match outcome.violation {
            Some(violation) => prop_assert!(graph.confirms(&violation), "{:?}", violation),
            None => {
                let reach = graph.reachability();
                let states = (1..graph.edges.len()).filter(|&state| reach[0][state]).count() as u64 + 1;
                prop_assert_eq!((outcome.end, outcome.stored), (End::Complete, states));
            }
        }
    }
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(1500))]

    #[test]
    fn several_workers_say_what_one_says(graph in graphs(), workers in 1usize..4) {
        let store = TreeStore::with_numbers(Limits::memory(1 << 20));
        let systems = vec![graph.clone(); workers];
        let outcome = search_in_parallel(systems, &store, Options::default(), &Progress::new());
        prop_assert_eq!(outcome.violation.is_some(), graph.has_violation());
        match outcome.violation {
            Some(violation) => prop_assert!(graph.confirms(&violation), "{:?}", violation),
            None => prop_assert_eq!(outcome.end, End::Complete),
        }
    }

    #[test]
    fn in_any_order_a_violation_is_found_exactly_when_there_is_one(
        graph in graphs(), width in 1usize..15, kept in 0u32..1 << 15, estimates in prop::collection::vec(0u32..5, 14)
    ) {
        let regions = graph.regions(width, kept);
        let estimate = move |state: &[u8]| estimates[number(state)];
        let buckets = {
            let estimate = estimate.clone();
            NewFrontier::new(move || { let estimate = estimate.clone(); Buckets::new(move |state: &[u8], _| estimate(state)) })
        };
        let beam = {
            let estimate = estimate.clone();
            NewFrontier::new(move || Beam::new(1, estimate.clone()))
        };
        for frontier in [&buckets, &beam] {
            let guide = Guide { region: &|state| regions[number(state)], estimate: &mut estimate.clone(), frontier };
            let store = TreeStore::with_numbers(Limits::memory(1 << 20));
            let outcome = search_in_order(graph.clone(), &store, Options::default(), &Progress::new(), guide);
            match &outcome.violation {
                Some(violation) => prop_assert!(graph.confirms(violation), "{:?}", violation),
                None => {
                    let plain_store = TreeStore::with_numbers(Limits::memory(1 << 20));
                    let plain = search(graph.clone(), &plain_store, Options::default(), &Progress::new());
                    if outcome.end == End::Complete {
                        prop_assert_eq!((outcome.stored, outcome.matched), (plain.stored, plain.matched));
                    }
                    // Only a beam leaves something out.
                    prop_assert!(outcome.end == End::Complete || std::ptr::eq(frontier, &beam) && outcome.end == End::Dropped);
                    prop_assert!(!graph.has_violation() || outcome.end == End::Dropped);
                }
            }
        }
    }

    #[test]
    fn no_run_is_shorter_than_the_shortest(graph in graphs()) {
        let store = TreeStore::with_numbers(Limits::memory(1 << 20));
        let outcome = search(graph.clone(), &store, Options::default(), &Progress::new());
        if let Some(known) = outcome.violation {
            let (found, shortness) = shortest(&mut graph.clone(), known, Effort::new(None, &Progress::new()));
            prop_assert!(graph.confirms(&found), "{:?}", found);
            prop_assert_eq!(shortness, Shortness::Proven);
            prop_assert_eq!(found.prefix.len() - 1 + found.cycle.len(), graph.least());
        }
    }
}

/// A graph that offers the transitions of a state in parts: first the first alone, then the second, then all. It keeps in mind what it offered last.
struct Offering {
    graph: Graph,
    offered: Vec<Option<(Extent, Vec<usize>)>>,
    /// The part that was offered last.
    asked: usize,
    /// The one that is offered first.
    first: usize,
}

impl Offering {
    fn offer(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let state = number(state);
        let edges = &self.graph.edges[state];
        let (extent, range) = match self.asked {
            at if at < 2 && at < edges.len() && edges.len() > 1 => (Extent::Part, at..at + 1),
            _ => (Extent::All, 0..edges.len()),
        };
        list(&edges[range.clone()], into);
        self.offered[state] = Some((extent, edges[range].iter().map(|edge| edge.target).collect()));
        extent
    }
}

impl System for Offering {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        self.graph.initial(into)
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.graph.successors(state, into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.asked = self.first;
        self.offer(state, into)
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.asked = self.asked.saturating_add(1);
        self.offer(state, into)
    }

    fn acceptance(&self) -> Marks {
        self.graph.acceptance
    }
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(3000))]

    #[test]
    fn every_cycle_that_is_followed_has_a_state_of_which_nothing_is_left_out(graph in graphs()) {
        // No transition carries the last set, so the whole graph is searched.
        let mut graph = Graph { acceptance: Marks(1 << 63), ..graph };
        graph.edges.iter_mut().flatten().for_each(|edge| edge.fate = Fate::Open);
        let offered = vec![None; graph.edges.len()];
        let store = TreeStore::with_numbers(Limits::memory(1 << 20));
        let system = Offering { graph: graph.clone(), offered, asked: 0, first: 0 };
        let outcome = search(system, &store, Options::default(), &Progress::new());
        prop_assert_eq!(outcome.end, End::Complete);
        // What is left when states are expanded in part only.
        let parts = outcome.system.offered.iter().map(|offered| match offered {
            Some((Extent::Part, targets)) => targets.iter().map(|&target| Edge { target, marks: Marks::NONE, fate: Fate::Open }).collect(),
            _ => Vec::new(),
        });
        let rest = Graph { edges: parts.collect(), acceptance: Marks::NONE };
        let reach = rest.reachability();
        prop_assert!((0..rest.edges.len()).all(|state| !reach[state][state]), "{:?}", outcome.system.offered);
    }

    #[test]
    fn runs_found_with_parts_are_runs(graph in graphs()) {
        let offered = vec![None; graph.edges.len()];
        let store = TreeStore::with_numbers(Limits::memory(1 << 20));
        let system = Offering { graph: graph.clone(), offered, asked: 0, first: 0 };
        let outcome = search(system, &store, Options::default(), &Progress::new());
        if let Some(violation) = outcome.violation {
            prop_assert!(graph.confirms(&violation), "{:?}", violation);
        }
    }
}

impl Graph {
    /// The least number of transitions of a violating run: all walks, longer and longer, by what they have met since each
    /// state on them that may be where the cycle starts.
    fn least(&self) -> usize {
        // Where the walk is, and where its cycle starts with the marks met since, once it was chosen.
        let mut walks = vec![(0, None)];
        for length in 1.. {
            let mut next: Vec<(usize, Option<(usize, Marks)>)> = Vec::new();
            for &(state, cycle) in &walks {
                for edge in &self.edges[state] {
                    if edge.fate == Fate::Sealed {
                        return length;
                    }
                    for (start, met) in [cycle, cycle.or(Some((state, Marks::NONE)))].into_iter().flatten() {
                        let met = met.union(edge.marks);
                        if edge.target == start && met.contain(self.acceptance) {
                            return length;
                        }
                        next.push((edge.target, Some((start, met))));
                    }
                    if cycle.is_none() {
                        next.push((edge.target, None));
                    }
                }
            }
            next.sort_by_key(|&(state, cycle)| (state, cycle.map(|(start, marks)| (start, marks.0))));
            next.dedup();
            walks = next;
        }
        unreachable!("there is a violating run")
    }
}

/// Graphs that are large enough for several workers to meet: mostly forward edges, few marks.
fn large_graphs() -> impl Strategy<Value = Graph> {
    (300usize..6000, 1u32..4, prop::num::u64::ANY, 0u64..40).prop_map(|(count, sets, seed, back)| {
        let mut random = seed | 1;
        let mut next = |below: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % below
        };
        let edges = (0..count as u64).map(|state| {
            let edge = |next: &mut dyn FnMut(u64) -> u64| {
                let target = if next(40) < back { next(count as u64) } else { (state + 1 + next(30)) % count as u64 };
                let marks = if next(400) == 0 { 1 << next(3) } else { 0 };
                let fate = if next(30_000) == 0 { Fate::Sealed } else { Fate::Open };
                Edge { target: target as usize, marks: Marks(marks & Marks::first(sets).0), fate }
            };
            let degree = 1 + next(4);
            (0..degree).map(|_| edge(&mut next)).collect()
        });
        Graph { edges: edges.collect(), acceptance: Marks::first(sets) }
    })
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(80))]

    #[test]
    fn several_workers_do_what_one_does(graph in large_graphs(), workers in 2usize..5, parts in prop::bool::ANY) {
        // Transitions in parts, or all at once.
        let asked = if parts { 0 } else { usize::MAX };
        let system = || Offering { graph: graph.clone(), offered: vec![None; graph.edges.len()], asked, first: asked };
        let (store, progress) = (TreeStore::with_numbers(Limits::memory(1 << 24)), Progress::new());
        let one = search(system(), &store, Options::default(), &progress);
        let store = TreeStore::with_numbers(Limits::memory(1 << 24));
        let systems = (0..workers).map(|_| system()).collect();
        let several = search_in_parallel(systems, &store, Options::default(), &progress);
        prop_assert_eq!((several.end, several.stored, several.matched), (one.end, one.stored, one.matched));
        prop_assert_eq!((several.depth, several.components), (one.depth, one.components));
        prop_assert_eq!(several.violation, one.violation);
    }
}

#[test]
fn limits_end_the_search_without_a_verdict() {
    let chain = |state: usize| vec![Edge { target: state + 1, marks: Marks::NONE, fate: Fate::Open }];
    let mut edges: Vec<Vec<Edge>> = (0..99).map(chain).collect();
    edges.push(Vec::new());
    let graph = Graph { edges, acceptance: Marks::NONE };
    let run = |options: Options| {
        let store = TreeStore::with_numbers(Limits::memory(1 << 20));
        search(graph.clone(), &store, options, &Progress::new())
    };
    assert_eq!(run(Options::default()).end, End::Complete);
    assert_eq!(run(Options { max_depth: Some(10), ..Options::default() }).end, End::Depth);
    assert_eq!(run(Options { max_states: Some(10), ..Options::default() }).end, End::States);
}

#[test]
fn what_scouts_need_is_charged_to_the_memory_of_the_search() {
    let count = 60_000;
    let edge = |target: usize| Edge { target: target % count, marks: Marks::NONE, fate: Fate::Open };
    let edges: Vec<Vec<Edge>> = (0..count).map(|state| vec![edge(state + 1), edge(7 * state + 3)]).collect();
    let graph = Graph { edges, acceptance: Marks::first(1) };
    let run = |memory: u64, workers: usize| {
        let store = TreeStore::with_numbers(Limits::memory(memory));
        let systems = vec![graph.clone(); workers];
        let found = search_in_parallel(systems, &store, Options::default(), &Progress::new());
        (found.end, store.memory())
    };
    for workers in [2, 3] {
        let (end, states) = run(1 << 26, workers);
        assert_eq!(end, End::Complete);
        // For each state a reference, a stage and a place, twenty bytes, beside what is left in the end.
        assert_eq!(run(states + 12 * count as u64, workers).0, End::Memory);
        // The stacks of the search take the most.
        assert_eq!(run(2 * states + 256 * count as u64, workers).0, End::Complete);
    }
}

#[test]
fn the_stacks_of_a_search_are_charged_to_its_memory() {
    // One long cycle, so that every state stays on the stack.
    let count = 200_000;
    let edge = |target: usize| Edge { target: target % count, marks: Marks::NONE, fate: Fate::Open };
    let edges: Vec<Vec<Edge>> = (0..count).map(|state| vec![edge(state + 1)]).collect();
    let graph = Graph { edges, acceptance: Marks::first(1) };
    let run = |memory: u64| {
        let store = TreeStore::with_numbers(Limits::memory(memory));
        let found = search(graph.clone(), &store, Options::default(), &Progress::new());
        (found.end, store.memory())
    };
    let (end, states) = run(1 << 28);
    assert_eq!(end, End::Complete);
    // The stack names every state, in eight bytes at least.
    assert_eq!(run(states + 8 * count as u64).0, End::Memory);
}

#[test]
fn the_stacks_of_a_search_do_not_double() {
    // One long cycle, a little longer than a list is that has just doubled.
    let count = (1 << 17) + 1000;
    let edge = |target: usize| Edge { target: target % count, marks: Marks::NONE, fate: Fate::Open };
    let edges: Vec<Vec<Edge>> = (0..count).map(|state| vec![edge(state + 1)]).collect();
    let graph = Graph { edges, acceptance: Marks::first(1) };
    let store = TreeStore::with_numbers(Limits::memory(1 << 28));
    let found = search(graph, &store, Options::default(), &Progress::new());
    assert_eq!(found.end, End::Complete);
    // For each state its name, its component, its frame and a transition.
    let needed = count as u64 * (8 + 24 + 24 + 16);
    let stacks = store.most_memory() - store.memory();
    assert!(stacks < needed * 5 / 4, "{stacks} bytes where {needed} are needed");
}
