//! `cargo xtask random-liveness`: properties of infinite runs through SPIN and through isospin, with every reduction and several workers.
//!
//! First the models on record, of which SPIN must say what is on record; then random models with a formula, a never claim, accept or
//! progress labels. Each is verified without and with weak fairness, by each of a list of ways to search: all must say the same,
//! counterexamples must be confirmed when they are executed again, and SPIN must say the same too, without its own reductions. Where SPIN
//! reports a cycle that nobody else sees, its trail is followed and judged: see `refute`.

mod refute;

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use isospin::verify::{
    Cause, Engine, Fairness, Finding, Job, Limits, Options, Order, Properties, Strategy, Switch, Symmetry, Verdict,
    verify,
};
use machine::Machine;
use machine::claim::Subject;
use machine::id::Pid;
use machine::interpret::Interpreter;
use machine::replay::Replay;
use oracle::liveness::{self, Pair, Watched};
use oracle::reductions;
use oracle::spin::{Flags, Verifier};

use crate::random_models::{Request, for_each_seed};

/// Models with more states, times those of the claim, are left alone.
const STATES: u64 = 20_000;

/// Runs the pairs of `--count N` numbers from `--seed S` on.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let Request { count, seed, show, symmetry } = Request::read(arguments)?;
    if symmetry {
        return Err("unknown option --symmetry: every way to search is tried".into());
    }
    if show {
        liveness::pairs(seed).iter().for_each(|pair| println!("/* {:?} */\n{}", pair.property, pair.text));
        return Ok(());
    }
    compare(count, seed)
}

/// Asks SPIN about the models on record, then compares random ones.
pub fn compare(count: u64, seed: u64) -> Result<(), String> {
    let tally = Mutex::new(Tally::default());
    let recorded = liveness::recorded();
    for_each_seed(0..recorded.len() as u64, |index| {
        let model = &recorded[index as usize];
        for expectation in &model.expectations {
            let pair = Pair { text: model.text.clone(), property: expectation.property.clone() };
            let outcome = spin_says(&pair).map_or_else(Outcome::Skipped, |spin| {
                let holds = spin.each_ref().map(|answer| *answer == SpinSays::Holds);
                match holds == expectation.spin {
                    true => Outcome::Equal { violated: holds.contains(&false) },
                    false => Outcome::Different(format!("SPIN says {spin:?}, on record is {:?}", expectation.spin)),
                }
            });
            note(&tally, outcome, || format!("{} {:?}", model.name, pair.property));
        }
    });
    for_each_seed(seed..seed + count, |seed| {
        for pair in liveness::pairs(seed) {
            let outcome = examine(&pair, |fairness| ways(fairness, seed));
            note(&tally, outcome, || format!("seed {seed} {:?}\n{}", pair.property, pair.text));
        }
    });
    let tally = tally.into_inner().map_err(|_| "a worker failed".to_string())?;
    println!(
        "{} equal, {} of them violated; known mistakes of SPIN: {} with fair runs that it misses, {} with cycles that its own trail refutes; \
         {} different",
        tally.equal, tally.violated, tally.missed, tally.refuted, tally.different
    );
    for (reason, count) in &tally.skipped {
        println!("{count:>6} skipped: {reason}");
    }
    if tally.different > 0 { Err(format!("{} pairs differ", tally.different)) } else { Ok(()) }
}

#[derive(Default)]
struct Tally {
    equal: u64,
    violated: u64,
    missed: u64,
    refuted: u64,
    different: u64,
    skipped: BTreeMap<String, u64>,
}

enum Outcome {
    Equal {
        violated: bool,
    },
    /// With fairness, SPIN misses runs of models that can come to rest (its issue 38), and of some in which processes go round without changing
    /// anything (`fair_still.pml`). Ours was executed again and found fair and a violation; in a model that cannot come to rest, every process moves on
    /// its cycle, which is fair by any meaning of the word.
    Missed,
    /// SPIN reports a cycle, and the run of its trail is no violation.
    Refuted(String),
    Different(String),
    Skipped(String),
}

fn note(tally: &Mutex<Tally>, outcome: Outcome, pair: impl Fn() -> String) {
    match &outcome {
        Outcome::Different(difference) => println!("---- {difference}\n{}", pair()),
        Outcome::Refuted(reason) => {
            println!("{}: a mistake of SPIN, {reason}", pair().lines().next().unwrap_or_default());
        }
        _ => {}
    }
    // A poisoned lock means that another worker failed, which ends the run anyway.
    let Ok(mut tally) = tally.lock() else { return };
    match outcome {
        Outcome::Equal { violated } => {
            tally.equal += 1;
            tally.violated += u64::from(violated);
        }
        Outcome::Missed => tally.missed += 1,
        Outcome::Refuted(_) => tally.refuted += 1,
        Outcome::Different(_) => tally.different += 1,
        Outcome::Skipped(reason) => {
            let reason: String = reason.lines().next().unwrap_or_default().chars().take(70).collect();
            *tally.skipped.entry(reason).or_default() += 1;
        }
    }
}

/// What SPIN says of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
enum SpinSays {
    Holds,
    /// Violated by a cycle, or by a run that comes to rest, as the trail tells.
    Cycle {
        trail: String,
    },
    /// Violated by something else.
    Violated,
}

/// What SPIN calls runs without end.
const CYCLES: [&str; 3] = ["acceptance cycle", "non-progress cycle", "accept stutter"];

/// What SPIN says of a property without and with weak fairness.
fn spin_says(pair: &Pair) -> Result<[SpinSays; 2], String> {
    let flags = Flags { search: pair.property.search(), depth: 100_000, seconds: 20, ..Flags::default() };
    let verifier = Verifier::build(&pair.text, &flags).map_err(|refusal| refusal.to_string())?;
    let mut answers = [SpinSays::Holds, SpinSays::Holds];
    for (answer, more) in answers.iter_mut().zip([&[][..], &["-f"]]) {
        let report = verifier.run_with(more).map_err(|refusal| refusal.to_string())?;
        if report.truncated {
            return Err("SPIN's search was cut off".into());
        }
        let is_cycle = report.found.first().is_some_and(|error| CYCLES.contains(&error.message.as_str()));
        *answer = match (report.errors, verifier.trail().filter(|_| is_cycle)) {
            (0, _) => SpinSays::Holds,
            (_, Some(trail)) => SpinSays::Cycle { trail },
            (_, None) => SpinSays::Violated,
        };
    }
    Ok(answers)
}

/// Compares two ways to search, without reductions and with all, with SPIN. Known mistakes of SPIN are not comparable.
///
/// # Errors
/// What differs.
pub fn against_spin(pair: &Pair, seed: u64) -> Result<reductions::Outcome, String> {
    let few = |fairness| ways(fairness, seed).into_iter().filter(|(way, _)| FEW.contains(way)).collect();
    Ok(match examine(pair, few) {
        Outcome::Equal { violated } => reductions::Outcome::Equal { violated, symmetric: false },
        Outcome::Missed => reductions::Outcome::NotComparable("SPIN misses fair runs".into()),
        Outcome::Refuted(_) => reductions::Outcome::NotComparable("SPIN's own trail refutes it".into()),
        Outcome::Skipped(reason) => reductions::Outcome::NotComparable(format!("SPIN: {reason}")),
        Outcome::Different(difference) => return Err(difference),
    })
}

/// The ways that are enough where reductions are compared elsewhere.
const FEW: [&str; 2] = ["no reduction", "all reductions"];

fn examine(pair: &Pair, ways: impl Fn(Fairness) -> Vec<(&'static str, Options)>) -> Outcome {
    let loaded = promela::load_text("random.pml", &pair.text, &promela::Options::default());
    let Some(model) = loaded.model else {
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|each| each.is_error()).collect();
        return match spin_says(pair) {
            Ok(_) => Outcome::Different(format!("only we refuse it: {errors:?}")),
            Err(_) => Outcome::Skipped("both refuse it".into()),
        };
    };
    let machine = Arc::new(machine::lower(&model));
    let mut ours = Vec::new();
    for fairness in [Fairness::None, Fairness::Weak] {
        match one_voice(&machine, &pair.property, ways(fairness)) {
            Ok(Some(findings)) => ours.extend(findings.into_iter().next()),
            Ok(None) => return Outcome::Skipped("too large".into()),
            Err(difference) => return Outcome::Different(difference),
        }
    }
    if ours.iter().any(|finding| finding.met_error) {
        return Outcome::Skipped("runs end in an error".into());
    }
    let spin = match spin_says(pair) {
        Ok(spin) => spin,
        Err(reason) => return Outcome::Skipped(reason),
    };
    let holds: Vec<bool> = ours.iter().map(|finding| finding.verdict == Verdict::Holds).collect();
    let different = |why: &str| {
        let says = spin.each_ref().map(|answer| if *answer == SpinSays::Holds { "holds" } else { "violated" });
        Outcome::Different(format!("SPIN says {says:?} without and with fairness, isospin {holds:?}{why}"))
    };
    let mut outcome = Outcome::Equal { violated: holds.contains(&false) };
    for (way, fairness) in [Fairness::None, Fairness::Weak].into_iter().enumerate() {
        match (&spin[way], holds[way]) {
            (SpinSays::Holds, true) | (SpinSays::Cycle { .. } | SpinSays::Violated, false) => {}
            (SpinSays::Holds, false)
                if fairness == Fairness::Weak && (can_rest(&machine) || everybody_moves(&machine, &ours[way])) =>
            {
                outcome = Outcome::Missed;
            }
            (SpinSays::Cycle { trail }, true) => {
                let subject = subject_of(&pair.property, &machine);
                match refute::refute(&machine, &loaded.ast.units, subject, fairness, trail) {
                    Ok(reason) => outcome = Outcome::Refuted(format!("{fairness:?} fairness: {reason}")),
                    Err(reason) => return different(&format!("; {reason}")),
                }
            }
            _ => return different(""),
        }
    }
    outcome
}

/// The property as our claims name it; every model here has one formula or claim at most.
fn subject_of(property: &Watched, machine: &Machine) -> Subject {
    match property {
        Watched::Formula(name) => {
            let named = machine.ltl.iter().position(|property| *property.name == **name);
            Subject::Formula(named.unwrap_or_default())
        }
        Watched::Never => Subject::Never(0),
        Watched::Acceptance => Subject::Acceptance,
        Watched::Progress => Subject::NonProgress,
    }
}

/// Whether a counterexample goes round a cycle on which every process that exists takes a step of its own.
fn everybody_moves(machine: &Machine, finding: &Finding) -> bool {
    let Some(trace) = &finding.counterexample else { return false };
    let (Some(start), Ok(mut replay)) = (trace.cycle_start, Replay::new(machine, trace)) else { return false };
    while (replay.run().length() as usize) < start && matches!(replay.step(), Ok(Some(_))) {}
    let moves = |pid: Pid| trace.steps[start..].iter().any(|step| usize::from(step.part.pid) == pid.index());
    replay.run().length() as usize == start && replay.run().state().pids().all(moves)
}

/// Whether some state of a model has no successor.
fn can_rest(machine: &Machine) -> bool {
    let interpreter = Interpreter::new(machine);
    let Ok(initial) = interpreter.initial() else { return false };
    let mut known = HashSet::from([initial.bytes().to_vec()]);
    let mut waiting = vec![initial];
    while let Some(state) = waiting.pop() {
        let found = interpreter.successors(&state);
        if found.is_final {
            return true;
        }
        let targets = found.transitions.into_iter().map(|transition| transition.target);
        waiting.extend(targets.filter(|target| known.insert(target.bytes().to_vec())));
    }
    false
}

/// What the ways to search find about a property, the first of them without reductions, all with the same verdict; nothing if it is too large.
pub fn one_voice(
    machine: &Arc<Machine>,
    property: &Watched,
    ways: Vec<(&'static str, Options)>,
) -> Result<Option<Vec<Finding>>, String> {
    let mut findings: Vec<Finding> = Vec::new();
    for (way, options) in ways {
        let fairness = options.fairness;
        let name = property.reported_name(machine);
        let options = Options { properties: Properties::Named(vec![name]), ..options };
        let job = Job { machine: machine.clone(), ..Job::new((**machine).clone()) };
        let found = verify(&job, &options).map_err(|refusal| format!("{way}: {refusal}"))?;
        let finding = found.into_iter().next().ok_or("no finding")?;
        match &finding.verdict {
            Verdict::Unknown(Cause::States) => return Ok(None),
            // Every way has to meet an error in which runs end.
            Verdict::Unknown(_) if finding.met_error => {}
            Verdict::Unknown(cause) => return Err(format!("{fairness:?}, {way}: {}", isospin::report::reason(cause))),
            Verdict::Holds | Verdict::Violated => {}
        }
        let confirmed = finding.counterexample.as_ref().map_or(Ok(()), |trace| reductions::confirm(machine, trace));
        confirmed.map_err(|reason| format!("{fairness:?}, {way}: {reason}"))?;
        if let Some(first) = findings.first()
            && first.verdict != finding.verdict
        {
            return Err(format!(
                "{fairness:?}: {:?} without reductions, {:?} by {way}",
                first.verdict, finding.verdict
            ));
        }
        findings.push(finding);
    }
    Ok(Some(findings))
}

/// The ways to search; the first one without any reduction.
fn ways(fairness: Fairness, seed: u64) -> Vec<(&'static str, Options)> {
    let workers = |count: usize| NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN);
    let exact = Symmetry::Detect(Strategy::Exact);
    // Code is made for one way in eight: the rest is interpreted, which is quicker for models of this size.
    let engine = if seed.is_multiple_of(8) { Engine::Compiled } else { Engine::Interpreter };
    let plain = Options {
        fairness,
        engine,
        workers: NonZeroUsize::MIN,
        partial_order: Switch::Off,
        merging: Switch::Off,
        dead: Switch::Off,
        symmetry: Symmetry::Off,
        limits: Limits { states: Some(STATES), memory: 1 << 28, ..Limits::default() },
        ..Options::default()
    };
    let all =
        Options { partial_order: Switch::On, merging: Switch::On, dead: Switch::On, symmetry: exact, ..plain.clone() };
    vec![
        ("no reduction", plain.clone()),
        ("partial order", Options { partial_order: Switch::On, ..plain.clone() }),
        ("merging", Options { merging: Switch::On, ..plain.clone() }),
        ("partial order and merging", Options { partial_order: Switch::On, merging: Switch::On, ..plain.clone() }),
        ("dead variables", Options { dead: Switch::On, ..plain.clone() }),
        ("symmetry", Options { symmetry: exact, ..plain.clone() }),
        ("two workers", Options { workers: workers(2), ..plain.clone() }),
        ("shortest", Options { order: Order::BreadthFirst, ..plain }),
        ("all reductions", all.clone()),
        ("all reductions and four workers", Options { workers: workers(4), ..all }),
    ]
}
