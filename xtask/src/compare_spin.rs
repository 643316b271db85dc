//! `cargo xtask compare-spin`: SPIN's examples through SPIN and through isospin, side by side.

use std::time::Instant;

use machine::enumerate::{End, Limits, enumerate};
use oracle::examples::{self, Example};
use oracle::spin::{Compiler, Flags, Verifier};
use oracle::summary::{Summary, is_fatal};
use oracle::{compare, ours};

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
    let name = &example.name;
    let machine = match ours::machine_of_file(&example.path) {
        Ok(machine) => machine,
        Err(message) => {
            let spin = Verifier::build_file(&example.path, &Flags::default());
            println!("{name:<32} refused: {}", message.lines().next().unwrap_or_default());
            return spin.is_err();
        }
    };
    let started = Instant::now();
    let census = match enumerate(&machine, Limits { states: limit, stop: is_fatal, ..Limits::default() }) {
        Ok(census) => census,
        Err(error) => {
            println!("{name:<32} no initial state: {}", error.message);
            return false;
        }
    };
    let ours = Summary::of_census(&census);
    let seconds = started.elapsed().as_secs_f64();
    print!("{name:<32} {:>10} {:>11} {:>7} {seconds:>7.1}  ", ours.states, ours.transitions, ours.errors);
    if !matches!(census.end, End::Complete | End::Stopped) {
        println!("not compared: {:?}", census.end);
        return true;
    }
    let compiler = if ours.states > 20_000 { Compiler::Optimising } else { Compiler::Quick };
    let flags = Flags { compiler, seconds: 600, depth: 3_000_000, ..Flags::default() };
    let verifier = Verifier::build_file(&example.path, &flags);
    let spin = verifier.and_then(|verifier| Ok((verifier.run()?, verifier.automata()?)));
    let mut differences = match &spin {
        Ok((report, automata)) => {
            let mut differences = ours.differences(&Summary::of_spin(report));
            differences.extend(compare::unreached(&machine, &census, report));
            differences.extend(compare::automata(&machine, automata));
            differences
        }
        Err(refusal) => vec![refusal.to_string()],
    };
    let rest = differences.split_off(differences.len().min(1));
    println!("{}", differences.first().map_or("equal", |line| line.trim_end()));
    rest.iter().for_each(|line| println!("{:>73}{line}", ""));
    differences.is_empty()
}
