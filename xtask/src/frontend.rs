//! `fuzz-frontend` and `bench frontend`: the front end's robustness and speed. The work is done by examples of its crate,
//! built for release; overflow checks and debug assertions stay on for fuzzing.

use std::process::Command;

/// Runs mutated inputs through the front end.
pub fn fuzz(arguments: &[String]) -> Result<(), String> {
    let checked = ["profile.release.overflow-checks=true", "profile.release.debug-assertions=true"];
    example("fuzz", &checked, arguments)
}

/// Measures the front end on generated models.
pub fn bench(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((what, rest)) if what == "frontend" => example("frontend_times", &[], rest),
        _ => Err("what shall be measured? `cargo xtask bench frontend` or `symmetry`".into()),
    }
}

fn example(name: &str, configuration: &[&str], arguments: &[String]) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "--package", "isospin-promela", "--example", name]);
    for setting in configuration {
        command.args(["--config", setting]);
    }
    match command.arg("--").args(arguments).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the example `{name}` ended with {status}")),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}
