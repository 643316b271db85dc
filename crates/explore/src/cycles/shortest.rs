//! A shortest violating run, once some violating run is known.
//!
//! What is made least is the number of transitions up to the point where the run has closed its cycle, or where its fate is
//! sealed. Breadth first from the initial state, no farther than the best run known, gives the distance of every state that may
//! lie on a better one. Then, for each state in order of distance, the shortest closed walk through it with all marks is looked
//! for, over pairs of a state and the marks met so far. Both are exact; if they become too much work, the best run found so
//! far is returned and said to be not proven shortest.

use std::collections::VecDeque;
use std::time::Instant;

use rustc_hash::FxHashMap;
use system::{Arena, Fate, Marks, System};

use super::Violation;
use crate::Progress;
use crate::parents::way_to;

/// How much work is enough.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// States that are kept in memory.
    pub states: usize,
    /// Transitions that are looked at when cycles are closed.
    pub steps: u64,
    /// No longer than until then.
    pub until: Option<Instant>,
    /// Nor longer than until this asks for the end.
    pub progress: &'a Progress,
}

/// Time is looked at after so many states, or transitions.
const GLANCE: u64 = 1024;

impl<'a> Effort<'a> {
    /// As much as one may wait for, if nobody asks for the end.
    #[must_use]
    pub fn new(until: Option<Instant>, progress: &'a Progress) -> Effort<'a> {
        Effort { states: 1_000_000, steps: 100_000_000, until, progress }
    }

    fn is_over(&self) -> bool {
        self.progress.end_asked_for().is_some() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// Whether there is no shorter violating run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortness {
    /// There is none.
    Proven,
    /// There may be one: the effort was not enough.
    Unproven,
}

/// A state within the distance of interest.
struct Node {
    bytes: Vec<u8>,
    distance: usize,
    parent: u32,
    edges: Vec<(u32, Marks)>,
}

/// The least violating run that the effort finds, which is no longer than `known`.
pub fn shortest<S: System>(system: &mut S, known: Violation, effort: Effort<'_>) -> (Violation, Shortness) {
    let mut best = known;
    let mut graph = Graph { nodes: Vec::new(), numbers: FxHashMap::default() };
    let mut shortness = graph.explore(system, &mut best, &effort);
    let acceptance = system.acceptance();
    let mut steps = effort.steps;
    for root in 0..graph.nodes.len() as u32 {
        let distance = graph.nodes[root as usize].distance;
        let Some(room) = length(&best).checked_sub(distance + 1).filter(|&room| room > 0) else { break };
        match graph.closed_walk(root, room, acceptance, &mut steps, &effort) {
            Some(walk) => {
                let bytes = |node: u32| graph.nodes[node as usize].bytes.clone();
                let cycle = walk.into_iter().map(bytes).collect();
                best = Violation { prefix: graph.path(root), cycle, marks: Vec::new() };
            }
            None if steps == 0 => {
                shortness = Shortness::Unproven;
                break;
            }
            None => {}
        }
    }
    (best, shortness)
}

/// The transitions of a violating run.
fn length(violation: &Violation) -> usize {
    violation.prefix.len() - 1 + violation.cycle.len()
}

struct Graph {
    nodes: Vec<Node>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Graph {
    /// All states that may lie on a run shorter than the best one, nearest first, with the transitions between them.
    fn explore<S: System>(&mut self, system: &mut S, best: &mut Violation, effort: &Effort<'_>) -> Shortness {
        let mut initial = Vec::new();
        if system.initial(&mut initial) == Fate::Sealed {
            *best = Violation::sealed(vec![initial]);
            return Shortness::Proven;
        }
        self.number(initial, 0, 0);
        let mut transitions = Arena::new();
        let mut next = 0;
        while next < self.nodes.len() {
            let distance = self.nodes[next].distance;
            if distance + 1 >= length(best) {
                break;
            }
            let is_time = (next as u64).is_multiple_of(GLANCE);
            if self.nodes.len() > effort.states || is_time && effort.is_over() {
                return Shortness::Unproven;
            }
            system.successors(&self.nodes[next].bytes, &mut transitions);
            for index in 0..transitions.len() {
                if transitions.fate(index) == Fate::Sealed {
                    let mut prefix = self.path(next as u32);
                    prefix.push(transitions.target(index).to_vec());
                    *best = Violation::sealed(prefix);
                    break;
                }
                let target = self.number(transitions.target(index).to_vec(), distance + 1, next as u32);
                self.nodes[next].edges.push((target, transitions.marks(index)));
            }
            next += 1;
        }
        Shortness::Proven
    }

    fn number(&mut self, bytes: Vec<u8>, distance: usize, parent: u32) -> u32 {
        if let Some(&number) = self.numbers.get(&bytes) {
            return number;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(bytes.clone(), number);
        self.nodes.push(Node { bytes, distance, parent, edges: Vec::new() });
        number
    }

    fn path(&self, node: u32) -> Vec<Vec<u8>> {
        let way = way_to(node, |node| self.nodes[node as usize].parent);
        way.into_iter().map(|node| self.nodes[node as usize].bytes.clone()).collect()
    }

    /// The nodes after the root on a shortest walk back to it that meets all marks, if one has at most `room` transitions.
    /// `steps` is what may still be done; 0 afterwards if that, or the time, was not enough.
    fn closed_walk(
        &self,
        root: u32,
        room: usize,
        acceptance: Marks,
        steps: &mut u64,
        effort: &Effort<'_>,
    ) -> Option<Vec<u32>> {
        type Place = (u32, u64);
        let start: Place = (root, 0);
        let mut arrivals: FxHashMap<Place, Place> = FxHashMap::default();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((place, length)) = queue.pop_front() {
            if length == room {
                break;
            }
            for &(target, marks) in &self.nodes[place.0 as usize].edges {
                *steps = steps.checked_sub(1)?;
                if steps.is_multiple_of(GLANCE) && effort.is_over() {
                    *steps = 0;
                    return None;
                }
                let next: Place = (target, place.1 | marks.0 & acceptance.0);
                if target == root && Marks(next.1).contain(acceptance) {
                    let mut walk = vec![root];
                    let mut here = place;
                    while here != start {
                        walk.push(here.0);
                        here = arrivals[&here];
                    }
                    walk.reverse();
                    return Some(walk);
                }
                if next != start && !arrivals.contains_key(&next) {
                    arrivals.insert(next, place);
                    queue.push_back((next, length + 1));
                }
            }
        }
        None
    }
}
