//! A run of a machine, one move at a time.
//!
//! [`Run`] holds the present state and knows what can happen next: the moves of the process that has control inside an
//! `atomic`, else those of all processes, else those that wait for `timeout`. Taking one of them gives the step of a
//! [`Trace`]; whoever takes them (chance, a person, a counterexample of a search, a file) is not its business.

mod follow;
mod record;
mod statements;

pub use self::follow::NoSuchStep;
pub use self::statements::Statements;

use crate::id::Pid;
use crate::interpret::error::RuntimeError;
use crate::interpret::{Interpreter, Move, Outcome, Step, Timeout};
use crate::machine::Machine;
use crate::random::Random;
use crate::show::{Show, StateView};
use crate::state::State;
use crate::trace::{End, EndKind, Failure, Origin, Part, SCHEMA, Trace, TraceStep};
use crate::waiting::{Waiting, waiting};

/// A run.
#[derive(Clone, Debug)]
pub struct Run<'m> {
    interpreter: Interpreter<'m>,
    show: Show<'m>,
    statements: Statements,
    history: History,
    initial: StateView,
    now: Moment,
    /// Steps taken so far.
    taken: u32,
    /// The steps, unless they are forgotten.
    steps: Vec<TraceStep>,
    /// The moment before each step, and which choice was taken there, when all is kept.
    past: Vec<(Moment, usize)>,
}

/// Whether a run can be taken back and becomes a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    /// Steps are kept and can be taken back.
    Keep,
    /// Steps are kept.
    Record,
    /// Steps are forgotten once they are taken, so that a run can be as long as it likes.
    Forget,
}

/// Something that can happen next.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The step, or the two steps of a rendezvous.
    pub steps: Vec<Step>,
    /// Whether `timeout` is true in it.
    pub timeout: Timeout,
    /// Where it leads; `None` when an error ends it.
    outcome: Option<Outcome>,
    errors: Vec<RuntimeError>,
    output: String,
}

impl Choice {
    /// The process that moves first.
    #[must_use]
    pub fn pid(&self) -> Pid {
        self.steps[0].pid
    }
}

/// All there is to know before a step.
#[derive(Clone, Debug)]
struct Moment {
    state: State,
    view: StateView,
    control: Option<Pid>,
    failure: Option<Failure>,
    messages: record::Messages,
    choices: Vec<Choice>,
}

impl<'m> Run<'m> {
    /// A run in the machine's initial state.
    ///
    /// # Errors
    /// When an initial value cannot be computed.
    pub fn new(machine: &'m Machine, history: History) -> Result<Run<'m>, RuntimeError> {
        let interpreter = Interpreter::new(machine);
        let show = Show::new(machine);
        let state = interpreter.initial()?;
        let view = show.state(&state);
        let mut run = Run {
            interpreter,
            statements: Statements::new(machine),
            history,
            initial: view.clone(),
            now: Moment {
                messages: record::Messages::new(state.channel_count(&machine.layout)),
                choices: Vec::new(),
                control: None,
                failure: None,
                view,
                state,
            },
            show,
            taken: 0,
            steps: Vec::new(),
            past: Vec::new(),
        };
        run.now.choices = run.find_choices();
        Ok(run)
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.now.state
    }

    /// The present state with names.
    #[must_use]
    pub fn view(&self) -> &StateView {
        &self.now.view
    }

    /// The state in which the run began.
    #[must_use]
    pub fn initial(&self) -> &StateView {
        &self.initial
    }

    /// How this run names things.
    #[must_use]
    pub fn show(&self) -> &Show<'m> {
        &self.show
    }

    /// How statements are numbered.
    #[must_use]
    pub fn statements(&self) -> &Statements {
        &self.statements
    }

    /// What can happen next, the youngest process first.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        &self.now.choices
    }

    /// Whether there is no way on: no process can move, or whatever they do goes wrong.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.now.choices.is_empty()
            || (self.is_stored() && self.interpreter.successors(&self.now.state).transitions.is_empty())
    }

    /// The process that alone may go on, if one is inside an `atomic` and can.
    #[must_use]
    pub fn control(&self) -> Option<Pid> {
        self.now.control.filter(|&pid| self.now.choices.iter().all(|choice| choice.pid() == pid))
    }

    /// Whether searches store the present state and claims see it: no process is in the middle of an `atomic` and can go on.
    #[must_use]
    pub fn is_stored(&self) -> bool {
        let goes_on = |pid: Pid| !self.interpreter.moves(&self.now.state, Some(pid), Timeout::No).is_empty();
        !self.now.control.is_some_and(goes_on)
    }

    /// What went wrong in the last step.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.now.failure.as_ref()
    }

    /// How many steps were taken.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.taken
    }

    /// The steps taken, unless they are forgotten.
    #[must_use]
    pub fn steps(&self) -> &[TraceStep] {
        &self.steps
    }

    /// Who would do what.
    #[must_use]
    pub fn parts(&self, choice: &Choice) -> Vec<Part> {
        choice.steps.iter().map(|&step| self.part(step)).collect()
    }

    /// Chooses at random: first one of the processes that can move, then one of its moves. `None` if nothing can happen.
    pub fn pick(&self, random: &mut Random) -> Option<usize> {
        let choices = &self.now.choices;
        let mut pids: Vec<Pid> = choices.iter().map(Choice::pid).collect();
        pids.dedup();
        let pid = *pids.get(random.below(pids.len()))?;
        let own: Vec<usize> = (0..choices.len()).filter(|&index| choices[index].pid() == pid).collect();
        own.get(random.below(own.len())).copied()
    }

    /// Takes one of the [`choices`](Run::choices).
    ///
    /// # Panics
    /// When there is no choice of that number.
    pub fn take(&mut self, number: usize) -> TraceStep {
        let choice = self.now.choices[number].clone();
        let (next, step) = self.record(choice);
        let before = std::mem::replace(&mut self.now, next);
        self.taken += 1;
        self.now.choices = self.find_choices();
        if self.history != History::Forget {
            self.steps.push(step.clone());
        }
        if self.history == History::Keep {
            self.past.push((before, number));
        }
        step
    }

    /// Takes back steps until only `length` are left. Only with [`History::Keep`].
    pub fn back_to(&mut self, length: u32) {
        while self.taken > length
            && let Some((before, _)) = self.past.pop()
        {
            self.now = before;
            self.steps.pop();
            self.taken -= 1;
        }
    }

    /// Which of the choices were taken: the same ones, taken again, give the same run. Only with [`History::Keep`].
    pub fn taken(&self) -> impl Iterator<Item = usize> {
        self.past.iter().map(|(_, number)| *number)
    }

    /// How the run ends if it is left as it is.
    #[must_use]
    pub fn end(&self) -> End {
        if let Some(failure) = &self.now.failure {
            return End::from(failure);
        }
        if !self.now.choices.is_empty() {
            return End::new(EndKind::Stopped, "the run was stopped here");
        }
        match self.now.view.processes.iter().find(|process| !process.valid_end) {
            Some(stuck) => End {
                pid: Some(stuck.pid),
                file: Some(stuck.place.file.clone()),
                line: Some(stuck.place.line),
                ..End::new(EndKind::InvalidEndState, "invalid end state: no process can move")
            },
            None if self.interpreter.trace_is_open(&self.now.state) => {
                End::new(EndKind::InvalidEndState, "invalid end state: the trace assertion expects more events")
            }
            None if self.now.view.processes.is_empty() => End::new(EndKind::ValidEndState, "all processes have ended"),
            None => End::new(EndKind::ValidEndState, "no process can move, and all may rest where they are"),
        }
    }

    /// The run as a trace that ends as given; [`Run::end`] tells how it ends by itself.
    #[must_use]
    pub fn into_trace(self, origin: Origin, end: End) -> Trace {
        Trace {
            waiting: self.stuck(),
            schema: SCHEMA.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            origin,
            initial: self.initial,
            steps: self.steps,
            cycle_start: None,
            end,
            last: self.now.view,
        }
    }

    /// If no process can move any more: why. Where something went wrong, that says enough.
    #[must_use]
    pub fn stuck(&self) -> Vec<Waiting> {
        let is_stuck = self.now.choices.is_empty() && self.now.failure.is_none();
        if is_stuck { self.waiting() } else { Vec::new() }
    }

    /// The processes that cannot move now, and why.
    #[must_use]
    pub fn waiting(&self) -> Vec<Waiting> {
        let moves = |pid| self.now.choices.iter().any(|choice| choice.steps.iter().any(|step| step.pid == pid));
        waiting(&self.show, &self.now.state, moves)
    }

    fn find_choices(&self) -> Vec<Choice> {
        let Moment { state, control, failure, .. } = &self.now;
        if failure.as_ref().is_some_and(|failure| failure.kind == EndKind::RuntimeError) {
            return Vec::new();
        }
        let attempts = control.map(|pid| (Some(pid), Timeout::No));
        for (control, timeout) in attempts.into_iter().chain([(None, Timeout::No), (None, Timeout::Now)]) {
            let found = self.interpreter.moves(state, control, timeout);
            let choices = found.moves.into_iter().map(|found| {
                let Move { steps, outcome, errors, output } = found;
                Choice { steps, timeout, outcome, errors, output }
            });
            let mut choices: Vec<Choice> = choices.collect();
            if !choices.is_empty() {
                choices.sort_by_key(|choice| std::cmp::Reverse(choice.pid()));
                return choices;
            }
        }
        Vec::new()
    }
}
