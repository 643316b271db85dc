//! SPIN as an oracle: a model is given to `spin -a`, the verifier is compiled and run, its report is parsed.
//!
//! The flags are those under which SPIN's counts mean the plain semantics: `-o1 -o2 -o3` (no dead variables reset, no statements
//! merged), `-DNOREDUCE` (no partial order), for safety `-DSAFETY -DNOCLAIM`, and `-c0` (go on after errors). `tcc` is preferred as a compiler: it
//! needs milliseconds where gcc needs a second, and a verifier of a small model runs for microseconds.

mod automata;
mod report;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

pub use automata::{SpinAutomaton, SpinEdge, SpinLabels};
pub use report::{SpinError, SpinReport, Unreached};

/// How SPIN is run.
#[derive(Clone, Debug)]
pub struct Flags {
    /// Options of `spin` itself, besides the exact ones: `-m` for lossy channels.
    pub spin: Vec<String>,
    /// Options of the verifier, besides those of the search.
    pub verifier: Vec<String>,
    /// What the verifier looks for.
    pub search: Search,
    /// Which compiler translates the verifier.
    pub compiler: Compiler,
    /// The most seconds the verifier may run.
    pub seconds: u32,
    /// The most steps of a path.
    pub depth: u32,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            spin: Vec::new(),
            verifier: Vec::new(),
            search: Search::Safety,
            compiler: Compiler::Quick,
            seconds: 20,
            depth: 200_000,
        }
    }
}

/// What a verifier looks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Search {
    /// Failed assertions and invalid end states: all of them.
    Safety,
    /// The first cycle through an accept label of a process.
    Acceptance,
    /// The first cycle without a progress label.
    NonProgress,
    /// The first run that a claim accepts: the one with this name, or the only one.
    Claim(Option<String>),
}

impl Search {
    /// How the verifier is compiled for it.
    fn definitions(&self) -> &'static [&'static str] {
        match self {
            Search::Safety => &["-DSAFETY", "-DNOCLAIM"],
            Search::Acceptance => &["-DNOCLAIM", "-DNFAIR=3"],
            Search::NonProgress => &["-DNP", "-DNFAIR=3"],
            Search::Claim(_) => &["-DNFAIR=3"],
        }
    }

    /// How the verifier is run for it.
    fn options(&self) -> Vec<&str> {
        match self {
            Search::Safety => vec!["-c0"],
            Search::Acceptance => vec!["-a", "-E"],
            Search::NonProgress => vec!["-l", "-E"],
            Search::Claim(None) => vec!["-a"],
            Search::Claim(Some(name)) => vec!["-a", "-N", name],
        }
    }
}

/// What translates the verifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compiler {
    /// `tcc` where there is one, else `gcc -O0`.
    Quick,
    /// `gcc -O2`, for long runs.
    Optimising,
}

/// Why there is no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// SPIN does not accept the model.
    Rejected(String),
    /// The C compiler does not accept what SPIN wrote.
    Miscompiled(String),
    /// The verifier refuses to start: it found something wrong with the automata.
    NotStarted(String),
    /// The verifier crashed; a division by zero does that.
    Crashed(String),
    /// The verifier took too long.
    TimedOut,
    /// A program is missing, or a file cannot be written.
    Unavailable(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Rejected(text) => write!(f, "rejected: {text}"),
            Refusal::Miscompiled(text) => write!(f, "miscompiled: {text}"),
            Refusal::NotStarted(text) => write!(f, "not started: {text}"),
            Refusal::Crashed(text) => write!(f, "crashed: {text}"),
            Refusal::TimedOut => write!(f, "timed out"),
            Refusal::Unavailable(text) => write!(f, "unavailable: {text}"),
        }
    }
}

/// Whether SPIN and a C compiler are there.
#[must_use]
pub fn is_available() -> bool {
    has("spin") && (has("tcc") || has("gcc"))
}

/// A verifier that SPIN made for a model.
#[derive(Debug)]
pub struct Verifier {
    directory: Directory,
    flags: Flags,
}

impl Verifier {
    /// Builds the verifier of a model.
    ///
    /// # Errors
    /// When SPIN or the compiler does not accept it.
    pub fn build(text: &str, flags: &Flags) -> Result<Verifier, Refusal> {
        let directory = Directory::create()?;
        std::fs::write(directory.0.join("model.pml"), text).map_err(unavailable)?;
        Verifier::build_in(directory, Path::new("model.pml"), flags)
    }

    /// Builds the verifier of a model in a file; what it includes is looked for beside it.
    ///
    /// # Errors
    /// When SPIN or the compiler does not accept it.
    pub fn build_file(path: &Path, flags: &Flags) -> Result<Verifier, Refusal> {
        let directory = Directory::create()?;
        let path = path.canonicalize().map_err(unavailable)?;
        // SPIN writes into the current directory and takes included files from there.
        for entry in path.parent().into_iter().flat_map(|parent| parent.read_dir()).flatten().flatten() {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), directory.0.join(entry.file_name())).map_err(unavailable)?;
            }
        }
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        Verifier::build_in(directory, &name, flags)
    }

    fn build_in(directory: Directory, model: &Path, flags: &Flags) -> Result<Verifier, Refusal> {
        let mut spin = Command::new("spin");
        spin.args(["-o1", "-o2", "-o3"]).args(&flags.spin).arg("-a").arg(model);
        let answer = directory.run(&mut spin)?;
        if !answer.success || !directory.0.join("pan.c").exists() {
            return Err(Refusal::Rejected(answer.output));
        }
        let mut compiler = match flags.compiler {
            Compiler::Quick if has("tcc") => Command::new("tcc"),
            Compiler::Quick => Command::new("gcc"),
            Compiler::Optimising => {
                let mut gcc = Command::new("gcc");
                gcc.arg("-O2");
                gcc
            }
        };
        compiler.args(["-w", "-DNOREDUCE", "-DVECTORSZ=8192", "-DMEMLIM=8000"]).args(flags.search.definitions());
        // With priorities, SPIN takes part of the locals for padding and does not compare it, unless nothing is masked at all.
        if std::fs::read_to_string(directory.0.join("pan.h")).is_ok_and(|text| text.contains("#define HAS_PRIORITY")) {
            compiler.arg("-DNOCOMP");
        }
        let answer = directory.run(compiler.args(["-o", "pan", "pan.c"]))?;
        if !answer.success {
            return Err(Refusal::Miscompiled(answer.output));
        }
        Ok(Verifier { directory, flags: flags.clone() })
    }

    /// Runs the verifier.
    ///
    /// # Errors
    /// When it does not come to an end.
    pub fn run(&self) -> Result<SpinReport, Refusal> {
        self.run_with(&[])
    }

    /// Runs the verifier with more options: `-f` for weak fairness.
    ///
    /// # Errors
    /// When it does not come to an end.
    pub fn run_with(&self, more: &[&str]) -> Result<SpinReport, Refusal> {
        let Flags { seconds, depth, verifier, search, .. } = &self.flags;
        let mut pan = Command::new("timeout");
        pan.args([&seconds.to_string(), "./pan", "-w18", &format!("-m{depth}")]);
        pan.args(search.options()).args(verifier).args(more);
        let answer = self.directory.run(&mut pan)?;
        match answer.code {
            Some(124) => Err(Refusal::TimedOut),
            Some(0) => SpinReport::parse(&answer.output).ok_or(Refusal::NotStarted(answer.output)),
            Some(1) => Err(Refusal::NotStarted(answer.output)),
            _ => Err(Refusal::Crashed(answer.output)),
        }
    }

    /// The trail that the last run wrote for an error, if it did.
    #[must_use]
    pub fn trail(&self) -> Option<String> {
        let is_trail = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "trail");
        let mut files = self.directory.0.read_dir().ok()?.flatten().map(|entry| entry.path());
        std::fs::read_to_string(files.find(is_trail)?).ok()
    }

    /// The automata as the verifier lists them.
    ///
    /// # Errors
    /// When it does not start.
    pub fn automata(&self) -> Result<Vec<SpinAutomaton>, Refusal> {
        let answer = self.directory.run(Command::new("./pan").arg("-d"))?;
        if answer.success { Ok(automata::parse(&answer.output)) } else { Err(Refusal::NotStarted(answer.output)) }
    }
}

/// A directory of our own that is removed at the end.
#[derive(Debug)]
struct Directory(PathBuf);

struct Answer {
    success: bool,
    code: Option<i32>,
    output: String,
}

impl Directory {
    fn create() -> Result<Directory, Refusal> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("isospin-oracle-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(unavailable)?;
        Ok(Directory(path))
    }

    fn run(&self, command: &mut Command) -> Result<Answer, Refusal> {
        let output = command.current_dir(&self.0).output().map_err(unavailable)?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok(Answer { success: output.status.success(), code: output.status.code(), output: text })
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn unavailable(error: std::io::Error) -> Refusal {
    Refusal::Unavailable(error.to_string())
}

fn has(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}
