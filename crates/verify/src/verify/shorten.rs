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
use super::options::{Limits, Options, Order, Reduction, Store};
use super::sought::Violation;
use super::{AfterViolation, Errors, Finding, Job, Optimal, Properties, Property, Verdict, safety};

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
    /// A run that is not longer, if one was found.
    pub trace: Option<Trace>,
    /// Whether it is known to be a shortest one.
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
    let limits = Limits {
        // A transition has one step or more.
        depth: Some(trace.steps.len() as u64 + 1),
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
        seed: None,
        patience: options.patience,
        ..options.reduced_by(&[Reduction::DeadVariables, Reduction::Symmetry])
    };
    let mut finding = safety::verify_only(&job, &bounded, Some(&violation))?;
    // What has fewer transitions may have more steps, and is not preferred then.
    let found = finding.counterexample.take().filter(|found| found.steps.len() <= trace.steps.len());
    let is_proved = finding.course.as_ref().is_some_and(|course| course.optimal == Optimal::Proved);
    let optimal = if found.is_some() && is_proved { Optimal::Proved } else { Optimal::No };
    Ok(Shortened { trace: found, optimal, finding })
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
    let is_shorter = |found: &Trace| found.steps.len() < length;
    if found.optimal == Optimal::No && !found.trace.as_ref().is_some_and(is_shorter) {
        return finding;
    }
    let mut finding = finding;
    if let (Some(course), Some(trace)) = (&mut finding.course, &found.trace) {
        course.optimal = found.optimal;
        course.length = found.finding.course.as_ref().and_then(|course| course.length);
        course.shortened_from = is_shorter(trace).then_some(length);
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
