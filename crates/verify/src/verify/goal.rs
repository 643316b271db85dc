//! Is there a run that reaches a state where a condition is true? The question `EF goal`, answered by a search that ends there.
//!
//! Every state counts, so that partial order, merging and dead variables are not used; symmetries are, if they keep the condition. The run is
//! told as one that violates `[] !(goal)`, so that whoever replays it evaluates the condition.

use std::sync::Arc;
use std::time::Instant;

use machine::claim::{Atom, Claim};
use machine::expression::Expr;
use machine::generate::Coverage;
use machine::interpret::Interpreter;
use machine::trace::{End, EndKind, Origin, PathEnd, Trace, counterexample};
use num_bigint::BigUint;
use symmetry::orbits::Orbits;
use system::{Notes, System};

use super::covered::{Covered, covered};
use super::directed::{self, Aim, Directed};
use super::engine::{Answers, Executable, Refusal};
use super::liveness::symmetry_for;
use super::options::{Options, Reduction, Switch};
use super::plan::Kind;
use super::reachability::{Subject, explore};
use super::sought::{Sought, What};
use super::stack::{Stack, Wanted, Weighings};
use super::{Cause, Finding, Job, Property, SymmetryUse, Verdict};

/// A condition that should be true in some state.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Its text.
    pub text: String,
    /// What it means.
    pub atom: Atom,
}

impl Goal {
    /// The formula that a run which reaches it violates, as an `ltl` block.
    #[must_use]
    pub fn block(&self) -> String {
        // A comment must not hide the brackets.
        format!("ltl {} {{ [] !({}\n) }}", Property::Goal.name(), self.text)
    }
}

pub(super) fn verify(job: &Job, goal: &Goal, options: &Options) -> Result<Finding, Refusal> {
    let start = Instant::now();
    let claim = match Claim::watching(Property::Goal.name(), vec![goal.atom.clone()]) {
        Ok(claim) => Arc::new(claim),
        Err(error) => {
            let cause = Cause::Claim { kind: Kind::Goal, error: error.to_string() };
            return Ok(Finding::unknown(Property::Goal, cause));
        }
    };
    if let Err(error) = Interpreter::new(&job.machine).initial() {
        return Err(Refusal { reason: format!("there is no initial state: {}", error.message) });
    }
    let expression = &goal.atom.expression;
    let options = Options { end_states: Switch::Off, checkpoints: None, resume: None, ..options.since(start) };
    let options = directed::settled(&job.machine, Aim::Goal(expression), &options);
    let mut notices = Vec::new();
    let preserve = claim.expressions().cloned().collect();
    let symmetry = symmetry_for(job, &claim, preserve, &options, None, &mut notices);
    let wanted = Wanted {
        symmetry: symmetry.as_ref(),
        dead: None,
        watch: None,
        partial_order: Switch::Off,
        merging: Switch::Off,
        proviso: machine::ample::Proviso::OnThePath,
        unmatched: Vec::new(),
        audit: Switch::Off,
        trial: None,
        weighing: Weighings::NEVER,
        engine: options.engine,
    };
    let stack = Stack::new(&job.machine, Executable::new(&job.machine, options.engine)?, wanted)?;
    let answers = stack.answers(&claim)?;
    let subject = Reaching { job, goal, expression, stack: &stack, answers };
    let finding = explore(&subject, &job.progress, &options)?;
    let verdict = match finding.verdict {
        Verdict::Violated => Verdict::Holds,
        Verdict::Holds => Verdict::Violated,
        unknown @ Verdict::Unknown(_) => unknown,
    };
    notices.extend(finding.notices);
    Ok(Finding { verdict, notices, unreached: Vec::new(), ..finding })
}

/// A model in which a state is looked for.
struct Reaching<'a> {
    job: &'a Job,
    goal: &'a Goal,
    expression: &'a Expr,
    stack: &'a Stack,
    answers: Answers,
}

impl Subject for Reaching<'_> {
    fn system(&self) -> Box<dyn System> {
        Box::new(Sought::new(self.stack.system(), What::Goal(self.answers.valuation())))
    }

    fn identity(&self) -> Vec<(&'static str, String)> {
        vec![("model", self.job.origin.digest.clone()), ("--goal", self.goal.text.clone())]
    }

    fn property(&self) -> Property {
        Property::Goal
    }

    fn directed(&self, options: &Options) -> Result<Directed, Refusal> {
        Directed::new(&self.job.machine, Aim::Goal(self.expression), options, self.stack.plain())
    }

    fn reductions(&self) -> Vec<Reduction> {
        self.stack.reductions()
    }

    fn symmetry(&self, notes: &Notes) -> Option<SymmetryUse> {
        let represented = BigUint::from_bytes_le(notes.bytes(Orbits::REPRESENTED));
        Some(SymmetryUse::of(self.stack.symmetry()?, Some(represented)))
    }

    fn covered(&self, notes: &Notes) -> Option<Covered> {
        Some(covered(&self.job.machine, &Coverage::of_notes(&self.job.machine, notes)))
    }

    fn trace(&self, path: &[Vec<u8>]) -> Result<Trace, String> {
        let Reaching { job, goal, stack, .. } = self;
        let states = stack.run(path).map_err(|refusal| refusal.reason)?.unwrap_or_default();
        let last = states.last().ok_or("what stands for a state can do more than the state")?;
        let value = Interpreter::new(&job.machine).global_value(last, self.expression, machine::interpret::Timeout::No);
        if value.map_err(|error| error.message)? == 0 {
            return Err("the goal is not true at the end of the run".into());
        }
        let origin =
            Origin { property: Some(Property::Goal.name().into()), formula: Some(goal.block()), ..job.origin.clone() };
        let end = PathEnd::Judged(End::new(EndKind::Goal, format!("{} is true", goal.text)));
        counterexample(&job.machine, origin, &states, end).map_err(|error| error.to_string())
    }
}
