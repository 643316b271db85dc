//! `cargo xtask bench workers`: how many states several workers keep, with all reductions, where one worker keeps so many.
//!
//! What partial order leaves out depends on what workers know of each other. All examples and families are searched for safety as a user does it, and without
//! symmetry, which leaves more to partial order, in a few sizes each. Searches that one worker does not end in time are left out. The
//! command fails where several workers keep more than 1.2 times the states of one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench_engine::measure::{field, run};
use crate::bench_engine::{Asked, Scratch};

/// Several workers may keep so many times the states of one.
const MOST: f64 = 1.2;
/// Numbers of workers.
const WORKERS: [u32; 3] = [1, 2, 4];
/// Values of `N` that are tried beside that of the model.
const SIZES: [u32; 4] = [4, 5, 6, 8];
/// Smaller searches are not shown: they end before a second worker begins.
const LEAST_STATES: f64 = 1000.0;
/// How long one search may take.
const TIME: &str = "20s";

/// A model in one size, in one manner.
struct Subject {
    model: PathBuf,
    options: Vec<String>,
}

/// What a search came to.
struct Searched {
    states: f64,
    user: f64,
}

/// Measures and prints a table. Fails if several workers keep too many states.
pub fn bench(arguments: &[String]) -> Result<(), String> {
    let Asked { wanted, binary, .. } = Asked::parse(arguments, &[])?;
    let scratch = Scratch::new()?;
    let (mut searches, mut greatest, mut excessive) = (0, 0.0_f64, Vec::new());
    println!("| search | states, 1 worker | 2 workers | 4 workers | user s, 1 | 2 | 4 |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for subject in subjects(&wanted)? {
        let Some(row) = measure(&binary, &subject, &scratch.0)? else { continue };
        println!("| {} |{} |", subject.name(), cells(&row));
        searches += 1;
        let factor = row.iter().map(|each| each.states / row[0].states).fold(1.0, f64::max);
        greatest = greatest.max(factor);
        if factor > MOST {
            excessive.push(subject.name());
        }
    }
    println!("\n{searches} searches; at most {greatest:.3} times the states of one worker");
    if excessive.is_empty() { Ok(()) } else { Err(format!("too many states: {}", excessive.join("; "))) }
}

fn cells(row: &[Searched]) -> String {
    let states: String = row.iter().map(|each| format!(" {} |", each.states)).collect();
    let times: Vec<String> = row.iter().map(|each| format!(" {:.2}", each.user)).collect();
    format!("{states}{}", times.join(" |"))
}

/// The same search with each number of workers; nothing if it is small, or takes too long.
fn measure(binary: &Path, subject: &Subject, directory: &Path) -> Result<Option<Vec<Searched>>, String> {
    let mut row = Vec::new();
    for workers in WORKERS {
        let Some(searched) = search(binary, subject, workers, directory)? else { return Ok(None) };
        if searched.states < LEAST_STATES {
            return Ok(None);
        }
        row.push(searched);
    }
    Ok(Some(row))
}

fn search(binary: &Path, subject: &Subject, workers: u32, directory: &Path) -> Result<Option<Searched>, String> {
    let mut command = Command::new(binary);
    command.args(["verify", "--safety", "--json", "--confirm", "off", "--all-errors", "--max-time", TIME, "--workers"]);
    command.arg(workers.to_string()).args(&subject.options).arg(&subject.model).current_dir(directory);
    let (text, times) = run(&mut command)?;
    // A model may not exist in every size.
    let Some(result) = text.split("\"results\"").nth(1) else { return Ok(None) };
    if result.contains("\"verdict\": \"unknown\"") {
        return Ok(None);
    }
    let states = field(result, "states").ok_or_else(|| format!("no states in\n{text}"))?;
    Ok(Some(Searched { states, user: times.user }))
}

fn subjects(wanted: &[String]) -> Result<Vec<Subject>, String> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut subjects = Vec::new();
    for directory in [examples.clone(), examples.join("families")] {
        let entries = std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        let mut models: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        models.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
        models.sort();
        for model in models {
            let text = std::fs::read_to_string(&model).map_err(|error| error.to_string())?;
            let has_size = text.lines().any(|line| line.trim() == "#ifndef N");
            let sizes = std::iter::once(None).chain(SIZES.into_iter().filter(|_| has_size).map(Some));
            for size in sizes {
                let define = size.map(|size| ["-D".to_string(), format!("N={size}")]).into_iter().flatten();
                let define: Vec<String> = define.collect();
                let without_symmetry = ["--symmetry".to_string(), "off".to_string()];
                let options = [define.clone(), [define, without_symmetry.to_vec()].concat()];
                subjects.extend(options.map(|options| Subject { model: model.clone(), options }));
            }
        }
    }
    subjects.retain(|subject| wanted.is_empty() || wanted.iter().any(|name| subject.name().contains(name)));
    Ok(subjects)
}

impl Subject {
    fn name(&self) -> String {
        let place: Vec<_> = self.model.iter().rev().take(2).collect();
        let directory = place.get(1).filter(|name| **name == "families").map_or("", |_| "families/");
        let file = self.model.file_stem().unwrap_or_default().to_string_lossy();
        format!("{directory}{file} {}", self.options.join(" ")).trim().to_string()
    }
}
