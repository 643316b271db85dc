//! The search against the enumeration of all permutations.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

use super::{Search, Tactics, find, root, run};
use crate::graph::testing::{any_graph, any_regular_parts, automorphisms_by_enumeration};
use crate::graph::{Extent, GraphBuilder, automorphisms, automorphisms_within, find_automorphism, is_automorphism};
use crate::orbit::orbits;

#[test]
fn a_graph_without_vertices_has_the_identity() {
    let found = automorphisms(&GraphBuilder::new().freeze());
    assert_eq!((found.order(), found.orbits().len(), found.extent()), (&1u32.into(), 0, Extent::Complete));
    assert!(found.is_trivial() && found.to_group().is_trivial());
}

/// Processes, each with something for each other one.
fn pairs(count: usize) -> GraphBuilder {
    let mut builder = GraphBuilder::new();
    let processes: Vec<_> = (0..count).map(|_| builder.add_vertex(0)).collect();
    for (one, owner) in processes.iter().enumerate() {
        for (_, mate) in processes.iter().enumerate().filter(|&(other, _)| other != one) {
            let pair = builder.add_vertex(1);
            builder.add_labelled_arc(pair, *owner, 0);
            builder.add_labelled_arc(pair, *mate, 1);
        }
    }
    builder
}

#[test]
fn exchanges_among_pairs_take_work_in_the_number_of_pairs() {
    // Without guesses it grows with the cube of the number of processes: 64 times for four times as many.
    let needed = |count: usize| {
        let graph = pairs(count).freeze();
        let (refiner, partition) = root(&graph);
        let mut search = Search::descend(&graph, refiner, partition, None, Tactics::default());
        (0..search.base.len()).rev().for_each(|level| search.explore(level));
        search.pairing.work()
    };
    let (few, many) = (needed(32), needed(128));
    assert!(many <= 24 * few, "{many} for 128, {few} for 32");
    assert_eq!(automorphisms(&pairs(7).freeze()).order(), &5040u32.into());
}

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
    fn tactics_do_not_change_the_group(parts in any_regular_parts()) {
        let graph = parts.freeze();
        let usual = automorphisms(&graph);
        // Straight along the base, and with probes as soon as possible.
        let hasty = Tactics { patience: 0, refusals_before_probe: 0, ..Tactics::default() };
        // Where the sides differ, to the end.
        let patient = Tactics { patience: usize::MAX, refusals_before_probe: usize::MAX, ..Tactics::default() };
        for tactics in [hasty, patient] {
            let found = run(&graph, tactics);
            prop_assert_eq!(found.order(), usual.order());
            prop_assert_eq!(found.orbits(), usual.orbits());
        }
        let [from, to] = [0, graph.order() / 2].map(|place| place as u32);
        let same_orbit = usual.orbits().iter().any(|orbit| orbit.contains(&from) && orbit.contains(&to));
        for tactics in [hasty, patient] {
            prop_assert_eq!(find(&graph, from, to, tactics).is_some(), same_orbit);
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
