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

pub mod action;
pub mod ample;
pub mod automaton;
pub mod chart;
pub mod check;
pub mod checked;
pub mod claim;
pub mod dead;
pub mod embedded;
pub mod enumerate;
pub mod exclusive;
pub mod expression;
pub mod footprint;
pub mod gauge;
pub mod generate;
pub mod id;
pub mod interpret;
pub mod jit;
pub mod layout;
pub mod listing;
mod lower;
mod machine;
pub mod merged;
pub mod random;
pub mod reached;
pub mod replay;
pub mod scalar;
pub mod show;
pub mod simulate;
pub mod spin;
pub mod state;
pub mod text;
pub mod trace;
mod unmatched;

pub use self::lower::{Hidden, lower, lower_hidden};
pub use self::machine::{Definition, FullChannels, InitialValues, Initialiser, Machine, TraceAutomaton};
pub use self::unmatched::{Indifferent, unmatched_bytes, used_unmatched};

/// The value of a reference to no process.
pub const UNDEFINED_REFERENCE: i32 = 255;
