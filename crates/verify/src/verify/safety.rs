//! Assertions, run-time errors and invalid end states.

use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::search::{self, End, EndStates, Keeper, Outcome};
use explore::store::{
    self, BitsPerState, BitstateStore, ByteFlags, Coverage as Trust, FingerprintBits, FingerprintStore, PlainStore,
    TreeStore, Unmatched, VisitedSet,
};
use machine::ample::Proviso;
use machine::checked::Checked;
use machine::claim::Fairness;
use machine::dead::DeadVariables;
use machine::generate::Coverage;
use machine::interpret::Interpreter;
use machine::trace::{Origin, PathEnd, Trace, counterexample};
use num_bigint::BigUint;
use symmetry::orbits::{self, Balance, Orbits, Trial};
use system::{Seen, System};

use super::checkpoint::{self, FileKeeper, Identity, Reading};
use super::engine::{Executable, Refusal};
use super::options::{HiddenVariables, Options, Order, Reduction, Store, Switch, Symmetry};
use super::stack::{Stack, Unused, Wanted};
use super::unreached::unreached;
use super::{
    Audited, Cause, Counts, Doubt, Finding, Job, Method, Property, Search, SymmetryUse, Verdict, depends_on_hidden,
    incomplete_because, swarm,
};

/// Bits that the bitstate store sets for each state, as SPIN does by default.
const BITSTATE_BITS: u32 = 3;
/// Bits of a fingerprint.
const FINGERPRINT_BITS: u32 = 61;

pub(super) fn verify(job: &Job, options: &Options) -> Result<Finding, Refusal> {
    if let Err(error) = Interpreter::new(&job.machine).initial() {
        return Err(Refusal { reason: format!("there is no initial state: {}", error.message) });
    }
    options.checkpoints.as_ref().map_or(Ok(()), |checkpoints| checkpoint::can_write(&checkpoints.file))?;
    let start = Instant::now();
    let ordinary = Executable::new(&job.machine, options.engine)?;
    let symmetry = match options.symmetry {
        Symmetry::Off => None,
        Symmetry::Detect(strategy) => {
            let dead = options.dead_variables(&job.machine);
            orbits::Symmetry::of(&job.machine, strategy, job.declared.as_deref(), dead).map(Arc::new)
        }
    };
    let Some(symmetry) = symmetry else { return search_modulo(job, &options.since(start), &ordinary, None, None) };
    // What is kept for later says which reductions it was made with, so nothing is tried out then.
    let keeps = options.checkpoints.is_some() || options.resume.is_some();
    let patience = options.patience.filter(|_| options.audit == Switch::Off && !keeps);
    let progress = job.progress.clone();
    let trial = patience.map(|patience| Arc::new(Trial::new(patience, move || progress.abandon())));
    let finding = search_modulo(job, &options.since(start), &ordinary, Some(&symmetry), trial.clone())?;
    let balance = trial.and_then(|trial| trial.failed());
    match (balance, &finding.verdict) {
        // Only if it was abandoned indeed, and did not come to an end at the same time.
        (Some(Balance { cost, saving }), Verdict::Unknown(Cause::Interrupted { .. })) => {
            job.progress.restart();
            let mut finding = search_modulo(job, &options.since(start), &ordinary, None, None)?;
            finding.warnings.push(format!(
                "symmetry of order {} does not pay here: it made a state {cost:.1} times as expensive and saved a factor of \
                 {saving:.1}, so that the search was begun again without it (--symmetry exact insists on it)",
                symmetry.detection.group.order()
            ));
            Ok(finding)
        }
        _ => Ok(finding),
    }
}

fn search_modulo(
    job: &Job,
    options: &Options,
    ordinary: &Executable,
    symmetry: Option<&Arc<orbits::Symmetry>>,
    trial: Option<Arc<Trial>>,
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
    let mut finding = explore(job, options, &stack)?;
    finding.counts.code_time = stack.code_time() - before;
    finding.warnings.extend(stack.unused.iter().map(Unused::text));
    Ok(finding)
}

fn explore(job: &Job, options: &Options, stack: &Stack) -> Result<Finding, Refusal> {
    let make = || stack.system();
    let reductions = stack.reductions();
    let limits = store::Limits::memory(options.limits.memory);
    let start = Instant::now();
    let identity = Identity::of(job, options);
    let mut reading = match &options.resume {
        Some(file) => Some(Reading::new(file, &identity)?),
        None => None,
    };
    let mut search = search_options(options);
    search.resume = reading.as_mut().map(|reading| std::mem::take(&mut reading.open));
    let too_little = || Refusal { reason: "--max-memory is too little for the store".into() };
    let unmatched = options.unmatched_bytes(&job.machine);
    if !unmatched.is_empty() && options.swarm.is_none() {
        if options.checkpoints.is_some() || options.resume.is_some() {
            let reason = "a search that does not compare `hidden` variables cannot be saved";
            return Err(Refusal { reason: reason.into() });
        }
        macro_rules! explore {
            ($search:path, $store:expr) => {{
                let store = $store;
                let outcome = $search(make, &store, &search, &job.progress);
                finish(job, options, stack, outcome, &store, start)
            }};
        }
        let mut finding = match options.store {
            Store::Tree => explore!(search::search, Unmatched::new(TreeStore::new(limits), unmatched)),
            Store::Plain => explore!(search::search, Unmatched::new(PlainStore::new(limits), unmatched)),
            Store::Bitstate => {
                let bits = BitsPerState::new(BITSTATE_BITS).expect("a number within its range");
                let store = BitstateStore::new(limits, bits).ok_or_else(too_little)?;
                explore!(search::search_approximately, Unmatched::forgetting(store, unmatched))
            }
            Store::Compact => {
                let bits = FingerprintBits::new(FINGERPRINT_BITS).expect("a number within its range");
                let store = FingerprintStore::new(limits, bits);
                explore!(search::search_approximately, Unmatched::forgetting(store, unmatched))
            }
        };
        finding.warnings.extend(depends_on_hidden(&job.machine));
        return Ok(finding);
    }
    macro_rules! explore {
        ($search:path, $kind:ty, $store:expr) => {{
            let store: $kind = match &mut reading {
                Some(reading) => reading.store(limits)?,
                None => $store,
            };
            let checkpoints = options.checkpoints.clone();
            let keeper = checkpoints.map(|checkpoints| {
                Arc::new(FileKeeper::new(store.clone(), identity, checkpoints, job.progress.clone()))
            });
            search.keeper = keeper.clone().map(|keeper| keeper as Arc<dyn Keeper>);
            let outcome = $search(make, &store, &search, &job.progress);
            if outcome.end == End::Damaged {
                return Err(Refusal { reason: "what was to be resumed makes no sense".into() });
            }
            let mut finding = finish(job, options, stack, outcome, &store, start);
            finding.warnings.extend(keeper.and_then(|keeper| keeper.warning()));
            finding
        }};
    }
    Ok(match options.store {
        // What was visited, and by one worker alone what it has left for good, lets partial order leave out more.
        Store::Tree if reductions.contains(&Reduction::PartialOrder) => {
            explore!(search::search_reduced, TreeStore<ByteFlags>, TreeStore::with_flags(limits))
        }
        Store::Tree => explore!(search::search, TreeStore, TreeStore::new(limits)),
        Store::Plain => explore!(search::search, PlainStore, PlainStore::new(limits)),
        Store::Bitstate => {
            let bits = BitsPerState::new(BITSTATE_BITS).expect("a number within its range");
            match options.swarm {
                Some(count) => swarm::join(
                    swarm::searches(count, options).map(|each| {
                        let store = BitstateStore::seeded(limits, bits, each.hash).ok_or_else(too_little)?;
                        let time = each.share(options.limits.time, start.elapsed());
                        let search = search::Options { seed: Some(each.order), max_time: time, ..search.clone() };
                        job.progress.restart();
                        let outcome = search::search_approximately(make, &store, &search, &job.progress);
                        Ok(finish(job, options, stack, outcome, &store, start))
                    }),
                    options,
                )?,
                None => explore!(
                    search::search_approximately,
                    BitstateStore,
                    BitstateStore::new(limits, bits).ok_or_else(too_little)?
                ),
            }
        }
        Store::Compact => {
            let bits = FingerprintBits::new(FINGERPRINT_BITS).expect("a number within its range");
            explore!(search::search_approximately, FingerprintStore, FingerprintStore::new(limits, bits))
        }
    })
}

/// What is said of a reduction that did not pay.
fn given_up(reduction: Reduction) -> String {
    let insisting = if reduction == Reduction::Merging { "--merge on" } else { "--por on" };
    format!("{} left out too little and was switched off ({insisting} insists on it)", reduction.name())
}

fn search_options(options: &Options) -> search::Options {
    search::Options {
        order: match options.order {
            Order::DepthFirst => search::Order::DepthFirst,
            Order::BreadthFirst => search::Order::BreadthFirst,
        },
        workers: options.workers.get(),
        errors: options.errors,
        max_depth: options.limits.depth,
        max_states: options.limits.states,
        max_time: options.limits.time,
        seed: options.seed,
        end_states: match options.end_states {
            Switch::On => EndStates::Valid,
            Switch::Off => EndStates::Any,
        },
        ..search::Options::default()
    }
}

fn finish<V: VisitedSet>(
    job: &Job,
    options: &Options,
    stack: &Stack,
    outcome: Outcome<Box<dyn System>>,
    store: &V,
    start: Instant,
) -> Finding {
    let time = start.elapsed();
    let notes = &outcome.notes;
    let (diverges, truncated) = (notes.happened(Seen::DIVERGES), notes.happened(Seen::TRUNCATED));
    let represented = BigUint::from_bytes_le(notes.bytes(Orbits::REPRESENTED));
    let mut symmetry = stack.symmetry().map(|symmetry| SymmetryUse::of(symmetry, Some(represented)));
    if let Some(usage) = &mut symmetry {
        usage.audit = (options.audit == Switch::On).then(|| Audited {
            states: notes.number(orbits::Audited::STATES),
            failure: notes.text(orbits::Audited::FAILURE).map(str::to_string),
        });
    }
    let checked = (options.audit == Switch::On).then(|| Audited {
        states: notes.number(Checked::STATES),
        failure: notes.text(Checked::FAILURE).map(str::to_string),
    });
    let audits = [symmetry.as_ref().and_then(|usage| usage.audit.as_ref()), checked.as_ref()];
    let failure = audits.into_iter().flatten().find_map(|audit| audit.failure.clone());
    let trust = store.coverage();
    let incomplete = failure.as_ref().map(|_| Cause::AuditFailed);
    let incomplete = incomplete.or_else(|| incomplete_of(outcome.end, trust, options));
    let (counterexample, untold) = match outcome.path.as_ref().map(|path| trace(job, stack, path)) {
        Some(Ok(trace)) => (Some(trace), None),
        Some(Err(reason)) => (None, Some(unfollowable(reason))),
        None => (None, None),
    };
    let incomplete = untold.or(incomplete).or_else(|| truncated.then_some(Cause::CutAtomic));
    let mut warnings = Vec::new();
    if diverges && !truncated {
        warnings.push("an `atomic` sequence was met that never ends: other processes wait for ever".to_string());
    }
    warnings.extend(failure.map(|failure| format!("the audit failed: {failure}")));
    warnings.extend(Stack::given_up(notes).into_iter().map(given_up));
    let complete = incomplete.is_none() && !diverges;
    Finding {
        property: Property::Safety,
        verdict: match (&counterexample, incomplete) {
            (Some(_), _) => Verdict::Violated,
            (None, Some(incomplete)) => Verdict::Unknown(incomplete),
            (None, None) => Verdict::Holds,
        },
        counterexample,
        evidence: None,
        violations: outcome.violations,
        complete,
        met_error: false,
        reductions: stack.reductions(),
        confirmed: None,
        contradiction: None,
        symmetry,
        checked,
        starved: Vec::new(),
        unreached: if complete {
            unreached(&job.machine, &Coverage::of_notes(&job.machine, notes))
        } else {
            Vec::new()
        },
        counts: Counts {
            states: outcome.stored,
            matched: outcome.matched,
            depth: outcome.depth,
            atomic_steps: notes.number(Seen::INNER_STEPS),
            vector_bytes: notes.number(Seen::VECTOR_BYTES),
            store_bytes: store.memory(),
            search_bytes: store.most_memory(),
            time,
            code_time: Duration::ZERO,
        },
        method: Some(method(options, trust)),
        warnings,
    }
}

/// A violation that cannot be executed again. Its path is one of whole states, whatever is compared.
fn unfollowable(reason: String) -> Cause {
    Cause::Doubtful { doubt: Doubt::Unfollowable(reason), hidden: HiddenVariables::Compared }
}

/// Why not everything was seen, if so.
fn incomplete_of(end: End, trust: Trust, options: &Options) -> Option<Cause> {
    match trust {
        Trust::Approximate(omission) if end == End::Complete => {
            Some(Cause::Approximate { missed: omission.mean, hash_factor: omission.hash_factor })
        }
        _ => incomplete_because(end, options),
    }
}

/// Executes the path of a search again to say what is wrong at its end; or why that is impossible, which is a mistake of the search.
fn trace(job: &Job, stack: &Stack, path: &[Vec<u8>]) -> Result<Trace, String> {
    let states = stack.run(path).unwrap_or_default();
    let last = states.last().ok_or("what stands for a state can do more than the state")?;
    let found = Interpreter::new(&job.machine).successors(last);
    let end = match found.errors.into_iter().next() {
        Some(failure) => PathEnd::Fails(failure.error),
        None if found.cut_atomic => return Err("an `atomic` sequence is too long for the interpreter".into()),
        None => PathEnd::Rests,
    };
    let origin = Origin { property: Some(Property::Safety.name().into()), ..job.origin.clone() };
    counterexample(&job.machine, origin, &states, end).map_err(|error| error.to_string())
}

fn method(options: &Options, trust: Trust) -> Method {
    Method {
        search: match options.order {
            Order::DepthFirst => Search::DepthFirst,
            Order::BreadthFirst => Search::BreadthFirst,
        },
        workers: options.workers.get(),
        store: options.store,
        engine: options.engine,
        claim_states: None,
        fairness: Fairness::None,
        seed: options.seed,
        hash_factor: match trust {
            Trust::Approximate(omission) => Some(omission.hash_factor),
            _ => None,
        },
        searches: None,
    }
}
