//! Orbits of small configurations of every family by brute force: each has one representative, which all its states share, and
//! as many states as is said.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;

use machine::Machine;
use machine::interpret::Interpreter;
use machine::state::State;
use symmetry::detect::{Deaths, Detection, Options, detect, without_deaths};
use symmetry::{Canonicaliser, Strategy};

fn family(name: &str, defines: &[&str]) -> Machine {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/families").join(name);
    let mut options = promela::Options::default();
    options.preprocess.defines = defines.iter().map(ToString::to_string).collect();
    let loaded = promela::load(&path.with_extension("pml"), &options);
    machine::lower(&loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics)))
}

/// All states that can be reached from the first one in which all processes exist.
fn reachable(machine: &Machine, detection: &Detection) -> HashSet<Vec<u8>> {
    let machine = match detection.deaths {
        Deaths::Ignored => without_deaths(machine),
        Deaths::Happen => machine.clone(),
    };
    let interpreter = Interpreter::new(&machine);
    let entry = detection.entry.clone().expect("an entry state").bytes().to_vec();
    let mut seen = HashSet::from([entry.clone()]);
    let mut waiting = VecDeque::from([entry]);
    while let Some(state) = waiting.pop_front() {
        for transition in interpreter.successors(&State::from_bytes(&state)).transitions {
            let target = transition.target.bytes().to_vec();
            if seen.insert(target.clone()) {
                waiting.push_back(target);
            }
        }
    }
    seen
}

/// The orbit of a state: what the generators make of it, again and again.
fn orbit(detection: &Detection, state: &[u8]) -> HashSet<Vec<u8>> {
    let mut orbit = HashSet::from([state.to_vec()]);
    let mut waiting = vec![state.to_vec()];
    while let Some(state) = waiting.pop() {
        for generator in &detection.generators {
            let image = detection.shape.apply(&generator.permutation, &state);
            if orbit.insert(image.clone()) {
                waiting.push(image);
            }
        }
    }
    orbit
}

fn check(name: &str, defines: &[&str]) {
    let machine = family(name, defines);
    let detection = detect(&machine, &Options::default());
    assert!(!detection.group.is_trivial(), "{name} {defines:?}");
    let states = reachable(&machine, &detection);
    let mut canonicaliser = Canonicaliser::new(&detection.shape, &detection.group, Strategy::Exact);
    let mut left = states.clone();
    let mut orbits = 0;
    let mut representatives = HashSet::new();
    while let Some(state) = left.iter().next().cloned() {
        let orbit = orbit(&detection, &state);
        let mut representative = state.clone();
        canonicaliser.representative(&mut representative);
        assert!(orbit.contains(&representative), "{name} {defines:?}: {state:?}");
        assert_eq!(canonicaliser.orbit_size(&state), orbit.len().into(), "{name} {defines:?}: {state:?}");
        for image in &orbit {
            assert!(left.remove(image), "{name} {defines:?}: all states of an orbit can be reached");
            let mut other = image.clone();
            canonicaliser.representative(&mut other);
            assert_eq!(other, representative, "{name} {defines:?}: {state:?}, {image:?}");
        }
        orbits += 1;
        assert!(representatives.insert(representative));
    }
    println!("{name} {defines:?}: {} states in {orbits} orbits", states.len());
    assert!(orbits < states.len());
}

#[test]
fn symmetric_groups() {
    check("mutex", &["N=4"]);
    check("peterson", &["N=3"]);
    check("peterson_stepwise", &["N=2"]);
    check("email", &["N=2"]);
}

#[test]
fn products_of_symmetric_and_cyclic_groups() {
    check("resource_allocator", &["N=5", "A=2"]);
    check("resource_allocator", &["N=5", "A=1", "B=3", "SHARING"]);
    check("resource_allocator", &["N=6", "A=1", "ALTERNATING"]);
    check("load_balancer", &["SERVERS=2", "N=2"]);
    check("load_balancer", &["SERVERS=3", "N=2", "QUEUE=1"]);
}

#[test]
fn wreath_products() {
    check("three_tiered", &["SERVERS=2", "CLIENTS=2", "RENDEZVOUS"]);
    check("three_tiered", &["SERVERS=3", "CLIENTS=2", "LAST=1", "RENDEZVOUS"]);
}

#[test]
fn groups_of_cubes() {
    check("hypercube", &["DIMENSIONS=2"]);
    check("hypercube", &["DIMENSIONS=3", "SINGLE"]);
    check("hypercube", &["DIMENSIONS=4", "SINGLE"]);
}
