//! Representatives for any group: a search along its stabiliser chain, led by colours.
//!
//! An element `t` names for each place the object its contents come from. Level `k` chooses the source of the `k`-th base object;
//! `t` is then known up to the stabiliser of the base objects chosen for, so each orbit of that stabiliser is known as a set
//! of sources. That colours the objects, and only sources of the rarest colour, the least among equally rare ones, are tried at the next
//! level. Where these are several, refinement along the state's references and the group's orbitals (its orbits on pairs) makes the
//! colours finer first.
//!
//! A node is a leaf as soon as what is still free of `t`, a conjugate of the stabiliser, leaves the state as it is: its
//! generators are tried. In a state most of whose objects are alike, as in a network with few messages, that is so after one or two choices.
//!
//! Exactness and pruning are as in [`super::siblings`]: everything a node decides on is carried along by the group, leaves with the
//! least trace and image win, and what a verified automorphism repeats is left out.

use group::{Group, Permutation};

use super::best::{Best, Factor, Next, Node};
use super::layout::Layout;
use super::objects::{Class, Object, Objects, Origin};
use super::orbitals::orbitals;
use super::reading::{Arc, Reading, scramble};
use super::refine::{Automorphisms, Refinement, Relations, summary};
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
    relations: Relations,
    /// By object: a mark for its orbit.
    orbits: Vec<u64>,
    /// By object: a number that is equal for objects whose transposition is in the group.
    interchangeable: Vec<Object>,
    colouring: Colouring,
}

/// Which objects have colours.
///
/// Derived objects that hold nothing, such as the locations between which a node chooses a neighbour, are but names: to refer to one is
/// to refer to the objects that determine it. So they need no colours, of which there often are many.
#[derive(Clone, Debug)]
struct Colouring {
    /// The objects before this one have colours.
    coloured: usize,
    /// By object from there on: what determines it, with labels.
    origins: Vec<Vec<(Object, u64)>>,
}

impl Colouring {
    fn new(objects: &Objects, layout: &Layout) -> Self {
        let holds_nothing = |class: &Class| {
            !class.derivation.is_empty()
                && layout.runs_of(class.first).is_empty()
                && layout.names_of(class.first).is_empty()
        };
        let names = objects.classes.iter().rev().take_while(|class| holds_nothing(class)).count();
        let (coloured, names) = objects.classes.split_at(objects.classes.len() - names);
        let coloured = coloured.iter().map(|class| class.count).sum();
        let mut origins = Vec::new();
        for (number, class) in (1u64..).zip(names) {
            for object in 0..class.count {
                let origin = |(at, origin): (u64, &Origin)| {
                    let first = objects.classes[origin.class].first;
                    (first + origin.places[object], scramble(number << 16 | at))
                };
                origins.push((1..).zip(&class.derivation).map(origin).collect());
            }
        }
        Self { coloured, origins }
    }

    fn origins_of(&self, object: Object) -> &[(Object, u64)] {
        &self.origins[object as usize - self.coloured]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The base object first.
    pub(super) orbit: Vec<Object>,
    /// For each object of the orbit an element that carries the base object to it.
    pub(super) representatives: Vec<Permutation>,
    /// By object: a mark for its orbit under the next stabiliser.
    marks: Vec<u64>,
    /// What generates the group of which this orbit is one: for each element the objects that it moves, and where to.
    generators: Vec<Moves>,
}

/// The objects that an element moves, and where to, in the order of the objects.
#[derive(Clone, Debug)]
struct Moves {
    list: Vec<(Object, Object)>,
    /// How many of them have colours.
    coloured: usize,
}

/// Of more generators it takes too long to find out which can be spared.
const MOST_TO_REDUCE: usize = 16;

/// More automorphisms than that are not worth collecting from generators that happen to be some.
const MOST_COLLECTED: usize = 32;

/// The buffers of a search, made once.
#[derive(Clone, Debug)]
pub(super) struct ChainSearch {
    refinement: Refinement,
    /// By level: the colours of all objects, and whether they all differ.
    colours: Vec<u64>,
    discrete: Vec<bool>,
    /// By level: the source of each place.
    partial: Vec<Object>,
    candidates: Vec<Vec<usize>>,
    path: Vec<Object>,
    automorphisms: Automorphisms,
    best: Best,
    targets: Vec<Object>,
    image: Vec<u8>,
    sorted: Vec<u64>,
    /// By object: where a conjugate of a generator takes it; the identity between uses.
    conjugate: Vec<Object>,
    /// The references between objects with colours.
    arcs: Vec<Arc>,
    /// At the node looked at last: the first generator that changes the state.
    failing: usize,
}

/// What is wanted of a generator that may leave the state as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fixing {
    /// To know whether it does.
    Asked,
    /// To keep it as an automorphism if it does.
    Collected,
    /// It does, and is kept.
    Known,
}

impl Chain {
    /// Prepares a group, given as it permutes the points.
    pub(super) fn new(group: &Group, objects: &Objects, layout: &Layout, guidance: Guidance) -> Self {
        let group = &objects.action(group);
        let colouring = Colouring::new(objects, layout);
        let derived = objects.derived();
        let mut levels = Vec::new();
        let mut stabiliser = group.clone();
        while !stabiliser.is_trivial() {
            let orbits = stabiliser.orbits();
            // Of the longest, the first. What fixes all objects but derived ones fixes these too.
            let candidates = orbits.iter().rev().filter(|orbit| !derived[orbit[0] as usize]);
            let base = candidates.max_by_key(|orbit| orbit.len()).expect("a group that moves objects has orbits")[0];
            let (orbit, representatives) = stabiliser.transversal(base).into_iter().unzip();
            let generators = match guidance {
                Guidance::Colours => moves(&stabiliser, colouring.coloured),
                Guidance::Contents => Vec::new(),
            };
            stabiliser = stabiliser.point_stabiliser(base);
            levels.push(Level { orbit, representatives, marks: orbit_marks(&stabiliser), generators });
        }
        let relations = match guidance {
            Guidance::Colours => orbitals(group, objects, colouring.coloured),
            Guidance::Contents => Relations::default(),
        };
        let (orbits, interchangeable) = (orbit_marks(group), interchangeable(group));
        Self { levels, guidance, relations, orbits, interchangeable, colouring }
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

/// Few generators of a group, as the objects that each moves.
fn moves(group: &Group, coloured: usize) -> Vec<Moves> {
    let moved = |element: &Permutation| {
        let images = (0..).zip(element.images().iter().copied());
        let list: Vec<(Object, Object)> = images.filter(|(object, image)| object != image).collect();
        Moves { coloured: list.partition_point(|&(object, _)| (object as usize) < coloured), list }
    };
    if group.generators().len() > MOST_TO_REDUCE {
        return group.generators().iter().map(moved).collect();
    }
    group.with_reduced_generators().generators().iter().map(moved).collect()
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
    coloured: usize,
    /// The objects before this one matter in the state: all, or those with colours if no other one is referred to.
    limit: usize,
}

impl ChainSearch {
    pub(super) fn new(chain: &Chain, objects: usize, length: usize) -> Self {
        let levels = chain.levels.len() + 1;
        let coloured = chain.colouring.coloured;
        Self {
            refinement: Refinement::new(coloured),
            colours: vec![0; coloured * levels],
            discrete: vec![false; levels],
            partial: (0..levels).flat_map(|_| 0..objects as Object).collect(),
            candidates: vec![Vec::new(); levels],
            path: Vec::new(),
            automorphisms: Automorphisms::new(coloured),
            best: Best::default(),
            targets: vec![0; objects],
            image: vec![0; length],
            sorted: Vec::new(),
            conjugate: (0..objects as Object).collect(),
            arcs: Vec::new(),
            failing: 0,
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
        let coloured = chain.colouring.coloured;
        let limit = if reading.refers_beyond(coloured) { objects } else { coloured };
        let mut search = Search { chain, layout, state, reading, at: self, objects, coloured, limit };
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
        at.best.clear();
        at.discrete[0] = false;
        let colours = &mut at.colours[..self.coloured];
        // Orbits of the whole group are told apart from the start.
        for ((colour, key), mark) in colours.iter_mut().zip(&self.reading.keys).zip(&self.chain.orbits) {
            *colour = key.wrapping_add(*mark);
        }
        // What is said of objects without colours is said of those that determine them.
        let colouring = &self.chain.colouring;
        let referred = if self.limit > self.coloured { &self.reading.keys[self.coloured..] } else { &[] };
        for (key, origins) in referred.iter().zip(&colouring.origins) {
            for &(origin, label) in origins.iter().filter(|_| *key != 0) {
                let colour = &mut colours[origin as usize];
                *colour = colour.wrapping_add(scramble(key.wrapping_add(label)));
            }
        }
        at.arcs.clear();
        self.reading.find_arcs(self.layout);
        for arc in self.reading.arcs() {
            if (arc.to as usize) < self.coloured {
                at.arcs.push(*arc);
                continue;
            }
            let to_origin = |&(to, label): &(Object, u64)| Arc { to, label: arc.label.wrapping_add(label), ..*arc };
            at.arcs.extend(colouring.origins_of(arc.to).iter().map(to_origin));
        }
    }

    fn explore(&mut self, level: usize) -> Next {
        let node = if self.is_settled(level) { Node::Leaf } else { Node::Inner };
        if node == Node::Inner {
            self.choose_candidates(level);
            while self.at.candidates[level].len() > 1 && self.refine(level) {
                self.choose_candidates(level);
            }
            if self.at.candidates[level].len() > 1 {
                self.collect_automorphisms(level);
            }
        }
        let summary = summary(&self.at.colours[level * self.coloured..][..self.coloured]);
        if !self.at.best.admits(level, summary, node) {
            return Next::Continue;
        }
        match node {
            Node::Leaf => self.arrive(level),
            Node::Inner => self.branch(level),
        }
    }

    /// Whether everything that is still free leaves the state as it is; notes the first generator that does not.
    fn is_settled(&mut self, level: usize) -> bool {
        let chain = self.chain;
        let Some(here) = chain.levels.get(level) else { return true };
        let failing = here.generators.iter().position(|generator| !self.is_fixed_by(level, generator, Fixing::Asked));
        self.at.failing = failing.unwrap_or(here.generators.len());
        !here.generators.is_empty() && failing.is_none()
    }

    /// Generators that leave the state as it is are automorphisms that fix the path, and kept for pruning.
    fn collect_automorphisms(&mut self, level: usize) {
        let chain = self.chain;
        let failing = self.at.failing;
        for (number, generator) in chain.levels[level].generators.iter().enumerate().filter(|each| each.0 != failing) {
            if self.at.automorphisms.count() >= MOST_COLLECTED {
                return;
            }
            let fixing = if number < failing { Fixing::Known } else { Fixing::Collected };
            self.is_fixed_by(level, generator, fixing);
        }
    }

    /// Whether the conjugate of a generator that fixes the path leaves the state as it is. It then keeps all colours.
    fn is_fixed_by(&mut self, level: usize, generator: &Moves, fixing: Fixing) -> bool {
        let ChainSearch { partial, conjugate, automorphisms, colours, .. } = &mut *self.at;
        let partial = &partial[level * self.objects..][..self.limit];
        let colours = &colours[level * self.coloured..][..self.coloured];
        let source = |place: Object| partial[place as usize];
        let (with_colours, names) = generator.list.split_at(generator.coloured);
        let colour = |place: Object| colours[source(place) as usize];
        if fixing != Fixing::Known && with_colours.iter().any(|&(from, to)| colour(from) != colour(to)) {
            return false;
        }
        self.reading.find_kinds(self.layout, self.state);
        let mut sources = with_colours.iter().map(|&(from, to)| (source(from), source(to)));
        if fixing != Fixing::Known && sources.clone().any(|(a, b)| !self.reading.are_alike(a, b)) {
            return false;
        }
        if fixing == Fixing::Asked && self.limit == self.coloured && sources.all(|(a, _)| self.reading.is_apart(a)) {
            return true;
        }
        let names = if self.limit == self.coloured { &[] } else { names };
        let moves = with_colours.iter().chain(names);
        for &(from, to) in moves.clone() {
            conjugate[source(from) as usize] = source(to);
        }
        let image = |object: Object| conjugate[object as usize];
        let moved = moves.clone().map(|&(from, _)| source(from));
        let fixed = fixing == Fixing::Known || self.reading.is_fixed_under(self.layout, moved, image);
        if fixed && fixing != Fixing::Asked {
            automorphisms.add_images(image);
        }
        for &(from, _) in moves {
            conjugate[source(from) as usize] = source(from);
        }
        fixed
    }

    fn branch(&mut self, level: usize) -> Next {
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
            let next = self.explore(level + 1);
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
        let ChainSearch { colours, discrete, partial, candidates, sorted, .. } = &mut *self.at;
        let colours = &colours[level * self.coloured..][..self.coloured];
        let partial = &partial[level * self.objects..][..self.objects];
        let colour = |place: Object| colours[partial[place as usize] as usize];
        let chosen = if discrete[level] {
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

    /// Refines the colours of a level a little; whether that told more objects apart.
    fn refine(&mut self, level: usize) -> bool {
        if self.chain.guidance != Guidance::Colours || self.at.discrete[level] {
            return false;
        }
        let ChainSearch { colours, discrete, refinement, arcs, .. } = &mut *self.at;
        let colours = &mut colours[level * self.coloured..][..self.coloured];
        let refined = refinement.refine_once(colours, arcs, &self.chain.relations);
        discrete[level] = refined.count == self.coloured;
        refined.is_finer
    }

    /// Makes the next level that of a choice.
    fn descend(&mut self, level: usize, choice: usize) {
        let here = &self.chain.levels[level];
        let objects = self.objects;
        let ChainSearch { colours, discrete, partial, .. } = &mut *self.at;
        let (before, after) = partial.split_at_mut((level + 1) * objects);
        let (before, after) = (&before[level * objects..], &mut after[..self.limit]);
        for (source, &through) in after.iter_mut().zip(here.representatives[choice].images()) {
            *source = before[through as usize];
        }
        let coloured = self.coloured;
        let (known, finer) = colours.split_at_mut((level + 1) * coloured);
        let (known, finer) = (&known[level * coloured..], &mut finer[..coloured]);
        discrete[level + 1] = discrete[level];
        if discrete[level] || self.chain.guidance == Guidance::Contents {
            finer.copy_from_slice(known);
            return;
        }
        for (&source, mark) in after[..coloured].iter().zip(&here.marks) {
            finer[source as usize] = scramble(known[source as usize]).wrapping_add(*mark);
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
    fn arrive(&mut self, level: usize) -> Next {
        let ChainSearch { partial, targets, image, best, automorphisms, path, candidates, .. } = &mut *self.at;
        let sources = &partial[level * self.objects..][..self.limit];
        for (target, &source) in (0..).zip(sources) {
            targets[source as usize] = target;
        }
        self.reading.write_image(self.layout, self.state, sources, targets, image);
        match best.compare(image) {
            std::cmp::Ordering::Greater => Next::Continue,
            std::cmp::Ordering::Less => {
                best.keep(path, sources, image);
                for (above, (cell, candidates)) in best.cells.iter_mut().zip(candidates).take(level).enumerate() {
                    let orbit = &self.chain.levels[above].orbit;
                    let at = &partial[above * self.objects..];
                    cell.clear();
                    cell.extend(candidates.iter().map(|&choice| at[orbit[choice] as usize]));
                }
                Next::Continue
            }
            std::cmp::Ordering::Equal => {
                let images = automorphisms.add(&best.sources[..self.coloured], &sources[..self.coloured]);
                // Both leaves put their choices at the base objects, so the quotient carries choice to choice.
                debug_assert!(best.path.iter().zip(path.iter()).all(|(&a, &b)| images[a as usize] == b));
                Next::ReturnTo(best.common(path))
            }
        }
    }

    /// The stabiliser's order: for each level of the best path the orbit of its choice under what fixes the choices before, and
    /// all that is free at its leaf.
    fn stabiliser(&mut self, found: &mut Found) {
        let best = std::mem::take(&mut self.at.best);
        for (level, cell) in best.cells[..best.path.len()].iter().enumerate() {
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
        let free = self.chain.levels[best.path.len()..].iter();
        found.stabiliser.extend(free.map(|level| Factor::Number(level.orbit.len())));
        self.at.best = best;
    }
}
