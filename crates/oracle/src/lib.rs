//! What isospin is compared with.
//!
//! | module | what it offers |
//! | --- | --- |
//! | [`spin`] | SPIN's verifier, built and run for a model; its report and automata as data |
//! | [`ours`] | the same data from isospin's naive enumeration |
//! | [`summary`] | the figures of a search in one line, and how two of them differ |
//! | [`compare`] | where automata and unreached statements differ |
//! | [`examples`] | the models that come with SPIN |
//!
//! Only tests and developer commands use this crate.

pub mod compare;
pub mod examples;
pub mod ours;
pub mod spin;
pub mod summary;
