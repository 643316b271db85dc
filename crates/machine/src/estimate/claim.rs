//! How far a claim is from accepting: towards a component where it can accept for ever, and there towards an edge that counts.
//!
//! The claim may have to take several edges. For the first of them the distance of its guard is estimated, of the others each counts for one.

use std::sync::Arc;

use super::condition::{Asked, Conditions, Distance};
use super::flow::Flow;
use super::goal::NOBODY;
use super::steppers::Steppers;
use super::{Estimate, FAR, plus};
use crate::claim::product::split;
use crate::claim::{Claim, ClaimEdge, Cube, Question};
use crate::interpret::Interpreter;
use crate::machine::Machine;
use crate::state::State;

/// The distance of states of a system and a claim in one.
#[derive(Clone, Debug)]
pub struct Pursuit {
    machine: Arc<Machine>,
    /// The edges that lead on from each state of the claim.
    ways: Vec<Vec<Way>>,
}

/// An edge of the claim that leads on.
#[derive(Clone, Debug)]
struct Way {
    guard: Distance,
    /// How many edges follow.
    beyond: u32,
}

impl Pursuit {
    /// The distance from where a claim accepts.
    #[must_use]
    pub fn new(machine: &Arc<Machine>, claim: &Claim) -> Pursuit {
        let (flow, steppers) = (Flow::of(machine), Steppers::of(machine));
        let conditions = Conditions { machine, flow: &flow, steppers: &steppers, asker: None, bounds: false };
        let components = claim.accepting_components();
        let distances = distances(claim, &components);
        let way = |state: usize, edge: &ClaimEdge| {
            let beyond = value(claim, &components, state, edge).or(Some(distances[edge.target.index()]))?;
            (beyond < distances[state]).then(|| Way { guard: guard(&conditions, claim, edge), beyond })
        };
        let ways = (0..).zip(&claim.states).map(|(number, state)| {
            let edges = state.edges.iter();
            edges.filter_map(|edge| way(number, edge)).collect()
        });
        let ways = ways.collect();
        Pursuit { machine: machine.clone(), ways }
    }
}

/// What is left behind an edge that leads where the claim accepts or ends: nothing. Inside a component that is an edge with a mark.
fn value(claim: &Claim, components: &[Option<u32>], state: usize, edge: &ClaimEdge) -> Option<u32> {
    let (here, there) = (components[state], components[edge.target.index()]);
    let is_end = claim.state(edge.target).end.is_some();
    let counts = match (here, there) {
        (None, Some(_)) => true,
        (Some(here), Some(there)) if here == there => edge.marks != 0 || claim.acceptance_sets == 0,
        _ => false,
    };
    (is_end || counts).then_some(0)
}

/// How many edges each state of the claim is away from where it accepts or ends.
fn distances(claim: &Claim, components: &[Option<u32>]) -> Vec<u32> {
    let mut distances = vec![FAR; claim.states.len()];
    loop {
        let mut changed = false;
        for (number, state) in claim.states.iter().enumerate() {
            let through = |edge: &ClaimEdge| {
                let beyond = value(claim, components, number, edge);
                plus(beyond.unwrap_or(distances[edge.target.index()]), 1)
            };
            let least = state.edges.iter().map(through).min().unwrap_or(FAR);
            changed |= least < distances[number];
            distances[number] = least.min(distances[number]);
        }
        if !changed {
            return distances;
        }
    }
}

/// How far an edge is from being possible.
fn guard(conditions: &Conditions<'_>, claim: &Claim, edge: &ClaimEdge) -> Distance {
    let atom = |number: usize, wanted: bool| match &claim.atoms[number] {
        Question::Expression(atom) => conditions.towards(&atom.expression, wanted),
        Question::Accepting => Distance::Known(0),
    };
    let cube = |cube: &Cube| {
        let bits = |word: u64| (0..claim.atoms.len()).filter(move |number| word >> number & 1 == 1);
        let required = bits(cube.required).map(|number| atom(number, true));
        conditions.together(required.chain(bits(cube.excluded).map(|number| atom(number, false))).collect())
    };
    Distance::Least(edge.guard.iter().map(cube).collect())
}

impl Estimate for Pursuit {
    fn estimate(&mut self, bytes: &[u8]) -> u32 {
        let (system, claim) = split(bytes);
        let state = State::from_bytes(system);
        let asked = Asked { interpreter: Interpreter::new(&self.machine), state: &state, pid: NOBODY };
        let ways = self.ways[claim.index()].iter();
        ways.map(|way| plus(way.guard.of(&asked), way.beyond)).min().unwrap_or(FAR)
    }
}
