//! Symmetry together with everything else: searches, stores, workers, partial order and engines agree on verdicts, and where
//! theory gives a number of orbits they find it.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use isospin::verify::{
    Engine, Errors, Finding, Job, Limits, Options, Order, Patience, Properties, Store, Strategy, Switch, Symmetry,
    Verdict, verify,
};
use machine::Machine;

/// Enough for any store here; bitstate takes all it may have.
const MEMORY: u64 = 1 << 25;

fn lowered(loaded: promela::Loaded, name: &str) -> Machine {
    machine::lower(&loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics)))
}

fn family(name: &str, defines: &[&str]) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/families").join(name).with_extension("pml");
    let mut options = promela::Options::default();
    options.preprocess.defines = defines.iter().map(ToString::to_string).collect();
    lowered(promela::load(&path, &options), name)
}

fn text(model: &str) -> Machine {
    lowered(promela::load_text("model.pml", model, &promela::Options::default()), model)
}

fn workers(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("there is one at least")
}

fn plain() -> Options {
    Options {
        properties: Properties::Safety,
        workers: workers(1),
        errors: Errors::All,
        partial_order: Switch::Off,
        merging: Switch::Off,
        dead: Switch::Off,
        symmetry: Symmetry::Off,
        patience: None,
        limits: Limits { memory: MEMORY, ..Limits::default() },
        ..Options::default()
    }
}

fn modulo() -> Options {
    Options { symmetry: Symmetry::Detect(Strategy::Exact), ..plain() }
}

fn safety(machine: &Machine, options: &Options) -> Finding {
    let mut findings =
        verify(&Job::new(machine.clone()), options).unwrap_or_else(|refusal| panic!("{}", refusal.reason));
    findings.pop().expect("a finding")
}

/// A family, and what sets its size.
type Configuration = (&'static str, &'static [&'static str]);

/// Small configurations of all families, with their orbits where these are known from elsewhere.
const FAMILIES: &[(&str, &[&str], Option<u64>)] = &[
    ("mutex", &["N=3"], Some(8)),
    ("mutex", &["N=10"], Some(22)),
    ("peterson", &["N=3"], Some(494)),
    ("peterson", &["N=4"], Some(3106)),
    ("peterson_stepwise", &["N=2"], Some(148)),
    ("peterson_stepwise", &["N=3"], Some(12_706)),
    ("resource_allocator", &["N=7", "A=2", "B=3"], Some(337)),
    ("resource_allocator", &["N=7", "A=2", "B=3", "SHARING"], None),
    ("resource_allocator", &["N=6", "A=1", "ALTERNATING"], None),
    ("three_tiered", &["SERVERS=2", "CLIENTS=2"], None),
    ("three_tiered", &["SERVERS=3", "CLIENTS=3", "LAST=2", "RENDEZVOUS"], None),
    ("email", &["N=2"], None),
    ("email", &["N=3"], Some(3902)),
    ("load_balancer", &["SERVERS=2", "N=3"], None),
    ("load_balancer", &["SERVERS=3", "N=2"], None),
    ("hypercube", &["DIMENSIONS=2"], None),
    ("hypercube", &["DIMENSIONS=3"], None),
    ("hypercube", &["DIMENSIONS=4", "SINGLE"], None),
    ("partial_matching", &["N=2"], Some(21)),
    ("partial_matching", &["N=4"], Some(126)),
    ("price", &["R=3"], Some(31)),
    ("price", &["R=4"], Some(18_611)),
    ("client_server", &["SIZE=2", "LIM=5"], Some(19_025)),
    ("client_server", &["SIZE=3", "LIM=2"], Some(12_225)),
    ("client_server", &["SIZE=3", "LIM=2", "VERIFIABLE"], Some(17_191)),
];

#[test]
fn orbits_of_every_family_add_up_to_its_states() {
    for &(name, defines, orbits) in FAMILIES {
        let machine = family(name, defines);
        let (full, reduced) = (safety(&machine, &plain()), safety(&machine, &modulo()));
        assert_eq!((&full.verdict, &reduced.verdict), (&Verdict::Holds, &Verdict::Holds), "{name} {defines:?}");
        let usage = reduced.symmetry.expect("there is symmetry");
        assert!(usage.exact);
        assert_eq!(usage.represented, Some(full.counts.states.into()), "{name} {defines:?}");
        if let Some(orbits) = orbits {
            assert_eq!(reduced.counts.states, orbits, "{name} {defines:?}");
        }
    }
}

/// Every small model of the detector's corpus: the same verdict in all ways to search, and where no process is let go, orbits that add up.
#[test]
fn orbits_of_the_corpus_add_up_to_its_states() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../symmetry/tests/corpus");
    let mut reduced = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.expect("it can be read").path();
        let name = path.display().to_string();
        let machine = lowered(promela::load(&path, &promela::Options::default()), &name);
        let small = |options: Options| Options { limits: Limits { states: Some(5_000), ..options.limits }, ..options };
        let full = safety(&machine, &small(plain()));
        if !full.complete {
            continue;
        }
        let default = Options { workers: workers(2), properties: Properties::Safety, ..Options::default() };
        for options in [small(modulo()), Options { dead: Switch::On, ..small(modulo()) }, small(default)] {
            assert_eq!(full.verdict, safety(&machine, &options).verdict, "{name}");
        }
        let immortal = symmetry::detect::without_deaths(&machine);
        let (full, orbits) = (safety(&immortal, &plain()), safety(&immortal, &modulo()));
        if let Some(usage) = orbits.symmetry {
            reduced += 1;
            assert_eq!(usage.represented, Some(full.counts.states.into()), "{name}");
        }
    }
    assert!(reduced >= 100, "only {reduced} models are symmetric and small");
}

#[test]
fn exact_strategies_store_the_same_number_of_states_and_others_no_fewer() {
    let configurations: [Configuration; 5] = [
        ("peterson", &["N=3"]),
        ("email", &["N=3"]),
        ("three_tiered", &["SERVERS=2", "CLIENTS=2"]),
        ("load_balancer", &["SERVERS=2", "N=3"]),
        ("hypercube", &["DIMENSIONS=3"]),
    ];
    for (name, defines) in configurations {
        let machine = family(name, defines);
        let states = |strategy| {
            let options = Options { symmetry: Symmetry::Detect(strategy), ..plain() };
            let finding = safety(&machine, &options);
            assert_eq!(finding.verdict, Verdict::Holds);
            finding.counts.states
        };
        let exact = states(Strategy::Exact);
        assert_eq!(states(Strategy::Enumerate { most_elements: 10_000 }), exact, "{name}");
        assert_eq!(states(Strategy::Segmented), exact, "{name}");
        for strategy in [Strategy::Fast, Strategy::LocalSearch, Strategy::Sort] {
            assert!(states(strategy) >= exact, "{name} {strategy:?}");
        }
    }
}

/// Every way to search.
fn ways() -> impl Iterator<Item = Options> {
    let orders = [Order::DepthFirst, Order::BreadthFirst];
    let stores = [Store::Tree, Store::Plain, Store::Bitstate, Store::Compact];
    let switches = [Switch::Off, Switch::On];
    let engines = [Engine::Compiled, Engine::Interpreter];
    orders.into_iter().flat_map(move |order| {
        [1, 2, 8].into_iter().flat_map(move |count| {
            stores.into_iter().flat_map(move |store| {
                switches.into_iter().flat_map(move |partial_order| {
                    engines.into_iter().map(move |engine| Options {
                        order,
                        workers: workers(count),
                        store,
                        partial_order,
                        engine,
                        ..modulo()
                    })
                })
            })
        })
    })
}

/// A breadth-first search needs its states back. The interpreter is slow, and the same for any number of workers.
fn is_possible(options: &Options) -> bool {
    (options.order == Order::DepthFirst || matches!(options.store, Store::Tree | Store::Plain))
        && (options.engine == Engine::Compiled || options.workers.get() == 1)
}

#[test]
fn every_way_to_search_finds_the_same_orbits() {
    let configurations: [Configuration; 6] = [
        ("mutex", &["N=4"]),
        ("peterson", &["N=2"]),
        ("resource_allocator", &["N=4", "A=2"]),
        ("three_tiered", &["SERVERS=2", "CLIENTS=2", "RENDEZVOUS"]),
        ("email", &["N=2"]),
        ("hypercube", &["DIMENSIONS=2"]),
    ];
    for (name, defines) in configurations {
        let machine = family(name, defines);
        let full = safety(&machine, &plain());
        let reference = safety(&machine, &modulo());
        for options in ways().filter(is_possible) {
            let found = safety(&machine, &options);
            let approximate = matches!(options.store, Store::Bitstate | Store::Compact);
            let holds = match &found.verdict {
                Verdict::Holds => !approximate,
                Verdict::Unknown(_) => approximate,
                Verdict::Violated => false,
            };
            assert!(holds, "{name}: {:?} with {options:?}", found.verdict);
            if options.partial_order == Switch::Off {
                assert_eq!(found.counts.states, reference.counts.states, "{name} with {options:?}");
                let represented = found.symmetry.expect("there is symmetry").represented;
                assert_eq!(represented, Some(full.counts.states.into()), "{name} with {options:?}");
            } else {
                assert!(found.counts.states <= reference.counts.states, "{name} with {options:?}");
            }
        }
    }
}

/// Models of several groups in which something is wrong.
fn mistaken() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "two at once",
            "byte inside; proctype P(byte id) { do :: inside++; assert(inside < 3); inside-- od }
             init { atomic { run P(1); run P(2); run P(3); run P(4) } }",
        ),
        (
            "a ring that deadlocks",
            "chan fork[3] = [1] of { bit };
             proctype P(byte id) { do :: fork[id]?_; fork[(id + 1) % 3]?_; fork[id]!1; fork[(id + 1) % 3]!1 od }
             init { atomic { fork[0]!1; fork[1]!1; fork[2]!1; run P(0); run P(1); run P(2) } }",
        ),
        (
            "a letter for another",
            "chan box[4] = [1] of { pid }; pid last;
             proctype P() { pid from; do :: last != _pid -> box[_pid]!last :: box[_pid]?from -> assert(from == 0); last = _pid od }
             init { atomic { run P(); run P(); run P() } }",
        ),
        (
            "teams",
            "byte score[2]; proctype P(byte team) { do :: score[team] < 3 -> score[team]++ :: assert(score[team] + score[1 - team] < 5) od }
             init { atomic { run P(0); run P(0); run P(1); run P(1) } }",
        ),
        ("processes that end", "chan q = [1] of { byte }; active [3] proctype P() { byte x; q!_pid; q?x; q?x }"),
    ]
}

#[test]
fn every_way_to_search_finds_what_is_wrong() {
    for (name, model) in mistaken() {
        let machine = text(model);
        assert_eq!(safety(&machine, &plain()).verdict, Verdict::Violated, "{name}");
        for (number, options) in ways().filter(is_possible).enumerate() {
            let errors = if number % 3 == 0 { Errors::All } else { Errors::First };
            let options = Options { errors, ..options };
            let found = safety(&machine, &options);
            assert_eq!(found.verdict, Verdict::Violated, "{name} with {options:?}");
            assert!(found.symmetry.is_some(), "{name} with {options:?}");
            // Making the trace has executed it in the model itself.
            assert!(found.counterexample.is_some(), "{name} with {options:?}");
        }
    }
}

#[test]
fn orbits_are_counted_once_also_where_a_violation_is_traced_back() {
    for (name, model) in mistaken().into_iter().filter(|(name, _)| *name != "processes that end") {
        let machine = text(model);
        let full = safety(&machine, &plain());
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let reduced = safety(&machine, &Options { order, ..modulo() });
            let represented = reduced.symmetry.expect("there is symmetry").represented;
            assert_eq!(represented, Some(full.counts.states.into()), "{name} {order:?}");
        }
    }
}

#[test]
fn violations_found_by_approximate_representatives_are_traced_too() {
    // Two pairs, in which representatives of a state and of its images may differ.
    let model = "#define PARTNER(i) (i == 0 -> 1 : (i == 1 -> 0 : (i == 2 -> 3 : 2)))
        byte cell[4] = 255; byte turn = 255; chan hall = [0] of { byte };
        proctype p(byte id) {
            byte x = 255;
            do
            :: x == cell[id] -> atomic { turn == 255 -> turn = id; x = cell[id] };
                cell[PARTNER(id)] = turn; cell[(x < 4 -> x : id)] = PARTNER(id)
            :: turn = 255; hall!cell[id]
            od
        }
        init { atomic { run p(0); run p(1); run p(2); run p(3) } }";
    let machine = text(model);
    assert_eq!(safety(&machine, &plain()).verdict, Verdict::Violated);
    for strategy in [Strategy::Fast, Strategy::LocalSearch, Strategy::Sort, Strategy::Segmented] {
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let options = Options { symmetry: Symmetry::Detect(strategy), order, ..plain() };
            let found = safety(&machine, &options);
            assert_eq!(found.verdict, Verdict::Violated, "{strategy:?}");
            assert!(found.symmetry.is_some() && found.counterexample.is_some(), "{strategy:?}");
        }
    }
}

#[test]
fn an_audit_checks_every_state_that_is_expanded() {
    for &(name, defines, _) in FAMILIES {
        let machine = family(name, defines);
        let finding = safety(&machine, &Options { audit: Switch::On, workers: workers(2), ..modulo() });
        assert_eq!(finding.verdict, Verdict::Holds, "{name} {defines:?}: {:?}", finding.notices);
        let audit = finding.symmetry.and_then(|usage| usage.audit).expect("it was asked for");
        assert_eq!(audit.failure, None);
        // States before all processes exist are no part of it.
        assert!(audit.states > 0 && audit.states < finding.counts.states + 1, "{name}");
        assert!(audit.states + 10 > finding.counts.states, "{name}: {} of {}", audit.states, finding.counts.states);
    }
}

#[test]
fn statements_that_only_images_execute_count_as_executed() {
    let model = "byte x; byte who;
        active proctype A() { if :: atomic { who == 0 -> who = 1 }; x++; x-- :: who == 2 fi }
        active proctype B() { if :: atomic { who == 0 -> who = 2 }; x++; x-- :: who == 1 fi }
        active proctype C() { do :: x > 1 -> x = 0 od }";
    let machine = text(model);
    let (full, reduced) = (
        safety(&machine, &Options { end_states: Switch::Off, ..plain() }),
        Options { end_states: Switch::Off, ..modulo() },
    );
    let reduced = safety(&machine, &reduced);
    assert!(reduced.symmetry.is_some());
    let lines =
        |finding: &Finding| finding.unreached.iter().map(|each| (each.line, each.text.clone())).collect::<Vec<_>>();
    assert_eq!(lines(&reduced), lines(&full));
    assert!(lines(&full).iter().any(|(line, _)| *line == 4), "{:?}", full.unreached);
}

#[test]
fn a_search_that_does_not_pay_begins_again_without_symmetry() {
    let machine = family("peterson_stepwise", &["N=3"]);
    // Nobody's patience is that short; so it is given up as soon as the question is asked.
    for count in [1, 2] {
        let impatient = Options {
            patience: Some(Patience { slowdown: 1e-9, period: Duration::ZERO }),
            workers: workers(count),
            ..modulo()
        };
        let finding = safety(&machine, &impatient);
        assert_eq!((finding.verdict, finding.counts.states), (Verdict::Holds, 75_356));
        assert!(finding.symmetry.is_none());
        assert!(
            finding.notices.iter().any(|notice| notice.to_string().contains("does not pay")),
            "{:?}",
            finding.notices
        );
    }
    let patient = Options { patience: Some(Patience { slowdown: 1e9, period: Duration::ZERO }), ..modulo() };
    assert_eq!(safety(&machine, &patient).counts.states, 12_706);
}

#[test]
fn values_of_a_process_that_disappears_are_symmetric_until_then() {
    // The model can tell when a process is gone, so processes do disappear, and the values of `i` with them.
    let machine = text(
        "byte left = 1; active proctype Counter() { left = _nr_pr; assert(left > 0) }
         init { int i; select (i : 8 .. 15); assert(i != 15) }",
    );
    let (whole, quotient) = (safety(&machine, &plain()), safety(&machine, &modulo()));
    let usage = quotient.symmetry.as_ref().expect("all values but 15 are alike");
    assert_eq!((usage.order.to_string(), usage.represented.clone()), ("5040".into(), Some(58_u32.into())));
    assert_eq!((whole.counts.states, whole.violations > 0), (58, true));
    assert_eq!((quotient.counts.states, quotient.violations > 0), (22, true));
}

#[test]
fn a_model_with_millions_of_millions_of_states_is_verified_exactly() {
    // The one in the README has twelve clients and 37,978,003,271,681 states; eight clients are enough here.
    let machine = family("load_balancer", &["SERVERS=2", "N=8"]);
    let finding = safety(&machine, &Options { workers: workers(2), ..modulo() });
    let usage = finding.symmetry.expect("there is symmetry");
    assert_eq!((finding.verdict, usage.exact), (Verdict::Holds, true));
    assert_eq!((finding.counts.states, usage.represented), (37_984, Some(1_520_068_097u64.into())));
    // By brute force where that is possible, the same holds.
    let machine = family("load_balancer", &["SERVERS=2", "N=4"]);
    let (full, reduced) = (safety(&machine, &plain()), safety(&machine, &modulo()));
    assert_eq!(reduced.symmetry.expect("there is symmetry").represented, Some(full.counts.states.into()));
}
