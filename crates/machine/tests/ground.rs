//! The grounded program is true: executed moves change only what their edges are said to write, and what is not read can have any value.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use machine::Machine;
use machine::ground::{Access, Configuration, Program, SlotKind, Slots, find_entry};
use machine::id::{ActionId, Pid};
use machine::interpret::{Interpreter, Timeout};
use machine::state::State;

/// States looked at for a model.
const MOST_STATES: usize = 150;

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("examples"), root.join("crates/isospin/tests/verdicts")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What the way of a process by an action reads and writes, wherever it stands.
fn access(program: &Program<'_>, slots: &Slots, pid: Pid, action: ActionId) -> Option<Access> {
    let mut all: Option<Access> = None;
    for (location, ways) in &program.processes[pid.index()].locations {
        for way in ways.iter().filter(|way| way.action == action) {
            let found = program.access(slots, pid, *location, way);
            let all = all.get_or_insert_default();
            all.reads.merge(&found.reads);
            all.writes.merge(&found.writes);
            all.everything |= found.everything;
        }
    }
    all
}

/// Looks at one model; how many moves were compared.
fn check(name: &str, machine: &Machine) -> (usize, usize) {
    let Ok(entry) = find_entry(machine) else { return (0, 0) };
    let program = Program::of(Configuration::of(machine, entry.clone()));
    let slots = Slots::of(&program.configuration);
    let interpreter = Interpreter::new(machine);
    let length = entry.bytes().len();
    let (mut seen, mut waiting) = (HashSet::from([entry.clone()]), VecDeque::from([entry]));
    let (mut writes, mut reads) = (0, 0);
    while let Some(state) = waiting.pop_front() {
        for found in interpreter.moves(&state, None, Timeout::No).moves {
            let Some(outcome) = found.outcome else { continue };
            let after = outcome.target;
            let accesses: Vec<Access> =
                (found.steps.iter()).filter_map(|step| access(&program, &slots, step.pid, step.action)).collect();
            assert_eq!(accesses.len(), found.steps.len(), "{name}: a step that the grounded program does not have");
            if after.bytes().len() == length && !accesses.iter().any(|access| access.everything) {
                for slot in slots.ids() {
                    let at = slots.get(slot).at;
                    let changed = at.read(state.bytes()) != at.read(after.bytes());
                    let allowed = accesses.iter().any(|access| access.writes.contains(slot));
                    let what = slots.name(&program.configuration, slot);
                    assert!(
                        !changed || allowed,
                        "{name}: {:?} changes {what}",
                        machine.action(found.steps[0].action).text
                    );
                }
                writes += 1;
            }
            // States in which a process is gone are not of the configuration.
            if after.bytes().len() == length && seen.len() < MOST_STATES && seen.insert(after.clone()) {
                waiting.push_back(after);
            }
        }
        reads += check_reads(name, &program, &slots, &state);
    }
    (writes, reads)
}

/// With other values in all cells that no way of a process reads, the same actions of it are possible.
fn check_reads(name: &str, program: &Program<'_>, slots: &Slots, state: &State) -> usize {
    let machine = program.configuration.machine;
    let interpreter = Interpreter::new(machine);
    let possible = |state: &State, pid: Pid| -> Vec<ActionId> {
        interpreter.moves(state, Some(pid), Timeout::No).moves.iter().map(|found| found.steps[0].action).collect()
    };
    let mut compared = 0;
    for pid in state.pids() {
        let location = state.location(&machine.layout, pid);
        let locations = &program.processes[pid.index()].locations;
        let Some((_, ways)) = locations.iter().find(|(each, _)| *each == location) else { continue };
        let accesses: Vec<Access> = ways.iter().map(|way| program.access(slots, pid, location, way)).collect();
        if accesses.iter().any(|access| access.everything || !access.ports.is_empty()) {
            continue;
        }
        let mut bytes = state.bytes().to_vec();
        for slot in slots.ids() {
            let read = accesses.iter().any(|access| access.reads.contains(slot));
            // What never changes is known, and was put in.
            if let SlotKind::Cell(cell) = slots.get(slot).kind
                && !read
                && !program.constants[cell.index()]
            {
                slots.get(slot).at.write(&mut bytes, 1);
            }
        }
        assert_eq!(possible(state, pid), possible(&State::from_bytes(&bytes), pid), "{name}: process {}", pid.0);
        compared += 1;
    }
    compared
}

#[test]
fn edges_read_and_write_what_the_grounded_program_says() {
    let (mut writes, mut reads) = (0, 0);
    for path in models() {
        let loaded = promela::load(&path, &promela::Options::default());
        let Some(model) = loaded.model else { continue };
        let machine = machine::lower(&model);
        if machine.layout.globals.hidden_size > 0 || machine.features.embedded_c {
            continue;
        }
        let found = check(&path.display().to_string(), &machine);
        writes += found.0;
        reads += found.1;
    }
    assert!(writes > 2_000 && reads > 2_000, "{writes} moves and {reads} processes were compared");
}
