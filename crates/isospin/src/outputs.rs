//! Files that a command writes must not be files that it reads, nor one another: a slip of the command line costs no model. And they are
//! whole, or not there.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::console::Exit;
use crate::model;

/// Refuses options whose file is read by the same command, or written by another option. Devices may be named as often as one likes.
pub fn refuse_clashes(read: &[&Path], written: &[(&str, Option<&PathBuf>)]) -> Result<(), Exit> {
    let written: Vec<(&str, &PathBuf)> = written
        .iter()
        .filter_map(|&(option, path)| Some((option, path?)))
        .filter(|(_, path)| !is_device(path))
        .collect();
    for (index, (option, path)) in written.iter().enumerate() {
        if read.iter().any(|other| is_same(path, other)) {
            return Err(model::refuse(&format!("{option} would overwrite {}, which is read", path.display())));
        }
        if let Some((other, _)) = written[..index].iter().find(|(_, other)| is_same(path, other)) {
            return Err(model::refuse(&format!("{other} and {option} would both write {}", path.display())));
        }
    }
    Ok(())
}

/// Writes a file. What a full disk has cut off is taken away again: half a page, or half a trace, would only mislead.
///
/// # Errors
/// A message that names the file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    write_with(path, |file| file.write_all(text.as_bytes()))
}

/// The same, piece by piece: whatever goes wrong, nothing is left behind.
///
/// # Errors
/// A message that names the file.
pub fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), String> {
    let mut file = File::create(path).map_err(|error| unwritten(path, &error))?;
    let written = write(&mut file);
    if written.is_err() && file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        // If it cannot be removed either, the message below has to do.
        let _ = std::fs::remove_file(path);
    }
    written.map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// A file that exists and can be written to without harm: `/dev/null`, a pipe.
fn is_device(path: &Path) -> bool {
    path == Path::new("-") || path.metadata().is_ok_and(|metadata| !metadata.is_file())
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (place(one), place(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// Where a file is, or will be.
fn place(path: &Path) -> Option<PathBuf> {
    if let Ok(place) = path.canonicalize() {
        return Some(place);
    }
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(directory.canonicalize().ok()?.join(path.file_name()?))
}
