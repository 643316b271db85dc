//! The models that come with SPIN, where they are installed, and machines that were written by hand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::{Pair, load};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

/// States compared for each model.
const STATES: usize = 500;

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml" || extension == "prom") {
            found.push(path);
        }
    }
}

#[test]
fn engines_agree_on_the_examples_of_spin() {
    let states = std::env::var("ISOSPIN_STATES").ok().and_then(|states| states.parse().ok()).unwrap_or(STATES);
    let mut paths = Vec::new();
    models(Path::new(EXAMPLES), &mut paths);
    paths.sort();
    let mut failures = Vec::new();
    for path in &paths {
        let Ok(machine) = load(path) else { continue };
        let outcome = Pair::new(machine).and_then(|mut pair| pair.compare_states(states));
        if let Err(error) = outcome {
            failures.push(format!("{}: {error}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// No front end made these machines: the compiled engine relies on nothing but what the check demands.
#[test]
fn engines_agree_on_machines_written_by_hand() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/text"));
    let paths =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it is listed").path());
    let mut count = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let Ok(machine) = machine::text::read(&text) else { continue };
        let outcome = Pair::new(Arc::new(machine)).and_then(|mut pair| pair.compare_states(STATES));
        assert!(outcome.is_ok(), "{}: {outcome:?}", path.display());
        count += 1;
    }
    assert!(count >= 10, "only {count} machines");
}
