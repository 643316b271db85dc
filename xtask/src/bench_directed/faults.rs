//! Large models with faults: the time until a violation is found and the steps of its run, as users search, beside SPIN.
//!
//! | column | command |
//! | --- | --- |
//! | best-first | `isospin verify --search best-first --first` |
//! | dfs, bfs | `isospin verify --first`, `isospin verify --search bfs --first` |
//! | SPIN | `spin -a`, `cc -O2 -DSAFETY`, `./pan -m1000000` |
//! | SPIN -i | the same with `-DREACH` and `./pan -i`: it goes on to look for a shorter run |
//!
//! Both programs have all reductions that they have by default, and isospin all workers. The time is that of the search, not of making SPIN's verifier. A search
//! that does not end in time has the time limit as its time, and the run that was found by then, if one was.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::bench_engine::Scratch;
use crate::bench_engine::measure::run;

/// How long one search may take, in seconds.
const SECONDS: &str = "5";

/// A model with a fault: its file, its definitions, and what of its text is replaced by what.
struct Faulty {
    file: &'static str,
    defines: &'static [&'static str],
    fault: Option<(&'static str, &'static str)>,
}

const fn faulty(file: &'static str, defines: &'static [&'static str]) -> Faulty {
    Faulty { file, defines, fault: None }
}

const fn seeded(
    file: &'static str,
    defines: &'static [&'static str],
    right: &'static str,
    wrong: &'static str,
) -> Faulty {
    Faulty { file, defines, fault: Some((right, wrong)) }
}

/// The models of directed search in larger sizes, and families with a fault each.
const MODELS: &[Faulty] = &[
    faulty("directed/broker.pml", &["USERS=6"]),
    faulty("directed/call.pml", &["N=4"]),
    faulty("directed/elevator.pml", &["FLOORS=6"]),
    faulty("directed/lynch.pml", &["MAX=12"]),
    faulty("directed/marriage.pml", &["N=6"]),
    faulty("directed/mutex.pml", &["N=7"]),
    faulty("directed/philosophers.pml", &["N=16"]),
    faulty("directed/philosophers.pml", &["N=60"]),
    faulty("directed/pots.pml", &["N=6"]),
    faulty("directed/registration.pml", &["N=6"]),
    faulty("directed/snoopy.pml", &["N=6"]),
    faulty("directed/telegraph.pml", &["N=12"]),
    seeded("families/peterson.pml", &["N=5"], "round[p] < k", "round[p] <= k"),
    seeded("families/peterson.pml", &["N=6"], "last[k] = _pid;", "skip;"),
    seeded(
        "families/load_balancer.pml",
        &["N=6"],
        "balancer!request, own;",
        "balancer!request, own; balancer!request, own;",
    ),
    seeded("families/ring.pml", &["N=8"], "!started ->", "true ->"),
    seeded(
        "families/resource_allocator.pml",
        &["N=9", "A=3", "B=3"],
        "own!finished",
        "if :: own!finished :: resource_user = 0 fi",
    ),
    faulty("families/philosophers.pml", &["N=16", "EITHER=1"]),
];

/// What a search came to.
struct Timed {
    seconds: f64,
    steps: Option<u64>,
}

impl Timed {
    fn cell(&self) -> String {
        match self.steps {
            Some(steps) => format!("{:.2} s / {steps}", self.seconds),
            None => format!("{:.2} s / -", self.seconds),
        }
    }
}

/// Measures and prints a table.
pub fn bench(binary: &Path, wanted: &[String]) -> Result<(), String> {
    println!("| model | fault | best-first | dfs | bfs | SPIN | SPIN -i |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let (mut faster, mut ratios, mut count) = ([0; 4], Vec::new(), 0);
    for model in MODELS {
        let name = format!("{} {}", model.file, model.defines.join(" "));
        if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part)) {
            continue;
        }
        let row = measure(binary, model).map_err(|why| format!("{name}: {why}"))?;
        let cells: Vec<String> = row.iter().map(Timed::cell).collect();
        println!("| {name} | {} | {} |", model.fault(), cells.join(" | "));
        count += 1;
        for (faster, other) in faster.iter_mut().zip(&row[1..]) {
            *faster += u32::from(row[0].steps.is_some() && (row[0].seconds < other.seconds || other.steps.is_none()));
        }
        ratios.extend(row[0].steps.zip(row[1].steps).map(|(best, deep)| best as f64 / deep as f64));
    }
    ratios.sort_by(f64::total_cmp);
    let [dfs, bfs, spin, shortest] = faster;
    println!(
        "\nof {count} models, best-first is faster than dfs in {dfs}, bfs in {bfs}, SPIN in {spin}, SPIN -i in {shortest}"
    );
    if let Some(median) = ratios.get(ratios.len() / 2) {
        println!("its runs have {median:.2} times the steps of those of dfs, in the median of {}", ratios.len());
    }
    Ok(())
}

impl Faulty {
    /// The fault in words of the text.
    fn fault(&self) -> String {
        match self.fault {
            Some((right, wrong)) => format!("`{right}` is `{wrong}`"),
            _ => "its own".to_string(),
        }
    }

    /// Writes the model with its fault to a directory.
    fn write(&self, directory: &Path) -> Result<PathBuf, String> {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let read =
            |path: PathBuf| std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()));
        let text = read(examples.join(self.file))?;
        let text = match self.fault {
            Some((right, _)) if !text.contains(right) => return Err(format!("there is no {right} in it")),
            Some((right, wrong)) => text.replacen(right, wrong, 1),
            None => text,
        };
        let path = directory.join("model.pml");
        let included = read(examples.join("families/each.h"))?;
        let written = std::fs::write(&path, text).and_then(|()| std::fs::write(directory.join("each.h"), included));
        written.map_err(|error| error.to_string())?;
        Ok(path)
    }
}

fn measure(binary: &Path, model: &Faulty) -> Result<Vec<Timed>, String> {
    let scratch = Scratch::new()?;
    let path = model.write(&scratch.0)?;
    let mut row = Vec::new();
    for search in ["best-first", "dfs", "bfs"] {
        row.push(ours(binary, &path, model, search)?);
    }
    row.push(spin(&scratch.0, model, &[], &[])?);
    row.push(spin(&scratch.0, model, &["-DREACH"], &["-i"])?);
    Ok(row)
}

fn ours(binary: &Path, path: &Path, model: &Faulty, search: &str) -> Result<Timed, String> {
    let mut command = Command::new(binary);
    command.args(["verify", "--safety", "--json", "--first", "--confirm", "off", "--search", search]);
    command.args(["--max-time", SECONDS, "--max-memory", "3G", "--trace"]).arg(path.with_extension("trace.json"));
    model.defines.iter().for_each(|define| {
        command.args(["-D", define]);
    });
    let (text, times) = run(command.arg(path))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    Ok(Timed { seconds: times.wall, steps: document["results"][0]["violation"]["length"].as_u64() })
}

fn spin(directory: &Path, model: &Faulty, make: &[&str], verifier: &[&str]) -> Result<Timed, String> {
    let defines = model.defines.iter().map(|define| format!("-D{define}"));
    run(Command::new("spin").args(defines).args(["-a", "model.pml"]).current_dir(directory))?;
    let compile = ["-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=3000"];
    run(Command::new("cc").args(compile).args(make).args(["-o", "pan", "pan.c"]).current_dir(directory))?;
    // It tells what it has found when it is interrupted.
    let mut pan = Command::new("timeout");
    pan.args(["--preserve-status", "-s", "INT", SECONDS, "./pan", "-m1000000"]).args(verifier).current_dir(directory);
    let (text, times) = run(&mut pan)?;
    let depths = text.split("(at depth ").skip(1).filter_map(|rest| rest.split(')').next()?.parse::<u64>().ok());
    Ok(Timed { seconds: times.wall, steps: depths.min().map(|depth| depth + 1) })
}
