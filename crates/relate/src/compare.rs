//! The way in: one relation between two sides.

use explore::search::{End, Progress};

use crate::bisimulation::{Refined, bisimilar};
use crate::composite::{Composite, Pairs};
use crate::evaluate::holds;
use crate::evidence::difference;
use crate::game::{Game, Ready};
use crate::graph::Graph;
use crate::inclusion::Inclusion;
use crate::labels::Labels;
use crate::limits::Watch;
use crate::local::Inductive;
use crate::partition::{Divergence, Equivalence};
use crate::search::{Counts, Found, Sides};
use crate::sets::Det;
use crate::space::Space;
use crate::{Comparison, Difference, Formula, Kind, Limits, Observed, Relation, Run, Side, Size, Verdict};

/// How to compare.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What may be used.
    pub limits: Limits,
    /// Which pairs of sets are looked at.
    pub pairs: Pairs,
}

/// Decides whether a relation holds between two sides. `progress` can be read, and told to stop, from another thread.
pub fn compare(
    left: &mut dyn Observed,
    right: &mut dyn Observed,
    relation: Relation,
    options: &Options,
    progress: &Progress,
) -> Comparison {
    let mut watch = Watch::new(options.limits, progress);
    match inductive(relation) {
        Some((local, Reading::Forwards)) => by_sets(left, right, relation, local, options, &mut watch),
        Some((local, Reading::Backwards)) => by_sets(right, left, relation, local, options, &mut watch).mirrored(),
        None => by_states(left, right, relation, &mut watch),
    }
}

/// Which side is the implementation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    /// The left one.
    Forwards,
    /// The right one.
    Backwards,
}

/// The local relation of an inductive relation.
fn inductive(relation: Relation) -> Option<(Inductive, Reading)> {
    let local = match relation {
        Relation::TraceInclusion | Relation::MayPreorder => Inductive::TraceInclusion,
        Relation::TraceEquivalence => Inductive::TraceEquivalence,
        Relation::CompletedTraceInclusion => Inductive::CompletedTraces,
        Relation::FailuresInclusion => Inductive::Failures,
        Relation::FdRefinement | Relation::MustPreorder => Inductive::FailuresDivergences,
        Relation::TestingEquivalence => Inductive::Testing,
        Relation::MustSets => Inductive::MustSets,
        _ => return None,
    };
    let reading = if relation == Relation::MustPreorder { Reading::Backwards } else { Reading::Forwards };
    Some((local, reading))
}

fn by_sets(
    left: &mut dyn Observed,
    right: &mut dyn Observed,
    relation: Relation,
    local: Inductive,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Comparison {
    let wanted = local.wanted();
    let sides = Space::new(left, *watch)
        .and_then(|left| Ok((Det::new(left, wanted), Det::new(Space::new(right, *watch)?, wanted))));
    let mut sides = match sides {
        Ok((left, right)) => Sides { left, right, labels: Labels::new() },
        Err(end) => return Comparison::unknown(relation, end),
    };
    let (found, counts) = search(&mut sides, local, options.pairs, watch);
    let found = found.and_then(|found| {
        found.map(|found| difference(found, &mut sides.left.space, &mut sides.right.space)).transpose()
    });
    Comparison {
        relation,
        verdict: verdict(found),
        pairs: counts.pairs,
        matched: counts.matched,
        left: size(&sides.left),
        right: size(&sides.right),
    }
}

/// Simulations and bisimulations.
fn by_states(
    left: &mut dyn Observed,
    right: &mut dyn Observed,
    relation: Relation,
    watch: &mut Watch<'_>,
) -> Comparison {
    let spaces = Space::new(left, *watch).and_then(|left| Ok((left, Space::new(right, *watch)?)));
    match (spaces, equivalence(relation)) {
        (Err(end), _) => Comparison::unknown(relation, end),
        (Ok((left, right)), Some(equivalence)) => by_partition(left, right, relation, equivalence, watch),
        (Ok((left, right)), None) => by_game(left, right, relation, watch),
    }
}

fn equivalence(relation: Relation) -> Option<Equivalence> {
    match relation {
        Relation::StrongBisimulation => Some(Equivalence::Strong),
        Relation::BranchingBisimulation => Some(Equivalence::Branching(Divergence::Ignored)),
        Relation::DivergencePreservingBranchingBisimulation => Some(Equivalence::Branching(Divergence::Preserved)),
        Relation::WeakBisimulation => Some(Equivalence::Weak(Divergence::Ignored)),
        Relation::DivergencePreservingWeakBisimulation => Some(Equivalence::Weak(Divergence::Preserved)),
        _ => None,
    }
}

fn by_partition<'o>(
    left: Space<'o>,
    right: Space<'o>,
    relation: Relation,
    equivalence: Equivalence,
    watch: &mut Watch<'_>,
) -> Comparison {
    let (refined, mut left, mut right) = bisimilar(left, right, equivalence, watch);
    let size =
        |space: &Space<'_>, sets| Size { states: u64::from(space.states()), sets, transitions: space.transitions() };
    let (found, counts, classes) = match refined {
        Ok(Refined { difference, counts, classes }) => (Ok(difference), counts, classes),
        Err(end) => (Err(end), Counts::default(), [0, 0]),
    };
    let sizes = [size(&left, classes[0]), size(&right, classes[1])];
    let found = found.map(|found| found.map(|(by, formula)| told_apart(by, formula, &mut left, &mut right)));
    Comparison {
        relation,
        verdict: verdict(found),
        pairs: counts.pairs,
        matched: counts.matched,
        left: sizes[0],
        right: sizes[1],
    }
}

fn by_game<'o>(mut left: Space<'o>, mut right: Space<'o>, relation: Relation, watch: &mut Watch<'_>) -> Comparison {
    let ready = if relation == Relation::ReadySimulation { Ready::Compared } else { Ready::Ignored };
    let mut game = Game::new(ready, &mut left, &mut right);
    let formula = game.play(watch);
    let (pairs, matched, [left_size, right_size]) = (game.pairs(), game.matched, game.sizes());
    let found = formula.and_then(|formula| {
        let Some(formula) = formula else { return Ok(None) };
        let is_confirmed = holds(&formula, &mut left, 0)? && !holds(&formula, &mut right, 0)?;
        if is_confirmed { Ok(Some(told_apart(Side::Left, formula, &mut left, &mut right))) } else { Err(End::Damaged) }
    });
    Comparison { relation, verdict: verdict(found), pairs, matched, left: left_size, right: right_size }
}

/// A difference by a formula: it is about the initial states.
fn told_apart(by: Side, formula: Formula, left: &mut Space<'_>, right: &mut Space<'_>) -> Difference {
    let start = |space: &mut Space<'_>| Run { states: vec![space.load(0)], ..Run::default() };
    Difference {
        kind: Kind::Formula,
        trace: Vec::new(),
        by,
        refusal: None,
        formula: Some(formula),
        left: start(left),
        right: start(right),
    }
}

fn search(
    sides: &mut Sides<'_>,
    local: Inductive,
    pairs: Pairs,
    watch: &mut Watch<'_>,
) -> (Result<Option<Found>, End>, Counts) {
    if local.is_inclusion() && pairs == Pairs::Pruned {
        let mut search = Inclusion::new(local, sides);
        (search.run(watch), search.counts)
    } else {
        let mut search = Composite::new(local, pairs, sides);
        (search.run(watch), search.counts)
    }
}

fn verdict(found: Result<Option<Difference>, End>) -> Verdict {
    match found {
        Ok(None) => Verdict::Holds,
        Ok(Some(difference)) => Verdict::Violated(Box::new(difference)),
        Err(end) => Verdict::Unknown(end),
    }
}

fn size(side: &Det<'_>) -> Size {
    Size { states: u64::from(side.space.states()), sets: side.sets(), transitions: side.space.transitions() }
}

impl Comparison {
    fn unknown(relation: Relation, end: End) -> Comparison {
        let (left, right) = (Size::default(), Size::default());
        Comparison { relation, verdict: Verdict::Unknown(end), pairs: 0, matched: 0, left, right }
    }

    /// The same with the sides exchanged.
    fn mirrored(mut self) -> Comparison {
        std::mem::swap(&mut self.left, &mut self.right);
        if let Verdict::Violated(difference) = &mut self.verdict {
            let Difference { by, left, right, .. } = &mut **difference;
            *by = Side::other(*by);
            std::mem::swap(left, right);
        }
        self
    }
}
