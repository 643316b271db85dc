//! Claims about infinite runs: formulas, never claims, automata, accept and progress labels.
//!
//! The model and the claim are searched as one system for a cycle that the claim accepts. The path that was found is executed
//! again by the reference interpreter, as for safety, and the property is evaluated on it once more, without a search and, for
//! a formula, without an automaton.

use std::sync::Arc;
use std::time::{Duration, Instant};

use automata::graph::StateSet;
use explore::cycles::{self, Effort, Guide, Outcome, Shortness, Violation};
use explore::graph;
use explore::store::{self, LoadStates, NumberStates, Numbers, TreeStore, Unmatched, VisitedSet};
use explore::{Bounds, End};
use machine::ample::Proviso;
use machine::claim::product::{CLAIM_BYTES, split};
use machine::claim::{Claim, Fairness, Judgement, Lasso, Product, Subject, judge, unanswered, unfair_to};
use machine::dead::DeadVariables;
use machine::expression::Expr;
use machine::interpret::Interpreter;
use machine::interpret::error::RuntimeError;
use machine::show::Show;
use machine::state::State;
use machine::trace::{self, EndKind, Origin, PathEnd, Trace, counterexample};
use num_bigint::BigUint;
use symmetry::orbits::{self, Fixed, ForClaim, Orbits};
use system::unwind::StoredLasso;
use system::{Marks, Movers, Notes, Seen, System};

use super::branching::graph_of;
use super::directed::{self, Aim, Directed};
use super::engine::{Executable, Refusal};
use super::options::{HiddenVariables, Options, Order, Reduction, Store, Switch, Symmetry};
use super::plan::{Given, Kind};
use super::stack::{Stack, Wanted, Watch};
use super::vacuity;
use super::{
    Cause, Counts, Course, Doubt, Finding, Job, Method, NotSought, Notice, Optimal, Property, Search, SymmetryUse,
    Unfit, Unused, Verdict, depends_on_hidden, incomplete_because,
};

/// Verifies one claim.
pub(super) fn verify(job: &Job, subject: Subject, options: &Options) -> Result<Finding, Refusal> {
    let begun = Instant::now();
    let options = &directed::settled_for_claim(options);
    let name = subject.name(&job.machine).to_string();
    let property = Property::InfiniteRuns(name.clone());
    let unknown = |cause| Finding::unknown(property.clone(), cause);
    let claim = match subject.claim(&job.machine) {
        Ok(claim) => claim,
        Err(error) => return Ok(unknown(Cause::Claim { kind: Kind::InfiniteRuns, error: error.to_string() })),
    };
    if let Err(error) = Interpreter::new(&job.machine).initial() {
        return Err(Refusal { reason: format!("there is no initial state: {}", error.message) });
    }
    let plan = Plan::new(job, claim, options)?;
    let directed = options.order.has_frontier().then(|| plan.directed(job, options)).transpose()?;
    let (start, code_before) = (Instant::now(), plan.code_time());
    let Searched { outcome, workers, store_bytes, search_bytes } =
        plan.search(job, &options.since(begun), directed.as_ref());
    let (time, code_time) = (start.elapsed(), plan.code_time() - code_before);
    let notes = &outcome.notes;
    let incomplete = match outcome.end {
        End::Complete if is_crowded(notes) => Some(Cause::Crowded),
        End::Complete if notes.happened(Seen::DIVERGES) => Some(Cause::EndlessAtomic),
        End::Complete if notes.happened(Seen::ERRORS) => Some(Cause::EndsInError),
        end => incomplete_because(end, options),
    };
    let met_error = outcome.violation.is_none() && notes.happened(Seen::ERRORS);
    let vector_bytes = notes.number(Seen::VECTOR_BYTES);
    let mut notices = plan.notices.clone();
    // A run that the search takes for a violation may be none if `hidden` variables, which it does not compare, matter. Otherwise this cannot
    // happen; to say so is better than to trust either of the two.
    let hidden = match plan.stack.unmatched().is_empty() {
        true => HiddenVariables::Compared,
        false => HiddenVariables::Ignored,
    };
    let doubtful = |doubt| Ok(unknown(Cause::Doubtful { doubt, hidden }));
    // Several workers ask for the transitions of one state several times.
    let course = directed.map(|directed| course(options, &outcome, &directed));
    let represented = (workers == 1).then(|| BigUint::from_bytes_le(notes.bytes(Orbits::REPRESENTED)));
    let run = outcome.violation.map(|violation| plan.run(job, &options.since(begun), violation, &mut notices));
    let run = match run {
        Some(Err(Unwound::NoRun)) => return doubtful(Doubt::NoRun),
        Some(Err(Unwound::Refused(refusal))) => return Err(refusal),
        Some(Ok(run)) => Some(run),
        None => None,
    };
    notices.extend(plan.unused.iter().cloned().map(Notice::Unused));
    let counterexample = match run.as_ref().map(|run| trace(job, subject, &name, options, run)) {
        Some(Err(reason)) => return doubtful(Doubt::Unfollowable(reason)),
        Some(Ok(trace)) => Some(trace),
        None => None,
    };
    let unfair_to = |fairness| match (&run, &counterexample) {
        (Some(run), Some(trace)) => run.unfair_to(job, trace, fairness),
        _ => Vec::new(),
    };
    // Processes that can always move on the cycle and never do.
    let starved = unfair_to(Fairness::Weak);
    if let Some(process) = unfair_to(options.fairness).first() {
        return doubtful(Doubt::Unfair(process.clone()));
    }
    if let Some(run) = &run
        && let Ok(Judgement::None(reason)) = judge(&job.machine, subject, run.lasso())
    {
        return doubtful(Doubt::NoViolation(reason.to_string()));
    }
    let complete = incomplete.is_none();
    if let (Subject::Formula(index), true) = (subject, complete && counterexample.is_none()) {
        let held = notes.bytes(Product::<Box<dyn System>>::HELD);
        let never = vacuity::never_true(&job.machine.ltl[index], &plan.claim, held);
        notices.extend((!never.is_empty()).then_some(Notice::Vacuous(never)));
    }
    Ok(Finding {
        certificate: None,
        property: property.clone(),
        verdict: match (&counterexample, incomplete) {
            (Some(_), _) => Verdict::Violated,
            (None, Some(incomplete)) => Verdict::Unknown(incomplete),
            (None, None) => Verdict::Holds,
        },
        violations: u64::from(counterexample.is_some()),
        counterexample,
        evidence: None,
        complete,
        met_error,
        reductions: plan.stack.reductions(),
        confirmed: None,
        contradiction: None,
        symmetry: plan.stack.symmetry().map(|symmetry| SymmetryUse::of(symmetry, represented)),
        checked: None,
        starved,
        unreached: Vec::new(),
        covered: None,
        notices,
        counts: Counts {
            states: outcome.stored,
            matched: outcome.matched,
            depth: outcome.depth,
            atomic_steps: 0,
            vector_bytes,
            store_bytes,
            search_bytes,
            time,
            code_time,
        },
        method: Some(plan.method(options, workers)),
        course,
    })
}

/// The course of a directed search.
fn course(options: &Options, outcome: &Outcome<Box<dyn System>>, directed: &Directed) -> Course {
    let length = outcome.violation.as_ref().map(|found| (found.prefix.len() + found.cycle.len()) as u64 - 1);
    Course {
        order: options.order,
        heuristics: directed.heuristics.clone(),
        weight: options.order.adds_depth().then(|| options.weight.number()),
        expanded: outcome.notes.number(Seen::EXPANDED),
        generated: outcome.stored + outcome.matched,
        length,
        optimal: Optimal::No,
        initial_estimate: directed.initial(),
        shortened_from: None,
        iterations: None,
        walks: None,
    }
}

/// The conditions by which the automata decide that a search for a claim may use, whatever its options: a symmetry that keeps their
/// values keeps all moves of each.
#[must_use]
pub fn observations(claim: &Claim) -> Vec<Expr> {
    let mut conditions = claim.observations();
    for condition in claim.bearing_repetition().into_iter().flat_map(|claim| claim.observations()) {
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    conditions
}

/// The symmetry that keeps the conditions by which a claim decides, of states in which the given variables are set back. Why one is not used is
/// among the notices.
pub(super) fn symmetry_for(
    job: &Job,
    claim: &Claim,
    preserve: Vec<Expr>,
    options: &Options,
    dead: Option<DeadVariables>,
    notices: &mut Vec<Notice>,
) -> Option<Arc<orbits::Symmetry>> {
    let Symmetry::Detect(strategy) = options.symmetry else { return None };
    let fixed = match options.fairness {
        Fairness::None => Fixed::Nothing,
        Fairness::Weak | Fairness::Strong => Fixed::Processes,
    };
    match orbits::Symmetry::of_claim(&job.machine, strategy, job.declared.as_deref(), claim, preserve, fixed, dead) {
        ForClaim::Some(symmetry) => Some(symmetry),
        ForClaim::None => None,
        ForClaim::Refused(reason) => {
            let reason = Unfit::Property(reason.to_string());
            notices.push(Notice::Unused(Unused { reductions: vec![Reduction::Symmetry], reason }));
            None
        }
    }
}

/// The variables that are set back where nobody will read them. A state and what stands for it have the same atoms and can do the same, moved
/// by the same processes, so every infinite run is kept, step by step. With strong fairness the processes that move on a cycle are not noted, and
/// its run in the model could not be told.
fn dead_variables(job: &Job, options: &Options) -> Result<Option<DeadVariables>, Unused> {
    let dead = options.dead_variables(&job.machine).filter(|dead| !dead.is_empty());
    match (dead, options.fairness) {
        (Some(_), Fairness::Strong) => {
            Err(Unused { reductions: vec![Reduction::DeadVariables], reason: Unfit::StrongFairness })
        }
        (dead, _) => Ok(dead),
    }
}

/// Why chains of steps are not passed over, if they cannot be.
fn merging_refused(claim: &Claim, options: &Options) -> Option<Unfit> {
    if claim.non_progress_atoms() != 0 {
        // A state at rest shows less progress than one before it that was passed over.
        Some(Unfit::Progress)
    } else if options.fairness == Fairness::Strong {
        Some(Unfit::StrongFairness)
    } else {
        options.order.is_shortest().then_some(Unfit::Shortest)
    }
}

/// Whether there were more processes than fairness can be checked for.
pub(super) fn is_crowded(notes: &Notes) -> bool {
    notes.happened(Product::<Box<dyn System>>::CROWDED)
}

/// What a search came to.
struct Searched {
    outcome: Outcome<Box<dyn System>>,
    /// How many workers it had.
    workers: usize,
    store_bytes: u64,
    search_bytes: u64,
}

impl Searched {
    fn new(outcome: Outcome<Box<dyn System>>, workers: usize, store: &impl VisitedSet) -> Searched {
        Searched { outcome, workers, store_bytes: store.memory(), search_bytes: store.most_memory() }
    }
}

/// An empty store for the states of a product.
fn store_for(stack: &Stack, options: &Options) -> TreeStore<Numbers> {
    let store = TreeStore::with_numbers(store::Limits::memory(options.limits.memory));
    cycles::arrange_words(stack.ordinary(), &store, options.limits.states);
    store
}

/// How a claim is verified.
struct Plan {
    stack: Stack,
    claim: Arc<Claim>,
    /// What the user should know, whatever is found.
    notices: Vec<Notice>,
    /// Reductions that were asked for and do not bear the property.
    unused: Vec<Unused>,
}

impl Plan {
    fn code_time(&self) -> Duration {
        self.stack.code_time()
    }

    fn new(job: &Job, claim: Claim, options: &Options) -> Result<Plan, Refusal> {
        let (mut notices, mut unused) = (Vec::new(), Vec::new());
        let dead = dead_variables(job, options).unwrap_or_else(|refused| {
            unused.push(refused);
            None
        });
        let preserve = match options.symmetry {
            Symmetry::Detect(_) => observations(&claim),
            Symmetry::Off => Vec::new(),
        };
        let symmetry = symmetry_for(job, &claim, preserve, options, dead.clone(), &mut notices);
        // Processes that stay at their end read nothing there, as those that disappear. Which variables are set back, and to what, has to agree
        // with the symmetries.
        let dead = symmetry.as_ref().map_or(dead, |symmetry| symmetry.detection.dead.clone()).map(Arc::new);
        let merging = match merging_refused(&claim, options) {
            Some(reason) if options.merging == Switch::On => {
                unused.push(Unused { reductions: vec![Reduction::Merging], reason });
                Switch::Off
            }
            _ => options.merging,
        };
        // That the path shows what is put off is proven for runs without fairness only, and used only if the claim bears it.
        let reduces = (options.partial_order == Switch::On || merging == Switch::On) && claim.stutter_invariant;
        let bearing = match options.fairness {
            Fairness::None if reduces => claim.bearing_repetition(),
            Fairness::None | Fairness::Weak | Fairness::Strong => None,
        };
        let (claim, proviso) = match bearing {
            Some(bearing) => (bearing, Proviso::OnThePath),
            None => (claim, Proviso::InAdvance),
        };
        let claim = Arc::new(claim);
        let wanted = Wanted {
            symmetry: symmetry.as_ref(),
            dead,
            partial_order: options.partial_order,
            merging,
            proviso,
            unmatched: options.unmatched_bytes(&job.machine),
            ..Wanted::watching(Watch { claim: claim.clone(), fairness: options.fairness }, options.engine)
        };
        let stack = Stack::new(&job.machine, Executable::new(&job.machine, options.engine)?, wanted)?;
        unused.splice(0..0, stack.unused.iter().cloned());
        if !stack.unmatched().is_empty() {
            notices.extend(depends_on_hidden(&job.machine));
            if options.given.contains(&Given::Workers) && options.workers.get() > 1 {
                notices.push(Notice::OneWorkerForHidden);
            }
        }
        Ok(Plan { stack, claim, notices, unused })
    }

    /// The estimates of a directed search.
    fn directed(&self, job: &Job, options: &Options) -> Result<Directed, Refusal> {
        Directed::new(&job.machine, Aim::Claim(&self.claim), options, self.stack.plain())
    }

    fn search(&self, job: &Job, options: &Options, directed: Option<&Directed>) -> Searched {
        let bounds = options.limits.bounds();
        let store = store_for(&self.stack, options);
        if let Some(directed) = directed {
            let components = self.claim.accepting_components();
            let guide = Guide {
                region: &|state| components[split(state).1.index()],
                estimate: &mut directed.estimate(&job.progress),
                frontier: &directed.frontier(options, &job.progress),
            };
            let outcome = cycles::search_in_order(self.stack.system(), &store, bounds, &job.progress, guide);
            return Searched::new(outcome, 1, &store);
        }
        let unmatched = self.stack.unmatched();
        if !unmatched.is_empty() {
            // What several workers know of each other's states is too little for this store.
            let store = Unmatched::new(store, unmatched.to_vec());
            let outcome = match options.fairness {
                Fairness::Strong => self.search_graph(job, bounds, &store),
                Fairness::None | Fairness::Weak => cycles::search(self.stack.system(), &store, bounds, &job.progress),
            };
            return Searched::new(outcome, 1, &store);
        }
        if options.fairness == Fairness::Strong {
            let outcome = self.search_graph(job, bounds, &store);
            return Searched::new(outcome, 1, &store);
        }
        let workers = options.workers.get();
        let system = || self.stack.system();
        let outcome = match workers {
            1 => cycles::search(system(), &store, bounds, &job.progress),
            _ => {
                let systems = (0..workers).map(|_| system()).collect();
                cycles::search_in_parallel(systems, &store, bounds, &job.progress)
            }
        };
        Searched::new(outcome, workers, &store)
    }

    /// Strong fairness takes components apart, so that they have to be known as a whole.
    fn search_graph<V>(&self, job: &Job, bounds: Bounds, store: &V) -> Outcome<Box<dyn System>>
    where
        V: VisitedSet<Handle: LoadStates + NumberStates>,
    {
        let mut explored = graph::explore(self.stack.system(), store, bounds, &job.progress);
        let sealed = explored.sealed.take().map(Violation::sealed);
        let violation = sealed.or_else(|| {
            // Of a part of the graph nothing is known: what is missing may answer a request, or ask for more.
            if explored.end != End::Complete {
                return None;
            }
            let graph = graph_of(&mut explored, Fairness::Strong);
            let all = StateSet::all(graph.len());
            let components = graph.fair_components(&all);
            let lasso = graph.lasso(0, &all, &components)?;
            job.progress.violate();
            let mut handle = store.handle();
            let mut states: Vec<Vec<u8>> = Vec::new();
            for &state in lasso.states.iter().chain([&lasso.states[lasso.cycle_start]]) {
                let mut bytes = Vec::new();
                handle.load(explored.states[state as usize], &mut bytes);
                states.push(bytes);
            }
            let cycle = states.split_off(lasso.cycle_start + 1);
            Some(Violation { prefix: states, cycle, marks: Vec::new() })
        });
        Outcome {
            end: if violation.is_some() { End::Violation } else { explored.end },
            stored: explored.states.len() as u64,
            matched: explored.matched,
            depth: explored.depth,
            components: 0,
            violation,
            notes: explored.notes,
            system: explored.system,
        }
    }

    /// The run of the model that a violation stands for. The options know how much time is left.
    fn run(&self, job: &Job, options: &Options, found: Violation, notices: &mut Vec<Notice>) -> Result<Run, Unwound> {
        let until = options.limits.time.and_then(|time| Instant::now().checked_add(time));
        let mut run = self.real_run(&found)?;
        if options.order.is_shortest() && options.fairness == Fairness::Strong {
            notices.push(Notice::PerhapsShorter(NotSought::StrongFairness));
        } else if options.order.is_shortest() && !self.stack.unmatched().is_empty() {
            notices.push(Notice::PerhapsShorter(NotSought::Hidden));
        } else if options.order.is_shortest() {
            let watch = Watch { claim: self.claim.clone(), fairness: options.fairness };
            let executable = Executable::new(&job.machine, options.engine);
            let plain =
                executable.and_then(|each| Stack::new(&job.machine, each, Wanted::watching(watch, options.engine)));
            let mut system = plain.map_err(Unwound::Refused)?.system();
            // What the reduced search found bounds the length, in the plain product, of a shortest run.
            let known = match self.stack.symmetry() {
                None => run.in_product(&found),
                Some(_) => match plain_violation(job, &mut system, options, until) {
                    Some(violation) => violation,
                    None => {
                        notices.push(Notice::PerhapsShorter(NotSought::Effort));
                        return Ok(run);
                    }
                },
            };
            let (violation, shortness) = cycles::shortest(&mut system, known, Effort::new(until, &job.progress));
            if shortness == Shortness::Unproven {
                notices.push(Notice::PerhapsShorter(NotSought::Effort));
            }
            run = Run::of(&violation);
        }
        Ok(run)
    }

    fn real_run(&self, violation: &Violation) -> Result<Run, Unwound> {
        let system =
            |states: &[Vec<u8>]| -> Vec<Vec<u8>> { states.iter().map(|state| split(state).0.to_vec()).collect() };
        // Behind the claim's acceptance sets are those of fairness, one for each process.
        let movers = |marks: &Marks| Movers(marks.0.checked_shr(self.claim.acceptance_sets).unwrap_or(0));
        let stored = StoredLasso {
            path: &system(&violation.prefix),
            cycle: &system(&violation.cycle),
            movers: &violation.marks.iter().map(movers).collect::<Vec<_>>(),
        };
        let lasso = self.stack.lasso(stored).map_err(Unwound::Refused)?;
        let (states, start) = lasso.ok_or(Unwound::NoRun)?;
        Ok(Run { states, cycle_start: (!violation.cycle.is_empty()).then_some(start) })
    }

    fn method(&self, options: &Options, workers: usize) -> Method {
        Method {
            search: match (options.fairness, options.order) {
                (Fairness::Strong, _) => Search::WholeGraph,
                (_, Order::BestFirst) => Search::BestFirst,
                (_, Order::AStar) => Search::AStar,
                (_, Order::Beam) => Search::Beam,
                _ => Search::Components,
            },
            workers,
            store: Some(Store::Tree),
            engine: Some(options.engine),
            claim_states: Some(self.claim.states.len()),
            fairness: options.fairness,
            seed: None,
            hash_factor: None,
            searches: None,
        }
    }
}

/// Why a violation has no run of the model.
enum Unwound {
    /// None was found.
    NoRun,
    /// The model cannot be executed in the way that is needed.
    Refused(Refusal),
}

/// A violation of the product without reductions.
fn plain_violation(
    job: &Job,
    system: &mut Box<dyn System>,
    options: &Options,
    until: Option<Instant>,
) -> Option<Violation> {
    let store = TreeStore::with_numbers(store::Limits::memory(options.limits.memory));
    let max_time = until.map(|until| until.saturating_duration_since(Instant::now()));
    let bounds = Bounds { max_time, ..options.limits.bounds() };
    cycles::search(system, &store, bounds, &job.progress).violation
}

/// A violating run of the model, by its states.
struct Run {
    states: Vec<State>,
    cycle_start: Option<usize>,
}

impl Run {
    /// The run that a search without symmetry found.
    fn of(violation: &Violation) -> Run {
        let system = |state: &Vec<u8>| State::from_bytes(split(state).0);
        let mut states: Vec<State> = violation.prefix.iter().map(system).collect();
        let start = states.len() - 1;
        // The step back to where the cycle starts is implied.
        states.extend(violation.cycle.iter().rev().skip(1).rev().map(system));
        Run { states, cycle_start: (!violation.cycle.is_empty()).then_some(start) }
    }

    /// The same in the product without reductions, where the claim goes the way that a search without symmetry found.
    fn in_product(&self, found: &Violation) -> Violation {
        let stored = |index: usize| match index.checked_sub(found.prefix.len()) {
            None => &found.prefix[index],
            Some(index) => &found.cycle[index % found.cycle.len()],
        };
        let state = |index: usize| {
            // The step back to where the cycle starts is implied.
            let system = self.states.get(index).or_else(|| self.states.get(self.cycle_start?));
            let mut state = system.map_or_else(Vec::new, |state| state.bytes().to_vec());
            let stored = stored(index);
            state.extend_from_slice(&stored[stored.len() - CLAIM_BYTES..]);
            state
        };
        let (start, end) = match self.cycle_start {
            Some(start) => (start, self.states.len()),
            None => (self.states.len() - 1, self.states.len() - 1),
        };
        Violation {
            prefix: (0..=start).map(state).collect(),
            cycle: (start + 1..=end).map(state).collect(),
            marks: Vec::new(),
        }
    }

    fn lasso(&self) -> Lasso<'_> {
        Lasso { states: &self.states, cycle_start: self.cycle_start }
    }

    /// The processes to which the cycle is not fair as its trace goes round it.
    fn unfair_to(&self, job: &Job, trace: &Trace, fairness: Fairness) -> Vec<String> {
        let machine = &job.machine;
        let Some(last) = self.states.last() else { return Vec::new() };
        let name = |pid: machine::id::Pid| {
            let definition = machine.definition(last.definition(&machine.layout, pid));
            format!("{}[{}]", definition.automaton.name, pid.0)
        };
        let on_cycle = trace.cycle_start.and_then(|start| trace.steps.get(start..)).unwrap_or_default();
        let moved = on_cycle.iter().fold(Movers::default(), |moved, step| moved.and(step.movers()));
        unfair_to(machine, self.lasso(), moved, fairness).into_iter().map(name).collect()
    }
}

/// The end of a run in whose last state a property cannot be evaluated.
fn unevaluable(job: &Job, name: &str, error: &RuntimeError) -> trace::End {
    let failure = trace::Failure::new(error, &Show::new(&job.machine));
    let message = format!("{name} cannot be evaluated here: {}", error.message);
    trace::End { message, pid: None, ..trace::End::from(&failure) }
}

/// Executes the states of a violating run again; or why that is impossible, which is a mistake of the search.
fn trace(job: &Job, subject: Subject, name: &str, options: &Options, run: &Run) -> Result<Trace, String> {
    let end = match run.cycle_start {
        None => PathEnd::Judged(match unanswered(&job.machine, subject, run.lasso()) {
            Ok(Some(error)) => unevaluable(job, name, &error),
            _ => {
                let message = match subject {
                    Subject::Formula(_) => format!("no continuation of this run satisfies {name}"),
                    _ => format!("the claim {name} comes to its end"),
                };
                trace::End::new(EndKind::Claim, message)
            }
        }),
        Some(to) => {
            let (kind, message) = match subject {
                Subject::NonProgress => (EndKind::NonProgressCycle, "a cycle without progress".to_string()),
                Subject::Acceptance => (EndKind::AcceptanceCycle, "a cycle through an accepting state".to_string()),
                Subject::Formula(_) => (EndKind::AcceptanceCycle, format!("a cycle that violates {name}")),
                Subject::Never(_) | Subject::Automaton(_) => {
                    (EndKind::AcceptanceCycle, format!("a cycle that {name} accepts"))
                }
            };
            PathEnd::Returns { to, kind, message }
        }
    };
    let formula = match subject {
        Subject::Formula(index) => Some(job.machine.ltl[index].block(&job.machine.sources)),
        _ => None,
    };
    let fairness = (options.fairness != Fairness::None).then(|| options.fairness.name().to_string());
    let origin = Origin { property: Some(name.into()), formula, fairness, ..job.origin.clone() };
    counterexample(&job.machine, origin, &run.states, end).map_err(|error| error.to_string())
}
