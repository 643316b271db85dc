//! Processes that stay at their end where symmetry applies.
//!
//! Only the youngest process ever disappears, so symmetry cannot exchange processes of which one has and the other has not. Where nobody can tell, they
//! stay: states to which symmetry applies are expanded by the machine without deaths, the others by the machine itself. In a run of the
//! model they disappear as soon as they can, which a `provided` clause may put off.

use std::sync::Arc;

use machine::Machine;
use machine::dead::DeadVariables;
use machine::interpret::Interpreter;
use machine::state::State;
use system::{Arena, Extent, Notes, Passed, System, leave_to_inner};

use super::symmetry::Symmetry;

/// The layer: one of two systems, depending on whether symmetry applies to the state.
pub struct Kept<S> {
    ordinary: S,
    without_deaths: S,
    symmetry: Arc<Symmetry>,
    /// Bytes at the end of a state that do not belong to the machine.
    tail: usize,
    /// Variables that have to be set back before it is known whether symmetry applies.
    dead: Option<Arc<DeadVariables>>,
    /// Whether symmetry applies to the state that was asked about last.
    applies: bool,
}

impl<S: System> Kept<S> {
    /// Uses `without_deaths` where symmetry applies. The last `tail` bytes of a state are not the machine's.
    #[must_use]
    pub fn new(ordinary: S, without_deaths: S, symmetry: &Arc<Symmetry>, tail: usize) -> Kept<S> {
        Kept { ordinary, without_deaths, symmetry: symmetry.clone(), tail, dead: None, applies: false }
    }

    /// The same for states in which these variables are not set back.
    #[must_use]
    pub fn of_untrimmed(self, dead: Option<Arc<DeadVariables>>) -> Kept<S> {
        Kept { dead, ..self }
    }

    fn at(&mut self, state: &[u8]) -> &mut S {
        let body = &state[..state.len() - self.tail];
        self.applies = match &self.dead {
            Some(dead) => {
                let mut trimmed = body.to_vec();
                dead.reset(&mut trimmed);
                self.symmetry.applies(&trimmed)
            }
            None => self.symmetry.applies(body),
        };
        self.last()
    }

    fn last(&mut self) -> &mut S {
        if self.applies { &mut self.without_deaths } else { &mut self.ordinary }
    }
}

impl<S: System> System for Kept<S> {
    leave_to_inner!(ordinary: initial, acceptance, normalise);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.at(state).successors(state, into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.at(state).reduced(state, into)
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.last().other(state, into)
    }

    fn gives_all(&self) -> bool {
        self.ordinary.gives_all() && self.without_deaths.gives_all()
    }

    fn novelty(&self) -> u64 {
        self.ordinary.novelty() + self.without_deaths.novelty()
    }

    fn notes(&self, into: &mut Notes) {
        self.ordinary.notes(into);
        self.without_deaths.notes(into);
    }

    fn unfold(&mut self, from: &[u8]) -> Vec<Vec<Passed>> {
        self.at(from).unfold(from)
    }
}

/// Lets processes disappear in a run whose states kept them at their end: the inverse of [`Kept`].
pub struct Living<'m> {
    machine: &'m Machine,
    symmetry: &'m Symmetry,
    dead: Option<&'m DeadVariables>,
    /// How many processes there still are, once the first one disappeared.
    count: Option<usize>,
}

impl<'m> Living<'m> {
    /// For runs of a machine; whether symmetry applies to a state is known once these variables are set back.
    #[must_use]
    pub fn new(machine: &'m Machine, symmetry: &'m Symmetry, dead: Option<&'m DeadVariables>) -> Living<'m> {
        Living { machine, symmetry, dead, count: None }
    }

    /// The run in which processes disappear as soon as they can, and for each state of the given run the index of the last one that it became.
    #[must_use]
    pub fn run(mut self, states: &[Vec<u8>]) -> (Vec<State>, Vec<usize>) {
        let (mut run, mut last) = (Vec::new(), Vec::new());
        for state in states {
            self.append(&State::from_bytes(state), &mut run);
            last.push(run.len() - 1);
        }
        (run, last)
    }

    fn applies(&self, state: &State) -> bool {
        let mut trimmed = state.bytes().to_vec();
        if let Some(dead) = self.dead {
            dead.reset(&mut trimmed);
        }
        self.symmetry.applies(&trimmed)
    }

    /// Appends the state that `state` is without the processes that have disappeared, then those in which more disappear.
    fn append(&mut self, state: &State, run: &mut Vec<State>) {
        if !self.applies(state) {
            run.push(state.clone());
            return;
        }
        let layout = &self.machine.layout;
        let mut state = state.clone();
        while self.count.is_some_and(|count| state.process_count() > count) {
            state.pop_process(layout);
        }
        run.push(state.clone());
        while self.youngest_can_disappear(&state) {
            state.pop_process(layout);
            run.push(state.clone());
        }
        self.count = Some(state.process_count());
    }

    /// Whether the youngest process is at its end and may leave it: its `provided` clause must let it.
    fn youngest_can_disappear(&self, state: &State) -> bool {
        let Some(youngest) = state.pids().next_back() else { return false };
        let layout = &self.machine.layout;
        let definition = self.machine.definition(state.definition(layout, youngest));
        state.location(layout, youngest) == definition.automaton.end
            && !Interpreter::new(self.machine).process_successors(state, youngest).is_final
    }
}
