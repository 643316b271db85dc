//! What a search says about a graph whose answers are known: a plain search with a queue finds them.
//!
//! Both orders, several stores, one and three workers: all states, all transitions, all violations; breadth first also the distances, where a bound on them cuts, and that
//! the path to a violation is a shortest one.

use std::collections::{BTreeMap, VecDeque};

use explore::search::{Bounds, End, Errors, Options, Order, Progress, search};
use explore::store::{Limits, LoadStates, PlainStore, TreeStore, VisitedSet};
use system::{Arena, Fate, Label, System};

/// Numbers below `size`; each leads to a few others. One in `wrong` is a violation.
#[derive(Clone, Copy, Debug)]
struct Graph {
    size: u32,
    wrong: u32,
    seed: u32,
}

impl Graph {
    fn targets(self, node: u32) -> Vec<u32> {
        // Near ones, so that there are many levels, and now and then one further on or back.
        let mixed = (node ^ self.seed).wrapping_mul(0x9e37_79b1) >> 16;
        let near = [node + 1, node + 2 + mixed % 3, node + 40, (node / 2) ^ (mixed % 8)];
        let count = mixed as usize % 5;
        near.into_iter().take(count.max(1)).map(|each| each % self.size).collect()
    }

    fn violations(self, node: u32) -> u64 {
        u64::from(node % self.wrong == self.wrong - 1)
    }

    /// How far each node is from node 0.
    fn distances(self) -> BTreeMap<u32, u64> {
        let mut distances = BTreeMap::from([(0, 0)]);
        let mut queue = VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            for target in self.targets(node) {
                let next = distances[&node] + 1;
                distances.entry(target).or_insert_with(|| {
                    queue.push_back(target);
                    next
                });
            }
        }
        distances
    }
}

impl System for Graph {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        into.extend_from_slice(&0_u32.to_le_bytes());
        Fate::Open
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        let node = number(state);
        into.clear();
        self.targets(node).into_iter().for_each(|target| into.push(&target.to_le_bytes(), Label::default()));
        into.signals_mut().errors = self.violations(node) as u32;
    }
}

fn number(state: &[u8]) -> u32 {
    u32::from_le_bytes(state.try_into().expect("four bytes"))
}

const GRAPHS: [Graph; 3] = [
    Graph { size: 7, wrong: 5, seed: 1 },
    Graph { size: 300, wrong: 101, seed: 2 },
    Graph { size: 4_000, wrong: 1_301, seed: 3 },
];

fn manners() -> impl Iterator<Item = Options> {
    let orders = [Order::DepthFirst, Order::BreadthFirst];
    // Whether all workers begin at once, and whether successors are shuffled.
    let all = orders.into_iter().flat_map(|order| [(1, 0), (3, 0), (3, 1 << 12)].map(|each| (order, each)));
    all.flat_map(|(order, (workers, head_start))| {
        [None, Some(5)].map(|seed| Options { order, workers, head_start, seed, ..Options::default() })
    })
}

/// Checks a search of each graph, with a store of each kind.
fn check(law: impl Fn(Graph, &Options, &dyn Fn(&Options) -> Found)) {
    for graph in GRAPHS {
        for options in manners() {
            law(graph, &options, &|options| found(graph, options, &PlainStore::new(Limits::memory(1 << 27))));
            law(graph, &options, &|options| found(graph, options, &TreeStore::new(Limits::memory(1 << 27))));
        }
    }
}

struct Found {
    end: End,
    stored: u64,
    transitions: u64,
    depth: u64,
    violations: u64,
    path: Option<Vec<u32>>,
}

fn found<V: VisitedSet<Handle: LoadStates>>(graph: Graph, options: &Options, store: &V) -> Found {
    let outcome = search(|| graph, store, options, &Progress::default());
    Found {
        end: outcome.end,
        stored: outcome.stored,
        transitions: outcome.transitions(),
        depth: outcome.depth,
        violations: outcome.violations,
        path: outcome.path.map(|path| path.iter().map(|state| number(state)).collect()),
    }
}

#[test]
fn everything_is_found_once() {
    check(|graph, options, search| {
        let distances = graph.distances();
        let transitions: usize = distances.keys().map(|&node| graph.targets(node).len()).sum();
        let violations: u64 = distances.keys().map(|&node| graph.violations(node)).sum();
        let found = search(&Options { errors: Errors::All, ..options.clone() });
        assert_eq!(found.end, End::Complete, "{options:?}");
        assert_eq!(found.stored, distances.len() as u64, "{options:?}");
        // The initial state is counted with the transitions.
        assert_eq!(found.transitions, transitions as u64 + 1, "{options:?}");
        assert_eq!(found.violations, violations, "{options:?}");
        assert_eq!(found.path.is_some(), violations > 0);
        if options.order == Order::BreadthFirst {
            assert_eq!(Some(&found.depth), distances.values().max(), "{options:?}");
        }
    });
}

#[test]
fn the_path_to_a_violation_is_one_and_breadth_first_a_shortest() {
    check(|graph, options, search| {
        let distances = graph.distances();
        let nearest =
            distances.iter().filter(|(node, _)| graph.violations(**node) > 0).map(|(_, distance)| *distance).min();
        let found = search(options);
        let Some(nearest) = nearest else { return assert_eq!(found.path, None) };
        let path = found.path.expect("there is a violation");
        assert_eq!(found.end, End::Violation);
        assert_eq!(path[0], 0);
        assert!(path.windows(2).all(|pair| graph.targets(pair[0]).contains(&pair[1])), "{path:?}");
        assert_eq!(path.last().map(|&last| graph.violations(last)), Some(1));
        if options.order == Order::BreadthFirst {
            assert_eq!(path.len() as u64, nearest + 1, "{options:?}");
        }
    });
}

#[test]
fn breadth_first_goes_as_far_as_it_is_told() {
    check(|graph, options, search| {
        if options.order != Order::BreadthFirst {
            return;
        }
        let distances = graph.distances();
        let farthest = *distances.values().max().expect("there is a node");
        for limit in [0, 1, 2, 3, farthest / 2, farthest, farthest + 1] {
            let found = search(&Options {
                bounds: Bounds { max_depth: Some(limit), ..Bounds::default() },
                errors: Errors::All,
                ..options.clone()
            });
            let near = distances.values().filter(|&&distance| distance <= limit).count();
            assert_eq!(found.stored, near as u64, "{limit} of {options:?}");
            assert_eq!(found.end == End::Depth, limit <= farthest, "{limit} of {options:?}");
        }
    });
}

#[test]
fn depth_first_with_a_bound_goes_no_further() {
    check(|graph, options, search| {
        if options.order != Order::DepthFirst || options.workers > 1 {
            return;
        }
        let distances = graph.distances();
        for limit in [1, 3, 50] {
            let found = search(&Options {
                bounds: Bounds { max_depth: Some(limit), ..Bounds::default() },
                errors: Errors::All,
                ..options.clone()
            });
            let near = distances.values().filter(|&&distance| distance <= limit).count();
            assert!(found.stored <= near as u64 && found.depth <= limit, "{limit} of {options:?}");
            assert!(found.end == End::Depth || found.stored == distances.len() as u64, "{limit} of {options:?}");
        }
    });
}

#[test]
fn a_bound_on_states_ends_the_search_soon_after() {
    check(|graph, options, search| {
        let most = u64::from(graph.size) / 3;
        let found = search(&Options {
            bounds: Bounds { max_states: Some(most), ..Bounds::default() },
            errors: Errors::All,
            ..options.clone()
        });
        assert!(found.stored >= most.min(graph.distances().len() as u64), "{options:?}");
        assert!(found.end == End::States || found.stored < graph.distances().len() as u64 + 1, "{options:?}");
    });
}
