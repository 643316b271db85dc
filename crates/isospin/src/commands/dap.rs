//! `isospin dap`: steps through runs for an editor, on standard input and output.

use std::io::{BufReader, stdin, stdout};

use crate::cli::DapArguments;
use crate::console::{self, Exit};

/// Serves until the editor disconnects.
pub fn run(arguments: &DapArguments) -> Exit {
    match workbench::dap::serve(BufReader::new(stdin()), stdout(), &arguments.source.options()) {
        Ok(()) => Exit::Success,
        Err(message) => {
            console::error(&message);
            Exit::Usage
        }
    }
}
