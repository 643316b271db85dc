//! States whose components refer to each other, and their minima by segmentation: the use this crate is made for.
//!
//! Donaldson's thesis, chapter 10: an element moves the data of component `i` to its image *and* renames every
//! reference. The least state has the least control part; among elements that keep the control part, only the
//! stabiliser of the partition by equal control need be searched.

use group::{Group, Permutation, Random};

/// By component: the control part, and one reference; zero refers to nothing, `i + 1` to component `i`.
type State = Vec<(u32, u32)>;

fn act(element: &Permutation, state: &State) -> State {
    let rename = |reference: u32| reference.checked_sub(1).map_or(0, |component| element.image(component) + 1);
    let renamed: State = state.iter().map(|&(control, reference)| (control, rename(reference))).collect();
    element.permute(&renamed)
}

/// States are compared by all controls first, then by all references.
fn key(state: &State) -> (Vec<u32>, Vec<u32>) {
    state.iter().copied().unzip()
}

fn least_by_enumeration(group: &Group, state: &State) -> State {
    group.elements().map(|element| act(&element, state)).min_by_key(key).expect("the identity is an element")
}

fn least_by_segmentation(group: &Group, state: &State) -> State {
    let (controls, _) = key(state);
    let image = group.minimal_image(&controls);
    let sorted = act(&image.element, state);
    let (controls, _) = key(&sorted);
    least_by_enumeration(&group.stabiliser_of_colouring(&controls), &sorted)
}

#[test]
fn sorting_is_not_enough_with_references() {
    let state = vec![(1, 0), (0, 2), (0, 2)];
    let least = least_by_segmentation(&Group::symmetric(3), &state);
    assert_eq!(least, [(0, 1), (0, 1), (1, 0)]);
    assert_eq!(least_by_enumeration(&Group::symmetric(3), &state), least);
}

#[test]
fn the_worked_example_of_segmentation() {
    let state = vec![(1, 2), (0, 1), (0, 1), (2, 1)];
    let group = Group::symmetric(4);
    let by_control = group.minimal_image(&[1, 0, 0, 2]);
    assert_eq!(by_control.stabiliser_order(), 2u32.into());
    assert_eq!(group.stabiliser_of_colouring(&[0, 0, 1, 2]).elements().count(), 2);
    assert_eq!(least_by_segmentation(&group, &state), [(0, 3), (0, 3), (1, 1), (2, 3)]);
}

#[test]
fn segmentation_finds_the_minimum_of_every_state() {
    let mut random = Random::from_seed(9);
    let (s2, s3) = (Group::symmetric(2), Group::symmetric(3));
    let groups = [Group::symmetric(4), Group::dihedral(5), Group::hypercube(3), s3.wreath_product(&s2)];
    for group in groups {
        for _ in 0..60 {
            let components = group.degree();
            let draw = |_| (random.below(2) as u32, random.below(components + 1) as u32);
            let state: State = (0..components).map(draw).collect();
            let least = least_by_segmentation(&group, &state);
            assert_eq!(least, least_by_enumeration(&group, &state));
            let other = act(&group.random_element(&mut random), &state);
            assert_eq!(least_by_segmentation(&group, &other), least);
        }
    }
}
