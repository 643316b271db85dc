//! The successors of one state, one after the other in one piece of memory that is used again for the next state.
//!
//! All successors of a state are written first, then the search looks at them, so that a store can work on a batch, and nothing is allocated for a
//! transition. A transition leads from one *stored* state to another: an `atomic` sequence is one, a rendezvous is one, and two ways to the
//! same state are two.

use crate::{Fate, Marks};

/// The successors of one state.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    bytes: Vec<u8>,
    transitions: Vec<Transition>,
    signals: Signals,
}

#[derive(Clone, Copy, Debug)]
struct Transition {
    /// Where the target ends in the bytes.
    end: u32,
    fate: Fate,
    label: Label,
    marks: Marks,
}

/// Who moves in a transition, and how: the first step if it has several.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Label {
    /// The number of the action.
    pub action: u32,
    /// The process that moves; of a rendezvous, the sender.
    pub process: u8,
    /// All processes that move: also the receiver of a rendezvous, and those that an `atomic` sequence takes along.
    pub movers: Movers,
}

impl Label {
    /// A step in which one process moves.
    #[inline]
    #[must_use]
    pub fn alone(process: u8, action: u32) -> Label {
        Label { action, process, movers: Movers::one(process) }
    }

    /// The same when others move too.
    #[inline]
    #[must_use]
    pub fn with(self, others: Movers) -> Label {
        Label { movers: self.movers.and(others), ..self }
    }
}

/// A set of processes; those with numbers above 63 are not told apart from none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Movers(pub u64);

impl Movers {
    /// Every process.
    pub const ALL: Movers = Movers(u64::MAX);

    /// One process.
    #[inline]
    #[must_use]
    pub fn one(process: u8) -> Movers {
        Movers(1u64.checked_shl(u32::from(process)).unwrap_or(0))
    }

    /// The processes of both.
    #[inline]
    #[must_use]
    pub fn and(self, other: Movers) -> Movers {
        Movers(self.0 | other.0)
    }

    /// Are all processes of `other` here?
    #[must_use]
    pub fn contain(self, other: Movers) -> bool {
        other.0 & !self.0 == 0
    }
}

/// What is known of a state besides its successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signals {
    /// How many things went wrong on the ways out of the state: failed assertions and run-time errors.
    pub errors: u32,
    /// Whether anything can happen at all.
    pub rest: Rest,
    /// Some transition never comes to its end (an `atomic` sequence that goes on for ever); it is not among the successors.
    pub diverges: bool,
    /// Some transition was not followed to its end, so that it is not known whether it has one.
    pub truncated: bool,
    /// Steps inside of transitions.
    pub inner_steps: u64,
    /// The processes all of whose moves are among the successors.
    pub asked: Movers,
    /// The sets that the state asks for: a run that visits it again and again counts only if it also takes transitions of these again and again.
    pub requests: Marks,
}

impl Default for Signals {
    fn default() -> Signals {
        Signals {
            errors: 0,
            rest: Rest::Moves,
            diverges: false,
            truncated: false,
            inner_steps: 0,
            asked: Movers::ALL,
            requests: Marks::NONE,
        }
    }
}

/// Whether a state is the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rest {
    /// It is not: something can happen.
    #[default]
    Moves,
    /// It is, and every process rests where it may.
    ValidEnd,
    /// It is, and some process rests where it may not: a deadlock.
    InvalidEnd,
}

/// How much there was of the successors of a state at some moment.
#[derive(Debug)]
pub struct ArenaMark {
    bytes: usize,
    transitions: usize,
    signals: Signals,
}

impl Arena {
    /// An empty arena.
    #[must_use]
    pub fn new() -> Arena {
        Arena::default()
    }

    /// How many transitions there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    /// Whether there is no transition.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty()
    }

    #[inline]
    fn start(&self, transition: usize) -> usize {
        if transition == 0 { 0 } else { self.transitions[transition - 1].end as usize }
    }

    /// The state a transition leads to.
    ///
    /// # Panics
    /// When there is no such transition.
    #[inline]
    #[must_use]
    pub fn target(&self, transition: usize) -> &[u8] {
        &self.bytes[self.start(transition)..self.transitions[transition].end as usize]
    }

    /// The same, to be replaced by a state of the same length that stands for it.
    ///
    /// # Panics
    /// When there is no such transition.
    #[inline]
    #[must_use]
    pub fn target_mut(&mut self, transition: usize) -> &mut [u8] {
        let start = self.start(transition);
        &mut self.bytes[start..self.transitions[transition].end as usize]
    }

    /// The states all transitions lead to, in order.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|transition| self.target(transition))
    }

    /// The label of each transition, in order.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = Label> {
        self.transitions.iter().map(|transition| transition.label)
    }

    /// The label of a transition.
    ///
    /// # Panics
    /// When there is no such transition.
    #[inline]
    #[must_use]
    pub fn label(&self, transition: usize) -> Label {
        self.transitions[transition].label
    }

    /// All transitions, in order: where each leads, and its label.
    #[inline]
    pub fn transitions(&self) -> impl Iterator<Item = (&[u8], Label)> {
        let mut rest = &self.bytes[..];
        let mut start = 0;
        self.transitions.iter().map(move |transition| {
            let (target, others) = rest.split_at((transition.end - start) as usize);
            (rest, start) = (others, transition.end);
            (target, transition.label)
        })
    }

    /// The acceptance sets that a transition belongs to.
    ///
    /// # Panics
    /// When there is no such transition.
    #[inline]
    #[must_use]
    pub fn marks(&self, transition: usize) -> Marks {
        self.transitions[transition].marks
    }

    /// Whether a run that takes a transition is a violation.
    ///
    /// # Panics
    /// When there is no such transition.
    #[inline]
    #[must_use]
    pub fn fate(&self, transition: usize) -> Fate {
        self.transitions[transition].fate
    }

    /// Makes runs that take a transition violations.
    ///
    /// # Panics
    /// When there is no such transition.
    pub fn seal(&mut self, transition: usize) {
        self.transitions[transition].fate = Fate::Sealed;
    }

    /// The processes that cannot move, as far as they were asked.
    #[must_use]
    pub fn unable(&self) -> Movers {
        let able = self.labels().fold(Movers::default(), |able, label| able.and(Movers::one(label.process)));
        Movers(self.signals.asked.0 & !able.0)
    }

    /// What else is known of the state.
    #[inline]
    #[must_use]
    pub fn signals(&self) -> Signals {
        self.signals
    }

    /// What else is known of the state, to be changed.
    #[inline]
    pub fn signals_mut(&mut self) -> &mut Signals {
        &mut self.signals
    }

    /// Forgets everything but the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.transitions.clear();
        self.signals = Signals::default();
    }

    /// Adds a transition.
    #[inline]
    pub fn push(&mut self, target: &[u8], label: Label) {
        self.bytes.extend_from_slice(target);
        self.close(label);
    }

    /// Adds a transition to a state whose end is given separately, with acceptance marks.
    #[inline]
    pub fn push_marked(&mut self, target: &[u8], tail: &[u8], label: Label, marks: Marks, fate: Fate) {
        self.bytes.reserve(target.len() + tail.len());
        self.bytes.extend_from_slice(target);
        self.bytes.extend_from_slice(tail);
        self.transitions.push(Transition { end: self.bytes.len() as u32, fate, label, marks });
    }

    /// What there is so far.
    #[must_use]
    pub fn mark(&self) -> ArenaMark {
        ArenaMark { bytes: self.bytes.len(), transitions: self.transitions.len(), signals: self.signals }
    }

    /// Forgets what was added since.
    pub fn return_to(&mut self, mark: ArenaMark) {
        self.bytes.truncate(mark.bytes);
        self.transitions.truncate(mark.transitions);
        self.signals = mark.signals;
    }

    /// Turns what was appended to [`Arena::bytes_mut`] into a transition.
    #[inline]
    pub fn close(&mut self, label: Label) {
        let end = self.bytes.len() as u32;
        self.transitions.push(Transition { end, fate: Fate::Open, label, marks: Marks::NONE });
    }

    /// The memory behind whose end the next target can be written.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}
