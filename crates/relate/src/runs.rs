//! Runs of one side along a trace, as evidence: the states after each prefix of the trace by plain search, with the way to each of them.
//!
//! This shares no code with the sets and components of the comparison, so what is found here also confirms the difference.

use explore::search::End;
use rustc_hash::FxHashSet;

use crate::graph::Graph;
use crate::lts::{by, split};
use crate::space::Space;
use crate::{Event, Run};

/// The states after each prefix of a trace, as far as the side can go.
pub(crate) struct Layers {
    nodes: Vec<Node>,
    /// Layer `n` ends here.
    ends: Vec<usize>,
}

/// A state after a prefix, and the node from which it was met by an event; the first one was met from itself.
struct Node {
    state: u32,
    before: usize,
    event: Event,
}

impl Layers {
    /// Follows a trace.
    pub(crate) fn along(trace: &[Event], space: &mut Space<'_>) -> Result<Layers, End> {
        let mut layers = Layers { nodes: vec![Node { state: 0, before: 0, event: Event::INTERNAL }], ends: Vec::new() };
        layers.close(0, FxHashSet::from_iter([0]), space)?;
        for &event in trace {
            let (start, end) = layers.last();
            let mut seen = FxHashSet::default();
            for before in start..end {
                for &(event, state) in by(space.steps(layers.nodes[before].state), event) {
                    if seen.insert(state) {
                        layers.nodes.push(Node { state, before, event });
                    }
                }
            }
            if layers.nodes.len() == end {
                break;
            }
            layers.close(end, seen, space)?;
        }
        Ok(layers)
    }

    /// How many events of the trace are possible.
    pub(crate) fn length(&self) -> usize {
        self.ends.len() - 1
    }

    /// The states after the last prefix that is possible.
    pub(crate) fn states(&self) -> impl Iterator<Item = u32> {
        let (start, end) = self.last();
        self.nodes[start..end].iter().map(|node| node.state)
    }

    /// The run to the nearest such state with a property, or to any.
    pub(crate) fn run(&self, space: &mut Space<'_>, is_wanted: impl Fn(u32) -> bool) -> Run {
        let (start, end) = self.last();
        let found = (start..end).find(|&node| is_wanted(self.nodes[node].state)).unwrap_or(start);
        let mut nodes = vec![found];
        while let Some(&node) = nodes.last().filter(|&&node| node != 0) {
            nodes.push(self.nodes[node].before);
        }
        nodes.reverse();
        Run {
            states: nodes.iter().map(|&node| space.load(self.nodes[node].state)).collect(),
            events: nodes[1..].iter().map(|&node| self.nodes[node].event).collect(),
            cycle_start: None,
        }
    }

    /// Where the last layer begins and ends.
    fn last(&self) -> (usize, usize) {
        let before = self.ends.len().checked_sub(2).map_or(0, |at| self.ends[at]);
        (before, self.ends.last().copied().unwrap_or(0))
    }

    /// Closes the layer that begins at a node under internal steps.
    fn close(&mut self, start: usize, mut seen: FxHashSet<u32>, space: &mut Space<'_>) -> Result<(), End> {
        let mut before = start;
        while before < self.nodes.len() {
            let state = self.nodes[before].state;
            space.expand(state)?;
            for &(event, state) in split(space.steps(state)).0 {
                if seen.insert(state) {
                    self.nodes.push(Node { state, before, event });
                }
            }
            before += 1;
        }
        self.ends.push(self.nodes.len());
        Ok(())
    }
}

/// The states of a shortest cycle of internal steps through a state, which is the first and the last of them.
pub(crate) fn cycle_through(state: u32, space: &Space<'_>) -> Option<Vec<u32>> {
    let (mut met, mut seen) = (vec![(state, 0)], FxHashSet::default());
    let mut before = 0;
    while before < met.len() {
        for &(_, target) in split(space.steps(met[before].0)).0 {
            if target == state {
                let mut cycle = vec![state];
                let mut at = before;
                while at != 0 {
                    cycle.push(met[at].0);
                    at = met[at].1;
                }
                cycle.push(state);
                cycle.reverse();
                return Some(cycle);
            }
            if seen.insert(target) {
                met.push((target, before));
            }
        }
        before += 1;
    }
    None
}
