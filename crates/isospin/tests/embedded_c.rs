//! Embedded C from the outside: nothing runs unasked; what runs counts as SPIN counts.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{command, isospin};

const COUNTER: &str = "c_decl { int outside; }
c_track \"&outside\" \"sizeof(int)\"
byte x;
active [2] proctype P() {
  do
  :: c_expr { now.x < 3 } -> c_code { now.x++; outside += 2; printf(\"x is %d\\n\", now.x); }
  :: else -> break
  od;
  assert(c_expr { outside == 2 * now.x })
}
";

fn model(name: &str, text: &str) -> String {
    support::file(&format!("embedded_{name}"), text)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn without_leave_every_command_that_runs_a_model_refuses() {
    let path = model("refused.pml", COUNTER);
    for arguments in [&["verify", &path][..], &["simulate", &path], &["replay", &path, "--from-spin-output", &path]] {
        let output = isospin(arguments);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(
            arguments[0] == "replay" || (stderr.contains("embedded C") && stderr.contains("--allow-c")),
            "{stderr}"
        );
    }
    assert_eq!(isospin(&["check", &path]).status.code(), Some(0));
}

#[test]
fn engines_searches_and_stores_agree_with_spin() {
    // spin -o1 -o2 -o3 -a; cc -DSAFETY -DNOCLAIM -DNOREDUCE; pan -c0: crates/machine/tests/traps/code-16-counter.pml.
    let path = model("counted.pml", COUNTER);
    let mut counts = Vec::new();
    for options in [
        &["--reduce", "none"][..],
        &["--reduce", "none", "--engine", "interpreter"],
        &["--reduce", "none", "--search", "bfs", "--store", "plain"],
        &[],
    ] {
        let output =
            isospin(&[&["verify", "--allow-c", "--json", "--all-errors", "--safety"], options, &[&path]].concat());
        let report: Value = serde_json::from_str(&text(&output.stdout)).expect("a report and nothing else");
        let result = &report["results"][0];
        assert_eq!(result["verdict"], "holds", "{report}");
        assert_eq!(report["resources"]["workers"], 1);
        counts.push((result["states"].clone(), result["transitions"].clone()));
    }
    assert!(counts.iter().all(|each| *each == counts[0]), "{counts:?}");
}

#[test]
fn a_counterexample_replays_and_a_run_prints() {
    let path = model("wrong.pml", &COUNTER.replace("outside += 2", "outside += now.x == 3 ? 1 : 2"));
    let trace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded_wrong.json").display().to_string();
    let output = isospin(&["verify", "--allow-c", "--trace", &trace, &path]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(!text(&output.stdout).lines().any(|line| line.starts_with("x is")), "standard output is for the report");
    assert!(text(&output.stdout).contains("--allow-c"), "the advice how to go on runs the C, too");
    let replay = isospin(&["replay", "--allow-c", &path, &trace]);
    assert_eq!(replay.status.code(), Some(0), "{}{}", text(&replay.stdout), text(&replay.stderr));
    assert!(text(&replay.stdout).contains("x is 3"), "{}", text(&replay.stdout));
}

#[test]
fn c_that_does_not_compile_is_shown_with_the_models_lines() {
    let path = model("nonsense.pml", "byte x;\nactive proctype P() {\n  c_code {\n    now.y = 1;\n  }\n}\n");
    let output = isospin(&["verify", "--allow-c", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("nonsense.pml:4"), "{}", text(&output.stderr));
}

#[test]
fn without_a_compiler_the_message_says_so() {
    let path = model("alone.pml", COUNTER);
    let output = command(&["verify", "--allow-c", &path]).env("CC", "no-such-compiler").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no-such-compiler"), "{}", text(&output.stderr));
}

#[test]
fn nothing_is_left_behind() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded_temporary");
    std::fs::create_dir_all(&directory).expect("it can be made");
    let path = model("tidy.pml", COUNTER);
    let output = command(&["verify", "--allow-c", &path]).env("TMPDIR", &directory).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(directory.read_dir().expect("it is there").count(), 0);
}

#[test]
fn a_false_precondition_is_a_violation() {
    let path = model("precondition.pml", "byte x; active proctype P() { do :: c_code [now.x < 3] { now.x++; } od }");
    let trace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded_precondition.json").display().to_string();
    let output = isospin(&["verify", "--allow-c", "--json", "--trace", &trace, &path]);
    let report: Value = serde_json::from_str(&text(&output.stdout)).expect("a report");
    assert_eq!(report["results"][0]["violation"]["kind"], "runtime-error", "{report}");
    assert!(report["results"][0]["violation"]["message"].as_str().is_some_and(|text| text.contains("precondition")));
    assert!(isospin(&["replay", "--allow-c", &path, &trace]).status.success());
}

#[test]
#[cfg(unix)]
fn a_crash_names_the_model_and_keeps_its_signal() {
    use std::os::unix::process::ExitStatusExt as _;
    let wild = model("wild.pml", "active proctype P() { c_code { volatile int *p = 0; *p = 1; } }");
    for arguments in
        [&["verify", "--allow-c"][..], &["verify", "--allow-c", "--engine", "interpreter"], &["simulate", "--allow-c"]]
    {
        let output = isospin(&[arguments, &[&wild]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.signal(), Some(11), "{arguments:?}: {said}");
        assert!(said.contains("wild.pml: the program crashed"), "{said}");
    }
    let fine = model("no_crash.pml", COUNTER);
    let output = isospin(&["verify", "--allow-c", &fine]);
    assert!(!text(&output.stderr).contains("crashed"));
}
