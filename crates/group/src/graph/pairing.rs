//! Is there an automorphism that carries one vertex to another, above a partition that it keeps?
//!
//! Two copies of the partition, left and right, are refined side by side: the left gives a vertex a cell for itself,
//! the right tries a vertex of the same cell as its image, and the traces must agree. A trial that deviates is taken
//! back; a frame whose trials all deviate ends the trial below it. When every cell of more than one vertex holds the *same*
//! vertices on both sides, the vertices in cells of their own determine a permutation that fixes all the others, and it
//! is verified at once: what the trials have not touched is never looked at, and the permutation moves few points.
//! (This early end is due to saucy: Darga, Sakallah, Markov, "Faster symmetry discovery using sparsity of symmetries",
//! 2008. Everything accepted is verified, and no trial is skipped without proof, so answers are exact.)
//!
//! ```text
//! open(v):   left   … {v}            one refinement, for all trials
//! attempt(w):       right … {w}      then {x} ↔ {y}, … until the rest agrees
//! ```

use super::adjacency::Graph;
use super::differences::Differences;
use super::guess;
use super::partition::{Cell, Mark, Partition};
use super::probe;
use super::refine::{Followed, Recorded, Refinement, Refiner};
use super::sparse::SparsePermutation;
use super::verify::Verifier;
use crate::permutation::Point;

/// Two partitions of one graph with the same cells, and a stack of paired vertices above them.
#[derive(Clone, Debug)]
pub(super) struct Pairing<'a> {
    graph: &'a Graph,
    refiner: Refiner,
    left: Partition,
    right: Partition,
    /// The trace of all refinements on the left, one after the other.
    trace: Vec<u64>,
    frames: Vec<Frame>,
    refusals: Refusals,
    /// Exact for the frames that both sides have refined.
    differences: Differences,
    verifier: Verifier,
    /// The permutation under verification; the identity otherwise.
    images: Vec<Point>,
}

/// A vertex with a cell of its own on the left, and its possible images on the right.
#[derive(Clone, Debug)]
struct Frame {
    left: Mark,
    right: Mark,
    trace_start: usize,
    /// Where images are found.
    cell: Cell,
    first_image: Point,
    /// Images that are still to be tried, once the first has failed.
    untried: Option<Vec<Point>>,
    /// How many more images must fail to prove that there is none.
    trials: usize,
}

/// Images of the vertex last opened that the first refinement has refused.
#[derive(Clone, Copy, Debug, Default)]
struct Refusals {
    count: usize,
    /// How much of the trace was followed, altogether.
    events: usize,
}

/// Which vertices are paired next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guide<'a> {
    /// Those in or beside cells where the two sides differ. Gives up after this number of failures.
    Differences { patience: usize },
    /// The rest of the base, one after the other.
    Base(&'a [BasePoint]),
}

/// A vertex of the path by which the first discrete partition was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct BasePoint {
    pub(super) vertex: Point,
    /// How many images in its cell must fail to prove that there is none.
    pub(super) trials: usize,
}

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// An automorphism, verified.
    Found(SparsePermutation),
    /// There is none.
    Impossible,
    /// Patience or work ended before the search did.
    GaveUp,
}

impl<'a> Pairing<'a> {
    /// Starts from one partition on both sides.
    pub(super) fn new(graph: &'a Graph, refiner: Refiner, partition: Partition) -> Self {
        Self {
            graph,
            refiner,
            right: partition.clone(),
            left: partition,
            trace: Vec::new(),
            frames: Vec::new(),
            refusals: Refusals::default(),
            differences: Differences::none(graph.order()),
            verifier: Verifier::new(graph.order()),
            images: (0..graph.order() as Point).collect(),
        }
    }

    /// The number of vertices and neighbours looked at so far.
    pub(super) fn work(&self) -> u64 {
        self.refiner.work()
    }

    /// The vertices that share a cell with `vertex` while nothing is tried.
    pub(super) fn mates(&self, vertex: Point) -> &[Point] {
        self.right.members(self.right.cell_of(vertex))
    }

    /// Whether the vertices share a cell while nothing is tried.
    pub(super) fn share_cell(&self, one: Point, other: Point) -> bool {
        self.right.cell_of(one) == self.right.cell_of(other)
    }

    /// Goes back to an earlier partition on both sides; only while nothing is open.
    pub(super) fn undo_to(&mut self, mark: Mark) {
        debug_assert!(self.frames.is_empty());
        self.left.undo_to(mark);
        self.right.undo_to(mark);
    }

    /// Prepares attempts to carry `vertex`, which shares its cell with others, to these.
    pub(super) fn open(&mut self, vertex: Point) {
        debug_assert!(self.frames.is_empty());
        self.refusals = Refusals::default();
        self.push_frame(vertex, vertex, 1);
    }

    /// Ends the attempts with the vertex last opened.
    pub(super) fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            debug_assert!(self.frames.is_empty());
            self.left.undo_to(frame.left);
            self.trace.clear();
        }
    }

    /// Searches for an automorphism that keeps the cells of the common partition and carries the vertex last opened to
    /// `image`, until the work done altogether exceeds the limit.
    pub(super) fn attempt(&mut self, image: Point, guide: Guide<'_>, limit: u64) -> Attempt {
        let mut candidate = image;
        let mut failures = 0;
        let outcome = loop {
            if self.work() > limit {
                break Attempt::GaveUp;
            }
            if self.follow(candidate) {
                if let Some(found) = self.candidate() {
                    break Attempt::Found(found);
                }
                if !self.left.is_discrete() {
                    candidate = self.descend(guide);
                    continue;
                }
            }
            failures += 1;
            match self.next_candidate() {
                None => break Attempt::Impossible,
                Some(next) => candidate = next,
            }
            if matches!(guide, Guide::Differences { patience } if failures > patience) {
                break Attempt::GaveUp;
            }
        };
        self.abandon();
        outcome
    }

    /// The number of images that the first refinement has refused since the last opening.
    pub(super) fn refusals(&self) -> usize {
        self.refusals.count
    }

    /// Those vertices sharing a cell with `vertex` that traces of a quarter of the length that refusals had do not tell
    /// from it.
    pub(super) fn survivors(&mut self, vertex: Point) -> Vec<Point> {
        let events = self.refusals.events / self.refusals.count.max(1) / 4;
        probe::survivors(self.graph, &mut self.refiner, &mut self.right, vertex, events.max(1))
    }

    /// Refines the right side with `candidate` as the image of the top frame's vertex. If the trace is that of the left
    /// side, brings the differences up to date; otherwise leaves the right side as it was.
    fn follow(&mut self, candidate: Point) -> bool {
        let (left_mark, right_mark, trace_start) = {
            let frame = self.top();
            (frame.left, frame.right, frame.trace_start)
        };
        let mut trace = Followed(&self.trace[trace_start..]);
        let refinement = self.refiner.individualise(self.graph, &mut self.right, candidate, &mut trace);
        if refinement == Refinement::Deviates {
            if self.frames.len() == 1 {
                self.refusals.count += 1;
                self.refusals.events += self.trace.len() - trace.0.len();
            }
            self.right.undo_to(right_mark);
            return false;
        }
        self.differences.note_splits(&self.left, left_mark, &self.right, right_mark);
        true
    }

    /// Adds a frame for the next vertex to be paired; returns the first image to try.
    fn descend(&mut self, guide: Guide<'_>) -> Point {
        let (vertex, trials) = match guide {
            Guide::Base(points) => {
                let point = points[self.frames.len() - 1];
                (point.vertex, point.trials)
            }
            Guide::Differences { .. } => {
                // Without differences, a permutation was refused: pair anything to find out more.
                let vertex = self.differences.closer().or_else(|| self.differences.any().map(|v| self.steadier(v)));
                let vertex = vertex.unwrap_or_else(|| {
                    let cell = self.left.cells().find(|&cell| !self.left.is_single(cell));
                    self.left.first(cell.expect("the partition is not discrete"))
                });
                (vertex, self.left.length(self.left.cell_of(vertex)))
            }
        };
        let image = self.promising_image(vertex);
        self.push_frame(vertex, image, trials);
        image
    }

    /// A neighbour of the unresolved vertex that could be carried to itself, or else the vertex.
    fn steadier(&self, vertex: Point) -> Point {
        let steady = |&vertex: &Point| {
            let cell = self.left.cell_of(vertex);
            cell == self.right.cell_of(vertex) && !self.left.is_single(cell)
        };
        let neighbours = self.graph.row(vertex).iter().take(16).map(|neighbour| neighbour.vertex);
        neighbours.into_iter().find(steady).unwrap_or(vertex)
    }

    /// The vertex itself, or the one that it would be exchanged with, or else any.
    fn promising_image(&self, vertex: Point) -> Point {
        let (cell, other_cell) = (self.left.cell_of(vertex), self.right.cell_of(vertex));
        if cell == other_cell {
            return vertex;
        }
        let preimage = self.left.first(other_cell);
        if self.right.cell_of(preimage) == cell { preimage } else { self.right.first(cell) }
    }

    fn push_frame(&mut self, vertex: Point, first_image: Point, trials: usize) {
        self.frames.push(Frame {
            left: self.left.mark(),
            right: self.right.mark(),
            trace_start: self.trace.len(),
            cell: self.left.cell_of(vertex),
            first_image,
            untried: None,
            trials,
        });
        self.refiner.individualise(self.graph, &mut self.left, vertex, &mut Recorded(&mut self.trace));
    }

    /// Takes back what the last candidate did, and frames without further candidates; returns the next candidate.
    fn next_candidate(&mut self) -> Option<Point> {
        while self.frames.len() > 1 {
            self.retract_right();
            let right = &self.right;
            let frame = self.frames.last_mut().expect("there is more than one frame");
            frame.trials -= 1;
            if frame.trials > 0 {
                let (cell, first) = (frame.cell, frame.first_image);
                let others = || right.members(cell).iter().copied().filter(|&vertex| vertex != first).collect();
                if let Some(next) = frame.untried.get_or_insert_with(others).pop() {
                    return Some(next);
                }
            }
            self.pop_frame();
        }
        None
    }

    /// Takes back what the right side did in the top frame.
    fn retract_right(&mut self) {
        let mark = self.top().right;
        let affected = Differences::affected(&self.right, mark);
        self.right.undo_to(mark);
        self.note(affected);
    }

    /// Removes the top frame, in which the right side has done nothing, and takes back what the left side did in it.
    fn pop_frame(&mut self) {
        let frame = self.frames.pop().expect("only called with frames");
        let affected = Differences::affected(&self.left, frame.left);
        self.left.undo_to(frame.left);
        self.trace.truncate(frame.trace_start);
        self.note(affected);
    }

    fn note(&mut self, vertices: Vec<Point>) {
        for vertex in vertices {
            self.differences.note(&self.left, &self.right, vertex);
        }
    }

    /// Takes everything back but the first frame's left side.
    fn abandon(&mut self) {
        if let Some(second) = self.frames.get(1) {
            self.left.undo_to(second.left);
            self.trace.truncate(second.trace_start);
        }
        self.right.undo_to(self.frames[0].right);
        self.frames.truncate(1);
        // Below the first frame the sides agree everywhere.
        self.differences.clear();
    }

    /// An automorphism that both sides allow, if one is at hand.
    fn candidate(&mut self) -> Option<SparsePermutation> {
        if self.differences.is_empty() {
            return self.verified(&[]);
        }
        // Guessing costs as much as the differences are large, so it is not done after every step of a long way.
        if !self.frames.len().is_power_of_two() {
            return None;
        }
        let splits = self.left.splits_since(self.frames[0].left).iter();
        let cells = splits.flat_map(|split| [split.kept, split.fresh]).filter(|&cell| self.left.is_single(cell));
        let mut singles: Vec<Point> = cells.map(|cell| self.left.first(cell)).collect();
        singles.sort_unstable();
        singles.dedup();
        let Pairing { graph, left, right, .. } = self;
        let (pairs, work) = guess::pairs(graph, left, right, self.differences.unresolved(), &singles, &self.refiner);
        self.refiner.add_work(work);
        self.verified(&pairs?)
    }

    /// The permutation that carries every vertex in a cell of its own to the one on the right, does this to some others,
    /// and fixes the rest, if it is an automorphism. The others are those on which the sides differ, so it is a permutation
    /// unless two different traces have the same numbers; that is made sure of, too.
    fn verified(&mut self, others: &[(Point, Point)]) -> Option<SparsePermutation> {
        let mut moved = Vec::new();
        for &(vertex, image) in others {
            self.images[vertex as usize] = image;
            moved.push(vertex);
        }
        for split in self.left.splits_since(self.frames[0].left) {
            for cell in [split.kept, split.fresh] {
                let (vertex, image) = (self.left.first(cell), self.right.first(cell));
                // A cell is met with every split that it took part in.
                if self.left.is_single(cell) && vertex != image && self.images[vertex as usize] == vertex {
                    self.images[vertex as usize] = image;
                    moved.push(vertex);
                }
            }
        }
        let accepted = self.permutes(&moved) && self.verifier.accepts(self.graph, &self.images, &moved);
        let moves: Vec<(Point, Point)> =
            moved.into_iter().map(|vertex| (vertex, self.images[vertex as usize])).collect();
        for &(vertex, _) in &moves {
            self.images[vertex as usize] = vertex;
        }
        accepted.then(|| SparsePermutation::from_moves(self.graph.order(), moves))
    }

    /// Whether the images of these vertices are the same vertices.
    fn permutes(&self, moved: &[Point]) -> bool {
        let mut vertices = moved.to_vec();
        let mut images: Vec<Point> = moved.iter().map(|&vertex| self.images[vertex as usize]).collect();
        vertices.sort_unstable();
        images.sort_unstable();
        vertices == images
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("attempts are made between opening and closing")
    }
}
