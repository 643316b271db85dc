//! The report that SPIN's verifier prints.

/// What SPIN's verifier found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpinReport {
    /// States stored.
    pub states: u64,
    /// Transitions: states stored plus states met again.
    pub transitions: u64,
    /// Steps inside `atomic` sequences.
    pub atomic_steps: u64,
    /// The longest path.
    pub depth: u64,
    /// How many errors.
    pub errors: u64,
    /// Those that were printed: one whenever the message changes.
    pub found: Vec<SpinError>,
    /// Statements that were not reached.
    pub unreached: Vec<Unreached>,
    /// Some path was longer than allowed, so the search is not complete.
    pub truncated: bool,
    /// An error ended the search.
    pub stopped: bool,
}

/// An error that was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpinError {
    /// Which error it is, counted from 1.
    pub number: u64,
    /// What it says.
    pub message: String,
    /// The depth given with it.
    pub depth: i64,
}

/// A statement that was not reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// The process definition.
    pub process: String,
    /// The number of its control state.
    pub state: u32,
}

impl SpinReport {
    /// Reads a report; `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<SpinReport> {
        let mut report = SpinReport::default();
        let mut process = String::new();
        let mut complete = false;
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(error) = error(line) {
                report.found.push(error);
            } else if let ["State-vector", _, "byte,", "depth", "reached", depth, "errors:", errors] = words[..] {
                report.depth = depth.trim_end_matches(',').parse().ok()?;
                report.errors = errors.parse().ok()?;
                complete = true;
            } else if let [count, "states,", "stored"] = words[..] {
                report.states = number(count)?;
            } else if let [count, "transitions", ..] = words[..] {
                report.transitions = number(count)?;
            } else if let [count, "atomic", "steps"] = words[..] {
                report.atomic_steps = number(count)?;
            } else if line.starts_with("error: max search depth too small") {
                report.truncated = true;
            } else if line.starts_with("Warning: Search not completed") {
                report.stopped = true;
            } else if let Some(rest) = line.strip_prefix("unreached in ") {
                process = rest.strip_prefix("proctype ").unwrap_or(rest).to_string();
            } else if let Some((_, rest)) = line.split_once(", state ")
                && line.starts_with('\t')
            {
                let state = rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()?;
                report.unreached.push(Unreached { process: process.clone(), state });
            }
        }
        complete.then_some(report)
    }
}

fn error(line: &str) -> Option<SpinError> {
    let (number, rest) = line.strip_prefix("pan:")?.split_once(": ")?;
    let (message, depth) = rest.rsplit_once(" (at depth ")?;
    Some(SpinError {
        number: number.parse().ok()?,
        message: message.to_string(),
        depth: depth.strip_suffix(')')?.parse().ok()?,
    })
}

/// Large numbers are printed in floating point.
fn number(text: &str) -> Option<u64> {
    text.parse::<f64>().ok().map(|value| value as u64)
}

#[cfg(test)]
mod tests {
    use super::SpinReport;

    #[test]
    fn a_report_is_read() {
        let text = "pan:1: assertion violated (x==2) (at depth 5)\n\nState-vector 28 byte, depth reached 16, errors: 4\n\
                    \x20      18 states, stored\n        9 states, matched\n       27 transitions (= stored+matched)\n\
                    \x20       3 atomic steps\nunreached in proctype P\n\tm.pml:2, state 8, \"x = 1\"\n\t(1 of 12 states)\n";
        let report = SpinReport::parse(text).unwrap();
        assert_eq!((report.states, report.transitions, report.atomic_steps), (18, 27, 3));
        assert_eq!((report.depth, report.errors), (16, 4));
        assert_eq!((report.found[0].message.as_str(), report.found[0].depth), ("assertion violated (x==2)", 5));
        assert_eq!((report.unreached[0].process.as_str(), report.unreached[0].state), ("P", 8));
        assert_eq!(SpinReport::parse("error: ..."), None);
    }
}
