//! A cycle through a component that carries all marks.
//!
//! From the root, breadth first to the nearest transition with a mark that is still missing, and so on; at last back to the
//! root. Each leg is a shortest one inside the component; the whole need not be.

use std::collections::{HashMap, VecDeque};

use system::{Arena, Marks, System as _};

use super::space::Space;
use crate::search::chunks::Chunks;

/// What the leg of a cycle is looking for.
#[derive(Clone, Copy)]
enum Goal {
    /// A transition with one of these marks.
    Mark(Marks),
    /// The way back to this state.
    State(u32),
}

/// How a state of the component was reached: from where, and by a transition with which marks.
type Arrivals = HashMap<u32, (u32, Marks)>;

/// The states after the root on a closed walk, up to the root itself, and the marks of the transitions. `live` has the states by their positions.
pub(super) fn cycle<P: Space>(space: &mut P, live: &Chunks<P::Node>, root: u32) -> (Vec<Vec<u8>>, Vec<Marks>) {
    let mut missing = space.system().acceptance();
    let mut walk: Vec<(u32, Marks)> = Vec::new();
    let mut here = root;
    loop {
        let goal = if missing.is_empty() { Goal::State(root) } else { Goal::Mark(missing) };
        if missing.is_empty() && here == root && !walk.is_empty() {
            break;
        }
        let Some(leg) = leg(space, live, root, here, goal) else { break };
        missing = leg.iter().fold(missing, |missing, &(_, marks)| missing.without(marks));
        here = leg.last().map_or(here, |&(state, _)| state);
        walk.extend(leg);
    }
    let load = |(position, marks): (u32, Marks)| {
        let mut state = Vec::new();
        space.load(live.get(position as usize), &mut state);
        (state, marks)
    };
    walk.into_iter().map(load).unzip()
}

/// A shortest way from `start` to the goal, without `start` itself, each state with the marks of the transition to it. It stays among
/// states from `root` on.
fn leg<P: Space>(
    space: &mut P,
    live: &Chunks<P::Node>,
    root: u32,
    start: u32,
    goal: Goal,
) -> Option<Vec<(u32, Marks)>> {
    let mut arrivals = Arrivals::new();
    let mut queue = VecDeque::from([start]);
    let mut state = Vec::new();
    let mut transitions = Arena::new();
    while let Some(here) = queue.pop_front() {
        space.load(live.get(here as usize), &mut state);
        space.system().successors(&state, &mut transitions);
        for index in 0..transitions.len() {
            let marks = transitions.marks(index);
            let Some(target) = space.find(transitions.target(index)).position().filter(|&target| target >= root) else {
                continue;
            };
            let reached = match goal {
                Goal::Mark(wanted) => wanted.without(marks) != wanted,
                Goal::State(wanted) => wanted == target,
            };
            if reached {
                return Some(way(&arrivals, start, here, target, marks));
            }
            if target != start && !arrivals.contains_key(&target) {
                arrivals.insert(target, (here, marks));
                queue.push_back(target);
            }
        }
    }
    None
}

fn way(arrivals: &Arrivals, start: u32, mut here: u32, last: u32, marks: Marks) -> Vec<(u32, Marks)> {
    let mut way = vec![(last, marks)];
    while here != start {
        let (before, marks) = arrivals[&here];
        way.push((here, marks));
        here = before;
    }
    way.reverse();
    way
}
