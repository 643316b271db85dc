//! Colour refinement: the coarsest partition below a given one in which any two vertices of a cell have as many
//! neighbours of each relation in every cell (an *equitable* partition), with the trace of how it came about.
//!
//! Cells wait in a list to be used as splitters: every vertex adds up the weights of its relations to the splitter's
//! vertices, and each cell splits by these sums. Of the parts of a cell that was not waiting, the largest need not wait
//! (Hopcroft), since its sums follow from the others'. Each relation has a fixed 64-bit weight, so that a sum stands
//! for the counts of all relations at once; should two different counts ever have the same sum, the partition merely
//! stays coarser. All that the search needs is that refinement commutes with automorphisms, and it does.
//!
//! The trace is one number for each splitter, a hash of what it did. An automorphism leaves no difference in it, so the
//! first difference between two traces ends the comparison of two partitions.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::adjacency::{Graph, Relation};
use super::partition::{Cell, Partition, Touch};
use crate::permutation::Point;
use crate::random::Random;

/// What is to be done with the trace.
pub(super) trait Trace {
    /// Takes the next number; false ends the refinement.
    fn takes(&mut self, event: u64) -> bool;

    /// Whether the trace may end here.
    fn may_end(&self) -> bool;
}

/// Nothing: there is no other partition to compare with.
pub(super) struct Ignored;

/// It is appended, for others to follow.
pub(super) struct Recorded<'a>(pub(super) &'a mut Vec<u64>);

/// It must be equal to this one.
pub(super) struct Followed<'a>(pub(super) &'a [u64]);

/// Whether refinement came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refinement {
    /// The partition is equitable, or discrete.
    Complete,
    /// The trace differs from the one to be followed. The partition is some refinement of what it was.
    Deviates,
}

/// The waiting list and the room to count in, kept for many refinements of partitions of one graph.
#[derive(Clone, Debug)]
pub(super) struct Refiner {
    /// By relation.
    weights: Vec<u64>,
    /// By vertex: the sum of weights for the present splitter, if the vertex is touched.
    sums: Vec<u64>,
    touched_cells: Vec<Cell>,
    /// Cells that wait; by first place whether they do. Small ones go first: they cost least, and show a difference
    /// early. The length is that when the cell began to wait.
    singles: Vec<Cell>,
    others: BinaryHeap<Reverse<(usize, Cell)>>,
    waiting: Vec<bool>,
    splitter: Vec<Point>,
    by_sum: Vec<(u64, Point)>,
    parts: Vec<Cell>,
    work: u64,
}

impl Refiner {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut random = Random::from_seed(graph.relations() as u64);
        Self {
            weights: (0..graph.relations()).map(|_| random.next_bits()).collect(),
            sums: vec![0; graph.order()],
            touched_cells: Vec::new(),
            singles: Vec::new(),
            others: BinaryHeap::new(),
            waiting: vec![false; graph.order()],
            splitter: Vec::new(),
            by_sum: Vec::new(),
            parts: Vec::new(),
            work: 0,
        }
    }

    /// The number of vertices and neighbours looked at so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Counts work that was done elsewhere.
    pub(super) fn add_work(&mut self, work: u64) {
        self.work += work;
    }

    /// The weight of a relation, for sums that stand for counts of all relations.
    pub(super) fn weight(&self, relation: Relation) -> u64 {
        self.weights[relation.index()]
    }

    /// Refines by all cells.
    pub(super) fn refine_by_all(&mut self, graph: &Graph, partition: &mut Partition) {
        for cell in partition.cells() {
            self.enqueue(partition, cell);
        }
        self.refine(graph, partition, &mut Ignored);
    }

    /// Gives the vertex a cell for itself in a partition that is equitable, and makes it equitable again.
    pub(super) fn individualise(
        &mut self,
        graph: &Graph,
        partition: &mut Partition,
        vertex: Point,
        trace: &mut impl Trace,
    ) -> Refinement {
        let single = partition.individualise(vertex);
        self.enqueue(partition, single);
        self.refine(graph, partition, trace)
    }

    /// Splits a cell of an equitable partition by numbers given for its vertices, sorted, and makes the partition
    /// equitable again.
    pub(super) fn refine_by_classes(
        &mut self,
        graph: &Graph,
        partition: &mut Partition,
        cell: Cell,
        classes: &[(u64, Point)],
    ) {
        self.by_sum.clear();
        self.by_sum.extend_from_slice(classes);
        self.parts.clear();
        self.split_rear(partition, cell, 0);
        self.enqueue_parts(partition, cell);
        self.refine(graph, partition, &mut Ignored);
    }

    fn refine(&mut self, graph: &Graph, partition: &mut Partition, trace: &mut impl Trace) -> Refinement {
        // What a discrete partition would still do to the trace does not matter: candidates are verified.
        while !partition.is_discrete()
            && let Some(splitter) = self.dequeue()
        {
            let met_singles = self.add_up(graph, partition, splitter);
            let event = self.split_touched(partition, met_singles);
            if !trace.takes(event) {
                self.empty_waiting_list();
                return Refinement::Deviates;
            }
        }
        self.empty_waiting_list();
        if trace.may_end() { Refinement::Complete } else { Refinement::Deviates }
    }

    /// Adds up the weights for every neighbour of the splitter, and moves these to the rear of their cells. Neighbours
    /// that are single can't be split: what is found about them is returned, as a number.
    fn add_up(&mut self, graph: &Graph, partition: &mut Partition, splitter: Cell) -> u64 {
        self.splitter.clear();
        self.splitter.extend_from_slice(partition.members(splitter));
        let mut met_singles = 0u64;
        for &member in &self.splitter {
            let row = graph.row(member);
            self.work += 1 + row.len() as u64;
            for neighbour in row {
                let weight = self.weights[neighbour.relation.index()];
                let sum = &mut self.sums[neighbour.vertex as usize];
                match partition.touch(neighbour.vertex) {
                    Touch::Single(cell) => {
                        met_singles = met_singles.wrapping_add(mixed(weight, cell.index() as u64));
                    }
                    Touch::FirstOf(cell) => {
                        self.touched_cells.push(cell);
                        *sum = weight;
                    }
                    Touch::Fresh => *sum = weight,
                    Touch::Again => *sum = sum.wrapping_add(weight),
                }
            }
        }
        met_singles
    }

    /// Splits every touched cell by the sums; returns the trace of it.
    fn split_touched(&mut self, partition: &mut Partition, met_singles: u64) -> u64 {
        let mut event = met_singles;
        let mut cells = std::mem::take(&mut self.touched_cells);
        // The order in which they were met depends on the numbers of the vertices, their places do not.
        cells.sort_unstable();
        for &cell in &cells {
            event = self.split(partition, cell, mixed(event, cell.index() as u64));
        }
        cells.clear();
        self.touched_cells = cells;
        event
    }

    /// Splits one cell: untouched vertices in front, then the touched ones by their sums.
    fn split(&mut self, partition: &mut Partition, cell: Cell, mut event: u64) -> u64 {
        let length = partition.length(cell);
        let touched = partition.release(cell);
        let rear = partition.rear(cell, touched);
        let first_sum = self.sums[rear[0] as usize];
        self.parts.clear();
        if rear.iter().all(|&vertex| self.sums[vertex as usize] == first_sum) {
            event = mixed(event ^ first_sum, touched as u64);
            if touched == length {
                return event;
            }
            self.parts.push(partition.split_off(cell, touched));
        } else {
            self.by_sum.clear();
            self.by_sum.extend(rear.iter().map(|&vertex| (self.sums[vertex as usize], vertex)));
            self.by_sum.sort_unstable_by_key(|&(sum, _)| sum);
            event = self.split_rear(partition, cell, event);
        }
        self.enqueue_parts(partition, cell);
        event
    }

    /// Splits the rear of the cell by `self.by_sum`; returns the trace of it.
    fn split_rear(&mut self, partition: &mut Partition, cell: Cell, mut event: u64) -> u64 {
        partition.arrange_rear(cell, self.by_sum.iter().map(|&(_, vertex)| vertex));
        // From the rear on, so that every vertex changes its cell once.
        for equal in self.by_sum.chunk_by(|one, other| one.0 == other.0).rev() {
            event = mixed(event ^ equal[0].0, equal.len() as u64);
            if equal.len() < partition.length(cell) {
                self.parts.push(partition.split_off(cell, equal.len()));
            }
        }
        event
    }

    /// After a split into `cell` and `self.parts`: all must wait, but for the largest if the cell did not.
    fn enqueue_parts(&mut self, partition: &Partition, cell: Cell) {
        let parts = std::mem::take(&mut self.parts);
        if self.waiting[cell.index()] {
            for &part in &parts {
                self.enqueue(partition, part);
            }
        } else {
            let mut largest = cell;
            for &part in &parts {
                let smaller = if partition.length(part) > partition.length(largest) {
                    std::mem::replace(&mut largest, part)
                } else {
                    part
                };
                self.enqueue(partition, smaller);
            }
        }
        self.parts = parts;
    }

    fn enqueue(&mut self, partition: &Partition, cell: Cell) {
        self.waiting[cell.index()] = true;
        match partition.length(cell) {
            1 => self.singles.push(cell),
            length => self.others.push(Reverse((length, cell))),
        }
    }

    fn dequeue(&mut self) -> Option<Cell> {
        let next = self.singles.pop().or_else(|| self.others.pop().map(|Reverse((_, cell))| cell))?;
        self.waiting[next.index()] = false;
        Some(next)
    }

    fn empty_waiting_list(&mut self) {
        while self.dequeue().is_some() {}
    }
}

impl Trace for Ignored {
    fn takes(&mut self, _: u64) -> bool {
        true
    }

    fn may_end(&self) -> bool {
        true
    }
}

impl Trace for Recorded<'_> {
    fn takes(&mut self, event: u64) -> bool {
        self.0.push(event);
        true
    }

    fn may_end(&self) -> bool {
        true
    }
}

impl Trace for Followed<'_> {
    fn takes(&mut self, event: u64) -> bool {
        match self.0.split_first() {
            Some((&expected, rest)) if expected == event => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn may_end(&self) -> bool {
        self.0.is_empty()
    }
}

/// A number that depends on both, in no simple way.
pub(super) fn mixed(one: u64, other: u64) -> u64 {
    let product = (one ^ other.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    product ^ (product >> 32)
}

#[cfg(test)]
mod tests;
