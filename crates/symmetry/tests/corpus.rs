//! Small symmetric models in many styles, each with the order of its group, held against the state graph itself.
//!
//! A model begins with `/* order: N`, what detection is to find. Where its states are few, the automorphisms of the state graph
//! are found by brute force: states, steps and who takes them, and nothing of the program. The permutations of processes among
//! them are all that any detector could find. Where we find fewer, the model says so: `processes: K` is what there would
//! be, and the lines below say why. Dead variables are set back, as they are in searches; where that makes a difference,
//! `kept: N` is the order without it.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use support::{check_all_states, with_dead};
use symmetry::detect::{Options, Useless, detect};
use symmetry::oracle::{StateGraph, order_on_processes};

/// State graphs with more states than this are not searched for automorphisms.
const MOST_STATES: usize = 1_500;

fn models() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut models: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "pml"))
        .collect();
    models.sort();
    models
}

fn stated(text: &str, key: &str) -> Option<BigUint> {
    let rest = &text[text.find(&format!("{key}: "))? + key.len() + 2..];
    rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

fn examine(path: &Path, problems: &mut Vec<String>) -> bool {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    let expected = stated(&text, "order").unwrap_or_else(|| panic!("{name} states no order"));
    let loaded = promela::load(path, &promela::Options::default());
    let Some(model) = loaded.model else {
        problems.push(format!("{name}: {:?}", loaded.diagnostics));
        return false;
    };
    let machine = machine::lower(&model);
    let strict = detect(&machine, &Options::default());
    let searched = detect(&machine, &with_dead(&machine));
    // Orders are those of states that keep what is stored for nobody.
    let detection = detect(&machine, &Options { useless: Useless::Kept, ..with_dead(&machine) });
    if searched.group.order() != detection.group.order() {
        problems.push(format!("{name}: useless variables change the group"));
    }
    if !detection.rejected.is_empty() || !strict.rejected.is_empty() {
        problems.push(format!("{name}: rejected {:?} {:?}", detection.rejected, strict.rejected));
    }
    let kept = stated(&text, "kept").unwrap_or_else(|| expected.clone());
    if strict.group.order() != kept || (kept != expected && !detection.needs_dead) {
        problems.push(format!("{name}: found {} where variables are kept, expected {kept}", strict.group.order()));
    }
    if detection.group.order() != expected {
        problems.push(format!("{name}: found {}, expected {expected}", detection.group.order()));
    }
    if detection.entry.is_none() {
        return false;
    }
    for detection in [&strict, &detection, &searched] {
        if !detection.shape.slots.is_empty() {
            check_all_states(&machine, detection, 1_500, &name);
        }
    }
    let Some(graph) = StateGraph::of(&machine, &detection, MOST_STATES) else { return false };
    let possible = graph.group.order();
    let contradicted = graph.contradicted(&detection);
    if !contradicted.is_empty() {
        problems.push(format!("{name}: the state graph has no {contradicted:?}"));
    }
    let found = order_on_processes(&detection);
    let stated = stated(&text, "processes").unwrap_or_else(|| found.clone());
    println!("{name}: {found} of {possible} on processes");
    if possible != stated {
        problems.push(format!("{name}: {found} on processes, the state graph has {possible}, stated are {stated}"));
    }
    true
}

#[test]
fn the_order_of_every_model_is_found() {
    let mut problems = Vec::new();
    let mut compared = 0;
    for path in models() {
        let examined = std::panic::catch_unwind(|| {
            let mut problems = Vec::new();
            (examine(&path, &mut problems), problems)
        });
        match examined {
            Ok((is_small, found)) => {
                compared += usize::from(is_small);
                problems.extend(found);
            }
            Err(_) => problems.push(format!("{}: the check failed", path.display())),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(models().len() >= 40 && compared >= 25, "{compared} of {} are small enough", models().len());
}
