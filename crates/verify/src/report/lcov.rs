//! Coverage as LCOV's trace files have it, which editors and build servers show beside the source.
//!
//! A search executes a statement or does not; how often depends on the order of the search. So the counts are 1 and 0.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Attempt, Report};

/// What of one file was executed.
#[derive(Default)]
struct File {
    lines: BTreeMap<u32, bool>,
    /// By line, report, selection and option.
    branches: BTreeMap<(u32, usize, u32, u32), bool>,
}

/// What the searches for safety have executed; `None` if there was no such search.
#[must_use]
pub fn to_lcov(attempts: &[Attempt]) -> Option<String> {
    let mut files: BTreeMap<&str, File> = BTreeMap::new();
    let mut is_known = false;
    for (number, attempt) in attempts.iter().enumerate() {
        if let Attempt::Verified(report) = attempt {
            is_known |= add(report, number, &mut files);
        }
    }
    is_known.then(|| files.iter().map(|(name, file)| record(name, file)).collect())
}

fn add<'r>(report: &'r Report, number: usize, files: &mut BTreeMap<&'r str, File>) -> bool {
    let mut is_known = false;
    for covered in report.findings.iter().filter_map(|each| each.finding.covered.as_ref()) {
        is_known = true;
        for each in &covered.statements {
            *files.entry(&each.file).or_default().lines.entry(each.line).or_default() |= each.executed;
        }
        for each in &covered.options {
            let key = (each.line, number, each.selection, each.option);
            *files.entry(&each.file).or_default().branches.entry(key).or_default() |= each.taken;
        }
    }
    is_known
}

fn record(name: &str, file: &File) -> String {
    let mut text = format!("TN:isospin\nSF:{name}\n");
    let mut blocks: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    // Writing to a string cannot fail.
    for (&(line, report, selection, option), &taken) in &file.branches {
        let next = blocks.len();
        let block = *blocks.entry((report, selection)).or_insert(next);
        let _ = writeln!(text, "BRDA:{line},{block},{option},{}", u8::from(taken));
    }
    let taken = file.branches.values().filter(|taken| **taken).count();
    let _ = writeln!(text, "BRF:{}\nBRH:{taken}", file.branches.len());
    for (line, &executed) in &file.lines {
        let _ = writeln!(text, "DA:{line},{}", u8::from(executed));
    }
    let executed = file.lines.values().filter(|executed| **executed).count();
    let _ = writeln!(text, "LF:{}\nLH:{executed}\nend_of_record", file.lines.len());
    text
}
