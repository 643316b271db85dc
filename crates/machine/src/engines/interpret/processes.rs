//! Processes come and go: `run`, the end of a body, priorities, and the initial state.

use super::Interpreter;
use super::error::{ErrorKind, RuntimeError};
use super::execution::{Attempt, Execution, Verdict};
use super::moves::Timeout;
use crate::expression::{Expr, Run};
use crate::id::{DefinitionId, Pid};
use crate::machine::{InitialValues, Initialiser};
use crate::state::{State, Storage};

/// SPIN numbers processes with one byte, and never uses the last number.
const MOST_PROCESSES: usize = 255;

impl Interpreter<'_> {
    /// The initial state.
    ///
    /// # Errors
    /// When an initial value cannot be computed.
    pub fn initial(&self) -> Result<State, RuntimeError> {
        let machine = self.machine();
        let layout = &machine.layout;
        let mut state = State::empty(layout);
        for (number, channel) in layout.globals.channels.iter().enumerate() {
            state.write(layout, Storage::Global, channel.cells, channel.element, number as i32 + 1);
        }
        let mut execution = Execution::new(machine, &state, Pid(0), Timeout::No);
        execution.initialise(Storage::Global, &machine.global_initial)?;
        execution.start_code()?;
        for &definition in &machine.active {
            execution.create(definition, &[], machine.definition(definition).priority)?;
        }
        Ok(execution.state.into_owned())
    }
}

impl<'m> Execution<'m, '_> {
    /// `run P(...)`: the new process' pid.
    pub fn run(&mut self, run: &'m Run) -> Attempt<i32> {
        let mut arguments = Vec::new();
        for argument in &run.arguments {
            arguments.push(self.value(argument)?);
        }
        let priority = match &run.priority {
            Some(priority) => self.value(priority)?,
            None => 1,
        };
        self.span = run.span;
        self.create(run.definition, &arguments, priority).map(|pid| i32::from(pid.0))
    }

    fn create(&mut self, definition: DefinitionId, arguments: &[i32], priority: i32) -> Attempt<Pid> {
        if self.state.process_count() >= MOST_PROCESSES {
            return Err(self.error(ErrorKind::TooMany, self.span, "too many processes: there can be 255"));
        }
        let layout = &self.machine.layout;
        let channels = self.state.channel_count(layout) + layout.frames[definition.index()].channels.len();
        if channels > 255 {
            return Err(self.error(ErrorKind::TooMany, self.span, "too many channels: there can be 255"));
        }
        let details = self.machine.definition(definition);
        let state = self.state.to_mut();
        let pid = state.push_process(layout, definition, details.automaton.start);
        state.set_priority(layout, pid, priority.clamp(0, 255) as u8);
        for (&cells, &value) in details.parameters.iter().zip(arguments) {
            state.write(layout, Storage::Process(pid), cells, 0, value);
        }
        // Initial values of locals are computed by the new process.
        let creator = std::mem::replace(&mut self.pid, pid);
        let outcome =
            self.initialise(Storage::Process(pid), &details.initial).and_then(|()| self.start_process_code(definition));
        self.pid = creator;
        outcome.map(|()| pid)
    }

    fn initialise(&mut self, storage: Storage, initialisers: &'m [Initialiser]) -> Attempt<()> {
        let layout = &self.machine.layout;
        for initialiser in initialisers {
            let area = match storage {
                Storage::Global => &layout.globals,
                Storage::Process(pid) => &layout.frames[self.state.definition(layout, pid).index()],
            };
            let count = area.cells(initialiser.cells).count;
            match &initialiser.values {
                InitialValues::Same(value) => {
                    let value = self.value(value)?;
                    for element in 0..count {
                        self.state.to_mut().write(layout, storage, initialiser.cells, element, value);
                    }
                }
                InitialValues::Each(values) => {
                    for (element, &value) in (0..count).zip(values) {
                        self.state.to_mut().write(layout, storage, initialiser.cells, element, value);
                    }
                }
            }
        }
        Ok(())
    }

    /// The closing brace: only the youngest process can disappear.
    pub fn end_process(&mut self) -> bool {
        let youngest = self.pid.index() + 1 == self.state.process_count();
        if youngest {
            self.state.to_mut().pop_process(&self.machine.layout);
        }
        youngest
    }

    /// `set_priority(p, n)`: a process that does not exist has no priority to set.
    pub fn set_priority(&mut self, pid: &'m Expr, priority: &'m Expr) -> Attempt<Verdict> {
        let (pid, priority) = (self.value(pid)?, self.value(priority)?);
        let Some(pid) = self.state.exists(pid) else { return Ok(Verdict::Done) };
        if !(1..=255).contains(&priority) {
            return Err(self.error(
                ErrorKind::BadPriority,
                self.span,
                format!("priority {priority} is outside 1 .. 255"),
            ));
        }
        self.state.to_mut().set_priority(&self.machine.layout, pid, priority as u8);
        Ok(Verdict::Done)
    }
}
