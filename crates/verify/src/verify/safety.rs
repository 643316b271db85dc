//! Assertions, run-time errors and invalid end states.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use machine::Machine;
use machine::ample::Proviso;
use machine::checked::Checked;
use machine::dead::DeadVariables;
use machine::generate::Coverage;
use machine::ground::{Configuration, find_entry};
use machine::interpret::{Failure, Interpreter};
use machine::trace::{Origin, PathEnd, Trace, counterexample};
use num_bigint::BigUint;
use symmetry::orbits::{self, Balance, Orbits, Trial};
use system::{Notes, System};

use super::certificate::{self, Provable, Recorded, States};
use super::checkpoint;
use super::covered::{Covered, covered};
use super::directed::{self, Aim, Directed};
use super::engine::{Executable, Refusal};
use super::options::{Options, Reduction, Switch, Symmetry};
use super::reachability::{Subject, explore};
use super::sought::{Sought, Violation, What};
use super::stack::{Stack, Wanted};
use super::unreached::{Unreached, unreached};
use super::{Audited, Cause, Finding, Job, Notice, Property, SymmetryUse, Unfit, Unused, Verdict, depends_on_hidden};

pub(super) fn verify(job: &Job, options: &Options) -> Result<Finding, Refusal> {
    verify_only(job, options, None)
}

/// The same where, if one is given, this violation alone counts.
pub(super) fn verify_only(job: &Job, options: &Options, sought: Option<&Violation>) -> Result<Finding, Refusal> {
    if let Err(error) = Interpreter::new(&job.machine).initial() {
        return Err(Refusal { reason: format!("there is no initial state: {}", error.message) });
    }
    options.checkpoints.as_ref().map_or(Ok(()), |checkpoints| checkpoint::can_write(&checkpoints.file))?;
    let start = Instant::now();
    let options = &directed::settled(&job.machine, Aim::Violations, options);
    let ordinary = Executable::new(&job.machine, options.engine)?;
    if options.certificate == Switch::On && sought.is_none() {
        return verify_with_certificate(job, &options.since(start), &ordinary);
    }
    let symmetry = match options.symmetry {
        Symmetry::Off => None,
        Symmetry::Detect(strategy) => {
            let dead = options.dead_variables(&job.machine);
            orbits::Symmetry::of(&job.machine, strategy, job.declared.as_deref(), dead).map(Arc::new)
        }
    };
    let Some(symmetry) = symmetry else {
        let mut finding = search_modulo(job, &options.since(start), &ordinary, None, None, sought)?;
        finding.notices.extend(no_symmetry(job, options));
        return Ok(finding);
    };
    // What is kept for later says which reductions it was made with, so nothing is tried out then.
    let keeps = options.checkpoints.is_some() || options.resume.is_some();
    let patience = options.patience.filter(|_| options.audit == Switch::Off && !keeps);
    let progress = job.progress.clone();
    let trial = patience.map(|patience| Arc::new(Trial::new(patience, move || progress.abandon())));
    let finding = search_modulo(job, &options.since(start), &ordinary, Some(&symmetry), trial.clone(), sought)?;
    let balance = trial.and_then(|trial| trial.failed());
    match (balance, &finding.verdict) {
        // Only if it was abandoned indeed, and did not come to an end at the same time.
        (Some(Balance { cost, saving }), Verdict::Unknown(Cause::Interrupted { .. })) => {
            job.progress.restart();
            let mut finding = search_modulo(job, &options.since(start), &ordinary, None, None, sought)?;
            let order = symmetry.detection.group.order();
            finding.notices.push(Notice::SymmetryDoesNotPay { order, cost, saving });
            Ok(finding)
        }
        _ => Ok(finding),
    }
}

/// What is said where symmetry is wanted and there is none, though there are several processes of a kind.
fn no_symmetry(job: &Job, options: &Options) -> Option<Notice> {
    let Symmetry::Detect(strategy) = options.symmetry else { return None };
    let machine = &job.machine;
    if job.declared.is_some() || !has_processes_of_a_kind(machine) {
        return None;
    }
    let dead = DeadVariables::of(machine).filter(|_| options.dead == Switch::Off);
    let with_dead = dead.and_then(|dead| orbits::Symmetry::of(machine, strategy, None, Some(dead)));
    Some(Notice::NoSymmetry { with_dead: with_dead.map(|symmetry| symmetry.detection.group.order()) })
}

fn has_processes_of_a_kind(machine: &Machine) -> bool {
    let Ok(entry) = find_entry(machine) else { return false };
    let mut kinds = Configuration::of(machine, entry).definitions;
    kinds.sort_unstable();
    kinds.windows(2).any(|pair| pair[0] == pair[1])
}

/// The same with nothing but symmetries that the checker of certificates can prove, and with a certificate if safety holds.
fn verify_with_certificate(job: &Job, options: &Options, ordinary: &Executable) -> Result<Finding, Refusal> {
    let (options, unused) = options.certified();
    let options = &directed::settled(&job.machine, Aim::Violations, &options);
    let Provable { group, refused } = match options.symmetry {
        Symmetry::Off => Provable::default(),
        Symmetry::Detect(strategy) => Provable::of(&job.machine, strategy, job.declared.as_deref(), &[]),
    };
    let wanted = Wanted {
        symmetry: group.as_ref().map(|group| &group.symmetry),
        dead: None,
        watch: None,
        partial_order: options.partial_order,
        merging: options.merging,
        proviso: Proviso::OnThePath,
        unmatched: Vec::new(),
        audit: options.audit,
        trial: None,
        weighing: options.weighings(),
        engine: options.engine,
    };
    let stack = Stack::new(&job.machine, ordinary.clone(), wanted)?;
    let before = stack.code_time();
    let states = States::default();
    let subject = Promela { job, stack: &stack, options, sought: None, recorded: Some(&states) };
    let mut finding = explore(&subject, &job.progress, options)?;
    finding.counts.code_time = stack.code_time() - before;
    if !unused.is_empty() {
        finding.notices.push(Notice::Unused(Unused { reductions: unused, reason: Unfit::Certificate }));
    }
    let unproven = refused.map(|(generators, reason)| Notice::Unproven { generators, reason: reason.to_string() });
    finding.notices.extend(unproven);
    if let Some(none) = certificate::none_for(&finding) {
        finding.notices.push(Notice::NoCertificate(none));
        return Ok(finding);
    }
    match certificate::of_safety(&job.origin.digest, &states, &mut stack.plain()(), group.as_ref()) {
        Ok(certificate) => finding.certificate = Some(certificate),
        // What symmetry saw cannot be said in the checker's words, or is not so: the search is repeated without.
        Err(reason) if group.is_some() => {
            let generators = group.map_or(0, |group| group.symmetry.detection.generators.len());
            let options = Options { symmetry: Symmetry::Off, ..options.since_used(finding.counts.time) };
            job.progress.restart();
            let mut again = verify_with_certificate(job, &options, ordinary)?;
            let named = finding.notices.into_iter().filter(|each| matches!(each, Notice::Unused(_)));
            again.notices.extend(named);
            again.notices.push(Notice::Unproven { generators, reason });
            return Ok(again);
        }
        Err(error) => {
            finding.verdict = Verdict::Unknown(Cause::NotCertified { error });
            finding.complete = false;
        }
    }
    Ok(finding)
}

fn search_modulo(
    job: &Job,
    options: &Options,
    ordinary: &Executable,
    symmetry: Option<&Arc<orbits::Symmetry>>,
    trial: Option<Arc<Trial>>,
    sought: Option<&Violation>,
) -> Result<Finding, Refusal> {
    // Processes that stay at their end read nothing there, as those that disappear: the same variables are dead in both machines.
    // Which of them are set back, and to what, has to agree with the symmetries.
    let dead = match symmetry {
        Some(symmetry) => symmetry.detection.dead.clone(),
        None if options.dead == Switch::On => DeadVariables::with_useless(&job.machine),
        None => None,
    };
    let wanted = Wanted {
        symmetry,
        dead: dead.map(Arc::new),
        watch: None,
        partial_order: options.partial_order,
        merging: options.merging,
        proviso: Proviso::OnThePath,
        unmatched: options.unmatched_bytes(&job.machine),
        audit: options.audit,
        trial,
        weighing: options.weighings(),
        engine: options.engine,
    };
    let stack = Stack::new(&job.machine, ordinary.clone(), wanted)?;
    let before = stack.code_time();
    let subject = Promela { job, stack: &stack, options, sought, recorded: None };
    let mut finding = explore(&subject, &job.progress, options)?;
    finding.counts.code_time = stack.code_time() - before;
    if !subject.unmatched().is_empty() && options.swarm.is_none() {
        finding.notices.extend(depends_on_hidden(&job.machine));
    }
    finding.notices.extend(stack.unused.iter().cloned().map(Notice::Unused));
    Ok(finding)
}

/// A Promela model behind its layers.
struct Promela<'a> {
    job: &'a Job,
    stack: &'a Stack,
    options: &'a Options,
    /// The violation that alone counts, if it is one.
    sought: Option<&'a Violation>,
    /// Where the states go that are expanded, if they are to be written down.
    recorded: Option<&'a States>,
}

impl Promela<'_> {
    /// What a layer that audits has noted.
    fn audited(&self, notes: &Notes, states: &str, failure: &str) -> Option<Audited> {
        let audited = || Audited { states: notes.number(states), failure: notes.text(failure).map(str::to_string) };
        (self.options.audit == Switch::On).then(audited)
    }
}

impl Subject for Promela<'_> {
    fn system(&self) -> Box<dyn System> {
        match self.sought {
            Some(violation) => {
                let what = What::Violation(self.job.machine.clone(), violation.clone());
                Box::new(Sought::new(self.stack.system(), what))
            }
            None => match self.recorded {
                Some(states) => Box::new(Recorded::new(self.stack.system(), states)),
                None => self.stack.system(),
            },
        }
    }

    fn identity(&self) -> Vec<(&'static str, String)> {
        let lossy = format!("{:?}", self.job.machine.full_channels).to_lowercase();
        vec![("model", self.job.origin.digest.clone()), ("lossy channels", lossy)]
    }

    fn directed(&self, options: &Options) -> Result<Directed, Refusal> {
        Directed::new(&self.job.machine, Aim::Violations, options, self.stack.plain())
    }

    fn reductions(&self) -> Vec<Reduction> {
        self.stack.reductions()
    }

    fn unmatched(&self) -> Vec<Range<usize>> {
        self.options.unmatched_bytes(&self.job.machine)
    }

    fn symmetry(&self, notes: &Notes) -> Option<SymmetryUse> {
        let represented = BigUint::from_bytes_le(notes.bytes(Orbits::REPRESENTED));
        let usage = SymmetryUse::of(self.stack.symmetry()?, Some(represented));
        let audit = self.audited(notes, orbits::Audited::STATES, orbits::Audited::FAILURE);
        Some(SymmetryUse { audit, ..usage })
    }

    fn checked(&self, notes: &Notes) -> Option<Audited> {
        self.audited(notes, Checked::STATES, Checked::FAILURE)
    }

    fn given_up(&self, notes: &Notes) -> Vec<Reduction> {
        Stack::given_up(notes)
    }

    fn covered(&self, notes: &Notes) -> Option<Covered> {
        Some(covered(&self.job.machine, &Coverage::of_notes(&self.job.machine, notes)))
    }

    fn unreached(&self, notes: &Notes) -> Vec<Unreached> {
        unreached(&self.job.machine, &Coverage::of_notes(&self.job.machine, notes))
    }

    fn trace(&self, path: &[Vec<u8>]) -> Result<Trace, String> {
        let Promela { job, stack, .. } = self;
        let states = stack.run(path).map_err(|refusal| refusal.reason)?.unwrap_or_default();
        let last = states.last().ok_or("what stands for a state can do more than the state")?;
        let found = Interpreter::new(&job.machine).successors(last);
        let is_meant = |failure: &Failure| self.sought.is_none_or(|sought| sought.is(&job.machine, &failure.error));
        let end = match found.errors.into_iter().find(is_meant) {
            Some(failure) => PathEnd::Fails(failure.error),
            None if found.cut_atomic => return Err("an `atomic` sequence is too long for the interpreter".into()),
            None => PathEnd::Rests,
        };
        let origin = Origin { property: Some(Property::Safety.name().into()), ..job.origin.clone() };
        counterexample(&job.machine, origin, &states, end).map_err(|error| error.to_string())
    }
}
