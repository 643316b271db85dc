//! The search for the least image: depth first along the stabiliser chain, cut by three rules.
//!
//! At each node the choices with the least key survive, a key being what the choice makes known of the image.
//! 1. A node whose key is greater than that of the best path so far is left; one whose key is less starts a better
//!    path.
//! 2. Two leaves with equal keys at all levels have equal images, so they give an automorphism of the vector: an
//!    element that fixes it. The rest of the branch in which the second leaf lies is then known to repeat the branch of
//!    the first.
//! 3. Choices that automorphisms fixing the path so far carry to a choice already explored are skipped.
//!
//! When the search ends, each choice at a node of the best path that some automorphism makes equal to the best one has
//! been found equal; so the automorphisms that fix the path up to a level have the right orbit there, they generate the
//! stabiliser of the vector, and its order is the product of these orbits' lengths.

use std::cmp::Ordering;

use crate::permutation::{Permutation, Point};
use crate::union::DisjointSets;

use super::plan::Plan;
use super::{Representative, orbit_lengths};

/// What a search finds.
pub(super) struct Found {
    /// By place: the point its new content comes from.
    pub(super) sources: Vec<Point>,
    /// Generators of the vector's stabiliser.
    pub(super) automorphisms: Vec<Permutation>,
    /// The stabiliser's order as a product.
    pub(super) indices: Vec<usize>,
}

pub(super) struct Search<'a> {
    plan: &'a Plan,
    values: &'a [u32],
    /// The path to the present node.
    path: Path,
    /// The partial element of each level of the path, as sources by place; one after the other.
    partial: Vec<Point>,
    best: Best,
    automorphisms: Vec<Permutation>,
}

#[derive(Clone)]
struct Path {
    /// By level: the choice, as index into the level's orbit.
    choices: Vec<usize>,
    /// By level: the source chosen for the root.
    sources: Vec<Point>,
}

#[derive(Default)]
struct Best {
    /// By level: the least key known, as far as the best path has been followed.
    keys: Vec<Vec<u32>>,
    /// The leaf that has these keys; `None` while the search is on its way to it.
    leaf: Option<Leaf>,
}

struct Leaf {
    path: Path,
    sources: Vec<Point>,
}

/// How a search goes on after a node.
enum Next {
    Continue,
    /// At the node of this level on the present path; what lies between repeats what is known.
    ReturnTo(usize),
}

impl<'a> Search<'a> {
    pub(super) fn run(plan: &'a Plan, values: &'a [u32]) -> Found {
        let levels = plan.levels.len();
        let mut partial: Vec<Point> = Vec::with_capacity((levels + 1) * plan.degree);
        partial.extend(0..plan.degree as Point);
        partial.resize((levels + 1) * plan.degree, 0);
        let mut search = Self {
            plan,
            values,
            path: Path { choices: Vec::with_capacity(levels), sources: Vec::with_capacity(levels) },
            partial,
            best: Best::default(),
            automorphisms: Vec::new(),
        };
        search.explore(0);
        let leaf = search.best.leaf.expect("every path of a search leads to a leaf");
        let indices = orbit_lengths(&search.automorphisms, &leaf.path.sources);
        Found { sources: leaf.sources, automorphisms: search.automorphisms, indices }
    }

    fn explore(&mut self, level: usize) -> Next {
        if level == self.plan.levels.len() {
            return self.arrive();
        }
        let (key, choices) = self.least_choices(level);
        match self.best.keys.get(level).map(|best| key.cmp(best)) {
            Some(Ordering::Greater) => return Next::Continue,
            Some(Ordering::Equal) => {}
            Some(Ordering::Less) | None => {
                self.best.keys.truncate(level);
                self.best.keys.push(key);
                self.best.leaf = None;
            }
        }
        let mut known = KnownEqual::new(self.plan.degree);
        for choice in choices {
            let here = &self.plan.levels[level];
            let source = self.partial_of(level)[here.orbit[choice] as usize];
            if known.repeats(source, &self.automorphisms, &self.path.sources) {
                continue;
            }
            let (before, after) = self.partial.split_at_mut((level + 1) * self.plan.degree);
            let before = &before[level * self.plan.degree..];
            for (place, &through) in after.iter_mut().zip(here.representatives[choice].images()) {
                *place = before[through as usize];
            }
            self.path.choices.push(choice);
            self.path.sources.push(source);
            let next = self.explore(level + 1);
            self.path.choices.pop();
            self.path.sources.pop();
            match next {
                Next::ReturnTo(above) if above < level => return next,
                Next::ReturnTo(_) | Next::Continue => known.explored.push(source),
            }
        }
        Next::Continue
    }

    /// A leaf: the first with the best keys is kept, any further one gives an automorphism.
    fn arrive(&mut self) -> Next {
        let sources = self.partial_of(self.plan.levels.len());
        let Some(best) = &self.best.leaf else {
            self.best.leaf = Some(Leaf { path: self.path.clone(), sources: sources.to_vec() });
            return Next::Continue;
        };
        let mut images = vec![0; sources.len()];
        for (&from, &to) in best.sources.iter().zip(sources) {
            images[from as usize] = to;
        }
        self.automorphisms.push(Permutation::from_images(images).expect("a quotient of two elements is one"));
        let common = best.path.choices.iter().zip(&self.path.choices).take_while(|(a, b)| a == b).count();
        Next::ReturnTo(common)
    }

    fn partial_of(&self, level: usize) -> &[Point] {
        &self.partial[level * self.plan.degree..(level + 1) * self.plan.degree]
    }

    /// The least key among the choices at a node, and all choices that have it.
    fn least_choices(&self, level: usize) -> (Vec<u32>, Vec<usize>) {
        let here = &self.plan.levels[level];
        let partial = self.partial_of(level);
        let content = |place: Point| self.values[partial[place as usize] as usize];
        let start = match self.plan.representative {
            Representative::Minimal => here.orbit.iter().map(|&point| content(point)).min().into_iter().collect(),
            Representative::Canonical => rarest(here.orbit.iter().map(|&point| content(point)).collect()),
        };
        let chosen = start.last().copied().expect("an orbit is never empty");
        let candidates = (0..here.orbit.len()).filter(|&choice| content(here.orbit[choice]) == chosen);
        let mut least: Vec<u32> = Vec::new();
        let mut choices: Vec<usize> = Vec::new();
        let mut key: Vec<u32> = Vec::new();
        for choice in candidates {
            key.clone_from(&start);
            let moved = &here.representatives[choice];
            for cell in &here.cells {
                let begin = key.len();
                key.extend(cell.iter().map(|&place| content(moved.image(place))));
                key[begin..].sort_unstable();
            }
            let order = if choices.is_empty() { Ordering::Less } else { key.cmp(&least) };
            if order == Ordering::Less {
                std::mem::swap(&mut least, &mut key);
                choices.clear();
            }
            if order != Ordering::Greater {
                choices.push(choice);
            }
        }
        (least, choices)
    }
}

/// The rarest of the contents, the least of those equally rare: how often it occurs, and itself.
fn rarest(mut contents: Vec<u32>) -> Vec<u32> {
    contents.sort_unstable();
    let runs = contents.chunk_by(|a, b| a == b).map(|run| (run.len() as u32, run[0]));
    let (count, value) = runs.min().expect("an orbit is never empty");
    vec![count, value]
}

/// At one node: which choices the automorphisms found so far make equal to explored ones.
struct KnownEqual {
    /// Made when the first automorphism is there.
    classes: Option<DisjointSets>,
    degree: usize,
    /// How many automorphisms the classes take into account.
    merged: usize,
    explored: Vec<Point>,
}

impl KnownEqual {
    fn new(degree: usize) -> Self {
        Self { classes: None, degree, merged: 0, explored: Vec::new() }
    }

    fn repeats(&mut self, source: Point, automorphisms: &[Permutation], path: &[Point]) -> bool {
        if automorphisms.is_empty() || self.explored.is_empty() {
            return false;
        }
        let classes = self.classes.get_or_insert_with(|| DisjointSets::singletons(self.degree));
        for automorphism in &automorphisms[self.merged..] {
            if path.iter().all(|&point| automorphism.image(point) == point) {
                for (point, &image) in (0..).zip(automorphism.images()) {
                    classes.merge(point, image);
                }
            }
        }
        self.merged = automorphisms.len();
        let class = classes.least(source);
        self.explored.iter().any(|&explored| classes.least(explored) == class)
    }
}
