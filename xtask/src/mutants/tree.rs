//! The copy of the workspace in which all faults are planted at once, and how it is built.
//!
//! A point that does not compile is dropped with those of its line, and the copy is built again. What was dropped is written
//! down, so that the next time it is built at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::MODULES;
use super::points::{Point, plant, points};

/// What every instrumented crate gets.
const SUPPORT: &str = include_str!("planted.rs");

/// After so many attempts the rest does not compile for another reason.
const MOST_BUILDS: usize = 40;

/// Where everything is put.
pub fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    target.join("mutants")
}

/// A source file in which faults are planted.
#[derive(Debug)]
pub struct Source {
    pub path: String,
    /// The group of modules to which it belongs, by its place in [`MODULES`].
    pub module: usize,
    text: String,
    pub points: Vec<Point>,
    /// The number of the first point; the others follow.
    pub first: u32,
}

/// All sources and what was dropped of them.
#[derive(Debug)]
pub struct Tree {
    pub sources: Vec<Source>,
    pub dropped: BTreeSet<String>,
}

/// A point by its number.
#[derive(Clone, Copy, Debug)]
pub struct Numbered<'t> {
    pub number: u32,
    pub source: &'t Source,
    pub point: &'t Point,
}

impl Numbered<'_> {
    /// What does not change when other lines do.
    pub fn key(&self) -> String {
        let Point { kind, function, text, .. } = self.point;
        format!("{} | {} | {} | {}", self.source.path, function, kind.name(), text)
    }
}

impl Tree {
    /// Reads the sources of the modules.
    pub fn new() -> Result<Self, String> {
        let mut sources: Vec<Source> = Vec::new();
        for path in listed()? {
            let Some(module) = MODULES.iter().position(|module| module.contains(&path)) else { continue };
            let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
            let points = points(&text).map_err(|error| format!("{path}: {error}"))?;
            let first = sources.last().map_or(0, |last| last.first + last.points.len() as u32);
            sources.push(Source { path, module, text, points, first });
        }
        let dropped = fs::read_to_string(folder().join("dropped.txt")).unwrap_or_default();
        Ok(Self { sources, dropped: dropped.lines().map(str::to_owned).collect() })
    }

    /// All points that are not dropped.
    pub fn planted(&self) -> impl Iterator<Item = Numbered<'_>> {
        self.all().filter(|point| !self.dropped.contains(&point.key()))
    }

    fn all(&self) -> impl Iterator<Item = Numbered<'_>> {
        self.sources.iter().flat_map(|source| {
            let numbered = source.points.iter().zip(source.first..);
            numbered.map(move |(point, number)| Numbered { number, source, point })
        })
    }

    /// Writes the copy. A file that did not change keeps its time, so that it is not built again.
    fn write(&self) -> Result<PathBuf, String> {
        let root = folder().join("tree");
        for path in listed()? {
            let mut text = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
            if let Some(source) = self.sources.iter().find(|source| source.path == path) {
                let numbers: Vec<Option<u32>> = source
                    .points
                    .iter()
                    .zip(source.first..)
                    .map(|(point, number)| {
                        (!self.dropped.contains(&Numbered { number, source, point }.key())).then_some(number)
                    })
                    .collect();
                text = plant(&source.text, &source.points, &numbers).into_bytes();
            }
            if instrumented().iter().any(|name| path == format!("crates/{name}/src/lib.rs")) {
                text.extend_from_slice(b"\n#[allow(missing_docs)]\npub mod planted;\n");
            }
            put(&root.join(&path), &text)?;
        }
        for name in instrumented() {
            put(&root.join(format!("crates/{name}/src/planted.rs")), SUPPORT.as_bytes())?;
        }
        Ok(root)
    }

    /// Builds the copy with `cargo test --no-run`, dropping what does not compile. Returns the test binaries by name.
    pub fn build(&mut self, arguments: &[&str]) -> Result<Vec<(String, PathBuf)>, String> {
        for _ in 0..MOST_BUILDS {
            let root = self.write()?;
            match self.attempt(&root, arguments)? {
                Attempt::Built(binaries) => return Ok(binaries),
                Attempt::Dropped(count) => println!("{count} points do not compile"),
            }
        }
        Err("it does not compile, whatever is left out".to_owned())
    }

    fn attempt(&mut self, root: &Path, arguments: &[&str]) -> Result<Attempt, String> {
        let build = fs::canonicalize(folder()).map_err(|error| error.to_string())?.join("build");
        let output = Command::new("cargo")
            .args(["test", "--no-run", "--message-format=json"])
            .args(arguments)
            .current_dir(root)
            .env("CARGO_TARGET_DIR", build)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("cargo could not be started: {error}"))?;
        let messages: Vec<Value> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if output.status.success() {
            let binaries = messages.iter().filter(|message| message["profile"]["test"] == true).filter_map(|message| {
                let path = PathBuf::from(message["executable"].as_str()?);
                let package = message["package_id"].as_str()?.rsplit('/').next()?.split('#').next()?.to_owned();
                Some((format!("{package}/{}", message["target"]["name"].as_str()?), path))
            });
            return Ok(Attempt::Built(binaries.collect()));
        }
        let errors = messages.iter().map(|message| &message["message"]).filter(|message| message["level"] == "error");
        let mut faulty = BTreeSet::new();
        let mut shown = Vec::new();
        for error in errors {
            shown.push(error["rendered"].as_str().unwrap_or_default().to_owned());
            for span in error["spans"].as_array().into_iter().flatten().filter(|span| span["is_primary"] == true) {
                let line = |name: &str| span[name].as_u64().unwrap_or(0) as usize;
                faulty.extend(self.at(
                    span["file_name"].as_str().unwrap_or_default(),
                    line("line_start"),
                    line("line_end"),
                ));
            }
        }
        if faulty.is_empty() {
            return Err(shown.join("\n"));
        }
        let before = self.dropped.len();
        self.dropped.extend(faulty);
        let all: Vec<&str> = self.dropped.iter().map(String::as_str).collect();
        put(&folder().join("dropped.txt"), (all.join("\n") + "\n").as_bytes())?;
        Ok(Attempt::Dropped(self.dropped.len() - before))
    }

    /// The points that may be guilty of an error in these lines: those that begin there, else the smallest around them.
    fn at(&self, path: &str, first: usize, last: usize) -> Vec<String> {
        let near: Vec<Numbered<'_>> = self
            .planted()
            .filter(|point| point.source.path == path && point.point.lines.0 <= last && point.point.lines.1 >= first)
            .collect();
        let inside: Vec<String> = near
            .iter()
            .filter(|point| point.point.lines.0 >= first && point.point.lines.1 <= last)
            .map(Numbered::key)
            .collect();
        if !inside.is_empty() {
            return inside;
        }
        near.iter()
            .min_by_key(|point| point.point.lines.1 - point.point.lines.0)
            .map(Numbered::key)
            .into_iter()
            .collect()
    }
}

enum Attempt {
    Built(Vec<(String, PathBuf)>),
    Dropped(usize),
}

/// The crates in which faults are planted.
fn instrumented() -> BTreeSet<&'static str> {
    MODULES.iter().flat_map(|module| module.files).filter_map(|path| path.split('/').nth(1)).collect()
}

/// The files of the workspace, without what git ignores.
fn listed() -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()
        .map_err(|error| format!("git could not be started: {error}"))?;
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let mut paths: Vec<String> = text.lines().filter(|path| Path::new(path).is_file()).map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn put(path: &Path, text: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(path, text).map_err(failed)
}
