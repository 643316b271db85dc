//! Definitions of all relations, written to be read and not to be fast, and random systems to try them on.

use std::collections::{BTreeSet, VecDeque};

use relate::{Event, Formula, Lts, Node, Relation, Side};

type Set = BTreeSet<u32>;

/// Two systems side by side: the states of the right one come after those of the left one.
pub struct Naive {
    steps: Vec<Vec<(Event, u32)>>,
    left: u32,
    right: u32,
}

impl Naive {
    pub fn new(left: &Lts, right: &Lts) -> Naive {
        let shift = left.states();
        let mut steps = Vec::new();
        for (lts, shift) in [(left, 0), (right, shift)] {
            steps.extend((0..lts.states()).map(|state| {
                lts.steps(state).iter().map(|&(event, target)| (event, target + shift)).collect::<Vec<_>>()
            }));
        }
        Naive { steps, left: left.initial(), right: right.initial() + shift }
    }

    pub fn holds(&self, relation: Relation) -> bool {
        use Relation::*;
        match relation {
            Simulation => self.greatest(|r, p, q| self.is_simulated(r, p, q))[self.left as usize][self.right as usize],
            ReadySimulation => {
                let ready = |r: &Pairs, p, q| self.is_simulated(r, p, q) && self.is_ready(r, p, q);
                self.greatest(ready)[self.left as usize][self.right as usize]
            }
            StrongBisimulation => self.bisimilar(|r, p, q| {
                self.steps[p]
                    .iter()
                    .all(|&(a, x)| self.steps[q].iter().any(|&(b, y)| a == b && r[x as usize][y as usize]))
            }),
            WeakBisimulation => self.bisimilar(|r, p, q| self.is_simulated(r, p, q)),
            DivergencePreservingWeakBisimulation => self
                .bisimilar(|r, p, q| self.diverges(p as u32) == self.diverges(q as u32) && self.is_simulated(r, p, q)),
            BranchingBisimulation => self.bisimilar(|r, p, q| {
                self.steps[p].iter().all(|&(a, x)| {
                    (!a.is_visible() && r[x as usize][q])
                        || self.closure([q as u32]).iter().any(|&q1| {
                            r[p][q1 as usize]
                                && self.steps[q1 as usize].iter().any(|&(b, q2)| a == b && r[x as usize][q2 as usize])
                        })
                })
            }),
            DivergencePreservingBranchingBisimulation => self.explicit_divergence(),
            _ => self.shortest(relation).is_none(),
        }
    }

    /// The length of the shortest trace that shows a difference, for relations that are about traces.
    pub fn shortest(&self, relation: Relation) -> Option<usize> {
        use Relation::*;
        let (first, second) = match relation {
            MustPreorder => (self.right, self.left),
            _ => (self.left, self.right),
        };
        let start = (self.closure([first]), self.closure([second]), false);
        let mut seen = BTreeSet::from([start.clone()]);
        let mut queue = VecDeque::from([(start, 0)]);
        let mut shortest: Option<usize> = None;
        while let Some(((l, r, diverged), depth)) = queue.pop_front() {
            let (dl, dr) = (l.iter().any(|&s| self.diverges(s)), r.iter().any(|&s| self.diverges(s)));
            let has = |p: &Set, a: Event| !self.after(p, a).is_empty();
            let events: BTreeSet<Event> =
                self.steps.iter().flatten().map(|step| step.0).filter(|a| a.is_visible()).collect();
            let traces_in = |p: &Set, q: &Set| events.iter().all(|&a| !has(p, a) || has(q, a));
            let refuses_in =
                |p: &Set, q: &Set| self.stable(p).iter().all(|x| self.stable(q).iter().any(|y| y.is_subset(x)));
            let stops = |p: &Set| self.stable(p).iter().any(BTreeSet::is_empty);
            let must = |p: &Set| -> BTreeSet<Event> {
                events.iter().copied().filter(|&a| p.iter().all(|&s| has(&self.closure([s]), a))).collect()
            };
            let converged = !diverged && !dl && !dr;
            // Is there a failure here, and is there an event that only one side can do?
            let (fails, traces, goes_on) = match relation {
                TraceInclusion | MayPreorder => (false, traces_in(&l, &r), true),
                TraceEquivalence => (false, traces_in(&l, &r) && traces_in(&r, &l), true),
                CompletedTraceInclusion => (stops(&l) && !stops(&r), true, true),
                FailuresInclusion => (!refuses_in(&l, &r), traces_in(&l, &r), true),
                FdRefinement | MustPreorder if dr => (false, true, false),
                FdRefinement | MustPreorder => (dl || !refuses_in(&l, &r), traces_in(&l, &r), true),
                TestingEquivalence => (
                    (!diverged && dl != dr) || (converged && !(refuses_in(&l, &r) && refuses_in(&r, &l))),
                    traces_in(&l, &r) && traces_in(&r, &l),
                    true,
                ),
                MustSets => (
                    (!diverged && dl != dr) || (converged && must(&l) != must(&r)),
                    traces_in(&l, &r) && traces_in(&r, &l),
                    true,
                ),
                _ => panic!("{relation} is not about traces"),
            };
            if fails || !traces {
                let length = depth + usize::from(!fails);
                shortest = Some(shortest.map_or(length, |other| other.min(length)));
                continue;
            }
            for &event in events.iter().filter(|_| goes_on) {
                let next = (self.after(&l, event), self.after(&r, event), diverged || (dl && dr));
                if !next.0.is_empty() && seen.insert(next.clone()) {
                    queue.push_back((next, depth + 1));
                }
            }
        }
        shortest
    }

    /// Does a formula hold of the initial state of a side?
    pub fn satisfies(&self, side: Side, formula: &Formula) -> bool {
        let state = if side == Side::Left { self.left } else { self.right };
        self.satisfied(state, formula.nodes(), formula.nodes().len() - 1)
    }

    fn satisfied(&self, state: u32, nodes: &[Node], node: usize) -> bool {
        let is = |state: u32, part: u32| self.satisfied(state, nodes, part as usize);
        match &nodes[node] {
            Node::And(parts) => parts.iter().all(|&part| is(state, part)),
            Node::Not(part) => !is(state, *part),
            Node::Step(event, part) => self.by(state, *event).any(|next| is(next, *part)),
            Node::Weak(event, part) => self.after(&self.closure([state]), *event).iter().any(|&next| is(next, *part)),
            Node::Ready(events) => {
                let offers: BTreeSet<Event> = self.steps[state as usize].iter().map(|step| step.0).collect();
                offers == events.iter().copied().collect()
            }
            Node::Until(through, event, part) => {
                let mut way = Set::from([state]);
                way.retain(|&state| is(state, *through));
                for _ in 0..self.steps.len() {
                    let more: Set = way.iter().flat_map(|&s| self.by(s, Event::INTERNAL)).collect();
                    way.extend(more.into_iter().filter(|&s| is(s, *through)));
                }
                let stays = !event.is_visible() && (is(state, *part) || way.iter().any(|&s| is(s, *part)));
                stays || way.iter().flat_map(|&s| self.by(s, *event)).any(|next| is(next, *part))
            }
            Node::Diverges(through) => {
                let mut now = Set::from([state]);
                for _ in 0..=self.steps.len() {
                    now.retain(|&s| is(s, *through));
                    now = now.iter().flat_map(|&s| self.by(s, Event::INTERNAL)).collect();
                }
                now.retain(|&s| is(s, *through));
                !now.is_empty()
            }
        }
    }

    /// The least depth of a formula that tells the sides apart: how often a test has to be repeated from the full relation. For relations whose
    /// formulas are known to be of least depth.
    pub fn depth(&self, relation: Relation) -> Option<usize> {
        use Relation::*;
        let answers: &dyn Fn(&Pairs, usize, usize) -> bool = match relation {
            StrongBisimulation => &|r, p, q| {
                self.steps[p]
                    .iter()
                    .all(|&(a, x)| self.steps[q].iter().any(|&(b, y)| a == b && r[x as usize][y as usize]))
            },
            WeakBisimulation | DivergencePreservingWeakBisimulation => &|r, p, q| {
                let (mine, yours) = (self.closure([p as u32]), self.closure([q as u32]));
                let events: Set = self.steps.iter().flatten().map(|step| step.0.0).chain([0]).collect();
                (relation == WeakBisimulation || self.diverges(p as u32) == self.diverges(q as u32))
                    && events.iter().all(|&a| {
                        let (x, y) = (self.after(&mine, Event(a)), self.after(&yours, Event(a)));
                        x.iter().all(|&x| y.iter().any(|&y| r[x as usize][y as usize]))
                    })
            },
            _ => return None,
        };
        let n = self.steps.len();
        let mut related = vec![vec![true; n]; n];
        for round in 0.. {
            if !related[self.left as usize][self.right as usize] {
                return Some(round);
            }
            let before = related.clone();
            for (p, q) in (0..n).flat_map(|p| (0..n).map(move |q| (p, q))) {
                related[p][q] = answers(&before, p, q) && answers(&before, q, p);
            }
        }
        None
    }

    fn closure(&self, of: impl IntoIterator<Item = u32>) -> Set {
        let mut all: Set = of.into_iter().collect();
        loop {
            let more: Set = all.iter().flat_map(|&s| self.by(s, Event::INTERNAL)).collect();
            if more.is_subset(&all) {
                return all;
            }
            all.extend(more);
        }
    }

    fn by(&self, state: u32, event: Event) -> impl Iterator<Item = u32> {
        self.steps[state as usize].iter().filter(move |step| step.0 == event).map(|step| step.1)
    }

    /// `=a⇒` of a closed set; `⇒` for the internal event.
    fn after(&self, set: &Set, event: Event) -> Set {
        if event.is_visible() { self.closure(set.iter().flat_map(|&s| self.by(s, event))) } else { set.clone() }
    }

    /// What the stable states of a set offer.
    fn stable(&self, set: &Set) -> Vec<BTreeSet<Event>> {
        let stable = set.iter().filter(|&&s| self.by(s, Event::INTERNAL).next().is_none());
        stable.map(|&s| self.steps[s as usize].iter().map(|step| step.0).collect()).collect()
    }

    /// An infinite run of internal steps is one that is longer than there are states.
    fn diverges(&self, state: u32) -> bool {
        let mut now = Set::from([state]);
        for _ in 0..=self.steps.len() {
            now = now.iter().flat_map(|&s| self.by(s, Event::INTERNAL)).collect();
        }
        !now.is_empty()
    }

    fn is_simulated(&self, r: &Pairs, p: usize, q: usize) -> bool {
        let closure = self.closure([q as u32]);
        self.steps[p].iter().all(|&(a, x)| self.after(&closure, a).iter().any(|&y| r[x as usize][y as usize]))
    }

    fn is_ready(&self, r: &Pairs, p: usize, q: usize) -> bool {
        let offers = |s: usize| -> BTreeSet<Event> { self.steps[s].iter().map(|step| step.0).collect() };
        let stable = |s: usize| !offers(s).contains(&Event::INTERNAL);
        !stable(p)
            || self
                .closure([q as u32])
                .iter()
                .any(|&y| stable(y as usize) && offers(y as usize) == offers(p) && r[p][y as usize])
    }

    /// The greatest relation all of whose pairs pass a test that a larger relation makes no harder.
    fn greatest(&self, passes: impl Fn(&Pairs, usize, usize) -> bool) -> Pairs {
        let n = self.steps.len();
        let mut related = vec![vec![true; n]; n];
        loop {
            let before = related.clone();
            for p in 0..n {
                for q in 0..n {
                    related[p][q] = before[p][q] && passes(&before, p, q);
                }
            }
            if related == before {
                return related;
            }
        }
    }

    fn bisimilar(&self, answers: impl Fn(&Pairs, usize, usize) -> bool) -> bool {
        let both = |r: &Pairs, p, q| answers(r, p, q) && answers(r, q, p);
        self.greatest(both)[self.left as usize][self.right as usize]
    }

    /// Branching bisimulation with explicit divergence: the coarsest partition such that the states of a class can, through states of the class, do
    /// the same events to the same classes and the same internal steps to other classes, and stay in the class for ever alike.
    fn explicit_divergence(&self) -> bool {
        let n = self.steps.len();
        let mut class = vec![0; n];
        loop {
            let seen: Vec<_> = (0..n as u32).map(|s| (class[s as usize], self.seen_through(s, &class))).collect();
            let mut all: Vec<_> = seen.clone();
            all.sort();
            all.dedup();
            let next: Vec<usize> = seen.iter().map(|one| all.binary_search(one).expect("it is there")).collect();
            if all.len() == class.iter().collect::<BTreeSet<_>>().len() {
                return class[self.left as usize] == class[self.right as usize];
            }
            class = next;
        }
    }

    fn seen_through(&self, state: u32, class: &[usize]) -> (BTreeSet<(Event, usize)>, bool) {
        let own = class[state as usize];
        let inside = |s: &u32| class[*s as usize] == own;
        let (mut all, mut now) = (Set::from([state]), Set::from([state]));
        for _ in 0..=self.steps.len() {
            now = now.iter().flat_map(|&s| self.by(s, Event::INTERNAL)).filter(inside).collect();
            all.extend(&now);
        }
        let steps = all.iter().flat_map(|&s| self.steps[s as usize].iter().map(|&(a, t)| (a, class[t as usize])));
        (steps.filter(|&(a, t)| a.is_visible() || t != own).collect(), !now.is_empty())
    }
}

type Pairs = Vec<Vec<bool>>;

/// Does a system have a trace? By plain recursion, for testing the reference.
pub fn has(lts: &Lts, word: &[Event]) -> bool {
    fn from(lts: &Lts, state: u32, word: &[Event], internal: u32) -> bool {
        word.is_empty()
            || lts.by(state, word[0]).any(|next| from(lts, next, &word[1..], lts.states()))
            || (internal > 0 && lts.by(state, Event::INTERNAL).any(|next| from(lts, next, word, internal - 1)))
    }
    from(lts, lts.initial(), word, lts.states())
}

/// All words over the first events of at most some length.
pub fn words(events: u32, length: usize) -> Vec<Vec<Event>> {
    let mut all = vec![vec![]];
    let mut start = 0;
    for _ in 0..length {
        let end = all.len();
        for at in start..end {
            all.extend((1..=events).map(|event| [&all[at][..], &[Event(event)]].concat()).collect::<Vec<_>>());
        }
        start = end;
    }
    all
}

/// Random numbers (SplitMix64).
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed.wrapping_mul(0x2545_F491_4F6C_DD1D))
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 33) as u32) % limit
    }
}

/// A random system of at most so many states and visible events.
pub fn random(states: u32, events: u32, draw: &mut Draw) -> Lts {
    let (n, k) = (1 + draw.below(states), 1 + draw.below(events));
    let internal = [0, 15, 30, 50][draw.below(4) as usize];
    let count = draw.below(2 * n + 3);
    let step = |draw: &mut Draw| {
        let event = if draw.below(100) < internal { Event::INTERNAL } else { Event(1 + draw.below(k)) };
        (draw.below(n), event, draw.below(n))
    };
    let steps = (0..count).map(|_| step(draw)).collect();
    Lts::new(0, n, steps)
}

pub fn lts(seed: u64) -> Lts {
    random(5, 3, &mut Draw::new(seed))
}

/// Two random systems; most often one is a mutation of the other.
pub fn pair(seed: u64) -> (Lts, Lts) {
    let mut draw = Draw::new(seed);
    let one = random(5, 3, &mut draw);
    let other = if draw.below(10) < 6 { mutate(&one, &mut draw) } else { random(5, 3, &mut draw) };
    if draw.below(2) == 0 { (one, other) } else { (other, one) }
}

/// Deletes, adds or relabels a step, or puts an internal step before its end.
fn mutate(lts: &Lts, draw: &mut Draw) -> Lts {
    let mut steps: Vec<_> = lts.all().collect();
    let mut states = lts.states();
    let kind = if steps.is_empty() { 1 } else { draw.below(4) };
    let at = draw.below(steps.len().max(1) as u32) as usize;
    match kind {
        0 => {
            steps.remove(at);
        }
        1 => steps.push((draw.below(states), Event(draw.below(4)), draw.below(states))),
        2 => steps[at].1 = Event(draw.below(4)),
        _ => {
            let (from, event, to) = steps[at];
            steps[at] = (from, event, states);
            steps.push((states, Event::INTERNAL, to));
            states += 1;
        }
    }
    Lts::new(0, states, steps)
}

/// The same system with other numbers for its states.
pub fn renumber(lts: &Lts, seed: u64) -> Lts {
    let mut draw = Draw::new(!seed);
    let mut numbers: Vec<u32> = (0..lts.states()).collect();
    for at in (1..numbers.len()).rev() {
        numbers.swap(at, draw.below(at as u32 + 1) as usize);
    }
    let new = |state: u32| numbers[state as usize];
    Lts::new(new(lts.initial()), lts.states(), lts.all().map(|(from, event, to)| (new(from), event, new(to))).collect())
}

/// The system with an internal step in front.
pub fn after_internal_step(lts: &Lts) -> Lts {
    let first = lts.states();
    let steps = lts.all().chain([(first, Event::INTERNAL, lts.initial())]).collect();
    Lts::new(first, first + 1, steps)
}
