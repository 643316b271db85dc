//! The models that come with SPIN, for tests that hold for every real text.

use std::fs;
use std::path::PathBuf;

/// The files with these extensions, with their texts, in a fixed order; none where SPIN's examples are not installed.
pub fn spin_examples(extensions: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut directories = vec![PathBuf::from("/usr/share/doc/spin/examples/Examples")];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = fs::read_dir(directory) else { continue };
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().and_then(|it| it.to_str()).is_some_and(|it| extensions.contains(&it)) {
                let bytes = fs::read(&path).expect("an example is readable");
                found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
    }
    if found.is_empty() {
        eprintln!("skipped: no examples of SPIN on this machine");
    }
    found.sort();
    found
}
