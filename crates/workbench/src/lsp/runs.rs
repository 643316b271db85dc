//! Commands that run beside the editor: `isospin verify` and `isospin symmetry` as processes of their own, so that a long search never delays an
//! answer, uses no memory of the server, and can be stopped.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use crossbeam_channel::Sender;
use promela::preprocess;
use serde::Deserialize;

/// What was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A property was verified, or all.
    Verify(Option<String>),
    /// What breaks symmetry was looked for.
    Symmetry,
}

/// A run that has ended.
#[derive(Debug)]
pub struct Ended {
    /// The number it was given.
    pub number: u64,
    /// What was run.
    pub purpose: Purpose,
    /// On which model.
    pub model: PathBuf,
    /// Standard output, and standard error if that was empty.
    pub output: String,
}

/// A run that can be stopped.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the editor calls it.
    pub number: u64,
    /// What is run.
    pub purpose: Purpose,
    /// On which model.
    pub model: PathBuf,
    child: Arc<Mutex<Child>>,
}

impl Run {
    /// Starts a command of this program on a model; its end is told to `ended`.
    ///
    /// # Errors
    /// When no process can be started.
    pub fn start(
        number: u64,
        program: &Path,
        purpose: Purpose,
        model: &Path,
        options: &preprocess::Options,
        ended: Sender<Ended>,
    ) -> Result<Run, String> {
        let mut command = Command::new(program);
        match &purpose {
            Purpose::Verify(property) => {
                command.args(["verify", "--json"]);
                command.args(property.iter().flat_map(|property| ["--property", property]));
            }
            Purpose::Symmetry => {
                command.args(["symmetry", "--json"]);
            }
        }
        let preprocess::Options { defines, undefines, include_dirs } = options;
        command.args(defines.iter().flat_map(|name| ["-D", name]));
        command.args(undefines.iter().flat_map(|name| ["-U", name]));
        include_dirs.iter().for_each(|folder| {
            command.arg("-I").arg(folder);
        });
        command.arg("--").arg(model).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = model.parent().filter(|folder| folder.is_dir()) {
            command.current_dir(folder);
        }
        let mut child = command.spawn().map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let run = Run { number, purpose, model: model.to_owned(), child: Arc::new(Mutex::new(child)) };
        let waiting = run.clone();
        std::thread::spawn(move || {
            // Both are read at the same time, or a process that writes much to one waits for ever.
            let errors = std::thread::spawn(move || read(err));
            let mut output = read(out);
            let errors = errors.join().unwrap_or_default();
            if output.trim().is_empty() {
                output = errors;
            }
            waiting.reap();
            let Run { number, purpose, model, .. } = waiting;
            // Nobody listens any more when the server ends.
            let _ = ended.send(Ended { number, purpose, model, output });
        });
        Ok(run)
    }

    /// Stops it. Its end is told all the same.
    pub fn stop(&self) {
        if let Ok(mut child) = self.child.lock() {
            // It may have ended by itself.
            let _ = child.kill();
        }
    }

    fn reap(&self) {
        if let Ok(mut child) = self.child.lock() {
            let _ = child.wait();
        }
    }
}

fn read(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The parts of a report of `isospin verify` that are shown.
#[derive(Deserialize, Debug)]
pub struct Report {
    /// One for each property.
    pub results: Vec<Verdict>,
}

/// A verdict.
#[derive(Deserialize, Debug)]
pub struct Verdict {
    /// The name of the property.
    pub property: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// What was found.
    pub violation: Option<Violation>,
    /// How many states were stored.
    pub states: u64,
}

/// A violation.
#[derive(Deserialize, Debug)]
pub struct Violation {
    /// What happened.
    pub message: String,
    /// The file it happened in.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The file of the counterexample.
    pub trace: Option<PathBuf>,
    /// How many steps it has.
    pub length: Option<u64>,
}

/// The parts of a report of `isospin symmetry` that are shown.
#[derive(Deserialize, Debug, Clone)]
pub struct Symmetry {
    /// The order of the group.
    pub order: String,
    /// Sets of parts of the model that are moved to each other.
    pub orbits: Vec<Vec<String>>,
    /// What breaks symmetry.
    pub broken_by: Vec<Cause>,
}

/// Something that breaks symmetry.
#[derive(Deserialize, Debug, Clone)]
pub struct Cause {
    /// Where.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What it does.
    pub message: String,
    /// What would help.
    pub suggestion: Option<String>,
    /// The order of the group without it.
    pub order_without: Option<String>,
}
