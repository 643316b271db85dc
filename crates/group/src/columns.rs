//! The symmetric group acting in columns: `m` interchangeable columns of points, one point of each in every moved
//! orbit.
//!
//! This is the most frequent symmetry of programs: `m` equal processes, each with its channels and array cells. The
//! group is that if its non-trivial orbits move in step ([`crate::equivariance`]) and it makes all `m!` permutations of
//! one of them. An orbit's representative is then found by sorting the columns as tuples, whatever the placement of the
//! columns' points; swapping columns while that lessens the whole vector is *not* exact (Donaldson's theorem 16 lacks a
//! condition).

use crate::equivariance::classes_in_step;
use crate::group::Group;
use crate::permutation::{Permutation, Point};
use crate::standard::factorial;

/// The columns of a symmetric group that acts in columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// `columns[j][r]` is the point of column `j` in row `r`; a row is an orbit. Two columns at least, one row at
    /// least.
    ///
    /// Rows are ordered by their least points, columns by their points in the first row.
    pub columns: Vec<Vec<Point>>,
}

impl Group {
    /// The columns, if the group is the symmetric group on columns that make up its moved points.
    pub fn columns(&self) -> Option<Columns> {
        let classes = classes_in_step(self.generators(), &self.orbits());
        let [(first, further)] = &classes[..] else { return None };
        if self.order() != factorial(first.len()) {
            return None;
        }
        let column = |(place, &point): (usize, &Point)| {
            std::iter::once(point).chain(further.iter().map(|in_step| in_step[place].1)).collect()
        };
        Some(Columns { columns: first.iter().enumerate().map(column).collect() })
    }
}

impl Columns {
    /// The element of the group that sorts the columns of a vector as tuples; equal columns keep their order.
    ///
    /// Two vectors are in one orbit if and only if their sorted vectors are equal.
    pub fn sorting_element<T: Ord>(&self, values: &[T]) -> Permutation {
        let content = |column: &usize| self.columns[*column].iter().map(|&p| &values[p as usize]).collect::<Vec<&T>>();
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_cached_key(content);
        let mut images: Vec<Point> = (0..values.len() as Point).collect();
        for (target, source) in self.columns.iter().zip(order) {
            for (&to, &from) in target.iter().zip(&self.columns[source]) {
                images[from as usize] = to;
            }
        }
        Permutation::from_images(images).expect("columns are exchanged as wholes")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::Columns;
    use crate::group::Group;
    use crate::permutation::{Numbering, Permutation};
    use crate::testing::group;

    #[test]
    fn servers_with_their_clients_are_columns() {
        let group = group(14, &["(12 13)(1 4)(2 5)(3 6)", "(13 14)(4 7)(5 8)(6 9)"]);
        let columns = vec![vec![0, 1, 2, 11], vec![3, 4, 5, 12], vec![6, 7, 8, 13]];
        assert_eq!(group.columns(), Some(Columns { columns }));
    }

    #[test]
    fn sorting_columns_is_exact_where_swapping_them_is_not() {
        let swaps = ["(1 4)(5 6)", "(1 3)(5 2)", "(4 3)(6 2)"];
        let group = group(6, &swaps);
        let columns = group.columns().unwrap();
        assert_eq!(columns.columns, [vec![0, 4], vec![2, 1], vec![3, 5]]);
        let stuck = [1, 1, 2, 1, 1, 2];
        let images: BTreeSet<Vec<i32>> = group.elements().map(|element| element.permute(&stuck)).collect();
        assert!(group.generators().iter().all(|swap| swap.permute(&stuck)[..] >= stuck[..]));
        assert_eq!(images.first().unwrap(), &[1, 1, 1, 2, 2, 1]);
        // One representative for each orbit, over all vectors of three values.
        let mut representatives: BTreeMap<Vec<i32>, Vec<i32>> = BTreeMap::new();
        for code in 0..3i32.pow(6) {
            let vector: Vec<i32> = (0..6).map(|place| code / 3i32.pow(place) % 3).collect();
            let element = columns.sorting_element(&vector);
            assert!(group.contains(&element));
            let least = group.elements().map(|element| element.permute(&vector)).min().unwrap();
            let sorted = element.permute(&vector);
            assert_eq!(representatives.entry(least).or_insert_with(|| sorted.clone()), &sorted);
        }
        assert_eq!(representatives.values().collect::<BTreeSet<_>>().len(), representatives.len());
    }

    #[test]
    fn other_copies_of_the_symmetric_group_are_no_columns() {
        let generators = ["(1 2)(5 6)(9 10)(13 14)", "(1 2 4 8)(3 6 12 9)(5 10)(7 14 13 11)"];
        let copy = group(14, &generators);
        assert_eq!((copy.order(), copy.columns()), (24u32.into(), None));
        // The outer automorphism of S_6: the second orbit does not move in step with the first.
        let outer = group(12, &["(1 2)(7 8)(9 12)(10 11)", "(1 2 3 4 5 6)(7 9)(10 12 11)"]);
        assert_eq!((outer.order(), outer.columns()), (720u32.into(), None));
        assert_eq!(Group::alternating(4).columns(), None);
        assert_eq!(Group::trivial(4).columns(), None);
        let independent = Group::disjoint_product(&[Group::symmetric(3), Group::symmetric(3)]);
        assert_eq!(independent.columns(), None);
    }

    #[test]
    fn the_transposition_images_of_the_thesis_are_not_minimising() {
        let group = group(14, &["(1 2)(5 6)(9 10)(13 14)", "(1 2 4 8)(3 6 12 9)(5 10)(7 14 13 11)"]);
        let first = Permutation::parse(14, "(4 8)(5 9)(6 10)(7 11)", Numbering::FromOne).unwrap();
        assert!(group.contains(&first));
        let mut transpositions: BTreeSet<Permutation> = group.elements().map(|g| first.conjugate_by(&g)).collect();
        assert_eq!(transpositions.len(), 6);
        let state = [6, 10, 3, 6, 3, 5, 7, 10, 4, 8, 2, 1, 9, 3];
        transpositions.insert(Permutation::identity(14));
        let mut reached = state.to_vec();
        loop {
            let next = transpositions.iter().map(|element| element.permute(&reached)).min().unwrap();
            if next == reached {
                break;
            }
            reached = next;
        }
        let least = group.elements().map(|element| element.permute(&state)).min().unwrap();
        assert_eq!(reached, [6, 6, 3, 10, 3, 5, 7, 10, 4, 1, 9, 8, 2, 3]);
        assert_eq!(least, [6, 6, 3, 10, 1, 4, 9, 10, 5, 3, 7, 8, 3, 2]);
    }
}
