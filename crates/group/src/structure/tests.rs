//! Names of known groups, and a check of every name by comparing the orders of all elements.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use proptest::prelude::{prop_assert_eq, proptest};

use super::Structure;
use crate::group::Group;
use crate::permutation::Permutation;
use crate::random::Random;
use crate::testing::{any_generators, group};

fn name(group: &Group) -> String {
    let mut random = Random::from_seed(11);
    let renaming = Permutation::random(group.degree(), &mut random);
    let renamed = group.generators().iter().map(|generator| generator.conjugate_by(&renaming));
    let renamed = Group::generated_by(group.degree(), renamed).structure();
    assert_eq!(renamed.order(), group.order());
    group.structure().to_string()
}

/// A permutation group with the structure, built from its name; nothing for names that are only an order.
fn built(structure: &Structure) -> Option<Group> {
    let small = |number: &BigUint| -> usize { number.try_into().unwrap() };
    Some(match structure {
        Structure::Trivial => Group::trivial(1),
        Structure::Symmetric(degree) => Group::symmetric(*degree),
        Structure::Alternating(degree) => Group::alternating(*degree),
        Structure::Cyclic(order) => Group::cyclic(small(order)),
        Structure::Dihedral(corners) => Group::dihedral(small(corners)),
        Structure::ElementaryAbelian { prime, rank } => {
            Group::disjoint_product(&vec![Group::cyclic(small(prime)); *rank])
        }
        Structure::Hypercube(dimension) => Group::hypercube(*dimension),
        Structure::Product(factors) => Group::disjoint_product(&factors.iter().map(built).collect::<Option<Vec<_>>>()?),
        Structure::Wreath { inner, top, blocks } => {
            let top = built(top).filter(|top| top.degree() == *blocks)?;
            built(inner)?.wreath_product(&top)
        }
        Structure::OfOrder(_) => return None,
    })
}

fn orders_of_elements(group: &Group) -> BTreeMap<BigUint, usize> {
    let mut orders = BTreeMap::new();
    group.elements().for_each(|element| *orders.entry(element.order()).or_insert(0) += 1);
    orders
}

proptest! {
    #[test]
    fn names_are_names_of_groups_with_the_same_orders_of_elements((degree, generators) in any_generators()) {
        let group = Group::generated_by(degree, generators);
        let structure = group.structure();
        prop_assert_eq!(structure.order(), group.order());
        if let Some(built) = built(&structure) {
            prop_assert_eq!(orders_of_elements(&built), orders_of_elements(&group), "{} for {:?}", structure, group);
        }
    }
}

#[test]
fn known_groups_have_their_usual_names() {
    let (s2, s3, s4) = (Group::symmetric(2), Group::symmetric(3), Group::symmetric(4));
    assert_eq!(name(&Group::trivial(3)), "1");
    assert_eq!(name(&Group::disjoint_product(&[s3.clone(), s4.clone()])), "S3 x S4");
    assert_eq!(name(&s3.wreath_product(&s2)), "S3 wr S2");
    assert_eq!(name(&Group::disjoint_product(&[s3.wreath_product(&s2), s2.clone()])), "(S3 wr S2) x S2");
    assert_eq!(name(&s3.wreath_product(&s2).wreath_product(&s3)), "(S3 wr S2) wr S3");
    assert_eq!(name(&Group::disjoint_product(&[s3.clone(), s2.clone()]).wreath_product(&s2)), "(S3 x S2) wr S2");
    assert_eq!(name(&Group::cyclic(5)), "C5");
    assert_eq!(name(&Group::cyclic(2)), "S2");
    assert_eq!(name(&Group::alternating(3)), "C3");
    assert_eq!(name(&Group::dihedral(4)), "D4");
    assert_eq!(name(&Group::dihedral(7)), "D7");
    assert_eq!(name(&Group::alternating(5)), "A5");
    assert_eq!(name(&Group::hypercube(2)), "D4");
    assert_eq!(name(&Group::hypercube(3)), "2^3:S3");
    assert_eq!(name(&Group::hypercube(5)), "2^5:S5");
    assert_eq!(name(&s2.wreath_product(&Group::cyclic(3))), "S2 wr C3");
    assert_eq!(name(&Group::cyclic(3).wreath_product(&Group::dihedral(5))), "C3 wr D5");
}

#[test]
fn names_do_not_depend_on_the_points_acted_on() {
    // The three flips of the cube alone; rotations of the cube on corners and, beside, on faces; S_3 on its six
    // elements.
    assert_eq!(name(&group(8, &["(1 2)(3 4)(5 6)(7 8)", "(1 3)(2 4)(5 7)(6 8)", "(1 5)(2 6)(3 7)(4 8)"])), "2^3");
    assert_eq!(name(&group(6, &["(1 2 3)(4 5 6)", "(1 4)(2 6)(3 5)"])), "S3");
    // S_4 on pairs (i, j) of different points: 1 → 12, 13, 14, then 2 → 21, 23, 24, and so on.
    let pairs: Vec<(u32, u32)> = (0..4).flat_map(|i| (0..4).filter(move |&j| j != i).map(move |j| (i, j))).collect();
    let on_pairs = |g: &Permutation| {
        let place = |&(i, j): &(u32, u32)| pairs.iter().position(|&p| p == (g.image(i), g.image(j))).unwrap() as u32;
        Permutation::from_images(pairs.iter().map(place).collect::<Vec<_>>()).unwrap()
    };
    assert_eq!(name(&Group::generated_by(12, Group::symmetric(4).generators().iter().map(on_pairs))), "S4");
    // Clients in threes with their servers, and a separate pair: the running example of the thesis.
    let tiers = ["(1 2)", "(2 3)", "(4 5)", "(5 6)", "(7 8)", "(8 9)", "(10 11)"];
    let tiers = [&tiers[..], &["(12 13)(1 4)(2 5)(3 6)", "(13 14)(4 7)(5 8)(6 9)"]].concat();
    assert_eq!(name(&group(16, &tiers)), "(S3 wr S3) x S2");
}

#[test]
fn what_is_not_recognised_is_named_by_its_order() {
    let mathieu = group(11, &["(1 2 3 4 5 6 7 8 9 10 11)", "(3 7 11 8)(4 10 5 6)"]);
    assert_eq!(name(&mathieu), "order 7920");
    let top = group(4, &["(1 2)(3 4)", "(1 3)(2 4)"]);
    assert_eq!(name(&Group::symmetric(3).wreath_product(&top)), "S3 wr 2^2");
    let regular = group(6, &["(1 2 3)(4 5 6)", "(1 4)(2 6)(3 5)"]);
    assert_eq!(name(&Group::symmetric(3).wreath_product(&regular)), "S3 wr (S3 on 6 points)");
}

#[test]
fn products_tied_together_by_pairs_are_named_at_any_size() {
    // Clients, servers, and one cell for each pair of them: the action on cells ties the two together.
    for (clients, servers, expected) in [(2, 2, "S2 x S2"), (4, 3, "S4 x S3"), (30, 30, "S30 x S30")] {
        let degree = clients + servers + clients * servers;
        let cell = |client: usize, server: usize| (clients + servers + client * servers + server) as u32;
        let exchange = |images: &mut dyn FnMut(usize, usize) -> (usize, usize)| {
            let mut points: Vec<u32> = vec![0; degree];
            for client in 0..clients {
                for server in 0..servers {
                    let (to_client, to_server) = images(client, server);
                    points[client] = to_client as u32;
                    points[clients + server] = (clients + to_server) as u32;
                    points[cell(client, server) as usize] = cell(to_client, to_server);
                }
            }
            Permutation::from_images(points).unwrap()
        };
        let swap = |one: usize, point: usize| match point {
            point if point == one => one + 1,
            point if point == one + 1 => one,
            point => point,
        };
        let of_clients = (1..clients).map(|one| exchange(&mut |client, server| (swap(one - 1, client), server)));
        let of_servers = (1..servers).map(|one| exchange(&mut |client, server| (client, swap(one - 1, server))));
        let generators: Vec<Permutation> = of_clients.chain(of_servers).collect();
        assert_eq!(Group::generated_by(degree, generators).structure().to_string(), expected);
    }
}
