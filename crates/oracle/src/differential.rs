//! One model through SPIN and through isospin.

use machine::enumerate::{End, enumerate};

use crate::spin::{Flags, Refusal, Verifier};
use crate::summary::Summary;
use crate::{compare, ours};

/// How a comparison ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// Everything is the same.
    Equal {
        /// So many states.
        states: u64,
        /// Whether there are errors.
        violated: bool,
    },
    /// Not comparable: both refuse the model, it is too large, or SPIN does not start.
    Skipped(String),
    /// These things differ.
    Different(Vec<String>),
}

/// What SPIN refuses without need: a jump to a place *before* a `d_step`, taken for one into it.
const ODD_REFUSALS: &[&str] =
    &["jump into d_step sequence", "infinite goto loop", "cycle of goto jumps", "confusing control structure"];

/// Compares figures, errors and automata. Searches with more than `states` states are left alone.
#[must_use]
pub fn check(text: &str, flags: &Flags, states: usize) -> Agreement {
    let machine = match ours::machine(text) {
        Ok(machine) => machine,
        Err(message) => {
            return match Verifier::build(text, flags).and_then(|verifier| verifier.run()) {
                Ok(_) => Agreement::Different(vec![format!("only we refuse it: {message}")]),
                Err(_) => Agreement::Skipped("refused by both".to_string()),
            };
        }
    };
    let census = match enumerate(&machine, ours::limits(states)) {
        Ok(census) => census,
        Err(error) => return Agreement::Skipped(format!("no initial state: {}", error.message)),
    };
    if !matches!(census.end, End::Complete | End::Stopped) {
        return Agreement::Skipped(format!("{:?}", census.end));
    }
    let verifier = match Verifier::build(text, flags) {
        Ok(verifier) => verifier,
        Err(Refusal::Rejected(message)) => {
            if let Some(oddity) = ODD_REFUSALS.iter().find(|oddity| message.contains(**oddity)) {
                return Agreement::Skipped(format!("SPIN refuses it: {oddity}"));
            }
            let first = message.lines().find(|line| line.contains("rror")).unwrap_or_default();
            return Agreement::Different(vec![format!("only SPIN refuses it: {first}")]);
        }
        Err(refusal) => return Agreement::Skipped(refusal.to_string()),
    };
    let (report, automata) = match verifier.run().and_then(|report| Ok((report, verifier.automata()?))) {
        Ok(answer) => answer,
        Err(refusal) => return Agreement::Skipped(refusal.to_string()),
    };
    if report.truncated {
        return Agreement::Skipped("SPIN's search is not complete".to_string());
    }
    let mut differences = Summary::of_census(&census).differences(&Summary::of_spin(&report));
    differences.extend(compare::automata(&machine, &automata));
    match differences.is_empty() {
        true => Agreement::Equal { states: census.states, violated: census.errors > 0 },
        false => Agreement::Different(differences),
    }
}
