//! Short lists, each of which is kept once and known by a number: sets of events, families of such sets, sets of states.
//!
//! ```text
//! items    a b | c | a c d | …          list n lies between ends[n - 1] and ends[n]
//! table    hash ──▶ number + 1          open addressing, at most two thirds full
//! ```

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Lists of `T`, each with a number in the order of first meeting.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    items: Vec<T>,
    ends: Vec<usize>,
    table: Vec<u32>,
}

impl<T: Copy + Eq + Hash> Interner<T> {
    /// An interner that knows the empty list, with number zero.
    pub(crate) fn new() -> Interner<T> {
        let mut interner = Interner { items: Vec::new(), ends: Vec::new(), table: vec![0; 16] };
        interner.intern(&[]);
        interner
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>() + self.ends.capacity() * size_of::<usize>() + self.table.capacity() * 4
    }

    /// The list with a number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[T] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.items[start..self.ends[number]]
    }

    /// The number of a list, a new one if need be.
    pub(crate) fn intern(&mut self, list: &[T]) -> u32 {
        if 3 * (self.len() + 1) > 2 * self.table.len() {
            self.grow();
        }
        let slot = self.slot(list);
        match self.table[slot] {
            0 => {
                self.items.extend_from_slice(list);
                self.ends.push(self.items.len());
                self.table[slot] =
                    u32::try_from(self.ends.len()).expect("fewer lists than states, whose numbers have 31 bits");
                self.table[slot] - 1
            }
            number => number - 1,
        }
    }

    /// Where a list is in the table, or would be.
    #[inline]
    fn slot(&self, list: &[T]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash(list) & mask;
        while self.table[slot] != 0 && self.get(self.table[slot] - 1) != list {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.table = vec![0; 2 * self.table.len()];
        let mask = self.table.len() - 1;
        for number in 0..self.len() as u32 {
            let mut slot = hash(self.get(number)) & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = number + 1;
        }
    }
}

#[inline]
fn hash<T: Hash>(list: &[T]) -> usize {
    let mut hasher = FxHasher::default();
    list.hash(&mut hasher);
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_have_equal_numbers_and_numbers_give_lists_back() {
        let mut interner = Interner::new();
        let lists: Vec<Vec<u32>> = (0..1000).map(|n| (0..n % 7).map(|i| n / 7 * i).collect()).collect();
        let numbers: Vec<u32> = lists.iter().map(|list| interner.intern(list)).collect();
        for (list, &number) in lists.iter().zip(&numbers) {
            assert_eq!(interner.get(number), list);
            assert_eq!(interner.intern(list), number);
        }
        assert_eq!(interner.intern(&[]), 0);
    }
}
