//! How fast and how small are the stores? `cargo run --release -p isospin-explore --example store_bench -- [states [store [system]]]`
//!
//! Explores made-up systems that resemble models: processes with a control word and locals, and globals that they share.
//! A transition changes one to three words; in one system processes also start and end. Each worker keeps a stack of
//! states and gives one away when another worker idles.

use explore::store::{
    BitsPerState, BitstateStore, Coverage, FingerprintBits, FingerprintStore, Insert, Limits, PlainStore, StateRef,
    TreeStore, VisitedSet, Visitor,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// A transition system over vectors of 4-byte words: globals, then a frame for each process.
#[derive(Clone, Copy)]
struct System {
    name: &'static str,
    globals: usize,
    /// Processes at the start, and at most.
    processes: [usize; 2],
    frame: usize,
    /// Control locations of a process.
    locations: u32,
    /// How far a process may be ahead of its neighbour.
    lead: u32,
}

const SYSTEMS: [System; 3] = [
    System { name: "64 bytes", globals: 2, processes: [7, 7], frame: 2, locations: 10, lead: 6 },
    System { name: "300 bytes", globals: 11, processes: [16, 16], frame: 4, locations: 5, lead: 2 },
    System { name: "44 to 268 bytes", globals: 3, processes: [2, 16], frame: 4, locations: 5, lead: 2 },
];

impl System {
    fn first(self) -> Vec<u8> {
        vec![0; 4 * (self.globals + self.processes[0] * self.frame)]
    }

    /// Calls `visit` with each successor of `state`, written over `next`.
    fn successors(self, state: &[u8], next: &mut Vec<u8>, mut visit: impl FnMut(&[u8])) {
        next.clear();
        next.extend_from_slice(state);
        let processes = (state.len() / 4 - self.globals) / self.frame;
        let frame = |process: usize| self.globals + process * self.frame;
        for process in 0..processes {
            let at = frame(process);
            let location = word(state, at);
            let neighbour = word(state, frame((process + 1) % processes));
            // A process goes on if its neighbour is not far behind, and waits at some locations for a global.
            let flag = process % self.globals;
            let waits = location % 4 == 3 && word(state, flag) != 0;
            if waits || location > neighbour + self.lead {
                continue;
            }
            set(next, at, (location + 1) % self.locations);
            if location % 4 == 1 {
                set(next, at + 1, (word(state, at + 1) + 1) % 3);
            }
            if location % 4 == 2 {
                set(next, flag, (word(state, flag) + 1) % 2);
            }
            visit(next);
            for index in [at, at + 1, flag] {
                set(next, index, word(state, index));
            }
        }
        if self.processes[0] < self.processes[1] {
            // The youngest ends at its last location; the oldest starts others there.
            if processes > 1 && word(state, frame(processes - 1)) + 1 == self.locations {
                next.truncate(4 * frame(processes - 1));
                visit(next);
            } else if processes < self.processes[1] && word(state, frame(0)) + 1 == self.locations {
                next.resize(4 * frame(processes + 1), 0);
                visit(next);
            }
        }
    }
}

fn word(state: &[u8], index: usize) -> u32 {
    u32::from_le_bytes(state[4 * index..4 * index + 4].try_into().expect("four bytes"))
}

fn set(state: &mut [u8], index: usize, value: u32) {
    state[4 * index..4 * index + 4].copy_from_slice(&value.to_le_bytes());
}

/// States that wait to be expanded, the vectors one behind the other.
#[derive(Default)]
struct Stack {
    states: Vec<(StateRef, usize)>,
    bytes: Vec<u8>,
}

impl Stack {
    fn push(&mut self, reference: StateRef, state: &[u8]) {
        self.states.push((reference, state.len()));
        self.bytes.extend_from_slice(state);
    }

    fn pop(&mut self, state: &mut Vec<u8>) -> Option<StateRef> {
        let (reference, length) = self.states.pop()?;
        state.clear();
        state.extend(self.bytes.drain(self.bytes.len() - length..));
        Some(reference)
    }
}

struct Outcome {
    states: u64,
    lookups: u64,
    /// On the clock.
    seconds: f64,
    /// On the processor, of the worker that used most: what the clock would show if the machine had nothing else to do.
    busy: f64,
    bytes: u64,
}

/// Seconds that this thread has spent on a processor.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).map_or(0.0, |n| n / 1e9)
}

/// What workers share beside the store.
#[derive(Default)]
struct Shared {
    offered: Mutex<Vec<(StateRef, Vec<u8>)>>,
    hungry: AtomicUsize,
    done: AtomicBool,
    lookups: AtomicU64,
    busiest: Mutex<f64>,
}

impl Shared {
    /// Waits for a state from another worker; `None` when all are done.
    fn beg(&self, workers: usize) -> Option<(StateRef, Vec<u8>)> {
        self.hungry.fetch_add(1, Ordering::SeqCst);
        while !self.done.load(Ordering::Relaxed) {
            // Who gives is not hungry; so if all were hungry, and nothing is here, nothing is anywhere.
            let all_hungry = self.hungry.load(Ordering::SeqCst) == workers;
            if let Some(offer) = self.offered.lock().expect("no panics").pop() {
                self.hungry.fetch_sub(1, Ordering::SeqCst);
                return Some(offer);
            }
            if all_hungry {
                self.done.store(true, Ordering::Relaxed);
            }
            std::thread::yield_now();
        }
        None
    }

    fn work<S: VisitedSet>(&self, store: &S, system: System, limit: u64, workers: usize) {
        let mut handle = store.handle();
        let (mut cursor, mut stack) = (Default::default(), Stack::default());
        let (mut state, mut next, mut prepared, mut successors) =
            (Vec::new(), Vec::new(), Vec::new(), Stack::default());
        let (mut new, mut asked) = (0, 0);
        while !self.done.load(Ordering::Relaxed) {
            let Some(reference) = stack.pop(&mut state) else {
                let Some((reference, state)) = self.beg(workers) else { break };
                stack.push(reference, &state);
                continue;
            };
            handle.focus(reference, &mut cursor);
            prepared.clear();
            successors.bytes.clear();
            system.successors(&state, &mut next, |successor| {
                prepared.push((handle.prepare(successor, &cursor), successor.len()));
                successors.bytes.extend_from_slice(successor);
            });
            asked += prepared.len() as u64;
            let mut bytes = successors.bytes.as_slice();
            for &(prepared, length) in &prepared {
                let (successor, rest) = bytes.split_at(length);
                bytes = rest;
                match handle.commit(successor, prepared) {
                    Insert::New(reference) => {
                        new += 1;
                        stack.push(reference, successor);
                    }
                    Insert::Known(_) => {}
                    Insert::Full => self.done.store(true, Ordering::Relaxed),
                }
            }
            if self.hungry.load(Ordering::Relaxed) > 0 && stack.states.len() > 1 {
                let (reference, length) = stack.states.remove(0);
                self.offered.lock().expect("no panics").push((reference, stack.bytes.drain(..length).collect()));
            }
            if new * workers as u64 >= limit {
                self.done.store(true, Ordering::Relaxed);
            }
        }
        self.lookups.fetch_add(asked, Ordering::Relaxed);
        let mut busiest = self.busiest.lock().expect("no panics");
        *busiest = busiest.max(processor_seconds());
    }
}

/// Explores until about `limit` states are stored.
fn explore<S: VisitedSet>(store: &S, system: System, limit: u64, workers: usize) -> Outcome {
    let shared = Shared::default();
    let first = system.first();
    let Insert::New(reference) = store.handle().insert(&first, &Default::default()) else {
        panic!("the store is not empty")
    };
    shared.offered.lock().expect("no panics").push((reference, first));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| shared.work(store, system, limit, workers));
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let busy = shared.busiest.into_inner().expect("no panics");
    Outcome { states: store.len(), lookups: shared.lookups.into_inner(), seconds, busy, bytes: store.memory() }
}

fn report<S: VisitedSet>(name: &str, store: impl Fn() -> S, system: System, limit: u64) {
    let mut single = 0.0;
    for workers in [1, 2] {
        let store = store();
        let outcome = explore(&store, system, limit, workers);
        let rate = outcome.lookups as f64 / outcome.busy / 1e6;
        if workers == 1 {
            single = rate;
        }
        let coverage = match store.coverage() {
            Coverage::Exact => String::new(),
            Coverage::Approximate(omission) => {
                format!("  omits {:.1e}, hash factor {:.0}", omission.mean, omission.hash_factor)
            }
        };
        println!(
            "  {name:12} {workers}  {:9} states  {:4.1} lookups each  {rate:6.2} M/s (x{:.2}; busy {:.1} s of {:.1} s)  {:6.2} bytes each{coverage}",
            outcome.states,
            outcome.lookups as f64 / outcome.states as f64,
            rate / single,
            outcome.busy,
            outcome.seconds,
            outcome.bytes as f64 / outcome.states as f64,
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let states = arguments.first().and_then(|count| count.parse().ok()).unwrap_or(10_000_000u64);
    let chosen = |at: usize, name: &str| arguments.get(at).is_none_or(|wanted| name.starts_with(wanted.as_str()));
    let limits = Limits::memory(8 << 30);
    let bits = || BitstateStore::new(Limits::memory(256 << 20), BitsPerState::default()).expect("256 MB");
    for system in SYSTEMS.into_iter().filter(|system| chosen(2, system.name)) {
        println!("{}; workers, states, lookups per second, memory", system.name);
        if chosen(1, "tree") {
            report("tree", || TreeStore::new(limits), system, states);
        }
        if chosen(1, "flags") {
            report("tree, flags", || TreeStore::with_flags(limits), system, states);
        }
        if chosen(1, "plain") {
            report("plain", || PlainStore::new(limits), system, states);
        }
        if chosen(1, "fingerprint") {
            report("fingerprint", || FingerprintStore::new(limits, FingerprintBits::default()), system, states);
        }
        if chosen(1, "bitstate") {
            report("bitstate", bits, system, states);
        }
    }
}
