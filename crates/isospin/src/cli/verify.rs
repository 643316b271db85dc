//! `isospin verify`

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use isospin::verify::{Choice, Engine, Fairness, Heuristic, Order, Store, Switch, Weight};

use super::SourceArguments;

const EXAMPLES: &str = "\
Examples:
  isospin verify model.pml                        everything the file asks for
  isospin verify --shortest --html run.html model.pml
                                                  a shortest counterexample, as a page to step through
  isospin verify --ltl '[] (x < 3)' model.pml     the model's properties and one more
  isospin verify --ctl 'AG EF x == 0' model.pml    a formula about the tree of runs: x can always become 0 again
  isospin verify --search best-first model.pml    nearest states first: a violation of a large model, sooner
  isospin verify --goal 'x == 3' model.pml        a run that reaches such a state
  isospin verify --junit report.xml models/*.pml  several models, for a build server

Exit codes: 0 everything holds, 1 a violation was found, 2 bad input or usage, 3 incomplete, 130 interrupted; of several
models, the worst.";

/// `isospin verify`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct VerifyArguments {
    /// The models; `-` is standard input
    #[arg(value_name = "MODEL.pml", required = true)]
    pub models: Vec<PathBuf>,
    #[command(flatten)]
    pub source: SourceArguments,

    /// Only assertions and invalid end states, and what --ltl and --ctl ask for
    #[arg(long, conflicts_with = "claim", help_heading = "Properties")]
    pub safety: bool,
    /// Only the property of this name (repeatable): `safety`, an ltl block, a claim, `acceptance`, `non-progress`,
    /// `ctl_1` for the first --ctl
    #[arg(long, value_name = "NAME", conflicts_with = "safety", help_heading = "Properties")]
    pub property: Vec<String>,
    /// Whether these are names of reports, each of one property; those of users select all that is called so.
    #[arg(skip)]
    pub exact_names: bool,
    /// Whether options of another program are told in isospin's words: what cannot be used is noted, not refused.
    #[arg(skip)]
    pub is_translated: bool,
    /// Another formula to verify (repeatable); its atoms are Promela expressions
    #[arg(long, value_name = "FORMULA", help_heading = "Properties")]
    pub ltl: Vec<String>,
    /// A formula of computation tree logic to verify (repeatable): AX EX AF EF AG EG, A[p U q], E[p U q], W and R, ! && || -> <->; its
    /// atoms are Promela expressions
    #[arg(long, value_name = "FORMULA", help_heading = "Properties")]
    pub ctl: Vec<String>,
    /// A claim to verify (repeatable): an automaton in the Hanoi format whose propositions are Promela expressions, or a never
    /// claim, of which what it accepts must not happen; or `ltl` blocks, which must hold
    #[arg(long, value_name = "FILE", help_heading = "Properties")]
    pub claim: Vec<PathBuf>,
    /// A state to look for: an expression such as 'P[1]@critical && x > 3'. `reached` with a run that leads there, or `unreachable`; nothing else is
    /// verified unless asked for
    #[arg(long, value_name = "EXPRESSION", help_heading = "Properties")]
    pub goal: Option<String>,
    /// `weak`: only runs in which no process can move for ever and never does; `strong`: only those in which none can move again and
    /// again and never does any more
    #[arg(long, value_parser = choice::<Fairness>(), default_value = Fairness::None.word(), help_heading = "Properties")]
    pub fairness: Fairness,
    /// Do not count deadlocks as violations
    #[arg(long, help_heading = "Properties")]
    pub no_end_states: bool,
    /// Do not count failed assertions as violations: they are passed as if they held
    #[arg(long, help_heading = "Properties")]
    pub no_assertions: bool,
    /// Do not check `xr` and `xs`
    #[arg(long, help_heading = "Properties")]
    pub no_exclusive: bool,
    /// Keep going after a violation, and count all
    #[arg(long, help_heading = "Properties")]
    pub all_errors: bool,
    /// Find a shortest counterexample: a path searched for breadth first, or by A* where a lower bound of the distance is known, without
    /// partial order and merging unless asked for, or a cycle with the fewest transitions up to where it closes
    #[arg(long, help_heading = "Properties")]
    pub shortest: bool,

    /// Show the counterexample that was found first: do not look for a shorter one; so does --seed
    #[arg(long, conflicts_with = "shortest", help_heading = "Properties")]
    pub first: bool,

    /// `none` is SPIN's plain meaning to the state and transition, that of `hidden` included
    #[arg(long, value_enum, default_value_t = Reduce::All, help_heading = "Reductions")]
    pub reduce: Reduce,
    /// Expand one process alone where that is enough; `on` also where it saves little [default: as --reduce, while it pays]
    #[arg(long, value_parser = choice::<Switch>(), help_heading = "Reductions")]
    pub por: Option<Switch>,
    /// Pass over chains of steps that no other process notices; `on` also where it saves little [default: as --por, while it pays]
    #[arg(long, value_parser = choice::<Switch>(), help_heading = "Reductions")]
    pub merge: Option<Switch>,
    /// Set variables back that will not be read before they are written [default: as --reduce]
    #[arg(long, value_parser = choice::<Switch>(), help_heading = "Reductions")]
    pub dead: Option<Switch>,
    /// Keep one state of each orbit of the symmetry group [default: as --reduce]
    #[arg(long, value_enum, help_heading = "Reductions")]
    pub symmetry: Option<SymmetryKind>,
    /// Check on the way what reductions rest on: apply random symmetries to the states met, and compare what steps read and write with what
    /// is declared
    #[arg(long, help_heading = "Reductions")]
    pub audit: bool,
    /// Repeat a search that says `holds` without reductions: `auto` if it took little, within 50 ms more; a time such as 10s always, within
    /// it; `off` never
    #[arg(long, value_name = "auto|off|DURATION", value_parser = confirm, default_value = "auto", help_heading = "Reductions")]
    pub confirm: ConfirmKind,
    /// Use the symmetries in this file only; each is proven before it is used
    #[arg(long, value_name = "FILE", help_heading = "Reductions")]
    pub symmetry_file: Option<PathBuf>,

    /// The order in which states are visited [default: dfs; bfs or astar with --shortest]
    #[arg(long, value_parser = choice::<Order>(), help_heading = "Search")]
    pub search: Option<Order>,
    /// What a directed search goes by: an estimate of how far a state is from a violation or from the --goal [default: auto]
    #[arg(long, value_parser = choice::<Heuristic>(), help_heading = "Search")]
    pub heuristic: Option<Heuristic>,
    /// With --search astar and ida: how much the estimate counts beside the depth; above 1 a run is found sooner and may be longer [default: 1]
    #[arg(long, value_name = "W", value_parser = weight, help_heading = "Search")]
    pub weight: Option<Weight>,
    /// With --search beam: how many states of each level are kept [default: 10000]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>, help_heading = "Search")]
    pub width: Option<NonZeroUsize>,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroUsize>, help_heading = "Search")]
    pub workers: Option<NonZeroUsize>,
    /// Where visited states are kept: `bitstate` and `compact` may miss some, and say how many (assertions and end states only) [default: tree]
    #[arg(long, value_parser = choice::<Store>(), help_heading = "Search")]
    pub store: Option<Store>,
    /// Visit successors, or take random walks, in an order that follows from this number; with --workers 1 the search can be repeated exactly
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub seed: Option<u64>,
    /// With --store bitstate: N searches, each with other hashes and another order, that miss different states
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU32>, help_heading = "Search")]
    pub swarm: Option<NonZeroU32>,
    /// What executes the model
    #[arg(long, value_parser = choice::<Engine>(), default_value = Engine::Compiled.word(), help_heading = "Search")]
    pub engine: Engine,
    /// Messages sent to full channels are lost instead of waiting
    #[arg(short = 'm', long = "lossy", help_heading = "Search")]
    pub lossy: bool,

    /// Compile the model's embedded C with the C compiler of this machine, and run it
    #[arg(long, help_heading = "Search")]
    pub allow_c: bool,

    /// Do not expand states farther than this from the initial state
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u64>,
    /// End when so many states are stored
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<u64>,
    /// Memory for states, stacks and queues, such as 800M or 4G [default: 80 % of the machine]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// End after so long, such as 30s, 5m or 2h
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Limits")]
    pub max_time: Option<Duration>,

    /// Save the search for assertions and end states there now and then, and when it is interrupted or a limit of states or time is
    /// reached
    #[arg(long, value_name = "FILE", help_heading = "Long runs")]
    pub checkpoint: Option<PathBuf>,
    /// How often it is saved, such as 30s, 5m or 2h [default: 10m]
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Long runs")]
    pub checkpoint_interval: Option<Duration>,
    /// Go on with a saved search of the same model and options, and go on saving it there [--checkpoint: elsewhere]
    #[arg(long, value_name = "FILE", help_heading = "Long runs")]
    pub resume: Option<PathBuf>,

    /// Where the counterexample goes [default: MODEL.trace.json]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<PathBuf>,
    /// Print the report as one JSON document (schema isospin.report/1; isospin.reports/1 for several models)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Write the report as one page for a browser: chart, steps beside the source, symmetry, unreached code
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Write the verdicts as JUnit XML, which build servers read
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub junit: Option<PathBuf>,
    /// Write violations, and what is suspicious in the text, as SARIF, which code hosts show beside changes
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub sarif: Option<PathBuf>,
    /// Write which statements and options of selections were executed, as LCOV, which editors show beside the source
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub lcov: Option<PathBuf>,
    /// Write a certificate of what holds, which `isospin-certify MODEL FILE` checks by executing the model itself. Of the reductions only symmetries
    /// are used that it can prove (assertions and end states only)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,
    /// Show how far a long search is, on standard error
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto, help_heading = "Output")]
    pub progress: ProgressKind,
}

/// Which reductions are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Reduce {
    /// Every one that the model and the property allow
    All,
    /// None
    None,
}

/// How states are reduced to representatives of their orbits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SymmetryKind {
    /// Detect the group, and use exact representatives when it is not trivial and they pay
    Auto,
    /// No symmetry
    Off,
    /// One representative for each orbit
    Exact,
    /// Sort without looking at references (approximate)
    Fast,
    /// Try all elements of the group
    Enumerate,
    /// Partition, then enumerate
    Segmented,
    /// Descend along generators (approximate)
    LocalSearch,
    /// Sort by exchanges (approximate)
    Sort,
}

/// When a search that says `holds` is repeated without reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConfirmKind {
    /// When it took little.
    Auto,
    /// Never.
    Off,
    /// Always, within this time.
    Within(Duration),
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ProgressKind {
    /// A line on a terminal, nothing in a pipe
    Auto,
    /// A JSON object each second
    Json,
    /// Nothing
    Off,
}

/// A value by its word.
fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let values = C::TABLE.iter().map(|(_, word, about)| PossibleValue::new(*word).help(*about));
    PossibleValuesParser::new(values).map(|word| C::of_word(&word).expect("only words of the table are accepted"))
}

fn at_least_one<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "a whole number from 1 on is expected".to_string())
}

/// A number from 0 on.
fn weight(text: &str) -> Result<Weight, String> {
    text.parse().ok().and_then(Weight::new).ok_or_else(|| "a number from 0 to 1000000 is expected".to_string())
}

/// `auto`, `off` or a time.
fn confirm(text: &str) -> Result<ConfirmKind, String> {
    match text {
        "auto" => Ok(ConfirmKind::Auto),
        "off" => Ok(ConfirmKind::Off),
        time => match duration(time) {
            Ok(time) => Ok(ConfirmKind::Within(time)),
            Err(_) => Err("auto, off or a time such as 10s is expected".into()),
        },
    }
}

/// `800M`, `4G`, `1000000`: powers of 1024.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        unit => return Err(format!("unknown unit {unit}; K, M, G and T are known")),
    };
    let number: f64 = digits.parse().map_err(|_| "a number and a unit are expected, such as 4G".to_string())?;
    let bytes = number * (1_u64 << shift) as f64;
    match bytes {
        below if below < 1.0 => Err("more than nothing is needed, such as 800M or 4G".into()),
        above if above >= u64::MAX as f64 => Err("no machine has so much".into()),
        bytes => Ok(bytes as u64),
    }
}

/// `30s`, `5m`, `2h`, `1.5`: seconds without a unit.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        unit => return Err(format!("unknown unit {unit}; ms, s, m, h and d are known")),
    };
    let number: f64 = digits.parse().map_err(|_| "a number and a unit are expected, such as 30s".to_string())?;
    if number < 0.0 {
        return Err("a time cannot be negative".into());
    }
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "nobody waits so long".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_have_units() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size("77"), Ok(77));
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(["", "G", "0", "-4G", "4Q", "1e300G"].iter().all(|text| size(text).is_err()));
        assert!(["", "s", "-1s", "3x", "1e300d"].iter().all(|text| duration(text).is_err()));
    }
}
