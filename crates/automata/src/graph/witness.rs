//! Paths and lassos that show what a graph can do.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::{Graph, Sets, StateSet};

/// An infinite run: a path, of which the part from `cycle_start` on is repeated for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// The states, the first one being where the run begins.
    pub states: Vec<u32>,
    /// The position in `states` to which the run comes back after the last of them.
    pub cycle_start: usize,
}

/// What a leg of a walk looks for.
enum Goal<'g> {
    /// An edge in one of these sets.
    Edge(Sets),
    /// This state, after at least one edge.
    Back(u32),
    /// One of these states, after any number of edges.
    State(&'g StateSet),
}

impl Graph {
    /// A shortest path from a state to one of a set, itself included, whose states before the last lie in `through`.
    #[must_use]
    pub fn path(&self, from: u32, to: &StateSet, through: &StateSet) -> Option<Vec<u32>> {
        if to.contains(from) {
            return Some(vec![from]);
        }
        let mut path = vec![from];
        path.extend(self.leg(from, &Goal::State(to), through)?.0);
        Some(path)
    }

    /// A fair run from a state that stays in a set of states. `components` are the fair components inside the set.
    #[must_use]
    pub fn lasso(&self, from: u32, inside: &StateSet, components: &[Vec<u32>]) -> Option<Lasso> {
        let mut ends = StateSet::none(self.len());
        components.iter().flatten().for_each(|&state| {
            ends.insert(state);
        });
        let mut states = self.path(from, &ends, inside)?;
        let root = *states.last()?;
        let component = components.iter().find(|component| component.contains(&root))?;
        let mut members = StateSet::none(self.len());
        let mut missing = self.required;
        for &state in component {
            members.insert(state);
            missing |= self.requests(state);
        }
        let cycle_start = states.len() - 1;
        let mut here = root;
        while missing != 0 {
            let (leg, marks) = self.leg(here, &Goal::Edge(missing), &members)?;
            missing &= !marks;
            here = leg.last().copied()?;
            states.extend(leg);
        }
        if here != root || states.len() == cycle_start + 1 {
            states.extend(self.leg(here, &Goal::Back(root), &members)?.0);
        }
        // The state where the cycle closes is the one where it starts.
        states.pop();
        Some(Lasso { states, cycle_start })
    }

    /// A shortest way to the goal, without its first state, and the sets of its edges. All its states but the last are in
    /// `through`; so is the last one, unless it is the goal.
    fn leg(&self, from: u32, goal: &Goal<'_>, through: &StateSet) -> Option<(Vec<u32>, Sets)> {
        let mut arrivals: FxHashMap<u32, (u32, Sets)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(here) = queue.pop_front() {
            if !through.contains(here) {
                continue;
            }
            for edge in self.edges(here) {
                let (target, marks) = (self.targets[edge], self.marks(edge));
                let is_found = match goal {
                    Goal::Edge(sets) => marks & sets != 0 && through.contains(target),
                    Goal::Back(state) => target == *state,
                    Goal::State(set) => set.contains(target),
                };
                if is_found {
                    return Some(way(&arrivals, from, here, target, marks));
                }
                if target != from && !arrivals.contains_key(&target) {
                    arrivals.insert(target, (here, marks));
                    queue.push_back(target);
                }
            }
        }
        None
    }
}

fn way(
    arrivals: &FxHashMap<u32, (u32, Sets)>,
    from: u32,
    mut here: u32,
    last: u32,
    mut marks: Sets,
) -> (Vec<u32>, Sets) {
    let mut way = vec![last];
    while here != from {
        way.push(here);
        let (before, on_the_way) = arrivals[&here];
        marks |= on_the_way;
        here = before;
    }
    way.reverse();
    (way, marks)
}
