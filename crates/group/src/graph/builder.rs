//! Putting a vertex-coloured directed graph together, vertex by vertex and arc by arc.
//!
//! Arcs carry labels, and form a multiset: two equal arcs between the same vertices are not the same as one. An
//! undirected edge is a pair of opposite arcs. Nothing is checked or sorted until [`GraphBuilder::freeze`].

use super::adjacency::Graph;
use crate::permutation::Point;

/// A vertex of a graph; vertices are numbered `0, 1, 2, …` in the order in which they were added.
///
/// Automorphisms are permutations of these numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex(pub(super) Point);

/// A graph under construction.
///
/// ```
/// use group::graph::{GraphBuilder, automorphisms};
/// let mut builder = GraphBuilder::new();
/// let server = builder.add_vertex(0);
/// for _ in 0..4 {
///     let client = builder.add_vertex(1);
///     builder.add_arc(client, server);
/// }
/// assert_eq!(automorphisms(&builder.freeze()).order(), &24u32.into());
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    pub(super) colours: Vec<u32>,
    pub(super) arcs: Vec<Arc>,
}

/// An arc, as it was added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) label: u32,
}

impl Vertex {
    /// The vertex as a point that permutations move.
    pub fn point(self) -> Point {
        self.0
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl GraphBuilder {
    /// A graph without vertices.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a vertex; automorphisms carry it to vertices of its colour only.
    ///
    /// # Panics
    /// If there are 2³² - 1 vertices already.
    pub fn add_vertex(&mut self, colour: u32) -> Vertex {
        let vertex = Point::try_from(self.colours.len()).ok().filter(|&point| point < Point::MAX);
        let vertex = vertex.expect("fewer than 2³² vertices");
        self.colours.push(colour);
        Vertex(vertex)
    }

    /// The colours of all vertices.
    pub fn colours(&self) -> &[u32] {
        &self.colours
    }

    /// All arcs: from, to, label.
    pub fn arcs(&self) -> impl Iterator<Item = (Point, Point, u32)> {
        self.arcs.iter().map(|arc| (arc.from, arc.to, arc.label))
    }

    /// Adds an arc with the label 0.
    ///
    /// # Panics
    /// If one of the vertices is not of this graph.
    pub fn add_arc(&mut self, from: Vertex, to: Vertex) {
        self.add_labelled_arc(from, to, 0);
    }

    /// Adds an arc; automorphisms carry it to arcs with its label only.
    ///
    /// # Panics
    /// If one of the vertices is not of this graph.
    pub fn add_labelled_arc(&mut self, from: Vertex, to: Vertex, label: u32) {
        let known = from.index() < self.colours.len() && to.index() < self.colours.len();
        assert!(known, "an arc joins vertices of its graph");
        self.arcs.push(Arc { from: from.0, to: to.0, label });
    }

    /// Adds an arc with the label 0 in each direction.
    ///
    /// # Panics
    /// If one of the vertices is not of this graph.
    pub fn add_edge(&mut self, one: Vertex, other: Vertex) {
        self.add_labelled_edge(one, other, 0);
    }

    /// Adds an arc with the label in each direction.
    ///
    /// # Panics
    /// If one of the vertices is not of this graph.
    pub fn add_labelled_edge(&mut self, one: Vertex, other: Vertex, label: u32) {
        self.add_labelled_arc(one, other, label);
        self.add_labelled_arc(other, one, label);
    }

    /// The finished graph.
    pub fn freeze(self) -> Graph {
        Graph::from_parts(&self)
    }
}
