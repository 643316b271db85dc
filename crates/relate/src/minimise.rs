//! Quotients: the smallest systems that an observer cannot tell from a given one.

use explore::search::{End, Progress};
use rustc_hash::FxHashMap;

use crate::graph::Graph;
use crate::labels::Labels;
use crate::limits::Watch;
use crate::partition::{Divergence, Equivalence, Partition};
use crate::sets::{Det, SetId, Wanted};
use crate::space::Space;
use crate::{Event, Limits, Lts};

/// What a quotient preserves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quotient {
    /// Strong bisimulation.
    Strong,
    /// Branching bisimulation.
    Branching,
    /// Branching bisimulation with divergence: a class that can go on internally for ever has an internal step to itself.
    DivergencePreservingBranching,
    /// Weak bisimulation.
    Weak,
    /// Traces: the result is deterministic, and can be exponentially larger.
    Trace,
}

impl Quotient {
    /// All of them.
    pub const ALL: [Quotient; 5] = [
        Quotient::Strong,
        Quotient::DivergencePreservingBranching,
        Quotient::Branching,
        Quotient::Weak,
        Quotient::Trace,
    ];

    /// Its name in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Quotient::Strong => "strong",
            Quotient::Branching => "branching",
            Quotient::DivergencePreservingBranching => "divergence-preserving-branching",
            Quotient::Weak => "weak",
            Quotient::Trace => "trace",
        }
    }

    /// The quotient of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Quotient> {
        Quotient::ALL.into_iter().find(|quotient| quotient.name() == name)
    }

    fn equivalence(self) -> Equivalence {
        match self {
            // A deterministic system without internal steps has one state for each set of traces once it is minimal.
            Quotient::Strong | Quotient::Trace => Equivalence::Strong,
            Quotient::Branching => Equivalence::Branching(Divergence::Ignored),
            Quotient::DivergencePreservingBranching => Equivalence::Branching(Divergence::Preserved),
            Quotient::Weak => Equivalence::Weak(Divergence::Ignored),
        }
    }
}

/// The quotient of a system. Its states are numbered in the order in which a breadth-first search meets them; the initial one is zero.
pub fn minimise(lts: &Lts, quotient: Quotient, limits: &Limits, progress: &Progress) -> Result<Lts, End> {
    let mut watch = Watch::new(*limits, progress);
    match quotient {
        Quotient::Trace => merge(&determinise(lts, &mut watch)?, quotient.equivalence(), &mut watch),
        _ => merge(lts, quotient.equivalence(), &mut watch),
    }
}

/// One state for each class.
fn merge(lts: &Lts, equivalence: Equivalence, watch: &mut Watch<'_>) -> Result<Lts, End> {
    let condensed = equivalence.condense(lts);
    let lts = &condensed.lts;
    let partition = Partition::refine(lts, equivalence, None, watch)?;
    let block = |state: u32| partition.block[state as usize];
    let mut rows: FxHashMap<u32, Vec<(Event, u32)>> = FxHashMap::default();
    for (from, event, to) in lts.all() {
        let is_inert = equivalence != Equivalence::Strong && !event.is_visible() && block(from) == block(to);
        // Within a class only a divergence is of interest.
        let is_divergence = from == to && equivalence.divergence() == Divergence::Preserved;
        if !is_inert || is_divergence {
            rows.entry(block(from)).or_default().push((event, block(to)));
        }
    }
    Ok(number(block(lts.initial()), &rows))
}

/// Numbers classes in the order in which they are met.
fn number(initial: u32, rows: &FxHashMap<u32, Vec<(Event, u32)>>) -> Lts {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::from_iter([(initial, 0)]);
    let (mut met, mut steps) = (vec![initial], Vec::new());
    let mut from = 0;
    while from < met.len() {
        let mut row = rows.get(&met[from]).cloned().unwrap_or_default();
        row.sort_unstable();
        row.dedup();
        for (event, class) in row {
            let to = *numbers.entry(class).or_insert_with(|| {
                met.push(class);
                met.len() as u32 - 1
            });
            steps.push((from as u32, event, to));
        }
        from += 1;
    }
    Lts::new(0, met.len() as u32, steps)
}

/// The deterministic system with the same traces.
fn determinise(lts: &Lts, watch: &mut Watch<'_>) -> Result<Lts, End> {
    let mut side = lts;
    let mut det = Det::new(Space::new(&mut side, *watch)?, Wanted::default());
    let mut labels = Labels::new();
    let first = det.initial_set()?;
    let mut numbers: FxHashMap<SetId, u32> = FxHashMap::from_iter([(first, 0)]);
    let (mut met, mut steps) = (vec![first], Vec::new());
    let mut from = 0;
    while from < met.len() {
        if watch.is_due() {
            let counters = explore::search::Counters { stored: met.len() as u64, matched: 0, depth: 0 };
            watch.look(u64::from(det.space.states()).max(met.len() as u64), det.bytes(), counters)?;
        }
        det.local(met[from], &mut labels)?;
        for &(event, set) in det.steps(met[from]) {
            let to = *numbers.entry(set).or_insert_with(|| {
                met.push(set);
                met.len() as u32 - 1
            });
            steps.push((from as u32, event, to));
        }
        from += 1;
    }
    Ok(Lts::new(0, met.len() as u32, steps))
}
