//! The audit of a search modulo symmetry: random symmetries are applied to the states it meets.
//!
//! For a state `s` that is expanded and a symmetry `g` it is checked that
//! - `g` is a symmetry here: the steps from `g(s)` lead to the images of where those from `s` lead, and as much goes wrong;
//! - where representatives are unique, that of `s` is `s`, and that of `g(s)` is `s` too;
//! - the orbits of `s` and `g(s)` are equally large.
//!
//! Any failure is a bug in isospin; the report says so, with what is needed to reproduce it.

use std::fmt::Write as _;
use std::sync::Arc;

use group::{Permutation, Random};
use system::{Arena, Extent, Note, Notes, System, leave_to_inner};

use super::symmetry::Symmetry;
use crate::represent::Canonicaliser;

/// The layer: every state that is expanded, and to which symmetry applies, is checked with a random symmetry.
pub struct Audited<S> {
    inner: S,
    /// The system without other reductions than those that keep every step.
    plain: S,
    symmetry: Arc<Symmetry>,
    canonicaliser: Canonicaliser,
    random: Random,
    states: u64,
    failure: Option<String>,
    from_state: Arena,
    from_image: Arena,
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

impl Audited<Box<dyn System>> {
    /// The name of the note: how many states were checked, each with a symmetry.
    pub const STATES: &'static str = "audited states";
    /// The name of the note: the first failure, if there was one, with the state and the symmetry.
    pub const FAILURE: &'static str = "audit failure";
}

impl<S: System> Audited<S> {
    /// Checks the states of `inner`; `plain` is the same system with every step.
    #[must_use]
    pub fn new(inner: S, plain: S, symmetry: &Arc<Symmetry>, seed: u64) -> Audited<S> {
        Audited {
            inner,
            plain,
            canonicaliser: symmetry.canonicaliser(),
            symmetry: symmetry.clone(),
            random: Random::from_seed(seed),
            states: 0,
            failure: None,
            from_state: Arena::new(),
            from_image: Arena::new(),
        }
    }

    /// Checks a state that is its own representative.
    fn check(&mut self, state: &[u8]) {
        if !self.symmetry.applies(state) {
            return;
        }
        let element = self.symmetry.detection.group.random_element(&mut self.random);
        self.states += 1;
        if self.failure.is_none() {
            let broken = self.broken_law(state, &element);
            self.failure = broken.map(|law| reproducer(&self.symmetry, law, state, &element));
        }
    }

    fn broken_law(&mut self, state: &[u8], element: &Permutation) -> Option<Law> {
        let Audited { plain, symmetry, canonicaliser, from_state, from_image, .. } = self;
        let shape = &symmetry.detection.shape;
        let image = shape.apply(element, state);
        plain.successors(state, from_state);
        plain.successors(&image, from_image);
        let (here, there) = (from_state.signals(), from_image.signals());
        if here.errors != there.errors || here.rest != there.rest {
            return Some(Law::Errors);
        }
        // Where a process disappears, symmetry ends.
        let whole = |target: &&[u8]| target.len() == state.len();
        let mut images: Vec<Vec<u8>> =
            from_state.targets().filter(whole).map(|target| shape.apply(element, target)).collect();
        let mut targets: Vec<Vec<u8>> = from_image.targets().filter(whole).map(<[u8]>::to_vec).collect();
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

impl<S: System> System for Audited<S> {
    leave_to_inner!(inner: initial, acceptance, novelty, normalise, unfold);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.inner.successors(state, into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.check(state);
        self.inner.reduced(state, into)
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.inner.other(state, into)
    }

    fn notes(&self, into: &mut Notes) {
        self.inner.notes(into);
        into.add(Audited::STATES, Note::sum(self.states));
        if let Some(failure) = &self.failure {
            into.add(Audited::FAILURE, Note::Text(failure.clone()));
        }
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

fn reproducer(symmetry: &Symmetry, law: Law, state: &[u8], element: &Permutation) -> String {
    let bytes: String = state.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let names = |cycle: &Vec<u32>| {
        let points: Vec<&str> = cycle.iter().map(|&point| symmetry.detection.point_name(point)).collect();
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
