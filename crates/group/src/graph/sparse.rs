//! A permutation stored as the points it moves, for many generators of a large degree that move few points each.

use std::fmt;

use crate::permutation::{Permutation, Point};

/// A permutation of `0..degree` that knows the moved points only.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SparsePermutation {
    degree: usize,
    /// Each moved point with its image, sorted by point.
    moves: Box<[(Point, Point)]>,
}

impl SparsePermutation {
    /// The permutation that sends the first of each pair to the second. The caller has made sure that the first ones
    /// are all different, that the second ones are the same points, and that no pair is of equals.
    pub(super) fn from_moves(degree: usize, mut moves: Vec<(Point, Point)>) -> Self {
        moves.sort_unstable();
        Self { degree, moves: moves.into() }
    }

    /// The number of points, fixed ones included.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Each moved point with its image, sorted by point.
    pub fn moves(&self) -> &[(Point, Point)] {
        &self.moves
    }

    /// Where `point` goes.
    pub fn image(&self, point: Point) -> Point {
        match self.moves.binary_search_by_key(&point, |&(from, _)| from) {
            Ok(place) => self.moves[place].1,
            Err(_) => point,
        }
    }

    /// Whether every point is fixed.
    pub fn is_identity(&self) -> bool {
        self.moves.is_empty()
    }

    /// The same permutation with the images of all points.
    pub fn to_permutation(&self) -> Permutation {
        let mut images: Vec<Point> = (0..self.degree as Point).collect();
        for &(from, to) in &self.moves {
            images[from as usize] = to;
        }
        Permutation::from_images(images).expect("moves carry a set of points onto itself")
    }
}

impl From<&SparsePermutation> for Permutation {
    fn from(sparse: &SparsePermutation) -> Self {
        sparse.to_permutation()
    }
}

impl From<&Permutation> for SparsePermutation {
    fn from(permutation: &Permutation) -> Self {
        let moves = permutation.support().into_iter().map(|point| (point, permutation.image(point)));
        Self { degree: permutation.degree(), moves: moves.collect() }
    }
}

impl fmt::Display for SparsePermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_permutation().fmt(f)
    }
}

impl fmt::Debug for SparsePermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} of {}", self.degree)
    }
}

#[cfg(test)]
mod tests {
    use super::SparsePermutation;
    use crate::permutation::{Numbering, Permutation};

    #[test]
    fn sparse_and_full_form_are_the_same_permutation() {
        let full = Permutation::parse(9, "(1 4 2)(6 8)", Numbering::FromZero).expect("well-formed cycles");
        let sparse = SparsePermutation::from(&full);
        assert_eq!(sparse.moves(), [(1, 4), (2, 1), (4, 2), (6, 8), (8, 6)]);
        assert_eq!(SparsePermutation::from_moves(9, vec![(8, 6), (1, 4), (4, 2), (2, 1), (6, 8)]), sparse);
        assert!((0..9).all(|point| sparse.image(point) == full.image(point)));
        assert_eq!((sparse.to_permutation(), sparse.to_string()), (full, "(1 4 2)(6 8)".into()));
    }
}
