//! The formatter: the text of one file in, the same program with uniform white space out.
//!
//! It works on the scanner's pieces, so files that do not parse by themselves (macros, includes, conditional text) can be
//! formatted. The author's line structure is kept, because SPIN ends statements at line breaks: nothing is joined or
//! split, only blank lines disappear. The style is that of SPIN's own examples, made uniform:
//!
//! - a tab per level; options stand below their `if` or `do`, labels and `#` at the margin;
//! - blanks around operators, behind commas and inside braces, none around `!`, `?`, `.`, `@` and inside parentheses;
//! - at most one blank line in a row, none behind an opening or before a closing bracket;
//! - comments move with the code, and those behind code on consecutive lines form a column;
//! - directives with their macro bodies, embedded C and text below `#if 0` stay as they are.
//!
//! ```text
//! text ── item ──▶ lines of items ── walk (nesting, classify) ──▶ roles, indentation ── write (role) ──▶ text
//! ```
//! Two laws hold for every text: the tokens, their order and the line breaks between them do not change; and formatting
//! what was formatted changes nothing. One thing is out of sight: a macro from an included file that turns its argument into
//! a string shows the blanks of that argument.

mod classify;
mod definition;
mod diff;
mod item;
mod nesting;
mod role;
mod walk;
mod write;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::ops::Range;

pub use diff::unified_diff;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceMap};

/// What a tab is worth where columns are counted: behind labels, and where an author had a comment.
const TAB: usize = 8;

/// Formats the text of a file.
///
/// # Errors
/// If a comment, string or bracket has no end, nobody can tell what the text was meant to be, and it is better left alone.
///
/// ```
/// use promela::format::format;
/// let text = "active proctype P(){\nbyte x=1 ;\ndo\n::x<3->x++ // up\n:: else ->\nbreak\nod}";
/// let formatted = "active proctype P() {\n\tbyte x = 1;\n\tdo\n\t:: x < 3 -> x++ // up\n\t:: else ->\n\t\tbreak\n\tod }\n";
/// assert_eq!(format(text).unwrap(), formatted);
/// assert_eq!(format("init { do :: skip }").unwrap_err().to_string(), "this `}` stands where `od` is expected");
/// ```
pub fn format(text: &str) -> Result<String, FormatError> {
    let file = with_last_line_ended(text)?;
    let lines = item::lines(&file)?;
    let walk = walk::walk(&file, &lines)?;
    Ok(write::write(&file, &lines, &walk))
}

/// Why a text was left alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    message: String,
    place: Range<usize>,
    cause: Option<(Range<usize>, String)>,
}

impl FormatError {
    fn new(message: impl Into<String>, place: Range<usize>) -> FormatError {
        FormatError { message: message.into(), place, cause: None }
    }

    fn because(mut self, place: Range<usize>, message: String) -> FormatError {
        self.cause = Some((place, message));
        self
    }

    /// Where, in bytes of the text.
    #[must_use]
    pub fn place(&self) -> Range<usize> {
        self.place.clone()
    }

    /// The error as a diagnostic about `file`, which must hold the text that was to be formatted.
    pub fn diagnostic(&self, sources: &SourceMap, file: FileId) -> Diagnostic {
        let span = |place: &Range<usize>| sources.span(file, place.start, place.end);
        let diagnostic = Diagnostic::error("cannot-format", span(&self.place), &self.message).note(
            "the file was left as it is: without its brackets, quotes and comments closed, its nesting is unknown",
        );
        match &self.cause {
            Some((place, message)) => diagnostic.also(span(place), message),
            None => diagnostic,
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for FormatError {}

/// The text with a line break at its end. A backslash there would join lines that do not exist.
fn with_last_line_ended(text: &str) -> Result<Cow<'_, str>, FormatError> {
    if text.ends_with('\n') {
        return Ok(Cow::Borrowed(text));
    }
    let end = write::trimmed(text);
    if end.ends_with('\\') {
        return Err(FormatError::new("the file ends in a backslash", end.len() - 1..end.len()));
    }
    Ok(Cow::Owned(format!("{text}\n")))
}
