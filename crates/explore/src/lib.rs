//! Exploration of any transition system: where states are kept, and how they are searched.
//!
//! This crate knows no Promela. A state is a vector of bytes whose meaning belongs to the machine that produced it;
//! see [`store`] for how visited states are remembered in few bytes each and shared by all workers.

pub mod store;
