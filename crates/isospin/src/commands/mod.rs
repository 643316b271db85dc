//! The commands, one file each.

pub mod check;
pub mod completions;
pub mod dap;
pub mod fmt;
pub mod lsp;
pub mod ltl;
pub mod lts;
pub mod man;
pub mod relate;
pub mod replay;
pub mod shorten;
pub mod show;
pub mod simulate;
pub mod spin;
pub mod symmetry;
mod symmetry_oracle;
mod symmetry_plan;
mod symmetry_properties;
pub mod verify;
