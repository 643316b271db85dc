//! The report of a verification: one type, printed as text, JSON, JUnit XML, SARIF, LCOV, a page, or as SPIN's verifiers print theirs.

mod bug;
mod html;
mod json;
mod junit;
mod lcov;
pub mod lts;
pub mod relation;
mod sarif;
mod shell;
mod steps;
mod summary;
mod text;
mod tree;
mod words;

use std::time::Duration;

use promela::source::SourceMap;

pub use self::bug::{BugReport, bug_lines};
pub use self::html::{run_to_html, to_html};
pub use self::json::{several_to_json, to_json};
pub use self::junit::to_junit;
pub use self::lcov::to_lcov;
pub use self::sarif::to_sarif;
pub use self::shell::quoted;
pub use self::summary::summary_table;
pub use self::text::{TextOptions, to_text};
pub use self::words::{advice, cause_name, method, notice, reason, unsuitable};
use crate::verify::{Finding, Verdict};

/// One of the models that were to be verified.
#[derive(Clone, Debug)]
pub enum Attempt {
    /// It was verified.
    Verified(Report),
    /// It could not be: it has errors, or asks for something that cannot be done. The user was told what.
    Refused {
        /// The model's path as given.
        model: String,
    },
    /// The user ended the program before its turn came.
    Skipped {
        /// The model's path as given.
        model: String,
    },
}

/// Everything `isospin verify` found out about one model.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model's path as given.
    pub model: String,
    /// One for each property.
    pub findings: Vec<Reported>,
    /// What it took.
    pub resources: Resources,
    /// The options with which the model was read, as they stand on a command line: `-D N=4`.
    pub source_options: Vec<String>,
    /// The model's text and what it includes.
    pub sources: Vec<SourceText>,
    /// What is suspicious in the text.
    pub warnings: Vec<Warning>,
}

/// Something suspicious in a model's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// Its kind, a stable name.
    pub code: String,
    /// What it is.
    pub message: String,
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// A file of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    /// Its path, as places in traces name it.
    pub file: String,
    /// What is in it.
    pub text: String,
}

impl SourceText {
    /// The files of a model, each once, and nothing that no person wrote.
    #[must_use]
    pub fn all(sources: &SourceMap) -> Vec<SourceText> {
        let mut list: Vec<SourceText> = Vec::new();
        for file in sources.files() {
            let is_made_up = file.path.starts_with('<') && &*file.path != "<stdin>";
            if !is_made_up && !list.iter().any(|known| *known.file == *file.path) {
                list.push(SourceText { file: file.path.to_string(), text: file.text.to_string() });
            }
        }
        list
    }
}

/// A finding, and where its counterexample was written.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The finding.
    pub finding: Finding,
    /// The file with the counterexample.
    pub trace_file: Option<String>,
    /// What is needed to report that a reduced search contradicts the finding, if one does.
    pub bug_report: Option<BugReport>,
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
    /// What was found out about a model, without files beside it.
    #[must_use]
    pub fn of(model: &str, findings: impl IntoIterator<Item = Finding>) -> Report {
        let reported = |finding| Reported { finding, trace_file: None, bug_report: None };
        Report {
            model: model.into(),
            findings: findings.into_iter().map(reported).collect(),
            resources: Resources::default(),
            source_options: Vec::new(),
            sources: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// What all findings together say.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let each = self.findings.iter().map(|reported| match &reported.finding.verdict {
            Verdict::Holds => Summary::Holds,
            Verdict::Violated => Summary::Violated,
            Verdict::Unknown(cause) if cause.is_interruption() => Summary::Interrupted,
            Verdict::Unknown(_) => Summary::Unknown,
        });
        each.max().unwrap_or(Summary::Holds)
    }
}
