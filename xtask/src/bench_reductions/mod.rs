//! `cargo xtask bench reductions`: what each reduction saves and costs, alone and with the others, beside SPIN's.
//!
//! The models of `examples/bench` are searched for safety, all errors, by one worker: without reductions, with each alone, with all of them insisted on, and
//! by default, where one that does not pay is switched off; with SPIN's verifier without reductions and with its own. Runs
//! alternate, and the least user time of a few counts. The states without reductions are on record and must be found by both programs.

mod models;
mod table;

use std::path::{Path, PathBuf};

use crate::bench_engine::measure::{Make, Pan, Run, isospin};
use crate::bench_engine::models::Class;
use crate::bench_engine::{Scratch, build};
use models::{Recorded, SUBJECTS};

/// A way to search.
pub struct Manner {
    /// As the table calls it.
    pub name: &'static str,
    options: &'static [&'static str],
}

/// All of them, that without reductions first and the default with symmetry last.
pub const MANNERS: [Manner; 7] = [
    Manner { name: "none", options: &["--reduce", "none"] },
    Manner { name: "dead", options: &["--por", "off", "--merge", "off", "--dead", "on", "--symmetry", "off"] },
    Manner { name: "por", options: &["--por", "on", "--merge", "off", "--dead", "off", "--symmetry", "off"] },
    Manner { name: "merge", options: &["--por", "off", "--merge", "on", "--dead", "off", "--symmetry", "off"] },
    Manner { name: "all", options: &["--por", "on", "--merge", "on", "--dead", "on", "--symmetry", "off"] },
    Manner { name: "default", options: &["--symmetry", "off"] },
    Manner { name: "symmetry", options: &[] },
];

/// The searches that the default is compared with, and the default, by their places in the list.
const NONE: usize = 0;
const ALL: usize = 4;
const DEFAULT: usize = 5;

/// The default may take so many times the user time of the better of "none" and "all".
const MOST: f64 = 1.2;

/// What was measured of one model.
pub struct Measured {
    name: String,
    /// In the order of the manners.
    ours: Vec<Run>,
    /// Without its reductions, and with them; `None` if it does not come to an end.
    spin: Option<(Run, Run)>,
}

impl Measured {
    /// The user time of the default over the better of "none" and "all".
    fn excess(&self) -> f64 {
        let user = |manner: usize| self.ours[manner].times.user;
        user(DEFAULT) / user(NONE).min(user(ALL)).max(0.01)
    }
}

struct Settings {
    runs: u32,
    most: Class,
    least: Class,
    wanted: Vec<String>,
    save: bool,
    spin: bool,
    binary: Option<PathBuf>,
}

/// Measures and prints a table. Fails if a count is another than the one on record.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    let binary = settings.binary.clone().map_or_else(build, Ok)?;
    let mut all = Vec::new();
    println!("{}", table::heading());
    for subject in SUBJECTS.iter().filter(|subject| settings.wants(subject)) {
        let measured = measure(subject, &binary, &settings).map_err(|why| format!("{}: {why}", subject.name()))?;
        println!("{}", table::line(&measured));
        all.push(measured);
    }
    print!("{}", table::summary(&all, MOST));
    if settings.save {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks/reductions.md");
        std::fs::write(&file, table::page(&all, settings.runs, MOST)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Settings, String> {
        let (most, least) = (Class::Normal, Class::Normal);
        let wanted = Vec::new();
        let mut settings = Settings { runs: 2, most, least, wanted, save: false, spin: true, binary: None };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--runs" => {
                    let count = rest.next().and_then(|count| count.parse().ok()).filter(|&count| count > 0);
                    settings.runs = count.ok_or("--runs takes a number")?;
                }
                "--quick" => (settings.runs, settings.most, settings.least) = (1, Class::Quick, Class::Quick),
                "--full" => settings.most = Class::Full,
                "--save" => settings.save = true,
                "--no-spin" => settings.spin = false,
                "--binary" => {
                    let path = rest.next().ok_or("--binary takes a path")?;
                    let path = Path::new(path).canonicalize().map_err(|error| format!("{path}: {error}"))?;
                    settings.binary = Some(path);
                }
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                name => settings.wanted.push(name.to_string()),
            }
        }
        Ok(settings)
    }

    fn wants(&self, recorded: &Recorded) -> bool {
        let named = self.wanted.is_empty() || self.wanted.iter().any(|name| recorded.name().contains(name));
        named && (self.least..=self.most).contains(&recorded.subject.class)
    }
}

fn measure(recorded: &Recorded, binary: &Path, settings: &Settings) -> Result<Measured, String> {
    let directory = Scratch::new()?;
    let model = recorded.subject.write(&directory.0)?;
    let verifiers = match settings.spin {
        true => Some((Pan::new(&model, Make::Exact)?, Pan::new(&model, Make::AllErrors)?)),
        false => None,
    };
    let mut ours: Vec<Run> = Vec::new();
    let mut spin: Option<(Run, Run)> = None;
    for round in 0..settings.runs {
        for (number, manner) in MANNERS.iter().enumerate() {
            let options = [&["--all-errors", "--no-exclusive", "--workers", "1"], manner.options].concat();
            let run = isospin(binary, &model, &options)?;
            match round {
                0 => ours.push(run),
                _ => ours[number] = less_user(ours[number], run),
            }
        }
        let Some((exact, reduced)) = &verifiers else { continue };
        // A verifier whose stack is too small for the model has no figures.
        let (Ok(exact), Ok(reduced)) = (exact.run(), reduced.run()) else { continue };
        spin = Some(spin.map_or((exact, reduced), |(a, b)| (less_user(a, exact), less_user(b, reduced))));
    }
    let found = ours[NONE].states;
    if found != recorded.states {
        return Err(format!("{found} states without reductions, {} on record", recorded.states));
    }
    match &spin {
        Some((exact, _)) if exact.states != found => Err(format!("{found} states, but SPIN has {}", exact.states)),
        _ => Ok(Measured { name: recorded.name(), ours, spin }),
    }
}

/// The run that took less of a processor.
fn less_user(one: Run, other: Run) -> Run {
    if other.times.user < one.times.user { other } else { one }
}
