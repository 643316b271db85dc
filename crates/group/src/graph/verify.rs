//! The definition of an automorphism, checked without reference to any search.
//!
//! A permutation is an automorphism if it carries every vertex to one of the same colour and loops, and every row of
//! neighbours, relations included, onto the row of the image. Rows are mirrored: an arc stands in the rows of both its
//! ends. So only rows of *moved* vertices need looking at: arcs between fixed vertices stay, and all others are met.

use super::adjacency::{Graph, Relation};
use crate::permutation::{Permutation, Point};

/// Whether the permutation of the vertices keeps colours, arcs and labels.
///
/// A permutation of another degree is no automorphism.
///
/// ```
/// use group::graph::{GraphBuilder, is_automorphism};
/// use group::{Numbering, Permutation};
/// let mut builder = GraphBuilder::new();
/// let ring: Vec<_> = (0..4).map(|_| builder.add_vertex(0)).collect();
/// for place in 0..4 {
///     builder.add_arc(ring[place], ring[(place + 1) % 4]);
/// }
/// let graph = builder.freeze();
/// assert!(is_automorphism(&graph, &Permutation::parse(4, "(0 1 2 3)", Numbering::FromZero)?));
/// assert!(!is_automorphism(&graph, &Permutation::parse(4, "(1 3)", Numbering::FromZero)?));
/// # Ok::<(), group::PermutationError>(())
/// ```
pub fn is_automorphism(graph: &Graph, permutation: &Permutation) -> bool {
    permutation.degree() == graph.order()
        && Verifier::new(graph.order()).accepts(graph, permutation.images(), &permutation.support())
}

/// Room to compare rows in, kept for many checks on one graph.
#[derive(Clone, Debug)]
pub(super) struct Verifier {
    /// The relation of the row looked at, for each vertex in it.
    expected: Vec<Option<Relation>>,
}

impl Verifier {
    pub(super) fn new(order: usize) -> Self {
        Self { expected: vec![None; order] }
    }

    /// Whether the permutation with these images, which moves the given vertices only, is an automorphism.
    pub(super) fn accepts(&mut self, graph: &Graph, images: &[Point], moved: &[Point]) -> bool {
        moved.iter().all(|&vertex| self.carries_row(graph, images, vertex))
    }

    fn carries_row(&mut self, graph: &Graph, images: &[Point], vertex: Point) -> bool {
        let image = images[vertex as usize];
        let (row, target) = (graph.row(vertex), graph.row(image));
        if graph.kind(vertex) != graph.kind(image) || row.len() != target.len() {
            return false;
        }
        for neighbour in target {
            self.expected[neighbour.vertex as usize] = Some(neighbour.relation);
        }
        // The rows are of one length and without repetition, so a row that is carried into the target fills it.
        let carried = row
            .iter()
            .all(|neighbour| self.expected[images[neighbour.vertex as usize] as usize] == Some(neighbour.relation));
        for neighbour in target {
            self.expected[neighbour.vertex as usize] = None;
        }
        carried
    }
}

#[cfg(test)]
mod tests {
    use super::is_automorphism;
    use crate::graph::testing::{any_graph, arcs_of};
    use crate::permutation::Permutation;
    use crate::random::Random;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    proptest! {
        #[test]
        fn an_automorphism_carries_the_multiset_of_arcs_onto_itself(parts in any_graph(), seed in any::<u64>()) {
            let graph = parts.clone().freeze();
            let mut random = Random::from_seed(seed);
            for _ in 0..20 {
                let candidate = Permutation::random(graph.order(), &mut random);
                let identity = Permutation::identity(graph.order());
                let expected = arcs_of(&parts, &identity) == arcs_of(&parts, &candidate);
                prop_assert_eq!(is_automorphism(&graph, &candidate), expected);
            }
        }
    }
}
