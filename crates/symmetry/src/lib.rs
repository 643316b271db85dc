//! Symmetry of models: found in the program, applied to states, used to keep one state of each orbit.
//!
//! [`shape`] says how a permutation acts on a state vector. Everything else speaks in its terms: detection yields a
//! group of permutations of a shape's points, representatives take such a group and a vector, and [`orbits`] is the layer by which searches keep one
//! state of each orbit.

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod detect;
pub mod oracle;
pub mod orbits;
mod represent;
pub mod shape;

pub use represent::{Canonicaliser, ObjectClass, Part, Strategy};
pub use shape::{Content, Domain, DomainId, Shape, Slot, SlotId, Validity};
