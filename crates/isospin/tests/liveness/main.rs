//! Verdicts on small models with formulas, never claims, accept and progress labels, with and without weak fairness.
//!
//! Each model names its properties in its first lines (`oracle::liveness`); `cargo xtask random-liveness` asks SPIN about them again.

mod examples;
mod random;
mod reduced;

use std::num::NonZeroUsize;
use std::sync::Arc;

use isospin::verify::{
    Engine, Fairness, Finding, Job, Limits, Options, Order, Properties, Strategy, Switch, Symmetry, Verdict, verify,
};
use machine::Machine;
use machine::replay::{self, Replay};
use oracle::liveness::{Watched, recorded};

fn load(text: &str) -> Arc<Machine> {
    let loaded = promela::load_text("m.pml", text, &promela::Options::default());
    Arc::new(machine::lower(&loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))))
}

/// One worker, no reductions.
fn plain(fairness: Fairness) -> Options {
    Options {
        fairness,
        workers: NonZeroUsize::MIN,
        partial_order: Switch::Off,
        merging: Switch::Off,
        dead: Switch::Off,
        symmetry: Symmetry::Off,
        ..Options::default()
    }
}

/// The ways to search that must agree: reductions, workers, engines, shortest runs.
fn ways(fairness: Fairness) -> Vec<(&'static str, Options)> {
    let two = NonZeroUsize::new(2).expect("two is not zero");
    let exact = Symmetry::Detect(Strategy::Exact);
    // With a low limit, several workers begin at once; else one would look at the first states alone.
    let all_workers = Limits { states: Some(40_000), ..Limits::default() };
    vec![
        ("plain", plain(fairness)),
        ("interpreted", Options { engine: Engine::Interpreter, ..plain(fairness) }),
        ("partial order", Options { partial_order: Switch::On, ..plain(fairness) }),
        ("merging", Options { merging: Switch::On, ..plain(fairness) }),
        ("partial order and merging", Options { partial_order: Switch::On, merging: Switch::On, ..plain(fairness) }),
        ("dead variables", Options { dead: Switch::On, ..plain(fairness) }),
        ("symmetry", Options { symmetry: exact, ..plain(fairness) }),
        ("both", Options { partial_order: Switch::On, symmetry: exact, ..plain(fairness) }),
        (
            "all reductions",
            Options {
                partial_order: Switch::On,
                merging: Switch::On,
                dead: Switch::On,
                symmetry: exact,
                ..plain(fairness)
            },
        ),
        ("shortest with dead variables", Options { order: Order::BreadthFirst, dead: Switch::On, ..plain(fairness) }),
        ("two workers", Options { workers: two, limits: all_workers.clone(), ..plain(fairness) }),
        (
            "everything",
            Options {
                workers: two,
                limits: all_workers,
                partial_order: Switch::On,
                merging: Switch::On,
                dead: Switch::On,
                symmetry: exact,
                ..plain(fairness)
            },
        ),
        ("shortest", Options { order: Order::BreadthFirst, ..plain(fairness) }),
        ("best-first", Options { order: Order::BestFirst, ..plain(fairness) }),
        (
            "A* with dead variables and symmetry",
            Options { order: Order::AStar, dead: Switch::On, symmetry: exact, ..plain(fairness) },
        ),
    ]
}

/// What is found out about a property. A violation's trace is executed again, and the property evaluated on it.
fn finding(machine: &Arc<Machine>, property: &Watched, options: &Options) -> Finding {
    let name = property.reported_name(machine);
    let job = Job { machine: machine.clone(), ..Job::new((**machine).clone()) };
    let options = Options { properties: Properties::Named(vec![name]), ..options.clone() };
    let finding = verify(&job, &options).expect("it can be verified").remove(0);
    if let Some(trace) = &finding.counterexample {
        let mut replay = Replay::new(machine, trace).expect("it starts at the initial state");
        while replay.step().unwrap_or_else(|mismatch| panic!("{property:?}: {mismatch}")).is_some() {}
        assert_eq!(replay.verdict(), replay::Verdict::Confirmed { note: None }, "{property:?}: {trace:?}");
    }
    finding
}

/// Whether the property holds, said with one voice by all ways to search.
fn holds(machine: &Arc<Machine>, property: &Watched, fairness: Fairness) -> bool {
    let mut verdicts = ways(fairness).into_iter().map(|(way, options)| {
        let verdict = finding(machine, property, &options).verdict;
        assert!(!matches!(verdict, Verdict::Unknown(_)), "{property:?} {way}: {verdict:?}");
        (way, verdict == Verdict::Holds)
    });
    let (_, first) = verdicts.next().expect("there is a way");
    for (way, holds) in verdicts {
        assert_eq!(holds, first, "{property:?} {fairness:?}: `{way}` says something else");
    }
    first
}

#[test]
fn verdicts_are_as_expected() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for model in recorded() {
        let machine = load(&model.text);
        for expectation in &model.expectations {
            for (fairness, expected) in [Fairness::None, Fairness::Weak].into_iter().zip(expectation.holds) {
                count += 1;
                if holds(&machine, &expectation.property, fairness) != expected {
                    wrong.push(format!("{} {:?} {fairness:?}: expected {expected}", model.name, expectation.property));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 190, "only {count} verdicts");
}
