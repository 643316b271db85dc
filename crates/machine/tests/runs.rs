//! Laws of runs, traces and replays, on small models that use what makes runs hard: atomic sequences, rendezvous, d_steps,
//! channels of processes, timeouts, run-time errors.

use machine::Machine;
use machine::interpret::{Failure, Interpreter};
use machine::random::Random;
use machine::replay::{Mismatch, Replay, Verdict};
use machine::simulate::{History, Run};
use machine::state::State;
use machine::trace::{
    End, EndKind, Extent, NoCounterexample, Origin, PathEnd, Trace, counterexample, counterexample_modulo,
};

const MODELS: [&str; 6] = [
    // A rendezvous hands control over inside an atomic.
    "chan q = [0] of { byte }; byte x;
     active proctype S() { atomic { q!1; q!2; x = 7 } }
     active proctype R() { byte v; atomic { q?v; x = v }; q?v; assert(x != 1) }",
    // Sorted sends, random and copying receives, messages lost from sight.
    "mtype = { red, green }; chan q = [3] of { mtype, byte };
     active proctype S() { byte i; do :: i < 4 -> q!!red(4 - i); i++ :: else -> break od }
     active proctype R() { mtype m; byte v; end: do :: q??<m, v> -> q??m, v :: q?red, 3 od }",
    // Processes with channels of their own, which die in order.
    "byte done; proctype W(chan c; byte n) { c!n; done++ }
     init { chan c = [1] of { byte }; byte v, i;
            do :: i < 3 -> run W(c, i); c?v; assert(v == i); i++ :: else -> break od; timeout -> printf(\"%d\\n\", done) }",
    // A d_step with a loop, and a division that goes wrong on some runs.
    "byte a = 3, b;
     active proctype P() { d_step { do :: b < 5 -> b++ :: else -> break od; a = a * 2 }; a = a / (b - 4 - _nr_pr + 1) }
     active proctype Q() { if :: b = 9 :: skip fi }",
    // Escapes and else.
    "bool stop; byte n;
     active proctype P() { { do :: n < 2 -> n++ :: else -> n = 0 od } unless { stop; printf(\"at %d\\n\", n) } }
     active proctype Q() { skip; skip; stop = true }",
    // Deadlock on most runs.
    "bit a, b;
     active proctype P() { atomic { !a -> a = 1 }; atomic { !b -> b = 1 }; a = 0; b = 0 }
     active proctype Q() { atomic { !b -> b = 1 }; atomic { !a -> a = 1 }; a = 0; b = 0 }",
];

fn machine(text: &str) -> Machine {
    let loaded = promela::load_text("m.pml", text, &promela::Options::default());
    machine::lower(&loaded.model.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics)))
}

/// A random run of at most 60 steps.
fn random_run(machine: &Machine, seed: u64) -> Run<'_> {
    let mut run = Run::new(machine, History::Keep).unwrap();
    let mut random = Random::new(seed);
    while run.length() < 60
        && run.failure().is_none()
        && let Some(choice) = run.pick(&mut random)
    {
        run.take(choice);
    }
    run
}

fn replayed(machine: &Machine, trace: &Trace) -> Result<Verdict, Mismatch> {
    let mut replay = Replay::new(machine, trace)?;
    while replay.step()?.is_some() {}
    Ok(replay.verdict())
}

#[test]
fn every_random_run_survives_json_and_replays_to_its_end() {
    let mut ends = Vec::new();
    for text in MODELS {
        let machine = machine(text);
        for seed in 0..40 {
            let run = random_run(&machine, seed);
            let end = run.end();
            ends.push(end.kind);
            let trace = run.into_trace(Origin::default(), end);
            let json = serde_json::to_string(&trace).unwrap();
            assert_eq!(serde_json::from_str::<Trace>(&json).unwrap(), trace);
            assert_eq!(replayed(&machine, &trace), Ok(Verdict::Confirmed { note: None }), "{text} seed {seed}");
        }
    }
    for kind in [EndKind::Assertion, EndKind::RuntimeError, EndKind::InvalidEndState, EndKind::ValidEndState] {
        assert!(ends.contains(&kind), "no run ends in {kind}");
    }
}

#[test]
fn a_trace_that_was_tampered_with_is_not_confirmed() {
    let machine = machine(MODELS[5]);
    let run =
        (0..).map(|seed| random_run(&machine, seed)).find(|run| run.end().kind == EndKind::InvalidEndState).unwrap();
    let end = run.end();
    let trace = run.into_trace(Origin::default(), end);

    let mut shorter = trace.clone();
    shorter.steps.pop();
    assert!(matches!(replayed(&machine, &shorter), Err(Mismatch::Final(_))));
    let mut other = trace.clone();
    other.steps[0].part.pid = 7;
    assert!(matches!(replayed(&machine, &other), Err(Mismatch::Impossible { number: 1, .. })));
    let mut lies = trace.clone();
    lies.steps[0].changes.clear();
    lies.steps[1].changes.clear();
    assert!(matches!(replayed(&machine, &lies), Err(Mismatch::Different { .. })));
    let mut boasts = trace;
    boasts.end.kind = EndKind::Assertion;
    assert!(matches!(replayed(&machine, &boasts), Ok(Verdict::NotConfirmed { .. })));
}

#[test]
fn a_step_taken_back_never_was() {
    for text in MODELS {
        let machine = machine(text);
        let mut run = random_run(&machine, 11);
        let mut forward = Run::new(&machine, History::Keep).unwrap();
        let mut random = Random::new(11);
        for _ in 0..run.length() / 2 {
            let choice = forward.pick(&mut random).unwrap();
            forward.take(choice);
        }
        run.back_to(forward.length());
        assert_eq!((run.length(), run.view(), run.steps()), (forward.length(), forward.view(), forward.steps()));
        assert_eq!(run.choices().len(), forward.choices().len());
    }
}

#[test]
fn the_steps_of_a_transition_lead_where_the_transition_does() {
    for text in MODELS {
        let machine = machine(text);
        let interpreter = Interpreter::new(&machine);
        for transition in interpreter.successors(&interpreter.initial().unwrap()).transitions {
            let mut run = Run::new(&machine, History::Record).unwrap();
            run.follow(&transition.steps).unwrap();
            assert_eq!(run.state(), &transition.target);
        }
    }
}

/// Stored states on a random way, as a search would hold them, and whether it ends where nothing can move.
fn random_path(machine: &Machine, seed: u64) -> (Vec<State>, PathEnd) {
    let interpreter = Interpreter::new(machine);
    let mut random = Random::new(seed);
    let mut states = vec![interpreter.initial().unwrap()];
    loop {
        let successors = interpreter.successors(states.last().unwrap());
        if let Some(Failure { error, .. }) = successors.errors.into_iter().next() {
            return (states, PathEnd::Fails(error));
        }
        if successors.is_final {
            return (states, PathEnd::Rests);
        }
        let next = successors.transitions[random.below(successors.transitions.len())].target.clone();
        if let Some(to) = states.iter().position(|state| *state == next) {
            let message = "goes round".to_string();
            return (states, PathEnd::Returns { to, kind: EndKind::NonProgressCycle, message });
        }
        states.push(next);
    }
}

#[test]
fn the_counterexample_of_every_path_replays_to_its_end() {
    let mut kinds = Vec::new();
    for text in MODELS {
        let machine = machine(text);
        for seed in 0..20 {
            let (states, end) = random_path(&machine, seed);
            let trace = counterexample(&machine, Origin::default(), &states, end).unwrap();
            kinds.push(trace.end.kind);
            assert_eq!(replayed(&machine, &trace), Ok(Verdict::Confirmed { note: None }), "{text} seed {seed}");
        }
    }
    for kind in [EndKind::Assertion, EndKind::InvalidEndState, EndKind::NonProgressCycle, EndKind::ValidEndState] {
        assert!(kinds.contains(&kind), "no path ends in {kind}");
    }
}

#[test]
fn a_cycle_of_representatives_is_followed_until_it_closes() {
    // Two equal processes take turns; modulo their exchange, one turn is already a cycle.
    let machine = machine(
        "byte turn = 1;
         proctype P() { do :: turn == _pid -> turn = 3 - _pid od }
         init { atomic { run P(); run P() } }",
    );
    let interpreter = Interpreter::new(&machine);
    let next = |state: &State| interpreter.successors(state).transitions[0].target.clone();
    // The processes started; init ended but is the oldest, so it stays at its end.
    let mut states = vec![interpreter.initial().unwrap()];
    for _ in 0..3 {
        states.push(next(states.last().unwrap()));
    }
    let turn = |state: &State| machine::show::Show::new(&machine).state(state).globals[0].value.clone();
    let waits = |state: &State| {
        let view = machine::show::Show::new(&machine).state(state);
        view.processes.iter().skip(1).map(|process| process.location).collect::<Vec<_>>()
    };
    // Equal up to exchanging processes 1 and 2: the one whose turn it is stands where the other one's would.
    let same = |real: &State, stored: &State| {
        let (mut ours, theirs) = (waits(real), waits(stored));
        if turn(real) != turn(stored) {
            ours.reverse();
        }
        ours == theirs && real.process_count() == stored.process_count()
    };
    let end = PathEnd::Returns { to: 1, kind: EndKind::NonProgressCycle, message: "goes round".to_string() };
    assert_eq!(
        counterexample(&machine, Origin::default(), &states[..3], end.clone()).err(),
        Some(NoCounterexample::NoTransition { index: 1 })
    );
    let trace = counterexample_modulo(&machine, Origin::default(), &states[..3], end, same).unwrap();
    assert_eq!(replayed(&machine, &trace), Ok(Verdict::Confirmed { note: None }));
    let cycle = &trace.steps[trace.cycle_start.unwrap()..];
    assert_eq!(cycle.iter().map(|step| step.part.pid).collect::<Vec<_>>(), [1, 1, 2, 2]);
}

#[test]
fn states_that_no_step_connects_are_refused() {
    let machine = machine("byte x; active proctype P() { x = 1; x = 2; x = 3 }");
    let (states, end) = random_path(&machine, 0);
    let leap = [states[0].clone(), states[2].clone()];
    let refusal = |states: &[State], end| counterexample(&machine, Origin::default(), states, end).err();
    assert_eq!(refusal(&leap, end.clone()), Some(NoCounterexample::NoTransition { index: 1 }));
    assert_eq!(refusal(&states[1..], end.clone()), Some(NoCounterexample::NoTransition { index: 0 }));
    assert_eq!(refusal(&[], end), Some(NoCounterexample::NoTransition { index: 0 }));
    assert_eq!(refusal(&states[..2], PathEnd::Rests), Some(NoCounterexample::CanMove));
}

#[test]
fn a_state_repeated_by_a_claim_needs_no_step() {
    let machine = machine("byte x; active proctype P() { x = 1 }");
    let (mut states, _) = random_path(&machine, 0);
    let last = states.last().unwrap().clone();
    states.push(last);
    let to = states.len() - 1;
    let end = PathEnd::Returns { to, kind: EndKind::AcceptanceCycle, message: "stays".to_string() };
    let trace = counterexample(&machine, Origin::default(), &states, end).unwrap();
    assert_eq!(trace.cycle_start, Some(trace.steps.len()));
    assert!(matches!(replayed(&machine, &trace), Ok(Verdict::Confirmed { note: Some(_) })));
    // To be at rest is no lack of progress.
    let lazy = Trace { end: End::new(EndKind::NonProgressCycle, "stays"), ..trace };
    assert!(matches!(replayed(&machine, &lazy), Ok(Verdict::NotConfirmed { .. })));
}

#[test]
fn the_text_of_a_trace_shows_its_last_steps_and_its_cycle() {
    let machine = machine("byte x; active proctype P() { do :: x = 1 - x od }");
    let (states, end) = random_path(&machine, 0);
    let trace = counterexample(&machine, Origin::default(), &states, end).unwrap();
    let step =
        |number: u32, value: u32| format!("  {number}:\tproc  0 (P) m.pml:1 (state 1)\t[x = (1-x)]\n\t\tx = {value}\n");
    assert_eq!(trace.text(Extent::All), format!("  <<<<<START OF CYCLE>>>>>\n{}{}", step(1, 1), step(2, 0)));
    assert_eq!(trace.text(Extent::Last(1)), format!("  (1 step before)\n{}", step(2, 0)));
}
