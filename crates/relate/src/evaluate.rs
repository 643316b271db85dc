//! The truth of a formula in a state, worked out independently of how the formula was made: every formula is evaluated on both sides before it is shown.
//!
//! First it is collected from the outside in which states each node is asked about, then the answers are given from the inside out. Nothing recurses, so
//! deep formulas do no harm, and only the part of a system that the formula can see is expanded.

use explore::search::End;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::formula::{Formula, Node};
use crate::graph::Graph;
use crate::lts::{by, split};
use crate::{Event, Lts};

type States = FxHashSet<u32>;

impl Formula {
    /// Does it hold of a state of an explicit system?
    #[must_use]
    pub fn holds(&self, lts: &Lts, state: u32) -> bool {
        holds(self, &mut &*lts, state).expect("an explicit system has no limits")
    }
}

/// Does a formula hold of a state?
pub(crate) fn holds(formula: &Formula, graph: &mut impl Graph, state: u32) -> Result<bool, End> {
    let nodes = formula.nodes();
    let mut asked = vec![States::default(); nodes.len()];
    asked[nodes.len() - 1].insert(state);
    // What each node looks at beside its parts: the states that those it is asked about reach by internal steps.
    let mut reached = vec![States::default(); nodes.len()];
    for number in (0..nodes.len()).rev() {
        ask(&nodes[number], number, &mut asked, &mut reached[number], graph)?;
    }
    let mut true_of: Vec<States> = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        let states = answer(node, &asked[number], &reached[number], &true_of, graph);
        true_of.push(states);
    }
    Ok(true_of[nodes.len() - 1].contains(&state))
}

/// Passes the states that a node is asked about on to its parts.
fn ask(
    node: &Node,
    number: usize,
    asked: &mut [States],
    reached: &mut States,
    graph: &mut impl Graph,
) -> Result<(), End> {
    let mine: Vec<u32> = asked[number].iter().copied().collect();
    for &state in &mine {
        graph.expand(state)?;
    }
    match node {
        Node::And(parts) => parts.iter().for_each(|&part| asked[part as usize].extend(&mine)),
        Node::Not(part) => asked[*part as usize].extend(&mine),
        Node::Step(event, part) => asked[*part as usize].extend(after(&mine, *event, graph)),
        Node::Weak(Event::INTERNAL, part) | Node::Diverges(part) => {
            *reached = closure(&mine, graph)?;
            asked[*part as usize].extend(&*reached);
        }
        Node::Weak(event, part) => {
            *reached = closure(&mine, graph)?;
            let targets = after(reached.iter(), *event, graph);
            asked[*part as usize].extend(closure(&targets, graph)?);
        }
        Node::Until(through, event, part) => {
            *reached = closure(&mine, graph)?;
            asked[*through as usize].extend(&*reached);
            let targets = after(reached.iter(), *event, graph);
            asked[*part as usize].extend(targets);
            if !event.is_visible() {
                asked[*part as usize].extend(&*reached);
            }
        }
        Node::Ready(_) => {}
    }
    Ok(())
}

/// Those of the states that a node is asked about of which it is true.
fn answer(node: &Node, asked: &States, reached: &States, true_of: &[States], graph: &impl Graph) -> States {
    let is = |part: u32, state: u32| true_of[part as usize].contains(&state);
    let step = |state: u32, event: Event, part: u32| by(graph.steps(state), event).iter().any(|step| is(part, step.1));
    let of_asked = |holds: &dyn Fn(u32) -> bool| asked.iter().copied().filter(|&state| holds(state)).collect();
    let of_reached = |holds: &dyn Fn(u32) -> bool| reached.iter().copied().filter(|&state| holds(state)).collect();
    match node {
        Node::And(parts) => of_asked(&|state| parts.iter().all(|&part| is(part, state))),
        Node::Not(part) => of_asked(&|state| !is(*part, state)),
        Node::Step(event, part) => of_asked(&|state| step(state, *event, *part)),
        Node::Weak(Event::INTERNAL, part) => back(of_reached(&|state| is(*part, state)), reached, &|_| true, graph),
        Node::Weak(event, part) => {
            let targets: States = after(reached.iter(), *event, graph).into_iter().collect();
            let region = reach(&targets, graph);
            let good = region.iter().copied().filter(|&state| is(*part, state)).collect();
            let good = back(good, &region, &|_| true, graph);
            let able = |state: u32| by(graph.steps(state), *event).iter().any(|step| good.contains(&step.1));
            back(of_reached(&able), reached, &|_| true, graph)
        }
        Node::Until(through, event, part) => {
            let able = |state: u32| is(*through, state) && step(state, *event, *part);
            let mut good = back(of_reached(&able), reached, &|state| is(*through, state), graph);
            if !event.is_visible() {
                good.extend(of_reached(&|state| is(*part, state)) as States);
            }
            good
        }
        Node::Diverges(through) => endless(of_reached(&|state| is(*through, state)), graph),
        Node::Ready(events) => of_asked(&|state| {
            let mut offers: Vec<Event> = graph.steps(state).iter().map(|step| step.0).collect();
            offers.dedup();
            offers == *events
        }),
    }
}

/// Where steps by an event lead from some states, all of which were expanded.
fn after<'s>(states: impl IntoIterator<Item = &'s u32>, event: Event, graph: &impl Graph) -> Vec<u32> {
    states.into_iter().flat_map(|&state| by(graph.steps(state), event)).map(|step| step.1).collect()
}

/// The states that some reach by internal steps, all expanded.
fn closure(states: &[u32], graph: &mut impl Graph) -> Result<States, End> {
    let mut all: States = states.iter().copied().collect();
    let mut open: Vec<u32> = all.iter().copied().collect();
    while let Some(state) = open.pop() {
        graph.expand(state)?;
        open.extend(split(graph.steps(state)).0.iter().map(|step| step.1).filter(|&target| all.insert(target)));
    }
    Ok(all)
}

/// The same when everything was expanded before.
fn reach(states: &States, graph: &impl Graph) -> States {
    let mut all = states.clone();
    let mut open: Vec<u32> = states.iter().copied().collect();
    while let Some(state) = open.pop() {
        open.extend(split(graph.steps(state)).0.iter().map(|step| step.1).filter(|&target| all.insert(target)));
    }
    all
}

/// The states of a region, closed under internal steps, that reach one of the good ones by internal steps through states of a kind.
fn back(good: States, region: &States, through: &dyn Fn(u32) -> bool, graph: &impl Graph) -> States {
    let before = predecessors(region, graph);
    let mut open: Vec<u32> = good.iter().copied().collect();
    let mut all = good;
    while let Some(state) = open.pop() {
        let before = before.get(&state).map_or(&[][..], Vec::as_slice);
        open.extend(before.iter().copied().filter(|&state| through(state) && all.insert(state)));
    }
    all
}

fn predecessors(region: &States, graph: &impl Graph) -> FxHashMap<u32, Vec<u32>> {
    let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &state in region {
        for &(_, target) in split(graph.steps(state)).0 {
            before.entry(target).or_default().push(state);
        }
    }
    before
}

/// The states that have an infinite run of internal steps among these.
fn endless(mut states: States, graph: &impl Graph) -> States {
    let before = predecessors(&states, graph);
    let inside = |state: u32, states: &States| {
        split(graph.steps(state)).0.iter().filter(|step| states.contains(&step.1)).count()
    };
    let mut ways: FxHashMap<u32, usize> = states.iter().map(|&state| (state, inside(state, &states))).collect();
    let mut dead: Vec<u32> = ways.iter().filter(|&(_, &ways)| ways == 0).map(|(&state, _)| state).collect();
    while let Some(state) = dead.pop() {
        states.remove(&state);
        for &state in before.get(&state).map_or(&[][..], Vec::as_slice) {
            let ways = ways.get_mut(&state).expect("it is one of the states");
            *ways -= 1;
            if *ways == 0 {
                dead.push(state);
            }
        }
    }
    states
}
