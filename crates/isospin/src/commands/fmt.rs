//! `isospin fmt`: makes the white space of models uniform; see [`promela::format`] for what that means.
//!
//! A file is replaced as a whole or not at all: the new text goes to a file beside it, which then takes its name. A link stays
//! a link, and mode and owner stay what they were. A text that cannot be formatted is reported and left alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use promela::format::{format, unified_diff};
use promela::source::SourceMap;

use crate::cli::fmt::FmtArguments;
use crate::console::{self, Exit};
use crate::{diagnostics, input};

/// What is done with a formatted text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    Check,
}

/// Formats every file.
pub fn run(arguments: &FmtArguments) -> Exit {
    let mode = if arguments.check { Mode::Check } else { Mode::Write };
    arguments.files.iter().map(|path| file(path, mode)).max().unwrap_or(Exit::Success)
}

fn file(path: &Path, mode: Mode) -> Exit {
    let name = input::name(path);
    let refused = |why: String| {
        console::error(&why);
        Exit::Usage
    };
    let text = match input::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => {
            let place = error.utf8_error().valid_up_to();
            return refused(format!("cannot format {name}: byte {place} is not UTF-8; the file was left as it is"));
        }
        Err(error) => return refused(format!("cannot read {name}: {error}")),
    };
    let formatted = match format(&text) {
        Ok(formatted) => formatted,
        Err(error) => {
            let mut sources = SourceMap::new();
            return match sources.add_file(name.as_str(), text.as_str()) {
                Ok(id) => {
                    diagnostics::print(&[error.diagnostic(&sources, id)], &sources);
                    Exit::Usage
                }
                Err(_) => refused(format!("{name}: {error}")),
            };
        }
    };
    match mode {
        Mode::Check if formatted == text => Exit::Success,
        Mode::Check => Exit::Violation.max(console::print_exactly(&unified_diff(&name, &text, &formatted))),
        Mode::Write if input::is_stdin(path) => console::print_exactly(&formatted),
        Mode::Write if formatted == text => Exit::Success,
        Mode::Write => match replace(path, &formatted) {
            Ok(()) => console::print(&format!("formatted {name}\n")),
            Err(error) => refused(format!("cannot write {name}: {error}; it was left as it is")),
        },
    }
}

/// Gives a file a new text, all at once.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // Behind a link stands the file to be replaced.
    let path = fs::canonicalize(path)?;
    let metadata = fs::metadata(&path)?;
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let (beside, mut file) = create_beside(&path)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| keep_owner(&file, &metadata))
        .and_then(|()| file.set_permissions(metadata.permissions()))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // The original is untouched; what is left over is of no use, and that it cannot be removed would be no news.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// An empty file in the same directory, under a name that nobody else has.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    const ATTEMPTS: u32 = 100;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for attempt in 0..ATTEMPTS {
        let beside = path.with_file_name(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many temporary files beside it"))
}

/// Gives the new file the owner and group of the old one.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(file, Some(old.uid()), Some(old.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}
