//! Promela's exact meaning, executable.
//!
//! ```text
//! promela::model::Model ── lower ──▶ Machine ── interpret ──▶ states and steps
//! ```
//! A [`Machine`] is the narrow waist of isospin: initial state, successors with the action taken, labels, and for every
//! action its guard, effect, text and span. Searches, partial order, symmetry and compression need exactly that; none of
//! them reads Promela.

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod ample;
pub mod checked;
pub mod claim;
pub mod dead;
mod engines;
pub mod estimate;
pub mod events;
pub mod footprint;
pub mod gauge;
pub mod ground;
mod ir;
mod lower;
pub mod merged;
mod run;
mod unmatched;

pub use self::engines::{embedded, enumerate, exclusive, generate, interpret, jit};
pub use self::ir::{action, automaton, check, expression, id, layout, scalar, state, text};
pub use self::run::{chart, listing, random, reached, replay, show, simulate, spin, trace, waiting};

use self::ir::machine;

pub use self::lower::{Hidden, lower, lower_hidden};
pub use self::machine::{Definition, FullChannels, InitialValues, Initialiser, Machine, TraceAutomaton};
pub use self::unmatched::{Indifferent, unmatched_bytes, used_unmatched};

/// The value of a reference to no process.
pub const UNDEFINED_REFERENCE: i32 = 255;
