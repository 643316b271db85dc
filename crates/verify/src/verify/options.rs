//! How a model is verified.

use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use explore::Bounds;
use explore::search::Errors;
use machine::Machine;
use machine::claim::Fairness;
use machine::dead::DeadVariables;
use machine::gauge::Weighing;
use symmetry::Strategy;

use symmetry::orbits::Patience;

use super::checkpoint::Checkpoints;
use super::facts::Property;
use super::plan::{Given, Unusable};
use super::shorten::Shortening;
use super::stack::Weighings;

/// How a model is verified.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is verified.
    pub properties: Properties,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// What executes the model.
    pub engine: Engine,
    /// Where visited states are kept.
    pub store: Store,
    /// In which order states are visited.
    pub order: Order,
    /// What a directed search goes by.
    pub heuristic: Heuristic,
    /// How much the estimate counts in A*.
    pub weight: Weight,
    /// How many states of each level a beam keeps.
    pub width: NonZeroUsize,
    /// How many threads search.
    pub workers: NonZeroUsize,
    /// What happens when a violation is found.
    pub errors: Errors,
    /// What happens to the other properties when one is violated.
    pub after_violation: AfterViolation,
    /// When to give up.
    pub limits: Limits,
    /// Expand one process alone where that is enough.
    pub partial_order: Switch,
    /// Pass over chains of steps that matter to nobody else.
    pub merging: Switch,
    /// Set variables back whose value will not be read.
    pub dead: Switch,
    /// Keep one state of each orbit.
    pub symmetry: Symmetry,
    /// When a search begins again without symmetry; none: never.
    pub patience: Option<Patience>,
    /// When partial order and merging are switched off that leave out too little; not if the user insists on them.
    pub weighing: Weighing,
    /// Whether representatives are checked on the way.
    pub audit: Switch,
    /// What becomes of `hidden` variables.
    pub hidden: HiddenVariables,
    /// Whether deadlocks are violations.
    pub end_states: Switch,
    /// Shuffles the order in which successors are visited.
    pub seed: Option<u64>,
    /// With the bitstate store: so many searches, each with other hashes and another order.
    pub swarm: Option<NonZeroU32>,
    /// Where the search is saved.
    pub checkpoints: Option<Checkpoints>,
    /// The saved search to go on with.
    pub resume: Option<PathBuf>,
    /// Whether a reduced search that says "holds" is repeated without reductions.
    pub confirm: Confirm,
    /// Whether a verdict "holds" comes with a certificate. Then no reduction is used that its checker cannot justify.
    pub certificate: Switch,
    /// Whether a shorter run than the one that was found is looked for.
    pub shortening: Shortening,
    /// The options that the user has given: the report notes those that a search cannot use.
    pub given: Vec<Given>,
    /// What is done about an option that a search cannot do without and cannot use.
    pub unusable: Unusable,
}

/// Which properties of a model are verified.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Properties {
    /// Everything the model asks for.
    #[default]
    All,
    /// Assertions, run-time errors and end states.
    Safety,
    /// Those with these names, as reports have them.
    Named(Vec<String>),
}

impl Properties {
    /// Whether a property is among them.
    #[must_use]
    pub fn include(&self, property: &Property) -> bool {
        match self {
            Properties::All => true,
            Properties::Safety => *property == Property::Safety,
            Properties::Named(names) => names.iter().any(|each| each == property.name()),
        }
    }
}

/// What happens to the other properties when one is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AfterViolation {
    /// They are verified all the same.
    #[default]
    GoOn,
    /// Nothing more is verified, as SPIN has it.
    End,
}

/// What executes a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Native code made for the model.
    #[default]
    Compiled,
    /// The reference interpreter.
    Interpreter,
}

/// Where visited states are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Store {
    /// Lossless, sub-vectors shared.
    #[default]
    Tree,
    /// Lossless, as they are.
    Plain,
    /// A few bits for each: some states may be missed.
    Bitstate,
    /// A fingerprint for each: some states may be missed.
    Compact,
}

/// In which order states are visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Depth first.
    #[default]
    DepthFirst,
    /// Breadth first: counterexamples are shortest.
    BreadthFirst,
    /// A* where there is a lower bound that says something, otherwise breadth first: counterexamples are shortest.
    Shortest,
    /// Nearest first by an estimate.
    BestFirst,
    /// Nearest first by depth and estimate together.
    AStar,
    /// Breadth first, of each level the nearest only.
    Beam,
    /// Depth first up to a bound of depth and estimate together, which grows.
    Deepening,
    /// At random, by rare actions.
    Walk,
}

impl Order {
    /// Whether an estimate decides.
    #[must_use]
    pub fn is_directed(self) -> bool {
        matches!(self, Order::BestFirst | Order::AStar | Order::Beam | Order::Deepening)
    }

    /// Whether depth and estimate are added up, so that a lower bound gives a shortest run.
    #[must_use]
    pub fn adds_depth(self) -> bool {
        matches!(self, Order::AStar | Order::Deepening)
    }

    /// Whether a frontier decides which state comes next.
    #[must_use]
    pub fn has_frontier(self) -> bool {
        matches!(self, Order::BestFirst | Order::AStar | Order::Beam)
    }

    /// Whether all transitions out of a state are followed, whatever partial order would leave out.
    #[must_use]
    pub fn follows_all(self) -> bool {
        matches!(self, Order::Deepening | Order::Walk)
    }

    /// Whether shortest runs are wanted.
    #[must_use]
    pub fn is_shortest(self) -> bool {
        matches!(self, Order::BreadthFirst | Order::Shortest)
    }
}

/// What a directed search goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heuristic {
    /// What fits the property.
    #[default]
    Auto,
    /// The distance to a failing assertion.
    Assertions,
    /// The processes that can move.
    Active,
    /// The distance of every process to a location where it has to wait.
    Blocked,
    /// The distance to the goal.
    Goal,
    /// How far a claim is from accepting.
    Claim,
    /// How rare the locations of a state are.
    Coverage,
    /// A lower bound of the distance to any violation.
    Bound,
}

/// How much an estimate counts beside the depth in A*, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight(u32);

impl Weight {
    /// As much as the depth.
    pub const ONE: Weight = Weight(1000);

    /// A weight from 0 to 1,000,000; `None` for another number.
    #[must_use]
    pub fn new(weight: f64) -> Option<Weight> {
        (0.0..=1e6).contains(&weight).then(|| Weight((weight * 1000.0).round() as u32))
    }

    /// The weight as a number.
    #[must_use]
    pub fn number(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// The weighted sum of depth and estimate.
    pub(super) fn sum(self, depth: u64, estimate: u32) -> u64 {
        depth * u64::from(Weight::ONE.0) + u64::from(self.0) * u64::from(estimate)
    }
}

/// Whether something is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Switch {
    /// It is.
    #[default]
    On,
    /// It is not.
    Off,
}

/// Whether and how states are reduced to representatives of their orbits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// They are not.
    Off,
    /// By the group that is detected in the model.
    Detect(Strategy),
}

impl Default for Symmetry {
    fn default() -> Symmetry {
        Symmetry::Detect(Strategy::Exact)
    }
}

/// A reduction of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Expand one process alone where that is enough.
    PartialOrder,
    /// Pass over chains of steps that matter to nobody else.
    Merging,
    /// Set variables back whose value will not be read.
    DeadVariables,
    /// Keep one state of each orbit.
    Symmetry,
}

impl Reduction {
    /// Every reduction there is.
    pub const ALL: [Reduction; 4] =
        [Reduction::PartialOrder, Reduction::Merging, Reduction::DeadVariables, Reduction::Symmetry];

    /// What reports call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reduction::PartialOrder => "partial order",
            Reduction::Merging => "merging",
            Reduction::DeadVariables => "dead variables",
            Reduction::Symmetry => "symmetry",
        }
    }

    /// The option that switches it off.
    #[must_use]
    pub fn option_without(self) -> &'static str {
        match self {
            Reduction::PartialOrder => "--por off",
            Reduction::Merging => "--merge off",
            Reduction::DeadVariables => "--dead off",
            Reduction::Symmetry => "--symmetry off",
        }
    }
}

/// What becomes of `hidden` variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HiddenVariables {
    /// They are part of the state, like others: verdicts do not depend on the order of a search.
    #[default]
    Compared,
    /// States that differ in them only are one, the one found first, as in SPIN.
    Ignored,
}

/// Whether a reduced search that says "holds" is repeated without reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confirm {
    /// It is not. The default of the library, so that a test of a reduction sees what the reduction says.
    #[default]
    Off,
    /// A search that took little is, in about the same time again. The default of the command line.
    Auto,
    /// Every search is, within this time.
    Within(Duration),
}

/// When to give up.
#[derive(Clone, Debug)]
pub struct Limits {
    /// States farther than this are not expanded.
    pub depth: Option<u64>,
    /// So many states are enough.
    pub states: Option<u64>,
    /// So much time is enough for a property, its preparation included.
    pub time: Option<Duration>,
    /// Bytes that the store may use.
    pub memory: u64,
}

impl Limits {
    /// Those of the search itself.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds { max_depth: self.depth, max_states: self.states, max_time: self.time }
    }
}

impl Options {
    /// The same for a property whose verification began then: the time that was used up is not there for its search.
    pub(super) fn since(&self, start: Instant) -> Options {
        self.since_used(start.elapsed())
    }

    /// The same where so much of the time is used up.
    pub(super) fn since_used(&self, used: Duration) -> Options {
        let time = self.limits.time.map(|time| time.saturating_sub(used));
        Options { limits: Limits { time, ..self.limits.clone() }, ..self.clone() }
    }

    /// The same with these reductions only, as far as they were on, and nothing that outlives the search.
    pub(super) fn reduced_by(&self, reductions: &[Reduction]) -> Options {
        let kept = |reduction: Reduction, switch: Switch| match reductions.contains(&reduction) {
            true => switch,
            false => Switch::Off,
        };
        Options {
            partial_order: kept(Reduction::PartialOrder, self.partial_order),
            merging: kept(Reduction::Merging, self.merging),
            dead: kept(Reduction::DeadVariables, self.dead),
            symmetry: if reductions.contains(&Reduction::Symmetry) { self.symmetry } else { Symmetry::Off },
            patience: None,
            audit: Switch::Off,
            swarm: None,
            checkpoints: None,
            resume: None,
            confirm: Confirm::Off,
            certificate: Switch::Off,
            shortening: Shortening::Off,
            ..self.clone()
        }
    }

    /// The same for a search with a certificate, and the reductions that it does without because nobody could justify them to the checker.
    pub(super) fn certified(&self) -> (Options, Vec<Reduction>) {
        let switches = [
            (Reduction::PartialOrder, self.partial_order),
            (Reduction::Merging, self.merging),
            (Reduction::DeadVariables, self.dead),
        ];
        let unused = switches.into_iter().filter(|(_, switch)| *switch == Switch::On).map(|(each, _)| each).collect();
        let options = Options {
            partial_order: Switch::Off,
            merging: Switch::Off,
            dead: Switch::Off,
            hidden: HiddenVariables::Compared,
            patience: None,
            ..self.clone()
        };
        (options, unused)
    }

    /// Whether some reduction is on.
    pub(super) fn reduces(&self) -> bool {
        [self.partial_order, self.merging, self.dead].contains(&Switch::On) || self.symmetry != Symmetry::Off
    }

    /// When partial order and merging are switched off in mid-search; what the user asks for by its own option stays.
    pub(super) fn weighings(&self) -> Weighings {
        let of = |option: Given| if self.given.contains(&option) { Weighing::Never } else { self.weighing };
        Weighings { partial_order: of(Given::PartialOrder), merging: of(Given::Merging) }
    }

    /// The bytes of states that are not compared.
    pub(super) fn unmatched_bytes(&self, machine: &Machine) -> Vec<Range<usize>> {
        match self.hidden {
            HiddenVariables::Compared => Vec::new(),
            HiddenVariables::Ignored => machine::unmatched_bytes(machine),
        }
    }

    /// The variables that are to be set back where nobody will read them.
    #[must_use]
    pub fn dead_variables(&self, machine: &Machine) -> Option<DeadVariables> {
        match self.dead {
            Switch::On => DeadVariables::of(machine),
            Switch::Off => None,
        }
    }
}

/// How many states of each level a beam keeps unless told otherwise.
const BEAM_WIDTH: NonZeroUsize = NonZeroUsize::new(10_000).expect("it is not zero");

impl Default for Options {
    fn default() -> Options {
        Options {
            properties: Properties::All,
            fairness: Fairness::None,
            engine: Engine::default(),
            store: Store::default(),
            order: Order::default(),
            heuristic: Heuristic::default(),
            weight: Weight::ONE,
            width: BEAM_WIDTH,
            workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            errors: Errors::First,
            after_violation: AfterViolation::GoOn,
            limits: Limits::default(),
            partial_order: Switch::On,
            merging: Switch::On,
            dead: Switch::On,
            symmetry: Symmetry::default(),
            patience: Some(Patience::default()),
            weighing: Weighing::default(),
            audit: Switch::Off,
            hidden: HiddenVariables::Compared,
            end_states: Switch::On,
            seed: None,
            swarm: None,
            checkpoints: None,
            resume: None,
            confirm: Confirm::Off,
            certificate: Switch::Off,
            shortening: Shortening::Off,
            given: Vec::new(),
            unusable: Unusable::Refuse,
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: None, states: None, time: None, memory: memory_of_the_machine() / 5 * 4 }
    }
}

/// Memory that a machine is taken to have when it does not tell.
const ASSUMED_MEMORY: u64 = 4 << 30;

/// The memory of this machine, or of the container it runs in.
fn memory_of_the_machine() -> u64 {
    let from_kernel = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
    };
    let from_container = || std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse::<u64>().ok();
    let machine = from_kernel().unwrap_or(ASSUMED_MEMORY);
    from_container().map_or(machine, |container| container.min(machine))
}
