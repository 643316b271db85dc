//! Verification: one result for each property of a model.
//!
//! ```text
//! Machine ── engine ── layers ──▶ System ── search ──▶ stored path ── unwind ──▶ run of the model ──▶ Finding
//! ```
//! Engines only say *that* something is wrong at a state. The path that a search found is executed again by the reference
//! interpreter, which says *what* is wrong and writes the trace.

mod branching;
mod certificate;
mod checkpoint;
mod choice;
mod confirm;
mod covered;
mod directed;
mod engine;
mod facts;
mod goal;
mod liveness;
mod notice;
mod options;
mod other;
mod plan;
mod reachability;
mod safety;
mod shorten;
mod sought;
mod stack;
mod swarm;
mod unreached;
mod vacuity;

use std::sync::Arc;
use std::time::Duration;

use explore::End;
use machine::Machine;
use machine::action::{Action, ActionKind};
use machine::claim::Subject;
use machine::trace::{Origin, Trace};
use num_bigint::BigUint;

pub use self::branching::{Because, Branching, Tree};
pub use self::certificate::Certificate;
pub use self::checkpoint::Checkpoints;
pub use self::choice::Choice;
pub use self::confirm::{Confirmed, Contradiction};
pub use self::covered::{Covered, CoveredOption, CoveredStatement};
pub use self::engine::Refusal;
pub use self::facts::{Cause, Course, Doubt, During, Full, Impatience, Method, Optimal, Property, Search, Walks};
pub use self::goal::Goal;
pub use self::liveness::observations;
pub use self::notice::{NoCertificate, NotSought, Notice, Unfit, Unused};
pub use self::options::{
    AfterViolation, Confirm, Engine, Heuristic, HiddenVariables, Limits, Options, Order, Properties, Reduction, Store,
    Switch, Symmetry, Weight,
};
pub use self::other::{Model, Step, replay_model, verify_model};
pub use self::plan::{Given, Kind, Unsuitable, Unusable};
pub use self::shorten::{Effort, Shortened, Shortening, shorten};
pub use self::unreached::Unreached;
pub use explore::search::Errors;
pub use explore::{Counters, Progress};
pub use machine::claim::Fairness;
pub use symmetry::Strategy;
pub use symmetry::detect::Declared;
pub use symmetry::orbits::Patience;

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
    /// A state that some run should reach.
    pub goal: Option<Goal>,
    /// A reduction that is made to miss every violation, to test what finds such mistakes.
    #[doc(hidden)]
    pub planted_fault: Option<Reduction>,
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
            goal: None,
            planted_fault: None,
        }
    }
}

/// What was found out about one property.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The property.
    pub property: Property,
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
    /// How it was verified, if it was.
    pub method: Option<Method>,
    /// The course of the search, where paths are looked for.
    pub course: Option<Course>,
    /// Whether the property is not decided because runs of it end in an error: a failed assertion, an index outside of its array.
    pub met_error: bool,
    /// The reductions that were used.
    pub reductions: Vec<Reduction>,
    /// The search without reductions that says the same, if there was one.
    pub confirmed: Option<Confirmed>,
    /// The reduced search that said otherwise: then this is what was found without reductions.
    pub contradiction: Option<Contradiction>,
    /// The symmetry that was used.
    pub symmetry: Option<SymmetryUse>,
    /// What the check of declared read and write sets found, if the search was audited.
    pub checked: Option<Audited>,
    /// The processes that can always move on the cycle of the counterexample and never do.
    pub starved: Vec<String>,
    /// Statements that were never executed; empty unless the search was complete.
    pub unreached: Vec<Unreached>,
    /// What of the text was executed, if the search kept that.
    pub covered: Option<Covered>,
    /// The proof of a verdict "holds", if it was asked for and could be made.
    pub certificate: Option<Certificate>,
    /// Things the user should know.
    pub notices: Vec<Notice>,
}

/// Whether a property holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It holds in every run.
    Holds,
    /// Some run violates it.
    Violated,
    /// The search could not be completed and found no violation so far.
    Unknown(Cause),
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
    /// How many states the stored ones stand for: the sum of the sizes of their orbits. Not known where several workers look for infinite runs.
    pub represented: Option<BigUint>,
    /// Whether processes that have ended stay at their end, so that the states represented are those of a model whose processes do.
    pub ended_stay: bool,
    /// What the audit found, if there was one.
    pub audit: Option<Audited>,
}

/// What the audit of a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audited {
    /// How many states were checked.
    pub states: u64,
    /// The first failure, if there was one.
    pub failure: Option<String>,
}

impl SymmetryUse {
    /// How a search used a symmetry.
    fn of(symmetry: &symmetry::orbits::Symmetry, represented: Option<BigUint>) -> SymmetryUse {
        let cycles = |generator: &symmetry::detect::Generator| {
            generator.cycles.iter().map(|cycle| format!("({})", cycle.join(" "))).collect()
        };
        SymmetryUse {
            order: symmetry.detection.group.order(),
            generators: symmetry.detection.generators.iter().map(cycles).collect(),
            strategy: symmetry.strategy,
            exact: symmetry.is_exact(),
            detection_time: Duration::from_secs_f64(symmetry.detection.seconds),
            represented,
            ended_stay: symmetry.ended_stay(),
            audit: None,
        }
    }

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
    pub fn unknown(property: Property, because: Cause) -> Finding {
        Finding {
            property,
            verdict: Verdict::Unknown(because),
            counterexample: None,
            evidence: None,
            violations: 0,
            complete: false,
            met_error: false,
            reductions: Vec::new(),
            confirmed: None,
            contradiction: None,
            symmetry: None,
            checked: None,
            starved: Vec::new(),
            unreached: Vec::new(),
            covered: None,
            certificate: None,
            notices: Vec::new(),
            counts: Counts::default(),
            method: None,
            course: None,
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
    Planned(Vec<Property>),
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
    let mut all = vec![Property::Safety];
    all.extend(subjects.iter().map(|subject| Property::InfiniteRuns(subject.name(machine).to_string())));
    all.extend(job.branching.iter().map(|property| Property::Tree(property.name.clone())));
    all.extend(job.goal.iter().map(|_| Property::Goal));
    let has = |name: &String| all.iter().any(|known| known.name() == name);
    if let Properties::Named(wanted) = &options.properties
        && let Some(unknown) = wanted.iter().find(|name| !has(name))
    {
        let names: Vec<&str> = all.iter().map(Property::name).collect();
        let reason = format!("the model has no property {unknown}; it has {}", names.join(", "));
        return Err(Refusal { reason });
    }
    all.retain(|property| options.properties.include(property));
    plan::refuse(options, &all)?;
    if options.certificate == Switch::On && (machine.features.embedded_c || !machine.code.pieces.is_empty()) {
        let reason = "--certificate cannot be used with embedded C: the checker of certificates does not run it";
        return Err(Refusal { reason: reason.into() });
    }
    let kinds: Vec<Kind> = all.iter().map(Property::kind).collect();
    tell(Event::Planned(all));
    let (mut met_error, mut is_over) = (false, false);
    let mut verify = |kind: Kind, search: confirm::Search<'_>| -> Result<(), Refusal> {
        if is_over {
            return Ok(());
        }
        tell(Event::Begun);
        let mut finding = shorten::shortened(job, options, confirm::search(job, options, search)?);
        finding.notices.extend(plan::notes(options, kind, &kinds));
        if kind == Kind::Safety && nothing_to_verify(machine, options) {
            finding.notices.push(Notice::NothingToVerify);
        }
        met_error |= finding.met_error;
        is_over = finding.verdict == Verdict::Violated && options.after_violation == AfterViolation::End;
        tell(Event::Found(Box::new(finding)));
        Ok(())
    };
    let wants = |property: &Property| options.properties.include(property);
    if wants(&Property::Safety) {
        verify(Kind::Safety, &|options| safety::verify(job, options))?;
    }
    for subject in subjects {
        let property = Property::InfiniteRuns(subject.name(machine).to_string());
        if wants(&property) {
            verify(Kind::InfiniteRuns, &|options| liveness::verify(job, subject, options))?;
        }
    }
    for formula in &job.branching {
        if wants(&Property::Tree(formula.name.clone())) {
            verify(Kind::Tree, &|options| branching::verify(job, formula, options))?;
        }
    }
    if let Some(sought) = job.goal.as_ref().filter(|_| wants(&Property::Goal)) {
        verify(Kind::Goal, &|options| goal::verify(job, sought, options))?;
    }
    if met_error && !wants(&Property::Safety) {
        tell(Event::Begun);
        tell(Event::Found(Box::new(error_met(job, options)?)));
    }
    Ok(())
}

/// Whether safety says no more of a machine than that it has no run-time errors.
fn nothing_to_verify(machine: &Machine, options: &Options) -> bool {
    let asserts = |action: &Action| matches!(action.kind, ActionKind::Assert(_));
    options.end_states == Switch::Off
        && machine.trace.is_none()
        && machine.code.pieces.is_empty()
        && machine.definitions.iter().all(|definition| definition.exclusive.is_empty())
        && !machine.actions.iter().any(asserts)
}

/// The error that ends runs of a property, as a violation of safety, which was not asked for.
fn error_met(job: &Job, options: &Options) -> Result<Finding, Refusal> {
    let options = Options { end_states: Switch::Off, ..options.clone() };
    let mut finding = confirm::search(job, &options, &|options| safety::verify(job, options))?;
    finding.notices.push(Notice::NotAskedFor);
    Ok(finding)
}

/// What to say where states are compared without `hidden` variables on which something depends.
fn depends_on_hidden(machine: &Machine) -> Option<Notice> {
    let used = machine::used_unmatched(machine);
    let names: Vec<String> = used.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then_some(Notice::DependsOnHidden(names))
}

/// Why a search did not see everything, if so.
fn incomplete_because(end: End, options: &Options) -> Option<Cause> {
    let checkpoint = || options.checkpoints.as_ref().map(|Checkpoints { file, .. }| file.clone());
    let is_walk = options.order == Order::Walk;
    Some(match end {
        End::States | End::Time | End::Depth | End::Complete if is_walk => Cause::Walked,
        End::Complete => return None,
        End::Violation => Cause::Violation,
        End::Depth => Cause::Depth { limit: options.limits.depth.unwrap_or_default() },
        End::Dropped => Cause::Dropped { width: options.width.get() },
        End::States => Cause::States,
        End::Time => Cause::Time,
        End::Memory if options.store == Store::Bitstate => Cause::Memory(Full::Path),
        End::Memory => Cause::Memory(Full::States),
        End::Interrupted => Cause::Interrupted { checkpoint: checkpoint() },
        End::Damaged => Cause::Damaged,
    })
}
