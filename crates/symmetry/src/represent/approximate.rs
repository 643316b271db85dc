//! Representatives that lie in the orbit but need not be the only ones of it: cheap, and kept to compare with.
//!
//! - Local search: the least of the images under the generators and their inverses, as long as that lessens the state (TopSPIN's
//!   "localsearch", Donaldson 2007, chapter 9.2.4).
//! - Pseudo-sort: columns are sorted by exchanges, each of which renames references and thus may spoil what has been compared (Derepas,
//!   Gastin, "Model checking systems of replicated processes with Spin", 2001).

use group::Group;

use super::Found;
use super::layout::Layout;
use super::objects::{Class, Object, Objects};
use super::reading::Reading;

/// The moves of a local search.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// Each as the source of each place and the target of each object.
    moves: Vec<(Vec<Object>, Vec<Object>)>,
}

impl Moves {
    /// The generators of a group of permutations of objects, and their inverses.
    pub(super) fn new(objects: &Group) -> Self {
        let mut moves = Vec::new();
        for generator in objects.generators() {
            let (there, back) = (generator.images().to_vec(), generator.inverse().images().to_vec());
            if there != back {
                moves.push((there.clone(), back.clone()));
            }
            moves.push((back, there));
        }
        Self { moves }
    }
}

/// The buffers of an approximation.
#[derive(Clone, Debug)]
pub(super) struct Approximation {
    current: Vec<u8>,
    image: Vec<u8>,
    sources: Vec<Object>,
}

impl Approximation {
    pub(super) fn new(objects: usize, length: usize) -> Self {
        Self { current: vec![0; length], image: vec![0; length], sources: (0..objects as Object).collect() }
    }

    pub(super) fn descend(
        &mut self,
        moves: &Moves,
        layout: &Layout,
        reading: &mut Reading,
        state: &[u8],
        found: &mut Found,
    ) {
        self.current.copy_from_slice(state);
        found.image.copy_from_slice(state);
        loop {
            for (sources, targets) in &moves.moves {
                reading.write_image(layout, &self.current, sources, targets, &mut self.image);
                if self.image < found.image {
                    found.image.copy_from_slice(&self.image);
                }
            }
            if found.image == self.current {
                break;
            }
            self.current.copy_from_slice(&found.image);
            reading.read(layout, &self.current);
        }
        found.changed = found.image != state;
    }

    pub(super) fn sort(
        &mut self,
        objects: &Objects,
        layout: &Layout,
        reading: &mut Reading,
        state: &[u8],
        found: &mut Found,
    ) {
        self.current.copy_from_slice(state);
        for Class { first, count, .. } in &objects.classes {
            let end = *first + *count as Object;
            for place in *first..end {
                let mut least = place;
                for other in place + 1..end {
                    if layout.contents(&self.current, other).lt(layout.contents(&self.current, least)) {
                        least = other;
                    }
                }
                if least != place {
                    reading.read(layout, &self.current);
                    self.sources.swap(place as usize, least as usize);
                    reading.write_image(layout, &self.current, &self.sources, &self.sources, &mut self.image);
                    self.sources.swap(place as usize, least as usize);
                    self.current.copy_from_slice(&self.image);
                }
            }
        }
        found.image.copy_from_slice(&self.current);
        found.changed = found.image != state;
    }
}
