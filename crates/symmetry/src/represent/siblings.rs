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

mod relatives;
mod search;
mod successor;
#[cfg(test)]
mod tests;

use super::best::{Best, Factor};
use super::forest::{Effort, Forest};
use super::layout::Layout;
use super::objects::Object;
use super::reading::{Reading, scramble};
use super::refine::{Automorphisms, Refinement, Relation};
use super::transport::Transport;
use super::{Found, Purpose};
use successor::Base;

/// The buffers of a search, made once.
#[derive(Clone, Debug)]
pub(super) struct Siblings {
    refinement: Refinement,
    /// By level of the search: the colours of all objects.
    colours: Vec<u64>,
    /// The colours before a refinement.
    lasting: Vec<u64>,
    /// The objects, each family sorted by colour.
    order: Vec<Object>,
    /// By level: the objects to try.
    candidates: Vec<Vec<Object>>,
    path: Vec<Object>,
    automorphisms: Automorphisms,
    best: Best,
    /// How many siblings are tied at the best leaf, for each tie.
    ties: Vec<usize>,
    sources: Vec<Object>,
    targets: Vec<Object>,
    image: Vec<u8>,
    pairs: Vec<(Object, Object)>,
    /// By object: where an exchange takes it; the identity between uses.
    exchange: Vec<Object>,
    transport: Transport,
    /// Whether the colours of the first level have been refined.
    is_refined: bool,
    base: Base,
}

/// The half of a colour that an object has from the start. Refinement changes the other half only, so that objects stay in the
/// order of what they hold by themselves: states that differ little then have representatives that differ little, which share memory.
const LASTING: u64 = !0 << 32;

/// Marks the colours of objects that the path has not singled out.
const IN_COMMON: u64 = 1 << 31;

/// How often colours travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounds {
    One,
    /// Until that tells nothing more.
    All,
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
            lasting: vec![0; objects],
            order: (0..objects as Object).collect(),
            candidates: Vec::new(),
            path: Vec::new(),
            automorphisms: Automorphisms::new(objects),
            best: Best::default(),
            ties: Vec::new(),
            sources: vec![0; objects],
            targets: vec![0; objects],
            image: vec![0; length],
            pairs: Vec::new(),
            exchange: (0..objects as Object).collect(),
            transport: Transport::new(objects),
            is_refined: false,
            base: Base::new(objects),
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
        if found.purpose == Purpose::Representative && search.follows_base(found) {
            return;
        }
        search.start();
        let ties = match forest.effort {
            Effort::Exact => search.settle_root(),
            Effort::SortOnly => {
                search.settle_order(0);
                Ties::Harmless
            }
        };
        if found.purpose == Purpose::OrbitSize {
            search.set_base(&ties);
        }
        match ties {
            Ties::Harmless if found.purpose == Purpose::OrbitSize => {
                search.for_each_tie(|tie| found.stabiliser.push(Factor::Factorial(tie)));
            }
            Ties::Harmless => {
                found.changed = search.arrange();
                if found.changed {
                    let Siblings { sources, targets, .. } = &*search.at;
                    search.reading.write_image(layout, state, sources, targets, &mut found.image);
                }
            }
            Ties::Open => search.explore_all(found),
        }
    }
}

impl Search<'_> {
    /// Colours from keys; those of parents take in those of their children.
    fn start(&mut self) {
        self.at.is_refined = false;
        let Siblings { colours, order, .. } = &mut *self.at;
        // Most states come from representatives, which are sorted. And where ties are not told apart, their order is that of the state.
        (0..).zip(order).for_each(|(object, place)| *place = object);
        let colours = &mut colours[..self.forest.objects()];
        colours.copy_from_slice(&self.reading.keys);
        for &Relation { from, to, label } in self.forest.relations.single.iter().rev() {
            let below = scramble(colours[from as usize].wrapping_add(label));
            colours[to as usize] = colours[to as usize].wrapping_add(below);
        }
    }

    /// Sorts, and refines if that leaves ties that matter.
    fn settle_root(&mut self) -> Ties {
        if let Ties::Harmless = self.settle(0) {
            return Ties::Harmless;
        }
        self.reading.find_arcs(self.layout);
        if self.reading.arcs().is_empty() && self.forest.relations.single.is_empty() {
            return Ties::Open;
        }
        // Mostly objects that are tied refer to different ones, which one round tells.
        self.refine(0, Rounds::One);
        if let Ties::Harmless = self.settle(0) {
            return Ties::Harmless;
        }
        self.refine(0, Rounds::All);
        self.settle(0)
    }

    fn refine(&mut self, level: usize, rounds: Rounds) {
        let objects = self.forest.objects();
        self.at.is_refined = true;
        let Siblings { colours, lasting, refinement, path, .. } = &mut *self.at;
        let colours = &mut colours[level * objects..][..objects];
        lasting.copy_from_slice(colours);
        if level == 0 && self.forest.first.len() > 1 {
            // Refinement counts colours, so those of different classes are kept apart.
            for (colour, &class) in colours.iter_mut().zip(&self.forest.class) {
                *colour = colour.wrapping_add(u64::from(class).wrapping_mul(0x9e6c_63d0_876a_3f6b));
            }
        }
        match rounds {
            Rounds::One => refinement.refine_blindly(colours, self.reading.arcs(), &self.forest.relations),
            Rounds::All => refinement.refine(colours, self.reading.arcs(), &self.forest.relations),
        }
        for (colour, lasting) in colours.iter_mut().zip(lasting.iter()) {
            *colour = lasting & LASTING | IN_COMMON | *colour >> 32;
        }
        // Whatever the hash does, objects singled out stay so; hence the search ends.
        for (number, &object) in (0..).zip(&path[..level]) {
            colours[object as usize] = lasting[object as usize] & LASTING | number;
        }
    }

    /// Sorts the families by the colours of a level.
    fn settle(&mut self, level: usize) -> Ties {
        let objects = self.forest.objects();
        let Siblings { colours, order, .. } = &mut *self.at;
        let colours = &colours[level * objects..][..objects];
        for family in &self.forest.families {
            sort_by_colour(&mut order[family.start..family.end], colours);
        }
        for family in &self.forest.families {
            let mut place = family.start;
            while let Some(doubtful) = self.next_doubtful(level, place, family.end) {
                let (a, b) = (self.at.order[doubtful], self.at.order[doubtful + 1]);
                if !self.may_exchange(level, a, b) {
                    return Ties::Open;
                }
                place = doubtful + 1;
            }
        }
        Ties::Harmless
    }

    /// The first place from one on, in a family, whose object is tied with the next one, unless it is known and plain that exchanging the two
    /// leaves the state as it is. Of many that are tied, most are twins.
    fn next_doubtful(&self, level: usize, start: usize, end: usize) -> Option<usize> {
        let objects = self.forest.objects();
        let colours = &self.at.colours[level * objects..][..objects];
        let members = &self.at.order[start..end];
        let simple = self.forest.is_simple(start as Object);
        let is_doubtful = |pair: &[Object]| {
            colours[pair[0] as usize] == colours[pair[1] as usize]
                && !(simple && self.reading.are_twins(pair[0], pair[1]))
        };
        members.windows(2).position(is_doubtful).map(|place| start + place)
    }

    fn colour(&self, level: usize, object: Object) -> u64 {
        self.at.colours[level * self.forest.objects() + object as usize]
    }

    /// Whether the state stays as it is when two siblings, with all below them in order of colour, change places.
    fn may_exchange(&mut self, level: usize, a: Object, b: Object) -> bool {
        if self.forest.is_simple(a) {
            let pair = (a, b);
            self.at.pairs.clear();
            self.at.pairs.push(pair);
            return self.colour(level, a) == self.colour(level, b)
                && self.reading.is_fixed_by(self.layout, self.state, &[pair]);
        }
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

    /// From the order of siblings to where each place's content comes from; whether anything moves.
    fn arrange(&mut self) -> bool {
        let is_sorted = |order: &[Object]| order.iter().zip(0..).all(|(&object, place)| object == place);
        if self.forest.effort == Effort::Exact && !is_sorted(&self.at.order) {
            self.bring_home();
        }
        let Siblings { order, sources, targets, .. } = &mut *self.at;
        sources.copy_from_slice(order);
        if is_sorted(order) {
            targets.copy_from_slice(order);
            return false;
        }
        if self.forest.has_parents {
            // Classes of parents come before those of their children.
            for &parent in &self.forest.parental {
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
        true
    }

    /// Lets objects stay where they are as far as ties allow, since then less has to be written.
    fn bring_home(&mut self) {
        let objects = self.forest.objects();
        let Siblings { colours, order, path, .. } = &mut *self.at;
        let colours = &colours[path.len() * objects..][..objects];
        for family in &self.forest.families {
            for place in family.start..family.end {
                // Two objects of a family and of one colour are tied, so both places belong to the tie.
                loop {
                    let object = order[place] as usize;
                    let at_home = order[object] as usize;
                    if object == place || at_home == object || colours[at_home] != colours[object] {
                        break;
                    }
                    order.swap(place, object);
                }
            }
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
}

/// Sorts objects by colour, by insertion: most lists are short or nearly sorted. A list that turns out to be far from that is sorted as a whole.
fn sort_by_colour(members: &mut [Object], colours: &[u64]) {
    let mut moves = 16 * members.len();
    let mut before = 0;
    for place in 0..members.len() {
        let member = members[place];
        let colour = colours[member as usize];
        if colour >= before {
            before = colour;
            continue;
        }
        let mut at = place;
        while at > 0 && colours[members[at - 1] as usize] > colour {
            members[at] = members[at - 1];
            at -= 1;
        }
        members[at] = member;
        moves = moves.saturating_sub(place - at);
        if moves == 0 {
            members.sort_by_key(|&object| colours[object as usize]);
            return;
        }
    }
}
