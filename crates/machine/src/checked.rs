//! Declared read and write sets, checked at run time.
//!
//! Partial order, merging and dead variables rest on what actions are said to read and write ([`Footprint`]). This layer takes every state that a
//! search expands and lets the reference interpreter say what happens there, move by move:
//! - what a move changes is in the write set of its actions;
//! - what the actions at a process' location do not read can have any other value, and the same actions are possible.
//!
//! It changes nothing. A failure is a bug in isospin; LTSmin has the same layer (`--check`).

use std::ops::Range;
use std::sync::Arc;

use system::{Arena, Extent, Note, Notes, System, leave_to_inner};

use crate::expression::{ChannelRef, Index, Owner};
use crate::footprint::{ChannelUse, Footprint};
use crate::id::{ActionId, CellsId, Pid};
use crate::interpret::{Interpreter, Step, Timeout};
use crate::layout::{Area, Layout, OwnedChannel};
use crate::machine::Machine;
use crate::state::{Header, State, Storage, View};

/// The layer: a system whose states are looked at on the way.
pub struct Checked<S> {
    inner: S,
    machine: Arc<Machine>,
    random: u32,
    states: u64,
    failure: Option<String>,
}

impl Checked<Box<dyn System>> {
    /// The name of the note: how many states were looked at.
    pub const STATES: &'static str = "checked states";
    /// The name of the note: the first failure.
    pub const FAILURE: &'static str = "check failure";
}

impl<S: System> Checked<S> {
    /// Looks at the states of a system that executes a machine.
    #[must_use]
    pub fn new(inner: S, machine: Arc<Machine>) -> Checked<S> {
        Checked { inner, machine, random: 1, states: 0, failure: None }
    }

    fn check(&mut self, state: &[u8]) {
        self.states += 1;
        if self.failure.is_none() {
            let state = State::from_bytes(state);
            let found = check_writes(&self.machine, &state).and_then(|()| self.check_reads(&state));
            self.failure = found.err();
        }
    }

    /// What no action at a process' location reads can have any value.
    fn check_reads(&mut self, state: &State) -> Result<(), String> {
        let (machine, layout) = (&*self.machine, &self.machine.layout);
        let interpreter = Interpreter::new(machine);
        let possible = |state: &State, pid: Pid| -> Vec<ActionId> {
            interpreter.moves(state, Some(pid), Timeout::No).moves.iter().map(|found| found.steps[0].action).collect()
        };
        for pid in state.pids() {
            let automaton = &machine.definition(state.definition(layout, pid)).automaton;
            let mut footprint = Footprint::default();
            for edge in &automaton.location(state.location(layout, pid)).edges {
                footprint.merge(&Footprint::of_action(machine, machine.action(edge.action)));
            }
            automaton.provided.iter().for_each(|provided| footprint.merge(&Footprint::of_expr(machine, provided)));
            let meets = |(channel, _): &(ChannelRef, ChannelUse)| match channel {
                ChannelRef::Global(index) => {
                    layout.shape(layout.globals.channels[*index as usize].shape).is_rendezvous()
                }
                ChannelRef::Own(_) | ChannelRef::Variable(_) => true,
            };
            // Whether a rendezvous is possible is also up to the other process.
            if footprint.everything || footprint.channels.iter().any(meets) || machine.features.priorities {
                continue;
            }
            let changed = scrambled(machine, state, pid, &footprint, &mut self.random);
            let (before, after) = (possible(state, pid), possible(&changed, pid));
            if before != after {
                let texts = |actions: &[ActionId]| -> Vec<String> {
                    actions.iter().map(|&action| machine.action(action).text.to_string()).collect()
                };
                return Err(format!(
                    "process {} can do {:?}, and {:?} when what it does not read is changed",
                    pid.0,
                    texts(&before),
                    texts(&after)
                ));
            }
        }
        Ok(())
    }
}

impl<S: System> System for Checked<S> {
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
        into.add(Checked::STATES, Note::sum(self.states));
        if let Some(failure) = &self.failure {
            into.add(Checked::FAILURE, Note::Text(failure.clone()));
        }
    }
}

/// What a move changes is in the write set of its actions.
fn check_writes(machine: &Machine, state: &State) -> Result<(), String> {
    for found in Interpreter::new(machine).moves(state, None, Timeout::No).moves {
        if let Some(outcome) = found.outcome {
            check_move(machine, state, &found.steps, &outcome.target)?;
        }
    }
    Ok(())
}

/// Every byte that differs is in one of the places that the steps may write.
fn check_move(machine: &Machine, before: &State, steps: &[Step], after: &State) -> Result<(), String> {
    let layout = &machine.layout;
    let view = before.view(layout);
    let mut allowed = Vec::new();
    let (mut creates, mut ends) = (false, false);
    allowed.extend(layout.last_offset.map(|offset| offset as usize..offset as usize + 1));
    for step in steps {
        let footprint = Footprint::of_action(machine, machine.action(step.action));
        if footprint.everything {
            return Ok(());
        }
        let Some(own) = view.area(Storage::Process(step.pid)) else { continue };
        // The location of the process that moves.
        allowed.push(Header::of(layout).location_bytes(own.1));
        creates |= footprint.processes.creates;
        ends |= footprint.processes.ends;
        for place in &footprint.writes {
            let element = match place.index {
                Index::Constant(element) => Some(element),
                Index::Computed(_) => None,
            };
            match place.owner {
                Owner::Global => allowed.push(cells((&layout.globals, 0), place.cells, element)),
                Owner::Own => allowed.push(cells(own, place.cells, element)),
                Owner::Remote(definition, _) => {
                    let others = view.frames().filter(|frame| frame.definition == definition);
                    allowed.extend(others.map(|frame| cells(view.area_of(frame), place.cells, element)));
                }
            }
        }
        for (channel, usage) in &footprint.channels {
            if usage.meets(ChannelUse::CHANGES) {
                allowed.extend(channels(layout, view, own, channel));
            }
        }
    }
    let text = &machine.action(steps[0].action).text;
    let (old, new) = (before.process_count(), after.process_count());
    if new > old && !creates || new < old && !ends {
        return Err(format!("`{text}` creates or ends a process and does not say so"));
    }
    if creates || ends {
        allowed.push(0..1);
    }
    let mut bytes = before.bytes().iter().zip(after.bytes()).enumerate();
    match bytes.find(|(at, (old, new))| old != new && !allowed.iter().any(|range| range.contains(at))) {
        Some((at, _)) => Err(format!("`{text}` changes byte {at}, which is not in its write set")),
        None => Ok(()),
    }
}

/// The state with other values in all globals, and in all locals of other processes, that are not read.
fn scrambled(machine: &Machine, state: &State, pid: Pid, footprint: &Footprint, random: &mut u32) -> State {
    let layout = &machine.layout;
    let mut changed = state.clone();
    for storage in std::iter::once(Storage::Global).chain(state.pids().map(Storage::Process)) {
        if storage == Storage::Process(pid) {
            continue;
        }
        let Some((area, _)) = state.view(layout).area(storage) else { continue };
        for (index, cells) in area.cells.iter().enumerate() {
            let id = CellsId(index as u32);
            let is_read = |element: u32| {
                footprint.reads.iter().any(|place| {
                    let owner = match (&place.owner, storage) {
                        (Owner::Global, Storage::Global) => true,
                        (Owner::Remote(definition, _), Storage::Process(other)) => {
                            *definition == state.definition(layout, other)
                        }
                        _ => false,
                    };
                    let is_element = match place.index {
                        Index::Constant(read) => read == element,
                        Index::Computed(_) => true,
                    };
                    owner && place.cells == id && is_element
                })
            };
            for element in (0..cells.count).filter(|&element| !is_read(element)) {
                *random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                changed.write(layout, storage, id, element, (*random >> 24) as i32);
            }
        }
    }
    changed
}

/// The bytes of a variable, or of an element of one.
fn cells((area, base): (&Area, usize), id: CellsId, element: Option<u32>) -> Range<usize> {
    let cells = area.cells(id);
    let (first, last) = element.map_or((0, cells.count), |element| (element, element + 1));
    base + cells.element_offset(first) as usize..base + cells.element_offset(last) as usize
}

/// Where the channel lies that is meant; all channels where that is not known.
fn channels(layout: &Layout, before: View<'_>, own: (&Area, usize), channel: &ChannelRef) -> Vec<Range<usize>> {
    let range = |(_, base): (&Area, usize), channel: &OwnedChannel| {
        let start = base + channel.offset as usize;
        start..start + layout.shape(channel.shape).size() as usize
    };
    match channel {
        ChannelRef::Global(index) => vec![range((&layout.globals, 0), &layout.globals.channels[*index as usize])],
        ChannelRef::Own(index) => vec![range(own, &own.0.channels[*index as usize])],
        ChannelRef::Variable(_) => {
            before.areas().flat_map(|area| area.0.channels.iter().map(move |channel| range(area, channel))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(text: &str) -> Machine {
        crate::lower(&promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct"))
    }

    #[test]
    fn a_write_that_is_not_declared_is_noticed() {
        let machine = machine("byte x, y; active proctype P() { x = 1; y = 1 }");
        let interpreter = Interpreter::new(&machine);
        let before = interpreter.initial().expect("it has one");
        let found = &interpreter.moves(&before, None, Timeout::No).moves[0];
        let after = &found.outcome.as_ref().expect("it moves").target;
        assert_eq!(check_move(&machine, &before, &found.steps, after), Ok(()));
        let mut wrong = after.clone();
        let y =
            machine.layout.globals.cells.iter().position(|cells| &*cells.path[0].name == "y").expect("there is one");
        wrong.write(&machine.layout, Storage::Global, CellsId(y as u32), 0, 7);
        let failure = check_move(&machine, &before, &found.steps, &wrong);
        assert!(failure.as_ref().is_err_and(|failure| failure.contains("is not in its write set")), "{failure:?}");
    }
}
