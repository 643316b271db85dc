//! `cargo xtask random-models --symmetry`: random models of equal processes, with symmetry and without.
//!
//! For each model the search without any reduction is compared with one modulo symmetry, in an order, with a store, a number of workers and
//! an engine that change from model to model: the verdict must be the same, a counterexample must be a run of the model, and
//! without partial order the orbits must add up to the states. One model in three is verified once more with labels and a property of its
//! infinite runs, with every kind of fairness, by one worker and by two.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use isospin::verify::{
    self, Engine, Errors, Fairness, Finding, Job, Limits, Options, Order, Properties, Store, Strategy, Switch,
    Symmetry, Verdict,
};
use oracle::liveness::Pair;
use oracle::symmetric;

use crate::random_liveness::one_voice;
use crate::random_models::for_each_seed;

/// Models with more states are left alone.
const STATES: u64 = 30_000;

/// Runs models from a seed on.
pub fn run(models: u64, seed: u64) -> Result<(), String> {
    let tally = Mutex::new(Tally::default());
    for_each_seed(seed..seed + models, |seed| {
        let outcome = compare(seed);
        if let Err(difference) = &outcome {
            println!("---- seed {seed}: {difference}\n{}", symmetric::model(seed));
        }
        let infinite = seed.is_multiple_of(3).then(|| compare_infinite(seed));
        if let Some(Err(difference)) = &infinite {
            let Pair { text, property } = symmetric::pair(seed);
            println!("---- seed {seed}, {property:?}: {difference}\n{text}");
        }
        // A poisoned lock means that another worker failed, which ends the run anyway.
        let Ok(mut tally) = tally.lock() else { return };
        tally.add(outcome);
        infinite.into_iter().for_each(|outcome| tally.add(outcome));
    });
    let tally = tally.into_inner().map_err(|_| "a worker failed".to_string())?;
    println!(
        "{} equal, {} of them violated, {} reduced by symmetry, {} too large, {} different",
        tally.equal, tally.violated, tally.reduced, tally.large, tally.different
    );
    if tally.different > 0 { Err(format!("{} models differ", tally.different)) } else { Ok(()) }
}

#[derive(Default)]
struct Tally {
    equal: u64,
    violated: u64,
    reduced: u64,
    large: u64,
    different: u64,
}

/// What a comparison came to when nothing differs.
pub enum Outcome {
    Equal { violated: bool, reduced: bool },
    TooLarge,
}

impl Tally {
    fn add(&mut self, outcome: Result<Outcome, String>) {
        match outcome {
            Ok(Outcome::Equal { violated, reduced }) => {
                self.equal += 1;
                self.violated += u64::from(violated);
                self.reduced += u64::from(reduced);
            }
            Ok(Outcome::TooLarge) => self.large += 1,
            Err(_) => self.different += 1,
        }
    }
}

/// Compares the searches of a model with and without symmetry.
pub fn compare(seed: u64) -> Result<Outcome, String> {
    let text = symmetric::model(seed);
    let loaded = promela::load_text("random.pml", &text, &promela::Options::default());
    let model = loaded.model.ok_or_else(|| format!("it is refused: {:?}", loaded.diagnostics))?;
    let machine = machine::lower(&model);
    // One bit of the seed decides whether a state without moves is an error, so that some models have none.
    let end_states = if seed.is_multiple_of(2) { Switch::On } else { Switch::Off };
    let plain = Options {
        properties: Properties::Safety,
        workers: NonZeroUsize::MIN,
        errors: Errors::All,
        partial_order: Switch::Off,
        merging: Switch::Off,
        dead: Switch::Off,
        symmetry: Symmetry::Off,
        patience: None,
        limits: Limits { states: Some(STATES), memory: 1 << 28, ..Limits::default() },
        end_states,
        ..Options::default()
    };
    let full = safety(&machine, &plain)?;
    if !full.complete {
        return Ok(Outcome::TooLarge);
    }
    let mut reduced_by_any = false;
    for options in variants(seed, &plain) {
        let reduced = safety(&machine, &options)?;
        reduced_by_any |= reduced.symmetry.is_some();
        check(&full, &reduced, &options, &text).map_err(|difference| {
            format!(
                "{difference} ({:?}, {:?}, {} workers, {:?}, {:?}, partial order {:?}, {:?})",
                options.order,
                options.store,
                options.workers,
                options.engine,
                options.errors,
                options.partial_order,
                options.symmetry
            )
        })?;
    }
    Ok(Outcome::Equal { violated: full.verdict == Verdict::Violated, reduced: reduced_by_any })
}

/// Compares the searches for infinite runs of a model with and without symmetry.
pub fn compare_infinite(seed: u64) -> Result<Outcome, String> {
    let Pair { text, property } = symmetric::pair(seed);
    let loaded = promela::load_text("random.pml", &text, &promela::Options::default());
    let model = loaded.model.ok_or_else(|| format!("it is refused: {:?}", loaded.diagnostics))?;
    let machine = Arc::new(machine::lower(&model));
    let (mut violated, mut reduced) = (false, false);
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let Some(findings) = one_voice(&machine, &property, infinite_variants(seed, fairness))? else {
            return Ok(Outcome::TooLarge);
        };
        violated |= findings.iter().any(|finding| finding.verdict == Verdict::Violated);
        reduced |= findings.iter().any(|finding| finding.symmetry.is_some());
    }
    Ok(Outcome::Equal { violated, reduced })
}

fn infinite_variants(seed: u64, fairness: Fairness) -> Vec<(&'static str, Options)> {
    let plain = Options {
        fairness,
        engine: if seed.is_multiple_of(4) { Engine::Compiled } else { Engine::Interpreter },
        workers: NonZeroUsize::MIN,
        partial_order: Switch::Off,
        merging: Switch::Off,
        dead: Switch::Off,
        symmetry: Symmetry::Off,
        // With a limit as low as this, several workers begin at once.
        limits: Limits { states: Some(STATES), memory: 1 << 28, ..Limits::default() },
        ..Options::default()
    };
    let two = NonZeroUsize::MIN.saturating_add(1);
    let exact = Options { symmetry: Symmetry::Detect(Strategy::Exact), ..plain.clone() };
    let fast = Options { symmetry: Symmetry::Detect(Strategy::Fast), ..plain.clone() };
    let all = Options { partial_order: Switch::On, merging: Switch::On, dead: Switch::On, ..exact.clone() };
    vec![
        ("no reduction", plain),
        ("symmetry", exact.clone()),
        ("symmetry, two workers", Options { workers: two, ..exact.clone() }),
        ("symmetry and partial order", Options { partial_order: Switch::On, ..exact.clone() }),
        ("symmetry and dead variables", Options { dead: Switch::On, ..exact }),
        ("fast symmetry", fast),
        ("all reductions", all.clone()),
        ("all reductions, two workers", Options { workers: two, ..all }),
    ]
}

fn variants(seed: u64, plain: &Options) -> Vec<Options> {
    let pick = |shift: u32, choices: u64| (seed >> shift) % choices;
    let order = if pick(1, 2) == 0 { Order::DepthFirst } else { Order::BreadthFirst };
    let exact = Options { symmetry: Symmetry::Detect(Strategy::Exact), audit: Switch::On, ..plain.clone() };
    let strategies = [Strategy::Fast, Strategy::LocalSearch, Strategy::Sort, Strategy::Segmented];
    vec![
        Options {
            order,
            workers: NonZeroUsize::new([1, 2, 8][pick(2, 3) as usize]).unwrap_or(NonZeroUsize::MIN),
            store: if pick(3, 2) == 0 { Store::Tree } else { Store::Plain },
            engine: if pick(4, 4) == 0 { Engine::Interpreter } else { Engine::Compiled },
            ..exact.clone()
        },
        Options {
            order,
            partial_order: Switch::On,
            merging: Switch::On,
            dead: Switch::On,
            errors: Errors::First,
            ..exact.clone()
        },
        Options { symmetry: Symmetry::Detect(strategies[pick(2, 4) as usize]), ..exact },
    ]
}

fn check(full: &Finding, reduced: &Finding, options: &Options, model: &str) -> Result<(), String> {
    if full.verdict != reduced.verdict {
        return Err(format!("{:?} without symmetry, {:?} with it", full.verdict, reduced.verdict));
    }
    if (reduced.verdict == Verdict::Violated) != reduced.counterexample.is_some() {
        return Err("a violation without a counterexample".into());
    }
    let Some(usage) = &reduced.symmetry else {
        return match options.partial_order == Switch::On || full.counts.states == reduced.counts.states {
            true => Ok(()),
            false => Err(format!("{} states, then {}", full.counts.states, reduced.counts.states)),
        };
    };
    // Where processes end, those that have ended stay in the search modulo symmetry, so that states are counted otherwise.
    let processes_end = model.contains("-> break");
    let comparable = options.partial_order == Switch::Off && usage.exact && !processes_end;
    if comparable && usage.represented != Some(full.counts.states.into()) {
        return Err(format!("{} states, {:?} represented", full.counts.states, usage.represented));
    }
    Ok(())
}

fn safety(machine: &machine::Machine, options: &Options) -> Result<Finding, String> {
    let mut findings = verify::verify(&Job::new(machine.clone()), options).map_err(|refusal| refusal.reason)?;
    findings.pop().ok_or_else(|| "no finding".into())
}
