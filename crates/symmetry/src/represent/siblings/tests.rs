//! That successors follow from the state before where they can: with objects below others, with derived ones, and with references.

use group::{Group, Permutation, Point};
use machine::state::ScalarAt;

use super::super::plan::Method;
use super::super::{Canonicaliser, Search as Means, Strategy, Worker};
use super::{Search, Siblings};
use crate::shape::{Content, DomainId, Shape, Slot, Validity};

fn shape(contents: &[Content]) -> Shape {
    let mut shape = Shape { length: contents.len(), ..Shape::default() };
    for (offset, &content) in (0..).zip(contents) {
        shape.add_slot(Slot { at: ScalarAt::byte(offset), content, validity: Validity::Always });
    }
    shape
}

fn group(shape: &Shape, order: u32, generators: &[&[&[Point]]]) -> Group {
    let element = |cycles: &&[&[Point]]| Permutation::from_cycles(shape.degree(), cycles).expect("disjoint cycles");
    Group::of_known_order(shape.degree(), generators.iter().map(element), &order.into())
}

/// What the search knows after it was asked for the size of the orbit of a representative.
fn siblings(canonicaliser: &Canonicaliser) -> &Siblings {
    match &canonicaliser.workers[0].search {
        Means::Siblings(siblings) => siblings,
        _ => panic!("objects are sorted"),
    }
}

/// Changes bytes of the representative of a state, and expects that what represents the result follows.
fn follows(shape: &Shape, group: &Group, state: &[u8], changes: &[(usize, u8)]) {
    let mut canonicaliser = Canonicaliser::new(shape, group, Strategy::Exact);
    let mut expanded = state.to_vec();
    canonicaliser.representative(&mut expanded);
    let mut successor = expanded.clone();
    changes.iter().for_each(|&(byte, value)| successor[byte] = value);
    canonicaliser.orbit_size(&expanded);
    let Canonicaliser { plan, workers, found, .. } = &mut canonicaliser;
    let (cluster, Worker { reading, search: Means::Siblings(at), .. }) = (&plan.clusters[0], &mut workers[0]) else {
        panic!("objects are sorted");
    };
    let Method::Siblings(forest) = &cluster.method else { panic!("a forest") };
    let layout = &cluster.layout;
    reading.read_in_passing(layout, &successor);
    let mut search = Search { forest, layout, state: &successor, reading, at };
    assert!(search.follows_base(found), "{expanded:?} {successor:?}");
    let found = if found.changed { found.image.clone() } else { successor.clone() };
    let mut afresh = successor.clone();
    Canonicaliser::new(shape, group, Strategy::Exact).representative(&mut afresh);
    assert_eq!(found, afresh, "{expanded:?} {successor:?}");
}

#[test]
fn successors_follow_where_objects_have_others_below_them() {
    // Two parents, then the two children of each.
    let shape = shape(&[Content::Number; 6]);
    let group = group(&shape, 8, &[&[&[0, 1], &[2, 4], &[3, 5]], &[&[2, 3]]]);
    for byte in 0..6 {
        for value in 0..4 {
            // The parents are tied and their exchange fixes the state; so are the children of one.
            follows(&shape, &group, &[1, 1, 1, 2, 1, 2], &[(byte, value)]);
            follows(&shape, &group, &[1, 2, 1, 1, 1, 2], &[(byte, value), (5, 3)]);
        }
    }
}

#[test]
fn successors_follow_where_objects_are_derived() {
    // Three objects, then a cell for each ordered pair of them: 01 02 10 12 20 21.
    let shape = shape(&[Content::Number; 9]);
    let group = group(&shape, 6, &[&[&[0, 1], &[3, 5], &[4, 6], &[7, 8]], &[&[0, 1, 2], &[3, 6, 7], &[4, 5, 8]]]);
    for byte in 0..9 {
        follows(&shape, &group, &[1, 2, 3, 0, 0, 1, 0, 0, 0], &[(byte, 5)]);
        // All are tied before, and no tie matters.
        follows(&shape, &group, &[1, 1, 1, 0, 0, 0, 0, 0, 0], &[(byte.min(2), 5), (8, 1)]);
    }
}

#[test]
fn who_refers_to_objects_tells_them_apart_without_refinement() {
    // A server's two slots with names of clients, the same for another server, what the servers hold, then three equal clients.
    let name = Content::Name(DomainId(0));
    let number = Content::Number;
    let mut shape = shape(&[name, name, name, name, number, number, number, number, number]);
    let domain = shape.add_domain(vec![1, 2, 3]);
    let first = shape.domains[domain.0 as usize].first_point;
    let clients: [&[Point]; 2] = [&[6, 7], &[first, first + 1]];
    let turn: [&[Point]; 2] = [&[6, 7, 8], &[first, first + 1, first + 2]];
    let group = group(&shape, 12, &[&[&[0, 2], &[1, 3], &[4, 5]], &clients, &turn]);
    let state = [1, 2, 0, 0, 5, 6, 0, 0, 0];
    let mut canonicaliser = Canonicaliser::new(&shape, &group, Strategy::Exact);
    let mut expanded = state.to_vec();
    canonicaliser.representative(&mut expanded);
    assert_eq!(canonicaliser.orbit_size(&expanded), 12u32.into());
    assert!(!siblings(&canonicaliser).is_refined);
    follows(&shape, &group, &state, &[(4, 7)]);
}
