//! One state for each orbit.

use std::sync::Arc;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use system::{Arena, Extent, Fate, Note, Notes, Passed, System, leave_to_inner};

use super::symmetry::Symmetry;
use super::trial::{Scale, Trial};
use crate::detect::Deaths;
use crate::represent::Canonicaliser;

/// The layer: a system whose states are representatives of their orbits.
pub struct Orbits<S> {
    inner: S,
    symmetry: Arc<Symmetry>,
    canonicaliser: Canonicaliser,
    /// Bytes at the end of a state that no symmetry touches: the state of a claim.
    tail: usize,
    /// Whether symmetry applies to the state that was asked about last.
    applies: bool,
    /// How many states the expanded ones stand for.
    represented: BigUint,
    /// How many actions had been executed when all images of what was executed had been, if that is wanted.
    covered: Option<u64>,
    scale: Option<Scale>,
    /// What the expansion at hand has cost so far, if it is timed.
    spent: Option<Duration>,
}

impl Orbits<Box<dyn System>> {
    /// The name of the note: how many states the expanded ones stand for.
    pub const REPRESENTED: &'static str = "represented";
}

impl<S: System> Orbits<S> {
    /// Keeps one state of each orbit. The last `tail` bytes of a state are left alone.
    #[must_use]
    pub fn new(inner: S, symmetry: &Arc<Symmetry>, tail: usize) -> Orbits<S> {
        Orbits {
            inner,
            canonicaliser: symmetry.canonicaliser(),
            symmetry: symmetry.clone(),
            tail,
            applies: false,
            represented: BigUint::default(),
            covered: None,
            scale: None,
            spent: None,
        }
    }

    /// The same with unique representatives, whatever the search uses: whether two states are in the same orbit must be known to unwind a path.
    #[must_use]
    pub fn exactly(self) -> Orbits<S> {
        Orbits { canonicaliser: self.symmetry.exact_canonicaliser(), ..self }
    }

    /// The same, where what is executed in a state is executed in its images, too.
    #[must_use]
    pub fn covering_images(self) -> Orbits<S> {
        Orbits { covered: Some(0), ..self }
    }

    /// The same, where it is weighed whether representatives pay.
    #[must_use]
    pub fn weighed(self, trial: &Arc<Trial>) -> Orbits<S> {
        Orbits { scale: Some(Scale::new(trial)), ..self }
    }

    /// The part of a state that symmetries act on.
    #[inline]
    fn body<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.tail]
    }

    /// A state is about to be expanded: counts the states that it stands for.
    fn count(&mut self, state: &[u8]) {
        let start = self.scale.as_mut().is_some_and(Scale::is_timing).then(Instant::now);
        if !self.applies {
            self.represented += 1_u32;
            return;
        }
        self.represented += self.canonicaliser.orbit_size(&state[..state.len() - self.tail]);
        self.spent = start.map(|start| start.elapsed());
    }

    /// What is executed in a state is executed in its images too: statements of other processes that no representative may ever
    /// execute. Where something is executed for the first time, the generators of the group lead to all its images.
    fn cover_images(&mut self, state: &[u8]) {
        let Some(covered) = &mut self.covered else { return };
        if *covered == self.inner.novelty() {
            return;
        }
        let mut waiting = vec![state.to_vec()];
        let mut successors = Arena::new();
        *covered = self.inner.novelty();
        while let Some(state) = waiting.pop() {
            for each in &self.symmetry.detection.generators {
                let image = self.symmetry.detection.shape.apply(&each.permutation, &state);
                self.inner.successors(&image, &mut successors);
                if *covered != self.inner.novelty() {
                    *covered = self.inner.novelty();
                    waiting.push(image);
                }
            }
        }
    }

    /// Puts the representatives of their orbits in the place of successors.
    fn represent(&mut self, into: &mut Arena) {
        let start = self.spent.is_some().then(Instant::now);
        // To the successors of such a state symmetry applies, too, unless a process disappears.
        let follows = self.applies && self.symmetry.detection.deaths == Deaths::Ignored;
        for transition in 0..into.len() {
            let target = into.target_mut(transition);
            let body = target.len() - self.tail;
            let target = &mut target[..body];
            if follows || self.symmetry.applies(target) {
                self.canonicaliser.representative(target);
            }
        }
        if let (Some(start), Some(spent), Some(scale)) = (start, self.spent.take(), &mut self.scale) {
            let represented = &self.represented;
            scale.add(spent + start.elapsed(), |expansions| approximately(represented) / expansions as f64);
        }
    }
}

/// A number as far as a machine number can tell it.
fn approximately(number: &BigUint) -> f64 {
    number.to_string().parse().unwrap_or(f64::INFINITY)
}

impl<S: System> System for Orbits<S> {
    leave_to_inner!(inner: gives_all, acceptance, novelty);

    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        let fate = self.inner.initial(into);
        let body = into.len() - self.tail;
        if self.symmetry.applies(&into[..body]) {
            self.canonicaliser.representative(&mut into[..body]);
        }
        fate
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.applies = self.symmetry.applies(self.body(state));
        self.inner.successors(state, into);
        self.represent(into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.applies = self.symmetry.applies(self.body(state));
        self.count(state);
        let extent = self.inner.reduced(state, into);
        if self.applies {
            self.cover_images(state);
        }
        self.represent(into);
        extent
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.other(state, into);
        if self.applies {
            self.cover_images(state);
        }
        self.represent(into);
        extent
    }

    fn notes(&self, into: &mut Notes) {
        self.inner.notes(into);
        into.add(Orbits::REPRESENTED, Note::Sum(self.represented.to_bytes_le()));
    }

    fn normalise(&mut self, state: &mut Vec<u8>) {
        self.inner.normalise(state);
        if self.symmetry.applies(state) {
            self.canonicaliser.representative(state);
        } else if let Some(mut whole) = self.symmetry.with_the_dead(state) {
            // The search did not apply symmetry here, but what it stored may be an image of what the run comes to.
            self.canonicaliser.representative(&mut whole);
            whole.push(state[0]);
            *state = whole;
        }
    }

    fn unfold(&mut self, from: &[u8]) -> Vec<Vec<Passed>> {
        self.inner.unfold(from)
    }
}
