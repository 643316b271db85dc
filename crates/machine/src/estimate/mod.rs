//! Estimates: how far a state is from what a search looks for, for searches that visit the nearest states first.
//!
//! | estimate | looks for | what it adds up |
//! | --- | --- | --- |
//! | [`Assertions`] | a failed assertion | the distance in control flow of the nearest process, and how far its condition is from failing |
//! | [`Blocked`] | a deadlock | for every process, the distance to a location where it may wait, and how far it is from having to |
//! | [`Active`] | a deadlock | the processes that can move |
//! | [`Goal`] | a condition | how far its parts are from being true |
//! | [`Pursuit`] | what a claim accepts | how far the guards of its next edges are from being true, and the edges behind them |
//! | [`Coverage`] | anything | how often the rarest location of the state was met |
//! | [`Bound`] | any violation | nothing: the greatest of lower bounds, so that A* finds a shortest path |
//!
//! They follow Edelkamp, Lluch Lafuente and Leue, "Directed explicit model checking with HSF-SPIN" (SPIN 2001). Lower bounds take care of what
//! moves more than one control location at a time: an `atomic` sequence is one transition, and a rendezvous moves two processes.
//!
//! An estimate looks at definitions, locations and truth values only, so that it is the same for all states of an orbit; differences of numbers
//! count where numbers are compared by order, or counted up and down, which no symmetry exchanges.

mod active;
mod assertions;
mod blocked;
mod bound;
mod claim;
mod condition;
mod coverage;
mod failure;
mod flow;
mod goal;
mod steppers;

pub use self::active::Active;
pub use self::assertions::Assertions;
pub use self::blocked::Blocked;
pub use self::bound::{Bound, EndStates};
pub use self::claim::Pursuit;
pub use self::coverage::Coverage;
pub use self::goal::{Goal, Kind};

/// An estimate of a state.
pub trait Estimate: Send {
    /// How far a state is from what is looked for; 0 is nearest.
    fn estimate(&mut self, state: &[u8]) -> u32;
}

/// As far as is known, what is looked for cannot be reached.
pub const FAR: u32 = u32::MAX;

/// The sum of two distances.
fn plus(left: u32, right: u32) -> u32 {
    left.saturating_add(right)
}
