//! `isospin simulate`

use std::path::PathBuf;

use clap::Args;

use super::SourceArguments;
use super::listing::ListingArguments;

const EXAMPLES: &str = "\
Examples:
  isospin simulate model.pml                    what the model prints, and where it ends
  isospin simulate -p -g --seed 7 model.pml     the same run every time, statement by statement
  isospin simulate --interactive model.pml      choose every step yourself
  isospin simulate --msc chart.svg model.pml    draw who sends what to whom
  isospin simulate -p --trace m.trace.json m.pml  follow a counterexample

A run ends when nothing can move, when something goes wrong, or after --steps.

Exit codes: 0 nothing wrong was seen, 1 an assertion failed, a run-time error or an invalid end state was reached,
2 bad input or usage.";

/// `isospin simulate`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "MODEL.pml")]
    pub model: PathBuf,
    #[command(flatten)]
    pub source: SourceArguments,
    /// The seed of a random run: equal seeds give equal runs [default: a new one each time]
    #[arg(short = 'n', long, value_name = "N")]
    pub seed: Option<u64>,
    /// Choose every step yourself
    #[arg(short = 'i', long, conflicts_with = "json")]
    pub interactive: bool,
    /// Follow a trace; with --interactive, take over where it ends
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Stop after this many steps [default: 10000]
    #[arg(short = 'u', long, value_name = "N")]
    pub steps: Option<u32>,
    /// Lose messages that are sent to full channels instead of waiting
    #[arg(short = 'm', long)]
    pub lossy: bool,
    /// Compile the model's embedded C with the C compiler of this machine, and run it
    #[arg(long)]
    pub allow_c: bool,
    #[command(flatten)]
    pub listing: ListingArguments,
}
