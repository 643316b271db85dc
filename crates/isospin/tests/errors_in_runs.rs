//! A property of infinite runs is not decided where runs end in an error: it is unknown, and the error is reported as a violation of safety,
//! whether that was asked for or not. SPIN reports the error and stops.

mod support;

use serde_json::{Value, json};
use support::{file, isospin};

/// The verdicts of a report by property, and the exit code.
fn verdicts(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = isospin(&[&["verify", "--json", "--trace", "/dev/null"], arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let mut verdicts = json!({});
    for result in report["results"].as_array().expect("a list") {
        let kind = &result["violation"]["kind"];
        let verdict = if kind.is_null() { &result["verdict"] } else { kind };
        verdicts[result["property"].as_str().expect("a name")] = verdict.clone();
    }
    (verdicts, output.status.code())
}

const PREAMBLE: &str = "byte g; byte a[2]; byte i = 2;";

/// Every reduction alone, all and none, and every kind of search.
const MANNERS: [&[&str]; 9] = [
    &[],
    &["--reduce", "none"],
    &["--reduce", "none", "--por", "on", "--merge", "off"],
    &["--reduce", "none", "--merge", "on"],
    &["--reduce", "none", "--dead", "on"],
    &["--reduce", "none", "--symmetry", "exact"],
    &["--workers", "1"],
    &["--fairness", "weak"],
    &["--fairness", "strong"],
];

#[test]
fn an_error_is_a_violation_of_safety_and_the_property_is_unknown() {
    let cases = [
        ("formula", "active proctype P() { a[i] = 1; g = 1 } ltl p { <> (g == 1) }", "p", "runtime-error"),
        ("assertion", "active proctype P() { assert(g == 1); g = 1 } ltl p { <> (g == 1) }", "p", "assertion"),
        (
            "never",
            "active proctype P() { a[i] = 1 } never { do :: g == 1 -> break :: true od }",
            "never_0",
            "runtime-error",
        ),
        ("accept", "active proctype P() { a[i] = 1; accept: do :: g = 1 od }", "acceptance", "runtime-error"),
        (
            "progress",
            "active proctype P() { a[i] = 1; do :: g = 1 :: progress: g = 2 od }",
            "non-progress",
            "runtime-error",
        ),
        // The error depends on the order of steps, and on a variable that nobody else reads.
        (
            "order",
            "byte j; active proctype P() { byte t; t = 1; j = 2; t = 2; j = t - 2; do :: g = 1 od }
             active [2] proctype Q() { byte u; u = 1; u = u + 1; a[j] = u - 2; do :: skip od } ltl p { [] (g < 2) }",
            "p",
            "runtime-error",
        ),
    ];
    for (name, text, property, kind) in cases {
        let path = file(&format!("errors_in_runs/{name}.pml"), &format!("{PREAMBLE} {text}"));
        for manner in MANNERS {
            let (found, code) = verdicts(&[manner, &["--confirm", "off", "--property", property, &path]].concat());
            assert_eq!((found, code), (json!({ property: "unknown", "safety": kind }), Some(1)), "{name} {manner:?}");
        }
    }
}

#[test]
fn a_formula_about_trees_is_unknown_as_well() {
    let path = file("errors_in_runs/tree.pml", &format!("{PREAMBLE} active proctype P() {{ a[i] = 1; g = 1 }}"));
    for formula in ["AF g == 1", "EG g == 0", "AG g == 0"] {
        for manner in [&[][..], &["--reduce", "none"]] {
            let (found, code) = verdicts(&[manner, &["--property", "ctl_1", "--ctl", formula, &path]].concat());
            assert_eq!((found, code), (json!({ "ctl_1": "unknown", "safety": "runtime-error" }), Some(1)), "{formula}");
        }
    }
}

#[test]
fn what_is_decided_without_the_error_is_told_as_ever() {
    // Behind the error it does not matter to the formula, which SPIN does not look at either.
    let decided = file(
        "errors_in_runs/decided.pml",
        &format!("{PREAMBLE} active proctype P() {{ g = 1; a[i] = 1 }} ltl p {{ <> (g == 1) }}"),
    );
    assert_eq!(verdicts(&["--property", "p", &decided]), (json!({ "p": "holds" }), Some(0)));
    // A cycle violates it, whatever else may happen.
    let violated = file(
        "errors_in_runs/violated.pml",
        &format!("{PREAMBLE} active proctype P() {{ do :: g = 2 :: a[i] = 1 od }} ltl p {{ <> (g == 1) }}"),
    );
    assert_eq!(verdicts(&["--property", "p", &violated]), (json!({ "p": "acceptance-cycle" }), Some(1)));
    // Who passes over assertions asks for runs that go on.
    let passed = file(
        "errors_in_runs/passed.pml",
        &format!("{PREAMBLE} active proctype P() {{ assert(false); g = 1 }} ltl p {{ <> (g == 1) }}"),
    );
    assert_eq!(verdicts(&["--no-assertions", "--property", "p", &passed]), (json!({ "p": "holds" }), Some(0)));
    assert_eq!(verdicts(&[&passed]), (json!({ "p": "unknown", "safety": "assertion" }), Some(1)));
}

#[test]
fn the_text_says_why() {
    let path = file(
        "errors_in_runs/text.pml",
        &format!("{PREAMBLE} active proctype P() {{ a[i] = 1; g = 1 }} ltl p {{ <> (g == 1) }}"),
    );
    let text = String::from_utf8(isospin(&["verify", "--property", "p", &path]).stdout).expect("text");
    for part in ["p unknown, some runs end in an error before it is decided", "safety violated", "it was not asked for"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let mut spin = support::command(&["spin", "-run", "-a", &path]);
    let spin = spin.current_dir(env!("CARGO_TARGET_TMPDIR")).output().expect("it starts");
    let text = String::from_utf8_lossy(&spin.stdout);
    assert_eq!(spin.status.code(), Some(1), "{text}");
    assert!(text.contains("errors: 1"), "{text}");
}
