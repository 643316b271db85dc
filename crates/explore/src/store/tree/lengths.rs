//! Vectors come in several lengths; a reference has six bits to say which.
//!
//! The first forty lengths of a run get a class of their own: the length is implied, the tree has exactly the leaves it
//! needs. A model with more lengths falls back, for the others, on 24 classes of tree sizes 2, 4, 8 …: the vector is
//! padded with zeroes, which cost nothing (the all-zero subtree is node 0 at every height), and its length is the last
//! leaf.

use super::arrangement::Arrangement;
use super::form::{Form, LEAF, Length};
use crate::store::sync::{Mutex, lock};
use std::sync::OnceLock;

/// Classes whose length is implied.
const EXACT: usize = 40;
/// All classes: as many as the bits of a reference can tell.
const CLASSES: usize = 1 << crate::store::compact::layout::CLASS_BITS;

/// Leaves of the largest tree.
const LARGEST: usize = 1 << (CLASSES - EXACT);

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
        self.known(length)?;
        lock(&self.registering).iter().find(|(other, _)| *other == length).map(|(_, found)| found.clone())
    }

    /// The form of vectors of `length` bytes; `None` if they are longer than any state can be (512 MB).
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
        let leaves = length.div_ceil(LEAF);
        if leaves >= LARGEST {
            return None;
        }
        match self.forms[..EXACT].iter().position(|form| form.get().is_none()) {
            Some(class) => {
                let arrangement = arrangements.iter().find(|(other, _)| *other == length);
                let form = Form::new(Class(class as u8), length, arrangement.map(|(_, arrangement)| arrangement));
                Some(self.forms[class].get_or_init(|| form))
            }
            None => Some((leaves + 1).next_power_of_two().max(2))
                .filter(|&leaves| leaves <= LARGEST)
                .map(|leaves| self.padded(leaves)),
        }
    }

    /// The form of all lengths that leave the last of so many leaves free.
    fn padded(&self, leaves: usize) -> &Form {
        let class = EXACT + leaves.ilog2() as usize - 1;
        self.forms[class].get_or_init(|| Form::padded(Class(class as u8), leaves))
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
            let room = form.shape.leaves() * form.leaf_bytes();
            match length {
                Length::Always(bytes) => assert!(n < EXACT && bytes == 4 * n && room >= bytes),
                Length::InLastLeaf => assert!(n >= EXACT && room >= 4 * n + LEAF && room < 4 * (4 * n + LEAF)),
            }
        }
        assert_eq!(lengths.implied().collect::<Vec<_>>(), (0..40).map(|n| 4 * n).collect::<Vec<_>>());
    }

    #[test]
    fn a_monstrous_length_is_refused() {
        let lengths = Lengths::new();
        assert!(lengths.of(usize::MAX - 7).is_none());
        for length in 0..EXACT {
            lengths.of(length);
        }
        assert!(lengths.of((LEAF << 24) - LEAF).is_some());
        assert!(lengths.of(LEAF << 24).is_none());
    }
}
