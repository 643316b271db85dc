//! SPIN's counterexamples: `.trail` files and the listings of `spin -t -p`, as runs of our machine.
//!
//! A trail names each step by process and by the number of a statement counted over the whole model. Our statements carry
//! SPIN's numbers within their proctype, so one sum per proctype translates. What `docs/trace-format.md` calls merged steps is
//! filled in here: a verifier with statement merging leaves out the unconditional statements that follow a step at once.

mod follow;
mod listing;
mod merging;
mod numbering;
mod trail;

pub use self::follow::{Followed, Lost, follow};
pub use self::listing::read_listing;
pub use self::numbering::{Body, Numbering};
pub use self::trail::{read_trail, write_trail};

use std::fmt;

/// A run as SPIN tells it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpinRun {
    /// The steps.
    pub steps: Vec<SpinStep>,
    /// The index of the first step of the cycle.
    pub cycle_start: Option<usize>,
    /// Which steps are not told.
    pub left_out: LeftOut,
    /// Whether a never claim moved along; its own steps are left out.
    pub with_claim: bool,
}

/// Which steps a file does not tell because they follow at once from the step before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LeftOut {
    /// None.
    #[default]
    Nothing,
    /// Mere jumps: listings do not show them.
    Jumps,
    /// Unconditional statements: the verifier merged them into the step.
    Merged,
}

/// One process' step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpinStep {
    /// The line of the file, from 1.
    pub line: usize,
    /// The process, the claim not counted.
    pub pid: u8,
    /// The statement.
    pub statement: Statement,
}

/// How a statement is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Statement {
    /// By its number in the whole model, from 0.
    InModel(u32),
    /// By its number in the proctype, from 1.
    InProctype(u32),
    /// The closing brace.
    End,
}

/// A file that is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}
