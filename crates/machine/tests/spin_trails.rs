//! Runs that SPIN 6.5.2 found are runs of ours: its trails, with and without statement merging, and what `spin -t -p` prints.

use machine::Machine;
use machine::spin::{self, Body, Followed, Numbering, SpinRun};
use machine::trace::EndKind;

const RENDEZVOUS: &str = "\
chan q = [0] of { byte };
byte x;
active proctype S() { q!3; atomic { x++; x++ }; q!4 }
active proctype R() { byte v; do :: q?v -> x = v; assert(x != 4) od }
";

/// Of `spin -a`: the second increment is merged into the first.
const MERGED: &str = "-4:-4:-4\n1:0:0\n2:1:6\n3:1:7\n4:1:8\n5:0:1\n6:0:4\n7:1:6\n8:1:7\n9:1:8\n";

/// Of `spin -o1 -o2 -o3 -a`.
const PLAIN: &str = "1:0:0\n2:1:6\n3:1:7\n4:1:8\n5:0:1\n6:0:2\n7:0:4\n8:1:6\n9:1:7\n10:1:8\n";

const PRINTED: &str = "  1:	proc  0 (S:1) rendezvous.pml:3 (state 1)	[q!3]
  2:	proc  1 (R:1) rendezvous.pml:4 (state 1)	[q?v]
  3:	proc  1 (R:1) rendezvous.pml:4 (state 2)	[x = v]
  4:	proc  1 (R:1) rendezvous.pml:4 (state 3)	[assert((x!=4))]
  5:	proc  0 (S:1) rendezvous.pml:3 (state 2)	[x = (x+1)]
  6:	proc  0 (S:1) rendezvous.pml:3 (state 3)	[x = (x+1)]
  7:	proc  0 (S:1) rendezvous.pml:3 (state 5)	[q!4]
  8:	proc  1 (R:1) rendezvous.pml:4 (state 1)	[q?v]
  9:	proc  1 (R:1) rendezvous.pml:4 (state 2)	[x = v]
spin: rendezvous.pml:4, Error: assertion violated
spin: text of failed assertion: assert((x!=4))
 10:	proc  1 (R:1) rendezvous.pml:4 (state 3)	[assert((x!=4))]
spin: trail ends after 10 steps
#processes: 2
		x = 4
 10:	proc  1 (R:1) rendezvous.pml:4 (state 4)
 10:	proc  0 (S:1) rendezvous.pml:3 (state 6) <valid end state>
2 processes created
";

const LOOP: &str = "\
byte turn;
active [2] proctype P() {
	do
	:: turn == _pid -> turn = 1 - _pid
	:: turn != _pid -> progress: skip
	od
}
";

/// A cycle without progress, with the moves of the claim that looks for it.
const AROUND: &str = "-2:1:-2\n-4:-4:-4\n1:0:9997\n2:1:0\n-1:-1:-1\n3:0:9999\n4:1:1\n5:0:9999\n6:2:0\n7:0:9999\n8:2:1\n\
    9:0:9999\n10:1:0\n";

fn machine(text: &str) -> Machine {
    machine::lower(&promela::load_text("m.pml", text, &promela::Options::default()).model.unwrap())
}

fn followed<'m>(machine: &'m Machine, told: &SpinRun) -> Result<Followed<'m>, spin::Lost> {
    let bodies = vec![Body::Process; machine.definitions.len()];
    spin::follow(machine, &Numbering::new(machine, &bodies), told)
}

#[test]
fn a_trail_is_followed_whether_statements_were_merged_or_not() {
    let machine = machine(RENDEZVOUS);
    let runs =
        [spin::read_trail(MERGED).unwrap(), spin::read_trail(PLAIN).unwrap(), spin::read_listing(PRINTED).unwrap()];
    let mut statements = Vec::new();
    for told in &runs {
        let Followed { run, cycle } = followed(&machine, told).unwrap();
        assert_eq!((run.end().kind, cycle), (EndKind::Assertion, None));
        statements.push(run.steps().iter().map(|step| step.part.statement.clone()).collect::<Vec<_>>());
    }
    let expected = ["q!3", "x = v", "assert((x!=4))", "x = (x+1)", "x = (x+1)", "q!4", "x = v", "assert((x!=4))"]
        .map(String::from);
    assert_eq!(statements, vec![expected.to_vec(); 3]);
}

#[test]
fn a_jump_at_the_end_of_an_atomic_may_be_merged() {
    let plain = "byte t; active proctype p() { do :: atomic { t < 2 -> t++; goto L } :: else -> break; L: skip od; assert(false) }";
    // A label with a meaning stands on a `skip` before the jump, which SPIN numbers after it.
    let labelled = plain.replace("goto L", "end1: goto L");
    // Of `spin -a`, and of `spin -o3 -a`.
    for (text, merged, told) in [
        (
            plain,
            "-4:-4:-4\n1:0:0\n2:0:6\n3:0:0\n4:0:6\n5:0:4\n6:0:10\n",
            "1:0:0\n2:0:1\n3:0:2\n4:0:6\n5:0:0\n6:0:1\n7:0:2\n8:0:6\n9:0:4\n10:0:10\n",
        ),
        (
            &*labelled,
            "-4:-4:-4\n1:0:0\n2:0:3\n3:0:7\n4:0:0\n5:0:3\n6:0:7\n7:0:5\n8:0:11\n",
            "1:0:0\n2:0:1\n3:0:3\n4:0:2\n5:0:7\n6:0:0\n7:0:1\n8:0:3\n9:0:2\n10:0:7\n11:0:5\n12:0:11\n",
        ),
    ] {
        let machine = machine(text);
        let steps = |trail: &str| -> Vec<String> {
            let Followed { run, .. } = followed(&machine, &spin::read_trail(trail).unwrap()).unwrap();
            assert_eq!(run.end().kind, EndKind::Assertion, "{text}");
            run.steps().iter().map(|step| step.part.statement.clone()).collect()
        };
        let all = steps(told);
        assert_eq!(all.iter().filter(|statement| *statement == "goto L").count(), 2, "{all:?}");
        assert_eq!(steps(merged), all);
    }
}

#[test]
fn a_jump_whose_label_is_asked_about_is_numbered_where_that_is_first_done() {
    let machine = machine(
        "byte x; active proctype p() { x = 1; L: goto M; x = 2; M: x = 3; do :: x == 9 od }
        active proctype r() { x == 3; x == 5 }
        active proctype q() { x == 1; p@L; x = 5; p@L; assert(false) }",
    );
    // Of `spin -o3 -a`.
    let told = "1:0:0\n2:2:12\n3:2:14\n4:2:15\n5:2:16\n6:2:17\n";
    let run = followed(&machine, &spin::read_trail(told).unwrap()).unwrap().run;
    assert_eq!((run.end().kind, run.length()), (EndKind::Assertion, 6));
}

#[test]
fn a_cycle_closes_and_the_claim_that_looked_for_it_is_known() {
    let machine = machine(LOOP);
    let told = spin::read_trail(AROUND).unwrap();
    assert!(told.with_claim);
    let Followed { run, cycle } = followed(&machine, &told).unwrap();
    assert_eq!(cycle, Some((1, true)));
    assert_eq!(run.length(), 5);
}

#[test]
fn a_cycle_may_close_only_after_a_variable_that_spin_ignores_comes_round() {
    let machine = machine("byte count; active proctype P() { do :: count++ od }");
    let told = spin::read_trail("-4:-4:-4\n-1:-1:-1\n1:0:0\n").unwrap();
    assert_eq!(followed(&machine, &told).unwrap().cycle, Some((0, true)));
}

#[test]
fn a_trail_of_another_model_is_refused_with_its_line() {
    let machine = machine(LOOP);
    let lost = followed(&machine, &spin::read_trail(PLAIN).unwrap()).unwrap_err();
    assert_eq!((lost.line, lost.possible.len()), (2, 2));
}

#[test]
fn what_is_no_trail_is_not_read() {
    assert!(spin::read_trail("hello\n").is_err());
    assert!(spin::read_listing("hello\n").is_err());
}
