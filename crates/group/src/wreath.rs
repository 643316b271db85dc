//! Recognition of wreath products `H wr K`: equal parts, each with its own symmetry `H`, exchanged as wholes by `K`.
//!
//! Let the blocks `X_1 … X_d` partition the moved points and be permuted transitively; the group itself need not be
//! transitive. Choose `t_i` in the group with `X_1·t_i = X_i` and name the points of `X_i` after those of `X_1` by it.
//! Then the group embeds into `H wr K` with respect to these names, where `H` is what the stabiliser of `X_1` does on
//! `X_1`, and `K` what the group does on blocks; if `|G| = |H|^d · |K|`, it *is* `H wr K`.
//!
//! So a wreath product is recognised by its order once the right blocks are known, and these are found in polynomial
//! time. No monomorphisms are searched for as in Donaldson's thesis (2007, algorithm 9), whose result need not be
//! aligned.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use crate::action::Action;
use crate::blocks::{BlockSystem, finest_blocks};
use crate::equivariance::equivariant_bijection;
use crate::group::Group;
use crate::permutation::{Permutation, Point};
use crate::union::DisjointSets;

/// A group seen as wreath product.
#[derive(Clone, Debug)]
pub struct Wreath {
    /// The blocks; points at the same place of different blocks correspond to each other.
    ///
    /// For each permutation of the blocks in the top group, the map that takes every point to the corresponding point
    /// is in the group.
    pub blocks: Vec<Vec<Point>>,
    /// The group inside a block, on the places `0..` in the block. Not trivial.
    pub inner: Group,
    /// The group that permutes the blocks. Transitive, of degree two at least.
    pub top: Group,
}

impl Group {
    /// The wreath product that this group is on its moved points, with the fewest blocks; `None` if it is none.
    pub fn wreath_decomposition(&self) -> Option<Wreath> {
        self.wreath_decompositions().next()
    }

    /// All ways to see this group as wreath product, one for each possible number of blocks, fewest blocks first.
    pub fn wreath_decompositions(&self) -> impl Iterator<Item = Wreath> {
        let mut orbits = self.orbits();
        orbits.retain(|orbit| orbit.len() > 1);
        let candidates: Vec<Vec<BlockSystem>> = orbits.iter().map(|orbit| candidate_systems(self, orbit)).collect();
        let counts: BTreeSet<usize> = candidates.iter().flatten().map(Vec::len).collect();
        counts.into_iter().filter_map(move |count| {
            let systems: Vec<&BlockSystem> =
                candidates.iter().map(|systems| systems.iter().find(|s| s.len() == count)).collect::<Option<_>>()?;
            let singletons_only = systems.iter().all(|system| system[0].len() == 1);
            if singletons_only { None } else { verified(self, aligned_blocks(self, &systems)?) }
        })
    }
}

/// The block systems of an orbit, singletons included and the whole excluded, that could belong to a wreath product.
///
/// In a wreath product the stabiliser of a point `a` contains the inner groups of all blocks but that of `a`. So its
/// orbits outside that block, within the orbit of `a`, are unions of blocks. Systems with this property form a chain
/// under refinement: let `X`, `Y` be the blocks of `a` in two of them, `x` in `X` only and `y` in `Y` only. The
/// suborbit of `x` lies in `X` and contains a block of the second system, that of `y` lies in `Y` and contains a block
/// of the first; so blocks of both have one size, and `X` is the second system's block of `x`, which then contains `a`:
/// it is `Y`. So there is at most one candidate for each number of blocks.
fn candidate_systems(group: &Group, orbit: &[Point]) -> Vec<BlockSystem> {
    let first = orbit[0];
    let mut suborbits = group.point_stabiliser(first).orbits();
    suborbits.retain(|suborbit| orbit.binary_search(&suborbit[0]).is_ok());
    let singletons: BlockSystem = orbit.iter().map(|&point| vec![point]).collect();
    let mut systems = BTreeSet::from([singletons]);
    for suborbit in suborbits.iter().filter(|suborbit| suborbit[0] != first) {
        systems.insert(finest_candidate(group.generators(), orbit, &suborbits, suborbit[0]));
    }
    systems.into_iter().filter(|system| system.len() > 1).collect()
}

/// The finest block system that joins the orbit's first point with `partner`, and has suborbits that are unions of
/// blocks.
fn finest_candidate(
    generators: &[Permutation],
    orbit: &[Point],
    suborbits: &[Vec<Point>],
    partner: Point,
) -> BlockSystem {
    let mut together = vec![orbit[0], partner];
    loop {
        let blocks = finest_blocks(generators, orbit, &[&together]);
        let block_of = |point: Point| blocks.iter().find(|block| block.binary_search(&point).is_ok());
        let torn =
            suborbits.iter().filter(|suborbit| blocks[0].binary_search(&suborbit[0]).is_err()).find(|suborbit| {
                let inside = |point: &Point| suborbit.binary_search(point).is_ok();
                let block = block_of(suborbit[0]).expect("blocks cover the orbit");
                // The stabiliser of the first point permutes the blocks that meet the suborbit, so one is as good as
                // all.
                !block.iter().all(inside)
            });
        match torn {
            None => return blocks,
            // If the suborbit stayed outside, its blocks, now or coarser, would be torn; so it belongs inside.
            Some(suborbit) => together = [&blocks[0][..], &suborbit[..1]].concat(),
        }
    }
}

/// The blocks of different orbits put together, in a way that is right if any is.
///
/// The kernel of the action on blocks is the disjoint product of the inner groups, so its finest factors tell which
/// pieces belong to one block. Pieces that no factor ties are moved independently by the inner groups, and may be
/// matched in any way that the group respects.
fn aligned_blocks(group: &Group, systems: &[&BlockSystem]) -> Option<Vec<Vec<Point>>> {
    let count = systems[0].len();
    let pieces: Vec<Vec<Point>> = systems.iter().flat_map(|system| system.iter().cloned()).collect();
    let mut owner = vec![0; group.degree()];
    for (index, piece) in (0..).zip(&pieces) {
        piece.iter().for_each(|&point| owner[point as usize] = index);
    }
    let action = Action::on_sets(group, &pieces)?;
    // Pieces tied by a factor of the kernel, and the orbits these pieces are of.
    let mut tied = DisjointSets::singletons(pieces.len());
    let mut orbits_tied = DisjointSets::singletons(systems.len());
    for factor in action.kernel().disjoint_factors() {
        let moved = factor.moved_points();
        let (first, first_orbit) = (owner[moved[0] as usize], owner[moved[0] as usize] / count as Point);
        for point in moved {
            tied.merge(first, owner[point as usize]);
            orbits_tied.merge(first_orbit, owner[point as usize] / count as Point);
        }
    }
    let bundles = tied.sets();
    let mut bundle_of = vec![0; pieces.len()];
    for (index, bundle) in (0..).zip(&bundles) {
        bundle.iter().for_each(|&piece| bundle_of[piece as usize] = index);
    }
    let on_bundles = |generator: &Permutation| {
        let image = |bundle: &Vec<Point>| bundle_of[generator.image(bundle[0]) as usize];
        Permutation::from_images(bundles.iter().map(image).collect::<Vec<_>>()).ok()
    };
    let generators: Vec<Permutation> = action.image().generators().iter().map(on_bundles).collect::<Option<_>>()?;
    // Orbits tied together have as many bundles as blocks, each with one piece of each orbit.
    let bundles_of = |orbits: &Vec<Point>| {
        let first_pieces = (0..count as Point).map(|place| orbits[0] * count as Point + place);
        let found: BTreeSet<Point> = first_pieces.map(|piece| bundle_of[piece as usize]).collect();
        let whole = found.len() == count && found.iter().all(|&b| bundles[b as usize].len() == orbits.len());
        whole.then(|| found.into_iter().collect::<Vec<Point>>())
    };
    let components: Vec<Vec<Point>> = orbits_tied.sets().iter().map(bundles_of).collect::<Option<_>>()?;
    let mut blocks: Vec<Vec<Point>> = components[0].iter().map(|&bundle| vec![bundle]).collect();
    for further in &components[1..] {
        let matched = equivariant_bijection(&generators, &components[0], further)?;
        blocks.iter_mut().zip(matched).for_each(|(block, (_, bundle))| block.push(bundle));
    }
    let points = |block: &Vec<Point>| {
        let pieces_in = block.iter().flat_map(|&bundle| &bundles[bundle as usize]);
        let mut points: Vec<Point> = pieces_in.flat_map(|&piece| pieces[piece as usize].iter().copied()).collect();
        points.sort_unstable();
        points
    };
    Some(blocks.iter().map(points).collect())
}

/// The wreath product on the given blocks, if the group is one.
fn verified(group: &Group, blocks: Vec<Vec<Point>>) -> Option<Wreath> {
    let action = Action::on_sets(group, &blocks)?;
    let inner = action.stabiliser_of(0).restricted_to(&blocks[0]);
    let top = action.image().clone();
    let full = (0..blocks.len()).map(|_| inner.order()).product::<BigUint>() * top.order();
    if full != group.order() || inner.is_trivial() {
        return None;
    }
    let corresponding = |element: Option<Permutation>| {
        element.map(|element| blocks[0].iter().map(|&point| element.image(point)).collect::<Vec<Point>>())
    };
    let blocks = action.transversal().into_iter().map(corresponding).collect::<Option<Vec<_>>>()?;
    Some(Wreath { blocks, inner, top })
}

#[cfg(test)]
mod tests;
