//! The report of a comparison: text, JSON (schema `isospin.relation/1`), JUnit XML, and a page with both runs side by side.

mod html;
mod json;
mod junit;
mod text;
mod words;

pub use self::html::to_html;
pub use self::json::to_json;
pub use self::junit::to_junit;
pub use self::text::to_text;

use relate::{Alphabet, Verdict};

use crate::relations::Related;
use crate::report::Summary;

/// Everything `isospin relate` found out about two subjects.
pub struct RelationReport {
    /// The left subject's path as given.
    pub left: String,
    /// The right subject's path as given.
    pub right: String,
    /// The names of events.
    pub alphabet: Alphabet,
    /// One relation, or all.
    pub asked: Asked,
    /// What was found.
    pub results: Vec<ReportedRelation>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// What was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// One relation.
    One,
    /// Every relation: a table.
    All,
}

/// A comparison, and where the runs that show a difference were written.
pub struct ReportedRelation {
    /// The comparison.
    pub related: Related,
    /// The run of the left side.
    pub left_file: Option<String>,
    /// The run of the right side.
    pub right_file: Option<String>,
}

impl RelationReport {
    /// What all results together say.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let each = self.results.iter().map(|reported| match &reported.related.comparison.verdict {
            Verdict::Unknown(explore::search::End::Interrupted) => Summary::Interrupted,
            _ if reported.related.doubt.is_some() => Summary::Unknown,
            Verdict::Holds => Summary::Holds,
            Verdict::Violated(_) => Summary::Violated,
            Verdict::Unknown(_) => Summary::Unknown,
        });
        each.max().unwrap_or(Summary::Holds)
    }
}
