//! `hidden` variables in a machine that keeps them in states: where they lie, and whether a search that does not compare them can go wrong.
//!
//! In SPIN two states that differ only in `hidden` variables are one, and the search goes on from the one found first. Where nothing depends on their
//! values, no verdict does. Where something reads one, what is found depends on the order of the search, unless it is surely written before.

use std::ops::Range;
use std::sync::Arc;

use crate::expression::Owner;
use crate::footprint::Footprint;
use crate::machine::Machine;

/// The bytes of a state that SPIN does not compare, in increasing order.
#[must_use]
pub fn unmatched_bytes(machine: &Machine) -> Vec<Range<usize>> {
    let cells = machine.layout.globals.cells.iter().filter(|cells| cells.unmatched && !cells.hidden);
    let mut ranges: Vec<Range<usize>> = cells
        .map(|cells| {
            let start = cells.offset as usize;
            start..start + (cells.count * cells.scalar.width()) as usize
        })
        .collect();
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// The `hidden` variables whose values something depends on. Printing one is no use of it.
#[must_use]
pub fn used_unmatched(machine: &Machine) -> Vec<Arc<str>> {
    let actions = machine.actions.iter().map(|action| Footprint::of_action(machine, action));
    let provided = machine.definitions.iter().filter_map(|definition| definition.automaton.provided.as_ref());
    let footprints: Vec<Footprint> =
        actions.chain(provided.map(|condition| Footprint::of_expr(machine, condition))).collect();
    let is_read = |index: usize| {
        let reads = footprints.iter().flat_map(|footprint| &footprint.reads);
        reads.into_iter().any(|place| matches!(place.owner, Owner::Global) && place.cells.index() == index)
    };
    let cells = machine.layout.globals.cells.iter().enumerate();
    let used = cells.filter(|(index, cells)| cells.unmatched && is_read(*index));
    let mut names: Vec<Arc<str>> = used.filter_map(|(_, cells)| Some(cells.path.first()?.name.clone())).collect();
    names.dedup();
    names
}
