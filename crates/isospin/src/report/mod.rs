//! The report of a verification: one type, printed as text or JSON.

mod json;
mod text;

use std::time::Duration;

pub use self::json::to_json;
pub use self::text::{TextOptions, to_text};
use crate::verify::{Finding, Verdict};

/// Everything `isospin verify` found out about one model.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model's path as given.
    pub model: String,
    /// One for each property.
    pub findings: Vec<Reported>,
    /// What it took.
    pub resources: Resources,
}

/// A finding, and where its counterexample was written.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The finding.
    pub finding: Finding,
    /// The file with the counterexample.
    pub trace_file: Option<String>,
}

/// What a run took.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// From start to report.
    pub time: Duration,
    /// Of that, reading the model and preparing it.
    pub compile_time: Duration,
    /// The most memory the process had.
    pub peak_rss_bytes: u64,
    /// Worker threads.
    pub workers: usize,
}

/// What all findings together say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Summary {
    /// Everything holds.
    Holds,
    /// Something is not known.
    Unknown,
    /// Something is violated.
    Violated,
    /// The user ended it.
    Interrupted,
}

impl Report {
    /// What all findings together say.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let each = self.findings.iter().map(|reported| match &reported.finding.verdict {
            Verdict::Holds => Summary::Holds,
            Verdict::Violated => Summary::Violated,
            Verdict::Unknown(incomplete) if incomplete.interrupted => Summary::Interrupted,
            Verdict::Unknown(_) => Summary::Unknown,
        });
        each.max().unwrap_or(Summary::Holds)
    }
}
