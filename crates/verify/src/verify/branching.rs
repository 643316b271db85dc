//! Formulas of computation tree logic, evaluated on the graph of all states.
//!
//! The graph is that of the liveness searches, with a claim that only looks: its atoms are the formula's propositions. A state at rest repeats
//! itself for ever. What goes wrong in a step (a failed assertion) ends a run; then the formula is decided only by runs that do not. Partial order, merging
//! and dead variables are not used, as they keep single runs and not the tree; symmetries are, if they keep the value of every proposition.
//!
//! The evidence is a tree of runs of the model itself: what was found up to symmetry is followed from the initial state on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use automata::ctl::{Ctl, Evaluation, Evidence, Reason};
use automata::graph::Graph;
use explore::End;
use explore::graph::{Explored, explore};
use explore::store::{self, LoadStates as _, StateRef, TreeStore, VisitedSet as _};
use machine::claim::product::split;
use machine::claim::{Atom, Claim, Fairness, Values};
use machine::interpret::Interpreter;
use machine::simulate::{History, Run};
use machine::state::State;
use machine::trace::{self, EndKind, Origin, Trace, TraceStep};
use num_bigint::BigUint;
use symmetry::orbits::Orbits;
use system::{Marks, Movers, Seen, System};

use super::engine::{Executable, Refusal};
use super::liveness::{is_crowded, symmetry_for};
use super::options::{HiddenVariables, Options, Store};
use super::plan::Kind;
use super::stack::{BoxedUnwinder, Stack, Wanted, Watch};
use super::{Cause, Counts, Doubt, Finding, Job, Method, Property, Search, SymmetryUse, Verdict, incomplete_because};

/// A formula about the tree of runs.
#[derive(Clone, Debug)]
pub struct Branching {
    /// The name that reports use.
    pub name: String,
    /// The formula.
    pub formula: Ctl,
    /// What its propositions stand for.
    pub atoms: Vec<Atom>,
}

/// Why a formula holds, or does not: a tree of runs of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// A part of the formula.
    pub formula: String,
    /// Whether it holds here.
    pub holds: bool,
    /// Why.
    pub because: Because,
}

/// Why a part of a formula has its value in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Because {
    /// The state itself says so.
    OfTheState,
    /// Because of these parts, in the same state.
    OfParts(Vec<Tree>),
    /// A run from here shows it.
    OfRun {
        /// Its steps.
        steps: Vec<TraceStep>,
        /// If it goes on for ever: the index of the first step that is repeated; the number of steps if the last state is.
        cycle_start: Option<usize>,
        /// After so many of its steps a part has a value, and why.
        points: Vec<(usize, Tree)>,
    },
    /// No run from here shows the contrary.
    OfEveryRun {
        /// How many states there are from here on, up to symmetry.
        states: u64,
    },
    /// It is left out: the tree is large enough.
    Omitted,
}

/// Verifies one formula.
pub(super) fn verify(job: &Job, property: &Branching, options: &Options) -> Result<Finding, Refusal> {
    let start = Instant::now();
    let name = property.name.clone();
    let about = Property::Tree(name.clone());
    let unknown = |cause| Finding::unknown(about.clone(), cause);
    let claim = match Claim::watching(&name, property.atoms.clone()) {
        Ok(claim) => Arc::new(claim),
        Err(error) => return Ok(unknown(Cause::Claim { kind: Kind::Tree, error: error.to_string() })),
    };
    if let Err(error) = Interpreter::new(&job.machine).initial() {
        return Err(Refusal { reason: format!("there is no initial state: {}", error.message) });
    }
    let mut notices = Vec::new();
    let preserve = claim.expressions().cloned().collect();
    let symmetry = symmetry_for(job, &claim, preserve, options, None, &mut notices);
    let watch = Watch { claim: claim.clone(), fairness: options.fairness };
    let wanted = Wanted { symmetry: symmetry.as_ref(), ..Wanted::watching(watch, options.engine) };
    let stack = Stack::new(&job.machine, Executable::new(&job.machine, options.engine)?, wanted)?;
    let store = TreeStore::with_numbers(store::Limits::memory(options.limits.memory));
    let mut explored = explore(stack.system(), &store, options.since(start).limits.bounds(), &job.progress);
    let incomplete = match explored.end {
        End::Complete if is_crowded(&explored.notes) => Some(Cause::Crowded),
        End::Complete if explored.notes.happened(Seen::DIVERGES) => Some(Cause::EndlessAtomic),
        end => incomplete_because(end, options),
    };
    let counts = Counts {
        states: explored.states.len() as u64,
        matched: explored.matched,
        depth: explored.depth,
        atomic_steps: 0,
        vector_bytes: explored.notes.number(Seen::VECTOR_BYTES),
        store_bytes: store.memory(),
        search_bytes: store.most_memory(),
        time: start.elapsed(),
        code_time: stack.code_time(),
    };
    let method = Some(method(options));
    let represented = BigUint::from_bytes_le(explored.notes.bytes(Orbits::REPRESENTED));
    let usage = symmetry.as_ref().map(|symmetry| SymmetryUse::of(symmetry, Some(represented)));
    if let Some(incomplete) = incomplete {
        return Ok(Finding { counts, method, symmetry: usage, notices, ..unknown(incomplete) });
    }
    let graph = graph_of(&mut explored, options.fairness);
    let mut handle = store.handle();
    let mut load = |reference: StateRef| {
        let mut bytes = Vec::new();
        handle.load(reference, &mut bytes);
        bytes
    };
    let mut values: Vec<u64> = Vec::with_capacity(explored.states.len());
    let mut product = stack.product().expect("a claim watches");
    for &reference in &explored.states {
        let state = load(reference);
        let here = product.values(&state);
        if !is_determined(&property.formula, here) {
            let state = State::from_bytes(split(&state).0);
            let error = claim.first_error(&job.machine, &state).map(|error| error.message).unwrap_or_default();
            let unknown = unknown(Cause::Unevaluable { error });
            return Ok(Finding { counts, method, symmetry: usage, notices, ..unknown });
        }
        values.push(here.holds);
    }
    let evaluation = Evaluation::new(&property.formula, &graph, |state, atom| values[state as usize] >> atom & 1 == 1);
    let holds = evaluation.holds(property.formula.root(), 0);
    if !holds {
        job.progress.violate();
    }
    let evidence = evaluation.explain(0);
    if explored.notes.happened(Seen::ERRORS) && !is_witnessed(&evidence) {
        let unknown = unknown(Cause::EndsInError);
        return Ok(Finding { met_error: true, counts, method, symmetry: usage, notices, ..unknown });
    }
    let mut witness = Witness {
        interpreter: Interpreter::new(&job.machine),
        formula: &property.formula,
        unwinder: stack.unwinder()?,
        state: |number: u32| split(&load(explored.states[number as usize])).0.to_vec(),
    };
    let run = Run::new(&job.machine, History::Record)
        .map_err(|error| Refusal { reason: format!("there is no initial state: {}", error.message) })?;
    let Some((tree, branch)) = witness.tree(&evidence, run) else {
        return Ok(unknown(Cause::Doubtful { doubt: Doubt::NoTree, hidden: HiddenVariables::Compared }));
    };
    let counterexample = branch.filter(|_| !holds).map(|branch| branch.trace(job, &name, options, &tree));
    Ok(Finding {
        property: about.clone(),
        verdict: if holds { Verdict::Holds } else { Verdict::Violated },
        counterexample,
        evidence: Some(tree),
        violations: u64::from(!holds),
        complete: true,
        met_error: false,
        reductions: stack.reductions(),
        confirmed: None,
        contradiction: None,
        counts: Counts { time: start.elapsed(), ..counts },
        method,
        course: None,
        symmetry: usage,
        checked: None,
        starved: Vec::new(),
        certificate: None,
        unreached: Vec::new(),
        covered: None,
        notices,
    })
}

/// Whether runs of the model show it, and nothing depends on what is behind the errors in which others end: neither what every run does, nor a
/// state that seems to repeat itself, which may be one where every step goes wrong.
fn is_witnessed(evidence: &Evidence) -> bool {
    match &evidence.reason {
        Reason::State => true,
        Reason::Parts(parts) => parts.iter().all(is_witnessed),
        Reason::Run { states, cycle_start, points } => {
            let is_path = cycle_start.is_none_or(|start| start + 1 < states.len());
            is_path && points.iter().all(|(_, point)| is_witnessed(point))
        }
        Reason::EveryRun { .. } | Reason::Omitted => false,
    }
}

/// Whether the propositions of a formula have values where some of its atoms cannot be evaluated.
fn is_determined(formula: &Ctl, values: Values) -> bool {
    let value = |atom: u32| (values.unknown >> atom & 1 == 0).then_some(values.holds >> atom & 1 == 1);
    values.unknown == 0 || formula.statements().all(|part| formula.value(part, &value).is_some())
}

/// The graph, without what evaluation does not need.
pub(super) fn graph_of<S>(explored: &mut Explored<S>, fairness: Fairness) -> Graph
where
    S: System,
{
    let marked = fairness != Fairness::None || explored.system.acceptance() != Marks::NONE;
    Graph {
        offsets: std::mem::take(&mut explored.offsets),
        targets: std::mem::take(&mut explored.targets),
        marks: if marked { std::mem::take(&mut explored.marks) } else { Vec::new() },
        requests: if fairness == Fairness::Strong { std::mem::take(&mut explored.requests) } else { Vec::new() },
        required: explored.system.acceptance().0,
    }
}

fn method(options: &Options) -> Method {
    Method {
        search: Search::WholeGraph,
        workers: 1,
        store: Some(Store::Tree),
        engine: Some(options.engine),
        claim_states: None,
        fairness: options.fairness,
        seed: None,
        hash_factor: None,
        searches: None,
    }
}

/// Makes the evidence for a formula: trees of runs.
struct Witness<'m, Load> {
    interpreter: Interpreter<'m>,
    formula: &'m Ctl,
    unwinder: BoxedUnwinder,
    /// The state of the system with a number.
    state: Load,
}

/// The branch of a tree that is shown as one run.
struct Branch<'m> {
    run: Run<'m>,
    cycle_start: Option<usize>,
}

impl<'m, Load: FnMut(u32) -> Vec<u8>> Witness<'m, Load> {
    /// The tree of an evidence at the end of a run, and a branch of it if there is one.
    fn tree(&mut self, evidence: &Evidence, run: Run<'m>) -> Option<(Tree, Option<Branch<'m>>)> {
        let (because, branch) = match &evidence.reason {
            Reason::State => (Because::OfTheState, None),
            Reason::Omitted => (Because::Omitted, None),
            Reason::EveryRun { states } => (Because::OfEveryRun { states: *states }, None),
            Reason::Parts(parts) => {
                let mut trees = Vec::new();
                let mut branch = None;
                for part in parts {
                    let (tree, own) = self.tree(part, run.clone())?;
                    trees.push(tree);
                    branch = branch.or(own);
                }
                (Because::OfParts(trees), branch)
            }
            Reason::Run { states, cycle_start, points } => {
                let first = run.length() as usize;
                let (end, cycle, moments) = self.follow(run, states, *cycle_start, points)?;
                let mut branch = Branch { run: end, cycle_start: cycle };
                let mut trees = Vec::new();
                for (position, point) in points {
                    let moment = moments.get(position)?.clone();
                    let after = moment.length() as usize - first;
                    let (tree, own) = self.tree(point, moment)?;
                    trees.push((after, tree));
                    // What happens behind the end of a path is shown too.
                    if let (None, Some(own)) = (cycle_start, own)
                        && position + 1 == states.len()
                    {
                        branch = own;
                    }
                }
                let steps = &branch.run.steps()[first..];
                let own = match cycle {
                    Some(_) => steps.to_vec(),
                    None => {
                        let end =
                            moments.get(&(states.len() - 1)).map_or(steps.len(), |run| run.length() as usize - first);
                        steps[..end].to_vec()
                    }
                };
                let cycle_start = cycle.map(|start| start - first);
                (Because::OfRun { steps: own, cycle_start, points: trees }, Some(branch))
            }
        };
        let formula = self.formula.text(evidence.part).to_string();
        Some((Tree { formula, holds: evidence.holds, because }, branch))
    }

    /// Goes on with a run through states, round their cycle until it closes in the model. The result is the run, where its cycle starts, and the
    /// run as it was at the positions that matter.
    fn follow(
        &mut self,
        mut run: Run<'m>,
        states: &[u32],
        cycle_start: Option<usize>,
        points: &[(usize, Evidence)],
    ) -> Option<(Run<'m>, Option<usize>, BTreeMap<usize, Run<'m>>)> {
        let mut moments = BTreeMap::new();
        let is_wanted = |at: usize| points.iter().any(|&(position, _)| position == at) || at + 1 == states.len();
        let mut starts: Vec<(State, usize)> = Vec::new();
        for (at, &state) in states.iter().enumerate() {
            if at > 0 {
                self.step(&mut run, state)?;
            }
            if is_wanted(at) {
                moments.insert(at, run.clone());
            }
            if cycle_start == Some(at) {
                starts.push((run.state().clone(), run.length() as usize));
            }
        }
        let Some(start) = cycle_start else { return Some((run, None, moments)) };
        loop {
            self.step(&mut run, states[start])?;
            if let Some(&(_, length)) = starts.iter().find(|(state, _)| state == run.state()) {
                return Some((run, Some(length), moments));
            }
            starts.push((run.state().clone(), run.length() as usize));
            for &state in &states[start + 1..] {
                self.step(&mut run, state)?;
            }
        }
    }

    /// One transition, to a state that the one with a number stands for; none where there is no way on.
    fn step(&mut self, run: &mut Run<'m>, number: u32) -> Option<()> {
        let wanted = (self.state)(number);
        let next = self.unwinder.step(run.state().bytes(), &wanted, Movers::default())?;
        let transitions = self.interpreter.successors(run.state()).transitions;
        match transitions.iter().find(|transition| transition.target.bytes() == next) {
            Some(transition) => run.follow(&transition.steps).ok(),
            None => run.is_stuck().then_some(()),
        }
    }
}

impl Branch<'_> {
    fn trace(self, job: &Job, name: &str, options: &Options, tree: &Tree) -> Trace {
        let fairness = (options.fairness != Fairness::None).then(|| options.fairness.name().to_string());
        let origin = Origin { property: Some(name.into()), fairness, ..job.origin.clone() };
        let end = trace::End::new(EndKind::Ctl, format!("{} does not hold", tree.formula));
        Trace { cycle_start: self.cycle_start, ..self.run.into_trace(origin, end) }
    }
}
