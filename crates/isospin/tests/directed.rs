//! Directed search: estimates find violations, shortest runs are as short as breadth first's, goals are reached, runs are made shorter.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{file, isospin, report, trace_of};

/// A counter that has to be wound up, and a deadlock far away.
const COUNTER: &str = "byte x, y; bool done;
    active proctype Up() { do :: x < 40 -> x++ :: x > 0 -> x-- od }
    active proctype Noise() { do :: y < 40 -> y++ :: y > 0 -> y-- od }
    active proctype Watch() { assert(x < 30) }";

const PHILOSOPHERS: &str = "bool taken[N];
    active [N] proctype P() { do :: atomic { !taken[_pid] -> taken[_pid] = true };
        atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true }; taken[_pid] = false; taken[(_pid + 1) % N] = false od }";

#[test]
fn an_estimate_leads_to_an_assertion_and_every_run_replays() {
    let (path, trace) = (file("directed/counter.pml", COUNTER), trace_of("directed_counter.trace.json"));
    let mut expanded = Vec::new();
    for search in ["bfs", "best-first", "astar", "ida", "beam"] {
        let common = ["--search", search, "--workers", "1", "--first", "--por", "off", "--trace", &trace, &path];
        let (document, code) = report(&common);
        let result = &document["results"][0];
        assert_eq!((code, &result["violation"]["kind"]), (Some(1), &"assertion".into()), "{search}: {result}");
        assert_eq!(isospin(&["replay", &path, &trace]).status.code(), Some(0), "{search}");
        assert_eq!(result["search"]["order"], search);
        expanded.push(result["search"]["expanded"].as_u64().expect("a number"));
    }
    assert!(expanded[1] * 10 < expanded[0], "best first expands a tenth of breadth first: {expanded:?}");
}

#[test]
fn an_estimate_leads_to_a_deadlock_of_many_processes() {
    let (path, trace) = (file("directed/philosophers.pml", PHILOSOPHERS), trace_of("directed_philosophers.trace.json"));
    for heuristic in ["auto", "active", "blocked"] {
        let common =
            ["--search", "best-first", "--first", "--heuristic", heuristic, "-D", "N=24", "--trace", &trace, &path];
        let (document, code) = report(&common);
        let result = &document["results"][0];
        assert_eq!((code, &result["violation"]["kind"]), (Some(1), &"invalid-end-state".into()), "{result}");
        assert!(result["search"]["expanded"].as_u64() < Some(200), "{heuristic}: {result}");
        assert_eq!(isospin(&["replay", "-D", "N=24", &path, &trace]).status.code(), Some(0), "{heuristic}");
    }
}

#[test]
fn a_search_that_visits_all_says_holds_and_one_that_drops_states_does_not() {
    let text = "byte x; active [2] proctype P() { byte i; do :: i < 9 -> i++; x = (x + i) % 50 :: else -> break od; assert(x < 60) }";
    let path = file("directed/holds.pml", text);
    for search in ["best-first", "astar"] {
        for heuristic in ["auto", "assertions", "active", "blocked", "coverage", "bound"] {
            let (document, code) = report(&["--search", search, "--heuristic", heuristic, &path]);
            let result = &document["results"][0];
            assert_eq!((code, &result["verdict"]), (Some(0), &"holds".into()), "{search} {heuristic}: {result}");
        }
    }
    let (document, code) = report(&["--search", "beam", "--width", "2", &path]);
    let result = &document["results"][0];
    assert_eq!((code, &result["verdict"], &result["cause"]), (Some(3), &"unknown".into(), &"beam".into()), "{result}");
    let (document, code) = report(&["--search", "beam", "--width", "100000", &path]);
    assert_eq!((code, &document["results"][0]["verdict"]), (Some(0), &"holds".into()));
}

#[test]
fn iterative_deepening_finds_shortest_runs_and_says_holds_of_exact_stores_only() {
    let (path, trace) = (file("directed/deepening.pml", PHILOSOPHERS), trace_of("directed_deepening.trace.json"));
    let deepened = |store: &str, more: &[&str]| {
        let common = ["--search", "ida", "--first", "--store", store, "--max-memory", "64M", "--trace", &trace, &path];
        report(&[&common, more].concat())
    };
    let (wide, _) = report(&["--shortest", "--trace", &trace, "-D", "N=4", &path]);
    for store in ["tree", "plain", "bitstate", "compact"] {
        let (document, code) = deepened(store, &["-D", "N=4"]);
        let result = &document["results"][0];
        assert_eq!((code, &result["violation"]["kind"]), (Some(1), &"invalid-end-state".into()), "{store}: {result}");
        assert_eq!(isospin(&["replay", "-D", "N=4", &path, &trace]).status.code(), Some(0), "{store}");
        let is_exact = store == "tree" || store == "plain";
        assert_eq!(result["search"]["optimal"], if is_exact { "proved" } else { "no" }, "{store}");
        assert!(result["search"]["iterations"].as_u64() > Some(1) && result["search"]["order"] == "ida", "{result}");
        if is_exact {
            assert_eq!(result["violation"]["length"], wide["results"][0]["violation"]["length"], "{store}");
        }
    }
    let text = "byte x; active [2] proctype P() { do :: atomic { x < 9 -> x++ } :: atomic { x > 0 -> x-- } od }";
    let holds = file("directed/deepening_holds.pml", text);
    let (expected, _) = report(&["--search", "bfs", "--por", "off", &holds]);
    for (store, verdict, code) in [("tree", "holds", Some(0)), ("bitstate", "unknown", Some(3))] {
        let (document, found) = report(&["--search", "ida", "--store", store, "--max-memory", "64M", &holds]);
        let result = &document["results"][0];
        assert_eq!((found, &result["verdict"]), (code, &verdict.into()), "{store}: {result}");
        assert_eq!(result["states"], expected["results"][0]["states"], "{store}: {result}");
    }
}

#[test]
fn random_walks_find_violations_and_otherwise_prove_nothing() {
    let (path, trace) = (file("directed/walk.pml", PHILOSOPHERS), trace_of("directed_walk.trace.json"));
    let walked = |workers: &str, seed: &str| {
        let common = ["--search", "walk", "--first", "--workers", workers, "--seed", seed, "-D", "N=9"];
        report(&[&common[..], &["--trace", &trace, &path]].concat())
    };
    for workers in ["1", "3"] {
        for seed in ["1", "2"] {
            let (document, code) = walked(workers, seed);
            let result = &document["results"][0];
            assert_eq!((code, &result["violation"]["kind"]), (Some(1), &"invalid-end-state".into()), "{result}");
            assert_eq!(isospin(&["replay", "-D", "N=9", &path, &trace]).status.code(), Some(0), "{workers} {seed}");
        }
    }
    let steps = |seed| walked("1", seed).0["results"][0]["search"]["walks"].clone();
    assert_eq!(steps("7"), steps("7"), "a walk can be repeated");
    let text = "byte x; active proctype P() { do :: x < 9 -> x++ :: x > 0 -> x-- :: x > 9 -> skip od }";
    let holds = file("directed/walk_holds.pml", text);
    let (document, code) = report(&["--search", "walk", "--max-states", "20000", "--workers", "1", &holds]);
    let result = &document["results"][0];
    assert_eq!((code, &result["verdict"], &result["cause"]), (Some(3), &"unknown".into(), &"walk".into()), "{result}");
    let walks = &result["search"]["walks"];
    assert!(walks["count"].as_u64() > Some(10) && result["states"] == 20_000, "{result}");
    let (steps, count) = (walks["steps"].as_u64().expect("a number"), walks["count"].as_u64().expect("a number"));
    assert!((20_000 - count..20_000).contains(&steps), "{result}");
    // The guard `x > 9` and what follows it are never executed.
    assert!(walks["statements_executed"] == 4 && walks["statements"].as_u64() > Some(5), "{result}");
    let (document, code) = report(&["--search", "walk", "--goal", "x == 9", "--trace", &trace, &holds]);
    assert_eq!((code, &document["results"][0]["verdict"]), (Some(0), &"holds".into()), "{document}");
}

/// A request is lost if it comes when a counter stands high; noise makes the model large.
const LOST: &str = "byte x, a, b; bool asked, answered;
    active proctype Count() { do :: atomic { x < 60 -> x++ } :: atomic { x > 0 -> x-- } od }
    active [2] proctype Noise() { byte y; do :: atomic { y < 60 -> y++ } :: atomic { y > 0 -> y-- } od }
    active proctype Ask() { asked = true; answered = x < 50; end: false }
    ltl response { [] (asked -> <> answered) }
    ltl below { [] (x < 55 || !asked) }";

#[test]
fn a_claim_leads_to_runs_that_violate_a_formula() {
    let (path, trace) = (file("directed/lost.pml", LOST), trace_of("directed_lost.trace.json"));
    for (property, kind) in [("response", "acceptance-cycle"), ("below", "claim")] {
        for search in ["best-first", "astar", "beam"] {
            let common =
                ["--property", property, "--search", search, "--max-states", "50000", "--trace", &trace, &path];
            let (document, code) = report(&common);
            let result = &document["results"][0];
            assert_eq!((code, &result["violation"]["kind"]), (Some(1), &kind.into()), "{property} {search}: {result}");
            assert_eq!((&result["search"]["order"], &result["search"]["heuristic"]), (&search.into(), &"claim".into()));
            assert!(result["search"]["expanded"].as_u64() > Some(0), "{result}");
            assert_eq!(isospin(&["replay", &path, &trace]).status.code(), Some(0), "{property} {search}");
        }
    }
    let text = |options: &[&str]| {
        let common = ["verify", "--trace", "/dev/null", "--max-time", "5s", "--property", "response", &path];
        String::from_utf8_lossy(&isospin(&[&common[..], options].concat()).stdout).into_owned()
    };
    for search in ["ida", "walk"] {
        assert!(text(&["--search", search]).contains("--search is not used here: it finds no cycles"), "{search}");
    }
    let strong = text(&["--search", "best-first", "--fairness", "strong", "--max-states", "100"]);
    assert!(strong.contains("--search is not used here"), "{strong}");
    let other = text(&["--search", "best-first", "--heuristic", "active"]);
    assert!(other.contains("--heuristic is not used here: a directed search for infinite runs goes by the claim"));
}

#[test]
fn a_goal_is_reached_by_a_run_that_replays_or_unreachable() {
    let text = "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> there: skip; break od } active proctype Q() { skip }";
    let (path, trace) = (file("directed/goal.pml", text), trace_of("directed_goal.trace.json"));
    for search in ["dfs", "bfs", "best-first", "astar", "ida", "beam"] {
        for goal in ["x == 7", "P[0]@there && x > 3", "x > 5 || P[0]@there"] {
            let (document, code) = report(&["--goal", goal, "--search", search, "--trace", &trace, &path]);
            let results = document["results"].as_array().expect("a list");
            assert_eq!((results.len(), &results[0]["property"]), (1, &"goal".into()), "{document}");
            let result = &results[0];
            assert_eq!((code, &result["verdict"]), (Some(0), &"holds".into()), "{search} {goal}: {result}");
            assert!(result["violation"].is_null() && result["witness"]["length"].as_u64() > Some(0), "{result}");
            let replayed = isospin(&["replay", &path, &trace]);
            assert_eq!(
                replayed.status.code(),
                Some(0),
                "{search} {goal}: {}",
                String::from_utf8_lossy(&replayed.stderr)
            );
        }
        let (document, code) = report(&["--goal", "x == 10", "--search", search, "--trace", &trace, &path]);
        let result = &document["results"][0];
        assert_eq!((code, &result["verdict"]), (Some(1), &"violated".into()), "{search}: {result}");
        assert_eq!(result["violation"]["kind"], "unreachable");
    }
    let (document, _) = report(&["--goal", "x == 7", "--shortest", "--trace", &trace, &path]);
    let result = &document["results"][0];
    assert_eq!(
        (&result["search"]["optimal"], &result["witness"]["length"]),
        (&"proved".into(), &14.into()),
        "{result}"
    );
    let output = isospin(&["verify", "--goal", "x ==", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--goal:1:"));
}

/// Both processes may be at the same place; a symmetry that exchanges them must not hide which one is asked about.
#[test]
fn a_goal_about_one_of_equal_processes_is_kept_by_symmetry() {
    let text = "byte x; active [3] proctype P() { x++; x == 3; end_there: x != 3 }";
    let path = file("directed/equal.pml", text);
    for goal in ["P[0]@end_there && !P[1]@end_there", "P[2]@end_there && !P[0]@end_there && !P[1]@end_there"] {
        let (document, code) = report(&["--goal", goal, "--trace", "/dev/null", &path]);
        assert_eq!(code, Some(0), "{goal}: {document}");
    }
}

#[test]
fn a_run_found_depth_first_is_made_shorter_unless_the_first_is_wanted() {
    let text = "byte x, y; active proctype P() { do :: y < 50 -> y++ :: y == 50 -> y = 0; x = 1 :: x = 1 :: x == 1 -> x = 2 :: x == 2 -> assert(false) od }";
    let (path, trace) = (file("directed/detour.pml", text), trace_of("directed_detour.trace.json"));
    let length = |more: &[&str]| {
        let (document, code) = report(&[&["--workers", "1", "--trace", &trace, &path], more].concat());
        assert_eq!(code, Some(1), "{document}");
        let result = document["results"][0].clone();
        (result["violation"]["length"].as_u64().expect("a length"), result["search"].clone())
    };
    let (first, first_search) = length(&["--first"]);
    assert_eq!(first_search["shortened_from"], Value::Null);
    let kept = trace_of("directed_long.trace.json");
    std::fs::copy(&trace, &kept).expect("it was written");
    let (short, search) = length(&[]);
    let (shortest, _) = length(&["--shortest"]);
    assert!(first > short, "{first} {short}");
    assert_eq!((short, &search["optimal"], &search["shortened_from"]), (shortest, &"proved".into(), &first.into()));
    let output = trace_of("directed_short.trace.json");
    let shortened = isospin(&["shorten", &path, &kept, "-o", &output]);
    assert_eq!(shortened.status.code(), Some(0), "{}", String::from_utf8_lossy(&shortened.stderr));
    let told = String::from_utf8_lossy(&shortened.stdout).into_owned();
    assert!(told.contains(&format!("{shortest} steps instead of {first}, proved shortest")), "{told}");
    assert_eq!(isospin(&["replay", &path, &output]).status.code(), Some(0));
    let again = isospin(&["shorten", &path, &output, "-o", &trace_of("directed_none.trace.json")]);
    assert!(String::from_utf8_lossy(&again.stdout).contains("no run is shorter than these"), "{again:?}");
}

/// The nearest violation is another one; the one that was found is kept.
#[test]
fn a_shorter_run_leads_to_the_same_violation() {
    let text = "byte x; active proctype P() { do :: x < 30 -> x++ :: x > 1 -> x-- :: x == 20 -> assert(x != 20) od }
                active proctype Q() { x == 1; assert(x != 1) }";
    let (path, trace) = (file("directed/same.pml", text), trace_of("directed_same.trace.json"));
    let (first, _) = report(&["--workers", "1", "--first", "--trace", &trace, &path]);
    let (short, _) = report(&["--workers", "1", "--trace", &trace, &path]);
    let place = |document: &Value| document["results"][0]["violation"]["message"].clone();
    assert_eq!(place(&first), place(&short));
}

#[test]
fn a_trail_of_spin_is_made_shorter() {
    let text = "byte x, y; active proctype P() { do :: y < 20 -> y++ :: x = 1 :: x == 1 -> x = 2 :: x == 2 -> assert(false) od }";
    let path = file("directed/trail.pml", text);
    let directory = Path::new(&path).parent().expect("it has one").to_owned();
    let written = support::command(&["spin", "-o3", "-run", "trail.pml"]).current_dir(&directory).output();
    assert_eq!(written.expect("it starts").status.code(), Some(1));
    let (trail, output) = (format!("{path}.trail"), trace_of("directed_trail.trace.json"));
    let shortened = isospin(&["shorten", &path, &trail, "-o", &output]);
    let told = String::from_utf8_lossy(&shortened.stdout).into_owned();
    assert!(told.contains("proved shortest"), "{told}{}", String::from_utf8_lossy(&shortened.stderr));
    assert_eq!(isospin(&["replay", &path, &output]).status.code(), Some(0));
}

#[test]
fn a_run_that_violates_a_formula_is_made_shorter() {
    let (path, trace) = (file("directed/formula.pml", LOST), trace_of("directed_formula.trace.json"));
    let (document, code) = report(&["--property", "below", "--workers", "1", "--trace", &trace, &path]);
    assert_eq!(code, Some(1), "{document}");
    let length = document["results"][0]["violation"]["length"].as_u64().expect("a length");
    let output = trace_of("directed_formula_short.trace.json");
    let shortened = isospin(&["shorten", &path, &trace, "-o", &output]);
    let told = String::from_utf8_lossy(&shortened.stdout).into_owned();
    assert!(length > 200 && told.contains(&format!("steps instead of {length}")), "{told}");
    assert_eq!(isospin(&["replay", &path, &output]).status.code(), Some(0));
    let text = std::fs::read_to_string(&output).expect("it was written");
    let short: Value = serde_json::from_str(&text).expect("a document");
    assert!((short["steps"].as_array().map(Vec::len)) < Some(length as usize), "{told}");
}

#[test]
fn options_of_directed_searches_are_used_noted_or_refused() {
    let path = file("directed/options.pml", COUNTER);
    let text = |options: &[&str]| {
        let output = isospin(&[&["verify", "--trace", "/dev/null", &path], options].concat());
        (
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
            output.status.code(),
        )
    };
    assert!(text(&["--heuristic", "active"]).0.contains("--heuristic is not used here: it is for --search best-first"));
    assert!(text(&["--search", "best-first", "--weight", "2"]).0.contains("--weight is not used here"));
    assert!(text(&["--search", "astar", "--width", "2"]).0.contains("--width is not used here"));
    assert!(text(&["--search", "best-first", "--workers", "2"]).0.contains("--workers is not used here"));
    for (search, option) in [
        ("ida", &["--por", "on"][..]),
        ("ida", &["--workers", "2"]),
        ("ida", &["--all-errors"]),
        ("walk", &["--store", "plain"]),
        ("walk", &["--symmetry", "exact"]),
        ("walk", &["--merge", "on"]),
        ("walk", &["--heuristic", "active"]),
        ("walk", &["--all-errors"]),
    ] {
        let (told, _) = text(&[&["--search", search, "--max-states", "5000"], option].concat());
        assert!(told.contains(&format!("{} is not used here", option[0])), "{search} {option:?}: {told}");
    }
    for refused in [
        &["--search", "best-first", "--store", "bitstate"][..],
        &["--search", "best-first", "--heuristic", "goal"],
        &["--search", "beam", "--checkpoint", "/tmp/never"],
        &["--search", "ida", "--checkpoint", "/tmp/never"],
        &["--search", "walk", "--checkpoint", "/tmp/never"],
        &["--search", "ida", "--store", "bitstate", "--swarm", "3"],
        &["--shortest", "--search", "walk"],
        &["--shortest", "--search", "ida", "--weight", "2"],
        &["--shortest", "--search", "best-first"],
        &["--shortest", "--search", "astar", "--weight", "2"],
        &["--search", "astar", "--weight", "-1"],
        &["--goal", "x == 3", "--search", "astar", "--heuristic", "blocked"],
    ] {
        assert_eq!(text(refused).1, Some(2), "{refused:?}: {}", text(refused).0);
    }
    let (weighted, _) = text(&["--search", "astar", "--weight", "5", "--first"]);
    assert!(weighted.contains("weight 5") && weighted.contains("perhaps not shortest"), "{weighted}");
}

/// What `examples/directed/README.md` says of each model, found by an estimate, with a run that replays.
#[test]
fn the_models_for_directed_search_are_violated_as_their_table_says() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/directed");
    let table = std::fs::read_to_string(directory.join("README.md")).expect("it is there");
    let models = std::fs::read_dir(&directory).expect("it is there").flatten().map(|entry| entry.path());
    for path in models.filter(|path| path.extension().is_some_and(|extension| extension == "pml")) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let row = table.lines().find(|line| line.contains(&format!("({name})"))).unwrap_or_else(|| panic!("no {name}"));
        let kind = row.split('|').nth(3).expect("three columns").trim().replace(' ', "-");
        let (path, trace) = (path.display().to_string(), trace_of(&format!("directed_{name}.trace.json")));
        let (document, _) = report(&["--search", "best-first", "--first", "--trace", &trace, &path]);
        let result = &document["results"][0];
        assert_eq!(result["violation"]["kind"], kind, "{name}: {result}");
        assert_eq!(isospin(&["replay", &path, &trace]).status.code(), Some(0), "{name}");
    }
}

/// The classes of claims by their components, as the literature has them: existence, response, and a cycle that may or may not accept.
#[test]
fn the_class_of_a_claim_is_told() {
    for (formula, class) in [("<> p", "F"), ("[] (p -> <> q)", "N+F"), ("<> [] p", "P")] {
        let output = isospin(&["ltl", "--negate", "--format", "counts", formula]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find_map(|line| line.strip_prefix("class "));
        assert_eq!(line.map(str::trim), Some(class), "{formula}: {text}");
    }
}
