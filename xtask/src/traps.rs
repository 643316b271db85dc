//! `cargo xtask traps`: asks SPIN about every trap model and writes the record; prints where isospin differs.

use std::fmt::Write as _;
use std::path::Path;

use oracle::compare;
use oracle::traps::{self, Trap};

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/machine/tests/traps");

/// Makes the record anew, or only looks at the traps whose names contain one of the arguments.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let directory = Path::new(DIRECTORY);
    let all = traps::load(directory).map_err(|error| error.to_string())?;
    let wanted = |trap: &&Trap| arguments.is_empty() || arguments.iter().any(|name| trap.name.contains(name.as_str()));
    let mut record = String::new();
    let (mut count, mut different) = (0, 0);
    for trap in all.iter().filter(wanted) {
        let (answer, automata) = trap.spin();
        // Writing to a string does not fail.
        let _ = writeln!(record, "{}: {answer}", trap.name);
        let mut lines = trap.differences(Some(&answer));
        if let (_, Some((machine, _))) = trap.ours()
            && trap.directive("automata").is_none()
            && !automata.is_empty()
        {
            lines.extend(compare::automata(&machine, &automata));
        }
        count += 1;
        different += usize::from(!lines.is_empty());
        for line in lines {
            println!("{}: {line}", trap.name);
        }
        if !arguments.is_empty() {
            println!("{}: SPIN: {answer}\n{}: ours: {}", trap.name, trap.name, trap.ours().0);
        }
    }
    println!("{count} traps, {different} differ");
    if arguments.is_empty() {
        std::fs::write(traps::record_path(directory), record).map_err(|error| error.to_string())?;
    }
    Ok(())
}
