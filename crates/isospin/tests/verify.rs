//! `isospin verify` from the outside: verdicts, counts, exit codes, reports, and counterexamples that replay.

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{file, isospin, report, trace_of};

fn model(name: &str, text: &str) -> PathBuf {
    file(name, text).into()
}

fn symmetric_models() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../symmetry/tests/models");
    ["mutex", "allocator", "peterson", "option_order"].map(|name| directory.join(name).with_extension("pml")).to_vec()
}

#[test]
fn the_time_for_making_code_is_told() {
    let path = model(
        "code.pml",
        "byte x; active proctype P() { do :: x < 9 -> x++ :: else -> x = 0 od } ltl p { [] (x < 10) }",
    );
    let times = |engine: &str| {
        let (document, code) = report(&["--engine", engine, &path.display().to_string()]);
        assert_eq!(code, Some(0));
        let results = document["results"].as_array().expect("a list").clone();
        let time = |result: &Value, name: &str| result[name].as_f64().expect("a number");
        results.iter().map(|result| (time(result, "code_seconds"), time(result, "seconds"))).collect::<Vec<_>>()
    };
    assert_eq!(times("jit").len(), 2);
    assert!(times("jit").iter().all(|&(code, all)| 0.0 < code && code <= all));
    assert!(times("interpreter").iter().all(|&(code, _)| code == 0.0));
}

/// Whether verdicts may depend on a `hidden` variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depends {
    OnHidden,
    No,
}

/// The counts are those of SPIN 6.5.2 (`-o1 -o2 -o3 -a`, `-DSAFETY -DNOREDUCE`, `pan -c0`).
#[test]
fn without_reductions_hidden_variables_mean_what_they_mean_in_spin() {
    let models = [
        (
            "hidden byte h; byte x; active [2] proctype P() { do :: x < 20 -> x++; h = h + 3; printf(\"%d\", h) :: x >= 20 -> break od }",
            (355, 689, 0),
            Depends::No,
        ),
        (
            "hidden int h; byte x;
            active proctype P() { do :: x < 5 -> if :: h = 1 :: h = 2 :: h = 3 fi; x = x + h :: else -> break od }
            active proctype Q() { byte y; do :: y < 4 -> y++ :: else -> break od }",
            (188, 458, 0),
            Depends::OnHidden,
        ),
        (
            "hidden byte h[3]; byte x; chan q = [2] of { byte };
            active proctype P() { byte i; do :: i < 3 -> q!i; i++ :: else -> break od }
            active proctype Q() { do :: q?h[0]; h[1] = h[1] + 1 :: x < 3 -> x++ od }",
            (254, 503, 1),
            Depends::No,
        ),
        // What is found depends on which of the two is found first; with reductions both are looked at.
        (
            "hidden byte h; byte x; active proctype P() { if :: h = 1 :: h = 0 fi; x = 1; assert(h == 1) }",
            (5, 6, 0),
            Depends::OnHidden,
        ),
        (
            "hidden byte h; byte x;
            active proctype P() { do :: atomic { h = x; h++; x = h % 4 } od }
            active proctype Q() { byte n; do :: n < 3 -> atomic { h = n; n = h + 1 } :: else -> break od }",
            (36, 69, 0),
            Depends::No,
        ),
    ];
    for (number, (text, (states, transitions, violations), depends)) in models.into_iter().enumerate() {
        let path = model(&format!("hidden_{number}.pml"), text).display().to_string();
        let trace = trace_of(&format!("hidden_{number}.trace.json"));
        let common = ["--safety", "--reduce", "none", "--all-errors", "--workers", "1", "--trace", &trace, &path];
        let ways = [
            &[][..],
            &["--store", "plain"],
            &["--store", "bitstate"],
            &["--store", "compact"],
            &["--engine", "interpreter"],
            &["--search", "bfs"],
        ];
        for more in ways {
            let (document, _) = report(&[&common[..], more].concat());
            let result = &document["results"][0];
            let found = (&result["states"], &result["transitions"], &result["violations"]);
            assert_eq!(found, (&states.into(), &transitions.into(), &violations.into()), "{text} {more:?}");
            let warned = result["warnings"].to_string().contains("without hidden `h`");
            assert_eq!(warned, depends == Depends::OnHidden, "{text} {more:?}: {}", result["warnings"]);
            if violations > 0 {
                assert_eq!(isospin(&["replay", &path, &trace]).status.code(), Some(0), "{text} {more:?}");
            }
        }
    }
    let (document, code) = report(&["--safety", &trace_of("hidden_3.pml")]);
    assert_eq!((&document["results"][0]["verdict"], code), (&"violated".into(), Some(1)));
}

#[test]
fn without_reductions_hidden_variables_are_not_compared_in_infinite_runs() {
    let models = [
        // A counter that nobody reads: with it there would be 2^32 times as many states.
        ("hidden int n; bool x; active proctype P() { do :: n++; x = !x od } ltl p { <> [] x }", "p", "violated", Depends::No),
        ("hidden int n; bool x; active proctype P() { do :: n++; x = !x od } ltl p { [] <> x }", "p", "holds", Depends::No),
        // Going round twice is one round of the run.
        (
            "hidden byte h; byte x; active proctype P() { do :: h = 1 - h; if :: h == 1 -> x = 1 :: else -> x = 0 fi od }
            ltl p { <> [] (x == 0) }",
            "p",
            "violated",
            Depends::OnHidden,
        ),
        // SPIN reports a cycle; but its run ends after three rounds.
        ("hidden byte h; active proctype P() { do :: h < 3 -> accept: h++ od }", "acceptance", "unknown", Depends::OnHidden),
    ];
    for (number, (text, property, verdict, depends)) in models.into_iter().enumerate() {
        let path = model(&format!("hidden_for_ever_{number}.pml"), text).display().to_string();
        let trace = trace_of(&format!("hidden_for_ever_{number}.trace.json"));
        for more in [&[][..], &["--engine", "interpreter"], &["--fairness", "weak"], &["--fairness", "strong"]] {
            let common = ["--property", property, "--reduce", "none", "--trace", &trace, &path];
            let (document, _) = report(&[&common[..], more].concat());
            let result = &document["results"][0];
            assert_eq!(result["verdict"], verdict, "{text} {more:?}: {result}");
            let warned = result["warnings"].to_string().contains("without hidden `");
            assert_eq!(warned || verdict == "unknown", depends == Depends::OnHidden, "{text} {more:?}: {result}");
            if verdict == "violated" {
                assert_eq!(isospin(&["replay", &path, &trace]).status.code(), Some(0), "{text} {more:?}");
            }
        }
    }
    // With reductions they are compared, and the truth is known.
    let (document, _) = report(&["--property", "acceptance", &trace_of("hidden_for_ever_3.pml")]);
    assert_eq!(document["results"][0]["verdict"], "holds");
}

#[test]
fn a_failed_assertion_is_reported_and_its_trace_replays() {
    let path = model("two_counters.pml", "byte x; active [2] proctype P() { x++; assert(x < 2) }");
    let (path, trace) = (path.display().to_string(), trace_of("two_counters.json"));
    let (document, code) = report(&["--trace", &trace, &path]);
    assert_eq!(code, Some(1));
    let result = &document["results"][0];
    assert_eq!(result["property"], "safety");
    assert_eq!(result["verdict"], "violated");
    assert_eq!(result["violation"]["kind"], "assertion");
    assert_eq!(result["violation"]["line"], 1);
    let replay = isospin(&["replay", &path, &trace]);
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
}

#[test]
fn the_stack_of_a_deep_search_counts_as_memory() {
    let text = "int x; byte wide[200]; active proctype P() { do :: x++; assert(x != -1) od }";
    let path = model("one_long_path.pml", text).display().to_string();
    let options = ["--safety", "--reduce", "none", "--workers", "1", "--store", "bitstate"];
    // Bits for states hardly grow; their stack holds the states themselves.
    let limits = ["--max-memory", "20M", "--max-states", "4000000"];
    let (document, code) = report(&[&options[..], &limits, &[&path]].concat());
    assert_eq!((code, &document["results"][0]["verdict"]), (Some(3), &Value::from("unknown")));
    let reason = document["results"][0]["reason"].as_str().expect("why it is unknown");
    assert!(reason.contains("memory"), "{reason}");
    // The program itself takes some twenty megabytes.
    let peak = document["resources"]["peak_rss_bytes"].as_u64().expect("a number");
    assert!(peak < 50 << 20, "{peak}");
}

#[test]
fn without_reduction_counts_are_those_of_spin() {
    // spin -o1 -o2 -o3 -a; cc -DSAFETY -DNOCLAIM -DNOREDUCE; pan -c0: 15 states, 25 transitions.
    let path = model("three.pml", "byte x; active [3] proctype P() { x = x + 1 }");
    let (document, code) = report(&["--reduce", "none", "--safety", "--all-errors", &path.display().to_string()]);
    let result = &document["results"][0];
    assert_eq!((code, &result["verdict"]), (Some(0), &Value::from("holds")));
    assert_eq!((&result["states"], &result["transitions"]), (&Value::from(15), &Value::from(25)));
    let by_interpreter = report(&["--reduce", "none", "--engine", "interpreter", &path.display().to_string()]).0;
    for count in ["states", "matched", "transitions"] {
        assert_eq!(result[count], by_interpreter["results"][0][count], "{count}");
    }
}

#[test]
fn orbits_add_up_to_the_unreduced_states() {
    for path in symmetric_models() {
        let path = path.display().to_string();
        let trace = trace_of("orbits.json");
        let full = report(&["--reduce", "none", "--safety", "--all-errors", "--trace", &trace, &path]).0;
        let options = ["--por", "off", "--dead", "off", "--safety", "--all-errors", "--trace", &trace, &path];
        let reduced = report(&options).0;
        let (full, reduced) = (&full["results"][0], &reduced["results"][0]);
        assert_eq!(full["verdict"], reduced["verdict"], "{path}");
        assert_eq!(reduced["symmetry"]["exact"], true, "{path}");
        assert!(reduced["states"].as_u64() < full["states"].as_u64(), "{path}");
    }
    // Here no process ends, so nothing but symmetry is between the two.
    for name in ["mutex", "allocator", "peterson"] {
        let path = symmetric_models().into_iter().find(|path| path.ends_with(format!("{name}.pml"))).expect("listed");
        let path = path.display().to_string();
        let full = report(&["--reduce", "none", "--safety", &path]).0;
        let reduced = report(&["--por", "off", "--dead", "off", "--safety", &path]).0;
        let represented = reduced["results"][0]["symmetry"]["represented"].as_str().expect("a number");
        assert_eq!(represented, full["results"][0]["states"].to_string(), "{path}");
    }
}

#[test]
fn every_store_search_and_number_of_workers_agrees() {
    let path = symmetric_models()[1].display().to_string();
    for reductions in [["--reduce", "none"], ["--por", "off"]] {
        let reference = report(&[reductions[0], reductions[1], "--safety", "--workers", "1", &path]).0;
        for options in [["--workers", "2"], ["--workers", "8"], ["--search", "bfs"], ["--store", "plain"]] {
            let other = report(&[reductions[0], reductions[1], "--safety", options[0], options[1], &path]).0;
            for field in ["verdict", "states", "transitions"] {
                assert_eq!(other["results"][0][field], reference["results"][0][field], "{options:?} {field}");
            }
        }
    }
}

#[test]
fn counterexamples_found_modulo_symmetry_replay_in_the_model() {
    let text = "byte in; proctype P(byte id) { in++; assert(in < 3); in-- }
        init { atomic { run P(1); run P(2); run P(3); run P(4) } }";
    for (name, text) in [
        ("assertion", text.to_string()),
        ("deadlock", "chan q = [1] of { byte }; active [3] proctype P() { byte x; q!_pid; q?x; q?x }".to_string()),
    ] {
        let path = model(&format!("symmetric_{name}.pml"), &text).display().to_string();
        let trace = trace_of(&format!("symmetric_{name}.json"));
        let (document, code) = report(&["--trace", &trace, &path]);
        assert_eq!(code, Some(1), "{document}");
        assert!(document["results"][0]["symmetry"].is_object(), "{document}");
        let replay = isospin(&["replay", &path, &trace]);
        assert!(replay.status.success(), "{name}: {}", String::from_utf8_lossy(&replay.stdout));
    }
}

#[test]
fn each_reduction_has_its_switch() {
    let text = "chan q = [1] of { byte };
        active [2] proctype P() { byte x, y; do :: x < 3 -> x++; if :: y = 1 :: y = 2 fi; q!y; q?y; x = x :: else -> break od }";
    let path = model("switches.pml", text).display().to_string();
    let states = |options: &[&str]| {
        let (document, code) = report(&[&["--safety", "--symmetry", "off", &path], options].concat());
        assert_eq!(code, Some(0), "{document}");
        document["results"][0]["states"].as_u64().expect("a number")
    };
    let plain = states(&["--reduce", "none"]);
    assert!(states(&["--reduce", "none", "--dead", "on"]) < plain);
    assert!(states(&["--reduce", "none", "--merge", "on"]) < plain);
    assert!(states(&["--reduce", "none", "--por", "on", "--merge", "off"]) < plain);
    let all = states(&["--workers", "1"]);
    for switch in ["--dead", "--merge"] {
        assert!(states(&["--workers", "1", switch, "off"]) > all, "{switch}");
    }
}

#[test]
fn the_shortest_counterexample_is_as_short_as_without_reductions() {
    let text = "byte x; active proctype P() { byte l; l = 1; l = 2; l = 3; l = 4; x = l; assert(x != 4) }
        active proctype Q() { byte l; l = 1; l = 2; assert(false); l = 3 }";
    let path = model("shortest.pml", text).display().to_string();
    let length = |options: &[&str]| {
        let trace = trace_of("shortest.json");
        let document = report(&[&["--safety", "--trace", &trace, &path], options].concat()).0;
        document["results"][0]["violation"]["length"].as_u64().expect("a violation")
    };
    assert_eq!(length(&["--shortest"]), length(&["--reduce", "none", "--search", "bfs"]));
    assert_eq!(length(&["--shortest"]), 3);
}

#[test]
fn claims_about_infinite_runs_are_verified_each_with_its_verdict() {
    let text = "bit x; active proctype P() { do :: x = 1 :: x = 0 od }
        ltl eventually { <> (x == 1) } ltl sane { [] (x == 0 || x == 1) }";
    let path = model("claims.pml", text).display().to_string();
    let trace = trace_of("claims.json");
    let (document, code) = report(&["--trace", &trace, &path]);
    assert_eq!(code, Some(1));
    let verdicts: Vec<_> =
        document["results"].as_array().expect("a list").iter().map(|each| &each["verdict"]).collect();
    assert_eq!(verdicts, ["holds", "violated", "holds"]);
    assert!(document["results"][1]["violation"]["cycle_start"].is_u64());
    let replay = isospin(&["replay", &path, &trace]);
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
    let (document, code) = report(&["--property", "formula_1", "--ltl", "[] (x < 2)", &path]);
    assert_eq!((code, &document["results"][0]["verdict"]), (Some(0), &Value::from("holds")));
}

#[test]
fn states_from_which_only_errors_lead_on_are_seen_by_formulas() {
    let text = "byte x, a[2]; active proctype P() { do :: x = 5; a[x] = 1 :: x = 0 od }";
    let path = model("wrong_steps.pml", text).display().to_string();
    let trace = trace_of("wrong_steps.json");
    for (option, formula, verdict) in [
        ("--ltl", "[] (x != 5)", "violated"),
        ("--ltl", "<> (x == 7)", "violated"),
        // Nothing shows what would come behind the error.
        ("--ltl", "<> [] (x == 0) || [] <> (x != 5)", "unknown"),
        ("--ctl", "AG x != 5", "violated"),
        ("--ctl", "EF x == 5", "holds"),
        // A cycle of one state might be one where every step goes wrong.
        ("--ctl", "EF EG x == 0", "unknown"),
        ("--ctl", "EF EG x == 5", "unknown"),
        ("--ctl", "AG (x == 5 -> AX x == 5)", "unknown"),
    ] {
        let name = if option == "--ltl" { "formula_1" } else { "ctl_1" };
        let (document, _) = report(&[option, formula, "--property", name, "--trace", &trace, &path]);
        assert_eq!(document["results"][0]["verdict"], verdict, "{formula}");
        if verdict == "violated" && option == "--ltl" {
            let replay = isospin(&["replay", &path, &trace]);
            assert!(replay.status.success(), "{formula}: {}", String::from_utf8_lossy(&replay.stdout));
        }
    }
}

#[test]
fn formulas_are_verified_beside_safety_alone() {
    let text = "bit x; active proctype P() { do :: x = 1 :: x = 0 od } ltl ours { [] (x == 1) }";
    let path = model("beside_safety.pml", text).display().to_string();
    let arguments =
        ["--safety", "--ltl", "[] (x == 0)", "--ctl", "EF x == 1", "--trace", &trace_of("beside.json"), &path];
    let (document, code) = report(&arguments);
    assert_eq!(code, Some(1));
    let results = document["results"].as_array().expect("a list");
    let verdicts: Vec<_> = results.iter().map(|each| (each["property"].clone(), each["verdict"].clone())).collect();
    let expected = [("safety", "holds"), ("formula_1", "violated"), ("ctl_1", "holds")];
    assert_eq!(verdicts, expected.map(|(property, verdict)| (property.into(), verdict.into())));
    assert_eq!(isospin(&["verify", "--safety", "--claim", "claim.hoa", &path]).status.code(), Some(2));
}

#[test]
fn limits_end_a_search_with_unknown() {
    let path = model("endless.pml", "int x; active proctype P() { do :: x = x + 1; assert(x != -1) od }")
        .display()
        .to_string();
    for limit in [["--max-states", "1000"], ["--max-depth", "50"], ["--max-memory", "2M"], ["--max-time", "200ms"]] {
        let (document, code) = report(&["--safety", limit[0], limit[1], &path]);
        assert_eq!(code, Some(3), "{limit:?}: {document}");
        assert_eq!(document["results"][0]["verdict"], "unknown");
        assert!(document["results"][0]["reason"].is_string());
    }
}

#[test]
fn embedded_c_is_refused_unasked() {
    let path = model("embedded.pml", "c_decl { int x; } init { c_code { x = 1; } }").display().to_string();
    let output = isospin(&["verify", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("embedded C"));
}

/// `holds; **assertion** with `-D M=2``: the verdict without definitions, and the definitions that turn it round.
fn variants(cell: &str) -> (&'static str, Vec<(String, &'static str)>) {
    let verdict = |text: &str| if text.starts_with("holds") { "holds" } else { "violated" };
    let mut parts = cell.split(';').map(str::trim);
    let plain = verdict(parts.next().expect("there is a first part"));
    let with =
        parts.filter_map(|part| Some((part.split_once("`-D ")?.1.trim_end_matches('`').to_string(), verdict(part))));
    (plain, with.collect())
}

#[test]
fn the_examples_are_as_their_table_says() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let table = std::fs::read_to_string(directory.join("README.md")).expect("it is there");
    let mut listed = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| [")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].split(['[', ']']).nth(1).expect("a link");
        let path = directory.join(name).with_extension("pml").display().to_string();
        let trace = trace_of(&format!("example_{name}.json"));
        let (expected, variants) = variants(cells[3]);
        let full = report(&["--safety", "--reduce", "none", "--all-errors", "--trace", &trace, &path]).0;
        let all = report(&["--trace", &trace, &path]).0;
        let (full, safety) = (&full["results"][0], &all["results"][0]);
        assert_eq!(full["states"].to_string(), cells[4].replace(',', ""), "{name}");
        assert_eq!((&full["verdict"], &safety["verdict"]), (&expected.into(), &expected.into()), "{name}");
        let order = safety["symmetry"]["order"].as_str().unwrap_or("1");
        assert_eq!(order, cells[5].replace(',', ""), "{name}: symmetries");
        for property in &all["results"].as_array().expect("a list")[1..] {
            let said = cells[6].split_once(&format!("`{}`", property["property"].as_str().expect("a name")));
            let said = said.unwrap_or_else(|| panic!("{name}: {} is not in the table", property["property"])).1;
            let verdict = if said.trim_start().starts_with("**violated**") { "violated" } else { "holds" };
            assert_eq!(property["verdict"], verdict, "{name}: {}", property["property"]);
        }
        for (definition, verdict) in variants {
            let other = report(&["--safety", "--trace", &trace, "-D", &definition, &path]).0;
            assert_eq!(other["results"][0]["verdict"], verdict, "{name} with {definition}");
        }
        if expected == "violated" {
            report(&["--safety", "--trace", &trace, &path]);
            let replay = isospin(&["replay", &path, &trace]);
            assert!(replay.status.success(), "{name}: {}", String::from_utf8_lossy(&replay.stdout));
        }
        listed.push(name.to_string());
    }
    assert!(listed.len() >= 25, "{}", listed.len());
    for entry in std::fs::read_dir(&directory).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(
            path.extension().is_none_or(|extension| extension != "pml") || listed.contains(&name),
            "{name} is not in the table"
        );
    }
}

/// Larger ones are left to the benchmark.
const MOST_STATES: u64 = 200_000;

#[test]
fn the_models_for_measuring_are_as_their_table_says() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bench");
    let table = std::fs::read_to_string(directory.join("README.md")).expect("it is there");
    let mut listed = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| [")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].split(['[', ']']).nth(1).expect("a link");
        listed.push(name.to_string());
        let states: u64 = cells[4].replace(',', "").parse().expect("a number");
        if states > MOST_STATES {
            continue;
        }
        let path = directory.join(name).with_extension("pml").display().to_string();
        let trace = trace_of(&format!("bench_{name}.json"));
        let (expected, _) = variants(cells[3]);
        let full = report(&["--safety", "--reduce", "none", "--all-errors", "--trace", &trace, &path]).0;
        let reduced = report(&["--safety", "--trace", &trace, &path]).0;
        let (full, reduced) = (&full["results"][0], &reduced["results"][0]);
        assert_eq!(full["states"].to_string(), states.to_string(), "{name}");
        assert_eq!((&full["verdict"], &reduced["verdict"]), (&expected.into(), &expected.into()), "{name}");
    }
    let files = std::fs::read_dir(&directory).expect("it is there").map(|entry| entry.expect("it can be read").path());
    let models = files.filter(|path| path.extension().is_some_and(|extension| extension == "pml"));
    let mut names: Vec<String> =
        models.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, listed);
    assert!(listed.len() >= 25, "{}", listed.len());
}

#[test]
fn several_models_make_one_document_and_the_worst_exit_code() {
    let good = model("good.pml", "active proctype P() { assert(true) }").display().to_string();
    let bad = model("bad.pml", "active proctype P() { assert(false) }").display().to_string();
    let wrong = model("wrong.pml", "active proctype P( { }").display().to_string();
    let junit = trace_of("several.xml");
    let (document, code) = report(&["--junit", &junit, &good, &bad]);
    assert_eq!((code, &document["schema"]), (Some(1), &Value::from("isospin.reports/1")));
    let verdicts: Vec<_> =
        document["reports"].as_array().expect("a list").iter().map(|each| &each["results"][0]["verdict"]).collect();
    assert_eq!(verdicts, ["holds", "violated"]);
    let xml = std::fs::read_to_string(&junit).expect("it is written");
    assert!(xml.contains("<testsuites name=\"isospin\" tests=\"2\" failures=\"1\" errors=\"0\""), "{xml}");
    assert!(xml.contains("<failure type=\"assertion\""), "{xml}");

    let (document, code) = report(&["--junit", &junit, &good, &wrong, &bad]);
    assert_eq!((code, &document["refused"][0]), (Some(2), &Value::from(wrong.clone())));
    assert_eq!(document["reports"].as_array().map(Vec::len), Some(2));
    let xml = std::fs::read_to_string(&junit).expect("it is written");
    assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");

    let output = isospin(&["verify", &good, &bad]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("2 models: 1 holds, 1 violated"), "{text}");
    let output = isospin(&["verify", "--trace", &trace_of("one.json"), &good, &bad]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn traces_of_several_properties_do_not_overwrite_each_other() {
    let text = "bit x; active proctype P() { do :: x = 1 :: x = 0 od }
        ltl one { <> (x == 1) } ltl never_one { [] (x == 0) }";
    let path = model("two_traces.pml", text).display().to_string();
    let (document, _) = report(&["--trace", &trace_of("two.trace.json"), &path]);
    let files: Vec<&str> = document["results"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|each| each["violation"]["trace"].as_str())
        .collect();
    assert_eq!(files.len(), 2, "{document}");
    assert_ne!(files[0], files[1]);
    for file in files {
        let replay = isospin(&["replay", &path, file]);
        assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
    }
}

#[test]
fn the_end_of_a_process_is_executed_by_whoever_comes_to_it() {
    let ends = model("ends.pml", "byte x; active [2] proctype P() { x++ }").display().to_string();
    let (document, _) = report(&[&ends]);
    assert!(document["results"][0]["symmetry"].is_object(), "{document}");
    assert_eq!(document["results"][0]["unreached"], Value::Array(Vec::new()), "{document}");
    let endless = model("never_ends.pml", "byte x; active [2] proctype P() { do :: x++; assert(x < 256) od }")
        .display()
        .to_string();
    let (document, _) = report(&[&endless]);
    assert_eq!(document["results"][0]["unreached"][0]["text"], "-end-", "{document}");
}
