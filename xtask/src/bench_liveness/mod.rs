//! `cargo xtask bench liveness`: SPIN's verifier with `-a`, and `-a -f`, and isospin on the same properties, side by side.
//!
//! For each property, without and with weak fairness: both without reductions and with one worker, which gives the rate; isospin with two workers;
//! and both as a user runs them, from text to verdict. Runs of the two programs alternate and the best of a few counts. The verdicts must be the same.

mod report;
mod subjects;

use std::path::{Path, PathBuf};
use std::process::Command;

use self::subjects::{SUBJECTS, Subject};
use crate::bench_engine::measure::{Times, field, number_before, run as run_command};
use crate::bench_engine::{Scratch, build};

/// Which infinite runs count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    None,
    Weak,
}

/// What a run found.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    times: Times,
    /// The search itself.
    search: f64,
    states: u64,
    holds: bool,
}

/// What was measured of one property.
pub struct Measured {
    name: String,
    fairness: Fairness,
    processes: u64,
    /// Nothing if it took too long.
    spin: Option<Run>,
    ours: Run,
    two: Run,
    spin_whole: Option<Run>,
    ours_whole: Run,
}

/// SPIN's verifier refuses fairness together with partial order if there are rendezvous channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Make {
    Full,
    Default,
}

/// With fairness SPIN's verifier has room for so many processes: 14, claim included. With less, some of the models do not fit.
const MOST_PROCESSES: &str = "-DNFAIR=4";

/// SPIN's searches are ended after so many seconds.
const LONGEST: &str = "60";

/// Measures, prints, saves. Fails if verdicts differ.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut runs, mut save, mut binary, mut wanted) = (3, false, None, Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--runs" => {
                let count = rest.next().and_then(|count| count.parse::<u32>().ok()).filter(|&count| count > 0);
                runs = count.ok_or("--runs takes a number")?;
            }
            "--quick" => runs = 1,
            "--save" => save = true,
            "--binary" => {
                let path = rest.next().ok_or("--binary takes a path")?;
                binary = Some(Path::new(path).canonicalize().map_err(|error| format!("{path}: {error}"))?);
            }
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            name => wanted.push(name.to_string()),
        }
    }
    let binary: PathBuf = binary.map_or_else(build, Ok)?;
    println!("{}", report::HEADING);
    let mut all = Vec::new();
    for subject in SUBJECTS {
        if !wanted.is_empty() && !wanted.iter().any(|word| subject.name().contains(word)) {
            continue;
        }
        for fairness in [Fairness::None, Fairness::Weak] {
            let measured = measure(subject, fairness, &binary, runs);
            let measured = measured.map_err(|why| format!("{} {fairness:?}: {why}", subject.name()))?;
            println!("{}", report::line(&measured));
            all.push(measured);
        }
    }
    print!("{}", report::means(&all));
    if save {
        report::save(&all, &Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks"))?;
    }
    Ok(())
}

fn measure(subject: &Subject, fairness: Fairness, binary: &Path, runs: u32) -> Result<Measured, String> {
    let directory = Scratch::new()?;
    let model = subject.model.write(&directory.0)?;
    let name = subject.property;
    let full = ["--reduce", "none", "--workers", "1"];
    let two_workers = ["--reduce", "none", "--workers", "2"];
    let pan = Pan::new(&model, Make::Full)?;
    let mut spin = pan.run(subject, fairness)?;
    let mut ours = isospin(binary, &model, name, fairness, &full)?;
    let mut two = isospin(binary, &model, name, fairness, &two_workers)?;
    let mut spin_whole = whole(&model, subject, fairness)?;
    let mut ours_whole = isospin(binary, &model, name, fairness, &[])?;
    for other in [Some(two), spin, spin_whole, Some(ours_whole)].into_iter().flatten() {
        if other.holds != ours.holds {
            return Err(format!("verdicts differ: {ours:?}, {other:?}"));
        }
    }
    let quicker = |one: Run, other: Run| if other.search < one.search { other } else { one };
    let sooner = |one: Run, other: Run| if other.times.wall < one.times.wall { other } else { one };
    for _ in 1..runs {
        if let Some(known) = spin {
            spin = Some(pan.run(subject, fairness)?.map_or(known, |again| quicker(known, again)));
        }
        ours = quicker(ours, isospin(binary, &model, name, fairness, &full)?);
        two = quicker(two, isospin(binary, &model, name, fairness, &two_workers)?);
        if let Some(known) = spin_whole {
            spin_whole = Some(whole(&model, subject, fairness)?.map_or(known, |again| sooner(known, again)));
        }
        ours_whole = sooner(ours_whole, isospin(binary, &model, name, fairness, &[])?);
    }
    Ok(Measured {
        name: subject.name(),
        fairness,
        processes: subject.processes,
        spin,
        ours,
        two,
        spin_whole,
        ours_whole,
    })
}

/// SPIN as a user runs it: three commands, with partial order where SPIN allows that.
fn whole(model: &Path, subject: &Subject, fairness: Fairness) -> Result<Option<Run>, String> {
    let attempt = |make| -> Result<Option<Run>, String> {
        let pan = Pan::new(model, make)?;
        let run = pan.run(subject, fairness)?;
        Ok(run.map(|run| {
            let times = Times { wall: pan.times.wall + run.times.wall, user: pan.times.user + run.times.user };
            Run { times, ..run }
        }))
    };
    attempt(Make::Default).or_else(|refusal| match fairness {
        Fairness::Weak => attempt(Make::Full),
        Fairness::None => Err(refusal),
    })
}

/// A verifier that SPIN and the C compiler have made.
struct Pan {
    directory: PathBuf,
    times: Times,
}

impl Pan {
    fn new(model: &Path, make: Make) -> Result<Pan, String> {
        let beside = model.parent().ok_or("a model without a directory")?;
        let directory = beside.join(if make == Make::Full { "full" } else { "default" });
        std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
        for entry in beside.read_dir().map_err(|error| error.to_string())?.flatten() {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), directory.join(entry.file_name())).map_err(|error| error.to_string())?;
            }
        }
        let file = model.file_name().unwrap_or_default();
        let mut spin = Command::new("spin");
        spin.args(if make == Make::Full { &["-o1", "-o2", "-o3", "-a"][..] } else { &["-a"] });
        let (_, spin) = run_command(spin.arg(file).current_dir(&directory))?;
        let mut compiler = Command::new("cc");
        compiler.args(["-O2", "-w", MOST_PROCESSES, "-DVECTORSZ=2048", "-DMEMLIM=12000"]);
        compiler.args(if make == Make::Full { &["-DNOREDUCE"][..] } else { &[] });
        let (_, cc) = run_command(compiler.args(["-o", "pan", "pan.c"]).current_dir(&directory))?;
        Ok(Pan { directory, times: Times { wall: spin.wall + cc.wall, user: spin.user + cc.user } })
    }

    /// What it finds; nothing if that takes too long.
    fn run(&self, subject: &Subject, fairness: Fairness) -> Result<Option<Run>, String> {
        let mut pan = Command::new("timeout");
        pan.args(["--preserve-status", "--signal=INT", LONGEST]).current_dir(&self.directory);
        pan.args(["./pan", "-a", "-n", "-m3000000"]);
        if fairness == Fairness::Weak {
            pan.arg("-f");
        }
        if subject.several {
            pan.args(["-N", subject.property]);
        }
        let (text, times) = run_command(&mut pan)?;
        if text.contains("Interrupted") {
            return Ok(None);
        }
        if text.contains("max search depth too small") {
            return Err("SPIN's stack is too small for this model".into());
        }
        let errors = text.split("errors: ").nth(1).and_then(|rest| rest.lines().next()?.trim().parse::<u64>().ok());
        let errors = errors.ok_or_else(|| format!("no verdict in\n{text}"))?;
        let states = number_before(&text, "states, stored").ok_or_else(|| format!("no states in\n{text}"))?;
        let elapsed = text.split("elapsed time ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        // Short runs have no such line; their time is that of the command.
        let search = elapsed.filter(|&seconds: &f64| seconds > 0.05).unwrap_or(times.wall);
        Ok(Some(Run { times, search, states: states as u64, holds: errors == 0 }))
    }
}

fn isospin(binary: &Path, model: &Path, property: &str, fairness: Fairness, options: &[&str]) -> Result<Run, String> {
    let mut command = Command::new(binary);
    command.arg("verify").arg(model).args(["--json", "--property", property]).args(options);
    if fairness == Fairness::Weak {
        command.args(["--fairness", "weak"]);
    }
    command.current_dir(model.parent().ok_or("a model without a directory")?);
    let (text, times) = run_command(&mut command)?;
    let result = text.split("\"results\"").nth(1).ok_or_else(|| format!("no results in\n{text}"))?;
    let number = |name: &str| field(result, name).ok_or_else(|| format!("no {name} in\n{text}"));
    let holds = result.contains("\"verdict\": \"holds\"");
    if !holds && !result.contains("\"verdict\": \"violated\"") {
        return Err(format!("no verdict in\n{text}"));
    }
    // What `cc` takes is not in the time that pan reports either.
    let search = number("seconds")? - number("code_seconds")?;
    Ok(Run { times, search, states: number("states")? as u64, holds })
}
