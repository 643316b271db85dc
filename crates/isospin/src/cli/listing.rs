//! What `simulate` and `replay` show of a run. The letters are SPIN's.

use std::path::PathBuf;

use clap::Args;

/// What is shown of a run.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "What is shown")]
pub struct ListingArguments {
    /// Show every statement that is executed
    #[arg(short = 'p', long)]
    pub statements: bool,
    /// Show global variables and channels that change
    #[arg(short = 'g', long)]
    pub globals: bool,
    /// Show local variables that change
    #[arg(short = 'l', long)]
    pub locals: bool,
    /// Show messages when they are sent
    #[arg(short = 's', long)]
    pub sends: bool,
    /// Show messages when they are received
    #[arg(short = 'r', long)]
    pub receives: bool,
    /// Show all of that, the initial state, and the statements inside of d_steps
    #[arg(short = 'v', long)]
    pub verbose: bool,
    /// Show messages in columns, one for each process; with -p also the other statements
    #[arg(short = 'c', long)]
    pub columns: bool,
    /// Show nothing of the first N steps
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub skip: u32,
    /// Print what the model prints without indenting it by process
    #[arg(short = 'T', long)]
    pub no_indent: bool,
    /// Leave out what the model prints
    #[arg(short = 'b', long)]
    pub no_output: bool,
    /// Print JSON lines (schema isospin.run/1): one object for the start, each step, and the end
    #[arg(long, conflicts_with_all = ["statements", "globals", "locals", "sends", "receives", "verbose", "columns", "no_indent", "no_output"])]
    pub json: bool,
    /// Write a message sequence chart: FILE.svg a picture, FILE.txt (or - for standard output) text
    #[arg(long, value_name = "FILE")]
    pub msc: Option<PathBuf>,
    /// Write the run as one page for a browser: chart, steps beside the source
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// End as SPIN's simulator does
    #[arg(long, hide = true)]
    pub spin_words: bool,
    /// Write the run as a trace (schema isospin.trace/1) that `isospin replay` reads
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

impl ListingArguments {
    /// The files that are written.
    pub fn files(&self) -> [(&'static str, Option<&PathBuf>); 3] {
        [("--save", self.save.as_ref()), ("--msc", self.msc.as_ref()), ("--html", self.html.as_ref())]
    }
}
