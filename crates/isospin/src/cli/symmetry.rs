//! `isospin symmetry`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::SourceArguments;
use super::verify::SymmetryKind;

const EXAMPLES: &str = "\
Examples:
  isospin symmetry model.pml           the group of symmetries, and what stands in the way of more
  isospin symmetry --json model.pml    the same for programs
  isospin symmetry --plan model.pml    how representatives of orbits will be found, too
  isospin symmetry -D N=5 model.pml    with a definition
  isospin symmetry --symmetry-file by_hand.txt model.pml    what symmetries given by hand generate";

/// `isospin symmetry`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SymmetryArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "MODEL.pml")]
    pub model: PathBuf,
    #[command(flatten)]
    pub source: SourceArguments,
    /// Print one JSON document (schema isospin.symmetry/1) instead of text
    #[arg(long)]
    pub json: bool,
    /// Use the symmetries in this file only; each is proven before it is used
    #[arg(long, value_name = "FILE")]
    pub symmetry_file: Option<PathBuf>,
    /// Write a picture for Graphviz to this file; things in one orbit have one colour
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Write a picture as SVG to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// What --dot and --svg show [default: channels]
    #[arg(long, value_enum)]
    pub picture: Option<PictureKind>,
    /// Spend at most this many seconds on finding out what breaks symmetry [default: 8, less what detection took]
    #[arg(long, value_name = "SECONDS")]
    pub explain: Option<f64>,
    /// Also show how representatives of orbits will be found [default: exact]
    #[arg(long, value_enum, value_name = "STRATEGY", num_args = 0..=1, default_missing_value = "exact", require_equals = true)]
    pub plan: Option<SymmetryKind>,
}

/// What a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PictureKind {
    /// Processes, channels and global variables: who talks to whom
    Channels,
    /// The program graph, whose automorphisms are the symmetries
    Program,
}
