//! Wreath recognition against the definition on small groups, and the pitfalls of Donaldson's thesis.

use std::collections::BTreeSet;

use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

use super::Wreath;
use crate::action::Action;
use crate::group::Group;
use crate::permutation::{Permutation, Point};
use crate::random::Random;
use crate::testing::{any_generators, group};

/// All partitions of `points` into `count` sets of equal size.
fn equal_partitions(points: &[Point], count: usize) -> Vec<Vec<Vec<Point>>> {
    if points.is_empty() {
        return vec![vec![]];
    }
    let size = points.len() / count;
    let mut partitions = Vec::new();
    for chosen in 0u32..1 << (points.len() - 1) {
        let chosen = 2 * chosen + 1;
        if chosen.count_ones() as usize == size {
            let (inside, outside): (Vec<_>, Vec<_>) = (0..points.len()).partition(|i| chosen >> i & 1 == 1);
            let block: Vec<Point> = inside.into_iter().map(|i| points[i]).collect();
            let rest: Vec<Point> = outside.into_iter().map(|i| points[i]).collect();
            for mut others in equal_partitions(&rest, count - 1) {
                others.insert(0, block.clone());
                partitions.push(others);
            }
        }
    }
    partitions
}

/// The possible numbers of blocks, by trying every partition.
fn counts_by_definition(group: &Group) -> BTreeSet<usize> {
    let moved = group.moved_points();
    let counts = (2..=moved.len() / 2).filter(|count| moved.len().is_multiple_of(*count));
    counts
        .filter(|&count| {
            equal_partitions(&moved, count).into_iter().any(|blocks| {
                let Some(action) = Action::on_sets(group, &blocks) else { return false };
                let inner = action.stabiliser_of(0).restricted_to(&blocks[0]);
                let transitive = action.image().is_transitive() && !inner.is_trivial();
                transitive && inner.order().pow(count as u32) * action.image().order() == group.order()
            })
        })
        .collect()
}

fn counts(group: &Group) -> BTreeSet<usize> {
    group.wreath_decompositions().map(|wreath| wreath.blocks.len()).collect()
}

/// The inner group on each block, and the top group by corresponding points: they must generate the group.
fn rebuilt(degree: usize, wreath: &Wreath) -> Group {
    let mut generators = Vec::new();
    for element in wreath.inner.generators() {
        for block in &wreath.blocks {
            let mut images: Vec<Point> = (0..degree as Point).collect();
            block.iter().zip(0..).for_each(|(&p, place)| images[p as usize] = block[element.image(place) as usize]);
            generators.push(Permutation::from_images(images).unwrap());
        }
    }
    for element in wreath.top.generators() {
        let mut images: Vec<Point> = (0..degree as Point).collect();
        for (block, place) in wreath.blocks.iter().zip(0..) {
            let target = &wreath.blocks[element.image(place) as usize];
            block.iter().zip(target).for_each(|(&point, &image)| images[point as usize] = image);
        }
        generators.push(Permutation::from_images(images).unwrap());
    }
    Group::generated_by(degree, generators)
}

/// Wreath products of small groups, intransitive inner groups included, and subgroups of them, with renamed points.
fn any_wreath_like() -> impl Strategy<Value = Group> {
    (0..6usize, 0..3usize, any::<bool>(), any::<u64>()).prop_map(|(inner, top, whole, seed)| {
        let (s2, s3) = (Group::symmetric(2), Group::symmetric(3));
        let diagonal = group(4, &["(1 2)(3 4)"]);
        let both = Group::disjoint_product(&[s2.clone(), s2.clone()]);
        let head = Group::disjoint_product(&[s2.clone(), Group::trivial(1)]);
        let inner = [s2.clone(), s3.clone(), head, diagonal, both, Group::cyclic(3)][inner].clone();
        let top = [s2, s3, Group::cyclic(3)][top].clone();
        let top = if inner.degree() > 3 { Group::symmetric(2) } else { top };
        let product = inner.wreath_product(&top);
        let mut random = Random::from_seed(seed);
        let renaming = Permutation::random(product.degree(), &mut random);
        let generators: Vec<Permutation> = match whole {
            true => product.generators().to_vec(),
            false => (0..2 + random.below(2)).map(|_| product.random_element(&mut random)).collect(),
        };
        Group::generated_by(product.degree(), generators.iter().map(|generator| generator.conjugate_by(&renaming)))
    })
}

proptest! {
    #[test]
    fn wreath_products_are_those_of_the_definition(group in any_wreath_like()) {
        prop_assert_eq!(counts(&group), counts_by_definition(&group));
        for wreath in group.wreath_decompositions() {
            prop_assert!(rebuilt(group.degree(), &wreath) == group);
        }
    }

    #[test]
    fn random_groups_are_wreath_products_exactly_by_definition((degree, generators) in any_generators()) {
        let group = Group::generated_by(degree, generators);
        prop_assert_eq!(counts(&group), counts_by_definition(&group));
    }
}

#[test]
fn the_clients_and_servers_of_the_thesis_are_a_wreath_product() {
    let generators = ["(1 2)", "(2 3)", "(4 5)", "(5 6)", "(7 8)", "(8 9)"];
    let generators = [&generators[..], &["(12 13)(1 4)(2 5)(3 6)", "(13 14)(4 7)(5 8)(6 9)"]].concat();
    let group = group(14, &generators);
    let wreath = group.wreath_decomposition().unwrap();
    let sets: BTreeSet<BTreeSet<Point>> = wreath.blocks.iter().map(|block| block.iter().copied().collect()).collect();
    let expected = [[0, 1, 2, 11], [3, 4, 5, 12], [6, 7, 8, 13]];
    assert_eq!(sets, expected.into_iter().map(BTreeSet::from).collect());
    assert_eq!((wreath.inner.order(), wreath.top.order()), (6u32.into(), 6u32.into()));
    assert!(rebuilt(14, &wreath) == group);
}

#[test]
fn crossed_and_twisted_complements_give_aligned_blocks() {
    // Both are S_2 wr S_n, given by a complement that does not respect any common naming of the points.
    let crossed = group(4, &["(1 2)", "(3 4)", "(1 4)(2 3)"]);
    let twisted = group(6, &["(1 2)", "(3 4)", "(5 6)", "(1 3)(2 4)(5 6)", "(3 5)(4 6)(1 2)"]);
    for group in [crossed, twisted] {
        let wreath = group.wreath_decomposition().unwrap();
        assert!(rebuilt(group.degree(), &wreath) == group);
    }
}

#[test]
fn pieces_that_move_together_are_glued_together() {
    let glued = group(8, &["(1 2)(5 6)", "(3 4)(7 8)", "(1 3)(2 4)(5 7)(6 8)"]);
    let wreath = glued.wreath_decomposition().unwrap();
    let sets: BTreeSet<BTreeSet<Point>> = wreath.blocks.iter().map(|block| block.iter().copied().collect()).collect();
    assert_eq!(sets, [[0, 1, 4, 5], [2, 3, 6, 7]].into_iter().map(BTreeSet::from).collect());
    assert_eq!(wreath.inner.order(), 2u32.into());
    // Only corresponding points may be exchanged: the twisted twin has the same orbits, and the other blocks.
    let twin = group(8, &["(1 2)(7 8)", "(3 4)(5 6)", "(1 3)(2 4)(5 7)(6 8)"]);
    let wreath = twin.wreath_decomposition().unwrap();
    let sets: BTreeSet<BTreeSet<Point>> = wreath.blocks.iter().map(|block| block.iter().copied().collect()).collect();
    assert_eq!(sets, [[0, 1, 6, 7], [2, 3, 4, 5]].into_iter().map(BTreeSet::from).collect());
}

#[test]
fn iterated_products_are_found_at_every_height() {
    let two = Group::symmetric(2);
    let tree = two.wreath_product(&two).wreath_product(&two).wreath_product(&two);
    assert_eq!(counts(&tree), BTreeSet::from([2, 4, 8]));
    let cube = Group::hypercube(4);
    assert!(counts(&cube).is_empty());
}

/// The vectors over `1..=values`.
fn vectors(length: u32, values: u32) -> impl Iterator<Item = Vec<u32>> {
    (0..values.pow(length)).map(move |code| (0..length).map(|place| code / values.pow(place) % values + 1).collect())
}

/// How many vectors are not brought to their minimum by minimising inside the blocks first and by the given top group
/// then.
fn not_minimised(whole: &Group, inner: &[&str], top: &[&str], values: u32) -> usize {
    let degree = whole.degree();
    let [inner, top] = [inner, top].map(|texts| group(degree, texts));
    let least = |group: &Group, v: &[u32]| group.minimal_image(v).element.permute(v);
    vectors(degree as u32, values).filter(|v| least(&top, &least(&inner, v)) != least(whole, v)).count()
}

#[test]
fn minimising_with_unaligned_top_groups_fails_for_known_numbers_of_vectors() {
    let crossed = group(4, &["(1 2)", "(3 4)", "(1 4)(2 3)"]);
    assert_eq!(not_minimised(&crossed, &["(1 2)", "(3 4)"], &["(1 4)(2 3)"], 4), 108);
    assert_eq!(not_minimised(&crossed, &["(1 2)", "(3 4)"], &["(1 3)(2 4)"], 4), 0);
    let inner = ["(1 2)", "(3 4)", "(5 6)"];
    let twisted = ["(1 3)(2 4)(5 6)", "(3 5)(4 6)(1 2)"];
    let whole = group(6, &[&inner[..], &twisted[..]].concat());
    assert_eq!(not_minimised(&whole, &inner, &twisted, 3), 414);
    assert_eq!(not_minimised(&whole, &inner, &["(1 3)(2 4)", "(3 5)(4 6)"], 3), 0);
}

/// Canonicalise each block by the inner group, then the blocks as values by the top group.
fn canonical(wreath: &Wreath, vector: &[u32]) -> Vec<u32> {
    let read = |block: &Vec<Point>| {
        let contents: Vec<u32> = block.iter().map(|&point| vector[point as usize]).collect();
        wreath.inner.canonical_image(&contents).element.permute(&contents)
    };
    let blocks: Vec<Vec<u32>> = wreath.blocks.iter().map(read).collect();
    let blocks = wreath.top.canonical_image(&blocks).element.permute(&blocks);
    let mut image = vector.to_vec();
    for (places, contents) in wreath.blocks.iter().zip(blocks) {
        places.iter().zip(contents).for_each(|(&place, content)| image[place as usize] = content);
    }
    image
}

proptest! {
    #[test]
    fn canonical_forms_by_blocks_are_as_many_as_orbits(group in any_wreath_like(), seed in any::<u64>()) {
        let Some(wreath) = group.wreath_decomposition() else { return Ok(()) };
        let mut random = Random::from_seed(seed);
        for _ in 0..20 {
            let vector: Vec<u32> = (0..group.degree()).map(|_| random.below(2) as u32).collect();
            let form = canonical(&wreath, &vector);
            let least = |v: &[u32]| group.minimal_image(v).element.permute(v);
            prop_assert_eq!(least(&form), least(&vector));
            let other = group.random_element(&mut random).permute(&vector);
            prop_assert_eq!(canonical(&wreath, &other), form);
        }
    }
}
