//! `isospin spin` against SPIN itself: the same command lines, and reports that the same scripts can read.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Models by name, small enough for SPIN and `gcc` in a test.
const MODELS: &[(&str, &str)] = &[
    ("assertion", "byte x; active [2] proctype P() { x++; assert(x < 2) }"),
    (
        "channels",
        "byte x; chan q = [1] of { byte }; active [3] proctype P() { byte i; atomic { x = x + 1; i = x }; q!i; q?i; \
         if :: false -> x = 9 :: else fi }",
    ),
    ("deadlock", "chan q = [0] of { byte }; active proctype P() { q!1; q!2 } active proctype Q() { byte i; q?i }"),
    ("holds", "byte x; active proctype P() { do :: x < 5 -> x++ :: x == 5 -> break od } init { x = 0 }"),
    (
        "formulas",
        "bit x; active proctype P() { do :: x = 1 :: x = 0 od } ltl eventually { <> (x == 1) } ltl sane { [] (x < 2) }",
    ),
    ("steps", "byte x; chan q = [1] of { byte }; active proctype P() { x = 1; q!x; x = 2; x = 3 }"),
    ("fails", "byte x; chan q = [1] of { byte }; active proctype P() { x = 1; q!x; assert(x == 2) }"),
    (
        "hidden",
        "hidden int h; byte x; active proctype P() { do :: x < 5 -> if :: h = 1 :: h = 2 :: h = 3 fi; x = x + h :: else -> break od }
         active proctype Q() { byte y; do :: y < 4 -> y++ :: else -> break od }",
    ),
    // With its counter the model would have 2^32 times as many states.
    ("counter", "hidden int n; bool x; active proctype P() { do :: n++; x = !x od } ltl p { <> [] x }"),
    ("labels", "byte x; active proctype P() { do :: x < 3 -> x++ :: x > 0 -> accept: x-- od }"),
];

fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin").join(name);
    std::fs::create_dir_all(&directory).expect("it can be made");
    for (model, text) in MODELS {
        std::fs::write(directory.join(format!("{model}.pml")), text).expect("it can be written");
    }
    directory
}

fn run(program: &str, first: &[&str], line: &str, directory: &Path) -> Output {
    let words = line.split(' ').filter(|word| !word.is_empty());
    Command::new(program).args(first).args(words).current_dir(directory).output().expect("it starts")
}

fn ours(line: &str, directory: &Path) -> (String, Option<i32>) {
    let output = run(env!("CARGO_BIN_EXE_isospin"), &["spin"], line, directory);
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

fn theirs(line: &str, directory: &Path) -> String {
    String::from_utf8_lossy(&run("spin", &[], line, directory).stdout).into_owned()
}

/// The lines that scripts look for, without what differs by nature: the size of a vector, and times and memory.
fn essential(report: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in report.lines() {
        let is_count = ["states, stored", "states, matched", "transitions (=", "atomic steps"]
            .iter()
            .any(|key| line.contains(key));
        let is_search = [
            "never claim",
            "assertion violations",
            "cycle checks",
            "acceptance   cycles",
            "non-progress cycles",
            "invalid end states\t",
        ]
        .iter()
        .any(|key| line.trim_start().starts_with(key));
        let is_unreached = ["unreached in proctype", "unreached in init"].iter().any(|key| line.starts_with(key))
            || line.contains(", state ")
            || line.ends_with("states)");
        let is_said = line.starts_with("pan: wrote") || line.starts_with("Full statespace");
        if let Some(errors) = line.strip_prefix("State-vector ").and_then(|rest| rest.split_once("errors: ")) {
            lines.push(format!("errors: {}", errors.1));
        } else if is_count || is_search || is_unreached || is_said {
            lines.push(line.to_string());
        } else if let Some(error) = line.strip_prefix("pan:1: ") {
            lines.push(error.split(" (at depth").next().unwrap_or(error).to_string());
        }
    }
    lines
}

#[test]
fn without_reductions_reports_are_those_of_spin() {
    let (here, there) = (directory("ours"), directory("theirs"));
    for model in ["assertion", "channels", "deadlock", "holds", "hidden"] {
        let line = format!("-o1 -o2 -o3 -run -DSAFETY -DNOREDUCE -noclaim -c0 {model}.pml");
        let (report, code) = ours(&line, &here);
        let expected = theirs(&line, &there);
        // With -c0 SPIN writes no trail. And it lists statements that no process came to, isospin those that none executed.
        let comparable = |text: &str| -> Vec<String> {
            let dropped = |line: &String| {
                line.starts_with("pan: wrote") || line.contains(", state ") || line.ends_with("states)")
            };
            essential(text).into_iter().filter(|line| !dropped(line)).collect()
        };
        assert_eq!(comparable(&report), comparable(&expected), "{line}\n{report}\n{expected}");
        let listed = essential(&report);
        for unreached in essential(&expected).iter().filter(|line| line.contains(", state ")) {
            assert!(listed.contains(unreached), "{line}: {unreached}\n{report}");
        }
        let errors = expected.contains("errors: 0");
        assert_eq!(code, Some(i32::from(!errors)), "{line}");
    }
}

#[test]
fn verdicts_and_what_was_searched_for_are_those_of_spin() {
    let (here, there) = (directory("ours_verdicts"), directory("theirs_verdicts"));
    for line in [
        "-run assertion.pml",
        "-run deadlock.pml",
        "-run -E deadlock.pml",
        "-run -A assertion.pml",
        "-run formulas.pml",
        "-run -ltl sane formulas.pml",
        "-run -a labels.pml",
        "-run -noclaim hidden.pml",
        "-run counter.pml",
        "-run -DNOREDUCE counter.pml",
        "-search -noclaim formulas.pml",
    ] {
        let (report, _) = ours(line, &here);
        let expected = theirs(line, &there);
        let without_counts = |text: &str| -> Vec<String> {
            essential(text)
                .into_iter()
                .filter(|line| !line.contains("states") || line.contains("end states"))
                .filter(|line| !line.contains("transitions") && !line.contains("atomic") && !line.contains("unreached"))
                .filter(|line| !line.contains(", state "))
                // Here assertions count in every run: docs/differences/scope.pml.
                .map(|line| line.replace(" (if within scope of claim)", ""))
                .collect()
        };
        assert_eq!(without_counts(&report), without_counts(&expected), "{line}\n{report}\n{expected}");
    }
}

#[test]
fn spin_follows_our_trails_and_we_follow_its() {
    let here = directory("trails");
    for model in ["assertion", "deadlock"] {
        let (report, code) = ours(&format!("-o3 -run {model}.pml"), &here);
        assert_eq!(code, Some(1));
        assert!(report.contains(&format!("pan: wrote {model}.pml.trail")), "{report}");
        let (followed, code) = ours(&format!("-t -p -g {model}.pml"), &here);
        assert_eq!(code, Some(0), "{followed}");
        assert!(followed.contains("spin: trail ends after"), "{followed}");
        let by_spin = theirs(&format!("-t -p -g {model}.pml"), &here);
        let steps = |text: &str| text.lines().filter(|line| line.contains("proc ") && line.contains("\t[")).count();
        assert!(steps(&by_spin) > 1, "{by_spin}");
        assert_eq!(steps(&followed), steps(&by_spin), "{followed}\n{by_spin}");
        let _ = theirs(&format!("-run {model}.pml"), &here);
        let (followed, code) = ours(&format!("-t -p {model}.pml"), &here);
        assert_eq!(code, Some(0), "{followed}");
    }
    let (_, code) = ours("-run formulas.pml", &here);
    assert_eq!(code, Some(1));
    let (followed, code) = ours("-t -p formulas.pml", &here);
    assert_eq!(code, Some(0), "{followed}");
    assert!(followed.contains("START OF CYCLE"), "{followed}");
}

#[test]
fn a_generated_verifier_compiles_and_does_the_job() {
    let here = directory("generated");
    let (_, code) = ours("-a assertion.pml", &here);
    assert_eq!(code, Some(0));
    let compiled = Command::new("gcc")
        .args(["-Wall", "-Werror", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"])
        .current_dir(&here)
        .output();
    let compiled = compiled.expect("gcc starts");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(here.join("pan")).arg("-c0").current_dir(&here).output().expect("it starts");
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("cycle checks       \t- (disabled by -DSAFETY)"), "{report}");
    assert!(report.contains("pan:1: assertion violated (x<2)"), "{report}");
    let _ = std::fs::remove_file(here.join("pan.c"));
}

#[test]
fn simulations_and_formulas_are_understood() {
    let here = directory("simulations");
    let (text, code) = ours("-p -g -n3 -u40 holds.pml", &here);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("proc ") && text.contains("processes created"), "{text}");
    let output =
        Command::new(env!("CARGO_BIN_EXE_isospin")).args(["spin", "-f", "[] (p -> <> q)"]).output().expect("it starts");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("never"), "{output:?}");
    let (text, code) = ours("-V", &here);
    assert_eq!((text.starts_with("isospin Version"), code), (true, Some(0)));
    let (text, code) = ours("--help", &here);
    assert_eq!((text.contains("-run"), code), (true, Some(0)), "{text}");
}

/// Where there is nothing to draw lots for, line by line. isospin also tells its seed, and the statement that fails.
#[test]
fn a_simulation_is_told_as_spin_tells_it() {
    let here = directory("told");
    for line in ["-p -u3 steps.pml", "-p -s -r -u3 steps.pml", "-u2 steps.pml", "-p -s fails.pml", "fails.pml"] {
        let (text, code) = ours(line, &here);
        assert_eq!(code, Some(i32::from(line.contains("fails"))), "{line}: {text}");
        let comparable = |text: &str| -> Vec<String> {
            let left_out = |line: &&str| line.starts_with("seed used") || line.contains("[assert(");
            let place = |line: &str| line.split(" (state").next().unwrap_or(line).to_string();
            let last = text.lines().position(|line| line.starts_with("#processes")).unwrap_or(usize::MAX);
            let lines = text.lines().enumerate().filter(|(_, line)| !left_out(line));
            // A failed assertion has been passed here; there its process still stands before it.
            lines.map(|(index, line)| if index > last { place(line) } else { line.to_string() }).collect()
        };
        let expected = theirs(line, &here);
        assert_eq!(comparable(&text), comparable(&expected), "{line}\n{text}\n{expected}");
    }
    let (text, _) = ours("-h -n5 -u2 holds.pml", &here);
    assert!(text.ends_with("seed used: 5\n"), "{text}");
}

#[test]
fn formulas_and_claims_come_from_files() {
    let (here, there) = (directory("ours_files"), directory("theirs_files"));
    for place in [&here, &there] {
        std::fs::write(place.join("f.ltl"), "<> (x == 1)\nwhat follows is a remark\n").expect("it can be written");
        std::fs::write(place.join("claim.pml"), "never { do :: x == 1 -> break :: else od }")
            .expect("it can be written");
    }
    let (claim, code) = ours("-F f.ltl", &here);
    assert_eq!((claim.starts_with("never"), code), (true, Some(0)), "{claim}");
    for (line, model) in [("-N claim.pml -run", "labels"), ("-F f.ltl -run", "labels")] {
        let line = format!("{line} {model}.pml");
        let (report, code) = ours(&line, &here);
        let expected = theirs(&line, &there);
        assert_eq!(code, Some(1), "{line}: {report}");
        assert!(report.contains("errors: 1") && expected.contains("errors: 1"), "{line}\n{report}\n{expected}");
    }
    let (report, _) = ours("-N claim.pml -run labels.pml", &here);
    let claimed = |text: &str| text.lines().find(|line| line.starts_with("\tnever claim ")).map(str::to_string);
    assert_eq!(claimed(&report), claimed(&theirs("-N claim.pml -run labels.pml", &there)), "{report}");
}

/// SPIN does not call a search incomplete because of its store; the exit code and a note say that it is no proof.
#[test]
fn approximate_searches_are_reported_as_spin_reports_them() {
    let here = directory("approximate");
    for (line, kind) in [("-run -bitstate holds.pml", "Bit statespace"), ("-run -hc holds.pml", "Hash-Compact")] {
        let output = run(env!("CARGO_BIN_EXE_isospin"), &["spin"], line, &here);
        let (report, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(3), "{report}");
        assert!(report.contains(kind) && !report.contains("not completed") && !report.contains("error:"), "{report}");
        assert!(said.contains("no proof"), "{said}");
    }
}

#[test]
fn what_is_not_understood_gets_a_clear_answer() {
    let here = directory("refused");
    for (line, word) in [
        ("-Q holds.pml", "-Q"),
        ("-run -zap holds.pml", "-zap"),
        ("-run -DUNHEARD_OF holds.pml", "-DUNHEARD_OF"),
        ("-M holds.pml", "--msc"),
        ("-run -ltl nothing formulas.pml", "eventually, sane"),
        ("-run -l holds.pml", "progress"),
        ("-t holds.pml", "holds.pml.trail: verify"),
        ("-ltl sane -run formulas.pml", "behind -run"),
        ("-N nowhere.pml -run holds.pml", "nowhere.pml"),
        ("-d holds.pml", "show --automata"),
        ("-run -biterate holds.pml", "--swarm"),
        ("-run -link x.c holds.pml", "linked"),
        ("-run nowhere.pml", "nowhere.pml"),
        ("-run", "model"),
    ] {
        let output = run(env!("CARGO_BIN_EXE_isospin"), &["spin"], line, &here);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(word), "{line}: {said}");
        assert!(output.stdout.is_empty(), "{line}");
    }
}
