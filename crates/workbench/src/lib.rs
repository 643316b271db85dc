//! What editors talk to: the [language server](mod@lsp) and the [debug adapter](mod@dap).
//!
//! Everything that is shown comes from the front end and from the reports of the commands; nothing is decided here.

// Standard output belongs to the protocol.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod dap;
pub mod lsp;
mod paths;
