//! Runs that last long, are interrupted, run out of something, or are taken up again: each with a clear end and the right counts.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{command, isospin};

/// Somewhat more than a hundred thousand states.
const COUNTERS: &str = "byte a[4];
    active [4] proctype P() { byte x; do :: x < 6 -> x++; a[_pid] = x :: else -> break od; assert(a[_pid] == 6) }";

/// Every kind of search that can be saved.
const KINDS: [&[&str]; 7] = [
    &["--workers", "1"],
    &["--workers", "3"],
    &["--workers", "1", "--search", "bfs"],
    &["--workers", "3", "--search", "bfs"],
    &["--workers", "2", "--store", "plain"],
    &["--workers", "2", "--store", "compact"],
    &["--workers", "1", "--store", "bitstate", "--max-memory", "40M"],
];

fn verify(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = isospin(&[&["verify", "--json", "--safety"], arguments].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    let document: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    (document["results"][0].clone(), output.status.code())
}

fn refused(arguments: &[&str]) -> String {
    let output = isospin(&[&["verify", "--safety"], arguments].concat());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    message
}

/// A directory of a test's own, so that tests do not meet.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("it can be made");
        Place(path)
    }

    fn model(&self, text: &str) -> String {
        std::fs::write(self.0.join("model.pml"), text).expect("it can be written");
        self.file("model.pml")
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

fn counts(result: &Value) -> Vec<&Value> {
    ["verdict", "states", "matched", "transitions", "unreached"].map(|field| &result[field]).to_vec()
}

/// Depths of a search by several workers depend on who is faster.
fn same_counts(name: &str, expected: &Value, found: &Value) {
    assert_eq!(counts(expected), counts(found), "{name}");
}

#[test]
fn a_search_that_was_saved_at_a_limit_ends_with_the_counts_of_one_that_was_not() {
    let place = Place::new("limits");
    let model = place.model(COUNTERS);
    let file = place.file("search.checkpoint");
    for kind in KINDS {
        let common = [&["--reduce", "none", &model], kind].concat();
        let whole = verify(&common).0;
        let limited = [&common[..], &["--max-states", "20000", "--checkpoint", &file]].concat();
        let (first, code) = verify(&limited);
        assert_eq!((code, &first["verdict"]), (Some(3), &Value::from("unknown")), "{kind:?}");
        let further = [&common[..], &["--max-states", "50000", "--resume", &file]].concat();
        let (second, _) = verify(&further);
        assert!(second["states"].as_u64() > first["states"].as_u64(), "{kind:?}: {first} {second}");
        let (last, _) = verify(&[&common[..], &["--resume", &file]].concat());
        same_counts(&format!("{kind:?}"), &whole, &last);
    }
}

#[test]
fn reductions_and_violations_survive_being_saved() {
    let place = Place::new("reductions");
    let file = place.file("search.checkpoint");
    let text = "byte a[4], n; active [4] proctype P() { byte x, y;
        do :: x < 7 -> x++; y = x; a[_pid] = y; n = n ^ x :: else -> break od; assert(n != 3) }";
    let (model, trace) = (place.model(text), place.file("t.json"));
    for kind in [&["--workers", "1"][..], &["--workers", "1", "--search", "bfs"]] {
        for reductions in [&["--por", "off"][..], &["--symmetry", "off"], &[]] {
            let common = [&["--all-errors", "--trace", &trace, &model], kind, reductions].concat();
            let (whole, code) = verify(&common);
            assert_eq!(code, Some(1), "{common:?}");
            let part = (whole["states"].as_u64().expect("a number") / 3).to_string();
            verify(&[&common[..], &["--max-states", &part, "--checkpoint", &file]].concat());
            let last = verify(&[&common[..], &["--resume", &file]].concat()).0;
            same_counts(&format!("{common:?}"), &whole, &last);
            assert_eq!(whole["symmetry"]["represented"], last["symmetry"]["represented"], "{common:?}");
            let replay = isospin(&["replay", &model, &trace]);
            assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
        }
    }
}

/// Representatives do not depend on what a worker has met before, hence not on who found them either.
#[test]
fn a_saved_search_modulo_symmetry_goes_on_with_the_same_orbits() {
    let place = Place::new("orbits");
    let file = place.file("search.checkpoint");
    // Sorted with references, sorted in a tree, and searched along a stabiliser chain.
    for (family, size) in [("email", "N=3"), ("three_tiered", "CLIENTS=3"), ("hypercube", "DIMENSIONS=4")] {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/families").join(family);
        let model = model.with_extension("pml").display().to_string();
        for kind in [&["--workers", "2"][..], &["--workers", "2", "--search", "bfs"]] {
            let common = [&["--reduce", "none", "--symmetry", "exact", "-D", size, &model], kind].concat();
            let whole = verify(&common).0;
            let part = (whole["states"].as_u64().expect("a number") / 2).to_string();
            let first = verify(&[&common[..], &["--max-states", &part, "--checkpoint", &file]].concat()).0;
            assert_eq!(first["complete"], false, "{common:?}");
            let last = verify(&[&common[..], &["--resume", &file]].concat()).0;
            same_counts(&format!("{common:?}"), &whole, &last);
            assert_eq!(whole["symmetry"]["represented"], last["symmetry"]["represented"], "{common:?}");
        }
    }
}

fn start(arguments: &[&str]) -> Child {
    let mut command = command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts")
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "the process is there");
}

#[test]
fn a_signal_saves_the_search_and_the_report_is_still_printed() {
    let place = Place::new("signals");
    let model = place.model("int x, y; active proctype P() { do :: x++ :: y++ :: assert(x != -1 && y != -1) od }");
    let file = place.file("search.checkpoint");
    let common = ["verify", "--json", "--safety", "--reduce", "none", "--checkpoint", &file, &model];
    for name in ["TERM", "INT"] {
        let _ = std::fs::remove_file(&file);
        let child = start(&common);
        std::thread::sleep(Duration::from_millis(700));
        signal(&child, name);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{name}");
        let document: Value = serde_json::from_slice(&output.stdout).expect("the report is whole");
        assert_eq!(document["results"][0]["verdict"], "unknown");
        assert!(Path::new(&file).exists(), "{name}");
        let states = document["results"][0]["states"].as_u64().expect("a number");
        let more = (states + 1000).to_string();
        let (resumed, code) = verify(&["--reduce", "none", "--resume", &file, "--max-states", &more, &model]);
        assert_eq!(code, Some(3));
        assert!(resumed["states"].as_u64() >= Some(states + 1000), "{resumed}");
    }
}

#[test]
fn a_search_that_is_killed_again_and_again_comes_to_the_right_end() {
    let place = Place::new("killed");
    let model = place.model(COUNTERS);
    for (kind, workers) in [(&["--search", "dfs"][..], "1"), (&["--search", "dfs"], "3"), (&["--search", "bfs"], "2")] {
        let file = place.file("search.checkpoint");
        let _ = std::fs::remove_file(&file);
        let common = [&["--reduce", "none", "--workers", workers, &model], kind].concat();
        let whole = verify(&common).0;
        let mut kills = 0;
        let result = loop {
            let saving = if Path::new(&file).exists() { "--resume" } else { "--checkpoint" };
            let saved = ["--checkpoint-interval", "5ms", saving, &file];
            let mut child = start(&[&["verify", "--json", "--safety"], &common[..], &saved].concat());
            // Each time a little later, so that the search is killed at all sorts of moments and still ends.
            let deadline = Instant::now() + Duration::from_millis(60 + 37 * kills);
            while Instant::now() < deadline && child.try_wait().expect("it can be asked").is_none() {
                std::thread::sleep(Duration::from_millis(3));
            }
            if child.try_wait().expect("it can be asked").is_some() {
                let output = child.wait_with_output().expect("it has ended");
                let document: Value = serde_json::from_slice(&output.stdout).expect("the report is whole");
                break document["results"][0].clone();
            }
            signal(&child, "KILL");
            child.wait().expect("it ends");
            kills += 1;
        };
        assert!(kills > 0);
        same_counts(&format!("{kind:?} after {kills} kills"), &whole, &result);
    }
}

#[test]
fn a_damaged_file_or_another_search_is_refused_with_the_reason() {
    let place = Place::new("damaged");
    let model = place.model(COUNTERS);
    let file = place.file("search.checkpoint");
    let saved = ["--reduce", "none", "--workers", "1", "--max-states", "5000", "--checkpoint", &file, &model];
    assert_eq!(verify(&saved).1, Some(3));
    let whole = std::fs::read(&file).expect("it was written");
    let resume = ["--reduce", "none", "--workers", "1", "--resume", &file, &model];

    let step = (whole.len() / 40).max(1);
    for length in (0..whole.len()).step_by(step) {
        std::fs::write(&file, &whole[..length]).expect("it can be written");
        assert!(refused(&resume).contains("cannot be resumed"), "{length}");
    }
    for at in (3..whole.len()).step_by(step) {
        let mut changed = whole.clone();
        changed[at] ^= 0x10;
        std::fs::write(&file, &changed).expect("it can be written");
        assert!(refused(&resume).contains("cannot be resumed"), "{at}");
    }
    std::fs::write(&file, [&whole[..], b"more"].concat()).expect("it can be written");
    assert!(refused(&resume).contains("something follows"));

    std::fs::write(&file, &whole).expect("it can be written");
    let with = |options: &[&str]| refused(&[options, &["--resume", &file, &model]].concat());
    assert!(with(&["--reduce", "none", "--search", "bfs"]).contains("--search dfs, this run has bfs"));
    assert!(with(&["--reduce", "none", "--store", "plain"]).contains("--store tree, this run has plain"));
    assert!(with(&["--reduce", "none", "--dead", "on"]).contains("--dead off, this run has on"));
    assert!(with(&["--reduce", "none", "--max-memory", "1K"]).contains("--max-memory"));
    std::fs::write(&model, COUNTERS.replace("x < 6", "x < 7")).expect("it can be written");
    assert!(with(&["--reduce", "none"]).contains("another model"));
    assert!(refused(&["--resume", &place.file("nothing"), &model]).contains("nothing cannot be resumed"));
    assert!(refused(&["--checkpoint", &place.file("no/such/place"), &model]).contains("no checkpoint can be written"));
    assert!(refused(&["--checkpoint", "/dev/full", &model]).contains("no regular file"));
}

#[test]
fn a_full_disk_is_a_warning_and_the_search_goes_on() {
    let place = Place::new("full");
    let model = place.model(COUNTERS);
    let file = place.file("search.checkpoint");
    let line = format!(
        "ulimit -f 16; exec {} verify --json --safety --reduce none --checkpoint-interval 10ms --checkpoint {file} {model}",
        env!("CARGO_BIN_EXE_isospin")
    );
    let output = Command::new("sh").args(["-c", &line]).output().expect("there is a shell");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(message.contains("cannot be written"), "{message}");
    let whole = verify(&["--reduce", "none", &model]).0;
    let document: Value = serde_json::from_slice(&output.stdout).expect("the report is whole");
    same_counts("full disk", &whole, &document["results"][0]);
    assert!(!Path::new(&format!("{file}.new")).exists());
}

/// The limit is for the store and for all that a search keeps beside it; the program itself takes some twenty megabytes.
#[test]
fn the_memory_limit_counts_stacks_and_queues() {
    const LIMIT: u64 = 40 << 20;
    const PROGRAM: u64 = 30 << 20;
    let place = Place::new("stacks");
    // The path of a search is as long as there are states.
    let model = place.model(
        "int x; byte y; active proctype P() { do :: x < 9000000 -> x++ od }
        active proctype Q() { do :: y = 1 - y od } ltl p { [] (x >= 0) }",
    );
    for options in [
        &["--safety", "--workers", "1"][..],
        &["--safety", "--workers", "3"],
        &["--safety", "--workers", "1", "--search", "bfs"],
        &["--safety", "--workers", "1", "--store", "compact"],
        &["--safety", "--workers", "1", "--store", "bitstate"],
        &["--property", "p", "--workers", "1"],
        &["--property", "p", "--workers", "2"],
        &["--property", "p", "--fairness", "strong"],
    ] {
        let common = ["verify", "--json", "--reduce", "none", "--max-memory", "40M", &model];
        let output = isospin(&[&common[..], options].concat());
        assert_eq!(output.status.code(), Some(3), "{options:?}");
        let document: Value = serde_json::from_slice(&output.stdout).expect("the report is whole");
        let result = &document["results"][0];
        assert!(result["reason"].as_str().is_some_and(|reason| reason.contains("memory")), "{options:?}: {result}");
        let number = |value: &Value| value.as_u64().expect("a number");
        let (all, store) = (number(&result["search_bytes"]), number(&result["store_bytes"]));
        assert!(store < all && all <= LIMIT, "{options:?}: {store} of {all}");
        let per_state = result["bytes_per_state"].as_f64().expect("a number");
        let expected = all as f64 / number(&result["states"]) as f64;
        assert!((per_state - expected).abs() < 0.01, "{options:?}: {per_state} instead of {expected}");
        let peak = number(&document["resources"]["peak_rss_bytes"]);
        assert!(peak < LIMIT + PROGRAM, "{options:?}: {peak}");
    }
}

/// A search of milliseconds, after which a shorter run may be looked for among a million states.
#[test]
fn the_time_limit_bounds_the_search_for_a_shorter_run() {
    let place = Place::new("shorter");
    let model = place.model(
        "byte a[6]; bool done;
        active [6] proctype P() { do :: a[_pid] < 9 -> a[_pid]++ :: a[_pid] == 9 -> a[_pid] = 0 od }
        active proctype Q() { byte n; do :: n < 200 -> n++ :: n == 200 -> done = true; n = 0 :: done -> done = false od }
        ltl p { [] !done }",
    );
    let begun = Instant::now();
    let options = ["verify", "--json", "--property", "p", "--shortest", "--symmetry", "off", "--max-time", "500ms"];
    let output = isospin(&[&options[..], &[&model]].concat());
    let took = begun.elapsed();
    let document: Value = serde_json::from_slice(&output.stdout).expect("the report is whole");
    let result = &document["results"][0];
    assert_eq!((&result["verdict"], output.status.code()), (&"violated".into(), Some(1)), "{result}");
    assert!(result["violation"]["length"].as_u64().is_some_and(|length| length > 0), "{result}");
    assert!(result["warnings"][0].as_str().is_some_and(|text| text.contains("a shorter run")), "{result}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_trace_has_a_line_for_each_step() {
    let place = Place::new("lines");
    let model = place.model("byte x; active proctype P() { do :: x < 50 -> x++ :: else -> break od; assert(false) }");
    let (result, _) = verify(&["--reduce", "none", &model]);
    let text = std::fs::read_to_string(place.file("model.pml.trace.json")).expect("it was written");
    let steps = result["violation"]["length"].as_u64().expect("a number");
    let begun = text.lines().filter(|line| line.starts_with("    {\"number\":")).count() as u64;
    assert_eq!((steps, begun), (102, 102), "{text}");
    assert!(text.contains("\n  \"defines\": [],\n"), "{text}");
    let trace: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((&trace["schema"], trace["steps"].as_array().map(Vec::len)), (&"isospin.trace/1".into(), Some(102)));
    let replayed = isospin(&["replay", &model, &place.file("model.pml.trace.json")]);
    assert_eq!(replayed.status.code(), Some(0));
}

#[test]
fn memory_that_runs_out_ends_the_search_with_counts_and_advice() {
    let place = Place::new("memory");
    let model = place.model("int x, y; active proctype P() { do :: x++ :: y++ :: assert(x != -1 && y != -1) od }");
    for options in [&["--store", "tree"][..], &["--store", "plain"], &["--store", "compact"], &["--search", "bfs"]] {
        let (result, code) =
            verify(&[&["--reduce", "none", "--max-memory", "20M", "--max-time", "100s", &model], options].concat());
        assert_eq!((code, &result["verdict"]), (Some(3), &Value::from("unknown")), "{options:?}");
        assert!(result["reason"].as_str().is_some_and(|reason| reason.contains("memory")), "{options:?}: {result}");
        assert!(result["states"].as_u64() > Some(100_000), "{options:?}: {result}");
    }
    let text = isospin(&["verify", "--safety", "--reduce", "none", "--max-memory", "20M", &model]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("--max-memory"), "the report says what to do");
}

#[test]
fn a_stack_of_a_million_states_is_no_trouble() {
    let place = Place::new("deep");
    let file = place.file("search.checkpoint");
    let model = place.model("int x; active proctype P() { do :: x < 500000 -> x++ :: else -> break od }");
    let options = ["--reduce", "none", "--workers", "2", &model];
    let (result, code) = verify(&[&options[..], &["--max-states", "900000", "--checkpoint", &file]].concat());
    assert_eq!(code, Some(3));
    assert!(result["depth"].as_u64() > Some(800_000), "{result}");
    let (result, code) = verify(&[&options[..], &["--resume", &file]].concat());
    assert_eq!(code, Some(0));
    assert!(result["depth"].as_u64() >= Some(1_000_000), "{result}");
}

#[test]
fn a_seed_makes_a_search_that_can_be_repeated() {
    let place = Place::new("seeds");
    let text = "byte a[3]; active [3] proctype P() { byte x; do :: x < 5 -> x++; a[_pid] = x :: x > 1 -> break od;
        assert(a[0] + a[1] + a[2] < 11) }";
    let model = place.model(text);
    let search = |seed: &str, name: &str| {
        let trace = place.file(name);
        let options = ["--reduce", "none", "--workers", "1", "--seed", seed, "--trace", &trace, &model];
        let (result, code) = verify(&options);
        assert_eq!(code, Some(1));
        (result["states"].clone(), std::fs::read_to_string(trace).expect("it was written"))
    };
    let first = search("1", "a.json");
    assert_eq!(first, search("1", "b.json"));
    assert!(["2", "3", "4", "5"].iter().any(|seed| search(seed, "c.json").1 != first.1));
    let options = ["--reduce", "none", "--all-errors", "--trace", &place.file("d.json"), &model];
    let natural = verify(&options).0;
    let shuffled = verify(&[&options[..], &["--seed", "7"]].concat()).0;
    same_counts("all states, in any order", &natural, &shuffled);
}

#[test]
fn a_swarm_finds_what_one_approximate_search_misses() {
    let place = Place::new("swarm");
    // One search misses about one state of six; among some dozens there is one that it misses and others find.
    let unlucky = |number: usize| {
        let (first, second) = (number % 7, number / 7);
        let place = format!("a[0] == {first} && a[1] == {second} && a[2] == 3 && a[3] == 4");
        format!("{COUNTERS} active proctype Q() {{ assert(!({place})) }}")
    };
    let rescued = (0..49).any(|number| {
        let model = place.model(&unlucky(number));
        let trace = place.file("swarm.json");
        let options = ["--reduce", "none", "--store", "bitstate", "--workers", "1", "--max-memory", "16K"];
        let options = [&options[..], &["--trace", &trace, &model]].concat();
        let (one, code) = verify(&options);
        if one["verdict"] == "violated" {
            return false;
        }
        assert_eq!((code, &one["verdict"]), (Some(3), &Value::from("unknown")));
        verify(&[&options[..], &["--swarm", "6"]].concat()).0["verdict"] == "violated"
    });
    assert!(rescued);
    let model = place.model(COUNTERS);
    let options = ["--reduce", "none", "--store", "bitstate", "--workers", "1", "--max-memory", "16K", &model];
    assert!(refused(&["--swarm", "3", &model]).contains("--store bitstate"));
    let checkpoint = place.file("c");
    assert!(refused(&[&options[..], &["--swarm", "3", "--checkpoint", &checkpoint]].concat()).contains("swarm"));
}

#[test]
fn small_models_give_the_same_counts_every_time_whatever_the_number_of_workers() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mutex_server.pml").display().to_string();
    for search in ["dfs", "bfs"] {
        let first = verify(&["--workers", "2", "--search", search, &model]).0;
        for workers in ["2", "4", "8", "2", "3"] {
            let again = verify(&["--workers", workers, "--search", search, &model]).0;
            same_counts(&format!("{workers} workers, {search}"), &first, &again);
        }
    }
}
