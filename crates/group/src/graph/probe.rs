//! Telling many vertices of a cell apart at once, when trying them one by one keeps failing.
//!
//! In a large regular graph without symmetry, one cell may hold all vertices, and each is refused by itself only after
//! a good deal of refinement. Much shorter beginnings of these refinements already tell *some* vertices from the
//! others, and splitting the cell by them and refining carries this knowledge on to all. A trace's beginning does not
//! change under automorphisms, so vertices that end up in different cells are in different orbits.

use super::adjacency::Graph;
use super::partition::Partition;
use super::refine::{Refiner, Trace, mixed};
use crate::permutation::Point;

/// The first events of a trace, as one number.
struct Beginning {
    hash: u64,
    remaining: usize,
}

/// The vertices of the vertex' cell, which holds others too, that traces of this length do not tell from it. The
/// partition is left as it was.
pub(super) fn survivors(
    graph: &Graph,
    refiner: &mut Refiner,
    partition: &mut Partition,
    vertex: Point,
    events: usize,
) -> Vec<Point> {
    let mark = partition.mark();
    let cell = partition.cell_of(vertex);
    let mut classes: Vec<(u64, Point)> = Vec::with_capacity(partition.length(cell));
    for mate in partition.members(cell).to_vec() {
        let mut beginning = Beginning { hash: 0, remaining: events };
        refiner.individualise(graph, partition, mate, &mut beginning);
        partition.undo_to(mark);
        classes.push((beginning.hash, mate));
    }
    classes.sort_unstable();
    refiner.refine_by_classes(graph, partition, cell, &classes);
    let survivors = partition.members(partition.cell_of(vertex)).to_vec();
    partition.undo_to(mark);
    survivors
}

impl Trace for Beginning {
    fn takes(&mut self, event: u64) -> bool {
        self.hash = mixed(self.hash, event);
        self.remaining = self.remaining.saturating_sub(1);
        self.remaining > 0
    }

    fn may_end(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::survivors;
    use crate::graph::partition::Partition;
    use crate::graph::refine::Refiner;
    use crate::graph::testing::{any_graph, automorphisms_by_enumeration};
    use crate::orbit::orbits;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn the_orbit_survives_and_the_partition_stays(parts in any_graph(), events in 1..6usize) {
            let graph = parts.clone().freeze();
            let (mut refiner, mut partition) = (Refiner::new(&graph), Partition::by_kind(&graph));
            refiner.refine_by_all(&graph, &mut partition);
            let before: Vec<_> = graph.vertices().map(|vertex| partition.cell_of(vertex.point())).collect();
            for orbit in orbits(graph.order(), &automorphisms_by_enumeration(&parts)) {
                if partition.is_single(partition.cell_of(orbit[0])) {
                    continue;
                }
                let found = survivors(&graph, &mut refiner, &mut partition, orbit[0], events);
                prop_assert!(orbit.iter().all(|vertex| found.contains(vertex)));
            }
            let after: Vec<_> = graph.vertices().map(|vertex| partition.cell_of(vertex.point())).collect();
            prop_assert_eq!(before, after);
        }
    }
}
