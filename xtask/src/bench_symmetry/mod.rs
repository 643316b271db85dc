//! `cargo xtask bench symmetry`: searches modulo symmetry of families of models, next to the same searches without.
//!
//! Every count is checked: orbits against those known from elsewhere, and the number of states that the stored ones stand for
//! against that of the search without symmetry. Times are those of processors, not of the clock, so that other work on the machine
//! matters little; the figure to look at is how much longer a transition takes than without symmetry. (A
//! search that is cut off has few transitions for each state, hence not that of a state.) What comes before the first transition, such as
//! detection and code generation, is taken off: it is known from a search that ends after the first state.

mod chart;
mod growth;
mod rows;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use rows::{ROWS, Row, Unreduced};
use serde_json::Value;

/// A search of one state shows what is done before.
const FIRST: &str = "1";
/// States searched to learn how long one takes without symmetry.
const PART: &str = "1000000";
/// Shorter runs say nothing about the time of a transition.
const SHORTEST_RATED: f64 = 0.1;

/// What was measured for a configuration.
pub struct Measurement {
    row: Row,
    order: String,
    reduced: Run,
    /// How many states the stored ones stand for.
    represented: String,
    unreduced: Run,
    /// The bytes of a state without symmetry, of a search that ends after as many states.
    equal_bytes: f64,
}

/// One search.
#[derive(Clone, Debug)]
struct Run {
    complete: bool,
    states: u64,
    transitions: u64,
    /// By the clock, in all.
    seconds: f64,
    /// Of processors, in all.
    cpu: f64,
    /// Of processors, without what is done before the search.
    search_cpu: f64,
    detection: f64,
    bytes_per_state: f64,
    document: Value,
}

impl Measurement {
    /// How much longer a transition takes than without symmetry, if both searches are long enough to tell.
    fn cost_ratio(&self) -> Option<f64> {
        Some(self.reduced.seconds_per_transition()? / self.unreduced.seconds_per_transition()?)
    }
}

impl Run {
    /// Of processors, if the search is long enough to tell.
    fn seconds_per_transition(&self) -> Option<f64> {
        (self.search_cpu >= SHORTEST_RATED).then(|| self.search_cpu / self.transitions as f64)
    }
}

/// Measures all rows, or those whose family and size contain one of the words given.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (options, words): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|word| word.starts_with("--"));
    let whole = words.is_empty();
    let (mut writes, mut builds) = (whole, true);
    for option in options {
        match option.as_str() {
            "--dry" => writes = false,
            "--as-built" => builds = false,
            other => return Err(format!("unknown option {other}")),
        }
    }
    let chosen = |row: &&Row| {
        let name = format!("{} {}", row.family, row.size);
        whole || words.iter().any(|word| name.contains(word.as_str()))
    };
    if builds {
        build(&root)?;
    }
    let start = Instant::now();
    let mut measurements = Vec::new();
    println!("{}", table::heading());
    for row in ROWS.iter().filter(chosen) {
        let measurement = measure(&root, row)?;
        println!("{}", table::line(&measurement));
        measurements.push(measurement);
        // After each, so that a run that is broken off leaves what it has measured.
        if writes {
            write(&root, &measurements)?;
        }
    }
    println!("{:.0} s in all", start.elapsed().as_secs_f64());
    if whole || words.iter().any(|word| word.as_str() == "growth") {
        let growth = growth::measure(&root)?;
        if writes {
            rewrite_page(&root, |page| growth::inserted(page, &growth))?;
        }
    }
    Ok(())
}

fn write(root: &Path, measurements: &[Measurement]) -> Result<(), String> {
    let docs = root.join("docs");
    let failed = |error: std::io::Error| format!("the results cannot be written: {error}");
    std::fs::create_dir_all(docs.join("benchmarks")).map_err(failed)?;
    std::fs::write(docs.join("benchmarks/symmetry.csv"), table::csv(measurements)).map_err(failed)?;
    std::fs::write(docs.join("benchmarks/symmetry.svg"), chart::svg(measurements)).map_err(failed)?;
    rewrite_page(root, |page| table::inserted(page, measurements))
}

fn rewrite_page(root: &Path, change: impl Fn(&str) -> Result<String, String>) -> Result<(), String> {
    let page = root.join("docs/benchmarks.md");
    let text = std::fs::read_to_string(&page).map_err(|error| format!("the page cannot be read: {error}"))?;
    std::fs::write(page, change(&text)?).map_err(|error| format!("the page cannot be written: {error}"))
}

fn build(root: &Path) -> Result<(), String> {
    let status =
        Command::new("cargo").args(["build", "--release", "--quiet", "-p", "isospin"]).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the build ended with {status}")),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}

fn measure(root: &Path, row: &Row) -> Result<Measurement, String> {
    let name = format!("{} {}", row.family, row.size);
    let timed = |symmetry: &[&str], limit: &[&str]| {
        timed(root, row.family, row.defines, &[&["--workers", "2"], symmetry].concat(), limit)
    };
    let reduced = timed(&["--symmetry", "exact"], &[])?;
    if !reduced.complete {
        return Err(format!("{name}: the search modulo symmetry was not complete"));
    }
    if let Some(orbits) = row.orbits.filter(|&orbits| orbits != reduced.states) {
        return Err(format!("{name}: {} states are stored, and there are {orbits} orbits", reduced.states));
    }
    let symmetry = &reduced.document["symmetry"];
    let text = |field: &str| symmetry[field].as_str().unwrap_or_default().to_string();
    let (order, represented) = (text("order"), text("represented"));
    if symmetry["exact"] != true {
        return Err(format!("{name}: representatives are not exact"));
    }
    let unreduced = match row.unreduced {
        Unreduced::Whole => timed(&[], &[])?,
        Unreduced::Part => timed(&[], &["--max-states", PART])?,
    };
    if unreduced.complete && unreduced.states.to_string() != represented {
        return Err(format!("{name}: {represented} states are represented, and there are {}", unreduced.states));
    }
    if row.unreduced == Unreduced::Whole && !unreduced.complete {
        return Err(format!("{name}: the search without symmetry was not complete"));
    }
    // Tables have a least size, and states that are more share more: only searches of the same size can be compared.
    let limit = reduced.states.to_string();
    let equal = search(root, row.family, row.defines, &["--workers", "2", "--max-states", &limit])?;
    let equal_bytes = equal.bytes_per_state;
    Ok(Measurement { row: *row, order, reduced, represented, unreduced, equal_bytes })
}

/// A search, and what it takes without that which is done before the first transition.
fn timed(root: &Path, family: &str, defines: &[&str], options: &[&str], limit: &[&str]) -> Result<Run, String> {
    let run = search(root, family, defines, &[options, limit].concat())?;
    let before = search(root, family, defines, &[options, &["--max-states", FIRST]].concat())?;
    Ok(Run { search_cpu: (run.cpu - before.cpu).max(0.0), ..run })
}

fn search(root: &Path, family: &str, defines: &[&str], options: &[&str]) -> Result<Run, String> {
    let mut command = Command::new(program(root));
    command.args(["verify", "--json", "--safety", "--reduce", "none"]).args(options);
    for define in defines {
        command.args(["-D", define]);
    }
    command.arg(root.join("examples/families").join(family).with_extension("pml"));
    let before = processor_seconds_of_children();
    let output = command.output().map_err(|error| format!("isospin could not be started: {error}"))?;
    let cpu = processor_seconds_of_children() - before;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let document = report["results"][0].clone();
    if document["verdict"] == "violated" {
        return Err(format!("{family} {} is violated", defines.join(" ")));
    }
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let detection = number(&document["symmetry"]["detection_seconds"]);
    Ok(Run {
        complete: document["complete"] == true,
        states: document["states"].as_u64().unwrap_or_default(),
        transitions: document["transitions"].as_u64().unwrap_or_default(),
        seconds: number(&report["resources"]["seconds"]),
        cpu,
        search_cpu: cpu,
        detection,
        bytes_per_state: number(&document["store_bytes"]) / number(&document["states"]).max(1.0),
        document,
    })
}

fn program(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join("release/isospin")
}

/// What the kernel has counted for processes that have ended.
fn processor_seconds_of_children() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is a name in parentheses; of the others, the 14th and 15th after it are of children.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    (ticks(13) + ticks(14)) / TICKS_PER_SECOND
}
