//! What is known about a property and a search, as data. Words for it are made by [`crate::report`].

use std::fmt;
use std::path::PathBuf;

use machine::claim::Fairness;

use super::options::{Engine, Heuristic, HiddenVariables, Order, Store};
use super::plan::Kind;

/// What is verified.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// Assertions, run-time errors and end states.
    Safety,
    /// Something about infinite runs: a formula, a claim, or labels; the name by which reports call it.
    InfiniteRuns(String),
    /// A formula about the tree of runs, and its name.
    Tree(String),
    /// A state that some run should reach.
    Goal,
}

impl Property {
    /// The name by which users call it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Property::Safety => "safety",
            Property::Goal => "goal",
            Property::InfiniteRuns(name) | Property::Tree(name) => name,
        }
    }

    /// What kind of property it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Property::Safety => Kind::Safety,
            Property::InfiniteRuns(_) => Kind::InfiniteRuns,
            Property::Tree(_) => Kind::Tree,
            Property::Goal => Kind::Goal,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a property is not decided.
#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    /// The search ended at the first violation.
    Violation,
    /// Some states lie deeper than the limit.
    Depth {
        /// The limit.
        limit: u64,
    },
    /// Some states were dropped by a beam.
    Dropped {
        /// How many states of each level it keeps.
        width: usize,
    },
    /// States were visited at random.
    Walked,
    /// The limit of states was reached.
    States,
    /// The time was up.
    Time,
    /// The memory is full.
    Memory(Full),
    /// The user ended it.
    Interrupted {
        /// What a later run can go on from.
        checkpoint: Option<PathBuf>,
    },
    /// What was to be resumed makes no sense.
    Damaged,
    /// States are told apart approximately.
    Approximate {
        /// The part of the states that may have been missed.
        missed: f64,
        /// Bits for each state.
        hash_factor: f64,
    },
    /// The reference interpreter does not follow `atomic` sequences for ever.
    CutAtomic,
    /// A run that never leaves an `atomic` sequence has no states that a claim could look at.
    EndlessAtomic,
    /// Fairness has an acceptance set for each process, and there are not that many.
    Crowded,
    /// A run that ends in an error is judged by nobody: it is not infinite, and what would have come is not known.
    EndsInError,
    /// The audit found a mistake in a reduction.
    AuditFailed,
    /// The states that a search went through are not closed under steps: it has left something out, which is a mistake of isospin.
    NotCertified {
        /// What is missing.
        error: String,
    },
    /// No claim can be made of a property.
    Claim {
        /// The property's kind.
        kind: Kind,
        /// What is wrong with it.
        error: String,
    },
    /// The propositions of a formula have no value in some state.
    Unevaluable {
        /// What is wrong there.
        error: String,
    },
    /// A violation was found that does not stand up to being executed again.
    Doubtful {
        /// What became of it.
        doubt: Doubt,
        /// If `hidden` variables are not compared, that may be the reason; otherwise it is a mistake of isospin.
        hidden: HiddenVariables,
    },
    /// Nobody waited any longer.
    Late {
        /// Why not.
        because: Impatience,
        /// What was at hand.
        during: During,
    },
}

/// What memory is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// That for states.
    States,
    /// That for the path of a search.
    Path,
}

/// What became of a violation when it was executed again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The reference interpreter cannot follow it.
    Unfollowable(String),
    /// The stored cycle is no run of the model.
    NoRun,
    /// The run is not fair to a process.
    Unfair(String),
    /// The run violates nothing.
    NoViolation(String),
    /// The evidence for a formula about the tree is no run of the model.
    NoTree,
}

/// Why nobody waited any longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impatience {
    /// The user interrupted it.
    Interrupted,
    /// The time was up.
    Time,
    /// Memory ran out.
    Memory,
}

/// What was at hand when nobody waited any longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum During {
    /// The model was read.
    Reading,
    /// The model was prepared, or a single state took too long.
    Preparing,
    /// The run that shows a violation was worked out.
    Telling,
    /// What else the search had found was worked out.
    Finishing,
}

impl Cause {
    /// Whether the user ended it.
    #[must_use]
    pub fn is_interruption(&self) -> bool {
        matches!(self, Cause::Interrupted { .. } | Cause::Late { because: Impatience::Interrupted, .. })
    }
}

/// How a property was verified.
#[derive(Clone, PartialEq, Debug)]
pub struct Method {
    /// In which order states were visited.
    pub search: Search,
    /// By how many workers.
    pub workers: usize,
    /// How states were kept, if they were.
    pub store: Option<Store>,
    /// What executed the model; none if it is of another language.
    pub engine: Option<Engine>,
    /// The states of the claim beside the system, if there was one that decides anything.
    pub claim_states: Option<usize>,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// What shuffled the successors.
    pub seed: Option<u64>,
    /// Bits for each state, in an approximate store.
    pub hash_factor: Option<f64>,
    /// If it is the best of several searches: of how many.
    pub searches: Option<u32>,
}

/// What is known of a search beside its counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Course {
    /// The order in which states were visited.
    pub order: Order,
    /// The estimates that decided about it.
    pub heuristics: Vec<Heuristic>,
    /// How much they count beside the depth, in A* and iterative deepening.
    pub weight: Option<f64>,
    /// How often a state was expanded.
    pub expanded: u64,
    /// How many successors were found.
    pub generated: u64,
    /// The transitions of the run that was found.
    pub length: Option<u64>,
    /// Whether it is a shortest one.
    pub optimal: Optimal,
    /// The estimate of the initial state.
    pub initial_estimate: Option<u32>,
    /// The length of the run that was found first, if a shorter one took its place.
    pub shortened_from: Option<usize>,
    /// How many iterations there were, in iterative deepening.
    pub iterations: Option<u64>,
    /// What random walks came to.
    pub walks: Option<Walks>,
}

/// What random walks came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walks {
    /// How many there were.
    pub count: u64,
    /// The transitions that were taken.
    pub steps: u64,
    /// The statements that were executed.
    pub executed: u64,
    /// All statements.
    pub statements: u64,
}

/// Whether a run is a shortest one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimal {
    /// No run has fewer transitions.
    Proved,
    /// There may be a shorter one, or there is no run.
    No,
}

/// An order of search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// Deep first.
    DepthFirst,
    /// Near states first.
    BreadthFirst,
    /// Nearest states first.
    BestFirst,
    /// Nearest states by depth and estimate first.
    AStar,
    /// Of each level the nearest states.
    Beam,
    /// Deep first up to a bound, which grows.
    Deepening,
    /// At random.
    Walk,
    /// Strongly connected components on the fly.
    Components,
    /// The graph of all states first.
    WholeGraph,
}
