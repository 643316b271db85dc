//! How long comparisons take, and how they grow: `cargo xtask bench relations`.
//!
//! A chain of one-place buffers against one buffer with as many places is SPINE's example with a length; the pairs of a million states are random
//! systems without and with internal steps. Times are user times of this process, so other processes on the machine disturb them little.

use std::time::Duration;

use explore::search::Progress;
use relate::{
    Alphabet, Comparison, Event, Lts, Observed, Options, Quotient, Relation, Steps, Verdict, compare, minimise,
};

/// Values that are put into buffers.
const VALUES: u8 = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    println!(
        "| comparison | left: states, transitions | right: states, transitions | sets | pairs | matched | user s | MB |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    if is_wanted("buffers") {
        buffers();
    }
    if is_wanted("million") {
        million();
    }
}

fn buffers() {
    let alphabet = Alphabet::new();
    for places in 2..=10 {
        for relation in [Relation::TraceEquivalence, Relation::FdRefinement, Relation::WeakBisimulation] {
            let (mut chain, mut queue) = (Buffers::chain(places, &alphabet), Buffers::queue(places, &alphabet));
            row(&format!("{places} buffers against {places} places, {relation}"), &mut chain, &mut queue, relation);
        }
    }
}

fn million() {
    let (plain, hasty) = (random(1_000_000, 0), random(500_000, 1));
    for relation in
        [Relation::TraceEquivalence, Relation::TraceInclusion, Relation::TestingEquivalence, Relation::Simulation]
    {
        row(&format!("a million and its copy, {relation}"), &mut &plain, &mut &plain, relation);
    }
    let delayed = delay(&hasty);
    for relation in [Relation::TraceEquivalence, Relation::FdRefinement, Relation::BranchingBisimulation] {
        row(&format!("half a million and delayed, {relation}"), &mut &delayed, &mut &hasty, relation);
    }
    let before = user_time();
    let small =
        minimise(&delayed, Quotient::Branching, &relate::Limits::default(), &Progress::new()).expect("no limits");
    let seconds = (user_time() - before).as_secs_f64();
    println!(
        "| branching quotient | {}, {} | {}, {} | | | | {seconds:.2} | {} |",
        delayed.states(),
        delayed.transitions(),
        small.states(),
        small.transitions(),
        megabytes()
    );
}

fn row(name: &str, left: &mut dyn Observed, right: &mut dyn Observed, relation: Relation) {
    let before = user_time();
    let Comparison { verdict, pairs, matched, left, right, .. } =
        compare(left, right, relation, &Options::default(), &Progress::new());
    let seconds = (user_time() - before).as_secs_f64();
    assert!(matches!(verdict, Verdict::Holds), "{name}: {verdict:?}");
    println!(
        "| {name} | {}, {} | {}, {} | {}, {} | {pairs} | {matched} | {seconds:.2} | {} |",
        left.states,
        left.transitions,
        right.states,
        right.transitions,
        left.sets,
        right.sets,
        megabytes()
    );
}

/// User time of this process so far, and its greatest size, as Linux tells them.
fn user_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    Duration::from_millis(10 * fields.get(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0))
}

fn megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0_u64) / 1024
}

/// A first-in-first-out buffer: places side by side, between which a value moves by internal steps, or a queue.
struct Buffers {
    places: usize,
    is_queue: bool,
    puts: Vec<Event>,
    gets: Vec<Event>,
    next: Vec<u8>,
}

impl Buffers {
    fn chain(places: usize, alphabet: &Alphabet) -> Buffers {
        let events = |name: &str| (1..=VALUES).map(|value| alphabet.event(&format!("{name}!{value}"))).collect();
        Buffers { places, is_queue: false, puts: events("IN"), gets: events("OUT"), next: Vec::new() }
    }

    fn queue(places: usize, alphabet: &Alphabet) -> Buffers {
        Buffers { is_queue: true, ..Buffers::chain(places, alphabet) }
    }

    fn push(&mut self, event: Event, state: &[u8], change: impl FnOnce(&mut Vec<u8>), into: &mut Steps) {
        self.next.clear();
        self.next.extend_from_slice(state);
        change(&mut self.next);
        into.push(event, &self.next);
    }
}

impl Observed for Buffers {
    fn initial(&mut self, into: &mut Vec<u8>) {
        into.clear();
        if !self.is_queue {
            into.resize(self.places, 0);
        }
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        into.clear();
        if self.is_queue {
            let has_room = state.len() < self.places;
            for value in (1..=VALUES).filter(|_| has_room) {
                self.push(self.puts[usize::from(value) - 1], state, |next| next.push(value), into);
            }
            if let Some(&value) = state.first() {
                self.push(self.gets[usize::from(value) - 1], &state[1..], |_| {}, into);
            }
            return;
        }
        for value in (1..=VALUES).filter(|_| state[0] == 0) {
            self.push(self.puts[usize::from(value) - 1], state, |next| next[0] = value, into);
        }
        for place in (1..self.places).filter(|&place| state[place - 1] != 0 && state[place] == 0) {
            self.push(Event::INTERNAL, state, |next| next.swap(place - 1, place), into);
        }
        let last = self.places - 1;
        if state[last] != 0 {
            self.push(self.gets[usize::from(state[last]) - 1], state, |next| next[last] = 0, into);
        }
    }
}

/// A random system of so many states: from each, steps by two of four events.
fn random(states: u32, seed: u64) -> Lts {
    let mut number = seed;
    let mut draw = |below: u32| {
        number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((z ^ (z >> 27)) >> 33) as u32 % below
    };
    let mut steps = Vec::new();
    for state in 0..states {
        // The next state is always among the targets, so that all can be reached.
        steps.push((state, Event(1 + draw(2)), (state + 1) % states));
        steps.push((state, Event(3 + draw(2)), draw(states)));
    }
    Lts::new(0, states, steps)
}

/// The system with an internal step after each step by an even event.
fn delay(lts: &Lts) -> Lts {
    let states = lts.states();
    let mut steps: Vec<(u32, Event, u32)> = (0..states).map(|state| (states + state, Event::INTERNAL, state)).collect();
    steps.extend(lts.all().map(|(from, event, to)| (from, event, if event.0 % 2 == 0 { states + to } else { to })));
    Lts::new(0, 2 * states, steps)
}
