//! The representative of a state from the one it was reached from.
//!
//! Searches expand representatives, which are sorted: of a successor only the objects that changed may be out of place. If those are simple,
//! and no tie mattered before, it is enough to put each where it belongs and to look at its ties.
//!
//! **Why ties of the others stay harmless.** Let `a` and `b` be tied, unchanged, and referred to in the same slots as before, and let their
//! exchange fix the state before. No slot of a third object, and none outside, referred to either: the exchange would have changed it. Hence
//! none does now, what the two hold is the same, and the exchange fixes the successor, too.

use super::super::Found;
use super::super::forest::{Effort, Family};
use super::super::objects::Object;
use super::relatives::Affected;
use super::{Search, Siblings, Ties};

/// A sorted state, and where objects go that are moved in one much like it.
#[derive(Clone, Debug, Default)]
pub(super) struct Base {
    /// Whether the state read before is sorted by colours that were not refined, and its ties are harmless.
    is_sorted: bool,
    /// By place: the colour there in the sorted state.
    pub(super) known: Vec<u64>,
    /// By place: the colour and the object that are there now; by object: its place. As in the sorted state between uses.
    colours: Vec<u64>,
    order: Vec<Object>,
    places: Vec<Object>,
    /// The places where something was put.
    touched: Vec<Object>,
    pub(super) affected: Affected,
}

impl Base {
    pub(super) fn new(objects: usize) -> Self {
        Self {
            known: vec![0; objects],
            colours: vec![0; objects],
            order: (0..objects as Object).collect(),
            places: (0..objects as Object).collect(),
            affected: Affected::new(objects),
            ..Self::default()
        }
    }

    #[inline]
    fn put(&mut self, place: usize, object: Object, colour: u64) {
        self.colours[place] = colour;
        self.order[place] = object;
        self.places[object as usize] = place as Object;
        self.touched.push(place as Object);
    }

    /// Moves an object to where its colour belongs. Of each tie between, one object moves.
    fn insert(&mut self, object: Object, colour: u64, family: &Family) {
        let mut free = self.places[object as usize] as usize;
        while free + 1 < family.end && self.colours[free + 1] < colour {
            let tied = self.colours[free + 1];
            let mut last = free + 1;
            while last + 1 < family.end && self.colours[last + 1] == tied {
                last += 1;
            }
            self.put(free, self.order[last], tied);
            free = last;
        }
        while free > family.start && self.colours[free - 1] > colour {
            let tied = self.colours[free - 1];
            let mut first = free - 1;
            while first > family.start && self.colours[first - 1] == tied {
                first -= 1;
            }
            self.put(free, self.order[first], tied);
            free = first;
        }
        self.put(free, object, colour);
    }

    /// Puts everything back as in the sorted state.
    fn restore(&mut self) {
        for place in self.touched.drain(..) {
            self.colours[place as usize] = self.known[place as usize];
            self.order[place as usize] = place;
            self.places[place as usize] = place;
        }
    }
}

impl Search<'_> {
    /// Keeps the order of a state, whose successors are asked for next, if it can be used for them.
    pub(super) fn set_base(&mut self, ties: &Ties) {
        let Siblings { base, order, colours, is_refined, .. } = &mut *self.at;
        let is_sorted = || order.iter().zip(0..).all(|(&object, place)| object == place);
        base.is_sorted =
            self.forest.effort == Effort::Exact && matches!(ties, Ties::Harmless) && !*is_refined && is_sorted();
        if base.is_sorted {
            let colours = &colours[..base.known.len()];
            base.known.copy_from_slice(colours);
            base.colours.copy_from_slice(colours);
        }
    }

    /// Finds the representative of a state read in passing, if that follows from the state before.
    pub(super) fn follows_base(&mut self, found: &mut Found) -> bool {
        if !self.at.base.is_sorted {
            return false;
        }
        if self.forest.has_parents || !self.forest.derived.is_empty() {
            return self.follows_base_with_relatives(found);
        }
        let Siblings { base, .. } = &mut *self.at;
        for number in 0..self.reading.changed_count() {
            let object = self.reading.changed_object(number);
            let family = &self.forest.families[self.forest.class[object as usize] as usize];
            base.insert(object, self.reading.keys[object as usize], family);
        }
        let settled = self.has_harmless_ties();
        let Siblings { base, .. } = &mut *self.at;
        if settled {
            found.changed = base.touched.iter().any(|&place| base.order[place as usize] != place);
            if found.changed {
                let Base { order, places, touched, .. } = &*base;
                let moved = touched.iter().copied();
                self.reading.write_image_at(self.layout, self.state, moved, (order, places), &mut found.image);
            }
        }
        base.restore();
        settled
    }

    /// Whether the ties of objects that have changed are harmless.
    fn has_harmless_ties(&mut self) -> bool {
        let Siblings { base, .. } = &*self.at;
        (0..self.reading.changed_count()).all(|number| {
            let object = self.reading.changed_object(number);
            let place = base.places[object as usize] as usize;
            let family = &self.forest.families[self.forest.class[object as usize] as usize];
            let neighbours = [(place > family.start).then(|| place - 1), (place + 1 < family.end).then_some(place + 1)];
            neighbours.into_iter().flatten().all(|next| {
                let other = base.order[next];
                base.colours[next] != base.colours[place]
                    || self.reading.are_twins(object, other)
                    || self.reading.is_fixed_by(self.layout, self.state, &[(object, other)])
            })
        })
    }
}
