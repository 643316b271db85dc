//! What all commands share when they talk to people: exit codes, error lines, output that survives a closed pipe.

use std::io::{self, Write};
use std::process::ExitCode;

use isospin::report::Summary;
use promela::render::{Colour, Style};

/// How a run of `isospin` ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Everything that was checked holds.
    Success,
    /// Nothing wrong was found, but not everything was seen.
    Incomplete,
    /// Nothing wrong was found, but a file or the output that was asked for could not be written.
    Unwritten,
    /// A violation was found, or a claimed one was not confirmed.
    Violation,
    /// The user ended it.
    Interrupted,
    /// Bad input or usage.
    Usage,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Success => 0,
            Exit::Violation => 1,
            Exit::Incomplete => 3,
            Exit::Interrupted => 130,
            Exit::Usage | Exit::Unwritten => 2,
        })
    }
}

impl From<Summary> for Exit {
    fn from(summary: Summary) -> Exit {
        match summary {
            Summary::Holds => Exit::Success,
            Summary::Violated => Exit::Violation,
            Summary::Unknown => Exit::Incomplete,
            Summary::Interrupted => Exit::Interrupted,
        }
    }
}

/// Prints a message of our own on standard error.
pub fn error(message: &str) {
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "\u{1b}[1;31merror\u{1b}[0m: {message}");
}

/// Says that something that was asked for could not be written.
pub fn unwritten(message: &str) -> Exit {
    error(message);
    Exit::Unwritten
}

/// Prints on standard error what did not work, where the outcome stands nevertheless.
pub fn warning(message: &str) {
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "\u{1b}[1;33mwarning\u{1b}[0m: {message}");
}

/// Prints something that the user should know on standard error.
pub fn note(message: &str) {
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "\u{1b}[1mnote\u{1b}[0m: {message}");
}

/// Writes to standard output. A reader that has gone away (`isospin … | head`) is no error; a full disk is.
pub fn print(text: &str) -> Exit {
    write(text).into()
}

/// The same, byte for byte: escape sequences are part of the text and not colours of ours.
pub fn print_exactly(text: &str) -> Exit {
    write_to(io::stdout().lock(), text).into()
}

/// How writing to standard output went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// All is written.
    All,
    /// The reader has gone away.
    NobodyReads,
    /// It failed, and the user was told.
    Failed,
}

impl From<Written> for Exit {
    fn from(written: Written) -> Exit {
        match written {
            Written::All | Written::NobodyReads => Exit::Success,
            Written::Failed => Exit::Unwritten,
        }
    }
}

/// Writes to standard output, for those who want to stop when nobody reads any more.
pub fn write(text: &str) -> Written {
    write_to(anstream::stdout().lock(), text)
}

fn write_to(mut stdout: impl Write, text: &str) -> Written {
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Written::All,
        Err(failure) if failure.kind() == io::ErrorKind::BrokenPipe => Written::NobodyReads,
        Err(failure) => {
            error(&format!("cannot write to standard output: {failure}"));
            Written::Failed
        }
    }
}

/// Characters in a line of standard output: the terminal's, or plenty.
pub fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(120, |(width, _)| usize::from(width.0).max(20))
}

/// How diagnostics are drawn on standard error.
pub fn style() -> Style {
    let choice = anstream::AutoStream::choice(&io::stderr());
    let colour = if choice == anstream::ColorChoice::Never { Colour::Never } else { Colour::Always };
    let width = terminal_size::terminal_size_of(io::stderr()).map_or(120, |(width, _)| usize::from(width.0));
    Style { colour, width }
}
