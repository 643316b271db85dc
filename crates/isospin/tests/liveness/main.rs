//! Verdicts on small models with formulas, never claims, accept and progress labels, with and without weak fairness.
//!
//! Each model names its properties in its first lines: `/* expect NAME PLAIN FAIR */`, where a verdict is `holds` or
//! `violated`. Where SPIN says something else, because of an error of its own, the line ends with what SPIN says:
//! `/* expect NAME PLAIN FAIR SPIN PLAIN FAIR */`. An ignored test asks SPIN again.

mod against_spin;
mod examples;
mod random;
mod reduced;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use isospin::verify::{
    Engine, Fairness, Finding, Job, Options, Order, Properties, Strategy, Switch, Symmetry, Verdict, verify,
};
use machine::Machine;
use machine::replay::{self, Replay};

/// What is expected of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Expectation {
    property: String,
    /// Whether it holds, without and with weak fairness.
    holds: [bool; 2],
    /// What SPIN says.
    spin: [bool; 2],
}

struct Model {
    name: String,
    text: String,
    expectations: Vec<Expectation>,
}

fn models() -> Vec<Model> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/liveness/models");
    let mut models: Vec<Model> = std::fs::read_dir(directory)
        .expect("the models are there")
        .map(|entry| {
            let path = entry.expect("it can be read").path();
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let expectations = text.lines().filter_map(expectation).collect();
            Model { name: path.file_stem().unwrap().to_string_lossy().into_owned(), text, expectations }
        })
        .collect();
    models.sort_by(|one, other| one.name.cmp(&other.name));
    models
}

fn expectation(line: &str) -> Option<Expectation> {
    let words: Vec<&str> = line.strip_prefix("/* expect ")?.strip_suffix(" */")?.split(' ').collect();
    let holds = |word: &str| match word {
        "holds" => true,
        "violated" => false,
        other => panic!("{other} is no verdict"),
    };
    let ours = [holds(words[1]), holds(words[2])];
    let spin = if words.get(3) == Some(&"SPIN") { [holds(words[4]), holds(words[5])] } else { ours };
    Some(Expectation { property: words[0].to_owned(), holds: ours, spin })
}

fn load(text: &str) -> Arc<Machine> {
    let loaded = promela::load_text("m.pml", text, &promela::Options::default());
    Arc::new(machine::lower(&loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))))
}

/// The name that reports use for what the models call `accept`, `progress` and `never`.
fn reported_name(machine: &Machine, property: &str) -> String {
    match property {
        "accept" => "acceptance".to_owned(),
        "progress" => "non-progress".to_owned(),
        "never" => machine.claims[0].name.to_string(),
        name => name.to_owned(),
    }
}

/// One worker, no reductions.
fn plain(fairness: Fairness) -> Options {
    Options {
        fairness,
        workers: NonZeroUsize::MIN,
        partial_order: Switch::Off,
        symmetry: Symmetry::Off,
        ..Options::default()
    }
}

/// The ways to search that must agree: reductions, workers, engines, shortest runs.
fn ways(fairness: Fairness) -> Vec<(&'static str, Options)> {
    let two = NonZeroUsize::new(2).expect("two is not zero");
    let exact = Symmetry::Detect(Strategy::Exact);
    vec![
        ("plain", plain(fairness)),
        ("interpreted", Options { engine: Engine::Interpreter, ..plain(fairness) }),
        ("partial order", Options { partial_order: Switch::On, ..plain(fairness) }),
        ("symmetry", Options { symmetry: exact, ..plain(fairness) }),
        ("both", Options { partial_order: Switch::On, symmetry: exact, ..plain(fairness) }),
        ("two workers", Options { workers: two, ..plain(fairness) }),
        ("everything", Options { workers: two, partial_order: Switch::On, symmetry: exact, ..plain(fairness) }),
        ("shortest", Options { order: Order::BreadthFirst, ..plain(fairness) }),
    ]
}

/// What is found out about a property. A violation's trace is executed again, and the property evaluated on it.
fn finding(machine: &Arc<Machine>, property: &str, options: &Options) -> Finding {
    let name = reported_name(machine, property);
    let job = Job { machine: machine.clone(), ..Job::new((**machine).clone()) };
    let options = Options { properties: Properties::Named(vec![name]), ..options.clone() };
    let finding = verify(&job, &options).expect("it can be verified").remove(0);
    if let Some(trace) = &finding.counterexample {
        let mut replay = Replay::new(machine, trace).expect("it starts at the initial state");
        while replay.step().unwrap_or_else(|mismatch| panic!("{property}: {mismatch}")).is_some() {}
        assert_eq!(replay.verdict(), replay::Verdict::Confirmed { note: None }, "{property}: {trace:?}");
    }
    finding
}

/// Whether the property holds, said with one voice by all ways to search.
fn holds(machine: &Arc<Machine>, property: &str, fairness: Fairness) -> bool {
    let mut verdicts = ways(fairness).into_iter().map(|(way, options)| {
        let verdict = finding(machine, property, &options).verdict;
        assert!(!matches!(verdict, Verdict::Unknown(_)), "{property} {way}: {verdict:?}");
        (way, verdict == Verdict::Holds)
    });
    let (_, first) = verdicts.next().expect("there is a way");
    for (way, holds) in verdicts {
        assert_eq!(holds, first, "{property} {fairness:?}: `{way}` says something else");
    }
    first
}

#[test]
fn verdicts_are_as_expected() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for model in models() {
        let machine = load(&model.text);
        for expectation in &model.expectations {
            for (fairness, expected) in [Fairness::None, Fairness::Weak].into_iter().zip(expectation.holds) {
                count += 1;
                if holds(&machine, &expectation.property, fairness) != expected {
                    wrong.push(format!("{} {} {fairness:?}: expected {expected}", model.name, expectation.property));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 190, "only {count} verdicts");
}
