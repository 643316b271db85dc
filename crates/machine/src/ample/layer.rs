//! The layer that leaves out the moves of processes that can wait.

use system::{Arena, Extent, Grouped, Movers, Note, Notes, System, leave_to_inner};

use super::{AmpleSets, Proviso, moves_of};
use crate::gauge::{Gauge, Weighing};

/// Ample sets pay if they leave something out in one of so many states. Of the models for measuring, those on which they do not pay have one in 8 at most, the others one in 2 at least.
const ONE_OF: u64 = 6;

/// A system in whose states some processes move alone where that is enough.
#[derive(Clone, Debug)]
pub struct Ample<S> {
    inner: S,
    sets: AmpleSets,
    proviso: Proviso,
    gauge: Gauge,
}

impl<S: Grouped> Ample<S> {
    /// The name of the note: partial order did not pay, and was switched off when the search ended.
    pub const GIVEN_UP: &'static str = "partial order given up";

    /// Lets the processes of `sets` move alone. Whether the search sees to it that nothing is put off for ever is told by `proviso`.
    #[must_use]
    pub fn new(inner: S, sets: AmpleSets, proviso: Proviso, weighing: Weighing) -> Ample<S> {
        Ample { inner, sets, proviso, gauge: Gauge::new(weighing, ONE_OF) }
    }

    /// The moves of a smallest set of processes that may move alone, or all.
    fn best(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        if !self.gauge.is_on() {
            self.inner.successors(state, into);
            return Extent::All;
        }
        self.sets.prepare(state);
        let extent = self.next(state, into);
        self.gauge.add(1, u64::from(extent == Extent::Part));
        extent
    }

    /// The same for the next set: to be used when moving on with the last one would put off the others for ever.
    fn next(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        while let Some(set) = self.sets.next(state) {
            moves_of(set, &mut self.inner, state, into);
            if !into.is_empty() {
                into.signals_mut().asked = Movers(set as u64);
                return Extent::Part;
            }
        }
        self.inner.successors(state, into);
        Extent::All
    }
}

impl<S: Grouped> System for Ample<S> {
    leave_to_inner!(inner: initial, acceptance, novelty, normalise, unfold);

    fn notes(&self, into: &mut Notes) {
        self.inner.notes(into);
        if self.gauge.has_given_up() {
            into.add(Ample::<S>::GIVEN_UP, Note::Happened);
        }
    }

    fn gives_all(&self) -> bool {
        self.gauge.is_pausing()
    }

    /// All that a search needs to follow which does not see to it that nothing is put off for ever.
    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        match self.proviso {
            Proviso::InAdvance => {
                self.best(state, into);
            }
            Proviso::OnThePath => self.inner.successors(state, into),
        }
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.best(state, into);
        match self.proviso {
            Proviso::InAdvance => Extent::All,
            Proviso::OnThePath => extent,
        }
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        self.next(state, into)
    }
}

impl<S: Grouped> Grouped for Ample<S> {
    fn of_process(&mut self, state: &[u8], process: u8, into: &mut Arena) {
        self.inner.of_process(state, process, into);
    }
}
