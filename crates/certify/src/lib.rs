//! Certificates of "holds", and their checker.
//!
//! ```text
//! certificate ── file ──▶ listed states, renamings, witnesses
//!                              │
//! model text ── promela ── machine ── interpreter ──▶ every successor of a listed state is listed, up to a symmetry;
//!                                                     no listed state is bad; ranks decrease on the way
//! ```
//! The checker reads the model itself and executes it with the reference interpreter. What a certificate says is never believed: it only names
//! what is then verified. A renaming of processes, channels, variables and values is a symmetry because the renamed program is compared with the
//! program ([`prover`]). The theorem, the format and what has to be trusted stand in `docs/internals/certificates.md`.

// A library returns what there is to say.
#![warn(clippy::print_stderr, clippy::print_stdout)]
#![forbid(unsafe_code)]

pub mod check;
pub mod file;
pub mod kinds;
pub mod listing;
pub mod prover;
pub mod region;
pub mod renaming;
mod statements;
mod terms;

use std::fmt;

/// Why something is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection(pub String);

impl Rejection {
    /// A rejection for a reason.
    pub fn new(reason: impl Into<String>) -> Rejection {
        Rejection(reason.into())
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejection {}

/// What is accepted, or why it is not.
pub type Accepted<T> = Result<T, Rejection>;
