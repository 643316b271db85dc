//! `isospin simulate`, `replay` and `show` from the outside.

mod support;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use support::{command, isospin};

/// Two processes that talk, and print.
const TALK: &str = "mtype = { ask, answer };
chan q = [1] of { mtype, byte };
chan r = [0] of { mtype };
byte served;
active proctype Client() { q!ask,3; r?answer; printf(\"served %d\\n\", served) }
active proctype Server() { byte n; q?ask,n; served = n; r!answer }
";

/// Runs that differ by chance.
const RACE: &str = "byte x; active [3] proctype P() { x = x + 1; x = x * 2; printf(\"%d %d\\n\", _pid, x) }";

/// The same, with lines to read.
fn isospin_reading(arguments: &[&str], input: &str) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runs_{name}"))
}

fn model(name: &str, text: &str) -> String {
    support::file(&format!("runs_{name}"), text)
}

#[test]
fn equal_seeds_give_equal_runs_and_seeds_matter() {
    let path = model("race.pml", RACE);
    let run = |seed: &str| stdout(&isospin(&["simulate", "-p", "-g", "--seed", seed, &path]));
    assert_eq!(run("7"), run("7"));
    assert!(
        (0..20)
            .any(|seed| run(&seed.to_string()).replace(&format!("seed {seed}"), "") != run("7").replace("seed 7", ""))
    );
    assert!(run("7").contains("x = "), "{}", run("7"));
}

#[test]
fn a_run_shows_what_the_model_prints_and_ends_well() {
    let output = isospin(&["simulate", "--seed", "1", &model("talk.pml", TALK)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("served 3"), "{}", stdout(&output));
}

#[test]
fn a_failed_assertion_ends_a_run_with_1() {
    let path = model("fails.pml", "byte x; active proctype P() { x = 2; assert(x == 1) }");
    let output = isospin(&["simulate", "-p", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("assertion violated"), "{}", stdout(&output));
}

#[test]
fn in_a_pipe_a_person_chooses_undoes_and_jumps() {
    let path = model("choices.pml", "byte x; active proctype P() { if :: x = 1 :: x = 2 fi; x = x + 10 }");
    let output = isospin_reading(&["simulate", "--interactive", "-g", &path], "2\ns\nu\n1\n\nj 0\nx = 2\n\ns\nq\n");
    let text = stdout(&output);
    assert!(output.status.success(), "{text}");
    let position = |part: &str| text.find(part).unwrap_or_else(|| panic!("no `{part}` in\n{text}"));
    assert!(position("x = 2") < position("back after step 0"));
    assert!(position("x = 11") < position("x = 12"), "{text}");
}

#[test]
fn a_number_that_is_no_choice_is_said_to_be_none() {
    let path = model("one.pml", "active proctype P() { skip }");
    let text = stdout(&isospin_reading(&["simulate", "--interactive", &path], "9\nno such text\nq\n"));
    assert!(text.contains("there is no choice 9") && text.contains("no choice contains `no such text`"), "{text}");
}

#[test]
fn a_chart_is_a_picture_with_every_message() {
    let (path, chart) = (model("chart.pml", TALK), file("chart.svg").display().to_string());
    let output = isospin(&["simulate", "--seed", "1", "--msc", &chart, &path]);
    assert!(output.status.success());
    let svg = std::fs::read_to_string(&chart).expect("it was written");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{svg}");
    for part in ["Client", "Server", "ask", "answer", "</svg>"] {
        assert!(svg.contains(part), "no {part} in {svg}");
    }
    let text = stdout(&isospin(&["simulate", "--seed", "1", "--msc", "-", &path]));
    assert!(text.contains("Client") && text.contains("ask"), "{text}");
}

#[test]
fn json_lines_tell_start_steps_and_end() {
    let output = isospin(&["simulate", "--seed", "1", "--json", &model("lines.pml", TALK)]);
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    assert!(lines.len() > 6, "{lines:?}");
    assert_eq!(lines[0]["schema"], "isospin.run/1");
    assert!(lines.iter().any(|line| line.to_string().contains("served 3")));
    assert!(lines.last().is_some_and(|line| line.to_string().contains("valid-end-state")), "{lines:?}");
}

#[test]
fn columns_show_messages_by_process() {
    let text = stdout(&isospin(&["simulate", "--seed", "1", "--columns", &model("columns.pml", TALK)]));
    assert!(text.contains("q!ask,3") && text.contains("q?ask,3"), "{text}");
    let sent = text.lines().find(|line| line.contains("q!ask,3")).and_then(|line| line.find("q!"));
    let received = text.lines().find(|line| line.contains("q?ask,3")).and_then(|line| line.find("q?"));
    assert_ne!(sent, received, "{text}");
}

#[test]
fn a_kept_run_replays_and_a_damaged_one_does_not() {
    let (path, trace) = (model("kept.pml", TALK), file("kept.json").display().to_string());
    assert!(isospin(&["simulate", "--seed", "4", "--save", &trace, &path]).status.success());
    let replay = isospin(&["replay", "-p", &path, &trace]);
    assert_eq!(replay.status.code(), Some(0), "{}", stdout(&replay));
    assert!(stdout(&replay).contains("confirmed: valid-end-state"), "{}", stdout(&replay));

    let elsewhere = Command::new(env!("CARGO_BIN_EXE_isospin"))
        .args(["replay", "runs_kept.pml", "runs_kept.json"])
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("it starts");
    assert_eq!(elsewhere.status.code(), Some(0), "{}", String::from_utf8_lossy(&elsewhere.stderr));

    let good = std::fs::read_to_string(&trace).expect("it was written");
    let document: Value = serde_json::from_str(&good).expect("it is JSON");
    let mut shorter = document.clone();
    shorter["steps"].as_array_mut().expect("a list").remove(1);
    let mut elsewhere = document.clone();
    elsewhere["steps"][0]["pid"] = Value::from(7);
    for damaged in [good[..good.len() / 2].to_string(), "{}".into(), shorter.to_string(), elsewhere.to_string()] {
        let trace = file("damaged.json").display().to_string();
        std::fs::write(&trace, damaged).expect("it can be written");
        let replay = isospin(&["replay", &path, &trace]);
        assert_eq!(replay.status.code(), Some(2), "{}", stdout(&replay));
        assert!(!replay.stderr.is_empty());
    }
}

/// What a search was told not to check is passed over again when its counterexample is executed, here by a cycle behind it.
#[test]
fn what_was_not_checked_is_not_checked_again() {
    let passes = "byte x; active proctype P() { x = 1; assert(x == 0); do :: x = 3 - x od }
        ltl never_three { [] <> (x == 3) }";
    let shares = "chan q = [1] of { byte }; byte x; active proctype Owner() { xs q; x == 3 }
        active proctype P() { q!1; do :: x = 1 - x od } ltl never_three { <> (x == 3) }";
    for (name, text, option) in [("passes", passes, "--no-assertions"), ("shares", shares, "--no-exclusive")] {
        let path = model(&format!("{name}.pml"), text);
        let trace = file(&format!("{name}.json")).display().to_string();
        let verified = isospin(&["verify", "--property", "never_three", option, "--trace", &trace, &path]);
        assert_eq!(verified.status.code(), Some(1), "{name}: {}", stdout(&verified));
        let replayed = isospin(&["replay", &path, &trace]);
        assert!(replayed.status.success(), "{name}: {}", String::from_utf8_lossy(&replayed.stderr));
        let simulated = isospin(&["simulate", "--trace", &trace, &path]);
        assert!(!stdout(&simulated).contains("assertion violated"), "{name}: {}", stdout(&simulated));
    }
}

#[test]
fn a_trace_of_another_text_is_refused() {
    let (path, trace) = (model("before.pml", TALK), file("before.json").display().to_string());
    assert!(isospin(&["simulate", "--seed", "4", "--save", &trace, &path]).status.success());
    let other = model("after.pml", &TALK.replace("served = n", "served = n + 1"));
    let replay = isospin(&["replay", &other, &trace]);
    assert_eq!(replay.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&replay.stderr).contains("another text"));
}

#[test]
fn automata_are_shown_as_text_dot_and_svg() {
    let path = model("automata.pml", TALK);
    let text = stdout(&isospin(&["show", "--automata", &path]));
    assert!(text.contains("Client") && text.contains("q!ask,3"), "{text}");
    assert!(stdout(&isospin(&["show", "--automata=dot", &path])).contains("digraph"));
    assert!(stdout(&isospin(&["show", "--automata=svg", &path])).contains("</svg>"));
}

#[test]
fn the_machine_is_shown_as_text_that_can_be_read_back() {
    let path = model("machine.pml", TALK);
    let text = stdout(&isospin(&["show", "--machine", &path]));
    let machine = machine::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(machine::text::write(&machine), text);
    assert_eq!(machine.definitions.len(), 2);
}

#[test]
fn slots_are_shown_with_what_edges_read_and_write() {
    let text = "byte x; byte flag[2]; chan q = [1] of { byte };
        active [2] proctype P() { flag[_pid] = 1; flag[1 - _pid] == 0 -> q!x }";
    let shown = stdout(&isospin(&["show", "--slots", &model("slots.pml", text)]));
    let after = |line: &str| {
        let mut lines = shown.lines().skip_while(|each| !each.contains(line)).skip(1);
        [lines.next().unwrap_or("").trim().to_owned(), lines.next().unwrap_or("").trim().to_owned()]
    };
    assert!(shown.contains(" P[1]@\n") && shown.contains(" q message 0 field 0\n"), "{shown}");
    assert_eq!(after("flag[_pid] = 1"), ["reads  P[0]@", "writes P[0]@, flag[0]"], "{shown}");
    assert_eq!(after("((flag[(1-_pid)]==0))"), ["reads  P[0]@, flag[1]", "writes P[0]@"], "{shown}");
    let sent = ["reads  P[0]@, len(q), messages of q", "writes P[0]@, len(q), messages of q"];
    assert_eq!(after("q!x"), sent, "{shown}");
    let endless = model("endless.pml", "proctype P() { do :: run P() od } init { run P() }");
    let refused = isospin(&["show", "--slots", &endless]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no process is created any more"));
}

/// One statement, several processes to choose: what the trace says it did decides which one is meant.
#[test]
fn a_choice_of_any_process_replays() {
    let text = "byte served; proctype Server() { end: (served > 9) }
        proctype Client() { ref Server one, other; one = anyRef(Server); other = anyRef(Server); assert(one == other) }
        init { atomic { run Server(); run Server(); run Client() } }";
    let path = model("any.pml", text);
    let trace = file("any.json").display().to_string();
    let verified = isospin(&["verify", "--safety", "--trace", &trace, &path]);
    assert_eq!(verified.status.code(), Some(1), "{}", stdout(&verified));
    let replayed = isospin(&["replay", &path, &trace]);
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
}
