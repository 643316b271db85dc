//! Runs and what people see of them: simulation, replay, traces, charts, listings, and SPIN's trails.

pub mod chart;
pub mod listing;
pub mod random;
pub mod reached;
pub mod replay;
pub mod show;
pub mod simulate;
pub mod spin;
pub mod trace;
pub mod waiting;
