//! `isospin relate` and `isospin lts`: what is observed of models, and how systems are compared and written.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use isospin::relations::Reduce;
use relate::aut::InternalLabel;
use relate::{Quotient, Relation};

use super::SourceArguments;
use super::verify::{ProgressKind, duration, size};

const RELATE_EXAMPLES: &str = "\
Examples:
  isospin relate impl.pml spec.pml --relation trace-inclusion    can impl do nothing that spec cannot?
  isospin relate new.pml old.pml --relation weak-bisimulation    is the new text as good as the old one?
  isospin relate a.pml b.pml --relation all                      a table of all relations
  isospin relate a.pml b.pml --relation fd-refinement --observe 'in!' --observe 'q[*]?' --observe x
                                                                 observe what no `extern` names
  isospin relate abp.pml buffer.aut --relation testing-equivalence --left-observe 'toS!=IN'
  isospin relate a.pml b.pml --relation all --html page.html     the same as a page, runs side by side

LEFT and RIGHT are models or Aldebaran files (.aut). Inclusions, preorders, refinement and simulation read LEFT below RIGHT.
Internal steps are absorbed by every relation but strong-bisimulation. docs/relations.md tells which relation to choose.

Exit codes: 0 holds, 1 violated, 2 bad input or usage, 3 unknown (a limit), 130 interrupted.";

const LTS_EXAMPLES: &str = "\
Examples:
  isospin lts model.pml -o model.aut                     what an observer sees of the model
  isospin lts model.pml --minimise weak --svg small.svg  the smallest system that is weakly bisimilar, as a picture
  isospin lts model.pml --labels statements --dot -      every statement is visible
  isospin lts big.aut --minimise branching -o small.aut  minimise a file

Exit codes: 0 done, 2 bad input or usage, 3 incomplete (a limit), 130 interrupted.";

/// `isospin relate`
#[derive(Args, Debug)]
#[command(after_help = RELATE_EXAMPLES)]
pub struct RelateArguments {
    /// The left side: a model, or a file of transitions (.aut); `-` is standard input
    #[arg(value_name = "LEFT")]
    pub left: PathBuf,
    /// The right side
    #[arg(value_name = "RIGHT")]
    pub right: PathBuf,
    /// The relation
    #[arg(long, short = 'r', value_name = "RELATION", value_parser = relation_parser(), hide_possible_values = false)]
    pub relation: String,
    #[command(flatten)]
    pub source: SourceArguments,
    /// Define a macro for the left side only
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub left_define: Vec<String>,
    /// Define a macro for the right side only
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub right_define: Vec<String>,
    #[command(flatten)]
    pub observe: ObserveArguments,
    /// Observe something of the left side only
    #[arg(long, value_name = "PATTERN", help_heading = "Observation")]
    pub left_observe: Vec<String>,
    /// Observe something of the right side only
    #[arg(long, value_name = "PATTERN", help_heading = "Observation")]
    pub right_observe: Vec<String>,

    /// Set back dead variables, and let processes wait whose internal steps can be put off, as far as the relation bears it; leave out pairs for
    /// which others speak
    #[arg(long, value_enum, default_value_t = ReduceKind::Auto, help_heading = "Search")]
    pub reduce: ReduceKind,
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Where the left side's run goes when the relation is violated [default: LEFT.left.trace.json]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub left_trace: Option<PathBuf>,
    /// Where the right side's run goes when the relation is violated [default: RIGHT.right.trace.json]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub right_trace: Option<PathBuf>,
    /// Print one JSON document (schema isospin.relation/1) instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Write a page with both runs side by side
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Write the verdicts as JUnit XML, which build servers read
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub junit: Option<PathBuf>,
}

/// `isospin lts`
#[derive(Args, Debug)]
#[command(after_help = LTS_EXAMPLES)]
pub struct LtsArguments {
    /// A model, or a file of transitions (.aut); `-` is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub source: SourceArguments,
    #[command(flatten)]
    pub observe: ObserveArguments,
    /// What steps are called
    #[arg(long, value_enum, default_value_t = Labels::Events, help_heading = "Observation")]
    pub labels: Labels,
    /// Replace the system by the smallest one that is equivalent
    #[arg(long, value_name = "EQUIVALENCE", value_parser = quotient_parser(), help_heading = "Search")]
    pub minimise: Option<Quotient>,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Write the system as an Aldebaran file; `-` is standard output
    #[arg(short, long, value_name = "FILE.aut", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the system for Graphviz; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub dot: Option<PathBuf>,
    /// Draw the system as a picture (at most 200 states)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// Write a page with the picture
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Print one JSON document (schema isospin.lts/1) with the system instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// What an observer sees.
#[derive(Args, Debug, Clone)]
pub struct ObserveArguments {
    /// Observe a global channel or variable: NAME, NAME! (sends), NAME? (receives), NAME[*]! (each element), NAME!=OUTSIDE (by another name)
    #[arg(long, value_name = "PATTERN", help_heading = "Observation")]
    pub observe: Vec<String>,
    /// Do not tell the values of these events apart
    #[arg(long, value_name = "NAME", help_heading = "Observation")]
    pub hide_values: Vec<String>,
    /// Do not tell a valid end state from a deadlock
    #[arg(long, help_heading = "Observation")]
    pub no_end: bool,
    /// How files of transitions spell the internal label; `both` is for reading only
    #[arg(long, value_enum, default_value_t = TauLabel::I, value_name = "LABEL", help_heading = "Observation")]
    pub tau_label: TauLabel,
}

/// What a comparison or an exploration may use.
#[derive(Args, Debug, Clone)]
pub struct LimitArguments {
    /// End when so many states are stored, of both sides together
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,
    /// Memory for everything that is kept, such as 800M or 4G [default: 80 % of the machine]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// End after so long, such as 30s, 5m or 2h
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Limits")]
    pub max_time: Option<Duration>,
    /// Show how far a long search is, on standard error
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto, help_heading = "Output")]
    pub progress: ProgressKind,
}

/// Whether reductions are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReduceKind {
    /// Where a comparison is not small anyway
    Auto,
    /// Always
    All,
    /// Never: figures are those of the definitions
    None,
}

impl From<ReduceKind> for Reduce {
    fn from(kind: ReduceKind) -> Reduce {
        match kind {
            ReduceKind::Auto => Reduce::Auto,
            ReduceKind::All => Reduce::All,
            ReduceKind::None => Reduce::None,
        }
    }
}

/// How the internal label is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TauLabel {
    /// `i`, as CADP has it
    I,
    /// `tau`, as mCRL2 has it
    Tau,
    /// Either, when a file is read
    Both,
}

impl From<TauLabel> for InternalLabel {
    fn from(label: TauLabel) -> InternalLabel {
        match label {
            TauLabel::I => InternalLabel::I,
            TauLabel::Tau => InternalLabel::Tau,
            TauLabel::Both => InternalLabel::Both,
        }
    }
}

/// What steps are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Labels {
    /// By what is observed; everything else is internal
    Events,
    /// By process and statement; nothing is internal
    Statements,
}

/// The relation `all` is a table of every one.
pub const ALL: &str = "all";

fn relation_parser() -> PossibleValuesParser {
    let each = Relation::ALL.into_iter().map(|relation| PossibleValue::new(relation.name()).help(relation.meaning()));
    PossibleValuesParser::new(each.chain([PossibleValue::new(ALL).help("every relation, as a table")]))
}

fn quotient_parser() -> impl TypedValueParser<Value = Quotient> {
    let names = Quotient::ALL.into_iter().map(|quotient| PossibleValue::new(quotient.name()));
    PossibleValuesParser::new(names).map(|name| Quotient::named(&name).expect("only names of quotients are accepted"))
}
