//! `cargo xtask compare-spin`: SPIN's examples through SPIN and through isospin, side by side.
//!
//! Small ones are enumerated by the reference interpreter, and everything is compared. With `--large`, all that SPIN finishes within
//! a minute are searched by the compiled engine of a release build, and states, transitions, errors and verdict are.

use std::process::Command;
use std::time::Instant;

use oracle::examples::{self, Comparison, Example, Outcome};
use oracle::spin::{Compiler, Flags, Refusal, SpinReport, Verifier};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What the interpreter enumerates in reasonable time.
const SMALL: usize = 100_000;

/// Prints a line for every example; fails if any differs.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut is_large = false;
    let mut wanted = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "--large" => is_large = true,
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            name => wanted.push(name),
        }
    }
    if is_large {
        build_release()?;
    }
    println!(
        "{:<32} {:>10} {:>11} {:>7} {:>7}  compared with SPIN",
        "model", "states", "transitions", "errors", "seconds"
    );
    let mut different = 0;
    for example in examples::all() {
        if wanted.is_empty() || wanted.iter().any(|name| example.name.contains(name)) {
            different += usize::from(!if is_large { large_line(&example) } else { line(&example, SMALL) });
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

fn build_release() -> Result<(), String> {
    let status = Command::new("cargo").args(["build", "--release", "-p", "isospin"]).current_dir(ROOT).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err("the release build failed".into()),
    }
}

/// The figures that both tools report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Figures {
    states: u64,
    transitions: u64,
    violated: bool,
}

/// One example through the release build; whether all is as it should be.
fn large_line(example: &Example) -> bool {
    let spin = spin(example);
    let unfinished = match &spin {
        Err(Refusal::TimedOut) => Some("SPIN needs more than a minute"),
        Ok(report) if report.truncated => Some("SPIN's stack is too small"),
        _ => None,
    };
    if let Some(reason) = unfinished {
        println!("{:<61}  not compared: {reason}", example.name);
        return true;
    }
    let started = Instant::now();
    let ours = ours(example);
    let seconds = started.elapsed().as_secs_f64();
    let Figures { states, transitions, violated } = ours.clone().unwrap_or_default();
    print!("{:<32} {states:>10} {transitions:>11} {:>7} {seconds:>7.1}  ", example.name, u8::from(violated));
    let outcome = match (ours, spin) {
        (Err(message), Err(_)) => Ok(format!("refused by both: {message}")),
        (Err(message), Ok(_)) => Err(format!("only we refuse it: {message}")),
        (Ok(_), Err(refusal)) => Err(format!("only SPIN refuses it: {refusal}")),
        // SPIN gives up at some errors, where we go on.
        (Ok(ours), Ok(report)) if report.stopped && ours.violated => {
            Ok("violated, as SPIN says before it stops".into())
        }
        (Ok(ours), Ok(report)) => {
            let SpinReport { states, transitions, errors, .. } = report;
            let spin = Figures { states, transitions, violated: errors > 0 };
            if ours == spin { Ok("equal".to_string()) } else { Err(format!("{ours:?}, SPIN has {spin:?}")) }
        }
    };
    match &outcome {
        Ok(text) => println!("{text}"),
        Err(text) => println!("DIFFERENT {text}"),
    }
    outcome.is_ok()
}

/// What the release build says.
fn ours(example: &Example) -> Result<Figures, String> {
    let trace = std::env::temp_dir().join(format!("isospin-compare-{}.json", std::process::id()));
    let output = Command::new(format!("{ROOT}/target/release/isospin"))
        .args([
            "verify",
            "--reduce",
            "none",
            "--safety",
            "--all-errors",
            "--workers",
            "1",
            "--json",
            "--max-memory",
            "4G",
            // SPIN gives up early on some models, whose searches have no end.
            "--max-time",
            "120s",
        ])
        .arg("--trace")
        .arg(&trace)
        .arg(&example.path)
        .output()
        .map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(trace);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_string())?;
    let result = &report["results"][0];
    let number = |name: &str| result[name].as_u64().ok_or_else(|| format!("the report has no {name}"));
    Ok(Figures {
        states: number("states")?,
        transitions: number("transitions")?,
        violated: result["verdict"].as_str() == Some("violated"),
    })
}

/// What SPIN says, within a minute.
fn spin(example: &Example) -> Result<SpinReport, Refusal> {
    let flags = Flags { compiler: Compiler::Optimising, seconds: 60, depth: 3_000_000, ..Flags::default() };
    Verifier::build_file(&example.path, &flags)?.run()
}
