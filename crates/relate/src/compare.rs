//! The way in: one relation between two sides.

use explore::search::{End, Progress};

use crate::composite::{Composite, Pairs};
use crate::evidence::difference;
use crate::inclusion::Inclusion;
use crate::labels::Labels;
use crate::limits::Watch;
use crate::local::Inductive;
use crate::search::{Counts, Found, Sides};
use crate::sets::Det;
use crate::space::Space;
use crate::{Comparison, Difference, Limits, Observed, Relation, Side, Size, Verdict};

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
        None => Comparison::unknown(relation, End::Damaged),
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
    let sides = Space::new(left, &options.limits)
        .and_then(|left| Ok((Det::new(left, wanted), Det::new(Space::new(right, &options.limits)?, wanted))));
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
