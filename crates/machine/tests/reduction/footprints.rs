//! Footprints against the interpreter: what a move changes is in the write set of its actions, and what is not in the read set does
//! not matter for what is possible.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;

use machine::Machine;
use machine::expression::{ChannelRef, Index, Owner};
use machine::footprint::{ChannelUse, Footprint};
use machine::id::{ActionId, CellsId, Pid};
use machine::interpret::{Interpreter, Step, Timeout};
use machine::layout::Area;
use machine::state::{State, Storage};

use crate::searching::{examples, load};

/// States looked at for each model.
const STATES: usize = 300;

#[test]
fn what_a_step_changes_is_in_its_footprint() {
    for path in examples() {
        let Some(machine) = load(&path) else { continue };
        let interpreter = Interpreter::new(&machine);
        let Ok(initial) = interpreter.initial() else { continue };
        let mut seen = HashSet::from([initial.clone()]);
        let mut queue = VecDeque::from([initial]);
        while let Some(state) = queue.pop_front() {
            for found in interpreter.moves(&state, None, Timeout::No).moves {
                let Some(outcome) = found.outcome else { continue };
                check(&machine, &state, &found.steps, &outcome.target);
                if seen.len() < STATES && seen.insert(outcome.target.clone()) {
                    queue.push_back(outcome.target);
                }
            }
        }
    }
}

/// Globals and locals of others that no action at a process' location reads can have any value: the same actions are possible, or
/// go wrong.
#[test]
fn what_is_not_read_does_not_matter() {
    let mut compared = 0;
    for path in examples() {
        let Some(machine) = load(&path) else { continue };
        let interpreter = Interpreter::new(&machine);
        let Ok(initial) = interpreter.initial() else { continue };
        let layout = &machine.layout;
        let mut random = 1_u32;
        let mut seen = HashSet::from([initial.clone()]);
        let mut queue = VecDeque::from([initial]);
        while let Some(state) = queue.pop_front() {
            for pid in state.pids() {
                let automaton = &machine.definition(state.definition(layout, pid)).automaton;
                let mut footprint = Footprint::default();
                for edge in &automaton.location(state.location(layout, pid)).edges {
                    footprint.merge(&Footprint::of_action(&machine, machine.action(edge.action)));
                }
                automaton.provided.iter().for_each(|provided| footprint.merge(&Footprint::of_expr(&machine, provided)));
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
                let changed = scrambled(&machine, &state, pid, &footprint, &mut random);
                assert_eq!(
                    possible(&interpreter, &state, pid),
                    possible(&interpreter, &changed, pid),
                    "{}: process {}, {footprint:?}",
                    path.display(),
                    pid.0
                );
                compared += 1;
            }
            for found in interpreter.moves(&state, None, Timeout::No).moves {
                let Some(outcome) = found.outcome else { continue };
                if seen.len() < STATES && seen.insert(outcome.target.clone()) {
                    queue.push_back(outcome.target);
                }
            }
        }
    }
    assert!(compared > 10_000 || examples().is_empty(), "{compared}");
}

fn possible(interpreter: &Interpreter<'_>, state: &State, pid: Pid) -> Vec<ActionId> {
    interpreter.moves(state, Some(pid), Timeout::No).moves.iter().map(|found| found.steps[0].action).collect()
}

fn scrambled(machine: &Machine, state: &State, pid: Pid, footprint: &Footprint, random: &mut u32) -> State {
    let layout = &machine.layout;
    let mut changed = state.clone();
    for storage in std::iter::once(Storage::Global).chain(state.pids().map(Storage::Process)) {
        if storage == Storage::Process(pid) {
            continue;
        }
        let area = match storage {
            Storage::Global => &layout.globals,
            Storage::Process(other) => &layout.frames[state.definition(layout, other).index()],
        };
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
                    owner && place.cells == id && (place.index == Index::Constant(element) || is_computed(&place.index))
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

fn is_computed(index: &Index) -> bool {
    matches!(index, Index::Computed(_))
}

/// Every byte that differs is in one of the places that the steps may write.
fn check(machine: &Machine, before: &State, steps: &[Step], after: &State) {
    let layout = &machine.layout;
    let mut allowed = Vec::new();
    let (mut creates, mut ends) = (false, false);
    allowed.extend(layout.last_offset.map(|offset| offset as usize..offset as usize + 1));
    for step in steps {
        let footprint = Footprint::of_action(machine, machine.action(step.action));
        let frame = frame(machine, before, step.pid);
        // The location of the process that moves.
        let location = frame + layout.definition_width as usize;
        allowed.push(location..location + layout.location_width as usize);
        creates |= footprint.processes.creates;
        ends |= footprint.processes.ends;
        assert!(!footprint.everything || machine.features.priorities, "{}", machine.action(step.action).text);
        for place in &footprint.writes {
            let element = match place.index {
                Index::Constant(element) => Some(element),
                Index::Computed(_) => None,
            };
            match place.owner {
                Owner::Global => allowed.push(cells(&layout.globals, 0, place.cells, element)),
                Owner::Own => {
                    let definition = before.definition(layout, step.pid);
                    allowed.push(cells(&layout.frames[definition.index()], frame, place.cells, element));
                }
                Owner::Remote(definition, _) => {
                    for pid in before.pids().filter(|&pid| before.definition(layout, pid) == definition) {
                        let area = &layout.frames[definition.index()];
                        allowed.push(cells(area, self::frame(machine, before, pid), place.cells, element));
                    }
                }
            }
        }
        for (channel, usage) in &footprint.channels {
            if usage.meets(ChannelUse::CHANGES) {
                allowed.extend(channels(machine, before, step.pid, channel));
            }
        }
        if footprint.everything {
            return;
        }
    }
    assert!(creates || after.process_count() <= before.process_count());
    assert!(ends || after.process_count() >= before.process_count());
    if creates || ends {
        allowed.push(0..1);
    }
    for (at, (old, new)) in before.bytes().iter().zip(after.bytes()).enumerate() {
        let text = &machine.action(steps[0].action).text;
        assert!(old == new || allowed.iter().any(|range| range.contains(&at)), "byte {at} is changed by {text}");
    }
}

fn frame(machine: &Machine, state: &State, pid: Pid) -> usize {
    let layout = &machine.layout;
    let older = (0..pid.0).map(|older| layout.frames[state.definition(layout, Pid(older)).index()].size as usize);
    layout.globals.size as usize + older.sum::<usize>()
}

fn cells(area: &Area, base: usize, id: CellsId, element: Option<u32>) -> Range<usize> {
    let cells = area.cells(id);
    let (first, last) = element.map_or((0, cells.count), |element| (element, element + 1));
    base + cells.element_offset(first) as usize..base + cells.element_offset(last) as usize
}

/// Where the channel lies that is meant; all channels where that is not known.
fn channels(machine: &Machine, state: &State, pid: Pid, channel: &ChannelRef) -> Vec<Range<usize>> {
    let layout = &machine.layout;
    let range = |area: &Area, base: usize, index: usize| {
        let channel = &area.channels[index];
        let start = base + channel.offset as usize;
        start..start + layout.shape(channel.shape).size() as usize
    };
    let own = &layout.frames[state.definition(layout, pid).index()];
    match channel {
        ChannelRef::Global(index) => vec![range(&layout.globals, 0, *index as usize)],
        ChannelRef::Own(index) => vec![range(own, frame(machine, state, pid), *index as usize)],
        ChannelRef::Variable(_) => {
            let mut all: Vec<Range<usize>> =
                (0..layout.globals.channels.len()).map(|index| range(&layout.globals, 0, index)).collect();
            for pid in state.pids() {
                let area = &layout.frames[state.definition(layout, pid).index()];
                let base = frame(machine, state, pid);
                all.extend((0..area.channels.len()).map(|index| range(area, base, index)));
            }
            all
        }
    }
}
