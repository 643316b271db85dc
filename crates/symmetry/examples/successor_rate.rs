//! How long the representatives of successors take: `cargo run --release --example successor_rate -- FAMILY STATES [NAME=VALUE]...`.
//!
//! Searches a family of `examples/families` modulo symmetry as `verify` does, asking for the size of an orbit before the representatives of
//! successors, and compares each with what is found without that. For counts of instructions:
//! `valgrind --tool=callgrind --collect-atstart=no --toggle-collect='*asked_of_successors*'`.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use machine::interpret::Interpreter;
use machine::state::State;
use symmetry::detect::{Deaths, Options, detect, without_deaths};
use symmetry::{Canonicaliser, Strategy};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [family, most, defines @ ..] = &arguments[..] else {
        return println!("usage: successor_rate FAMILY STATES [NAME=VALUE]...");
    };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/families").join(family);
    let mut options = promela::Options::default();
    options.preprocess.defines = defines.to_vec();
    let loaded = promela::load(&path.with_extension("pml"), &options);
    let machine = machine::lower(&loaded.model.unwrap_or_else(|| panic!("{family}: {:?}", loaded.diagnostics)));
    let detection = detect(&machine, &Options::default());
    let machine = match detection.deaths {
        Deaths::Ignored => without_deaths(&machine),
        Deaths::Happen => machine,
    };
    let interpreter = Interpreter::new(&machine);
    let mut canonicaliser = Canonicaliser::new(&detection.shape, &detection.group, Strategy::Exact);
    let mut forgetful = canonicaliser.clone();
    let mut first = detection.entry.expect("an entry state").bytes().to_vec();
    canonicaliser.representative(&mut first);
    let (mut seen, mut waiting) = (HashSet::from([first.clone()]), VecDeque::from([first]));
    let most: usize = most.parse().expect("a number of states");
    let (mut expanded, mut transitions, mut time) = (0u64, 0u64, Duration::ZERO);
    while let Some(state) = waiting.pop_front() {
        let successors = interpreter.successors(&State::from_bytes(&state)).transitions;
        let mut targets: Vec<Vec<u8>> = successors.iter().map(|each| each.target.bytes().to_vec()).collect();
        time += asked_of_successors(&mut canonicaliser, &state, &mut targets);
        expanded += 1;
        transitions += targets.len() as u64;
        for (target, successor) in targets.into_iter().zip(successors) {
            let mut alone = successor.target.bytes().to_vec();
            forgetful.representative(&mut alone);
            assert_eq!(target, alone, "a representative depends on what was asked before");
            if seen.len() < most && seen.insert(target.clone()) {
                waiting.push_back(target);
            }
        }
    }
    let each = time.as_nanos() as f64 / transitions as f64;
    println!(
        "{family} {defines:?}: {} orbits, {expanded} expanded, {transitions} transitions, {each:.0} ns for each",
        seen.len()
    );
}

#[inline(never)]
fn asked_of_successors(canonicaliser: &mut Canonicaliser, state: &[u8], targets: &mut [Vec<u8>]) -> Duration {
    let start = Instant::now();
    canonicaliser.orbit_size(state);
    targets.iter_mut().for_each(|target| canonicaliser.representative(target));
    start.elapsed()
}
