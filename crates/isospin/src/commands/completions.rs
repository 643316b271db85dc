//! `isospin completions`: completion scripts, from the definition of the command line.

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArguments};
use crate::console::{self, Exit};

/// Prints the script for a shell.
pub fn run(arguments: &CompletionsArguments) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "isospin", &mut script);
    console::print(&String::from_utf8_lossy(&script))
}
