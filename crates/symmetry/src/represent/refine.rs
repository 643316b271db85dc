//! Colour refinement: objects are told apart by the colours of what they refer to, what refers to them, and what the group relates
//! them to.
//!
//! A colour is a hash of such data, and sums of hashes stand for multisets. All of it depends on the state and the group in a way
//! that permuting the objects carries along, so the colours are invariants whatever the hash does: a collision makes a search
//! longer, never wrong.

use super::objects::Object;
use super::reading::{Arc, scramble};

/// A relation between objects that the group keeps: `from` and `to` are related as the label says.
///
/// Colours travel in both directions.
pub(super) type Relation = Arc;

/// In a hash table, no colour.
const UNMET: u64 = 0;

/// Tells what neighbours are told from what an object keeps.
const AMONG: u64 = 0x2f73_1d6a_c05b_98e3;

/// Tells where a reference comes from apart from where it leads.
pub(super) const BACKWARD: u64 = 0x51ed_270b_9f3c_7a11;

/// All relations that the group keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Relations {
    /// Colours travel in both directions.
    pub(super) single: Vec<Relation>,
    pub(super) neighbours: Vec<Neighbours>,
}

/// A relation with many pairs; colours travel from the neighbours of an object to it.
#[derive(Clone, Debug)]
pub(super) struct Neighbours {
    /// Odd, so that nothing is lost when sums are multiplied by it.
    label: u64,
    /// The objects that have neighbours, all equally many because the group carries them to each other.
    objects: Vec<Object>,
    degree: usize,
    /// One after the other: those of each object.
    list: Vec<Object>,
}

impl Neighbours {
    /// From the pairs of an object and a neighbour of it, an orbit on pairs.
    pub(super) fn new(label: u64, pairs: impl Iterator<Item = (Object, Object)>) -> Self {
        let mut pairs: Vec<(Object, Object)> = pairs.collect();
        pairs.sort_unstable();
        let mut objects: Vec<Object> = pairs.iter().map(|&(object, _)| object).collect();
        objects.dedup();
        let degree = pairs.len() / objects.len().max(1);
        debug_assert!(pairs.chunk_by(|a, b| a.0 == b.0).all(|chunk| chunk.len() == degree));
        Self { label: label | 1, objects, degree, list: pairs.into_iter().map(|(_, neighbour)| neighbour).collect() }
    }
}

/// What a round of refinement came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refined {
    /// How many colours there are.
    pub(super) count: usize,
    /// Whether there are more than before.
    pub(super) is_finer: bool,
}

/// The buffers of refinement.
#[derive(Clone, Debug, Default)]
pub(super) struct Refinement {
    next: Vec<u64>,
    /// A hash table of the colours met when they are counted.
    met: Vec<u64>,
    /// What each object tells its neighbours.
    told: Vec<u64>,
}

impl Refinement {
    pub(super) fn new(objects: usize) -> Self {
        Self { next: vec![0; objects], met: vec![UNMET; (2 * objects).next_power_of_two()], told: vec![0; objects] }
    }

    /// Lets colours travel once. If that tells more objects apart, the colours become the finer ones.
    pub(super) fn refine_once(&mut self, colours: &mut [u64], arcs: &[Arc], relations: &Relations) -> Refined {
        let count = self.count(colours);
        if count == colours.len() {
            return Refined { count, is_finer: false };
        }
        self.round(colours, arcs, relations);
        let next = std::mem::take(&mut self.next);
        let finer = self.count(&next);
        self.next = next;
        if finer <= count {
            return Refined { count, is_finer: false };
        }
        colours.copy_from_slice(&self.next);
        Refined { count: finer, is_finer: true }
    }

    /// Lets colours travel once, whatever that comes to.
    pub(super) fn refine_blindly(&mut self, colours: &mut [u64], arcs: &[Arc], relations: &Relations) {
        self.round(colours, arcs, relations);
        colours.copy_from_slice(&self.next);
    }

    /// Refines colours until that tells no more objects apart.
    pub(super) fn refine(&mut self, colours: &mut [u64], arcs: &[Arc], relations: &Relations) {
        let mut count = self.count(colours);
        while count < colours.len() {
            self.round(colours, arcs, relations);
            let next = std::mem::take(&mut self.next);
            let finer = self.count(&next);
            self.next = next;
            if finer <= count {
                break;
            }
            colours.copy_from_slice(&self.next);
            count = finer;
        }
    }

    fn round(&mut self, colours: &[u64], arcs: &[Arc], relations: &Relations) {
        for (next, &colour) in self.next.iter_mut().zip(colours) {
            *next = scramble(colour);
        }
        for &Arc { from, to, label } in arcs.iter().chain(&relations.single) {
            let (at_from, at_to) = (colours[from as usize], colours[to as usize]);
            let forward = scramble(at_to.wrapping_add(label));
            let backward = scramble(at_from.wrapping_add(label ^ BACKWARD));
            self.next[from as usize] = self.next[from as usize].wrapping_add(forward);
            self.next[to as usize] = self.next[to as usize].wrapping_add(backward);
        }
        if relations.neighbours.is_empty() {
            return;
        }
        for (told, colour) in self.told.iter_mut().zip(colours) {
            *told = scramble(colour.wrapping_add(AMONG));
        }
        for Neighbours { label, objects, degree, list } in &relations.neighbours {
            for (&object, neighbours) in objects.iter().zip(list.chunks_exact(*degree)) {
                let sum = neighbours.iter().fold(0u64, |sum, &each| sum.wrapping_add(self.told[each as usize]));
                let next = &mut self.next[object as usize];
                *next = next.wrapping_add(sum.wrapping_mul(*label));
            }
        }
    }

    /// How many different colours there are.
    fn count(&mut self, colours: &[u64]) -> usize {
        let Self { met, .. } = self;
        met.fill(UNMET);
        let mask = met.len() - 1;
        let mut count = 0;
        let mut is_new = |colour: u64| {
            let mut at = (colour ^ colour >> 32) as usize & mask;
            while met[at] != UNMET {
                if met[at] == colour {
                    return false;
                }
                at = (at + 1) & mask;
            }
            met[at] = colour;
            true
        };
        let mut unmet_is_met = false;
        for &colour in colours {
            count +=
                usize::from(if colour == UNMET { !std::mem::replace(&mut unmet_is_met, true) } else { is_new(colour) });
        }
        count
    }
}

/// What the colours are as a multiset.
pub(super) fn summary(colours: &[u64]) -> u64 {
    colours.iter().fold(0, |sum, &colour| sum.wrapping_add(scramble(colour)))
}

/// The objects that automorphisms found so far make equal, for one node of a search.
///
/// Automorphisms are kept one after the other in one vector, so that finding some costs no allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Automorphisms {
    /// Each as the images of all objects.
    images: Vec<Object>,
    objects: usize,
    /// A union-find forest over the objects, for the node that the search is at.
    leaders: Vec<Object>,
    /// How much of `images` it takes into account; nothing if the search has moved on.
    merged: Option<usize>,
}

impl Automorphisms {
    pub(super) fn new(objects: usize) -> Self {
        Self { images: Vec::new(), objects, leaders: vec![0; objects], merged: None }
    }

    pub(super) fn clear(&mut self) {
        self.images.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    pub(super) fn count(&self) -> usize {
        self.images.len() / self.objects
    }

    /// Adds the element that carries each object of `from` to the one at the same place of `to`.
    pub(super) fn add(&mut self, from: &[Object], to: &[Object]) -> &[Object] {
        let start = self.images.len();
        self.images.resize(start + self.objects, 0);
        for (&from, &to) in from.iter().zip(to) {
            self.images[start + from as usize] = to;
        }
        &self.images[start..]
    }

    /// Adds an element given by its images.
    pub(super) fn add_images(&mut self, image: impl Fn(Object) -> Object) {
        self.images.extend((0..self.objects as Object).map(image));
    }

    /// Says that the search is at another node.
    pub(super) fn forget_classes(&mut self) {
        self.merged = None;
    }

    /// Makes the classes those of the automorphisms that fix all objects of a path, that of the node the search is at.
    pub(super) fn classify(&mut self, path: &[Object]) {
        if self.merged.is_none() {
            (0..).zip(&mut self.leaders).for_each(|(object, leader)| *leader = object);
        }
        for start in (self.merged.unwrap_or(0)..self.images.len()).step_by(self.objects) {
            if path.iter().all(|&object| self.images[start + object as usize] == object) {
                for object in 0..self.objects {
                    let image = self.images[start + object];
                    if image != object as Object {
                        self.merge(object as Object, image);
                    }
                }
            }
        }
        self.merged = Some(self.images.len());
    }

    pub(super) fn merge(&mut self, a: Object, b: Object) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.leaders[a.max(b) as usize] = a.min(b);
    }

    /// The least object of a class.
    pub(super) fn leader(&mut self, object: Object) -> Object {
        let mut at = object;
        while self.leaders[at as usize] != at {
            let above = self.leaders[at as usize];
            self.leaders[at as usize] = self.leaders[above as usize];
            at = above;
        }
        at
    }
}
