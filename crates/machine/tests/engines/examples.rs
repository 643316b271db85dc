//! The models that come with SPIN, where they are installed.

use std::path::{Path, PathBuf};

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
