//! Reads a command line of SPIN: which job is meant, and what it is in isospin's own words.
//!
//! Options before `-run` (or `-search`) are SPIN's, those behind it are compile-time directives and run-time options of its verifier.
//! What only tunes SPIN (sizes of tables, kinds of exact compression) needs no counterpart and is listed in [`NEEDLESS`];
//! what has a meaning here is translated; all else is refused by name.

use std::fmt;

/// What a command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Job {
    /// Verify a model.
    Verify(Verification),
    /// Write a `pan.c` that verifies a model when it is compiled and run.
    Generate(Verification),
    /// Run a model; the options of `isospin simulate`.
    Simulate(Vec<String>),
    /// Follow a trail.
    Follow(Trail),
    /// Print a formula as a never claim.
    Formula(String),
    /// Print the text after the preprocessor; the options of `isospin show`.
    Preprocess(Vec<String>),
    /// Format standard input.
    Format,
    /// Print the version.
    Version,
    /// Print help.
    Help,
}

/// How a model is verified.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    /// The model.
    pub model: String,
    /// Options of `isospin verify`.
    pub options: Vec<String>,
    /// The options of SPIN that concern the model, as they were given.
    pub of_model: Vec<String>,
    /// How many workers, if that was said.
    pub workers: Option<String>,
    /// What pan is asked to look for.
    pub cycles: Cycles,
    /// The claim that was named.
    pub claim: Option<String>,
    /// Leave claims and formulas aside.
    pub no_claim: bool,
    /// Whether a formula of the command line is the claim.
    pub own_formula: bool,
    /// Whether a claim in a file of its own is the claim.
    pub own_claim: bool,
    /// `-DSAFETY`
    pub safety: bool,
    /// `-DBITSTATE`
    pub bitstate: bool,
    /// `-DHC`
    pub compact: bool,
    /// `-f`
    pub fair: bool,
    /// `-A`
    pub no_assertions: bool,
    /// `-E`
    pub no_end_states: bool,
    /// `-n`: do not list what was not reached.
    pub no_unreached: bool,
    /// Print isospin's own command.
    pub verbose: bool,
    /// What the user should know about options that mean something else here.
    pub notes: Vec<String>,
}

/// Which cycles pan looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cycles {
    /// None, unless there is a claim.
    #[default]
    NotAsked,
    /// Acceptance cycles.
    Acceptance,
    /// Cycles without progress.
    NonProgress,
}

/// A trail to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trail {
    /// The model.
    pub model: String,
    /// The file, if it was named.
    pub file: Option<String>,
    /// The number in its name, as in `model.pml2.trail`.
    pub number: Option<String>,
    /// Options of `isospin replay`.
    pub options: Vec<String>,
}

/// Why a command line is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misunderstood(pub String);

impl fmt::Display for Misunderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Directives that only tune SPIN's verifier: tables, exact compression, what it was compiled for.
pub const NEEDLESS: &[&str] = &[
    "COLLAPSE",
    "SEPQS",
    "JOINPROCS",
    "MA",
    "TRIX",
    "SC",
    "SPACE",
    "NOCOMP",
    "SFH",
    "LC",
    "NOVSZ",
    "VECTORSZ",
    "AUTO_RESIZE",
    "MEMCNT",
    "NFAIR",
    "NOFAIR",
    "MURMUR",
    "REACH",
    "PRINTF",
    "CHECK",
    "VERBOSE",
    "NOBOUNDCHECK",
    "FULL_TRAIL",
    "SEP_STATE",
    "USE_DISK",
    "BFS_DISK",
    "BFS_LIMIT",
    "PUTPID",
    "FREQ",
    "NOFIX",
    "ZAPH",
    "GLOB_HEAP",
    "CNTRSTACK",
];

/// Reads a command line.
///
/// # Errors
/// When an option is unknown or cannot be honoured; the message says which and what to do instead.
pub fn read(words: &[String]) -> Result<Job, Misunderstood> {
    if words.is_empty() {
        return Ok(Job::Help);
    }
    Reader::default().all(words)
}

#[derive(Default)]
struct Reader {
    /// `-D`, `-U`, `-I`, `-m`: how the model is read, for every job.
    source: Vec<String>,
    lossy: bool,
    /// Letters of listings.
    listing: Vec<String>,
    simulation: Vec<String>,
    verification: Verification,
    formula: Option<String>,
    trail: Option<(Option<String>, Option<String>)>,
    generate: bool,
    run: bool,
    preprocess: bool,
    model: Option<String>,
}

type Outcome = Result<(), Misunderstood>;

fn refuse<T>(message: impl Into<String>) -> Result<T, Misunderstood> {
    Err(Misunderstood(message.into()))
}

impl Reader {
    fn all(mut self, words: &[String]) -> Result<Job, Misunderstood> {
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if let Some(job) = alone(word) {
                return Ok(job);
            }
            let mut value = |name: &str| match rest.next() {
                Some(value) => Ok(value.clone()),
                None => refuse(format!("{name} needs a value")),
            };
            if self.run && word.starts_with('-') && word.len() > 1 {
                if matches!(word.as_str(), "-ltl" | "-N") {
                    self.verification.claim = Some(value(word)?);
                } else {
                    self.pan(word)?;
                }
            } else if word.starts_with('-') && word.len() > 1 {
                self.spin(word, &mut value)?;
            } else if let Some(earlier) = self.model.replace(word.clone()) {
                return refuse(format!("there are two models, {earlier} and {word}; verify one at a time"));
            }
        }
        self.job()
    }

    fn job(mut self) -> Result<Job, Misunderstood> {
        if let Some(formula) = self.formula.take() {
            match self.model.is_some() && (self.generate || self.run) {
                // A formula of SPIN's command line says what must not happen.
                true => {
                    self.verification.options.extend(["--ltl".into(), format!("!({formula})")]);
                    self.verification.of_model.extend(["-f".into(), formula]);
                    self.verification.own_formula = true;
                }
                false => return Ok(Job::Formula(formula)),
            }
        }
        let Some(model) = self.model.take() else {
            return refuse("no model was named: it is the last word of the line");
        };
        let mut source = std::mem::take(&mut self.source);
        if self.lossy {
            source.push("-m".into());
        }
        if self.preprocess {
            return Ok(Job::Preprocess([vec!["--preprocessed".into()], source, vec![model]].concat()));
        }
        if self.generate || self.run {
            self.verification.model = model;
            self.verification.options.extend(source);
            return Ok(if self.run { Job::Verify(self.verification) } else { Job::Generate(self.verification) });
        }
        if let Some((file, number)) = self.trail {
            return Ok(Job::Follow(Trail { model, file, number, options: [self.listing, source].concat() }));
        }
        Ok(Job::Simulate([self.simulation, self.listing, source, vec![model]].concat()))
    }

    /// An option of SPIN.
    fn spin(&mut self, word: &str, value: &mut dyn FnMut(&str) -> Result<String, Misunderstood>) -> Outcome {
        let (letter, rest) = word[1..].split_at(word[1..].chars().next().map_or(0, char::len_utf8));
        match (letter, rest) {
            _ if matches!(word, "-run" | "-search") => self.run = true,
            _ if word == "-replay" => self.trail = Some((None, None)),
            _ if word == "-simulate" => {}
            ("a", "") => self.generate = true,
            ("o", "1" | "2" | "3" | "4" | "5") => {
                let words = optimisation(rest);
                // Two of SPIN's are one of ours.
                if words.first().is_none_or(|first| !self.verification.options.contains(first)) {
                    self.verification.options.extend(words);
                }
            }
            ("p" | "g" | "l" | "s" | "r" | "c" | "v" | "b" | "T", "") => {
                self.verification.verbose |= letter == "v";
                self.listing.push(word.into());
            }
            ("w", "") => self.listing.push("-v".into()),
            // The seed of a random run is always told.
            ("h", "") => {}
            ("i", "") => self.simulation.push("-i".into()),
            ("n", seed) => self.simulation.extend(["-n".into(), number(word, seed)?]),
            ("u", steps) => self.simulation.extend(["-u".into(), number(word, steps)?]),
            ("j", steps) => self.listing.extend(["-j".into(), number(word, steps)?]),
            ("m", "") => {
                self.lossy = true;
                self.verification.of_model.push(word.into());
            }
            ("t", "") => self.trail = Some((None, None)),
            ("t", which) => self.trail = Some((None, Some(number(word, which)?))),
            ("k", "") => self.trail = Some((Some(value("-k")?), None)),
            ("k", file) => self.trail = Some((Some(file.into()), None)),
            ("f", "") => self.formula = Some(value("-f")?),
            ("F", "") => {
                let file = value("-F")?;
                let text = std::fs::read_to_string(&file)
                    .map_err(|error| Misunderstood(format!("cannot read {file}: {error}")))?;
                // What follows is the author's.
                self.formula = Some(text.lines().next().unwrap_or_default().trim().to_string());
            }
            ("N", "") => {
                let file = value("-N")?;
                self.verification.of_model.extend([word.into(), file.clone()]);
                self.verification.options.extend(["--claim".into(), file]);
                self.verification.own_claim = true;
            }
            ("D" | "U", definition) if !definition.is_empty() => {
                self.verification.of_model.push(word.into());
                self.source.extend([word[..2].into(), definition.into()]);
            }
            ("E", option) => return self.preprocessor(word, option),
            ("I", "") => self.preprocess = true,
            _ => return refuse(unknown_to_us(word)),
        }
        Ok(())
    }

    /// `-Eyyy`: an option for the preprocessor.
    fn preprocessor(&mut self, word: &str, option: &str) -> Outcome {
        let known = ["-D", "-U", "-I"].into_iter().find(|prefix| option.starts_with(prefix) && option.len() > 2);
        match known {
            Some(prefix) => {
                self.verification.of_model.push(word.into());
                self.source.extend([prefix.to_string(), option[2..].to_string()]);
            }
            None => return refuse(format!("{word}: the preprocessor is built in and knows -D, -U and -I")),
        }
        Ok(())
    }

    /// A directive or a run-time option of SPIN's verifier.
    fn pan(&mut self, word: &str) -> Outcome {
        let run = &mut self.verification;
        if let Some(directive) = word.strip_prefix("-D") {
            let (name, value) =
                directive.split_once('=').map_or((directive, None), |(name, value)| (name, Some(value)));
            return run.directive(word, name, value);
        }
        match word {
            "-bitstate" | "-bit" => run.directive(word, "BITSTATE", None),
            "-bfs" | "-bfspar" => run.directive(word, "BFS", None),
            "-dfspar" => run.directive(word, "NCORE", Some("4")),
            "-collapse" => Ok(()),
            "-noreduce" => run.directive(word, "NOREDUCE", None),
            "-hc" => run.directive(word, "HC", None),
            "-noclaim" => run.directive(word, "NOCLAIM", None),
            "-safety" => run.directive(word, "SAFETY", None),
            "-np" => run.directive(word, "NP", None),
            _ if word.starts_with("-p_rotate") => {
                run.notes.push(format!("{word} changes the order of SPIN's search only; isospin keeps its own"));
                Ok(())
            }
            "-p_permute" | "-p_reverse" | "-p_randrot" | "-p_normal" | "-rhash" | "-hash" | "-i_reverse"
            | "-t_reverse" => {
                run.notes.push(format!("{word} changes the order of SPIN's search only; isospin keeps its own"));
                Ok(())
            }
            // How gcc compiles.
            "-O" | "-O0" | "-O1" | "-O2" | "-O3" => Ok(()),
            _ => run.option(word),
        }
    }
}

/// Jobs that a word alone asks for.
fn alone(word: &str) -> Option<Job> {
    match word {
        "-V" | "--version" => Some(Job::Version),
        "--" | "-?" | "-help" | "--help" => Some(Job::Help),
        "-pp" => Some(Job::Format),
        _ => None,
    }
}

/// What turns SPIN's optimisations off turns ours off.
fn optimisation(which: &str) -> Vec<String> {
    let words: &[&str] = match which {
        "1" | "2" => &["--dead", "off"],
        "3" => &["--merge", "off"],
        _ => &[],
    };
    words.iter().map(|word| (*word).to_string()).collect()
}

impl Verification {
    fn work_with(&mut self, workers: String) {
        self.options.extend(["--workers".into(), workers.clone()]);
        self.workers = Some(workers);
    }

    fn directive(&mut self, word: &str, name: &str, value: Option<&str>) -> Outcome {
        let mut give = |words: &[&str]| self.options.extend(words.iter().map(|word| (*word).to_string()));
        match (name, value) {
            ("SAFETY", _) => self.safety = true,
            ("NOCLAIM", _) => self.no_claim = true,
            // SPIN checks `xr` and `xs` because its reduction believes them.
            ("NOREDUCE", _) => give(&["--reduce", "none", "--no-exclusive"]),
            ("XUSAFE", _) => give(&["--no-exclusive"]),
            ("BITSTATE", _) => {
                self.bitstate = true;
                give(&["--store", "bitstate"]);
            }
            ("HC" | "HC0" | "HC1" | "HC2" | "HC3" | "HC4", _) => {
                self.compact = true;
                give(&["--store", "compact"]);
            }
            ("BFS" | "BFS_PAR", _) => give(&["--search", "bfs"]),
            ("NP", _) => self.cycles = Cycles::NonProgress,
            ("NCORE", Some(cores)) => self.work_with(number(word, cores)?),
            ("MEMLIM", Some(megabytes)) => give(&["--max-memory", &format!("{}M", number(word, megabytes)?)]),
            _ if NEEDLESS.contains(&name) => {}
            _ => {
                return refuse(format!(
                    "{word}: isospin does not know this directive of SPIN's verifier; definitions for the model stand before -run"
                ));
            }
        }
        Ok(())
    }

    /// A run-time option.
    fn option(&mut self, word: &str) -> Outcome {
        let (letter, rest) = word[1..].split_at(word[1..].chars().next().map_or(0, char::len_utf8));
        let mut give = |words: &[&str]| self.options.extend(words.iter().map(|word| (*word).to_string()));
        match (letter, rest) {
            ("a", "") => self.cycles = Cycles::Acceptance,
            ("l", "") => self.cycles = Cycles::NonProgress,
            ("f", "") => {
                self.fair = true;
                give(&["--fairness", "weak"]);
            }
            ("c", "0") => give(&["--all-errors"]),
            ("c", "" | "1") => {}
            ("c", count) => {
                number(word, count)?;
                give(&["--all-errors"]);
                self.notes.push(format!("{word}: isospin ends at the first error or, as here, counts all"));
            }
            ("e", "") => {
                self.notes.push("-e: one trail is written, whatever the number of errors".into());
            }
            ("m", depth) => give(&["--max-depth", &number(word, depth)?]),
            ("w", bits) => {
                let bits: u32 =
                    number(word, bits)?.parse().map_err(|_| Misunderstood(format!("{word} is too large")))?;
                if self.bitstate && (13..=44).contains(&bits) {
                    give(&["--max-memory", &(1_u64 << (bits - 3)).to_string()]);
                }
            }
            ("k", "3") => {}
            ("k", count) => {
                number(word, count)?;
                self.notes.push(format!("{word}: isospin's bitstate search sets three bits"));
            }
            ("M", megabytes) => give(&["--max-memory", &format!("{}M", number(word, megabytes)?)]),
            ("G", gigabytes) => give(&["--max-memory", &format!("{}G", number(word, gigabytes)?)]),
            ("Q", minutes) => give(&["--max-time", &format!("{}m", number(word, minutes)?)]),
            ("u", cores) => self.work_with(number(word, cores)?),
            ("i" | "I", "") => give(&["--shortest"]),
            ("A", "") => {
                self.no_assertions = true;
                give(&["--no-assertions"]);
            }
            ("E", "") => self.no_end_states = true,
            ("n", "") => self.no_unreached = true,
            ("v", "") => self.verbose = true,
            // Where messages go, and a depth limit that is an error: past one, the exit code is 3.
            ("X" | "b", "") => {}
            ("h", _) => self.notes.push(format!("{word} changes the hash function of SPIN only")),
            _ => return refuse(unknown_to_us(word)),
        }
        Ok(())
    }
}

fn number(word: &str, digits: &str) -> Result<String, Misunderstood> {
    match digits.parse::<u64>() {
        Ok(_) => Ok(digits.to_string()),
        Err(_) => refuse(format!("{word}: a number is expected behind {}", &word[..word.len() - digits.len()])),
    }
}

/// What is said about options that have no counterpart.
fn unknown_to_us(word: &str) -> String {
    let advice = match word {
        "-A" => "slicing hints: see the warnings of `isospin check MODEL`",
        "-B" => "`isospin simulate` always shows the last state",
        "-C" | "-d" | "-dump" | "-x" => "`isospin show --automata MODEL` prints what was understood",
        "-M" => "`isospin simulate --msc FILE.svg MODEL` draws a message sequence chart",
        "-e" | "-L" => "each claim is verified by itself: `isospin verify MODEL`",
        "-ltl" => "it stands behind -run: `isospin spin -run -ltl NAME MODEL`",
        "-J" | "-O" | "-o6" | "-o7" => "the rules of SPIN 6.5 are the only ones",
        "-S1" | "-S2" => "nothing is generated, so nothing can be compiled in parts",
        "-r" | "-C1" => "`isospin spin -t -p MODEL` follows a trail",
        "-q" => "channels need not be empty in end states",
        "-link" => "nothing is compiled, so nothing can be linked",
        "-bcs" => "bounded context switching is not there; `isospin verify --max-depth` bounds a search",
        _ if word.starts_with("-P") => "the preprocessor is built in",
        _ if word.starts_with("-biterate") || word.starts_with("-swarm") => {
            "use -bitstate, or leave it out (the compressed exact store is the default); `isospin verify --store bitstate --swarm N` runs a swarm"
        }
        _ if word.starts_with("-q") => "messages of one channel cannot be hidden",
        _ => "`isospin spin --help` lists what is understood, docs/coming-from-spin.md has the table",
    };
    format!("option {word} is not understood: {advice}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(String::from).collect()
    }

    fn verification(line: &str) -> Verification {
        match read(&words(line)) {
            Ok(Job::Verify(verification)) => verification,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn options_behind_run_are_those_of_the_verifier() {
        let run = verification("-DN=3 -m -run -a -f -m1000 -DNOREDUCE -DVECTORSZ=4096 -c0 m.pml");
        assert_eq!(
            run.options,
            [
                "--fairness",
                "weak",
                "--max-depth",
                "1000",
                "--reduce",
                "none",
                "--no-exclusive",
                "--all-errors",
                "-D",
                "N=3",
                "-m"
            ]
        );
        assert_eq!((run.cycles, run.fair, run.model.as_str()), (Cycles::Acceptance, true, "m.pml"));
    }

    #[test]
    fn the_size_of_a_bit_field_is_memory() {
        assert_eq!(
            verification("-run -DBITSTATE -w23 m.pml").options,
            ["--store", "bitstate", "--max-memory", "1048576"]
        );
        assert!(verification("-run -w23 m.pml").options.is_empty());
    }

    #[test]
    fn a_formula_alone_is_translated_and_with_a_model_verified() {
        let alone = ["-f", "[] p"].map(String::from);
        assert_eq!(read(&alone), Ok(Job::Formula("[] p".into())));
        let with_model = ["-f", "<> p", "-run", "m.pml"].map(String::from);
        let Ok(Job::Verify(run)) = read(&with_model) else { panic!("a verification") };
        assert_eq!(run.options, ["--ltl", "!(<> p)"]);
    }

    #[test]
    fn a_claim_in_a_file_of_its_own_is_added() {
        let run = verification("-N claim.pml -run m.pml");
        assert_eq!((run.options, run.own_claim), (vec!["--claim".to_string(), "claim.pml".into()], true));
    }

    #[test]
    fn standard_input_is_a_model() {
        assert_eq!(verification("-run -").model, "-");
        assert_eq!(verification("-run -a -").model, "-");
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for line in
            ["-Q m.pml", "-run -zz m.pml", "-run -DFOO m.pml", "-nabc m.pml", "-run -mx m.pml", "-M m.pml", "-p", "-k"]
        {
            let error = read(&words(line)).expect_err(line).to_string();
            assert!(!error.is_empty(), "{line}");
        }
        assert!(read(&words("-run -bcs m.pml")).expect_err("refused").to_string().contains("-bcs"));
    }
}
