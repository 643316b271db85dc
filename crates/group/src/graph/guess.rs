//! A guess at the rest of an automorphism, once two sides are refined with one vertex and its image in cells of their own.
//!
//! Where `n` processes each have something for each of the others, exchanging two of them leaves `n - 2` things of either
//! unresolved: which of them is carried to which follows once the other processes are in cells of their own, and giving them
//! such cells one by one costs `n` refinements. Most automorphisms that are looked for fix whatever they can. So it is
//! assumed that every vertex with the same cell on both sides is fixed; then the neighbours of an unresolved
//! vertex tell its image. What was guessed is verified by the caller, and a wrong guess costs no more than the differences
//! are large.

use rustc_hash::FxHashMap;

use super::adjacency::Graph;
use super::partition::{Cell, Partition};
use super::refine::{Refiner, mixed};
use crate::permutation::Point;

/// How often what became known is used to find out more.
const ROUNDS: usize = 8;

/// Which of the two sides a vertex is looked at from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Images of all vertices on which the sides differ and that are in no cell of their own, and how much was looked at for
/// them; `None` if neighbours do not tell.
///
/// `singles` are all vertices that have got a cell of their own on the left since both sides were the same, each once.
/// In each cell the vertices that only the left side has are paired with those that only the right side has, one to one.
/// So together with the vertices in cells of their own, and the others fixed, a permutation results.
pub(super) fn pairs(
    graph: &Graph,
    left: &Partition,
    right: &Partition,
    unresolved: &[Point],
    singles: &[Point],
    refiner: &Refiner,
) -> (Option<Vec<(Point, Point)>>, u64) {
    let mut guess =
        Guess { graph, left, right, refiner, images: FxHashMap::default(), preimages: FxHashMap::default(), work: 0 };
    let mut waiting = guess.differing_cells(unresolved, singles);
    for _ in 0..ROUNDS {
        let before = guess.images.len();
        waiting.retain_mut(|(cell, sources, targets)| guess.pair(*cell, sources, targets));
        if waiting.is_empty() {
            return (Some(guess.images.into_iter().collect()), guess.work);
        }
        if guess.images.len() == before {
            break;
        }
    }
    (None, guess.work)
}

struct Guess<'a> {
    graph: &'a Graph,
    left: &'a Partition,
    right: &'a Partition,
    refiner: &'a Refiner,
    /// What was guessed so far.
    images: FxHashMap<Point, Point>,
    preimages: FxHashMap<Point, Point>,
    work: u64,
}

/// A cell with the vertices that it has on the left only, and on the right only.
type Differing = (Cell, Vec<Point>, Vec<Point>);

impl Guess<'_> {
    /// Cells may be far larger than what differs in them, so they are not walked through. What the right side alone has in a cell
    /// of several vertices is unresolved, or has a cell of its own on the left.
    fn differing_cells(&mut self, unresolved: &[Point], singles: &[Point]) -> Vec<Differing> {
        self.work += (unresolved.len() + singles.len()) as u64;
        let mut by_cell: FxHashMap<Cell, (Vec<Point>, Vec<Point>)> = FxHashMap::default();
        for &vertex in unresolved {
            by_cell.entry(self.left.cell_of(vertex)).or_default().0.push(vertex);
        }
        for &vertex in unresolved.iter().chain(singles) {
            let cell = self.right.cell_of(vertex);
            if !self.right.is_single(cell) {
                by_cell.entry(cell).or_default().1.push(vertex);
            }
        }
        let mut cells: Vec<Differing> =
            by_cell.into_iter().map(|(cell, (sources, targets))| (cell, sources, targets)).collect();
        cells.sort_unstable_by_key(|&(cell, ..)| cell);
        cells
    }

    /// Pairs those vertices of a cell that their neighbours tell apart; returns whether some are left.
    fn pair(&mut self, cell: Cell, sources: &mut Vec<Point>, targets: &mut Vec<Point>) -> bool {
        let mut from: Vec<(u64, Point)> =
            sources.iter().map(|&vertex| (self.signature(vertex, Side::Left, cell), vertex)).collect();
        let mut to: Vec<(u64, Point)> =
            targets.iter().map(|&vertex| (self.signature(vertex, Side::Right, cell), vertex)).collect();
        from.sort_unstable();
        to.sort_unstable();
        sources.clear();
        targets.clear();
        let mut to = to.chunk_by(|one, other| one.0 == other.0).peekable();
        for equal in from.chunk_by(|one, other| one.0 == other.0) {
            while let Some(unmatched) = to.next_if(|group| group[0].0 < equal[0].0) {
                targets.extend(unmatched.iter().map(|&(_, vertex)| vertex));
            }
            let group = to.next_if(|group| group[0].0 == equal[0].0).unwrap_or(&[]);
            if let (&[(_, vertex)], &[(_, image)]) = (equal, group) {
                self.images.insert(vertex, image);
                self.preimages.insert(image, vertex);
            } else {
                sources.extend(equal.iter().map(|&(_, vertex)| vertex));
                targets.extend(group.iter().map(|&(_, vertex)| vertex));
            }
        }
        targets.extend(to.flatten().map(|&(_, vertex)| vertex));
        !sources.is_empty() || !targets.is_empty()
    }

    /// A number that stands for the neighbours of a vertex, each as its image on the right as far as that is known.
    fn signature(&mut self, vertex: Point, side: Side, cell: Cell) -> u64 {
        let row = self.graph.row(vertex);
        self.work += 1 + row.len() as u64;
        let mut sum = cell.index() as u64;
        for neighbour in row {
            sum =
                sum.wrapping_add(mixed(self.refiner.weight(neighbour.relation), self.seen_as(neighbour.vertex, side)));
        }
        sum
    }

    /// A vertex of the right side by its number, or the cell of one that is not known there.
    fn seen_as(&self, vertex: Point, side: Side) -> u64 {
        let (here, there) = match side {
            Side::Left => (self.left, self.right),
            Side::Right => (self.right, self.left),
        };
        let cell = here.cell_of(vertex);
        let known = match side {
            Side::Left if here.is_single(cell) => Some(there.first(cell)),
            Side::Left => self.images.get(&vertex).copied(),
            Side::Right if here.is_single(cell) => Some(vertex),
            Side::Right => self.preimages.contains_key(&vertex).then_some(vertex),
        };
        match known {
            Some(vertex) => 2 * u64::from(vertex),
            None if there.cell_of(vertex) == cell => 2 * u64::from(vertex),
            None => 2 * cell.index() as u64 + 1,
        }
    }
}
