//! `cargo xtask random-models --symmetry`: random models of equal processes, with symmetry and without.
//!
//! For each model the search without any reduction is compared with one modulo symmetry, in an order, with a store, a number of workers and
//! an engine that change from model to model: the verdict must be the same, a counterexample must be a run of the model, and
//! without partial order the orbits must add up to the states.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use isospin::verify::{
    self, Engine, Errors, Finding, Job, Limits, Options, Order, Properties, Store, Strategy, Switch, Symmetry, Verdict,
};
use oracle::symmetric;

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
        // A poisoned lock means that another worker failed, which ends the run anyway.
        let Ok(mut tally) = tally.lock() else { return };
        tally.add(outcome);
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
    if comparable && usage.represented != full.counts.states.into() {
        return Err(format!("{} states, {} represented", full.counts.states, usage.represented));
    }
    Ok(())
}

fn safety(machine: &machine::Machine, options: &Options) -> Result<Finding, String> {
    let mut findings = verify::verify(&Job::new(machine.clone()), options).map_err(|refusal| refusal.reason)?;
    findings.pop().ok_or_else(|| "no finding".into())
}
