//! A system as an observer sees it: states are bytes whose meaning belongs to the system, and every step is an [`Event`].

use crate::Event;

/// One side of a comparison.
pub trait Observed: Send {
    /// Writes the initial state to `into`, whose old content is dropped.
    fn initial(&mut self, into: &mut Vec<u8>);

    /// Writes all steps of a state to `into`, whose old content is dropped. A state is asked for its steps once in a search.
    fn steps(&mut self, state: &[u8], into: &mut Steps);
}

/// The steps of one state, one after the other in one piece of memory that is used again for the next state.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    bytes: Vec<u8>,
    /// The event of each step, and where its target ends in the bytes.
    steps: Vec<(Event, u32)>,
}

impl Steps {
    /// No steps.
    #[must_use]
    pub fn new() -> Steps {
        Steps::default()
    }

    /// Drops all steps.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.steps.clear();
    }

    /// Adds a step.
    pub fn push(&mut self, event: Event, target: &[u8]) {
        self.bytes.extend_from_slice(target);
        let end = u32::try_from(self.bytes.len()).expect("the successors of one state have fewer than four gigabytes");
        self.steps.push((event, end));
    }

    /// How many steps there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The event of the step with this number.
    #[must_use]
    pub fn event(&self, number: usize) -> Event {
        self.steps[number].0
    }

    /// Where the step with this number leads.
    #[must_use]
    pub fn target(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.steps[before].1 as usize);
        &self.bytes[start..self.steps[number].1 as usize]
    }

    /// The steps in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (Event, &[u8])> {
        (0..self.len()).map(|number| (self.event(number), self.target(number)))
    }
}

impl<O: Observed + ?Sized> Observed for &mut O {
    fn initial(&mut self, into: &mut Vec<u8>) {
        (**self).initial(into);
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        (**self).steps(state, into);
    }
}

impl<O: Observed + ?Sized> Observed for Box<O> {
    fn initial(&mut self, into: &mut Vec<u8>) {
        (**self).initial(into);
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        (**self).steps(state, into);
    }
}
