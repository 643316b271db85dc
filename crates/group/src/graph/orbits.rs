//! The orbits of a growing set of generators, with their lengths.

use super::sparse::SparsePermutation;
use crate::permutation::Point;
use crate::union::DisjointSets;

/// The orbits of the group that the permutations merged so far generate.
#[derive(Clone, Debug)]
pub(super) struct Orbits {
    sets: DisjointSets,
    /// By the least point of an orbit: its length.
    lengths: Vec<u32>,
}

impl Orbits {
    /// Every point alone.
    pub(super) fn new(degree: usize) -> Self {
        Self { sets: DisjointSets::singletons(degree), lengths: vec![1; degree] }
    }

    /// Adds a generator.
    pub(super) fn merge(&mut self, generator: &SparsePermutation) {
        for &(from, to) in generator.moves() {
            if let Some(gone) = self.sets.merge(from, to) {
                let kept = self.sets.least(from);
                self.lengths[kept as usize] += self.lengths[gone as usize];
            }
        }
    }

    pub(super) fn degree(&self) -> usize {
        self.lengths.len()
    }

    /// The least point of the orbit.
    pub(super) fn least(&mut self, point: Point) -> Point {
        self.sets.least(point)
    }

    pub(super) fn length(&mut self, point: Point) -> usize {
        self.lengths[self.sets.least(point) as usize] as usize
    }

    pub(super) fn into_sets(self) -> DisjointSets {
        self.sets
    }
}
