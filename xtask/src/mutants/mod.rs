//! `cargo xtask mutants`: which faults in the reductions do the tests notice?
//!
//! Faults are planted in a copy of the workspace, all at once, each behind a number ([`points`]); the copy is built once
//! ([`tree`]), and each fault is tried with the tests that meet its place ([`trial`]). What survives is either shown to be
//! equivalent (`equivalent.txt` says why) or a hole in the tests. The same runs tell which branches and conditions of these modules
//! no test of verdicts meets.

mod points;
mod report;
mod tree;
mod trial;

use std::collections::HashMap;
use std::time::Duration;

use points::Kind;
use tree::{Numbered, Tree};
use trial::Fate;

/// Modules of one purpose.
#[derive(Debug)]
pub struct Module {
    pub name: &'static str,
    /// Files, and folders with a slash at the end.
    files: &'static [&'static str],
    except: &'static [&'static str],
}

impl Module {
    fn contains(&self, path: &str) -> bool {
        let within = |file: &&str| if file.ends_with('/') { path.starts_with(*file) } else { path == *file };
        let is_test = path.ends_with("tests.rs") || path.contains("/tests/");
        self.files.iter().any(&within) && !self.except.iter().any(within) && !is_test
    }
}

/// Where faults are planted. The atomic operations that workers share are left to the enumeration of interleavings.
pub const MODULES: &[Module] = &[
    Module { name: "dead variables", files: &["crates/machine/src/dead.rs", "crates/machine/src/dead/"], except: &[] },
    Module { name: "merging", files: &["crates/machine/src/merged.rs"], except: &[] },
    Module {
        name: "ample sets",
        files: &["crates/machine/src/ample.rs", "crates/machine/src/ample/", "crates/machine/src/footprint.rs"],
        except: &[],
    },
    Module {
        name: "orbits",
        files: &[
            "crates/symmetry/src/orbits.rs",
            "crates/symmetry/src/orbits/",
            "crates/verify/src/verify/stack.rs",
            "crates/system/src/",
        ],
        except: &[],
    },
    Module {
        name: "representatives",
        files: &["crates/symmetry/src/represent.rs", "crates/symmetry/src/represent/"],
        except: &[],
    },
    Module { name: "claim product", files: &["crates/machine/src/claim.rs", "crates/machine/src/claim/"], except: &[] },
    Module {
        name: "stores",
        files: &["crates/explore/src/store/", "crates/explore/src/search/"],
        except: &[
            "crates/explore/src/store/sync.rs",
            "crates/explore/src/store/slot.rs",
            "crates/explore/src/store/interleavings.rs",
            "crates/explore/src/search/shared.rs",
        ],
    },
];

/// The tests that are built: arguments of `cargo test`. One command for all, so that each crate is built once.
const TARGETS: &[&str] = &[
    "--package=isospin-machine",
    "--package=isospin-symmetry",
    "--package=isospin-explore",
    "--package=isospin-oracle",
    "--package=isospin",
    "--test=sample",
    "--lib",
    "--test=dead_elements",
    "--test=judged",
    "--test=searches",
    "--test=reduction",
    "--test=orbits",
    "--test=random_models",
    "--test=store_laws",
    "--test=store_checkpoint",
    "--test=verdicts",
    "--test=reductions",
    "--test=agreement",
    "--test=symmetry",
    "--test=liveness",
    "--test=branching",
    "--test=exclusive",
    "--test=claims",
    "--test=confirm",
    "--test=errors_in_runs",
    "--test=long_runs",
    "--test=runs",
    "--test=constructs",
    "--test=families",
];

/// Reads `--modules WORD,..`, `--each N` (faults of each module), `--seed N` (which ones), `--patience SECONDS` (for each fault), `--list`,
/// `--branches`, `--survivors`, `--report` and `--fresh`, and plants, builds, tries and reports.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut words, mut each, mut seed, mut task, mut fresh) = (Vec::new(), usize::MAX, 0, Task::Try, false);
    let mut patience = Duration::from_secs(20);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--modules" => words = value()?.split(',').map(str::to_owned).collect(),
            "--each" => each = value()?.parse().map_err(|error| format!("--each: {error}"))?,
            "--seed" => seed = value()?.parse().map_err(|error| format!("--seed: {error}"))?,
            "--patience" => {
                patience = Duration::from_secs(value()?.parse().map_err(|error| format!("--patience: {error}"))?);
            }
            "--list" => task = Task::List,
            "--branches" => task = Task::Branches,
            "--report" => task = Task::Report,
            "--fresh" => fresh = true,
            "--survivors" => task = Task::Survivors,
            other => return Err(format!("unknown option {other}")),
        }
    }
    let mut tree = Tree::new()?;
    let wanted = |point: &Numbered<'_>| {
        words.is_empty()
            || words
                .iter()
                .any(|word| point.source.path.contains(word) || MODULES[point.source.module].name.contains(word))
    };
    let results = if fresh { Default::default() } else { trial::results() };
    match task {
        Task::List => {
            tree.planted().filter(wanted).for_each(|point| println!("{}", report::line(&point)));
            return Ok(());
        }
        Task::Report => {
            let all = keyed(tree.planted().filter(wanted));
            return report::table(&sample(&all, each, seed), &results);
        }
        Task::Try | Task::Survivors | Task::Branches => {}
    }
    let binaries = tree.build(TARGETS)?;
    let tests = trial::baseline(&binaries)?;
    if task == Task::Branches {
        return report::branches(tree.planted().filter(wanted), &tests);
    }
    let all = keyed(tree.planted().filter(wanted));
    let mut experience = trial::Experience::of(&trial::results());
    let chosen = sample(&all, each, seed);
    for (key, point) in &chosen {
        let is_known = match results.get(key) {
            Some(Fate::Caught(_)) => true,
            Some(_) => false,
            None => task == Task::Survivors,
        };
        if is_known {
            continue;
        }
        // What is said to be equivalent counts neither way.
        if report::is_equivalent(key) {
            trial::keep(key, &Fate::Survived)?;
            continue;
        }
        let fate = trial::attempt(point, &tests, patience, &mut experience);
        println!("{:60} {}", fate.text(), report::line(point));
        trial::keep(key, &fate)?;
    }
    report::table(&chosen, &trial::results())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Try,
    Survivors,
    List,
    Branches,
    Report,
}

/// Faults with keys that differ.
fn keyed<'t>(points: impl Iterator<Item = Numbered<'t>>) -> Vec<(String, Numbered<'t>)> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let faults = points.filter(|point| point.point.kind != Kind::Branch);
    let keyed = faults.map(|point| {
        let key = point.key();
        let times = times.entry(key.clone()).or_default();
        *times += 1;
        (if *times == 1 { key } else { format!("{key} ({times})") }, point)
    });
    keyed.collect()
}

/// So many faults of each module, spread evenly over its text. The seed decides where the first one is.
fn sample<'a, 't>(all: &'a [(String, Numbered<'t>)], each: usize, seed: u64) -> Vec<&'a (String, Numbered<'t>)> {
    let modules = (0..MODULES.len()).flat_map(|module| {
        let faults: Vec<_> = all.iter().filter(|(_, point)| point.source.module == module).collect();
        let chosen = strided(faults.len(), each, fraction(seed ^ (module as u64) << 32));
        chosen.map(|at| faults[at]).collect::<Vec<_>>()
    });
    modules.collect()
}

/// So many of the numbers below `length`, at equal distances; `start` is the part of a distance before the first one.
fn strided(length: usize, count: usize, start: f64) -> impl Iterator<Item = usize> {
    let count = count.min(length);
    (0..count).map(move |at| ((at as f64 + start) * length as f64 / count as f64) as usize)
}

/// A number from 0 to 1, without 1 (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
fn fraction(seed: u64) -> f64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed >> 32) as f64 / (1_u64 << 32) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_equal_distances_and_depends_on_the_seed() {
        let drawn = |seed| strided(1_000, 45, fraction(seed)).collect::<Vec<_>>();
        for seed in 0..50 {
            let numbers = drawn(seed);
            assert_eq!(numbers.len(), 45);
            assert!(numbers.windows(2).all(|pair| (22..=23).contains(&(pair[1] - pair[0]))), "{numbers:?}");
            assert!(numbers[0] < 23 && numbers[44] < 1_000, "{numbers:?}");
        }
        let starts: std::collections::BTreeSet<usize> = (0..50).map(|seed| drawn(seed)[0]).collect();
        assert!(starts.len() > 15, "{starts:?}");
    }

    #[test]
    fn few_faults_are_all_drawn() {
        assert!(strided(7, 45, fraction(3)).eq(0..7));
    }
}
