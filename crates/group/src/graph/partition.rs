//! An ordered partition of the vertices into cells that is refined step by step and can be taken back step by step.
//!
//! All vertices stand in one vector, each cell in consecutive places; a cell is named by its first place. Splitting
//! cuts the rear of a cell off as a fresh cell: the front keeps its name, so the cost is that of the rear. Splits are
//! logged, and taking one back merges the fresh cell with the one in front. The order of vertices *within* a cell means
//! nothing and is not restored.
//!
//! ```text
//! elements   4 0 | 2 | 1 3 5      cells 0, 2 and 3; split_off(cell 3, place 5) makes   4 0 | 2 | 1 3 | 5
//! ```

use super::adjacency::Graph;
use crate::permutation::Point;

/// A cell, named by its first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cell(u32);

/// An ordered partition with the log of its splits.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// The vertices, by place.
    elements: Vec<Point>,
    /// By vertex.
    seats: Vec<Seat>,
    /// By first place of a cell.
    sizes: Vec<Size>,
    count: usize,
    splits: Vec<Split>,
}

/// Where a vertex stands. What is read together lies together: refinement spends its time in waiting for memory.
#[derive(Clone, Copy, Debug)]
struct Seat {
    place: u32,
    cell: Cell,
}

/// How many vertices a cell has, and how many of them are touched; these stand at its rear.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    length: u32,
    touched: u32,
}

/// What touching a vertex changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// Nothing: the vertex is alone in its cell.
    Single(Cell),
    /// It is the first of its cell to be touched.
    FirstOf(Cell),
    /// It was not touched before.
    Fresh,
    /// It was touched already.
    Again,
}

/// A cell that was cut in two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// The front, under the old name.
    pub(super) kept: Cell,
    /// The rear.
    pub(super) fresh: Cell,
}

/// A point in the log of splits to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(usize);

impl Cell {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Partition {
    /// Vertices of the same colour and loops share a cell. The log is empty: this is never taken back.
    pub(super) fn by_kind(graph: &Graph) -> Self {
        let order = graph.order();
        let mut elements: Vec<Point> = (0..order as Point).collect();
        elements.sort_by_key(|&vertex| graph.kind(vertex));
        let mut partition = Self {
            seats: vec![Seat { place: 0, cell: Cell(0) }; order],
            sizes: vec![Size::default(); order],
            count: 0,
            splits: Vec::new(),
            elements,
        };
        let mut start = 0;
        for place in 0..order {
            let vertex = partition.elements[place];
            if place == 0 || graph.kind(vertex) != graph.kind(partition.elements[place - 1]) {
                start = place;
                partition.count += 1;
            }
            partition.sizes[start].length += 1;
            partition.seats[vertex as usize] = Seat { place: place as u32, cell: Cell(start as u32) };
        }
        partition
    }

    /// Whether every vertex has a cell for itself.
    pub(super) fn is_discrete(&self) -> bool {
        self.count == self.elements.len()
    }

    /// All cells, in order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let cell = Cell(next);
            next += self.sizes.get(next as usize)?.length;
            Some(cell)
        })
    }

    pub(super) fn cell_of(&self, vertex: Point) -> Cell {
        self.seats[vertex as usize].cell
    }

    pub(super) fn length(&self, cell: Cell) -> usize {
        self.sizes[cell.index()].length as usize
    }

    pub(super) fn is_single(&self, cell: Cell) -> bool {
        self.sizes[cell.index()].length == 1
    }

    pub(super) fn members(&self, cell: Cell) -> &[Point] {
        &self.elements[cell.index()..cell.index() + self.length(cell)]
    }

    /// Some vertex of the cell; the only one of a single.
    pub(super) fn first(&self, cell: Cell) -> Point {
        self.elements[cell.index()]
    }

    /// The last `count` vertices of the cell.
    pub(super) fn rear(&self, cell: Cell, count: usize) -> &[Point] {
        let end = cell.index() + self.length(cell);
        &self.elements[end - count..end]
    }

    /// Moves the vertex to the other touched ones of its cell.
    pub(super) fn touch(&mut self, vertex: Point) -> Touch {
        let Seat { place, cell } = self.seats[vertex as usize];
        let size = &mut self.sizes[cell.index()];
        if size.length == 1 {
            return Touch::Single(cell);
        }
        let boundary = cell.0 + size.length - size.touched;
        if place >= boundary {
            return Touch::Again;
        }
        let last_untouched = boundary - 1;
        size.touched += 1;
        let first = size.touched == 1;
        let other = self.elements[last_untouched as usize];
        self.elements.swap(place as usize, last_untouched as usize);
        self.seats[other as usize].place = place;
        self.seats[vertex as usize].place = last_untouched;
        if first { Touch::FirstOf(cell) } else { Touch::Fresh }
    }

    /// Ends the touching of a cell; returns how many were touched.
    pub(super) fn release(&mut self, cell: Cell) -> usize {
        std::mem::take(&mut self.sizes[cell.index()].touched) as usize
    }

    /// Puts the vertices of the cell's rear into the given order; they must be those that stand there.
    pub(super) fn arrange_rear(&mut self, cell: Cell, order: impl ExactSizeIterator<Item = Point>) {
        let from = cell.index() + self.length(cell) - order.len();
        for (place, vertex) in (from..).zip(order) {
            self.elements[place] = vertex;
            self.seats[vertex as usize].place = place as u32;
        }
    }

    /// Cuts off the last `count` vertices of the cell, fewer than all, as a fresh cell.
    pub(super) fn split_off(&mut self, cell: Cell, count: usize) -> Cell {
        debug_assert!(0 < count && count < self.length(cell));
        let start = cell.index() + self.length(cell) - count;
        let fresh = Cell(start as u32);
        for &vertex in &self.elements[start..start + count] {
            self.seats[vertex as usize].cell = fresh;
        }
        self.sizes[cell.index()].length -= count as u32;
        self.sizes[start].length = count as u32;
        self.count += 1;
        self.splits.push(Split { kept: cell, fresh });
        fresh
    }

    /// Gives the vertex, which shares its cell with others, a cell for itself.
    pub(super) fn individualise(&mut self, vertex: Point) -> Cell {
        let cell = self.cell_of(vertex);
        self.touch(vertex);
        self.release(cell);
        self.split_off(cell, 1)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.splits.len())
    }

    /// The splits made since the mark.
    pub(super) fn splits_since(&self, mark: Mark) -> &[Split] {
        &self.splits[mark.0..]
    }

    /// Takes back all splits made since the mark.
    pub(super) fn undo_to(&mut self, mark: Mark) {
        for Split { kept, fresh } in self.splits.drain(mark.0..).rev() {
            let count = self.sizes[fresh.index()].length;
            for &vertex in &self.elements[fresh.index()..fresh.index() + count as usize] {
                self.seats[vertex as usize].cell = kept;
            }
            self.sizes[kept.index()].length += count;
            self.count -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Partition, Touch};
    use crate::graph::GraphBuilder;
    use crate::random::Random;

    fn cells(partition: &Partition) -> Vec<Vec<u32>> {
        let sorted = |cell| {
            let mut members = partition.members(cell).to_vec();
            members.sort_unstable();
            members
        };
        partition.cells().map(sorted).collect()
    }

    #[test]
    fn undoing_random_splits_restores_every_earlier_partition() {
        let mut random = Random::from_seed(3);
        let mut builder = GraphBuilder::new();
        for vertex in 0..40 {
            builder.add_vertex(vertex % 3);
        }
        let mut partition = Partition::by_kind(&builder.freeze());
        let mut history = Vec::new();
        while !partition.is_discrete() {
            history.push((partition.mark(), cells(&partition)));
            for _ in 0..3 {
                let vertex = random.below(40) as u32;
                let cell = partition.cell_of(vertex);
                if partition.length(cell) > 1 {
                    assert_eq!(partition.touch(vertex), Touch::FirstOf(cell));
                    assert_eq!(partition.touch(vertex), Touch::Again);
                    assert_eq!((partition.release(cell), partition.rear(cell, 1)), (1, &[vertex][..]));
                    partition.split_off(cell, 1 + random.below(partition.length(cell) - 1));
                }
            }
            for vertex in 0..40 {
                assert!(partition.members(partition.cell_of(vertex)).contains(&vertex));
            }
        }
        for (mark, expected) in history.into_iter().rev() {
            partition.undo_to(mark);
            assert_eq!(cells(&partition), expected);
            assert_eq!(partition.count, expected.len());
        }
    }
}
