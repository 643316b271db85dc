//! Words for what verification found out: why something is not known, what to do about it, how it was verified.

use machine::claim::Fairness;

use crate::verify::{
    Cause, Choice as _, Course, Doubt, During, Engine, Full, HiddenVariables, Impatience, Kind, Method, NoCertificate,
    NotSought, Notice, Optimal, Reduction, Search, Store, Unfit, Unsuitable, Unused, Walks,
};

use super::text::{counted, grouped};

/// What to do about a mistake of isospin's own.
const REPORT_IT: &str = "this is a mistake of isospin; please report it with the model";

/// Why a property is not decided.
#[must_use]
pub fn reason(cause: &Cause) -> String {
    match cause {
        Cause::Violation => "the search ended at the first violation".into(),
        Cause::Depth { limit } => format!("some states lie deeper than {limit} transitions"),
        Cause::Dropped { width } => format!("the beam dropped states: it keeps {width} of each level"),
        Cause::Walked => "random walks visit some states only and prove nothing".into(),
        Cause::States => "the limit of states was reached".into(),
        Cause::Time => "the time was up".into(),
        Cause::Memory(Full::States) => "the memory for states is full".into(),
        Cause::Memory(Full::Path) => "the memory for the path of the search is full".into(),
        Cause::Interrupted { .. } => "it was interrupted".into(),
        Cause::Damaged => "what was to be resumed makes no sense".into(),
        Cause::Approximate { missed, hash_factor } => format!(
            "states are told apart approximately: about {:.3} % of them may have been missed (hash factor {hash_factor:.1})",
            100.0 * missed
        ),
        Cause::CutAtomic => "an `atomic` sequence was too long to be followed to its end".into(),
        Cause::EndlessAtomic => {
            "an `atomic` sequence was met that never ends, and runs that stay in it were not looked at".into()
        }
        Cause::Crowded => "there are more processes than fairness can be checked for".into(),
        Cause::EndsInError => "some runs end in an error before it is decided".into(),
        Cause::AuditFailed => "the audit found a mistake, which is a bug in isospin".into(),
        Cause::NotCertified { error } => format!("no certificate could be made of the search: {error}"),
        Cause::Claim { error, .. } => error.clone(),
        Cause::Unevaluable { error } => format!("it cannot be evaluated in all states: {error}"),
        Cause::Doubtful { doubt, hidden } => doubtful(doubt, *hidden),
        Cause::Late { because, during } => {
            let because = match because {
                Impatience::Interrupted => "it was interrupted",
                Impatience::Time => "the time was up",
                Impatience::Memory => "memory ran out",
            };
            let during = match during {
                During::Reading => "while the model was read",
                During::Preparing => "while the model was prepared",
                During::Telling => "when a violation was found, but not yet the run that shows it worked out",
                During::Finishing => "when the search was over, but not yet what it had found worked out",
            };
            format!("{because} {during}")
        }
    }
}

fn doubtful(doubt: &Doubt, hidden: HiddenVariables) -> String {
    match (doubt, hidden) {
        (Doubt::Unfollowable(reason), _) => {
            format!("a violation was found that the reference interpreter cannot follow: {reason}")
        }
        (Doubt::NoRun, HiddenVariables::Compared) => {
            "a cycle was found in what the reductions left that is no run of the model".into()
        }
        (Doubt::NoRun, HiddenVariables::Ignored) => {
            "what was found is no run of the model: states were compared without hidden variables".into()
        }
        (Doubt::Unfair(process), _) => format!("a run was found that turned out to be unfair to {process}"),
        (Doubt::NoViolation(reason), _) => format!("a run was found that turned out to be no violation: {reason}"),
        (Doubt::NoTree, _) => "a run was found up to symmetry that is no run of the model".into(),
    }
}

/// What to do about it.
#[must_use]
pub fn advice(cause: &Cause) -> String {
    match cause {
        Cause::Violation => "--all-errors goes on".into(),
        Cause::Depth { .. } => "raise --max-depth".into(),
        Cause::Dropped { .. } => "raise --width, or try --search best-first".into(),
        Cause::Walked => "raise --max-time, or try another --seed".into(),
        Cause::States => "raise --max-states".into(),
        Cause::Time | Cause::Late { because: Impatience::Time, .. } => "raise --max-time".into(),
        Cause::Memory(Full::States) => "raise --max-memory, or try --store bitstate".into(),
        Cause::Memory(Full::Path) => "raise --max-memory, or set --max-depth".into(),
        Cause::Interrupted { checkpoint: Some(file) } => format!("--resume {} goes on", file.display()),
        Cause::Interrupted { checkpoint: None } => "run it again; --checkpoint saves long searches".into(),
        Cause::Damaged => "start anew".into(),
        Cause::Approximate { .. } => "--store tree is exact".into(),
        Cause::CutAtomic => "--engine jit follows it".into(),
        Cause::EndlessAtomic => "make it end, or leave out the `atomic`".into(),
        Cause::Crowded => "use fewer processes, or --fairness none".into(),
        Cause::EndsInError => "mend the error first, which the property safety shows".into(),
        Cause::AuditFailed | Cause::NotCertified { .. } => {
            format!("{REPORT_IT}. --reduce none does without reductions")
        }
        Cause::Claim { kind: Kind::Tree, .. } => "rewrite the formula".into(),
        Cause::Claim { .. } => "rewrite the claim".into(),
        Cause::Unevaluable { .. } => "let the formula ask only where it can be answered: `i < N -> a[i]`".into(),
        Cause::Doubtful { doubt: Doubt::Unfollowable(_), .. } => {
            format!("{REPORT_IT}. --reduce none does without reductions")
        }
        Cause::Doubtful { hidden: HiddenVariables::Ignored, .. } => "--reduce all compares hidden variables".into(),
        Cause::Doubtful { .. } => REPORT_IT.into(),
        Cause::Late { because: Impatience::Interrupted, .. } => "run it again".into(),
        Cause::Late { because: Impatience::Memory, .. } => "raise --max-memory".into(),
    }
}

/// The name of a cause for programs.
#[must_use]
pub fn cause_name(cause: &Cause) -> &'static str {
    match cause {
        Cause::Violation => "violation",
        Cause::Depth { .. } => "depth",
        Cause::Dropped { .. } => "beam",
        Cause::Walked => "walk",
        Cause::States => "states",
        Cause::Time | Cause::Late { because: Impatience::Time, .. } => "time",
        Cause::Memory(_) | Cause::Late { because: Impatience::Memory, .. } => "memory",
        Cause::Interrupted { .. } | Cause::Late { because: Impatience::Interrupted, .. } => "interrupted",
        Cause::Damaged => "damaged-checkpoint",
        Cause::Approximate { .. } => "approximate-store",
        Cause::CutAtomic => "long-atomic",
        Cause::EndlessAtomic => "endless-atomic",
        Cause::Crowded => "too-many-processes",
        Cause::EndsInError => "runs-end-in-error",
        Cause::AuditFailed => "audit-failed",
        Cause::NotCertified { .. } => "not-certified",
        Cause::Claim { .. } => "no-claim",
        Cause::Unevaluable { .. } => "unevaluable",
        Cause::Doubtful { .. } => "not-confirmed",
    }
}

/// How a property was verified, in a line.
#[must_use]
pub fn method(method: &Method, reductions: &[Reduction]) -> String {
    let search = match method.search {
        Search::DepthFirst => "depth first",
        Search::BreadthFirst => "breadth first",
        Search::BestFirst => "best first",
        Search::AStar => "A*",
        Search::Beam => "beam",
        Search::Deepening => "iterative deepening",
        Search::Walk => "random walks",
        Search::Components => "components on the fly",
        Search::WholeGraph => "whole graph",
    };
    let workers = match method.workers {
        1 => "1 worker".to_string(),
        several => format!("{several} workers"),
    };
    let store = method.store.map(|store| match store {
        Store::Tree => "tree store",
        Store::Plain => "plain store",
        Store::Bitstate => "bitstate",
        Store::Compact => "fingerprints",
    });
    let engine = method.engine.map(|engine| match engine {
        Engine::Compiled => "compiled",
        Engine::Interpreter => "interpreted",
    });
    let mut list = vec![search.to_string(), workers];
    list.extend(store.into_iter().chain(engine).map(str::to_string));
    list.extend(method.claim_states.map(|states| format!("claim of {states} states")));
    list.extend(reductions.iter().map(|reduction| reduction.name().to_string()));
    if method.fairness != Fairness::None {
        list.push(format!("{} fairness", method.fairness.name()));
    }
    list.extend(method.seed.map(|seed| format!("seed {seed}")));
    list.extend(method.hash_factor.map(|factor| format!("hash factor {factor:.1}")));
    list.extend(method.searches.map(|count| format!("best of {count} searches")));
    list.join(", ")
}

/// The course of a search that an estimate, or the wish for a shortest run, decides about; `None` where there is nothing to say.
#[must_use]
pub fn course(course: &Course, is_found: bool) -> Option<String> {
    let directed = course.order.is_directed();
    let is_shortest = course.optimal == Optimal::Proved;
    if !directed && !is_shortest && course.shortened_from.is_none() && course.walks.is_none() {
        return None;
    }
    let by: Vec<&str> = course.heuristics.iter().map(|heuristic| heuristic.word()).collect();
    let mut list = Vec::new();
    if directed {
        let estimate = course.initial_estimate.map_or(String::new(), |estimate| format!(", {estimate} at the start"));
        let weight =
            course.weight.filter(|weight| *weight != 1.0).map_or(String::new(), |weight| format!(", weight {weight}"));
        list.push(format!("estimate: {}{weight}{estimate}", by.join(" and ")));
    }
    list.extend(course.walks.map(|Walks { count, steps, executed, statements }| {
        let (walks, steps) = (counted(count, "walk"), counted(steps, "step"));
        format!("{walks}, {steps}; {} of {} executed", grouped(executed), counted(statements, "statement"))
    }));
    list.extend(course.iterations.map(|iterations| counted(iterations, "iteration")));
    list.push(format!("{} expanded, {} generated", counted(course.expanded, "state"), grouped(course.generated)));
    list.extend(course.shortened_from.map(|steps| format!("shortened from {} steps", grouped(steps as u64))));
    if is_found {
        list.push(if is_shortest { "proved shortest" } else { "perhaps not shortest" }.into());
    }
    Some(list.join("; "))
}

/// What a user should know, in a sentence.
#[must_use]
pub fn notice(notice: &Notice) -> String {
    match notice {
        Notice::Unused(Unused { reductions, reason }) => {
            let names: Vec<&str> = reductions.iter().map(|reduction| reduction.name()).collect();
            let were = if names.len() == 1 && reductions[0] != Reduction::DeadVariables { "was" } else { "were" };
            format!("{} {were} not used: {}", names.join(" and "), unfit(reason))
        }
        Notice::Option(option, why) => format!("{} is not used here: {}", option.name(), unsuitable(*why)),
        Notice::SymmetryDoesNotPay { order, cost, saving } => format!(
            "symmetry of order {order} does not pay here: it made a state {cost:.1} times as expensive and saved a factor of \
             {saving:.1}, so that the search was begun again without it (--symmetry exact insists on it)"
        ),
        Notice::NoSymmetry { with_dead: None } => {
            "no symmetry was found: `isospin symmetry` says what stands in the way".to_string()
        }
        Notice::NoSymmetry { with_dead: Some(order) } => format!(
            "no symmetry was found, but a group of order {order} with dead variables set back (--dead on): see `isospin symmetry`"
        ),
        Notice::GivenUp(reduction) => {
            let insisting = if *reduction == Reduction::Merging { "--merge on" } else { "--por on" };
            format!("{} left out too little and was switched off ({insisting} insists on it)", reduction.name())
        }
        Notice::NothingToVerify => "nothing to verify: the model has no assertion, and end states are not looked at; \
                                    only run-time errors could have been found"
            .to_string(),
        Notice::Vacuous(premises) => {
            let premises: Vec<String> = premises.iter().map(|premise| format!("`{premise}`")).collect();
            format!("it holds vacuously: {} is never true", premises.join(" and "))
        }
        Notice::EndlessAtomic => {
            "an `atomic` sequence was met that never ends: other processes wait for ever".to_string()
        }
        Notice::AuditFailed(failure) => format!("the audit failed: {failure}"),
        Notice::DependsOnHidden(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "states are compared without hidden {}, as in SPIN, but something depends on it: \
                 violations may be missed (they are not with --reduce all)",
                names.join(", ")
            )
        }
        Notice::OneWorkerForHidden => "one worker searches where hidden variables are not compared".to_string(),
        Notice::PerhapsShorter(why) => {
            let why = match why {
                NotSought::StrongFairness => "with strong fairness it is not looked for",
                NotSought::Hidden => "without hidden variables it is not looked for",
                NotSought::Effort => "looking for it took too much time or memory",
            };
            format!("there may be a shorter run: {why}")
        }
        Notice::NotAskedFor => {
            "it was not asked for: it is here because runs of other properties end in an error".to_string()
        }
        Notice::CheckpointNotWritten { file, error } => {
            format!("the checkpoint {} cannot be written: {error}; the search goes on", file.display())
        }
        Notice::NoCertificate(NoCertificate::NotHolding) => {
            "there is no certificate: only what holds has one".to_string()
        }
        Notice::NoCertificate(NoCertificate::EndlessAtomic) => {
            "there is no certificate: an `atomic` sequence never ends".to_string()
        }
        Notice::Unproven { generators, reason } => format!(
            "{} of the symmetry group {} not used, which the checker of certificates does not see to be symmetries: {reason}",
            counted(*generators as u64, "generator"),
            if *generators == 1 { "is" } else { "are" },
        ),
        Notice::NoCounterexample(cause) => {
            format!("there is no counterexample to look at: {}; {}", reason(cause), advice(cause))
        }
        Notice::TraceNotWritten(message) => {
            format!("the counterexample was not saved: {message} (--trace FILE saves it elsewhere)")
        }
        Notice::StaleTrace { file, error: None } => {
            format!("{}, the trace of an earlier violation, was removed", file.display())
        }
        Notice::StaleTrace { file, error: Some(error) } => {
            format!("{} is the trace of an earlier violation, and cannot be removed: {error}", file.display())
        }
    }
}

fn unfit(reason: &Unfit) -> &str {
    match reason {
        Unfit::Model(reason) | Unfit::Property(reason) => reason,
        Unfit::CountsSteps => "the property counts steps",
        Unfit::GuardsExchanged => "symmetries exchange locations at which everybody may move with others",
        Unfit::Progress => "a process at rest makes no progress, one that was passed over may have",
        Unfit::StrongFairness => "with strong fairness the run behind what was found could not be told",
        Unfit::Certificate => "the checker of certificates could not see that nothing is lost",
        Unfit::Shortest => "a shortest run is one of single steps",
    }
}

/// Why an option is not used.
#[must_use]
pub fn unsuitable(why: Unsuitable) -> &'static str {
    match why {
        Unsuitable::TreeStoreOnly => "its states are always kept in the tree store, which is exact as well",
        Unsuitable::Approximate => {
            "only assertions and end states can be searched approximately: add --safety, or take --store tree"
        }
        Unsuitable::WholeGraph => "the graph of all states is made, in an order of its own",
        Unsuitable::AnyEvidence => "what shows that the formula holds or not need not be shortest",
        Unsuitable::OwnOrder => "its search has an order of its own",
        Unsuitable::FindsNoCycles => {
            "it finds no cycles, so that components are searched depth first; best-first, astar and beam are possible here"
        }
        Unsuitable::ClaimDecides => "a directed search for infinite runs goes by the claim",
        Unsuitable::ClaimsOnly => "it is for properties of infinite runs",
        Unsuitable::NotDirected => "it is for --search best-first, astar, ida and beam",
        Unsuitable::OnlyWithDepth => "it is for --search astar and ida",
        Unsuitable::OnlyBeam => "it is for --search beam",
        Unsuitable::EveryTransition => "every transition is followed in this order of search",
        Unsuitable::WalksProveNothing => "random walks store no states and prove nothing",
        Unsuitable::EveryState => "that reduction keeps violations, but not every state",
        Unsuitable::OneWorkerForOrder => "one worker searches where an estimate decides about the order",
        Unsuitable::OneWorkerForStrongFairness => "with strong fairness one worker searches",
        Unsuitable::OneWorker => "one worker searches",
        Unsuitable::FirstViolation => "its search ends at the first violation",
        Unsuitable::InitialStateOnly => "the formula is evaluated in the initial state only",
        Unsuitable::KeepsRunsOnly => "that reduction keeps every run, but not the tree of runs",
        Unsuitable::SafetyAudited => "only searches for assertions and end states are audited",
        Unsuitable::InfiniteRunsOnly => "it is about infinite runs, and none is asked about",
        Unsuitable::EndStatesIrrelevant => "end states are not looked at anyway",
        Unsuitable::SafetySaved => "only searches for assertions and end states are saved",
        Unsuitable::PromelaOnly => "it is for Promela models",
        Unsuitable::SavedOnce => "a search that is saved is not repeated",
        Unsuitable::NotReduced => "every reduction is switched off, so there is nothing to confirm",
    }
}
