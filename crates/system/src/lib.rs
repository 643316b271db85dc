//! Labelled transition systems: the one thing that engines make, layers change and searches follow.
//!
//! A state is a vector of bytes whose meaning belongs to the system that wrote it. An *engine* generates the successors of a state into an
//! [`Arena`]; a *layer* is a system around a system that leaves out, passes over or replaces what it is given (a reduction), or adds to it (the
//! product with a claim); a search asks the outermost layer. This is the idea of LTSmin's PINS (Blom, van de Pol and Weber, CAV 2010).
//!
//! ```text
//! search ──▶ orbits ──▶ product ──▶ merged ──▶ ample ──▶ trimmed ──▶ engine
//!    ▲          a stored path is unwound through the same layers         │
//!    └──────────────────── a run of the model ◀──────────────────────────┘
//! ```
//! Every transition carries a [`Label`], which costs nothing where nobody asks: it is three numbers in the arena. This crate depends on nothing.

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod arena;
mod marks;
mod notes;
pub mod unwind;

pub use self::arena::{Arena, ArenaMark, Label, Movers, Rest, Signals};
pub use self::marks::{Fate, Marks};
pub use self::notes::{Note, Notes, Seen};

/// A transition system, as one worker sees it. Every worker of a search owns one.
pub trait System: Send {
    /// Writes the initial state to `into`, whose old content is dropped, and says whether its runs are violations whatever they do.
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate;

    /// Writes all successors of a state to `into`, whose old content is dropped.
    fn successors(&mut self, state: &[u8], into: &mut Arena);

    /// Writes successors of a state that suffice (a persistent or ample set) if none of the transitions left out is put off for ever. Where only a
    /// part is given the search makes sure of that, and asks [`System::other`] when these do not do.
    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.successors(state, into);
        Extent::All
    }

    /// Writes other successors that suffice, or all, for the state that was asked about last; after a few calls it is all.
    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.successors(state, into);
        Extent::All
    }

    /// Whether the next answer of [`System::reduced`] is sure to be all successors. A layer that does not know says no.
    fn gives_all(&self) -> bool {
        false
    }

    /// The acceptance sets there are.
    fn acceptance(&self) -> Marks {
        Marks::NONE
    }

    /// How many different actions were executed so far. A layer that has to do something about an action's first execution watches this number.
    fn novelty(&self) -> u64 {
        0
    }

    /// Adds what this worker has learnt on the way, beside the states.
    fn notes(&self, _into: &mut Notes) {}

    /// Replaces a state of the model by the one that a search stores for it.
    fn normalise(&mut self, _state: &mut Vec<u8>) {}

    /// For every transition out of a state the steps of the model that it stands for: the states after `from`, up to and including the target.
    fn unfold(&mut self, from: &[u8]) -> Vec<Vec<Passed>> {
        let mut all = Arena::new();
        self.successors(from, &mut all);
        let unable = all.unable();
        all.transitions().map(|(target, label)| vec![(target.to_vec(), label.movers.and(unable))]).collect()
    }
}

/// A state after one step of the model, and which processes move in the step or cannot move before it.
pub type Passed = (Vec<u8>, Movers);

/// A system whose transitions belong to processes, each of which can be asked for its own.
pub trait Grouped: System {
    /// Appends the successors of a state in which a given process moves to `into`. `timeout` is false; of the signals, only what went wrong and
    /// the steps inside of transitions are counted.
    fn of_process(&mut self, state: &[u8], process: u8, into: &mut Arena);
}

/// How many of a state's successors were given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// All of them.
    All,
    /// Enough of them, if the others are not put off for ever.
    Part,
}

/// The methods of [`System`] that a layer leaves to the system inside, which is the field of this name.
#[macro_export]
macro_rules! leave_to_inner {
    ($inner:tt: $($method:ident),*) => { $( $crate::leave_to_inner!(@$method $inner); )* };
    (@initial $inner:tt) => {
        fn initial(&mut self, into: &mut Vec<u8>) -> $crate::Fate {
            self.$inner.initial(into)
        }
    };
    (@gives_all $inner:tt) => {
        #[inline]
        fn gives_all(&self) -> bool {
            self.$inner.gives_all()
        }
    };
    (@acceptance $inner:tt) => {
        fn acceptance(&self) -> $crate::Marks {
            self.$inner.acceptance()
        }
    };
    (@novelty $inner:tt) => {
        fn novelty(&self) -> u64 {
            self.$inner.novelty()
        }
    };
    (@notes $inner:tt) => {
        fn notes(&self, into: &mut $crate::Notes) {
            self.$inner.notes(into);
        }
    };
    (@normalise $inner:tt) => {
        fn normalise(&mut self, state: &mut Vec<u8>) {
            self.$inner.normalise(state);
        }
    };
    (@unfold $inner:tt) => {
        fn unfold(&mut self, from: &[u8]) -> Vec<Vec<$crate::Passed>> {
            self.$inner.unfold(from)
        }
    };
}

macro_rules! forward {
    ($($pointer:ty),*) => { $(
        impl<S: System + ?Sized> System for $pointer {
            fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
                (**self).initial(into)
            }

            fn successors(&mut self, state: &[u8], into: &mut Arena) {
                (**self).successors(state, into);
            }

            fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
                (**self).reduced(state, into)
            }

            fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
                (**self).other(state, into)
            }

            fn gives_all(&self) -> bool {
                (**self).gives_all()
            }

            fn acceptance(&self) -> Marks {
                (**self).acceptance()
            }

            fn novelty(&self) -> u64 {
                (**self).novelty()
            }

            fn notes(&self, into: &mut Notes) {
                (**self).notes(into);
            }

            fn normalise(&mut self, state: &mut Vec<u8>) {
                (**self).normalise(state);
            }

            fn unfold(&mut self, from: &[u8]) -> Vec<Vec<Passed>> {
                (**self).unfold(from)
            }
        }

        impl<S: Grouped + ?Sized> Grouped for $pointer {
            fn of_process(&mut self, state: &[u8], process: u8, into: &mut Arena) {
                (**self).of_process(state, process, into);
            }
        }
    )* };
}

// A search may borrow a system that is needed afterwards; layers that are chosen at run time are boxed.
forward!(&mut S, Box<S>);
