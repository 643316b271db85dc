//! What isospin is compared with.
//!
//! | module | what it offers |
//! | --- | --- |
//! | [`spin`] | SPIN's verifier, built and run for a model; its report and automata as data |
//! | [`ours`] | the same data from isospin's naive enumeration |
//! | [`summary`] | the figures of a search in one line, and how two of them differ |
//! | [`compare`] | where automata and unreached statements differ |
//! | [`differential`] | one model through both |
//! | [`examples`] | the models that come with SPIN |
//! | [`traps`] | small models with SPIN's figures on record |
//! | [`generate`] | random models |
//! | [`symmetric`] | random models of equal processes |
//! | [`liveness`] | models with properties of infinite runs, on record and random |
//! | [`minimise`] | the smallest model that still has a property |
//!
//! Only tests and developer commands use this crate.

pub mod census;
pub mod compare;
pub mod differential;
pub mod enumerate;
pub mod examples;
pub mod generate;
pub mod liveness;
pub mod minimise;
pub mod ours;
pub mod random;
pub mod reductions;
pub mod spin;
pub mod summary;
pub mod symmetric;
pub mod traps;
