//! `isospin spin`

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  isospin spin -run model.pml                  verify, with a report in the form of SPIN's verifiers
  isospin spin -search -ltl p -f model.pml     one property, under weak fairness
  isospin spin -run -DNOREDUCE -c0 model.pml   pan's options and compile-time directives stand behind -run
  isospin spin -t -p -g model.pml              follow the trail that a verification left
  isospin spin -p -n7 -u200 model.pml          a random simulation
  isospin spin -f '[] (p -> <> q)'             a never claim for a formula
  isospin spin -a model.pml                    write a pan.c that, compiled, calls isospin

With -v, the command of isospin's own that does the job is printed. docs/coming-from-spin.md has the table of options.
Exit codes are isospin's: 0 everything holds, 1 a violation was found, 2 bad input or usage, 3 incomplete.";

/// `isospin spin`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, disable_help_flag = true)]
pub struct SpinArguments {
    /// A command line of SPIN: options, and the model as the last word
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS AND MODEL")]
    pub words: Vec<String>,
}
