//! The automorphism group of a graph, as it is found: generators that move few points, the order and the orbits.

use num_bigint::BigUint;

use super::adjacency::Graph;
use super::builder::Vertex;
use super::search::{self, Tactics};
use super::sparse::SparsePermutation;
use crate::group::Group;
use crate::permutation::Point;
use crate::union::DisjointSets;

/// The automorphisms of a graph, or a part of them that was found within a budget.
#[derive(Clone, Debug)]
pub struct Automorphisms {
    pub(super) degree: usize,
    pub(super) generators: Vec<SparsePermutation>,
    pub(super) base: Vec<Vertex>,
    pub(super) order: BigUint,
    pub(super) orbits: DisjointSets,
    pub(super) extent: Extent,
}

/// How much of the automorphism group the generators generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Complete,
    /// Some of it; there may be more.
    Partial,
}

/// The automorphism group of the graph.
///
/// ```
/// use group::graph::{GraphBuilder, automorphisms};
/// // Two rings of three, directed: each turns by itself, and the two may be exchanged.
/// let mut builder = GraphBuilder::new();
/// let vertices: Vec<_> = (0..6).map(|_| builder.add_vertex(0)).collect();
/// for place in 0..3 {
///     builder.add_arc(vertices[place], vertices[(place + 1) % 3]);
///     builder.add_arc(vertices[3 + place], vertices[3 + (place + 1) % 3]);
/// }
/// let found = automorphisms(&builder.freeze());
/// assert_eq!(found.order(), &18u32.into());
/// assert_eq!(found.to_group().structure().to_string(), "C3 wr S2");
/// ```
pub fn automorphisms(graph: &Graph) -> Automorphisms {
    search::run(graph, Tactics::default())
}

/// As many automorphisms as are found while no more than `budget` vertices and arcs are looked at, or not many more.
///
/// What is returned generates a group of automorphisms in any case. A hundred millions take about a second.
pub fn automorphisms_within(graph: &Graph, budget: u64) -> Automorphisms {
    search::run(graph, Tactics { budget: Some(budget), ..Tactics::default() })
}

/// For each of some vertices the number of its class: two vertices that an automorphism carries to each other are in one class.
///
/// That is what colour refinement alone tells, so the converse need not hold. It takes a small part of the time that finding the
/// automorphisms does.
///
/// # Panics
/// If one of the vertices is not of this graph.
pub fn classes_by_refinement(graph: &Graph, vertices: &[Vertex]) -> Vec<usize> {
    let partition = search::equitable(graph);
    vertices.iter().map(|vertex| partition.cell_of(vertex.0).index()).collect()
}

/// An automorphism that carries the first vertex to the second, if there is one.
///
/// # Panics
/// If one of the vertices is not of this graph.
pub fn find_automorphism(graph: &Graph, from: Vertex, to: Vertex) -> Option<SparsePermutation> {
    assert!(from.index() < graph.order() && to.index() < graph.order(), "both are vertices of the graph");
    search::find(graph, from.0, to.0, Tactics::default())
}

impl Automorphisms {
    /// The number of vertices of the graph.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Generators; each moves few vertices where that is possible, and none is a product of those before it.
    pub fn generators(&self) -> &[SparsePermutation] {
        &self.generators
    }

    /// If the group is complete: vertices such that only the identity fixes all of them, and that for every `k` the
    /// generators that fix the first `k` generate the stabiliser of these.
    pub fn base(&self) -> &[Vertex] {
        &self.base
    }

    /// The order of the group; if it is partial, a lower bound of the order of what the generators generate.
    pub fn order(&self) -> &BigUint {
        &self.order
    }

    /// Whether these are all automorphisms.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Whether no automorphism but the identity was found.
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// The orbits of the vertices, each sorted, in the order of their first vertices.
    pub fn orbits(&self) -> Vec<Vec<Point>> {
        self.orbits.clone().sets()
    }

    /// The group with a stabiliser chain. All permutations are written out, so this is for graphs of some thousands of
    /// vertices; restrict the generators to what matters first if there are more.
    pub fn to_group(&self) -> Group {
        let generators = self.generators.iter().map(SparsePermutation::to_permutation);
        match self.extent {
            Extent::Complete => Group::of_known_order(self.degree, generators, &self.order),
            Extent::Partial => Group::generated_by(self.degree, generators),
        }
    }
}
