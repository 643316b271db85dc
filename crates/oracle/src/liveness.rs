//! Models with properties of infinite runs: those on record, with what SPIN says of them, and random ones.
//!
//! A model on record names its properties in its first lines: `/* expect NAME PLAIN FAIR */`, where a verdict is `holds` or
//! `violated`. Where SPIN says something else, because of an error of its own, the line ends with what SPIN says:
//! `/* expect NAME PLAIN FAIR SPIN PLAIN FAIR */`.

mod random;

use std::path::{Path, PathBuf};

pub use self::random::pairs;
use crate::spin::Search;

/// A model and one property of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The model.
    pub text: String,
    /// The property: a formula, a claim, or labels.
    pub property: Watched,
}

/// A property of infinite runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Watched {
    /// The formula of an `ltl` block with this name.
    Formula(String),
    /// The model's never claim.
    Never,
    /// No cycle passes an accept label.
    Acceptance,
    /// Every cycle passes a progress label.
    Progress,
}

impl Watched {
    /// From the name that models on record use.
    #[must_use]
    pub fn named(name: &str) -> Watched {
        match name {
            "accept" => Watched::Acceptance,
            "progress" => Watched::Progress,
            "never" => Watched::Never,
            name => Watched::Formula(name.to_string()),
        }
    }

    /// The name that isospin's reports use.
    #[must_use]
    pub fn reported_name(&self, machine: &machine::Machine) -> String {
        match self {
            Watched::Formula(name) => name.clone(),
            Watched::Never => machine.claims.first().map_or_else(String::new, |claim| claim.name.to_string()),
            Watched::Acceptance => "acceptance".into(),
            Watched::Progress => "non-progress".into(),
        }
    }

    /// What SPIN's verifier has to look for.
    #[must_use]
    pub fn search(&self) -> Search {
        match self {
            Watched::Formula(name) => Search::Claim(Some(name.clone())),
            Watched::Never => Search::Claim(None),
            Watched::Acceptance => Search::Acceptance,
            Watched::Progress => Search::NonProgress,
        }
    }
}

/// A model on record.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The name of its file, without the extension.
    pub name: String,
    /// The model.
    pub text: String,
    /// What is said of its properties.
    pub expectations: Vec<Expectation>,
}

/// What is expected of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The property.
    pub property: Watched,
    /// Whether it holds, without and with weak fairness.
    pub holds: [bool; 2],
    /// What SPIN says.
    pub spin: [bool; 2],
}

/// The models on record.
///
/// # Panics
/// When they cannot be read.
#[must_use]
pub fn recorded() -> Vec<Recorded> {
    let directory: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../isospin/tests/liveness/models");
    let mut models: Vec<Recorded> = std::fs::read_dir(directory)
        .expect("the models are there")
        .map(|entry| {
            let path = entry.expect("it can be read").path();
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let expectations = text.lines().filter_map(expectation).collect();
            let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            Recorded { name, text, expectations }
        })
        .collect();
    models.sort_by(|one, other| one.name.cmp(&other.name));
    models
}

fn expectation(line: &str) -> Option<Expectation> {
    let words: Vec<&str> = line.strip_prefix("/* expect ")?.strip_suffix(" */")?.split(' ').collect();
    let holds = |word: &str| match word {
        "holds" => true,
        "violated" => false,
        other => panic!("{other} is no verdict"),
    };
    let ours = [holds(words[1]), holds(words[2])];
    let spin = if words.get(3) == Some(&"SPIN") { [holds(words[4]), holds(words[5])] } else { ours };
    Some(Expectation { property: Watched::named(words[0]), holds: ours, spin })
}
