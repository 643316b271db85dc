//! Small random graphs, and automorphisms by their definition: what the fast code is compared with.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};

use super::builder::{GraphBuilder, Vertex};
use crate::permutation::{Permutation, Point};
use crate::random::Random;

/// A graph of up to 7 vertices with few colours and labels, parallel arcs and loops; symmetric ones are common.
pub(super) fn any_graph() -> impl Strategy<Value = GraphBuilder> {
    let sizes = (1..8usize, 1..3u32, 1..3u32, prop_oneof![Just(0usize), 0..8usize, 0..22usize]);
    sizes.prop_flat_map(|(order, colours, labels, arcs)| {
        let vertex = 0..order as Point;
        // Steps of a circulant graph are symmetric by themselves; single arcs disturb them.
        let step = (0..order as Point, 0..labels);
        let arc = (vertex.clone(), vertex, 0..labels);
        (vec(0..colours, order), vec(step, 0..3), vec(arc, 0..=arcs), 0..2u8).prop_map(
            move |(colours, steps, arcs, plain)| {
                let mut builder = GraphBuilder::new();
                for colour in colours {
                    builder.add_vertex(if plain == 0 { 0 } else { colour });
                }
                for (step, label) in steps {
                    for from in 0..order as Point {
                        let to = (from + step) % order as Point;
                        builder.add_labelled_arc(Vertex(from), Vertex(to), label);
                    }
                }
                for (from, to, label) in arcs {
                    builder.add_labelled_arc(Vertex(from), Vertex(to), label);
                }
                builder
            },
        )
    })
}

/// Up to five rings of equal length with a random chord at every vertex, often equal to each other: refinement can
/// hardly tell one from another.
pub(super) fn any_regular_parts() -> impl Strategy<Value = GraphBuilder> {
    (3..7usize, vec(0..3u64, 1..6)).prop_map(|(half, seeds)| {
        let size = 2 * half;
        let mut builder = GraphBuilder::new();
        for seed in seeds {
            let ring: Vec<Vertex> = (0..size).map(|_| builder.add_vertex(0)).collect();
            let ends = Permutation::random(size, &mut Random::from_seed(seed));
            for place in 0..size {
                builder.add_edge(ring[place], ring[(place + 1) % size]);
            }
            for chord in ends.images().chunks_exact(2) {
                builder.add_edge(ring[chord[0] as usize], ring[chord[1] as usize]);
            }
        }
        builder
    })
}

/// Colours and arcs after the vertices are renamed, sorted.
pub(super) fn arcs_of(parts: &GraphBuilder, renaming: &Permutation) -> (Vec<u32>, Vec<(Point, Point, u32)>) {
    let mut arcs: Vec<_> =
        parts.arcs.iter().map(|arc| (renaming.image(arc.from), renaming.image(arc.to), arc.label)).collect();
    arcs.sort_unstable();
    (renaming.permute(&parts.colours), arcs)
}

/// All automorphisms, by trying all permutations.
pub(super) fn automorphisms_by_enumeration(parts: &GraphBuilder) -> Vec<Permutation> {
    let original = arcs_of(parts, &Permutation::identity(parts.colours.len()));
    let everything = crate::group::Group::symmetric(parts.colours.len());
    everything.elements().filter(|candidate| arcs_of(parts, candidate) == original).collect()
}
