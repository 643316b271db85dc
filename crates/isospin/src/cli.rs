//! The command line. One definition gives parsing, `--help`, the man page and shell completions.

pub mod fmt;
pub mod listing;
pub mod ltl;
pub mod relate;
pub mod replay;
pub mod shorten;
pub mod show;
pub mod simulate;
pub mod spin;
pub mod symmetry;
pub mod verify;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
pub use isospin::report::quoted;

use self::fmt::FmtArguments;
use self::ltl::LtlArguments;
use self::relate::{LtsArguments, RelateArguments};
use self::replay::ReplayArguments;
use self::shorten::ShortenArguments;
use self::show::ShowArguments;
use self::simulate::SimulateArguments;
use self::spin::SpinArguments;
use self::symmetry::SymmetryArguments;
use self::verify::VerifyArguments;

/// Checks Promela models, modulo the symmetry it finds in them.
#[derive(Parser, Debug)]
#[command(name = "isospin", version, max_term_width = 110, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  isospin verify model.pml                everything the file asks for
  isospin check model.pml                 what is wrong with the text, without running it
  isospin check -D N=4 --strict model.pml the same with a definition, warnings as errors
  isospin simulate -p model.pml           a random run, statement by statement
  isospin replay model.pml trace.json     execute a counterexample again
  isospin shorten model.pml trace.json    a shorter run to the same violation
  isospin symmetry model.pml              which parts of a model are alike, and what breaks symmetry
  isospin relate impl.pml spec.pml --relation fd-refinement
                                          is one model a refinement of the other?
  isospin lts model.pml --minimise weak -o model.aut
                                          what an observer sees, as small as possible
  isospin show --automata model.pml       what the processes were understood to do
  isospin fmt --check *.pml               what a uniform layout would change
  isospin ltl '[](ask -> <> answer)'      a formula as a never claim
  isospin spin -run -a model.pml          command lines of SPIN, and its form of report
  isospin lsp                             the language server, for editors

Exit codes: 0 everything holds, 1 a violation was found, 2 bad input or usage, 3 incomplete, 130 interrupted.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Search all states of a model for violations
    Verify(Box<VerifyArguments>),
    /// Parse, resolve, type-check and lint a model; run nothing
    Check(CheckArguments),
    /// Run a model: at random, step by step as you choose, or along a trace
    Simulate(SimulateArguments),
    /// Execute a trace again, and say whether it ends where it claims
    Replay(ReplayArguments),
    /// Find a shorter run to the violation that a trace ends in
    Shorten(ShortenArguments),
    /// Compare two models, or files of transitions, by what an observer sees of them
    Relate(Box<RelateArguments>),
    /// Write the labelled transition system of a model, make it small, look at it
    Lts(Box<LtsArguments>),
    /// Print what a model was understood to be: automata, initial state, text
    Show(ShowArguments),
    /// Find the symmetries of a model, and what breaks symmetry
    Symmetry(SymmetryArguments),
    /// Make the white space of models uniform
    Fmt(FmtArguments),
    /// Translate a formula of linear temporal logic to a Büchi automaton: never claim, HOA, DOT
    Ltl(LtlArguments),
    /// Understand a command line of SPIN, and report as its verifiers do
    Spin(SpinArguments),
    /// Serve an editor on standard input and output: the language server
    Lsp(LspArguments),
    /// Step through runs in an editor: the debug adapter, on standard input and output
    Dap(DapArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
    /// Print the manual page
    Man(ManArguments),
}

/// How a model's text is read.
#[derive(Args, Debug, Clone)]
pub struct SourceArguments {
    /// Define a macro, as for a C preprocessor
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Undefine a macro, after all `-D`
    #[arg(short = 'U', value_name = "NAME")]
    pub undefines: Vec<String>,
    /// Look for included files here too
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
}

/// `isospin check`
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// The models; `-` is standard input
    #[arg(required = true, value_name = "MODEL.pml")]
    pub models: Vec<PathBuf>,
    #[command(flatten)]
    pub source: SourceArguments,
    /// Print one JSON document (schema isospin.diagnostics/1) instead of text
    #[arg(long)]
    pub json: bool,
}

/// `isospin lsp`
#[derive(Args, Debug)]
pub struct LspArguments {
    #[command(flatten)]
    pub source: SourceArguments,
    /// Many editors say so; there is no other way
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// `isospin dap`
#[derive(Args, Debug)]
pub struct DapArguments {
    #[command(flatten)]
    pub source: SourceArguments,
}

/// `isospin completions`
#[derive(Args, Debug)]
pub struct CompletionsArguments {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `isospin man`
#[derive(Args, Debug)]
pub struct ManArguments {
    /// Write a page for every command into this directory instead
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl SourceArguments {
    /// As they stand on a command line, for commands that are proposed to the user.
    pub fn words(&self) -> Vec<String> {
        let define = self.defines.iter().map(|define| format!("-D {}", quoted(define)));
        let undefine = self.undefines.iter().map(|name| format!("-U {name}"));
        let include = self.include_dirs.iter().map(|directory| format!("-I {}", quoted(&directory.to_string_lossy())));
        define.chain(undefine).chain(include).collect()
    }

    /// The front end's options.
    pub fn options(&self) -> promela::Options {
        let strictness = if self.strict { promela::Strictness::Strict } else { promela::Strictness::Lenient };
        promela::Options {
            preprocess: promela::preprocess::Options {
                defines: self.defines.clone(),
                undefines: self.undefines.clone(),
                include_dirs: self.include_dirs.clone(),
            },
            strictness,
        }
    }
}
