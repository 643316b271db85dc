//! Claims about infinite runs: formulas, never claims, automata, accept and progress labels.
//!
//! The model and the claim are searched as one system for a cycle that the claim accepts. The path that was found is executed
//! again by the reference interpreter, as for safety, and the property is evaluated on it once more, without a search and, for
//! a formula, without an automaton.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use automata::graph::StateSet;
use explore::cycles::{self, Effort, Marks, Outcome, Shortness, Violation};
use explore::graph;
use explore::search::End;
use explore::store::{self, LoadStates, NumberStates, Numbers, TreeStore, Unmatched, VisitedSet};
use machine::ample::{self, AmpleSets, Chains, Proviso, Stops};
use machine::claim::product::{CLAIM_BYTES, split};
use machine::claim::{Claim, Fairness, Judgement, Lasso, Subject, judge, unanswered, unfair_to};
use machine::dead::DeadVariables;
use machine::expression::Expr;
use machine::generate::Movers;
use machine::interpret::Interpreter;
use machine::interpret::error::RuntimeError;
use machine::show::Show;
use machine::state::State;
use machine::trace::{self, EndKind, Origin, PathEnd, Trace, counterexample};

use super::branching::graph_of;
use super::engine::Refusal;
use super::options::{Engine, Options, Order, Reduction, Switch, Symmetry};
use super::orbits::{Fixed, ForClaim, Orbits};
use super::plan::Given;
use super::product::{Layers, ProductSystem, Workshop};
use super::retrace::{StoredLasso, lasso};
use super::{Counts, Finding, Incomplete, Job, Verdict, depends_on_hidden, incomplete_because};

/// Verifies one claim.
pub(super) fn verify(job: &Job, subject: Subject, options: &Options) -> Result<Finding, Refusal> {
    let begun = Instant::now();
    let name = subject.name(&job.machine).to_string();
    let claim = match subject.claim(&job.machine) {
        Ok(claim) => claim,
        Err(error) => return Ok(unknown(name, error.to_string(), "rewrite the claim")),
    };
    if let Err(error) = Interpreter::new(&job.machine).initial() {
        return Err(Refusal { reason: format!("there is no initial state: {}", error.message) });
    }
    let plan = Plan::new(job, claim, options)?;
    let (start, code_before) = (Instant::now(), plan.code_time());
    let Searched { outcome, workers, store_bytes, search_bytes } = plan.search(job, &options.since(begun));
    let (time, code_time) = (start.elapsed(), plan.code_time() - code_before);
    let incomplete = match outcome.end {
        End::Complete if outcome.system.is_crowded() => Some(crowded()),
        End::Complete if outcome.system.met_endless_atomic() => Some(endless_atomic()),
        End::Complete if outcome.system.met_error() => Some(ends_in_error()),
        end => incomplete_because(end, options),
    };
    let met_error = outcome.violation.is_none() && outcome.system.met_error();
    let mut warnings = plan.warnings.clone();
    // A run that the search takes for a violation may be none if `hidden` variables, which it does not compare, matter.
    let advice = match plan.unmatched.is_empty() {
        true => "this is a mistake of isospin; please report it with the model",
        false => "--reduce all compares hidden variables",
    };
    // Several workers ask for the transitions of one state several times.
    let represented = (workers == 1).then(|| outcome.system.represented.clone());
    let run = outcome.violation.map(|violation| plan.run(job, &options.since(begun), violation, &mut warnings));
    if let Some(Err(reason)) = run {
        // A state can do what the state that stands for it can do, so this cannot happen; to say so is better than to trust either of the two.
        return Ok(unknown(name, reason, advice));
    }
    let run = run.and_then(Result::ok);
    let counterexample = run.as_ref().map(|run| trace(job, subject, &name, options, run));
    let unfair_to = |fairness| match (&run, &counterexample) {
        (Some(run), Some(trace)) => run.unfair_to(job, trace, fairness),
        _ => Vec::new(),
    };
    // Processes that can always move on the cycle and never do.
    let starved = unfair_to(Fairness::Weak);
    if let Some(process) = unfair_to(options.fairness).first() {
        let reason = format!("a run was found that turned out to be unfair to {process}");
        return Ok(unknown(name, reason, advice));
    }
    if let Some(run) = &run
        && let Ok(Judgement::None(reason)) = judge(&job.machine, subject, run.lasso())
    {
        let reason = format!("a run was found that turned out to be no violation: {reason}");
        return Ok(unknown(name, reason, advice));
    }
    let complete = incomplete.is_none();
    Ok(Finding {
        property: name,
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
        reductions: plan.reductions(),
        confirmed: None,
        contradiction: None,
        symmetry: plan.orbits.as_ref().map(|orbits| orbits.usage(represented)),
        starved,
        unreached: Vec::new(),
        warnings,
        counts: Counts {
            states: outcome.stored,
            matched: outcome.matched,
            depth: outcome.depth,
            atomic_steps: 0,
            vector_bytes: outcome.system.vector_bytes as u64,
            store_bytes,
            search_bytes,
            time,
            code_time,
            description: plan.description(options, workers),
        },
    })
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
/// among the warnings.
pub(super) fn orbits_for(
    job: &Job,
    claim: &Claim,
    preserve: Vec<Expr>,
    options: &Options,
    dead: Option<DeadVariables>,
    warnings: &mut Vec<String>,
) -> Option<Arc<Orbits>> {
    let Symmetry::Detect(strategy) = options.symmetry else { return None };
    let fixed = match options.fairness {
        Fairness::None => Fixed::Nothing,
        Fairness::Weak | Fairness::Strong => Fixed::Processes,
    };
    match Orbits::of_claim(&job.machine, strategy, job.declared.as_deref(), claim, preserve, fixed, dead) {
        ForClaim::Some(orbits) => Some(orbits),
        ForClaim::None => None,
        ForClaim::Refused(reason) => {
            warnings.push(format!("symmetry was not used: {reason}"));
            None
        }
    }
}

/// The variables that are set back where nobody will read them. A state and what stands for it have the same atoms and can do the same, moved
/// by the same processes, so every infinite run is kept, step by step. With strong fairness the processes that move on a cycle are not noted, and
/// its run in the model could not be told.
fn dead_variables(job: &Job, options: &Options) -> Option<DeadVariables> {
    match options.fairness {
        Fairness::None | Fairness::Weak => options.dead_variables(&job.machine).filter(|dead| !dead.is_empty()),
        Fairness::Strong => None,
    }
}

/// Fairness has an acceptance set for each process, and there are not that many.
pub(super) fn crowded() -> Incomplete {
    Incomplete {
        reason: "there are more processes than fairness can be checked for".into(),
        advice: "use fewer processes, or --fairness none".into(),
        interrupted: false,
    }
}

/// A run that never leaves an `atomic` sequence has no states that a claim could look at.
pub(super) fn endless_atomic() -> Incomplete {
    Incomplete {
        reason: "an `atomic` sequence was met that never ends, and runs that stay in it were not looked at".into(),
        advice: "make it end, or leave out the `atomic`".into(),
        interrupted: false,
    }
}

/// A run that ends in an error is judged by nobody: it is not infinite, and what would have come is not known.
pub(super) fn ends_in_error() -> Incomplete {
    Incomplete {
        reason: "some runs end in an error before it is decided".into(),
        advice: "mend the error first, which the property safety shows".into(),
        interrupted: false,
    }
}

/// What a search came to.
struct Searched {
    outcome: Outcome<ProductSystem>,
    /// How many workers it had.
    workers: usize,
    store_bytes: u64,
    search_bytes: u64,
}

impl Searched {
    fn new(outcome: Outcome<ProductSystem>, workers: usize, store: &impl VisitedSet) -> Searched {
        Searched { outcome, workers, store_bytes: store.memory(), search_bytes: store.most_memory() }
    }
}

/// An empty store for the states of a product.
fn store_for(products: &Workshop, options: &Options) -> TreeStore<Numbers> {
    let store = TreeStore::with_numbers(store::Limits::memory(options.limits.memory));
    cycles::arrange_words(products.system(), &store, options.limits.states);
    store
}

/// How a claim is verified.
struct Plan {
    products: Products,
    orbits: Option<Arc<Orbits>>,
    dead: Option<Arc<DeadVariables>>,
    /// The bytes of states that are not compared.
    unmatched: Vec<Range<usize>>,
    warnings: Vec<String>,
}

/// The products of a claim and the model, with their reductions.
struct Products {
    claim: Arc<Claim>,
    ordinary: Workshop,
    immortal: Option<Workshop>,
}

impl Products {
    /// That the search sees to it that nothing is put off for ever is used only if the claim bears it.
    fn new(
        job: &Job,
        claim: Claim,
        orbits: Option<&Arc<Orbits>>,
        dead: Option<&Arc<DeadVariables>>,
        options: &Options,
        proviso: Proviso,
    ) -> Result<Products, Refusal> {
        // A state at rest shows less progress than one before it that was passed over. And a shortest run is one of single steps.
        let merging = options.merging == Switch::On
            && claim.non_progress_atoms() == 0
            && options.fairness != Fairness::Strong
            && options.order == Order::DepthFirst;
        let reducible = (options.partial_order == Switch::On || merging) && claim.stutter_invariant;
        let bearing = match proviso {
            Proviso::OnThePath if reducible => claim.bearing_repetition(),
            _ => None,
        };
        let (claim, proviso) = match bearing {
            Some(bearing) => (bearing, Proviso::OnThePath),
            None => (claim, Proviso::InAdvance),
        };
        let claim = Arc::new(claim);
        let ample = |machine: &Arc<machine::Machine>, stops: Stops| {
            let ample = AmpleSets::for_claim(machine.clone(), &claim, proviso).ok().filter(|_| reducible)?;
            let ample = ample.with_chains(if merging { Chains::Skip } else { Chains::Keep }).with_stops(stops);
            let ample = ample.with_reduction(match options.partial_order {
                Switch::On => ample::Reduction::Some,
                Switch::Off => ample::Reduction::None,
            });
            let ample = match options.fairness {
                Fairness::None => ample,
                Fairness::Weak | Fairness::Strong => ample.keeping_fairness().ok()?,
            };
            // What is left out in advance must be the same, up to symmetry, for all states of an orbit.
            let keeps = |orbits: &Arc<Orbits>| orbits.keep(machine, |each, location| ample.is_guarded(each, location));
            orbits.is_none_or(keeps).then(|| (ample.clone(), proviso))
        };
        let workshop = |machine: &Arc<machine::Machine>, stops: Stops| {
            let layers = Layers { ample: ample(machine, stops), dead: dead.cloned() };
            Workshop::new(machine, &claim, options.fairness, options.engine, layers)
        };
        let ordinary = workshop(&job.machine, orbits.map(Orbits::beginning).unwrap_or_default())?;
        let immortal = orbits.and_then(|orbits| orbits.immortal.as_ref());
        let immortal = immortal.map(|machine| workshop(machine, Stops::default())).transpose()?;
        Ok(Products { claim: claim.clone(), ordinary, immortal })
    }

    fn code_time(&self) -> Duration {
        [Some(&self.ordinary), self.immortal.as_ref()].into_iter().flatten().map(Workshop::code_time).sum()
    }

    fn system(&self, orbits: Option<&Arc<Orbits>>) -> ProductSystem {
        match orbits {
            Some(orbits) => self.ordinary.system_modulo(orbits, self.immortal.as_ref()),
            None => self.ordinary.system(),
        }
    }
}

impl Plan {
    fn code_time(&self) -> Duration {
        self.products.code_time()
    }

    fn new(job: &Job, claim: Claim, options: &Options) -> Result<Plan, Refusal> {
        let mut warnings = Vec::new();
        let dead = dead_variables(job, options);
        let preserve = match options.symmetry {
            Symmetry::Detect(_) => observations(&claim),
            Symmetry::Off => Vec::new(),
        };
        let orbits = orbits_for(job, &claim, preserve, options, dead.clone(), &mut warnings);
        // Processes that stay at their end read nothing there, as those that disappear. Which variables are set back, and to what, has to agree
        // with the symmetries.
        let dead = orbits.as_ref().map_or(dead, |orbits| orbits.detection.dead.clone()).map(Arc::new);
        // That the path shows what is put off is proven for runs without fairness only.
        let proviso = match options.fairness {
            Fairness::None => Proviso::OnThePath,
            Fairness::Weak | Fairness::Strong => Proviso::InAdvance,
        };
        let products = Products::new(job, claim, orbits.as_ref(), dead.as_ref(), options, proviso)?;
        let unmatched = options.unmatched_bytes(&job.machine);
        if !unmatched.is_empty() {
            warnings.extend(depends_on_hidden(&job.machine));
            if options.given.contains(&Given::Workers) && options.workers.get() > 1 {
                warnings.push("one worker searches where hidden variables are not compared".into());
            }
        }
        Ok(Plan { products, orbits, dead, unmatched, warnings })
    }

    fn search(&self, job: &Job, options: &Options) -> Searched {
        let search = cycles::Options {
            max_depth: options.limits.depth,
            max_states: options.limits.states,
            max_time: options.limits.time,
        };
        let store = store_for(&self.products.ordinary, options);
        if !self.unmatched.is_empty() {
            // What several workers know of each other's states is too little for this store.
            let store = Unmatched::new(store, self.unmatched.clone());
            let outcome = match options.fairness {
                Fairness::Strong => self.search_graph(job, &search, &store),
                _ => cycles::search(self.products.system(self.orbits.as_ref()), &store, &search, &job.progress),
            };
            return Searched::new(outcome, 1, &store);
        }
        if options.fairness == Fairness::Strong {
            let outcome = self.search_graph(job, &search, &store);
            return Searched::new(outcome, 1, &store);
        }
        let workers = options.workers.get();
        let system = || self.products.system(self.orbits.as_ref());
        let outcome = match workers {
            1 => cycles::search(system(), &store, &search, &job.progress),
            _ => {
                let systems = (0..workers).map(|_| system()).collect();
                cycles::search_in_parallel(systems, &store, &search, &job.progress)
            }
        };
        Searched::new(outcome, workers, &store)
    }

    /// Strong fairness takes components apart, so that they have to be known as a whole.
    fn search_graph<V>(&self, job: &Job, options: &cycles::Options, store: &V) -> Outcome<ProductSystem>
    where
        V: VisitedSet<Handle: LoadStates + NumberStates>,
    {
        let mut explored = graph::explore(self.products.system(self.orbits.as_ref()), store, options, &job.progress);
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
            system: explored.system,
        }
    }

    /// The run of the model that a violation stands for. The options know how much time is left.
    fn run(&self, job: &Job, options: &Options, found: Violation, warnings: &mut Vec<String>) -> Result<Run, String> {
        let until = options.limits.time.and_then(|time| Instant::now().checked_add(time));
        let mut run = self.real_run(job, &found)?;
        if options.order == Order::BreadthFirst && options.fairness == Fairness::Strong {
            warnings.push("there may be a shorter run: with strong fairness it is not looked for".into());
        } else if options.order == Order::BreadthFirst && !self.unmatched.is_empty() {
            warnings.push("there may be a shorter run: without hidden variables it is not looked for".into());
        } else if options.order == Order::BreadthFirst {
            let layers = Layers::default();
            let plain = Workshop::new(&job.machine, &self.products.claim, options.fairness, options.engine, layers);
            let mut system = plain.map_err(|refusal| refusal.reason)?.system();
            // What the reduced search found bounds the length, in the plain product, of a shortest run.
            let known = match self.orbits {
                None => run.in_product(&found),
                Some(_) => match plain_violation(job, &mut system, options, until) {
                    Some(violation) => violation,
                    None => {
                        warnings.push("there may be a shorter run: looking for it took too much time or memory".into());
                        return Ok(run);
                    }
                },
            };
            let (violation, shortness) = cycles::shortest(&mut system, known, Effort::new(until, &job.progress));
            if shortness == Shortness::Unproven {
                warnings.push("there may be a shorter run: looking for it took too much time or memory".into());
            }
            run = Run::of(&violation);
        }
        Ok(run)
    }

    fn real_run(&self, job: &Job, violation: &Violation) -> Result<Run, String> {
        let Products { claim, ordinary, immortal } = &self.products;
        let steps = [immortal.as_ref().and_then(Workshop::steps), ordinary.steps()];
        let is_plain = self.orbits.is_none() && self.dead.is_none() && self.unmatched.is_empty();
        if is_plain && steps.iter().all(Option::is_none) {
            return Ok(Run::of(violation));
        }
        let system =
            |states: &[Vec<u8>]| -> Vec<Vec<u8>> { states.iter().map(|state| split(state).0.to_vec()).collect() };
        // Behind the claim's acceptance sets are those of fairness, one for each process.
        let movers = |marks: &Marks| Movers(marks.0.checked_shr(claim.acceptance_sets).unwrap_or(0));
        let stored = StoredLasso {
            path: &system(&violation.prefix),
            cycle: &system(&violation.cycle),
            movers: &violation.marks.iter().map(movers).collect::<Vec<_>>(),
            steps,
            unmatched: &self.unmatched,
        };
        let none = match self.unmatched.is_empty() {
            true => "a cycle was found in what the reductions left that is no run of the model",
            false => "what was found is no run of the model: states were compared without hidden variables",
        };
        let (states, start) = lasso(&job.machine, self.orbits.as_deref(), self.dead.as_deref(), stored).ok_or(none)?;
        Ok(Run { states, cycle_start: (!violation.cycle.is_empty()).then_some(start) })
    }

    fn reductions(&self) -> Vec<Reduction> {
        let ample = self.products.ordinary.ample();
        let is_used = |reduction: &Reduction| match reduction {
            Reduction::PartialOrder => ample.is_some_and(|ample| ample.reduction() == ample::Reduction::Some),
            Reduction::Merging => ample.is_some_and(|ample| ample.chains() == Chains::Skip),
            Reduction::DeadVariables => self.dead.is_some(),
            Reduction::Symmetry => self.orbits.is_some(),
        };
        Reduction::ALL.into_iter().filter(is_used).collect()
    }

    fn description(&self, options: &Options, workers: usize) -> Vec<String> {
        let products = &self.products;
        let engine = match options.engine {
            Engine::Compiled => "compiled",
            Engine::Interpreter => "interpreted",
        };
        let mut list = match workers {
            _ if options.fairness == Fairness::Strong => vec!["whole graph".to_string(), "1 worker".into()],
            1 => vec!["components on the fly".to_string(), "1 worker".into()],
            several => vec!["components on the fly".to_string(), format!("{several} workers")],
        };
        list.extend(["tree store".into(), engine.into(), format!("claim of {} states", products.claim.states.len())]);
        list.extend(self.reductions().into_iter().map(|reduction| reduction.name().to_string()));
        if options.fairness != Fairness::None {
            list.push(format!("{} fairness", options.fairness.name()));
        }
        list
    }
}

/// A violation of the product without reductions.
fn plain_violation(
    job: &Job,
    system: &mut ProductSystem,
    options: &Options,
    until: Option<Instant>,
) -> Option<Violation> {
    let store = TreeStore::with_numbers(store::Limits::memory(options.limits.memory));
    let search = cycles::Options {
        max_depth: options.limits.depth,
        max_states: options.limits.states,
        max_time: until.map(|until| until.saturating_duration_since(Instant::now())),
    };
    cycles::search(system, &store, &search, &job.progress).violation
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

/// A property that cannot be verified, and why.
pub(super) fn unknown(property: String, reason: String, advice: &str) -> Finding {
    Finding::unknown(property, Incomplete { reason, advice: advice.into(), interrupted: false })
}

/// The end of a run in whose last state a property cannot be evaluated.
fn unevaluable(job: &Job, name: &str, error: &RuntimeError) -> trace::End {
    let failure = trace::Failure::new(error, &Show::new(&job.machine));
    let message = format!("{name} cannot be evaluated here: {}", error.message);
    trace::End { message, pid: None, ..trace::End::from(&failure) }
}

/// Executes the states of a violating run again.
fn trace(job: &Job, subject: Subject, name: &str, options: &Options, run: &Run) -> Trace {
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
    counterexample(&job.machine, origin, &run.states, end)
        .unwrap_or_else(|error| panic!("the reference interpreter cannot follow the search: {error}"))
}
