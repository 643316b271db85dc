//! Strongly connected components of an automaton, in topological order (Tarjan 1972), and which of them accept.
//!
//! Acceptance only matters inside components: a run leaves each component for good. Everything that prunes, classifies,
//! degeneralises or searches for a witness starts here.

use crate::automaton::{Automaton, Marks, StateId};

/// The components of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// The component of each vertex; a component's successors have smaller numbers.
    of: Vec<u32>,
    /// The vertices of each component.
    members: Vec<Vec<u32>>,
}

impl Components {
    /// The components of the graph on vertices `0..count`.
    pub fn of_graph<'a, I>(count: usize, successors: impl Fn(usize) -> I) -> Components
    where
        I: Iterator<Item = usize> + 'a,
    {
        const UNSEEN: u32 = u32::MAX;
        let mut components = Components { of: vec![UNSEEN; count], members: Vec::new() };
        let mut entered = vec![UNSEEN; count];
        let mut lowest = vec![UNSEEN; count];
        let mut open: Vec<usize> = Vec::new();
        let mut path: Vec<(usize, I)> = Vec::new();
        let mut clock = 0;
        for root in 0..count {
            if entered[root] != UNSEEN {
                continue;
            }
            let mut enter = Some(root);
            loop {
                if let Some(vertex) = enter.take() {
                    entered[vertex] = clock;
                    lowest[vertex] = clock;
                    clock += 1;
                    open.push(vertex);
                    path.push((vertex, successors(vertex)));
                }
                let Some((vertex, rest)) = path.last_mut() else { break };
                let vertex = *vertex;
                if let Some(successor) = rest.next() {
                    if entered[successor] == UNSEEN {
                        enter = Some(successor);
                    } else if components.of[successor] == UNSEEN {
                        lowest[vertex] = lowest[vertex].min(entered[successor]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    lowest[*parent] = lowest[*parent].min(lowest[vertex]);
                }
                if lowest[vertex] == entered[vertex] {
                    let at = open.iter().rposition(|&member| member == vertex).unwrap_or(0);
                    let number = components.members.len() as u32;
                    let members: Vec<u32> = open.drain(at..).map(|member| member as u32).collect();
                    members.iter().for_each(|&member| components.of[member as usize] = number);
                    components.members.push(members);
                }
            }
        }
        components
    }

    /// The components of an automaton.
    pub fn of_automaton(automaton: &Automaton) -> Components {
        Components::of_graph(automaton.state_count(), |state| {
            automaton.edges[state].iter().map(|edge| edge.target.index())
        })
    }

    /// The component of a vertex.
    pub fn of(&self, vertex: usize) -> usize {
        self.of[vertex] as usize
    }

    /// Are the two states in one component?
    pub fn together(&self, first: StateId, second: StateId) -> bool {
        self.of[first.index()] == self.of[second.index()]
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The vertices of a component.
    pub fn members(&self, component: usize) -> impl Iterator<Item = usize> + '_ {
        self.members[component].iter().map(|&member| member as usize)
    }

    /// For each component, the union of the marks on its inner edges; `None` if it has no inner edge.
    pub fn inner_marks(&self, automaton: &Automaton) -> Vec<Option<Marks>> {
        let mut marks = vec![None; self.count()];
        for state in automaton.states() {
            for edge in automaton.edges(state) {
                if self.together(state, edge.target) {
                    let inner: &mut Option<Marks> = &mut marks[self.of(state.index())];
                    *inner = Some(inner.unwrap_or(Marks::NONE).union(edge.marks));
                }
            }
        }
        marks
    }

    /// For each component, whether some run that stays in it accepts.
    pub fn accepting(&self, automaton: &Automaton) -> Vec<bool> {
        self.inner_marks(automaton).into_iter().map(|marks| marks == Some(automaton.all_marks())).collect()
    }
}
