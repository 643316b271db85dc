//! `cargo xtask bench directed`: states expanded and lengths of runs, breadth first, depth first and by estimates.
//!
//! The models of `examples/directed` are searched without reductions, as the literature did it, and once with all of them. The last line is the
//! geometric mean of what best-first search expands of what breadth-first search does. With `--faults` large models with faults are searched as users do it:
//! see [`faults`].

mod faults;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::bench_engine::measure::run;
use crate::bench_engine::{Asked, Scratch};

/// How long one search may take.
const TIME: &str = "60s";

/// A way to search: its name, its options, and those for assertions in the place of `%`.
const MANNERS: [(&str, &[&str]); 6] = [
    ("bfs", &["--reduce", "none", "--search", "bfs"]),
    ("dfs", &["--reduce", "none", "--search", "dfs"]),
    ("A*, bound", &["--reduce", "none", "--search", "astar"]),
    ("A*, active or assertions", &["--reduce", "none", "--search", "astar", "--heuristic", "%"]),
    ("best-first", &["--reduce", "none", "--search", "best-first"]),
    ("best-first, reduced", &["--search", "best-first"]),
];

/// What a search came to.
struct Searched {
    expanded: u64,
    /// Steps of the run, if one was found.
    length: Option<u64>,
    kind: String,
}

/// Measures and prints a table.
pub fn bench(arguments: &[String]) -> Result<(), String> {
    let Asked { wanted, binary, flags } = Asked::parse(arguments, &["--faults"])?;
    if !flags.is_empty() {
        return faults::bench(&binary, &wanted);
    }
    let scratch = Scratch::new()?;
    let names: Vec<&str> = MANNERS.iter().map(|(name, _)| *name).collect();
    println!("| model | violation | {} |", names.join(" | "));
    println!("| --- | --- |{}", " ---: |".repeat(MANNERS.len()));
    let mut ratios = Vec::new();
    for model in models(&wanted)? {
        let row = measure(&binary, &model, &scratch.0)?;
        let name = model.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let cells: Vec<String> = row.iter().map(Searched::cell).collect();
        println!("| {name} | {} | {} |", row[0].kind, cells.join(" | "));
        ratios.push(row[4].expanded.max(1) as f64 / row[0].expanded.max(1) as f64);
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!(
        "\nbest-first expands {mean:.3} of what breadth-first expands, in the geometric mean of {} models",
        ratios.len()
    );
    Ok(())
}

fn measure(binary: &Path, model: &Path, directory: &Path) -> Result<Vec<Searched>, String> {
    let mut row: Vec<Searched> = Vec::new();
    for (_, options) in MANNERS {
        // What fits the violation that breadth-first search has found.
        let estimate = if row.first().is_some_and(|first| first.kind == "assertion") { "assertions" } else { "active" };
        let options = options.iter().map(|&option| if option == "%" { estimate } else { option });
        row.push(search(binary, model, &options.collect::<Vec<_>>(), directory)?);
    }
    Ok(row)
}

fn search(binary: &Path, model: &Path, options: &[&str], directory: &Path) -> Result<Searched, String> {
    let mut command = Command::new(binary);
    command.args(["verify", "--safety", "--json", "--confirm", "off", "--first", "--workers", "1", "--max-time", TIME]);
    command.args(options).arg(model).current_dir(directory);
    command.arg("--trace").arg(directory.join("run.trace.json"));
    let (text, _) = run(&mut command)?;
    let document: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    let result = &document["results"][0];
    let expanded = result["search"]["expanded"].as_u64().ok_or_else(|| format!("no count in\n{text}"))?;
    let kind = result["violation"]["kind"].as_str().unwrap_or("-").to_string();
    Ok(Searched { expanded, length: result["violation"]["length"].as_u64(), kind })
}

fn models(wanted: &[String]) -> Result<Vec<PathBuf>, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/directed");
    let entries = std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut models: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let is_wanted =
        |path: &PathBuf| wanted.is_empty() || wanted.iter().any(|name| path.to_string_lossy().contains(name));
    models.retain(|path| path.extension().is_some_and(|extension| extension == "pml") && is_wanted(path));
    models.sort();
    Ok(models)
}

impl Searched {
    /// States expanded and the length of the run.
    fn cell(&self) -> String {
        match self.length {
            Some(length) => format!("{} / {length}", self.expanded),
            None => format!("{} / -", self.expanded),
        }
    }
}
