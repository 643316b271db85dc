//! What the tests of grounding share.

use crate::machine::Machine;

/// The machine of a model.
pub(crate) fn machine_of(text: &str) -> Machine {
    let loaded = promela::load_text("test.pml", text, &promela::Options::default());
    crate::lower(&loaded.model.unwrap_or_else(|| panic!("{:?} in {text}", loaded.diagnostics)))
}
