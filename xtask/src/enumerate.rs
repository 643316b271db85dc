//! `cargo xtask enumerate`: every model of a finite grammar, with every set of reductions and without any.

use std::path::PathBuf;

use isospin::verify::{Engine, Fairness};
use oracle::enumerate::Space;
use oracle::liveness::Watched;
use oracle::reductions::{Asked, Outcome, Question, compare, compare_with};

use crate::campaign::{self, Case, Plan, guarded};

/// Models with more states are left alone.
const STATES: u64 = 2_000;
/// Code is made for one model in so many: that takes longer than to interpret a model of this size.
const COMPILED: u64 = 128;

/// Reads `--count N`, `--first K`, `--jobs J`, `--directory D` and `--show`, and compares the models of these numbers.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut plan = Plan { numbers: 0..0, jobs: 1, directory: PathBuf::from("target/enumerate") };
    let (mut count, mut first, mut show, mut family) = (100_000, 0, false, String::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |value: Result<&String, String>| value?.parse::<u64>().map_err(|error| error.to_string());
        match argument.as_str() {
            "--count" => count = number(value())?,
            "--first" => first = number(value())?,
            "--jobs" => plan.jobs = number(value())? as usize,
            "--directory" => plan.directory = value()?.into(),
            "--family" => family.clone_from(value()?),
            "--show" => show = true,
            other => return Err(format!("unknown option {other}")),
        }
    }
    plan.numbers = first..first + count;
    let space = Space::new();
    if show {
        space.sizes().for_each(|(name, size)| println!("{size:>14} {name}"));
        println!("{}", space.model(first).unwrap_or_default());
        return Ok(());
    }
    examine(&plan, &space, &family)
}

/// A sample for CI.
pub fn sample(count: u64) -> Result<(), String> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan { numbers: 0..count, jobs, directory: PathBuf::from("target/enumerate") };
    examine(&plan, &Space::new(), "")
}

fn examine(plan: &Plan, space: &Space, family: &str) -> Result<(), String> {
    let ask = |text: &str, asked: &Asked, engine| Question::new(text, asked, Fairness::None, engine, STATES);
    campaign::run(
        plan,
        |number| {
            let text = space.model(number).filter(|_| space.family(number).contains(family));
            let case = |text: String| {
                let asked = if text.contains("ltl p") { Asked::Infinite(Watched::named("p")) } else { Asked::Safety };
                let question = ask(&text, &asked, engine(number));
                let outcome = guarded(|| question.map_or_else(Outcome::NotComparable, |each| compare(&each)));
                Case { text, asked, fairness: Fairness::None, kind: space.family(number).to_string(), outcome }
            };
            text.into_iter().map(case).collect()
        },
        |case, difference, text| match ask(text, &case.asked, Engine::Interpreter) {
            Ok(question) => compare_with(&question, difference.reductions),
            Err(messages) => Outcome::NotComparable(messages),
        },
    )
}

fn engine(number: u64) -> Engine {
    if number.is_multiple_of(COMPILED) { Engine::Compiled } else { Engine::Interpreter }
}
