//! Where two partitions with the same cells still differ, kept up to date at the cost of what changes.
//!
//! A vertex is *unresolved* if it shares its cell on the left with others and stands in another cell on the right. If
//! no vertex is, then every cell of more than one vertex holds the same vertices on both sides. Among the unresolved
//! are *closers*: they are determined to be the image of another vertex, but not what their own image is. Choosing that
//! first closes cycles, which makes permutations with few moved points.

use super::partition::{Mark, Partition, Split};
use super::vertex_set::VertexSet;
use crate::permutation::Point;

/// The vertices that are unresolved between a left and a right partition.
#[derive(Clone, Debug)]
pub(super) struct Differences {
    unresolved: VertexSet,
    closers: VertexSet,
}

impl Differences {
    /// None, in a graph of this order.
    pub(super) fn none(order: usize) -> Self {
        Self { unresolved: VertexSet::new(order), closers: VertexSet::new(order) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unresolved.any().is_none()
    }

    /// Some closer.
    pub(super) fn closer(&self) -> Option<Point> {
        self.closers.any()
    }

    /// Some unresolved vertex.
    pub(super) fn any(&self) -> Option<Point> {
        self.unresolved.any()
    }

    /// All unresolved vertices.
    pub(super) fn unresolved(&self) -> &[Point] {
        self.unresolved.members()
    }

    pub(super) fn clear(&mut self) {
        self.unresolved.clear();
        self.closers.clear();
    }

    /// Takes notice of all splits since the marks, which both sides have made.
    pub(super) fn note_splits(&mut self, left: &Partition, left_mark: Mark, right: &Partition, right_mark: Mark) {
        for (side, mark) in [(left, left_mark), (right, right_mark)] {
            for &Split { kept, fresh } in side.splits_since(mark) {
                for &vertex in side.members(fresh) {
                    self.note(left, right, vertex);
                }
                // A front of several vertices stands where it stood.
                if side.is_single(kept) {
                    self.note(left, right, side.first(kept));
                }
            }
        }
    }

    /// The vertices that would have to be noted again if one side's splits since the mark were taken back.
    pub(super) fn affected(side: &Partition, mark: Mark) -> Vec<Point> {
        let mut affected = Vec::new();
        for &Split { kept, fresh } in side.splits_since(mark) {
            affected.extend_from_slice(side.members(fresh));
            affected.push(side.first(kept));
        }
        affected
    }

    /// Takes notice of a change of the vertex' cell, or of the number of vertices in it.
    pub(super) fn note(&mut self, left: &Partition, right: &Partition, vertex: Point) {
        let (cell, other_cell) = (left.cell_of(vertex), right.cell_of(vertex));
        let unresolved = cell != other_cell && !left.is_single(cell);
        self.unresolved.set(vertex, unresolved);
        self.closers.set(vertex, unresolved && right.is_single(other_cell));
    }
}
