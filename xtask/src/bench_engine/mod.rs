//! `cargo xtask bench engine`: SPIN's compiled verifier and isospin on the same models, side by side.
//!
//! For each model: the plain search of both (their counts must be equal), isospin's without compression and with two workers, SPIN's with compressed
//! states, and both as a user runs them. Runs of the two programs alternate and the best of a few counts, so that a
//! disturbance of the machine hits both or none. What is compared are ratios from one session, never figures of two.

pub mod measure;
pub mod models;
pub mod report;

use std::path::{Path, PathBuf};
use std::process::Command;

use measure::{Make, Pan, Run, Times, isospin};
use models::{Class, SUBJECTS, Subject};

/// Everything up to the first state, with all reductions, and nothing behind it.
const FIRST_STATE: [&str; 2] = ["--max-states", "1"];

/// What was measured of one model.
pub struct Measured {
    name: String,
    /// Plain search, one worker.
    spin: Run,
    ours: Run,
    /// The same without compression, as SPIN's is.
    uncompressed: Run,
    /// Plain search, two workers.
    two: Run,
    /// Two plain searches of one worker at the same time, the longer one.
    copies: Run,
    /// SPIN's bytes for a state, compressed; `None` if it does not tell.
    collapse: Option<f64>,
    /// As a user runs it: SPIN with the time to make the verifier.
    spin_whole: Run,
    ours_whole: Run,
    /// The same until the first state is stored.
    first: Run,
    /// Partial order without symmetry, all errors.
    spin_partial: Run,
    ours_partial: Run,
}

struct Settings {
    runs: u32,
    most: Class,
    wanted: Vec<String>,
    save: bool,
    /// Measured instead of a release build.
    binary: Option<PathBuf>,
}

/// What a measurement of some models is asked for.
pub struct Asked {
    /// Parts of the names of models; all if there is none.
    pub wanted: Vec<String>,
    /// The program.
    pub binary: PathBuf,
    /// Which of the options without a value are given.
    pub flags: Vec<String>,
}

impl Asked {
    /// Reads `[FLAG] [--binary PATH] [NAME ...]`, and makes a release build if no program is given.
    ///
    /// # Errors
    /// When there is another option, or no program.
    pub fn parse(arguments: &[String], known: &[&str]) -> Result<Asked, String> {
        let (mut wanted, mut flags, mut binary) = (Vec::new(), Vec::new(), None);
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--binary" => {
                    let path = rest.next().ok_or("--binary takes a path")?;
                    binary = Some(Path::new(path).canonicalize().map_err(|error| format!("{path}: {error}"))?);
                }
                option if known.contains(&option) => flags.push(option.to_string()),
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                name => wanted.push(name.to_string()),
            }
        }
        Ok(Asked { wanted, binary: binary.map_or_else(build, Ok)?, flags })
    }
}

/// Measures, prints, saves. Fails if counts differ.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    let binary = settings.binary.clone().map_or_else(build, Ok)?;
    let mut all = Vec::new();
    println!("{}", report::HEADING);
    for subject in SUBJECTS.iter().filter(|subject| settings.wants(subject)) {
        let measured = measure(subject, &binary, settings.runs).map_err(|why| format!("{}: {why}", subject.name()))?;
        println!("{}", report::line(&measured));
        all.push(measured);
    }
    print!("{}", report::means(&all));
    if settings.save {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks");
        report::save(&all, settings.runs, &directory)?;
    }
    Ok(())
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Settings, String> {
        let mut settings = Settings { runs: 3, most: Class::Normal, wanted: Vec::new(), save: false, binary: None };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--runs" => {
                    let count = rest.next().and_then(|count| count.parse().ok()).filter(|&count| count > 0);
                    settings.runs = count.ok_or("--runs takes a number")?;
                }
                "--quick" => (settings.runs, settings.most) = (1, Class::Quick),
                "--full" => settings.most = Class::Full,
                "--save" => settings.save = true,
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

    fn wants(&self, subject: &Subject) -> bool {
        let named = self.wanted.is_empty() || self.wanted.iter().any(|name| subject.name().contains(name));
        named && subject.class <= self.most
    }
}

/// The release binary, made anew if necessary.
pub fn build() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cargo = Command::new("cargo");
    let built = cargo.args(["build", "--release", "-p", "isospin"]).current_dir(&root).status();
    if !built.map_err(|error| error.to_string())?.success() {
        return Err("the release build fails".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join("release/isospin").canonicalize().map_err(|error| error.to_string())
}

fn measure(subject: &Subject, binary: &Path, runs: u32) -> Result<Measured, String> {
    let directory = Scratch::new()?;
    let model = subject.write(&directory.0)?;
    let exact = Pan::new(&model, Make::Exact)?;
    // `-DNOREDUCE` leaves out the checks of `xr` and `xs`, too.
    let everything = ["--reduce", "none", "--all-errors", "--no-exclusive", "--workers"];
    let plain = [&everything[..], &["1"]].concat();
    let uncompressed_options = [&everything[..], &["1", "--store", "plain"]].concat();
    let two_workers = [&everything[..], &["2"]].concat();
    let mut spin = exact.run()?;
    let mut ours = isospin(binary, &model, &plain)?;
    let mut uncompressed = isospin(binary, &model, &uncompressed_options)?;
    let mut two = isospin(binary, &model, &two_workers)?;
    for run in [&ours, &uncompressed, &two] {
        let counts = |run: &Run| (run.states, run.transitions, run.errors);
        if counts(run) != counts(&spin) {
            return Err(format!("counts differ: SPIN {:?}, isospin {:?}", counts(&spin), counts(run)));
        }
    }
    let (mut spin_whole, mut ours_whole) = (whole(&model)?, isospin(binary, &model, &[])?);
    let mut first = isospin(binary, &model, &FIRST_STATE)?;
    let mut copies = two_copies(binary, &model, &plain)?;
    for _ in 1..runs {
        spin = spin.best(exact.run()?);
        ours = ours.best(isospin(binary, &model, &plain)?);
        uncompressed = uncompressed.best(isospin(binary, &model, &uncompressed_options)?);
        two = two.best(isospin(binary, &model, &two_workers)?);
        spin_whole = spin_whole.best_whole(whole(&model)?);
        ours_whole = ours_whole.best_whole(isospin(binary, &model, &[])?);
        first = first.best_whole(isospin(binary, &model, &FIRST_STATE)?);
        copies = copies.best(two_copies(binary, &model, &plain)?);
    }
    let collapse = Pan::new(&model, Make::Collapse)?.run()?;
    let spin_partial = Pan::new(&model, Make::AllErrors)?.run()?;
    let ours_partial = isospin(binary, &model, &["--symmetry", "off", "--all-errors", "--workers", "1"])?;
    Ok(Measured {
        name: subject.name(),
        collapse: Some(collapse.memory / collapse.states as f64).filter(|bytes| bytes.is_finite()),
        spin,
        ours,
        uncompressed,
        two,
        copies,
        spin_whole,
        ours_whole,
        first,
        spin_partial,
        ours_partial,
    })
}

/// Two searches of one worker each at the same time, which share nothing but the machine: the longer one.
fn two_copies(binary: &Path, model: &Path, options: &[&str]) -> Result<Run, String> {
    std::thread::scope(|scope| {
        let other = scope.spawn(|| isospin(binary, model, options));
        let one = isospin(binary, model, options)?;
        let other = other.join().map_err(|_| "a run failed".to_string())??;
        Ok(if other.search > one.search { other } else { one })
    })
}

/// SPIN as a user runs it: three commands.
fn whole(model: &Path) -> Result<Run, String> {
    let pan = Pan::new(model, Make::Default)?;
    let run = pan.run()?;
    let times = Times { wall: pan.times.wall + run.times.wall, user: pan.times.user + run.times.user };
    Ok(Run { times, ..run })
}

/// A directory that is removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// Makes one.
    ///
    /// # Errors
    /// When there is no room.
    pub fn new() -> Result<Scratch, String> {
        let path = std::env::temp_dir().join(format!("isospin-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| error.to_string())?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
