//! Sets of visible events and families of such sets, as numbers that both sides share, with the questions that local relations ask of them.
//!
//! There are few different ones, and the same questions come again and again, so the answers are kept.

use rustc_hash::FxHashMap;

use crate::Event;
use crate::interner::Interner;

/// A set of visible events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct EventSet(u32);

impl EventSet {
    pub(crate) const EMPTY: EventSet = EventSet(0);
    /// No set: a place for one that was not asked for yet.
    pub(crate) const UNKNOWN: EventSet = EventSet(u32::MAX);
}

/// The least of a family of sets of events, none of which contains another. A smaller set is a larger refusal, so the least ones say all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Family(u32);

impl Family {
    /// No set at all: there is no stable state.
    pub(crate) const NONE: Family = Family(0);
}

#[derive(Debug)]
pub(crate) struct Labels {
    sets: Interner<Event>,
    families: Interner<EventSet>,
    subsets: FxHashMap<(EventSet, EventSet), bool>,
    covered: FxHashMap<(Family, Family), bool>,
}

impl Labels {
    pub(crate) fn new() -> Labels {
        Labels {
            sets: Interner::new(),
            families: Interner::new(),
            subsets: FxHashMap::default(),
            covered: FxHashMap::default(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let answers = 16 * (self.subsets.capacity() + self.covered.capacity());
        (self.sets.bytes() + self.families.bytes() + answers) as u64
    }

    /// The set of these events, which are sorted and different.
    #[inline]
    pub(crate) fn set(&mut self, events: &[Event]) -> EventSet {
        debug_assert!(events.is_sorted_by(|a, b| a < b), "sorted and different");
        EventSet(self.sets.intern(events))
    }

    pub(crate) fn events(&self, set: EventSet) -> &[Event] {
        self.sets.get(set.0)
    }

    /// Is every event of the one in the other?
    #[inline]
    pub(crate) fn is_subset(&mut self, small: EventSet, large: EventSet) -> bool {
        if small == large || small == EventSet::EMPTY {
            return true;
        }
        let Labels { sets, subsets, .. } = self;
        *subsets.entry((small, large)).or_insert_with(|| is_subset(sets.get(small.0), sets.get(large.0)))
    }

    /// The first event of the one that is not in the other.
    pub(crate) fn missing(&self, from: EventSet, other: EventSet) -> Option<Event> {
        self.events(from).iter().copied().find(|event| self.events(other).binary_search(event).is_err())
    }

    /// The least of these sets.
    pub(crate) fn family(&mut self, sets: &mut Vec<EventSet>) -> Family {
        sets.sort_unstable();
        sets.dedup();
        if sets.len() > 1 {
            let all = sets.clone();
            sets.retain(|&set| !all.iter().any(|&other| other != set && self.is_subset(other, set)));
        }
        Family(self.families.intern(sets))
    }

    pub(crate) fn sets(&self, family: Family) -> &[EventSet] {
        self.families.get(family.0)
    }

    /// Has every set of `large` a subset in `small`? Written `small ⊂⊂ large` by Hennessy.
    #[inline]
    pub(crate) fn covers(&mut self, small: Family, large: Family) -> bool {
        if small == large || large == Family::NONE {
            return true;
        }
        if let Some(&known) = self.covered.get(&(small, large)) {
            return known;
        }
        let covers = self.uncovered(small, large).is_none();
        self.covered.insert((small, large), covers);
        covers
    }

    /// A set of `large` that has no subset in `small`.
    pub(crate) fn uncovered(&mut self, small: Family, large: Family) -> Option<EventSet> {
        let (small, large) = (self.sets(small).to_vec(), self.sets(large).to_vec());
        large.into_iter().find(|&set| !small.iter().any(|&other| self.is_subset(other, set)))
    }

    /// The events that are in every set of a family; of no set at all, none.
    pub(crate) fn common(&mut self, family: Family) -> EventSet {
        let sets = self.sets(family);
        let Some((&first, others)) = sets.split_first() else { return EventSet::EMPTY };
        let in_all = |event: &Event| others.iter().all(|&set| self.events(set).binary_search(event).is_ok());
        let events: Vec<Event> = self.events(first).iter().copied().filter(in_all).collect();
        self.set(&events)
    }
}

/// Is a sorted list part of another?
pub(crate) fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large;
    small.iter().all(|item| match rest.binary_search(item) {
        Ok(at) => {
            rest = &rest[at + 1..];
            true
        }
        Err(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_keeps_its_least_sets_and_is_covered_by_smaller_ones() {
        let mut labels = Labels::new();
        let mut set = |events: &[u32]| labels.set(&events.iter().copied().map(Event).collect::<Vec<_>>());
        let (ab, a, c, ac) = (set(&[1, 2]), set(&[1]), set(&[3]), set(&[1, 3]));
        let fine = labels.family(&mut vec![a, c, ab]);
        assert_eq!(labels.sets(fine).len(), 2);
        let coarse = labels.family(&mut vec![ab, ac]);
        assert!(labels.covers(fine, coarse) && !labels.covers(coarse, fine));
        assert_eq!(labels.common(coarse), a);
        assert_eq!(labels.missing(ab, ac), Some(Event(2)));
        assert!(labels.covers(fine, Family::NONE) && !labels.covers(Family::NONE, fine));
    }
}
