//! Accepting cycles in an order of one's own: first to where one can be, then round.
//!
//! An accepting cycle lies in a *region*: a claim that watches a system leaves a strongly connected component for good, and only some of its components can
//! accept. States outside of all regions are visited once, in the order of a [frontier](crate::search::Frontier). When a state inside of a region comes next, its region is
//! searched from there for components ([`super::component`]), nearest successors first; what leads out of it waits in the frontier. States that were visited
//! without success are dead, whoever finds them again, so that every state is visited once. (A*+DFS of Edelkamp, Lluch Lafuente and Leue, SPIN 2001; components take the
//! place of their nested search, which looks twice at those regions where not every cycle accepts.)
//!
//! The log says for a state that waits from where it was found, not how a region was crossed: the way is found again when there is something to show.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use system::{Arena, System};

use super::alone::Alone;
use super::component::{Search, Stop};
use super::space::{Edge, Expansion, Place, Space};
use super::{Outcome, Violation};
use crate::search::chunks::Chunks;
use crate::search::{Entry, Frontier, NewFrontier};
use crate::store::{Budget, LoadStates, NumberStates, StateRef, VisitedSet};
use crate::{Bounds, End, Progress};

/// Where accepting cycles can be, and how far a state is from one.
pub struct Guide<'a> {
    /// The region of a state, if it lies in one. No cycle leaves a region.
    pub region: &'a dyn Fn(&[u8]) -> Option<u32>,
    /// An estimate, by which successors inside of a region are tried.
    pub estimate: &'a mut dyn FnMut(&[u8]) -> u32,
    /// The order of states outside.
    pub frontier: &'a NewFrontier,
}

/// Searches a system for a violating run in the order of a guide, with one worker.
pub fn search_in_order<S, V>(system: S, store: &V, bounds: Bounds, progress: &Progress, guide: Guide<'_>) -> Outcome<S>
where
    S: System,
    V: VisitedSet<Handle: LoadStates + NumberStates>,
{
    let Guide { region, estimate, frontier } = guide;
    let mut frontier = frontier.frontier();
    let regional = Regional {
        alone: Alone::new(system, store.handle()),
        region,
        estimate,
        inside: None,
        exits: Vec::new(),
        sorted: Vec::new(),
        left_out: 0,
    };
    let mut log = Log::default();
    let mut found = Search::new(regional, bounds, progress).run_with(|search| log.search(search, &mut frontier));
    let violation = found.violation.take().map(|violation| log.complete(violation, &mut found.space));
    Outcome {
        end: if found.end == End::Complete && frontier.has_dropped() { End::Dropped } else { found.end },
        stored: found.counters.stored,
        matched: found.counters.matched,
        depth: found.counters.depth,
        components: found.components,
        violation,
        notes: found.space.alone.notes(),
        system: found.space.alone.system,
    }
}

/// A state that waits or waited.
#[derive(Clone, Copy)]
struct Logged {
    node: StateRef,
    /// Where it was found, or where the search of the region began in which it was; itself for the initial state.
    parent: u32,
    depth: u32,
}

/// The states that were found outside of the region that was searched.
#[derive(Default)]
struct Log {
    states: Chunks<Logged>,
    /// The one that was visited last.
    current: Option<u32>,
}

impl Log {
    fn search<S: System, H: LoadStates + NumberStates>(
        &mut self,
        search: &mut Search<'_, Regional<'_, S, H>>,
        frontier: &mut dyn Frontier,
    ) -> Result<(), Stop> {
        let mut state = Vec::new();
        let initial = search.start(&mut state)?;
        self.push(Logged { node: initial, parent: 0, depth: 0 }, &state, frontier)?;
        while let Some(Entry(number)) = frontier.pop() {
            let Logged { node, depth, .. } = self.states.get(number as usize);
            if search.space.place(node) != Place::OPEN {
                continue;
            }
            self.current = Some(number);
            search.space.load(node, &mut state);
            search.space.inside = (search.space.region)(&state);
            search.set_out(u64::from(depth), self.states.bytes() + frontier.bytes());
            search.visit_from(node)?;
            for exit in std::mem::take(&mut search.space.exits) {
                search.space.load(exit, &mut state);
                self.push(Logged { node: exit, parent: number, depth: depth + 1 }, &state, frontier)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, found: Logged, state: &[u8], frontier: &mut dyn Frontier) -> Result<(), Stop> {
        let number = u32::try_from(self.states.len()).map_err(|_| Stop::End(End::Memory))?;
        self.states.push(found);
        frontier.push(Entry(number), state, u64::from(found.depth));
        Ok(())
    }

    /// Puts the way to where the last search of a region began before what it found.
    fn complete<S: System, H: LoadStates + NumberStates>(
        &self,
        violation: Violation,
        space: &mut Regional<'_, S, H>,
    ) -> Violation {
        let Some(mut number) = self.current else { return violation };
        let mut logged = vec![number];
        while number != 0 {
            number = self.states.get(number as usize).parent;
            logged.push(number);
        }
        let mut states: Vec<Vec<u8>> = Vec::new();
        for number in logged.into_iter().rev() {
            let mut state = Vec::new();
            space.load(self.states.get(number as usize).node, &mut state);
            match states.last() {
                Some(last) => states.extend(way(&mut space.alone.system, space.region, &last.clone(), &state)),
                None => states.push(state),
            }
        }
        // The path that was found begins where it set out.
        states.pop();
        states.extend(violation.prefix);
        Violation { prefix: states, ..violation }
    }
}

/// A shortest way from a state to another that leaves its region with its last transition, without the first state.
fn way(system: &mut impl System, region: &dyn Fn(&[u8]) -> Option<u32>, from: &[u8], to: &[u8]) -> Vec<Vec<u8>> {
    let inside = region(from);
    let mut parents: FxHashMap<Vec<u8>, Option<Vec<u8>>> = FxHashMap::default();
    parents.insert(from.to_vec(), None);
    let (mut queue, mut successors) = (VecDeque::from([from.to_vec()]), Arena::new());
    while let Some(state) = queue.pop_front() {
        system.successors(&state, &mut successors);
        for target in successors.targets() {
            if target == to {
                let mut way = vec![to.to_vec()];
                let mut last = Some(&state);
                while let Some(state) = last.filter(|state| *state != from) {
                    way.push(state.clone());
                    last = parents[state].as_ref();
                }
                way.reverse();
                return way;
            }
            if inside.is_some() && region(target) == inside && !parents.contains_key(target) {
                parents.insert(target.to_vec(), Some(state.clone()));
                queue.push_back(target.to_vec());
            }
        }
    }
    unreachable!("the search has taken such a way")
}

/// The states of the region at hand. Outside of all regions it is the one state from which it sets out.
struct Regional<'a, S: System, H: LoadStates> {
    alone: Alone<S, H>,
    region: &'a dyn Fn(&[u8]) -> Option<u32>,
    estimate: &'a mut dyn FnMut(&[u8]) -> u32,
    inside: Option<u32>,
    /// States outside that nobody has found before.
    exits: Vec<StateRef>,
    sorted: Vec<(u32, Edge<StateRef>)>,
    /// How many transitions of the last expansion lead out.
    left_out: u64,
}

impl<S: System, H: LoadStates + NumberStates> Regional<'_, S, H> {
    /// Keeps the transitions that stay inside, nearest first; all others are done with.
    fn keep_inside(&mut self, (expansion, new): (Expansion, u64), edges: &mut Vec<Edge<StateRef>>) -> (Expansion, u64) {
        self.sorted.clear();
        let count = edges.len();
        for (index, edge) in edges.drain(..).enumerate() {
            let target = self.alone.target(index);
            if self.inside.is_some() && (self.region)(target) == self.inside {
                self.sorted.push(((self.estimate)(target), edge));
            } else {
                self.exits.extend(self.alone.is_new(index).then_some(edge.target));
            }
        }
        self.sorted.sort_by_key(|(estimate, _)| *estimate);
        edges.extend(self.sorted.iter().map(|(_, edge)| *edge));
        self.left_out = (count - edges.len()) as u64;
        (expansion, new)
    }
}

impl<S: System, H: LoadStates + NumberStates> Space for Regional<'_, S, H> {
    type System = S;

    type Node = StateRef;

    fn budget(&self) -> &Arc<Budget> {
        self.alone.budget()
    }

    fn initial(&mut self, state: &[u8]) -> Option<StateRef> {
        self.alone.initial(state)
    }

    fn expand(&mut self, node: StateRef, edges: &mut Vec<Edge<StateRef>>) -> (Expansion, u64) {
        let found = self.alone.expand(node, edges);
        self.keep_inside(found, edges)
    }

    fn expand_otherwise(&mut self, node: StateRef, edges: &mut Vec<Edge<StateRef>>) -> (Expansion, u64) {
        let found = self.alone.expand_otherwise(node, edges);
        self.keep_inside(found, edges)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn place(&mut self, node: StateRef) -> Place {
        self.alone.place(node)
    }

    fn put(&mut self, node: StateRef, place: Place) {
        self.alone.put(node, place);
    }

    fn load(&mut self, node: StateRef, into: &mut Vec<u8>) {
        self.alone.load(node, into);
    }

    fn find(&mut self, state: &[u8]) -> Place {
        self.alone.find(state)
    }

    fn system(&mut self) -> &mut S {
        self.alone.system()
    }
}
