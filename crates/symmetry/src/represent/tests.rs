//! Representatives against brute force: all images of a state under all elements, through [`Shape::apply`].

mod model;

use std::collections::{BTreeMap, BTreeSet};

use group::{Group, Numbering, Permutation, Random};
use machine::state::ScalarAt;
use num_bigint::BigUint;

use super::{Canonicaliser, Strategy};
use crate::shape::{Content, DomainId, Shape, Slot, SlotId, Validity};
use model::{Model, Parts};

const ENUMERATE: Strategy = Strategy::Enumerate { most_elements: 10_000 };

/// Groups of at most a few hundred elements, for brute force.
fn small_groups() -> Vec<Group> {
    let s = Group::symmetric;
    let mut groups: Vec<Group> = (2..6).map(s).collect();
    groups.extend((3..7).map(Group::cyclic));
    groups.extend((3..7).map(Group::dihedral));
    groups.push(Group::alternating(4));
    groups.push(Group::hypercube(3));
    groups.push(Group::hypercube(4));
    groups.push(s(2).wreath_product(&s(3)));
    groups.push(s(3).wreath_product(&s(2)));
    groups.push(s(2).wreath_product(&s(2)).wreath_product(&s(2)));
    groups.push(Group::cyclic(3).wreath_product(&s(2)));
    groups.push(s(2).wreath_product(&Group::cyclic(3)));
    groups.push(Group::disjoint_product(&[s(2), s(3)]));
    groups.push(Group::disjoint_product(&[s(3), s(3)]));
    groups.push(Group::disjoint_product(&[s(3), Group::cyclic(3)]));
    groups.push(Group::disjoint_product(&[s(2), s(2), Group::trivial(1), s(3)]));
    groups.push(Group::disjoint_product(&[s(2).wreath_product(&s(2)), s(2)]));
    groups
}

fn images(shape: &Shape, group: &Group, state: &[u8]) -> BTreeSet<Vec<u8>> {
    group.elements().map(|element| shape.apply(&element, state)).collect()
}

fn represented(canonicaliser: &mut Canonicaliser, state: &[u8]) -> Vec<u8> {
    let mut state = state.to_vec();
    canonicaliser.representative(&mut state);
    state
}

/// Checks all laws on random states of a model.
fn check(model: &Model, states: usize, random: &mut Random) {
    let Model { shape, group, .. } = model;
    let mut exact = Canonicaliser::new(shape, group, Strategy::Exact);
    let mut naive = Canonicaliser::new(shape, group, ENUMERATE);
    assert!(exact.is_exact() && naive.is_exact());
    for _ in 0..states {
        let state = model.state(random);
        let orbit = images(shape, group, &state);
        let representative = represented(&mut exact, &state);
        assert!(orbit.contains(&representative), "{}\n{state:?} became {representative:?}", exact.describe());
        assert_eq!(exact.orbit_size(&state), orbit.len().into(), "{}\n{state:?}", exact.describe());
        for image in &orbit {
            assert_eq!(represented(&mut exact, image), representative, "{}\n{state:?}, {image:?}", exact.describe());
        }
        assert_eq!(Some(&represented(&mut naive, &state)), orbit.first());
        assert_eq!(naive.orbit_size(&state), orbit.len().into());
        check_successors(model, &representative, &mut exact, random);
    }
}

/// As a search does: the size of a representative's orbit, then the representatives of states that differ from it in a few slots.
fn check_successors(model: &Model, expanded: &[u8], exact: &mut Canonicaliser, random: &mut Random) {
    let Model { shape, group, .. } = model;
    let mut searching = exact.clone();
    for _ in 0..2 {
        let size = searching.orbit_size(expanded);
        assert_eq!(size, images(shape, group, expanded).len().into());
        for changes in 0..4 {
            let mut successor = expanded.to_vec();
            let other = model.state(random);
            for _ in 0..changes {
                let slot = SlotId(random.below(shape.slots.len()) as u32);
                shape.write(&mut successor, slot, shape.read(&other, slot));
            }
            let known = images(shape, group, &successor);
            let found = represented(&mut searching, &successor);
            assert!(known.contains(&found), "{}\n{expanded:?}\n{successor:?} became {found:?}", exact.describe());
            let afresh = represented(&mut Canonicaliser::new(shape, group, Strategy::Exact), &successor);
            assert_eq!(found, afresh, "{}\n{expanded:?}\n{successor:?}", exact.describe());
            assert_eq!(exact.orbit_size(&successor), known.len().into());
        }
    }
}

fn check_groups(parts: Parts, rounds: u64) {
    for (number, group) in small_groups().iter().enumerate() {
        for round in 0..rounds {
            let mut random = Random::from_seed(1000 * number as u64 + round);
            check(&Model::new(group, parts, &mut random), 4, &mut random);
        }
    }
}

#[test]
fn columns_of_numbers_have_one_representative_for_each_orbit() {
    check_groups(Parts { numbers: 3, globals: 1, ..Parts::default() }, 6);
}

#[test]
fn references_between_objects_keep_representatives_unique() {
    check_groups(Parts { numbers: 1, names: 1, ..Parts::default() }, 10);
    check_groups(Parts { numbers: 0, names: 2, ..Parts::default() }, 10);
}

#[test]
fn names_in_globals_and_messages_keep_representatives_unique() {
    check_groups(
        Parts { numbers: 1, globals: 1, global_names: 2, messages: 2, own_messages: 1, ..Parts::default() },
        10,
    );
}

#[test]
fn own_locations_and_everything_together_keep_representatives_unique() {
    let all = Parts {
        numbers: 1,
        names: 1,
        locations: 3,
        globals: 1,
        global_names: 1,
        messages: 1,
        own_messages: 1,
        ..Parts::default()
    };
    check_groups(all, 6);
    check_groups(Parts { names: 0, ..all }, 4);
}

#[test]
fn arrays_with_two_indices_keep_representatives_unique() {
    for (number, group) in small_groups().iter().filter(|group| group.degree() < 6).enumerate() {
        for round in 0..4 {
            let mut random = Random::from_seed(77 * number as u64 + round);
            let (names, pair_names) = (usize::from(round > 1), usize::from(round % 2 == 1));
            let parts = Parts { numbers: 1, names, pairs: 1, pair_names, ..Parts::default() };
            check(&Model::new(group, parts, &mut random), 3, &mut random);
        }
    }
}

#[test]
fn images_under_large_groups_have_the_same_representative() {
    let s = Group::symmetric;
    let groups = [
        s(9),
        s(4).wreath_product(&s(3)),
        s(2).wreath_product(&s(3)).wreath_product(&s(3)),
        Group::disjoint_product(&[s(5), s(6)]),
        Group::disjoint_product(&[s(5), Group::cyclic(6)]),
        s(3).wreath_product(&Group::cyclic(4)),
        Group::hypercube(4),
        Group::hypercube(5),
        Group::dihedral(12),
        // Too large to know all stabilisers.
        Group::disjoint_product(&[s(13), Group::cyclic(4)]),
        s(6).wreath_product(&Group::cyclic(4)),
    ];
    for (number, group) in groups.iter().enumerate() {
        for round in 0..30 {
            let mut random = Random::from_seed(97 * number as u64 + round);
            // Mostly references, few numbers: what refinement leaves open.
            let parts = Parts {
                numbers: round as usize % 2,
                names: 1 + round as usize % 3 / 2,
                own_messages: round as u32 % 5 / 4,
                pairs: usize::from(round % 10 == 9 && group.degree() < 13),
                ..Parts::default()
            };
            let model = Model::new(group, parts, &mut random);
            let mut exact = Canonicaliser::new(&model.shape, &model.group, Strategy::Exact);
            for _ in 0..10 {
                let state = model.state(&mut random);
                let representative = represented(&mut exact, &state);
                let size = exact.orbit_size(&state);
                for _ in 0..5 {
                    let image = model.shape.apply(&model.group.random_element(&mut random), &state);
                    assert_eq!(represented(&mut exact, &image), representative, "{state:?}, {image:?}");
                    assert_eq!(exact.orbit_size(&image), size);
                }
            }
        }
    }
}

#[test]
fn approximate_representatives_lie_in_the_orbit_and_say_whether_they_are_unique() {
    let mut differing = BTreeMap::new();
    for (number, group) in small_groups().iter().filter(|group| group.degree() < 10).enumerate() {
        for round in 0..6 {
            let mut random = Random::from_seed(31 * number as u64 + round);
            let parts = Parts { numbers: 1, names: round as usize % 3, globals: 1, ..Parts::default() };
            let model = Model::new(group, parts, &mut random);
            for strategy in [Strategy::Fast, Strategy::LocalSearch, Strategy::Sort, Strategy::Segmented] {
                let mut canonicaliser = Canonicaliser::new(&model.shape, &model.group, strategy);
                let state = model.state(&mut random);
                let orbit = images(&model.shape, &model.group, &state);
                let representatives: BTreeSet<Vec<u8>> =
                    orbit.iter().map(|image| represented(&mut canonicaliser, image)).collect();
                assert!(representatives.is_subset(&orbit), "{strategy:?} {}", canonicaliser.describe());
                let text = canonicaliser.describe();
                assert!(!canonicaliser.is_exact() || representatives.len() == 1, "{strategy:?} {text}");
                assert_eq!(canonicaliser.orbit_size(&state), orbit.len().into(), "{strategy:?} {text}");
                if representatives.len() > 1 {
                    differing.insert(format!("{strategy:?}"), ());
                }
            }
        }
    }
    assert_eq!(differing.into_keys().collect::<Vec<_>>(), ["Fast", "LocalSearch", "Sort"]);
}

#[test]
fn a_factor_per_domain_is_handled_alone_and_exactly() {
    let mut clusters = BTreeSet::new();
    for round in 0..40 {
        let mut random = Random::from_seed(round);
        let factors = [Group::symmetric(3), Group::cyclic(3), Group::symmetric(2)];
        let parts = Parts { numbers: 1, names: 1, global_names: 2, own_domains: true, ..Parts::default() };
        let model = Model::new(&Group::disjoint_product(&factors), parts, &mut random);
        clusters.insert(Canonicaliser::new(&model.shape, &model.group, Strategy::Exact).plan.clusters.len());
        check(&model, 3, &mut random);
    }
    assert_eq!(clusters, BTreeSet::from([3]));
}

#[test]
fn sizes_of_orbits_add_up_to_the_number_of_states() {
    // Three objects, each with a bit and a reference to none or one of the three.
    let parts = Parts { numbers: 1, names: 1, ..Parts::default() };
    for group in [Group::symmetric(3), Group::cyclic(3)] {
        let model = Model::plain(&group, parts);
        let mut canonicaliser = Canonicaliser::new(&model.shape, &model.group, Strategy::Exact);
        let mut orbits: BTreeMap<Vec<u8>, BigUint> = BTreeMap::new();
        let mut states = 0u32;
        for code in 0..8u32 * 64 {
            let mut state = vec![0; model.shape.length];
            for object in 0..3 {
                model.shape.write(&mut state, model.numbers[object], (code >> object & 1) as i32);
                model.shape.write(&mut state, model.names[object], (code >> (3 + 2 * object) & 3) as i32);
            }
            states += 1;
            let size = canonicaliser.orbit_size(&state);
            orbits.insert(represented(&mut canonicaliser, &state), size);
        }
        assert_eq!(orbits.values().sum::<BigUint>(), states.into());
    }
}

fn bytes(length: u32, content: impl Fn(u32) -> Content) -> Shape {
    let mut shape = Shape { length: length as usize, ..Shape::default() };
    for offset in 0..length {
        shape.add_slot(Slot { at: ScalarAt::byte(offset), content: content(offset), validity: Validity::Always });
    }
    shape
}

#[test]
fn the_trivial_group_leaves_states_alone() {
    let shape = bytes(4, |_| Content::Number);
    let mut canonicaliser = Canonicaliser::new(&shape, &Group::trivial(4), Strategy::Exact);
    assert_eq!(represented(&mut canonicaliser, &[4, 3, 2, 1]), [4, 3, 2, 1]);
    assert!(canonicaliser.is_trivial());
    assert_eq!(canonicaliser.orbit_size(&[4, 3, 2, 1]), 1u32.into());
}

#[test]
fn states_of_the_thesis_have_the_orbits_of_the_thesis() {
    // Columns whose swaps do not minimise, the cube where factors in turn do not, and copies of S_4 that are no columns.
    let group = |degree, generators: &[&str]| {
        let parse = |text: &&str| Permutation::parse(degree, text, Numbering::FromOne).unwrap();
        Group::generated_by(degree, generators.iter().map(parse))
    };
    let cases: [(Group, Vec<u8>, Vec<u8>); 4] = [
        (group(6, &["(1 4)(5 6)", "(1 3)(5 2)"]), vec![1, 1, 2, 1, 1, 2], vec![1, 1, 1, 2, 2, 1]),
        (Group::hypercube(3), vec![4, 3, 2, 4, 2, 1, 1, 3], vec![1, 2, 2, 4, 3, 1, 4, 3]),
        (
            group(8, &["(1 2)(3 4)(5 6)(7 8)", "(1 3)(2 4)(5 7)(6 8)", "(1 5)(2 6)(3 7)(4 8)"]),
            vec![3, 4, 4, 2, 5, 4, 1, 5],
            vec![1, 5, 5, 4, 4, 2, 3, 4],
        ),
        (
            group(14, &["(1 2)(5 6)(9 10)(13 14)", "(1 2 4 8)(3 6 12 9)(5 10)(7 14 13 11)"]),
            vec![6, 10, 3, 6, 3, 5, 7, 10, 4, 8, 2, 1, 9, 3],
            vec![6, 6, 3, 10, 1, 4, 9, 10, 5, 3, 7, 8, 3, 2],
        ),
    ];
    for (group, state, least) in cases {
        let shape = bytes(state.len() as u32, |_| Content::Number);
        let mut exact = Canonicaliser::new(&shape, &group, Strategy::Exact);
        assert_eq!(represented(&mut exact, &state), represented(&mut exact, &least));
        assert_eq!(represented(&mut Canonicaliser::new(&shape, &group, ENUMERATE), &state), least);
    }
}

#[test]
fn references_that_defeat_sorting_do_not_defeat_the_search() {
    // Controls and references of three and four components, numbered from one; zero refers to none.
    let cases: [(usize, &[u8], &[u8]); 2] =
        [(3, &[1, 0, 0, 2, 0, 2], &[0, 1, 0, 1, 1, 0]), (4, &[1, 2, 0, 1, 0, 1, 2, 1], &[0, 3, 0, 3, 1, 1, 2, 3])];
    for (count, state, least) in cases {
        let (shape, group) = components(count);
        let mut exact = Canonicaliser::new(&shape, &group, Strategy::Exact);
        assert_eq!(represented(&mut exact, state), represented(&mut exact, least));
        assert!(images(&shape, &group, state).contains(least));
    }
}

/// Components of a control and a reference byte each, under all permutations.
fn components(count: usize) -> (Shape, Group) {
    let name = Content::Name(DomainId(0));
    let mut shape = bytes(2 * count as u32, |offset| if offset % 2 == 1 { name } else { Content::Number });
    shape.add_domain((1..=count as i32).collect());
    let generators = (1..count as u32).map(|at| {
        let (a, b) = (2 * (at - 1), 2 * at);
        let value = 2 * count as u32 + at;
        Permutation::from_cycles(3 * count, &[[a, b], [a + 1, b + 1], [value - 1, value]]).unwrap()
    });
    let group = Group::generated_by(3 * count, generators);
    (shape, group)
}

#[test]
fn rings_of_references_are_told_apart_by_their_lengths() {
    // Twelve components in rings of three, four and five; all look alike to refinement.
    let (shape, group) = components(12);
    let mut exact = Canonicaliser::new(&shape, &group, Strategy::Exact);
    let ring = |order: &[u8]| {
        let mut state = vec![0; 24];
        let mut rest = order;
        for length in [3, 4, 5] {
            let (ring, after) = rest.split_at(length);
            for (place, &member) in ring.iter().enumerate() {
                state[2 * member as usize + 1] = ring[(place + 1) % length] + 1;
            }
            rest = after;
        }
        state
    };
    let first = represented(&mut exact, &ring(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    let factorial: BigUint = (1..=12usize).product();
    for seed in 0..20 {
        let order = Permutation::random(12, &mut Random::from_seed(seed));
        let order: Vec<u8> = order.images().iter().map(|&image| image as u8).collect();
        assert_eq!(represented(&mut exact, &ring(&order)), first);
        assert_eq!(exact.orbit_size(&ring(&order)), &factorial / 60u32);
    }
}

#[test]
fn plans_tell_what_is_done() {
    let (shape, group) = components(3);
    let text = Canonicaliser::new(&shape, &group, Strategy::Exact).describe();
    assert!(text.contains("order 6") && text.contains("exact by sorting with refinement"), "{text}");
}
