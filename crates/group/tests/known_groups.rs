//! Groups whose orders are in every textbook.

use group::{Group, Numbering, Permutation, Point};

fn group(degree: usize, generators: &[&str]) -> Group {
    let parse = |text: &&str| Permutation::parse(degree, text, Numbering::FromOne).expect("well-formed");
    Group::generated_by(degree, generators.iter().map(parse))
}

fn factorial(n: u64) -> num_bigint::BigUint {
    (1..=n).product()
}

const ELEVEN: [&str; 2] = ["(1 2 3 4 5 6 7 8 9 10 11)", "(3 7 11 8)(4 10 5 6)"];
const TWELVE: &str = "(1 12)(2 11)(3 6)(4 8)(5 9)(7 10)";
const TWENTY_TWO: [&str; 3] = [
    "(1 2 3 4 5 6 7 8 9 10 11)(12 13 14 15 16 17 18 19 20 21 22)",
    "(1 4 5 9 3)(2 8 10 7 6)(12 15 16 20 14)(13 19 21 18 17)",
    "(1 21)(2 10 8 6)(3 13 4 17)(5 19 9 18)(11 22)(12 14 16 20)",
];
const TWENTY_THREE: [&str; 2] = [
    "(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)",
    "(3 17 10 7 9)(4 13 14 19 5)(8 18 11 12 23)(15 20 22 21 16)",
];
const TWENTY_FOUR: &str = "(1 24)(2 23)(3 12)(4 16)(5 18)(6 10)(7 20)(8 14)(9 21)(11 17)(13 22)(15 19)";

#[test]
fn mathieu_groups_have_their_orders_and_are_primitive() {
    let cases = [
        (11, ELEVEN.to_vec(), 7_920u64),
        (12, [&ELEVEN[..], &[TWELVE]].concat(), 95_040),
        (22, TWENTY_TWO.to_vec(), 443_520),
        (23, TWENTY_THREE.to_vec(), 10_200_960),
        (24, [&TWENTY_THREE[..], &[TWENTY_FOUR]].concat(), 244_823_040),
    ];
    for (degree, generators, order) in cases {
        let mathieu = group(degree, &generators);
        assert_eq!(mathieu.order(), order.into());
        assert!(mathieu.is_primitive_on(&(0..degree as Point).collect::<Vec<_>>()));
        assert_eq!(mathieu.structure().to_string(), format!("order {order}"));
        let again = Group::generated_by_deterministically(degree, mathieu.generators().iter().cloned());
        assert_eq!(again, mathieu);
    }
}

#[test]
fn the_largest_mathieu_group_is_five_fold_transitive() {
    let mathieu = group(24, &[&TWENTY_THREE[..], &[TWENTY_FOUR]].concat());
    let lengths: Vec<usize> = (0..5u32)
        .map(|fixed| mathieu.pointwise_stabiliser(&(0..fixed).collect::<Vec<_>>()).orbit(fixed).len())
        .collect();
    assert_eq!(lengths, [24, 23, 22, 21, 20]);
    assert_eq!(mathieu.pointwise_stabiliser(&[0, 1, 2, 3, 4]).order(), 48u32.into());
    // An octad of the Steiner system: its stabiliser has order 2^4 · |A_8|, in 759 images.
    let octads = mathieu.pointwise_stabiliser(&[0, 1, 2, 3, 4]).orbits();
    let completion = octads.iter().find(|orbit| orbit.len() == 3).expect("five points determine an octad");
    let octad: Vec<Point> = [0, 1, 2, 3, 4].iter().chain(completion).copied().collect();
    assert_eq!(mathieu.setwise_stabiliser(&octad).order(), 322_560u32.into());
}

#[test]
fn a_projective_group_is_simple_and_not_recognised() {
    let projective = group(8, &["(3 7 5)(4 8 6)", "(1 2 6)(3 4 8)"]);
    assert_eq!(projective.order(), 168u32.into());
    assert_eq!(projective.structure().to_string(), "order 168");
    assert!(projective.disjoint_factors().len() == 1 && projective.wreath_decomposition().is_none());
}

#[test]
fn wreath_products_of_symmetric_groups_have_their_orders_and_names() {
    for (n, m) in [(2, 3), (3, 2), (5, 4), (4, 10), (10, 6)] {
        let product = Group::symmetric(n).wreath_product(&Group::symmetric(m));
        let proven = Group::generated_by(n * m, product.generators().iter().cloned());
        assert_eq!(proven.order(), factorial(n as u64).pow(m as u32) * factorial(m as u64));
        assert_eq!(proven.structure().to_string(), format!("S{n} wr S{m}"));
    }
}

#[test]
fn cubes_have_their_orders_and_names() {
    for dimension in 3..8 {
        let cube = Group::hypercube(dimension);
        let proven = Group::generated_by(1 << dimension, cube.generators().iter().cloned());
        assert_eq!(proven.order(), factorial(dimension.into()) << dimension);
        assert_eq!(proven.structure().to_string(), format!("2^{dimension}:S{dimension}"));
    }
}

#[test]
fn large_symmetric_groups_are_handled() {
    let hundred = Group::symmetric(100);
    let proven = Group::generated_by(100, hundred.generators().iter().cloned());
    assert_eq!(proven.order(), factorial(100));
    assert_eq!(proven.structure().to_string(), "S100");
    assert_eq!(proven.columns().map(|columns| columns.columns.len()), Some(100));
    let pairs: Vec<Group> = (0..60).map(|_| Group::symmetric(2)).collect();
    let independent = Group::disjoint_product(&pairs);
    assert_eq!(independent.disjoint_factors().len(), 60);
}
