//! What formatting changed, as a unified diff.
//!
//! A general diff has to search; this one need not. Formatting changes white space within lines and drops blank lines, so
//! walking through both texts side by side finds for every old line the new one.

use std::fmt::Write;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The unified diff between a text and its formatted form; empty if they are equal.
///
/// ```
/// use promela::format::unified_diff;
/// let diff = unified_diff("m.pml", "byte x=1;\nbyte y;\n", "byte x = 1;\nbyte y;\n");
/// assert_eq!(diff, "--- m.pml\n+++ m.pml\n@@ -1,2 +1,2 @@\n-byte x=1;\n+byte x = 1;\n byte y;\n");
/// ```
#[must_use]
pub fn unified_diff(path: &str, old: &str, new: &str) -> String {
    let steps = steps(old, new);
    let changed: Vec<usize> = (0..steps.len()).filter(|&at| !matches!(steps[at], Step::Keep(_))).collect();
    let mut diff = String::new();
    for group in changed.chunk_by(|one, two| two - one <= 2 * CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let from = first.saturating_sub(CONTEXT);
        let to = (last + CONTEXT + 1).min(steps.len());
        if diff.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(diff, "--- {path}\n+++ {path}\n");
        }
        push_hunk(&mut diff, &steps[..from], &steps[from..to]);
    }
    diff
}

/// A line, with its line break if it has one.
enum Step<'a> {
    Keep(&'a str),
    Remove(&'a str),
    Replace(&'a str, &'a str),
    Add(&'a str),
}

fn steps<'a>(old: &'a str, new: &'a str) -> Vec<Step<'a>> {
    let mut new_lines = new.split_inclusive('\n').peekable();
    let mut steps = Vec::new();
    for line in old.split_inclusive('\n') {
        steps.push(match new_lines.peek() {
            Some(&next) if line == next => Step::Keep(line),
            Some(&next) if !is_blank(line) || is_blank(next) => Step::Replace(line, next),
            _ => {
                steps.push(Step::Remove(line));
                continue;
            }
        });
        new_lines.next();
    }
    steps.extend(new_lines.map(Step::Add));
    steps
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn push_hunk(diff: &mut String, before: &[Step<'_>], hunk: &[Step<'_>]) {
    let old_lines = |steps: &[Step<'_>]| steps.iter().filter(|step| !matches!(step, Step::Add(_))).count();
    let new_lines = |steps: &[Step<'_>]| steps.iter().filter(|step| !matches!(step, Step::Remove(_))).count();
    let range = |before: usize, count: usize| match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    };
    let old_range = range(old_lines(before), old_lines(hunk));
    let new_range = range(new_lines(before), new_lines(hunk));
    let _ = writeln!(diff, "@@ -{old_range} +{new_range} @@");
    let is_change = |step: &Step<'_>| !matches!(step, Step::Keep(_));
    for run in hunk.chunk_by(|one, two| is_change(one) == is_change(two)) {
        for step in run {
            match step {
                Step::Keep(line) => push_line(diff, ' ', line),
                Step::Remove(line) | Step::Replace(line, _) => push_line(diff, '-', line),
                Step::Add(_) => {}
            }
        }
        for step in run {
            if let Step::Add(line) | Step::Replace(_, line) = step {
                push_line(diff, '+', line);
            }
        }
    }
}

fn push_line(diff: &mut String, sign: char, line: &str) {
    diff.push(sign);
    diff.push_str(line);
    if !line.ends_with('\n') {
        diff.push_str("\n\\ No newline at end of file\n");
    }
}
