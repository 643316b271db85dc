//! Models of other languages than Promela: what can be run, named and replayed can be verified and reported.
//!
//! A front end makes a [`Model`]: a system, and names for its states and steps. Stores, orders of search, workers, limits, swarms and checkpoints are
//! those of Promela models, and so are the report and the trace; reductions, which read the machine of a Promela model, are not used.
//!
//! A trace is followed again by what it shows: a step is any transition that looks like it. Where several do, all are followed.

use std::sync::Arc;

use machine::replay::{Difference, Mismatch, Verdict as Replayed};
use machine::show::{Changes, SourcePlace, StateView, VariableView};
use machine::trace::{End, EndKind, Origin, Part, SCHEMA, Trace, TraceStep};
use system::{Arena, Label, Rest, System};

use super::engine::Refusal;
use super::options::Options;
use super::plan::{self, Kind};
use super::reachability::{Subject, explore};
use super::{Finding, Notice, Progress, Property, Switch, Unsuitable};

/// A model of any language.
pub trait Model {
    /// The system of one worker. It says by [`Signals`](system::Signals) at which states something is wrong.
    fn system(&self) -> Box<dyn System>;

    /// What happens in a transition.
    fn step(&self, from: &[u8], label: Label, to: &[u8]) -> Step;

    /// A state by names.
    fn variables(&self, state: &[u8]) -> Vec<VariableView>;

    /// What is wrong at a state whose signals say that something is.
    fn error(&self, _state: &[u8]) -> String {
        "an error".into()
    }
}

/// What happens in a transition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// Who does it.
    pub process: String,
    /// What is done.
    pub statement: String,
    /// Where in the model's text it stands; line 0 if nowhere.
    pub place: SourcePlace,
}

/// Searches a model for errors and deadlocks. The origin's digest tells a changed model from the one of a saved search.
///
/// # Errors
/// When the options cannot be used.
pub fn verify_model(
    model: &dyn Model,
    origin: Origin,
    options: &Options,
    progress: &Arc<Progress>,
) -> Result<Finding, Refusal> {
    plan::refuse(options, &[Property::Safety])?;
    let mut finding = explore(&Named { model, origin }, progress, options)?;
    if let Some(method) = &mut finding.method {
        method.engine = None;
    }
    finding.notices.extend(plan::notes(options, Kind::Safety, &[Kind::Safety]));
    let switches = plan::reductions_given(options).filter(|(_, switch)| *switch == Switch::On);
    finding.notices.extend(switches.map(|(option, _)| Notice::Option(option, Unsuitable::PromelaOnly)));
    Ok(finding)
}

/// Follows a trace of a model again, and says whether it ends where it claims.
///
/// # Errors
/// When it is no run of the model.
pub fn replay_model(model: &dyn Model, trace: &Trace) -> Result<Replayed, Mismatch> {
    let named = Named { model, origin: trace.origin.clone() };
    let mut system = model.system();
    let mut initial = Vec::new();
    system.initial(&mut initial);
    difference(&trace.initial, &named.view(&initial))
        .map_or(Ok(()), |difference| Err(Mismatch::Initial(difference)))?;
    let mut current = vec![initial];
    for wanted in &trace.steps {
        let found = named.transitions(&mut system, &current, wanted.number);
        let is_meant = |(step, _): &&(TraceStep, Vec<u8>)| step == wanted;
        let mut next: Vec<Vec<u8>> = found.iter().filter(is_meant).map(|(_, target)| target.clone()).collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            if let Some((real, _)) = found.iter().find(|(step, _)| step.part.statement == wanted.part.statement) {
                let told =
                    |step: &TraceStep| step.changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let difference = Difference { what: "changes".into(), claimed: told(wanted), real: told(real) };
                return Err(Mismatch::Different { number: wanted.number, difference });
            }
            let mut possible: Vec<String> = found.into_iter().map(|(step, _)| step.part.statement).collect();
            possible.dedup();
            let (number, wanted) = (wanted.number, wanted.part.statement.clone());
            return Err(Mismatch::Impossible { number, wanted, possible });
        }
        current = next;
    }
    let mut ends = |state: &Vec<u8>| named.end(&mut system, state).as_ref() == Some(&trace.end);
    // What several states have in common that look alike all along is what they show.
    let last = current.first().map(|state| named.view(state)).unwrap_or_default();
    difference(&trace.last, &last).map_or(Ok(()), |difference| Err(Mismatch::Final(difference)))?;
    Ok(match current.iter().any(&mut ends) {
        true => Replayed::Confirmed { note: None },
        false => Replayed::NotConfirmed { reason: format!("the run does not end so: {}", trace.end.message) },
    })
}

/// A model, and what traces say about where they come from.
struct Named<'a> {
    model: &'a dyn Model,
    origin: Origin,
}

impl Named<'_> {
    fn view(&self, state: &[u8]) -> StateView {
        StateView { globals: self.model.variables(state), ..StateView::default() }
    }

    fn step(&self, number: u32, from: &[u8], label: Label, to: &[u8]) -> TraceStep {
        let Step { process, statement, place } = self.model.step(from, label, to);
        TraceStep {
            number,
            part: Part { pid: label.process, process, place, statement, written: None, state: 0, from: 0, to: 0 },
            partner: None,
            atomic: false,
            control: None,
            timeout: false,
            inside: Vec::new(),
            communications: Vec::new(),
            output: String::new(),
            changes: Changes::between(&self.view(from), &self.view(to)).changed,
            created: Vec::new(),
            ended: Vec::new(),
            error: None,
        }
    }

    /// All transitions out of states, as steps with a number, and where they lead.
    fn transitions(&self, system: &mut dyn System, states: &[Vec<u8>], number: u32) -> Vec<(TraceStep, Vec<u8>)> {
        let mut successors = Arena::new();
        let mut all = Vec::new();
        for from in states {
            system.successors(from, &mut successors);
            let steps = successors.transitions().map(|(to, label)| (self.step(number, from, label, to), to.to_vec()));
            all.extend(steps);
        }
        all
    }

    /// What is wrong at a state, if something is.
    fn end(&self, system: &mut dyn System, state: &[u8]) -> Option<End> {
        let mut successors = Arena::new();
        system.successors(state, &mut successors);
        let signals = successors.signals();
        if signals.errors > 0 {
            return Some(End::new(EndKind::Assertion, self.model.error(state)));
        }
        (signals.rest == Rest::InvalidEnd).then(|| End::new(EndKind::InvalidEndState, "nothing can happen any more"))
    }
}

impl Subject for Named<'_> {
    fn system(&self) -> Box<dyn System> {
        self.model.system()
    }

    fn identity(&self) -> Vec<(&'static str, String)> {
        vec![("model", self.origin.digest.clone())]
    }

    fn trace(&self, path: &[Vec<u8>]) -> Result<Trace, String> {
        let (first, last) = path.first().zip(path.last()).ok_or("the path has no states")?;
        let mut system = self.model.system();
        let mut steps = Vec::new();
        for (number, pair) in (1..).zip(path.windows(2)) {
            let found = self.transitions(&mut system, &pair[..1], number);
            let step = found.into_iter().find(|(_, target)| *target == pair[1]);
            steps.push(step.ok_or("a state of the path is no successor of the one before")?.0);
        }
        Ok(Trace {
            schema: SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            origin: Origin { property: Some(Property::Safety.name().into()), ..self.origin.clone() },
            initial: self.view(first),
            steps,
            cycle_start: None,
            end: self.end(&mut system, last).ok_or("nothing is wrong at the end of the path")?,
            last: self.view(last),
            waiting: Vec::new(),
        })
    }
}

/// Where two states differ by their names.
fn difference(claimed: &StateView, real: &StateView) -> Option<Difference> {
    let change = Changes::between(claimed, real).changed.into_iter().next();
    let told = change.map(|change| (change.name, change.old.to_string(), change.new.to_string()));
    let (what, claimed_text, real_text) = told.unwrap_or_else(|| ("state".into(), "another".into(), "this".into()));
    (claimed != real).then_some(Difference { what, claimed: claimed_text, real: real_text })
}
