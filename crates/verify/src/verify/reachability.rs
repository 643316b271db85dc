//! The search for errors and deadlocks, of whatever can be searched: a Promela model behind its layers, or a model of another language.
//!
//! Options, stores, orders, swarms and checkpoints are the same for all; what is particular to a language is asked of its [`Subject`].

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::search::{self, Checkpointer, EndStates, Outcome};
use explore::store::{
    self, BitsPerState, BitstateStore, ByteFlags, Coverage as Trust, FingerprintBits, FingerprintStore, PlainStore,
    TreeStore, Unmatched, VisitedSet,
};
use explore::{Bounds, End, Progress};
use machine::claim::Fairness;
use machine::trace::Trace;
use system::{Notes, Seen, System};

use super::checkpoint::{FileCheckpointer, Identity, Reading};
use super::covered::Covered;
use super::directed::Directed;
use super::engine::Refusal;
use super::options::{HiddenVariables, Options, Order, Reduction, Store, Switch};
use super::unreached::Unreached;
use super::{
    Audited, Cause, Counts, Course, Doubt, Finding, Method, Notice, Optimal, Property, Search, SymmetryUse, Verdict,
    Walks, incomplete_because, swarm,
};

/// Bits that the bitstate store sets for each state, as SPIN does by default.
const BITSTATE_BITS: u32 = 3;
/// Bits of a fingerprint.
const FINGERPRINT_BITS: u32 = 61;

/// Something that can be searched, and whose stored paths can be told as runs.
pub(super) trait Subject {
    /// The system of one worker.
    fn system(&self) -> Box<dyn System>;

    /// What a search that is resumed must have in common with the saved one: names and values.
    fn identity(&self) -> Vec<(&'static str, String)>;

    /// Executes the path of a search again to say what is wrong at its end; or why that is impossible, which is a mistake of the search.
    ///
    /// # Errors
    /// The reason.
    fn trace(&self, path: &[Vec<u8>]) -> Result<Trace, String>;

    /// The property that is looked at.
    fn property(&self) -> Property {
        Property::Safety
    }

    /// The estimates of a directed search.
    ///
    /// # Errors
    /// When there are none.
    fn directed(&self, _options: &Options) -> Result<Directed, Refusal> {
        Err(Refusal { reason: "a directed search needs a Promela model".into() })
    }

    /// The reductions that are used.
    fn reductions(&self) -> Vec<Reduction> {
        Vec::new()
    }

    /// The bytes of states that are not compared.
    fn unmatched(&self) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// The symmetry that was used.
    fn symmetry(&self, _notes: &Notes) -> Option<SymmetryUse> {
        None
    }

    /// What the check of declared read and write sets found.
    fn checked(&self, _notes: &Notes) -> Option<Audited> {
        None
    }

    /// The reductions that were switched off on the way because they did not pay.
    fn given_up(&self, _notes: &Notes) -> Vec<Reduction> {
        Vec::new()
    }

    /// What of the text was executed.
    fn covered(&self, _notes: &Notes) -> Option<Covered> {
        None
    }

    /// Statements that a complete search has never executed.
    fn unreached(&self, _notes: &Notes) -> Vec<Unreached> {
        Vec::new()
    }
}

/// Searches a subject as the options say.
pub(super) fn explore(subject: &dyn Subject, progress: &Arc<Progress>, options: &Options) -> Result<Finding, Refusal> {
    let make = || subject.system();
    let reductions = subject.reductions();
    let limits = store::Limits::memory(options.limits.memory);
    let start = Instant::now();
    let identity = Identity::of(subject.identity(), options);
    let mut reading = match &options.resume {
        Some(file) => Some(Reading::new(file, &identity)?),
        None => None,
    };
    let mut search = search_options(options);
    let directed = options.order.is_directed().then(|| subject.directed(options)).transpose()?;
    let finish = |outcome, store: &dyn Measured| finish(subject, options, outcome, store, start, directed.as_ref());
    match (options.order, &directed) {
        (Order::Walk, _) => {
            return Ok(finish(search::walk(make, options.limits.memory, &search, progress), &Nothing));
        }
        (Order::Deepening, Some(directed)) => {
            let (outcome, store) = deepen(make, options, &search, progress, directed)?;
            return Ok(finish(outcome, &*store));
        }
        _ => {}
    }
    search.frontier = directed.as_ref().map(|directed| directed.frontier(options, progress));
    search.resume = reading.as_mut().map(|reading| std::mem::take(&mut reading.open));
    let unmatched = subject.unmatched();
    if !unmatched.is_empty() && options.swarm.is_none() {
        if options.checkpoints.is_some() || options.resume.is_some() {
            let reason = "a search that does not compare `hidden` variables cannot be saved";
            return Err(Refusal { reason: reason.into() });
        }
        macro_rules! explore {
            ($search:path, $store:expr) => {{
                let store = $store;
                let outcome = $search(make, &store, &search, progress);
                finish(outcome, &store)
            }};
        }
        return Ok(match options.store {
            Store::Tree => explore!(search::search, Unmatched::new(TreeStore::new(limits), unmatched)),
            Store::Plain => explore!(search::search, Unmatched::new(PlainStore::new(limits), unmatched)),
            Store::Bitstate => {
                let store = bitstate(limits, 0).ok_or_else(too_little)?;
                explore!(search::search_approximately, Unmatched::forgetting(store, unmatched))
            }
            Store::Compact => {
                explore!(search::search_approximately, Unmatched::forgetting(fingerprints(limits), unmatched))
            }
        });
    }
    macro_rules! explore {
        ($search:path, $kind:ty, $store:expr) => {{
            let store: $kind = match &mut reading {
                Some(reading) => reading.store(limits)?,
                None => $store,
            };
            let checkpoints = options.checkpoints.clone();
            let saver = checkpoints.map(|checkpoints| {
                Arc::new(FileCheckpointer::new(store.clone(), identity, checkpoints, progress.clone()))
            });
            search.checkpointer = saver.clone().map(|saver| saver as Arc<dyn Checkpointer>);
            let outcome = $search(make, &store, &search, progress);
            if outcome.end == End::Damaged {
                return Err(Refusal { reason: "what was to be resumed makes no sense".into() });
            }
            let mut finding = finish(outcome, &store);
            finding.notices.extend(saver.and_then(|saver| saver.failure()));
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
        Store::Bitstate => match options.swarm {
            Some(count) => swarm::join(
                swarm::searches(count, options).map(|each| {
                    let store = bitstate(limits, each.hash).ok_or_else(too_little)?;
                    let time = each.share(options.limits.time, start.elapsed());
                    let search = search::Options {
                        seed: Some(each.order),
                        bounds: Bounds { max_time: time, ..search.bounds },
                        ..search.clone()
                    };
                    progress.restart();
                    let outcome = search::search_approximately(make, &store, &search, progress);
                    Ok(finish(outcome, &store))
                }),
                options,
            )?,
            None => {
                explore!(search::search_approximately, BitstateStore, bitstate(limits, 0).ok_or_else(too_little)?)
            }
        },
        Store::Compact => explore!(search::search_approximately, FingerprintStore, fingerprints(limits)),
    })
}

/// The outcome of a search, and its store.
type Searched = (Outcome<Box<dyn System>>, Box<dyn Measured>);

/// Searches by iterative deepening.
fn deepen(
    make: impl Fn() -> Box<dyn System>,
    options: &Options,
    search: &search::Options,
    progress: &Arc<Progress>,
    directed: &Directed,
) -> Result<Searched, Refusal> {
    let limits = store::Limits::memory(options.limits.memory);
    let cost = &mut directed.cost(options, progress);
    macro_rules! deepen {
        (exactly $store:expr) => {{
            let store = $store;
            let outcome = search::deepen(make, &store, search, progress, cost);
            (outcome, Box::new(store))
        }};
        (approximately $store:expr) => {{
            let found = search::deepen_approximately(make(), || $store, search, progress, cost);
            let (outcome, store) = found.ok_or_else(too_little)?;
            (outcome, Box::new(store))
        }};
    }
    Ok(match options.store {
        Store::Tree => deepen!(exactly TreeStore::new(limits)),
        Store::Plain => deepen!(exactly PlainStore::new(limits)),
        Store::Bitstate => deepen!(approximately bitstate(limits, 0)),
        Store::Compact => deepen!(approximately Some(fingerprints(limits))),
    })
}

fn bitstate(limits: store::Limits, seed: u64) -> Option<BitstateStore> {
    let bits = BitsPerState::new(BITSTATE_BITS).expect("a number within its range");
    BitstateStore::seeded(limits, bits, seed)
}

fn fingerprints(limits: store::Limits) -> FingerprintStore {
    let bits = FingerprintBits::new(FINGERPRINT_BITS).expect("a number within its range");
    FingerprintStore::new(limits, bits)
}

fn too_little() -> Refusal {
    Refusal { reason: "--max-memory is too little for the store".into() }
}

fn search_options(options: &Options) -> search::Options {
    search::Options {
        order: match options.order {
            Order::DepthFirst => search::Order::DepthFirst,
            // A frontier decides otherwise where there is one.
            _ => search::Order::BreadthFirst,
        },
        workers: options.workers.get(),
        errors: options.errors,
        bounds: options.limits.bounds(),
        seed: options.seed,
        end_states: match options.end_states {
            Switch::On => EndStates::Valid,
            Switch::Off => EndStates::Any,
        },
        ..search::Options::default()
    }
}

/// A store whose work is done.
trait Measured {
    fn trust(&self) -> Trust;

    /// Bytes at the end, and the most there were.
    fn bytes(&self) -> (u64, u64);
}

impl<V: VisitedSet> Measured for V {
    fn trust(&self) -> Trust {
        self.coverage()
    }

    fn bytes(&self) -> (u64, u64) {
        (self.memory(), self.most_memory())
    }
}

/// What random walks store.
struct Nothing;

impl Measured for Nothing {
    fn trust(&self) -> Trust {
        Trust::Exact
    }

    fn bytes(&self) -> (u64, u64) {
        (0, 0)
    }
}

fn finish(
    subject: &dyn Subject,
    options: &Options,
    outcome: Outcome<Box<dyn System>>,
    store: &dyn Measured,
    start: Instant,
    directed: Option<&Directed>,
) -> Finding {
    let time = start.elapsed();
    let notes = &outcome.notes;
    let (diverges, truncated) = (notes.happened(Seen::DIVERGES), notes.happened(Seen::TRUNCATED));
    let (mut symmetry, checked) = (subject.symmetry(notes), subject.checked(notes));
    if let Some(usage) = symmetry.as_mut().filter(|_| options.order.adds_depth()) {
        // A state that is expanded again is counted again.
        usage.represented = None;
    }
    let audits = [symmetry.as_ref().and_then(|usage| usage.audit.as_ref()), checked.as_ref()];
    let failure = audits.into_iter().flatten().find_map(|audit| audit.failure.clone());
    let trust = store.trust();
    let (store_bytes, search_bytes) = store.bytes();
    let incomplete = failure.as_ref().map(|_| Cause::AuditFailed);
    let incomplete = incomplete.or_else(|| incomplete_of(outcome.end, trust, options));
    let (counterexample, untold) = match outcome.path.as_ref().map(|path| subject.trace(path)) {
        Some(Ok(trace)) => (Some(trace), None),
        Some(Err(reason)) => (None, Some(unfollowable(reason))),
        None => (None, None),
    };
    let incomplete = untold.or(incomplete).or_else(|| truncated.then_some(Cause::CutAtomic));
    let endless = (diverges && !truncated).then_some(Notice::EndlessAtomic);
    let given_up = subject.given_up(notes).into_iter().map(Notice::GivenUp);
    let notices = endless.into_iter().chain(failure.map(Notice::AuditFailed)).chain(given_up).collect();
    let complete = incomplete.is_none() && !diverges;
    let course = course(subject, options, &outcome, directed, symmetry.as_ref(), counterexample.is_some());
    Finding {
        property: subject.property(),
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
        reductions: subject.reductions(),
        confirmed: None,
        contradiction: None,
        symmetry,
        checked,
        starved: Vec::new(),
        certificate: None,
        unreached: if complete { subject.unreached(notes) } else { Vec::new() },
        covered: subject.covered(notes),
        counts: Counts {
            states: outcome.stored,
            matched: outcome.matched,
            depth: outcome.depth,
            atomic_steps: notes.number(Seen::INNER_STEPS),
            vector_bytes: notes.number(Seen::VECTOR_BYTES),
            store_bytes,
            search_bytes,
            time,
            code_time: Duration::ZERO,
        },
        method: Some(method(options, trust)),
        course: Some(course),
        notices,
    }
}

/// The course of a search. Partial order and merging keep a violation but not the number of transitions to it; processes that symmetry keeps at
/// their end take a step more in a run; and states that are compared without `hidden` variables may be found on a detour.
fn course(
    subject: &dyn Subject,
    options: &Options,
    outcome: &Outcome<Box<dyn System>>,
    directed: Option<&Directed>,
    symmetry: Option<&SymmetryUse>,
    is_found: bool,
) -> Course {
    let keeps_lengths = |reduction: &Reduction| match reduction {
        Reduction::PartialOrder | Reduction::Merging => false,
        Reduction::DeadVariables => true,
        Reduction::Symmetry => symmetry.is_none_or(|usage| !usage.ended_stay),
    };
    let by_length = match options.order {
        Order::BreadthFirst => true,
        order if order.adds_depth() => {
            let is_exact = matches!(options.store, Store::Tree | Store::Plain);
            let is_bound = directed.is_some_and(|directed| directed.is_bound);
            is_exact && is_bound && options.weight.number() <= 1.0
        }
        _ => false,
    };
    let notes = &outcome.notes;
    let is_shortest =
        is_found && by_length && subject.reductions().iter().all(keeps_lengths) && subject.unmatched().is_empty();
    Course {
        order: options.order,
        heuristics: directed.map(|directed| directed.heuristics.clone()).unwrap_or_default(),
        weight: options.order.adds_depth().then(|| options.weight.number()),
        expanded: notes.number(Seen::EXPANDED),
        generated: outcome.transitions(),
        length: outcome.path.as_ref().map(|path| path.len() as u64 - 1).filter(|_| is_found),
        optimal: if is_shortest { Optimal::Proved } else { Optimal::No },
        initial_estimate: directed.and_then(Directed::initial),
        shortened_from: None,
        iterations: (options.order == Order::Deepening).then(|| notes.number(search::ITERATIONS)),
        walks: (options.order == Order::Walk).then(|| walks(notes, subject.covered(notes).unwrap_or_default())),
    }
}

fn walks(notes: &Notes, covered: Covered) -> Walks {
    let executed = covered.statements.iter().filter(|statement| statement.executed).count();
    Walks {
        count: notes.number(search::WALKS),
        steps: notes.number(search::STEPS),
        executed: executed as u64,
        statements: covered.statements.len() as u64,
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

fn method(options: &Options, trust: Trust) -> Method {
    Method {
        search: match options.order {
            Order::DepthFirst => Search::DepthFirst,
            Order::BreadthFirst | Order::Shortest => Search::BreadthFirst,
            Order::BestFirst => Search::BestFirst,
            Order::AStar => Search::AStar,
            Order::Beam => Search::Beam,
            Order::Deepening => Search::Deepening,
            Order::Walk => Search::Walk,
        },
        workers: if options.order.is_directed() { 1 } else { options.workers.get() },
        store: (options.order != Order::Walk).then_some(options.store),
        engine: Some(options.engine),
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
