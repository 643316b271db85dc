//! A state as a coloured graph of objects: a key for what each object holds by itself, and arcs for references to others.
//!
//! A key takes in everything that does not change when objects are permuted: numbers, references to itself, which slots outside
//! refer to it. Equal keys may be an accident of hashing, so nothing exact is concluded from them; whether exchanging objects leaves
//! a state as it is, is decided by comparing contents ([`Reading::is_fixed_by`]).
//!
//! States come in the order in which a search generates them, so each is much like the one before: only objects in which the two
//! differ are read again.

use super::layout::{Layout, Reference, Run};
use super::objects::Object;
use super::touched::Part;

/// What has been read from a state; made once and used for many.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// The state that the rest belongs to; empty before the first.
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
    /// By object: its key.
    pub(super) keys: Vec<u64>,
    /// By object: the part of its key that is from what it holds.
    held: Vec<u64>,
    /// By object: how many references to it there are in slots of other objects and outside.
    referrers: Vec<u32>,
    /// By object: where an exchange takes it; the identity between uses.
    exchange: Vec<Object>,
    /// By object: whether it refers to another one.
    refers: Vec<bool>,
    /// The objects before this one may hold something.
    holders: usize,
    kinds: Kinds,
}

/// Which objects hold the same, decided by comparing contents.
#[derive(Clone, Debug, Default)]
struct Kinds {
    /// Whether the rest belongs to the state that has been read.
    known: bool,
    /// By object: the first one with the same key, the same numbers and the same names of nothing and of itself.
    first: Vec<Object>,
    /// A hash table of those that are the first of their kind.
    table: Vec<Object>,
}

/// In a hash table, no object.
const EMPTY: Object = Object::MAX;

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

/// Adds a word to a key, the order of words mattering; the first word of a key is the key.
#[inline]
fn join(key: u64, word: u64) -> u64 {
    scramble(key) ^ word
}

impl Reading {
    pub(super) fn new(layout: &Layout, objects: usize) -> Self {
        Self {
            state: Vec::new(),
            changed: Vec::new(),
            is_changed: vec![false; objects + layout.outside.len()],
            references: vec![Reference::NONE; layout.names.len()],
            values: vec![0; layout.names.len()],
            outside: vec![Reference::NONE; layout.outside.len()],
            arcs: Vec::with_capacity(layout.names.len()),
            knows_arcs: false,
            keys: vec![0; objects],
            held: vec![0; objects],
            referrers: vec![0; objects],
            exchange: (0..objects as Object).collect(),
            refers: vec![false; objects],
            holders: layout.holders(),
            kinds: Kinds {
                known: false,
                first: vec![0; objects],
                table: vec![EMPTY; (2 * objects).next_power_of_two()],
            },
        }
    }

    /// Reads a state, all of it or what differs from the one read before.
    pub(super) fn read(&mut self, layout: &Layout, state: &[u8]) {
        let mut changed = std::mem::take(&mut self.changed);
        if self.state.len() == state.len() {
            let is_changed = &mut self.is_changed;
            layout.touched.for_each_change(&self.state, state, |part| {
                if !std::mem::replace(&mut is_changed[part as usize], true) {
                    changed.push(part);
                }
            });
            self.state.copy_from_slice(state);
        } else {
            // What was read before is that nothing is held and nothing referred to.
            self.state.clear();
            self.state.extend_from_slice(state);
            let outside = self.keys.len() as Part..self.is_changed.len() as Part;
            changed.extend((0..self.holders as Part).chain(outside));
        }
        if !changed.is_empty() {
            self.kinds.known = false;
            self.knows_arcs = false;
        }
        for part in changed.drain(..) {
            self.is_changed[part as usize] = false;
            match (part as usize).checked_sub(self.keys.len()) {
                None => self.read_object(layout, state, part),
                Some(slot) => self.read_outside(layout, state, slot),
            }
        }
        self.changed = changed;
    }

    fn read_object(&mut self, layout: &Layout, state: &[u8], object: Object) {
        let Self { references, values, referrers, .. } = self;
        let mut key = numbers_key(layout.runs_of(object), state);
        let mut refers = false;
        for at in layout.names_of(object) {
            let (value, reference) = layout.read(state, &layout.names[at]);
            values[at] = value;
            key = match reference {
                Reference::NONE => join(key, u64::from(value as u32)),
                Reference { object: referred, row } if referred == object => join(key, (1 << 32) | u64::from(row)),
                Reference { row, .. } => {
                    refers = true;
                    join(key, (2 << 32) | u64::from(row))
                }
            };
            let before = std::mem::replace(&mut references[at], reference);
            if before != reference {
                let is_other = |reference: Reference| reference != Reference::NONE && reference.object != object;
                if is_other(before) {
                    referrers[before.object as usize] -= 1;
                }
                if is_other(reference) {
                    referrers[reference.object as usize] += 1;
                }
            }
        }
        let object = object as usize;
        self.refers[object] = refers;
        let before = std::mem::replace(&mut self.held[object], key);
        self.keys[object] = self.keys[object].wrapping_sub(before).wrapping_add(key);
    }

    fn read_outside(&mut self, layout: &Layout, state: &[u8], slot: usize) {
        let (_, reference) = layout.read(state, &layout.outside[slot]);
        let before = std::mem::replace(&mut self.outside[slot], reference);
        let word = |reference: Reference| scramble((slot as u64 + 1) << 40 | u64::from(reference.row) << 8 | 1);
        if before != Reference::NONE {
            let referred = before.object as usize;
            self.keys[referred] = self.keys[referred].wrapping_sub(word(before));
            self.referrers[referred] -= 1;
        }
        if reference != Reference::NONE {
            let referred = reference.object as usize;
            self.keys[referred] = self.keys[referred].wrapping_add(word(reference));
            self.referrers[referred] += 1;
        }
    }

    /// Lists the references from one object to another, for [`Reading::arcs`].
    pub(super) fn find_arcs(&mut self, layout: &Layout) {
        if self.knows_arcs {
            return;
        }
        self.knows_arcs = true;
        self.arcs.clear();
        for object in (0..self.holders as Object).filter(|&object| self.refers[object as usize]) {
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

    /// Whether an object from this one on is referred to by another one, or from outside.
    pub(super) fn refers_beyond(&self, object: usize) -> bool {
        self.referrers[object..].iter().any(|&referrers| referrers > 0)
    }

    /// Finds out which objects hold the same, which makes [`Reading::is_fixed_under`] faster; pays if that is asked often.
    pub(super) fn find_kinds(&mut self, layout: &Layout, state: &[u8]) {
        if self.kinds.known {
            return;
        }
        let mut kinds = std::mem::take(&mut self.kinds);
        kinds.table.fill(EMPTY);
        let mask = kinds.table.len() - 1;
        for object in 0..self.holders as Object {
            let key = self.keys[object as usize];
            let mut at = (key ^ key >> 32) as usize & mask;
            kinds.first[object as usize] = loop {
                let known = kinds.table[at];
                if known == EMPTY {
                    kinds.table[at] = object;
                    break object;
                }
                if self.keys[known as usize] == key && self.holds_the_same(layout, state, known, object) {
                    break known;
                }
                at = (at + 1) & mask;
            };
        }
        kinds.known = true;
        self.kinds = kinds;
    }

    /// Whether two objects hold the same, references to others and what these refer to aside.
    fn holds_the_same(&self, layout: &Layout, state: &[u8], a: Object, b: Object) -> bool {
        let (of_a, of_b) = (layout.names_of(a), layout.names_of(b));
        let same = |(at_a, at_b): (usize, usize)| match (self.references[at_a], self.references[at_b]) {
            (Reference::NONE, from_b) => from_b == Reference::NONE && self.values[at_a] == self.values[at_b],
            (_, Reference::NONE) => false,
            (from_a, from_b) => (from_a.object == a, from_a.row) == (from_b.object == b, from_b.row),
        };
        let runs = (layout.runs_of(a).len(), layout.runs_of(b).len());
        runs.0 == runs.1 && of_a.len() == of_b.len() && layout.same_numbers(state, a, b) && of_a.zip(of_b).all(same)
    }

    /// Whether an object neither refers to others nor is referred to.
    fn is_apart(&self, object: Object) -> bool {
        !self.refers[object as usize] && self.referrers[object as usize] == 0
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
        for (target, &source) in (0..).zip(sources) {
            if target == source && !self.refers[source as usize] {
                continue;
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
        if !pairs.iter().all(|&(a, b)| layout.same_numbers(state, a, b)) {
            return false;
        }
        if layout.has_no_names() {
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
                if from_a == Reference::NONE {
                    fixed &= from_b == Reference::NONE && self.values[at_a] == self.values[at_b];
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
    /// Objects from which on nothing is held and nothing referred to need not be listed.
    pub(super) fn is_fixed_under(
        &self,
        layout: &Layout,
        state: &[u8],
        moved: impl Iterator<Item = Object>,
        image: impl Fn(Object) -> Object,
    ) -> bool {
        let mut accounted = 0;
        let mut referrers = 0;
        for source in moved {
            let target = image(source);
            if self.kinds.known && (source as usize) < self.holders {
                if self.kinds.first[source as usize] != self.kinds.first[target as usize] {
                    return false;
                }
                if self.is_apart(source) && self.is_apart(target) {
                    continue;
                }
            } else if !layout.same_numbers(state, source, target) {
                return false;
            }
            for (at_source, at_target) in layout.names_of(source).zip(layout.names_of(target)) {
                let from = self.references[at_source];
                let carried = match from {
                    Reference::NONE => from,
                    Reference { object, row } => Reference { object: image(object), row },
                };
                let kept = from != Reference::NONE || self.values[at_source] == self.values[at_target];
                if carried != self.references[at_target] || !kept {
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

/// What an object's numbers are, the same for equal ones.
#[inline]
fn numbers_key(runs: &[Run], state: &[u8]) -> u64 {
    let mut key = 0;
    for run in runs {
        let bytes = &state[run.offset as usize..(run.offset + run.length) as usize];
        match *bytes {
            [a] => key = join(key, u64::from(a)),
            [a, b] => key = join(key, u64::from(u16::from_le_bytes([a, b]))),
            [a, b, c, d] => key = join(key, u64::from(u32::from_le_bytes([a, b, c, d]))),
            _ => {
                for chunk in bytes.chunks(8) {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    key = join(key, u64::from_le_bytes(word));
                }
            }
        }
    }
    key
}
