//! Explicit labelled transition systems: states are numbers, and the steps of a state lie side by side, sorted by event.
//!
//! It is a system like any other ([`Observed`]): a state is its number in four bytes. Files are read into it, minimisation works on it, and
//! bisimulations are decided on it.

use crate::{Event, Observed, Steps};

/// A labelled transition system. A step that is added twice is one step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lts {
    initial: u32,
    /// The steps of state `s` are those from `offsets[s]` to `offsets[s + 1]`.
    offsets: Vec<usize>,
    steps: Vec<(Event, u32)>,
}

impl Lts {
    /// The system with these steps, each from a state by an event to a state, and with so many states.
    ///
    /// # Panics
    /// If the initial state or a state of a step is not below `states`.
    #[must_use]
    pub fn new(initial: u32, states: u32, mut steps: Vec<(u32, Event, u32)>) -> Lts {
        assert!(initial < states, "the initial state is one of the states");
        steps.sort_unstable();
        steps.dedup();
        let mut offsets = Vec::with_capacity(states as usize + 1);
        offsets.push(0);
        let mut next = 0;
        for state in 0..states {
            while next < steps.len() && steps[next].0 == state {
                assert!(steps[next].2 < states, "a step leads to one of the states");
                next += 1;
            }
            offsets.push(next);
        }
        assert_eq!(next, steps.len(), "a step comes from one of the states");
        Lts { initial, offsets, steps: steps.into_iter().map(|(_, event, target)| (event, target)).collect() }
    }

    /// The system whose rows of steps come one after the other. Each row is sorted and has no step twice.
    pub(crate) fn of_rows<R: AsRef<[(Event, u32)]>>(initial: u32, rows: impl Iterator<Item = R>) -> Lts {
        let (mut offsets, mut steps) = (vec![0], Vec::new());
        for row in rows {
            steps.extend_from_slice(row.as_ref());
            offsets.push(steps.len());
        }
        Lts { initial, offsets, steps }
    }

    /// The initial state.
    #[must_use]
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// How many steps there are.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The steps of a state, sorted by event and target: internal ones first.
    #[inline]
    #[must_use]
    pub fn steps(&self, state: u32) -> &[(Event, u32)] {
        &self.steps[self.offsets[state as usize]..self.offsets[state as usize + 1]]
    }

    /// The steps of a state by an event.
    pub fn by(&self, state: u32, event: Event) -> impl Iterator<Item = u32> {
        by(self.steps(state), event).iter().map(|&(_, target)| target)
    }

    /// All steps in order.
    pub fn all(&self) -> impl Iterator<Item = (u32, Event, u32)> {
        (0..self.states())
            .flat_map(|state| self.steps(state).iter().map(move |&(event, target)| (state, event, target)))
    }
}

/// The bytes of a state of an explicit system.
#[must_use]
pub fn bytes_of(state: u32) -> [u8; 4] {
    state.to_le_bytes()
}

/// The state with these bytes.
#[must_use]
pub fn state_of(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("a state of an explicit system has four bytes"))
}

/// The steps of a state: events and targets, sorted.
pub(crate) type Row = [(Event, u32)];

/// The part of a sorted row with this event.
#[inline]
pub(crate) fn by(row: &Row, event: Event) -> &Row {
    let start = row.partition_point(|&(other, _)| other < event);
    let length = row[start..].iter().take_while(|&&(other, _)| other == event).count();
    &row[start..start + length]
}

/// The internal and the visible part of a sorted row.
#[inline]
pub(crate) fn split(row: &Row) -> (&Row, &Row) {
    let internal = row.iter().take_while(|(event, _)| !event.is_visible()).count();
    row.split_at(internal)
}

impl Observed for &Lts {
    fn initial(&mut self, into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(&bytes_of(self.initial));
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        into.clear();
        for &(event, target) in Lts::steps(self, state_of(state)) {
            into.push(event, &bytes_of(target));
        }
    }
}

impl Observed for Lts {
    fn initial(&mut self, into: &mut Vec<u8>) {
        Observed::initial(&mut &*self, into);
    }

    fn steps(&mut self, state: &[u8], into: &mut Steps) {
        Observed::steps(&mut &*self, state, into);
    }
}
