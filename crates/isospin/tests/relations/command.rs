//! `isospin relate` and `isospin lts`: reports, files, and what is said to bad input.

use serde_json::Value;

use crate::support::{file, isospin};

const SENDER: &str =
    "chan c (extern C) = [0] of { byte }; active proctype P() { c!1; c!2 } active proctype Q() { c?_; c?_ }";
const SHORTER: &str = "chan c (extern C) = [0] of { byte }; active proctype P() { c!1 } active proctype Q() { c?_ }";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_difference_is_told_and_its_runs_can_be_replayed() {
    let (left, right) = (file("command/long.pml", SENDER), file("command/short.pml", SHORTER));
    let traces = ["command/l.json", "command/r.json"].map(|name| file(name, ""));
    let page = file("command/page.html", "");
    let junit = file("command/junit.xml", "");
    let fixed = [
        "relate",
        &left,
        &right,
        "--relation",
        "trace-inclusion",
        "--left-trace",
        &traces[0],
        "--right-trace",
        &traces[1],
    ];
    let output = isospin(&[&fixed[..], &["--html", &page, "--junit", &junit]].concat());
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("after C!1, the left side") && told.contains("can do C!2"), "{told}");
    for (model, trace) in [(&left, &traces[0]), (&right, &traces[1])] {
        let replayed = isospin(&["replay", model, trace]);
        assert_eq!(replayed.status.code(), Some(0), "{}", text(&replayed.stderr));
    }
    let page = std::fs::read_to_string(page).expect("it was written");
    assert!(
        page.contains("C!1") && page.contains("<svg") && !page.contains("http://") | page.contains("www.w3.org"),
        "{page}"
    );
    let junit = std::fs::read_to_string(junit).expect("it was written");
    assert!(junit.contains("failures=\"1\"") && junit.contains("type=\"trace\""), "{junit}");
    let output = isospin(&[&fixed[..], &["--json"]].concat());
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    assert_eq!(document["schema"], "isospin.relation/1");
    assert_eq!(document["difference"]["trace"], serde_json::json!(["C!1", "C!2"]));
    assert_eq!((&document["difference"]["kind"], &document["difference"]["by"]), (&"trace".into(), &"left".into()));
}

#[test]
fn divergence_has_a_run_that_goes_round() {
    let busy = file("command/busy.pml", "bool b; chan c (extern C) = [1] of { byte }; init { c!1; do :: b = !b od }");
    let calm = file("command/calm.pml", "chan c (extern C) = [1] of { byte }; init { c!1; false }");
    let trace = file("command/busy.json", "");
    let arguments = ["relate", &busy, &calm, "--relation", "fd-refinement", "--json", "--left-trace", &trace];
    let output = isospin(&arguments);
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    assert_eq!(document["difference"]["kind"], "divergence", "{document}");
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&trace).expect("it was written")).expect("JSON");
    assert!(saved["cycle_start"].is_u64(), "{saved}");
    assert_eq!(isospin(&["replay", &busy, &trace]).status.code(), Some(0));
    // A cycle that does not close is no run.
    let mut broken = saved;
    broken["cycle_start"] = 0.into();
    std::fs::write(&trace, broken.to_string()).expect("it can be written");
    assert_eq!(isospin(&["replay", &busy, &trace]).status.code(), Some(1));
}

#[test]
fn all_relations_make_a_table() {
    let (left, right) = (file("command/long2.pml", SENDER), file("command/short2.pml", SHORTER));
    let output = isospin(&["relate", &right, &left, "--relation", "all"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for relation in relate::Relation::ALL {
        assert!(told.contains(&format!("  {} ", relation.name())), "{told}");
    }
    let output = isospin(&["relate", &left, &left, "--relation", "all", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let results = document["results"].as_array().expect("a list");
    assert_eq!(results.len(), relate::Relation::ALL.len());
    assert!(results.iter().all(|result| result["verdict"] == "holds"), "{document}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn files_of_transitions_are_models_too() {
    let model = file("command/model.pml", SENDER);
    let aut = file("command/model.aut", "");
    let output = isospin(&["lts", &model, "-o", &aut]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let written = std::fs::read_to_string(&aut).expect("it was written");
    assert!(
        written.starts_with("des (0,") && written.contains("\"C!1\"") && written.contains("%E2%88%9A"),
        "{written}"
    );
    for (left, right) in [(&model, &aut), (&aut, &model), (&aut, &aut)] {
        let output = isospin(&["relate", left, right, "--relation", "strong-bisimulation"]);
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    }
    // What tau is has to be said.
    let tau = file("command/tau.aut", "des (0,2,3)\n(0,\"tau\",1)\n(1,\"a\",2)\n");
    let plain = file("command/plain.aut", "des (0,1,2)\n(0,a,1)\n");
    let related = |options: &[&str]| {
        isospin(&[&["relate", &tau, &plain, "--relation", "weak-bisimulation"], options].concat()).status.code()
    };
    assert_eq!((related(&[]), related(&["--tau-label", "tau"])), (Some(1), Some(0)));
}

#[test]
fn systems_are_minimised_and_drawn() {
    let model = file(
        "command/loop.pml",
        "chan c (extern C) = [1] of { bit }; bit x; init { do :: c!0; c?x; x = 1; x = 0 :: c!0; c?x; skip od }",
    );
    for (kind, states) in [("strong", None), ("branching", Some(2)), ("weak", Some(2)), ("trace", Some(2))] {
        let output = isospin(&["lts", &model, "--minimise", kind, "--json"]);
        let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
        let small = document["states"].as_u64().expect("a number");
        assert!(small <= document["before"]["states"].as_u64().expect("a number"));
        assert_eq!(states.unwrap_or(small), small, "{kind}: {document}");
    }
    let picture = file("command/loop.svg", "");
    let page = file("command/loop.html", "");
    let output = isospin(&["lts", &model, "--minimise", "weak", "--svg", &picture, "--html", &page, "--dot", "-"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("label=\"C!0\""), "{}", text(&output.stdout));
    assert!([picture, page].iter().all(|path| std::fs::read_to_string(path).is_ok_and(|text| text.contains("C?0"))));
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let model = file("command/good.pml", SENDER);
    let refused = |arguments: &[&str], reason: &str| {
        let output = isospin(arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(reason), "{arguments:?}: {told}");
    };
    let relate = |options: &[&'static str]| -> Vec<String> {
        ["relate", &model, &model, "--relation", "trace-inclusion"]
            .iter()
            .chain(options)
            .map(ToString::to_string)
            .collect()
    };
    let check = |options: &[&'static str], reason: &str| {
        let arguments = relate(options);
        refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), reason);
    };
    check(&["--observe", "nobody!"], "no global channel or variable of that name");
    check(&["--observe", "c[7]!"], "1 elements");
    check(&["--left-observe", "c?"], "is a rendezvous");
    check(&["--observe", "!"], "a pattern is");
    check(&["--hide-values", "D"], "nothing of that name");
    refused(&["relate", &model, &model, "--relation", "likes"], "invalid value");
    refused(&["relate", &model, "nowhere.aut", "--relation", "all"], "nowhere.aut");
    let broken = file("command/broken.aut", "des (0,2,2)\n(0,\"a\",1)\n(0,\"b,1)\n");
    refused(&["lts", &broken], "broken.aut:3:");
    refused(&["lts", &broken, "--labels", "statements"], "broken.aut:3:");
    let twice = file(
        "command/twice.pml",
        "chan a (extern X) = [0] of { bit }, b (extern X) = [0] of { bit }; init { a!1; b!1 }",
    );
    refused(&["lts", &twice], "given twice");
}

#[test]
fn limits_make_a_verdict_unknown() {
    let large =
        file("command/large.pml", "int x; chan c (extern C) = [1] of { int }; init { do :: x++ :: c!x; c?x od }");
    let output =
        isospin(&["relate", &large, &large, "--relation", "trace-equivalence", "--max-states", "500", "--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    assert_eq!(document["verdict"], "unknown");
    assert!(document["reason"].as_str().is_some_and(|reason| reason.contains("--max-states")), "{document}");
    assert_eq!(isospin(&["lts", &large, "--max-time", "1s"]).status.code(), Some(3));
}

#[test]
fn a_run_goes_on_behind_the_last_event_of_a_d_step_inside_of_an_atomic() {
    let declared = "byte x (extern X); byte y;";
    let composed = format!("{declared} init {{ atomic {{ d_step {{ x = 1; x = 2 }}; y = 1 }}; x = 3 }}");
    let composed = file("command/composed.pml", &composed);
    let shorter = file("command/composed2.pml", &format!("{declared} init {{ x = 1; x = 2 }}"));
    let trace = file("command/composed.json", "");
    let output = isospin(&["relate", &composed, &shorter, "--relation", "trace-inclusion", "--left-trace", &trace]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert_eq!(isospin(&["replay", &composed, &trace]).status.code(), Some(0));
    let saved = std::fs::read_to_string(&trace).expect("it was written");
    assert!(saved.contains("y = 1") && saved.contains("x = 3"), "{saved}");
}
