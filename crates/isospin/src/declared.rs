//! Symmetries given by hand in a file.

use std::fs;
use std::path::Path;

use machine::Machine;
use machine::dead::DeadVariables;
use symmetry::detect::{Declared, Options, Refusal, detect, parse_declared};

use crate::console::{self, Exit};
use crate::model;

/// Reads the file and proves every symmetry in it, for states in which the given variables are set back. What is none is shown
/// with its place, and the command ends.
pub fn read(path: &Path, machine: &Machine, dead: Option<DeadVariables>) -> Result<Vec<Declared>, Exit> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(failure) => return Err(model::refuse(&format!("cannot read {}: {failure}", path.display()))),
    };
    let show = |refusal: &Refusal| console::error(&format!("{}:{refusal}", path.display()));
    let declared = parse_declared(&text).map_err(|refusal| {
        show(&refusal);
        Exit::Usage
    })?;
    let detection = detect(machine, &Options { declared: Some(declared.clone()), dead, ..Options::default() });
    if detection.refused.is_empty() {
        return Ok(declared);
    }
    detection.refused.iter().for_each(show);
    if !detection.complete {
        console::error("the search for symmetries was cut short, so that a true one may not have been proven");
    }
    Err(Exit::Usage)
}
