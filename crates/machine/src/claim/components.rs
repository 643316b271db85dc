//! The components of a claim in which it can accept for ever.

use automata::automaton::{Automaton, Guard, Marks, StateId};
use automata::classify::Classification;

use super::Claim;

impl Claim {
    /// For each state the number of its strongly connected component, if a run that stays there can be accepted. What a run does again and again
    /// it does in one component: a cycle of a system and its claim that is accepted lies in one of these.
    #[must_use]
    pub fn accepting_components(&self) -> Vec<Option<u32>> {
        let classes = Classification::of(&self.skeleton());
        let mut component = vec![0; self.states.len()];
        for (number, (_, states)) in (0..).zip(classes.components()) {
            states.iter().for_each(|state| component[state.index()] = number);
        }
        // The marks inside of each, if there is an edge.
        let mut inside: Vec<Option<u64>> = vec![None; classes.components().len()];
        for (state, &here) in self.states.iter().zip(&component) {
            for edge in state.edges.iter().filter(|edge| component[edge.target.index()] == here) {
                *inside[here as usize].get_or_insert(0) |= edge.marks;
            }
        }
        let all = 1_u64.checked_shl(self.acceptance_sets).map_or(u64::MAX, |above| above - 1);
        let accepts = |component: u32| inside[component as usize].is_some_and(|marks| marks & all == all);
        component.into_iter().map(|component| Some(component).filter(|&component| accepts(component))).collect()
    }

    /// Its states and edges, whatever they ask.
    fn skeleton(&self) -> Automaton {
        let mut skeleton = Automaton::new(Vec::new(), 0);
        (1..self.states.len()).for_each(|_| {
            skeleton.add_state();
        });
        for (number, state) in (0..).zip(&self.states) {
            for edge in &state.edges {
                skeleton.add_edge(StateId(number), Guard::TRUE, Marks::NONE, StateId(u32::from(edge.target.0)));
            }
        }
        skeleton
    }
}
