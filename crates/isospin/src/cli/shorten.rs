//! `isospin shorten`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::SourceArguments;
use super::listing::ListingArguments;
use super::replay::ReplayArguments;
use super::verify::{duration, size};

const EXAMPLES: &str = "\
Examples:
  isospin shorten model.pml model.pml.trace.json    a shorter run to the same violation
  isospin shorten model.pml model.pml.trail         the same for a counterexample of SPIN's

Exit codes: 0 a shorter run was written, or it is known that there is none; 2 bad input or usage, or no run of this model;
3 none was found, but there may be one.";

/// `isospin shorten`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ShortenArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "MODEL.pml")]
    pub model: PathBuf,
    /// The trace (schema isospin.trace/1), or SPIN's MODEL.pml.trail
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub source: SourceArguments,
    /// Where the shorter run goes [default: TRACE with `.short.trace.json` at its end]
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// End after so long, such as 30s, 5m or 2h
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "1m")]
    pub max_time: Duration,
    /// Memory for states, such as 800M or 4G [default: 80 % of the machine]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,
    /// Lose messages that are sent to full channels; a trace knows by itself whether it needs this
    #[arg(short = 'm', long)]
    pub lossy: bool,
    /// Compile the model's embedded C with the C compiler of this machine, and run it
    #[arg(long)]
    pub allow_c: bool,
}

impl ShortenArguments {
    /// What is needed to replay the run first.
    pub fn to_replay(&self) -> ReplayArguments {
        ReplayArguments {
            model: self.model.clone(),
            trace: Some(self.trace.clone()),
            source: self.source.clone(),
            spin_trail: None,
            from_spin_output: None,
            force: false,
            lossy: self.lossy,
            allow_c: self.allow_c,
            listing: ListingArguments::default(),
        }
    }
}
