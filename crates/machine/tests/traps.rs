//! The trap models: what isospin finds is what SPIN finds, or what the model says and why.
//!
//! The quick test trusts the record of SPIN's figures, `traps/spin.txt`; the slow one asks SPIN again. `cargo xtask traps` makes the record.

use std::path::Path;

use oracle::spin::SpinAutomaton;
use oracle::traps::{self, Trap};
use oracle::{compare, spin};

const PAGE: &str = include_str!("../../../docs/semantics.md");

fn directory() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traps"))
}

fn all() -> (Vec<Trap>, String) {
    let record = std::fs::read_to_string(traps::record_path(directory())).expect("the record lies beside the models");
    (traps::load(directory()).expect("the models can be read"), record)
}

#[test]
fn every_trap_gives_the_figures_on_record() {
    let (traps, record) = all();
    assert!(traps.len() >= 150, "only {} traps", traps.len());
    let mut failures = Vec::new();
    for trap in &traps {
        for line in trap.differences(traps::recorded(&record, &trap.name).as_ref()) {
            failures.push(format!("{}: {line}", trap.name));
        }
    }
    assert!(failures.is_empty(), "{} differences\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_difference_from_spin_says_why_and_is_in_the_documentation() {
    let (traps, _) = all();
    for trap in traps {
        let differs = trap.directive("ours").is_some() || trap.directive("refused").is_some();
        assert_eq!(differs, trap.directive("because").is_some(), "{}", trap.name);
        assert!(!differs || PAGE.contains(&format!("`{}`", trap.name)), "docs/semantics.md lacks {}", trap.name);
    }
}

#[test]
fn every_model_that_the_documentation_names_is_there() {
    let (traps, _) = all();
    let rows = PAGE.lines().filter(|line| line.starts_with("| `") && !line.contains("xtask"));
    let names = rows.flat_map(|row| row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2));
    for name in names {
        assert!(traps.iter().any(|trap| trap.name == name), "there is no trap {name}");
    }
}

#[test]
#[ignore = "runs SPIN for every trap"]
fn the_record_is_what_spin_says_and_the_automata_are_the_same() {
    assert!(spin::is_available(), "SPIN is not installed");
    let (traps, record) = all();
    let (left, right) = traps.split_at(traps.len() / 2);
    let mut failures = Vec::new();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| stale(right, &record));
        failures.extend(stale(left, &record));
        failures.extend(other.join().expect("the other half does not panic"));
    });
    assert!(failures.is_empty(), "{} differences\n{}", failures.len(), failures.join("\n"));
}

fn stale(traps: &[Trap], record: &str) -> Vec<String> {
    let mut failures = Vec::new();
    for trap in traps {
        let (answer, automata) = trap.spin();
        if traps::recorded(record, &trap.name).as_ref() != Some(&answer) {
            failures.push(format!("{}: SPIN now says {answer}", trap.name));
        }
        failures.extend(automata_differences(trap, &automata));
    }
    failures
}

fn automata_differences(trap: &Trap, automata: &[SpinAutomaton]) -> Vec<String> {
    let (_, found) = trap.ours();
    match found {
        Some((machine, _)) if trap.directive("automata").is_none() && !automata.is_empty() => {
            let lines = compare::automata(&machine, automata);
            lines.into_iter().map(|line| format!("{}: {line}", trap.name)).collect()
        }
        _ => Vec::new(),
    }
}
