//! Models as isospin sees them, ready to be compared.

use std::path::Path;

use machine::enumerate::Limits;
use machine::{Hidden, Machine};
use promela::{Loaded, Options};

use crate::summary::is_fatal;

/// Searches with more errors than this are compared up to it only.
const ERRORS: usize = 1_000_000;

/// A search of at most so many states that goes on after errors as SPIN does.
#[must_use]
pub fn limits(states: usize) -> Limits {
    Limits { states, errors: ERRORS, stop: is_fatal }
}

/// Lowers a model from memory.
///
/// # Errors
/// The front end's messages when it does not accept the model.
pub fn machine(text: &str) -> Result<Machine, String> {
    lowered(promela::load_text("model.pml", text, &Options::default()))
}

/// Lowers a model in a file.
///
/// # Errors
/// The front end's messages when it does not accept the model.
pub fn machine_of_file(path: &Path) -> Result<Machine, String> {
    lowered(promela::load(path, &Options::default()))
}

/// The models are our own, or come with SPIN: their embedded C may run.
fn lowered(loaded: Loaded) -> Result<Machine, String> {
    let messages = || {
        let lines: Vec<&str> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        lines.join("\n")
    };
    let model = loaded.model.as_ref().ok_or_else(messages)?;
    machine::embedded::lower(model, Hidden::Outside, Path::new(".")).map_err(|failure| failure.to_string())
}
