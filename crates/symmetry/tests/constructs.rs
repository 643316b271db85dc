//! Symmetry through every construct of the language, by small models whose group is plain to see.

mod support;

use support::{check_all_states, machine_of_text};
use symmetry::detect::{Deaths, Detection, Options, detect};

fn detected(text: &str) -> Detection {
    let machine = machine_of_text(text);
    let detection = detect(&machine, &Options::default());
    assert!(detection.rejected.is_empty(), "{:?} in {text}", detection.rejected);
    if detection.entry.is_some() && !detection.shape.slots.is_empty() {
        check_all_states(&machine, &detection, 600, text);
    }
    detection
}

fn order(text: &str) -> u32 {
    detected(text).group.order().try_into().expect("a small group")
}

#[test]
fn processes_that_end_unnoticed_are_alike() {
    let detection = detected("byte n; active [3] proctype p() { n++; n-- }");
    assert_eq!(detection.group.order(), 6u32.into());
    assert_eq!(detection.deaths, Deaths::Ignored);
}

#[test]
fn processes_whose_end_is_noticed_are_fixed() {
    assert_eq!(order("byte n; active [3] proctype p() { n++; n--; (_nr_pr < 3) }"), 1);
    assert_eq!(order("byte n; active [3] proctype p() { do :: n++; n--; (_nr_pr < 4) od }"), 6);
}

#[test]
fn labels_of_others_are_seen_through_their_pids() {
    let body = "byte b; active [3] proctype p() { do :: b++; cs: b-- od }";
    let all = "active proctype m() { do :: assert(!(p[0]@cs && p[1]@cs) && !(p[0]@cs && p[2]@cs) && !(p[1]@cs && p[2]@cs)) od }";
    let two = "active proctype m() { do :: assert(!(p[0]@cs && p[1]@cs)) od }";
    let chosen =
        "active proctype m() { pid w = 9; do :: if :: w = 0 :: w = 1 :: w = 2 fi; assert(!p[w]@cs); w = 9 od }";
    assert_eq!(order(&format!("{body} {all}")), 6);
    assert_eq!(order(&format!("{body} {two}")), 2);
    assert_eq!(order(&format!("{body} {chosen}")), 6);
}

#[test]
fn variables_of_others_are_seen_through_their_pids() {
    let text = "byte b; active [3] proctype p() { byte x; do :: x = 1 - x; b++; b-- od }
                active proctype m() { pid w = 9; do :: if :: w = 0 :: w = 1 :: w = 2 fi; assert(p[w]:x < 2); w = 9 od }";
    assert_eq!(order(text), 6);
    assert_eq!(order(&text.replace("w = 2 fi", "w = 2; w = 9; w = 2 fi")), 2);
}

#[test]
fn escapes_come_first() {
    let text = |options: &str| {
        format!(
            "bit s[2]; active [2] proctype p() {{ {{ do :: s[_pid] = 1 - s[_pid] od }} unless {{ if {options} fi }} }}"
        )
    };
    assert_eq!(order(&text(":: s[0] && s[1] && s[_pid]")), 2);
    assert_eq!(order(&text(":: s[0]")), 1);
}

#[test]
fn provided_clauses_belong_to_their_process() {
    let own = "byte t = 9; active [3] proctype p() provided (t == 9 || t == _pid) { do :: t = _pid; t = 9 od }";
    assert_eq!(order(own), 6);
    assert_eq!(order(&own.replace("t == 9 ||", "t == 9 || t == 1 ||")), 2);
}

#[test]
fn sorting_fixes_the_names_in_messages() {
    let text = "chan q = [2] of { byte }; byte x; active [3] proctype p() { do :: q!_pid :: q?x -> x = 0 od }";
    // x starts as the name of process 0.
    assert_eq!(order(text), 2);
    assert_eq!(order(&text.replace("q!_pid", "q!!_pid")), 1);
}

#[test]
fn messages_that_match_may_be_anywhere() {
    let text = "chan q = [3] of { byte }; active [3] proctype p() { do :: q!_pid; q??eval(_pid) od }";
    assert_eq!(order(text), 6);
}

#[test]
fn channels_travel_in_messages() {
    let text = "chan hub = [2] of { chan };
        active [3] proctype client() { chan own = [1] of { bit }; do :: hub!own; own?_ od }
        active proctype server() { chan c; do :: atomic { hub?c; c!1 } od }";
    assert_eq!(order(text), 6);
}

#[test]
fn structures_are_symmetric_field_by_field() {
    let text = "typedef Node { byte owner = 9; bit flags[2] } Node node[3];
        active [3] proctype p() { do :: node[_pid].owner = _pid; node[_pid].flags[1] = 1 :: node[_pid].flags[1] = 0; node[_pid].owner = 9 od }";
    assert_eq!(order(text), 6);
}

#[test]
fn the_process_that_moved_last_is_a_name() {
    let text = "byte n; active [3] proctype p() { do :: n++; n-- :: (_last == _pid) -> n = 0 od }";
    // No process has moved yet is told as: process 0 has.
    assert_eq!(order(text), 2);
}

#[test]
fn priorities_tell_processes_apart() {
    let text = "byte n; active [2] proctype p() priority 3 { do :: n++; n-- od } active [2] proctype q() priority 2 { do :: n++; n-- od }";
    assert_eq!(order(text), 4);
    assert_eq!(order(&text.replace("priority 3", "priority 2")), 24);
}

#[test]
fn hidden_variables_are_no_part_of_states() {
    let text = "hidden byte h[3]; byte n; active [3] proctype p() { do :: n++; n--; h[_pid] = n od }";
    let machine = machine_of_text(text);
    assert_eq!(detect(&machine, &Options::default()).group.order(), 1u32.into());
}

#[test]
fn the_first_possible_alternative_of_a_deterministic_step_is_taken() {
    let text = |options: &str| {
        format!(
            "byte f[3]; active [3] proctype p() {{ do :: f[_pid] = 1 - f[_pid] :: d_step {{ if {options} :: else fi }} od }}"
        )
    };
    assert_eq!(order(&text(":: f[0] == 1 -> f[0] = 0 :: f[1] == 1 -> f[1] = 0 :: f[2] == 1 -> f[2] = 0")), 1);
    let exclusive = "byte w = 9; ".to_string()
        + &text(":: w == 0 -> f[0] = 0 :: w == 1 -> f[1] = 0 :: w == 2 -> f[2] = 0")
            .replace("do ::", "do :: w = _pid ::");
    assert_eq!(order(&exclusive), 6);
}

#[test]
fn waiting_for_all_others_is_alike() {
    assert_eq!(order("byte n; active [3] proctype p() { do :: n < 2 -> n++ :: timeout -> n = 0 od }"), 6);
}

#[test]
fn embedded_code_may_do_anything() {
    let text = "byte n; active [3] proctype p() { do :: n++; n-- :: c_code { now.n = 0; } od }";
    let detection = detected(text);
    assert!(detection.group.is_trivial());
    assert_eq!(detection.obstacles.len(), 1);
}

#[test]
fn conditions_of_a_property_are_preserved() {
    let text =
        "bit f[3]; active [3] proctype p() { do :: f[_pid] = 1 - f[_pid] od } never { do :: f[1] -> break :: else od }";
    let machine = machine_of_text(text);
    let all = detect(&machine, &Options::default());
    assert_eq!(all.group.order(), 6u32.into());
    let atom = machine.actions.iter().find_map(|action| match &action.kind {
        machine::action::ActionKind::Condition(expr) if &*action.text == "(f[1])" => Some(expr.clone()),
        _ => None,
    });
    let options = Options { preserve: vec![atom.expect("the claim's condition")], ..Options::default() };
    assert_eq!(detect(&machine, &options).group.order(), 2u32.into());
}
