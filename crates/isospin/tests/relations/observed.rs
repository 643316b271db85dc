//! What is observed of a model, step by step.

use serde_json::Value;

use crate::support::{file, isospin};

/// The maximal words of a model's events (up to some length), its internal steps left out.
fn words(name: &str, model: &str, options: &[&str]) -> Vec<String> {
    let path = file(&format!("observed/{name}.pml"), model);
    let output = isospin(&[&["lts", &path, "--json"], options].concat());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let mut found = Vec::new();
    follow(&document, document["initial"].as_u64().expect("a number"), Vec::new(), &mut Vec::new(), &mut found);
    found.sort();
    found.dedup();
    found
}

fn follow(document: &Value, state: u64, word: Vec<String>, path: &mut Vec<u64>, found: &mut Vec<String>) {
    let steps = document["transitions"].as_array().expect("a list").iter().filter(|step| step[0] == state);
    let steps: Vec<&Value> = steps.collect();
    if steps.is_empty() || path.contains(&state) {
        let end = if steps.is_empty() { "" } else { " ..." };
        found.push(word.join(" ") + end);
        return;
    }
    path.push(state);
    for step in steps {
        let mut next = word.clone();
        next.extend(step[1].as_str().map(str::to_string));
        follow(document, step[2].as_u64().expect("a number"), next, path, found);
    }
    path.pop();
}

#[test]
fn a_rendezvous_is_one_event_and_a_buffer_has_two() {
    let model = "chan a (extern A) = [0] of { byte, byte }; chan b (extern B) = [1] of { byte };
        active proctype P() { a!1,2; b!3 } active proctype Q() { byte x; a?x,_; b?x }";
    assert_eq!(words("both", model, &[]), ["A!1,2 B!3 B?3 √"]);
    assert_eq!(words("both", model, &["--no-end"]), ["A!1,2 B!3 B?3"]);
    assert_eq!(words("both", model, &["--hide-values", "A"]), ["A! B!3 B?3 √"]);
    let model = "chan b (extern B ?) = [1] of { byte }; init { byte x; b!3; b?<x>; b?x }";
    assert_eq!(words("receives", model, &[]), ["B?3 √"]);
    assert_eq!(words("receives", model, &["--observe", "b!=IN"]), ["IN!3 √"]);
}

#[test]
fn elements_of_arrays_and_variables_have_events_of_their_own() {
    let model = "mtype = { red, green }; chan q[2] = [1] of { mtype }; byte x[2]; mtype m = red; byte y;
        init { q[1]!green; q[1]?m; x[1] = 7; x[1] = 7; x[0] = x[1]; y = 1 }";
    assert_eq!(words("arrays", model, &["--observe", "q[*]!"]), ["q[1]!green √"]);
    assert_eq!(words("arrays", model, &["--observe", "q = OUT"]), ["OUT[1]!green OUT[1]?green √"]);
    assert_eq!(words("arrays", model, &["--observe", "x", "--observe", "m"]), ["m=green x[1]=7 x[0]=7 √"]);
    // One statement that shows two things shows one after the other.
    assert_eq!(words("arrays", model, &["--observe", "q?", "--observe", "m"]), ["q[1]?green m=green √"]);
}

#[test]
fn the_events_of_an_atomic_come_in_order_and_other_processes_between_only_where_it_waits() {
    let model = "chan a (extern A !) = [9] of { byte }; active proctype P() { atomic { a!1; skip; a!2; a!3 } } active proctype Q() { a!9 }";
    assert_eq!(words("atomic", model, &[]), ["A!1 A!2 A!3 A!9 √", "A!9 A!1 A!2 A!3 √"]);
    let waits = "chan a (extern A !) = [9] of { byte }; bool go; active proctype P() { atomic { a!1; go; a!2; a!3 } } active proctype Q() { a!8; go = true; a!9 }";
    let words = words("waits", waits, &[]);
    assert!(words.contains(&"A!1 A!8 A!2 A!3 A!9 √".to_string()), "{words:?}");
    assert!(
        words.contains(&"A!8 A!1 A!9 A!2 A!3 √".to_string()) || words.contains(&"A!1 A!8 A!9 A!2 A!3 √".to_string()),
        "{words:?}"
    );
    assert!(!words.iter().any(|word| word.contains("A!2 A!9")), "{words:?}");
}

#[test]
fn choices_inside_of_an_atomic_stay_where_they_are() {
    let late = "chan a (extern A) = [9] of { byte }; init { atomic { a!1; if :: a!2 :: a!3 fi } }";
    let early = "chan a (extern A) = [9] of { byte }; init { atomic { if :: a!1; a!2 :: a!1; a!3 fi } }";
    let (late, early) = (file("observed/late.pml", late), file("observed/early.pml", early));
    for (relation, code) in [("trace-equivalence", 0), ("failures-inclusion", 1)] {
        let output = isospin(&["relate", &early, &late, "--relation", relation]);
        assert_eq!(output.status.code(), Some(code), "{relation}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn a_d_step_shows_a_word() {
    let model = "chan a (extern A) = [2] of { byte }; byte x (extern X); active proctype P() { d_step { a!1; x = 1; x = 2; a?x } } active proctype Q() { x = 9 }";
    let words = words("d_step", model, &[]);
    assert!(words.contains(&"A!1 X=1 X=2 A?1 X=1 X=9 √".to_string()), "{words:?}");
    assert!(words.contains(&"X=9 A!1 X=1 X=2 A?1 X=1 √".to_string()), "{words:?}");
    assert_eq!(words.len(), 2, "{words:?}");
}

#[test]
fn ends_errors_deadlocks_and_divergence_are_told_apart() {
    assert_eq!(words("end", "init { skip }", &[]), ["√"]);
    assert_eq!(words("stuck", "init { false }", &[]), [""]);
    assert_eq!(words("error", "byte x (extern X); init { x = 1; assert(x == 2); x = 3 }", &[]), ["X=1 error"]);
    assert_eq!(words("index", "byte a[2]; byte i = 5; init { a[i] = 1 }", &[]), ["error"]);
    assert_eq!(words("busy", "init { do :: skip od }", &[]), [" ..."]);
    // An `atomic` that never ends is internal for ever; one with events is not.
    assert_eq!(words("endless", "bool b; init { atomic { do :: b = !b od } }", &[]), [" ..."]);
    assert_eq!(
        words("endless2", "byte b (extern B); init { atomic { do :: b = 1 - b od } }", &[]),
        ["B=1 B=0 B=1 ..."]
    );
}

#[test]
fn control_that_is_handed_on_in_a_rendezvous_is_followed() {
    let model = "chan r = [0] of { byte }; byte x (extern X); chan a (extern A) = [5] of { byte };
        active proctype P() { r!1; a!1 } active proctype Q() { atomic { r?x; a!2; x = 3 } }";
    assert_eq!(words("handed", model, &[]), ["X=1 A!2 X=3 A!1 √"]);
    let model = "chan r (extern R) = [0] of { byte }; byte x (extern X);
        active proctype P() { r!1 } active proctype Q() { byte y; d_step { r?y; x = y; x = 2 } }";
    assert_eq!(words("handed2", model, &[]), ["R!1 X=1 X=2 √"]);
}

#[test]
fn statements_can_be_labels() {
    assert_eq!(
        words("statements", "byte x; init { x = 1; assert(x) }", &["--labels", "statements"]),
        [":init:(0) x = 1 :init:(0) assert(x) :init:(0) -end- √"]
    );
}
