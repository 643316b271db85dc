//! A sample of all small models and of random ones: every set of reductions says what the search without any says.
//!
//! The long campaigns are `cargo xtask enumerate` and `cargo xtask soak`; these are the first models of each kind, executed by the interpreter
//! alone, so that a fault is noticed within seconds.

use isospin::verify::{Engine, Fairness};
use oracle::enumerate::Space;
use oracle::liveness::{self, Pair, Watched};
use oracle::reductions::{Asked, Outcome, Question, Sets, compare};
use oracle::{generate, symmetric};

/// Models with more states are left alone.
const STATES: u64 = 600;

/// Compares the models; at least half of them must be comparable.
fn agree(cases: impl Iterator<Item = (String, Asked, Fairness)>) {
    let (mut compared, mut refused) = (0, 0);
    for (text, asked, fairness) in cases {
        // Some random models are none: a jump that only leads to itself is refused.
        let Ok(question) = Question::new(&text, &asked, fairness, Engine::Interpreter, STATES) else {
            refused += 1;
            continue;
        };
        match compare(&question, Sets::Every) {
            Outcome::Equal { .. } => compared += 1,
            Outcome::NotComparable(_) => refused += 1,
            Outcome::Different(difference) => panic!("{difference:?} of {asked:?}, {fairness:?}, in\n{text}"),
        }
    }
    assert!(compared > refused, "only {compared} of {} were compared", compared + refused);
}

fn enumerated(first: u64, count: u64) {
    let space = Space::new();
    let models = (first..).filter_map(|number| space.model(number)).take(count as usize);
    agree(models.map(|text| {
        let asked = if text.contains("ltl p") { Asked::Infinite(Watched::named("p")) } else { Asked::Safety };
        (text, asked, Fairness::None)
    }));
}

#[test]
fn small_models_keep_their_verdicts() {
    enumerated(0, 300);
}

#[test]
fn more_small_models_keep_their_verdicts() {
    enumerated(100_000, 500);
}

#[test]
fn random_models_keep_their_verdicts() {
    agree((1..80).map(|seed| (generate::model(seed).to_string(), Asked::Safety, Fairness::None)));
}

#[test]
fn random_models_with_constructs_that_spin_does_not_know_keep_their_verdicts() {
    agree((1..100).map(|seed| (generate::extended(seed).to_string(), Asked::Safety, Fairness::None)));
}

#[test]
fn random_models_with_all_constructs_keep_the_verdicts_of_their_infinite_runs() {
    let fairness = |seed: u64| [Fairness::None, Fairness::None, Fairness::Weak, Fairness::Strong][seed as usize % 4];
    agree((1..80).map(|seed| {
        let Pair { text, property } = generate::watched(seed);
        (text, Asked::Infinite(property), fairness(seed))
    }));
}

#[test]
fn random_models_of_equal_processes_keep_their_verdicts() {
    agree((1..30).map(|seed| (symmetric::model(seed), Asked::Safety, Fairness::None)));
}

#[test]
fn random_models_keep_the_verdicts_of_their_infinite_runs() {
    let fairness = |seed: usize| [Fairness::None, Fairness::Weak, Fairness::Strong][seed % 3];
    let pairs = (1..60).flat_map(liveness::pairs).chain((1..20).map(symmetric::pair)).enumerate();
    agree(pairs.map(|(seed, Pair { text, property })| (text, Asked::Infinite(property), fairness(seed))));
}
