//! `isospin verify --ctl`: verdicts, evidence, exit codes, messages.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

const MODEL: &str = "\
byte x;
bit stuck;
active proctype P() {
	do
	:: atomic { x < 3 -> x++ }
	:: atomic { x > 0 && !stuck -> x = 0 }
	:: atomic { x == 3 -> stuck = 1 }
	od
}
";

struct Case(PathBuf);

impl Case {
    fn new(name: &str, model: &str) -> Case {
        let directory = std::env::temp_dir().join(format!("isospin-ctl-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("there is room");
        std::fs::write(directory.join("m.pml"), model).expect("there is room");
        Case(directory)
    }

    fn isospin(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isospin"));
        command.args(arguments).current_dir(&self.0).output().expect("it starts")
    }

    /// The JSON result of one formula, and the exit code.
    fn verify(&self, formula: &str, more: &[&str]) -> (Value, Option<i32>) {
        let mut arguments = vec!["verify", "--json", "--property", "ctl_1", "--ctl", formula, "m.pml"];
        arguments.extend(more);
        let output = self.isospin(&arguments);
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{formula}: {}", String::from_utf8_lossy(&output.stderr)));
        (report["results"][0].clone(), output.status.code())
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_cannot_be_evaluated_is_neither_true_nor_false() {
    let case = Case::new("unanswered", "byte a[2]; byte k; active proctype P() { k = 1; k = 2 }");
    for engine in ["jit", "interpreter"] {
        let verdict = |formula: &str| {
            let (result, code) = case.verify(formula, &["--engine", engine]);
            (result["verdict"].as_str().unwrap_or_default().to_string(), code)
        };
        assert_eq!(verdict("AG (k < 2 -> a[k] == 0)"), ("holds".into(), Some(0)));
        assert_eq!(verdict("EF (k == 2 || a[k] == 1)"), ("holds".into(), Some(0)));
        for formula in ["AG a[k] == 0", "EF !(a[k] == 0)", "AF (k == 2 && a[k] == 0)"] {
            assert_eq!(verdict(formula), ("unknown".into(), Some(3)), "{formula}");
        }
    }
}

#[test]
fn verdicts_and_exit_codes_are_those_of_the_formula() {
    let case = Case::new("verdicts", MODEL);
    let expected = [
        ("EF stuck", true),
        ("AF stuck", false),
        ("AG EF x == 0", false),
        ("AG (!stuck -> EF x == 0)", true),
        ("AG (stuck -> AG stuck)", true),
        ("A[x < 4 W stuck]", true),
        ("E[x < 3 U stuck]", false),
        ("EG !stuck", true),
        ("AX x == 1", true),
        ("AG (x == 3 -> EX stuck)", true),
        ("AG (x == 3 -> AX stuck)", false),
        ("EF (x == 3 && EX EX stuck)", true),
        ("A[stuck R x < 4]", true),
    ];
    for (formula, holds) in expected {
        let (result, exit) = case.verify(formula, &[]);
        assert_eq!(result["verdict"], if holds { "holds" } else { "violated" }, "{formula}");
        assert_eq!(exit, Some(i32::from(!holds)), "{formula}");
        assert_eq!(result["evidence"]["holds"], holds, "{formula}");
        assert_eq!(result["violation"].is_null(), holds, "{formula}");
    }
}

#[test]
fn a_system_at_rest_stays_there_for_ever() {
    let case = Case::new("rest", "byte x; active proctype P() { x = 1 }");
    for (formula, verdict) in [("AF AG x == 1", "holds"), ("EG x == 1", "violated"), ("AG EX x < 2", "holds")] {
        assert_eq!(case.verify(formula, &[]).0["verdict"], verdict, "{formula}");
    }
}

#[test]
fn fairness_leaves_out_runs() {
    let model = "bit x, y; active proctype P() { do :: y = 1 - y od } active proctype Q() { x = 1 }";
    let case = Case::new("fair", model);
    assert_eq!(case.verify("AF x", &[]).0["verdict"], "violated");
    assert_eq!(case.verify("AF x", &["--fairness", "weak"]).0["verdict"], "holds");
    // Q can move again and again, not always: only strong fairness helps it.
    let model = "bit x, y; active proctype P() { do :: y = 1 - y od } active proctype Q() { y == 1 -> x = 1 }";
    let case = Case::new("strong", model);
    assert_eq!(case.verify("AF x", &["--fairness", "weak"]).0["verdict"], "violated");
    assert_eq!(case.verify("AF x", &["--fairness", "strong"]).0["verdict"], "holds");
    assert_eq!(case.verify("EF AG x", &["--fairness", "strong"]).0["verdict"], "holds");
}

#[test]
fn a_counterexample_is_a_tree_whose_branch_replays() {
    let case = Case::new("tree", MODEL);
    let (result, _) = case.verify("AG EF x == 0", &[]);
    let evidence = &result["evidence"];
    assert_eq!(evidence["because"], "run");
    let steps = evidence["steps"].as_array().expect("a run").len();
    let point = &evidence["points"][0];
    assert_eq!(point["after"], steps);
    assert_eq!(point["evidence"]["formula"], "EF (x == 0)");
    assert_eq!(point["evidence"]["because"], "every-run");
    assert_eq!(result["violation"]["kind"], "ctl");
    let trace = result["violation"]["trace"].as_str().expect("a trace file").to_string();
    let replay = case.isospin(&["replay", "m.pml", &trace]);
    assert_eq!(replay.status.code(), Some(0), "{}", String::from_utf8_lossy(&replay.stderr));
    assert!(String::from_utf8_lossy(&replay.stdout).contains("confirmed"));
    let text = case.isospin(&["verify", "--property", "ctl_1", "--ctl", "AG EF x == 0", "m.pml"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("EF (x == 0) does not hold: no run from here shows the contrary"), "{text}");
}

#[test]
fn mistakes_are_shown_in_the_formula() {
    let case = Case::new("mistakes", MODEL);
    let complaints = [
        ("AG (x == 1 &&)", "--ctl:1:14", "a formula is expected here"),
        ("AG EF y > 1", "--ctl:1:7", "`y`"),
        ("E[x == 1 U ", "--ctl:1:12", "a formula is expected here"),
        ("AG ([] x)", "--ctl:1", "linear temporal logic"),
    ];
    for (formula, place, message) in complaints {
        let output = case.isospin(&["verify", "--ctl", formula, "m.pml"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{formula}: {text}");
        assert!(text.contains(place) && text.contains(message), "{formula}: {text}");
    }
}

#[test]
fn symmetry_is_used_where_the_propositions_allow_it() {
    let model =
        "byte x; active [3] proctype P() { do :: atomic { x < 5 -> x++ }; skip :: atomic { x == 5 -> x = 0 } od }";
    let case = Case::new("symmetry", model);
    let (with, _) = case.verify("AG EF x == 0", &[]);
    let (without, _) = case.verify("AG EF x == 0", &["--symmetry", "off"]);
    assert_eq!((&with["verdict"], &without["verdict"]), (&"holds".into(), &"holds".into()));
    assert!(with["states"].as_u64() < without["states"].as_u64());
    assert_eq!(with["symmetry"]["order"], "6");
    // A run that was found up to symmetry is one of the model.
    let (violated, _) = case.verify("AG x < 5", &[]);
    assert_eq!(violated["verdict"], "violated");
    let trace = violated["violation"]["trace"].as_str().expect("a trace file").to_string();
    assert!(String::from_utf8_lossy(&case.isospin(&["replay", "m.pml", &trace]).stdout).contains("confirmed"));
}

#[test]
fn limits_make_it_unknown() {
    let case = Case::new("limits", MODEL);
    let (result, exit) = case.verify("AG x < 4", &["--max-states", "3"]);
    assert_eq!((result["verdict"].as_str(), exit), (Some("unknown"), Some(3)));
}
