//! Trap models: small models, one trap of the semantics each, with SPIN's figures on record.
//!
//! A trap is a `.pml` file that opens with `//` lines: what is tested, and directives of the form `// word: text`.
//!
//! | directive | meaning |
//! | --- | --- |
//! | `flags: -m` | options for `spin` |
//! | `ours: states=3 ...` | our figures, where SPIN's are not to be followed |
//! | `because: ...` | why not |
//! | `refused: text` | we do not accept the model, and say this |
//! | `automata: ...` | why the automata are not compared |
//!
//! The record `spin.txt` beside the models has a line for each of them: what SPIN says. Quick tests read it; a slow one makes it anew.

use std::path::{Path, PathBuf};

use machine::FullChannels;
use machine::enumerate::{Census, End, enumerate};

use crate::ours;
use crate::spin::{Flags, Refusal, SpinAutomaton, Verifier};
use crate::summary::Summary;

/// A trap model.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The name of its file, without `.pml`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// What came of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It was searched.
    Searched(Summary),
    /// It was not, for this reason.
    Refused(String),
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Searched(summary) => write!(f, "{summary}"),
            Answer::Refused(reason) => write!(f, "refused: {reason}"),
        }
    }
}

impl Answer {
    fn parse(line: &str) -> Option<Answer> {
        match line.strip_prefix("refused: ") {
            Some(reason) => Some(Answer::Refused(reason.to_string())),
            None => Summary::parse(line).map(Answer::Searched),
        }
    }
}

/// Reads the traps of a directory, by name.
///
/// # Errors
/// When a file cannot be read.
pub fn load(directory: &Path) -> std::io::Result<Vec<Trap>> {
    let mut traps = Vec::new();
    for entry in directory.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            traps.push(Trap { name, text: std::fs::read_to_string(&path)? });
        }
    }
    traps.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(traps)
}

/// The record that belongs to a directory of traps.
#[must_use]
pub fn record_path(directory: &Path) -> PathBuf {
    directory.join("spin.txt")
}

/// Looks a model up in a record.
#[must_use]
pub fn recorded(record: &str, name: &str) -> Option<Answer> {
    let line = record.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))?;
    Answer::parse(line)
}

impl Trap {
    /// The text of a directive.
    #[must_use]
    pub fn directive(&self, word: &str) -> Option<&str> {
        let header = self.text.lines().take_while(|line| line.starts_with("//"));
        header.filter_map(|line| line.trim_start_matches('/').trim().strip_prefix(word)?.strip_prefix(": ")).next()
    }

    fn flags(&self) -> Flags {
        let spin = self.directive("flags").unwrap_or_default().split_whitespace().map(str::to_string).collect();
        Flags { spin, seconds: 5, depth: 20_000, ..Flags::default() }
    }

    /// What SPIN says, and its automata.
    #[must_use]
    pub fn spin(&self) -> (Answer, Vec<SpinAutomaton>) {
        let refused = |refusal: &Refusal| Answer::Refused(one_line(&refusal.to_string()));
        let verifier = match Verifier::build(&self.text, &self.flags()) {
            Ok(verifier) => verifier,
            Err(refusal) => return (refused(&refusal), Vec::new()),
        };
        let automata = verifier.automata().unwrap_or_default();
        match verifier.run() {
            Ok(report) => (Answer::Searched(Summary::of_spin(&report)), automata),
            Err(refusal) => (refused(&refusal), automata),
        }
    }

    /// What isospin says, and what it found.
    #[must_use]
    pub fn ours(&self) -> (Answer, Option<(machine::Machine, Census)>) {
        let mut machine = match ours::machine(&self.text) {
            Ok(machine) => machine,
            Err(message) => return (Answer::Refused(one_line(&message)), None),
        };
        if self.flags().spin.iter().any(|flag| flag == "-m") {
            machine.full_channels = FullChannels::Lose;
        }
        match enumerate(&machine, ours::limits(100_000)) {
            Ok(census) if matches!(census.end, End::Complete | End::Stopped) => {
                (Answer::Searched(Summary::of_census(&census)), Some((machine, census)))
            }
            Ok(census) => (Answer::Refused(format!("{:?}", census.end)), Some((machine, census))),
            Err(error) => (Answer::Refused(error.message), None),
        }
    }

    /// Where our answer is not the one that SPIN (or the model) wants.
    #[must_use]
    pub fn differences(&self, spin: Option<&Answer>) -> Vec<String> {
        let (ours, _) = self.ours();
        let Some(spin) = spin else { return vec!["SPIN's figures are not on record".to_string()] };
        if let Some(wanted) = self.directive("refused") {
            return match ours {
                Answer::Refused(reason) if reason.contains(wanted) => Vec::new(),
                answer => vec![format!("it should be refused with '{wanted}', but: {answer}")],
            };
        }
        if let Some(wanted) = self.directive("ours") {
            return match (Answer::parse(wanted), &ours) {
                (Some(wanted), ours) if wanted == *spin => {
                    vec![format!("SPIN agrees with '{ours}': no need to say so")]
                }
                (Some(Answer::Searched(wanted)), Answer::Searched(ours)) => ours.differences(&wanted),
                (Some(wanted), ours) if wanted == *ours => Vec::new(),
                (_, ours) => vec![format!("it should be '{wanted}', but is '{ours}'")],
            };
        }
        match (&ours, spin) {
            (Answer::Searched(ours), Answer::Searched(spin)) => ours.differences(spin),
            (Answer::Refused(_), Answer::Refused(_)) => Vec::new(),
            (ours, spin) => vec![format!("'{ours}', SPIN says '{spin}'")],
        }
    }
}

fn one_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let telling = std::iter::once(first).chain(lines).find(|line| line.contains("rror")).unwrap_or(first);
    telling.replace("model.pml:", "line ").chars().take(110).collect::<String>().trim().to_string()
}
