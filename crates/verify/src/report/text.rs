//! The report for people: the verdict first, then counts, then the end of the counterexample, then what to do next.

use std::fmt::Write as _;

use num_bigint::BigUint;

use super::{Report, Reported, Warning, bug_lines, quoted, steps, tree, words};
use crate::verify::{Property, Search, Unreached, Verdict};

/// What of a report is printed.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// The last steps of a counterexample, so many.
    pub steps: usize,
    /// The first unreached statements, so many.
    pub unreached: usize,
    /// Characters that fit in a line.
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> TextOptions {
        TextOptions { steps: 12, unreached: 10, width: 120 }
    }
}

const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[1;31m";
const GREEN: &str = "\u{1b}[1;32m";
const YELLOW: &str = "\u{1b}[1;33m";
const PLAIN: &str = "\u{1b}[0m";

/// The report as text with colours, which the caller strips where they are not wanted.
#[must_use]
pub fn to_text(report: &Report, options: TextOptions) -> String {
    let mut text = String::new();
    for reported in &report.findings {
        verdict(&report.model, reported, &mut text);
        counts(reported, options, &mut text);
        for (index, content) in bug_lines(reported).iter().enumerate() {
            let start = if index == 0 { format!("{RED}bug in isospin{PLAIN}: ") } else { "  ".to_string() };
            line(&mut text, options, &format!("{start}{content}"));
        }
        for notice in &reported.finding.notices {
            line(&mut text, options, &format!("{YELLOW}note{PLAIN}: {}", words::notice(notice)));
        }
        unreached(&reported.finding.unreached, options, &mut text);
        if let Some(evidence) = &reported.finding.evidence {
            tree::to_text(evidence, &report.model, options.width, &mut text);
        }
        counterexample(report, reported, options, &mut text);
    }
    warnings(report, options, &mut text);
    let resources = &report.resources;
    let memory = megabytes(resources.peak_rss_bytes);
    line(&mut text, options, &format!("{} in all, {memory} of memory", seconds(resources.time.as_secs_f64())));
    text
}

/// Warnings that are told here; `isospin check` tells all, with the source.
const WARNINGS: usize = 3;

fn warnings(report: &Report, options: TextOptions, text: &mut String) {
    for Warning { message, file, line: number, .. } in report.warnings.iter().take(WARNINGS) {
        line(text, options, &format!("{YELLOW}warning{PLAIN}: {file}:{number}: {message}"));
    }
    if !report.warnings.is_empty() {
        let count = counted(report.warnings.len() as u64, "warning");
        let words: String =
            report.source_options.iter().filter(|word| *word != "--allow-c").map(|word| format!("{word} ")).collect();
        line(text, options, &format!("{count}: isospin check {words}{}", quoted_model(&report.model)));
    }
}

/// A model's path as it is given to another command.
fn quoted_model(model: &str) -> String {
    if model == "<stdin>" { "-".to_string() } else { quoted(model) }
}

/// A line below the verdict. What is longer than the width goes on in a line that stands further right.
fn line(text: &mut String, options: TextOptions, content: &str) {
    let start = 2 + content.len() - content.trim_start().len();
    let room = options.width.saturating_sub(start + GO_ON).max(16);
    let mut indent = start;
    for part in steps::wrapped(content.trim_start(), room) {
        let _ = writeln!(text, "{}{part}", " ".repeat(indent));
        indent = start + GO_ON;
    }
}

/// How far to the right a line goes on.
const GO_ON: usize = 4;

fn verdict(model: &str, reported: &Reported, text: &mut String) {
    let finding = &reported.finding;
    let property = &finding.property;
    // Writing to a string cannot fail.
    let _ = match (&finding.verdict, &finding.counterexample) {
        (Verdict::Holds, Some(trace)) if *property == Property::Goal => {
            writeln!(text, "{BOLD}{model}{PLAIN}: {property} {GREEN}reached{PLAIN}: {}", trace.end.message)
        }
        (Verdict::Violated, None) if *property == Property::Goal => {
            writeln!(text, "{BOLD}{model}{PLAIN}: {property} {RED}unreachable{PLAIN}: no run leads there")
        }
        (Verdict::Holds, _) => writeln!(text, "{BOLD}{model}{PLAIN}: {property} {GREEN}holds{PLAIN}"),
        (Verdict::Unknown(cause), _) => {
            let advice = format!("{}: {}", words::reason(cause), words::advice(cause));
            writeln!(text, "{BOLD}{model}{PLAIN}: {property} {YELLOW}unknown{PLAIN}, {advice}")
        }
        (Verdict::Violated, Some(trace)) => {
            let place = match (&trace.end.file, trace.end.line) {
                (Some(file), Some(line)) => format!(" at {file}:{line}"),
                _ => String::new(),
            };
            let what = &trace.end.message;
            writeln!(text, "{BOLD}{model}{PLAIN}: {property} {RED}violated{PLAIN}{place}: {what}")
        }
        (Verdict::Violated, None) => writeln!(text, "{BOLD}{model}{PLAIN}: {property} {RED}violated{PLAIN}"),
    };
}

fn counts(reported: &Reported, options: TextOptions, text: &mut String) {
    let finding = &reported.finding;
    let counts = &finding.counts;
    let errors = match finding.violations {
        0 => String::new(),
        1 => ", 1 error".to_string(),
        several => format!(", {} errors", grouped(several)),
    };
    // What is not stored is counted as often as it is met.
    let is_stored = finding.method.as_ref().is_none_or(|method| method.store.is_some());
    line(
        text,
        options,
        &format!(
            "{}{}, {} ({} matched), depth {}{errors}",
            counted(counts.states, "state"),
            if is_stored { "" } else { " visited, again and again" },
            counted(counts.transitions(), "transition"),
            grouped(counts.matched),
            grouped(counts.depth),
        ),
    );
    if let Some(usage) = &finding.symmetry {
        let order = grouped_digits(&usage.order.to_string());
        // An orbit with several representatives counts several times.
        let (most, exact) = if usage.exact { ("", "") } else { ("at most ", ", representatives not unique") };
        let exact = match usage.strategy_name() {
            "exact" => exact.to_string(),
            other => format!("{exact}, strategy {other}"),
        };
        // A search that ended early has not looked at all states that it stored.
        let is_known = |represented: &&BigUint| finding.complete || **represented > counts.states.into();
        match usage.represented.as_ref().filter(is_known) {
            None => line(text, options, &format!("symmetry group of order {order}{exact}")),
            Some(represented) => {
                let states = match represented.to_string().as_str() {
                    "1" => "1 state".to_string(),
                    digits => format!("{} states", grouped_digits(digits)),
                };
                let stay = if usage.ended_stay { ", with ended processes still there" } else { "" };
                line(
                    text,
                    options,
                    &format!("represents {most}{states}{stay}: symmetry group of order {order}{exact}"),
                );
            }
        }
        if let Some(audit) = &usage.audit {
            let outcome = if audit.failure.is_none() { "nothing changed" } else { "FAILED" };
            let checked = grouped(audit.states);
            line(text, options, &format!("audit: a random symmetry applied to each of {checked} states, {outcome}"));
        }
    }
    if let Some(audit) = &finding.checked {
        let outcome = if audit.failure.is_none() { "as declared" } else { "FAILED" };
        line(text, options, &format!("audit: what is read and written in {} states, {outcome}", grouped(audit.states)));
    }
    let time = counts.time.as_secs_f64();
    let rate = if time > 0.0 { counts.states as f64 / time } else { 0.0 };
    line(
        text,
        options,
        &format!(
            "{} ({} states/s), {} byte vectors in {:.1} bytes per state",
            seconds(time),
            grouped(rate as u64),
            counts.vector_bytes,
            counts.bytes_per_state(),
        ),
    );
    if let Some(method) = &finding.method {
        line(text, options, &words::method(method, &finding.reductions));
    }
    let course = finding.course.as_ref().and_then(|course| words::course(course, finding.counterexample.is_some()));
    if let Some(course) = course {
        line(text, options, &course);
    }
    if let Some(part) = &finding.certificate {
        let rate = part.size() as f64 / part.transitions.max(1) as f64;
        line(text, options, &format!("certificate of {} bytes, {rate:.2} a transition", grouped(part.size() as u64)));
    }
    if let Some(confirmed) = finding.confirmed {
        line(text, options, &format!("confirmed without reductions, {}", counted(confirmed.states, "state")));
    }
}

fn unreached(list: &[Unreached], options: TextOptions, text: &mut String) {
    let list: Vec<&Unreached> = list.iter().filter(|unreached| !unreached.is_end()).collect();
    let mut process = "";
    for unreached in list.iter().take(options.unreached) {
        if process != unreached.process {
            process = &unreached.process;
            line(text, options, &format!("never executed in {process}:"));
        }
        line(text, options, &format!("  {}:{}  {}", unreached.file, unreached.line, unreached.text));
    }
    if list.len() > options.unreached {
        line(text, options, &format!("  and {} statements more (--json lists all)", list.len() - options.unreached));
    }
}

fn counterexample(report: &Report, reported: &Reported, options: TextOptions, text: &mut String) {
    let Some(trace) = &reported.finding.counterexample else { return };
    // What the evidence of a formula about trees shows is not shown again.
    if reported.finding.evidence.is_none() {
        steps::table(trace, options.steps, options.width, text);
    }
    steps::stuck(trace, &report.sources, options.width, text);
    if !reported.finding.starved.is_empty() {
        let starved = reported.finding.starved.join(", ");
        line(text, options, &format!("starved on the cycle: {starved} (--fairness weak leaves out such runs)"));
    }
    let Some(file) = &reported.trace_file else { return };
    let length = match trace.steps.len() {
        1 => "1 step".to_string(),
        several => format!("{} steps", grouped(several as u64)),
    };
    line(text, options, &format!("{length} in {file}"));
    let sources = report.source_options.iter().map(|option| format!("{option} ")).collect::<String>();
    let model = quoted_model(&report.model);
    let file = quoted(file);
    let mut next = vec![("step by step:", format!("isospin replay -p -g -l {sources}{model} {file}"))];
    let depth_first = reported.finding.method.as_ref().is_some_and(|method| method.search == Search::DepthFirst);
    if depth_first && trace.steps.len() > SHORT {
        next.push(("a shortest one:", format!("isospin verify --shortest {sources}{model}")));
    }
    next.push(("with a chart:", format!("isospin verify --html run.html {sources}{model}")));
    for (index, (what, command)) in next.iter().enumerate() {
        // Commands are copied, so they are not broken.
        let _ = writeln!(text, "  {:<6}{what:<16}{command}", if index == 0 { "next" } else { "" });
    }
}

/// A counterexample that nobody needs shorter.
const SHORT: usize = 8;

/// `1 state`, `1,234 states`
pub(super) fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{} {what}s", grouped(number)),
    }
}

/// `1,234,567`
pub(super) fn grouped(number: u64) -> String {
    grouped_digits(&number.to_string())
}

pub(super) fn grouped_digits(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        below if below < 0.001 => "below 1 ms".to_string(),
        below if below < 1.0 => format!("{:.0} ms", below * 1000.0),
        below if below < 100.0 => format!("{below:.2} s"),
        _ => format!("{seconds:.0} s"),
    }
}

pub(super) fn megabytes(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        below if below < 10.0 => format!("{below:.1} MB"),
        below if below < 10_000.0 => format!("{below:.0} MB"),
        large => format!("{:.1} GB", large / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (44_789_520, "44,789,520")];
        cases.into_iter().for_each(|(number, text)| assert_eq!(grouped(number), text));
    }

    #[test]
    fn times_have_a_fitting_unit() {
        assert_eq!([0.0, 0.0123, 1.5, 250.4].map(seconds), ["below 1 ms", "12 ms", "1.50 s", "250 s"]);
    }
}
