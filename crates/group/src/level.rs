//! One level of a stabiliser chain: the orbit of a base point, and for each orbit point an element that leads there.
//!
//! The elements hang in a shallow tree. An orbit point is either reached directly from the base point by an element
//! stored for it, or from another orbit point by a generator; no path is longer than a limit that depends on the
//! degree. Up to degree 128 the limit is one: every element is at hand, which is fastest. Beyond, it bounds the memory,
//! which would otherwise be cubic in the degree for the symmetric group. Orbit and tree only grow, and what is there
//! never changes: elements once handed out keep their meaning.

use std::sync::Arc;

use crate::permutation::{Permutation, Point};

/// A group element together with its inverse.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) forward: Permutation,
    pub(crate) backward: Permutation,
}

impl Step {
    pub(crate) fn new(forward: Permutation) -> Arc<Self> {
        let backward = forward.inverse();
        Arc::new(Self { forward, backward })
    }
}

/// The orbit of a base point under the generators added so far.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    root: Point,
    orbit: Vec<Point>,
    /// By point: the step that enters it, and how far it is from the root; absent outside the orbit.
    entries: Vec<Option<Entry>>,
    steps: Vec<Arc<Step>>,
    generators: Vec<Generator>,
}

#[derive(Clone, Debug)]
struct Generator {
    step: Arc<Step>,
    /// Where it stands in `steps`, once an orbit point is entered by it.
    index: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Index into `steps`; the root is entered by no step.
    step: u32,
    depth: u32,
}

const NO_STEP: u32 = u32::MAX;

impl Level {
    /// The orbit of `root` under no generators: the root alone.
    pub(crate) fn new(degree: usize, root: Point) -> Self {
        let mut entries = vec![None; degree];
        entries[root as usize] = Some(Entry { step: NO_STEP, depth: 0 });
        Self { root, orbit: vec![root], entries, steps: Vec::new(), generators: Vec::new() }
    }

    pub(crate) fn root(&self) -> Point {
        self.root
    }

    /// The orbit in the order of discovery, the root first.
    pub(crate) fn orbit(&self) -> &[Point] {
        &self.orbit
    }

    /// The generators added so far.
    pub(crate) fn generators(&self) -> impl ExactSizeIterator<Item = &Arc<Step>> + Clone {
        self.generators.iter().map(|generator| &generator.step)
    }

    pub(crate) fn contains(&self, point: Point) -> bool {
        self.entries[point as usize].is_some()
    }

    /// Adds a generator and every orbit point it brings within reach.
    pub(crate) fn extend(&mut self, generator: Arc<Step>) {
        let old_points = self.orbit.len();
        self.generators.push(Generator { step: generator, index: None });
        let newest = self.generators.len() - 1;
        for place in 0..old_points {
            self.reach(place, newest);
        }
        let mut place = old_points;
        while place < self.orbit.len() {
            for generator in 0..self.generators.len() {
                self.reach(place, generator);
            }
            place += 1;
        }
    }

    /// An element that carries the root to `point`, if `point` is in the orbit.
    pub(crate) fn representative(&self, point: Point) -> Option<Permutation> {
        let entry = self.entries[point as usize]?;
        if entry.depth == 1 {
            return Some(self.steps[entry.step as usize].forward.clone());
        }
        let mut inverse = Permutation::identity(self.entries.len());
        let reached = self.carry_to_root(&mut inverse, point);
        debug_assert!(reached);
        Some(inverse.inverse())
    }

    /// Multiplies `element` by the inverse of the representative of `point`; false, and nothing done, outside the
    /// orbit.
    pub(crate) fn carry_to_root(&self, element: &mut Permutation, mut point: Point) -> bool {
        let Some(mut entry) = self.entries[point as usize] else { return false };
        while entry.depth > 0 {
            let step = &self.steps[entry.step as usize];
            element.then_assign(&step.backward);
            point = step.backward.image(point);
            entry = self.entries[point as usize].expect("steps lead from orbit point to orbit point");
        }
        true
    }

    /// Enters the image of an orbit point under a generator, if it is new.
    fn reach(&mut self, place: usize, generator: usize) {
        let from = self.orbit[place];
        let image = self.generators[generator].step.forward.image(from);
        if self.entries[image as usize].is_some() {
            return;
        }
        let depth = self.entries[from as usize].expect("orbit points have entries").depth + 1;
        let entry = if depth <= depth_limit(self.entries.len()) {
            Entry { step: self.index_of_generator(generator), depth }
        } else {
            let to_from = self.representative(from).expect("an orbit point has a representative");
            self.steps.push(Step::new(to_from.then(&self.generators[generator].step.forward)));
            Entry { step: (self.steps.len() - 1) as u32, depth: 1 }
        };
        self.entries[image as usize] = Some(entry);
        self.orbit.push(image);
    }

    fn index_of_generator(&mut self, generator: usize) -> u32 {
        let Generator { step, index } = &mut self.generators[generator];
        *index.get_or_insert_with(|| {
            self.steps.push(Arc::clone(step));
            (self.steps.len() - 1) as u32
        })
    }
}

fn depth_limit(degree: usize) -> u32 {
    if degree <= 128 { 1 } else { 3 }
}
