//! `isospin verify --claim` and the traces of infinite runs from the outside: automata and never claims from files, errors that name
//! their place, and replays that evaluate the property.

mod support;

use serde_json::Value;
use support::{file, isospin};

fn results(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = isospin(&[&["verify", "--json"], arguments].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    let document: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    (document["results"].clone(), output.status.code())
}

fn refusal(arguments: &[&str]) -> String {
    let output = isospin(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TOGGLE: &str = "bit x, y;\nactive proctype P() { do :: x = 1 - x od }\nactive proctype Q() { y = 1 }\n";

/// `G F x` and `G F !x` at once, as Spot would write it: two acceptance sets on transitions.
const BOTH: &str = "HOA: v1\nname: \"GFa & GF!a\"\nStates: 1\nStart: 0\nAP: 1 \"x == 1\"\nacc-name: generalized-Buchi 2
Acceptance: 2 Inf(0)&Inf(1)\nproperties: trans-acc deterministic stutter-invariant\n--BODY--\nState: 0\n[0] 0 {0}\n[!0] 0 {1}\n--END--\n";

#[test]
fn an_automaton_with_two_sets_on_transitions_is_a_claim() {
    let model = file("toggle.pml", TOGGLE);
    let claim = file("both.hoa", BOTH);
    let trace = file("both.json", "");
    let (results, code) = results(&["--claim", &claim, "--trace", &trace, &model]);
    assert_eq!(code, Some(1), "{results}");
    let result = &results[1];
    assert_eq!((&result["property"], &result["verdict"]), (&Value::from("both"), &Value::from("violated")));
    assert_eq!(result["violation"]["kind"], "acceptance-cycle");
    let replay = isospin(&["replay", &model, &trace]);
    assert_eq!(replay.status.code(), Some(0), "{}", String::from_utf8_lossy(&replay.stdout));
    let held = file("held.hoa", &BOTH.replace("[!0] 0 {1}", "[!0] 0"));
    let (results, code) = self::results(&["--claim", &held, "--property", "held", &model]);
    assert_eq!((code, &results[0]["verdict"]), (Some(0), &Value::from("holds")));
}

#[test]
fn a_never_claim_from_a_file_is_verified_beside_the_models_own_properties() {
    let model = file("toggle_never.pml", TOGGLE);
    let claim = file("stays.never", "never stays {\naccept: do :: y == 0 od\n}\n");
    let (results, code) = results(&["--claim", &claim, &model]);
    assert_eq!(code, Some(1));
    assert_eq!((&results[1]["property"], &results[1]["verdict"]), (&Value::from("stays"), &Value::from("violated")));
    assert_eq!(results[1]["violation"]["starved"], Value::from(vec!["Q[1]"]));
    let (results, code) = self::results(&["--claim", &claim, "--fairness", "weak", &model]);
    assert_eq!((code, &results[1]["verdict"]), (Some(0), &Value::from("holds")));
}

#[test]
fn properties_of_one_name_are_told_apart() {
    let text = "byte x;\nactive proctype P() { accept: x = 1; assert(x == 0) }\n\
        ltl safety { [] (x == 0) }\nltl acceptance { <> (x == 1) }\nltl other { [] (x < 2) }\n";
    let model = file("called_safety.pml", text);
    let claim = file("other.hoa", BOTH);
    let names = |results: &Value| -> Vec<String> {
        results.as_array().unwrap().iter().map(|result| result["property"].as_str().unwrap().to_string()).collect()
    };
    let (all, _) = results(&["--claim", &claim, &model]);
    assert_eq!(names(&all), ["safety", "ltl.safety", "ltl.acceptance", "ltl.other", "claim.other", "acceptance"]);
    let (called, code) = results(&["--property", "safety", &model]);
    assert_eq!((names(&called), code), (vec!["safety".to_string(), "ltl.safety".to_string()], Some(1)));
    for (result, ending, kind) in
        [(0, "called_safety.pml.trace.json", "assertion"), (1, "ltl.safety.trace.json", "claim")]
    {
        let trace = called[result]["violation"]["trace"].as_str().unwrap();
        assert!(trace.ends_with(ending), "{trace}");
        let replay = isospin(&["replay", &model, trace]);
        let said = String::from_utf8_lossy(&replay.stdout).into_owned();
        assert!(replay.status.success() && said.contains(&format!("confirmed: {kind}")), "{said}");
    }
    let (own, _) = results(&["--property", "ltl.safety", &model]);
    assert_eq!(names(&own), ["ltl.safety"]);
    let (built_in, _) = results(&["--safety", &model]);
    assert_eq!(names(&built_in), ["safety"]);
}

#[test]
fn mistakes_in_claims_are_reported_where_they_stand() {
    let model = file("toggle_wrong.pml", TOGGLE);
    let wrong = |name: &str, text: &str| refusal(&["verify", &model, "--claim", &file(name, text)]);
    let message = wrong("format.hoa", &BOTH.replace("Start: 0", "Start: zero"));
    assert!(message.contains("format.hoa:4:8"), "{message}");
    let message = wrong("unknown.hoa", &BOTH.replace("x == 1", "nobody == 1"));
    assert!(message.contains("unknown.hoa") && message.contains(":5:") && message.contains("nobody"), "{message}");
    let message = wrong("temporal.hoa", &BOTH.replace("x == 1", "[] (x == 1)"));
    assert!(message.contains("temporal.hoa:5:8") && message.contains("temporal"), "{message}");
    let message = wrong("wrong.never", "never {\n  do :: nobody == 0 od\n}\n");
    assert!(message.contains("wrong.never") && message.contains("nobody"), "{message}");
    let message = refusal(&["verify", &model, "--claim", "no/such/file.hoa"]);
    assert!(message.contains("no/such/file.hoa"), "{message}");
}

#[test]
fn formulas_from_a_file_are_verified_and_replayed() {
    let model = file("toggle_file.pml", TOGGLE);
    let claim = file("toggle.ltl", "ltl again { [] <> (x == 1) }\nltl never_one { [] (x == 0) }\n");
    let trace = file("toggle_file.json", "");
    let (results, code) =
        results(&["--claim", &claim, "--property", "again", "--property", "never_one", "--trace", &trace, &model]);
    assert_eq!((code, &results[0]["verdict"], &results[1]["verdict"]), (Some(1), &"holds".into(), &"violated".into()));
    assert_eq!(isospin(&["replay", &model, &trace]).status.code(), Some(0));
}

#[test]
fn what_is_wrong_in_a_formula_is_reported_where_it_stands() {
    let model = file("toggle_formula.pml", &format!("#define one (x == 1)\n{TOGGLE}"));
    let wrong = |formula: &str| refusal(&["verify", &model, "--ltl", formula]);
    for (formula, place, word) in [
        ("[] (x == 1", "--ltl:1:11", "the end of the formula"),
        ("[] nobody", "--ltl:1:4", "`nobody`"),
        ("<> (x ==)", "--ltl:1:9", "`)`"),
        ("[] <> x ) foo", "--ltl:1:9", "`)`"),
        ("[]\n  (one -> <> nobody)", "--ltl:2:14", "`nobody`"),
        ("<> P[0]@nowhere", "--ltl:1:9", "`nowhere`"),
        ("", "--ltl:1:1", "the end of the formula"),
        // What follows would be a part of the model.
        ("x } active proctype Q() { skip", "--ltl:1:3", "`}`"),
    ] {
        let message = wrong(formula);
        assert!(message.contains(place) && message.contains(word), "{formula}: {message}");
        assert!(!message.contains("toggle_formula.pml:"), "{formula}: {message}");
    }
    for (formula, place) in
        [("AF x == ", "--ctl:1:8"), ("AG (x == 1 -> EF (nobody))", "--ctl:1:19"), ("AG (x", "--ctl:1:6")]
    {
        let message = refusal(&["verify", &model, "--ctl", formula]);
        assert!(message.contains(place), "{formula}: {message}");
    }
    // A comment ends with the formula.
    let (results, _) = results(&["--ltl", "[] <> one // at times", "--property", "formula_1", &model]);
    assert_eq!(results[0]["verdict"], "holds");
    // The second one is wrong.
    let message = refusal(&["verify", &model, "--ltl", "[] <> one", "--ltl", "[] <> two"]);
    assert!(message.contains("--ltl:1:7") && message.contains("`two`"), "{message}");
}

#[test]
fn properties_are_read_where_they_stand_and_nothing_is_put_around_them() {
    let model = file("toggle_values.pml", &format!("#define one (x == 1)\n{TOGGLE}"));
    // All mistakes are told, and the line is shown as it was given.
    let message = refusal(&["verify", &model, "--ltl", "[] nobody", "--ltl", "<> nothing"]);
    assert!(message.contains("`nobody`") && message.contains("`nothing`"), "{message}");
    let message = refusal(&["verify", &model, "--ctl", "AG (one ->\n  EF nobody == 1)"]);
    assert!(message.contains("--ctl:2:6") && message.contains("  EF nobody == 1)"), "{message}");
    let message = refusal(&["verify", &model, "--ctl", "AG (ä)"]);
    assert!(message.contains("--ctl:1:5"), "{message}");
    let message = refusal(&["verify", &model, "--claim", &file("line.hoa", &BOTH.replace("x == 1", "nobody"))]);
    assert!(message.contains("line.hoa:5:8") && message.contains("AP: 1 \"nobody\""), "{message}");
    // A text with escapes is not found in the file, but stands in a line of it.
    let escaped = BOTH.replace("x == 1", r"x == \\1");
    let message = refusal(&["verify", &model, "--claim", &file("escaped.hoa", &escaped)]);
    assert!(message.contains("escaped.hoa:5:6") && message.contains(r"`\`"), "{message}");
    // Nothing can be added to the model behind a brace or parenthesis.
    for text in ["x) } active proctype R() { (x", "one } ltl other { one", "x == 1) && (x"] {
        refusal(&["verify", &model, "--claim", &file("brace.hoa", &BOTH.replace("x == 1", text))]);
        refusal(&["verify", &model, "--ltl", text]);
    }
    // The propositions of several automata and formulas are kept apart, and are no properties themselves.
    let (first, second) = (file("first.hoa", BOTH), file("second.hoa", &BOTH.replace("x == 1", "y == 1 && x < 3")));
    let claims = ["--claim", &first, "--claim", &second, "--claim", &first];
    let formulas = ["--ctl", "AG EF one", "--ltl", "[] <> y", "--ctl", "AF (y == 1)", "--fairness", "weak"];
    let (results, _) = results(&[&claims[..], &formulas[..], &[&*model]].concat());
    let told: Vec<(&str, &str)> = (results.as_array().expect("a list").iter())
        .map(|each| (each["property"].as_str().expect("a name"), each["verdict"].as_str().expect("a verdict")))
        .collect();
    let expected = [
        ("safety", "holds"),
        ("formula_1", "holds"),
        ("claim.first", "violated"),
        ("second", "holds"),
        ("claim.first.2", "violated"),
        ("ctl_1", "holds"),
        ("ctl_2", "holds"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_formula_with_a_comment_is_replayed() {
    let model = file("toggle_comment.pml", TOGGLE);
    let trace = file("toggle_comment.json", "");
    let (results, code) =
        results(&["--ltl", "<> [] x // in the end", "--property", "formula_1", "--trace", &trace, &model]);
    assert_eq!((code, &results[0]["verdict"]), (Some(1), &"violated".into()));
    assert_eq!(isospin(&["replay", &model, &trace]).status.code(), Some(0));
    let document: Value =
        serde_json::from_str(&std::fs::read_to_string(&trace).expect("it was written")).expect("JSON");
    assert_eq!(document["formula"], "ltl formula_1 { <> [] x // in the end\n}");
}

#[test]
fn a_replayed_cycle_is_judged_by_the_formula_itself() {
    let model = file("toggle_replay.pml", TOGGLE);
    let trace = file("toggle_replay.json", "");
    let (results, code) = results(&["--ltl", "<> [] (x == 1)", "--property", "formula_1", "--trace", &trace, &model]);
    assert_eq!(code, Some(1), "{results}");
    let text = std::fs::read_to_string(&trace).expect("it was written");
    let replay = |text: &str| isospin(&["replay", &model, &file("tampered.json", text)]);
    assert_eq!(replay(&text).status.code(), Some(0));
    assert!(text.contains("ltl formula_1 { <> [] (x == 1) }"), "the trace carries the formula");
    // Another formula, which the run satisfies.
    let other = replay(&text.replace("<> [] (x == 1)", "[] <> (x == 1)"));
    assert_eq!(other.status.code(), Some(1), "{}", String::from_utf8_lossy(&other.stdout));
    // A cycle that does not close.
    let mut document: Value = serde_json::from_str(&text).expect("it is JSON");
    let start = document["cycle_start"].as_u64().expect("it has a cycle");
    document["cycle_start"] = (start + 1).into();
    let open = replay(&document.to_string());
    assert_eq!(open.status.code(), Some(1), "{}", String::from_utf8_lossy(&open.stdout));
    // A step that is not possible.
    let mut document: Value = serde_json::from_str(&text).expect("it is JSON");
    document["steps"][0]["pid"] = 7.into();
    assert_eq!(replay(&document.to_string()).status.code(), Some(2));
}

#[test]
fn a_shortest_cycle_has_the_fewest_transitions() {
    let text = "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 3 -> do :: x = 3; x = 2; x = 1; x = 3 od
        :: x == 9 -> do :: x = 8; x = 9 od od }";
    let model = file("shortest.pml", text);
    let arguments = ["--ltl", "<> (x == 0 && x == 1)", "--property", "formula_1", "--shortest", "--reduce", "none"];
    let (results, code) = results(&[&arguments[..], &[&model]].concat());
    assert_eq!(code, Some(1));
    // Three times two steps up to 3, one into the loop, four round it, against eighteen, one and two.
    assert_eq!(results[0]["violation"]["length"], 11, "{results}");
}

#[test]
fn symmetry_reduces_liveness_and_falls_back_where_it_must() {
    let text = "byte in; active [4] proctype P() { do :: atomic { in == 0 -> in = 1 } -> in = 0 od }";
    let model = file("liveness_symmetry.pml", text);
    let arguments = ["--workers", "1", "--por", "off", "--ltl", "[] <> (in == 0)", "--property", "formula_1"];
    let (reduced, code) = results(&[&arguments[..], &[&model]].concat());
    assert_eq!(code, Some(0), "{reduced}");
    assert_eq!(reduced[0]["symmetry"]["order"], "24");
    let (full, _) = results(&[&arguments[..], &["--symmetry", "off", &model]].concat());
    assert_eq!(reduced[0]["symmetry"]["represented"].as_str(), Some(full[0]["states"].to_string().as_str()));
    assert!(reduced[0]["states"].as_u64() < full[0]["states"].as_u64());
    let (fair, code) = results(&[&arguments[..], &["--fairness", "weak", &model]].concat());
    assert_eq!((code, &fair[0]["symmetry"]), (Some(0), &Value::Null));
    assert!(fair[0]["warnings"][0].as_str().is_some_and(|note| note.contains("fairness")), "{fair}");
}
