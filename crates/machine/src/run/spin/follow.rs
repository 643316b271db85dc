//! Takes the steps that SPIN tells, one by one, in our machine.

use std::fmt;

use super::merging::{self, Within};
use super::{LeftOut, Numbering, SpinRun, SpinStep, Statement};
use crate::action::ActionKind;
use crate::automaton::Automaton;
use crate::id::{Location, Pid};
use crate::interpret::Step;
use crate::machine::Machine;
use crate::replay::describe;
use crate::simulate::{Choice, History, Run};
use crate::state::State;

/// A run of ours that does what SPIN's did.
#[derive(Debug)]
pub struct Followed<'m> {
    /// The run.
    pub run: Run<'m>,
    /// The index of the first step of the cycle, and whether the run comes back to the state before it.
    pub cycle: Option<(usize, bool)>,
}

/// A step of SPIN's that cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The line of the file, from 1; 0 when the model has no initial state.
    pub line: usize,
    /// Why not.
    pub message: String,
    /// What can happen instead.
    pub possible: Vec<String>,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)?;
        self.possible.iter().try_for_each(|choice| write!(f, "\n  possible is: {choice}"))
    }
}

/// Follows a run that SPIN found.
///
/// # Errors
/// When a step is not possible.
pub fn follow<'m>(machine: &'m Machine, numbering: &Numbering, spin: &SpinRun) -> Result<Followed<'m>, Lost> {
    let run = Run::new(machine, History::Keep).map_err(|error| Lost {
        line: 0,
        message: format!("the model has no initial state: {}", error.message),
        possible: Vec::new(),
    })?;
    let mut follower = Follower { machine, numbering, spin, run, next: 0, cycle: None };
    follower.all()?;
    let cycle = follower.close_cycle();
    Ok(Followed { run: follower.run, cycle })
}

/// How often the steps of a cycle are repeated in search of a state that comes again: a byte that is counted up and never
/// read, which SPIN leaves out of the state, is the same after 256.
const ROUNDS: usize = 260;

/// But no more steps than this.
const STEPS: u32 = 100_000;

struct Follower<'m, 'f> {
    machine: &'m Machine,
    numbering: &'f Numbering,
    spin: &'f SpinRun,
    run: Run<'m>,
    /// The next step of SPIN's.
    next: usize,
    cycle: Option<(usize, State)>,
}

impl Follower<'_, '_> {
    fn all(&mut self) -> Result<(), Lost> {
        self.note_cycle();
        while let Some(&step) = self.spin.steps.get(self.next) {
            if self.is_beyond_failure() {
                self.next = self.spin.steps.len();
                break;
            }
            match self.choice(step) {
                Some(choice) => self.take(choice),
                None if self.is_inside_last(step) || self.is_passed(step) => self.next += 1,
                None => return Err(self.lost(step)),
            }
            self.note_cycle();
        }
        Ok(())
    }

    /// SPIN's simulator goes on after a failed assertion to the end of the statements that were merged with it.
    fn is_beyond_failure(&self) -> bool {
        self.spin.left_out == LeftOut::Jumps
            && self
                .run
                .failure()
                .is_some_and(|failure| self.spin.steps[self.next..].iter().all(|step| Some(step.pid) == failure.pid))
    }

    /// Where the run's cycle begins, and whether it comes back there. A verifier that forgets dead variables can take two
    /// states for one that differ in such a variable; the same steps once more then lead to equal ones.
    fn close_cycle(&mut self) -> Option<(usize, bool)> {
        let (first, state) = self.cycle.clone()?;
        let told = self.spin.cycle_start?;
        let length = self.run.length();
        let mut rounds = vec![(first, state)];
        for _ in 0..ROUNDS {
            let here = self.run.state();
            if let Some(&(start, _)) = rounds.iter().find(|(_, state)| state == here) {
                return Some((start, true));
            }
            rounds.push((self.run.length() as usize, here.clone()));
            self.next = told;
            if self.run.length() > STEPS || self.all().is_err() {
                break;
            }
        }
        self.run.back_to(length);
        Some((first, false))
    }

    fn note_cycle(&mut self) {
        if self.cycle.is_none() && self.spin.cycle_start.is_some_and(|first| first <= self.next) {
            self.cycle = Some((self.run.length() as usize, self.run.state().clone()));
        }
    }

    /// The choice that is meant: a rendezvous has the receiver's half in the next line.
    fn choice(&self, step: SpinStep) -> Option<usize> {
        let partner = self.spin.steps.get(self.next + 1);
        self.run.choices().iter().position(|choice| match choice.steps.as_slice() {
            [only] => self.names(only, &step),
            [sent, received] => self.names(sent, &step) && partner.is_some_and(|partner| self.names(received, partner)),
            _ => false,
        })
    }

    fn names(&self, step: &Step, told: &SpinStep) -> bool {
        step.pid.0 == told.pid && self.is(step.pid, self.run.statements().number(step.action), told.statement)
    }

    fn is(&self, pid: Pid, number: Location, told: Statement) -> bool {
        let definition = self.run.state().definition(&self.machine.layout, pid);
        match told {
            Statement::InProctype(statement) => self.numbering.in_proctype(definition, number) == Some(statement),
            Statement::InModel(statement) => self.numbering.in_model(definition, number) == Some(statement),
            Statement::End => number == self.automaton(pid).end,
        }
    }

    fn take(&mut self, choice: usize) {
        let Choice { steps, .. } = self.run.choices()[choice].clone();
        let taken = self.run.take(choice);
        self.next += steps.len();
        if self.spin.left_out == LeftOut::Nothing || self.run.failure().is_some() {
            return;
        }
        let within = if taken.atomic { Within::Atomic } else { Within::Nothing };
        for step in steps {
            // The end of a process is the last of its steps.
            if step.to != Location(0) {
                self.fill_in(step, within);
            }
        }
    }

    /// Takes the steps that were merged into one of a process.
    fn fill_in(&mut self, step: Step, within: Within) {
        let later = self.spin.steps[self.next..].iter().find(|told| told.pid == step.pid.0).copied();
        match later {
            Some(later) => self.fill_in_until(step.pid, later),
            None if self.spin.left_out == LeftOut::Merged => self.fill_in_by_rule(step, within),
            None => {
                while let Some(jump) = self.only_choice(step.pid) {
                    self.run.take(jump);
                }
            }
        }
    }

    /// The process' next step tells where it must have gone.
    fn fill_in_until(&mut self, pid: Pid, later: SpinStep) {
        while self.run.failure().is_none() && !self.can_name(pid, later) && !self.is_passed(later) {
            let Some(choice) = self.only_choice(pid) else { return };
            self.run.take(choice);
        }
    }

    fn fill_in_by_rule(&mut self, step: Step, within: Within) {
        let pid = step.pid;
        let action = self.machine.action(step.action);
        let statement = self.run.statements().number(step.action);
        if !merging::may_begin(self.machine, self.automaton(pid), statement, action, within) {
            return;
        }
        let mut within = within;
        while self.run.failure().is_none() {
            let at = self.run.state().location(&self.machine.layout, pid);
            if self.run.control() != Some(pid) {
                within = Within::Nothing;
            }
            if !merging::continues(self.machine, self.automaton(pid), at, within) {
                return;
            }
            let Some(choice) = self.only_choice(pid) else { return };
            self.run.take(choice);
        }
    }

    fn automaton(&self, pid: Pid) -> &'_ Automaton {
        let definition = self.run.state().definition(&self.machine.layout, pid);
        &self.machine.definition(definition).automaton
    }

    /// Whether a process is where a told step can be taken, possible or not.
    fn can_name(&self, pid: Pid, told: SpinStep) -> bool {
        let at = self.run.state().location(&self.machine.layout, pid);
        let edges = &self.automaton(pid).location(at).edges;
        edges.iter().any(|edge| self.is(pid, self.run.statements().number(edge.action), told.statement))
    }

    /// The one thing that a process can do, if it is of a kind that is not told.
    fn only_choice(&self, pid: Pid) -> Option<usize> {
        let mut own = (0..self.run.choices().len()).filter(|&index| self.run.choices()[index].pid() == pid);
        let (only, more) = (own.next()?, own.next());
        let action = self.machine.action(self.run.choices()[only].steps[0].action);
        let left_out = match self.spin.left_out {
            LeftOut::Nothing => false,
            LeftOut::Jumps => merging::is_jump(action),
            LeftOut::Merged => merging::is_unconditional(action),
        };
        (more.is_none() && left_out).then_some(only)
    }

    /// A mere jump that we pass through but a verifier with statement merging rests at: we are where it leads.
    fn is_passed(&self, told: SpinStep) -> bool {
        let Some(pid) = self.run.state().exists(i32::from(told.pid)) else { return false };
        let at = self.run.state().location(&self.machine.layout, pid);
        let mut locations = self.automaton(pid).locations.iter().enumerate();
        locations.any(|(index, location)| {
            let mut own = location.edges.iter().filter(|edge| edge.escape.is_none());
            own.any(|edge| {
                edge.target == at
                    && matches!(self.machine.action(edge.action).kind, ActionKind::Skip | ActionKind::Jump(_))
            }) && !location.text.is_empty()
                && self.is(pid, Location(index as u32), told.statement)
        })
    }

    /// Listings show the statements inside a `d_step` as steps of their own.
    fn is_inside_last(&self, step: SpinStep) -> bool {
        let Statement::InProctype(number) = step.statement else { return false };
        let last = self.run.steps().iter().rev().find(|taken| taken.part.pid == step.pid);
        let Some(last) = last else { return false };
        self.machine.definitions.iter().filter(|definition| *definition.automaton.name == *last.part.process).any(
            |definition| {
                let edges = &definition.automaton.location(Location(last.part.state)).edges;
                edges.iter().any(|edge| match &self.machine.action(edge.action).kind {
                    ActionKind::Deterministic(body) => body.nodes.iter().any(|node| {
                        node.edges.iter().any(|inner| self.run.statements().number(inner.action).0 == number)
                            || node.location.0 == number
                    }),
                    _ => false,
                })
            },
        )
    }

    fn lost(&self, step: SpinStep) -> Lost {
        let statement = match step.statement {
            Statement::InModel(number) => format!("statement {number} of the model"),
            Statement::InProctype(number) => format!("its statement {number}"),
            Statement::End => "its end".to_string(),
        };
        let possible = self.run.choices().iter().map(|choice| describe(&self.run.parts(choice))).collect();
        Lost { line: step.line, message: format!("process {} cannot execute {statement} here", step.pid), possible }
    }
}
