//! `hidden` variables in a machine that keeps them in states: where they lie, and on which of them a search that does not compare them depends.
//!
//! In SPIN two states that differ only in `hidden` variables are one, and the search goes on from the one found first. A variable is *used* if some
//! process may read it, in a state that a search stores, before anybody writes it again: then what is found depends on the order of the search. The
//! values of the others make no difference to what comes later, so states that differ in them only can do the same for ever. Used or not is
//! found by the analysis of dead variables (`dead.rs`), asked at the locations where processes can be in stored states.

use std::ops::Range;
use std::sync::Arc;

use crate::action::ActionKind;
use crate::automaton::{Automaton, LocationInfo};
use crate::dead::DeadVariables;
use crate::expression::{Expr, Owner, Place};
use crate::footprint::Footprint;
use crate::id::{CellsId, DefinitionId, Location};
use crate::layout::Cells;
use crate::machine::Machine;
use crate::state::State;

/// The bytes of a state that SPIN does not compare, in increasing order.
#[must_use]
pub fn unmatched_bytes(machine: &Machine) -> Vec<Range<usize>> {
    sorted(unmatched(machine).map(|(_, cells)| bytes(cells)).collect())
}

/// The `hidden` variables that are used.
#[must_use]
pub fn used_unmatched(machine: &Machine) -> Vec<Arc<str>> {
    let uses = Uses::of(machine);
    let used = unmatched(machine).filter(|(id, _)| uses.are_some(*id));
    let mut names: Vec<Arc<str>> = used.filter_map(|(_, cells)| Some(cells.path.first()?.name.clone())).collect();
    names.dedup();
    names
}

/// The bytes of `hidden` variables that are not used: states that differ there only have the same futures.
#[derive(Clone, Debug)]
pub struct Indifferent(Vec<Range<usize>>);

impl Indifferent {
    /// Finds them.
    #[must_use]
    pub fn of(machine: &Machine) -> Indifferent {
        if unmatched(machine).next().is_none() {
            return Indifferent(Vec::new());
        }
        let uses = Uses::of(machine);
        let unused = unmatched(machine).filter(|(id, _)| !uses.are_some(*id));
        Indifferent(sorted(unused.map(|(_, cells)| bytes(cells)).collect()))
    }

    /// The bytes, in increasing order.
    #[must_use]
    pub fn bytes(&self) -> &[Range<usize>] {
        &self.0
    }

    /// Whether two states are equal everywhere else.
    #[must_use]
    pub fn is_same(&self, one: &State, other: &State) -> bool {
        let (one, other) = (one.bytes(), other.bytes());
        let mut start = 0;
        one.len() == other.len()
            && self.0.iter().all(|range| {
                let between = std::mem::replace(&mut start, range.end)..range.start;
                one[between.clone()] == other[between]
            })
            && one[start..] == other[start..]
    }
}

fn unmatched(machine: &Machine) -> impl Iterator<Item = (CellsId, &Cells)> {
    let cells = machine.layout.globals.cells.iter().enumerate();
    cells.filter(|(_, cells)| cells.unmatched && !cells.hidden).map(|(index, cells)| (CellsId(index as u32), cells))
}

fn bytes(cells: &Cells) -> Range<usize> {
    let start = cells.offset as usize;
    start..start + (cells.count * cells.scalar.width()) as usize
}

fn sorted(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// Who uses globals.
struct Uses<'m> {
    machine: &'m Machine,
    dead: Option<DeadVariables>,
    /// By definition, the locations of processes in stored states.
    resting: Vec<Vec<bool>>,
}

impl<'m> Uses<'m> {
    fn of(machine: &'m Machine) -> Uses<'m> {
        let resting = machine.definitions.iter().map(|definition| resting(machine, &definition.automaton));
        Uses { machine, dead: DeadVariables::with_useless(machine), resting: resting.collect() }
    }

    /// Whether some element of a group of cells is used.
    fn are_some(&self, id: CellsId) -> bool {
        if !self.machine.features.embedded_c && !self.are_written(id) {
            return false;
        }
        let count = self.machine.layout.globals.cells(id).count;
        let known = self.dead.iter().flat_map(|dead| dead.elements(None)).filter(|element| element.cells == id);
        let (mut elements, mut is_needed) = (0, false);
        for element in known {
            elements += 1;
            is_needed |= (0..).map(DefinitionId).zip(&self.resting).any(|(definition, resting)| {
                let locations = (0..).map(Location).zip(resting).filter(|(_, rests)| **rests);
                locations.into_iter().any(|(location, _)| element.is_needed(definition, location))
            });
        }
        // Of what a formula, a claim or embedded C may read nothing is known.
        is_needed || elements < count
    }

    fn are_written(&self, id: CellsId) -> bool {
        self.machine.actions.iter().any(|action| {
            let footprint = Footprint::of_action(self.machine, action);
            let is_it = |place: &Place| place.owner == Owner::Global && place.cells == id;
            footprint.everything || footprint.writes.iter().any(is_it)
        })
    }
}

/// The locations at which a process can be in a stored state: all but those inside an `atomic` that it surely leaves at once.
fn resting(machine: &Machine, automaton: &Automaton) -> Vec<bool> {
    let mut rests = vec![false; automaton.locations.len()];
    rests[automaton.start.index()] = true;
    for edge in automaton.locations.iter().flat_map(|location| &location.edges) {
        // A rendezvous may hand control over to a partner, who then is inside its own `atomic`.
        let kind = &machine.action(edge.action).kind;
        let hands_over = matches!(kind, ActionKind::Send(_) | ActionKind::Receive(_) | ActionKind::Deterministic(_));
        rests[edge.target.index()] |= !edge.atomic || hands_over || may_block(machine, automaton.location(edge.target));
    }
    let features = &machine.features;
    if features.provided || features.priorities || features.embedded_c {
        rests.fill(true);
    }
    rests
}

/// Whether a process may have to wait at a location.
fn may_block(machine: &Machine, location: &LocationInfo) -> bool {
    !location.edges.iter().any(|edge| match &machine.action(edge.action).kind {
        ActionKind::Skip | ActionKind::Jump(_) | ActionKind::Else | ActionKind::Assign(..) | ActionKind::Discard(_) => {
            true
        }
        ActionKind::Assert(_) | ActionKind::Print(..) | ActionKind::PrintMtype(..) => true,
        ActionKind::Condition(Expr::Constant(value)) => *value != 0,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Indifferent, used_unmatched};
    use crate::Hidden;
    use crate::machine::Machine;
    use crate::state::State;

    fn machine(text: &str) -> Machine {
        let loaded = promela::load_text("m.pml", text, &promela::Options::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics));
        crate::lower_hidden(&model, Hidden::InState)
    }

    #[test]
    fn a_hidden_variable_is_used_if_it_may_be_read_before_it_is_written() {
        let models = [
            ("active proctype P() { h = 1; x = 1 }", false),
            // Only it depends on itself, and what is printed is no property.
            ("active proctype P() { do :: h++; printf(\"%d\", h) od }", false),
            ("active proctype P() { h = 1; x = h }", true),
            ("active proctype P() { atomic { h = 1; x = h } }", false),
            ("active proctype P() { d_step { h = 1; x = h } }", false),
            ("active proctype P() { d_step { x = h; h = 1 } }", true),
            // The process may wait inside, and others write meanwhile.
            ("active proctype P() { atomic { h = 1; x == 1; x = h } }", true),
            ("active proctype P() { atomic { h = 1; if :: x == 1 :: else fi; x = h } }", false),
            (
                "chan q = [0] of { byte }; active proctype P() { atomic { h = 1; q!1; x = h } } active proctype Q() { q?_ }",
                true,
            ),
            ("active proctype P() { atomic { if :: h = 1 :: x = 0 fi; x = h } }", true),
            ("active proctype P() provided (x == 0) { atomic { h = 1; x = h } }", true),
            ("active proctype P() provided (h == 0) { h = 1 }", true),
            ("active proctype P() { h == 0 }", false),
            ("active proctype P() { h = 1 } ltl p { [] (h == 0) }", true),
            ("proctype T() { x = h } active proctype P() { atomic { h = 1; run T() } }", true),
            ("active proctype P() { atomic { h = 1; goto L }; L: x = h }", true),
        ];
        for (text, is_used) in models {
            let machine =
                machine(&format!("hidden byte h; byte x; {text} active proctype Watcher() {{ assert(x < 9) }}"));
            let names = used_unmatched(&machine);
            assert_eq!(
                names.iter().map(|name| &**name).collect::<Vec<_>>(),
                if is_used { vec!["h"] } else { vec![] },
                "{text}"
            );
        }
    }

    #[test]
    fn states_are_the_same_but_for_what_nothing_depends_on() {
        let text = "byte a; hidden byte h; byte b; hidden byte g; byte c; active proctype P() { h = 1; g = 1; a = g; b = 2; c = 3; assert(a < 9) }";
        let machine = machine(text);
        let indifferent = Indifferent::of(&machine);
        let offset = |name: &str| {
            let cells = machine.layout.globals.cells.iter().find(|cells| &*cells.path[0].name == name);
            cells.expect("it is declared").offset as usize
        };
        let initial = crate::interpret::Interpreter::new(&machine).initial().expect("nothing fails");
        for (name, is_same) in [("a", false), ("b", false), ("c", false), ("g", false), ("h", true)] {
            let mut bytes = initial.bytes().to_vec();
            bytes[offset(name)] = 7;
            assert_eq!(indifferent.is_same(&initial, &State::from_bytes(&bytes)), is_same, "{name}");
        }
    }
}
