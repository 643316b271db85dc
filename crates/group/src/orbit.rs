//! Orbits of points under a list of permutations, with no regard to the group they generate.

use crate::permutation::{Permutation, Point};
use crate::union::DisjointSets;

/// All orbits of `0..degree`, fixed points included; each sorted, ordered by their least points.
pub fn orbits<'a>(degree: usize, generators: impl IntoIterator<Item = &'a Permutation>) -> Vec<Vec<Point>> {
    let mut sets = DisjointSets::singletons(degree);
    for generator in generators {
        for (point, &image) in (0..).zip(generator.images()) {
            sets.merge(point, image);
        }
    }
    sets.sets()
}

/// The orbit of one point, in the order in which it is reached; the point itself comes first.
pub fn orbit_of<'a>(
    point: Point,
    generators: impl IntoIterator<Item = &'a Permutation, IntoIter: Clone>,
) -> Vec<Point> {
    let generators = generators.into_iter();
    let mut met = vec![false; generators.clone().map(Permutation::degree).max().unwrap_or(0)];
    let mut orbit = vec![point];
    if let Some(start) = met.get_mut(point as usize) {
        *start = true;
    }
    let mut next = 0;
    while next < orbit.len() {
        for generator in generators.clone() {
            let image = generator.image(orbit[next]);
            if !met[image as usize] {
                met[image as usize] = true;
                orbit.push(image);
            }
        }
        next += 1;
    }
    orbit
}

#[cfg(test)]
mod tests {
    use super::{orbit_of, orbits};
    use crate::permutation::{Numbering, Permutation};

    #[test]
    fn orbits_are_the_classes_of_points_that_generators_connect() {
        let generators =
            ["(0 4)", "(4 2 6)", "(1 5)"].map(|text| Permutation::parse(7, text, Numbering::FromZero).unwrap());
        assert_eq!(orbits(7, &generators), [vec![0, 2, 4, 6], vec![1, 5], vec![3]]);
        assert_eq!(orbit_of(4, &generators), [4, 0, 2, 6]);
        assert_eq!(orbit_of(3, &generators), [3]);
        assert_eq!(orbit_of(1, &[]), [1]);
    }
}
