//! Which option is used for which kind of property: one table, consulted before any search.
//!
//! An option that a search cannot use is refused where the verdict would be another than was asked for, and noted in the report where it would
//! only have been a matter of time, of order or of more evidence. So no option is ignored without a word.

use super::choice::Choice as _;
use super::engine::Refusal;
use super::facts::Property;
use super::notice::Notice;
use super::options::{Heuristic, Options, Order, Store, Switch, Symmetry};
use machine::claim::Fairness;

/// The kinds of properties, by how they are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Assertions, run-time errors and end states.
    Safety,
    /// Formulas of linear time, claims, accept and progress labels.
    InfiniteRuns,
    /// Formulas about the tree of runs.
    Tree,
    /// A state to be reached.
    Goal,
}

/// An option that the user has given, and that some searches cannot use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// `--store`
    Store,
    /// `--search`
    Search,
    /// `--heuristic`
    Heuristic,
    /// `--weight`
    Weight,
    /// `--width`
    Width,
    /// `--shortest`
    Shortest,
    /// `--seed`
    Seed,
    /// `--workers`
    Workers,
    /// `--all-errors`
    AllErrors,
    /// `--por`
    PartialOrder,
    /// `--merge`
    Merging,
    /// `--dead`
    DeadVariables,
    /// `--symmetry`
    Symmetry,
    /// `--audit`
    Audit,
    /// `--fairness`
    Fairness,
    /// `--no-end-states`
    NoEndStates,
    /// `--checkpoint` and `--resume`
    Checkpoints,
    /// `--confirm`
    Confirm,
}

impl Given {
    /// Every option of the table.
    pub const ALL: [Given; 18] = [
        Given::Store,
        Given::Search,
        Given::Heuristic,
        Given::Weight,
        Given::Width,
        Given::Shortest,
        Given::Seed,
        Given::Workers,
        Given::AllErrors,
        Given::PartialOrder,
        Given::Merging,
        Given::DeadVariables,
        Given::Symmetry,
        Given::Audit,
        Given::Fairness,
        Given::NoEndStates,
        Given::Checkpoints,
        Given::Confirm,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Given::Store => "--store",
            Given::Search => "--search",
            Given::Heuristic => "--heuristic",
            Given::Weight => "--weight",
            Given::Width => "--width",
            Given::Shortest => "--shortest",
            Given::Seed => "--seed",
            Given::Workers => "--workers",
            Given::AllErrors => "--all-errors",
            Given::PartialOrder => "--por",
            Given::Merging => "--merge",
            Given::DeadVariables => "--dead",
            Given::Symmetry => "--symmetry",
            Given::Audit => "--audit",
            Given::Fairness => "--fairness",
            Given::NoEndStates => "--no-end-states",
            Given::Checkpoints => "--checkpoint",
            Given::Confirm => "--confirm",
        }
    }
}

/// What is done about an option that a search cannot use and without which the verdict would be another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unusable {
    /// The verification is refused.
    #[default]
    Refuse,
    /// The report notes it, for command lines of other programs.
    Note,
}

/// Why an option is not used for a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuitable {
    /// Its states are always kept in the tree store.
    TreeStoreOnly,
    /// Only assertions and end states can be searched approximately.
    Approximate,
    /// The graph of all states is made, in an order of its own.
    WholeGraph,
    /// The evidence need not be shortest.
    AnyEvidence,
    /// Its search has an order of its own.
    OwnOrder,
    /// That order of search finds no cycles.
    FindsNoCycles,
    /// Searches for infinite runs go by the claim.
    ClaimDecides,
    /// It is for claims about infinite runs.
    ClaimsOnly,
    /// No estimate decides about the order of the search.
    NotDirected,
    /// Only where depth and estimate are added up one of them has a weight.
    OnlyWithDepth,
    /// Only a beam has a width.
    OnlyBeam,
    /// Every transition is followed in this order.
    EveryTransition,
    /// Random walks store nothing and prove nothing.
    WalksProveNothing,
    /// It would leave out or pass over states that are looked for.
    EveryState,
    /// An estimate decides, and one worker searches.
    OneWorkerForOrder,
    /// With strong fairness one worker searches.
    OneWorkerForStrongFairness,
    /// One worker searches.
    OneWorker,
    /// Its search ends at the first violation.
    FirstViolation,
    /// The formula is evaluated in the initial state only.
    InitialStateOnly,
    /// The reduction keeps every run, but not the tree of runs.
    KeepsRunsOnly,
    /// Only searches for assertions and end states are audited.
    SafetyAudited,
    /// It is about infinite runs, and none is asked about.
    InfiniteRunsOnly,
    /// End states are not looked at.
    EndStatesIrrelevant,
    /// Only searches for assertions and end states are saved.
    SafetySaved,
    /// It needs a Promela model.
    PromelaOnly,
    /// A search that is saved is not repeated.
    SavedOnce,
    /// Every reduction is switched off.
    NotReduced,
}

/// Whether a search uses an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// It is used.
    Used,
    /// It is not used, and why.
    Unused(Unsuitable),
    /// It cannot be done without, and why.
    Impossible(Unsuitable),
}

/// The table: whether the search of a property uses an option.
fn usage(option: Given, kind: Kind, options: &Options) -> Use {
    use Kind::{Goal, InfiniteRuns, Safety, Tree};
    use Unsuitable::{
        AnyEvidence, Approximate, ClaimDecides, ClaimsOnly, EndStatesIrrelevant, EveryState, EveryTransition,
        FindsNoCycles, FirstViolation, InfiniteRunsOnly, InitialStateOnly, KeepsRunsOnly, NotDirected, NotReduced,
        OneWorker, OneWorkerForOrder, OneWorkerForStrongFairness, OnlyBeam, OnlyWithDepth, OwnOrder, SafetyAudited,
        SafetySaved, SavedOnce, TreeStoreOnly, WalksProveNothing, WholeGraph,
    };
    use Use::{Impossible, Unused, Used};
    let order = options.order;
    match (option, kind) {
        (Given::Store | Given::Confirm, Safety | Goal) if order == Order::Walk => Unused(WalksProveNothing),
        (Given::Symmetry, Safety | Goal) if order == Order::Walk && options.symmetry != Symmetry::Off => {
            Unused(WalksProveNothing)
        }
        (Given::Symmetry, _) => Used,
        (Given::DeadVariables, Safety) if order == Order::Walk && options.dead == Switch::On => {
            Unused(WalksProveNothing)
        }
        (Given::Audit, Safety) if order == Order::Walk => Unused(WalksProveNothing),
        (Given::PartialOrder, Safety) if order.follows_all() && options.partial_order == Switch::On => {
            Unused(EveryTransition)
        }
        (Given::Merging, Safety) if order.follows_all() && options.merging == Switch::On => Unused(EveryTransition),
        (Given::AllErrors, Safety) if order.follows_all() => Unused(FirstViolation),
        (Given::Store, Safety | Goal) => Used,
        (Given::Store, InfiniteRuns | Tree) => match options.store {
            Store::Tree => Used,
            Store::Plain => Unused(TreeStoreOnly),
            Store::Bitstate | Store::Compact => Impossible(Approximate),
        },
        (Given::Search, InfiniteRuns) if order == Order::Deepening || order == Order::Walk => Unused(FindsNoCycles),
        (Given::Search, InfiniteRuns) if order.has_frontier() && options.fairness == Fairness::Strong => {
            Unused(OwnOrder)
        }
        (Given::Heuristic, InfiniteRuns) if order.has_frontier() => match options.heuristic {
            Heuristic::Auto | Heuristic::Claim => Used,
            _ => Unused(ClaimDecides),
        },
        (Given::Weight, InfiniteRuns) if order == Order::AStar => Used,
        (Given::Width, InfiniteRuns) if order == Order::Beam => Used,
        (Given::Workers, InfiniteRuns) if order.has_frontier() => Unused(OneWorkerForOrder),
        (Given::PartialOrder, InfiniteRuns) if order.has_frontier() && options.partial_order == Switch::On => {
            Unused(EveryTransition)
        }
        (Given::Merging, InfiniteRuns) if order.has_frontier() && options.merging == Switch::On => {
            Unused(EveryTransition)
        }
        (Given::Heuristic, Safety | Goal) if options.heuristic == Heuristic::Claim => Unused(ClaimsOnly),
        // Breadth first means there that a cycle with the fewest transitions is looked for.
        (Given::Search | Given::Shortest, Safety | InfiniteRuns | Goal) => Used,
        (Given::Search, Tree) => Unused(WholeGraph),
        (Given::Shortest, Tree) => Unused(AnyEvidence),
        (Given::Heuristic | Given::Weight | Given::Width, InfiniteRuns) => Unused(OwnOrder),
        (Given::Heuristic | Given::Weight | Given::Width, Tree) => Unused(WholeGraph),
        (Given::Heuristic, Safety | Goal) => {
            if order.is_directed() {
                Used
            } else {
                Unused(NotDirected)
            }
        }
        (Given::Weight, Safety | Goal) => {
            if order.adds_depth() {
                Used
            } else {
                Unused(OnlyWithDepth)
            }
        }
        (Given::Width, Safety | Goal) => {
            if order == Order::Beam {
                Used
            } else {
                Unused(OnlyBeam)
            }
        }
        (Given::Seed, Safety | Goal) => Used,
        (Given::Seed, InfiniteRuns | Tree) => Unused(OwnOrder),
        (Given::Workers, InfiniteRuns) if options.fairness == Fairness::Strong => Unused(OneWorkerForStrongFairness),
        (Given::Workers, Safety | Goal) if order.is_directed() => Unused(OneWorkerForOrder),
        (Given::Workers, Safety | InfiniteRuns | Goal) => Used,
        (Given::Workers, Tree) => Unused(OneWorker),
        (Given::AllErrors, Safety) => Used,
        (Given::AllErrors, InfiniteRuns | Goal) => Unused(FirstViolation),
        (Given::AllErrors, Tree) => Unused(InitialStateOnly),
        (Given::PartialOrder | Given::Merging | Given::DeadVariables, Safety | InfiniteRuns) => Used,
        (Given::PartialOrder, Tree | Goal) if options.partial_order == Switch::Off => Used,
        (Given::Merging, Tree | Goal) if options.merging == Switch::Off => Used,
        (Given::DeadVariables, Tree | Goal) if options.dead == Switch::Off => Used,
        (Given::PartialOrder | Given::Merging | Given::DeadVariables, Tree) => Unused(KeepsRunsOnly),
        (Given::PartialOrder | Given::Merging | Given::DeadVariables, Goal) => Unused(EveryState),
        (Given::Audit, Safety) => Used,
        (Given::Audit, InfiniteRuns | Tree | Goal) => Unused(SafetyAudited),
        (Given::Fairness, Safety | Goal) => Unused(InfiniteRunsOnly),
        (Given::Fairness, InfiniteRuns | Tree) => Used,
        (Given::NoEndStates, Safety) => Used,
        (Given::NoEndStates, InfiniteRuns | Tree | Goal) => Unused(EndStatesIrrelevant),
        (Given::Checkpoints, Safety) => Used,
        (Given::Checkpoints, InfiniteRuns | Tree | Goal) => Unused(SafetySaved),
        (Given::Confirm, Safety) if options.checkpoints.is_some() || options.resume.is_some() => Unused(SavedOnce),
        (Given::Confirm, _) if !options.reduces() => Unused(NotReduced),
        (Given::Confirm, _) => Used,
    }
}

/// The reductions that the user has asked about, and whether they are wanted.
pub(super) fn reductions_given(options: &Options) -> impl Iterator<Item = (Given, Switch)> {
    let switches = [
        (Given::PartialOrder, options.partial_order),
        (Given::Merging, options.merging),
        (Given::DeadVariables, options.dead),
        (Given::Audit, options.audit),
    ];
    switches.into_iter().filter(|(option, _)| options.given.contains(option))
}

/// Whether an option is a matter of course where another property of the same verification uses it.
fn concerns_others(option: Given, asked: &[Kind]) -> bool {
    match option {
        Given::Fairness => asked.iter().any(|&kind| matches!(kind, Kind::InfiniteRuns | Kind::Tree)),
        Given::NoEndStates => asked.contains(&Kind::Safety),
        _ => false,
    }
}

/// The notes of a property of this kind, when properties of these kinds are asked about.
pub(super) fn notes(options: &Options, kind: Kind, asked: &[Kind]) -> Vec<Notice> {
    let given = |option: &Given| options.given.contains(option) && !concerns_others(*option, asked);
    let note = |option: Given| match usage(option, kind, options) {
        Use::Used => None,
        Use::Unused(why) | Use::Impossible(why) => Some(Notice::Option(option, why)),
    };
    Given::ALL.into_iter().filter(given).filter_map(note).collect()
}

/// Why no certificate can be made, if so.
fn refuse_certificate(options: &Options, asked: &[Property]) -> Result<(), Refusal> {
    let refusal = |reason: String| Err(Refusal { reason: format!("--certificate {reason}") });
    if matches!(options.store, Store::Bitstate | Store::Compact) {
        return refusal("needs every state: it cannot be used with an approximate --store".into());
    }
    if options.checkpoints.is_some() || options.resume.is_some() {
        return refusal("needs every state at the end: it cannot be used with --checkpoint or --resume".into());
    }
    if options.end_states == Switch::Off {
        return refusal("proves that there is no invalid end state: it cannot be used with --no-end-states".into());
    }
    match asked.iter().find(|property| property.kind() != Kind::Safety) {
        Some(other) => refusal(format!("is for safety, not for {other}: add --safety")),
        None => Ok(()),
    }
}

/// Why a verification with these options is refused, if it is.
///
/// # Errors
/// The reason.
pub(super) fn refuse(options: &Options, asked: &[Property]) -> Result<(), Refusal> {
    let refusal = |reason: String| Err(Refusal { reason });
    let is_approximate = matches!(options.store, Store::Bitstate | Store::Compact);
    let asks_for_safety = asked.contains(&Property::Safety);
    let saved = options.checkpoints.is_some() || options.resume.is_some();
    if (saved || options.swarm.is_some()) && !asks_for_safety {
        let reason =
            "only the search for assertions and end states can be saved or made a swarm: add --property safety";
        return refusal(reason.into());
    }
    if options.swarm.is_some() && options.store != Store::Bitstate {
        return refusal("--swarm is for --store bitstate: with the other stores one search is enough".into());
    }
    if options.swarm.is_some() && saved {
        return refusal("a swarm cannot be saved: use --checkpoint without --swarm".into());
    }
    if options.swarm.is_some() && options.order != Order::DepthFirst {
        return refusal("a swarm searches depth first: use --swarm without --search".into());
    }
    if is_approximate && !matches!(options.order, Order::DepthFirst | Order::Deepening | Order::Walk) {
        let order = if options.order.is_directed() { "directed" } else { "breadth-first" };
        return refusal(format!("a {order} search needs a store that gives states back: --store tree or plain"));
    }
    if saved && (options.order == Order::Beam || options.order.follows_all()) {
        let why = match options.order {
            Order::Beam => "a search that drops states",
            Order::Walk => "a random walk",
            _ => "a search that begins again and again",
        };
        let order = options.order.word();
        return refusal(format!("{why} cannot be saved: use --checkpoint without --search {order}"));
    }
    if options.certificate == Switch::On {
        refuse_certificate(options, asked)?;
    }
    if options.unusable == Unusable::Note {
        return Ok(());
    }
    for property in asked {
        for option in Given::ALL {
            if let Use::Impossible(why) = usage(option, property.kind(), options) {
                let why = crate::report::unsuitable(why);
                return refusal(format!("{} cannot be used for {property}: {why}", option.name()));
            }
        }
    }
    Ok(())
}
