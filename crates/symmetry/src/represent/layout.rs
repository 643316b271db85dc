//! Where the parts of each object lie in a state, compiled for fast reading and writing.
//!
//! Of an object's slots, those that hold numbers are bytes to copy, joined to runs as long as all objects of the class allow. So
//! are slots whose names are the object's own and written alike in all objects, such as the control locations of processes that
//! run the same program. Only the other names are read one by one: what they refer to is looked up in the table of their domain.

use crate::shape::{Content, Domain, Shape, Slot, SlotId, Validity};
use group::Point;
use machine::state::ScalarAt;

use super::objects::{Class, Object, Objects};
use super::reading::scramble;
use super::touched::Touched;

/// What a name refers to: a row of an object, or nothing that is permuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) object: Object,
    /// Which of the names of the object.
    pub(super) row: u32,
}

impl Reference {
    /// To nothing that is permuted: the content is a number.
    pub(super) const NONE: Self = Self { object: Object::MAX, row: 0 };
}

/// A slot that may hold a name of one of the objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameSlot {
    place: ScalarAt,
    table: u32,
    /// The message is there while the number of messages is above the bound; always when the bound is negative.
    length: ScalarAt,
    bound: i32,
}

/// A run of bytes that each object of a class has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) offset: u32,
    pub(super) length: u32,
}

/// At most eight bytes of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    offset: u32,
    length: u32,
    pub(super) object: Object,
    pub(super) salt: Salt,
}

/// Tells the parts of a key apart, which is their sum. Corresponding parts of objects of a class have the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Salt(u64);

/// The compiled places of all objects.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The runs of object `o` are `runs[run_start[o]..run_start[o + 1]]`; likewise the others.
    pub(super) runs: Vec<Run>,
    pub(super) run_start: Vec<u32>,
    /// The same bytes in pieces of which keys are made.
    pub(super) words: Vec<Word>,
    pub(super) names: Vec<NameSlot>,
    pub(super) name_start: Vec<u32>,
    /// By slot of `names`: whose it is, and what its part of the key is salted with.
    pub(super) named: Vec<(Object, Salt)>,
    /// Slots of no object that may hold names of objects.
    pub(super) outside: Vec<NameSlot>,
    values: Vec<i32>,
    value_start: Vec<u32>,
    tables: Vec<Table>,
    pub(super) touched: Touched,
}

/// From the values of a domain to what they refer to.
#[derive(Clone, Debug)]
enum Table {
    /// Values of one byte, all of them.
    Bytes(Box<[Reference; 256]>),
    /// Other values, ascending.
    Sparse(Vec<(i32, Reference)>),
}

impl Layout {
    pub(super) fn new(shape: &Shape, objects: &Objects) -> Self {
        let slots = shape.slots.len();
        let mut referred = vec![Reference::NONE; shape.degree()];
        for class in &objects.classes {
            let value_rows = class.rows.iter().filter(|row| row[0] as usize >= slots);
            for (number, row) in (0..).zip(value_rows) {
                for (object, &point) in (class.first..).zip(row) {
                    referred[point as usize] = Reference { object, row: number };
                }
            }
        }
        let mut layout = Self {
            runs: Vec::new(),
            run_start: vec![0],
            words: Vec::new(),
            names: Vec::new(),
            name_start: vec![0],
            named: Vec::new(),
            outside: Vec::new(),
            values: Vec::new(),
            value_start: vec![0],
            tables: shape.domains.iter().map(|domain| Table::new(domain, &referred)).collect(),
            touched: Touched::default(),
        };
        let mut owned = vec![false; slots];
        for class in &objects.classes {
            layout.add_class(shape, class, &referred);
            let points = class.rows.iter().flatten().filter(|&&point| (point as usize) < slots);
            points.for_each(|&point| owned[point as usize] = true);
        }
        for slot in (0..slots).filter(|&slot| !owned[slot]) {
            if layout.may_refer(&shape.slots[slot]) {
                layout.outside.push(NameSlot::new(shape, &shape.slots[slot]));
            }
        }
        layout.touched = Touched::new(shape.length, &layout);
        layout
    }

    fn add_class(&mut self, shape: &Shape, class: &Class, referred: &[Reference]) {
        let (slot_rows, value_rows): (Vec<&Vec<Point>>, Vec<&Vec<Point>>) =
            class.rows.iter().partition(|row| (row[0] as usize) < shape.slots.len());
        let slot = |point: Point| &shape.slots[point as usize];
        let (mut named, mut plain): (Vec<&Vec<Point>>, Vec<&Vec<Point>>) = slot_rows.into_iter().partition(|row| {
            row.iter().any(|&point| self.may_refer(slot(point))) && !written_alike(shape, class, row, referred)
        });
        named.sort_by_key(|row| slot(row[0]).at.offset);
        plain.sort_by_key(|row| slot(row[0]).at.offset);
        // A row joins the run before it if it follows it in every object.
        let mut runs: Vec<(&Vec<Point>, u32)> = Vec::new();
        for row in plain {
            let width = u32::from(slot(row[0]).at.width);
            match runs.last_mut() {
                Some((start, length))
                    if start.iter().zip(row).all(|(&a, &b)| slot(a).at.offset + *length == slot(b).at.offset) =>
                {
                    *length += width;
                }
                _ => runs.push((row, width)),
            }
        }
        let pieces: usize = runs.iter().map(|&(_, length)| length.div_ceil(Word::MOST) as usize).sum();
        for (index, object) in (0..class.count).zip(class.first..) {
            let mut salts = Salt::all(pieces + named.len());
            for &(row, length) in &runs {
                let (start, end) = (slot(row[index]).at.offset, slot(row[index]).at.offset + length);
                self.words.extend(
                    (start..end).step_by(Word::MOST as usize).zip(&mut salts).map(|(offset, salt)| Word {
                        offset,
                        length: Word::MOST.min(end - offset),
                        object,
                        salt,
                    }),
                );
            }
            self.named.extend(salts.map(|salt| (object, salt)));
            self.runs.extend(runs.iter().map(|&(row, length)| Run { offset: slot(row[index]).at.offset, length }));
            self.run_start.push(self.runs.len() as u32);
            self.names.extend(named.iter().map(|row| NameSlot::new(shape, slot(row[index]))));
            self.name_start.push(self.names.len() as u32);
            let value = |row: &&Vec<Point>| shape.value_at(row[index]).expect("points after the slots are values");
            self.values.extend(value_rows.iter().map(value));
            self.value_start.push(self.values.len() as u32);
        }
    }

    fn may_refer(&self, slot: &Slot) -> bool {
        match slot.content {
            Content::Name(domain) => !self.tables[domain.0 as usize].is_empty(),
            Content::Number => false,
        }
    }

    /// Whether no slot can hold a name of an object that has to be read.
    pub(super) fn has_no_names(&self) -> bool {
        self.names.is_empty() && self.outside.is_empty()
    }

    pub(super) fn runs_of(&self, object: Object) -> &[Run] {
        &self.runs[self.run_start[object as usize] as usize..self.run_start[object as usize + 1] as usize]
    }

    /// The objects before this one may hold something; those from it on are but names.
    pub(super) fn holders(&self) -> usize {
        let holds = |object: &usize| {
            self.run_start[*object] < self.run_start[object + 1]
                || self.name_start[*object] < self.name_start[object + 1]
        };
        (0..self.run_start.len() - 1).rev().find(holds).map_or(0, |last| last + 1)
    }

    /// The range of an object's slots in `names`.
    pub(super) fn names_of(&self, object: Object) -> std::ops::Range<usize> {
        self.name_start[object as usize] as usize..self.name_start[object as usize + 1] as usize
    }

    /// The value that names a row of an object.
    pub(super) fn value(&self, reference: Reference) -> i32 {
        self.values[(self.value_start[reference.object as usize] + reference.row) as usize]
    }

    /// All contents of an object as they are written, first the bytes of runs, then names.
    pub(super) fn contents<'a>(&'a self, state: &'a [u8], object: Object) -> impl Iterator<Item = i32> + 'a {
        let bytes =
            self.runs_of(object).iter().flat_map(|run| &state[run.offset as usize..(run.offset + run.length) as usize]);
        let names = self.names[self.names_of(object)].iter().map(|slot| slot.place.read(state));
        bytes.map(|&byte| i32::from(byte)).chain(names)
    }

    /// What a slot holds in a state, and what that refers to.
    #[inline]
    pub(super) fn read(&self, state: &[u8], slot: &NameSlot) -> (i32, Reference) {
        let value = slot.place.read(state);
        if slot.bound >= 0 && slot.length.read(state) <= slot.bound {
            return (value, Reference::NONE);
        }
        (value, self.tables[slot.table as usize].reference(value))
    }
}

impl Salt {
    /// Those of the parts of an object. The last part is added as it is: objects that differ in it only are then neighbours when sorted by key,
    /// so that states that differ little have representatives that differ little, which share memory.
    fn all(parts: usize) -> impl Iterator<Item = Self> {
        let salt =
            move |part: usize| Self(if part == parts { 0 } else { (part as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) });
        (1..=parts).map(salt)
    }

    /// What a part that holds this adds to a key.
    #[inline]
    pub(super) fn apply(self, content: u64) -> u64 {
        if self.0 == 0 { content } else { scramble(content.wrapping_add(self.0)) }
    }
}

impl Word {
    const MOST: u32 = 8;

    pub(super) fn bytes(&self) -> std::ops::Range<u32> {
        self.offset..self.offset + self.length
    }

    #[inline]
    pub(super) fn read(&self, state: &[u8]) -> u64 {
        let bytes = &state[self.offset as usize..][..self.length as usize];
        match *bytes {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            _ => {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            }
        }
    }
}

impl NameSlot {
    fn new(shape: &Shape, slot: &Slot) -> Self {
        let Content::Name(domain) = slot.content else { unreachable!("only slots with names are read for them") };
        let place = slot.at;
        let (length, bound) = match slot.validity {
            Validity::Always => (place, -1),
            Validity::Beyond { length: SlotId(length), position } => (shape.slots[length as usize].at, position as i32),
        };
        Self { place, table: domain.0, length, bound }
    }

    /// The bytes on which it depends what the slot holds.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u32> + use<> {
        self.place.bytes().chain(self.length.bytes())
    }

    #[inline]
    pub(super) fn write(&self, state: &mut [u8], value: i32) {
        self.place.write(state, value);
    }
}

impl Table {
    fn new(domain: &Domain, referred: &[Reference]) -> Self {
        let values = domain.values.iter().zip(&referred[domain.first_point as usize..]);
        let permuted: Vec<(i32, Reference)> = values
            .filter(|(_, reference)| **reference != Reference::NONE)
            .map(|(&value, &reference)| (value, reference))
            .collect();
        if permuted.is_empty() || permuted.iter().any(|&(value, _)| u8::try_from(value).is_err()) {
            return Self::Sparse(permuted);
        }
        let mut references = Box::new([Reference::NONE; 256]);
        for (value, reference) in permuted {
            references[value as usize] = reference;
        }
        Self::Bytes(references)
    }

    /// Whether none of the values is permuted.
    fn is_empty(&self) -> bool {
        matches!(self, Self::Sparse(values) if values.is_empty())
    }

    #[inline]
    fn reference(&self, value: i32) -> Reference {
        match self {
            Self::Bytes(references) => {
                u8::try_from(value).map_or(Reference::NONE, |byte| references[usize::from(byte)])
            }
            Self::Sparse(values) => {
                let found = values.binary_search_by_key(&value, |entry| entry.0);
                found.map_or(Reference::NONE, |at| values[at].1)
            }
        }
    }
}

/// Whether the names in a row of slots are those of the object itself, or of nothing, and each is the same number in all objects.
fn written_alike(shape: &Shape, class: &Class, row: &[Point], referred: &[Reference]) -> bool {
    let first = &shape.slots[row[0] as usize];
    let Content::Name(model) = first.content else { return false };
    let model = &shape.domains[model.0 as usize];
    (class.first..).zip(row).all(|(object, &point)| {
        let Content::Name(domain) = shape.slots[point as usize].content else { return false };
        let domain = &shape.domains[domain.0 as usize];
        domain.values == model.values
            && (0..domain.values.len()).all(|index| {
                let own = referred[domain.first_point as usize + index];
                let first = referred[model.first_point as usize + index];
                match own == Reference::NONE {
                    true => first == Reference::NONE,
                    false => own.object == object && first.object == class.first && own.row == first.row,
                }
            })
    })
}
