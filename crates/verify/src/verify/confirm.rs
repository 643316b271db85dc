//! Small searches confirm themselves.
//!
//! A reduction that leaves out too much turns a violation into "holds", and nothing in the reduced search can notice it. So a reduced search that
//! says "holds" and took little is repeated without reductions, in about the same time again. If that search comes to its end it either says the
//! same, or it finds a violation, which is then the result. The reductions at fault are found by trying each alone, then all pairs and triples.
//!
//! A search that does not come to its end in time says nothing about the other.

use std::time::{Duration, Instant};

use super::engine::Refusal;
use super::options::{Confirm, Limits, Options, Reduction};
use super::{Finding, Job, Verdict};

/// A search that took longer than this is not small: without reductions it would not be done in time.
const SMALL: Duration = Duration::from_millis(250);
/// The least time that a search without reductions is given: nobody notices it.
const LEAST: Duration = Duration::from_millis(20);
/// The most.
const MOST: Duration = Duration::from_millis(50);
/// How long each search for the reductions at fault may take.
const INQUIRY: Duration = Duration::from_secs(2);

/// A search without reductions that says what the reduced one says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The states that it stored.
    pub states: u64,
}

/// A reduced search that said "holds" of what is violated: a mistake of isospin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The reductions that it used.
    pub used: Vec<Reduction>,
    /// A smallest set of them that says "holds"; empty if that could not be found out.
    pub at_fault: Vec<Reduction>,
    /// The states that it stored.
    pub states: u64,
}

/// A search of one property.
pub(super) type Search<'a> = &'a dyn Fn(&Options) -> Result<Finding, Refusal>;

/// Searches as the options say, and once more without reductions if there is reason to.
pub(super) fn search(job: &Job, options: &Options, search: Search<'_>) -> Result<Finding, Refusal> {
    let start = Instant::now();
    let finding = try_out(job, options, search)?;
    let Some(budget) = budget(options, &finding, start.elapsed()) else { return Ok(finding) };
    // What the plain search cannot do is no reason to doubt what the other one did.
    let Ok(plain) = try_out(job, &within(options, &[], budget), search) else { return Ok(finding) };
    match plain.verdict {
        Verdict::Holds => {
            let confirmed = Some(Confirmed { states: plain.counts.states });
            // What was executed without reductions is known for sure.
            Ok(Finding { confirmed, unreached: plain.unreached, covered: plain.covered, ..finding })
        }
        Verdict::Unknown(_) if !plain.met_error => Ok(finding),
        // An error that the reduced search did not meet is as much of a contradiction.
        Verdict::Unknown(_) | Verdict::Violated => {
            let at_fault = at_fault(job, options, &finding.reductions, search);
            let contradiction = Contradiction { used: finding.reductions, at_fault, states: finding.counts.states };
            Ok(Finding { contradiction: Some(contradiction), ..plain })
        }
    }
}

/// How long the search without reductions may take, if it is to be made.
fn budget(options: &Options, finding: &Finding, taken: Duration) -> Option<Duration> {
    let saved = options.checkpoints.is_some() || options.resume.is_some();
    if finding.verdict != Verdict::Holds || finding.reductions.is_empty() || saved {
        return None;
    }
    let budget = match options.confirm {
        Confirm::Off => return None,
        Confirm::Auto if taken > SMALL => return None,
        Confirm::Auto => taken.clamp(LEAST, MOST),
        Confirm::Within(time) => time,
    };
    let left = options.limits.time.map_or(budget, |time| time.saturating_sub(taken));
    Some(budget.min(left))
}

/// The options of a search with these reductions only.
fn within(options: &Options, reductions: &[Reduction], time: Duration) -> Options {
    let limits = Limits { time: Some(time), ..options.limits.clone() };
    Options { limits, ..options.reduced_by(reductions) }
}

/// A smallest set of reductions with which a search says "holds" of what is violated.
fn at_fault(job: &Job, options: &Options, used: &[Reduction], search: Search<'_>) -> Vec<Reduction> {
    let mut sets: Vec<Vec<Reduction>> = (1..1_usize << used.len())
        .map(|set| (0..used.len()).filter(|index| set >> index & 1 == 1).map(|index| used[index]).collect())
        .collect();
    sets.sort_by_key(Vec::len);
    let says_holds = |set: &Vec<Reduction>| {
        let found = try_out(job, &within(options, set, INQUIRY), search);
        found.is_ok_and(|found| found.verdict == Verdict::Holds)
    };
    sets.into_iter().find(says_holds).unwrap_or_default()
}

fn try_out(job: &Job, options: &Options, search: Search<'_>) -> Result<Finding, Refusal> {
    job.progress.restart();
    let finding = search(options)?;
    match job.planted_fault {
        Some(fault) if finding.reductions.contains(&fault) => Ok(without_violation(finding)),
        _ => Ok(finding),
    }
}

/// What a search would have said that missed the violation.
fn without_violation(finding: Finding) -> Finding {
    let verdict = match finding.verdict {
        Verdict::Violated => Verdict::Holds,
        other => other,
    };
    Finding { verdict, counterexample: None, evidence: None, violations: 0, ..finding }
}
