//! Debian's examples of SPIN: each is accepted if and only if `spin -a` accepts it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use promela::{Options, load};

/// A SPIN that knows the next operator reads this one, and makes nonsense of a `&` between formulas: it prints it as `(333&334)`.
const NONSENSE: &str = "LTL/patterns.pml";

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";

fn models(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
}

/// Runs `spin -a` with its output elsewhere. `None` without a `spin`.
fn spin_accepts(model: &Path, scratch: &Path) -> Option<bool> {
    let include = format!("-I{}", model.parent()?.display());
    let mut command = Command::new("spin");
    command.arg(format!("-E{include}")).arg("-a").arg(model).current_dir(scratch);
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    Some(output.success())
}

#[test]
fn every_example_of_spin_is_accepted_when_spin_accepts_it() {
    let scratch = std::env::temp_dir().join(format!("isospin-examples-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("the temporary directory is writable");
    let mut found = Vec::new();
    models(Path::new(EXAMPLES), &mut found);
    let mut wrong = Vec::new();
    for path in &found {
        let loaded = load(path, &Options::default());
        let errors: Vec<&str> = loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| &*d.message).collect();
        if let Some(accepts) = spin_accepts(path, &scratch)
            && accepts != loaded.model.is_some()
            && !(accepts && path.ends_with(NONSENSE))
        {
            wrong.push(format!("{}: spin accepts: {accepts}, our errors: {errors:?}", path.display()));
        }
    }
    // Best effort: what stays behind is in the temporary directory.
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if Path::new(EXAMPLES).exists() {
        assert!(found.len() > 60, "the examples are missing");
    }
}
