//! Relations between two models, or files of transitions: what an observer sees of each, the comparison, and evidence that can be replayed.
//!
//! ```text
//! machine ─ dead variables ─ ample sets ─ engine ─▶ machine::events ─▶ relate::compare ─▶ runs of both sides, replayed ─▶ Related
//! ```
//! The theory is in `crates/relate`, what is seen of a machine in `crates/machine/src/events`. Here a side gets the layers that keep the relation that is
//! asked about, and a difference gets the runs that show it.

mod evidence;
mod side;
mod statements;

pub use self::evidence::Evidence;
pub use self::side::{Model, Side, Subject};
pub use self::statements::Statements;

use std::time::{Duration, Instant};

pub use explore::search::End;
use explore::search::Progress;
use relate::{Alphabet, Comparison, Difference, Limits, Method, Pairs, Relation, Verdict};

/// Which layers are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layers {
    /// None: every step of the model is one of its system.
    None,
    /// Variables are set back that nobody will read: a strong bisimulation.
    Dead,
    /// And processes wait whose internal steps can be put off: what happens after a trace, and whether it diverges, is kept.
    DeadAndAmple,
}

impl Layers {
    /// As many as keep a relation. The tree of choices is not kept by ample sets of several steps.
    #[must_use]
    pub fn keeping(relation: Relation) -> Layers {
        match relation.method() {
            Method::Sets => Layers::DeadAndAmple,
            Method::Game | Method::Partition => Layers::Dead,
        }
    }
}

/// How to compare.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What may be used.
    pub limits: Limits,
    /// Whether layers are used.
    pub reduce: Reduce,
}

/// Whether layers are used, and pairs left out for which others speak.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reduce {
    /// Where a comparison is not small anyway. So small ones have the figures of the definitions, and need trust in nothing else.
    #[default]
    Auto,
    /// As many as keep the relation.
    All,
    /// None.
    None,
}

/// A comparison of fewer states than this, in less time, is small.
const SMALL: (u64, Duration) = (20_000, Duration::from_secs(2));

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Related {
    /// The relation, the verdict, and how much was looked at.
    pub comparison: Comparison,
    /// The runs that show the difference, of models only.
    pub left: Option<Evidence>,
    /// The same for the right side.
    pub right: Option<Evidence>,
    /// A run of a side that cannot be followed in the interpreter: a mistake of ours, and no verdict.
    pub doubt: Option<String>,
    /// How long it took.
    pub time: Duration,
}

impl Related {
    /// The difference, if there is one.
    #[must_use]
    pub fn difference(&self) -> Option<&Difference> {
        match &self.comparison.verdict {
            Verdict::Violated(difference) => Some(difference),
            _ => None,
        }
    }

    /// `holds`, `violated` or `unknown`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match &self.comparison.verdict {
            _ if self.doubt.is_some() => "unknown",
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// Decides a relation between two subjects.
#[must_use]
pub fn relate(
    left: &Subject,
    right: &Subject,
    relation: Relation,
    alphabet: &Alphabet,
    options: &Options,
    progress: &Progress,
) -> Related {
    let start = Instant::now();
    let (plain, reduced) = ((Layers::None, Pairs::All), (Layers::keeping(relation), Pairs::Pruned));
    let limits = options.limits;
    let once = |way, limits| decide([left, right], relation, alphabet, way, limits, progress);
    let mut related = match options.reduce {
        Reduce::None => once(plain, limits),
        Reduce::All => once(reduced, limits),
        Reduce::Auto => {
            let most_states = limits.max_states.map_or(SMALL.0, |most| most.min(SMALL.0));
            let most_time = limits.max_time.map_or(SMALL.1, |most| most.min(SMALL.1));
            let small = Limits { max_states: Some(most_states), max_time: Some(most_time), ..limits };
            let first = once(plain, small);
            match first.comparison.verdict {
                Verdict::Unknown(End::States) if limits.max_states != Some(most_states) => once(reduced, limits),
                Verdict::Unknown(End::Time) if limits.max_time != Some(most_time) => once(reduced, limits),
                _ => first,
            }
        }
    };
    related.time = start.elapsed();
    related
}

fn decide(
    [left, right]: [&Subject; 2],
    relation: Relation,
    alphabet: &Alphabet,
    (layers, pairs): (Layers, Pairs),
    limits: Limits,
    progress: &Progress,
) -> Related {
    let (mut left_side, mut right_side) = (left.observed(layers, alphabet), right.observed(layers, alphabet));
    let options = relate::Options { limits, pairs };
    let comparison = relate::compare(&mut left_side, &mut right_side, relation, &options, progress);
    let mut related = Related { comparison, left: None, right: None, doubt: None, time: Duration::ZERO };
    if left_side.is_truncated() || right_side.is_truncated() {
        related.doubt = Some("an `atomic` sequence is too long to be followed to its end".into());
    }
    if let Verdict::Violated(difference) = &related.comparison.verdict {
        let runs = [(left_side, &difference.left), (right_side, &difference.right)];
        let [left, right] = runs.map(|(mut side, run)| side.evidence(run));
        match (left, right) {
            (Ok(left), Ok(right)) => (related.left, related.right) = (left, right),
            (Err(doubt), _) | (_, Err(doubt)) => related.doubt = Some(doubt),
        }
    }
    related
}
