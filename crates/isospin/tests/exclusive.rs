//! `xr` and `xs` from the outside: words that are kept, broken, and broken only now and then, in both engines and with every reduction.

mod support;

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use support::{file, isospin};

/// How each search is made; all must say the same.
const SEARCHES: &[&[&str]] = &[
    &[],
    &["--engine", "interpreter"],
    &["--reduce", "none"],
    &["--reduce", "none", "--search", "bfs"],
    &["--symmetry", "off"],
    &["--por", "off"],
    &["--dead", "off", "--merge", "off"],
    &["--audit"],
];

const KEPT: &str = "chan q = [2] of { byte };
active proctype Sender() { xs q; q!1; q!2 }
active proctype Receiver() { byte x; xr q; q?x; q?x }";

const ANOTHER_RECEIVES: &str = "chan q = [2] of { byte };
active proctype Sender() { q!1; q!2; q!3 }
active proctype Receiver() { byte x; xr q; q?x; q?x }
active proctype Thief() { byte x; q?x }";

const ANOTHER_SENDS_IN_A_D_STEP: &str = "chan q = [2] of { byte }; byte n;
active proctype Sender() { xs q; q!1 }
active proctype Other() { d_step { n = 1; q!!2; n = 0 } }
active proctype Receiver() { byte x; q?x; q?x }";

/// Each node of a ring has its own channel to receive from.
const RING: &str = "chan link[3] = [1] of { byte };
proctype Node(chan in; chan out; byte first) { byte x; xr in; xs out;
  if :: first -> out!7 :: else fi; in?x; if :: !first -> out!x :: else fi; first = 0 }
init { atomic { run Node(link[0], link[1], 1); run Node(link[1], link[2], 0); run Node(link[2], link[0], 0) } }";

/// Two nodes were given the same channel to send to.
const CROSSED_RING: &str = "chan link[3] = [1] of { byte };
proctype Node(chan in; chan out; byte first) { byte x; xr in; xs out;
  if :: first -> out!7 :: else fi; in?x; if :: !first -> out!x :: else fi; first = 0 }
init { atomic { run Node(link[0], link[1], 1); run Node(link[1], link[1], 0); run Node(link[2], link[0], 0) } }";

/// The word holds as long as the process exists.
const AFTER_ITS_END: &str = "chan q = [1] of { byte }; byte gone;
active proctype Other() { byte x; (_nr_pr == 1); q!1; q?x }
active proctype Owner() { xr q; gone = 1 }";

/// The owner may have gone when the other receives, or not: only one order of the two is wrong.
const BEFORE_ITS_END: &str = "chan q = [1] of { byte };
active proctype Other() { byte x; q!1; q?x }
active proctype Owner() { xr q; skip }";

/// Two owners that are alike and end: the other sends before one of them has gone, or afterwards, which is no error.
const OWNERS_END: &str = "chan q[2] = [1] of { byte }; byte ended;
proctype Other() { ended == 2 -> if :: q[0]!1 :: q[1]!1 fi }
proctype Owner(chan c) { xs c; ended++ }
init { atomic { run Other(); run Owner(q[0]); run Owner(q[1]) } }";

/// Two that are alike, but for what one of them says; a thief that goes for either.
const ONE_OF_TWO: &str = "chan a = [1] of { byte }; chan b = [1] of { byte };
active proctype A() { byte x; xr a; if :: a?x :: empty(a) fi }
active proctype B() { byte x; if :: b?x :: empty(b) fi }
active proctype Thief() { byte x; if :: a!1; a?x :: b!1; b?x fi }";

fn written(name: &str, text: &str) -> PathBuf {
    file(&format!("exclusive/{name}/model.pml"), text).into()
}

/// What every search says, end states aside.
fn violation(name: &str, text: &str) -> Option<Value> {
    let path = written(name, text).display().to_string();
    let trace = format!("{path}.json");
    let mut first: Option<Value> = None;
    for search in SEARCHES {
        let given = ["verify", "--json", "--safety", "--no-end-states", "--workers", "1", "--trace", &trace];
        let output = isospin(&[&given[..], search, &[&path]].concat());
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{name} {search:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
        let result = &document["results"][0];
        let kind = &result["violation"]["kind"];
        let first = first.get_or_insert_with(|| kind.clone());
        assert_eq!(first, kind, "{name} {search:?}: {result}");
        if kind.is_string() {
            let replay = isospin(&["replay", &path, &trace]);
            assert!(replay.status.success(), "{name} {search:?}: {}", String::from_utf8_lossy(&replay.stdout));
        }
    }
    first.filter(|kind| !kind.is_null())
}

/// Whether SPIN objects.
fn spin_objects(name: &str, text: &str) -> bool {
    let path = written(name, text);
    let directory = path.parent().expect("it is in a directory");
    let output = Command::new("spin").args(["-run", "model.pml"]).current_dir(directory).output().expect("SPIN starts");
    String::from_utf8_lossy(&output.stdout).contains("partial order reduction invalid")
}

#[test]
fn a_word_that_is_kept_is_no_error() {
    for (name, text) in [("kept", KEPT), ("ring", RING)] {
        assert_eq!(violation(name, text), None, "{name}");
        assert!(!spin_objects(name, text), "{name}");
    }
}

#[test]
fn a_word_that_is_broken_is_an_error() {
    let models = [
        ("receives", ANOTHER_RECEIVES),
        ("d_step", ANOTHER_SENDS_IN_A_D_STEP),
        ("crossed", CROSSED_RING),
        ("before", BEFORE_ITS_END),
        ("one", ONE_OF_TWO),
        ("owners", OWNERS_END),
    ];
    for (name, text) in models {
        assert_eq!(violation(name, text), Some("exclusive-end".into()), "{name}");
        assert!(spin_objects(name, text), "{name}");
    }
}

#[test]
fn a_word_ends_with_its_process() {
    assert_eq!(violation("after", AFTER_ITS_END), None);
}

#[test]
fn the_report_says_who_and_where() {
    let path = written("report", ANOTHER_RECEIVES).display().to_string();
    let output = isospin(&["verify", "--safety", "--shortest", &path]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("model.pml:4: xr violated: Thief(2) receives from a channel that Receiver(1) has to itself"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(1));
    let output = isospin(&["verify", "--safety", "--no-end-states", "--no-exclusive", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let output = isospin(&["spin", "-run", "-DXUSAFE", &path]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("partial order reduction invalid") && text.contains("errors: 0"), "{text}");
}
