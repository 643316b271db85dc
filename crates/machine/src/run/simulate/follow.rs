//! Runs that somebody else found, step by step.

use super::{Choice, Run};
use crate::interpret::Step;

/// A step that cannot be taken where it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchStep {
    /// How many of the steps were taken before.
    pub taken: usize,
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
}
