//! `cargo xtask soak`: random models and properties of every kind, with every set of reductions and without any, and some of them with SPIN.
//!
//! A number decides everything about its comparison, so a campaign can be broken off and gone on with, and a difference can be looked at
//! again. What SPIN is asked about is safety, with counts, and properties of infinite runs without fairness and with weak fairness.
//! Formulas about the tree of runs are compared with symmetry and without; what they mean is checked by naive fixpoints in the tests.

use std::fmt::Write as _;
use std::path::PathBuf;

use isospin::verify::{Engine, Fairness};
use oracle::differential::{Agreement, check};
use oracle::liveness::{self, Pair};
use oracle::random::Random;
use oracle::reductions::{Asked, Difference, Outcome, Question, Reductions, Sets, compare, compare_with};
use oracle::spin::Flags;
use oracle::{generate, symmetric};

use crate::campaign::{self, Case, Plan, guarded};
use crate::random_liveness;

/// Models with more states are left alone.
const STATES: u64 = 400;
/// Every set of reductions is tried on one model in so many; on the others the default and two more.
const EVERY_SET: u64 = 16;
/// Code is made for one model in so many.
const COMPILED: u64 = 64;
/// How many kinds of comparisons there are.
const KINDS: u64 = 10;

/// Reads `--count N`, `--seed S`, `--spin N`, `--jobs J` and `--directory D`, and compares the models of these numbers.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut plan = Plan { numbers: 0..0, jobs: 1, directory: PathBuf::from("target/soak") };
    let (mut count, mut seed, mut spin) = (10_000, 1, 0);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |value: Result<&String, String>| value?.parse::<u64>().map_err(|error| error.to_string());
        match argument.as_str() {
            "--count" => count = number(value())?,
            "--seed" => seed = number(value())?,
            "--spin" => spin = number(value())?,
            "--jobs" => plan.jobs = number(value())? as usize,
            "--directory" => plan.directory = value()?.into(),
            other => return Err(format!("unknown option {other}")),
        }
    }
    plan.numbers = seed..seed + count;
    // A number is compared with SPIN when the share of such numbers has grown by one.
    let with_spin = |number: u64| (number - seed + 1) * spin / count > (number - seed) * spin / count;
    campaign::run(
        &plan,
        |number| {
            let spin = with_spin(number).then(|| against_spin(number));
            std::iter::once(against_itself(number)).chain(spin).collect()
        },
        |case, difference, text| {
            if case.kind.starts_with("SPIN") {
                return spin_says(text, &case.asked, 0);
            }
            match Question::new(text, &case.asked, case.fairness, Engine::Interpreter, STATES) {
                Ok(question) => compare_with(&question, difference.reductions),
                Err(messages) => Outcome::NotComparable(messages),
            }
        },
    )
}

/// The comparison of a number, with reductions and without.
fn against_itself(number: u64) -> Case {
    let fairness = [Fairness::None, Fairness::Weak, Fairness::Strong][(number / KINDS % 3) as usize];
    let infinite = |pair: Pair| (pair.text, Asked::Infinite(pair.property), fairness);
    let (what, (text, asked, fairness)) = match number % KINDS {
        0..3 => ("safety", (generate::model(number).to_string(), Asked::Safety, Fairness::None)),
        3 => ("safety of equal processes", (symmetric::model(number), Asked::Safety, Fairness::None)),
        4 => ("infinite runs of equal processes", infinite(symmetric::pair(number))),
        5 | 6 => ("infinite runs", infinite(pair(number))),
        7 => ("safety, with all constructs", (generate::extended(number).to_string(), Asked::Safety, Fairness::None)),
        8 => ("infinite runs, with all constructs", infinite(generate::watched(number))),
        _ => ("tree of runs", tree(number, fairness)),
    };
    let engine = if number.is_multiple_of(COMPILED) { Engine::Compiled } else { Engine::Interpreter };
    let sets = if (number / KINDS).is_multiple_of(EVERY_SET) { Sets::Every } else { Sets::Some(number) };
    let question = Question::new(&text, &asked, fairness, engine, STATES);
    let outcome = guarded(|| question.map_or_else(Outcome::NotComparable, |each| compare(&each, sets)));
    Case { kind: format!("{what}, fairness {fairness:?}"), text, asked, fairness, outcome }
}

/// One of the properties of a number.
fn pair(number: u64) -> Pair {
    let mut pairs = liveness::pairs(number);
    let last = pairs.len() as u64 - 1;
    pairs.swap_remove((number / KINDS % (last + 1)) as usize)
}

/// A model and a formula about the tree of its runs.
fn tree(number: u64, fairness: Fairness) -> (String, Asked, Fairness) {
    let mut random = Random::new(number.wrapping_mul(0xa076_1d64_78bd_642f));
    let (text, atoms): (String, &[&str]) = match random.below(2) {
        0 => {
            let pair = liveness::pairs(number).swap_remove(0);
            let lines = pair.text.lines().filter(|line| !line.starts_with("ltl"));
            let text = lines.fold(String::new(), |mut text, line| {
                let _ = writeln!(text, "{line}");
                text
            });
            (text, &["g == 1", "h == 1", "g == h", "len(c) == 0", "a[0] == 1", "a[0] == a[1]"])
        }
        _ => (
            symmetric::model(number),
            &["turn == 255", "turn == 0", "len(hall) == 0", "cell[0] == 255", "count[0] == count[1]"],
        ),
    };
    (text, Asked::Branching(formula(&mut random, atoms, 2)), fairness)
}

fn formula(random: &mut Random, atoms: &[&str], depth: u32) -> String {
    if depth == 0 {
        return atoms[random.below(atoms.len())].to_string();
    }
    let quantifier = ["A", "E"][random.below(2)];
    let (one, other) = (formula(random, atoms, depth - 1), formula(random, atoms, depth - 1));
    match random.below(8) {
        0 => format!("!({one})"),
        1 => format!("(({one}) -> ({other}))"),
        2 => format!("{quantifier}X ({one})"),
        3 | 4 => format!("{quantifier}F ({one})"),
        5 | 6 => format!("{quantifier}G ({one})"),
        _ => format!("{quantifier}[{one} U {other}]"),
    }
}

/// A comparison of a number with SPIN.
fn against_spin(number: u64) -> Case {
    let (kind, text, asked) = match number / KINDS % 2 {
        0 => ("SPIN, safety", generate::model(number).to_string(), Asked::Safety),
        _ => {
            let Pair { text, property } = pair(number);
            ("SPIN, infinite runs", text, Asked::Infinite(property))
        }
    };
    let outcome = guarded(|| spin_says(&text, &asked, number));
    Case { kind: kind.to_string(), text, asked, fairness: Fairness::None, outcome }
}

/// What a comparison with SPIN comes to.
fn spin_says(text: &str, asked: &Asked, number: u64) -> Outcome {
    let different = |lines: String| {
        Outcome::Different(Difference { reductions: Reductions::NONE, plain: "as SPIN says".into(), reduced: lines })
    };
    match asked {
        Asked::Infinite(property) => {
            let pair = Pair { text: text.to_string(), property: property.clone() };
            random_liveness::against_spin(&pair, number).unwrap_or_else(different)
        }
        Asked::Safety | Asked::Branching(_) => {
            let flags = Flags { depth: 20_000, seconds: 10, ..Flags::default() };
            match check(text, &flags, STATES as usize) {
                Agreement::Equal { violated, .. } => Outcome::Equal { violated, symmetric: false },
                Agreement::Skipped(reason) => Outcome::NotComparable(format!("SPIN: {reason}")),
                Agreement::Different(lines) => different(lines.join("; ")),
            }
        }
    }
}
