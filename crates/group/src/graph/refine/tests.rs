//! Refinement against its definition, computed round by round, and its indifference to automorphisms.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use super::{Followed, Recorded, Refinement, Refiner};
use crate::graph::Graph;
use crate::graph::partition::Partition;
use crate::graph::testing::{any_graph, automorphisms_by_enumeration};
use crate::permutation::Point;

/// The naive twin: colours are replaced by (colour, colours of neighbours) until their number stays.
fn refined_by_rounds(graph: &Graph, mut colours: Vec<usize>) -> Vec<usize> {
    loop {
        let signature = |vertex: usize| {
            let entry = |neighbour: &crate::graph::adjacency::Neighbour| {
                (neighbour.relation, colours[neighbour.vertex as usize])
            };
            let mut around: Vec<_> = graph.row(vertex as Point).iter().map(entry).collect();
            around.sort_unstable();
            (colours[vertex], around)
        };
        let signatures: Vec<_> = (0..graph.order()).map(signature).collect();
        let distinct: BTreeSet<_> = signatures.iter().collect();
        let number: BTreeMap<_, usize> = distinct.into_iter().zip(0..).collect();
        let before = colours.iter().collect::<BTreeSet<_>>().len();
        let refined = signatures.iter().map(|signature| number[signature]).collect();
        if number.len() == before {
            return refined;
        }
        colours = refined;
    }
}

/// The cells as sets, from a colour for each vertex.
fn classes(colours: impl Iterator<Item = usize>) -> BTreeSet<Vec<usize>> {
    let mut by_colour: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (vertex, colour) in colours.enumerate() {
        by_colour.entry(colour).or_default().push(vertex);
    }
    by_colour.into_values().collect()
}

fn cells(graph: &Graph, partition: &Partition) -> BTreeSet<Vec<usize>> {
    classes((0..graph.order() as Point).map(|vertex| partition.cell_of(vertex).index()))
}

proptest! {
    #[test]
    fn refinement_yields_the_coarsest_equitable_partition(parts in any_graph()) {
        let graph = parts.freeze();
        let (mut refiner, mut partition) = (Refiner::new(&graph), Partition::by_kind(&graph));
        let mut colours: Vec<usize> = (0..graph.order() as Point).map(|vertex| graph.kind(vertex) as usize).collect();
        refiner.refine_by_all(&graph, &mut partition);
        colours = refined_by_rounds(&graph, colours);
        for vertex in 0..graph.order() as Point {
            prop_assert_eq!(cells(&graph, &partition), classes(colours.iter().copied()));
            if !partition.is_single(partition.cell_of(vertex)) {
                refiner.individualise(&graph, &mut partition, vertex, &mut Recorded(&mut Vec::new()));
                colours[vertex as usize] = graph.order();
                colours = refined_by_rounds(&graph, colours);
            }
        }
        prop_assert!(partition.is_discrete());
    }

    #[test]
    fn automorphisms_leave_no_difference_in_traces(parts in any_graph()) {
        let graph = parts.clone().freeze();
        let (mut refiner, mut partition) = (Refiner::new(&graph), Partition::by_kind(&graph));
        refiner.refine_by_all(&graph, &mut partition);
        let mark = partition.mark();
        for element in automorphisms_by_enumeration(&parts).iter().take(50) {
            for vertex in 0..graph.order() as Point {
                if partition.is_single(partition.cell_of(vertex)) {
                    prop_assert_eq!(element.image(vertex), vertex);
                    continue;
                }
                let mut trace = Vec::new();
                refiner.individualise(&graph, &mut partition, vertex, &mut Recorded(&mut trace));
                let cells: Vec<_> = (0..graph.order() as Point).map(|vertex| partition.cell_of(vertex)).collect();
                partition.undo_to(mark);
                let followed = &mut Followed(&trace);
                let refinement = refiner.individualise(&graph, &mut partition, element.image(vertex), followed);
                prop_assert_eq!(refinement, Refinement::Complete);
                for (&image, &cell) in element.images().iter().zip(&cells) {
                    prop_assert_eq!(partition.cell_of(image), cell);
                }
                partition.undo_to(mark);
            }
        }
    }
}
