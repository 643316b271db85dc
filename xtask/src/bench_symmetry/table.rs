//! The measurements as lines on a terminal, as CSV, and as a table in `docs/benchmarks.md`.

use std::fmt::Write as _;

use super::Measurement;
use super::rows::Unreduced;

const START: &str = "<!-- symmetry: start -->\n";
const END: &str = "<!-- symmetry: end -->";

/// What the columns of [`line()`] are.
pub fn heading() -> String {
    format!(
        "{:<20}{:<16}{:>12}{:>26}{:>9}{:>9}{:>8}{:>8}{:>7}{:>17}",
        "family", "size", "stored", "represented", "seconds", "cpu", "us/tr", "us/unr", "ratio", "bytes"
    )
}

/// One measurement.
pub fn line(of: &Measurement) -> String {
    let microseconds = |run: &super::Run| run.search_cpu / run.transitions.max(1) as f64 * 1e6;
    format!(
        "{:<20}{:<16}{:>12}{:>26}{:>9.2}{:>9.2}{:>8.2}{:>8.2}{:>7}{:>7.1}/{:.1}/{:.1}",
        of.row.family,
        of.row.size,
        of.reduced.states,
        of.represented,
        of.reduced.seconds,
        of.reduced.search_cpu,
        microseconds(&of.reduced),
        microseconds(&of.unreduced),
        of.cost_ratio().map_or_else(|| "-".into(), |ratio| format!("{ratio:.1}")),
        of.reduced.bytes_per_state,
        of.equal_bytes,
        of.unreduced.bytes_per_state,
    )
}

/// All of them, a line each.
pub fn csv(measurements: &[Measurement]) -> String {
    let mut text = String::from(
        "family,size,order,orbits,orbits_known,represented,transitions,seconds,detection_seconds,cpu_seconds,\
         unreduced_states,unreduced_complete,unreduced_cpu_seconds,cost_ratio,bytes_per_state,\
         equal_bytes_per_state,unreduced_bytes_per_state,topspin_seconds\n",
    );
    for of in measurements {
        let optional = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.2}"));
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{:.3},{:.3},{:.2},{},{},{:.2},{},{:.1},{:.1},{:.1},{}",
            of.row.family,
            of.row.size,
            of.order,
            of.reduced.states,
            of.row.orbits.map_or_else(String::new, |orbits| orbits.to_string()),
            of.represented,
            of.reduced.transitions,
            of.reduced.seconds,
            of.reduced.detection,
            of.reduced.search_cpu,
            of.unreduced.states,
            of.unreduced.complete,
            of.unreduced.search_cpu,
            optional(of.cost_ratio()),
            of.reduced.bytes_per_state,
            of.equal_bytes,
            of.unreduced.bytes_per_state,
            optional(of.row.topspin),
        );
    }
    text
}

/// The page with the table between its marks.
pub fn inserted(page: &str, measurements: &[Measurement]) -> Result<String, String> {
    between(page, START, END, &markdown(measurements))
}

/// The page with a text between two marks.
pub fn between(page: &str, start: &str, end: &str, text: &str) -> Result<String, String> {
    let missing = || "docs/benchmarks.md has no place for the table".to_string();
    let from = page.find(start).ok_or_else(missing)? + start.len();
    let to = page[from..].find(end).ok_or_else(missing)? + from;
    Ok(format!("{}{text}{}", &page[..from], &page[to..]))
}

fn markdown(measurements: &[Measurement]) -> String {
    let mut text = String::from(
        "| family | size | group order | states represented | orbits stored | seconds | TopSPIN 2007 | time of a transition | bytes of a state |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for of in measurements {
        let confirmed = if of.row.unreduced == Unreduced::Whole { "" } else { "\\*" };
        let known = if of.row.orbits.is_some() { " =" } else { "" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}{confirmed} | {}{known} | {:.2} | {} | {} | {:.1} / {:.1} / {:.1} |",
            of.row.family,
            of.row.size,
            rounded(&of.order),
            rounded(&of.represented),
            grouped(&of.reduced.states.to_string()),
            of.reduced.seconds,
            of.row.topspin.map_or_else(|| "-".into(), grouped_seconds),
            of.cost_ratio().map_or_else(|| "-".into(), |ratio| format!("{ratio:.1} ×")),
            of.reduced.bytes_per_state,
            of.equal_bytes,
            of.unreduced.bytes_per_state,
        );
    }
    text
}

fn grouped_seconds(seconds: f64) -> String {
    if seconds < 10.0 { seconds.to_string() } else { grouped(&format!("{seconds:.0}")) }
}

/// `1,234,567`
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Long numbers by their first digits: `1.27e89`.
fn rounded(digits: &str) -> String {
    if digits.len() <= 18 {
        return grouped(digits);
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}
