//! Traces in files: schema `isospin.trace/1`, one JSON document.

use std::path::Path;

use machine::trace::{SCHEMA, Trace};

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

/// Writes a trace.
///
/// # Errors
/// A message that names the file.
pub fn write(path: &Path, trace: &Trace) -> Result<(), String> {
    let text = serde_json::to_string_pretty(trace).expect("a trace is plain data") + "\n";
    outputs::write(path, &text)
}
