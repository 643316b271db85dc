//! Bisimulations between two sides: both are explored to the end, put side by side, and refined until their initial states part or nothing changes.
//!
//! A large side need not be explored to the end to find a difference. Bisimilar systems have the same traces, whatever the bisimulation; so once both
//! sides together have [`LARGE`] states, some pairs of sets of states are looked at first, and a trace that only one side has is a formula.

use explore::search::End;

use crate::composite::{Composite, Pairs};
use crate::evaluate::holds;
use crate::explain::{Speaker, explain};
use crate::formula::{Formula, Node};
use crate::graph::Graph;
use crate::labels::Labels;
use crate::limits::Watch;
use crate::local::Inductive;
use crate::partition::{Equivalence, Partition};
use crate::search::{Counts, Found, Sides};
use crate::sets::{Det, Wanted};
use crate::space::Space;
use crate::{Event, Lts, Side};

/// So many states are explored before traces are looked at.
const LARGE: u32 = 1 << 16;

/// So many pairs of sets are looked at for a trace that only one side has.
const PAIRS: u64 = 1 << 14;

/// What a comparison by a partition found.
pub(crate) struct Refined {
    /// A formula that holds of one side and not of the other.
    pub(crate) difference: Option<(Side, Formula)>,
    pub(crate) counts: Counts,
    /// Classes of states of each side.
    pub(crate) classes: [u64; 2],
}

/// Decides a bisimulation.
pub(crate) fn bisimilar<'o>(
    left: Space<'o>,
    right: Space<'o>,
    equivalence: Equivalence,
    watch: &mut Watch<'_>,
) -> (Result<Refined, End>, Space<'o>, Space<'o>) {
    let mut sides = Sides {
        left: Det::new(left, Wanted::default()),
        right: Det::new(right, Wanted::default()),
        labels: Labels::new(),
    };
    let refined = decide(&mut sides, equivalence, watch);
    (refined, sides.left.space, sides.right.space)
}

fn decide(sides: &mut Sides<'_>, equivalence: Equivalence, watch: &mut Watch<'_>) -> Result<Refined, End> {
    if !is_small(sides, watch)?
        && let Some(refined) = by_traces(sides, watch)?
    {
        return Ok(refined);
    }
    sides.left.space.expand_all(watch)?;
    sides.right.space.expand_all(watch)?;
    by_partition(&mut sides.left.space, &mut sides.right.space, equivalence, watch)
}

/// Explores both sides in turns, a part at a time; answers whether both came to their end.
fn is_small(sides: &mut Sides<'_>, watch: &mut Watch<'_>) -> Result<bool, End> {
    let (left, right) = (&mut sides.left.space, &mut sides.right.space);
    Ok(left.expand_some(LARGE, watch)? & right.expand_some(LARGE, watch)?)
}

/// A trace that only one side has, as a formula, if there is one nearby.
fn by_traces(sides: &mut Sides<'_>, watch: &mut Watch<'_>) -> Result<Option<Refined>, End> {
    let mut search = Composite::new(Inductive::TraceEquivalence, Pairs::Pruned, sides).at_most(PAIRS);
    let found = search.run(watch)?;
    let counts = search.counts;
    let Some(Found { failure, trace }) = found else { return Ok(None) };
    let formula = can_do(&trace);
    let (able, unable) = match failure.by {
        Side::Left => (&mut sides.left.space, &mut sides.right.space),
        Side::Right => (&mut sides.right.space, &mut sides.left.space),
    };
    if holds(&formula, able, 0)? && !holds(&formula, unable, 0)? {
        Ok(Some(Refined { difference: Some((failure.by, formula)), counts, classes: [0, 0] }))
    } else {
        Err(End::Damaged)
    }
}

/// The formula that a trace is possible.
fn can_do(trace: &[Event]) -> Formula {
    let mut nodes = vec![Node::And(Vec::new())];
    for &event in trace.iter().rev() {
        nodes.push(Node::Weak(event, nodes.len() as u32 - 1));
    }
    Formula::new(nodes)
}

fn by_partition(
    left: &mut Space<'_>,
    right: &mut Space<'_>,
    equivalence: Equivalence,
    watch: &mut Watch<'_>,
) -> Result<Refined, End> {
    let shift = left.states();
    let both = side_by_side(left, right);
    let condensed = equivalence.condense(&both);
    let initial = (condensed.of[0], condensed.of[shift as usize]);
    let partition = Partition::refine(&condensed.lts, equivalence, Some(initial), watch)?;
    let difference = match partition.parting(initial.0, initial.1) {
        None => None,
        Some(_) => Some(confirmed(&both, shift, &condensed.lts, equivalence, &partition, initial).ok_or(End::Damaged)?),
    };
    let class = |state: u32| partition.block[condensed.of[state as usize] as usize];
    let classes = [0..shift, shift..both.states()].map(|states| {
        let mut classes: Vec<u32> = states.map(class).collect();
        classes.sort_unstable();
        classes.dedup();
        classes.len() as u64
    });
    let counts = Counts { pairs: partition.len() as u64, matched: 0 };
    Ok(Refined { difference, counts, classes })
}

/// Both sides in one system: the states of the right side come after those of the left side.
fn side_by_side(left: &Space<'_>, right: &Space<'_>) -> Lts {
    let shift = left.states();
    let moved = |state: u32| -> Vec<(Event, u32)> {
        right.steps(state).iter().map(|&(event, target)| (event, target + shift)).collect()
    };
    let rows = (0..shift).map(|state| left.steps(state).to_vec()).chain((0..right.states()).map(moved));
    Lts::of_rows(0, rows)
}

/// A formula that the evaluation confirms on both sides.
fn confirmed(
    both: &Lts,
    shift: u32,
    condensed: &Lts,
    equivalence: Equivalence,
    partition: &Partition,
    initial: (u32, u32),
) -> Option<(Side, Formula)> {
    [Speaker::Block, Speaker::State].into_iter().find_map(|speaker| {
        let formula = explain(condensed, equivalence, partition, speaker, initial)?;
        // A formula that begins with "not" reads better from the other side.
        let (side, formula) = match formula.negated() {
            Some(inner) => (Side::Right, inner),
            None => (Side::Left, formula),
        };
        let (able, unable) = match side {
            Side::Left => (0, shift),
            Side::Right => (shift, 0),
        };
        (formula.holds(both, able) && !formula.holds(both, unable)).then_some((side, formula))
    })
}
