//! What reports say of states represented, of names that are taken twice, of traces that are out of date, and where `isospin spin` stops.

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::{command, file, isospin};

fn results(arguments: &[&str]) -> Vec<Value> {
    let output = isospin(&[&["verify", "--json", "--confirm", "off"], arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    report["results"].as_array().expect("a list").clone()
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(isospin(&[&["verify"], arguments].concat()).stdout).expect("text")
}

const RING: &str = "byte x; active [3] proctype P() { do :: x < 2 -> x++; x-- od } ltl p { [] (x < 9) }";

#[test]
fn what_is_not_known_to_be_represented_is_not_called_none() {
    let path = file("reports/ring.pml", RING);
    let page = file("reports/ring.html", "");
    let reduced = |workers: &str| {
        let options = ["--reduce", "none", "--symmetry", "exact", "--property", "p", "--workers", workers, &path];
        results(&options)[0].clone()
    };
    let plain = results(&["--reduce", "none", "--property", "p", &path])[0]["states"].to_string();
    let one = reduced("1");
    assert_eq!(one["symmetry"]["represented"], json!(plain), "the sum of the orbits");
    assert_eq!(one["symmetry"]["ended_processes_stay"], json!(false));
    assert_eq!(reduced("2")["symmetry"]["represented"], Value::Null);
    let report = text(&["--property", "p", "--workers", "2", "--html", &page, &path]);
    assert!(report.contains("symmetry group of order 6") && !report.contains("represents"), "{report}");
    let page = std::fs::read_to_string(&page).expect("it was written");
    assert!(page.contains("A group of order 6") && !page.contains("stand for"), "{page}");
}

#[test]
fn ended_processes_that_stay_are_told() {
    let path = file("reports/ending.pml", "byte x; active [3] proctype P() { x = 1; x = 0 }");
    let found = results(&["--reduce", "none", "--symmetry", "exact", &path])[0].clone();
    assert_eq!(found["symmetry"]["ended_processes_stay"], json!(true));
    // They may end in any order there, while SPIN lets only the youngest disappear.
    let plain = results(&["--reduce", "none", &path])[0]["states"].to_string();
    assert_ne!(found["symmetry"]["represented"], json!(plain));
    let report = text(&["--reduce", "none", "--symmetry", "exact", &path]);
    assert!(report.contains("states, with ended processes still there: symmetry group of order 6"), "{report}");
}

#[test]
fn formulas_about_trees_have_names_of_their_own() {
    let path = file("reports/names.pml", "byte x; active proctype P() { do :: x = 1 - x od } ltl ctl_1 { [] (x < 2) }");
    let names = |arguments: &[&str]| -> Vec<String> {
        let results = results(&[arguments, &["--trace", "/dev/null", "--ctl", "EF x == 1", &path]].concat());
        results.iter().map(|result| result["property"].as_str().expect("a name").to_string()).collect()
    };
    assert_eq!(names(&[]), ["safety", "ctl_1", "ctl.ctl_1"]);
    assert_eq!(names(&["--property", "ctl_1"]), ["ctl_1", "ctl.ctl_1"], "all that is called so");
    assert_eq!(names(&["--property", "ctl.ctl_1"]), ["ctl.ctl_1"]);
    assert_eq!(names(&["--safety"]), ["safety", "ctl_1", "ctl.ctl_1"]);
}

/// A model that can be mended by a definition or by changing its text, in a directory of its own.
fn mendable(name: &str, limit: u32) -> String {
    let text = "byte x; active proctype P() { do :: x < LIMIT -> x++ :: else -> break od; assert(x < 3) } ltl p { [] (x < 3) }";
    file(&format!("reports/{name}.pml"), &text.replace("LIMIT", &limit.to_string()))
}

#[test]
fn the_trace_of_a_violation_that_was_mended_is_removed_and_nothing_else() {
    let path = mendable("mended", 3);
    let (safety, formula) = (format!("{path}.trace.json"), format!("{path}.p.trace.json"));
    assert_eq!(isospin(&["verify", &path]).status.code(), Some(1));
    assert!(Path::new(&safety).exists() && Path::new(&formula).exists());
    // Asked about one property only, the trace of the other is left alone.
    mendable("mended", 2);
    let report = text(&["--property", "p", &path]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains(&format!("{formula}, the trace of an earlier violation, was removed")), "{report}");
    assert!(Path::new(&safety).exists() && !Path::new(&formula).exists());
    let found = results(&[&path]);
    assert!(found[0]["warnings"].to_string().contains("was removed"), "{found:?}");
    assert!(!Path::new(&safety).exists());
    assert!(!text(&[&path]).contains("earlier violation"));
}

#[test]
fn files_that_are_not_the_trace_of_this_model_and_property_are_kept() {
    let path = mendable("kept", 2);
    let trace = format!("{path}.trace.json");
    let kept = |text: &str, why: &str| {
        std::fs::write(&trace, text).expect("it can be written");
        let report = self::text(&[&path]);
        assert!(report.contains("safety holds") && !report.contains("earlier violation"), "{why}: {report}");
        assert_eq!(std::fs::read_to_string(&trace).expect("it is there"), text, "{why}");
    };
    kept("my notes", "it is no trace");
    kept("{}", "it is no trace");
    let other = mendable("other", 3);
    assert_eq!(isospin(&["verify", "--safety", &other]).status.code(), Some(1));
    let of_other = std::fs::read_to_string(format!("{other}.trace.json")).expect("it was written");
    kept(&of_other, "it is of another model");
    let of_this = of_other.replace(&other, &path);
    kept(&of_this.replace("\"property\": \"safety\"", "\"property\": \"q\""), "it is of another property");
    kept(&of_this.replace("\"defines\": []", "\"defines\": [\"N=3\"]"), "the model was read with other definitions");
    std::fs::write(&trace, &of_this).expect("it can be written");
    assert!(text(&[&path]).contains("an earlier violation"), "this one is removed");
    assert!(!Path::new(&trace).exists());
}

/// SPIN ends at the first error, also if that is an assertion and a claim is verified.
#[test]
fn as_spin_it_stops_after_the_first_error() {
    let text = "byte x, y; active proctype P() { assert(x == 1) } active proctype Q() { do :: x++ :: y++ od } ltl p { [] (y < 200) }";
    let path = file("reports/first.pml", text);
    let states = |options: &[&str]| -> (u64, String) {
        let mut command = command(&[&["spin", "-run", "-a"], options, &[&path]].concat());
        let output = command.current_dir(env!("CARGO_TARGET_TMPDIR")).output().expect("it starts");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        let line = text.lines().find(|line| line.contains("states, stored")).expect("it is told");
        let digits = line.split_whitespace().next().expect("a number");
        (digits.parse().expect("a number"), text)
    };
    let (first, report) = states(&[]);
    assert!(first < 100 && report.contains("errors: 1") && report.contains("assertion violated"), "{report}");
    let (all, report) = states(&["-c0"]);
    assert!(all > 1000, "{report}");
}
