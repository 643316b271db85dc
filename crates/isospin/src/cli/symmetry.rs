//! `isospin symmetry`

use std::path::PathBuf;

use clap::Args;

use super::SourceArguments;
use super::verify::SymmetryKind;

const EXAMPLES: &str = "\
Examples:
  isospin symmetry model.pml           the group of symmetries, and what stands in the way of more
  isospin symmetry --json model.pml    the same for programs
  isospin symmetry --plan model.pml    how representatives of orbits will be found, too
  isospin symmetry -D N=5 model.pml    with a definition";

/// `isospin symmetry`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SymmetryArguments {
    /// The model
    #[arg(value_name = "MODEL.pml")]
    pub model: PathBuf,
    #[command(flatten)]
    pub source: SourceArguments,
    /// Print one JSON document (schema isospin.symmetry/1) instead of text
    #[arg(long)]
    pub json: bool,
    /// Spend at most this many seconds on finding out what breaks symmetry
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub explain: f64,
    /// Also show how representatives of orbits will be found [default: exact]
    #[arg(long, value_enum, value_name = "STRATEGY", num_args = 0..=1, default_missing_value = "exact", require_equals = true)]
    pub plan: Option<SymmetryKind>,
}
