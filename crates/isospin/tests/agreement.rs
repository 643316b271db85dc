//! On the whole example set, every number of workers, store and order gives the same verdict and counts without reductions, and
//! the same verdict with them.

use std::num::NonZeroUsize;
use std::path::Path;

use isospin::verify::{
    Errors, Finding, Job, Limits, Options, Order, Properties, Store, Switch, Symmetry, Verdict, verify,
};
use machine::Machine;

fn examples() -> Vec<(String, Machine)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let paths = std::fs::read_dir(directory).expect("it is there").flatten().map(|entry| entry.path());
    let models = paths.filter(|path| path.extension().is_some_and(|extension| extension == "pml"));
    models
        .map(|path| {
            let model = promela::load(&path, &promela::Options::default()).model.expect("examples have no errors");
            (path.display().to_string(), machine::lower(&model))
        })
        .collect()
}

fn manners() -> Vec<(usize, Store, Order)> {
    let mut list = Vec::new();
    for workers in [1, 2, 8] {
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            list.extend([Store::Tree, Store::Plain].map(|store| (workers, store, order)));
        }
        list.extend([Store::Bitstate, Store::Compact].map(|store| (workers, store, Order::DepthFirst)));
    }
    list
}

fn search(machine: &Machine, (workers, store, order): (usize, Store, Order), reductions: Switch) -> Finding {
    let options = Options {
        properties: Properties::Safety,
        errors: Errors::All,
        workers: NonZeroUsize::new(workers).expect("not zero"),
        store,
        order,
        partial_order: reductions,
        merging: reductions,
        dead: reductions,
        symmetry: if reductions == Switch::On { Symmetry::default() } else { Symmetry::Off },
        limits: Limits { memory: 256 << 20, ..Limits::default() },
        ..Options::default()
    };
    verify(&Job::new(machine.clone()), &options).expect("it can be searched").swap_remove(0)
}

/// An approximate store never says that a property holds.
fn agrees(store: Store, expected: &Verdict, found: &Verdict) -> bool {
    let approximate = matches!(store, Store::Bitstate | Store::Compact);
    expected == found || approximate && *expected == Verdict::Holds && matches!(found, Verdict::Unknown(_))
}

#[test]
fn without_reductions_counts_and_verdicts_are_the_same() {
    for (name, machine) in examples() {
        let reference = search(&machine, (1, Store::Tree, Order::DepthFirst), Switch::Off);
        for manner in manners() {
            let found = search(&machine, manner, Switch::Off);
            let counts = |finding: &Finding| (finding.counts.states, finding.counts.matched, finding.violations);
            assert_eq!(counts(&reference), counts(&found), "{name}: {manner:?}");
            assert!(agrees(manner.1, &reference.verdict, &found.verdict), "{name}: {manner:?}: {:?}", found.verdict);
        }
    }
}

#[test]
fn with_reductions_verdicts_are_the_same() {
    for (name, machine) in examples() {
        let reference = search(&machine, (1, Store::Tree, Order::DepthFirst), Switch::Off);
        for manner in manners() {
            let found = search(&machine, manner, Switch::On);
            assert!(agrees(manner.1, &reference.verdict, &found.verdict), "{name}: {manner:?}: {:?}", found.verdict);
            assert!(found.counts.states <= reference.counts.states, "{name}: {manner:?}");
        }
    }
}
