//! A counterexample on a terminal: who did what on which line, and what it changed.
//!
//! ```text
//!   step  process  line  statement     changes
//!     31  P(1)        7  q!id          q: [] → [1]
//! ```
//! Columns take the room that they need. What does not fit into the width stands in lines of its own; nothing is left out.

use std::fmt::Write as _;

use machine::show::Change;
use machine::trace::{EndKind, Part, Trace, TraceStep};

use super::SourceText;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[1;31m";
const PLAIN: &str = "\u{1b}[0m";

/// A column is never wider than this: one long statement would push the rest of every row away.
const WIDEST_STATEMENT: usize = 36;
/// Rows narrower than this have no room for changes beside the statement.
const NARROW: usize = 72;
/// What stands left of everything.
const INDENT: usize = 2;

/// One process' part of a step, ready to be set.
pub(super) struct Row {
    pub number: String,
    pub process: String,
    pub place: String,
    pub statement: String,
    pub changes: Vec<String>,
    failed: bool,
}

/// The widths of the columns.
struct Columns {
    number: usize,
    process: usize,
    place: usize,
    statement: usize,
    width: usize,
}

/// The last steps of a trace as a table no wider than `width`.
pub(super) fn table(trace: &Trace, count: usize, width: usize, text: &mut String) {
    let skipped = trace.steps.len().saturating_sub(count);
    if skipped > 0 {
        let _ = writeln!(text, "  {DIM}the last {count} of {} steps{PLAIN}", trace.steps.len());
    }
    let cycle_start = trace.cycle_start.and_then(|start| start.checked_sub(skipped));
    rows_of(&trace.steps[skipped..], cycle_start, &trace.origin.model, width, text);
}

/// Steps of a run of a model, those from an index on for ever, as a table no wider than `width`.
pub(super) fn rows_of(steps: &[TraceStep], cycle_start: Option<usize>, model: &str, width: usize, text: &mut String) {
    let one_file = steps.iter().all(|step| step.part.place.file == model);
    let rows: Vec<(usize, Vec<Row>)> =
        steps.iter().enumerate().map(|(index, step)| (index, rows(step, one_file))).collect();
    let columns = Columns::fitting(rows.iter().flat_map(|(_, rows)| rows), width);
    if !rows.is_empty() {
        columns.head(one_file, text);
    }
    for (index, rows) in &rows {
        if cycle_start == Some(*index) {
            cycle_starts(text);
        }
        rows.iter().for_each(|row| columns.row(row, text));
    }
    if cycle_start == Some(steps.len()) {
        cycle_starts(text);
    }
}

fn cycle_starts(text: &mut String) {
    let _ = writeln!(text, "  {BOLD}from here on, these steps for ever:{PLAIN}");
}

/// Where processes wait that may not rest there, and for what.
pub(super) fn stuck(trace: &Trace, sources: &[SourceText], width: usize, text: &mut String) {
    if trace.end.kind != EndKind::InvalidEndState {
        return;
    }
    for process in trace.last.processes.iter().filter(|process| !process.valid_end) {
        let place = &process.place;
        let line = source_line(sources, &place.file, place.line);
        let line = line.map_or_else(String::new, |line| format!(": {line}"));
        let content = format!("{}({}) waits at {place}{line}", process.process, process.pid);
        let _ = writeln!(text, "  {}", cut(&content, width.saturating_sub(INDENT)));
        let waiting = trace.waiting.iter().find(|waiting| waiting.pid == process.pid);
        for obstacle in waiting.into_iter().flat_map(|waiting| &waiting.obstacles) {
            let _ = writeln!(text, "    {}", cut(&obstacle.to_string(), width.saturating_sub(2 * INDENT)));
        }
    }
}

/// The text of a line, without the blanks around it.
fn source_line<'a>(sources: &'a [SourceText], file: &str, line: u32) -> Option<&'a str> {
    let source = sources.iter().find(|source| source.file == file)?;
    let text = source.text.lines().nth((line as usize).checked_sub(1)?)?.trim();
    (!text.is_empty()).then_some(text)
}

/// The parts of a step; if all is in one file, its name is left out.
pub(super) fn rows(step: &TraceStep, one_file: bool) -> Vec<Row> {
    let mut rows: Vec<Row> =
        std::iter::once(&step.part).chain(&step.partner).map(|part| row(step.number, part, one_file)).collect();
    if let Some(second) = rows.get_mut(1) {
        second.number.clear();
    }
    rows[0].failed = step.error.is_some();
    let last = rows.last_mut().expect("a step has at least one part");
    if step.timeout {
        last.changes.push("timeout".into());
    }
    let own: Vec<String> = std::iter::once(&step.part)
        .chain(&step.partner)
        .map(|part| format!("{}({}):", part.process, part.pid))
        .collect();
    last.changes.extend(step.changes.iter().map(|change| changed(change, &own)));
    last.changes.extend(step.created.iter().map(|birth| format!("starts {}({})", birth.process, birth.pid)));
    if !step.output.trim().is_empty() {
        last.changes.push(format!("prints \u{201c}{}\u{201d}", visible(step.output.trim_end())));
    }
    rows
}

fn row(number: u32, part: &Part, one_file: bool) -> Row {
    Row {
        number: number.to_string(),
        process: format!("{}({})", part.process, part.pid),
        place: match (part.place.line, one_file) {
            (0, _) => String::new(),
            (line, true) => line.to_string(),
            (_, false) => part.place.to_string(),
        },
        statement: if part.is_end() { "ends".into() } else { visible(part.written()) },
        changes: Vec::new(),
        failed: false,
    }
}

/// `x: 1 → 2`; the process' own variables without its name.
fn changed(change: &Change, own: &[String]) -> String {
    let name = own.iter().find_map(|prefix| change.name.strip_prefix(prefix.as_str())).unwrap_or(&change.name);
    format!("{name}: {} \u{2192} {}", change.old, change.new)
}

/// Text in one line, without characters that would steer a terminal.
fn visible(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

impl Columns {
    fn fitting<'r>(rows: impl Iterator<Item = &'r Row> + Clone, width: usize) -> Columns {
        let widest = |cell: fn(&Row) -> &str, head: &str| {
            rows.clone().map(|row| length(cell(row))).max().unwrap_or(0).max(length(head))
        };
        Columns {
            number: widest(|row| &row.number, "step"),
            process: widest(|row| &row.process, "process"),
            place: widest(|row| &row.place, "line"),
            statement: widest(|row| &row.statement, "statement").min(WIDEST_STATEMENT),
            width,
        }
    }

    /// Where changes begin.
    fn changes_at(&self) -> usize {
        INDENT + self.number + 2 + self.process + 2 + self.place + 2 + self.statement + 2
    }

    /// Where changes begin when they stand in lines of their own.
    fn below(&self) -> usize {
        (INDENT + self.number + 4).min(self.width / 4)
    }

    fn is_narrow(&self) -> bool {
        self.width < NARROW || self.changes_at() + 24 > self.width
    }

    fn head(&self, one_file: bool, text: &mut String) {
        let changes = if self.is_narrow() { "" } else { "  changes" };
        let line =
            if one_file { format!("{:>1$}", "line", self.place) } else { format!("{:<1$}", "place", self.place) };
        let content = format!(
            "{:>3$}  {:<4$}  {line}  {:<5$}{changes}",
            "step", "process", "statement", self.number, self.process, self.statement
        );
        let _ = writeln!(text, "  {DIM}{}{PLAIN}", cut(content.trim_end(), self.width.saturating_sub(INDENT)));
    }

    fn row(&self, row: &Row, text: &mut String) {
        let place = match row.place.bytes().all(|byte| byte.is_ascii_digit()) {
            true => format!("{:>1$}", row.place, self.place),
            false => format!("{:<1$}", row.place, self.place),
        };
        let start = format!("{:>1$}  {2:<3$}  {place}  ", row.number, self.number, row.process, self.process);
        let room = self.width.saturating_sub(INDENT + length(&start));
        let statement = &row.statement;
        let (on, off) = if row.failed { (RED, PLAIN) } else { ("", "") };
        let fits = length(statement) <= room;
        if fits {
            let _ = write!(text, "  {start}{on}{statement}{off}");
        } else {
            let _ = write!(text, "  {}", start.trim_end());
            for line in wrapped(statement, self.width.saturating_sub(self.below()).max(8)) {
                let _ = write!(text, "\n{}{on}{line}{off}", " ".repeat(self.below()));
            }
        }
        let changes = row.changes.join(", ");
        if changes.is_empty() {
            text.push('\n');
            return;
        }
        let beside = fits && !self.is_narrow() && length(statement) <= self.statement;
        let at = if beside { self.changes_at() } else { self.below() };
        let lines = wrapped(&changes, self.width.saturating_sub(at).max(16));
        let mut first = beside;
        if beside {
            text.push_str(&" ".repeat(self.statement - length(statement) + 2));
        } else {
            text.push('\n');
        }
        for line in lines {
            let indent = if first { 0 } else { at };
            let _ = writeln!(text, "{}{line}", " ".repeat(indent));
            first = false;
        }
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// The beginning of a text that is too long, and a sign that it goes on.
fn cut(text: &str, room: usize) -> String {
    if length(text) <= room {
        return text.to_string();
    }
    text.chars().take(room.saturating_sub(1)).chain(['\u{2026}']).collect()
}

/// Breaks a text at blanks into lines of at most `room` characters, and inside of a word only where that is longer.
pub(super) fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && length(&line) + 1 + length(word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        while length(&line) > room {
            let rest: String = line.chars().skip(room).collect();
            lines.push(line.chars().take(room).collect());
            line = rest;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_the_room() {
        let text = "queue: [] \u{2192} [1,2], averyveryverylongname[12]: 3 \u{2192} 4";
        for room in 8..60 {
            let lines = wrapped(text, room);
            assert!(lines.iter().all(|line| length(line) <= room), "{room}: {lines:?}");
            let without_blanks = |text: &str| text.replace(' ', "");
            assert_eq!(without_blanks(&lines.concat()), without_blanks(text), "{room}");
        }
    }

    #[test]
    fn a_statement_without_room_stands_below_and_is_whole() {
        let row = Row {
            number: "14".into(),
            process: "Device(1)".into(),
            place: "39".into(),
            statement: "assert(((used<=2)&&(locked==1)))".into(),
            changes: vec!["used: 1 \u{2192} 2".into()],
            failed: false,
        };
        for width in 20..130 {
            let mut text = String::new();
            Columns::fitting([&row].into_iter(), width).row(&row, &mut text);
            assert!(text.lines().all(|line| length(line) <= width.max(28)), "{width}: {text}");
            let without_blanks: String = text.split_whitespace().collect();
            assert_eq!(
                without_blanks, "14Device(1)39assert(((used<=2)&&(locked==1)))used:1\u{2192}2",
                "{width}: {text}"
            );
        }
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("abcdef", 4), "abc\u{2026}");
        assert_eq!(cut("abcd", 4), "abcd");
    }
}
