//! The proof that a stabiliser chain is complete, by far fewer siftings than there are Schreier generators.
//!
//! Sims's criterion (Seress 2003, section 8.2), for one level: let `K` be the group of the levels below, already
//! proven, `β` the root, `Δ` its orbit, `Z` the generators that move `β`, and `H = ⟨K, Z⟩`. Choose in each `K`-orbit on
//! `Δ` a point `γ`, and `u` in `H` with `β·u = γ`; for every `δ = γ·k` let `u_δ = u·k`. Then the stabiliser of `β` in
//! `H` is `K` if and only if
//! 1. `u · K_γ · u⁻¹` lies in `K` for each chosen `γ`: then each coset `K·u_δ` depends on `δ` only;
//! 2. `u_δ · z · u_{δ·z}⁻¹` lies in `K` for each `z` in `Z` and `δ` in `Δ`: then the union of these cosets is closed,
//!    so it is `H`.
//!
//! By 1., if 2. holds at `δ₀ = β·z⁻¹`, then `z⁻¹·x·z` lies in `K` for each `x` in `K_{δ₀}`; so 2. need be tested only
//! at one point of each orbit of `K_{δ₀}` on `Δ`. For the symmetric group these are three points instead of the whole
//! orbit.

use num_bigint::BigUint;

use crate::chain::Chain;
use crate::construct;
use crate::level::Level;
use crate::orbit::orbits;
use crate::permutation::{Permutation, Point};

/// An element of the group that a chain lacks.
#[derive(Debug)]
pub(crate) struct Missing {
    /// The level whose check found it; it belongs to the levels below.
    pub(crate) level: usize,
    pub(crate) element: Permutation,
}

/// Checks the first `unproven` levels from the last of them to the first; the levels after them are proven already.
pub(crate) fn verify(chain: &Chain, unproven: usize) -> Result<(), Missing> {
    // A level that is as large as possible proves those below it as well.
    let unproven = (0..unproven).find(|&level| is_as_large_as_possible(chain, level)).unwrap_or(unproven);
    (0..unproven).rev().try_for_each(|level| check_level(chain, level))
}

/// Whether a level's order is that of all permutations which keep its orbits: then nothing can be missing.
fn is_as_large_as_possible(chain: &Chain, level: usize) -> bool {
    let orbits = orbits(chain.degree(), chain.generators_at(level).map(|step| &step.forward));
    let factorials = orbits.iter().flat_map(|orbit| 1..=orbit.len()).product::<BigUint>();
    chain.order_from(level) == factorials
}

/// A chosen point of a `K`-orbit on `Δ`.
struct Chosen {
    /// The `K`-orbit of the chosen point, with elements of `K` that lead from it.
    orbit: Level,
    /// `u`: from `β` to the chosen point.
    reach: Permutation,
    /// Generators of the chosen point's stabiliser in `K`.
    stabiliser: Vec<Permutation>,
}

fn check_level(chain: &Chain, level: usize) -> Result<(), Missing> {
    let here = &chain.levels()[level];
    let below = chain.tail(level + 1);
    let missing = |element: Permutation| {
        let sifted = below.sift_from(0, element);
        if sifted.is_member() { Ok(()) } else { Err(Missing { level, element: sifted.residue }) }
    };
    let mut chosen: Vec<Chosen> = Vec::new();
    for &point in here.orbit() {
        if !chosen.iter().any(|choice| choice.orbit.contains(point)) {
            let choice = choose(chain, level, &below, point);
            for element in &choice.stabiliser {
                // u · x · u⁻¹
                let mut conjugate = choice.reach.then(element);
                here.carry_to_root(&mut conjugate, choice.orbit.root());
                missing(conjugate)?;
            }
            chosen.push(choice);
        }
    }
    let find = |point: Point| chosen.iter().find(|choice| choice.orbit.contains(point)).expect("orbits cover Δ");
    let reach = |point: Point| {
        let choice = find(point);
        choice.reach.then(&choice.orbit.representative(point).expect("the orbit was found to contain the point"))
    };
    for step in here.generators().filter(|step| step.forward.image(here.root()) != here.root()) {
        let to_root = step.backward.image(here.root());
        let choice = find(to_root);
        let carry = choice.orbit.representative(to_root).expect("the orbit was found to contain the point");
        let stabiliser: Vec<_> = choice.stabiliser.iter().map(|element| element.conjugate_by(&carry)).collect();
        for orbit in orbits(chain.degree(), &stabiliser).iter().filter(|orbit| here.contains(orbit[0])) {
            let point = orbit[0];
            let back = reach(step.forward.image(point)).inverse();
            missing(reach(point).then(&step.forward).then(&back))?;
        }
        // The orbit of `to_root` under its own stabiliser is itself alone, so it was among the points tested.
    }
    Ok(())
}

fn choose(chain: &Chain, level: usize, below: &Chain, point: Point) -> Chosen {
    let here = &chain.levels()[level];
    let fixed = below.generators_at(0).all(|step| step.forward.image(point) == point);
    let next_root = below.levels().first().filter(|next| next.contains(point)).map(Level::root);
    let (root, stabiliser) = match next_root {
        _ if fixed => (point, below.clone()),
        // The next level is the stabiliser of its own root, so that point is the cheapest choice.
        Some(root) => (root, below.tail(1)),
        None => (point, construct::with_base(below, &[point]).tail(1)),
    };
    let mut orbit = Level::new(chain.degree(), root);
    for step in below.generators_at(0) {
        orbit.extend(step.clone());
    }
    Chosen {
        orbit,
        reach: here.representative(root).expect("the chosen point lies in the orbit"),
        stabiliser: stabiliser.generators_at(0).map(|step| step.forward.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::verify;
    use crate::chain::Chain;
    use crate::testing::{any_generators, closure};

    proptest! {
        /// Starts from the bare generators: all that the chain lacks must be found by the checks.
        #[test]
        fn a_chain_is_accepted_exactly_when_it_is_complete((degree, generators) in any_generators()) {
            let order = closure(degree, &generators).len();
            let mut chain = Chain::trivial(degree, &[]);
            generators.iter().for_each(|generator| chain.insert(0, generator.clone()));
            while let Err(missing) = verify(&chain, chain.levels().len()) {
                prop_assert!(chain.order_from(0) < order.into());
                let before = chain.order_from(0);
                chain.insert(missing.level + 1, missing.element);
                prop_assert!(chain.order_from(0) > before);
            }
            prop_assert_eq!(chain.order_from(0), order.into());
        }
    }
}
