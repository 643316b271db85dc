//! Why processes cannot move, for each kind of reason.

use machine::lower;
use machine::simulate::{History, Run};
use promela::{Options, load_text};

/// Runs a model to its end, always by the first choice, and tells what waits.
fn at_the_end(text: &str) -> Vec<String> {
    let model = load_text("m.pml", text, &Options::default()).model.expect("it has no errors");
    let machine = lower(&model);
    let mut run = Run::new(&machine, History::Forget).expect("it has an initial state");
    while !run.choices().is_empty() {
        run.take(0);
    }
    let told = |waiting: machine::waiting::Waiting| {
        let obstacles = waiting.obstacles.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        format!("{}({}) line {}: {obstacles}", waiting.process, waiting.pid, waiting.place.line)
    };
    run.stuck().into_iter().map(told).collect()
}

#[test]
fn a_condition_is_false_for_its_values() {
    let text = "mtype = { red, green }; mtype light = red; byte a[2]; byte i = 1;\n\
        active proctype P() { light == green && a[i] > 3 }";
    assert_eq!(at_the_end(text), ["P(0) line 2: `light == green && a[i] > 3`: light = red, a[1] = 0, i = 1"]);
}

#[test]
fn macros_are_shown_as_they_are_written() {
    let text = "#define ready (x > 3)\nbyte x;\nactive proctype P() { ready }";
    assert_eq!(at_the_end(text), ["P(0) line 3: `ready`: x = 0"]);
}

#[test]
fn channels_are_full_empty_or_hold_something_else() {
    let text = "chan q = [1] of { byte, bool }; chan e = [2] of { byte };\n\
        active proctype P() { q!1,false; q!2,true }\n\
        active proctype Q() { (len(q) == 1); if :: q?2,_ :: q??_,true :: e?_ :: len(e) > 0 fi }";
    assert_eq!(
        at_the_end(text),
        [
            "P(0) line 2: `q!2,true`: `q` is full: [1,0]",
            "Q(1) line 3: `q?2,_`: the oldest message in `q` is 1,0; `q??_,true`: no message in `q` matches: [1,0]; \
             `e?_`: `e` is empty; `len(e) > 0`: `e` holds 0 of 2",
        ]
    );
}

#[test]
fn a_rendezvous_has_nobody_or_somebody_else_at_the_other_end() {
    let text = "chan r = [0] of { byte }; chan s = [0] of { byte };\n\
        active proctype P() { r!1 }\n\
        active proctype Q() { r?2 }\n\
        active proctype R() { s?_ }";
    assert_eq!(
        at_the_end(text),
        [
            "P(0) line 2: `r!1`: nobody at the other end of `r` matches: Q(1) is at `r?2`",
            "Q(1) line 3: `r?2`: nobody at the other end of `r` matches: P(0) is at `r!1`",
            "R(2) line 4: `s?_`: nobody is at the other end of `s`",
        ]
    );
}

#[test]
fn a_clause_keeps_a_process_and_younger_ones_keep_one_that_has_ended() {
    let text = "bool go;\n\
        active proctype P() { skip }\n\
        active proctype Q() provided (go) { skip }";
    assert_eq!(
        at_the_end(text),
        [
            "P(0) line 2: it has ended, and disappears after all younger processes",
            "Q(1) line 3: its `provided` clause is false: go = 0",
        ]
    );
}

#[test]
fn the_first_statements_of_a_d_step_count() {
    let text = "byte x;\nactive proctype P() { d_step { x > 0; x = 2 } }";
    assert_eq!(at_the_end(text), ["P(0) line 2: `x > 0`: x = 0"]);
}

#[test]
fn of_processes_that_can_move_nothing_is_said() {
    let text = "byte x; active proctype P() { do :: x = 1 - x od }\nactive proctype Q() { x == 5 }\nactive proctype R() { timeout }";
    let model = load_text("m.pml", text, &Options::default()).model.expect("it has no errors");
    let machine = lower(&model);
    let run = Run::new(&machine, History::Forget).expect("it has an initial state");
    assert!(run.stuck().is_empty());
    let told: Vec<String> = run.waiting().iter().flat_map(|each| &each.obstacles).map(ToString::to_string).collect();
    assert_eq!(told, ["`x == 5`: x = 0", "`timeout`: another process can move"]);
}
