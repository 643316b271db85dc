//! A state as a coloured graph of objects: a key for what each object holds by itself, and arcs for references to others.
//!
//! A key takes in everything that does not change when objects are permuted: numbers, references to itself, which slots outside
//! refer to it. Equal keys may be an accident of hashing, so nothing exact is concluded from them; whether exchanging objects leaves
//! a state as it is, is decided by comparing contents ([`Reading::is_fixed_by`]).
//!
//! States come in the order in which a search generates them, so each is much like the one before: only what differs
//! is read again.

use super::kinds::Kinds;
use super::layout::{Layout, Reference, Salt};
use super::objects::Object;
use super::touched::Part;
use super::undo::{ObjectChange, Undo};

/// What has been read from a state; made once and used for many.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The state that the rest belongs to.
    state: Vec<u8>,
    /// The parts in which a state differs from the one before, and by part whether it is among them.
    changed: Vec<Part>,
    is_changed: Vec<bool>,
    /// By slot of `Layout::names`.
    references: Vec<Reference>,
    values: Vec<i32>,
    /// By slot of `Layout::outside`.
    outside: Vec<Reference>,
    /// References from one object to another, once they have been asked for.
    arcs: Vec<Arc>,
    knows_arcs: bool,
    knows_kinds: bool,
    /// By object: its key.
    pub(super) keys: Vec<u64>,
    /// By object: how many references to it there are in slots of other objects and outside.
    referrers: Vec<u32>,
    /// By object: where an exchange takes it; the identity between uses.
    exchange: Vec<Object>,
    /// By object: how many of its slots refer to another one.
    refers: Vec<u32>,
    references_to_others: u32,
    /// The objects before this one may hold something.
    holders: usize,
    kinds: Kinds,
    undo: Undo,
    referrals: Referrals,
}

/// Whether the key of an object takes in which slots of other objects refer to it.
///
/// What those objects hold besides is left to refinement, which is seldom needed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Referrals {
    Told,
    /// For strategies that sort by what objects hold themselves.
    Untold,
}

/// Whether it is kept how to take a change back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Lasting,
    Passing,
}

/// A reference from one object to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) from: Object,
    pub(super) to: Object,
    /// From which slot of an object of that class to which of its names.
    pub(super) label: u64,
}

/// Spreads all bits over the word; zero stays zero, and no two words become one.
#[inline]
pub(super) fn scramble(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let word = (word ^ (word >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ (word >> 32)
}

impl Reading {
    pub(super) fn new(layout: &Layout, objects: usize, length: usize, referrals: Referrals) -> Self {
        let mut reading = Self {
            state: vec![0; length],
            changed: Vec::new(),
            is_changed: vec![false; layout.words.len() + layout.names.len() + layout.outside.len()],
            references: vec![Reference::NONE; layout.names.len()],
            values: vec![0; layout.names.len()],
            outside: vec![Reference::NONE; layout.outside.len()],
            arcs: Vec::with_capacity(layout.names.len()),
            knows_arcs: false,
            knows_kinds: false,
            keys: vec![0; objects],
            referrers: vec![0; objects],
            exchange: (0..objects as Object).collect(),
            refers: vec![0; objects],
            references_to_others: 0,
            holders: layout.holders(),
            kinds: Kinds::new(objects),
            undo: Undo::new(objects),
            referrals,
        };
        // The first state is read as one that differs from zeros.
        let zeros = vec![0; length];
        for word in &layout.words {
            let key = &mut reading.keys[word.object as usize];
            *key = key.wrapping_add(word.salt.apply(0));
        }
        for (at, &(object, salt)) in layout.named.iter().enumerate() {
            let key = &mut reading.keys[object as usize];
            *key = key.wrapping_add(salt.apply(key_of_name(object, 0, Reference::NONE)));
            reading.read_name(layout, &zeros, at, Change::Lasting);
        }
        (0..layout.outside.len()).for_each(|slot| reading.read_outside(layout, &zeros, slot, Change::Lasting));
        reading
    }

    /// Reads of a state what differs from the one read before.
    pub(super) fn read(&mut self, layout: &Layout, state: &[u8]) {
        self.read_changes(layout, state, Change::Lasting);
        self.state.copy_from_slice(state);
    }

    /// Reads a state, much like the one read before, that is forgotten with [`Reading::revert`].
    pub(super) fn read_in_passing(&mut self, layout: &Layout, state: &[u8]) {
        self.read_changes(layout, state, Change::Passing);
    }

    /// How many objects of a state read in passing may hold something else than before, or be referred to in other slots. The others are as
    /// they were.
    #[inline]
    pub(super) fn changed_count(&self) -> usize {
        self.undo.objects.len()
    }

    #[inline]
    pub(super) fn changed_object(&self, number: usize) -> Object {
        self.undo.objects[number].object
    }

    /// What was added to the key of such an object.
    #[inline]
    pub(super) fn change_of_key(&self, number: usize) -> u64 {
        let ObjectChange { object, key, .. } = self.undo.objects[number];
        self.keys[object as usize].wrapping_sub(key)
    }

    #[inline]
    fn read_changes(&mut self, layout: &Layout, state: &[u8], change: Change) {
        let mut changed = std::mem::take(&mut self.changed);
        let is_changed = &mut self.is_changed;
        layout.touched.for_each_change(&self.state, state, |part| {
            if !std::mem::replace(&mut is_changed[part as usize], true) {
                changed.push(part);
            }
        });
        self.kinds.begin();
        self.knows_kinds = false;
        let (words, names) = (layout.words.len(), layout.names.len());
        for part in changed.drain(..) {
            let part = part as usize;
            self.is_changed[part] = false;
            if let Some(word) = layout.words.get(part) {
                self.note(word.object, change);
                let before = word.salt.apply(word.read(&self.state));
                let key = &mut self.keys[word.object as usize];
                *key = key.wrapping_sub(before).wrapping_add(word.salt.apply(word.read(state)));
                self.kinds.change(word.object);
            } else if part < words + names {
                self.read_name(layout, state, part - words, change);
            } else {
                self.read_outside(layout, state, part - words - names, change);
            }
        }
        self.changed = changed;
    }

    /// An object is about to change.
    #[inline]
    fn note(&mut self, object: Object, change: Change) {
        if change == Change::Passing {
            self.undo.note(object, self.keys[object as usize], self.kinds.get(object));
        }
    }

    fn read_name(&mut self, layout: &Layout, state: &[u8], at: usize, change: Change) {
        let (object, salt) = layout.named[at];
        self.note(object, change);
        let (value, reference) = layout.read(state, &layout.names[at]);
        let old_value = std::mem::replace(&mut self.values[at], value);
        let before = std::mem::replace(&mut self.references[at], reference);
        let key = &mut self.keys[object as usize];
        *key = key.wrapping_sub(salt.apply(key_of_name(object, old_value, before)));
        *key = key.wrapping_add(salt.apply(key_of_name(object, value, reference)));
        self.kinds.change(object);
        if change == Change::Passing {
            self.undo.names.push((at as u32, old_value, before));
            let others = [before, reference].into_iter().filter(|each| *each != Reference::NONE);
            others.for_each(|other| self.note(other.object, change));
        }
        if before == reference {
            return;
        }
        if self.referrals == Referrals::Told {
            if before != Reference::NONE && before.object != object {
                let key = &mut self.keys[before.object as usize];
                *key = key.wrapping_sub(key_of_referral(salt, before));
            }
            if reference != Reference::NONE && reference.object != object {
                let key = &mut self.keys[reference.object as usize];
                *key = key.wrapping_add(key_of_referral(salt, reference));
            }
        }
        self.refer(object, before, reference);
    }

    /// Counts the references that an object has in one slot.
    fn refer(&mut self, object: Object, before: Reference, after: Reference) {
        if before == after {
            return;
        }
        self.knows_arcs = false;
        let is_other = |reference: Reference| reference != Reference::NONE && reference.object != object;
        if is_other(before) {
            self.referrers[before.object as usize] -= 1;
            self.refers[object as usize] -= 1;
            self.references_to_others -= 1;
        }
        if is_other(after) {
            self.referrers[after.object as usize] += 1;
            self.refers[object as usize] += 1;
            self.references_to_others += 1;
        }
    }

    fn read_outside(&mut self, layout: &Layout, state: &[u8], slot: usize, change: Change) {
        let (_, reference) = layout.read(state, &layout.outside[slot]);
        let before = std::mem::replace(&mut self.outside[slot], reference);
        if change == Change::Passing {
            self.undo.outside.push((slot as u32, before));
        }
        let word = |reference: Reference| scramble((slot as u64 + 1) << 40 | u64::from(reference.row) << 8 | 1);
        if before != Reference::NONE {
            self.note(before.object, change);
            let referred = before.object as usize;
            self.keys[referred] = self.keys[referred].wrapping_sub(word(before));
            self.referrers[referred] -= 1;
        }
        if reference != Reference::NONE {
            self.note(reference.object, change);
            let referred = reference.object as usize;
            self.keys[referred] = self.keys[referred].wrapping_add(word(reference));
            self.referrers[referred] += 1;
        }
    }

    /// Goes back from a state read in passing to the one read before.
    pub(super) fn revert(&mut self, layout: &Layout) {
        let mut undo = std::mem::take(&mut self.undo);
        for (at, value, reference) in undo.names.drain(..) {
            let at = at as usize;
            self.values[at] = value;
            let passing = std::mem::replace(&mut self.references[at], reference);
            self.refer(layout.named[at].0, passing, reference);
        }
        for (slot, reference) in undo.outside.drain(..) {
            let passing = std::mem::replace(&mut self.outside[slot as usize], reference);
            for (reference, change) in [(passing, u32::MAX), (reference, 1)] {
                if reference != Reference::NONE {
                    let count = &mut self.referrers[reference.object as usize];
                    *count = count.wrapping_add(change);
                }
            }
        }
        undo.take_back(|ObjectChange { object, key, kind }| {
            self.keys[object as usize] = key;
            self.kinds.restore(object, kind);
        });
        self.knows_kinds = false;
        self.undo = undo;
    }

    /// Whether an object refers to another one.
    pub(super) fn has_references(&self) -> bool {
        self.references_to_others > 0
    }

    /// Lists the references from one object to another, for [`Reading::arcs`].
    pub(super) fn find_arcs(&mut self, layout: &Layout) {
        if self.knows_arcs {
            return;
        }
        self.knows_arcs = true;
        self.arcs.clear();
        for object in (0..self.holders as Object).filter(|&object| self.refers[object as usize] > 0) {
            for (number, reference) in (1u64..).zip(&self.references[layout.names_of(object)]) {
                if *reference != Reference::NONE && reference.object != object {
                    let label = scramble(number << 32 | u64::from(reference.row));
                    self.arcs.push(Arc { from: object, to: reference.object, label });
                }
            }
        }
    }

    /// The references from one object to another, which [`Reading::find_arcs`] has listed.
    pub(super) fn arcs(&self) -> &[Arc] {
        debug_assert!(self.knows_arcs, "arcs are listed before they are used");
        &self.arcs
    }

    /// Finds out which objects hold the same, for [`Reading::is_fixed_under`].
    pub(super) fn find_kinds(&mut self, layout: &Layout, state: &[u8]) {
        if std::mem::replace(&mut self.knows_kinds, true) {
            return;
        }
        for object in 0..self.holders as Object {
            self.kinds.find(object, layout, state, (&self.references, &self.values));
        }
    }

    /// Whether two objects hold the same, other names than those of nothing and of themselves aside. Needs [`Reading::find_kinds`].
    #[inline]
    pub(super) fn are_alike(&self, a: Object, b: Object) -> bool {
        a as usize >= self.holders || self.kinds.get(a) == self.kinds.get(b)
    }

    /// Whether two objects are known to hold the same, and neither is referred to or refers to others: then exchanging them changes nothing.
    #[inline]
    pub(super) fn are_twins(&self, a: Object, b: Object) -> bool {
        self.kinds.are_known_equal(a, b) && self.is_apart(a) && self.is_apart(b)
    }

    /// Whether an object neither refers to others nor is referred to.
    #[inline]
    pub(super) fn is_apart(&self, object: Object) -> bool {
        self.refers[object as usize] == 0 && self.referrers[object as usize] == 0
    }

    /// The objects that slots outside refer to.
    pub(super) fn named_outside(&self) -> impl Iterator<Item = Object> {
        self.outside.iter().filter(|&&reference| reference != Reference::NONE).map(|reference| reference.object)
    }

    /// What a slot of `Layout::names` refers to.
    pub(super) fn reference(&self, slot: usize) -> Reference {
        self.references[slot]
    }

    /// Writes the image of the state that was read: each object's place takes the contents of its source.
    ///
    /// `targets` is the inverse of `sources`.
    pub(super) fn write_image(
        &self,
        layout: &Layout,
        state: &[u8],
        sources: &[Object],
        targets: &[Object],
        image: &mut [u8],
    ) {
        image.copy_from_slice(state);
        for (target, &source) in (0..).zip(&sources[..self.holders]) {
            if target == source && self.refers[source as usize] == 0 {
                continue;
            }
            self.write_object(layout, state, (source, target), targets, image);
        }
        self.write_outside(layout, targets, image);
    }

    /// Does the same where only objects of the places given move.
    pub(super) fn write_image_at(
        &self,
        layout: &Layout,
        state: &[u8],
        places: impl Iterator<Item = Object>,
        (sources, targets): (&[Object], &[Object]),
        image: &mut [u8],
    ) {
        if self.has_references() {
            // Objects that stay may refer to some that move.
            return self.write_image(layout, state, sources, targets, image);
        }
        image.copy_from_slice(state);
        for target in places.filter(|&target| (target as usize) < self.holders) {
            self.write_object(layout, state, (sources[target as usize], target), targets, image);
        }
        self.write_outside(layout, targets, image);
    }

    #[inline]
    fn write_object(
        &self,
        layout: &Layout,
        state: &[u8],
        (source, target): (Object, Object),
        targets: &[Object],
        image: &mut [u8],
    ) {
        // Where the same is held, and nobody else is named, the place holds already what comes to it, names of its own included.
        let stays = target == source || self.kinds.are_known_equal(target, source);
        if stays && self.refers[source as usize] == 0 && self.refers[target as usize] == 0 {
            return;
        }
        if target != source {
            for (to, from) in layout.runs_of(target).iter().zip(layout.runs_of(source)) {
                copy_run(&mut image[to.offset as usize..][..to.length as usize], &state[from.offset as usize..]);
            }
        }
        for (to, from) in layout.names_of(target).zip(layout.names_of(source)) {
            let value = match self.references[from] {
                Reference::NONE => self.values[from],
                Reference { object, row } => layout.value(Reference { object: targets[object as usize], row }),
            };
            layout.names[to].write(image, value);
        }
    }

    fn write_outside(&self, layout: &Layout, targets: &[Object], image: &mut [u8]) {
        for (slot, &reference) in layout.outside.iter().zip(&self.outside) {
            if reference != Reference::NONE {
                let object = targets[reference.object as usize];
                slot.write(image, layout.value(Reference { object, ..reference }));
            }
        }
    }

    /// Whether the state stays as it is when the objects of each pair change places.
    ///
    /// The pairs are disjoint, each of objects of one class.
    pub(super) fn is_fixed_by(&mut self, layout: &Layout, state: &[u8], pairs: &[(Object, Object)]) -> bool {
        let Self { kinds, references, values, .. } = &mut *self;
        let mut kind = |object| kinds.find(object, layout, state, (references, values));
        if !pairs.iter().all(|&(a, b)| kind(a) == kind(b)) {
            return false;
        }
        if layout.has_no_names() || pairs.iter().all(|&(a, b)| self.is_apart(a) && self.is_apart(b)) {
            return true;
        }
        for &(a, b) in pairs {
            (self.exchange[a as usize], self.exchange[b as usize]) = (b, a);
        }
        // References to exchanged objects must come from exchanged objects, where their images are compared.
        let mut accounted = 0;
        let mut fixed = true;
        for &(a, b) in pairs {
            for (at_a, at_b) in layout.names_of(a).zip(layout.names_of(b)) {
                let (from_a, from_b) = (self.references[at_a], self.references[at_b]);
                // What holds the same has names of nothing at the same places.
                if from_a == Reference::NONE {
                    continue;
                }
                let moved = Reference { object: self.exchange[from_a.object as usize], row: from_a.row };
                fixed &= moved == from_b;
                if moved.object != from_a.object {
                    accounted += u32::from(from_a.object != a) + u32::from(from_b.object != b);
                }
            }
        }
        let mut referrers = 0;
        for &(a, b) in pairs {
            (self.exchange[a as usize], self.exchange[b as usize]) = (a, b);
            referrers += self.referrers[a as usize] + self.referrers[b as usize];
        }
        fixed && accounted == referrers
    }

    /// Whether the state stays as it is when objects go to their images: those listed, all that are moved, each to one of its class.
    ///
    /// Objects from which on nothing is held and nothing referred to need not be listed. Needs [`Reading::find_kinds`].
    pub(super) fn is_fixed_under(
        &self,
        layout: &Layout,
        moved: impl Iterator<Item = Object>,
        image: impl Fn(Object) -> Object,
    ) -> bool {
        let mut accounted = 0;
        let mut referrers = 0;
        for source in moved {
            let target = image(source);
            if (source as usize) < self.holders && self.kinds.get(source) != self.kinds.get(target) {
                return false;
            }
            if self.is_apart(source) && self.is_apart(target) {
                continue;
            }
            for (at_source, at_target) in layout.names_of(source).zip(layout.names_of(target)) {
                let from = self.references[at_source];
                let carried = match from {
                    Reference::NONE => from,
                    Reference { object, row } => Reference { object: image(object), row },
                };
                if carried != self.references[at_target] {
                    return false;
                }
                accounted += u32::from(carried != from && from.object != source);
            }
            referrers += self.referrers[source as usize];
        }
        // All references to moved objects are in moved objects.
        accounted == referrers
    }
}

/// Copies as many bytes as there is room for; most runs are short, and then a call costs more than copying.
#[inline]
fn copy_run(to: &mut [u8], from: &[u8]) {
    match to {
        [to] => *to = from[0],
        [a, b] => [*a, *b] = [from[0], from[1]],
        [a, b, c, d] => [*a, *b, *c, *d] = [from[0], from[1], from[2], from[3]],
        _ => to.copy_from_slice(&from[..to.len()]),
    }
}

/// What a name of an object tells by itself.
#[inline]
fn key_of_name(object: Object, value: i32, reference: Reference) -> u64 {
    match reference {
        Reference::NONE => u64::from(value as u32),
        Reference { object: referred, row } => (1 + u64::from(referred != object)) << 32 | u64::from(row),
    }
}

/// What an object is told by a slot of another one that refers to it.
///
/// That is kept to the lower half of keys: objects stay in the order of what they hold, so that representatives of similar states are similar.
#[inline]
fn key_of_referral(salt: Salt, reference: Reference) -> u64 {
    const REFERRED: u64 = 0x6a09_e667_f3bc_c908;
    scramble(salt.apply(u64::from(reference.row)) ^ REFERRED) >> 32
}
