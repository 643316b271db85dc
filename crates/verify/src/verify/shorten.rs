//! A shorter run to a violation that is known.
//!
//! A run that was found depth first may have thousands of steps. A search for the same violation, with the same line at fault, that is bounded by
//! the length of that run and by an effort finds a shorter one, or shows that there is none. It is the search of `--shortest`: by A* or breadth
//! first, without the reductions that do not keep lengths.

use std::sync::Arc;
use std::time::Duration;

use explore::Progress;
use machine::trace::{EndKind, Trace};

use super::engine::Refusal;
use super::options::{Confirm, HiddenVariables, Limits, Options, Order, Store, Switch};
use super::sought::Violation;
use super::{AfterViolation, Cause, Errors, Finding, Job, Optimal, Properties, Property, Verdict, safety};

/// What is done to find a shorter run than the one that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shortening {
    /// Nothing. The default of the library, so that a test of an order sees what the order finds.
    #[default]
    Off,
    /// A search with this effort.
    Within(Effort),
}

/// What a search for a shorter run may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// States that it may store; as many as it likes if none.
    pub states: Option<u64>,
    /// Its time.
    pub time: Duration,
    /// Its memory.
    pub memory: u64,
}

impl Effort {
    /// What nobody notices: the default of the command line.
    pub const SMALL: Effort = Effort { states: Some(100_000), time: Duration::from_secs(1), memory: 256 << 20 };
}

/// What became of a run.
#[derive(Clone, Debug)]
pub struct Shortened {
    /// A shorter run, if one was found.
    pub trace: Option<Trace>,
    /// Whether the run, or the shorter one, is known to be a shortest one.
    pub optimal: Optimal,
    /// The search.
    pub finding: Finding,
}

/// A run that nobody needs shorter.
const SHORT: usize = 8;

/// Looks for a shorter run to the violation that a trace ends in.
///
/// # Errors
/// When there is none to look for.
pub fn shorten(job: &Job, trace: &Trace, options: &Options, effort: Effort) -> Result<Shortened, Refusal> {
    let violation = violation_of(trace)?;
    let job = Job { progress: Arc::new(Progress::new()), ..job.clone() };
    let most = transitions(trace);
    let limits = Limits {
        depth: Some(most),
        states: effort.states,
        time: Some(options.limits.time.map_or(effort.time, |time| time.min(effort.time))),
        memory: effort.memory.min(options.limits.memory),
    };
    let bounded = Options {
        properties: Properties::Safety,
        order: Order::Shortest,
        store: Store::Tree,
        errors: Errors::First,
        after_violation: AfterViolation::GoOn,
        limits,
        partial_order: Switch::Off,
        merging: Switch::Off,
        audit: Switch::Off,
        seed: None,
        swarm: None,
        checkpoints: None,
        resume: None,
        confirm: Confirm::Off,
        shortening: Shortening::Off,
        ..options.clone()
    };
    let mut finding = safety::verify_only(&job, &bounded, Some(&violation))?;
    let found = finding.counterexample.take();
    let has_fewer = found.as_ref().is_some_and(|found| transitions(found) < most);
    let shorter = found.filter(|found| is_shorter(found, trace));
    let optimal = match (&finding.verdict, finding.course.as_ref().map(|course| course.optimal)) {
        (Verdict::Violated, Some(Optimal::Proved)) => Optimal::Proved,
        // Everything that is nearer was looked at.
        (Verdict::Holds | Verdict::Unknown(Cause::Depth { .. }), _) if keeps_lengths(&finding, &bounded) => {
            Optimal::Proved
        }
        _ => Optimal::No,
    };
    // What has fewer transitions may have more steps, and is not preferred then.
    let optimal = if shorter.is_none() && has_fewer { Optimal::No } else { optimal };
    Ok(Shortened { trace: shorter, optimal, finding })
}

/// The finding with a shorter run, if that is wanted and one is found with little effort.
pub(super) fn shortened(job: &Job, options: &Options, finding: Finding) -> Finding {
    let Shortening::Within(effort) = options.shortening else { return finding };
    let is_proved = finding.course.as_ref().is_some_and(|course| course.optimal == Optimal::Proved);
    let Some(trace) = finding.counterexample.as_ref().filter(|trace| trace.steps.len() > SHORT && !is_proved) else {
        return finding;
    };
    if finding.verdict != Verdict::Violated || finding.property != Property::Safety {
        return finding;
    }
    // What a bounded search cannot do is no reason to keep a run back.
    let Ok(found) = shorten(job, trace, &options.since_used(finding.counts.time), effort) else { return finding };
    let length = trace.steps.len();
    let mut finding = finding;
    if let Some(course) = &mut finding.course {
        course.optimal = found.optimal;
        course.shortened_from = found.trace.as_ref().map(|_| length);
    }
    finding.counterexample = found.trace.or(finding.counterexample);
    finding
}

/// What a run violates, if it can be looked for again.
fn violation_of(trace: &Trace) -> Result<Violation, Refusal> {
    match trace.end.kind {
        EndKind::Assertion
        | EndKind::RuntimeError
        | EndKind::InvalidEndState
        | EndKind::ExclusiveEnd
        | EndKind::TraceAssertion => {
            let (file, line) = (trace.end.file.clone(), trace.end.line);
            Ok(Violation { kind: trace.end.kind, file, line })
        }
        kind if kind.is_violation() => {
            Err(Refusal { reason: format!("a run that ends in {kind} is made shorter by verify --shortest") })
        }
        _ => Err(Refusal { reason: "nothing is wrong where the run ends".into() }),
    }
}

/// How many transitions a run has before the one that goes wrong; an `atomic` sequence is one.
fn transitions(trace: &Trace) -> u64 {
    let goes_wrong = trace.steps.last().is_some_and(|step| step.error.is_some());
    let whole = &trace.steps[..trace.steps.len() - usize::from(goes_wrong)];
    whole.iter().filter(|step| step.control.is_none()).count() as u64
}

fn is_shorter(found: &Trace, than: &Trace) -> bool {
    found.steps.len() < than.steps.len()
}

fn keeps_lengths(finding: &Finding, options: &Options) -> bool {
    let stay = finding.symmetry.as_ref().is_some_and(|usage| usage.ended_stay);
    !stay && options.hidden == HiddenVariables::Compared
}
