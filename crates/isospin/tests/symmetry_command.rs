//! `isospin symmetry` from the outside: groups, symmetries given by hand, pictures, and what stands in the way.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{file, isospin};

const STAR: &str = "
chan to[3] = [1] of { byte };
byte owner = 255;
proctype client(byte id) { do :: atomic { owner == 255 -> owner = id }; to[id]!id; to[id]?_; owner = 255 od }
init { atomic { run client(0); run client(1); run client(2) } }
";

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
    assert_eq!(scan.len(), 1, "one cause, one entry: {scan:?}");
    let own = breaks(
        "own_number.pml",
        "byte x;\nproctype p(byte prio) { do ::\nx = prio ::\nx = x / 2 od }\ninit { atomic { run p(1); run p(2); run p(3) } }",
    );
    assert!(
        own.iter().any(|each| {
            each.starts_with("3: ") && each.contains("1 by p[1], 2 by p[2], 3 by p[3]") && each.contains("priority")
        }),
        "{own:?}"
    );
    assert_eq!(own.len(), 1, "{own:?}");
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
    let sizes =
        breaks("sizes.pml", "byte x;\nactive [3] proctype p() { do ::\nx < _pid -> x = 1\n:: x > 0 -> x = 0 od }");
    assert!(sizes.iter().any(|each| each.starts_with("3: ") && each.contains("by size")), "{sizes:?}");
    let chosen = breaks(
        "chosen.pml",
        "chan c[3] = [1] of { byte };\nproctype p(byte id) { do :: c[id]!id :: c[id]?_ od }\ninit { atomic { run p(0); run p(1); run p(2) };\nc[1]!7 }",
    );
    assert!(chosen.iter().any(|each| each.starts_with("4: ") && each.contains("let it be chosen")), "{chosen:?}");
    let rounds = breaks(
        "rounds.pml",
        "bit f[3]; byte c;\nactive [3] proctype p() { byte j; do :: f[_pid] = 1 - f[_pid] :: c > 3 -> c = 0 :: d_step { c = 0; j = 0;\ndo :: j < 3 -> c = 2 * c + f[j]; j++ :: else -> break od; j = 0 } od }",
    );
    assert!(rounds.len() == 1 && rounds[0].contains("rounds of this loop do not commute: what `c` is"), "{rounds:?}");
    let sorted =
        breaks("sorted.pml", "chan q = [3] of { byte };\nactive [3] proctype p() { byte x; do ::\nq!!_pid :: q?x od }");
    assert!(sorted.len() == 1 && sorted[0].starts_with("3: ") && sorted[0].contains("`??`"), "{sorted:?}");
    let blocks = breaks(
        "blocks.pml",
        "chan c[3] = [1] of { bit };\nactive [3] proctype p() { do :: c[_pid]?_ od }\nactive proctype q() { do :: atomic {\nc[0]!1;\nc[1]!1;\nc[2]!1 } od }",
    );
    assert!(blocks.iter().any(|each| each.contains("wait inside of an `atomic`")), "{blocks:?}");
    let twice = breaks(
        "two_scans.pml",
        "chan c[3] = [2] of { bit };\nactive [3] proctype p() { c[_pid]?0; c[_pid]?1 }\nactive proctype q() { byte i;\nfor (i : 0 .. 2) {\nc[i]!0 }\nfor (i : 0 .. 2) {\nc[i]!1 } }",
    );
    for line in ["4: ", "6: "] {
        let found = twice.iter().find(|each| each.starts_with(line)).unwrap_or_else(|| panic!("{twice:?}"));
        assert!(found.contains("together with another place") && found.contains("d_step"), "{twice:?}");
    }
}

#[test]
fn examples_without_symmetry_get_a_reason_for_each_cause() {
    let example = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let found = json(&["symmetry", "--json", "--explain", "20s", &path.display().to_string()]);
        let list = found["broken_by"].as_array().unwrap().clone();
        let without = list[0]["order_without"].as_str().unwrap_or_default().to_string();
        (list.iter().map(|each| each["message"].as_str().unwrap().to_string()).collect::<Vec<_>>(), without)
    };
    let (bakery, order) = example("bakery.pml");
    assert_eq!((bakery.len(), order.as_str()), (3, "2"), "{bakery:?}");
    assert_eq!(bakery.iter().filter(|each| each.contains("`other` goes through")).count(), 2, "{bakery:?}");
    assert!(bakery.iter().any(|each| each.contains("compares by size")), "{bakery:?}");
    let (leader, order) = example("leader.pml");
    assert_eq!((leader.len(), order.as_str()), (2, "5"), "{leader:?}");
    let (ring, order) = example("token_ring.pml");
    assert_eq!((ring.len(), order.as_str()), (2, "6"), "{ring:?}");
    assert!(ring.iter().any(|each| each.contains("messages in link[0] from the start")), "{ring:?}");
}

#[test]
fn a_search_without_symmetry_names_the_command_that_says_why() {
    let notes = |name: &str, text: &str, more: &[&str]| {
        let report = json(&[&["verify", "--json", "--safety"], more, &[&file(name, text)]].concat());
        report["results"][0]["warnings"].to_string()
    };
    let ordered = "byte x; active [3] proctype p() { do :: x < _pid -> x = 1 :: x > 0 -> x = 0 od }";
    assert!(notes("ordered.pml", ordered, &[]).contains("no symmetry was found: `isospin symmetry` says"));
    assert!(!notes("ordered_off.pml", ordered, &["--symmetry", "off"]).contains("no symmetry"));
    let kept = "byte turn; byte n; active [2] proctype p() { byte who; do :: turn = _pid; who = turn; n = 1 - n; assert(who < 2) od }";
    let lost = notes("turn_kept.pml", kept, &["--dead", "off"]);
    assert!(lost.contains("a group of order 2 with dead variables set back (--dead on)"), "{lost}");
    assert!(!notes("alone.pml", "active proctype p() { skip }", &[]).contains("no symmetry"));
}

#[test]
fn the_state_graph_itself_can_be_asked() {
    let text = "bit x[2]; active [2] proctype p() { do :: x[_pid] = 1 - x[_pid] :: d_step { _pid == 1 && x[0] == 5 -> x[0] = 0 } od }";
    let model = file("oracle.pml", text);
    let (aut, dot) = (file("oracle.aut", ""), file("oracle.dot", ""));
    let found = json(&["symmetry", "--json", "--oracle", "--quotient", &aut, &model]);
    let oracle = &found["oracle"];
    assert_eq!((&oracle["order"], &oracle["proven"], &oracle["states"]), (&"2".into(), &"1".into(), &4.into()));
    assert_eq!(oracle["unproven"], Value::from(vec!["(p[0] p[1])"]));
    let cause = oracle["causes"][0].as_str().expect("a cause is named");
    assert!(cause.contains("oracle.pml:1:") && cause.ends_with("(without it: 2)"), "{cause}");
    let proven = file("proven.pml", "bit x[2]; active [2] proctype p() { do :: x[_pid] = 1 - x[_pid] od }");
    assert_eq!(json(&["symmetry", "--json", "--oracle", &proven])["oracle"]["causes"], Value::Array(Vec::new()));
    assert_eq!(std::fs::read_to_string(&aut).unwrap().lines().next(), Some("des (0, 4, 3)"));
    let output = isospin(&["symmetry", "--oracle", "--quotient", &dot, &model]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("it has 2 permutations of processes (S2); proven: 1"));
    assert!(std::fs::read_to_string(&dot).unwrap().starts_with("digraph"));
    assert_eq!(isospin(&["symmetry", "--oracle=3", &model]).status.code(), Some(2));
    assert_eq!(isospin(&["symmetry", "--oracle", "--quotient", "q.txt", &model]).status.code(), Some(2));
}

#[test]
fn each_property_is_reported_with_the_symmetries_that_keep_what_it_asks() {
    let text = "
bit flag[3]; byte up;
proctype p(byte id) { do :: atomic { !flag[id] -> flag[id] = 1; up++ } :: atomic { flag[id] -> flag[id] = 0; up-- } od }
init { atomic { run p(0); run p(1); run p(2) } }
ltl all { [] <> (up == 3) }
ltl first { [] <> flag[0] }
ltl unlike { [] (flag[0] -> <> flag[1]) }
ltl together { [] !(flag[0] && flag[1] && flag[2]) }
ltl two { [] <> ((flag[0] && flag[1]) || (flag[2] && flag[0]) || (flag[1] && flag[2])) }
ltl either { [] (flag[0] || flag[1]) }
";
    let model = file("properties.pml", text);
    let found = json(&["symmetry", "--json", &model]);
    assert_eq!(found["order"], "6");
    assert_eq!(found["explained"], true);
    assert_eq!(json(&["symmetry", "--json", "--explain", "0", &model])["explained"], false);
    let hurried = String::from_utf8(isospin(&["symmetry", "--explain", "0.000001", &model]).stdout).unwrap();
    assert!(hurried.contains("--explain DURATION allows more"), "{hurried}");
    let kept = |property: &str| {
        let properties = found["properties"].as_array().unwrap();
        let found = properties.iter().find(|each| each["property"] == property).unwrap();
        (found["order"].as_str().unwrap().to_string(), found["structure"].as_str().unwrap().to_string())
    };
    assert_eq!(kept("all"), ("6".into(), "S3".into()));
    assert_eq!(kept("first"), ("2".into(), "S2".into()));
    assert_eq!(kept("unlike"), ("1".into(), "1".into()));
    // Conditions that exchanging processes does not change, though it changes each of their parts.
    assert_eq!(kept("together"), ("6".into(), "S3".into()));
    assert_eq!(kept("two"), ("6".into(), "S3".into()));
    assert_eq!(kept("either"), ("2".into(), "S2".into()));
    // It is the group that a search for the property uses.
    for property in ["all", "first", "together", "two", "either"] {
        let report =
            json(&["verify", "--json", "--property", property, "--trace", &file("properties.json", ""), &model]);
        let used = report["results"][0]["symmetry"]["order"].as_str().map(str::to_string);
        assert_eq!(used, Some(kept(property).0), "{report}");
    }
    let output = String::from_utf8(isospin(&["symmetry", &model]).stdout).unwrap();
    assert!(output.contains("  all: 6 symmetries, S3\n") && output.contains("  unlike: no symmetry\n"), "{output}");
    assert!(json(&["symmetry", "--json", &file("no_properties.pml", STAR)]).get("properties").is_none());
}

/// A server's local that is 0 until it is set, where 0 is an id; one request of each client is wrong.
const SERVER: &str = "
chan ask = [1] of { byte };
chan say[3] = [1] of { bit };
byte served;
proctype client(byte id) { do :: ask!id; say[id]?_ od }
active proctype server() {
  byte who;
  do :: ask?who; served++; say[who]!1; assert(served < 9) od
}
init { atomic { run client(0); run client(1); run client(2) } }
";

#[test]
fn a_variable_that_is_set_before_it_is_read_breaks_nothing() {
    let model = file("server_first.pml", SERVER);
    let found = json(&["symmetry", "--json", &model]);
    assert_eq!((&found["order"], &found["order_dead_off"]), (&Value::from("6"), &Value::from("2")));
    assert_eq!(found["broken_by"], Value::Array(Vec::new()));
    let trace = file("server_first.json", "");
    let result = |more: &[&str]| {
        let report = json(&[&["verify", "--json", "--safety", "--trace", &trace], more, &[&model]].concat());
        let result = report["results"][0].clone();
        assert_eq!((&result["verdict"], &result["violation"]["kind"]), (&"violated".into(), &"assertion".into()));
        // What is found is a run of the model itself.
        let replay = isospin(&["replay", &model, &trace]);
        assert_eq!(replay.status.code(), Some(0), "{replay:?}");
        result["symmetry"]["order"].clone()
    };
    assert_eq!(result(&[]), "6");
    assert_eq!(result(&["--audit"]), "6");
    assert_eq!(result(&["--dead", "off"]), "2");
    assert_eq!(result(&["--reduce", "none", "--symmetry", "exact"]), "2");
    assert_eq!(result(&["--symmetry", "off"]), Value::Null);
}

#[test]
fn setting_back_and_symmetry_account_for_the_same_states() {
    let text = SERVER.replace("assert(served < 9)", "served = 0");
    let model = file("server_counted.pml", &text);
    let result = |more: &[&str]| {
        let all = ["verify", "--json", "--safety", "--por", "off", "--merge", "off"];
        json(&[&all, more, &[&model]].concat())["results"][0].clone()
    };
    for more in [&["--dead", "on"], &["--dead", "off"]] {
        let (reduced, whole) = (result(more), result(&[more, &["--symmetry", "off"][..]].concat()));
        assert_eq!(reduced["symmetry"]["represented"], whole["states"].to_string());
        assert!(reduced["states"].as_u64() < whole["states"].as_u64());
    }
}

#[test]
fn variables_that_name_somebody_only_together_are_found() {
    let text = "chan q = [1] of { byte }; active [3] proctype p() { do :: q!_pid od }
        active proctype s() { byte a, b, c; do :: q?a; if :: a == b -> c = b :: a == c -> b = c :: else -> b = a; c = a fi od }";
    let model = file("together.pml", text);
    let found = json(&["symmetry", "--json", &model]);
    assert_eq!(found["order"], "2");
    for (entry, name) in [(0, "b"), (1, "c")] {
        let message = found["broken_by"][entry]["message"].as_str().unwrap();
        let expected =
            format!("`{name}` starts with 0, which names one of the things that would be alike; together with");
        assert!(message.starts_with(&expected), "{message}");
    }
    assert_eq!(found["broken_by"][0]["order_without"], "6");
}

#[test]
fn references_to_processes_are_executed_and_symmetric() {
    let model =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/families/references.pml").display().to_string();
    assert_eq!(json(&["symmetry", "--json", &model])["order"], "4");
    let result = |more: &[&str]| {
        let all = ["verify", "--json", "--safety", "--reduce", "none"];
        json(&[&all, more, &[&model]].concat())["results"][0].clone()
    };
    let (whole, interpreted) =
        (result(&["--symmetry", "off"]), result(&["--symmetry", "off", "--engine", "interpreter"]));
    assert_eq!(whole["verdict"], "holds");
    assert_eq!(whole["states"], interpreted["states"]);
    assert_eq!(whole["transitions"], interpreted["transitions"]);
    let reduced = result(&["--symmetry", "exact"]);
    assert_eq!(reduced["symmetry"]["represented"], whole["states"].to_string());
    assert_eq!(reduced["symmetry"]["order"], "4");
}

#[test]
fn messages_that_are_there_from_the_start_are_named() {
    let text = "chan c[4] = [1] of { bit };
        proctype node(byte id) { do :: c[id]?_; c[(id + 1) % 4]!1 od }
        init { atomic { run node(0); run node(1); run node(2); run node(3); c[0]!1 } }";
    let model = file("token.pml", text);
    let found = json(&["symmetry", "--json", &model]);
    assert_eq!(found["order"], "1");
    assert_eq!(found["broken_by"][0]["message"], "there are messages in c[0] from the start");
    assert_eq!(found["broken_by"][0]["order_without"], "4");
}
