//! The audit of a search modulo symmetry: random symmetries are applied to the states it meets.
//!
//! For a state `s` that is expanded and a symmetry `g` it is checked that
//! - `g` is a symmetry here: the steps from `g(s)` lead to the images of where those from `s` lead, and as much goes wrong;
//! - where representatives are unique, that of `s` is `s`, and that of `g(s)` is `s` too;
//! - the orbits of `s` and `g(s)` are equally large.
//!
//! Any failure is a bug in isospin; the report says so, with what is needed to reproduce it.

use std::fmt::Write as _;

use group::{Permutation, Random};
use machine::generate::{Generator, Successors};
use symmetry::Canonicaliser;

use super::orbits::Orbits;

/// What the audit of a search found.
#[derive(Clone, Debug, Default)]
pub struct Audited {
    /// How many states were checked, each with a symmetry.
    pub states: u64,
    /// The first failure, if there was one, with the state and the symmetry.
    pub failure: Option<String>,
}

impl Audited {
    /// Takes in what another worker found.
    pub(super) fn merge(&mut self, other: &Audited) {
        self.states += other.states;
        if self.failure.is_none() {
            self.failure.clone_from(&other.failure);
        }
    }
}

/// The auditor of one worker.
pub(super) struct Audit {
    random: Random,
    pub found: Audited,
    from_state: Successors,
    from_image: Successors,
}

/// A law that representatives keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Law {
    Steps,
    Errors,
    Idempotence,
    Invariance,
    OrbitSize,
}

impl Law {
    fn broken(self) -> &'static str {
        match self {
            Law::Steps => "the steps from the image of a state are not the images of its steps",
            Law::Errors => "not as much goes wrong at the image of a state as at the state",
            Law::Idempotence => "the representative of a representative is another state",
            Law::Invariance => "the image of a state has another representative",
            Law::OrbitSize => "the orbit of the image of a state has another size",
        }
    }
}

impl Audit {
    pub fn new(seed: u64) -> Audit {
        Audit {
            random: Random::from_seed(seed),
            found: Audited::default(),
            from_state: Successors::new(),
            from_image: Successors::new(),
        }
    }

    /// Checks a state that is its own representative, to which symmetry applies.
    pub fn check<G: Generator>(
        &mut self,
        orbits: &Orbits,
        canonicaliser: &mut Canonicaliser,
        generator: &mut G,
        state: &[u8],
    ) {
        let element = orbits.detection.group.random_element(&mut self.random);
        self.found.states += 1;
        if self.found.failure.is_some() {
            return;
        }
        let broken = self.broken_law(orbits, canonicaliser, generator, state, &element);
        if let Some(law) = broken {
            self.found.failure = Some(reproducer(orbits, law, state, &element));
        }
    }

    fn broken_law<G: Generator>(
        &mut self,
        orbits: &Orbits,
        canonicaliser: &mut Canonicaliser,
        generator: &mut G,
        state: &[u8],
        element: &Permutation,
    ) -> Option<Law> {
        let shape = &orbits.detection.shape;
        let image = shape.apply(element, state);
        generator.successors(state, &mut self.from_state);
        generator.successors(&image, &mut self.from_image);
        if self.from_state.signals().errors != self.from_image.signals().errors
            || self.from_state.signals().rest != self.from_image.signals().rest
        {
            return Some(Law::Errors);
        }
        // Where a process disappears, symmetry ends.
        let whole = |target: &&[u8]| target.len() == state.len();
        let mut images: Vec<Vec<u8>> =
            self.from_state.targets().filter(whole).map(|target| shape.apply(element, target)).collect();
        let mut targets: Vec<Vec<u8>> = self.from_image.targets().filter(whole).map(<[u8]>::to_vec).collect();
        images.sort_unstable();
        targets.sort_unstable();
        if images != targets {
            return Some(Law::Steps);
        }
        if canonicaliser.is_exact()
            && let Some(law) = broken_by(state, &image, |state| canonicaliser.representative(state))
        {
            return Some(law);
        }
        (canonicaliser.orbit_size(state) != canonicaliser.orbit_size(&image)).then_some(Law::OrbitSize)
    }
}

/// Which law of unique representatives is broken.
fn broken_by(state: &[u8], image: &[u8], mut representative: impl FnMut(&mut [u8])) -> Option<Law> {
    let mut represented = |state: &[u8]| {
        let mut state = state.to_vec();
        representative(&mut state);
        state
    };
    if represented(state) != state {
        Some(Law::Idempotence)
    } else if represented(image) != state {
        Some(Law::Invariance)
    } else {
        None
    }
}

fn reproducer(orbits: &Orbits, law: Law, state: &[u8], element: &Permutation) -> String {
    let bytes: String = state.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let names = |cycle: &Vec<u32>| {
        let points: Vec<&str> = cycle.iter().map(|&point| orbits.detection.point_name(point)).collect();
        format!("({})", points.join(" "))
    };
    let cycles: String = element.cycles().iter().map(names).collect();
    format!("{}: state {bytes}, symmetry {cycles}", law.broken())
}

#[cfg(test)]
mod tests {
    use super::{Law, broken_by};

    #[test]
    fn representatives_that_are_not_unique_are_noticed() {
        assert_eq!(broken_by(&[1, 2], &[2, 1], <[u8]>::sort), None);
        assert_eq!(broken_by(&[1, 2], &[2, 1], |_| ()), Some(Law::Invariance));
        assert_eq!(broken_by(&[1, 2], &[2, 1], <[u8]>::reverse), Some(Law::Idempotence));
    }
}
