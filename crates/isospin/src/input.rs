//! Texts that the command line names: files, or `-` for standard input.

use std::io::{self, Read};
use std::path::Path;

use promela::preprocess::FileSystem;
use promela::{Loaded, Options};

/// How standard input is called in messages.
const STDIN: &str = "<stdin>";

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// How a text is called in messages.
pub fn name(path: &Path) -> String {
    if is_stdin(path) { STDIN.to_owned() } else { path.display().to_string() }
}

/// The bytes of a text.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !is_stdin(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a model. What one on standard input includes is looked for in the current directory.
pub fn load(path: &Path, options: &Options) -> Loaded {
    if !is_stdin(path) {
        return promela::load(path, options);
    }
    match read(path) {
        Ok(bytes) => promela::load_with(STDIN, &String::from_utf8_lossy(&bytes), options, &FileSystem),
        Err(error) => promela::unreadable(STDIN, &error),
    }
}
