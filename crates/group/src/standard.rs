//! The well-known groups, and the two ways in which the symmetry of a system is put together from that of its parts:
//! disjoint products (independent parts side by side) and wreath products (equal parts that may be exchanged).

use num_bigint::BigUint;

use crate::group::Group;
use crate::permutation::{Permutation, Point};

impl Group {
    /// All permutations of `0..degree`.
    pub fn symmetric(degree: usize) -> Self {
        let order = factorial(degree);
        let generators = [cycle(degree, &rotation(degree)), cycle(degree, &first(2, degree))];
        Self::of_known_order(degree, generators, &order)
    }

    /// All even permutations of `0..degree`.
    pub fn alternating(degree: usize) -> Self {
        let order = factorial(degree) / if degree < 2 { 1u32 } else { 2 };
        let three = (2..degree as Point).map(|third| cycle(degree, &[0, 1, third]));
        Self::of_known_order(degree, three, &order)
    }

    /// The rotations of the cycle `0 → 1 → … → 0`.
    pub fn cyclic(degree: usize) -> Self {
        Self::of_known_order(degree, [cycle(degree, &rotation(degree))], &degree.max(1).into())
    }

    /// The rotations and reflections of the polygon with the corners `0, 1, …` in this order.
    pub fn dihedral(degree: usize) -> Self {
        let reflection = (0..degree).map(|point| ((degree - point) % degree.max(1)) as Point).collect::<Vec<_>>();
        let reflection = Permutation::from_images(reflection).expect("negation modulo the degree is a bijection");
        let order = if degree <= 2 { degree.max(1) } else { 2 * degree };
        Self::of_known_order(degree, [cycle(degree, &rotation(degree)), reflection], &order.into())
    }

    /// The symmetries of the cube of the given dimension, on its corners: corner `p` has the binary digits of `p` as
    /// coordinates.
    pub fn hypercube(dimension: u32) -> Self {
        let degree = 1usize << dimension;
        let corners = 0..degree as Point;
        let flip: Vec<Point> = corners.clone().map(|corner| corner ^ Point::from(dimension > 0)).collect();
        let exchange = |axis: u32| {
            let swapped = corners.clone().map(move |corner| {
                let (low, high) = (corner >> axis & 1, corner >> (axis + 1) & 1);
                if low == high { corner } else { corner ^ (3 << axis) }
            });
            Permutation::from_images(swapped.collect::<Vec<_>>()).expect("exchanging digits is a bijection")
        };
        let flip = Permutation::from_images(flip).expect("flipping a digit is a bijection");
        let generators = std::iter::once(flip).chain((1..dimension).map(|axis| exchange(axis - 1)));
        Self::of_known_order(degree, generators, &(factorial(dimension as usize) << dimension))
    }

    /// The groups side by side: each acts on its own points and fixes those of the others.
    pub fn disjoint_product(factors: &[Self]) -> Self {
        let degree = factors.iter().map(Self::degree).sum();
        let mut generators = Vec::new();
        let mut start = 0;
        for factor in factors {
            generators.extend(factor.generators().iter().map(|generator| shifted(generator, start, degree)));
            start += factor.degree();
        }
        Self::of_known_order(degree, generators, &factors.iter().map(Self::order).product())
    }

    /// The wreath product of `self` with `top`, imprimitive: `top` permutes as many copies of the points of `self`.
    ///
    /// Point `j` of copy `i` is numbered `i · self.degree() + j`.
    pub fn wreath_product(&self, top: &Self) -> Self {
        let (size, copies) = (self.degree(), top.degree());
        let degree = size * copies;
        let inner = top.orbits().into_iter().flat_map(|orbit| {
            // One copy of each orbit is enough: the top group carries it to the others.
            let start = orbit[0] as usize * size;
            self.generators().iter().map(move |generator| shifted(generator, start, degree))
        });
        let outer = top.generators().iter().map(|generator| {
            let place = |point: usize| generator.image((point / size) as Point) as usize * size + point % size;
            let images: Vec<Point> = (0..degree).map(|point| place(point) as Point).collect();
            Permutation::from_images(images).expect("copies are exchanged as a whole")
        });
        let order = (0..copies).map(|_| self.order()).product::<BigUint>() * top.order();
        // With no points to exchange, the top group does nothing.
        let order = if size == 0 { BigUint::from(1u32) } else { order };
        Self::of_known_order(degree, inner.chain(outer), &order)
    }
}

/// The number of permutations of `degree` points.
pub(crate) fn factorial(degree: usize) -> BigUint {
    (1..=degree).product()
}

fn rotation(degree: usize) -> Vec<Point> {
    first(degree, degree)
}

fn first(count: usize, degree: usize) -> Vec<Point> {
    (0..count.min(degree) as Point).collect()
}

fn cycle(degree: usize, points: &[Point]) -> Permutation {
    Permutation::from_cycles(degree, &[points]).expect("the points are different and below the degree")
}

fn shifted(element: &Permutation, start: usize, degree: usize) -> Permutation {
    let mut images: Vec<Point> = (0..degree as Point).collect();
    for (point, &image) in element.images().iter().enumerate() {
        images[start + point] = start as Point + image;
    }
    Permutation::from_images(images).expect("a shifted permutation is one")
}

#[cfg(test)]
mod tests {
    use super::factorial;
    use crate::group::Group;

    #[test]
    fn standard_groups_have_their_orders_by_proof_as_well() {
        let proven = |group: &Group| Group::generated_by(group.degree(), group.generators().iter().cloned()).order();
        for degree in 0..9usize {
            assert_eq!(proven(&Group::symmetric(degree)), factorial(degree));
            assert_eq!(proven(&Group::alternating(degree)), factorial(degree) / if degree < 2 { 1u32 } else { 2 });
            assert_eq!(proven(&Group::cyclic(degree)), degree.max(1).into());
            assert_eq!(
                proven(&Group::dihedral(degree)),
                [1, 1, 2][..].get(degree).copied().unwrap_or(2 * degree).into()
            );
        }
        for dimension in 0..5 {
            let expected = factorial(dimension as usize) << dimension;
            assert_eq!(proven(&Group::hypercube(dimension)), expected);
        }
        let three = Group::symmetric(3);
        let wreath = three.wreath_product(&Group::cyclic(4));
        assert_eq!((proven(&wreath), wreath.order()), ((6u32.pow(4) * 4).into(), (6u32.pow(4) * 4).into()));
        let side_by_side = Group::disjoint_product(&[three, Group::trivial(2), Group::dihedral(5)]);
        assert_eq!((proven(&side_by_side), side_by_side.degree()), (60u32.into(), 10));
    }
}
