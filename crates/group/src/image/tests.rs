//! Images against the enumeration of orbits, and the vectors of Donaldson's thesis.

use std::collections::BTreeMap;

use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

use super::{ImageFinder, Representative, images_by_enumeration, orbit_by_enumeration};
use crate::group::Group;
use crate::permutation::{Permutation, Point};
use crate::random::Random;
use crate::testing::{any_generators, closure, group};

fn random_vector(length: usize, values: usize, random: &mut Random) -> Vec<u32> {
    (0..length).map(|_| random.below(values) as u32).collect()
}

/// Checks both representatives of a vector against its whole orbit.
fn check(group: &Group, vector: &[u32]) {
    let orbit = orbit_by_enumeration(group, vector);
    let least = group.minimal_image(vector);
    assert_eq!(Some(&least.element.permute(vector)), orbit.iter().min(), "{vector:?} under {group:?}");
    let finder = ImageFinder::new(group, Representative::Canonical);
    let canonical = finder.find(vector);
    let representative = canonical.element.permute(vector);
    for image in [&least, &canonical] {
        assert!(group.contains(&image.element));
        assert_eq!(image.stabiliser_order() * orbit.len(), group.order(), "{vector:?} under {group:?}");
        assert!(image.stabiliser_generators.iter().all(|g| group.contains(g) && g.permute(vector) == vector));
        let stabiliser = Group::generated_by(group.degree(), image.stabiliser_generators.iter().cloned());
        assert_eq!(stabiliser.order(), image.stabiliser_order());
    }
    for other in orbit.iter().take(20) {
        assert_eq!(finder.find(other).element.permute(other), representative);
    }
}

/// Groups with large stabilisers and entangled orbits: wreath products, cubes, columns, products, renamed.
fn any_structured_group() -> impl Strategy<Value = Group> {
    (0..9usize, any::<u64>()).prop_map(|(which, seed)| {
        let (s2, s3) = (Group::symmetric(2), Group::symmetric(3));
        let columns = group(9, &["(1 2)(4 6)(7 8)", "(2 3)(4 5)(8 9)"]);
        let group = match which {
            0 => s2.wreath_product(&s3),
            1 => s3.wreath_product(&s2),
            2 => Group::hypercube(3),
            3 => columns,
            4 => Group::disjoint_product(&[s3, Group::dihedral(5)]),
            5 => Group::alternating(6),
            6 => s2.wreath_product(&s2).wreath_product(&s2),
            7 => group(8, &["(1 2)(5 6)", "(3 4)(7 8)", "(1 3)(2 4)(5 7)(6 8)"]),
            _ => Group::symmetric(6),
        };
        let renaming = Permutation::random(group.degree(), &mut Random::from_seed(seed));
        Group::generated_by(group.degree(), group.generators().iter().map(|g| g.conjugate_by(&renaming)))
    })
}

proptest! {
    #[test]
    fn images_stand_for_whole_orbits_of_random_groups((degree, generators) in any_generators(), seed in any::<u64>()) {
        let mut random = Random::from_seed(seed);
        let values = 1 + random.below(4);
        check(&Group::generated_by(degree, generators), &random_vector(degree, values, &mut random));
    }

    #[test]
    fn images_stand_for_whole_orbits_of_structured_groups(group in any_structured_group(), seed in any::<u64>()) {
        let mut random = Random::from_seed(seed);
        let values = 1 + random.below(4);
        check(&group, &random_vector(group.degree(), values, &mut random));
    }

    #[test]
    fn stabilisers_of_colourings_and_sets_hold_what_they_should(
        (degree, generators) in any_generators(),
        seed in any::<u64>(),
    ) {
        let mut random = Random::from_seed(seed);
        let elements = closure(degree, &generators);
        let group = Group::generated_by(degree, generators);
        let colours = random_vector(degree, 3, &mut random);
        let keeps = |g: &&Permutation| g.permute(&colours) == colours;
        let expected: Vec<&Permutation> = elements.iter().filter(keeps).collect();
        let stabiliser = group.stabiliser_of_colouring(&colours);
        prop_assert_eq!(stabiliser.order(), expected.len().into());
        prop_assert!(expected.iter().all(|g| stabiliser.contains(g)));
        let set: Vec<Point> = (0..degree as Point).filter(|&p| colours[p as usize] == 0).collect();
        let keeps = |g: &&Permutation| set.iter().all(|&p| set.contains(&g.image(p)));
        prop_assert_eq!(group.setwise_stabiliser(&set).order(), elements.iter().filter(keeps).count().into());
        let image_of = |g: &Permutation| {
            let mut image: Vec<Point> = set.iter().map(|&p| g.image(p)).collect();
            image.sort_unstable();
            image
        };
        prop_assert_eq!(Some(group.minimal_image_of_set(&set).0), elements.iter().map(image_of).min());
        let cells: Vec<Vec<Point>> =
            (0..2).map(|c| (0..degree as Point).filter(|&p| colours[p as usize] == c).collect()).collect();
        let (image, by) = group.minimal_image_of_partition(&cells);
        let least = elements.iter().map(|g| g.permute(&colours)).min().unwrap();
        prop_assert_eq!(by.element.permute(&colours), least.clone());
        for (number, cell) in image.iter().enumerate() {
            prop_assert!(cell.iter().all(|&p| least[p as usize] == number as u32) && cell.is_sorted());
            prop_assert_eq!(cell.len(), cells[number].len());
        }
    }
}

#[test]
fn the_cube_states_of_the_thesis_have_their_minima() {
    let flips = ["(1 2)(3 4)(5 6)(7 8)", "(1 3)(2 4)(5 7)(6 8)", "(1 5)(2 6)(3 7)(4 8)"];
    let turns = ["(2 3 5)(4 7 6)", "(2 3)(6 7)"];
    let whole = group(8, &[&flips[..], &turns[..]].concat());
    let (flips, turns) = (group(8, &flips), group(8, &turns));
    assert_eq!(whole.order(), 48u32.into());
    let least = |group: &Group, vector: &[u32]| group.minimal_image(vector).element.permute(vector);
    let state = [4, 3, 2, 4, 2, 1, 1, 3];
    assert_eq!(least(&whole, &state), [1, 2, 2, 4, 3, 1, 4, 3]);
    assert_eq!(least(&turns, &least(&flips, &state)), [1, 2, 3, 1, 3, 4, 4, 2]);
    assert_eq!(least(&flips, &least(&turns, &state)), [1, 2, 2, 4, 3, 4, 1, 3]);
    let state = [3, 4, 4, 2, 5, 4, 1, 5];
    assert_eq!(least(&flips, &state), [1, 5, 5, 4, 4, 2, 3, 4]);
    for flip in flips.generators() {
        assert_eq!(least(&Group::generated_by(8, [flip.clone()]), &state), state);
    }
}

#[test]
fn wreath_states_of_the_thesis_have_their_minima() {
    let crossed = group(4, &["(1 2)", "(3 4)", "(1 4)(2 3)"]);
    let image = crossed.minimal_image(&[1, 2, 1, 1]);
    assert_eq!(image.element.permute(&[1, 2, 1, 1]), [1, 1, 1, 2]);
    let columns = group(6, &["(1 4)(5 6)", "(1 3)(5 2)"]);
    let stuck = [1, 1, 2, 1, 1, 2];
    assert_eq!(columns.minimal_image(&stuck).element.permute(&stuck), [1, 1, 1, 2, 2, 1]);
}

#[test]
fn as_many_canonical_images_as_orbits() {
    for group in [Group::hypercube(3), Group::dihedral(7), Group::symmetric(2).wreath_product(&Group::cyclic(4))] {
        let finder = ImageFinder::new(&group, Representative::Canonical);
        let minimal = ImageFinder::new(&group, Representative::Minimal);
        let degree = group.degree() as u32;
        let mut seen: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        let mut covered = num_bigint::BigUint::ZERO;
        for code in 0..3u32.pow(degree) {
            let vector: Vec<u32> = (0..degree).map(|place| code / 3u32.pow(place) % 3).collect();
            let canonical = finder.find_by_rank(&vector);
            let least = minimal.find_by_rank(&vector);
            let (canonical_vector, least_vector) = (canonical.element.permute(&vector), least.element.permute(&vector));
            assert_eq!(canonical.stabiliser_order(), least.stabiliser_order());
            let known = seen.entry(least_vector).or_insert_with(|| {
                covered += group.order() / canonical.stabiliser_order();
                canonical_vector.clone()
            });
            assert_eq!(*known, canonical_vector);
        }
        assert_eq!(covered, 3u32.pow(degree).into());
    }
}

#[test]
fn enumeration_shares_partial_images() {
    let six = Group::symmetric(6);
    let mut images = Vec::new();
    let applications = images_by_enumeration(&six, &[1, 2, 3, 4, 5, 6], |image| images.push(image.to_vec()));
    assert_eq!((applications, images.len()), (872, 720));
    images.sort();
    images.dedup();
    assert_eq!(images.len(), 720);
}

#[test]
fn constant_vectors_are_fixed_by_all_of_a_large_group() {
    let group = Group::symmetric(5).wreath_product(&Group::symmetric(6));
    for representative in [Representative::Minimal, Representative::Canonical] {
        let image = ImageFinder::new(&group, representative).find(&[7; 30]);
        assert_eq!(image.stabiliser_order(), group.order());
    }
}
