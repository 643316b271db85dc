//! The orders of the groups of known families of models, and that what is found is a symmetry of the whole state space.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;

use machine::Machine;
use machine::interpret::Interpreter;
use machine::state::State;
use symmetry::detect::{Deaths, Detection, Options, detect, without_deaths};

fn machine_of(name: &str, defines: &[&str]) -> Machine {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name).with_extension("pml");
    let mut options = promela::Options::default();
    options.preprocess.defines = defines.iter().map(ToString::to_string).collect();
    let loaded = promela::load(&path, &options);
    machine::lower(&loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics)))
}

/// Detects, and checks everything that can be checked on the states near the entry state: all of them, if they are few.
fn detected(name: &str, defines: &[&str]) -> Detection {
    let machine = machine_of(name, defines);
    let detection = detect(&machine, &Options::default());
    assert!(detection.rejected.is_empty(), "{name}: {:?}", detection.rejected);
    assert!(detection.complete);
    check_all_states(&machine, &detection, 3_000);
    detection
}

fn check_all_states(machine: &Machine, detection: &Detection, most: usize) {
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
                assert!(detection.is_eligible(target), "successors of eligible states are eligible");
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
            assert_eq!(whole(&expected.0), images, "{:?}", generator.cycles);
            assert_eq!((expected.1, expected.2), (*errors, *is_final));
        }
    }
}

fn order(name: &str, defines: &[&str]) -> String {
    let detection = detected(name, defines);
    println!(
        "{name} {defines:?}: order {} = {}, {} points",
        detection.group.order(),
        detection.group.structure(),
        detection.shape.degree()
    );
    for generator in &detection.generators {
        println!("   {:?}", generator.cycles);
    }
    detection.group.order().to_string()
}

#[test]
fn processes_of_a_mutual_exclusion_are_all_alike() {
    assert_eq!(order("mutex", &[]), "6");
    assert_eq!(order("mutex", &["N=5"]), "120");
    assert_eq!(order("mutex_named", &[]), "6");
    assert_eq!(order("peterson", &["N=2"]), "2");
    assert_eq!(order("peterson", &["N=3"]), "6");
    assert_eq!(order("peterson", &["N=4"]), "24");
}

#[test]
fn clients_of_an_allocator_are_alike_within_a_priority() {
    assert_eq!(order("allocator", &[]), "24");
    assert_eq!(order("allocator", &["SHARING"]), "12");
}

#[test]
fn a_hypercube_has_its_reflections_and_rotations() {
    assert_eq!(order("hypercube", &[]), "48");
    assert_eq!(order("hypercube", &["FIXED"]), "6");
    assert_eq!(order("hypercube_computed", &[]), "48");
}

#[test]
fn rings_turn_and_may_be_reflected() {
    assert_eq!(order("ring", &["N=5"]), "5");
    assert_eq!(order("ring", &["N=5", "BUFFERED"]), "5");
    assert_eq!(order("ring_counter", &[]), "5");
}

#[test]
fn tiers_are_wreath_products() {
    assert_eq!(order("three_tiered", &[]), "144");
    assert_eq!(order("load_balancer", &[]), "288");
}

#[test]
fn correspondents_are_all_alike() {
    assert_eq!(order("email", &["N=3"]), "6");
    assert_eq!(order("email", &["N=4"]), "24");
}

#[test]
fn processes_of_different_proctypes_may_be_alike() {
    assert_eq!(order("separate_proctypes", &[]), "6");
}

#[test]
fn locations_are_exchanged_with_what_they_lead_to() {
    assert_eq!(order("option_order", &[]), "4");
}

#[test]
fn unlike_values_break_symmetry() {
    assert_eq!(order("broken", &[]), "2");
    assert_eq!(order("broken", &["LITERAL"]), "1");
}

#[test]
fn values_that_are_only_copied_are_symmetric_too() {
    assert_eq!(order("scalarset", &[]), "36");
}
