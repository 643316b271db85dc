//! The local relation: the one routine that depends on the relation.
//!
//! Erdogmus' Theorem 1: every relation on local behaviours has a greatest relation on processes such that related processes are locally related, and what
//! they become by an event that both can do is related again. The loops ([`inclusion`](crate::inclusion), [`composite`](crate::composite)) compute
//! that, and know no relation; this file says, for each, what is compared and where it is enough.
//!
//! Two additions. A divergence can end what a relation asks for ([`Judgement::Accept`]) or weaken it ([`Phase`]). And completed traces follow all events
//! of the left side, since a trace that the right side does not have may yet be harmless.

use crate::labels::{EventSet, Family, Labels};
use crate::sets::{Local, Wanted};
use crate::{Event, Kind, Refusal, Side};

/// The inductive relations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inductive {
    TraceInclusion,
    TraceEquivalence,
    CompletedTraces,
    Failures,
    FailuresDivergences,
    Testing,
    MustSets,
}

/// What is still compared: persistent divergence, as Erdogmus has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Phase {
    /// Everything.
    Convergent,
    /// Both sides have diverged on the way: traces alone.
    Diverged,
}

/// What is to be done with a pair of local behaviours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    /// They are related; what they become by events must be.
    Follow(Phase),
    /// They are related whatever follows.
    Accept,
    /// They are not related.
    Fail(Failure),
}

/// Why two local behaviours are not related.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) by: Side,
    /// For a trace, the event that only one side can do.
    pub(crate) event: Option<Event>,
    pub(crate) refusal: Option<Refusal>,
}

/// Which events are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Followed {
    /// Those of both sides.
    Common,
    /// All of the left side.
    Left,
}

impl Inductive {
    pub(crate) fn wanted(self) -> Wanted {
        match self {
            Inductive::TraceInclusion | Inductive::TraceEquivalence => Wanted::default(),
            Inductive::CompletedTraces | Inductive::Failures => Wanted { refusals: true, divergence: false },
            Inductive::FailuresDivergences | Inductive::Testing | Inductive::MustSets => {
                Wanted { refusals: true, divergence: true }
            }
        }
    }

    pub(crate) fn followed(self) -> Followed {
        if self == Inductive::CompletedTraces { Followed::Left } else { Followed::Common }
    }

    /// Is the relation monotone in the right side, so that a smaller set of its states speaks for a larger one?
    pub(crate) fn is_inclusion(self) -> bool {
        !matches!(self, Inductive::TraceEquivalence | Inductive::Testing | Inductive::MustSets)
    }

    /// The local relation.
    #[inline]
    pub(crate) fn judge(self, left: Local, right: Local, phase: Phase, labels: &mut Labels) -> Judgement {
        let verdict = match self {
            Inductive::TraceInclusion => included(left, right, labels),
            Inductive::TraceEquivalence => same_events(left, right, labels),
            Inductive::CompletedTraces => completed(left, right, labels),
            Inductive::Failures => refusals(left, right, labels).and_then(|()| included(left, right, labels)),
            Inductive::FailuresDivergences if right.is_divergent => return Judgement::Accept,
            Inductive::FailuresDivergences => converges(left, Side::Left)
                .and_then(|()| refusals(left, right, labels))
                .and_then(|()| included(left, right, labels)),
            Inductive::Testing | Inductive::MustSets if phase == Phase::Diverged => same_events(left, right, labels),
            Inductive::Testing | Inductive::MustSets if left.is_divergent && right.is_divergent => {
                return match same_events(left, right, labels) {
                    Ok(()) => Judgement::Follow(Phase::Diverged),
                    Err(failure) => Judgement::Fail(failure),
                };
            }
            Inductive::Testing => converges(left, Side::Left)
                .and_then(|()| converges(right, Side::Right))
                .and_then(|()| refusals(left, right, labels))
                .and_then(|()| refusals(right, left, labels).map_err(Failure::mirrored))
                .and_then(|()| same_events(left, right, labels)),
            Inductive::MustSets => converges(left, Side::Left)
                .and_then(|()| converges(right, Side::Right))
                .and_then(|()| must(left, right, labels))
                .and_then(|()| must(right, left, labels).map_err(Failure::mirrored))
                .and_then(|()| same_events(left, right, labels)),
        };
        match verdict {
            Ok(()) => Judgement::Follow(phase),
            Err(failure) => Judgement::Fail(failure),
        }
    }
}

impl Failure {
    /// The same with the sides exchanged.
    pub(crate) fn mirrored(self) -> Failure {
        Failure { by: self.by.other(), ..self }
    }
}

/// TRCINC: every event of the left side is one of the right side.
#[inline]
fn included(left: Local, right: Local, labels: &mut Labels) -> Result<(), Failure> {
    if labels.is_subset(left.events, right.events) {
        return Ok(());
    }
    let event = labels.missing(left.events, right.events);
    Err(Failure { kind: Kind::Trace, by: Side::Left, event, refusal: None })
}

/// TRCEQ: the events are the same.
#[inline]
fn same_events(left: Local, right: Local, labels: &mut Labels) -> Result<(), Failure> {
    if left.events == right.events {
        return Ok(());
    }
    included(left, right, labels).and_then(|()| included(right, left, labels).map_err(Failure::mirrored))
}

fn converges(local: Local, by: Side) -> Result<(), Failure> {
    if local.is_divergent { Err(Failure { kind: Kind::Divergence, by, event: None, refusal: None }) } else { Ok(()) }
}

/// If the left side can stop for good, so can the right side.
fn completed(left: Local, right: Local, labels: &Labels) -> Result<(), Failure> {
    let stops = |local: Local| labels.sets(local.acceptance).contains(&EventSet::EMPTY);
    if !stops(left) || stops(right) {
        return Ok(());
    }
    Err(Failure { kind: Kind::Completion, by: Side::Left, event: None, refusal: None })
}

/// Every stable state of the left side offers all that some stable state of the right side offers.
fn refusals(left: Local, right: Local, labels: &mut Labels) -> Result<(), Failure> {
    if labels.covers(right.acceptance, left.acceptance) {
        return Ok(());
    }
    let offered =
        labels.uncovered(right.acceptance, left.acceptance).expect("a family that is not covered has such a set");
    Err(refused(offered, smallest_refusal(offered, right.acceptance, labels), right.acceptance, labels))
}

/// Every event that the right side must be able to do, the left side must be able to do.
fn must(left: Local, right: Local, labels: &mut Labels) -> Result<(), Failure> {
    let (mine, yours) = (labels.common(left.acceptance), labels.common(right.acceptance));
    let Some(event) = labels.missing(yours, mine) else { return Ok(()) };
    let without = labels.sets(left.acceptance).iter().find(|&&set| labels.events(set).binary_search(&event).is_err());
    let offered = *without.expect("an event that is not common to all sets is missing in one");
    Err(refused(offered, vec![event], right.acceptance, labels))
}

fn refused(offered: EventSet, refused: Vec<Event>, other: Family, labels: &Labels) -> Failure {
    let other = labels.sets(other).iter().map(|&set| labels.events(set).to_vec()).collect();
    let refusal = Refusal { refused, offered: labels.events(offered).to_vec(), other };
    Failure { kind: Kind::Refusal, by: Side::Left, event: None, refusal: Some(refusal) }
}

/// Few events that are not offered, one of each set of the other side: an event that is in most of the remaining sets, again and again, and then
/// without those that turned out to be superfluous.
fn smallest_refusal(offered: EventSet, other: Family, labels: &Labels) -> Vec<Event> {
    let offered = labels.events(offered);
    let outside = |set: &EventSet| -> Vec<Event> {
        labels.events(*set).iter().copied().filter(|event| offered.binary_search(event).is_err()).collect()
    };
    let sets: Vec<Vec<Event>> = labels.sets(other).iter().map(outside).collect();
    let hit = |chosen: &[Event]| sets.iter().all(|set| set.iter().any(|event| chosen.contains(event)));
    let mut chosen: Vec<Event> = Vec::new();
    while let Some(open) = sets.iter().find(|set| !set.iter().any(|event| chosen.contains(event))) {
        let hits = |event: &&Event| {
            sets.iter().filter(|set| set.contains(event) && !set.iter().any(|other| chosen.contains(other))).count()
        };
        match open.iter().max_by_key(hits) {
            Some(&best) => chosen.push(best),
            None => break,
        }
    }
    for at in (0..chosen.len()).rev() {
        let mut fewer = chosen.clone();
        fewer.remove(at);
        if hit(&fewer) {
            chosen = fewer;
        }
    }
    chosen.sort_unstable();
    chosen
}
