//! `isospin man`: the manual pages, from the definition of the command line.

use clap::CommandFactory;

use crate::cli::{Cli, ManArguments};
use crate::console::{self, Exit};

/// Prints the main page, or writes one page for each command.
pub fn run(arguments: &ManArguments) -> Exit {
    let Some(directory) = &arguments.out else {
        let mut page = Vec::new();
        return match clap_mangen::Man::new(Cli::command()).render(&mut page) {
            Ok(()) => console::print(&String::from_utf8_lossy(&page)),
            Err(error) => failed(&error.to_string()),
        };
    };
    match clap_mangen::generate_to(Cli::command(), directory) {
        Ok(()) => Exit::Success,
        Err(error) => failed(&format!("cannot write to {}: {error}", directory.display())),
    }
}

fn failed(message: &str) -> Exit {
    console::error(message);
    Exit::Usage
}
