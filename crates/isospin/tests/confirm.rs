//! Small searches confirm themselves: what holds is searched once more without reductions, and a reduction that misses a violation is found out.

mod support;

use std::time::{Duration, Instant};

use automata::ctl;
use isospin::verify::{
    Branching, Confirm, Fairness, Finding, Job, Options, Properties, Reduction, Switch, Symmetry, Verdict, verify,
};
use machine::Machine;
use machine::claim::Atom;
use serde_json::Value;
use support::{command, file, isospin};

/// Every reduction is used: the processes are alike, `t` is dead behind its last use, and steps that concern nobody else are many.
const COUNTER: &str = "byte x, n; active [2] proctype P() { byte t; t = 1; t = t + 1; x = x + t; t = 3; t = 4; n++ }";

/// Formulas about the tree of runs are verified modulo symmetry if no process ends.
const FOREVER: &str = "byte x; active [2] proctype P() { do :: x < 4 -> x++; x-- od }";

fn machine(text: &str) -> Machine {
    let model = promela::load_text("m.pml", text, &promela::Options::default()).model.expect("it is correct");
    machine::lower(&model)
}

/// Plenty of time, on a machine that is busy too.
fn patiently() -> Options {
    Options { confirm: Confirm::Within(Duration::from_secs(60)), ..Options::default() }
}

fn finding(job: &Job, property: &str, options: &Options) -> Finding {
    let options = Options { properties: Properties::Named(vec![property.into()]), ..options.clone() };
    verify(job, &options).expect("it can be verified").into_iter().next().expect("one property was asked for")
}

/// Fairness is asked for with some.
fn options_for(fairness: Fairness) -> Options {
    Options { fairness, ..patiently() }
}

/// A formula about the tree of runs: the atom is taken from the `ltl` block `atom` of the model.
fn branching(machine: &mut Machine, formula: &str) -> Branching {
    let block = machine.ltl.pop().expect("the block of the atom");
    let atom: Atom = block.proposition.expect("it is a proposition");
    Branching { name: "tree".into(), formula: ctl::parse(formula).expect("it is a formula"), atoms: vec![atom] }
}

#[test]
fn what_holds_is_confirmed_with_the_states_of_the_plain_search() {
    let linear = Job::new(machine(&format!("{COUNTER} ltl p {{ [] (x <= 4) }}")));
    let mut forever = machine(&format!("{FOREVER} ltl atom {{ (x <= 2) }}"));
    let tree = branching(&mut forever, "AG (x <= 2)");
    let branching = Job { branching: vec![tree], ..Job::new(forever) };
    for (job, property) in [(&linear, "safety"), (&linear, "p"), (&branching, "tree")] {
        let found = finding(job, property, &patiently());
        assert_eq!(found.verdict, Verdict::Holds, "{property}");
        assert!(!found.reductions.is_empty(), "{property}");
        let plain = Options {
            partial_order: Switch::Off,
            merging: Switch::Off,
            dead: Switch::Off,
            symmetry: Symmetry::Off,
            ..patiently()
        };
        let plain = finding(job, property, &plain);
        assert_eq!(found.confirmed.map(|confirmed| confirmed.states), Some(plain.counts.states), "{property}");
        assert!(found.counts.states < plain.counts.states, "{property}: it is the reduced search that is reported");
        assert_eq!((plain.confirmed, plain.reductions), (None, Vec::new()), "{property}: nothing to be confirmed");
        let off = finding(job, property, &Options { confirm: Confirm::Off, ..patiently() });
        assert_eq!(off.confirmed, None, "{property}");
    }
}

/// A reduction that misses a violation is found out, whatever it is and whatever kind of property is violated.
#[test]
fn a_reduction_that_misses_a_violation_is_found_out() {
    let safety = format!("{COUNTER} active proctype Monitor() {{ assert(x < 4) }}");
    let formula = format!("{COUNTER} ltl p {{ [] (x < 4) }}");
    let never = format!("{COUNTER} never {{ do :: x == 4 -> break :: true od }}");
    let cycle = "byte x; active [2] proctype P() { byte t; LABEL: do :: t = 1; t = t + 1; x = t; t = 3; t = 0 od }";
    let (acceptance, progress) =
        (cycle.replace("LABEL", "accept"), cycle.replace("LABEL: do", "do :: x == 9 -> progress: skip"));
    let fair = format!("{} ltl p {{ <> (x == 9) }}", cycle.replace("LABEL:", ""));
    let cases = [
        (safety, "safety", Fairness::None, &Reduction::ALL[..]),
        (formula, "p", Fairness::None, &Reduction::ALL[..]),
        (never, "never_0", Fairness::None, &[Reduction::DeadVariables][..]),
        (acceptance, "acceptance", Fairness::None, &[Reduction::DeadVariables]),
        (progress, "non-progress", Fairness::None, &[Reduction::DeadVariables]),
        (fair.clone(), "p", Fairness::None, &[Reduction::DeadVariables, Reduction::PartialOrder]),
        (fair.clone(), "p", Fairness::Weak, &[Reduction::DeadVariables]),
        (fair, "p", Fairness::Strong, &[Reduction::PartialOrder]),
    ];
    for (text, property, fairness, faults) in cases {
        for &fault in faults {
            let job = Job { planted_fault: Some(fault), ..Job::new(machine(&text)) };
            let what = format!("{property}, {fairness:?}, {}: {text}", fault.name());
            let unconfirmed = finding(&job, property, &Options { confirm: Confirm::Off, ..options_for(fairness) });
            assert_eq!(unconfirmed.verdict, Verdict::Holds, "the fault works: {what}");
            let found = finding(&job, property, &options_for(fairness));
            assert_eq!(found.verdict, Verdict::Violated, "{what}");
            assert!(
                found.counterexample.is_some() && found.reductions.is_empty() && found.confirmed.is_none(),
                "{what}"
            );
            let contradiction = found.contradiction.unwrap_or_else(|| panic!("it is told: {what}"));
            assert_eq!(contradiction.at_fault, [fault], "{what}");
            assert!(contradiction.used.contains(&fault), "{what}");
        }
    }
}

#[test]
fn a_symmetry_that_misses_a_violation_of_a_tree_formula_is_found_out() {
    let mut machine = machine(&format!("{FOREVER} ltl atom {{ (x < 2) }}"));
    let tree = branching(&mut machine, "AG (x < 2)");
    let job = Job { branching: vec![tree], planted_fault: Some(Reduction::Symmetry), ..Job::new(machine) };
    let found = finding(&job, "tree", &patiently());
    assert_eq!(found.verdict, Verdict::Violated);
    assert_eq!(found.contradiction.expect("it is told").at_fault, [Reduction::Symmetry]);
}

/// Twenty processes that count for themselves: partial order needs a few states, the plain search 4^20.
const LARGE: &str = "active [20] proctype P() { byte t; t = 1; t = t + 1; t = t + 1; printf(\"%d\\n\", t) }";

#[test]
fn what_cannot_be_confirmed_in_time_holds_all_the_same_and_little_time_is_spent() {
    let job = Job::new(machine(LARGE));
    let auto = Options { confirm: Confirm::Auto, properties: Properties::Safety, ..Options::default() };
    // The first time, pages are not there yet.
    let timed = |confirm: Confirm| {
        let begun = Instant::now();
        let found = finding(&job, "safety", &Options { confirm, ..auto.clone() });
        assert_eq!((found.verdict, found.confirmed), (Verdict::Holds, None));
        begun.elapsed()
    };
    let with = (0..5).map(|_| timed(Confirm::Auto)).min().expect("five times");
    let without = (0..5).map(|_| timed(Confirm::Off)).max().expect("five times");
    assert!(with < without + Duration::from_millis(200), "{with:?} is much longer than {without:?}");
}

fn report(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn reports_tell_what_was_confirmed() {
    let path = file("confirm/counter.pml", COUNTER);
    let output = isospin(&["verify", "--json", "--confirm", "60s", &path]);
    let result = &report(&output)["results"][0];
    assert_eq!(
        result["confirmed"]["states"],
        report(&isospin(&["verify", "--json", "--reduce", "none", &path]))["results"][0]["states"]
    );
    assert_eq!(result["contradiction"], Value::Null);
    let states = result["confirmed"]["states"].to_string();
    let text = String::from_utf8(isospin(&["verify", "--confirm", "60s", &path]).stdout).expect("text");
    assert!(text.contains(&format!("confirmed without reductions, {states} states")), "{text}");
    let off = isospin(&["verify", "--json", "--confirm", "off", &path]);
    assert_eq!(report(&off)["results"][0]["confirmed"], Value::Null);
    assert_eq!(isospin(&["verify", "--confirm", "perhaps", &path]).status.code(), Some(2));
}

/// From the planted fault to the report, and from the reproducer back to the contradiction.
#[test]
fn a_contradiction_is_a_violation_with_a_bug_report_that_can_be_repeated() {
    let text = "#define LIMIT 4\nbyte x; active [2] proctype P() { byte t; t = 1; t = t + 1; x = x + t; t = 3 }\n\
                active proctype Monitor() { assert(x < LIMIT) }\n";
    let path = file("confirm/planted.pml", text);
    let run = |arguments: &[&str]| {
        let output = command(arguments).env("ISOSPIN_TEST_PLANTED_FAULT", "dead variables").output();
        output.expect("the program starts")
    };
    let output = run(&["verify", "--json", "--confirm", "60s", &path]);
    assert_eq!(output.status.code(), Some(1));
    let result = report(&output)["results"][0].clone();
    assert_eq!((&result["verdict"], &result["violation"]["kind"]), (&"violated".into(), &"assertion".into()));
    let contradiction = &result["contradiction"];
    assert_eq!(contradiction["at_fault"], serde_json::json!(["dead variables"]));
    assert!(contradiction["command"].as_str().is_some_and(|command| command.contains("verify --json --confirm 60s")));
    let replayed = isospin(&["replay", &path, result["violation"]["trace"].as_str().expect("a file")]);
    assert_eq!(replayed.status.code(), Some(0), "{replayed:?}");

    let reproducer = contradiction["reproducer"].as_str().expect("a file");
    assert_eq!(reproducer, format!("{path}.reproducer.pml"), "it is beside the trace");
    let again = std::fs::read_to_string(reproducer).expect("it was written");
    assert!(again.contains("assert(x < 4)") && !again.contains("#define"), "after the preprocessor: {again}");
    let words = |says: &str| -> Vec<String> {
        let line = again.lines().find(|line| line.contains(says)).expect("it says how");
        line.split_whitespace().skip_while(|word| *word != "verify").map(str::to_string).collect()
    };
    for (says, code) in [("\"holds\"", 0), ("\"violated\"", 1)] {
        let words = words(says);
        let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(code), "{words:?}");
    }

    let text = String::from_utf8(run(&["verify", "--confirm", "60s", &path]).stdout).expect("text");
    for part in [
        "safety violated",
        "bug in isospin",
        "at fault: dead variables",
        "version: isospin",
        "please report",
        "--dead off",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // There it has 50 ms at most, which may not be enough on a busy machine.
    let spin = || {
        let mut spin = command(&["spin", "-run", "-a", &path]);
        spin.env("ISOSPIN_TEST_PLANTED_FAULT", "dead variables").current_dir(env!("CARGO_TARGET_TMPDIR"));
        let output = spin.output().expect("it starts");
        output.status.code() == Some(1) && String::from_utf8_lossy(&output.stderr).contains("bug in isospin")
    };
    assert!((0..50).any(|_| spin()));
}

/// Models of which a reduction of an earlier version said "holds": whether they are mended or not, the verdict is right.
#[test]
fn models_on_which_reductions_were_wrong_are_violated() {
    let models = [
        ("useless", "bool in[2]; active proctype P() { in[1] = 1; in[1] = 0 } active proctype Q() { assert(!in[1]) }"),
        (
            "else",
            "chan r = [0] of { byte }; active proctype A() { skip; end: r?_ } active proctype B() { if :: r!1 :: else -> assert(false) fi }",
        ),
        (
            "unless",
            "chan r = [0] of { byte }; active proctype A() { skip; end: r?_ } active proctype B() { { skip; skip; assert(false) } unless { r!1 } }",
        ),
        (
            "formula",
            "chan r = [0] of { byte }; byte x; active proctype A() { skip; end: r?_ } active proctype B() { if :: r!1 :: else -> x = 1 fi } ltl p { [] (x == 0) }",
        ),
        ("limit", "proctype Temp() { skip } active [2] proctype P() { do :: run Temp() od }"),
    ];
    for (name, text) in models {
        let path = file(&format!("confirm/{name}.pml"), text);
        let output = isospin(&["verify", "--json", "--confirm", "60s", &path]);
        assert_eq!(output.status.code(), Some(1), "{name}: {output:?}");
    }
}
