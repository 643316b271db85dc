//! The search without reductions against the same search with every set of them.
//!
//! What is asked is what users ask: [`isospin::verify::verify`]. The verdict must be the same, and what goes wrong with reductions must go wrong when
//! the run is executed again.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};

use automata::ctl;
use isospin::report::reason;
use isospin::verify::{
    Branching, Engine, Fairness, Finding, Job, Limits, Options, Progress, Properties, Strategy, Switch, Symmetry,
    Verdict, verify,
};
use machine::Machine;
use machine::gauge::Weighing;
use machine::replay::{self, Replay};
use machine::trace::{Origin, Trace};

use crate::liveness::Watched;

/// A set of reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    /// Partial order.
    pub partial_order: Switch,
    /// Chains of steps that matter to nobody else are passed over.
    pub merging: Switch,
    /// Dead variables are set back.
    pub dead: Switch,
    /// One state of each orbit.
    pub symmetry: Switch,
}

impl Reductions {
    /// None at all.
    pub const NONE: Reductions =
        Reductions { partial_order: Switch::Off, merging: Switch::Off, dead: Switch::Off, symmetry: Switch::Off };

    /// What is used unless something else is asked for.
    pub const ALL: Reductions =
        Reductions { partial_order: Switch::On, merging: Switch::On, dead: Switch::On, symmetry: Switch::On };

    /// Every set but the empty one, those of one reduction first.
    #[must_use]
    pub fn sets() -> Vec<Reductions> {
        let switch = |on: bool| if on { Switch::On } else { Switch::Off };
        let mut numbers: Vec<u32> = (1..16).collect();
        numbers.sort_by_key(|number| number.count_ones());
        let set = |number: u32| Reductions {
            partial_order: switch(number & 1 != 0),
            merging: switch(number & 2 != 0),
            dead: switch(number & 4 != 0),
            symmetry: switch(number & 8 != 0),
        };
        numbers.into_iter().map(set).collect()
    }

    /// The options of the command line that use these and no others.
    #[must_use]
    pub fn arguments(self) -> String {
        let all = [
            ("--por", self.partial_order),
            ("--merge", self.merging),
            ("--dead", self.dead),
            ("--symmetry", self.symmetry),
        ];
        let off: Vec<String> =
            all.iter().filter(|(_, switch)| *switch == Switch::Off).map(|(name, _)| format!("{name} off")).collect();
        if off.is_empty() { "by default".to_string() } else { off.join(" ") }
    }
}

/// What is asked about a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Whether something goes wrong or comes to rest where it may not.
    Safety,
    /// A property of its infinite runs.
    Infinite(Watched),
    /// A formula about the tree of its runs.
    Branching(String),
}

/// What is asked, ready to be answered.
#[derive(Clone, Debug)]
pub struct Question {
    /// The model.
    pub machine: Arc<Machine>,
    property: Property,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// What executes the model.
    pub engine: Engine,
    /// Models with more states are not compared.
    pub states: u64,
}

#[derive(Clone, Debug)]
enum Property {
    Safety,
    /// As reports name it.
    Infinite(String),
    Branching(Branching),
}

impl Question {
    /// A question about a model that one engine executes; about one with more than `states` states nothing is said.
    ///
    /// # Errors
    /// When the front end refuses the model, or the formula is none.
    pub fn new(text: &str, asked: &Asked, fairness: Fairness, engine: Engine, states: u64) -> Result<Question, String> {
        let (machine, property) = match asked {
            Asked::Safety => (lowered(text)?, Property::Safety),
            Asked::Infinite(property) => {
                let machine = lowered(text)?;
                let name = property.reported_name(&machine);
                (machine, Property::Infinite(name))
            }
            Asked::Branching(formula) => {
                let formula = ctl::parse(formula).map_err(|error| error.message)?;
                let mut text = text.to_string();
                for (number, proposition) in formula.propositions.iter().enumerate() {
                    let _ = write!(text, "\nltl atom_{number} {{ ({}) }}", proposition.text);
                }
                let mut machine = lowered(&text)?;
                let properties = std::mem::take(&mut machine.ltl).into_iter();
                let atoms = properties.filter_map(|property| property.proposition).collect();
                (machine, Property::Branching(Branching { name: "tree".into(), formula, atoms }))
            }
        };
        Ok(Question { machine: Arc::new(machine), property, fairness, engine, states })
    }

    /// The sets of reductions that can change the answer. Only symmetries keep the tree of runs.
    fn sets(&self) -> Vec<Reductions> {
        match self.property {
            Property::Branching(_) => vec![Reductions { symmetry: Switch::On, ..Reductions::NONE }, Reductions::ALL],
            Property::Safety | Property::Infinite(_) => Reductions::sets(),
        }
    }
}

fn lowered(text: &str) -> Result<Machine, String> {
    let loaded = promela::load_text("model.pml", text, &promela::Options::default());
    let errors = || loaded.diagnostics.iter().filter(|each| each.is_error());
    let messages = || errors().map(|each| each.message.as_str()).collect::<Vec<_>>().join("; ");
    loaded.model.as_ref().map(machine::lower).ok_or_else(messages)
}

/// What a comparison came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The verdict is the same with every set of reductions.
    Equal {
        /// Whether something is wrong.
        violated: bool,
        /// Whether there was a symmetry to use.
        symmetric: bool,
    },
    /// There is no verdict without reductions, and why.
    NotComparable(String),
    /// Some set of reductions changes it.
    Different(Difference),
}

/// A verdict that reductions change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// With these.
    pub reductions: Reductions,
    /// The verdict without reductions.
    pub plain: String,
    /// The verdict with them.
    pub reduced: String,
}

/// They ask the system about its memory and processors, which takes as long as a small search.
static DEFAULT: LazyLock<Options> = LazyLock::new(Options::default);
/// A search with reductions may see other states before the first violation.
const MORE_STATES: u64 = 10;
/// Bytes for the states of a search.
const MEMORY: u64 = 1 << 26;

/// Which sets of reductions are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sets {
    /// Every one.
    Every,
    /// Those that are used by default, and two of the others: which, follows from a number.
    Some(u64),
}

/// Compares the search without reductions with sets of them.
#[must_use]
pub fn compare(question: &Question, sets: Sets) -> Outcome {
    let plain = match plain(question) {
        Ok(finding) => finding,
        Err(reason) => return Outcome::NotComparable(reason),
    };
    // Where no symmetry is found, the rest of the search does not change; what is found depends on dead variables alone.
    let mut without = Vec::new();
    let mut symmetric = false;
    for (number, reductions) in (0..).zip(question.sets()) {
        let tried = match sets {
            Sets::Every => true,
            // Mixed, since models of one family have numbers at equal distances.
            Sets::Some(which) => {
                let mixed = which.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
                reductions == Reductions::ALL || (mixed + number) % 7 == 0
            }
        };
        if !tried {
            continue;
        }
        let (on, alone) = (reductions.symmetry == Switch::On, [reductions.partial_order, reductions.merging]);
        if on && without.contains(&reductions.dead) {
            continue;
        }
        match against(question, &plain, reductions, Weighing::Never) {
            Ok(found) => {
                symmetric |= found.symmetry.is_some();
                if on && found.symmetry.is_none() && alone == [Switch::Off; 2] {
                    without.push(reductions.dead);
                }
            }
            Err(outcome) => return outcome,
        }
    }
    // In searches for safety partial order and merging may be switched off and on again at any state.
    let seed = plain.counts.states.wrapping_mul(31).wrapping_add(plain.counts.matched);
    let switched = match question.property {
        Property::Safety => &[Reductions::ALL, Reductions { symmetry: Switch::Off, ..Reductions::ALL }][..],
        Property::Infinite(_) | Property::Branching(_) => &[],
    };
    for &reductions in switched {
        if let Err(outcome) = against(question, &plain, reductions, Weighing::Random(seed)) {
            return outcome;
        }
    }
    Outcome::Equal { violated: plain.verdict == Verdict::Violated, symmetric }
}

/// Compares the search without reductions with one set of them.
#[must_use]
pub fn compare_with(question: &Question, reductions: Reductions) -> Outcome {
    let found = plain(question).map_err(Outcome::NotComparable);
    let found = found.and_then(|plain| Ok((against(question, &plain, reductions, Weighing::Never)?, plain)));
    match found {
        Ok((reduced, plain)) => {
            Outcome::Equal { violated: plain.verdict == Verdict::Violated, symmetric: reduced.symmetry.is_some() }
        }
        Err(outcome) => outcome,
    }
}

/// The finding without reductions; or why there is none that others can be compared with.
fn plain(question: &Question) -> Result<Finding, String> {
    let finding = search(question, Reductions::NONE, Weighing::Never, question.states)?;
    match &finding.verdict {
        Verdict::Unknown(cause) => Err(reason(cause)),
        Verdict::Holds | Verdict::Violated => Ok(finding),
    }
}

/// The finding with a set of reductions if it agrees with the one without any.
fn against(
    question: &Question,
    plain: &Finding,
    reductions: Reductions,
    weighing: Weighing,
) -> Result<Finding, Outcome> {
    let differs = |reduced: String| Outcome::Different(Difference { reductions, plain: in_words(plain), reduced });
    let reduced = search(question, reductions, weighing, question.states * MORE_STATES)
        .map_err(|reason| differs(format!("refused: {reason}")))?;
    match &reduced.verdict {
        Verdict::Unknown(cause) if reduced.counts.states >= question.states * MORE_STATES => {
            return Err(Outcome::NotComparable(format!("with reductions: {}", reason(cause))));
        }
        verdict if *verdict != plain.verdict => return Err(differs(in_words(&reduced))),
        Verdict::Unknown(_) | Verdict::Holds => return Ok(reduced),
        Verdict::Violated => {}
    }
    let Some(trace) = &reduced.counterexample else {
        // Why a formula about the tree does not hold is told by a tree.
        let told = matches!(question.property, Property::Branching(_));
        return if told { Ok(reduced) } else { Err(differs("violated, without a counterexample".into())) };
    };
    if let Err(reason) = confirm(&question.machine, trace) {
        return Err(differs(format!("{}, which is not confirmed: {reason}", in_words(&reduced))));
    }
    Ok(reduced)
}

fn search(question: &Question, reductions: Reductions, weighing: Weighing, states: u64) -> Result<Finding, String> {
    let Reductions { partial_order, merging, dead, symmetry } = reductions;
    let mut job = Job {
        machine: question.machine.clone(),
        origin: Origin::default(),
        progress: Arc::new(Progress::new()),
        declared: None,
        branching: Vec::new(),
        goal: None,
        planted_fault: None,
    };
    let name = match &question.property {
        Property::Safety => "safety".to_string(),
        Property::Infinite(name) => name.clone(),
        Property::Branching(formula) => {
            job.branching.push(formula.clone());
            formula.name.clone()
        }
    };
    let options = Options {
        properties: Properties::Named(vec![name.clone()]),
        fairness: question.fairness,
        engine: question.engine,
        workers: NonZeroUsize::MIN,
        partial_order,
        merging,
        dead,
        symmetry: if symmetry == Switch::On { Symmetry::Detect(Strategy::Exact) } else { Symmetry::Off },
        patience: None,
        weighing,
        limits: Limits { depth: None, states: Some(states), time: None, memory: MEMORY },
        ..DEFAULT.clone()
    };
    let findings = verify(&job, &options).map_err(|refusal| refusal.reason)?;
    // A run that ends in an error is found on the way.
    findings
        .into_iter()
        .find(|finding| finding.property.name() == name)
        .ok_or_else(|| "there is no finding".to_string())
}

/// Executes a counterexample again.
///
/// # Errors
/// When it is no run of the model, or violates nothing.
pub fn confirm(machine: &Machine, trace: &Trace) -> Result<(), String> {
    let mut replay = Replay::new(machine, trace).map_err(|mismatch| mismatch.to_string())?;
    while replay.step().map_err(|mismatch| mismatch.to_string())?.is_some() {}
    match replay.verdict() {
        replay::Verdict::Confirmed { .. } => Ok(()),
        replay::Verdict::NotConfirmed { reason } => Err(reason),
    }
}

fn in_words(finding: &Finding) -> String {
    match &finding.verdict {
        Verdict::Holds => "holds".to_string(),
        Verdict::Unknown(cause) => format!("unknown: {}", reason(cause)),
        Verdict::Violated => match &finding.counterexample {
            Some(trace) => format!("violated: {}", trace.end.message),
            None => "violated".to_string(),
        },
    }
}
