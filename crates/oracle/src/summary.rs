//! The figures of a search in one line, so that SPIN's can be recorded, read again and compared with ours.
//!
//! ```text
//! states=12 transitions=14 atomic=3 depth=8 errors=2 1:invalidendstate@7
//! ```
//! SPIN prints an error whenever the message differs from that of the error before, with its number and depth; the same is done
//! with ours. White space in messages does not count.

use std::fmt;

use machine::enumerate::{Census, Mistake};
use machine::interpret::error::ErrorKind;

use crate::spin::SpinReport;

/// At most so many errors are kept.
const MOST_ERRORS: usize = 6;

/// The figures of a complete search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
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
    /// The first of them.
    pub first: Vec<SummaryError>,
}

/// An error that differs from the one before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SummaryError {
    /// Its number, from 1.
    pub number: u64,
    /// What it says, without white space.
    pub message: String,
    /// The depth given with it.
    pub depth: i64,
}

impl Summary {
    /// SPIN's figures.
    #[must_use]
    pub fn of_spin(report: &SpinReport) -> Summary {
        let first = report.found.iter().take(MOST_ERRORS).map(|error| SummaryError {
            number: error.number,
            message: squeeze(&error.message),
            depth: error.depth,
        });
        Summary {
            states: report.states,
            transitions: report.transitions,
            atomic_steps: report.atomic_steps,
            depth: report.depth,
            errors: report.errors,
            first: first.collect(),
        }
    }

    /// Our figures.
    #[must_use]
    pub fn of_census(census: &Census) -> Summary {
        let mut first: Vec<SummaryError> = Vec::new();
        for (number, finding) in (1..).zip(&census.found) {
            let message = spin_message(&finding.mistake);
            if first.last().is_none_or(|last| last.message != message) && first.len() < MOST_ERRORS {
                // SPIN reports events of a trace as one step deeper than other errors.
                let deeper = finding.mistake.kind() == Some(ErrorKind::TraceAssertion);
                first.push(SummaryError { number, message, depth: finding.depth + i64::from(deeper) });
            }
        }
        Summary {
            states: census.states,
            transitions: census.transitions,
            atomic_steps: census.atomic_steps,
            depth: census.depth as u64,
            errors: census.errors,
            first,
        }
    }

    /// Where ours differ from SPIN's.
    #[must_use]
    pub fn differences(&self, spin: &Summary) -> Vec<String> {
        let figures = [
            ("states", self.states, spin.states),
            ("transitions", self.transitions, spin.transitions),
            ("atomic steps", self.atomic_steps, spin.atomic_steps),
            ("depth", self.depth, spin.depth),
            ("errors", self.errors, spin.errors),
        ];
        let different = figures.iter().filter(|(_, ours, spins)| ours != spins);
        let mut lines: Vec<String> =
            different.map(|(name, ours, spins)| format!("{name}: {ours}, SPIN has {spins}")).collect();
        for number in 0..self.first.len().max(spin.first.len()) {
            let (ours, spins) = (self.first.get(number), spin.first.get(number));
            if !ours.zip(spins).is_some_and(|(ours, spins)| ours.agrees_with(spins)) {
                let shown = |error: Option<&SummaryError>| error.map_or("none".to_string(), ToString::to_string);
                lines.push(format!("error {}: {}, SPIN has {}", number + 1, shown(ours), shown(spins)));
                break;
            }
        }
        lines
    }

    /// Reads the line that `Display` writes.
    #[must_use]
    pub fn parse(line: &str) -> Option<Summary> {
        let mut summary = Summary::default();
        for word in line.split_whitespace() {
            match word.split_once('=') {
                Some(("states", value)) => summary.states = value.parse().ok()?,
                Some(("transitions", value)) => summary.transitions = value.parse().ok()?,
                Some(("atomic", value)) => summary.atomic_steps = value.parse().ok()?,
                Some(("depth", value)) => summary.depth = value.parse().ok()?,
                Some(("errors", value)) => summary.errors = value.parse().ok()?,
                _ => summary.first.push(SummaryError::parse(word)?),
            }
        }
        (summary.states > 0).then_some(summary)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { states, transitions, atomic_steps, depth, errors, first } = self;
        write!(f, "states={states} transitions={transitions} atomic={atomic_steps} depth={depth} errors={errors}")?;
        first.iter().try_for_each(|error| write!(f, " {error}"))
    }
}

impl SummaryError {
    /// Our messages are the beginnings of SPIN's.
    fn agrees_with(&self, spin: &SummaryError) -> bool {
        (self.number, self.depth) == (spin.number, spin.depth) && spin.message.starts_with(&self.message)
    }

    fn parse(word: &str) -> Option<SummaryError> {
        let (number, rest) = word.split_once(':')?;
        let (message, depth) = rest.rsplit_once('@')?;
        Some(SummaryError { number: number.parse().ok()?, message: message.to_string(), depth: depth.parse().ok()? })
    }
}

impl fmt::Display for SummaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}@{}", self.number, self.message, self.depth)
    }
}

/// Whether SPIN's verifier gives up after such a mistake, even when told to go on.
#[must_use]
pub fn is_fatal(mistake: &Mistake) -> bool {
    let fatal = [ErrorKind::TooMany, ErrorKind::BlockedInDStep, ErrorKind::RendezvousInDStep, ErrorKind::BadPriority];
    // So does a channel that is gone, but not one that never was.
    spin_message(mistake) == "badqueue" || mistake.kind().is_some_and(|kind| fatal.contains(&kind))
}

/// How SPIN's message for a mistake begins, without white space.
fn spin_message(mistake: &Mistake) -> String {
    let Mistake::Runtime(error) = mistake else { return "invalidendstate".to_string() };
    let text = match error.kind {
        ErrorKind::ArrayIndex => "assertion violated - invalid array index",
        ErrorKind::BadChannel if error.message.contains("does not exist") => "bad queue",
        ErrorKind::BadChannel => "ref to uninitialized chan name",
        ErrorKind::PollRendezvous if error.message.contains("copied") => "polling rv chan",
        ErrorKind::PollRendezvous => "error to poll rendezvous",
        ErrorKind::TooMany if error.message.contains("channels") => "too many queues",
        ErrorKind::TooMany => "too many processes",
        ErrorKind::BlockedInDStep if error.message.contains("selection") => "blocking sel in d_step",
        ErrorKind::BlockedInDStep => "block in d_step seq",
        ErrorKind::RendezvousInDStep => "rv-attempt in d_step",
        ErrorKind::Nondeterminism => "non-determinism in D_proctype",
        ErrorKind::MessageArity if error.message.contains("send") => "too few parameters in send",
        ErrorKind::MessageArity => "missing pars in receive",
        ErrorKind::BadPriority => "priority is out of range",
        ErrorKind::Assertion
        | ErrorKind::DivisionByZero
        | ErrorKind::EndlessDStep
        | ErrorKind::NoSuchProcess
        | ErrorKind::CircularQuestion
        | ErrorKind::ExclusiveEnd
        | ErrorKind::TraceAssertion
        | ErrorKind::Code => error.message.as_str(),
    };
    squeeze(text)
}

/// A text without its white space.
#[must_use]
pub fn squeeze(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::Summary;

    #[test]
    fn what_is_written_is_read_again() {
        let line =
            "states=12 transitions=14 atomic=3 depth=8 errors=2 1:assertionviolated(a[1]=='@')@7 2:invalidendstate@-1";
        let summary = Summary::parse(line).unwrap();
        assert_eq!(summary.first[0].depth, 7);
        assert_eq!(summary.to_string(), line);
    }
}
