//! Texts that the command line names: files, or `-` for standard input.
//!
//! A command may ask for a text more than once, but standard input and pipes (`isospin verify <(generate)`) give theirs only once.
//! So such texts are kept.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use promela::preprocess::FileSystem;
use promela::{Loaded, Options};

/// How standard input is called in messages.
const STDIN: &str = "<stdin>";

/// What came through pipes: it can be read only once.
static PIPED: Mutex<Option<HashMap<PathBuf, Vec<u8>>>> = Mutex::new(None);

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// How a text is called in messages.
pub fn name(path: &Path) -> String {
    if is_stdin(path) { STDIN.to_owned() } else { path.display().to_string() }
}

/// The path of a file beside a text: in the current directory for standard input.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = if is_stdin(path) { "stdin".into() } else { path.as_os_str().to_owned() };
    name.push(ending);
    PathBuf::from(name)
}

/// The bytes of a text.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let is_stdin = is_stdin(path);
    if !is_stdin && path.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return std::fs::read(path);
    }
    // Nobody panics while the lock is held; and what is in there is whole at any time.
    let mut kept = PIPED.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if let Some(bytes) = kept.get(path) {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    match is_stdin {
        true => drop(io::stdin().lock().read_to_end(&mut bytes)?),
        false => bytes = std::fs::read(path)?,
    }
    kept.insert(path.to_owned(), bytes.clone());
    Ok(bytes)
}

/// The same as text; bytes that are not UTF-8 are replaced.
pub fn text(path: &Path) -> io::Result<String> {
    let bytes = read(path)?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Reads a model. What one on standard input includes is looked for in the current directory.
pub fn load(path: &Path, options: &Options) -> Loaded {
    match text(path) {
        Ok(text) => promela::load_with(&name(path), &text, options, &FileSystem),
        Err(error) => promela::unreadable(&name(path), &error),
    }
}
