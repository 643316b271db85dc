//! What is said about the elements of dead variables agrees with what is done to states.
//!
//! In every state of small models: an element that some process needs, or for which no value is known, stays; every other one gets its value. Values that are
//! chosen by hand and locals that are to be kept change the states accordingly.

use std::collections::BTreeSet;

use machine::Machine;
use machine::dead::{DeadElement, DeadVariables};
use machine::id::DefinitionId;
use machine::interpret::Interpreter;
use machine::state::{State, Storage};

/// Globals that are needed now and then, by one process or the other; others that nobody ever needs; locals; arrays.
const MODELS: [&str; 5] = [
    "byte a, b, c; active proctype P() { do :: a = 1; b = 2; assert(a == 1); c = b; assert(c == 2) od } \
     active proctype Q() { b = 7; a = b; skip; assert(a > 0); skip }",
    "byte a[3], useless; active [2] proctype P() { byte x = 5, y; x = 3; a[1] = x; y = a[1]; useless = y; x = y; assert(a[1] == 3); y = 0; skip }",
    "byte g, h; proctype C(byte n) { byte k = 9; k = n; h = k; assert(h < 9); g = h } init { g = 1; run C(g); h = 4; assert(h == 4 || g > 0); g = 6 }",
    // More elements than a word has bits, with useless ones behind them.
    "byte a[140], useless[3]; active proctype P() { byte i; a[3] = 1; useless[i] = 1; useless[0] = 2; assert(a[i] == 0); a[2] = 1; skip }",
    "int wide = 1000; short s = 300; active proctype P() { int w = 70000; wide = 70000; w = wide; s = 7; s++; assert(s == 8); w = 5; assert(w == 5); skip }",
];

fn read(text: &str) -> Machine {
    let loaded = promela::load_text("m.pml", text, &promela::Options::default());
    machine::lower(&loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics)))
}

/// All states of a model.
fn states(machine: &Machine) -> Vec<State> {
    let interpreter = Interpreter::new(machine);
    let mut all = vec![interpreter.initial().expect("it has one")];
    let mut seen: BTreeSet<Vec<u8>> = all.iter().map(|state| state.bytes().to_vec()).collect();
    let mut next = 0;
    while next < all.len() {
        for transition in interpreter.successors(&all[next]).transitions {
            if seen.insert(transition.target.bytes().to_vec()) {
                all.push(transition.target);
            }
        }
        next += 1;
    }
    all
}

fn set_back(dead: &DeadVariables, state: &State) -> State {
    let mut bytes = state.bytes().to_vec();
    dead.reset(&mut bytes);
    State::from_bytes(&bytes)
}

/// Where a process is, by its number.
type Places = Vec<(DefinitionId, machine::id::Location)>;

/// The elements of a state, each with its place and with the processes that may need it.
fn elements<'d>(machine: &Machine, dead: &'d DeadVariables, state: &State) -> Vec<(Storage, DeadElement<'d>, Places)> {
    let layout = &machine.layout;
    let places: Places = state.pids().map(|pid| (state.definition(layout, pid), state.location(layout, pid))).collect();
    let globals = dead.elements(None).map(|element| (Storage::Global, element, places.clone()));
    let locals = state.pids().zip(&places).flat_map(|(pid, place)| {
        dead.elements(Some(place.0)).map(move |element| (Storage::Process(pid), element, vec![*place]))
    });
    globals.chain(locals).collect()
}

/// Checks all elements in all states; how many stayed, and how many were set back to another value than they had.
fn check(machine: &Machine, dead: &DeadVariables) -> (usize, usize) {
    let layout = &machine.layout;
    let (mut stayed, mut changed) = (0, 0);
    for state in states(machine) {
        let after = set_back(dead, &state);
        for (storage, element, places) in elements(machine, dead, &state) {
            let read = |state: &State| state.read(layout, storage, element.cells, element.number);
            let is_needed = places.iter().any(|&(definition, location)| element.is_needed(definition, location));
            match element.value.filter(|_| !is_needed) {
                Some(value) => {
                    assert!(element.is_set_back(), "{element:?}");
                    assert_eq!(read(&after), value, "{storage:?} {:?} {}", element.cells, element.number);
                    changed += usize::from(read(&state) != value);
                }
                None => {
                    assert_eq!(read(&after), read(&state), "{storage:?} {:?} {}", element.cells, element.number);
                    stayed += usize::from(is_needed);
                }
            }
        }
    }
    (stayed, changed)
}

fn analyses(text: &str) -> (Machine, Vec<DeadVariables>) {
    let machine = read(text);
    let all = [DeadVariables::of(&machine), DeadVariables::with_useless(&machine)];
    (machine, all.into_iter().map(|dead| dead.expect("something dies")).collect())
}

#[test]
fn what_is_needed_stays_and_everything_else_gets_its_value() {
    for text in MODELS {
        let (machine, all) = analyses(text);
        for dead in all {
            let (stayed, changed) = check(&machine, &dead);
            assert!(stayed > 0 && changed > 0, "{stayed} stayed and {changed} changed in {text}");
        }
    }
}

#[test]
fn values_chosen_by_hand_are_written_and_elements_without_one_are_left_alone() {
    for text in MODELS {
        let (machine, all) = analyses(text);
        for mut dead in all {
            dead.set_back_to(|element| element.value.map(|value| value + 1));
            assert!(check(&machine, &dead).1 > 0, "{text}");
            dead.set_back_to(|_| None);
            assert!(dead.is_empty() && check(&machine, &dead).1 == 0, "{text}");
            assert!(dead.always_dead().next().is_none());
        }
    }
}

#[test]
fn locals_that_are_to_be_kept_stay_at_their_locations() {
    for text in MODELS {
        let (machine, all) = analyses(text);
        for dead in all {
            // One location of one definition at a time, the first and the last included.
            for (index, definition) in machine.definitions.iter().enumerate() {
                let id = DefinitionId(index as u32);
                for kept in (0..definition.automaton.locations.len() as u32).map(machine::id::Location) {
                    let mut less = dead.clone();
                    less.keep(|location, element| location == kept && element.owner == Some(id));
                    check(&machine, &less);
                    for (before, after) in dead.elements(Some(id)).zip(less.elements(Some(id))) {
                        assert!(after.is_needed(id, kept));
                        let others = (0..definition.automaton.locations.len() as u32).map(machine::id::Location);
                        for other in others.filter(|&other| other != kept) {
                            assert_eq!(before.is_needed(id, other), after.is_needed(id, other));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_local_that_is_needed_everywhere_is_never_set_back() {
    let (machine, all) = analyses(MODELS[1]);
    for mut dead in all {
        dead.keep(|_, _| true);
        let locals = (0..machine.definitions.len() as u32).map(DefinitionId);
        assert!(locals.flat_map(|id| dead.elements(Some(id))).all(|element| !element.is_set_back()));
    }
}
