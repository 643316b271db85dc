//! Random walks, for systems that are too large for any search: nothing is stored, so that memory never ends them, and nothing is ever proved.
//!
//! A walk goes where an action leads that no walk has taken yet; otherwise, of two successors drawn at random, to the one that its [`Manner`] prefers. So every path
//! remains possible. It ends where nothing can happen, and when it is long enough; how long that is follows the
//! universal strategy of Luby, Sinclair and Zuckerman (1993): many short walks, and now and then one twice as long as any before. Every second
//! walk sets out where an action was taken for the first time, and not at the initial state.
//!
//! A path is remembered by the number of the successor that was taken at each state, four bytes for a step. It is walked again for its states when there is something to show.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use system::{Arena, Note, System};

use super::sequence::SplitMix;
use super::shared::Shared;
use super::{Options, Outcome, Progress};
use crate::bounds::Tally;
use crate::store::Budget;

/// The name of the note: how many walks there were.
pub const WALKS: &str = "walks";

/// The name of the note: how many transitions were taken.
pub const STEPS: &str = "steps";

/// The steps of a shortest walk.
const UNIT: u64 = 128;

/// Actions are counted by this many counters; those that share one are as rare as all of them together.
const COUNTERS: usize = 1 << 12;

/// Walks through a system until a bound is reached or a violation found, with so many bytes of memory. The states that are counted are those
/// visited, as often as they are.
pub fn walk<S: System>(make: impl Fn() -> S, memory: u64, options: &Options, progress: &Progress) -> Outcome<S> {
    let shared = Shared::new(options, progress);
    let budget = Budget::new(memory);
    let common = Common::default();
    let walker = |number: usize| {
        let seed = options.seed.unwrap_or_default().wrapping_add((number as u64) << 32);
        Walker::new(make(), SplitMix::new(seed), &shared, &common, &budget)
    };
    let walkers: Vec<Walker<'_, S>> = (0..options.workers.max(1)).map(walker).collect();
    let systems = std::thread::scope(|scope| {
        let spawned: Vec<_> = walkers.into_iter().map(|walker| scope.spawn(|| walker.run())).collect();
        spawned.into_iter().map(|walker| walker.join().expect("a walker's panic is a bug")).collect()
    });
    let mut outcome = shared.outcome(systems);
    outcome.notes.add(WALKS, Note::sum(common.walks.into_inner()));
    outcome.notes.add(STEPS, Note::sum(common.steps.into_inner()));
    outcome
}

/// What the walkers have in common.
struct Common {
    walks: AtomicU64,
    steps: AtomicU64,
    /// How often actions were taken.
    taken: Vec<AtomicU64>,
    /// Where actions were taken for the first time.
    discoveries: Mutex<Vec<Arc<Place>>>,
}

impl Default for Common {
    fn default() -> Common {
        Common {
            walks: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            taken: (0..COUNTERS).map(|_| AtomicU64::new(0)).collect(),
            discoveries: Mutex::default(),
        }
    }
}

impl Common {
    fn counter(&self, action: u32) -> &AtomicU64 {
        &self.taken[action as usize % COUNTERS]
    }
}

/// A state, and which successor was taken at each state on the way to it.
#[derive(Clone, Default)]
struct Place {
    state: Vec<u8>,
    choices: Vec<u32>,
}

impl Place {
    fn bytes(&self) -> u64 {
        (self.state.capacity() + 4 * self.choices.capacity()) as u64
    }
}

/// What a walk prefers. What one manner seldom does, such as to leave a process alone for long, is usual in another.
#[derive(Clone, Copy)]
enum Manner {
    /// Actions that were seldom taken.
    Rare,
    /// Some actions, drawn at random for this walk.
    Taste(u64),
    /// Nothing.
    Any,
}

struct Walker<'a, S> {
    system: S,
    random: SplitMix,
    manner: Manner,
    shared: &'a Shared<'a>,
    common: &'a Common,
    tally: Tally,
    initial: Vec<u8>,
    /// Where it is.
    place: Place,
    successors: Arena,
    steps: u64,
    /// The bytes of the discoveries of this walker.
    kept: u64,
}

impl<'a, S: System> Walker<'a, S> {
    fn new(mut system: S, random: SplitMix, shared: &'a Shared<'a>, common: &'a Common, budget: &Arc<Budget>) -> Self {
        let mut initial = Vec::new();
        system.initial(&mut initial);
        Walker {
            system,
            random,
            manner: Manner::Any,
            shared,
            common,
            tally: Tally::new(budget),
            initial,
            place: Place::default(),
            successors: Arena::new(),
            steps: 0,
            kept: 0,
        }
    }

    fn run(mut self) -> S {
        while !self.shared.is_done() {
            let number = self.common.walks.fetch_add(1, Relaxed) + 1;
            self.set_out();
            self.walk(UNIT * luby(number));
        }
        self.common.steps.fetch_add(self.steps, Relaxed);
        self.shared.come_home(&mut self.tally, &self.system);
        self.system
    }

    /// Goes to the initial state, or where something was discovered.
    fn set_out(&mut self) {
        self.manner = match self.random.below(4) {
            0 => Manner::Any,
            1 => Manner::Rare,
            _ => Manner::Taste(self.random.below(u64::MAX)),
        };
        let discoveries = self.common.discoveries.lock().unwrap_or_else(PoisonError::into_inner);
        let from = match discoveries.len() {
            0 => None,
            several => Some(self.random.below(2 * several as u64) as usize),
        };
        match from.and_then(|from| discoveries.get(from)) {
            Some(place) => self.place.clone_from(place),
            None => {
                self.place.state.clone_from(&self.initial);
                self.place.choices.clear();
            }
        }
    }

    /// Takes so many steps, if there are as many.
    fn walk(&mut self, steps: u64) {
        for left in (0..=steps).rev() {
            let depth = self.place.choices.len() as u64;
            if self.shared.is_done() || self.shared.meter.is_too_deep(depth) {
                return;
            }
            self.look(depth);
            if left == 0 || self.successors.is_empty() {
                self.tally.matched += self.successors.len() as u64;
                return;
            }
            self.step();
        }
    }

    /// Looks at the state where it is.
    fn look(&mut self, depth: u64) {
        self.tally.visited();
        self.tally.stored += 1;
        self.system.successors(&self.place.state, &mut self.successors);
        self.tally.seen(&self.place.state, &self.successors);
        let violations = self.shared.violations_at(&self.successors);
        if violations > 0 {
            let Walker { system, initial, place, .. } = self;
            self.shared.violated(violations, || path(system, initial, &place.choices));
        }
        let Walker { tally, place, kept, .. } = self;
        self.shared.expanded(tally, depth, || place.bytes() + *kept);
    }

    fn step(&mut self) {
        let chosen = self.choose();
        let label = self.successors.label(chosen);
        self.tally.matched += self.successors.len() as u64 - 1;
        self.steps += 1;
        self.place.choices.push(chosen as u32);
        self.place.state.clear();
        self.place.state.extend_from_slice(self.successors.target(chosen));
        if self.common.counter(label.action).fetch_add(1, Relaxed) == 0 {
            self.kept += self.place.bytes();
            let mut discoveries = self.common.discoveries.lock().unwrap_or_else(PoisonError::into_inner);
            discoveries.push(Arc::new(self.place.clone()));
        }
    }

    /// A successor by an action that nobody has taken yet; otherwise the preferred one of two.
    fn choose(&mut self) -> usize {
        let Walker { successors, common, random, manner, .. } = self;
        let taken = |index: usize| common.counter(successors.label(index).action).load(Relaxed);
        let dislike = |index: usize| match *manner {
            Manner::Rare => taken(index),
            Manner::Taste(seed) => SplitMix::new(seed ^ u64::from(successors.label(index).action)).below(u64::MAX),
            Manner::Any => 0,
        };
        let count = successors.len();
        let never = |index: &usize| taken(*index) == 0;
        match (0..count).filter(never).count() {
            0 => {
                let (one, other) = (random.below(count as u64) as usize, random.below(count as u64) as usize);
                if dislike(other) < dislike(one) { other } else { one }
            }
            new => (0..count).filter(never).nth(random.below(new as u64) as usize).unwrap_or_default(),
        }
    }
}

/// The states of a path, by the successors that were taken.
fn path(system: &mut impl System, initial: &[u8], choices: &[u32]) -> Vec<Vec<u8>> {
    let mut states = vec![initial.to_vec()];
    let mut successors = Arena::new();
    for &choice in choices {
        let Some(state) = states.last() else { break };
        system.successors(state, &mut successors);
        states.push(successors.target(choice as usize).to_vec());
    }
    states
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, ..., from its first number on.
fn luby(number: u64) -> u64 {
    let bits = u64::BITS - number.leading_zeros();
    match number + 1 {
        power if power == 1 << bits => 1 << (bits - 1),
        _ => luby(number + 1 - (1 << (bits - 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Errors, Options, Progress};
    use super::{STEPS, UNIT, WALKS, luby, walk};
    use crate::{Bounds, End};
    use system::{Arena, Fate, Label, System};

    /// A number that one action raises and the other sets back; the last one is wrong, if any is. Another action is possible from a number on.
    #[derive(Clone, Copy)]
    struct Ladder {
        last: u8,
        wrong: bool,
    }

    impl System for Ladder {
        fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
            *into = vec![0];
            Fate::Open
        }

        fn successors(&mut self, state: &[u8], into: &mut Arena) {
            into.clear();
            let number = state[0];
            into.signals_mut().errors = u32::from(self.wrong && number == self.last);
            let step = |action| Label { action, ..Label::default() };
            if number < self.last {
                into.push(&[number + 1], step(u32::from(number)));
                into.push(&[0], step(200));
            }
        }
    }

    #[test]
    fn lengths_are_those_of_the_universal_strategy() {
        let lengths: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn rare_actions_lead_up_a_ladder_on_which_every_other_step_falls_down() {
        for workers in [1, 3] {
            for seed in 0..20 {
                let bounds = Bounds { max_states: Some(200_000), ..Bounds::default() };
                let options = Options { workers, seed: Some(seed), bounds, ..Options::default() };
                let found = walk(|| Ladder { last: 60, wrong: true }, 1 << 24, &options, &Progress::new());
                assert_eq!((found.end, found.violations > 0), (End::Violation, true), "{workers} {seed}");
                let path = found.path.expect("a violation has a path");
                assert_eq!((&path[0], path.last()), (&vec![0], Some(&vec![60])));
                for pair in path.windows(2) {
                    assert!(pair[1][0] == pair[0][0] + 1 || pair[1] == [0] && pair[0][0] < 60, "{pair:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_found_is_the_end_by_a_bound_and_every_step_is_counted() {
        let bounds = Bounds { max_states: Some(5000), ..Bounds::default() };
        let options = Options { bounds, errors: Errors::First, ..Options::default() };
        let again = || walk(|| Ladder { last: 9, wrong: false }, 1 << 24, &options, &Progress::new());
        let found = again();
        let (walks, steps) = (found.notes.number(WALKS), found.notes.number(STEPS));
        assert_eq!((found.end, found.path), (End::States, None));
        assert_eq!(found.stored, 5000);
        // A walk visits one state more than it has steps, but for the last one.
        assert!(walks > 1 && steps < 5000 && steps + walks >= 5000 && walks + steps < 5000 + UNIT, "{walks} {steps}");
        let second = again();
        assert_eq!((second.notes.number(WALKS), second.notes.number(STEPS)), (walks, steps));
    }

    #[test]
    fn a_bound_of_depth_is_kept() {
        let bounds = Bounds { max_states: Some(3000), max_depth: Some(10), ..Bounds::default() };
        let options = Options { bounds, ..Options::default() };
        let found = walk(|| Ladder { last: 20, wrong: true }, 1 << 24, &options, &Progress::new());
        assert_eq!((found.end, found.path), (End::States, None));
        assert!(found.depth < 10, "{}", found.depth);
    }
}
