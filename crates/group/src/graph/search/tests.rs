//! The search against the enumeration of all permutations.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

use crate::graph::testing::{any_graph, automorphisms_by_enumeration};
use crate::graph::{Extent, automorphisms, automorphisms_within, find_automorphism, is_automorphism};
use crate::orbit::orbits;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn order_and_orbits_are_those_of_all_automorphisms(parts in any_graph()) {
        let graph = parts.clone().freeze();
        let (found, all) = (automorphisms(&graph), automorphisms_by_enumeration(&parts));
        prop_assert_eq!(found.extent(), Extent::Complete);
        prop_assert_eq!(found.order(), &all.len().into());
        prop_assert_eq!(found.orbits(), orbits(graph.order(), &all));
        prop_assert!(all.iter().all(|element| found.to_group().contains(element)));
        // With its order given, a group does not notice superfluous elements; with bare generators it does.
        let generators = found.generators().iter().map(|generator| generator.to_permutation());
        prop_assert_eq!(crate::Group::generated_by(graph.order(), generators).order(), all.len().into());
        for from in graph.vertices() {
            for to in graph.vertices() {
                let possible = all.iter().any(|element| element.image(from.point()) == to.point());
                let sample = find_automorphism(&graph, from, to);
                prop_assert_eq!(sample.is_some(), possible);
                if let Some(sample) = sample {
                    prop_assert_eq!(sample.image(from.point()), to.point());
                    prop_assert!(is_automorphism(&graph, &sample.to_permutation()));
                }
            }
        }
    }

    #[test]
    fn any_budget_yields_a_subgroup(parts in any_graph(), budget in 0..300u64) {
        let graph = parts.clone().freeze();
        let (found, complete) = (automorphisms_within(&graph, budget), automorphisms(&graph));
        let group = found.to_group();
        prop_assert!(group.is_subgroup_of(&complete.to_group()));
        prop_assert!(found.order() <= &group.order());
        if found.extent() == Extent::Complete {
            prop_assert_eq!(found.order(), complete.order());
        }
    }
}
