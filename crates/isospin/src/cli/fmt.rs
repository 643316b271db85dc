//! `isospin fmt` on the command line.

use std::path::PathBuf;

use clap::Args;

/// `isospin fmt`
#[derive(Args, Debug)]
pub struct FmtArguments {
    /// The files to format in place; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Change nothing: print what would change as a diff, and exit with 1 if anything would
    #[arg(long)]
    pub check: bool,
}
