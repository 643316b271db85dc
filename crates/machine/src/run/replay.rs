//! Executes a trace again, and says whether it is a run of the model that ends where it claims.
//!
//! Every step is looked up among what the interpreter finds possible, taken, and compared with what the trace says of it:
//! statement, changes, processes, output. The claimed end is then judged from the states that were really reached: formulas and
//! claims are evaluated on them ([`crate::claim::judge()`]).

use std::fmt;
use std::sync::Arc;

use system::Movers;

use crate::claim::{Fairness, Judgement, Lasso, Subject, judge, unfair_to};
use crate::interpret::error::RuntimeError;
use crate::machine::Machine;
use crate::show::{Change, StateView};
use crate::simulate::{Choice, History, Run};
use crate::state::State;
use crate::trace::{EndKind, Part, Trace, TraceStep};
use crate::unmatched::Indifferent;

/// A trace being executed again.
#[derive(Debug)]
pub struct Replay<'m, 't> {
    trace: &'t Trace,
    run: Run<'m>,
    /// The state at which the trace's cycle begins, once it was passed.
    cycle: Option<State>,
    /// The states so far that claims see, and which of them is the first of the cycle.
    seen: Vec<State>,
    cycle_start: Option<usize>,
}

/// Why a trace is no run of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The model has no initial state.
    NoInitialState(RuntimeError),
    /// The run would have to begin elsewhere.
    Initial(Difference),
    /// A step cannot be taken.
    Impossible {
        /// Its number.
        number: u32,
        /// What the trace wants.
        wanted: String,
        /// What can happen instead.
        possible: Vec<String>,
    },
    /// A step does something else than the trace says.
    Different {
        /// Its number.
        number: u32,
        /// Where they differ.
        difference: Difference,
    },
    /// The last state is another one.
    Final(Difference),
}

/// Where a trace and the real run differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What differs.
    pub what: String,
    /// What the trace says.
    pub claimed: String,
    /// What the model does.
    pub real: String,
}

/// What came of a replay all of whose steps are possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It ends where it claims. What could not be checked is said in a note.
    Confirmed {
        /// What was not checked.
        note: Option<&'static str>,
    },
    /// It does not.
    NotConfirmed {
        /// Why not.
        reason: String,
    },
}

const OPEN_CYCLE: &str = "the last step does not lead back to the state where the cycle begins";

impl<'m, 't> Replay<'m, 't> {
    /// Starts to replay a trace.
    ///
    /// # Errors
    /// When the model's initial state is not that of the trace.
    pub fn new(machine: &'m Machine, trace: &'t Trace) -> Result<Replay<'m, 't>, Mismatch> {
        let run = Run::new(machine, History::Keep).map_err(Mismatch::NoInitialState)?;
        match state_difference(&trace.initial, run.view()) {
            Some(difference) => Err(Mismatch::Initial(difference)),
            None => {
                let mut replay = Replay { trace, run, cycle: None, seen: Vec::new(), cycle_start: None };
                replay.note_state();
                Ok(replay)
            }
        }
    }

    /// The run as far as it was replayed.
    #[must_use]
    pub fn run(&self) -> &Run<'m> {
        &self.run
    }

    /// The run as far as it was replayed, to go on from there.
    #[must_use]
    pub fn into_run(self) -> Run<'m> {
        self.run
    }

    /// Takes the trace's next step; `None` at its end.
    ///
    /// # Errors
    /// When the step is not possible, or does not do what the trace says.
    pub fn step(&mut self) -> Result<Option<TraceStep>, Mismatch> {
        let Some(wanted) = self.trace.steps.get(self.run.length() as usize) else {
            return match state_difference(&self.trace.last, self.run.view()) {
                Some(difference) => Err(Mismatch::Final(difference)),
                None => Ok(None),
            };
        };
        let number = self.run.length() + 1;
        let meant = |(_, choice): &(usize, &Choice)| is_meant(&self.run, choice, wanted);
        let candidates: Vec<usize> =
            self.run.choices().iter().enumerate().filter(meant).map(|(index, _)| index).collect();
        if candidates.is_empty() {
            let possible = self.run.choices().iter().map(|choice| describe(&self.run.parts(choice))).collect();
            let wanted: Vec<Part> = std::iter::once(&wanted.part).chain(&wanted.partner).cloned().collect();
            return Err(Mismatch::Impossible { number, wanted: describe(&wanted), possible });
        }
        // A statement with `anyRef` chooses a process, so that one statement may do several things.
        let mut first_difference = None;
        for choice in candidates {
            let real = self.run.take(choice);
            match step_difference(wanted, &real) {
                None => {
                    self.note_state();
                    return Ok(Some(real));
                }
                Some(difference) => {
                    first_difference.get_or_insert(difference);
                    self.run.back_to(number - 1);
                }
            }
        }
        match first_difference {
            Some(difference) => Err(Mismatch::Different { number, difference }),
            None => Ok(None),
        }
    }

    /// Judges the claimed end, once all steps were taken. Formulas and claims are evaluated on the run that was replayed.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let claimed = self.trace.end.kind;
        let real = self.run.end();
        match claimed {
            EndKind::Stopped => match &self.cycle {
                Some(cycle) if !self.is_back_at(cycle) => Verdict::NotConfirmed { reason: OPEN_CYCLE.into() },
                _ => Verdict::Confirmed { note: None },
            },
            // A formula about a tree of runs says nothing about one of them.
            EndKind::Ctl => self.branch_verdict(),
            EndKind::Claim => self.judged(None),
            EndKind::Goal => self.goal_verdict(),
            EndKind::AcceptanceCycle | EndKind::NonProgressCycle => self.cycle_verdict(),
            EndKind::Assertion
            | EndKind::RuntimeError
            | EndKind::ExclusiveEnd
            | EndKind::TraceAssertion
            | EndKind::InvalidEndState
            | EndKind::ValidEndState => {
                let property = self.trace.origin.property.as_deref();
                if real.kind == claimed {
                    Verdict::Confirmed { note: None }
                } else if claimed == EndKind::RuntimeError
                    && property.is_some_and(|name| Subject::named(self.run.show().machine(), name).is_some())
                {
                    // Of a property that cannot be evaluated.
                    self.judged(None)
                } else {
                    let reason = match real.kind {
                        EndKind::Stopped => "the run could go on, and nothing is wrong where it stops".to_string(),
                        _ => format!("it ends otherwise: {}", real.message),
                    };
                    Verdict::NotConfirmed { reason }
                }
            }
        }
    }

    /// A branch of a tree of runs is a run; what the other branches do is not looked at.
    fn branch_verdict(&self) -> Verdict {
        match &self.cycle {
            Some(cycle) if !self.is_back_at(cycle) => Verdict::NotConfirmed { reason: OPEN_CYCLE.into() },
            _ => {
                Verdict::Confirmed { note: Some("one run of a tree: the formula was not evaluated on the whole tree") }
            }
        }
    }

    /// Whether the goal is true in the last state: a formula says that it never is.
    fn goal_verdict(&self) -> Verdict {
        let machine = self.run.show().machine();
        let no = |reason: &str| Verdict::NotConfirmed { reason: reason.to_string() };
        let name = self.trace.origin.property.as_deref();
        let Some(subject) = name.and_then(|name| Subject::named(machine, name)) else {
            return no("the trace does not say what its goal is");
        };
        let last = &self.seen[self.seen.len() - 1..];
        match judge(&Arc::new(machine.clone()), subject, Lasso { states: last, cycle_start: Some(0) }) {
            Ok(Judgement::Violation) if self.run.is_stored() => Verdict::Confirmed { note: None },
            Ok(_) => no("the goal is not true in the last state"),
            Err(error) => no(&error.to_string()),
        }
    }

    fn cycle_verdict(&self) -> Verdict {
        let no = |reason: &str| Verdict::NotConfirmed { reason: reason.to_string() };
        let Some(cycle) = &self.cycle else { return no("the trace does not say where its cycle begins") };
        if !self.is_back_at(cycle) {
            return no(OPEN_CYCLE);
        }
        let stands_still = self.trace.cycle_start == Some(self.trace.steps.len());
        if stands_still && !self.run.is_stuck() {
            return no("its cycle has no step, but some process can move");
        }
        match self.cycle_start {
            None => no("its cycle begins in the middle of an atomic sequence"),
            Some(start) => self.judged(Some(start)),
        }
    }

    /// Whether what comes next can come again: the state is that one, but for `hidden` variables on which nothing depends.
    fn is_back_at(&self, cycle: &State) -> bool {
        Indifferent::of(self.run.show().machine()).is_same(cycle, self.run.state())
    }

    /// Evaluates the property that the trace names on the states that were seen.
    fn judged(&self, cycle_start: Option<usize>) -> Verdict {
        let machine = self.run.show().machine();
        let subject = match &self.trace.origin.property {
            Some(name) => match Subject::named(machine, name) {
                Some(subject) => subject,
                None => return Verdict::NotConfirmed { reason: format!("the model has no property {name}") },
            },
            None if self.trace.end.kind == EndKind::NonProgressCycle => Subject::NonProgress,
            None if Subject::all(machine).contains(&Subject::Acceptance) => Subject::Acceptance,
            None => return Verdict::Confirmed { note: Some("the trace names no property: none was evaluated") },
        };
        let mut states = self.seen.clone();
        match cycle_start {
            // The state where the cycle closes was seen twice.
            Some(start) if start + 1 < states.len() => {
                states.pop();
            }
            // A run that comes to rest stays there, and the claim goes on looking until it has seen all it can.
            None if self.run.is_stuck() => {
                let looks = subject.claim(machine).map_or(1, |claim| claim.states.len());
                states.extend(self.seen.last().into_iter().flat_map(|last| std::iter::repeat_n(last.clone(), looks)));
            }
            _ => {}
        }
        let run = Lasso { states: &states, cycle_start };
        let (fairness, when) = match self.trace.origin.fairness.as_deref() {
            None => (Fairness::None, ""),
            Some("strong") => (Fairness::Strong, "again and again"),
            Some(_) => (Fairness::Weak, "always"),
        };
        let on_cycle = self.trace.cycle_start.and_then(|start| self.run.steps().get(start..)).unwrap_or_default();
        let moved = on_cycle.iter().fold(Movers::default(), |moved, step| moved.and(step.movers()));
        if let Some(pid) = unfair_to(machine, run, moved, fairness).first() {
            let reason = format!("the run is not fair: process {} can move {when} and never does", pid.0);
            return Verdict::NotConfirmed { reason };
        }
        match judge(&Arc::new(machine.clone()), subject, run) {
            Ok(Judgement::Violation) => Verdict::Confirmed { note: None },
            Ok(Judgement::None(reason)) => Verdict::NotConfirmed { reason },
            Err(error) => Verdict::NotConfirmed { reason: format!("the claim cannot be evaluated: {error}") },
        }
    }

    /// Takes note of the present state, if claims see it.
    fn note_state(&mut self) {
        let is_start = self.trace.cycle_start == Some(self.run.length() as usize);
        if is_start {
            self.cycle = Some(self.run.state().clone());
        }
        if self.run.is_stored() {
            self.cycle_start = self.cycle_start.or(is_start.then_some(self.seen.len()));
            self.seen.push(self.run.state().clone());
        }
    }
}

/// Statement numbers identify statements; texts need not be unique.
fn is_meant(run: &Run<'_>, choice: &Choice, wanted: &TraceStep) -> bool {
    let same = |step: &crate::interpret::Step, part: &Part| {
        let number = run.statements().number(step.action).0;
        step.pid.0 == part.pid && step.from.0 == part.from && step.to.0 == part.to && number == part.state
    };
    let wanted = std::iter::once(&wanted.part).chain(&wanted.partner);
    choice.steps.len() == wanted.clone().count() && choice.steps.iter().zip(wanted).all(|(step, part)| same(step, part))
}

/// `proc 1 (P) m.pml:7 [q!1]`, and the receiver of a rendezvous.
#[must_use]
pub fn describe(parts: &[Part]) -> String {
    let part = |part: &Part| format!("proc {} ({}) {} [{}]", part.pid, part.process, part.place, part.statement);
    parts.iter().map(part).collect::<Vec<_>>().join(" with ")
}

fn step_difference(claimed: &TraceStep, real: &TraceStep) -> Option<Difference> {
    let texts = |step: &TraceStep| {
        let partner = step.partner.as_ref().map(|partner| partner.statement.clone());
        let error = step.error.as_ref().map(|error| error.message.clone());
        [
            ("the process", step.part.process.clone()),
            ("the statement", step.part.statement.clone()),
            ("the partner's statement", partner.unwrap_or_else(none)),
            ("what is printed", step.output.clone()),
            ("what changes", list(&step.changes, change)),
            ("the new processes", list(&step.created, |birth| format!("{} ({})", birth.pid, birth.process))),
            ("the processes that end", list(&step.ended, u8::to_string)),
            ("the error", error.unwrap_or_else(none)),
        ]
    };
    let pairs = texts(claimed).into_iter().zip(texts(real));
    pairs.map(|((what, claimed), (_, real))| difference(what, &claimed, &real)).find_map(|found| found)
}

fn state_difference(claimed: &StateView, real: &StateView) -> Option<Difference> {
    // The model may be named by another path now.
    let unnamed = |view: &StateView| {
        let mut view = view.clone();
        view.processes.iter_mut().for_each(|process| process.place.file.clear());
        view
    };
    let (claimed, real) = (unnamed(claimed), unnamed(real));
    if claimed == real {
        return None;
    }
    let (claimed, real) = (claimed.to_string(), real.to_string());
    let mut lines = claimed.lines().zip(real.lines());
    match lines.find(|(claimed, real)| claimed != real) {
        Some((claimed, real)) => difference("the state", claimed.trim(), real.trim()),
        None => difference(
            "the size of the state",
            &format!("{} lines", claimed.lines().count()),
            &format!("{} lines", real.lines().count()),
        )
        .or_else(|| difference("the state", "what is not shown", "something else")),
    }
}

fn difference(what: &str, claimed: &str, real: &str) -> Option<Difference> {
    (claimed != real).then(|| Difference {
        what: what.to_string(),
        claimed: claimed.to_string(),
        real: real.to_string(),
    })
}

fn change(change: &Change) -> String {
    format!("{} = {} (was {})", change.name, change.new, change.old)
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    if items.is_empty() { none() } else { items.iter().map(text).collect::<Vec<_>>().join(", ") }
}

fn none() -> String {
    "nothing".to_string()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} differs\n  in the trace: {}\n  in the model: {}", self.what, self.claimed, self.real)
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::NoInitialState(error) => write!(f, "the model has no initial state: {}", error.message),
            Mismatch::Initial(difference) => write!(f, "the run begins in another state: {difference}"),
            Mismatch::Impossible { number, wanted, possible } => {
                write!(f, "step {number} is not possible: {wanted}")?;
                match possible.as_slice() {
                    [] => write!(f, "\n  nothing at all is possible there"),
                    _ => possible.iter().try_for_each(|choice| write!(f, "\n  possible is: {choice}")),
                }
            }
            Mismatch::Different { number, difference } => {
                write!(f, "step {number} does something else: {difference}")
            }
            Mismatch::Final(difference) => write!(f, "the run ends in another state: {difference}"),
        }
    }
}
