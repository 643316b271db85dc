//! Reports in other forms: SARIF, coverage, pages of several models and of saved runs; and what reports say of models in which there is nothing to find.

mod support;

use serde_json::Value;
use support::{file, isospin};

const WRONG: &str = "byte x;
active proctype P() {
  if
  :: x == 0 -> x = 300
  :: x == 77 -> x = 3
  fi;
  assert(x == 0)
}
";

const HOLDS: &str = "byte x; active proctype P() { x = 1; assert(x == 1) }";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect("it was written")
}

#[test]
fn violations_and_warnings_are_results_in_sarif() {
    let (wrong, holds) = (file("renderings/wrong.pml", WRONG), file("renderings/holds.pml", HOLDS));
    let broken = file("renderings/broken.pml", "active proctype P() { x = }");
    let sarif = file("renderings/report.sarif", "");
    let output = isospin(&["verify", "--sarif", &sarif, &wrong, &holds, &broken]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let document: Value = serde_json::from_str(&read(&sarif)).expect("JSON");
    assert_eq!(document["version"], "2.1.0");
    let run = &document["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false, "one model is broken");
    let results = run["results"].as_array().expect("a list");
    let rules: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().expect("a rule")).collect();
    assert_eq!(rules, ["assertion", "truncation"]);
    let violation = &results[0];
    assert_eq!(violation["level"], "error");
    assert_eq!(violation["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
    let flow = &violation["codeFlows"][0]["threadFlows"][0]["locations"];
    let lines: Vec<u64> = flow
        .as_array()
        .expect("a list")
        .iter()
        .map(|step| step["location"]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line"))
        .collect();
    assert_eq!(lines, [4, 4, 7]);
    let defined: Vec<&Value> =
        run["tool"]["driver"]["rules"].as_array().expect("a list").iter().map(|rule| &rule["id"]).collect();
    assert_eq!(defined, ["assertion", "truncation"]);
}

#[test]
fn what_is_executed_is_told_by_lines() {
    let wrong = file("renderings/covered.pml", &WRONG.replace("assert(x == 0)", "x = 0"));
    let lcov = file("renderings/lcov.info", "");
    let output = isospin(&["verify", "--lcov", &lcov, &wrong]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let told = read(&lcov);
    let lines: Vec<&str> = told.lines().collect();
    for line in ["DA:4,1", "DA:5,0", "DA:7,1", "BRDA:4,0,0,1", "BRDA:5,0,1,0", "LF:3", "LH:2", "BRF:2", "BRH:1"] {
        assert!(lines.contains(&line), "{line} is not in\n{told}");
    }
    assert!(told.starts_with("TN:isospin\nSF:") && told.ends_with("end_of_record\n"), "{told}");
    // Without a search for safety nothing is counted, and no file pretends that it is.
    let formula = isospin(&["verify", "--ltl", "[] true", "--property", "formula_1", "--lcov", &lcov, &wrong]);
    assert_ne!(formula.status.code(), Some(0));
    assert!(text(&formula.stderr).contains("only the search for safety counts"), "{}", text(&formula.stderr));
}

#[test]
fn a_page_for_several_models_begins_with_a_summary() {
    let (wrong, holds) = (file("renderings/several1.pml", WRONG), file("renderings/several2.pml", HOLDS));
    let page = file("renderings/several.html", "");
    isospin(&["verify", "--html", &page, &wrong, &holds]);
    let page = read(&page);
    let (summary, rest) = page.split_once("</table>").expect("there is a table");
    for (model, number, verdict) in [(&wrong, 0, "violated"), (&holds, 1, "holds")] {
        assert!(summary.contains(&format!("<a href=\"#model-{number}\">{model}</a>")), "{summary}");
        assert!(summary.contains(&format!("data-verdict=\"{verdict}\"")), "{summary}");
        assert!(rest.contains(&format!("<h1 id=\"model-{number}\">{model}</h1>")), "{rest}");
    }
}

#[test]
fn a_saved_run_has_a_page() {
    let wrong = file("renderings/saved.pml", WRONG);
    let (trace, page) = (file("renderings/saved.json", ""), file("renderings/saved.html", ""));
    assert_eq!(isospin(&["verify", "--trace", &trace, &wrong]).status.code(), Some(1));
    let output = isospin(&["replay", &wrong, &trace, "--html", &page]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = read(&page);
    assert!(page.contains("assertion") && page.contains("data-run=\"0\"") && page.contains("<svg"), "{page}");
    assert!(page.contains("x = 300"), "the source and the steps are there");
    let simulated = file("renderings/simulated.html", "");
    assert_eq!(isospin(&["simulate", &wrong, "--html", &simulated]).status.code(), Some(1));
    assert!(read(&simulated).contains("<svg"));
}

#[test]
fn warnings_are_told_with_the_verdict() {
    let wrong = file("renderings/warned.pml", WRONG);
    let told = text(&isospin(&["verify", &wrong]).stdout);
    assert!(told.contains("warned.pml:4: 300 does not fit into a `byte`"), "{told}");
    assert!(told.contains(&format!("1 warning: isospin check {wrong}")), "{told}");
    let report: Value = serde_json::from_slice(&isospin(&["verify", "--json", &wrong]).stdout).expect("JSON");
    assert_eq!((&report["warnings"][0]["code"], &report["warnings"][0]["line"]), (&"truncation".into(), &4.into()));
}

#[test]
fn nothing_to_verify_is_told() {
    let silent = file("renderings/silent.pml", "byte x; active proctype P() { x = 1; x == 1 }");
    let notes = |model: &str, options: &[&str]| text(&isospin(&[&["verify", model], options].concat()).stdout);
    assert!(notes(&silent, &["--no-end-states"]).contains("nothing to verify"));
    assert!(!notes(&silent, &[]).contains("nothing to verify"), "end states are looked at");
    let asserts = file("renderings/asserts.pml", HOLDS);
    assert!(!notes(&asserts, &["--no-end-states"]).contains("nothing to verify"));
    assert!(notes(&asserts, &["--no-end-states", "--no-assertions"]).contains("nothing to verify"));
}

#[test]
fn premises_that_are_never_true_are_told() {
    let model =
        file("renderings/vacuous.pml", "byte x; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }");
    let vacuous = |formula: &str, options: &[&str]| {
        let given = ["verify", &model, "--ltl", formula, "--property", "formula_1"];
        let told = text(&isospin(&[&given[..], options].concat()).stdout);
        assert!(told.contains("formula_1 holds"), "{formula}: {told}");
        told.lines().find(|line| line.contains("vacuously")).map(|line| line.trim().to_string())
    };
    for options in [&[][..], &["--reduce", "none"], &["--workers", "1"], &["--workers", "2", "--confirm", "off"]] {
        let found = vacuous("[] (x == 7 -> <> (x == 8))", options);
        assert_eq!(found.as_deref(), Some("note: it holds vacuously: `(x==7)` is never true"), "{options:?}");
        let found = vacuous("[] ((x == 7 && x > 1) -> X (x == 8)) && [] (x == 2 -> <> (x == 0))", options);
        assert!(found.is_some_and(|told| told.contains("x==7")), "{options:?}");
        for formula in [
            "[] (x == 3 -> <> (x == 0))",
            "[] ((x == 7 || x == 1) -> <> (x == 0))",
            "[] (x == 2 -> x == 2)",
            "[] (!(x == 7) -> <> (x == 0))",
            // Only the states before the first `x == 1` are looked at for this one.
            "[] (x == 2 -> x == 2) && <> (x == 1)",
        ] {
            assert_eq!(vacuous(formula, options), None, "{formula} {options:?}");
        }
    }
}
