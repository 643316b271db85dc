//! Why two states are not bisimilar: a formula, read off the history of a refinement (Cleaveland, CAV 1990).
//!
//! Two states part in a round because one has a move into a block that no move of the other leads to. The formula is that move, and behind it what tells the
//! target from each target of the other, found in the same way; all of these parted in earlier rounds. So the depth is at most the round, which for
//! strong and weak bisimulation is the least depth there is. For branching bisimulation the way to the move must not leave the block: the formula says so
//! with what tells the states on the way from the first states outside that the other one reaches.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::formula::{Formula, Node, NodeId};
use crate::lts::{by, split};
use crate::partition::{Divergence, Equivalence, Partition};
use crate::{Event, Lts};

/// Whether one state of a block speaks for all of them. That gives shorter formulas, and is right for strong and weak bisimulation; for branching
/// bisimulation an until may tell states of a block apart, so the formula has to be tried, and made of all states if it fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Speaker {
    Block,
    State,
}

/// A formula that holds of the first state and not of the second, if a refinement of a condensed system has parted them.
pub(crate) fn explain(
    lts: &Lts,
    equivalence: Equivalence,
    partition: &Partition,
    speaker: Speaker,
    (one, other): (u32, u32),
) -> Option<Formula> {
    partition.parting(one, other)?;
    let mut explanation = Explanation {
        lts,
        equivalence,
        partition,
        speaker,
        nodes: Vec::new(),
        numbers: FxHashMap::default(),
        known: FxHashMap::default(),
    };
    let root = explanation.build(one, other)?;
    // The formula is its last node.
    explanation.nodes.truncate(root as usize + 1);
    Some(Formula::new(explanation.nodes))
}

struct Explanation<'a> {
    lts: &'a Lts,
    equivalence: Equivalence,
    partition: &'a Partition,
    speaker: Speaker,
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, NodeId>,
    /// The formula for two states, or for two blocks.
    known: FxHashMap<(u32, u32), NodeId>,
}

/// What tells one state from another, in terms of pairs that are to be told apart first.
enum Plan {
    /// What tells the other from the one does not hold.
    Not(u32, u32),
    /// A move to a state, which is to be told from others. On the way are states to be told from others, too.
    Move { event: Event, to: u32, from: Vec<u32>, way: Vec<u32>, outside: Vec<u32> },
    /// An infinite run of internal steps.
    Endless { way: Vec<u32>, outside: Vec<u32> },
}

impl Plan {
    /// The pairs that are to be told apart first.
    fn needs(&self) -> Vec<(u32, u32)> {
        let product = |way: &[u32], outside: &[u32]| -> Vec<(u32, u32)> {
            way.iter().flat_map(|&on| outside.iter().map(move |&off| (on, off))).collect()
        };
        match self {
            Plan::Not(one, other) => vec![(*one, *other)],
            Plan::Move { to, from, way, outside, .. } => {
                let mut needs = product(&[*to], from);
                needs.extend(product(way, outside));
                needs
            }
            Plan::Endless { way, outside } => product(way, outside),
        }
    }
}

impl Explanation<'_> {
    /// Builds the formula for two states and everything that it needs, with a stack of its own: histories can be long. `None` if the history does not
    /// say what parted two states, or goes in a circle: then it is none of a refinement.
    fn build(&mut self, one: u32, other: u32) -> Option<NodeId> {
        let mut open = vec![(one, other)];
        let mut begun = FxHashSet::default();
        while let Some(&(p, q)) = open.last() {
            if self.find(p, q).is_some() {
                open.pop();
                continue;
            }
            let plan = self.plan(p, q);
            let needs = plan.needs();
            if needs.iter().any(|&(p, q)| self.partition.parting(p, q).is_none()) {
                return None;
            }
            let missing: Vec<(u32, u32)> = needs.into_iter().filter(|&(p, q)| self.find(p, q).is_none()).collect();
            if missing.is_empty() {
                let node = self.write(&plan);
                self.known.insert(self.key(p, q), node);
                open.pop();
            } else if begun.insert(self.key(p, q)) {
                open.extend(missing);
            } else {
                return None;
            }
        }
        self.find(one, other)
    }

    fn key(&self, p: u32, q: u32) -> (u32, u32) {
        match self.speaker {
            Speaker::State => (p, q),
            Speaker::Block => {
                let (_, p, q) = self.partition.parting(p, q).expect("states of different blocks");
                (p, q)
            }
        }
    }

    fn find(&self, p: u32, q: u32) -> Option<NodeId> {
        self.known.get(&self.key(p, q)).copied()
    }

    fn node(&mut self, node: Node) -> NodeId {
        if let Some(&number) = self.numbers.get(&node) {
            return number;
        }
        let number = self.nodes.len() as NodeId;
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        number
    }

    /// What tells a state from each of some others.
    fn tell(&mut self, state: u32, others: &[u32]) -> NodeId {
        let mut parts: Vec<NodeId> =
            others.iter().map(|&other| self.find(state, other).expect("needs are built first")).collect();
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [part] => part,
            _ => self.node(Node::And(parts)),
        }
    }

    /// Holds of all states on a way, and of none outside.
    fn on_the_way(&mut self, way: &[u32], outside: &[u32]) -> NodeId {
        let mut cases: Vec<NodeId> = way.iter().map(|&state| self.tell(state, outside)).collect();
        cases.sort_unstable();
        cases.dedup();
        if let [case] = cases[..] {
            return case;
        }
        let none: Vec<NodeId> = cases.into_iter().map(|case| self.node(Node::Not(case))).collect();
        let none = self.node(Node::And(none));
        self.node(Node::Not(none))
    }

    fn write(&mut self, plan: &Plan) -> NodeId {
        match plan {
            &Plan::Not(one, other) => {
                let part = self.find(one, other).expect("needs are built first");
                self.node(Node::Not(part))
            }
            Plan::Move { event, to, from, way, outside } => {
                let then = self.tell(*to, from);
                match self.equivalence {
                    Equivalence::Strong => self.node(Node::Step(*event, then)),
                    Equivalence::Weak(_) => self.node(Node::Weak(*event, then)),
                    Equivalence::Branching(_) => {
                        let through = self.on_the_way(way, outside);
                        self.node(Node::Until(through, *event, then))
                    }
                }
            }
            Plan::Endless { way, outside } => {
                let through = self.on_the_way(way, outside);
                self.node(Node::Diverges(through))
            }
        }
    }

    fn plan(&self, p: u32, q: u32) -> Plan {
        self.forwards(p, q).unwrap_or(Plan::Not(q, p))
    }

    /// A plan by a move of the first state. Of several moves the one with the fewest states to be told apart.
    fn forwards(&self, p: u32, q: u32) -> Option<Plan> {
        let (round, ..) = self.partition.parting(p, q).expect("states of different blocks");
        let round = round - 1;
        match self.equivalence {
            Equivalence::Branching(_) => self.forwards_within(p, q, round),
            _ => self.forwards_anywhere(p, q, round),
        }
    }

    /// Strong and weak: moves lead anywhere.
    fn forwards_anywhere(&self, p: u32, q: u32, round: u32) -> Option<Plan> {
        if self.equivalence == Equivalence::Weak(Divergence::Preserved) && self.diverges(p) && !self.diverges(q) {
            return Some(Plan::Endless { way: vec![p], outside: Vec::new() });
        }
        let (mine, yours) = (self.moves(p), self.moves(q));
        let block = |state: u32| self.partition.block_after(round, state);
        let candidates = mine.iter().filter_map(|&(event, to)| {
            let mut from: Vec<u32> = yours.iter().filter(|step| step.0 == event).map(|step| step.1).collect();
            self.one_for_each(&mut from, round);
            let is_alone = from.iter().all(|&other| block(other) != block(to));
            is_alone.then(|| Plan::Move { event, to, from, way: Vec::new(), outside: Vec::new() })
        });
        candidates.min_by_key(|plan| plan.needs().len())
    }

    /// Branching: a move of a state that is reached within the block.
    fn forwards_within(&self, p: u32, q: u32, round: u32) -> Option<Plan> {
        let (mine, yours) = (self.region(p, round), self.region(q, round));
        let block = |state: u32| self.partition.block_after(round, state);
        let own = block(p);
        let mut outside: Vec<u32> =
            yours.iter().flat_map(|&(state, _)| split(self.lts.steps(state)).0).map(|step| step.1).collect();
        outside.retain(|&state| block(state) != own);
        self.one_for_each(&mut outside, round);
        let is_cyclic = |&(state, _): &(u32, usize)| self.lts.steps(state).contains(&(Event::INTERNAL, state));
        if self.equivalence.divergence() == Divergence::Preserved
            && !yours.iter().any(is_cyclic)
            && let Some(at) = mine.iter().position(is_cyclic)
        {
            return Some(Plan::Endless { way: way(&mine, at), outside });
        }
        let steps = mine
            .iter()
            .enumerate()
            .flat_map(|(at, &(state, _))| self.lts.steps(state).iter().map(move |step| (at, step)));
        let candidates =
            steps.filter(|(_, step)| step.0.is_visible() || block(step.1) != own).filter_map(|(at, &(event, to))| {
                let targets = yours.iter().flat_map(|&(state, _)| by(self.lts.steps(state), event)).map(|step| step.1);
                // An internal step of the formula may be none.
                let stay = yours.iter().map(|&(state, _)| state).filter(|_| !event.is_visible());
                let mut from: Vec<u32> = targets.chain(stay).collect();
                self.one_for_each(&mut from, round);
                let is_alone = from.iter().all(|&other| block(other) != block(to));
                is_alone.then(|| Plan::Move { event, to, from, way: way(&mine, at), outside: outside.clone() })
            });
        candidates.min_by_key(|plan| plan.needs().len())
    }

    /// Keeps one state of each block, or all different ones.
    fn one_for_each(&self, states: &mut Vec<u32>, round: u32) {
        let key = |&state: &u32| match self.speaker {
            Speaker::Block => (self.partition.block_after(round, state), 0),
            Speaker::State => (0, state),
        };
        states.sort_unstable_by_key(key);
        states.dedup_by_key(|state| key(state));
    }

    /// The moves of a state: steps, or `=a⇒` and `⇒`.
    fn moves(&self, state: u32) -> Vec<(Event, u32)> {
        if self.equivalence == Equivalence::Strong {
            return self.lts.steps(state).to_vec();
        }
        let before = self.closure([state]);
        let mut moves: Vec<(Event, u32)> = before.iter().map(|&state| (Event::INTERNAL, state)).collect();
        let visible: Vec<(Event, u32)> =
            before.iter().flat_map(|&state| split(self.lts.steps(state)).1).copied().collect();
        for (event, target) in visible {
            moves.extend(self.closure([target]).into_iter().map(|target| (event, target)));
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    fn closure(&self, of: [u32; 1]) -> Vec<u32> {
        self.region_where(of[0], |_| true).into_iter().map(|(state, _)| state).collect()
    }

    fn diverges(&self, state: u32) -> bool {
        self.closure([state]).iter().any(|&state| self.lts.steps(state).contains(&(Event::INTERNAL, state)))
    }

    /// The states that one reaches by internal steps within its block, nearest first, each with the index of the one before it.
    fn region(&self, state: u32, round: u32) -> Vec<(u32, usize)> {
        let own = self.partition.block_after(round, state);
        self.region_where(state, |state| self.partition.block_after(round, state) == own)
    }

    fn region_where(&self, state: u32, is_inside: impl Fn(u32) -> bool) -> Vec<(u32, usize)> {
        let mut met = vec![(state, 0)];
        let mut seen = FxHashSet::from_iter([state]);
        let mut at = 0;
        while at < met.len() {
            for &(_, target) in split(self.lts.steps(met[at].0)).0 {
                if is_inside(target) && seen.insert(target) {
                    met.push((target, at));
                }
            }
            at += 1;
        }
        met
    }
}

/// The states from the first one of a region to one of them.
fn way(region: &[(u32, usize)], mut at: usize) -> Vec<u32> {
    let mut way = vec![region[at].0];
    while at != 0 {
        at = region[at].1;
        way.push(region[at].0);
    }
    way.reverse();
    way
}
