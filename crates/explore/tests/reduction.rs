//! A reduced search finds what a full one finds, whatever the order, the store and the number of workers.
//!
//! Random programs: a few processes that wait for values of shared variables and set them, with cycles of all kinds. A set of processes may move alone when
//! no other process can, from where it is, ever touch what the set touches next. Deadlocks must be the same states; steps marked
//! as wrong must be found wherever they can be executed, which without a proviso some would not be.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use explore::search::{
    Buckets, Errors, Options, Order, Outcome, Progress, search, search_in_order, search_reduced,
    search_reduced_in_order,
};
use explore::store::{Limits, PlainStore, TreeStore};
use system::{Arena, Extent, Fate, Label, System};

const VARIABLES: usize = 5;
const VALUES: u64 = 2;

#[derive(Clone, Debug)]
struct Step {
    /// The variable and the value it must have.
    guard: Option<(usize, u8)>,
    effect: Option<(usize, u8)>,
    target: u8,
    wrong: bool,
}

/// Processes by location: the steps that can be taken there.
type Program = Vec<Vec<Vec<Step>>>;

fn random_program(random: &mut Random) -> Program {
    let processes = 2 + random.below(3);
    random_program_of(processes, random)
}

fn random_program_of(processes: u64, random: &mut Random) -> Program {
    let variable = |random: &mut Random| (random.below(VARIABLES as u64) as usize, random.below(VALUES) as u8);
    let mut program = Vec::new();
    for _ in 0..processes {
        let locations = 2 + random.below(4);
        let mut process = Vec::new();
        for _ in 0..locations {
            let steps = if random.below(6) == 0 { 0 } else { 1 + random.below(2) };
            let step = |random: &mut Random| Step {
                guard: (random.below(2) == 0).then(|| variable(random)),
                effect: (random.below(2) == 0).then(|| variable(random)),
                target: random.below(locations) as u8,
                wrong: random.below(12) == 0,
            };
            process.push((0..steps).map(|_| step(random)).collect());
        }
        program.push(process);
    }
    program
}

/// A program as a system. A state is the values of the variables, then the locations of the processes.
#[derive(Clone)]
struct Running<'p> {
    program: &'p Program,
    reduce: bool,
    candidates: Vec<Vec<usize>>,
    deadlocks: HashSet<Vec<u8>>,
    wrong: HashSet<(usize, usize, usize)>,
    /// For each state, what the search was given last, which is what it followed.
    followed: HashMap<Vec<u8>, (Extent, Vec<Vec<u8>>)>,
    /// Where successors are found with delays, so that workers meet in all orders.
    delays: Option<Random>,
    /// Where all successors are given for a while, now and then.
    pauses: Option<Pauses>,
}

#[derive(Clone)]
struct Pauses {
    random: Random,
    is_pausing: bool,
    /// For so many states more.
    left: u64,
}

impl Pauses {
    fn next(&mut self) {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => (self.is_pausing, self.left) = (self.random.below(2) == 0, self.random.below(5)),
        }
    }
}

impl Running<'_> {
    fn new(program: &Program, reduce: bool) -> Running<'_> {
        Running {
            program,
            reduce,
            candidates: Vec::new(),
            deadlocks: HashSet::new(),
            wrong: HashSet::new(),
            followed: HashMap::new(),
            delays: None,
            pauses: None,
        }
    }

    fn pausing(self, seed: u64) -> Self {
        Running { pauses: Some(Pauses { random: Random(seed), is_pausing: false, left: 0 }), ..self }
    }

    fn delayed(self, seed: u64) -> Self {
        Running { delays: Some(Random(seed)), ..self }
    }

    fn delay(&mut self) {
        let Some(random) = &mut self.delays else { return };
        match random.below(40) {
            0 => std::thread::sleep(Duration::from_micros(random.below(60))),
            1..10 => std::thread::yield_now(),
            _ => {}
        }
    }

    fn note(&mut self, state: &[u8], extent: Extent, list: &Arena) -> Extent {
        if self.delays.is_some() {
            self.followed.insert(state.to_vec(), (extent, list.targets().map(<[u8]>::to_vec).collect()));
        }
        extent
    }

    fn location(&self, state: &[u8], process: usize) -> usize {
        usize::from(state[VARIABLES + process])
    }

    fn moves(&mut self, state: &[u8], process: usize, into: &mut Arena) {
        let location = self.location(state, process);
        for (number, step) in self.program[process][location].iter().enumerate() {
            if step.guard.is_some_and(|(variable, value)| state[variable] != value) {
                continue;
            }
            if step.wrong {
                into.signals_mut().errors += 1;
                self.wrong.insert((process, location, number));
            }
            let mut target = state.to_vec();
            step.effect.iter().for_each(|&(variable, value)| target[variable] = value);
            target[VARIABLES + process] = step.target;
            into.push(&target, Label::default());
        }
    }

    /// The variables read and written at locations, as bits.
    fn touched(&self, process: usize, locations: &[usize]) -> (u8, u8) {
        let steps = locations.iter().flat_map(|&location| &self.program[process][location]);
        steps.fold((0, 0), |(reads, writes), step| {
            let bit = |access: Option<(usize, u8)>| access.map_or(0, |(variable, _)| 1 << variable);
            (reads | bit(step.guard), writes | bit(step.effect))
        })
    }

    fn future(&self, process: usize, location: usize) -> Vec<usize> {
        let mut found = vec![location];
        let mut next = 0;
        while next < found.len() {
            for step in &self.program[process][found[next]] {
                if !found.contains(&usize::from(step.target)) {
                    found.push(usize::from(step.target));
                }
            }
            next += 1;
        }
        found
    }

    fn persistent_set(&self, state: &[u8], first: usize) -> Vec<usize> {
        let mut set = vec![first];
        let mut next = 0;
        while next < set.len() {
            let (reads, writes) = self.touched(set[next], &[self.location(state, set[next])]);
            for other in 0..self.program.len() {
                let (later_reads, later_writes) = self.touched(other, &self.future(other, self.location(state, other)));
                let conflict = writes & (later_reads | later_writes) | reads & later_writes;
                if conflict != 0 && !set.contains(&other) {
                    set.push(other);
                }
            }
            next += 1;
        }
        set
    }
}

impl System for Running<'_> {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        into.clear();
        into.resize(VARIABLES + self.program.len(), 0);
        Fate::Open
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        into.clear();
        (0..self.program.len()).for_each(|process| self.moves(state, process, into));
        if into.is_empty() {
            self.deadlocks.insert(state.to_vec());
        }
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.candidates.clear();
        if self.reduce && !self.gives_all() {
            self.candidates = (0..self.program.len()).map(|first| self.persistent_set(state, first)).collect();
        }
        self.pauses.iter_mut().for_each(Pauses::next);
        self.other(state, into)
    }

    fn gives_all(&self) -> bool {
        self.pauses.as_ref().is_some_and(|pauses| pauses.is_pausing)
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.delay();
        while let Some(set) = self.candidates.pop() {
            into.clear();
            set.iter().for_each(|&process| self.moves(state, process, into));
            if !into.is_empty() && set.len() < self.program.len() {
                return self.note(state, Extent::Part, into);
            }
        }
        self.successors(state, into);
        self.note(state, Extent::All, into)
    }
}

fn options(order: Order, workers: usize) -> Options {
    Options { order, workers, errors: Errors::All, head_start: 0, ..Options::default() }
}

#[derive(PartialEq, Debug)]
struct Found {
    deadlocks: HashSet<Vec<u8>>,
    wrong: HashSet<(usize, usize, usize)>,
}

fn found(outcome: Outcome<Running<'_>>) -> Found {
    let mut found = Found { deadlocks: HashSet::new(), wrong: HashSet::new() };
    for system in outcome.systems {
        found.deadlocks.extend(system.deadlocks);
        found.wrong.extend(system.wrong);
    }
    found
}

fn limits() -> Limits {
    Limits::memory(1 << 24)
}

#[test]
fn reduced_searches_find_all_deadlocks_and_wrong_steps() {
    let mut random = Random(1);
    let (mut full_states, mut reduced_states) = (0, 0);
    let (mut wide_states, mut flagged_wide_states) = (0, 0);
    for number in 0..1500 {
        let program = random_program(&mut random);
        let system = |reduce| Running::new(&program, reduce);
        let one = options(Order::DepthFirst, 1);
        let full = search(|| system(false), &PlainStore::new(limits()), &one, &Progress::new());
        full_states += full.stored;
        let expected = found(full);
        let flagged = search_reduced(|| system(true), &TreeStore::with_flags(limits()), &one, &Progress::new());
        reduced_states += flagged.stored;
        assert_eq!(found(flagged), expected, "one worker, flags: {program:?}");
        let unflagged = search(|| system(true), &TreeStore::new(limits()), &one, &Progress::new());
        assert_eq!(found(unflagged), expected, "one worker, no flags: {program:?}");
        let wide = options(Order::BreadthFirst, 1);
        let flagged = search_reduced(|| system(true), &TreeStore::with_flags(limits()), &wide, &Progress::new());
        flagged_wide_states += flagged.stored;
        assert_eq!(found(flagged), expected, "breadth first, flags: {program:?}");
        let wide = search(|| system(true), &PlainStore::new(limits()), &wide, &Progress::new());
        wide_states += wide.stored;
        assert_eq!(found(wide), expected, "breadth first: {program:?}");
        // An order that has nothing to do with the program.
        let odd = |state: &[u8], depth: u64| {
            (state.iter().map(|&byte| u32::from(byte)).sum::<u32>() * 7 + depth as u32 * 3) % 5
        };
        let store = TreeStore::with_flags(limits());
        let ordered = search_reduced_in_order(|| system(true), &store, &one, &Progress::new(), &mut Buckets::new(odd));
        assert_eq!(found(ordered), expected, "in another order, flags: {program:?}");
        let store = TreeStore::new(limits());
        let ordered = search_in_order(|| system(true), &store, &one, &Progress::new(), &mut Buckets::new(odd));
        assert_eq!(found(ordered), expected, "in another order, no flags: {program:?}");
        if number % 4 == 0 {
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let several = options(order, 3);
                let several = search(|| system(true), &TreeStore::new(limits()), &several, &Progress::new());
                assert_eq!(found(several), expected, "three workers, {order:?}: {program:?}");
                let several = options(order, 3);
                let store = TreeStore::with_flags(limits());
                let several = search_reduced(|| system(true), &store, &several, &Progress::new());
                assert_eq!(found(several), expected, "three workers, flags, {order:?}: {program:?}");
            }
        }
    }
    assert!(flagged_wide_states < wide_states, "{flagged_wide_states} {wide_states}: flags are of no use");
    assert!(reduced_states * 10 < full_states * 9, "{reduced_states} of {full_states}: hardly anything is reduced");
}

/// From every state the search has followed a path to one that it expanded fully. So nothing is put off for ever; see `search::stages`.
fn assert_nothing_is_put_off(systems: Vec<Running<'_>>, program: &Program) {
    let mut followed = HashMap::new();
    for (state, (extent, targets)) in systems.into_iter().flat_map(|system| system.followed) {
        assert!(followed.insert(state, (extent, targets)).is_none(), "a state was expanded twice: {program:?}");
    }
    let mut before: HashMap<&[u8], Vec<&[u8]>> = HashMap::new();
    for (state, (_, targets)) in &followed {
        targets.iter().for_each(|target| before.entry(target).or_default().push(state));
    }
    let full = followed.iter().filter(|(_, (extent, _))| *extent == Extent::All).map(|(state, _)| state.as_slice());
    let mut waiting: Vec<&[u8]> = full.collect();
    let mut reaching: HashSet<&[u8]> = waiting.iter().copied().collect();
    while let Some(state) = waiting.pop() {
        let sources = before.get(state).into_iter().flatten();
        waiting.extend(sources.copied().filter(|&source| reaching.insert(source)));
    }
    assert_eq!(reaching.len(), followed.len(), "something is put off for ever: {program:?}");
}

#[test]
fn workers_that_meet_in_any_order_put_nothing_off_for_ever() {
    let mut random = Random(7);
    for number in 0..120 {
        let program = random_program_of(4 + number % 2, &mut random);
        let full = search(
            || Running::new(&program, false),
            &PlainStore::new(limits()),
            &options(Order::DepthFirst, 1),
            &Progress::new(),
        );
        let expected = found(full);
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let seeds = AtomicU64::new(1000 * number);
            let delayed = || Running::new(&program, true).delayed(seeds.fetch_add(1, Ordering::Relaxed));
            let store = TreeStore::with_flags(limits());
            let outcome = search_reduced(delayed, &store, &options(order, 6), &Progress::new());
            assert_nothing_is_put_off(outcome.systems.clone(), &program);
            assert_eq!(found(outcome), expected, "{order:?}: {program:?}");
        }
    }
}

/// A state that was visited while the reduction was on stays what it is when it is met again in a pause.
#[test]
fn a_reduction_that_pauses_puts_nothing_off_for_ever() {
    let mut random = Random(9);
    for number in 0..120 {
        let program = random_program_of(4 + number % 2, &mut random);
        let one = options(Order::DepthFirst, 1);
        let full = search(|| Running::new(&program, false), &PlainStore::new(limits()), &one, &Progress::new());
        let expected = found(full);
        for workers in [1, 6] {
            let seeds = AtomicU64::new(1 + 1000 * number);
            let pausing = || {
                let seed = seeds.fetch_add(1, Ordering::Relaxed);
                Running::new(&program, true).delayed(seed).pausing(seed)
            };
            let store = TreeStore::with_flags(limits());
            let outcome = search_reduced(pausing, &store, &options(Order::DepthFirst, workers), &Progress::new());
            assert_nothing_is_put_off(outcome.systems.clone(), &program);
            assert_eq!(found(outcome), expected, "{workers} workers: {program:?}");
        }
    }
}

#[test]
fn several_workers_keep_about_as_few_states_as_one() {
    let mut random = Random(11);
    let mut sums = [0; 3];
    for number in 0..60 {
        let program = random_program_of(5, &mut random);
        let seeds = AtomicU64::new(1000 * number);
        let system = || Running::new(&program, true).delayed(seeds.fetch_add(1, Ordering::Relaxed));
        for (workers, sum) in [1, 2, 4].into_iter().zip(&mut sums) {
            let store = TreeStore::with_flags(limits());
            *sum += search_reduced(system, &store, &options(Order::DepthFirst, workers), &Progress::new()).stored;
        }
    }
    let [one, two, four] = sums;
    assert!(two * 100 <= one * 110 && four * 100 <= one * 120, "{one} {two} {four}");
}

/// What the tests above would let pass if searches had no proviso.
#[test]
fn without_a_proviso_wrong_steps_are_missed() {
    let mut random = Random(1);
    let mut missed = 0;
    for _ in 0..2500 {
        let program = random_program(&mut random);
        let explore = |reduce| {
            let mut system = Running::new(&program, reduce);
            let mut state = Vec::new();
            system.initial(&mut state);
            let mut seen = HashMap::from([(state.clone(), ())]);
            let mut waiting = vec![state];
            let mut list = Arena::new();
            while let Some(state) = waiting.pop() {
                system.reduced(&state, &mut list);
                let targets = list.targets().map(<[u8]>::to_vec);
                waiting.extend(targets.filter(|target| seen.insert(target.clone(), ()).is_none()));
            }
            (system.wrong, system.deadlocks)
        };
        let ((full, full_deadlocks), (reduced, reduced_deadlocks)) = (explore(false), explore(true));
        assert_eq!(full_deadlocks, reduced_deadlocks, "deadlocks need no proviso: {program:?}");
        missed += usize::from(full != reduced);
    }
    assert!(missed > 10, "only {missed}");
}

/// A small generator of random numbers (SplitMix64).
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) % bound
    }
}
