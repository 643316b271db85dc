//! What CI runs, in the order in which a mistake is found soonest.

use std::process::Command;

use crate::{enumerate, random_liveness, random_symmetric};

/// So many enumerated models are verified with reductions and without.
const ENUMERATED: u64 = 100_000;

/// So many random symmetric models are verified.
const RANDOM_MODELS: u64 = 300;

/// So many random models are compared with SPIN, each with one to four properties.
const RANDOM_PROPERTIES: u64 = 100;

/// Runs every check; the first failure ends it.
pub fn run() -> Result<(), String> {
    crate::licences::check()?;
    crate::withdrawn::check()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    if Command::new("cargo").args(["nextest", "--version"]).output().is_ok_and(|output| output.status.success()) {
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast", "--profile", "ci"])?;
    } else {
        cargo(&["test", "--workspace", "--lib", "--bins", "--tests"])?;
    }
    // Every interleaving of small programs that share the store.
    let interleavings = ["test", "--package", "isospin-explore", "--lib", "--quiet", "interleavings"];
    cargo_with(&interleavings, &[("RUSTFLAGS", "--cfg loom"), ("CARGO_TARGET_DIR", "target/loom")])?;
    // The traps, small examples and random models against SPIN itself.
    cargo(&["test", "--package", "isospin-machine", "--test", "traps", "--test", "against_spin", "--", "--ignored"])?;
    // Small models of every shape, with reductions and without.
    enumerate::sample(ENUMERATED)?;
    // Random models of equal processes, with symmetry and without.
    random_symmetric::run(RANDOM_MODELS, 1)?;
    // Formulas, claims and labels of random models: every way to search says what SPIN says.
    random_liveness::compare(RANDOM_PROPERTIES, 1)?;
    cargo(&["test", "--workspace", "--doc", "--quiet"])?;
    // The examples that the documentation points to do what they say.
    cargo(&["run", "--quiet", "--package", "isospin", "--example", "ten_lines"])?;
    for example in ["front_end", "layer", "order", "quotient", "store"] {
        cargo(&["run", "--quiet", "--package", "isospin", "--example", example])?;
    }
    cargo(&["run", "--quiet", "--package", "isospin-explore", "--example", "jugs"])?;
    cargo_with(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "--deny warnings")])
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    cargo_with(arguments, &[])
}

fn cargo_with(arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let set: String = environment.iter().map(|(name, value)| format!("{name}='{value}' ")).collect();
    println!("$ {set}cargo {}", arguments.join(" "));
    let status = Command::new("cargo").args(arguments).envs(environment.iter().copied()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`cargo {}` ended with {status}", arguments.join(" "))),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}
