//! With and without reduction: the same deadlocks, the same errors, fewer states.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use explore::search::Order;
use machine::Machine;
use machine::expression::Expr;

use crate::searching::{Findings, Manner, examples, explore, load, read};

/// Models with more states are left out.
const MOST_STATES: u64 = 12_000;

#[test]
fn reduction_keeps_the_verdicts_of_the_examples_of_spin() {
    let most_states =
        std::env::var("ISOSPIN_STATES").ok().and_then(|states| states.parse().ok()).unwrap_or(MOST_STATES);
    let spin = spin_figures();
    let mut table = String::from("model,full,reduced,breadth,skipping,spin,breadth with flags\n");
    for path in examples() {
        let Some(machine) = load(&path) else { continue };
        let Some(full) = explore(&machine, Manner::Full, most_states) else { continue };
        let reduced = explore(&machine, Manner::Reduced, most_states).expect("there are fewer states");
        agree(&machine, &path.display().to_string(), &full, &reduced);
        let mut plain = None;
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let found = explore(&machine, Manner::ReducedPlainly(order), most_states).expect("there are fewer states");
            agree(&machine, &path.display().to_string(), &full, &found);
            plain.get_or_insert(found.stored);
            let together =
                explore(&machine, Manner::ReducedTogether(order), most_states).expect("there are fewer states");
            agree(&machine, &path.display().to_string(), &full, &together);
        }
        let widely = explore(&machine, Manner::ReducedWidely, most_states).expect("there are fewer states");
        agree(&machine, &path.display().to_string(), &full, &widely);
        let skipping = explore(&machine, Manner::Skipping, most_states).map_or(full.stored, |skipping| {
            agree(&machine, &path.display().to_string(), &full, &skipping);
            skipping.stored
        });
        let name = path.strip_prefix("/usr/share/doc/spin/examples/Examples").unwrap_or(&path).display().to_string();
        let of_spin = spin.get(&name).map_or(String::new(), u64::to_string);
        let _ = writeln!(
            table,
            "{name},{},{},{},{skipping},{of_spin},{}",
            full.stored,
            reduced.stored,
            plain.unwrap_or(0),
            widely.stored
        );
    }
    if let Ok(file) = std::env::var("ISOSPIN_TABLE") {
        std::fs::write(file, table).expect("the table can be written");
    }
}

/// The same verdicts; no more states. All deadlocks are found, not just one; of those that differ only in the numbers of
/// processes, at least one.
fn agree(machine: &Machine, name: &str, full: &Findings, reduced: &Findings) {
    let creates = machine.actions.iter().any(|action| action.any(&mut |expr| matches!(expr, Expr::Run(_))));
    let deadlocks = |findings: &Findings| if creates { findings.deadlocks.min(1) } else { findings.deadlocks };
    let verdict = |findings: &Findings| (deadlocks(findings), findings.errors);
    assert_eq!(verdict(full), verdict(reduced), "{name}: {full:?} {reduced:?}");
    assert!(reduced.stored <= full.stored, "{name}: {full:?} {reduced:?}");
}

/// States that SPIN stores with its reduction, where a table of them is named by the environment: for measurements.
fn spin_figures() -> HashMap<String, u64> {
    let table =
        std::env::var("ISOSPIN_SPIN_FIGURES").ok().and_then(|path| std::fs::read_to_string(Path::new(&path)).ok());
    let table = table.unwrap_or_default();
    let rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter_map(|row| Some(((*row.first()?).to_owned(), row.get(1)?.parse().ok()?))).collect()
}

fn states(text: &str) -> (Findings, Findings) {
    let machine = read(text);
    let full = explore(&machine, Manner::Full, MOST_STATES).expect("a small model");
    let reduced = explore(&machine, Manner::Reduced, MOST_STATES).expect("a small model");
    agree(&machine, text, &full, &reduced);
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        agree(
            &machine,
            text,
            &full,
            &explore(&machine, Manner::ReducedPlainly(order), MOST_STATES).expect("a small model"),
        );
    }
    agree(&machine, text, &full, &explore(&machine, Manner::Skipping, MOST_STATES).expect("a small model"));
    (full, reduced)
}

#[test]
fn steps_on_locals_need_no_interleaving() {
    let (full, reduced) = states("active [3] proctype P() { byte x; x = 1; x = 2; x = 3 }");
    assert!(full.stored > 60 && reduced.stored < 20, "{full:?} {reduced:?}");
}

#[test]
fn elements_by_pid_belong_to_one_process() {
    let (full, reduced) = states("byte a[3]; active [3] proctype P() { a[_pid] = 1; a[_pid] = 2; a[_pid] = 3 }");
    assert!(full.stored > 60 && reduced.stored < 20, "{full:?} {reduced:?}");
}

#[test]
fn a_global_matters_only_as_long_as_somebody_may_still_read_it() {
    let (full, reduced) = states(
        "byte x; byte y; active proctype P() { x = 1; y = 1; x = 2; x = 3; x = 4; x = 5 }
         active proctype Q() { byte z; (x == 1); z = 1; z = 2; z = 3; z = 4 }",
    );
    assert!(reduced.stored * 2 < full.stored, "{full:?} {reduced:?}");
}

#[test]
fn messages_through_exclusive_channels_need_no_interleaving() {
    let (full, reduced) = states(
        "chan q = [3] of { byte };
         active proctype P() { byte i; do :: i < 6 -> q!i; i++ :: else -> break od }
         active proctype Q() { byte j, n; do :: n < 6 -> q?j; n++ :: else -> break od }",
    );
    assert!(reduced.stored * 2 < full.stored, "{full:?} {reduced:?}");
}

#[test]
fn channel_parameters_are_told_apart() {
    let (full, reduced) = states(
        "proctype P(chan in, out) { byte x; out!1; in?x; out!2; in?x }
         chan a = [2] of { byte }, b = [2] of { byte }, c = [2] of { byte }, d = [2] of { byte };
         init { atomic { run P(a, b); run P(b, a); run P(c, d); run P(d, c) } }",
    );
    assert!(reduced.stored * 5 < full.stored, "{full:?} {reduced:?}");
}

#[test]
fn pairs_that_only_meet_each_other_are_apart_from_other_pairs() {
    let (full, reduced) = states(
        "chan a = [0] of { byte }, b = [0] of { byte };
         active proctype P() { a!1; a!2; a!3; a!4 } active proctype Q() { byte x; a?x; a?x; a?x; a?x }
         active proctype R() { b!1; b!2; b!3; b!4 } active proctype S() { byte x; b?x; b?x; b?x; b?x }",
    );
    assert!(reduced.stored * 2 < full.stored, "{full:?} {reduced:?}");
}

/// Each of these is a trap for a reduction that is too bold.
#[test]
fn traps_keep_their_verdicts() {
    let traps = [
        // An interrupted atomic: only then can R step in between.
        "chan q = [1] of { byte }; byte x; active proctype P() { q!1 }
         active proctype Q() { byte y; atomic { x = 1; q?y; x = 0 } } active proctype R() { assert(x == 0) }",
        // `else` beside a receive: it is possible only before the send.
        "chan q = [1] of { byte }; byte x; active proctype P() { byte l; l = 1; q!1 }
         active proctype Q() { byte y; if :: q?y :: else -> assert(false) fi }",
        // An escape takes precedence.
        "chan q = [1] of { byte }; active proctype P() { byte l; q!1; l = 1 }
         active proctype Q() { byte y; { y = 1; y = 2; assert(false) } unless { q?y } }",
        // A loop that never ends must not hide the assertion of another process.
        "active proctype P() { byte x; do :: x = 1 - x od } active proctype Q() { byte y; y = 1; y = 2; assert(y == 1) }",
        // The order of two senders.
        "chan q = [2] of { byte }; active proctype P() { q!1 } active proctype R() { q!2 }
         active proctype Q() { byte y; q?y; assert(y == 1) }",
        // The same through channels in variables.
        "chan q = [2] of { byte }, names = [1] of { chan }; active proctype P() { q!1 }
         active proctype R() { chan c; names?c; c!2 }
         active proctype Q() { byte y; names!q; q?y; assert(y == 1) }",
        // A sorted send overtakes.
        "chan q = [2] of { byte }; active proctype P() { q!!2; q!!1 } active proctype Q() { byte y; q?y; assert(y == 2) }",
        // Timeouts, and processes that are asked about.
        "byte x; active proctype P() { L: x = 1; M: skip; timeout -> assert(x == 1) }
         active proctype Q() { byte y; do :: P@M -> break :: y < 3 -> y++ od; assert(y < 3) }",
        // Pids and the number of processes.
        "byte n; proctype C() { byte l; l = 1; n = _nr_pr } active proctype P() { pid p; p = run C(); assert(p == 2) }
         active proctype Q() { pid p; p = run C(); assert(n < 4) }",
        // The channel of a process that ends.
        "chan names = [1] of { chan }; proctype C() { chan own = [1] of { byte }; byte l; l = 1; names!own; own?l }
         active proctype P() { chan c; run C(); names?c; c!1; c!2 }",
        // A rendezvous that continues an atomic of the receiver.
        "chan q = [0] of { byte }; byte x; active proctype P() { q!1; x = 2 }
         active proctype Q() { byte y; atomic { q?y; x = 1; x = 0 }; x = 3 } active proctype R() { assert(x != 1 && x != 3) }",
        // A provided clause.
        "byte x; active proctype P() provided (x == 0) { byte l; l = 1; l = 2; assert(x == 0) }
         active proctype Q() { byte l; l = 1; x = 1; l = 2; x = 0 }",
        // Messages looked for behind the first, and room waited for.
        "chan q = [2] of { byte }; active proctype P() { q!1; q!2; q!3 }
         active proctype Q() { byte y; do :: q??2 -> break :: nfull(q) -> y = 1 :: full(q) -> q?y od; assert(y != 1) }",
        // Locals that others read.
        "active proctype P() { byte l; l = 1; l = 2 } active proctype Q() { byte y; y = P:l; assert(y != 1) }",
        "active proctype P() { byte i; d_step { i = 1; i = 2 }; i = 3; i = 1 / (i - 3) } active proctype Q() { byte j; j = 1; false }",
    ];
    for trap in traps {
        states(trap);
    }
}

#[test]
fn reduction_keeps_the_verdicts_of_trace_assertions() {
    let directory = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traps"));
    let (mut count, mut fewer) = (0, 0);
    for path in directory.read_dir().expect("it is there").map(|entry| entry.expect("it can be read").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("trace-") {
            continue;
        }
        let machine = load(&path).unwrap_or_else(|| panic!("{name}"));
        let full = explore(&machine, Manner::Full, MOST_STATES).expect("it is small");
        for manner in [Manner::Reduced, Manner::ReducedPlainly(Order::BreadthFirst), Manner::Skipping] {
            let reduced = explore(&machine, manner, MOST_STATES).expect("there are fewer states");
            agree(&machine, &name, &full, &reduced);
            fewer += usize::from(reduced.stored < full.stored);
        }
        count += 1;
    }
    assert!(count >= 16 && fewer > 0, "{count} {fewer}");
}
