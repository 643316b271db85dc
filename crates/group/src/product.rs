//! The finest decomposition of a group into factors that move disjoint sets of points.
//!
//! Orbits `O_1 … O_k` are added from the last to the first, keeping the finest cells of `L_i`, the elements that fix
//! `O_1 … O_{i-1}` pointwise. A generator of `L_i` that moves `O_i` also moves other cells; where its part on a cell
//! belongs to `L_{i+1}` by itself, that part is divided off. If it does not, no decomposition separates that cell from
//! `O_i`: the part would be an element that fixes `O_i`, so of `L_{i+1}`. Polynomial, since one stabiliser chain whose
//! base runs through the orbits holds all `L_i`. The algorithm of Donaldson's thesis (2007, chapter 9.3) is
//! exponential; a polynomial one is also in Chang, Jefferson, "Disjoint direct product decompositions of permutation
//! groups" (2022).

use crate::construct;
use crate::equivariance::classes_in_step;
use crate::group::Group;
use crate::permutation::{Permutation, Point};
use crate::union::DisjointSets;

impl Group {
    /// The finest factors with disjoint supports whose product is this group, ordered by the least point they move.
    ///
    /// Each factor has the degree of the whole. The trivial group has no factors; an indecomposable group is its own
    /// only one.
    pub fn disjoint_factors(&self) -> Vec<Self> {
        let mut parts = connected_generators(self);
        let mut factors: Vec<Self> = match parts.len() {
            0 | 1 => parts.drain(..).flat_map(|_| split(self.clone())).collect(),
            _ => parts.into_iter().flat_map(|part| split(Self::generated_by(self.degree(), part))).collect(),
        };
        factors.sort_by_key(|factor| factor.moved_points().first().copied());
        debug_assert_eq!(factors.iter().map(Self::order).product::<num_bigint::BigUint>(), self.order());
        factors
    }
}

/// The generators in parts that move disjoint points: a decomposition at no cost, though not always the finest.
fn connected_generators(group: &Group) -> Vec<Vec<Permutation>> {
    let mut sets = DisjointSets::singletons(group.degree());
    for generator in group.generators() {
        let support = generator.support();
        for &point in &support {
            sets.merge(support[0], point);
        }
    }
    let mut parts: Vec<Vec<Permutation>> = vec![Vec::new(); group.degree()];
    for generator in group.generators() {
        let moved = generator.first_moved().expect("generators are not the identity");
        parts[sets.least(moved) as usize].push(generator.clone());
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// A set of points that the elements considered so far tie together.
struct Cell {
    points: Vec<Point>,
    generators: Vec<Permutation>,
}

fn split(group: Group) -> Vec<Group> {
    // Orbits in step are fixed together, so they are taken as one; the base runs through the first of them.
    let classes = classes_in_step(group.generators(), &group.orbits());
    if classes.len() < 2 {
        return vec![group];
    }
    let base: Vec<Point> = classes.iter().flat_map(|(first, _)| first).copied().collect();
    let chain = construct::with_base(group.chain(), &base);
    let mut cells: Vec<Cell> = Vec::new();
    let mut below = base.len();
    for (first, further) in classes.into_iter().rev() {
        let here = below - first.len();
        let in_step = further.iter().flatten().map(|&(_, image)| image);
        let points: Vec<Point> = first.iter().copied().chain(in_step).collect();
        let moving = chain
            .generators_at(here)
            .map(|step| &step.forward)
            .filter(|generator| first.iter().any(|&point| generator.image(point) != point));
        let mut reduced: Vec<Permutation> = Vec::new();
        let mut linked = vec![false; cells.len()];
        for generator in moving {
            let mut kept = generator.clone();
            for (cell, linked) in cells.iter().zip(&mut linked) {
                let part = part_on(generator, &cell.points);
                if chain.sift_from(below, part.clone()).is_member() {
                    kept.then_assign(&part.inverse());
                } else {
                    *linked = true;
                }
            }
            reduced.push(kept);
        }
        let mut merged = Cell { points, generators: reduced };
        let mut links = linked.into_iter();
        cells.retain_mut(|cell| {
            let linked = links.next() == Some(true);
            if linked {
                merged.points.append(&mut cell.points);
                merged.generators.append(&mut cell.generators);
            }
            !linked
        });
        cells.push(merged);
        below = here;
    }
    if cells.len() == 1 {
        return vec![group];
    }
    cells.into_iter().map(|cell| Group::generated_by(group.degree(), cell.generators)).collect()
}

/// What the element does on `points`, which it maps onto themselves; all other points are fixed.
fn part_on(element: &Permutation, points: &[Point]) -> Permutation {
    let mut images: Vec<Point> = (0..element.degree() as Point).collect();
    for &point in points {
        images[point as usize] = element.image(point);
    }
    Permutation::from_images(images).expect("the element maps the points onto themselves")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

    use super::part_on;
    use crate::group::Group;
    use crate::permutation::{Permutation, Point};
    use crate::random::Random;
    use crate::testing::group;

    fn supports(group: &Group) -> Vec<Vec<Point>> {
        group.disjoint_factors().iter().map(Group::moved_points).collect()
    }

    /// Exponential, by the definition: a set of orbits splits off if the generators' parts on it belong to the group.
    fn supports_by_definition(group: &Group) -> Vec<Vec<Point>> {
        let mut orbits = group.orbits();
        orbits.retain(|orbit| orbit.len() > 1);
        let splits_off = |chosen: &[Point]| group.generators().iter().all(|g| group.contains(&part_on(g, chosen)));
        let mut supports = Vec::new();
        while !orbits.is_empty() {
            let pick = |chosen: usize| -> Vec<Point> {
                orbits.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).flat_map(|(_, o)| o.clone()).collect()
            };
            // Sets that split off are closed under intersection: the smallest one with the first orbit is its factor.
            let chosen = (0usize..1 << (orbits.len() - 1)).map(|rest| 2 * rest + 1);
            let least = chosen.filter(|&c| splits_off(&pick(c))).min_by_key(|c| c.count_ones()).unwrap();
            let mut support = pick(least);
            support.sort_unstable();
            supports.push(support);
            let mut place = 0..;
            orbits.retain(|_| least >> place.next().unwrap() & 1 == 0);
        }
        supports
    }

    /// Products of cycles on up to five small ranges: intransitive, often decomposable behind entangled generators.
    fn any_intransitive() -> impl Strategy<Value = Group> {
        (proptest::collection::vec(2..4usize, 2..6), any::<u64>()).prop_map(|(sizes, seed)| {
            let mut random = Random::from_seed(seed);
            let degree = sizes.iter().sum();
            let mut generators = Vec::new();
            for _ in 0..1 + random.below(4) {
                let mut images: Vec<Point> = Vec::new();
                for &size in &sizes {
                    let start = images.len() as Point;
                    let part = Permutation::random(size, &mut random);
                    let part = if random.below(2) == 0 { Permutation::identity(size) } else { part };
                    images.extend(part.images().iter().map(|image| image + start));
                }
                generators.push(Permutation::from_images(images).unwrap());
            }
            // Entangle: replace generators by products, and rename the points.
            for _ in 0..3 {
                let (one, two) = (random.below(generators.len()), random.below(generators.len()));
                if one != two {
                    generators[one] = generators[one].then(&generators[two]);
                }
            }
            let renaming = Permutation::random(degree, &mut random);
            Group::generated_by(degree, generators.iter().map(|generator| generator.conjugate_by(&renaming)))
        })
    }

    proptest! {
        #[test]
        fn factors_are_the_finest_by_exhaustive_search(group in any_intransitive()) {
            prop_assert_eq!(supports(&group), supports_by_definition(&group));
            let factors = group.disjoint_factors();
            prop_assert!(factors.iter().all(|factor| factor.is_subgroup_of(&group)));
            prop_assert_eq!(factors.iter().map(Group::order).product::<num_bigint::BigUint>(), group.order());
        }
    }

    #[test]
    fn dependent_orbits_of_the_thesis_fall_into_two_factors() {
        let group = group(
            21,
            &[
                "(1 2 3)(4 5 6)(7 8 9)(10 11 12)(14 15)(17 18)(20 21)",
                "(2 3)(5 6)(8 9)(11 12)(13 14 15)(16 17 18)(19 20 21)",
            ],
        );
        assert_eq!(group.order(), 36u32.into());
        assert_eq!(supports(&group), [(0..12).collect::<Vec<_>>(), (12..21).collect()]);
    }

    #[test]
    fn independent_looking_orbits_of_the_thesis_are_one_factor() {
        for n in [6, 12, 30] {
            let pair = |i: usize| format!("({} {})({} {})", i, i + 1, i + 2, i + 3);
            let generators: Vec<String> = (1..n - 2).step_by(2).map(pair).collect();
            let generators: Vec<&str> = generators.iter().map(String::as_str).collect();
            assert_eq!(supports(&group(n, &generators)).len(), 1);
        }
    }

    #[test]
    fn a_redundant_generator_hides_no_factor() {
        let tiers = ["(1 2)", "(2 3)", "(4 5)", "(5 6)", "(7 8)", "(8 9)", "(10 11)", "(1 2)(10 11)"];
        let tiers = [&tiers[..], &["(12 13)(1 4)(2 5)(3 6)", "(13 14)(4 7)(5 8)(6 9)"]].concat();
        let tiers = group(16, &tiers);
        assert_eq!(tiers.order(), 2592u32.into());
        assert_eq!(supports(&tiers), [vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13], vec![9, 10]]);
    }

    #[test]
    fn the_trivial_group_has_no_factors() {
        assert!(Group::trivial(4).disjoint_factors().is_empty());
    }
}
