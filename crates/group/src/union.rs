//! Disjoint sets of points that are merged step by step (union-find with path halving).
//!
//! The least point of a set stands for it, so that the sets found do not depend on the order of the merges.

use crate::permutation::Point;

/// A partition of `0..degree` that only ever becomes coarser.
#[derive(Clone, Debug)]
pub(crate) struct DisjointSets {
    parents: Vec<Point>,
}

impl DisjointSets {
    /// Every point alone.
    pub(crate) fn singletons(degree: usize) -> Self {
        Self { parents: (0..degree as Point).collect() }
    }

    /// The least point of the set that holds `point`.
    pub(crate) fn least(&mut self, mut point: Point) -> Point {
        while self.parents[point as usize] != point {
            let grandparent = self.parents[self.parents[point as usize] as usize];
            self.parents[point as usize] = grandparent;
            point = grandparent;
        }
        point
    }

    /// Merges the sets of two points; returns the least point that stands for no set any more, if they were two sets.
    pub(crate) fn merge(&mut self, one: Point, two: Point) -> Option<Point> {
        let (one, two) = (self.least(one), self.least(two));
        let (kept, gone) = (one.min(two), one.max(two));
        self.parents[gone as usize] = kept;
        (kept != gone).then_some(gone)
    }

    /// All sets, each sorted, ordered by their least points.
    pub(crate) fn sets(&mut self) -> Vec<Vec<Point>> {
        let mut sets: Vec<Vec<Point>> = vec![Vec::new(); self.parents.len()];
        for point in 0..self.parents.len() as Point {
            sets[self.least(point) as usize].push(point);
        }
        sets.retain(|set| !set.is_empty());
        sets
    }
}
