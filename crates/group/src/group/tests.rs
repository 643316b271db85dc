//! Laws of groups, against the closure of the generators under multiplication.

use std::collections::BTreeSet;

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use super::Group;
use crate::permutation::{Permutation, Point};
use crate::random::Random;
use crate::testing::{any_generators, closure};

fn sub(elements: &BTreeSet<Permutation>, keep: impl Fn(&Permutation) -> bool) -> BTreeSet<Permutation> {
    elements.iter().filter(|element| keep(element)).cloned().collect()
}

proptest! {
    #[test]
    fn a_group_holds_the_products_of_its_generators((degree, generators) in any_generators(), seed in any::<u64>()) {
        let elements = closure(degree, &generators);
        let group = Group::generated_by(degree, generators.clone());
        prop_assert_eq!(group.order(), elements.len().into());
        let listed: Vec<_> = group.elements().collect();
        prop_assert_eq!(listed.len(), elements.len());
        prop_assert!(listed[0].is_identity());
        prop_assert_eq!(&listed.into_iter().collect::<BTreeSet<_>>(), &elements);
        let mut random = Random::from_seed(seed);
        prop_assert!(elements.contains(&group.random_element(&mut random)));
        for _ in 0..20 {
            let any = Permutation::random(degree, &mut random);
            prop_assert_eq!(group.contains(&any), elements.contains(&any));
        }
        prop_assert_eq!(&Group::generated_by_deterministically(degree, generators.clone()), &group);
        prop_assert_eq!(&Group::of_known_order(degree, generators, &group.order()), &group);
        let reduced = group.with_reduced_generators();
        prop_assert_eq!(closure(degree, reduced.generators()).len(), elements.len());
        prop_assert!(1usize << reduced.generators().len() <= elements.len());
        prop_assert_eq!(closure(degree, &group.strong_generators()).len(), elements.len());
    }

    #[test]
    fn stabilisers_hold_the_elements_that_fix_their_points(
        (degree, generators) in any_generators(),
        seed in any::<u64>(),
    ) {
        let elements = closure(degree, &generators);
        let group = Group::generated_by(degree, generators);
        let mut random = Random::from_seed(seed);
        let points = Permutation::random(degree, &mut random).images()[..random.below(degree + 1)].to_vec();
        let stabiliser = group.pointwise_stabiliser(&points);
        let expected = sub(&elements, |g| points.iter().all(|&p| g.image(p) == p));
        prop_assert_eq!(closure(degree, stabiliser.generators()), expected.clone());
        prop_assert_eq!(stabiliser.order(), expected.len().into());
        prop_assert!(stabiliser.is_subgroup_of(&group));
        prop_assert_eq!(group.is_subgroup_of(&stabiliser), expected.len() == elements.len());
        prop_assert_eq!(stabiliser == group, expected.len() == elements.len());
        let rebased = group.with_base(&points);
        prop_assert!(rebased.base().starts_with(&points));
        prop_assert_eq!(&rebased, &group);
    }

    #[test]
    fn transporters_exist_exactly_when_an_element_carries(
        (degree, generators) in any_generators(),
        seed in any::<u64>(),
    ) {
        let elements = closure(degree, &generators);
        let group = Group::generated_by(degree, generators);
        let mut random = Random::from_seed(seed);
        let length = random.below(degree.min(3) + 1);
        let from: Vec<Point> = Permutation::random(degree, &mut random).images()[..length].to_vec();
        let to: Vec<Point> = Permutation::random(degree, &mut random).images()[..length].to_vec();
        let carries = |g: &Permutation| from.iter().zip(&to).all(|(&p, &q)| g.image(p) == q);
        match group.transporter(&from, &to) {
            Some(element) => prop_assert!(carries(&element) && elements.contains(&element)),
            None => prop_assert!(!elements.iter().any(carries)),
        }
        for (image, element) in group.transversal(0) {
            prop_assert!(element.image(0) == image && elements.contains(&element));
        }
        let orbit: BTreeSet<Point> = elements.iter().map(|g| g.image(0)).collect();
        prop_assert_eq!(group.orbit(0).into_iter().collect::<BTreeSet<_>>(), orbit.clone());
        prop_assert_eq!(group.transversal(0).len(), orbit.len());
        prop_assert!(group.orbits().iter().any(|found| found.iter().copied().eq(orbit.iter().copied())));
        prop_assert_eq!(group.is_transitive(), orbit.len() == degree);
        // The centre of a group of degree 7 that is not abelian has fewer than 50 elements.
        let commutes_with_some = |a: &Permutation| elements.iter().take(50).all(|b| a.then(b) == b.then(a));
        prop_assert_eq!(group.is_abelian(), elements.iter().all(commutes_with_some));
    }
}
