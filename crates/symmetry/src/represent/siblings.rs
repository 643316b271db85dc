//! Representatives for the automorphism group of a forest of objects: siblings are sorted by colour.
//!
//! For one symmetric group on columns this is sorting. Colours start from what an object holds by itself. Siblings of equal colour
//! whose exchange leaves the state as it is need no order; where other ties remain, colours are refined, and where that is not
//! enough, a search gives each of the tied objects in turn a colour of its own and refines again (as graph canonisers do: McKay,
//! Piperno, "Practical graph isomorphism II", 2014).
//!
//! **Exactness.** Each step depends on the state and the forest only in ways that elements of the group carry along, so the
//! search trees of two states of an orbit correspond to each other, and corresponding leaves yield the same image. The leaf with
//! the least trace and, among these, the least image is thus the same for the whole orbit. At a leaf all ties are between siblings whose
//! exchange fixes the state; these exchanges generate all elements that keep the colours, hence any order of tied siblings yields
//! the same image. Leaving out what a verified automorphism makes equal to something explored loses no image.

use num_bigint::BigUint;

use super::forest::{Effort, Forest};
use super::layout::Layout;
use super::objects::Object;
use super::reading::{Reading, scramble};
use super::refine::{Automorphisms, Refinement, Relation, summary};
use super::transport::{Setting, Transport};
use super::{Found, Purpose};

/// The buffers of a search, made once.
#[derive(Clone, Debug)]
pub(super) struct Siblings {
    refinement: Refinement,
    /// By level of the search: the colours of all objects.
    colours: Vec<u64>,
    /// The objects, each family sorted by colour.
    order: Vec<Object>,
    /// By level: the objects to try.
    candidates: Vec<Vec<Object>>,
    path: Vec<Object>,
    automorphisms: Automorphisms,
    best: Best,
    sources: Vec<Object>,
    targets: Vec<Object>,
    image: Vec<u8>,
    pairs: Vec<(Object, Object)>,
    /// By object: where an exchange takes it; the identity between uses.
    exchange: Vec<Object>,
    transport: Transport,
}

/// The least leaf so far.
#[derive(Clone, Debug, Default)]
struct Best {
    traces: Vec<u64>,
    /// Whether the rest belongs to these traces.
    has_leaf: bool,
    path: Vec<Object>,
    sources: Vec<Object>,
    image: Vec<u8>,
    /// How many siblings are tied, for each tie.
    ties: Vec<usize>,
    /// By level: the objects among which the path chose.
    cells: Vec<Vec<Object>>,
}

/// Marks the colours of objects that the path has singled out.
const SINGLED_OUT: u64 = 1 << 63;

/// How a search goes on after a node.
enum Next {
    Continue,
    /// At the node of this level; what lies between repeats what is known.
    ReturnTo(usize),
}

/// What the ties at a node are like.
enum Ties {
    /// Exchanging tied siblings fixes the state.
    Harmless,
    Open,
}

/// A search in progress: what it works on and its buffers.
struct Search<'a> {
    forest: &'a Forest,
    layout: &'a Layout,
    state: &'a [u8],
    reading: &'a mut Reading,
    at: &'a mut Siblings,
}

impl Siblings {
    pub(super) fn new(forest: &Forest, length: usize) -> Self {
        let objects = forest.objects();
        Self {
            refinement: Refinement::new(objects),
            colours: vec![0; objects],
            order: (0..objects as Object).collect(),
            candidates: Vec::new(),
            path: Vec::new(),
            automorphisms: Automorphisms::new(objects),
            best: Best::default(),
            sources: vec![0; objects],
            targets: vec![0; objects],
            image: vec![0; length],
            pairs: Vec::new(),
            exchange: (0..objects as Object).collect(),
            transport: Transport::new(objects),
        }
    }

    /// Finds the representative of the state that has been read, and writes it to `found`.
    pub(super) fn run(
        &mut self,
        forest: &Forest,
        layout: &Layout,
        reading: &mut Reading,
        state: &[u8],
        found: &mut Found,
    ) {
        let mut search = Search { forest, layout, state, reading, at: self };
        search.start();
        let ties = match forest.effort {
            Effort::Exact => search.settle_root(),
            Effort::SortOnly => {
                // The order of ties is that of the state, so that the result depends on nothing else.
                (0..).zip(&mut search.at.order).for_each(|(object, place)| *place = object);
                search.settle_order(0);
                Ties::Harmless
            }
        };
        match ties {
            Ties::Harmless => {
                search.arrange();
                found.changed = search.at.sources.iter().zip(0..).any(|(&source, target)| source != target);
                if found.changed {
                    let Siblings { sources, targets, .. } = &*search.at;
                    search.reading.write_image(layout, state, sources, targets, &mut found.image);
                }
                if found.purpose == Purpose::OrbitSize {
                    search.for_each_tie(|tie| found.stabiliser.push(Factor::Factorial(tie)));
                }
            }
            Ties::Open => search.explore_all(found),
        }
    }
}

/// A factor of a stabiliser's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    Number(usize),
    Factorial(usize),
}

impl Factor {
    pub(super) fn value(&self) -> BigUint {
        match *self {
            Factor::Number(number) => number.into(),
            Factor::Factorial(count) => (1..=count).product(),
        }
    }
}

impl Search<'_> {
    /// Colours from keys; those of parents take in those of their children.
    fn start(&mut self) {
        let Siblings { colours, .. } = &mut *self.at;
        let colours = &mut colours[..self.forest.objects()];
        colours.copy_from_slice(&self.reading.keys);
        for &Relation { from, to, label } in self.forest.relations.iter().rev() {
            let below = scramble(colours[from as usize].wrapping_add(label));
            colours[to as usize] = colours[to as usize].wrapping_add(below);
        }
    }

    /// Sorts, and refines if that leaves ties that matter.
    fn settle_root(&mut self) -> Ties {
        if let Ties::Harmless = self.settle(0) {
            return Ties::Harmless;
        }
        if self.reading.arcs.is_empty() && self.forest.relations.is_empty() {
            return Ties::Open;
        }
        self.refine(0);
        self.settle(0)
    }

    fn refine(&mut self, level: usize) {
        let objects = self.forest.objects();
        let colours = &mut self.at.colours[level * objects..][..objects];
        if level == 0 && self.forest.first.len() > 1 {
            // Refinement counts colours, so those of different classes are kept apart.
            for (colour, &class) in colours.iter_mut().zip(&self.forest.class) {
                *colour = colour.wrapping_add(u64::from(class).wrapping_mul(0x9e6c_63d0_876a_3f6b));
            }
        }
        self.at.refinement.refine(colours, &self.reading.arcs, &self.forest.relations);
        if level > 0 {
            // Whatever the hash does, objects singled out stay so; hence the search ends.
            colours.iter_mut().for_each(|colour| *colour &= !SINGLED_OUT);
            for (number, &object) in (0..).zip(&self.at.path[..level]) {
                colours[object as usize] = SINGLED_OUT | number;
            }
        }
    }

    /// Sorts the families by the colours of a level.
    fn settle(&mut self, level: usize) -> Ties {
        let objects = self.forest.objects();
        let Siblings { colours, order, .. } = &mut *self.at;
        let colours = &colours[level * objects..][..objects];
        let mut tied = false;
        for family in &self.forest.families {
            let members = &mut order[family.start..family.end];
            sort_by_colour(members, colours);
            tied |= members.windows(2).any(|pair| colours[pair[0] as usize] == colours[pair[1] as usize]);
        }
        if !tied {
            return Ties::Harmless;
        }
        for family in &self.forest.families {
            for place in family.start + 1..family.end {
                let (a, b) = (self.at.order[place - 1], self.at.order[place]);
                if self.colour(level, a) == self.colour(level, b) && !self.may_exchange(level, a, b) {
                    return Ties::Open;
                }
            }
        }
        Ties::Harmless
    }

    fn colour(&self, level: usize, object: Object) -> u64 {
        self.at.colours[level * self.forest.objects() + object as usize]
    }

    /// Whether the state stays as it is when two siblings, with all below them in order of colour, change places.
    fn may_exchange(&mut self, level: usize, a: Object, b: Object) -> bool {
        let mut pairs = std::mem::take(&mut self.at.pairs);
        pairs.clear();
        pairs.push((a, b));
        let mut next = 0;
        let mut alike = true;
        while next < pairs.len() {
            let (a, b) = pairs[next];
            alike &= self.colour(level, a) == self.colour(level, b);
            for &brood in &self.forest.children[self.forest.class[a as usize] as usize] {
                let (of_a, of_b) = (self.forest.brood(a, brood), self.forest.brood(b, brood));
                let below = of_a.zip(of_b).map(|(a, b)| (self.at.order[a], self.at.order[b]));
                pairs.extend(below);
            }
            next += 1;
        }
        if alike && !self.forest.derived.is_empty() {
            self.add_derived_pairs(&mut pairs);
        }
        let fixed = alike && self.reading.is_fixed_by(self.layout, self.state, &pairs);
        self.at.pairs = pairs;
        fixed
    }

    /// Adds the derived objects that change places when other objects do.
    fn add_derived_pairs(&mut self, pairs: &mut Vec<(Object, Object)>) {
        let exchange = &mut self.at.exchange;
        for &(a, b) in pairs.iter() {
            (exchange[a as usize], exchange[b as usize]) = (b, a);
        }
        let moved = pairs.len();
        for place in 0..2 * moved {
            let (a, b) = pairs[place / 2];
            let object = if place % 2 == 0 { a } else { b };
            for &(number, derived, at) in &self.forest.derives[object as usize] {
                let class = &self.forest.derived[number as usize];
                // An object several of whose origins move is met several times, and taken the first.
                let before = &class.origins_of(derived as usize)[..at as usize];
                let image = class.image(derived as usize, |origin| exchange[origin as usize]);
                let derived = class.first + derived;
                if derived < image && before.iter().all(|&origin| exchange[origin as usize] == origin) {
                    pairs.push((derived, image));
                }
            }
        }
        for &(a, b) in &pairs[..moved] {
            (exchange[a as usize], exchange[b as usize]) = (a, b);
        }
    }

    /// From the order of siblings to where each place's content comes from.
    fn arrange(&mut self) {
        let Siblings { order, sources, targets, .. } = &mut *self.at;
        if !self.forest.has_parents {
            sources.copy_from_slice(order);
        } else {
            for family in self.forest.families.iter().filter(|family| !self.forest.is_below(family.class)) {
                sources[family.start..family.end].copy_from_slice(&order[family.start..family.end]);
            }
            // Classes of parents come before those of their children.
            for parent in 0..self.forest.objects() as Object {
                for &brood in &self.forest.children[self.forest.class[parent as usize] as usize] {
                    let to = self.forest.brood(parent, brood);
                    let from = self.forest.brood(sources[parent as usize], brood);
                    sources[to].copy_from_slice(&order[from]);
                }
            }
        }
        for derived in &self.forest.derived {
            let count = derived.origins.len() / derived.arity;
            for object in 0..count {
                sources[derived.first as usize + object] = derived.image(object, |origin| sources[origin as usize]);
            }
        }
        for (target, &source) in (0..).zip(sources.iter()) {
            targets[source as usize] = target;
        }
    }

    /// Calls for each set of tied siblings; the colours are those of level `path.len()`.
    fn for_each_tie(&self, mut call: impl FnMut(usize)) {
        let level = self.at.path.len();
        for family in &self.forest.families {
            let members = &self.at.order[family.start..family.end];
            for tie in members.chunk_by(|&a, &b| self.colour(level, a) == self.colour(level, b)) {
                if tie.len() > 1 {
                    call(tie.len());
                }
            }
        }
    }

    fn explore_all(&mut self, found: &mut Found) {
        self.at.path.clear();
        self.at.transport.prepare(self.reading);
        self.at.automorphisms.clear();
        self.at.best.traces.clear();
        self.at.best.has_leaf = false;
        self.branch(0);
        found.image.copy_from_slice(&self.at.best.image);
        found.changed = found.image != self.state;
        if found.purpose == Purpose::OrbitSize {
            self.stabiliser(found);
        }
    }

    /// A node below the root: refines, and either is a leaf or branches.
    fn explore(&mut self, level: usize) -> Next {
        self.refine(level);
        let ties = self.settle(level);
        let objects = self.forest.objects();
        let summary = summary(&self.at.colours[level * objects..][..objects]) << 1;
        let (trace, is_leaf) = match ties {
            Ties::Harmless => (summary, true),
            Ties::Open => (summary | 1, false),
        };
        let best = &mut self.at.best;
        match best.traces.get(level - 1).map(|best| trace.cmp(best)) {
            Some(std::cmp::Ordering::Greater) => return Next::Continue,
            Some(std::cmp::Ordering::Equal) => {}
            Some(std::cmp::Ordering::Less) | None => {
                best.traces.truncate(level - 1);
                best.traces.push(trace);
                best.has_leaf = false;
            }
        }
        if is_leaf { self.arrive() } else { self.branch(level) }
    }

    fn branch(&mut self, level: usize) -> Next {
        self.choose_candidates(level);
        self.at.automorphisms.forget_classes();
        let mut explored = 0;
        for place in 0..self.at.candidates[level].len() {
            let candidate = self.at.candidates[level][place];
            if self.repeats(level, explored, candidate) {
                continue;
            }
            self.single_out(level, candidate);
            self.at.path.push(candidate);
            let next = self.explore(level + 1);
            self.at.path.pop();
            match next {
                Next::ReturnTo(above) if above < level => return next,
                Next::ReturnTo(_) | Next::Continue => {
                    self.at.candidates[level].swap(explored, place);
                    explored += 1;
                    self.at.automorphisms.forget_classes();
                    // The order is that of a node below; exchanges below this node are matched by this node's.
                    self.settle_order(level);
                }
            }
        }
        Next::Continue
    }

    /// The colours of the next level: those of this one, but for an object that gets a colour of its own.
    fn single_out(&mut self, level: usize, object: Object) {
        let objects = self.forest.objects();
        let colours = &mut self.at.colours;
        if colours.len() < (level + 2) * objects {
            colours.resize((level + 2) * objects, 0);
        }
        let (before, after) = colours.split_at_mut((level + 1) * objects);
        after[..objects].copy_from_slice(&before[level * objects..]);
        let colour = &mut after[object as usize];
        *colour = scramble(colour.wrapping_add(0x1d8e_4e27_c47d_124f));
    }

    fn settle_order(&mut self, level: usize) {
        let objects = self.forest.objects();
        let Siblings { colours, order, .. } = &mut *self.at;
        let colours = &colours[level * objects..][..objects];
        for family in &self.forest.families {
            sort_by_colour(&mut order[family.start..family.end], colours);
        }
    }

    /// The tied objects of the first class with ties that matter, of the least colour there.
    ///
    /// Whether tied objects without children matter is decided for each tie; others are all taken to matter, since which exchange of theirs is
    /// tried depends on the order of their children.
    fn choose_candidates(&mut self, level: usize) {
        let forest = self.forest;
        let mut least: Option<(usize, u64)> = None;
        let mut chosen = std::mem::take(candidates_of(&mut self.at.candidates, level));
        chosen.clear();
        for family in &forest.families {
            if least.is_some_and(|(class, _)| class < family.class) {
                break;
            }
            let mut start = family.start;
            while start < family.end {
                let colour = self.colour(level, self.at.order[start]);
                let mut end = start + 1;
                while end < family.end && self.colour(level, self.at.order[end]) == colour {
                    end += 1;
                }
                let interesting = end - start > 1 && least.is_none_or(|(_, known)| colour <= known);
                if interesting && (!forest.children[family.class].is_empty() || self.is_open(level, start, end)) {
                    if least.is_some_and(|(_, known)| colour < known) {
                        chosen.clear();
                    }
                    least = Some((family.class, colour));
                    chosen.extend_from_slice(&self.at.order[start..end]);
                }
                start = end;
            }
        }
        self.at.candidates[level] = chosen;
    }

    /// Whether some exchange of neighbours in a tie changes the state.
    fn is_open(&mut self, level: usize, start: usize, end: usize) -> bool {
        (start + 1..end).any(|place| {
            let (a, b) = (self.at.order[place - 1], self.at.order[place]);
            !self.may_exchange(level, a, b)
        })
    }

    /// Whether an automorphism that fixes the path carries an explored candidate to this one.
    fn repeats(&mut self, level: usize, explored: usize, candidate: Object) -> bool {
        if explored == 0 {
            return false;
        }
        if !self.at.automorphisms.is_empty() {
            let Siblings { automorphisms, path, candidates, .. } = &mut *self.at;
            automorphisms.classify(path);
            let class = automorphisms.leader(candidate);
            if candidates[level][..explored].iter().any(|&known| automorphisms.leader(known) == class) {
                return true;
            }
        }
        (0..explored).any(|place| {
            let known = self.at.candidates[level][place];
            let exchanged = self.are_siblings(known, candidate) && self.may_exchange(level, known, candidate);
            exchanged && self.keeps_path() || self.is_carried(level, known, candidate)
        })
    }

    /// Whether following references finds an automorphism that fixes the path and carries one object to another.
    fn is_carried(&mut self, level: usize, known: Object, candidate: Object) -> bool {
        let objects = self.forest.objects();
        let Siblings { transport, colours, order, automorphisms, path, .. } = &mut *self.at;
        let setting = Setting {
            forest: self.forest,
            layout: self.layout,
            reading: self.reading,
            state: self.state,
            colours: &colours[level * objects..][..objects],
            order,
        };
        let carried = transport.carries(&setting, known, candidate)
            && path.iter().all(|&object| transport.image(object) == object);
        if carried {
            automorphisms.add_images(|object| transport.image(object));
        }
        carried
    }

    /// Whether the exchange tried last moves no object of the path.
    fn keeps_path(&self) -> bool {
        let moved = |object: &Object| self.at.pairs.iter().any(|&(a, b)| a == *object || b == *object);
        !self.at.path.iter().any(moved)
    }

    fn are_siblings(&self, a: Object, b: Object) -> bool {
        let place = |object: Object| self.forest.families.partition_point(|family| family.end <= object as usize);
        place(a) == place(b)
    }

    /// A leaf: the first with the best traces and image is kept, any equal one gives an automorphism.
    fn arrive(&mut self) -> Next {
        self.arrange();
        let Siblings { sources, targets, image, .. } = &mut *self.at;
        self.reading.write_image(self.layout, self.state, sources, targets, image);
        let order = match self.at.best.has_leaf {
            true => self.at.image.cmp(&self.at.best.image),
            false => std::cmp::Ordering::Less,
        };
        match order {
            std::cmp::Ordering::Greater => Next::Continue,
            std::cmp::Ordering::Less => {
                self.keep_leaf();
                Next::Continue
            }
            std::cmp::Ordering::Equal => {
                let Siblings { automorphisms, best, sources, path, .. } = &mut *self.at;
                let images = automorphisms.add(&best.sources, sources);
                let common = best.path.iter().zip(path.iter()).take_while(|(a, b)| a == b).count();
                let fixes_path = path[..common].iter().all(|&object| images[object as usize] == object);
                let carries = images[best.path[common] as usize] == path[common];
                if fixes_path && carries { Next::ReturnTo(common) } else { Next::Continue }
            }
        }
    }

    fn keep_leaf(&mut self) {
        let mut best = std::mem::take(&mut self.at.best);
        best.has_leaf = true;
        best.path.clone_from(&self.at.path);
        best.sources.clone_from(&self.at.sources);
        best.image.clone_from(&self.at.image);
        best.ties.clear();
        self.for_each_tie(|tie| best.ties.push(tie));
        best.cells.resize_with(best.path.len(), Vec::new);
        for (cell, candidates) in best.cells.iter_mut().zip(&self.at.candidates) {
            cell.clone_from(candidates);
        }
        self.at.best = best;
    }

    /// The stabiliser's order: for each level of the best path the orbit of its choice under what fixes the choices before, and the ties
    /// of the leaf.
    ///
    /// When the search ends, each candidate that an automorphism makes equal to the choice has been found equal; so the
    /// automorphisms known, with the exchanges of siblings, have the right orbits.
    fn stabiliser(&mut self, found: &mut Found) {
        let best = std::mem::take(&mut self.at.best);
        found.stabiliser.extend(best.ties.iter().map(|&tie| Factor::Factorial(tie)));
        for (level, cell) in best.cells.iter().enumerate() {
            self.at.path.clear();
            self.at.path.extend_from_slice(&best.path[..level]);
            self.colour_along_path(&best.path[..level]);
            self.at.automorphisms.forget_classes();
            self.at.automorphisms.classify(&best.path[..level]);
            for (place, &a) in cell.iter().enumerate() {
                for &b in &cell[..place] {
                    if self.are_siblings(a, b) && self.may_exchange(level, a, b) && self.keeps_path() {
                        self.at.automorphisms.merge(a, b);
                    }
                }
            }
            let class = self.at.automorphisms.leader(best.path[level]);
            let orbit = cell.iter().filter(|&&member| self.at.automorphisms.leader(member) == class).count();
            found.stabiliser.push(Factor::Number(orbit));
        }
        self.at.path.clear();
        self.at.best = best;
    }

    /// Makes the colours and the order of a level those of the node that a path leads to.
    fn colour_along_path(&mut self, path: &[Object]) {
        for (level, &choice) in path.iter().enumerate() {
            self.single_out(level, choice);
            self.refine(level + 1);
        }
        self.settle_order(path.len());
    }
}

fn candidates_of(candidates: &mut Vec<Vec<Object>>, level: usize) -> &mut Vec<Object> {
    if candidates.len() <= level {
        candidates.resize_with(level + 1, Vec::new);
    }
    &mut candidates[level]
}

/// Sorts objects by colour; short and nearly sorted lists, which are the rule, by insertion.
fn sort_by_colour(members: &mut [Object], colours: &[u64]) {
    if members.len() > 20 {
        members.sort_by_key(|&object| colours[object as usize]);
        return;
    }
    for place in 1..members.len() {
        let member = members[place];
        let colour = colours[member as usize];
        let mut at = place;
        while at > 0 && colours[members[at - 1] as usize] > colour {
            members[at] = members[at - 1];
            at -= 1;
        }
        members[at] = member;
    }
}
