//! Which vertex of a first path gets the next cell of its own.
//!
//! The choice does not change what is found, but how fast: the search below a vertex should stay near it, so that a
//! part of the graph is done with before another is begun. So the largest of the cells that split off last is taken,
//! and if there is none of more than one vertex, the latest one of earlier times. (Traces chooses within the last chosen
//! cell for the same reason: McKay, Piperno, "Practical graph isomorphism, II", 2014.)

use super::partition::{Cell, Mark, Partition};

/// The cells made along a path of ever finer partitions, latest last.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    cells: Vec<Cell>,
    seen: Mark,
}

impl Targets {
    /// At the start of a path.
    pub(super) fn new(partition: &Partition) -> Self {
        Self { cells: Vec::new(), seen: partition.mark() }
    }

    /// The cell to choose a vertex from; none if the partition is discrete. The partition must be the one seen last or
    /// finer.
    pub(super) fn next(&mut self, partition: &Partition) -> Option<Cell> {
        let shared = |cell: &Cell| !partition.is_single(*cell);
        let earlier = self.cells.len();
        if earlier == 0 {
            self.cells.extend(partition.cells().filter(shared));
        } else {
            self.cells.extend(partition.splits_since(self.seen).iter().map(|split| split.fresh).filter(shared));
        }
        self.seen = partition.mark();
        // The later of equals: it is the one with the fewest unexplored cells behind it.
        if let Some(largest) = self.cells[earlier..].iter().max_by_key(|&&cell| partition.length(cell)) {
            return Some(*largest);
        }
        while self.cells.last().is_some_and(|cell| !shared(cell)) {
            self.cells.pop();
        }
        self.cells.last().copied()
    }
}
