//! Representatives for any group: a search along its stabiliser chain, led by colours.
//!
//! An element `t` names for each place the object its contents come from. Level `k` chooses the source of the `k`-th base object;
//! `t` is then known up to the stabiliser of the base objects chosen for, so each orbit of that stabiliser is known as a set
//! of sources. That colours the objects; refinement along the state's references and the group's orbitals (its orbits on pairs) makes the
//! colours finer, and only sources of the rarest colour, the least among equally rare ones, are tried at the next level.
//!
//! Exactness and pruning are as in [`super::siblings`]: everything a node decides on is carried along by the group, leaves with the
//! least trace and image win, and what a verified automorphism repeats is left out.

use group::{Group, Permutation, Point};

use super::layout::Layout;
use super::objects::{Object, Objects};
use super::reading::{Reading, scramble};
use super::refine::{Automorphisms, Refinement, Relation, summary};
use super::siblings::Factor;
use super::{Found, Purpose};

/// How the search tells sources apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guidance {
    /// By refined colours.
    Colours,
    /// By what they hold by themselves, references apart; all the rest is tried.
    Contents,
}

/// A stabiliser chain prepared for the search.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) levels: Vec<Level>,
    guidance: Guidance,
    relations: Vec<Relation>,
    /// By object: a mark for its orbit.
    orbits: Vec<u64>,
    /// By object: a number that is equal for objects whose transposition is in the group.
    interchangeable: Vec<Object>,
}

#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The base object first.
    pub(super) orbit: Vec<Object>,
    /// For each object of the orbit an element that carries the base object to it.
    pub(super) representatives: Vec<Permutation>,
    /// By object: a mark for its orbit under the next stabiliser.
    marks: Vec<u64>,
}

/// With more objects, pairs are too many to look at for each state.
const MOST_OBJECTS_FOR_ORBITALS: usize = 256;

/// The buffers of a search, made once.
#[derive(Clone, Debug)]
pub(super) struct ChainSearch {
    refinement: Refinement,
    /// By level: the colours of all objects, and how many there are.
    colours: Vec<u64>,
    counts: Vec<usize>,
    /// By level: the source of each place.
    partial: Vec<Object>,
    candidates: Vec<Vec<usize>>,
    path: Vec<Object>,
    automorphisms: Automorphisms,
    best: Best,
    targets: Vec<Object>,
    image: Vec<u8>,
    sorted: Vec<u64>,
}

#[derive(Clone, Debug, Default)]
struct Best {
    traces: Vec<u64>,
    has_leaf: bool,
    path: Vec<Object>,
    sources: Vec<Object>,
    image: Vec<u8>,
    /// By level: the sources among which the path chose.
    cells: Vec<Vec<Object>>,
}

enum Next {
    Continue,
    ReturnTo(usize),
}

impl Chain {
    /// Prepares a group, given as it permutes the points.
    pub(super) fn new(group: &Group, objects: &Objects, guidance: Guidance) -> Self {
        let group = &objects.action(group);
        let derived = objects.derived();
        let mut levels = Vec::new();
        let mut stabiliser = group.clone();
        while !stabiliser.is_trivial() {
            let orbits = stabiliser.orbits();
            // Of the longest, the first. What fixes all objects but derived ones fixes these too.
            let candidates = orbits.iter().rev().filter(|orbit| !derived[orbit[0] as usize]);
            let base = candidates.max_by_key(|orbit| orbit.len()).expect("a group that moves objects has orbits")[0];
            let (orbit, representatives) = stabiliser.transversal(base).into_iter().unzip();
            stabiliser = stabiliser.point_stabiliser(base);
            levels.push(Level { orbit, representatives, marks: orbit_marks(&stabiliser) });
        }
        let relations = match guidance {
            Guidance::Colours => orbitals(group, objects),
            Guidance::Contents => Vec::new(),
        };
        let (orbits, interchangeable) = (orbit_marks(group), interchangeable(group));
        Self { levels, guidance, relations, orbits, interchangeable }
    }
}

fn orbit_marks(group: &Group) -> Vec<u64> {
    let mut marks = vec![0; group.degree()];
    for orbit in group.orbits() {
        let mark = scramble(u64::from(orbit[0]) + 1);
        orbit.iter().for_each(|&object| marks[object as usize] = mark);
    }
    marks
}

/// The orbits on pairs of different objects, without those that tell nothing: of the orbits of a point's stabiliser within an
/// orbit, the longest is known from the others. Derived objects are related to those that determine them only.
fn orbitals(group: &Group, objects: &Objects) -> Vec<Relation> {
    let mut relations = Vec::new();
    for (number, class) in objects.classes.iter().enumerate() {
        for (at, origin) in class.derivation.iter().enumerate() {
            let label = scramble((number as u64 + 1) << 48 | (at as u64 + 1) << 32);
            let start = objects.classes[origin.class].first;
            let relation = |(from, place): (Object, &u32)| Relation { from, to: start + place, label };
            relations.extend((class.first..).zip(&origin.places).map(relation));
        }
    }
    let derived = objects.derived();
    if derived.iter().filter(|derived| !**derived).count() > MOST_OBJECTS_FOR_ORBITALS {
        return relations;
    }
    let mut orbits = group.orbits();
    orbits.retain(|orbit| !derived[orbit[0] as usize]);
    for orbit in orbits.iter().filter(|orbit| orbit.len() > 1) {
        let first = orbit[0];
        let stabiliser = group.point_stabiliser(first);
        let pieces = stabiliser.orbits();
        let mut informative: Vec<&Vec<Point>> = Vec::new();
        for whole in &orbits {
            let mut parts: Vec<&Vec<Point>> =
                pieces.iter().filter(|piece| whole.binary_search(&piece[0]).is_ok()).collect();
            parts.sort_by_key(|piece| piece.len());
            parts.pop();
            informative.extend(parts.into_iter().filter(|piece| piece[..] != [first]));
        }
        for (object, carrier) in group.transversal(first) {
            for piece in &informative {
                let label = scramble(u64::MAX - (u64::from(first) << 32 | u64::from(piece[0])));
                relations.extend(piece.iter().map(|&other| Relation { from: object, to: carrier.image(other), label }));
            }
        }
    }
    relations
}

/// Within an orbit, being interchangeable is a block system: it is enough to know the block of one object.
fn interchangeable(group: &Group) -> Vec<Object> {
    let degree = group.degree();
    let mut leader: Vec<Object> = (0..degree as Object).collect();
    for orbit in group.orbits() {
        let first = orbit[0];
        let swaps = |&other: &Object| {
            Permutation::from_cycles(degree, &[[first, other]]).is_ok_and(|swap| group.contains(&swap))
        };
        let block: Vec<Object> = orbit[1..].iter().copied().filter(swaps).chain([first]).collect();
        for (_, carrier) in group.transversal(first) {
            let least = block.iter().map(|&object| carrier.image(object)).min().unwrap_or(first);
            block.iter().for_each(|&object| leader[carrier.image(object) as usize] = least);
        }
    }
    leader
}

struct Search<'a> {
    chain: &'a Chain,
    layout: &'a Layout,
    state: &'a [u8],
    reading: &'a mut Reading,
    at: &'a mut ChainSearch,
    objects: usize,
}

impl ChainSearch {
    pub(super) fn new(chain: &Chain, objects: usize, length: usize) -> Self {
        let levels = chain.levels.len() + 1;
        Self {
            refinement: Refinement::new(objects),
            colours: vec![0; objects * levels],
            counts: vec![0; levels],
            partial: (0..levels).flat_map(|_| 0..objects as Object).collect(),
            candidates: vec![Vec::new(); levels],
            path: Vec::new(),
            automorphisms: Automorphisms::new(objects),
            best: Best::default(),
            targets: vec![0; objects],
            image: vec![0; length],
            sorted: Vec::new(),
        }
    }

    /// Finds the representative of the state that has been read, and writes it to `found`.
    pub(super) fn run(
        &mut self,
        chain: &Chain,
        layout: &Layout,
        reading: &mut Reading,
        state: &[u8],
        found: &mut Found,
    ) {
        let objects = self.targets.len();
        let mut search = Search { chain, layout, state, reading, at: self, objects };
        search.start();
        search.explore(0);
        let best = &search.at.best;
        found.image.copy_from_slice(&best.image);
        found.changed = found.image != state;
        if found.purpose == Purpose::OrbitSize {
            search.stabiliser(found);
        }
    }
}

impl Search<'_> {
    fn start(&mut self) {
        let at = &mut *self.at;
        at.path.clear();
        at.automorphisms.clear();
        at.best.traces.clear();
        at.best.has_leaf = false;
        let colours = &mut at.colours[..self.objects];
        colours.copy_from_slice(&self.reading.keys);
        // Orbits of the whole group are told apart from the start.
        colours.iter_mut().zip(&self.chain.orbits).for_each(|(colour, mark)| *colour = colour.wrapping_add(*mark));
        at.counts[0] = match self.chain.guidance {
            Guidance::Colours => at.refinement.refine(colours, &self.reading.arcs, &self.chain.relations),
            Guidance::Contents => at.refinement.count(colours),
        };
    }

    fn explore(&mut self, level: usize) -> Next {
        if level == self.chain.levels.len() {
            return self.arrive();
        }
        self.choose_candidates(level);
        self.at.automorphisms.forget_classes();
        let mut explored = 0;
        for place in 0..self.at.candidates[level].len() {
            let choice = self.at.candidates[level][place];
            let source = self.source(level, choice);
            if self.repeats(level, explored, source) {
                continue;
            }
            self.descend(level, choice);
            self.at.path.push(source);
            let next = if self.is_worse(level) { Next::Continue } else { self.explore(level + 1) };
            self.at.path.pop();
            match next {
                Next::ReturnTo(above) if above < level => return next,
                Next::ReturnTo(_) | Next::Continue => {
                    self.at.candidates[level].swap(explored, place);
                    explored += 1;
                    self.at.automorphisms.forget_classes();
                }
            }
        }
        Next::Continue
    }

    fn source(&self, level: usize, choice: usize) -> Object {
        self.at.partial[level * self.objects + self.chain.levels[level].orbit[choice] as usize]
    }

    /// The choices whose source has the rarest colour, the least of equally rare ones.
    fn choose_candidates(&mut self, level: usize) {
        let orbit = &self.chain.levels[level].orbit;
        let ChainSearch { colours, counts, partial, candidates, sorted, .. } = &mut *self.at;
        let colours = &colours[level * self.objects..][..self.objects];
        let partial = &partial[level * self.objects..][..self.objects];
        let colour = |place: Object| colours[partial[place as usize] as usize];
        let chosen = if counts[level] == self.objects {
            orbit.iter().map(|&place| colour(place)).min()
        } else {
            sorted.clear();
            sorted.extend(orbit.iter().map(|&place| colour(place)));
            sorted.sort_unstable();
            sorted.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0])).min().map(|(_, colour)| colour)
        };
        candidates[level].clear();
        candidates[level].extend((0..orbit.len()).filter(|&choice| Some(colour(orbit[choice])) == chosen));
    }

    /// Makes the next level that of a choice.
    fn descend(&mut self, level: usize, choice: usize) {
        let here = &self.chain.levels[level];
        let objects = self.objects;
        let ChainSearch { colours, counts, partial, refinement, .. } = &mut *self.at;
        let (before, after) = partial.split_at_mut((level + 1) * objects);
        let before = &before[level * objects..];
        for (source, &through) in after[..objects].iter_mut().zip(here.representatives[choice].images()) {
            *source = before[through as usize];
        }
        let (known, finer) = colours.split_at_mut((level + 1) * objects);
        finer[..objects].copy_from_slice(&known[level * objects..]);
        counts[level + 1] = counts[level];
        if counts[level] < objects && self.chain.guidance == Guidance::Colours {
            for (&source, mark) in after.iter().zip(&here.marks) {
                let colour = &mut finer[source as usize];
                *colour = scramble(*colour).wrapping_add(*mark);
            }
            counts[level + 1] = refinement.refine(&mut finer[..objects], &self.reading.arcs, &self.chain.relations);
        }
    }

    /// Compares the trace of the next level with that of the best path, and makes it the best if it is less.
    fn is_worse(&mut self, level: usize) -> bool {
        let ChainSearch { colours, best, .. } = &mut *self.at;
        let trace = summary(&colours[(level + 1) * self.objects..][..self.objects]);
        match best.traces.get(level).map(|best| trace.cmp(best)) {
            Some(std::cmp::Ordering::Greater) => true,
            Some(std::cmp::Ordering::Equal) => false,
            Some(std::cmp::Ordering::Less) | None => {
                best.traces.truncate(level);
                best.traces.push(trace);
                best.has_leaf = false;
                false
            }
        }
    }

    /// Whether an automorphism that fixes the path carries an explored source to this one.
    fn repeats(&mut self, level: usize, explored: usize, source: Object) -> bool {
        if explored == 0 {
            return false;
        }
        for place in 0..explored {
            let known = self.source(level, self.at.candidates[level][place]);
            if self.is_exchangeable(known, source) {
                return true;
            }
        }
        if self.at.automorphisms.is_empty() {
            return false;
        }
        self.at.automorphisms.classify(&self.at.path);
        let class = self.at.automorphisms.leader(source);
        (0..explored).any(|place| {
            let known = self.source(level, self.at.candidates[level][place]);
            self.at.automorphisms.leader(known) == class
        })
    }

    /// Whether the transposition of two sources is in the group and leaves the state as it is.
    fn is_exchangeable(&mut self, a: Object, b: Object) -> bool {
        self.chain.interchangeable[a as usize] == self.chain.interchangeable[b as usize]
            && self.reading.is_fixed_by(self.layout, self.state, &[(a, b)])
    }

    /// A leaf: the first with the best traces and image is kept, any equal one gives an automorphism.
    fn arrive(&mut self) -> Next {
        let levels = self.chain.levels.len();
        let ChainSearch { partial, targets, image, best, automorphisms, path, candidates, .. } = &mut *self.at;
        let sources = &partial[levels * self.objects..];
        for (target, &source) in (0..).zip(sources) {
            targets[source as usize] = target;
        }
        self.reading.write_image(self.layout, self.state, sources, targets, image);
        let order = if best.has_leaf { image.cmp(&&mut best.image) } else { std::cmp::Ordering::Less };
        match order {
            std::cmp::Ordering::Greater => Next::Continue,
            std::cmp::Ordering::Less => {
                best.has_leaf = true;
                best.path.clone_from(path);
                best.sources.clear();
                best.sources.extend_from_slice(sources);
                best.image.clone_from(image);
                best.cells.resize_with(levels, Vec::new);
                for (level, (cell, candidates)) in best.cells.iter_mut().zip(candidates).enumerate() {
                    let orbit = &self.chain.levels[level].orbit;
                    let at = &partial[level * self.objects..];
                    cell.clear();
                    cell.extend(candidates.iter().map(|&choice| at[orbit[choice] as usize]));
                }
                Next::Continue
            }
            std::cmp::Ordering::Equal => {
                let images = automorphisms.add(&best.sources, sources);
                let common = best.path.iter().zip(path.iter()).take_while(|(a, b)| a == b).count();
                // Both leaves put their choices at the base objects, so the quotient carries choice to choice.
                debug_assert!(best.path.iter().zip(path.iter()).all(|(&a, &b)| images[a as usize] == b));
                Next::ReturnTo(common)
            }
        }
    }

    /// The stabiliser's order: for each level of the best path the orbit of its choice under what fixes the choices before.
    fn stabiliser(&mut self, found: &mut Found) {
        let best = std::mem::take(&mut self.at.best);
        for (level, cell) in best.cells.iter().enumerate() {
            self.at.automorphisms.forget_classes();
            self.at.automorphisms.classify(&best.path[..level]);
            for (place, &a) in cell.iter().enumerate() {
                for &b in &cell[..place] {
                    if self.is_exchangeable(a, b) {
                        self.at.automorphisms.merge(a, b);
                    }
                }
            }
            let class = self.at.automorphisms.leader(best.path[level]);
            let orbit = cell.iter().filter(|&&member| self.at.automorphisms.leader(member) == class).count();
            found.stabiliser.push(Factor::Number(orbit));
        }
        self.at.best = best;
    }
}
