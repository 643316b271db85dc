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
        self.files.iter().any(&within) && !self.except.iter().any(within) && !path.ends_with("tests.rs")
    }
}

/// Where faults are planted. The atomic operations that workers share are left to the enumeration of interleavings.
pub const MODULES: &[Module] = &[
    Module { name: "dead variables", files: &["crates/machine/src/dead.rs", "crates/machine/src/dead/"], except: &[] },
    Module { name: "merging", files: &["crates/machine/src/ample/chains.rs"], except: &[] },
    Module {
        name: "ample sets",
        files: &["crates/machine/src/ample.rs", "crates/machine/src/ample/", "crates/machine/src/footprint.rs"],
        except: &["crates/machine/src/ample/chains.rs"],
    },
    Module {
        name: "orbits",
        files: &[
            "crates/isospin/src/verify/orbits.rs",
            "crates/isospin/src/verify/system.rs",
            "crates/isospin/src/verify/product.rs",
        ],
        except: &[],
    },
    Module {
        name: "representatives",
        files: &["crates/symmetry/src/represent.rs", "crates/symmetry/src/represent/"],
        except: &[],
    },
    Module { name: "claim product", files: &["crates/machine/src/claim/"], except: &[] },
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
];

/// Reads `--modules WORD,..`, `--count N`, `--list`, `--branches`, `--survivors`, `--report` and `--fresh`, and plants, builds, tries and reports.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut words, mut count, mut task, mut fresh) = (Vec::new(), usize::MAX, Task::Try, false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--modules" => words = value()?.split(',').map(str::to_owned).collect(),
            "--count" => count = value()?.parse().map_err(|error| format!("--count: {error}"))?,
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
        Task::Report => return report::table(&keyed(tree.planted().filter(wanted)), &results),
        Task::Try | Task::Survivors | Task::Branches => {}
    }
    let binaries = tree.build(TARGETS)?;
    let tests = trial::baseline(&binaries)?;
    if task == Task::Branches {
        return report::branches(tree.planted().filter(wanted), &tests);
    }
    let all = keyed(tree.planted().filter(wanted));
    let mut experience = trial::Experience::new();
    for (key, point) in &sample(&all, count) {
        let is_known = match results.get(key) {
            Some(Fate::Caught(_)) => true,
            Some(_) => report::is_equivalent(key),
            None => task == Task::Survivors,
        };
        if is_known {
            continue;
        }
        let fate = trial::attempt(point.number, &tests, &mut experience);
        println!("{:60} {}", fate.text(), report::line(point));
        trial::keep(key, &fate)?;
    }
    report::table(&all, &trial::results())
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

/// So many faults, spread evenly over the text.
fn sample<'a, 't>(all: &'a [(String, Numbered<'t>)], count: usize) -> Vec<&'a (String, Numbered<'t>)> {
    let count = count.min(all.len());
    (0..count).map(|at| &all[at * all.len() / count]).collect()
}
