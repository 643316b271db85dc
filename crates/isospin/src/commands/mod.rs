//! The commands, one file each.

pub mod check;
pub mod completions;
pub mod man;
