//! The relations as they are defined, on explicit systems, with no thought of speed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use relate::{Event, Lts, Relation};

type Set = BTreeSet<u32>;

/// Whether a relation holds, by its definition.
pub fn holds(left: &Lts, right: &Lts, relation: Relation) -> bool {
    match relation {
        Relation::TraceInclusion | Relation::MayPreorder => traces(left, right),
        Relation::TraceEquivalence => traces(left, right) && traces(right, left),
        Relation::CompletedTraceInclusion => {
            pairs(left, right, |_, _| true).iter().all(|(one, other)| completes(left, one) <= completes(right, other))
        }
        Relation::FailuresInclusion => {
            traces(left, right) && pairs(left, right, |_, _| true).iter().all(|pair| fails_like(left, right, pair))
        }
        Relation::FdRefinement => refines(left, right),
        Relation::MustPreorder => refines(right, left),
        Relation::TestingEquivalence => {
            refines(left, right) && refines(right, left) && traces(left, right) && traces(right, left)
        }
        Relation::StrongBisimulation => bisimilar(left, right, |lts, state| lts.steps(state).iter().copied().collect()),
        Relation::WeakBisimulation => bisimilar(left, right, weak_steps),
        Relation::Simulation => simulated(left, right),
        other => unreachable!("{other} has no naive twin here"),
    }
}

/// The relations that have a definition here.
pub const DEFINED: [Relation; 11] = [
    Relation::TraceInclusion,
    Relation::MayPreorder,
    Relation::TraceEquivalence,
    Relation::CompletedTraceInclusion,
    Relation::FailuresInclusion,
    Relation::FdRefinement,
    Relation::MustPreorder,
    Relation::TestingEquivalence,
    Relation::StrongBisimulation,
    Relation::WeakBisimulation,
    Relation::Simulation,
];

fn closure(lts: &Lts, mut states: Set) -> Set {
    let mut waiting: Vec<u32> = states.iter().copied().collect();
    while let Some(state) = waiting.pop() {
        for target in lts.by(state, Event::INTERNAL) {
            if states.insert(target) {
                waiting.push(target);
            }
        }
    }
    states
}

fn start(lts: &Lts) -> Set {
    closure(lts, Set::from([lts.initial()]))
}

fn after(lts: &Lts, states: &Set, event: Event) -> Set {
    closure(lts, states.iter().flat_map(|&state| lts.by(state, event).collect::<Vec<_>>()).collect())
}

fn visible(lts: &Lts, state: u32) -> BTreeSet<Event> {
    lts.steps(state).iter().map(|&(event, _)| event).filter(|event| event.is_visible()).collect()
}

fn is_stable(lts: &Lts, state: u32) -> bool {
    lts.by(state, Event::INTERNAL).next().is_none()
}

fn diverges(lts: &Lts, states: &Set) -> bool {
    // A state from which every path of internal steps ends is taken away until none is left that has lost all its steps.
    let mut left = closure(lts, states.clone());
    loop {
        let before = left.len();
        let kept = left.clone();
        left.retain(|&state| lts.by(state, Event::INTERNAL).any(|target| kept.contains(&target)));
        if left.len() == before {
            return !left.is_empty();
        }
    }
}

/// All pairs of sets after a trace of the left side; what follows a pair is looked at if `goes_on` says so.
fn pairs(left: &Lts, right: &Lts, goes_on: impl Fn(&Set, &Set) -> bool) -> Vec<(Set, Set)> {
    let first = (start(left), start(right));
    let (mut seen, mut waiting) = (BTreeSet::from([first.clone()]), VecDeque::from([first]));
    while let Some((one, other)) = waiting.pop_front() {
        if !goes_on(&one, &other) {
            continue;
        }
        let events: BTreeSet<Event> = one.iter().flat_map(|&state| visible(left, state)).collect();
        for event in events {
            let next = (after(left, &one, event), after(right, &other, event));
            if seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    seen.into_iter().collect()
}

fn traces(left: &Lts, right: &Lts) -> bool {
    pairs(left, right, |_, other| !other.is_empty()).iter().all(|(_, other)| !other.is_empty())
}

fn completes(lts: &Lts, states: &Set) -> bool {
    states.iter().any(|&state| lts.steps(state).is_empty())
}

fn fails_like(left: &Lts, right: &Lts, (one, other): &(Set, Set)) -> bool {
    one.iter().filter(|&&state| is_stable(left, state)).all(|&state| {
        let offered = visible(left, state);
        other.iter().any(|&answer| is_stable(right, answer) && visible(right, answer).is_subset(&offered))
    })
}

fn refines(left: &Lts, right: &Lts) -> bool {
    let chaotic = |other: &Set| diverges(right, other);
    pairs(left, right, |_, other| !chaotic(other)).iter().all(|pair| {
        chaotic(&pair.1) || (!pair.1.is_empty() && !diverges(left, &pair.0) && fails_like(left, right, pair))
    })
}

/// `=a⇒` for visible events, `⇒` for the internal one.
fn weak_steps(lts: &Lts, state: u32) -> BTreeSet<(Event, u32)> {
    let around = closure(lts, Set::from([state]));
    let mut steps: BTreeSet<(Event, u32)> = around.iter().map(|&target| (Event::INTERNAL, target)).collect();
    let events: BTreeSet<Event> = around.iter().flat_map(|&state| visible(lts, state)).collect();
    for event in events {
        steps.extend(after(lts, &around, event).into_iter().map(|target| (event, target)));
    }
    steps
}

/// Both systems side by side: the second one's states behind the first one's.
fn united(left: &Lts, right: &Lts, steps: impl Fn(&Lts, u32) -> BTreeSet<(Event, u32)>) -> Vec<Vec<(Event, u32)>> {
    let shift = left.states();
    let one = (0..shift).map(|state| steps(left, state).into_iter().collect());
    let other = (0..right.states())
        .map(|state| steps(right, state).into_iter().map(|(event, target)| (event, target + shift)).collect());
    one.chain(other).collect()
}

fn bisimilar(left: &Lts, right: &Lts, steps: impl Fn(&Lts, u32) -> BTreeSet<(Event, u32)>) -> bool {
    let rows = united(left, right, steps);
    let mut classes = vec![0_usize; rows.len()];
    loop {
        let mut numbers = BTreeMap::new();
        let mut next = Vec::new();
        for (state, row) in rows.iter().enumerate() {
            let signature: BTreeSet<(Event, usize)> =
                row.iter().map(|&(event, target)| (event, classes[target as usize])).collect();
            let count = numbers.len();
            next.push(*numbers.entry((classes[state], signature)).or_insert(count));
        }
        if next == classes {
            return classes[left.initial() as usize] == classes[(left.states() + right.initial()) as usize];
        }
        classes = next;
    }
}

/// Weak simulation: pairs whose steps have no answer are taken away.
fn simulated(left: &Lts, right: &Lts) -> bool {
    let answers: Vec<BTreeSet<(Event, u32)>> = (0..right.states()).map(|state| weak_steps(right, state)).collect();
    let mut related: BTreeSet<(u32, u32)> =
        (0..left.states()).flat_map(|one| (0..right.states()).map(move |other| (one, other))).collect();
    loop {
        let before = related.len();
        let kept = related.clone();
        related.retain(|&(one, other)| {
            left.steps(one).iter().all(|&(event, target)| {
                answers[other as usize].iter().any(|&(by, answer)| by == event && kept.contains(&(target, answer)))
            })
        });
        if related.len() == before {
            return related.contains(&(left.initial(), right.initial()));
        }
    }
}
