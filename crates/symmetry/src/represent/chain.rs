//! Representatives for any group: a search along its stabiliser chain, led by colours.
//!
//! An element `t` names for each place the object its contents come from. Each stage ([`super::stages`]) chooses the source of one place
//! more; `t` is then known up to the stabiliser of the places chosen for, so each orbit of that stabiliser is known as a set
//! of sources. That colours the objects, and only sources of the rarest colour of an orbit, the least among equally rare ones, are tried
//! next. Where these are several, refinement along the state's references and the group's orbitals (its orbits on pairs) makes the
//! colours finer first.
//!
//! A node is a leaf as soon as what is still free of `t`, a conjugate of the stabiliser, leaves the state as it is. In a state most of whose
//! objects are alike, as in a network with few messages, that is so after one or two choices.
//!
//! Exactness and pruning are as in [`super::siblings`]: everything a node decides on is carried along by the group, leaves with the
//! least trace and image win, and what a verified automorphism repeats is left out.

use super::best::{Best, Factor, Next, Node};
use super::layout::Layout;
use super::objects::Object;
use super::reading::{Arc, Reading, scramble};
use super::refine::{Automorphisms, BACKWARD, Refinement, summary};
use super::stages::{Chain, Choice, Guidance, Moves, Stage};
use super::{Found, Purpose};

/// So many candidates are tried without refining colours.
const FEW: usize = 2;

/// More automorphisms than that are not worth collecting from generators that happen to be some.
const MOST_COLLECTED: usize = 32;

/// The buffers of a search, made once.
#[derive(Clone, Debug)]
pub(super) struct ChainSearch {
    refinement: Refinement,
    /// By level: the colours of all objects, and whether they all differ.
    colours: Vec<u64>,
    discrete: Vec<bool>,
    /// By level: the stage.
    stages: Vec<usize>,
    /// By level above the first: the choice that led to it.
    chosen: Vec<usize>,
    /// By level: the source of each place; for places without colours only if that has been asked for.
    partial: Vec<Object>,
    is_whole: Vec<bool>,
    /// By level: the choices to try, all of one orbit.
    candidates: Vec<Vec<usize>>,
    path: Vec<Object>,
    automorphisms: Automorphisms,
    best: Best,
    /// The stage of the best leaf.
    leaf: usize,
    targets: Vec<Object>,
    image: Vec<u8>,
    /// The choices of an orbit whose sources have other colours than the last one.
    others: Vec<(u64, usize)>,
    /// By object: where a conjugate of a generator takes it; the identity between uses.
    conjugate: Vec<Object>,
    /// The references between objects with colours.
    arcs: Vec<Arc>,
    /// What references add to colours.
    travelling: Vec<(Object, u64)>,
    /// The objects without colours that are referred to, and by object with a colour whether it determines one of them.
    named: Vec<Object>,
    determines: Vec<bool>,
    /// Whether a node had more than one candidate: before, there is nothing to compare nodes with.
    has_branched: bool,
}

/// What is wanted of a generator that may leave the state as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fixing {
    /// To know whether it does.
    Asked,
    /// To keep it as an automorphism if it does.
    Collected,
}

/// Whether the sources of each orbit have one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Uniformity {
    All,
    NotAll,
}

struct Search<'a> {
    chain: &'a Chain,
    layout: &'a Layout,
    state: &'a [u8],
    reading: &'a mut Reading,
    at: &'a mut ChainSearch,
    objects: usize,
    coloured: usize,
}

impl ChainSearch {
    pub(super) fn new(chain: &Chain, objects: usize, length: usize) -> Self {
        let levels = chain.depth + 1;
        let coloured = chain.colouring.coloured;
        Self {
            refinement: Refinement::new(coloured),
            colours: vec![0; coloured * levels],
            discrete: vec![false; levels],
            stages: vec![0; levels],
            chosen: vec![0; levels],
            is_whole: vec![true; levels],
            partial: (0..levels).flat_map(|_| 0..objects as Object).collect(),
            candidates: vec![Vec::new(); levels],
            path: Vec::new(),
            automorphisms: Automorphisms::new(coloured),
            best: Best::default(),
            leaf: 0,
            targets: vec![0; objects],
            image: vec![0; length],
            others: Vec::new(),
            conjugate: (0..objects as Object).collect(),
            arcs: Vec::new(),
            travelling: Vec::new(),
            named: Vec::new(),
            determines: vec![false; coloured],
            has_branched: false,
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
        let mut search = Search { chain, layout, state, reading, at: self, objects, coloured };
        search.start();
        search.explore(0);
        std::mem::swap(&mut found.image, &mut search.at.best.image);
        found.changed = found.image != state;
        if found.purpose == Purpose::OrbitSize {
            search.stabiliser(found);
        }
    }
}

impl<'a> Search<'a> {
    fn start(&mut self) {
        let at = &mut *self.at;
        at.path.clear();
        at.automorphisms.clear();
        at.best.clear();
        at.discrete[0] = false;
        at.has_branched = false;
        let colours = &mut at.colours[..self.coloured];
        // Orbits of the whole group are told apart from the start.
        for ((colour, key), mark) in colours.iter_mut().zip(&self.reading.keys).zip(&self.chain.stages[0].marks) {
            *colour = key.wrapping_add(*mark);
        }
        self.find_references();
    }

    /// Lists the references between objects with colours. What is said of objects without is said of those that determine them.
    fn find_references(&mut self) {
        let colouring = &self.chain.colouring;
        let ChainSearch { colours, arcs, named, determines, .. } = &mut *self.at;
        for object in named.drain(..) {
            colouring.origins_of(object).iter().for_each(|&(origin, _)| determines[origin as usize] = false);
        }
        arcs.clear();
        if self.reading.has_references() {
            self.reading.find_arcs(self.layout);
            for arc in self.reading.arcs() {
                if (arc.to as usize) < self.coloured {
                    arcs.push(*arc);
                    continue;
                }
                let to_origin = |&(to, label): &(Object, u64)| Arc { to, label: arc.label.wrapping_add(label), ..*arc };
                arcs.extend(colouring.origins_of(arc.to).iter().map(to_origin));
                named.push(arc.to);
            }
        }
        if self.coloured < self.objects {
            named.extend(self.reading.named_outside().filter(|&object| object as usize >= self.coloured));
            named.sort_unstable();
            named.dedup();
        }
        for &object in named.iter() {
            let key = self.reading.keys[object as usize];
            for &(origin, label) in colouring.origins_of(object) {
                determines[origin as usize] = true;
                if key != 0 {
                    let colour = &mut colours[origin as usize];
                    *colour = colour.wrapping_add(scramble(key.wrapping_add(label)));
                }
            }
        }
    }

    /// The stage of a level.
    fn stage(&self, level: usize) -> &'a Stage {
        &self.chain.stages[self.at.stages[level]]
    }

    fn explore(&mut self, level: usize) -> Next {
        let node = self.choose(level);
        let summary = match self.at.has_branched {
            true => summary(&self.at.colours[level * self.coloured..][..self.coloured]),
            false => 0,
        };
        if !self.at.best.admits(level, summary, node) {
            return Next::Continue;
        }
        match node {
            Node::Leaf => self.arrive(level),
            Node::Inner => self.branch(level),
        }
    }

    /// Finds what to try at a level, unless everything that is still free leaves the state as it is.
    fn choose(&mut self, level: usize) -> Node {
        if self.stage(level).choices.is_empty() {
            return Node::Leaf;
        }
        self.follow_references(level);
        // What leaves the state as it is keeps colours. Hence something changes it if sources of an orbit have different ones.
        if self.choose_candidates(level) == Uniformity::All && self.is_settled(level) {
            return Node::Leaf;
        }
        // To try a few is no dearer than to look for what tells them apart.
        while self.at.candidates[level].len() > FEW && self.refine(level) {
            self.choose_candidates(level);
        }
        if self.at.candidates[level].len() > FEW {
            self.collect_automorphisms(level);
        }
        Node::Inner
    }

    /// Lets colours travel along references once. There are few as a rule, so that this costs less than a round of refinement.
    fn follow_references(&mut self, level: usize) {
        if self.chain.guidance != Guidance::Colours || self.at.discrete[level] {
            return;
        }
        let ChainSearch { colours, arcs, travelling, .. } = &mut *self.at;
        let colours = &mut colours[level * self.coloured..][..self.coloured];
        travelling.clear();
        for &Arc { from, to, label } in arcs.iter() {
            let (at_from, at_to) = (colours[from as usize], colours[to as usize]);
            travelling.push((from, scramble(at_to.wrapping_add(label))));
            travelling.push((to, scramble(at_from.wrapping_add(label ^ BACKWARD))));
        }
        for &(object, colour) in travelling.iter() {
            colours[object as usize] = colours[object as usize].wrapping_add(colour);
        }
    }

    /// Whether everything that is still free leaves the state as it is.
    fn is_settled(&mut self, level: usize) -> bool {
        let stage = self.stage(level);
        if stage.generators.is_empty() {
            return false;
        }
        self.reading.find_kinds(self.layout, self.state);
        let sources = &self.at.partial[level * self.objects..][..self.coloured];
        let mut tied = false;
        for orbit in &stage.moved {
            let first = sources[orbit[0] as usize];
            for &place in orbit {
                let source = sources[place as usize];
                if !self.reading.are_alike(first, source) {
                    return false;
                }
                tied |= self.at.determines[source as usize] || !self.reading.is_apart(source);
            }
        }
        !tied || stage.generators.iter().all(|generator| self.is_fixed_by(level, generator, Fixing::Asked))
    }

    /// Generators that leave the state as it is are automorphisms that fix the path, and kept for pruning.
    fn collect_automorphisms(&mut self, level: usize) {
        for generator in &self.stage(level).generators {
            if self.at.automorphisms.count() >= MOST_COLLECTED {
                return;
            }
            self.is_fixed_by(level, generator, Fixing::Collected);
        }
    }

    /// Whether the conjugate of a generator that fixes the path leaves the state as it is. It then keeps all colours.
    fn is_fixed_by(&mut self, level: usize, generator: &Moves, fixing: Fixing) -> bool {
        if !self.at.named.is_empty() {
            self.complete(level);
        }
        let ChainSearch { partial, conjugate, automorphisms, colours, named, .. } = &mut *self.at;
        let partial = &partial[level * self.objects..][..self.objects];
        let colours = &colours[level * self.coloured..][..self.coloured];
        let source = |place: Object| partial[place as usize];
        let (with_colours, names) = generator.list.split_at(generator.coloured);
        let colour = |place: Object| colours[source(place) as usize];
        if with_colours.iter().any(|&(from, to)| colour(from) != colour(to)) {
            return false;
        }
        self.reading.find_kinds(self.layout, self.state);
        let mut sources = with_colours.iter().map(|&(from, to)| (source(from), source(to)));
        if sources.any(|(a, b)| !self.reading.are_alike(a, b)) {
            return false;
        }
        let names = if named.is_empty() { &[] } else { names };
        let moves = with_colours.iter().chain(names);
        for &(from, to) in moves.clone() {
            conjugate[source(from) as usize] = source(to);
        }
        let image = |object: Object| conjugate[object as usize];
        let moved = moves.clone().map(|&(from, _)| source(from));
        let fixed = self.reading.is_fixed_under(self.layout, moved, image);
        if fixed && fixing == Fixing::Collected {
            automorphisms.add_images(image);
        }
        for &(from, _) in moves {
            conjugate[source(from) as usize] = source(from);
        }
        fixed
    }

    fn branch(&mut self, level: usize) -> Next {
        self.at.automorphisms.forget_classes();
        self.at.has_branched |= self.at.candidates[level].len() > 1;
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
        self.at.partial[level * self.objects + self.stage(level).places[choice] as usize]
    }

    /// The choices of an orbit whose source has the rarest colour, the least of equally rare ones.
    fn choose_candidates(&mut self, level: usize) -> Uniformity {
        let stage = self.stage(level);
        let ChainSearch { colours, discrete, partial, candidates, others, .. } = &mut *self.at;
        let colours = &colours[level * self.coloured..][..self.coloured];
        let partial = &partial[level * self.objects..][..self.objects];
        let colour = |place: Object| colours[partial[place as usize] as usize];
        let candidates = &mut candidates[level];
        candidates.clear();
        let mut rarest = (usize::MAX, 0, 0);
        if discrete[level] {
            let each = stage.places.iter().enumerate().map(|(choice, &place)| (colour(place), choice));
            candidates.extend(each.min().map(|(_, choice)| choice));
            return Uniformity::NotAll;
        }
        let mut uniformity = Uniformity::All;
        for (number, orbit) in stage.orbits.iter().enumerate() {
            let places = &stage.places[orbit.clone()];
            // As a rule all have one colour but a few, which in representatives come first.
            let last = places.last().map_or(0, |&place| colour(place));
            others.clear();
            for (choice, &place) in orbit.clone().zip(places) {
                let colour = colour(place);
                if colour != last {
                    others.push((colour, choice));
                }
            }
            let as_last = (places.len() - others.len(), last, number);
            if as_last < rarest {
                rarest = as_last;
                candidates.clear();
            }
            if !others.is_empty() {
                uniformity = Uniformity::NotAll;
                others.sort_unstable();
                for run in others.chunk_by(|a, b| a.0 == b.0) {
                    let as_these = (run.len(), run[0].0, number);
                    if as_these < rarest {
                        rarest = as_these;
                        candidates.clear();
                        candidates.extend(run.iter().map(|&(_, choice)| choice));
                    }
                }
            }
        }
        if candidates.is_empty() {
            let (_, chosen, number) = rarest;
            let orbit = stage.orbits[number].clone();
            candidates.extend(orbit.filter(|&choice| colour(stage.places[choice]) == chosen));
        }
        uniformity
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
        let Choice { carrier, next, .. } = &self.stage(level).choices[choice];
        let marks = &self.chain.stages[*next].marks;
        let (objects, coloured) = (self.objects, self.coloured);
        let ChainSearch { colours, discrete, stages, chosen, partial, is_whole, .. } = &mut *self.at;
        stages[level + 1] = *next;
        chosen[level + 1] = choice;
        is_whole[level + 1] = false;
        let (before, after) = partial.split_at_mut((level + 1) * objects);
        let (before, after) = (&before[level * objects..][..coloured], &mut after[..coloured]);
        for (source, &through) in after.iter_mut().zip(carrier.images()) {
            *source = before[through as usize];
        }
        let (known, finer) = colours.split_at_mut((level + 1) * coloured);
        let (known, finer) = (&known[level * coloured..], &mut finer[..coloured]);
        discrete[level + 1] = discrete[level];
        if discrete[level] || self.chain.guidance == Guidance::Contents {
            finer.copy_from_slice(known);
            return;
        }
        for (&source, mark) in after.iter().zip(marks) {
            finer[source as usize] = known[source as usize].wrapping_add(*mark);
        }
    }

    /// Finds the sources of places without colours, too, for a level.
    fn complete(&mut self, level: usize) {
        let ChainSearch { stages, chosen, partial, is_whole, .. } = &mut *self.at;
        let first = (0..=level).rev().find(|&level| is_whole[level]).unwrap_or(0);
        for below in first + 1..=level {
            let (before, after) = partial.split_at_mut(below * self.objects);
            let before = &before[(below - 1) * self.objects..];
            let carrier = &self.chain.stages[stages[below - 1]].choices[chosen[below]].carrier;
            for (source, &through) in after[..self.objects].iter_mut().zip(carrier.images()).skip(self.coloured) {
                *source = before[through as usize];
            }
            is_whole[below] = true;
        }
    }

    /// Where an object without colour goes at a level.
    fn target(&self, level: usize, object: Object) -> Object {
        (0..level).fold(object, |object, level| {
            let choice = self.at.chosen[level + 1];
            self.stage(level).choices[choice].back.image(object)
        })
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
        for place in 0..self.at.named.len() {
            let object = self.at.named[place];
            self.at.targets[object as usize] = self.target(level, object);
        }
        let ChainSearch { partial, targets, image, best, automorphisms, path, candidates, stages, leaf, .. } =
            &mut *self.at;
        let sources = &partial[level * self.objects..][..self.coloured];
        for (target, &source) in (0..).zip(sources) {
            targets[source as usize] = target;
        }
        self.reading.write_image(self.layout, self.state, sources, targets, image);
        match best.compare(image) {
            std::cmp::Ordering::Greater => Next::Continue,
            std::cmp::Ordering::Less => {
                best.keep(path, sources, image);
                *leaf = stages[level];
                for (above, (cell, candidates)) in best.cells.iter_mut().zip(candidates).take(level).enumerate() {
                    let places = &self.chain.stages[stages[above]].places;
                    let at = &partial[above * self.objects..];
                    cell.clear();
                    cell.extend(candidates.iter().map(|&choice| at[places[choice] as usize]));
                }
                Next::Continue
            }
            std::cmp::Ordering::Equal => {
                let images = automorphisms.add(&best.sources, sources);
                // Both leaves put what they chose at the same node to the same place, so the quotient carries choice to choice.
                let common = best.common(path);
                debug_assert!(best.path[..=common].iter().zip(path.iter()).all(|(&a, &b)| images[a as usize] == b));
                Next::ReturnTo(common)
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
        let free = &self.chain.stages[self.at.leaf].order;
        found.stabiliser.extend(free.iter().map(|&length| Factor::Number(length)));
        self.at.best = best;
    }
}
