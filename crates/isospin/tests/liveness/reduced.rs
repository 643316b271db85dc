//! Reductions on random models that can be reduced: equal processes with local variables, arrays and channels. Verdicts with
//! partial order, symmetry and several workers are those without, and every counterexample replays. `cargo xtask random-liveness` asks
//! SPIN too.
//!
//! `ISOSPIN_SEEDS=FROM..TO` chooses other models than those of every day.

use isospin::verify::{Engine, Fairness, Limits, Options, Verdict};
use oracle::liveness::{Pair, pairs};

use crate::{finding, load, plain, ways};

/// Models with more states than this are left out.
const MOST_STATES: u64 = 5_000;

fn seeds(default: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let parse = |text: String| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    };
    std::env::var("ISOSPIN_SEEDS").ok().and_then(parse).unwrap_or(default)
}

#[test]
fn reductions_and_workers_change_no_verdict() {
    let mut verdicts = [0; 2];
    let (mut reduced, mut full, mut too_large) = ([0_u64; 2], 0, 0);
    for seed in seeds(0..60) {
        for Pair { text, property } in pairs(seed) {
            let machine = load(&text);
            for fairness in [Fairness::None, Fairness::Weak] {
                let find = |options: Options| {
                    let options = Options { engine: Engine::Interpreter, ..options };
                    finding(&machine, &property, &options)
                };
                let search = |options: Options| {
                    let found = find(options);
                    assert!(
                        !matches!(found.verdict, Verdict::Unknown(_)),
                        "seed {seed} {property:?}: {found:?}\n{text}"
                    );
                    (found.verdict == Verdict::Holds, found.counts.states)
                };
                let small = Limits { states: Some(MOST_STATES), ..Limits::default() };
                let unreduced = find(Options { limits: small, ..plain(fairness) });
                if matches!(unreduced.verdict, Verdict::Unknown(_)) {
                    too_large += 1;
                    continue;
                }
                let (expected, states) = (unreduced.verdict == Verdict::Holds, unreduced.counts.states);
                verdicts[usize::from(expected)] += 1;
                let skipped = ["plain", "interpreted"];
                for (way, options) in ways(fairness).into_iter().filter(|(way, _)| !skipped.contains(way)) {
                    let (holds, fewer) = search(options);
                    assert_eq!(holds, expected, "seed {seed} {property:?} {fairness:?} {way}\n{text}");
                    if holds && fairness == Fairness::None {
                        match way {
                            "partial order" => reduced[0] += fewer,
                            "symmetry" => reduced[1] += fewer,
                            _ => continue,
                        }
                    }
                }
                full += if expected && fairness == Fairness::None { states } else { 0 };
            }
        }
    }
    println!("{verdicts:?} verdicts, states {full}, with partial order {}, with symmetry {}", reduced[0], reduced[1]);
    assert!(verdicts.iter().all(|&count| count > 10), "{verdicts:?}");
    assert!(too_large < verdicts[0] + verdicts[1], "{too_large} are too large, {verdicts:?} are not");
    assert!(reduced.iter().all(|&states| states < full), "{reduced:?} of {full}");
}
