//! A graph as a plain list of arcs and edges, with the order of its group where theory gives it: the common source of
//! our graph and of the oracle's text.

use group::graph::{Graph, GraphBuilder};
use num_bigint::BigUint;

/// A named graph.
#[derive(Clone, Debug)]
pub struct Sample {
    pub name: String,
    pub colours: Vec<u32>,
    pub arcs: Vec<(u32, u32)>,
    pub edges: Vec<(u32, u32)>,
    /// The order of the automorphism group, if it is known from elsewhere.
    pub order: Option<BigUint>,
}

impl Sample {
    /// A graph without vertices.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), colours: Vec::new(), arcs: Vec::new(), edges: Vec::new(), order: None }
    }

    /// An undirected graph of vertices of one colour.
    pub fn of_edges(name: impl Into<String>, vertices: usize, edges: Vec<(u32, u32)>) -> Self {
        Self { colours: vec![0; vertices], edges, ..Self::named(name) }
    }

    pub fn with_order(self, order: impl Into<BigUint>) -> Self {
        Self { order: Some(order.into()), ..self }
    }

    pub fn vertex(&mut self, colour: u32) -> u32 {
        self.colours.push(colour);
        self.colours.len() as u32 - 1
    }

    pub fn graph(&self) -> Graph {
        let mut builder = GraphBuilder::new();
        let vertices: Vec<_> = self.colours.iter().map(|&colour| builder.add_vertex(colour)).collect();
        for &(from, to) in &self.arcs {
            builder.add_arc(vertices[from as usize], vertices[to as usize]);
        }
        for &(one, other) in &self.edges {
            builder.add_edge(vertices[one as usize], vertices[other as usize]);
        }
        builder.freeze()
    }

    /// The graph for `dreadnaut`, which knows no arcs where it is fast: an arc becomes an edge of three parts, with a
    /// vertex of one new colour near its tail and one of another near its head. Without loops and parallel arcs, the
    /// group is the same.
    pub fn dreadnaut(&self) -> String {
        let mut encoded = self.clone();
        let fresh = self.colours.iter().max().map_or(0, |most| most + 1);
        for (from, to) in std::mem::take(&mut encoded.arcs) {
            let (tail, head) = (encoded.vertex(fresh), encoded.vertex(fresh + 1));
            encoded.edges.extend([(from, tail), (tail, head), (head, to)]);
        }
        let vertices = encoded.colours.len();
        let mut by_colour: Vec<u32> = (0..vertices as u32).collect();
        by_colour.sort_by_key(|&vertex| encoded.colours[vertex as usize]);
        let same = |one: &u32, other: &u32| encoded.colours[*one as usize] == encoded.colours[*other as usize];
        let cells: Vec<String> = by_colour
            .chunk_by(same)
            .map(|cell| cell.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
            .collect();
        let mut rows = vec![Vec::new(); vertices];
        for &(one, other) in &encoded.edges {
            rows[one as usize].push(other.to_string());
        }
        let rows = (0..).zip(&rows).filter(|(_, row)| !row.is_empty());
        let rows: Vec<String> = rows.map(|(vertex, row): (u32, _)| format!("{vertex}:{}", row.join(" "))).collect();
        let cells = cells.join("|\n");
        format!("n={vertices} g\n{}.\nf=[{cells}]\n", rows.join(";\n"))
    }
}
