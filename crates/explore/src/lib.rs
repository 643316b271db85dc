//! Exploration of any transition system: where states are kept, and how they are searched.
//!
//! This crate knows no Promela. A state is a vector of bytes whose meaning belongs to the [`System`](system::System) that produced it;
//! see [`store`] for how visited states are remembered in few bytes each and shared by all workers, [`search`] for the
//! searches, [`cycles`] for the search of infinite runs, and [`graph`] for what needs all transitions at once.

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod arrange;
mod bounds;
pub mod cycles;
pub mod graph;
mod parents;
mod progress;
pub mod search;
pub mod store;

pub use bounds::{Bounds, End};
pub use progress::{Counters, Progress};
