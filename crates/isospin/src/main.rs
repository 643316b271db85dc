//! The `isospin` command: reads the command line, calls a command, and turns its outcome into an exit code.

mod branching;
mod claims;
mod cli;
mod commands;
mod console;
mod declared;
mod diagnostics;
mod formulas;
mod goals;
mod input;
mod listing;
mod model;
mod observed;
mod outputs;
mod reproducer;
mod resources;
mod run_files;
mod supervise;
mod trace_file;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::console::Exit;

/// Deeply nested models are walked by recursion; only pages that are used cost memory.
pub(crate) const STACK_BYTES: usize = 512 << 20;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let worker = std::thread::Builder::new().name("isospin".into()).stack_size(STACK_BYTES).spawn(move || run(cli));
    let exit = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        Ok(Err(_)) => {
            console::error("this is a bug in isospin: please report it with the model and the message above");
            Exit::Usage
        }
        Err(error) => {
            console::error(&format!("cannot start a thread: {error}"));
            Exit::Usage
        }
    };
    exit.into()
}

fn run(cli: Cli) -> Exit {
    match cli.command {
        Command::Verify(arguments) => commands::verify::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Simulate(arguments) => commands::simulate::run(&arguments),
        Command::Replay(arguments) => commands::replay::run(&arguments),
        Command::Shorten(arguments) => commands::shorten::run(&arguments),
        Command::Relate(arguments) => commands::relate::run(&arguments),
        Command::Lts(arguments) => commands::lts::run(&arguments),
        Command::Show(arguments) => commands::show::run(&arguments),
        Command::Symmetry(arguments) => commands::symmetry::run(&arguments),
        Command::Fmt(arguments) => commands::fmt::run(&arguments),
        Command::Ltl(arguments) => commands::ltl::run(&arguments),
        Command::Spin(arguments) => commands::spin::run(&arguments),
        Command::Lsp(arguments) => commands::lsp::run(&arguments),
        Command::Dap(arguments) => commands::dap::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Man(arguments) => commands::man::run(&arguments),
    }
}
