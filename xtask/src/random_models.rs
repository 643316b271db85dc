//! `cargo xtask random-models`: random models through SPIN and through isospin; what differs is cut down and printed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use oracle::differential::{Agreement, check};
use oracle::generate::{self, sketch::Sketch};
use oracle::minimise::minimise;
use oracle::spin::Flags;

use crate::random_symmetric;

/// Models with more states are left alone.
const STATES: usize = 4_000;
/// How many models are tried to make one smaller.
const BUDGET: usize = 600;

/// What a command about random models is asked to do.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// So many seeds.
    pub count: u64,
    /// The first of them.
    pub seed: u64,
    /// Only print what belongs to the first seed.
    pub show: bool,
    /// Models of equal processes, with symmetry and without.
    pub symmetry: bool,
}

impl Request {
    /// Reads `--count N`, `--seed S`, `--show` and `--symmetry`.
    pub fn read(arguments: &[String]) -> Result<Request, String> {
        let mut request = Request { count: 1_000, seed: 1, show: false, symmetry: false };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut number = || {
                let value = rest.next().and_then(|value| value.parse::<u64>().ok());
                value.ok_or_else(|| format!("{argument} needs a number"))
            };
            match argument.as_str() {
                "--count" => request.count = number()?,
                "--seed" => request.seed = number()?,
                "--show" => request.show = true,
                "--symmetry" => request.symmetry = true,
                other => return Err(format!("unknown option {other}")),
            }
        }
        Ok(request)
    }
}

/// Runs `--count N` models from `--seed S` on.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let Request { count: models, seed, show, symmetry } = Request::read(arguments)?;
    if symmetry {
        if show {
            println!("{}", oracle::symmetric::model(seed));
            return Ok(());
        }
        return random_symmetric::run(models, seed);
    }
    if show {
        println!("{}", generate::model(seed));
        return Ok(());
    }
    let tally = Mutex::new(Tally::default());
    for_each_seed(seed..seed + models, |seed| one(seed, &tally));
    let tally = tally.into_inner().map_err(|_| "a worker failed".to_string())?;
    println!("{} equal ({} states), {} different", tally.equal, tally.states, tally.different);
    for (reason, count) in &tally.skipped {
        println!("{count:>6} skipped: {reason}");
    }
    if tally.different > 0 { Err(format!("{} models differ", tally.different)) } else { Ok(()) }
}

/// Does a job for each seed of a range, on all cores.
pub fn for_each_seed(seeds: Range<u64>, job: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(seeds.start);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    job(seed);
                }
            });
        }
    });
}

#[derive(Default)]
struct Tally {
    equal: u64,
    states: u64,
    different: u64,
    skipped: BTreeMap<String, u64>,
}

fn one(seed: u64, tally: &Mutex<Tally>) {
    let sketch = generate::model(seed);
    let flags = Flags { depth: 20_000, seconds: 10, ..Flags::default() };
    let agreement = check(&sketch.to_string(), &flags, STATES);
    let report = match &agreement {
        Agreement::Different(differences) => Some(explain(seed, &sketch, differences, &flags)),
        _ => None,
    };
    // A poisoned lock means that another worker failed, which ends the run anyway.
    let Ok(mut tally) = tally.lock() else { return };
    match agreement {
        Agreement::Equal { states, .. } => {
            tally.equal += 1;
            tally.states += states;
        }
        Agreement::Skipped(reason) => {
            let reason: String = reason.lines().next().unwrap_or_default().chars().take(60).collect();
            *tally.skipped.entry(reason).or_default() += 1;
        }
        Agreement::Different(_) => tally.different += 1,
    }
    if let Some(report) = report {
        println!("{report}");
    }
}

/// The smallest model with the same kind of difference.
fn explain(seed: u64, sketch: &Sketch, differences: &[String], flags: &Flags) -> String {
    let kind = kind(differences);
    let small = minimise(sketch, BUDGET, |candidate| match check(&candidate.to_string(), flags, STATES) {
        Agreement::Different(differences) => self::kind(&differences) == kind,
        Agreement::Equal { .. } | Agreement::Skipped(_) => false,
    });
    let text = small.to_string();
    let lines = match check(&text, flags, STATES) {
        Agreement::Different(lines) => lines.join("\n  "),
        other => format!("{other:?}"),
    };
    format!("---- seed {seed}\n{text}  {lines}")
}

/// A difference of figures, of automata, or of what is accepted.
fn kind(differences: &[String]) -> &str {
    let first = differences.first().map_or("", String::as_str);
    if first.starts_with("only we refuse") {
        first
    } else if first.starts_with("only SPIN refuses") {
        first.rsplit("rror").next().unwrap_or_default()
    } else if differences.iter().any(|line| line.starts_with("states:") || line.starts_with("transitions:")) {
        "figures"
    } else if first.contains(", SPIN has") && !first.contains(": state") {
        "errors"
    } else {
        "automata"
    }
}
