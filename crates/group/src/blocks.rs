//! Block systems of an orbit: partitions of it that every group element preserves.
//!
//! The finest block system that joins two given points is found by closing "these belong together" under the generators
//! (Atkinson 1975). Every block system is a join of such principal ones that share a point, so closing them under joins
//! lists all systems; there may be many (as many as subspaces, for a regular elementary abelian group), so algorithms
//! ask for all of them only when they must.

use std::collections::BTreeSet;

use crate::group::Group;
use crate::permutation::{Permutation, Point};
use crate::union::DisjointSets;

/// Blocks, each sorted, ordered by their least points.
pub type BlockSystem = Vec<Vec<Point>>;

impl Group {
    /// The finest block system of an orbit that has the given points in one block.
    ///
    /// The orbit itself as single block if nothing finer joins them.
    ///
    /// # Panics
    /// If the points are not of one orbit, or there are none.
    pub fn finest_blocks_joining(&self, points: &[Point]) -> BlockSystem {
        let orbit = self.orbit(points[0]);
        assert!(points.iter().all(|point| orbit.contains(point)), "blocks join points of one orbit");
        finest_blocks(self.generators(), &orbit, &[points])
    }

    /// The block systems of an orbit that are finest but for the singletons; none if the orbit is primitive.
    pub fn minimal_block_systems(&self, orbit: &[Point]) -> Vec<BlockSystem> {
        let principal = self.principal_block_systems(orbit);
        let proper = principal.iter().filter(|system| system.len() > 1);
        proper.filter(|&system| !principal.iter().any(|other| refines_properly(other, system))).cloned().collect()
    }

    /// All block systems of an orbit except the singletons and the whole, finest first.
    pub fn all_block_systems(&self, orbit: &[Point]) -> Vec<BlockSystem> {
        let principal = self.principal_block_systems(orbit);
        let mut all: BTreeSet<BlockSystem> = principal.iter().cloned().collect();
        let mut fresh: Vec<BlockSystem> = principal.clone();
        while let Some(system) = fresh.pop() {
            for other in &principal {
                let ties: Vec<&[Point]> = [&system[0][..], &other[0][..]].to_vec();
                let join = finest_blocks(self.generators(), orbit, &ties);
                if all.insert(join.clone()) {
                    fresh.push(join);
                }
            }
        }
        let mut all: Vec<BlockSystem> = all.into_iter().filter(|system| system.len() > 1).collect();
        all.sort_by_key(|system| std::cmp::Reverse(system.len()));
        all
    }

    /// Whether an orbit has no block systems but the singletons and the whole. An orbit of one point is primitive.
    pub fn is_primitive_on(&self, orbit: &[Point]) -> bool {
        self.principal_block_systems(orbit).iter().all(|system| system.len() == 1)
    }

    /// The finest systems that join the first point of the orbit with one other, without repetition.
    pub(crate) fn principal_block_systems(&self, orbit: &[Point]) -> Vec<BlockSystem> {
        let Some(&first) = orbit.iter().min() else { return Vec::new() };
        // Points in one orbit of the stabiliser of the first give the same system.
        let partners = self.point_stabiliser(first).orbits();
        let partners = partners.iter().map(|suborbit| suborbit[0]).filter(|p| *p != first && orbit.contains(p));
        let systems: BTreeSet<BlockSystem> =
            partners.map(|partner| finest_blocks(self.generators(), orbit, &[&[first, partner]])).collect();
        systems.into_iter().collect()
    }
}

/// The finest block system of the orbit in which the points of each tie are together.
pub(crate) fn finest_blocks(generators: &[Permutation], orbit: &[Point], ties: &[&[Point]]) -> BlockSystem {
    let degree = orbit.iter().max().map_or(0, |&last| last as usize + 1);
    let mut sets = DisjointSets::singletons(degree);
    // Whenever a set's old least point joins another set, its images must join those of the new least point.
    let mut joined: Vec<Point> = Vec::new();
    for tie in ties {
        joined.extend(tie.iter().filter_map(|&point| sets.merge(tie[0], point)));
    }
    while let Some(point) = joined.pop() {
        let least = sets.least(point);
        for generator in generators {
            joined.extend(sets.merge(generator.image(least), generator.image(point)));
        }
    }
    let mut blocks = sets.sets();
    let mut inside = vec![false; degree];
    orbit.iter().for_each(|&point| inside[point as usize] = true);
    blocks.retain(|block| inside[block[0] as usize]);
    blocks
}

/// Whether `fine` is another partition than `coarse`, and its first block lies in that of `coarse`.
fn refines_properly(fine: &BlockSystem, coarse: &BlockSystem) -> bool {
    fine.len() > coarse.len() && fine[0].iter().all(|point| coarse[0].contains(point))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::{prop_assert_eq, proptest};

    use super::BlockSystem;
    use crate::group::Group;
    use crate::permutation::{Permutation, Point};
    use crate::testing::{any_generators, closure};

    /// All block systems by the definition: a set is a block if each element maps it onto itself or away from itself.
    fn by_definition(elements: &BTreeSet<Permutation>, orbit: &[Point]) -> BTreeSet<BlockSystem> {
        let mut systems = BTreeSet::new();
        for chosen in 0u32..1 << (orbit.len() - 1) {
            let chosen = 2 * chosen + 1;
            let block: BTreeSet<Point> = (0..orbit.len()).filter(|i| chosen >> i & 1 == 1).map(|i| orbit[i]).collect();
            let images: BTreeSet<Vec<Point>> = elements
                .iter()
                .map(|g| block.iter().map(|&p| g.image(p)).collect::<BTreeSet<Point>>().into_iter().collect())
                .collect();
            if images.iter().map(Vec::len).sum::<usize>() == orbit.len() && ![1, orbit.len()].contains(&block.len()) {
                systems.insert(images.into_iter().collect());
            }
        }
        systems
    }

    proptest! {
        #[test]
        fn block_systems_are_those_of_the_definition((degree, generators) in any_generators()) {
            let elements = closure(degree, &generators);
            let group = Group::generated_by(degree, generators);
            for orbit in group.orbits() {
                let expected = by_definition(&elements, &orbit);
                let found = group.all_block_systems(&orbit);
                prop_assert_eq!(found.len(), expected.len());
                prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected.clone());
                prop_assert_eq!(group.is_primitive_on(&orbit), expected.is_empty());
                let is_minimal =
                    |system: &&BlockSystem| !expected.iter().any(|other| super::refines_properly(other, system));
                let minimal: BTreeSet<_> = expected.iter().filter(is_minimal).cloned().collect();
                prop_assert_eq!(group.minimal_block_systems(&orbit).into_iter().collect::<BTreeSet<_>>(), minimal);
            }
        }
    }

    #[test]
    fn block_systems_of_a_regular_elementary_abelian_group_are_its_subspaces() {
        let flips =
            (0..4).map(|axis| Permutation::from_images((0..16).map(|p: Point| p ^ 1 << axis).collect::<Vec<_>>()));
        let group = Group::generated_by(16, flips.map(Result::unwrap));
        let orbit: Vec<Point> = (0..16).collect();
        assert_eq!(group.minimal_block_systems(&orbit).len(), 15);
        assert_eq!(group.all_block_systems(&orbit).len(), 15 + 35 + 15);
    }

    #[test]
    fn the_cube_has_antipodes_and_two_tetrahedra_as_blocks() {
        let cube = Group::hypercube(3);
        let systems = cube.all_block_systems(&(0..8).collect::<Vec<_>>());
        let antipodes = vec![vec![0, 7], vec![1, 6], vec![2, 5], vec![3, 4]];
        assert_eq!(systems, [antipodes, vec![vec![0, 3, 5, 6], vec![1, 2, 4, 7]]]);
        assert_eq!(cube.finest_blocks_joining(&[0, 3])[0], [0, 3, 5, 6]);
        assert_eq!(cube.finest_blocks_joining(&[0, 1]).len(), 1);
    }
}
