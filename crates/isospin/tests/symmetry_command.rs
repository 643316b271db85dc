//! `isospin symmetry` from the outside: groups, symmetries given by hand, pictures, and what stands in the way.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const STAR: &str = "
chan to[3] = [1] of { byte };
byte owner = 255;
proctype client(byte id) { do :: atomic { owner == 255 -> owner = id }; to[id]!id; to[id]?_; owner = 255 od }
init { atomic { run client(0); run client(1); run client(2) } }
";

fn isospin(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isospin")).args(arguments).output().expect("the program starts")
}

fn file(name: &str, text: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("it can be written");
    path.display().to_string()
}

fn json(arguments: &[&str]) -> Value {
    let output = isospin(arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn symmetries_given_by_hand_are_used_alone() {
    let model = file("star_by_hand.pml", STAR);
    let by_hand = file("star_by_hand.txt", "# one exchange is enough\nclient[1] <-> client[2]\n");
    assert_eq!(json(&["symmetry", "--json", &model])["order"], "6");
    let found = json(&["symmetry", "--json", "--symmetry-file", &by_hand, &model]);
    assert_eq!(found["order"], "2");
    assert_eq!(found["generators"][0], "(client[1] client[2])(to[0] to[1])");
    let counts = |more: &[&str]| {
        let report = json(&[&["verify", "--json", "--safety", "--por", "off"], more, &[&model]].concat());
        (report["results"][0]["states"].as_u64().unwrap(), report["results"][0]["symmetry"]["order"].clone())
    };
    let (all, by_hand, none) = (counts(&[]), counts(&["--symmetry-file", &by_hand]), counts(&["--symmetry", "off"]));
    assert_eq!((all.1, by_hand.1), (Value::from("6"), Value::from("2")));
    assert!(all.0 < by_hand.0 && by_hand.0 < none.0, "{} < {} < {}", all.0, by_hand.0, none.0);
}

#[test]
fn what_is_no_symmetry_is_refused_with_its_place() {
    let model = file("star_refused.pml", STAR);
    for (text, place, reason) in [
        ("client[1] <-> init", ":1:1:", "no symmetry of the program takes"),
        ("\n(client[1] client[9])", ":2:12:", "the model has no `client[9]`"),
        ("(client[1] client[2])(to[0] to[2])", ":1:2:", "no symmetry of the program does all of this"),
        ("(client[1] client[2]", ":1:1:", "this cycle is not closed"),
    ] {
        let by_hand = file("star_refused.txt", text);
        for command in ["symmetry", "verify"] {
            let output = isospin(&[command, "--symmetry-file", &by_hand, &model]);
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(error.contains(place) && error.contains(reason), "{text}: {error}");
        }
    }
    let missing = isospin(&["verify", "--symmetry-file", "/nowhere", &model]);
    assert_eq!(missing.status.code(), Some(2));
    let off = isospin(&["verify", "--symmetry", "off", "--symmetry-file", &file("any.txt", ""), &model]);
    assert_eq!(off.status.code(), Some(2));
}

#[test]
fn what_is_alike_has_one_colour_in_pictures() {
    let model = file("star_drawn.pml", STAR);
    let (dot, svg) = (file("star.dot", ""), file("star.svg", ""));
    assert_eq!(isospin(&["symmetry", "--dot", &dot, "--svg", &svg, &model]).status.code(), Some(0));
    let text = std::fs::read_to_string(&dot).unwrap();
    let colour = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.contains(&format!("\"{name}\"")))
            .unwrap_or_else(|| panic!("{name} in {text}"));
        line.split("fillcolor=").nth(1).map(str::to_string)
    };
    assert_eq!(colour("client[1]"), colour("client[3]"));
    assert_ne!(colour("client[1]"), colour("to[0]"));
    assert!(colour("client[1]").is_some() && colour("owner").is_none());
    let text = std::fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg") && text.contains(">to[2]</text>"));
    let program = isospin(&["symmetry", "--dot", &dot, "--picture", "program", &model]);
    assert_eq!(program.status.code(), Some(0));
    assert!(std::fs::read_to_string(&dot).unwrap().contains("Assign"));
}

#[test]
fn habits_that_cost_symmetry_come_with_advice() {
    let breaks = |name: &str, text: &str| {
        let found = json(&["symmetry", "--json", &file(name, text)]);
        let list = found["broken_by"].as_array().unwrap().clone();
        list.iter()
            .map(|each| format!("{}: {} / {}", each["line"], each["message"], each["suggestion"]))
            .collect::<Vec<_>>()
    };
    let scan = breaks(
        "scan.pml",
        "bit flag[3];\nactive [3] proctype p() { byte i;\ndo :: flag[_pid] = 1; i = 0;\ndo :: i < 3 -> (i == _pid || !flag[i]);\ni++\n:: else -> break od; flag[_pid] = 0 od }",
    );
    assert!(
        scan.iter().any(|each| each.contains("goes through the indices of `flag`") && each.contains("d_step")),
        "{scan:?}"
    );
    let runs = breaks("runs.pml", "byte n;\nproctype p() { do :: n = 1 - n od }\ninit { run p();\nrun p() }");
    assert!(runs.iter().any(|each| each.starts_with("3: ") && each.contains("atomic")), "{runs:?}");
    let turn = breaks(
        "turn.pml",
        "byte turn;\nactive [3] proctype p() { do :: turn == _pid -> if :: turn = 0 :: turn = 1 :: turn = 2 fi od }",
    );
    assert!(turn.iter().any(|each| each.starts_with("1: ") && each.contains("`turn` starts with 0")), "{turn:?}");
    let unlike = breaks(
        "unlike.pml",
        "byte h[3] = { 1, 0, 0 };\nactive [3] proctype p() { do :: h[_pid] > 0 -> h[_pid]-- :: h[_pid] < 2 -> h[_pid] = 2 od }",
    );
    assert!(unlike.iter().any(|each| each.starts_with("1: ") && each.contains("different values")), "{unlike:?}");
    let literal =
        breaks("literal.pml", "byte x;\nactive [3] proctype p() { do :: x = 1 - x\n:: _pid == 2 -> x = 0 od }");
    assert!(literal.iter().any(|each| each.starts_with("3: ") && each.contains("only p[2]")), "{literal:?}");
}
