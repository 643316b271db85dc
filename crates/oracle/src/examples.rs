//! The models that come with Debian's SPIN.

use std::path::{Path, PathBuf};

/// Where Debian puts them.
const DIRECTORY: &str = "/usr/share/doc/spin/examples/Examples";

/// One of them.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its path below the directory of examples.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// All of them, by name. None where SPIN is not installed.
#[must_use]
pub fn all() -> Vec<Example> {
    let mut examples = Vec::new();
    collect(Path::new(DIRECTORY), &mut examples);
    examples.sort_by(|a, b| a.name.cmp(&b.name));
    examples
}

fn collect(directory: &Path, examples: &mut Vec<Example>) {
    for entry in directory.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, examples);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            let name = path.strip_prefix(DIRECTORY).unwrap_or(&path).to_string_lossy().into_owned();
            examples.push(Example { name, path });
        }
    }
}
