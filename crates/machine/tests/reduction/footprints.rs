//! Footprints against the interpreter, by the layer that `--audit` uses: what a move changes is in the write set of its actions, and what is not in the
//! read set does not matter for what is possible.

use explore::search::{Bounds, Errors, Options, Progress, search};
use explore::store::{Limits, TreeStore};
use machine::checked::Checked;
use machine::generate::InterpretedGenerator;
use machine::interpret::Interpreter;
use system::System;

use crate::searching::{examples, load};

/// States looked at for each model.
const STATES: u64 = 300;

#[test]
fn what_a_step_reads_and_changes_is_in_its_footprint() {
    let mut checked = 0;
    for path in examples() {
        let Some(machine) = load(&path).filter(|machine| Interpreter::new(machine).initial().is_ok()) else { continue };
        let Ok(engine) = InterpretedGenerator::new(machine.clone()) else { continue };
        let make = || -> Box<dyn System> { Box::new(Checked::new(engine.clone(), machine.clone())) };
        let options = Options {
            bounds: Bounds { max_states: Some(STATES), ..Bounds::default() },
            errors: Errors::All,
            ..Options::default()
        };
        let outcome = search(make, &TreeStore::new(Limits::memory(1 << 26)), &options, &Progress::new());
        assert_eq!(outcome.notes.text(Checked::FAILURE), None, "{}", path.display());
        checked += outcome.notes.number(Checked::STATES);
    }
    assert!(checked > 3_000 || examples().is_empty(), "{checked}");
}
