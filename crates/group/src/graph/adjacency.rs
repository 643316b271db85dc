//! A finished graph, in the one form that refinement and verification read.
//!
//! All arcs between two vertices, in both directions and of all labels, are summed up in one **relation**, seen from
//! one of the two: what goes from here to there and from there to here. So each vertex has a single row of pairs
//! (neighbour, relation), sorted by neighbour, every neighbour once, and a directed graph with labels costs no more
//! than an undirected one without. If `v` stands in the row of `u` then `u` stands in the row of `v`, with the
//! relation reversed. Loops are part of the vertex' colour. The rows of all vertices stand in one vector (CSR).

use rustc_hash::FxHashMap;

use super::builder::{GraphBuilder, Vertex};
use crate::permutation::Point;

/// A vertex-coloured directed graph with labelled arcs, made by a [`GraphBuilder`].
#[derive(Clone, Debug)]
pub struct Graph {
    /// For each vertex the number of its colour and its loops together.
    kinds: Vec<u32>,
    /// The row of vertex `v` is `rows[starts[v]..starts[v + 1]]`.
    starts: Vec<usize>,
    rows: Vec<Neighbour>,
    arcs: usize,
    relations: usize,
}

/// An entry of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Neighbour {
    pub(super) vertex: Point,
    pub(super) relation: Relation,
}

/// The number of a relation between two vertices, as the first of them sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Relation(u32);

/// One end of an arc, as the vertex at this end sees it: `2 * label` where the arc leaves, `2 * label + 1` where it
/// arrives.
type End = u64;

impl Graph {
    pub(super) fn from_parts(parts: &GraphBuilder) -> Self {
        let order = parts.colours.len();
        let (ends, bounds) = ends_by_vertex(parts);
        let mut relation_of: FxHashMap<Vec<End>, Relation> = FxHashMap::default();
        let mut kind_of: FxHashMap<(u32, Vec<End>), u32> = FxHashMap::default();
        let mut graph = Self {
            kinds: Vec::with_capacity(order),
            starts: Vec::with_capacity(order + 1),
            rows: Vec::with_capacity(ends.len()),
            arcs: parts.arcs.len(),
            relations: 0,
        };
        graph.starts.push(0);
        let mut between: Vec<End> = Vec::new();
        for vertex in 0..order {
            let mut loops = Vec::new();
            for same in ends[bounds[vertex]..bounds[vertex + 1]].chunk_by(|one, other| one.0 == other.0) {
                let neighbour = same[0].0;
                if neighbour as usize == vertex {
                    loops = same.iter().map(|&(_, end)| end).collect();
                    continue;
                }
                between.clear();
                between.extend(same.iter().map(|&(_, end)| end));
                let relation = match relation_of.get(&between) {
                    Some(&known) => known,
                    None => {
                        let fresh = Relation(relation_of.len() as u32);
                        relation_of.insert(between.clone(), fresh);
                        fresh
                    }
                };
                graph.rows.push(Neighbour { vertex: neighbour, relation });
            }
            graph.starts.push(graph.rows.len());
            let fresh = kind_of.len() as u32;
            graph.kinds.push(*kind_of.entry((parts.colours[vertex], loops)).or_insert(fresh));
        }
        graph.rows.shrink_to_fit();
        graph.relations = relation_of.len();
        graph
    }

    /// The number of vertices.
    pub fn order(&self) -> usize {
        self.kinds.len()
    }

    /// The number of arcs; an edge has two.
    pub fn arcs(&self) -> usize {
        self.arcs
    }

    /// All vertices, in the order in which they were added.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = Vertex> + use<> {
        (0..self.order() as Point).map(Vertex)
    }

    /// The number of the vertex' colour and loops together.
    pub(super) fn kind(&self, vertex: Point) -> u32 {
        self.kinds[vertex as usize]
    }

    /// The neighbours of the vertex, each once, in order.
    pub(super) fn row(&self, vertex: Point) -> &[Neighbour] {
        &self.rows[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }

    /// The number of different relations.
    pub(super) fn relations(&self) -> usize {
        self.relations
    }
}

impl Relation {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// For each vertex, all ends of arcs at it with the vertex at the other end, sorted; and where each vertex' ends start.
fn ends_by_vertex(parts: &GraphBuilder) -> (Vec<(Point, End)>, Vec<usize>) {
    let mut bounds = vec![0; parts.colours.len() + 1];
    for arc in &parts.arcs {
        bounds[arc.from as usize + 1] += 1;
        bounds[arc.to as usize + 1] += 1;
    }
    for vertex in 0..parts.colours.len() {
        bounds[vertex + 1] += bounds[vertex];
    }
    let mut next = bounds.clone();
    let mut ends = vec![(0, 0); 2 * parts.arcs.len()];
    let mut place = |at: Point, entry: (Point, End)| {
        ends[next[at as usize]] = entry;
        next[at as usize] += 1;
    };
    for arc in &parts.arcs {
        place(arc.from, (arc.to, 2 * End::from(arc.label)));
        place(arc.to, (arc.from, 2 * End::from(arc.label) + 1));
    }
    for vertex in 0..parts.colours.len() {
        ends[bounds[vertex]..bounds[vertex + 1]].sort_unstable();
    }
    (ends, bounds)
}

#[cfg(test)]
mod tests {
    use super::{Graph, Neighbour};
    use crate::graph::GraphBuilder;

    fn rows(graph: &Graph) -> Vec<Vec<(u32, usize)>> {
        let entry = |neighbour: &Neighbour| (neighbour.vertex, neighbour.relation.index());
        graph.vertices().map(|vertex| graph.row(vertex.point()).iter().map(entry).collect()).collect()
    }

    #[test]
    fn all_arcs_between_two_vertices_are_one_relation() {
        let mut builder = GraphBuilder::new();
        let [a, b, c] = [0, 0, 0].map(|colour| builder.add_vertex(colour));
        builder.add_arc(a, b);
        builder.add_edge(b, c);
        let graph = builder.clone().freeze();
        assert_eq!(rows(&graph), [vec![(1, 0)], vec![(0, 1), (2, 2)], vec![(1, 2)]]);
        assert_eq!((graph.order(), graph.arcs(), graph.relations()), (3, 3, 3));
        // The opposite arc makes an edge of the single arc; a label makes a difference again.
        builder.add_arc(b, a);
        assert_eq!(rows(&builder.clone().freeze()), [vec![(1, 0)], vec![(0, 0), (2, 0)], vec![(1, 0)]]);
        builder.add_labelled_arc(b, a, 1);
        assert_eq!(builder.freeze().relations(), 3);
    }

    #[test]
    fn parallel_arcs_and_loops_are_counted() {
        let mut builder = GraphBuilder::new();
        let [a, b, c] = [4, 4, 4].map(|colour| builder.add_vertex(colour));
        builder.add_arc(a, b);
        builder.add_arc(a, c);
        builder.add_arc(a, c);
        builder.add_arc(b, b);
        builder.add_arc(b, b);
        builder.add_arc(c, c);
        let graph = builder.freeze();
        assert_eq!(rows(&graph), [vec![(1, 0), (2, 1)], vec![(0, 2)], vec![(0, 3)]]);
        let kinds: Vec<u32> = graph.vertices().map(|vertex| graph.kind(vertex.point())).collect();
        assert_eq!(kinds, [0, 1, 2]);
    }
}
