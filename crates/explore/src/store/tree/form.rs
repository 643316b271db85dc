//! How the vectors of a class are laid over a tree.
//!
//! ```text
//! vector   w0 w1 w2 w3 w4 w5 w6 w7 w8 w9        4-byte words
//! leaves   w7 w0 w3 w8 w1 ·   w2 w9 w4 w5 w6 ·   up to eight to a leaf, in any order; a place without a word is zero
//! ```
//! Wide leaves make low trees: a successor differs from its parent in one or two leaves, so one or two records and the few nodes above
//! them are looked for. There are at least two leaves, so that each may be shared by many states; that is what makes states small.

use super::arrangement::{Arrangement, WIDEST, WORD};
use super::lengths::Class;
use super::shape::{FEW, Shape};

/// The most pairs of words of a leaf.
pub(crate) const PAIRS: usize = WIDEST / 2;

/// The bytes of the widest leaf.
pub(crate) const LEAF: usize = WIDEST * WORD;

/// Places of a tree with few leaves.
const PLACES: usize = WIDEST * FEW;

/// The words of a leaf, in pairs; those that no leaf of the form has are zero.
pub(crate) type Leaf = [u64; PAIRS];

/// How vectors of a class are laid over a tree.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) class: Class,
    pub(crate) shape: Shape,
    pub(crate) length: Length,
    /// Pairs of words in a leaf.
    pub(crate) width: Width,
    /// Where the words are, if the leaves are few; else they are in the order of the vector.
    order: Option<Box<Order>>,
}

/// The length in bytes of a vector of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Always(usize),
    InLastLeaf,
}

/// So many pairs of words are a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Two,
    Three,
    Four,
}

impl Width {
    /// The least width for so many words.
    fn of(words: usize) -> Width {
        match words {
            0..=4 => Width::Two,
            5 | 6 => Width::Three,
            _ => Width::Four,
        }
    }

    fn words(self) -> usize {
        match self {
            Width::Two => 4,
            Width::Three => 6,
            Width::Four => 8,
        }
    }
}

/// Where the words of a vector are among the leaves. A *place* is the number of a leaf times [`WIDEST`] and a number in the leaf.
#[derive(Debug)]
pub(crate) struct Order {
    places: [u16; PLACES],
    words: [u16; PLACES],
}

/// The word of a place that has none.
const NO_WORD: u16 = u16::MAX;

impl Order {
    /// The words of each leaf.
    fn new<'w>(leaves: impl Iterator<Item = &'w [u16]>) -> Box<Order> {
        let mut order = Box::new(Order { places: [0; PLACES], words: [NO_WORD; PLACES] });
        for (leaf, words) in leaves.enumerate() {
            for (number, &word) in words.iter().enumerate() {
                order.places[usize::from(word)] = (leaf * WIDEST + number) as u16;
                order.words[leaf * WIDEST + number] = word;
            }
        }
        order
    }

    /// The place of a word.
    #[inline]
    pub(crate) fn place(&self, word: usize) -> Place {
        Place(self.places[word % PLACES])
    }
}

/// Where a word is in a tree with few leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u16);

impl Place {
    /// The leaf, as a bit.
    #[inline]
    pub(crate) fn leaf_bit(self) -> u64 {
        1 << (usize::from(self.0) / WIDEST % FEW)
    }

    /// Applies a difference to the word among all leaves.
    #[inline]
    pub(crate) fn change(self, difference: u32, leaves: &mut [Leaf; FEW]) {
        let place = usize::from(self.0);
        leaves[place / WIDEST % FEW][place / 2 % PAIRS] ^= u64::from(difference) << (place % 2 * 32);
    }
}

impl Form {
    /// The form of vectors of `length` bytes.
    pub(crate) fn new(class: Class, length: usize, arrangement: Option<&Arrangement>) -> Form {
        let words = length.div_ceil(WORD);
        let length = Length::Always(length);
        if let Some(arrangement) = arrangement {
            let leaves = arrangement.tree().leaves();
            let width = Width::of(leaves.iter().map(|leaf| leaf.len()).max().unwrap_or(WIDEST));
            let order = Some(Order::new(leaves.into_iter()));
            return Form { class, shape: Shape::of(arrangement.tree()), length, width, order };
        }
        // At least two leaves, all with about as many words.
        let width = Width::of(words.div_ceil(words.div_ceil(WIDEST).max(2)));
        let leaves = words.div_ceil(width.words()).max(2);
        let in_order: Vec<u16> = (0..words.min(PLACES) as u16).collect();
        let order = (leaves <= FEW).then(|| Order::new(in_order.chunks(width.words())));
        Form { class, shape: Shape::new(leaves), length, width, order }
    }

    /// The form of all vectors that leave the last of so many leaves free.
    pub(crate) fn padded(class: Class, leaves: usize) -> Form {
        Form { class, shape: Shape::new(leaves), length: Length::InLastLeaf, width: Width::Four, order: None }
    }

    /// The bytes of a leaf.
    #[cfg(test)]
    pub(crate) fn leaf_bytes(&self) -> usize {
        self.width.words() * WORD
    }

    /// Where words are, if the leaves are few and the length is implied. Arranged vectors are short: their leaves are few.
    #[inline]
    pub(crate) fn order(&self) -> Option<&Order> {
        self.order.as_deref()
    }

    /// The content of a leaf.
    pub(crate) fn leaf(&self, state: &[u8], leaf: usize) -> Leaf {
        let mut content = Leaf::default();
        if self.length == Length::InLastLeaf && leaf + 1 == self.shape.leaves() {
            content[0] = state.len() as u64;
            return content;
        }
        for number in 0..self.width.words() {
            if let Some(word) = self.word_at(leaf * WIDEST + number) {
                content[number / 2] |= u64::from(read_word(state, word)) << (number % 2 * 32);
            }
        }
        content
    }

    /// Writes the words in which a leaf differs from what it was to a vector of implied length.
    #[inline]
    pub(crate) fn write(&self, leaf: usize, old: &Leaf, new: &Leaf, into: &mut [u8]) {
        for pair in 0..PAIRS {
            let difference = old[pair] ^ new[pair];
            for half in 0..2 {
                let shift = 32 * half;
                if (difference >> shift) as u32 != 0
                    && let Some(word) = self.word_at(leaf * WIDEST + 2 * pair + half)
                {
                    write_word(into, word, (new[pair] >> shift) as u32);
                }
            }
        }
    }

    /// Writes the vector with these leaves to `into`, replacing what is there.
    pub(crate) fn bytes(&self, leaves: &[Leaf], into: &mut Vec<u8>) {
        into.clear();
        match self.length {
            Length::Always(length) => {
                into.resize(length, 0);
                let zero = Leaf::default();
                leaves.iter().enumerate().for_each(|(number, leaf)| self.write(number, &zero, leaf, into));
            }
            Length::InLastLeaf => {
                into.extend(leaves.as_flattened().iter().flat_map(|pair| pair.to_le_bytes()));
                into.truncate(leaves.last().map_or(0, |leaf| leaf[0] as usize));
            }
        }
    }

    /// The word of a place.
    #[inline]
    fn word_at(&self, place: usize) -> Option<usize> {
        match &self.order {
            Some(order) => Some(order.words[place % PLACES]).filter(|&word| word != NO_WORD).map(usize::from),
            None => Some(place),
        }
    }
}

/// A word of a vector; what the vector does not fill is zero.
#[inline]
pub(crate) fn read_word(state: &[u8], word: usize) -> u32 {
    let rest = state.get(word * WORD..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => u32::from_le_bytes(*bytes),
        None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)),
    }
}

/// Writes as much of a word as the vector has.
#[inline]
fn write_word(into: &mut [u8], word: usize, value: u32) {
    let bytes = value.to_le_bytes();
    let rest = into.get_mut(word * WORD..).unwrap_or_default();
    match rest.first_chunk_mut() {
        Some(chunk) => *chunk = bytes,
        None => rest.copy_from_slice(&bytes[..rest.len()]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::arrangement::Branch;
    use super::*;

    fn random_vector(length: usize, seed: u64) -> Vec<u8> {
        (0..length as u64).map(|at| crate::store::mix::spread(seed << 32 | at) as u8).collect()
    }

    /// A tree with leaves of different widths, the first of `first` words.
    fn crooked(words: &[u16], first: usize) -> Branch {
        let (left, right) = words.split_at(first);
        let left = Branch::Leaf(left.to_vec());
        let next = first % WIDEST + 1;
        let right = if right.len() <= next { Branch::Leaf(right.to_vec()) } else { crooked(right, next) };
        Branch::Fork(Box::new(if next.is_multiple_of(2) { [left, right] } else { [right, left] }))
    }

    fn forms() -> impl Iterator<Item = (usize, Form)> {
        let class = Class::new(0);
        let plain = (0..2100).map(move |length| (length, Form::new(class, length, None)));
        let arranged = (6..=60).flat_map(move |words: u16| {
            (1..6).map(move |first| {
                let length = usize::from(words) * WORD;
                let order = (0..words).map(|word| word * 7 % words).collect::<Vec<_>>();
                let order = if words.is_multiple_of(7) { (0..words).rev().collect() } else { order };
                let arrangement = Arrangement::new(length, crooked(&order, first)).expect("all words");
                (length, Form::new(class, length, Some(&arrangement)))
            })
        });
        plain.chain(arranged)
    }

    #[test]
    fn leaves_hold_the_whole_vector() {
        for (length, form) in forms() {
            assert!(form.shape.leaves() >= 2);
            let vector = random_vector(length, 1);
            let leaves: Vec<Leaf> = (0..form.shape.leaves()).map(|leaf| form.leaf(&vector, leaf)).collect();
            let mut back = vec![99];
            form.bytes(&leaves, &mut back);
            assert_eq!(back, vector);
            let unused = leaves.iter().flat_map(|leaf| &leaf[form.width.words() / 2..]);
            assert!(unused.into_iter().all(|&pair| pair == 0));
        }
    }

    #[test]
    fn a_changed_word_changes_its_leaf() {
        for (length, form) in forms().filter(|(length, _)| *length > 0) {
            let Some(order) = form.order() else { continue };
            let vector = random_vector(length, 2);
            let mut changed = vector.clone();
            changed[length / 2] ^= 0x15;
            let word = length / 2 / WORD;
            let mut leaves = [Leaf::default(); FEW];
            (0..form.shape.leaves()).for_each(|leaf| leaves[leaf] = form.leaf(&vector, leaf));
            order.place(word).change(read_word(&vector, word) ^ read_word(&changed, word), &mut leaves);
            for (leaf, content) in leaves.iter().enumerate().take(form.shape.leaves()) {
                assert_eq!(*content, form.leaf(&changed, leaf));
                let old = form.leaf(&vector, leaf);
                assert_eq!(*content != old, order.place(word).leaf_bit() == 1 << leaf);
            }
        }
    }
}
