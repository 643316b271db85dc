//! The search for generators: down a first path to a discrete partition, then up again, level by level.
//!
//! Along the first path vertices v₀, v₁, … get cells of their own until every vertex has one: the *base*. On the way
//! up, level k asks for the orbit of vₖ under the automorphisms that fix v₀ … vₖ₋₁: for every other vertex of its cell
//! that is not known to be in the orbit, [`Pairing`] finds an automorphism or proves that there is none. Generators
//! found further down fix v₀ … vₖ₋₁ too, so one union of orbits serves all levels. The order of the group is the
//! product of the orbits' lengths (orbit-stabiliser theorem).
//!
//! If the orbit of vₖ has m of the n vertices of its cell, then a partial automorphism that extends to vₖ extends to it
//! in at least m ways: n - m + 1 failures prove that it does not. In most graphs m = n, and one failure does.

use num_bigint::BigUint;

use super::adjacency::Graph;
use super::automorphisms::{Automorphisms, Extent};
use super::builder::Vertex;
use super::orbits::Orbits;
use super::pairing::{Attempt, BasePoint, Guide, Pairing};
use super::partition::{Mark, Partition};
use super::refine::{Ignored, Refiner};
use super::sparse::SparsePermutation;
use super::target::Targets;
use super::vertex_set::VertexSet;
use crate::permutation::Point;

/// How much is tried before something else is tried. Only the budget changes what is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tactics {
    /// How many vertices and neighbours may be looked at.
    pub(super) budget: Option<u64>,
    /// After so many failures, pairing where the sides differ is given up for pairing along the base, where orbits
    /// known from below cut the search short.
    pub(super) patience: usize,
    /// After so many images were refused at once, traces of all are compared.
    pub(super) refusals_before_probe: usize,
}

/// The automorphisms of the graph, found within the budget.
pub(super) fn run(graph: &Graph, tactics: Tactics) -> Automorphisms {
    let (refiner, partition) = root(graph);
    let mut search = Search::descend(graph, refiner, partition, None, tactics);
    for level in (0..search.base.len()).rev() {
        search.explore(level);
    }
    search.finish()
}

/// An automorphism that carries one vertex to another; the budget does not count.
pub(super) fn find(graph: &Graph, from: Point, to: Point, tactics: Tactics) -> Option<SparsePermutation> {
    if from == to {
        return Some(SparsePermutation::from_moves(graph.order(), Vec::new()));
    }
    let (refiner, partition) = root(graph);
    if partition.cell_of(from) != partition.cell_of(to) {
        return None;
    }
    let mut pairing = Pairing::new(graph, refiner.clone(), partition.clone());
    pairing.open(from);
    match pairing.attempt(to, Guide::Differences { patience: tactics.patience }, u64::MAX) {
        Attempt::Found(found) => return Some(found),
        Attempt::Impossible => return None,
        Attempt::GaveUp => {}
    }
    // The group that fixes `from` makes the search for its image short.
    let mut search = Search::descend(graph, refiner, partition, Some(from), Tactics { budget: None, ..tactics });
    for level in (1..search.base.len()).rev() {
        search.explore(level);
    }
    search.pairing.undo_to(search.marks[0]);
    search.pairing.open(from);
    match search.attempt(0, to) {
        Attempt::Found(found) => Some(found),
        Attempt::Impossible | Attempt::GaveUp => None,
    }
}

/// A search on its way up the first path.
struct Search<'a> {
    pairing: Pairing<'a>,
    /// By level: the vertex that gets a cell of its own.
    base: Vec<BasePoint>,
    /// By level: the partition in which it gets one.
    marks: Vec<Mark>,
    generators: Vec<SparsePermutation>,
    orbits: Orbits,
    orbit_lengths: Vec<usize>,
    /// Vertices that stand for orbits which the present level's vertex can't be carried to.
    refused: VertexSet,
    tactics: Tactics,
    /// How much work may have been done altogether when the present level ends. Each level may use an equal share of
    /// what the levels below have left over, so that one hard place does not hide the symmetry of all others.
    limit: u64,
    extent: Extent,
}

impl Default for Tactics {
    fn default() -> Self {
        Self { budget: None, patience: 8, refusals_before_probe: 64 }
    }
}

impl<'a> Search<'a> {
    /// Goes down the first path, from an equitable partition; its first vertex may be given.
    fn descend(
        graph: &'a Graph,
        mut refiner: Refiner,
        mut partition: Partition,
        first: Option<Point>,
        tactics: Tactics,
    ) -> Self {
        let (mut base, mut marks) = (Vec::new(), Vec::new());
        let mut targets = Targets::new(&partition);
        while tactics.budget.is_none_or(|budget| refiner.work() <= budget)
            && let Some(cell) = targets.next(&partition)
        {
            let vertex = first.filter(|_| base.is_empty()).unwrap_or(partition.first(cell));
            base.push(BasePoint { vertex, trials: partition.length(partition.cell_of(vertex)) });
            marks.push(partition.mark());
            refiner.individualise(graph, &mut partition, vertex, &mut Ignored);
        }
        let extent = if partition.is_discrete() { Extent::Complete } else { Extent::Partial };
        Self {
            pairing: Pairing::new(graph, refiner, partition),
            base,
            marks,
            generators: Vec::new(),
            orbits: Orbits::new(graph.order()),
            orbit_lengths: Vec::new(),
            refused: VertexSet::new(graph.order()),
            tactics,
            limit: u64::MAX,
            extent,
        }
    }

    /// Finds the orbit of the level's vertex under the automorphisms that fix those of the levels above. All levels
    /// below must have been explored.
    fn explore(&mut self, level: usize) {
        self.pairing.undo_to(self.marks[level]);
        self.limit = self.share_of_budget(level);
        let BasePoint { vertex, trials: mates } = self.base[level];
        if self.orbits.length(vertex) < mates {
            self.pairing.open(vertex);
            self.extend_orbit(level, mates);
            self.pairing.close();
        }
        let length = self.orbits.length(vertex);
        self.base[level].trials = mates - length + 1;
        self.orbit_lengths.push(length);
    }

    fn share_of_budget(&self, level: usize) -> u64 {
        let work = self.pairing.work();
        self.tactics.budget.map_or(u64::MAX, |budget| work + budget.saturating_sub(work) / (level as u64 + 1))
    }

    fn extend_orbit(&mut self, level: usize, mates: usize) {
        let vertex = self.base[level].vertex;
        self.refused.clear();
        let work_before = self.pairing.work();
        // The next base point's orbit is often all the rest of the cell. Then a long walk over the cell is saved.
        if let Some(next) = self.base.get(level + 1).map(|next| next.vertex)
            && self.pairing.share_cell(vertex, next)
        {
            self.try_image(level, next);
        }
        if self.orbits.length(vertex) == mates {
            return;
        }
        let mut images: Vec<Point> = self.pairing.mates(vertex).iter().rev().copied().collect();
        let mut refusals_before_probe = self.tactics.refusals_before_probe;
        while self.orbits.length(vertex) < mates
            && let Some(image) = images.pop()
        {
            self.try_image(level, image);
            let refusals = self.pairing.refusals();
            // Unless many are left to try, trying them is cheaper.
            if refusals > refusals_before_probe && images.len() > refusals_before_probe {
                refusals_before_probe = 4 * refusals;
                let (work, trials) = (self.pairing.work(), images.len() as u64);
                if work.saturating_add((work - work_before) / refusals as u64 * trials) > self.limit {
                    continue;
                }
                let survivors = self.pairing.survivors(vertex);
                if survivors.len() < images.len() {
                    images = survivors;
                }
            }
        }
    }

    /// Decides whether the image is in the orbit of the level's vertex, if that is open.
    fn try_image(&mut self, level: usize, image: Point) {
        let orbit = self.orbits.least(image);
        if orbit == self.orbits.least(self.base[level].vertex) || self.refused.contains(orbit) {
            return;
        }
        match self.attempt(level, image) {
            Attempt::Found(generator) => {
                self.orbits.merge(&generator);
                self.generators.push(generator);
            }
            Attempt::Impossible => self.refused.insert(orbit),
            Attempt::GaveUp => {
                self.refused.insert(orbit);
                self.extent = Extent::Partial;
            }
        }
    }

    fn attempt(&mut self, level: usize, image: Point) -> Attempt {
        if self.pairing.work() > self.limit {
            return Attempt::GaveUp;
        }
        match self.pairing.attempt(image, Guide::Differences { patience: self.tactics.patience }, self.limit) {
            Attempt::GaveUp if self.pairing.work() <= self.limit => {
                self.pairing.attempt(image, Guide::Base(&self.base[level + 1..]), self.limit)
            }
            outcome => outcome,
        }
    }

    fn finish(self) -> Automorphisms {
        Automorphisms {
            degree: self.orbits.degree(),
            generators: self.generators,
            base: self.base.into_iter().map(|point| Vertex(point.vertex)).collect(),
            order: product(&self.orbit_lengths),
            orbits: self.orbits.into_sets(),
            extent: self.extent,
        }
    }
}

/// The coarsest equitable partition.
fn root(graph: &Graph) -> (Refiner, Partition) {
    let mut refiner = Refiner::new(graph);
    let mut partition = Partition::by_kind(graph);
    refiner.refine_by_all(graph, &mut partition);
    (refiner, partition)
}

/// The coarsest partition in which any two vertices of a cell have as many neighbours of each relation in every cell.
pub(super) fn equitable(graph: &Graph) -> Partition {
    root(graph).1
}

/// Multiplies halves, so that large factors meet large factors.
fn product(factors: &[usize]) -> BigUint {
    match factors {
        [] => 1u32.into(),
        &[factor] => factor.into(),
        _ => {
            let (front, rear) = factors.split_at(factors.len() / 2);
            product(front) * product(rear)
        }
    }
}

#[cfg(test)]
mod tests;
