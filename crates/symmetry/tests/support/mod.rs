//! What the tests of detection share.
#![allow(dead_code, missing_docs)]

use std::collections::{HashMap, HashSet, VecDeque};

use machine::Machine;
use machine::dead::DeadVariables;
use machine::interpret::Interpreter;
use machine::state::State;
use symmetry::detect::{Deaths, Detection, Options, without_deaths};

pub fn machine_of_text(text: &str) -> Machine {
    let loaded = promela::load_text("random.pml", text, &promela::Options::default());
    machine::lower(&loaded.model.unwrap_or_else(|| panic!("{:?} in {text}", loaded.diagnostics)))
}

/// What a search asks for that sets dead variables back.
pub fn with_dead(machine: &Machine) -> Options {
    Options { dead: DeadVariables::of(machine), ..Options::default() }
}

/// Checks that the generators commute with all steps of the first reachable states, fix the entry state, and that eligible
/// states lead to eligible ones. Dead variables are set back, if they are for the detection.
pub fn check_all_states(machine: &Machine, detection: &Detection, most: usize, model: &str) {
    let without = match detection.deaths {
        Deaths::Ignored => without_deaths(machine),
        Deaths::Happen => machine.clone(),
    };
    let interpreter = Interpreter::new(&without);
    let entry = detection.entry.clone().expect("an entry state");
    assert!(detection.is_eligible(entry.bytes()));
    let successors = |state: &[u8]| {
        let successors = interpreter.successors(&State::from_bytes(state));
        let mut targets: Vec<Vec<u8>> =
            successors.transitions.iter().map(|transition| transition.target.bytes().to_vec()).collect();
        targets.iter_mut().for_each(|target| detection.dead.iter().for_each(|dead| dead.reset(target)));
        targets.sort_unstable();
        (targets, successors.errors.len(), successors.is_final)
    };
    let mut known: HashMap<Vec<u8>, _> = HashMap::new();
    let mut seen = HashSet::from([entry.bytes().to_vec()]);
    let mut waiting = VecDeque::from([entry.bytes().to_vec()]);
    while let Some(state) = waiting.pop_front() {
        let found = successors(&state);
        for target in &found.0 {
            if target.len() == state.len() {
                assert!(detection.is_eligible(target), "successors of eligible states are eligible: {model}");
                if seen.len() < most && seen.insert(target.clone()) {
                    waiting.push_back(target.clone());
                }
            }
        }
        known.insert(state, found);
    }
    for generator in &detection.generators {
        let image = |state: &[u8]| detection.shape.apply(&generator.permutation, state);
        assert_eq!(image(entry.bytes()), entry.bytes(), "the entry state is fixed by {:?}", generator.cycles);
        for (state, (targets, errors, is_final)) in known.iter() {
            let moved = image(state);
            let expected = known.get(&moved).cloned().unwrap_or_else(|| successors(&moved));
            let whole = |targets: &[Vec<u8>]| {
                targets.iter().filter(|each| each.len() == state.len()).cloned().collect::<Vec<_>>()
            };
            let mut images: Vec<Vec<u8>> = whole(targets).iter().map(|target| image(target)).collect();
            images.sort_unstable();
            assert_eq!(whole(&expected.0), images, "{:?} in {model}", generator.cycles);
            assert_eq!((expected.1, expected.2), (*errors, *is_final));
        }
    }
}
