//! Feeds mutated models to the front end: `fuzz [--count N] [--first SEED] [--jobs N]`, best as `cargo xtask fuzz-frontend`.
//!
//! Input number `n` is always the same text: a model of the corpus (SPIN's examples, where installed, and the cases of this
//! crate's tests) with edits drawn from a generator seeded with `n`. Ranges of inputs run in processes of their own, so that
//! a stack overflow, a hang or a runaway allocation ends one of them and not the search; the range is then run again input
//! by input to find the culprit, whose text is left in a file.
//!
//! What must hold for every text: no panic and an answer in time; a model comes out if and only if there is no error; an
//! accepted text is accepted again when printed; what was formatted is not changed by formatting.

#[path = "fuzz/mutate.rs"]
mod mutate;

use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use promela::diagnostic::Diagnostic;
use promela::format::format;
use promela::print::print;
use promela::render::{Colour, Style, render};
use promela::{Options, load_text};

use mutate::Corpus;

/// Inputs for one process.
const RANGE: u64 = 2_000;
/// A thread's stack, as Rust makes it by default.
const STACK: usize = 2 << 20;
/// What one input may take; typical ones take a millisecond.
const PATIENCE: Duration = Duration::from_secs(20);
/// What a process may allocate, in KiB.
const MEMORY: u64 = 4 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)).and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (number("--first", 0), number("--count", 1_000_000));
    match arguments.first().map(String::as_str) {
        Some("show") => {
            print!("{}", Corpus::load().input(first));
            ExitCode::SUCCESS
        }
        Some("work") => work(first, count),
        _ => {
            let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
            search(first, count, number("--jobs", cores).max(1))
        }
    }
}

/// Runs all inputs in processes, and reports.
fn search(first: u64, count: u64, jobs: u64) -> ExitCode {
    let start = Instant::now();
    let next = AtomicU64::new(first);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(RANGE, Ordering::Relaxed);
                    if at >= first + count {
                        return;
                    }
                    let culprits = culprits(at, RANGE.min(first + count - at));
                    failures.lock().unwrap_or_else(PoisonError::into_inner).extend(culprits);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{count} inputs in {:.0} s, {} failures", start.elapsed().as_secs_f64(), failures.len());
    for (seed, why) in &failures {
        let path = std::env::temp_dir().join(format!("isospin-fuzz-{seed}.pml"));
        // The text can be had again with `show`, so a full disk loses nothing.
        let _ = std::fs::write(&path, Corpus::load().input(*seed));
        println!("input {seed} ({}): {why}", path.display());
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The inputs of a range that fail, found by halving.
fn culprits(first: u64, count: u64) -> Vec<(u64, String)> {
    let Err(why) = process(first, count) else { return Vec::new() };
    if count == 1 {
        return vec![(first, why)];
    }
    let half = count / 2;
    let mut found = culprits(first, half);
    found.extend(culprits(first + half, count - half));
    found
}

/// Runs a range in a process of its own, with bounded memory where there is a shell to bound it.
fn process(first: u64, count: u64) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let (first, count) = (first.to_string(), count.to_string());
    let mut command = if Path::new("/bin/sh").exists() {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
        shell
    } else {
        Command::new(program)
    };
    let command = command.args(["work", "--first", &first, "--count", &count]).stdin(Stdio::null());
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}: {}", output.status, said.lines().take(3).collect::<Vec<_>>().join(" ")))
}

/// Runs a range in this process; an input that takes too long ends it.
fn work(first: u64, count: u64) -> ExitCode {
    let corpus = Corpus::load();
    let done = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || {
            for seed in first..first + count {
                check(&corpus.input(seed));
                done.fetch_add(1, Ordering::Relaxed);
            }
        });
        let worker = worker.expect("a thread can be started");
        let (mut seen, mut since) = (0, Instant::now());
        while !worker.is_finished() {
            std::thread::sleep(Duration::from_millis(2));
            let now = done.load(Ordering::Relaxed);
            if now != seen {
                (seen, since) = (now, Instant::now());
            } else if since.elapsed() > PATIENCE {
                let _ = writeln!(std::io::stderr(), "no answer after {} s", PATIENCE.as_secs());
                std::process::exit(1);
            }
        }
        if worker.join().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    })
}

/// What must hold for every text.
fn check(text: &str) {
    let loaded = load_text("fuzzed.pml", text, &Options::default());
    let refused = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.model.is_none(), refused, "a model comes out if and only if there is no error");
    let style = Style { colour: Colour::Never, width: 100 };
    for diagnostic in loaded.diagnostics.iter().take(5) {
        assert!(!render(diagnostic, &loaded.sources, style).is_empty());
    }
    let printed = print(&loaded.ast);
    if !refused {
        let again = load_text("printed.pml", &printed, &Options::default());
        let errors: Vec<&str> =
            again.diagnostics.iter().filter(|each| each.is_error()).map(|each| &*each.message).collect();
        assert!(errors.is_empty(), "printed, it is refused: {errors:?}");
    }
    if let Ok(formatted) = format(text) {
        let again = format(&formatted).map_err(|error| error.to_string());
        assert_eq!(again.as_ref(), Ok(&formatted), "what was formatted is changed by formatting");
    }
}
