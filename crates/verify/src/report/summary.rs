//! The verdicts on several models as a table.

use std::fmt::Write as _;

use super::text::{grouped, seconds};
use super::{Attempt, Reported};
use crate::verify::Verdict;

const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[1;31m";
const GREEN: &str = "\u{1b}[1;32m";
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

struct Row {
    model: String,
    property: String,
    verdict: &'static str,
    colour: &'static str,
    states: String,
    time: String,
}

/// One row for each property of each model, and how many there are of each verdict.
#[must_use]
pub fn summary_table(attempts: &[Attempt]) -> String {
    let rows: Vec<Row> = attempts.iter().flat_map(rows).collect();
    let widest = |cell: fn(&Row) -> &str, head: &str| {
        rows.iter().map(|row| cell(row).chars().count()).max().unwrap_or(0).max(head.len())
    };
    let model = widest(|row| &row.model, "model");
    let property = widest(|row| &row.property, "property");
    let verdict = widest(|row| row.verdict, "verdict");
    let states = widest(|row| &row.states, "states");
    let time = widest(|row| &row.time, "time");
    let mut text = format!(
        "\n{BOLD}{:<model$}  {:<property$}  {:<verdict$}  {:>states$}  {:>time$}{PLAIN}\n",
        "model", "property", "verdict", "states", "time"
    );
    for row in &rows {
        let blanks = " ".repeat(verdict - row.verdict.len());
        let line = format!(
            "{:<model$}  {:<property$}  {}{}{PLAIN}{blanks}  {:>states$}  {:>time$}",
            row.model, row.property, row.colour, row.verdict, row.states, row.time
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let counts: Vec<String> = ["holds", "violated", "unknown", "refused", "skipped"]
        .iter()
        .filter(|verdict| count(verdict) > 0)
        .map(|verdict| format!("{} {verdict}", count(verdict)))
        .collect();
    let _ = writeln!(text, "{} models: {}", attempts.len(), counts.join(", "));
    text
}

fn rows(attempt: &Attempt) -> Vec<Row> {
    let without = |model: &str, verdict| Row {
        model: model.to_string(),
        property: "-".into(),
        verdict,
        colour: YELLOW,
        states: String::new(),
        time: String::new(),
    };
    match attempt {
        Attempt::Verified(report) => report.findings.iter().map(|each| row(&report.model, each)).collect(),
        Attempt::Refused { model } => vec![without(model, "refused")],
        Attempt::Skipped { model } => vec![without(model, "skipped")],
    }
}

fn row(model: &str, reported: &Reported) -> Row {
    let finding = &reported.finding;
    let (verdict, colour) = match finding.verdict {
        Verdict::Holds => ("holds", GREEN),
        Verdict::Violated => ("violated", RED),
        Verdict::Unknown(_) => ("unknown", YELLOW),
    };
    Row {
        model: model.to_string(),
        property: finding.property.to_string(),
        verdict,
        colour,
        states: grouped(finding.counts.states),
        time: seconds(finding.counts.time.as_secs_f64()),
    }
}
