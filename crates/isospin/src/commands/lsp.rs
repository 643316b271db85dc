//! `isospin lsp`: serves an editor on standard input and output.

use crate::cli::LspArguments;
use crate::console::{self, Exit};

/// Serves until the editor ends the session.
pub fn run(arguments: &LspArguments) -> Exit {
    let served = std::env::current_exe()
        .map_err(|error| format!("cannot find this program: {error}"))
        .and_then(|program| workbench::lsp::serve_standard_streams(program, arguments.source.options()));
    match served {
        Ok(()) => Exit::Success,
        Err(message) => {
            console::error(&message);
            Exit::Usage
        }
    }
}
