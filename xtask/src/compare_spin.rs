//! `cargo xtask compare-spin`: SPIN's examples through SPIN and through isospin, side by side.

use std::time::Instant;

use oracle::examples::{self, Comparison, Example, Outcome};

/// Small searches, or those of some million states too.
const SMALL: usize = 100_000;
const LARGE: usize = 12_000_000;

/// Prints a line for every example; fails if any differs.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut limit = SMALL;
    let mut wanted = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "--large" => limit = LARGE,
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            name => wanted.push(name),
        }
    }
    println!(
        "{:<32} {:>10} {:>11} {:>7} {:>7}  compared with SPIN",
        "model", "states", "transitions", "errors", "seconds"
    );
    let mut different = 0;
    for example in examples::all() {
        if wanted.is_empty() || wanted.iter().any(|name| example.name.contains(name)) {
            different += usize::from(!line(&example, limit));
        }
    }
    if different > 0 { Err(format!("{different} examples differ")) } else { Ok(()) }
}

/// One example; whether all is as it should be.
fn line(example: &Example, limit: usize) -> bool {
    let started = Instant::now();
    let Comparison { ours, outcome, unreached } = examples::compare(example, limit);
    let seconds = started.elapsed().as_secs_f64();
    let figures = ours.unwrap_or_default();
    print!(
        "{:<32} {:>10} {:>11} {:>7} {seconds:>7.1}  ",
        example.name, figures.states, figures.transitions, figures.errors
    );
    match &outcome {
        Outcome::Equal => println!("equal"),
        Outcome::Explained(why) => println!("{why}"),
        Outcome::RefusedByBoth(message) => println!("refused by both: {message}"),
        Outcome::TooLarge => println!("not compared: more than {limit} states"),
        Outcome::Different(lines) => lines.iter().for_each(|line| println!("DIFFERENT {line}")),
    }
    unreached.iter().for_each(|line| println!("{:>73}unreached, {line}", ""));
    !matches!(outcome, Outcome::Different(_))
}
