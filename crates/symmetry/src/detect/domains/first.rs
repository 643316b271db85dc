//! Where the value that a variable has in the entry state is certainly gone.
//!
//! `dest` may be 0, nobody, until the first message is on its way, and a node that has received one meets the ids of nodes only. What
//! processes can do before anybody writes a variable bounds where its first value can be met: a process waits for a message until one
//! is sent, and a condition on the variable has the value it has for the first value.

use std::collections::BTreeSet;

use machine::ground::{CellId, ChannelId, ChannelTerm, FieldTerm, Program, Reference, Step, TermId, Way};
use machine::id::{Location, Pid};
use rustc_hash::FxHashSet;

use super::guards;
use super::table::evaluate;
use crate::detect::commute;

/// What is known of a variable that is only ever set to constants other than its first value.
pub(in crate::detect) struct First {
    /// The value in the entry state.
    pub value: i32,
    /// Where processes may be while it is still there.
    met: FxHashSet<(Pid, Location)>,
}

impl First {
    /// Whether a process at a location cannot meet the first value.
    pub fn is_gone(&self, pid: Pid, location: Location) -> bool {
        !self.met.contains(&(pid, location))
    }

    /// What is known of a cell, if it is such a variable.
    pub fn of(program: &Program<'_>, cell: CellId) -> Option<First> {
        let configuration = &program.configuration;
        let hidden = configuration.layout_of(configuration.cells[cell.index()]).hidden;
        let value = configuration.entry_value(cell);
        if hidden || program.forgotten.contains(&cell) || stored(program, cell)?.contains(&value) {
            return None;
        }
        let mut before = Before { program, cell, value, met: FxHashSet::default(), sent: Sent::default() };
        before.sent.known.extend(program.configuration.channels.iter().enumerate().filter_map(|(index, _)| {
            let id = ChannelId(index as u32);
            (!program.configuration.entry_messages(id).is_empty()).then_some(id)
        }));
        before.explore();
        Some(First { value, met: before.met })
    }
}

/// The constants that a cell is set to; `None` if it is set to anything else.
fn stored(program: &Program<'_>, cell: CellId) -> Option<BTreeSet<i32>> {
    let mut values = BTreeSet::new();
    let scalar = program.configuration.layout_of(program.configuration.cells[cell.index()]).scalar;
    for (_, step) in program.steps() {
        match step {
            Step::Assign(Reference::Cell(target), value) if *target == cell => {
                values.insert(scalar.truncate(program.terms.constant(*value)?));
            }
            step if commute::written(program, step).contains(&cell) => return None,
            _ => {}
        }
    }
    Some(values)
}

/// What can happen before a cell is written.
struct Before<'p, 'm> {
    program: &'p Program<'m>,
    cell: CellId,
    value: i32,
    met: FxHashSet<(Pid, Location)>,
    sent: Sent,
}

/// The channels in which there may be messages, or at which somebody may offer one.
#[derive(Default)]
struct Sent {
    known: FxHashSet<ChannelId>,
    anywhere: bool,
}

impl Before<'_, '_> {
    fn explore(&mut self) {
        let program = self.program;
        for pid in program.configuration.pids() {
            self.met.insert((pid, program.processes[pid.index()].entry));
        }
        loop {
            let before = (self.met.len(), self.sent.known.len(), self.sent.anywhere);
            for pid in program.configuration.pids() {
                for (location, ways) in &program.processes[pid.index()].locations {
                    if self.met.contains(&(pid, *location)) {
                        ways.iter().for_each(|way| self.go(pid, way));
                    }
                }
            }
            if before == (self.met.len(), self.sent.known.len(), self.sent.anywhere) {
                return;
            }
        }
    }

    fn go(&mut self, pid: Pid, way: &Way) {
        if !self.is_possible(&way.step) {
            return;
        }
        self.send(&way.step);
        if !self.always_writes(&way.step) {
            self.met.insert((pid, way.target));
        }
    }

    fn is_possible(&self, step: &Step) -> bool {
        match step {
            Step::Receive { channel: ChannelTerm::Known(id), .. } => self.sent.anywhere || self.sent.known.contains(id),
            Step::Condition(condition) => !self.is_false(*condition),
            Step::Composite(composite) => composite.first.as_deref().is_none_or(|first| self.is_possible(first)),
            _ => true,
        }
    }

    /// Whether a condition on the cell alone does not hold for its first value.
    fn is_false(&self, condition: TermId) -> bool {
        let terms = &self.program.terms;
        guards::conjuncts(terms, condition, true).into_iter().any(|(part, holds)| {
            let Some(places) = guards::places_of(terms, part) else { return false };
            let [place] = places.as_slice() else { return false };
            self.program.cells_of_term(*place) == [self.cell]
                && evaluate(terms, part, &[*place], &[self.value]).is_some_and(|value| (value != 0) != holds)
        })
    }

    /// Takes note of the channels into which a step may send. One that writes the cell, too, is the last one before.
    fn send(&mut self, step: &Step) {
        if self.always_writes(step) && !is_offer(self.program, step) {
            return;
        }
        match step {
            Step::Send { channel: ChannelTerm::Known(id), .. } => {
                self.sent.known.insert(*id);
            }
            Step::Send { .. } => self.sent.anywhere = true,
            Step::Composite(composite) => composite.steps().for_each(|step| self.send(step)),
            Step::Deterministic(nodes) => nodes.iter().flatten().for_each(|(step, _)| self.send(step)),
            _ => {}
        }
    }

    /// Whether a step writes the cell whatever happens.
    fn always_writes(&self, step: &Step) -> bool {
        let is_cell = |place: &Reference| matches!(place, Reference::Cell(cell) if *cell == self.cell);
        match step {
            Step::Assign(place, _) => is_cell(place),
            Step::Receive { fields, .. } => {
                fields.iter().any(|field| matches!(field, FieldTerm::Bind(place) if is_cell(place)))
            }
            Step::Composite(composite) => {
                let whole = |path: &machine::ground::SegmentPath| path.steps.iter().any(|it| self.always_writes(it));
                composite.first.as_deref().is_some_and(|first| self.always_writes(first))
                    || composite.segments.iter().any(|segment| segment.paths.iter().all(whole))
            }
            _ => false,
        }
    }
}

/// Whether a step may hand over a message at a rendezvous port: then somebody else moves with it.
fn is_offer(program: &Program<'_>, step: &Step) -> bool {
    let may_offer = |step: &Step| matches!(step, Step::Send { channel, .. } if Program::may_be_rendezvous(&program.configuration, channel));
    match step {
        Step::Composite(composite) => composite.steps().any(may_offer),
        step => may_offer(step),
    }
}
