//! How the time of a transition grows with the number of processes, for symmetric groups.
//!
//! The goal is that it grows no faster than n log n. Searches end after so many states, so a row says nothing about verdicts, and
//! models may be as large as the language allows.

use std::fmt::Write as _;
use std::path::Path;

use super::{Run, table, timed};

const FAMILIES: &[&str] = &["star", "cache_coherence", "peterson", "email"];
const SIZES: &[u32] = &[6, 12, 25, 50, 100];
/// Stored states have many transitions each modulo symmetry, and about one without, where a search first goes deep.
const REDUCED: &str = "30000";
const UNREDUCED: &str = "500000";
const START: &str = "<!-- symmetry growth: start -->\n";
const END: &str = "<!-- symmetry growth: end -->";

/// One family of one size.
pub struct Growth {
    family: &'static str,
    /// Nanoseconds for each transition, where the search was long enough to tell.
    reduced: Option<f64>,
    unreduced: Option<f64>,
}

/// Measures all of them, with one worker.
pub fn measure(root: &Path) -> Result<Vec<Growth>, String> {
    println!("{:<20}{:>5}{:>14}{:>14}", "family", "N", "reduced, ns", "without, ns");
    let mut measured = Vec::new();
    for &family in FAMILIES {
        for &size in SIZES {
            let define = format!("N={size}");
            let run = |symmetry: &str, limit: &str| {
                let options = ["--workers", "1", "--symmetry", symmetry];
                timed(root, family, &[&define], &options, &["--max-states", limit])
            };
            let of = |run: Run| run.seconds_per_transition().map(|seconds| seconds * 1e9);
            let (reduced, unreduced) = (of(run("exact", REDUCED)?), of(run("off", UNREDUCED)?));
            println!("{family:<20}{size:>5}{:>14}{:>14}", shown(reduced), shown(unreduced));
            measured.push(Growth { family, reduced, unreduced });
        }
    }
    Ok(measured)
}

/// The page with the table between its marks.
pub fn inserted(page: &str, measured: &[Growth]) -> Result<String, String> {
    let mut text = String::from("| family |");
    for size in SIZES {
        let _ = write!(text, " N={size} |");
    }
    let _ = writeln!(text, "\n| --- |{}", " ---: |".repeat(SIZES.len()));
    for &family in FAMILIES {
        let _ = write!(text, "| {family} |");
        for of in measured.iter().filter(|of| of.family == family) {
            let _ = write!(text, " {} / {} |", shown(of.reduced), shown(of.unreduced));
        }
        text.push('\n');
    }
    table::between(page, START, END, &text)
}

fn shown(nanoseconds: Option<f64>) -> String {
    nanoseconds.map_or_else(|| "-".into(), |nanoseconds| format!("{nanoseconds:.0}"))
}
