//! Representatives of successors where objects move with others: those below them, and those derived from them.
//!
//! Colours of objects take in those of the ones below and derived, so what changes in one object affects all above it. Families of
//! affected objects are sorted again, and the ties of affected objects looked at.
//!
//! **Why ties of the others stay harmless.** If an object is not affected, nothing that moves with it has changed, nor is referred to in other
//! slots than before. So the reason given in [`super::successor`] holds for the two objects of a tie together with all that moves with them.

use super::super::Found;
use super::super::objects::Object;
use super::super::reading::scramble;
use super::{Search, Siblings, sort_by_colour};

/// What a successor changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Affected {
    /// Those whose colour is final, then, descending, those that wait.
    objects: Vec<Object>,
    is_affected: Vec<bool>,
    /// The families with some of them.
    families: Vec<u32>,
}

impl Affected {
    pub(super) fn new(objects: usize) -> Self {
        Self { is_affected: vec![false; objects], ..Self::default() }
    }

    /// Adds an object to those that wait, which start at a place.
    fn add(&mut self, object: Object, start: usize) {
        if std::mem::replace(&mut self.is_affected[object as usize], true) {
            return;
        }
        let mut place = self.objects.len();
        self.objects.push(object);
        while place > start && self.objects[place - 1] < object {
            self.objects[place] = self.objects[place - 1];
            place -= 1;
        }
        self.objects[place] = object;
    }

    fn clear(&mut self) {
        for object in self.objects.drain(..) {
            self.is_affected[object as usize] = false;
        }
        self.families.clear();
    }
}

impl Search<'_> {
    /// Finds the representative of a state read in passing, if that follows from the state before.
    pub(super) fn follows_base_with_relatives(&mut self, found: &mut Found) -> bool {
        self.colour_affected();
        self.sort_affected();
        let settled = self.has_harmless_ties_among_affected();
        self.at.base.affected.clear();
        if settled {
            found.changed = self.arrange();
            if found.changed {
                let Siblings { sources, targets, .. } = &*self.at;
                self.reading.write_image(self.layout, self.state, sources, targets, &mut found.image);
            }
        }
        settled
    }

    /// The colours as they would be found afresh.
    fn colour_affected(&mut self) {
        let Siblings { base, colours, .. } = &mut *self.at;
        let affected = &mut base.affected;
        let colours = &mut colours[..base.known.len()];
        colours.copy_from_slice(&base.known);
        for number in 0..self.reading.changed_count() {
            let object = self.reading.changed_object(number);
            let colour = &mut colours[object as usize];
            *colour = colour.wrapping_add(self.reading.change_of_key(number));
            affected.add(object, 0);
        }
        // Those with the largest numbers first: no object is affected by one before it.
        let mut next = 0;
        while let Some(&object) = affected.objects.get(next) {
            next += 1;
            let (before, after) = (base.known[object as usize], colours[object as usize]);
            for &(above, label) in &self.forest.above[object as usize] {
                let colour = &mut colours[above as usize];
                *colour = colour.wrapping_sub(scramble(before.wrapping_add(label)));
                *colour = colour.wrapping_add(scramble(after.wrapping_add(label)));
                affected.add(above, next);
            }
            let family = self.forest.family[object as usize];
            if family != u32::MAX && !affected.families.contains(&family) {
                affected.families.push(family);
            }
        }
    }

    fn sort_affected(&mut self) {
        let Siblings { base, colours, order, .. } = &mut *self.at;
        (0..).zip(&mut *order).for_each(|(object, place)| *place = object);
        for &family in &base.affected.families {
            let family = &self.forest.families[family as usize];
            sort_by_colour(&mut order[family.start..family.end], colours);
        }
    }

    fn has_harmless_ties_among_affected(&mut self) -> bool {
        for number in 0..self.at.base.affected.families.len() {
            let family = self.forest.families[self.at.base.affected.families[number] as usize];
            let simple = self.forest.is_simple(family.start as Object);
            for place in family.start + 1..family.end {
                let Siblings { base, order, colours, .. } = &*self.at;
                let (a, b) = (order[place - 1], order[place]);
                let is_affected = |object: Object| base.affected.is_affected[object as usize];
                if colours[a as usize] != colours[b as usize]
                    || !is_affected(a) && !is_affected(b)
                    || simple && self.reading.are_twins(a, b)
                {
                    continue;
                }
                if !self.may_exchange(0, a, b) {
                    return false;
                }
            }
        }
        true
    }
}
