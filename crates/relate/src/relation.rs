//! The relations, their names, and what each of them says in a sentence.
//!
//! `⇒` is any number of internal steps, `=a⇒` is `⇒ -a→ ⇒`. A state is *stable* if it has no internal step, and *divergent* if it has an infinite run
//! of them. *After* a trace is every state that it can lead to, those reached by internal steps included. The order of strength (every arrow is an
//! implication that random tests hold us to):
//!
//! ```text
//! strong ─▶ branching, divergence preserved ─▶ weak, divergence preserved ─▶ testing ─▶ must sets ─▶ traces
//!                     └──▶ branching ─▶ weak ─▶ traces          └──▶ ready simulation ─▶ failures ─▶ traces, completed traces
//!                                                                             └──▶ simulation ─▶ traces
//! ```

use std::fmt;

/// A relation between two systems.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// Every trace of the left side is one of the right side.
    TraceInclusion,
    /// Both sides have the same traces.
    TraceEquivalence,
    /// Every trace after which the left side can be in a stable state without any step is such a trace of the right side.
    CompletedTraceInclusion,
    /// De Nicola and Hennessy: the same traces, the same divergences and, where neither diverges, the same acceptance sets.
    TestingEquivalence,
    /// Definition 3 of Erdogmus as printed: as testing, with the events that *must* be possible after a trace in place of acceptance sets.
    MustSets,
    /// Every test that the left side may pass, the right side may pass: inclusion of traces.
    MayPreorder,
    /// Every test that the left side must pass, the right side must pass: the right side refines the left one in failures and divergences.
    MustPreorder,
    /// Stable failures: traces, and what a stable state refuses after them, of the left side are those of the right side.
    FailuresInclusion,
    /// Failures and divergences of the left side are those of the right side; after a divergence of the right side everything is allowed.
    FdRefinement,
    /// The right side simulates the left one weakly: every step is answered by `=a⇒`, an internal one by `⇒`.
    Simulation,
    /// The same, and a stable state is answered by `⇒` to a stable state with the same events, related to it.
    ReadySimulation,
    /// Every step, internal or not, is answered by the same step in both directions.
    StrongBisimulation,
    /// Van Glabbeek and Weijland: an internal step may be answered by nothing, others by `⇒ -a→` that stays related until the last step.
    BranchingBisimulation,
    /// The same, and an infinite run of internal steps through related states is answered by one.
    DivergencePreservingBranchingBisimulation,
    /// Every step is answered by `=a⇒`, an internal one by `⇒`, in both directions.
    WeakBisimulation,
    /// The same, and related states agree on whether they are divergent.
    DivergencePreservingWeakBisimulation,
}

/// How a relation is decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// On the fly, by sets of states after a trace.
    Sets,
    /// On the fly, by pairs of states, one of which answers the other.
    Game,
    /// By refinement of a partition of all states of both sides.
    Partition,
}

impl Relation {
    /// All of them, the coarse ones first.
    pub const ALL: [Relation; 16] = [
        Relation::TraceInclusion,
        Relation::TraceEquivalence,
        Relation::CompletedTraceInclusion,
        Relation::MayPreorder,
        Relation::FailuresInclusion,
        Relation::FdRefinement,
        Relation::MustPreorder,
        Relation::MustSets,
        Relation::TestingEquivalence,
        Relation::Simulation,
        Relation::ReadySimulation,
        Relation::WeakBisimulation,
        Relation::DivergencePreservingWeakBisimulation,
        Relation::BranchingBisimulation,
        Relation::DivergencePreservingBranchingBisimulation,
        Relation::StrongBisimulation,
    ];

    /// Its name in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Relation::TraceInclusion => "trace-inclusion",
            Relation::TraceEquivalence => "trace-equivalence",
            Relation::CompletedTraceInclusion => "completed-trace-inclusion",
            Relation::TestingEquivalence => "testing-equivalence",
            Relation::MustSets => "must-sets",
            Relation::MayPreorder => "may-preorder",
            Relation::MustPreorder => "must-preorder",
            Relation::FailuresInclusion => "failures-inclusion",
            Relation::FdRefinement => "fd-refinement",
            Relation::Simulation => "simulation",
            Relation::ReadySimulation => "ready-simulation",
            Relation::StrongBisimulation => "strong-bisimulation",
            Relation::BranchingBisimulation => "branching-bisimulation",
            Relation::DivergencePreservingBranchingBisimulation => "divergence-preserving-branching-bisimulation",
            Relation::WeakBisimulation => "weak-bisimulation",
            Relation::DivergencePreservingWeakBisimulation => "divergence-preserving-weak-bisimulation",
        }
    }

    /// The relation of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Relation> {
        Relation::ALL.into_iter().find(|relation| relation.name() == name)
    }

    /// What it says, in a sentence about the left and the right side.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Relation::TraceInclusion => "every trace of the left side is a trace of the right side",
            Relation::TraceEquivalence => "both sides have the same traces",
            Relation::CompletedTraceInclusion => {
                "every trace after which the left side can stop for good is one after which the right side can"
            }
            Relation::TestingEquivalence => "no test that may or must succeed tells the two sides apart",
            Relation::MustSets => {
                "both sides have the same traces, divergences and, where they do not diverge, events that must be possible"
            }
            Relation::MayPreorder => "every test that the left side may pass, the right side may pass",
            Relation::MustPreorder => "every test that the left side must pass, the right side must pass",
            Relation::FailuresInclusion => {
                "whatever the left side can do, and then refuse in a stable state, the right side can do and refuse"
            }
            Relation::FdRefinement => {
                "the left side refuses and diverges only where the right side does; after a divergence of the right side everything is allowed"
            }
            Relation::Simulation => "the right side can answer every step of the left side, for ever",
            Relation::ReadySimulation => {
                "the right side can answer every step of the left side, for ever, and in stable states offers the same events"
            }
            Relation::StrongBisimulation => {
                "each side can answer every step of the other, internal ones included, by the same step"
            }
            Relation::BranchingBisimulation => {
                "each side can answer every step of the other, and internal steps of the answer lose no choice"
            }
            Relation::DivergencePreservingBranchingBisimulation => {
                "as branching bisimulation, and endless internal activity is answered by endless internal activity"
            }
            Relation::WeakBisimulation => "each side can answer every step of the other, internal steps aside",
            Relation::DivergencePreservingWeakBisimulation => {
                "as weak bisimulation, and related states agree on whether endless internal activity is possible"
            }
        }
    }

    /// How it is decided.
    #[must_use]
    pub fn method(self) -> Method {
        match self {
            Relation::Simulation | Relation::ReadySimulation => Method::Game,
            Relation::StrongBisimulation
            | Relation::BranchingBisimulation
            | Relation::DivergencePreservingBranchingBisimulation
            | Relation::WeakBisimulation
            | Relation::DivergencePreservingWeakBisimulation => Method::Partition,
            _ => Method::Sets,
        }
    }

    /// Does it hold in both directions whenever it holds in one?
    #[must_use]
    pub fn is_symmetric(self) -> bool {
        self.method() == Method::Partition
            || matches!(self, Relation::TraceEquivalence | Relation::TestingEquivalence | Relation::MustSets)
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_is_found_by_its_name() {
        for relation in Relation::ALL {
            assert_eq!(Relation::named(relation.name()), Some(relation));
        }
        assert_eq!(Relation::named("all"), None);
    }
}
