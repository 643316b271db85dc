//! Inclusions by antichains: pairs of a component of the left side and a set of states of the right side. The left side is never determinised.
//!
//! Breadth first by events: a level is closed under internal steps of the left side before the next event, so that the first failure has the fewest
//! events. A pair is dropped if a stored one has the same component and a *smaller* set: local relations of inclusions, steps and closures are
//! monotone, so whatever fails with the larger set fails with the smaller one, by a trace that is not longer. Pairs are stored when they are met, not
//! when they are looked at. (De Wulf, Doyen, Henzinger and Raskin, CAV 2006; Laveaux, Groote and Willemse, LMCS 2021.)

use explore::search::End;
use rustc_hash::FxHashMap;

use crate::Event;
use crate::limits::Watch;
use crate::local::{Followed, Inductive, Judgement, Phase};
use crate::search::{Counts, First, Found, Sides, Ways, watch};
use crate::sets::{Det, SetId};

/// The search, with the pairs that were met.
pub(crate) struct Inclusion<'s, 'o> {
    relation: Inductive,
    sides: &'s mut Sides<'o>,
    pairs: Vec<(u32, SetId)>,
    ways: Ways,
    antichain: Antichain,
    pub(crate) counts: Counts,
}

impl<'s, 'o> Inclusion<'s, 'o> {
    pub(crate) fn new(relation: Inductive, sides: &'s mut Sides<'o>) -> Inclusion<'s, 'o> {
        let (pairs, ways) = (Vec::new(), Ways::default());
        Inclusion { relation, sides, pairs, ways, antichain: Antichain::default(), counts: Counts::default() }
    }

    /// The first failure, if there is one.
    pub(crate) fn run(&mut self, limits: &mut Watch<'_>) -> Result<Option<Found>, End> {
        let (first, set) = (self.sides.left.initial_component()?, self.sides.right.initial_set()?);
        self.meet(first, set, 0, Event::INTERNAL);
        let (mut start, mut depth) = (0, 0);
        while start < self.pairs.len() {
            let mut failure = First::default();
            let mut followed = Vec::new();
            let mut pair = start;
            while pair < self.pairs.len() {
                watch(limits, self.sides, self.counts, depth, self.bytes())?;
                match self.judge(pair)? {
                    Judgement::Accept => {}
                    Judgement::Fail(reason) => {
                        if failure.note(pair as u32, reason) {
                            return Ok(failure.found(&self.ways));
                        }
                        // A trace waits for the end of the level; internal steps may lead to failures with fewer events.
                        self.internal(pair);
                    }
                    Judgement::Follow(_) => {
                        self.internal(pair);
                        followed.push(pair);
                    }
                }
                pair += 1;
            }
            if failure.is_some() {
                return Ok(failure.found(&self.ways));
            }
            start = self.pairs.len();
            for pair in followed {
                watch(limits, self.sides, self.counts, depth, self.bytes())?;
                self.visible(pair)?;
            }
            depth += 1;
        }
        Ok(None)
    }

    fn bytes(&self) -> u64 {
        (self.pairs.capacity() * 8 + self.antichain.first.capacity() * 4) as u64 + self.ways.bytes()
    }

    fn judge(&mut self, pair: usize) -> Result<Judgement, End> {
        let (component, set) = self.pairs[pair];
        let Sides { left, right, labels } = &mut *self.sides;
        let (mine, yours) = (left.local_of_component(component, labels), right.local(set, labels)?);
        Ok(self.relation.judge(mine, yours, Phase::Convergent, labels))
    }

    /// Internal steps of the left side: the right side stays where it is.
    fn internal(&mut self, pair: usize) {
        let (component, set) = self.pairs[pair];
        for at in 0..self.sides.left.components.inner(component).len() {
            let inner = self.sides.left.components.inner(component)[at];
            self.meet(inner, set, pair, Event::INTERNAL);
        }
    }

    fn visible(&mut self, pair: usize) -> Result<(), End> {
        let (component, set) = self.pairs[pair];
        let count = self.sides.left.components.visible(component, &self.sides.left.space).len();
        for at in 0..count {
            let left = &mut self.sides.left;
            let (event, state) = left.components.visible(component, &left.space)[at];
            let after = self.sides.right.after(set, event);
            debug_assert!(
                self.relation.followed() == Followed::Left
                    || self.sides.right.steps(set).iter().any(|step| step.0 == event),
                "the local relation of inclusions compares events"
            );
            let left = &mut self.sides.left;
            let target = left.components.of(state, &mut left.space)?;
            self.meet(target, after, pair, event);
        }
        Ok(())
    }

    fn meet(&mut self, component: u32, set: SetId, before: usize, event: Event) {
        if self.antichain.insert(component, set, &self.sides.right) {
            self.pairs.push((component, set));
            self.ways.push(before as u32, event);
            self.counts.pairs += 1;
        } else {
            self.counts.matched += 1;
        }
    }
}

/// For each component of the left side sets of the right side, none of which contains another. Nearly all components have one set.
#[derive(Default)]
struct Antichain {
    /// The first set of each component, plus one.
    first: Vec<u32>,
    more: FxHashMap<u32, Vec<SetId>>,
}

impl Antichain {
    /// Adds a set to the row of a component unless a set of the row is part of it; drops those of which it is a part.
    fn insert(&mut self, component: u32, set: SetId, right: &Det<'_>) -> bool {
        let at = component as usize;
        if self.first.len() <= at {
            self.first.resize((at + 1).next_power_of_two(), 0);
        }
        let Some(first) = self.first[at].checked_sub(1).map(SetId) else {
            self.first[at] = set.0 + 1;
            return true;
        };
        if right.is_subset(first, set) {
            return false;
        }
        let more = self.more.entry(component).or_default();
        if more.iter().any(|&other| right.is_subset(other, set)) {
            return false;
        }
        more.retain(|&other| !right.is_subset(set, other));
        if right.is_subset(set, first) {
            self.first[at] = set.0 + 1;
        } else {
            more.push(set);
        }
        true
    }
}
