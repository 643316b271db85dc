//! The comparison for people: the verdict, what it means, what was looked at, and what one side can do and the other cannot.

use std::fmt::Write as _;

use relate::{Size, Verdict};

use super::{Asked, RelationReport, ReportedRelation, words};
use crate::relations::Evidence;
use crate::report::quoted;

const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[1;31m";
const GREEN: &str = "\u{1b}[1;32m";
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

/// The report as text with colours, which the caller strips where they are not wanted.
#[must_use]
pub fn to_text(report: &RelationReport) -> String {
    let mut text = String::new();
    match report.asked {
        Asked::One => report.results.iter().for_each(|reported| one(report, reported, &mut text)),
        Asked::All => table(report, &mut text),
    }
    for note in &report.notes {
        let _ = writeln!(text, "  {YELLOW}note{PLAIN}: {note}");
    }
    text
}

fn coloured(reported: &ReportedRelation) -> String {
    let word = reported.related.word();
    let colour = match word {
        "holds" => GREEN,
        "violated" => RED,
        _ => YELLOW,
    };
    format!("{colour}{word}{PLAIN}")
}

fn one(report: &RelationReport, reported: &ReportedRelation, text: &mut String) {
    let comparison = &reported.related.comparison;
    let RelationReport { left, right, .. } = report;
    let _ = writeln!(text, "{BOLD}{left}{PLAIN} {} {BOLD}{right}{PLAIN}: {}", comparison.relation, coloured(reported));
    let _ = writeln!(text, "  asked: {}", comparison.relation.meaning());
    if let Some(reason) = words::reason(reported) {
        let _ = writeln!(text, "  {reason}");
    }
    if let (Verdict::Violated(difference), None) = (&comparison.verdict, &reported.related.doubt) {
        for line in words::explanation(report, difference) {
            let _ = writeln!(text, "  {line}");
        }
    }
    let _ = writeln!(
        text,
        "  {} pairs, {} met again, {:.2} s",
        comparison.pairs,
        comparison.matched,
        reported.related.time.as_secs_f64()
    );
    for (side, Size { states, sets, transitions }) in [("left", comparison.left), ("right", comparison.right)] {
        let _ = writeln!(text, "  {side}: {states} states, {transitions} steps, {sets} sets");
    }
    run("left", &report.left, reported.related.left.as_ref(), reported.left_file.as_deref(), text);
    run("right", &report.right, reported.related.right.as_ref(), reported.right_file.as_deref(), text);
}

fn run(side: &str, model: &str, evidence: Option<&Evidence>, file: Option<&str>, text: &mut String) {
    let (Some(evidence), Some(file)) = (evidence, file) else { return };
    let steps = evidence.trace.steps.len();
    let _ = writeln!(text, "  run of the {side} side: {steps} steps, {file}");
    let _ = writeln!(text, "    isospin replay -p {} {}", quoted(model), quoted(file));
}

/// A line for each relation.
fn table(report: &RelationReport, text: &mut String) {
    let _ = writeln!(text, "{BOLD}{}{PLAIN} and {BOLD}{}{PLAIN}", report.left, report.right);
    let width = report.results.iter().map(|each| each.related.comparison.relation.name().len()).max().unwrap_or(0);
    for reported in &report.results {
        let comparison = &reported.related.comparison;
        let name = comparison.relation.name();
        let why = match (&comparison.verdict, words::reason(reported)) {
            (_, Some(reason)) => reason,
            (Verdict::Violated(difference), _) => {
                words::explanation(report, difference).first().cloned().unwrap_or_default()
            }
            _ => comparison.relation.meaning().to_string(),
        };
        let word = reported.related.word();
        let _ = writeln!(
            text,
            "  {name:width$}  {}{}  {why}",
            coloured(reported),
            " ".repeat(8_usize.saturating_sub(word.len()))
        );
    }
    if report.results.iter().any(|each| each.related.difference().is_some()) {
        let _ = writeln!(text, "  ask for one of them with --relation to see the runs that show a difference");
    }
}
