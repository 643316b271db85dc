//! The machine as text that can be read back: what another front end writes, what a test has by hand, what two passes are compared by.
//!
//! ```text
//! Machine ── write ──▶ text ── read ──▶ Machine (checked)
//! ```
//! The form is line-oriented: a line declares one thing and gives it a number (`g0` a global, `l0` a local, `gc0` and `lc0` channels, `d0` a
//! definition, `a0` an action), and expressions name these. The grammar stands in `docs/internals/machine-text.md`.
//!
//! Everything that executions depend on is there. Left out are the sources and the spans: a machine that was read has the text it was
//! read from as its source, so messages and traces name lines of that text. Compiled embedded C is left out too; pieces of C are written, but a machine
//! that was read does not run them. Where a file gives no offsets, cells lie where [`lower`](crate::lower()) would put them.

mod lex;
mod read;
mod words;
mod write;

pub use self::read::read;
pub use self::write::write;

/// Why a text is no machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The problem.
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}
