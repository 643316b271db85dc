//! `cargo xtask bench relations`: how long comparisons of two systems take and how they grow.

use std::process::Command;

/// Runs the benchmark of the crate of relations; words choose among its parts.
pub fn bench(arguments: &[String]) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(["bench", "--package", "isospin-relate", "--bench", "relations", "--"]).args(arguments);
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("the benchmark failed".to_string()) }
}
