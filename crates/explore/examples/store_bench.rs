//! How fast and how small are the stores? `cargo run --release -p isospin-explore --example store_bench -- [states [name]]`
//!
//! Explores two made-up systems that resemble models: processes with a control word and locals, and globals that they
//! share. A transition changes one to three words. Each worker keeps a stack of references and gives half of it away when
//! another one idles.

use explore::store::{Coverage, Insert, Limits, StateRef, TreeStore, VisitedSet, Visitor};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// A transition system over vectors of 4-byte words.
#[derive(Clone, Copy)]
struct System {
    name: &'static str,
    globals: usize,
    processes: usize,
    frame: usize,
    /// Control locations of a process.
    locations: u32,
    /// How far a process may be ahead of its neighbour.
    lead: u32,
}

const SYSTEMS: [System; 2] = [
    System {
        name: "64 bytes: 2 globals, 7 frames of 2 words",
        globals: 2,
        processes: 7,
        frame: 2,
        locations: 10,
        lead: 6,
    },
    System {
        name: "300 bytes: 11 globals, 16 frames of 4 words",
        globals: 11,
        processes: 16,
        frame: 4,
        locations: 5,
        lead: 2,
    },
];

impl System {
    fn bytes(self) -> usize {
        4 * (self.globals + self.processes * self.frame)
    }

    fn word(state: &[u8], index: usize) -> u32 {
        u32::from_le_bytes(state[4 * index..4 * index + 4].try_into().expect("four bytes"))
    }

    fn set(state: &mut [u8], index: usize, value: u32) {
        state[4 * index..4 * index + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Calls `visit` with each successor of `state`, written over `next`.
    fn successors(self, state: &[u8], next: &mut Vec<u8>, mut visit: impl FnMut(&[u8])) {
        next.clear();
        next.extend_from_slice(state);
        for process in 0..self.processes {
            let at = self.globals + process * self.frame;
            let location = Self::word(state, at);
            let neighbour = Self::word(state, self.globals + (process + 1) % self.processes * self.frame);
            // A process goes on if its neighbour is not far behind, and waits at some locations for a global.
            let flag = process % self.globals;
            let waits = location % 4 == 3 && Self::word(state, flag) != 0;
            if waits || location > neighbour + self.lead {
                continue;
            }
            Self::set(next, at, (location + 1) % self.locations);
            if location % 4 == 1 {
                Self::set(next, at + 1, (Self::word(state, at + 1) + 1) % 3);
            }
            if location % 4 == 2 {
                Self::set(next, flag, (Self::word(state, flag) + 1) % 2);
            }
            visit(next);
            for index in [at, at + 1, flag] {
                Self::set(next, index, Self::word(state, index));
            }
        }
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

/// Explores until `limit` states are stored.
fn explore<S: VisitedSet>(store: &S, system: System, limit: u64, workers: usize) -> Outcome {
    let shared: Mutex<Vec<(StateRef, Vec<u8>)>> = Mutex::default();
    let (hungry, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (busiest, lookups) = (Mutex::new(0.0f64), AtomicU64::new(0));
    let first = vec![0; system.bytes()];
    let Insert::New(reference) = store.handle().insert(&first, &Default::default()) else {
        panic!("the store is not empty")
    };
    shared.lock().expect("no panics").push((reference, first));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut handle = store.handle();
                let (mut cursor, mut next) = (Default::default(), Vec::new());
                let (mut prepared, mut successors) = (Vec::new(), Vec::new());
                let mut stack: Vec<StateRef> = Vec::new();
                let mut vectors: Vec<u8> = Vec::new();
                let (mut new, mut asked) = (1u64, 0u64);
                let mut state = vec![0; system.bytes()];
                while !done.load(Ordering::Relaxed) {
                    let Some(reference) = stack.pop() else {
                        hungry.fetch_add(1, Ordering::SeqCst);
                        while !done.load(Ordering::Relaxed) {
                            // Given away before its giver can be hungry, so if all are hungry and nothing is here, nothing is anywhere.
                            let all_hungry = hungry.load(Ordering::SeqCst) == workers;
                            if let Some((reference, vector)) = shared.lock().expect("no panics").pop() {
                                hungry.fetch_sub(1, Ordering::SeqCst);
                                stack.push(reference);
                                vectors.extend(vector);
                                break;
                            }
                            if all_hungry {
                                done.store(true, Ordering::Relaxed);
                            }
                            std::thread::yield_now();
                        }
                        continue;
                    };
                    let length = vectors.len() - system.bytes();
                    state.copy_from_slice(&vectors[length..]);
                    vectors.truncate(length);
                    handle.focus(reference, &mut cursor);
                    prepared.clear();
                    successors.clear();
                    system.successors(&state, &mut next, |successor| {
                        prepared.push(handle.prepare(successor, &cursor));
                        successors.extend_from_slice(successor);
                    });
                    asked += prepared.len() as u64;
                    for (successor, &prepared) in successors.chunks_exact(system.bytes()).zip(&prepared) {
                        match handle.commit(successor, prepared) {
                            Insert::New(reference) => {
                                new += 1;
                                stack.push(reference);
                                vectors.extend_from_slice(successor);
                            }
                            Insert::Known(_) => {}
                            Insert::Full => done.store(true, Ordering::Relaxed),
                        }
                    }
                    if hungry.load(Ordering::Relaxed) > 0 && stack.len() > 1 {
                        let reference = stack.remove(0);
                        shared.lock().expect("no panics").push((reference, vectors.drain(..system.bytes()).collect()));
                    }
                    if new * workers as u64 >= limit {
                        done.store(true, Ordering::Relaxed);
                    }
                }
                let mut busiest = busiest.lock().expect("no panics");
                *busiest = busiest.max(processor_seconds());
                lookups.fetch_add(asked, Ordering::Relaxed);
            });
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let busy = busiest.into_inner().expect("no panics");
    Outcome { states: store.len(), lookups: lookups.into_inner(), seconds, busy, bytes: store.memory() }
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
        println!(
            "{name:12} {workers} workers  {:>9} states  {:4.1} lookups/state  {rate:6.2} M lookups/s (x{:.2}; {:.1} s of {:.1} s)  {:6.2} bytes/state{}",
            outcome.states,
            outcome.lookups as f64 / outcome.states as f64,
            rate / single,
            outcome.busy,
            outcome.seconds,
            outcome.bytes as f64 / outcome.states as f64,
            match store.coverage() {
                Coverage::Exact => String::new(),
                Coverage::Approximate(omission) =>
                    format!("  omits {:.2e} (hash factor {:.0})", omission.mean, omission.hash_factor),
            }
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let states = arguments.first().and_then(|count| count.parse().ok()).unwrap_or(10_000_000u64);
    let chosen = |name: &str| arguments.get(1).is_none_or(|wanted| name.contains(wanted.as_str()));
    let limits = Limits::memory(8 << 30);
    for system in SYSTEMS {
        println!("{}", system.name);
        if chosen("tree") {
            report("tree", || TreeStore::new(limits), system, states);
        }
        if chosen("tree, flags") {
            report("tree, flags", || TreeStore::with_flags(limits), system, states);
        }
    }
}
