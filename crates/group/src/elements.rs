//! All elements of a group, one multiplication each: an odometer over the representatives of the stabiliser chain.
//!
//! An element is `r_m · … · r_1 · r_0` with one representative of each level. The products `r_k · … · r_0` of the
//! upper levels are kept, and the deepest level turns fastest.

use crate::chain::Chain;
use crate::permutation::Permutation;

/// An iterator over the elements of a group, see [`crate::Group::elements`].
pub struct Elements<'a> {
    chain: &'a Chain,
    /// By level: the place of its representative in the orbit.
    places: Vec<usize>,
    /// By level: the product of its representative and those above; one more in front, the identity.
    products: Vec<Permutation>,
    finished: bool,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(chain: &'a Chain) -> Self {
        let levels = chain.levels().len();
        let identity = Permutation::identity(chain.degree());
        Self { chain, places: vec![0; levels], products: vec![identity; levels + 1], finished: false }
    }
}

impl Iterator for Elements<'_> {
    type Item = Permutation;

    fn next(&mut self) -> Option<Permutation> {
        if self.finished {
            return None;
        }
        let element = self.products[self.places.len()].clone();
        let turning = self.places.iter().zip(self.chain.levels()).rposition(|(&p, level)| p + 1 < level.orbit().len());
        match turning {
            None => self.finished = true,
            Some(turning) => {
                self.places[turning] += 1;
                self.places[turning + 1..].fill(0);
                let level = &self.chain.levels()[turning];
                let mut product = level
                    .representative(level.orbit()[self.places[turning]])
                    .expect("orbit points have representatives");
                product.then_assign(&self.products[turning]);
                // The levels below stand at their roots, whose representative is the identity.
                self.products[turning + 1..].fill(product);
            }
        }
        Some(element)
    }
}
