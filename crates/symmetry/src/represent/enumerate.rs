//! The naive way: the least image under all elements of the group, the twin that exact search is compared with.
//!
//! Elements are products of one representative for each level of a stabiliser chain, so that each takes one multiplication.

use super::best::Factor;
use super::layout::Layout;
use super::objects::Object;
use super::reading::Reading;
use super::stages::Chain;
use super::{Found, Purpose};

/// The buffers of an enumeration, made once.
#[derive(Clone, Debug)]
pub(super) struct Enumeration {
    /// By level: the source of each place.
    partial: Vec<Object>,
    targets: Vec<Object>,
    image: Vec<u8>,
    /// How many elements leave the state as it is.
    fixing: usize,
}

impl Enumeration {
    pub(super) fn new(chain: &Chain, objects: usize, length: usize) -> Self {
        let partial = (0..=chain.depth).flat_map(|_| 0..objects as Object).collect();
        Self { partial, targets: vec![0; objects], image: vec![0; length], fixing: 0 }
    }

    pub(super) fn run(&mut self, chain: &Chain, layout: &Layout, reading: &Reading, state: &[u8], found: &mut Found) {
        found.image.copy_from_slice(state);
        self.fixing = 0;
        self.level(0, chain, layout, reading, state, found);
        found.changed = found.image != state;
        if found.purpose == Purpose::OrbitSize {
            found.stabiliser.push(Factor::Number(self.fixing));
        }
    }

    fn level(
        &mut self,
        level: usize,
        chain: &Chain,
        layout: &Layout,
        reading: &Reading,
        state: &[u8],
        found: &mut Found,
    ) {
        let objects = self.targets.len();
        // The stages of such a chain follow each other.
        let here = &chain.stages[level];
        if here.choices.is_empty() {
            let sources = &self.partial[level * objects..];
            for (target, &source) in (0..).zip(sources) {
                self.targets[source as usize] = target;
            }
            reading.write_image(layout, state, sources, &self.targets, &mut self.image);
            self.fixing += usize::from(self.image == state);
            if self.image < found.image {
                found.image.copy_from_slice(&self.image);
            }
            return;
        }
        for choice in &here.choices {
            let (before, after) = self.partial.split_at_mut((level + 1) * objects);
            let before = &before[level * objects..];
            for (source, &through) in after[..objects].iter_mut().zip(choice.carrier.images()) {
                *source = before[through as usize];
            }
            self.level(level + 1, chain, layout, reading, state, found);
        }
    }
}
