//! Traces in files: schema `isospin.trace/1`, one JSON document with a line for each step.
//!
//! Runs may have a million steps. So they are written as they are, never as one text in memory, and whoever waits for it may have enough.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use machine::trace::{SCHEMA, Trace};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

use crate::outputs;

/// Reads a trace.
///
/// # Errors
/// A message that names the file and says what is wrong with it.
pub fn read(path: &Path) -> Result<Trace, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let document: serde_json::Value = serde_json::from_str(&text).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => format!("{shown} is cut off: its JSON ends in line {}", error.line()),
        _ => format!("{shown} is not JSON: {error}"),
    })?;
    match document.get("schema").and_then(serde_json::Value::as_str) {
        Some(SCHEMA) => {}
        Some(other) => return Err(format!("{shown} is of schema {other}; this version reads {SCHEMA}")),
        None => return Err(format!("{shown} is no trace: it names no schema, {SCHEMA} is expected")),
    }
    serde_json::from_value(document).map_err(|error| format!("{shown} is damaged: {error}"))
}

/// Writes a trace, unless `enough` says before its end that nobody will wait for it.
///
/// # Errors
/// A message that names the file.
pub fn write(path: &Path, trace: &Trace, enough: impl FnMut() -> bool) -> Result<(), String> {
    outputs::write_with(path, |file| {
        let mut writer = BufWriter::with_capacity(PIECE, Patient { inner: file, enough });
        trace.serialize(&mut Serializer::with_formatter(&mut writer, Lines::default()))?;
        writer.write_all(b"\n")?;
        writer.flush()
    })
}

/// So many bytes are written at a time.
const PIECE: usize = 1 << 20;

/// Writes as long as somebody waits.
struct Patient<W, F> {
    inner: W,
    enough: F,
}

impl<W: Write, F: FnMut() -> bool> Write for Patient<W, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.enough)() {
            return Err(io::Error::other("it took too long"));
        }
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// JSON with a line for each member of the document and for each element of its lists.
#[derive(Default)]
struct Lines {
    depth: usize,
    /// Whether the list or object that was begun last has no elements so far.
    is_empty: bool,
}

impl Lines {
    /// Members of the document stand on lines of their own, and so do the elements of a list that is one.
    const DEPTH: usize = 2;

    fn begin<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        (self.depth, self.is_empty) = (self.depth + 1, true);
        writer.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8], is_list: bool) -> io::Result<()> {
        self.depth -= 1;
        if !self.is_empty && (self.depth == 0 || is_list && self.depth < Lines::DEPTH) {
            self.line(writer)?;
        }
        self.is_empty = false;
        writer.write_all(bracket)
    }

    fn line<W: Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(&b"\n    "[..=2 * self.depth])
    }
}

impl Formatter for Lines {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]", true)
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.is_empty = false;
        CompactFormatter.begin_array_value(writer, first)?;
        if self.depth <= Lines::DEPTH { self.line(writer) } else { Ok(()) }
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}", false)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.is_empty = false;
        CompactFormatter.begin_object_key(writer, first)?;
        if self.depth == 1 { self.line(writer) } else { Ok(()) }
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(if self.depth == 1 { b": " } else { b":" })
    }
}
