//! The runs of A* and of iterative deepening with a lower bound are as short as those of breadth-first search, on random models, with and without symmetry; and the estimates
//! of a state and of its representative are the same.

use std::collections::HashSet;
use std::sync::Arc;

use isospin::verify::{
    Course, Finding, Heuristic, Job, Limits, Optimal, Options, Order, Properties, Switch, Symmetry, Verdict, verify,
};
use machine::Machine;
use machine::estimate::{Active, Assertions, Blocked, Bound, EndStates, Estimate};
use machine::generate::InterpretedGenerator;
use machine::replay::{Replay, Verdict as Replayed};
use machine::state::State;
use machine::trace::Trace;
use symmetry::Strategy;
use symmetry::orbits;
use system::{Arena, System};

fn machine_of(text: &str) -> Option<Machine> {
    promela::load_text("m.pml", text, &promela::Options::default()).model.map(|model| machine::lower(&model))
}

fn random_models(count: u64) -> impl Iterator<Item = (String, Machine)> {
    let texts = (0..count).flat_map(|seed| [oracle::generate::model(seed).to_string(), oracle::symmetric::model(seed)]);
    texts.filter_map(|text| machine_of(&text).map(|machine| (text, machine)))
}

fn search(machine: &Machine, order: Order, symmetry: Symmetry, end_states: Switch) -> Option<Finding> {
    let options = Options {
        properties: Properties::Safety,
        order,
        heuristic: Heuristic::Bound,
        symmetry,
        end_states,
        partial_order: Switch::Off,
        merging: Switch::Off,
        limits: Limits { memory: 64 << 20, states: Some(4_000), ..Limits::default() },
        ..Options::default()
    };
    verify(&Job::new(machine.clone()), &options).ok().map(|mut findings| findings.swap_remove(0))
}

fn assert_replays(machine: &Machine, trace: &Trace, text: &str) {
    let mut replay = Replay::new(machine, trace).unwrap_or_else(|mismatch| panic!("{mismatch}: {text}"));
    while replay.step().unwrap_or_else(|mismatch| panic!("{mismatch}: {text}")).is_some() {}
    assert!(matches!(replay.verdict(), Replayed::Confirmed { .. }), "{text}");
}

#[test]
fn a_lower_bound_gives_runs_as_short_as_breadth_first() {
    let (mut violated, mut informed) = (0, 0);
    for (text, machine) in random_models(200) {
        for symmetry in [Symmetry::Off, Symmetry::default()] {
            for end_states in [Switch::On, Switch::Off] {
                let wide = search(&machine, Order::BreadthFirst, symmetry, end_states);
                for order in [Order::AStar, Order::Deepening, Order::Shortest] {
                    let Some(wide) = &wide else { continue };
                    // Every level of a model in which nothing is wrong would be an iteration.
                    if order == Order::Deepening && wide.verdict != Verdict::Violated && wide.counts.states > 100 {
                        continue;
                    }
                    let Some(found) = search(&machine, order, symmetry, end_states) else { continue };
                    let decided = |finding: &Finding| !matches!(finding.verdict, Verdict::Unknown(_));
                    if !decided(wide) || !decided(&found) {
                        continue;
                    }
                    assert_eq!(wide.verdict, found.verdict, "{order:?}\n{text}");
                    let Some(trace) = &found.counterexample else { continue };
                    assert_replays(&machine, trace, &text);
                    let wide = wide.course.as_ref().expect("it has one");
                    let course = found.course.as_ref().expect("it has one");
                    if course.optimal == Optimal::Proved {
                        assert_eq!(course.length, wide.length, "{order:?} {symmetry:?} {end_states:?}\n{text}");
                        violated += 1;
                        informed += u32::from(course.initial_estimate > Some(0));
                    }
                }
            }
        }
    }
    assert!(violated > 200 && informed > 10, "{violated} violations, {informed} with an estimate that says something");
}

#[test]
fn directed_searches_agree_about_verdicts_and_their_runs_replay() {
    let orders = [Order::BestFirst, Order::AStar, Order::Beam, Order::Deepening, Order::Walk];
    let heuristics = [Heuristic::Auto, Heuristic::Active, Heuristic::Blocked, Heuristic::Coverage];
    for (text, machine) in random_models(30) {
        let plain = search(&machine, Order::BreadthFirst, Symmetry::Off, Switch::On);
        let Some(Finding { verdict: expected @ (Verdict::Holds | Verdict::Violated), .. }) = plain else { continue };
        for order in orders {
            for heuristic in heuristics {
                if order.follows_all() && (expected == Verdict::Holds || heuristic != Heuristic::Auto) {
                    continue;
                }
                let limits = Limits { memory: 64 << 20, states: Some(10_000), ..Limits::default() };
                let options =
                    Options { properties: Properties::Safety, order, heuristic, limits, ..Options::default() };
                let Ok(mut found) = verify(&Job::new(machine.clone()), &options) else { continue };
                let found = found.swap_remove(0);
                if matches!(found.verdict, Verdict::Unknown(_)) {
                    continue;
                }
                assert_eq!(found.verdict, expected, "{order:?} {heuristic:?}\n{text}");
                found.counterexample.iter().for_each(|trace| assert_replays(&machine, trace, &text));
                let Some(Course { expanded, .. }) = found.course else { panic!("it has a course") };
                assert!(expanded > 0);
            }
        }
    }
}

#[test]
fn a_state_and_its_images_have_the_same_estimates() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../symmetry/tests/models");
    let paths = std::fs::read_dir(models).expect("it is there").flatten().map(|entry| entry.path());
    let kept = paths.filter_map(|path| promela::load(&path, &promela::Options::default()).model);
    let machines = kept.map(|model| machine::lower(&model)).chain(random_models(150).map(|(_, machine)| machine));
    let mut compared = 0;
    for machine in machines {
        let Some(symmetry) = orbits::Symmetry::of(&machine, Strategy::Exact, None, None) else { continue };
        // As searches do where symmetry applies.
        let machine = symmetry.without_deaths.clone().unwrap_or_else(|| Arc::new(machine));
        let Ok(engine) = InterpretedGenerator::new(machine.clone()) else { continue };
        let mut estimates: Vec<Box<dyn Estimate>> = vec![
            Box::new(Bound::of(&machine, EndStates::Valid)),
            Box::new(Blocked::of(&machine)),
            Box::new(Active::new(engine.clone())),
        ];
        estimates.extend(Assertions::of(&machine).map(|each| Box::new(each) as Box<dyn Estimate>));
        for state in states(engine, 200).into_iter().filter(|state| symmetry.applies(state)) {
            for generator in &symmetry.detection.generators {
                let image = symmetry.detection.shape.apply(&generator.permutation, &state);
                for (number, estimate) in estimates.iter_mut().enumerate() {
                    let (here, there) = (estimate.estimate(&state), estimate.estimate(&image));
                    assert_eq!(here, there, "estimate {number} of {:?}", State::from_bytes(&state));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// The first states of a system.
fn states(mut system: impl System, most: usize) -> Vec<Vec<u8>> {
    let mut initial = Vec::new();
    system.initial(&mut initial);
    let (mut all, mut seen, mut arena) = (vec![initial.clone()], HashSet::from([initial]), Arena::new());
    let mut next = 0;
    while next < all.len() && all.len() < most {
        system.successors(&all[next].clone(), &mut arena);
        let new: Vec<Vec<u8>> =
            arena.targets().map(<[u8]>::to_vec).filter(|target| seen.insert(target.clone())).collect();
        all.extend(new);
        next += 1;
    }
    all
}
