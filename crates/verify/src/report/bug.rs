//! What a user is told when a search without reductions contradicts a reduced one: that isospin is at fault, in what, and what to do.

use super::Reported;
use crate::verify::{Contradiction, Reduction};

/// What is needed to report a mistake of isospin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BugReport {
    /// The command line.
    pub command: String,
    /// The file with the model and how to repeat it, if it could be written.
    pub file: Option<String>,
    /// Why it could not be written.
    pub unwritten: Option<String>,
}

/// The message, line by line; none if no search contradicts another.
#[must_use]
pub fn bug_lines(reported: &Reported) -> Vec<String> {
    let Some(contradiction) = &reported.finding.contradiction else { return Vec::new() };
    let mut lines = vec![
        "a reduced search said \"holds\"; what is reported here was found by the search without reductions".to_string(),
        format!("at fault: {}", fault(contradiction)),
        format!("version: isospin {}", env!("CARGO_PKG_VERSION")),
    ];
    if let Some(bug) = &reported.bug_report {
        lines.push(format!("command: {}", bug.command));
        lines.extend(bug.file.iter().map(|file| format!("reproducer: {file}; please report the bug with this file")));
        lines.extend(bug.unwritten.iter().map(|why| format!("the reproducer was not saved: {why}")));
    }
    lines.push(format!("until it is mended: {}", remedy(contradiction)));
    lines
}

/// The reductions at fault, in words.
pub fn fault(contradiction: &Contradiction) -> String {
    let names: Vec<&str> = contradiction.at_fault.iter().map(|reduction| reduction.name()).collect();
    match names.as_slice() {
        [] => format!("unknown; in use were {}", list(&contradiction.used)),
        [alone] => (*alone).to_string(),
        several => format!("{} together; no fewer of them miss it", several.join(" and ")),
    }
}

fn list(reductions: &[Reduction]) -> String {
    reductions.iter().map(|reduction| reduction.name()).collect::<Vec<_>>().join(", ")
}

fn remedy(contradiction: &Contradiction) -> String {
    let option = contradiction.at_fault.first().map_or("--reduce none", |reduction| reduction.option_without());
    format!("{option} does without it, at the cost of more states")
}
