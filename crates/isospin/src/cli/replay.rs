//! `isospin replay`

use std::path::PathBuf;

use clap::Args;

use super::SourceArguments;
use super::listing::ListingArguments;

const EXAMPLES: &str = "\
Examples:
  isospin replay model.pml model.pml.trace.json      is it a run of the model, and does it end where it claims?
  isospin replay -p -g -l model.pml m.trace.json     show it step by step
  isospin replay model.pml model.pml.trail --save m.trace.json
                                                     check SPIN's counterexample, and keep it as a trace
  isospin replay model.pml m.trace.json --html m.html
                                                     the run as a page: chart, steps beside the source

Exit codes: 0 confirmed; 1 all steps are possible, but the run does not end as it claims;
2 it is no run of this model (a step is not possible or does something else), or bad input or usage.";

/// `isospin replay`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArguments {
    /// The model; `-` is standard input
    #[arg(value_name = "MODEL.pml")]
    pub model: PathBuf,
    /// The trace (schema isospin.trace/1), or SPIN's MODEL.pml.trail
    #[arg(value_name = "TRACE", required_unless_present_any = ["spin_trail", "from_spin_output"])]
    pub trace: Option<PathBuf>,
    #[command(flatten)]
    pub source: SourceArguments,
    /// Replay a trail of SPIN's verifier, whatever the file's name
    #[arg(long, value_name = "FILE", conflicts_with_all = ["trace", "from_spin_output"])]
    pub spin_trail: Option<PathBuf>,
    /// Replay what `spin -t -p` printed
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    pub from_spin_output: Option<PathBuf>,
    /// Try even if the trace was made for another text of the model
    #[arg(long, requires = "trace")]
    pub force: bool,
    /// Lose messages that are sent to full channels; a trace knows by itself whether it needs this
    #[arg(short = 'm', long)]
    pub lossy: bool,
    /// Compile the model's embedded C with the C compiler of this machine, and run it
    #[arg(long)]
    pub allow_c: bool,
    #[command(flatten)]
    pub listing: ListingArguments,
}
