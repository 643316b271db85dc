//! The models that come with Debian's SPIN: each of them through SPIN's verifier and through isospin's enumeration.
//!
//! Figures, errors and automata must be the same. Where SPIN is not to be followed the reason is on record here, and a reason that
//! no longer holds is a difference as well.

use std::path::{Path, PathBuf};

use machine::enumerate::{End, enumerate};

use crate::spin::{Compiler, Flags, Verifier};
use crate::summary::Summary;
use crate::{compare, ours};

/// Where Debian puts them.
const DIRECTORY: &str = "/usr/share/doc/spin/examples/Examples";

/// A SPIN that knows the next operator reads this one, and prints a `&` between two formulas as `(333&334)`.
const NONSENSE: &str = "LTL/patterns.pml";

/// One of them.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its path below the directory of examples.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// All of them, by name. None where SPIN is not installed.
#[must_use]
pub fn all() -> Vec<Example> {
    let mut examples = Vec::new();
    collect(Path::new(DIRECTORY), &mut examples);
    examples.sort_by(|a, b| a.name.cmp(&b.name));
    examples
}

fn collect(directory: &Path, examples: &mut Vec<Example>) {
    for entry in directory.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, examples);
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            let name = path.strip_prefix(DIRECTORY).unwrap_or(&path).to_string_lossy().into_owned();
            examples.push(Example { name, path });
        }
    }
}

/// How an example compares.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Our figures, where we searched.
    pub ours: Option<Summary>,
    /// What came of it.
    pub outcome: Outcome,
    /// Statements that only one of the two calls unreached. SPIN maps some places to others before it looks, and lists joints.
    pub unreached: Vec<String>,
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Figures, errors and automata are the same.
    Equal,
    /// They differ.
    Different(Vec<String>),
    /// They differ for a reason that is known.
    Explained(&'static str),
    /// Neither accepts the model.
    RefusedByBoth(String),
    /// Our search was given up.
    TooLarge,
}

/// Examples where SPIN is not to be followed.
const EXPLAINED: &[(&str, &str)] = &[(
    "wordcount.pml",
    "SPIN reports the use of a channel that is not there once for every use of it in the step, we once",
)];

/// Compares an example, unless it has more than `states` states.
#[must_use]
pub fn compare(example: &Example, states: usize) -> Comparison {
    let only = |outcome| Comparison { ours: None, outcome, unreached: Vec::new() };
    let machine = match ours::machine_of_file(&example.path) {
        Ok(machine) => machine,
        Err(message) => {
            let first = message.lines().next().unwrap_or_default().to_string();
            return only(match Verifier::build_file(&example.path, &Flags::default()) {
                Ok(_) if example.name == NONSENSE => Outcome::Explained("SPIN makes nonsense of `&` between formulas"),
                Ok(_) => Outcome::Different(vec![format!("only we refuse it: {first}")]),
                Err(_) => Outcome::RefusedByBoth(first),
            });
        }
    };
    let census = match enumerate(&machine, ours::limits(states)) {
        Ok(census) => census,
        Err(error) => return only(Outcome::Different(vec![format!("no initial state: {}", error.message)])),
    };
    let ours = Summary::of_census(&census);
    if !matches!(census.end, End::Complete | End::Stopped) {
        return Comparison { ours: Some(ours), outcome: Outcome::TooLarge, unreached: Vec::new() };
    }
    let compiler = if ours.states > 20_000 { Compiler::Optimising } else { Compiler::Quick };
    let flags = Flags { compiler, seconds: 600, depth: 3_000_000, ..Flags::default() };
    let verifier = Verifier::build_file(&example.path, &flags);
    let spin = verifier.and_then(|verifier| Ok((verifier.run()?, verifier.automata()?)));
    let (differences, unreached) = match &spin {
        Ok((report, automata)) => {
            let mut differences = ours.differences(&Summary::of_spin(report));
            differences.extend(compare::automata(&machine, automata));
            (differences, compare::unreached(&machine, &census, report))
        }
        Err(refusal) => (vec![refusal.to_string()], Vec::new()),
    };
    let explained = EXPLAINED.iter().find(|(name, _)| *name == example.name);
    let outcome = match (differences.is_empty(), explained) {
        (true, None) => Outcome::Equal,
        (true, Some(_)) => Outcome::Different(vec!["SPIN agrees: there is nothing to explain".to_string()]),
        (false, Some((_, why))) => Outcome::Explained(why),
        (false, None) => Outcome::Different(differences),
    };
    Comparison { ours: Some(ours), outcome, unreached }
}
