//! Images by enumeration: exact, simple, and only for small groups or orbits. The twins of the search.

use rustc_hash::FxHashSet;

use crate::chain::Chain;
use crate::group::Group;
use crate::permutation::Permutation;

/// All vectors of an orbit, found by applying generators until nothing new appears.
pub fn orbit_by_enumeration<T: Clone + Eq + std::hash::Hash>(group: &Group, values: &[T]) -> FxHashSet<Vec<T>> {
    let mut orbit = FxHashSet::from_iter([values.to_vec()]);
    let mut fresh = vec![values.to_vec()];
    while let Some(vector) = fresh.pop() {
        for generator in group.generators() {
            let image = generator.permute(&vector);
            if orbit.insert(image.clone()) {
                fresh.push(image);
            }
        }
    }
    orbit
}

/// Visits the image of a vector under every element once; returns how often a permutation was applied.
///
/// An element is a product of one representative of each level, the deepest applied first. The deepest level is the
/// outermost loop, so partial images are shared where there are few of them: for the symmetric group of degree 6, 2 + 6
/// + 24 + 120 + 720 applications.
pub fn images_by_enumeration<T: Clone>(group: &Group, values: &[T], mut visit: impl FnMut(&[T])) -> usize {
    let levels = representatives(group.chain());
    visit_images(&levels, values, &mut visit)
}

fn visit_images<T: Clone>(levels: &[Vec<Permutation>], values: &[T], visit: &mut impl FnMut(&[T])) -> usize {
    let Some((deepest, above)) = levels.split_last() else {
        visit(values);
        return 0;
    };
    deepest.iter().map(|element| 1 + visit_images(above, &element.permute(values), visit)).sum()
}

fn representatives(chain: &Chain) -> Vec<Vec<Permutation>> {
    let of_level = |level: &crate::level::Level| {
        let representative = |&point: &u32| level.representative(point).expect("orbit points have representatives");
        level.orbit().iter().map(representative).collect()
    };
    chain.levels().iter().filter(|level| level.orbit().len() > 1).map(of_level).collect()
}
