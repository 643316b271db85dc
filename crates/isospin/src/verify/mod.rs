//! Verification: one result for each property of a model.
//!
//! ```text
//! Machine ── engine ──▶ Generator ── system ──▶ explore::System ── safety ──▶ Finding
//! ```
//! Engines only say *that* something is wrong at a state. The path that a search found is executed again by the reference
//! interpreter, which says *what* is wrong and writes the trace.

mod audit;
mod branching;
mod checkpoint;
mod engine;
mod liveness;
mod options;
mod orbits;
mod product;
mod retrace;
mod safety;
mod swarm;
mod system;
mod trial;
mod unreached;

use std::sync::Arc;
use std::time::Duration;

use explore::search::End;
use machine::Machine;
use machine::claim::Subject;
use machine::trace::{Origin, Trace};
use num_bigint::BigUint;

pub use self::audit::Audited;
pub use self::branching::{Because, Branching, Tree};
pub use self::checkpoint::Checkpoints;
pub use self::engine::Refusal;
pub use self::liveness::observations;
pub use self::options::{Engine, Limits, Options, Order, Patience, Properties, Store, Switch, Symmetry};
pub use self::unreached::Unreached;
pub use explore::search::{Counters, Errors, Progress};
pub use machine::claim::Fairness;
pub use symmetry::Strategy;
pub use symmetry::detect::Declared;

/// What is to be verified.
#[derive(Clone, Debug)]
pub struct Job {
    /// The model, ready to run.
    pub machine: Arc<Machine>,
    /// What traces say about where they come from.
    pub origin: Origin,
    /// The counts so far, and a switch to end the search, for other threads.
    pub progress: Arc<Progress>,
    /// Symmetries given by hand: only these are used.
    pub declared: Option<Vec<Declared>>,
    /// Formulas about the tree of runs, beside the properties of the model.
    pub branching: Vec<Branching>,
}

impl Job {
    /// A job without an origin.
    #[must_use]
    pub fn new(machine: Machine) -> Job {
        Job {
            machine: Arc::new(machine),
            origin: Origin::default(),
            progress: Arc::new(Progress::new()),
            declared: None,
            branching: Vec::new(),
        }
    }
}

/// What was found out about one property.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its name; `safety` for assertions and end states.
    pub property: String,
    /// The verdict.
    pub verdict: Verdict,
    /// A run that violates it; its end says how.
    pub counterexample: Option<Trace>,
    /// Why a formula about the tree of runs holds, or does not.
    pub evidence: Option<Tree>,
    /// How many violations were seen.
    pub violations: u64,
    /// Whether everything that the property needs was seen.
    pub complete: bool,
    /// The search's counts.
    pub counts: Counts,
    /// The symmetry that was used.
    pub symmetry: Option<SymmetryUse>,
    /// The processes that can always move on the cycle of the counterexample and never do.
    pub starved: Vec<String>,
    /// Statements that were never executed; empty unless the search was complete.
    pub unreached: Vec<Unreached>,
    /// Things the user should know.
    pub warnings: Vec<String>,
}

/// Whether a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds in every run.
    Holds,
    /// Some run violates it.
    Violated,
    /// The search could not be completed and found no violation so far.
    Unknown(Incomplete),
}

/// Why a search is not complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incomplete {
    /// The reason, in words.
    pub reason: String,
    /// What to do about it.
    pub advice: String,
    /// Whether the user ended it.
    pub interrupted: bool,
}

/// The symmetry that a search used.
#[derive(Clone, Debug)]
pub struct SymmetryUse {
    /// The order of the group.
    pub order: BigUint,
    /// Its generators in cycles of names.
    pub generators: Vec<String>,
    /// How representatives were found.
    pub strategy: Strategy,
    /// Whether each orbit had one representative only.
    pub exact: bool,
    /// How long detection took.
    pub detection_time: Duration,
    /// How many states the stored ones stand for.
    pub represented: BigUint,
    /// What the audit found, if there was one.
    pub audit: Option<Audited>,
}

impl SymmetryUse {
    /// The strategy as the command line names it.
    #[must_use]
    pub fn strategy_name(&self) -> &'static str {
        match self.strategy {
            Strategy::Exact => "exact",
            Strategy::Enumerate { .. } => "enumerate",
            Strategy::Segmented => "segmented",
            Strategy::Fast => "fast",
            Strategy::LocalSearch => "local-search",
            Strategy::Sort => "sort",
        }
    }
}

/// The counts of a search.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// States stored.
    pub states: u64,
    /// Transitions to a state that was already stored.
    pub matched: u64,
    /// The greatest depth.
    pub depth: u64,
    /// Steps inside `atomic`.
    pub atomic_steps: u64,
    /// The longest state vector, in bytes.
    pub vector_bytes: u64,
    /// Memory of the state store at the end.
    pub store_bytes: u64,
    /// The most memory that the search had at one time: store, stacks, queues and records.
    pub search_bytes: u64,
    /// How long it took.
    pub time: Duration,
    /// How much of that was spent on making code.
    pub code_time: Duration,
    /// What the search did: order, store, engine, reductions.
    pub description: Vec<String>,
}

impl Counts {
    /// Transitions as SPIN counts them.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.states + self.matched
    }

    /// Memory for each stored state, with all that the search keeps beside the store.
    #[must_use]
    pub fn bytes_per_state(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.search_bytes as f64 / self.states as f64 }
    }
}

impl Finding {
    /// A property of which nothing is known, and why.
    #[must_use]
    pub fn unknown(property: String, because: Incomplete) -> Finding {
        Finding {
            property,
            verdict: Verdict::Unknown(because),
            counterexample: None,
            evidence: None,
            violations: 0,
            complete: false,
            symmetry: None,
            starved: Vec::new(),
            unreached: Vec::new(),
            warnings: Vec::new(),
            counts: Counts::default(),
        }
    }
}

/// Verifies a model.
///
/// # Errors
/// When the model cannot be executed, or not in the way that was asked for.
pub fn verify(job: &Job, options: &Options) -> Result<Vec<Finding>, Refusal> {
    let mut findings = Vec::new();
    verify_each(job, options, |event| {
        if let Event::Found(finding) = event {
            findings.push(*finding);
        }
    })?;
    Ok(findings)
}

/// What happens in the course of a verification.
#[derive(Clone, Debug)]
pub enum Event {
    /// These properties will be verified, in this order.
    Planned(Vec<String>),
    /// The next of them is begun.
    Begun,
    /// It is done.
    Found(Box<Finding>),
}

/// Verifies a model and tells `tell` about each property when it is done.
///
/// # Errors
/// As for [`verify`].
pub fn verify_each(job: &Job, options: &Options, mut tell: impl FnMut(Event)) -> Result<(), Refusal> {
    let machine = &job.machine;
    let subjects = Subject::all(machine);
    let mut names = vec!["safety".to_string()];
    names.extend(subjects.iter().map(|subject| subject.name(machine).to_string()));
    names.extend(job.branching.iter().map(|property| property.name.clone()));
    if let Properties::Named(wanted) = &options.properties
        && let Some(unknown) = wanted.iter().find(|name| !names.contains(name))
    {
        let reason = format!("the model has no property {unknown}; it has {}", names.join(", "));
        return Err(Refusal { reason });
    }
    if (options.checkpoints.is_some() || options.swarm.is_some()) && !options.properties.include("safety") {
        let reason =
            "only the search for assertions and end states can be saved or made a swarm: add --property safety";
        return Err(Refusal { reason: reason.into() });
    }
    names.retain(|name| options.properties.include(name));
    tell(Event::Planned(names));
    let mut verify = |how: &dyn Fn() -> Result<Finding, Refusal>| -> Result<(), Refusal> {
        job.progress.restart();
        tell(Event::Begun);
        tell(Event::Found(Box::new(how()?)));
        Ok(())
    };
    if options.properties.include("safety") {
        verify(&|| safety::verify(job, options))?;
    }
    let wanted = |name: &str| options.properties.include(name);
    for subject in subjects.into_iter().filter(|subject| wanted(&subject.name(machine))) {
        verify(&|| liveness::verify(job, subject, options))?;
    }
    for property in job.branching.iter().filter(|property| wanted(&property.name)) {
        verify(&|| branching::verify(job, property, options))?;
    }
    Ok(())
}

/// Why a search did not see everything, if so.
fn incomplete_because(end: End, options: &Options) -> Option<Incomplete> {
    let because = |reason: String, advice: &str| {
        Some(Incomplete { reason, advice: advice.into(), interrupted: end == End::Interrupted })
    };
    match end {
        End::Complete => None,
        End::Violation => because("the search ended at the first violation".into(), "--all-errors goes on"),
        End::Depth => {
            let depth = options.limits.depth.unwrap_or_default();
            because(format!("some states lie deeper than {depth} transitions"), "raise --max-depth")
        }
        End::States => because("the limit of states was reached".into(), "raise --max-states"),
        End::Time => because("the time was up".into(), "raise --max-time"),
        End::Memory if options.store == Store::Bitstate => {
            because("the memory for the path of the search is full".into(), "raise --max-memory, or set --max-depth")
        }
        End::Memory => because("the memory for states is full".into(), "raise --max-memory, or try --store bitstate"),
        End::Interrupted => match &options.checkpoints {
            Some(Checkpoints { file, .. }) => {
                because("it was interrupted".into(), &format!("--resume {} goes on", file.display()))
            }
            None => because("it was interrupted".into(), "run it again; --checkpoint saves long searches"),
        },
        End::Damaged => because("what was to be resumed makes no sense".into(), "start anew"),
    }
}
