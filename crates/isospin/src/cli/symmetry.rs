//! `isospin symmetry`

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::SourceArguments;
use super::verify::{SymmetryKind, duration};

const EXAMPLES: &str = "\
Examples:
  isospin symmetry model.pml           the group of symmetries, and what stands in the way of more
  isospin symmetry --json model.pml    the same for programs
  isospin symmetry --plan model.pml    how representatives of orbits will be found, too
  isospin symmetry --oracle model.pml  what brute force finds in the state graph, beside it
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
    /// Spend at most this long on finding out what breaks symmetry; 0 leaves it out [default: 800ms, less what detection took]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub explain: Option<Duration>,
    /// Compare with the automorphisms of the state graph itself, if it has at most so many states [default: 2000]
    #[arg(long, value_name = "STATES", num_args = 0..=1, default_missing_value = "2000", require_equals = true)]
    pub oracle: Option<usize>,
    /// With --oracle: write the state graph modulo its automorphisms, as .aut (Aldebaran) or .dot
    #[arg(long, value_name = "FILE", requires = "oracle")]
    pub quotient: Option<PathBuf>,
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
