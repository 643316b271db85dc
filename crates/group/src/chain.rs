//! A stabiliser chain: the group, the stabiliser of a point in it, of a second point in that, and so on down to one
//! element.
//!
//! Level `k` holds the orbit of the `k`-th base point under the stabiliser of the base points before it. Each element
//! of the group is in exactly one way a product `r_m · … · r_1 · r_0` with `r_k` a representative of level `k`; to
//! *sift* is to find that product from its right end (Sims 1970; Seress, "Permutation Group Algorithms", 2003, chapter
//! 4).
//!
//! The type only keeps the books; that the chain is complete is the business of [`crate::schreier_sims`] and
//! [`crate::construct`].

use std::sync::Arc;

use num_bigint::BigUint;

use crate::level::{Level, Step};
use crate::permutation::{Permutation, Point};
use crate::random::Random;

#[derive(Clone, Debug)]
pub(crate) struct Chain {
    degree: usize,
    levels: Vec<Level>,
}

/// Where an element's sifting ended.
#[derive(Debug)]
pub(crate) struct Sifted {
    /// What is left of the element; it fixes the roots of all levels passed.
    pub(crate) residue: Permutation,
    /// The level whose orbit the residue leaves; the number of levels if it passed all.
    pub(crate) level: usize,
}

impl Chain {
    /// The chain of the trivial group, with a level for each of the given base points.
    pub(crate) fn trivial(degree: usize, base: &[Point]) -> Self {
        Self { degree, levels: base.iter().map(|&root| Level::new(degree, root)).collect() }
    }

    pub(crate) fn degree(&self) -> usize {
        self.degree
    }

    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    pub(crate) fn base(&self) -> Vec<Point> {
        self.levels.iter().map(Level::root).collect()
    }

    /// The product of the orbit lengths from a level on; the order of that level's group if the chain is complete.
    pub(crate) fn order_from(&self, level: usize) -> BigUint {
        self.levels[level.min(self.levels.len())..].iter().map(|level| level.orbit().len()).product()
    }

    /// The chain from a level on.
    pub(crate) fn tail(&self, level: usize) -> Self {
        Self { degree: self.degree, levels: self.levels[level.min(self.levels.len())..].to_vec() }
    }

    /// The generators of a level's group; none beyond the last level.
    pub(crate) fn generators_at(&self, level: usize) -> impl Iterator<Item = &Arc<Step>> + Clone {
        self.levels.get(level).into_iter().flat_map(Level::generators)
    }

    /// Divides the element by representatives from level `from` on, as far as that goes.
    pub(crate) fn sift_from(&self, from: usize, element: Permutation) -> Sifted {
        let mut residue = element;
        for (place, level) in self.levels.iter().enumerate().skip(from) {
            let image = residue.image(level.root());
            if !level.carry_to_root(&mut residue, image) {
                return Sifted { residue, level: place };
            }
        }
        Sifted { residue, level: self.levels.len() }
    }

    /// Adds an element to the generators of levels `from` down to the first whose root it moves.
    ///
    /// A level is appended if it moves no root. The element must fix the roots of all levels before `from`.
    pub(crate) fn insert(&mut self, from: usize, element: Permutation) {
        let Some(moved) = element.first_moved() else { return };
        let step = Step::new(element);
        let last = self.levels.iter().position(|level| step.forward.image(level.root()) != level.root());
        let last = last.unwrap_or_else(|| {
            self.levels.push(Level::new(self.degree, moved));
            self.levels.len() - 1
        });
        debug_assert!(last >= from, "the element moves the root of a level above");
        for level in &mut self.levels[from..=last] {
            level.extend(Arc::clone(&step));
        }
    }

    /// An element of the group, each equally likely if the chain is complete.
    pub(crate) fn random_element_from(&self, level: usize, random: &mut Random) -> Permutation {
        // The inverse of a uniformly drawn element is as uniform, and cheaper to multiply up.
        let mut inverse = Permutation::identity(self.degree);
        for level in &self.levels[level.min(self.levels.len())..] {
            level.carry_to_root(&mut inverse, level.orbit()[random.below(level.orbit().len())]);
        }
        inverse
    }
}

impl Sifted {
    /// Whether the element was a product of representatives.
    pub(crate) fn is_member(&self) -> bool {
        self.residue.is_identity()
    }
}
