//! Which tests meet which points, and which of them notice a fault.
//!
//! Every test is run once without a fault; it writes down which points it meets. A fault is then tried with the tests that
//! meet its point, the quickest and most successful first, until one fails, panics or does not end.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::tree::{Numbered, folder};

/// Tests that take longer are not used.
const SLOW: Duration = Duration::from_secs(120);
/// Models with their verdicts.
const MODELS: &str = "crates/isospin/tests/verdicts";
/// Memory of one test, in KiB.
const MEMORY: u64 = 6 << 20;

/// One test function of one binary, with one model if it goes through a folder of them.
#[derive(Clone, Debug)]
pub struct Test {
    pub binary: PathBuf,
    /// As `isospin/verdicts::every_combination` or `isospin/verdicts::every_combination with two-writers`.
    pub name: String,
    function: String,
    model: Option<String>,
    pub seconds: f64,
    /// Point, and whether it was met (`r`), true (`t`) or false (`f`).
    pub met: BTreeSet<(u32, char)>,
}

/// What became of a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    Caught(String),
    Survived,
    NotMet,
}

impl Fate {
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("caught", test) => Some(Fate::Caught(test.to_owned())),
            ("survived", _) => Some(Fate::Survived),
            ("not", _) => Some(Fate::NotMet),
            _ => None,
        }
    }

    pub fn text(&self) -> String {
        match self {
            Fate::Caught(test) => format!("caught {test}"),
            Fate::Survived => "survived".to_owned(),
            Fate::NotMet => "not met".to_owned(),
        }
    }
}

/// Runs every test of the binaries without a fault. What is known from an earlier run of the same binary is taken from there.
pub fn baseline(binaries: &[(String, PathBuf)]) -> Result<Vec<Test>, String> {
    let store = folder().join("baseline.txt");
    let known = recall(&store);
    let mut tests = Vec::new();
    let mut file = fs::File::create(&store).map_err(|error| error.to_string())?;
    for (name, binary) in binaries {
        let stamp = stamp(binary);
        for (function, model) in units(name, &functions(binary)?)? {
            let with = model.as_ref().map_or(String::new(), |model| format!(" with {model}"));
            let name = format!("{name}::{function}{with}");
            let (seconds, met) = (f64::INFINITY, BTreeSet::new());
            let mut test = Test { binary: binary.clone(), name, function, model, seconds, met };
            match known.get(&(test.name.clone(), stamp)) {
                Some((seconds, met)) => (test.seconds, test.met) = (*seconds, met.clone()),
                None => {
                    test.record();
                    println!("{:8.2} s {:5} points {}", test.seconds, test.met.len(), test.name);
                }
            }
            let met: Vec<String> = test.met.iter().map(|(number, letter)| format!("{number}{letter}")).collect();
            writeln!(file, "{}\t{stamp}\t{}\t{}", test.name, test.seconds, met.join(" "))
                .map_err(|error| error.to_string())?;
            tests.push(test);
        }
    }
    tests.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    Ok(tests)
}

/// The functions of a binary; if they go through the models of a folder, each with each model, so that a fault is tried with those that meet it.
fn units(binary: &str, functions: &[String]) -> Result<Vec<(String, Option<String>)>, String> {
    if binary != "isospin/verdicts" {
        return Ok(functions.iter().map(|function| (function.clone(), None)).collect());
    }
    let folder = fs::read_dir(MODELS).map_err(|error| format!("{MODELS}: {error}"))?;
    let mut models: Vec<String> =
        folder.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned())).collect();
    models.sort();
    Ok(functions
        .iter()
        .flat_map(|function| models.iter().map(|model| (function.clone(), Some(model.clone()))))
        .collect())
}

impl Test {
    fn record(&mut self) {
        let path = folder().join("record.txt");
        let _ = fs::remove_file(&path);
        let path = std::path::absolute(&path).unwrap_or(path);
        let start = Instant::now();
        let outcome = self.run(&[("FAULT", "record".as_ref()), ("FAULT_RECORD", path.as_os_str())], SLOW);
        if outcome == Outcome::Passed {
            self.seconds = start.elapsed().as_secs_f64();
        }
        for line in fs::read_to_string(&path).unwrap_or_default().lines() {
            if let Some((number, letter)) = line.split_once(' ')
                && let (Ok(number), Some(letter)) = (number.parse(), letter.chars().next())
            {
                self.met.insert((number, letter));
            }
        }
    }

    fn run(&self, environment: &[(&str, &std::ffi::OsStr)], limit: Duration) -> Outcome {
        let package = self.name.split('/').next().unwrap_or_default();
        let child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")])
            .arg(&self.binary)
            .args([&self.function, "--exact", "--test-threads=1"])
            .current_dir(folder().join("tree/crates").join(package))
            .envs(environment.iter().copied())
            .envs(self.model.iter().map(|model| ("VERDICTS_MODEL", model)))
            .env("PROPTEST_RNG_SEED", "20010520")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        let Ok(mut child) = child else { return Outcome::Failed };
        let start = Instant::now();
        let mut pause = 2;
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Outcome::Passed,
                Ok(Some(_)) | Err(_) => return Outcome::Failed,
                Ok(None) if start.elapsed() > limit => {
                    // The test may have started processes of its own: its group is ended.
                    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
                    let _ = child.wait();
                    return Outcome::TooLong;
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(pause)),
            }
            pause = (2 * pause).min(50);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Passed,
    Failed,
    TooLong,
}

/// How often each test was tried, how often it failed, and how often with a fault of the same file.
#[derive(Debug, Default)]
pub struct Experience {
    tests: HashMap<String, (u32, u32)>,
    files: HashMap<(String, String), u32>,
}

impl Experience {
    /// What earlier runs have taught.
    pub fn of(results: &BTreeMap<String, Fate>) -> Experience {
        let mut experience = Experience::default();
        for (key, fate) in results {
            if let (Some((path, _)), Fate::Caught(test)) = (key.split_once(" | "), fate) {
                experience.caught(path, test.trim_end_matches(ENDLESS));
            }
        }
        experience
    }

    fn tried(&mut self, test: &str) {
        self.tests.entry(test.to_owned()).or_default().0 += 1;
    }

    fn caught(&mut self, path: &str, test: &str) {
        self.tests.entry(test.to_owned()).or_default().1 += 1;
        *self.files.entry((path.to_owned(), test.to_owned())).or_default() += 1;
    }

    /// Seconds for each fault that is caught, by the rule of succession; what it does for the file at hand counts most.
    fn cost(&self, path: &str, test: &Test) -> f64 {
        let (tried, failed) = self.tests.get(&test.name).copied().unwrap_or_default();
        let here = self.files.get(&(path.to_owned(), test.name.clone())).copied().unwrap_or_default();
        (test.seconds + 0.02) * f64::from(tried + 4) / f64::from(failed + 4 * here + 1)
    }
}

/// How it is told that a test did not end.
const ENDLESS: &str = " (does not end)";

/// Tries one fault with the tests that meet it, until one fails or the time is over.
pub fn attempt(fault: &Numbered<'_>, tests: &[Test], patience: Duration, experience: &mut Experience) -> Fate {
    let (number, path) = (fault.number, fault.source.path.as_str());
    let meets = |test: &&Test| test.met.contains(&(number, 'r'));
    let mut meeting: Vec<&Test> = tests.iter().filter(|test| test.seconds.is_finite()).filter(meets).collect();
    if meeting.is_empty() {
        return Fate::NotMet;
    }
    meeting.sort_by(|one, other| experience.cost(path, one).total_cmp(&experience.cost(path, other)));
    let (text, start) = (number.to_string(), Instant::now());
    for test in meeting {
        experience.tried(&test.name);
        let limit = Duration::from_secs_f64(5.0 + 8.0 * test.seconds);
        let how = match test.run(&[("FAULT", text.as_ref())], limit) {
            Outcome::Passed if start.elapsed() > patience => break,
            Outcome::Passed => continue,
            Outcome::Failed => "",
            Outcome::TooLong => ENDLESS,
        };
        experience.caught(path, &test.name);
        return Fate::Caught(format!("{}{how}", test.name));
    }
    Fate::Survived
}

fn functions(binary: &Path) -> Result<Vec<String>, String> {
    let output = Command::new(binary).args(["--list", "--format", "terse"]).output();
    let output = output.map_err(|error| format!("{}: {error}", binary.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let ignored = Command::new(binary).args(["--list", "--format", "terse", "--ignored"]).output();
    let ignored = ignored.map_err(|error| format!("{}: {error}", binary.display()))?;
    let ignored = String::from_utf8_lossy(&ignored.stdout).into_owned();
    let names = text.lines().filter(|line| !ignored.lines().any(|other| other == *line));
    Ok(names.filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Tells one build of a binary from another.
fn stamp(binary: &Path) -> u64 {
    let modified = fs::metadata(binary).and_then(|data| data.modified()).ok();
    modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok()).map_or(0, |age| age.as_millis() as u64)
}

type Known = HashMap<(String, u64), (f64, BTreeSet<(u32, char)>)>;

fn recall(path: &Path) -> Known {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let mut parts = line.split('\t');
        let key = (parts.next()?.to_owned(), parts.next()?.parse().ok()?);
        let seconds = parts.next()?.parse().ok()?;
        let met = parts.next()?.split(' ').filter_map(|each| {
            let (number, letter) = each.split_at_checked(each.len().checked_sub(1)?)?;
            Some((number.parse().ok()?, letter.chars().next()?))
        });
        Some((key, (seconds, met.collect())))
    };
    text.lines().filter_map(line).collect()
}

/// Results of earlier runs by the key of the point; points with the same key are told apart by their order.
pub fn results() -> BTreeMap<String, Fate> {
    let text = fs::read_to_string(folder().join("results.txt")).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(key, fate)| Some((key.to_owned(), Fate::parse(fate)?)))
        .collect()
}

/// Writes down what became of a fault.
pub fn keep(key: &str, fate: &Fate) -> Result<(), String> {
    let file = fs::OpenOptions::new().append(true).create(true).open(folder().join("results.txt"));
    let mut file = file.map_err(|error| error.to_string())?;
    writeln!(file, "{key}\t{}", fate.text()).map_err(|error| error.to_string())
}
