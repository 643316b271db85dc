//! Reduced searches against the plain one: the same verdicts, no more states, and every counterexample is a run of the model
//! (a search panics when the reference interpreter cannot follow it).

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use isospin::verify::{
    Errors, Finding, HiddenVariables, Job, Limits, Options, Order, Properties, Strategy, Switch, Symmetry, Verdict,
    verify,
};
use machine::Machine;
use oracle::{generate, ours, traps};

/// Larger models are left out.
const MOST_STATES: u64 = 10_000;
/// Random models that are tried.
const RANDOM: u64 = 60;

struct Manner {
    name: &'static str,
    partial_order: Switch,
    merging: Switch,
    dead: Switch,
    symmetry: Symmetry,
    order: Order,
    workers: usize,
}

const PLAIN: Manner = Manner {
    name: "plain",
    partial_order: Switch::Off,
    merging: Switch::Off,
    dead: Switch::Off,
    symmetry: Symmetry::Off,
    order: Order::DepthFirst,
    workers: 1,
};

const REDUCED: Manner =
    Manner { name: "reduced", partial_order: Switch::On, merging: Switch::On, dead: Switch::On, ..PLAIN };

const MANNERS: [Manner; 7] = [
    Manner { name: "dead", dead: Switch::On, ..PLAIN },
    Manner { name: "merging", merging: Switch::On, ..PLAIN },
    Manner { name: "merging and partial order", dead: Switch::Off, ..REDUCED },
    REDUCED,
    Manner { name: "reduced, breadth first", order: Order::BreadthFirst, ..REDUCED },
    Manner { name: "reduced, three workers", workers: 3, ..REDUCED },
    Manner { name: "everything", symmetry: Symmetry::Detect(Strategy::Exact), ..REDUCED },
];

impl Manner {
    fn options(&self, properties: Properties) -> Options {
        Options {
            properties,
            errors: Errors::All,
            partial_order: self.partial_order,
            merging: self.merging,
            dead: self.dead,
            symmetry: self.symmetry,
            order: self.order,
            workers: NonZeroUsize::new(self.workers).expect("not zero"),
            limits: Limits { states: Some(MOST_STATES), memory: 1 << 28, ..Limits::default() },
            ..Options::default()
        }
    }
}

fn directory(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn models_in(path: &str) -> Vec<(String, Machine)> {
    let entries = std::fs::read_dir(directory(path)).expect("it is there").flatten().map(|entry| entry.path());
    let models = entries.filter(|path| path.extension().is_some_and(|extension| extension == "pml"));
    let mut found: Vec<_> = models
        .filter_map(|path| {
            let model = promela::load(&path, &promela::Options::default()).model?;
            Some((path.display().to_string(), machine::lower(&model)))
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn run(name: &str, machine: &Machine, options: &Options) -> Option<Vec<Finding>> {
    let findings = verify(&Job::new(machine.clone()), options);
    findings.inspect_err(|refusal| eprintln!("{name}: {refusal}")).ok()
}

fn is_too_large(finding: &Finding) -> bool {
    matches!(finding.verdict, Verdict::Unknown(_)) || !finding.complete
}

/// Compares all manners with the plain search. Whether the model could be searched.
fn compare(name: &str, machine: &Machine) -> bool {
    let Some(full) = run(name, machine, &PLAIN.options(Properties::Safety)) else { return false };
    let full = &full[0];
    if is_too_large(full) {
        return false;
    }
    for manner in MANNERS {
        let found = run(name, machine, &manner.options(Properties::Safety)).expect("the plain search was possible");
        let found = &found[0];
        assert_eq!(full.verdict, found.verdict, "{name}: {}", manner.name);
        if manner.symmetry == Symmetry::Off {
            let (most, states) = (full.counts.states, found.counts.states);
            assert!(states <= most, "{name}: {}: {states} states instead of {most}", manner.name);
        }
        if manner.partial_order == Switch::Off && manner.merging == Switch::Off {
            assert_eq!(full.unreached, found.unreached, "{name}: {}", manner.name);
        }
    }
    true
}

#[test]
fn the_traps_keep_their_verdicts() {
    let traps = traps::load(&directory("../machine/tests/traps")).expect("they can be read");
    let compared = traps.iter().filter(|trap| match ours::machine(&trap.text) {
        Ok(machine) => compare(&trap.name, &machine),
        Err(_) => false,
    });
    assert!(compared.count() > 120);
}

#[test]
fn random_models_keep_their_verdicts() {
    let compared = (0..RANDOM).filter(|&seed| match ours::machine(&generate::model(seed).to_string()) {
        Ok(machine) => compare(&format!("seed {seed}"), &machine),
        Err(_) => false,
    });
    assert!(compared.count() > RANDOM as usize / 2);
}

#[test]
fn the_examples_keep_their_verdicts() {
    for path in ["../../examples", "../symmetry/tests/models"] {
        let compared = models_in(path).iter().filter(|(name, machine)| compare(name, machine)).count();
        assert!(compared > 10, "{path}: {compared}");
    }
}

#[test]
fn what_goes_wrong_inside_a_chain_is_found_with_every_step() {
    for text in [
        "active proctype P() { byte x; x = 1; x = 2; assert(x == 1); x = 3 } active proctype Q() { byte y; y = 1; y = 2 }",
        "active proctype P() { byte x; x = 1; x = 2; x = 1 / (x - 2); x = 3 }",
        "chan q = [1] of { byte }; active proctype P() { byte x; x = 1; x = 2; q?x; x = 3 }",
        "active proctype P() { byte x; do :: x = 1 - x od } active proctype Q() { byte y; y = 1; assert(y == 0) }",
        "active proctype P() { byte x; x = 1; do :: x < 9 -> x++ :: else -> break od; atomic { x = 1; assert(false) } }",
    ] {
        let machine = ours::machine(text).expect("a model");
        assert!(compare(text, &machine));
        let found = run(text, &machine, &REDUCED.options(Properties::Safety)).expect("it can be searched");
        assert_eq!(found[0].verdict, Verdict::Violated, "{text}");
        let trace = found[0].counterexample.as_ref().expect("it is violated");
        assert!(trace.steps.len() >= 2, "{text}: {:?}", trace.steps.len());
    }
}

/// The model is symmetric as soon as both P exist, if it is ignored that they disappear.
#[test]
fn a_chain_does_not_pass_over_the_state_where_symmetry_begins() {
    let text = "bit a[4]; bit g; proctype P() { a[_pid] = 1 - a[_pid]; done: skip }
        active proctype Q() { bit l; do :: g = 1 - g :: l = 1 - l :: l == 0 -> break od; l == 1 }
        init { run P(); run P() }";
    let machine = ours::machine(text).expect("a model");
    assert!(compare(text, &machine));
}

#[test]
fn an_endless_local_loop_does_not_hang() {
    let text = "active proctype P() { int x; do :: x = x + 1; assert(x != -1) od } active proctype Q() { byte y; do :: y = 1 - y od }";
    let machine = ours::machine(text).expect("a model");
    let limits = Limits { states: Some(500), memory: 1 << 26, ..Limits::default() };
    let options = Options { limits, ..REDUCED.options(Properties::Safety) };
    let found = run(text, &machine, &options).expect("it can be searched");
    assert!(matches!(found[0].verdict, Verdict::Unknown(_)), "{:?}", found[0].verdict);
}

/// Whether a state can be a witness for what is put off must not depend on who has visited it. (Once two workers kept 13,281 states here.)
#[test]
fn several_workers_leave_out_as_much_as_one() {
    let mut options = promela::Options::default();
    options.preprocess.defines.push("N=6".into());
    let model = promela::load(&directory("../../examples/two_phase_commit.pml"), &options).model.expect("a model");
    let machine = machine::lower(&model);
    let states = |workers| {
        let limits = Limits { memory: 1 << 28, ..Limits::default() };
        let manner = Manner { workers, symmetry: Symmetry::Detect(Strategy::Exact), ..REDUCED };
        let options = Options { limits, ..manner.options(Properties::Safety) };
        let found = run("two_phase_commit", &machine, &options).expect("it can be searched");
        assert_eq!(found[0].verdict, Verdict::Holds);
        found[0].counts.states
    };
    let one = states(1);
    for workers in [2, 3, 8] {
        assert!(states(workers) * 10 <= one * 12, "{workers} workers: {} instead of {one}", states(workers));
    }
}

/// What SPIN leaves out of its states: variables that are only written.
#[test]
fn counters_that_nobody_reads_do_not_make_a_search_endless() {
    let models = [
        ("int n; active [3] proctype P() { do :: n++ od }", 1),
        // Nor do they make steps depend on each other.
        ("int n; active [3] proctype P() { byte i; do :: i < 9 -> i++; n++ :: else -> break od }", 12),
        ("int n[3]; byte last; active [3] proctype P() { do :: n[_pid]++; last = _pid od }", 8),
        (
            "int n, m; chan q = [1] of { byte }; active proctype S() { do :: q!1; n++ od } active proctype R() { int k; do :: q?_; k = n; m = m + k od }",
            16,
        ),
    ];
    for (text, most) in models {
        let machine = ours::machine(text).expect("a model");
        for symmetry in [Symmetry::Off, Symmetry::Detect(Strategy::Exact)] {
            let limits = Limits { states: Some(5_000), memory: 1 << 26, ..Limits::default() };
            let options = Options { limits, symmetry, ..REDUCED.options(Properties::Safety) };
            let found = run(text, &machine, &options).expect("it can be searched");
            assert!(matches!(found[0].verdict, Verdict::Holds), "{text} {symmetry:?}: {:?}", found[0].verdict);
            assert!(found[0].counts.states <= most, "{text} {symmetry:?}: {} states", found[0].counts.states);
        }
    }
}

/// A search with SPIN's meaning of `hidden` misses what depends on it; any reduction alone does not.
#[test]
fn hidden_variables_are_compared_wherever_something_is_reduced() {
    let symmetry = Symmetry::Detect(Strategy::Exact);
    let alone = [
        Manner { name: "partial order", partial_order: Switch::On, ..PLAIN },
        Manner { name: "merging", merging: Switch::On, ..PLAIN },
        Manner { name: "dead", dead: Switch::On, ..PLAIN },
        Manner { name: "symmetry", symmetry, ..PLAIN },
    ];
    let mut missed = 0;
    for value in [0, 1] {
        // Something for every reduction: equal processes with steps of their own, a value that is overwritten unread, a step that others see.
        let text = format!(
            "hidden byte h; byte g; active proctype P() {{ if :: h = 1 :: h = 0 fi; g = 1; assert(h == {value}) }} \
             active [2] proctype Q() {{ byte k; k = 1; k = 2; end: g == 7 }}"
        );
        let loaded = promela::load_text("m.pml", &text, &promela::Options::default());
        let machine = machine::lower_hidden(&loaded.model.expect("it is correct"), machine::Hidden::InState);
        let verdict = |manner: &Manner, hidden: HiddenVariables| {
            let options = Options { hidden, ..manner.options(Properties::Safety) };
            run("hidden", &machine, &options).expect("it can be searched").swap_remove(0).verdict
        };
        for manner in alone.iter().chain([&PLAIN]) {
            assert_eq!(verdict(manner, HiddenVariables::Compared), Verdict::Violated, "{}: {text}", manner.name);
        }
        missed += u32::from(verdict(&PLAIN, HiddenVariables::Ignored) == Verdict::Holds);
    }
    assert_eq!(missed, 1, "the search that ignores them has SPIN's meaning");
}
