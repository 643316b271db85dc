//! isospin beside SPIN itself: SPIN's own examples and random models. Slow, so `cargo xtask test` asks for them by name.
//!
//! `cargo xtask compare-spin` and `cargo xtask random-models` do the same at length.

use oracle::differential::{Agreement, check};
use oracle::examples::{self, Outcome};
use oracle::generate;
use oracle::spin::{self, Flags};

/// Larger examples are left to `cargo xtask compare-spin`.
const EXAMPLE_STATES: usize = 5_000;
/// Larger random models are left alone.
const RANDOM_STATES: usize = 2_000;
const FIRST_SEED: u64 = 1;
const SEEDS: u64 = 200;

#[test]
#[ignore = "runs SPIN for its examples"]
fn small_examples_have_the_figures_and_automata_of_spin() {
    assert!(spin::is_available(), "SPIN is not installed");
    let mut failures = Vec::new();
    let (mut equal, mut large) = (0, 0);
    for example in examples::all() {
        match examples::compare(&example, EXAMPLE_STATES).outcome {
            Outcome::Equal => equal += 1,
            Outcome::Different(lines) => failures.push(format!("{}: {}", example.name, lines.join("; "))),
            Outcome::TooLarge => large += 1,
            Outcome::Explained(_) | Outcome::RefusedByBoth(_) => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(equal >= 50, "only {equal} examples were compared, {large} were too large: are they all there?");
}

#[test]
#[ignore = "runs SPIN for random models"]
fn random_models_have_the_figures_and_automata_of_spin() {
    assert!(spin::is_available(), "SPIN is not installed");
    let workers = std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
    let mut failures = Vec::new();
    let mut equal = 0;
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..workers).map(|worker| scope.spawn(move || every_nth(worker, workers))).collect();
        for worker in started {
            let (agreed, differences) = worker.join().expect("comparing does not panic");
            equal += agreed;
            failures.extend(differences);
        }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(equal * 2 > SEEDS, "only {equal} of {SEEDS} models could be compared");
}

/// How many models agree, and what is different about the others.
fn every_nth(worker: u64, workers: u64) -> (u64, Vec<String>) {
    let flags = Flags { depth: 20_000, seconds: 30, ..Flags::default() };
    let (mut equal, mut failures) = (0, Vec::new());
    for seed in (FIRST_SEED..FIRST_SEED + SEEDS).filter(|seed| seed % workers == worker) {
        match check(&generate::model(seed).to_string(), &flags, RANDOM_STATES) {
            Agreement::Equal { .. } => equal += 1,
            Agreement::Different(lines) => failures.push(format!("seed {seed}: {}", lines.join("; "))),
            Agreement::Skipped(_) => {}
        }
    }
    (equal, failures)
}
