//! Relations between two labelled transition systems, as an observer sees them: inclusions and preorders on the fly, simulations, bisimulations,
//! quotients, and evidence for a difference that can be replayed on both sides.
//!
//! This crate knows no Promela. A side is [`Observed`]: states are bytes, a step is an [`Event`] or internal; a file of transitions is an [`Lts`].
//! A comparison decides one [`Relation`]. The plan of the whole is that of SPINE (Erdogmus, *Verifying Semantic Relations in SPIN*, 1995): the inductive
//! relations differ in one routine, the local relation, and in nothing else.
//!
//! ```text
//! Observed ─▶ space (numbers, steps on demand) ─▶ components (internal steps) ─▶ sets (after a trace) ─▶ local relation: inclusion, composite
//!                       └──▶ Lts ─▶ partition (signatures) ─▶ formula, quotient
//! ```

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod alphabet;
pub mod aut;
mod comparison;
mod formula;
mod limits;
mod lts;
mod observed;
mod relation;
mod space;

pub use self::alphabet::{Alphabet, Event};
pub use self::comparison::{Comparison, Difference, Kind, Refusal, Run, Side, Size, Verdict};
pub use self::formula::{Formula, Node, NodeId};
pub use self::limits::Limits;
pub use self::lts::{Lts, bytes_of, state_of};
pub use self::observed::{Observed, Steps};
pub use self::relation::{Method, Relation};
pub use self::space::{Explored, explore};
