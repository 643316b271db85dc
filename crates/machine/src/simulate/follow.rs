//! Runs that somebody else found: by their steps, or by the states a search went through.

use super::{Choice, Run};
use crate::interpret::Step;
use crate::state::State;

/// A step that cannot be taken where it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchStep {
    /// How many of the steps were taken before.
    pub taken: usize,
}

/// Two states that no transition connects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoTransition {
    /// The index of the later state; 0 when the first one is not the initial state.
    pub index: usize,
}

impl Run<'_> {
    /// Takes steps as [`Interpreter::successors`](crate::interpret::Interpreter::successors) lists them for a transition or
    /// an error: the two halves of a rendezvous one after the other.
    ///
    /// # Errors
    /// When one of them is not possible; the steps before it have been taken.
    pub fn follow(&mut self, steps: &[Step]) -> Result<(), NoSuchStep> {
        let mut taken = 0;
        while taken < steps.len() {
            let next = |choice: &Choice| steps[taken..].starts_with(&choice.steps);
            let choice = self.choices().iter().position(next).ok_or(NoSuchStep { taken })?;
            taken += self.choices()[choice].steps.len();
            self.take(choice);
        }
        Ok(())
    }

    /// Goes through the states that a search found, from the initial one on. The result tells for every state how many steps
    /// lead to it.
    ///
    /// # Errors
    /// When no transition leads from one of them to the next; the run then stands at the former.
    ///
    /// ```
    /// use machine::interpret::Interpreter;
    /// use machine::simulate::{History, Run};
    ///
    /// let text = "byte x; active proctype P() { atomic { x = 1; x = 2 } }";
    /// let model = promela::load_text("m.pml", text, &promela::Options::default()).model.unwrap();
    /// let machine = machine::lower(&model);
    /// let interpreter = Interpreter::new(&machine);
    /// let initial = interpreter.initial().unwrap();
    /// let next = interpreter.successors(&initial).transitions[0].target.clone();
    ///
    /// let mut run = Run::new(&machine, History::Keep).unwrap();
    /// assert_eq!(run.through(&[initial, next]).unwrap(), [0, 2]);
    /// assert_eq!(run.steps().last().unwrap().part.statement, "x = 2");
    /// ```
    pub fn through(&mut self, states: &[State]) -> Result<Vec<u32>, NoTransition> {
        let mut lengths = Vec::with_capacity(states.len());
        for (index, state) in states.iter().enumerate() {
            if index == 0 && state == self.state() {
                lengths.push(self.length());
                continue;
            }
            let transitions = self.interpreter.successors(self.state()).transitions;
            let steps = transitions.into_iter().find(|transition| transition.target == *state);
            let steps = steps.filter(|_| index > 0).ok_or(NoTransition { index })?.steps;
            self.follow(&steps).map_err(|_| NoTransition { index })?;
            lengths.push(self.length());
        }
        Ok(lengths)
    }
}
