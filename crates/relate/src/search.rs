//! What both loops share: the two sides, limits, the way back from a pair to its trace, and the order of failures within a level.

use explore::search::{Counters, End};

use crate::graph::Graph;
use crate::labels::Labels;
use crate::limits::Watch;
use crate::local::Failure;
use crate::sets::Det;
use crate::{Event, Kind};

/// Two sides that are compared.
pub(crate) struct Sides<'o> {
    pub(crate) left: Det<'o>,
    pub(crate) right: Det<'o>,
    pub(crate) labels: Labels,
}

impl Sides<'_> {
    fn states(&self) -> u64 {
        u64::from(self.left.space.states()) + u64::from(self.right.space.states())
    }

    fn bytes(&self) -> u64 {
        self.left.bytes() + self.right.bytes() + self.labels.bytes()
    }
}

/// Counts of a loop.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) pairs: u64,
    pub(crate) matched: u64,
}

/// A failure with the trace that leads to it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) failure: Failure,
    pub(crate) trace: Vec<Event>,
}

/// How each pair was met first: the pair before, and the event between.
#[derive(Default)]
pub(crate) struct Ways(Vec<(u32, Event)>);

impl Ways {
    /// Remembers how the next pair was met.
    pub(crate) fn push(&mut self, before: u32, event: Event) {
        self.0.push((before, event));
    }

    pub(crate) fn bytes(&self) -> u64 {
        8 * self.0.capacity() as u64
    }

    /// The visible events on the way to a pair. The first pair was met from itself.
    pub(crate) fn trace(&self, mut pair: u32) -> Vec<Event> {
        let mut trace = Vec::new();
        while pair != 0 {
            let (before, event) = self.0[pair as usize];
            trace.extend(Some(event).filter(|event| event.is_visible()));
            pair = before;
        }
        trace.reverse();
        trace
    }
}

/// The first failure of a level that takes the fewest events: a trace takes one more than the others, so it waits for the end of the level.
#[derive(Default)]
pub(crate) struct First(Option<(u32, Failure)>);

impl First {
    /// Notes a failure of a pair. Answers whether it ends the search at once.
    pub(crate) fn note(&mut self, pair: u32, failure: Failure) -> bool {
        let is_last_word = failure.kind != Kind::Trace;
        if is_last_word || self.0.is_none() {
            self.0 = Some((pair, failure));
        }
        is_last_word
    }

    pub(crate) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn found(self, ways: &Ways) -> Option<Found> {
        let (pair, failure) = self.0?;
        let mut trace = ways.trace(pair);
        trace.extend(failure.event);
        Some(Found { failure, trace })
    }
}

/// Looks at the limits now and then.
#[inline]
pub(crate) fn watch(watch: &mut Watch<'_>, sides: &Sides<'_>, counts: Counts, depth: u64, own: u64) -> Result<(), End> {
    if !watch.is_due() {
        return Ok(());
    }
    let counters = Counters { stored: counts.pairs, matched: counts.matched, depth };
    watch.look(sides.states(), sides.bytes() + own, counters)
}
