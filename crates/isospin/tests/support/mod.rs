//! The program under test, and files for it.

#![allow(dead_code, reason = "not every test needs everything")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// `isospin` with arguments, not yet started.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isospin"));
    command.args(arguments);
    command
}

/// Runs `isospin`.
pub fn isospin(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

/// The report of `isospin verify` with these arguments, and the exit code.
pub fn report(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = isospin(&[&["verify", "--json"], arguments].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    let document = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    (document, output.status.code())
}

/// The path of a trace that a test has written. The name is to be no other test's.
pub fn trace_of(name: &str) -> String {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).display().to_string()
}

/// Writes a file; its path. The name is to be no other test's.
pub fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let directory = path.parent().expect("it is in a directory");
    std::fs::create_dir_all(directory).expect("it can be made");
    std::fs::write(&path, text).expect("it can be written");
    path.display().to_string()
}
