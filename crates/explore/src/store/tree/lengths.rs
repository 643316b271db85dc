//! Vectors come in several lengths; a reference has six bits to say which.
//!
//! The first forty lengths of a run get a class of their own: the length is implied, the tree has exactly the leaves it
//! needs. A model with more lengths falls back, for the others, on 24 classes of tree sizes 2, 4, 8 …: the vector is
//! padded with zeroes, which cost nothing (the all-zero subtree is node 0 at every height), and its length is the last
//! leaf.

use super::arrangement::{Arrangement, NO_WORD, WORD};
use super::nodes::Pair;
use super::shape::Shape;
use crate::store::sync::{Mutex, lock};
use std::sync::OnceLock;

/// Classes whose length is implied.
const EXACT: usize = 40;
/// All classes: as many as the bits of a reference can tell.
const CLASSES: usize = 1 << crate::store::compact::layout::CLASS_BITS;

/// Leaves of the largest tree.
const LARGEST: usize = 1 << (CLASSES - EXACT);

/// The bytes of a leaf.
pub(crate) const LEAF: usize = 8;

/// The number of a [`Form`], as it stands in references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class(u8);

impl Class {
    /// The class with this number.
    pub(crate) fn new(number: u64) -> Class {
        Class((number % CLASSES as u64) as u8)
    }

    pub(crate) fn number(self) -> u64 {
        u64::from(self.0)
    }
}

/// How vectors of a class are laid over a tree.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) class: Class,
    pub(crate) shape: Shape,
    pub(crate) length: Length,
    /// Where the words are; `None`: they are in the order of the vector.
    pub(crate) words: Option<Words>,
}

/// Words that are not in the order of the vector.
#[derive(Debug)]
pub(crate) struct Words {
    /// The words of each leaf.
    of_leaf: Box<[[u16; 2]]>,
    /// The leaf of each word, as a bit.
    leaf_of: Box<[u64]>,
}

impl Words {
    fn new(arrangement: &Arrangement) -> Words {
        let of_leaf = arrangement.leaves();
        let mut leaf_of = vec![0; 2 * of_leaf.len()].into_boxed_slice();
        for (leaf, words) in of_leaf.iter().enumerate() {
            for &word in words.iter().filter(|&&word| word != NO_WORD) {
                leaf_of[usize::from(word)] = 1 << leaf;
            }
        }
        Words { of_leaf, leaf_of }
    }

    /// The leaves of some words, counted from `first` on.
    #[inline]
    fn leaves_of(&self, mut words: u64, first: usize) -> u64 {
        let mut leaves = 0;
        while words != 0 {
            leaves |= self.leaf_of[first + words.trailing_zeros() as usize];
            words &= words - 1;
        }
        leaves
    }
}

impl Form {
    /// The content of a leaf.
    #[inline]
    pub(crate) fn leaf(&self, state: &[u8], position: usize) -> Pair {
        match &self.words {
            None => match state.get(position * LEAF..).and_then(|rest| rest.first_chunk()) {
                Some(bytes) => Pair(u64::from_le_bytes(*bytes)),
                None => self.padding(state, position),
            },
            Some(words) => gather(state, words.of_leaf[position]),
        }
    }

    /// The leaves, at most 64, of some words, both as bits.
    #[inline]
    pub(crate) fn leaves_of(&self, words: [u64; 2]) -> u64 {
        match &self.words {
            None => {
                let [low, high] = words.map(|words| every_second_bit(words | words >> 1));
                low | high << 32
            }
            Some(arranged) => {
                let [low, high] = words;
                let leaves = arranged.leaves_of(low, 0);
                if high == 0 { leaves } else { leaves | arranged.leaves_of(high, u64::BITS as usize) }
            }
        }
    }

    /// Writes a leaf of a vector of implied length to its place in the vector.
    #[inline]
    pub(crate) fn write(&self, leaf: Pair, position: usize, into: &mut [u8]) {
        match &self.words {
            None => {
                let end = (position * LEAF + LEAF).min(into.len());
                if let Some(bytes) = into.get_mut(position * LEAF..end) {
                    bytes.copy_from_slice(&leaf.0.to_le_bytes()[..bytes.len()]);
                }
            }
            Some(words) => {
                let (cells, _) = into.as_chunks_mut::<WORD>();
                let [low, high] = words.of_leaf[position];
                if let Some(cell) = cells.get_mut(usize::from(low)) {
                    *cell = (leaf.0 as u32).to_le_bytes();
                }
                if let Some(cell) = cells.get_mut(usize::from(high)) {
                    *cell = ((leaf.0 >> 32) as u32).to_le_bytes();
                }
            }
        }
    }

    /// Writes the vector with these leaves to `into`, replacing what is there.
    pub(crate) fn bytes(&self, leaves: &[Pair], into: &mut Vec<u8>) {
        into.clear();
        match self.length {
            Length::Always(length) => {
                into.resize(length, 0);
                leaves.iter().enumerate().for_each(|(position, &leaf)| self.write(leaf, position, into));
            }
            Length::InLastLeaf => {
                into.extend(leaves.iter().flat_map(|leaf| leaf.0.to_le_bytes()));
                into.truncate(leaves.last().map_or(0, |leaf| leaf.0 as usize));
            }
        }
    }

    /// The content of a leaf that the vector does not fill.
    pub(crate) fn padding(&self, state: &[u8], position: usize) -> Pair {
        if self.length == Length::InLastLeaf && position + 1 == self.shape.leaves() {
            return Pair(state.len() as u64);
        }
        let mut bytes = [0; LEAF];
        if let Some(rest) = state.get(position * LEAF..) {
            bytes[..rest.len()].copy_from_slice(rest);
        }
        Pair(u64::from_le_bytes(bytes))
    }
}

/// The bits with even numbers, moved together.
#[inline]
fn every_second_bit(word: u64) -> u64 {
    const KEPT: [u64; 5] = [
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    let even = word & 0x5555_5555_5555_5555;
    KEPT.iter().zip([1, 2, 4, 8, 16]).fold(even, |bits, (kept, distance)| (bits | bits >> distance) & kept)
}

/// The leaf of two words.
#[inline]
pub(crate) fn gather(state: &[u8], [low, high]: [u16; 2]) -> Pair {
    let (words, _) = state.as_chunks::<WORD>();
    let word = |number: u16| words.get(usize::from(number)).map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
    Pair(word(low) | word(high) << 32)
}

const _: () = assert!(NO_WORD as usize > super::arrangement::MOST_WORDS, "`gather` finds no word there");

/// The length in bytes of a vector of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Always(usize),
    InLastLeaf,
}

/// The forms in use.
pub(crate) struct Lengths {
    forms: [OnceLock<Form>; CLASSES],
    /// The arrangements of lengths that will be asked for.
    registering: Mutex<Vec<(usize, Arrangement)>>,
}

impl Lengths {
    pub(crate) fn new() -> Lengths {
        Lengths { forms: [const { OnceLock::new() }; CLASSES], registering: Mutex::new(Vec::new()) }
    }

    /// Arranges the vectors of some lengths, unless vectors have been seen already.
    pub(crate) fn arrange(&self, arrangements: Vec<(usize, Arrangement)>) {
        let mut waiting = lock(&self.registering);
        if self.is_unused() {
            *waiting = arrangements;
        }
    }

    /// Has no vector been seen?
    pub(crate) fn is_unused(&self) -> bool {
        self.forms.iter().all(|form| form.get().is_none())
    }

    /// The arrangement of a length that has a class of its own.
    pub(crate) fn arrangement(&self, length: usize) -> Option<Arrangement> {
        self.known(length)?.words.as_ref()?;
        lock(&self.registering).iter().find(|(other, _)| *other == length).map(|(_, found)| found.clone())
    }

    /// The form of vectors of `length` bytes; `None` if they are longer than any state can be (128 MB).
    #[inline]
    pub(crate) fn of(&self, length: usize) -> Option<&Form> {
        self.known(length).or_else(|| self.register(length))
    }

    /// The form of a class; `None` if it stands for a length that has not been seen.
    #[inline]
    pub(crate) fn form(&self, class: Class) -> Option<&Form> {
        let number = class.0 as usize;
        match number.checked_sub(EXACT) {
            None => self.forms[number].get(),
            Some(size) => Some(self.padded(2 << size)),
        }
    }

    /// The lengths that have classes of their own, in the order of the classes.
    pub(crate) fn implied(&self) -> impl Iterator<Item = usize> {
        self.forms[..EXACT].iter().map_while(OnceLock::get).filter_map(|form| match form.length {
            Length::Always(length) => Some(length),
            Length::InLastLeaf => None,
        })
    }

    fn known(&self, length: usize) -> Option<&Form> {
        self.forms[..EXACT].iter().map_while(OnceLock::get).find(|form| form.length == Length::Always(length))
    }

    #[cold]
    fn register(&self, length: usize) -> Option<&Form> {
        let arrangements = lock(&self.registering);
        if let Some(form) = self.known(length) {
            return Some(form);
        }
        let leaves = length.div_ceil(LEAF).max(2);
        if leaves >= LARGEST {
            return None;
        }
        match self.forms[..EXACT].iter().position(|form| form.get().is_none()) {
            Some(class) => {
                let (class, length) = (Class(class as u8), Length::Always(length));
                let arrangement = arrangements.iter().find(|(other, _)| Length::Always(*other) == length);
                let form = match arrangement {
                    Some((_, arrangement)) => {
                        let shape = Shape::with_still_leaves(leaves, arrangement.changing_leaves());
                        Form { class, shape, length, words: Some(Words::new(arrangement)) }
                    }
                    None => Form { class, shape: Shape::new(leaves), length, words: None },
                };
                Some(self.forms[usize::from(class.0)].get_or_init(|| form))
            }
            None => Some((leaves + 1).next_power_of_two())
                .filter(|&leaves| leaves <= LARGEST)
                .map(|leaves| self.padded(leaves)),
        }
    }

    /// The form of all lengths that leave the last of so many leaves free.
    fn padded(&self, leaves: usize) -> &Form {
        let class = EXACT + leaves.ilog2() as usize - 1;
        let (shape, length) = (|| Shape::new(leaves), Length::InLastLeaf);
        let form = || Form { class: Class(class as u8), shape: shape(), length, words: None };
        self.forms[class].get_or_init(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_keeps_its_form_and_lengths_never_run_out() {
        let lengths = Lengths::new();
        let forms: Vec<(Class, Length)> =
            (0..1000).map(|n| lengths.of(4 * n).map(|f| (f.class, f.length)).expect("short")).collect();
        for (n, &(class, length)) in forms.iter().enumerate() {
            let form = lengths.of(4 * n).expect("short");
            assert_eq!((form.class, form.length), (class, length));
            assert_eq!(lengths.form(class).expect("in use").class, class);
            let room = form.shape.leaves() * LEAF;
            match length {
                Length::Always(bytes) => assert!(n < EXACT && bytes == 4 * n && room >= bytes),
                Length::InLastLeaf => assert!(n >= EXACT && room >= 4 * n + LEAF && room < 4 * (4 * n + LEAF)),
            }
        }
        assert_eq!(lengths.implied().collect::<Vec<_>>(), (0..40).map(|n| 4 * n).collect::<Vec<_>>());
    }

    #[test]
    fn even_bits_move_together() {
        for bit in 0..64 {
            assert_eq!(every_second_bit(1 << bit), if bit % 2 == 0 { 1 << (bit / 2) } else { 0 });
        }
        assert_eq!(every_second_bit(u64::MAX), u64::from(u32::MAX));
    }

    #[test]
    fn a_monstrous_length_is_refused() {
        let lengths = Lengths::new();
        assert!(lengths.of(usize::MAX - 7).is_none());
        for length in 0..EXACT {
            lengths.of(length);
        }
        assert!(lengths.of((8 << 24) - 8).is_some());
        assert!(lengths.of(8 << 24).is_none());
    }
}
