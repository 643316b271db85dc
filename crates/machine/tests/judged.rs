//! The second opinion on runs: what `claim::judge` says about every short run of a small model.
//!
//! A formula is evaluated directly; the never claim of its negation is an automaton that accepts a run or does not. On every run that goes round, both
//! opinions must be the same. What a claim may ask and change is checked beside it.

use std::collections::BTreeMap;
use std::sync::Arc;

use machine::Machine;
use machine::claim::{Judgement, Lasso, Subject, judge};
use machine::interpret::Interpreter;
use machine::state::{State, Storage};

/// Two bits that change in any way.
const SYSTEM: &str = "bit a, b; active proctype P() { do :: a = 1 - a :: b = 1 - b od }";

/// Formulas, each with the claim of its negation.
const PAIRS: [(&str, &str); 16] = [
    ("[] a", "T0: do :: true :: !a -> goto accept_all od; accept_all: do :: true od"),
    ("<> a", "accept_S: do :: !a od"),
    ("[] <> a", "T0: do :: true :: !a -> goto accept_S od; accept_S: do :: !a od"),
    ("<> [] a", "T0: if :: !a -> goto accept_S :: true -> goto T0 fi; accept_S: if :: true -> goto T0 fi"),
    ("[] (a -> <> b)", "T0: do :: true :: a && !b -> goto accept_S od; accept_S: do :: !b od"),
    // A mark that is met once does not count, whatever can be reached from it.
    ("true", "T0: do :: true :: goto accept_A od; accept_A: true; T2: do :: true od"),
    ("true", "accept_A: if :: a -> goto T1 :: !a -> goto T1 fi; T1: do :: true od"),
    // Sequences that are one step, and choices in them.
    ("[] a", "T0: do :: d_step { true } :: d_step { !a; skip } -> goto accept_all od; accept_all: do :: true od"),
    ("<> a", "accept_S: do :: atomic { !a; !a } od"),
    ("[] (a -> <> b)", "T0: do :: true :: atomic { a; !b -> goto accept_S } od; accept_S: do :: d_step { !b } od"),
    (
        "[] (a == b)",
        "T0: do :: true :: d_step { if :: a && !b -> skip :: !a && b -> skip fi } -> goto accept_all od; accept_all: do :: true od",
    ),
    (
        "[] (a == b)",
        "T0: do :: true :: atomic { if :: a -> !b :: !a -> b fi; goto accept_all } od; accept_all: do :: true od",
    ),
    // `else`, and a place from which there is no way on.
    (
        "[] <> a",
        "T0: do :: true :: !a -> goto accept_S od; accept_S: if :: a -> goto dead :: else -> goto accept_S fi; dead: false",
    ),
    // Variables of the claim's own.
    ("<> a", "accept_S: do :: atomic { !a; m = 1 - m; n[m] = 1 - n[m] } od"),
    (
        "!(<> [] a && a)",
        "T0: if :: atomic { a; m = 1; goto T1 } fi; T1: do :: true :: a && n[m] == 0 && m -> goto accept_S od; accept_S: do :: a od",
    ),
    // Two places where the claim can wait, one behind the other.
    (
        "!(<> (a && <> [] b))",
        "T0: do :: true :: a -> goto T1 od; T1: do :: true :: b -> goto accept_S od; accept_S: do :: b od",
    ),
];

fn read(text: &str) -> Arc<Machine> {
    let loaded = promela::load_text("m.pml", text, &promela::Options::default());
    Arc::new(machine::lower(&loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))))
}

/// The states of the system by the values of its two bits.
fn states(machine: &Machine) -> Vec<State> {
    let interpreter = Interpreter::new(machine);
    let mut all = BTreeMap::new();
    let mut waiting = vec![interpreter.initial().expect("it has one")];
    while let Some(state) = waiting.pop() {
        let value = |name: &str| {
            let cells = machine.layout.globals.cells.iter().position(|cells| cells.path[0].name.as_ref() == name);
            let cells = machine::id::CellsId(cells.expect("it is declared") as u32);
            state.read(&machine.layout, Storage::Global, cells, 0)
        };
        if all.insert((value("a"), value("b")), state.clone()).is_none() {
            waiting.extend(interpreter.successors(&state).transitions.into_iter().map(|each| each.target));
        }
    }
    assert_eq!(all.len(), 4);
    all.into_values().collect()
}

/// All words of so many letters, up to three.
fn words(letters: usize) -> Vec<Vec<usize>> {
    let longer = |words: &[Vec<usize>]| -> Vec<Vec<usize>> {
        words.iter().flat_map(|word| (0..letters).map(move |letter| [&word[..], &[letter]].concat())).collect()
    };
    let one = longer(&[Vec::new()]);
    let two = longer(&one);
    let three = longer(&two);
    [one, two, three].concat()
}

fn violates(machine: &Arc<Machine>, subject: Subject, states: &[State], cycle_start: Option<usize>) -> bool {
    judge(machine, subject, Lasso { states, cycle_start }).expect("there is a claim") == Judgement::Violation
}

#[test]
fn a_formula_and_the_claim_of_its_negation_judge_every_run_alike() {
    for (formula, never) in PAIRS {
        let by_formula = read(&format!("{SYSTEM} ltl p {{ {formula} }}"));
        let by_claim = read(&format!("bit n[2], m; {SYSTEM} never {{ {never} }}"));
        let (these, those) = (states(&by_formula), states(&by_claim));
        let mut violated = 0;
        for word in words(4) {
            let run = |states: &[State]| word.iter().map(|&letter| states[letter].clone()).collect::<Vec<_>>();
            for start in 0..word.len() {
                let one = violates(&by_formula, Subject::Formula(0), &run(&these), Some(start));
                let other = violates(&by_claim, Subject::Never(0), &run(&those), Some(start));
                assert_eq!(one, other, "{formula}: {word:?} from {start}");
                violated += usize::from(one);
            }
        }
        assert_eq!(violated == 0, formula == "true", "{formula}");
    }
}

#[test]
fn only_a_run_that_ends_may_end_where_an_atom_cannot_be_evaluated() {
    // `a[i]` fails where i is 2.
    let system = "bit a[2]; byte i; active proctype P() { do :: i = 2 :: i = 0 od }";
    let judged = |claim: &str, subject: Subject| {
        let machine = read(&format!("{system} {claim}"));
        let interpreter = Interpreter::new(&machine);
        let initial = interpreter.initial().expect("it has one");
        let mut targets = interpreter.successors(&initial).transitions.into_iter().map(|each| each.target);
        let failing = targets.find(|state| *state != initial).expect("i becomes 2");
        let opinion = |states: &[State], cycle_start| violates(&machine, subject, states, cycle_start);
        let both = [initial, failing];
        (opinion(&both, None), opinion(&both[..1], None), opinion(&both[..1], Some(0)), opinion(&both, Some(0)))
    };
    // The property holds again and again, so what fails in between makes no difference to a run that goes on.
    assert_eq!(judged("ltl p { [] <> (a[i] == 0) }", Subject::Formula(0)), (true, false, false, false));
    // The claim may be in a state that does not ask, and in one that does.
    let never = "never { T0: do :: true :: i == 0 -> goto T1 od; T1: do :: a[i] == 1 -> break od }";
    assert_eq!(judged(never, Subject::Never(0)), (true, false, false, false));
}

#[test]
fn a_claim_has_to_itself_what_nobody_else_uses() {
    let is_claim = |text: &str| Subject::Never(0).claim(&read(text)).is_ok();
    let never = "never { do :: n = 1 - n :: n == 1 -> break od }";
    assert!(is_claim(&format!("bit n, m; active proctype P() {{ m = 1 }} {never}")));
    // A local at the same place of its process as the claim's variable among the globals.
    assert!(is_claim(&format!("bit n; active proctype P() {{ bit x; x = 1; x == 1 }} {never}")));
    for user in ["n = 1", "n == 1", "assert(n == 0)", "m = n"] {
        assert!(!is_claim(&format!("bit n, m; active proctype P() {{ {user} }} {never}")), "{user}");
    }
    assert!(!is_claim(&format!("bit n; active proctype P() provided (n == 0) {{ skip }} {never}")));
    assert!(!is_claim(&format!("bit n; active proctype P() {{ bit x = n; skip }} {never}")));
}

#[test]
fn what_only_a_process_can_ask_is_refused() {
    for question in ["_pid == 0", "_priority == 1"] {
        let text = format!("bit x; active proctype P() {{ x = 1 }} never {{ do :: {question} -> break :: else od }}");
        let loaded = promela::load_text("m.pml", &text, &promela::Options::default());
        let claim = loaded.model.map(|model| Subject::Never(0).claim(&machine::lower(&model)).is_ok());
        assert_ne!(claim, Some(true), "{question}");
    }
}

#[test]
fn a_claim_begins_with_the_values_of_its_arrays_and_stays_inside_them() {
    // The claim comes to its end at once if the values are what they are declared to be.
    for (values, ends) in [("{ 1, 2, 3 }", true), ("{ 1, 0, 3 }", false), ("{ 1, 2, 0 }", false)] {
        let never = "never { n[0] = 1; n[1] == 2 && n[2] == 3 }";
        let machine =
            read(&format!("byte n[3] = {values}; bit x; active proctype P() {{ do :: x = 1 - x od }} {never}"));
        let initial = Interpreter::new(&machine).initial().expect("it has one");
        assert_eq!(violates(&machine, Subject::Never(0), &[initial.clone(), initial], None), ends, "{values}");
    }
    let is_claim = |index: &str| {
        let text = format!(
            "byte n[3], m; bit x; active proctype P() {{ x = 1 }} never {{ m = {index}; n[m] = 1; n[m] == 1 }}"
        );
        Subject::Never(0).claim(&read(&text)).is_ok()
    };
    assert!(is_claim("0") && is_claim("2") && !is_claim("3") && !is_claim("4"));
}

#[test]
fn a_run_that_goes_round_in_one_state_is_not_at_rest() {
    let violates_progress = |body: &str| {
        let machine = read(&format!("active proctype P() {{ {body} }} active proctype Q() {{ progress: false }}"));
        let mut state = Interpreter::new(&machine).initial().expect("it has one");
        // The second process stands at its label all the time, so it is put where there is none.
        let end = machine.definitions[1].automaton.end;
        state.set_location(&machine.layout, machine::id::Pid(1), end);
        violates(&machine, Subject::NonProgress, &[state], Some(0))
    };
    assert!(violates_progress("do :: skip od"));
}

#[test]
fn an_assertion_of_a_claim_fails_where_it_stands() {
    for body in ["assert(!a)", "d_step { assert(!a) }", "d_step { skip; assert(!a) }", "atomic { skip; assert(!a) }"] {
        let machine = read(&format!("{SYSTEM} never {{ {body}; do :: true od }}"));
        for (place, state) in states(&machine).into_iter().enumerate() {
            // The last two of the four states are those where a is 1.
            assert_eq!(violates(&machine, Subject::Never(0), &[state], None), place >= 2, "{body}: {place}");
        }
    }
}

#[test]
fn everything_that_a_model_claims_is_listed() {
    let subjects = |text: &str| Subject::all(&read(&format!("{SYSTEM} {text}")));
    assert_eq!(subjects("never { do :: a od }"), [Subject::Never(0)]);
    assert_eq!(subjects("ltl p { [] a } ltl q { <> b }"), [Subject::Formula(0), Subject::Formula(1)]);
    assert_eq!(subjects("active proctype Q() { accept: do :: a od }"), [Subject::Acceptance]);
    assert_eq!(subjects("active proctype Q() { progress: do :: a od }"), [Subject::NonProgress]);
}

#[test]
fn a_claim_that_asks_too_much_is_refused() {
    let asking = |count: u32| {
        let ways: Vec<String> = (0..count).map(|number| format!(":: a + b == {number} -> skip")).collect();
        Subject::Never(0).claim(&read(&format!("{SYSTEM} never {{ do {} od }}", ways.join(" ")))).is_ok()
    };
    assert!(asking(20) && !asking(80));
}
