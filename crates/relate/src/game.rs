//! Weak simulations on the fly: pairs of components, one of each side, taken for related until the contrary is shown.
//!
//! A pair has an *obligation* for each move of its left component, and each obligation a list of answers, pairs again. It watches one answer that
//! is not refuted; when that one falls it takes the next, and when there is none its own pair falls. What remains in the end is a simulation. Every
//! pair is expanded once and every answer is given up once, so the work is linear in what is looked at, and no set of states is built.
//!
//! If `x ⇒ y` and `y` simulates `p`, then `x` simulates `p`. So an internal step of the left side needs no answer but the right side as it stands, and a
//! visible one needs `⇒ -a→` only. A stable component of the left side is, for ready simulation, an obligation to come by `⇒` to a stable one with the same events.
//! A refuted pair has a formula of diamonds and conjunctions, which what `⇒` leads from also has to satisfy: so it tells the pair apart.

use explore::search::{Counters, End};
use rustc_hash::FxHashMap;

use crate::components::Components;
use crate::formula::{Formula, Node, NodeId};
use crate::graph::Graph;
use crate::labels::Labels;
use crate::limits::Watch;
use crate::space::Space;
use crate::{Event, Size};

/// Which simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ready {
    /// Moves alone.
    Ignored,
    /// Stable components are answered by stable ones with the same events.
    Compared,
}

/// One player: a side with its internal steps.
struct Player<'s, 'o> {
    space: &'s mut Space<'o>,
    components: Components,
}

/// The game.
pub(crate) struct Game<'s, 'o> {
    ready: Ready,
    left: Player<'s, 'o>,
    right: Player<'s, 'o>,
    labels: Labels,
    pairs: Vec<Pair>,
    numbers: FxHashMap<(u32, u32), u32>,
    obligations: Vec<Obligation>,
    answers: Vec<u32>,
    pub(crate) matched: u64,
}

struct Pair {
    left: u32,
    right: u32,
    /// The obligation that could not be met.
    refuted_by: Option<u32>,
    /// The last of the obligations that watch the pair.
    watchers: Option<u32>,
}

struct Obligation {
    pair: u32,
    task: Task,
    /// The answers that were not tried yet are from here …
    next: usize,
    /// … to here; they begin at `start`.
    end: usize,
    start: usize,
    /// Another obligation that watches the same pair.
    also: Option<u32>,
}

/// What is to be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    Step(Event),
    Stable,
}

impl<'s, 'o> Game<'s, 'o> {
    pub(crate) fn new(ready: Ready, left: &'s mut Space<'o>, right: &'s mut Space<'o>) -> Game<'s, 'o> {
        let player = |space| Player { space, components: Components::new() };
        Game {
            ready,
            left: player(left),
            right: player(right),
            labels: Labels::new(),
            pairs: Vec::new(),
            numbers: FxHashMap::default(),
            obligations: Vec::new(),
            answers: Vec::new(),
            matched: 0,
        }
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.pairs.len() as u64
    }

    pub(crate) fn sizes(&self) -> [Size; 2] {
        [&self.left, &self.right].map(|player| Size {
            states: u64::from(player.space.states()),
            sets: player.components.len() as u64,
            transitions: player.space.transitions(),
        })
    }

    /// Plays until the first pair is refuted or every pair has its answers; a formula if it was refuted.
    pub(crate) fn play(&mut self, watch: &mut Watch<'_>) -> Result<Option<Formula>, End> {
        let left = self.left.components.of(0, self.left.space)?;
        let right = self.right.components.of(0, self.right.space)?;
        self.pair(left, right);
        let mut next = 0;
        while next < self.pairs.len() && self.pairs[0].refuted_by.is_none() {
            if watch.is_due() {
                let states = self.left.space.states() + self.right.space.states();
                let counters = Counters { stored: self.pairs(), matched: self.matched, depth: 0 };
                watch.look(u64::from(states), self.bytes(), counters)?;
            }
            if self.pairs[next].refuted_by.is_none() {
                self.expand(next as u32)?;
            }
            next += 1;
        }
        Ok(self.pairs[0].refuted_by.is_some().then(|| self.explain()))
    }

    fn bytes(&self) -> u64 {
        let own = self.pairs.capacity() * size_of::<Pair>()
            + self.numbers.capacity() * 16
            + self.obligations.capacity() * size_of::<Obligation>()
            + self.answers.capacity() * 4;
        let sides = self.left.space.bytes() + self.right.space.bytes();
        own as u64 + sides + self.left.components.bytes() + self.right.components.bytes() + self.labels.bytes()
    }

    fn pair(&mut self, left: u32, right: u32) -> u32 {
        let next = self.pairs.len() as u32;
        let number = *self.numbers.entry((left, right)).or_insert(next);
        if number == next {
            self.pairs.push(Pair { left, right, refuted_by: None, watchers: None });
        } else {
            self.matched += 1;
        }
        number
    }

    /// Gives a pair its obligations, and each of them its first answer.
    fn expand(&mut self, pair: u32) -> Result<(), End> {
        let Pair { left, right, .. } = self.pairs[pair as usize];
        for inner in self.left.components.inner(left).to_vec() {
            let answer = self.pair(inner, right);
            if !self.oblige(pair, Task::Step(Event::INTERNAL), vec![answer]) {
                return Ok(());
            }
        }
        let closure = self.right.closure(right);
        if self.ready == Ready::Compared && self.left.components.is_stable(left) && !self.oblige_stable(pair, &closure)
        {
            return Ok(());
        }
        let mut steps = self.left.components.visible(left, self.left.space).to_vec();
        for step in &mut steps {
            step.1 = self.left.components.of(step.1, self.left.space)?;
        }
        steps.sort_unstable();
        steps.dedup();
        for (event, target) in steps {
            let mut answers = Vec::new();
            for answer in self.right.after(&closure, event)? {
                answers.push(self.pair(target, answer));
            }
            if !self.oblige(pair, Task::Step(event), answers) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn oblige_stable(&mut self, pair: u32, closure: &[u32]) -> bool {
        let left = self.pairs[pair as usize].left;
        let offers = self.left.components.offers(left, self.left.space, &mut self.labels);
        let mut answers = Vec::new();
        for &right in closure {
            if self.right.components.is_stable(right)
                && self.right.components.offers(right, self.right.space, &mut self.labels) == offers
            {
                answers.push(self.pair(left, right));
            }
        }
        self.oblige(pair, Task::Stable, answers)
    }

    /// Adds an obligation; answers whether it can be met so far.
    fn oblige(&mut self, pair: u32, task: Task, answers: Vec<u32>) -> bool {
        let start = self.answers.len();
        self.answers.extend(answers);
        let number = self.obligations.len() as u32;
        self.obligations.push(Obligation { pair, task, start, next: start, end: self.answers.len(), also: None });
        if self.watch_next(number) {
            return true;
        }
        self.refute(number);
        false
    }

    /// Lets an obligation watch the next answer that is not refuted.
    fn watch_next(&mut self, number: u32) -> bool {
        let obligation = &mut self.obligations[number as usize];
        while obligation.next < obligation.end {
            let answer = &mut self.pairs[self.answers[obligation.next] as usize];
            obligation.next += 1;
            if answer.refuted_by.is_none() {
                obligation.also = answer.watchers.replace(number);
                return true;
            }
        }
        false
    }

    /// An obligation cannot be met: its pair falls, and with it what watched nothing else.
    fn refute(&mut self, obligation: u32) {
        let mut open = vec![obligation];
        while let Some(number) = open.pop() {
            let pair = &mut self.pairs[self.obligations[number as usize].pair as usize];
            if pair.refuted_by.is_some() {
                continue;
            }
            pair.refuted_by = Some(number);
            let mut watcher = pair.watchers.take();
            while let Some(number) = watcher {
                watcher = self.obligations[number as usize].also.take();
                let is_over = self.pairs[self.obligations[number as usize].pair as usize].refuted_by.is_some();
                if !is_over && !self.watch_next(number) {
                    open.push(number);
                }
            }
        }
    }

    /// The formula of the first pair. Every answer to the obligation that refuted a pair was refuted before it.
    fn explain(&self) -> Formula {
        let mut nodes = Vec::new();
        let mut known: FxHashMap<u32, NodeId> = FxHashMap::default();
        let mut open = vec![0];
        while let Some(&pair) = open.last() {
            let obligation = self.pairs[pair as usize].refuted_by.expect("only refuted pairs are explained");
            let Obligation { task, start, end, .. } = self.obligations[obligation as usize];
            let answers = &self.answers[start..end];
            let missing: Vec<u32> = answers.iter().copied().filter(|answer| !known.contains_key(answer)).collect();
            if known.contains_key(&pair) || missing.is_empty() {
                open.pop();
                let mut parts: Vec<NodeId> = answers.iter().map(|answer| known[answer]).collect();
                parts.sort_unstable();
                parts.dedup();
                known.entry(pair).or_insert_with(|| self.write(pair, task, parts, &mut nodes));
            } else {
                open.extend(missing);
            }
        }
        nodes.truncate(known[&0] as usize + 1);
        Formula::new(nodes)
    }

    fn write(&self, pair: u32, task: Task, mut parts: Vec<NodeId>, nodes: &mut Vec<Node>) -> NodeId {
        let mut add = |node: Node| {
            nodes.push(node);
            nodes.len() as NodeId - 1
        };
        match task {
            // What a state can do after an internal step it can do before it.
            Task::Step(Event::INTERNAL) => parts[0],
            Task::Step(event) => {
                let then = if parts.len() == 1 { parts[0] } else { add(Node::And(parts)) };
                add(Node::Weak(event, then))
            }
            Task::Stable => {
                let left = self.pairs[pair as usize].left;
                let mut offers: Vec<Event> =
                    self.left.components.visible(left, self.left.space).iter().map(|step| step.0).collect();
                offers.dedup();
                parts.push(add(Node::Ready(offers)));
                let there = add(Node::And(parts));
                add(Node::Weak(Event::INTERNAL, there))
            }
        }
    }
}

impl Player<'_, '_> {
    /// The components that one reaches by internal steps, itself first.
    fn closure(&self, component: u32) -> Vec<u32> {
        let mut all = vec![component];
        let mut seen = rustc_hash::FxHashSet::from_iter([component]);
        let mut at = 0;
        while at < all.len() {
            all.extend(self.components.inner(all[at]).iter().copied().filter(|&inner| seen.insert(inner)));
            at += 1;
        }
        all
    }

    /// Where steps by an event lead from some components.
    fn after(&mut self, components: &[u32], event: Event) -> Result<Vec<u32>, End> {
        let mut targets = Vec::new();
        for &component in components {
            let steps = crate::lts::by(self.components.visible(component, self.space), event);
            targets.extend(steps.iter().map(|step| step.1));
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let mut after = Vec::new();
        for target in targets {
            let component = self.components.of(target, self.space)?;
            if seen.insert(component) {
                after.push(component);
            }
        }
        Ok(after)
    }
}
