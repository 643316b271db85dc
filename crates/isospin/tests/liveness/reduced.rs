//! Reductions on random models that can be reduced: equal processes with local variables, arrays and channels. Verdicts with
//! partial order, symmetry and several workers are those without, and every counterexample replays.
//!
//! `ISOSPIN_SEEDS=FROM..TO` chooses other models than those of every day.

use std::fmt::Write;

use isospin::verify::{Engine, Fairness, Options, Verdict};
use machine::random::Random;

use crate::{finding, load, plain, ways};

/// Two or three equal processes, and perhaps another one.
fn random_model(random: &mut Random) -> String {
    let processes = 2 + random.below(2);
    let capacity = random.below(3);
    let mut text = format!("bit g, h;\nbit a[{}];\nchan c = [{capacity}] of {{ bit }};\n", processes + 1);
    body(random, &format!("active [{processes}] proctype P()"), &mut text);
    if random.below(2) == 0 {
        body(random, "active proctype Q()", &mut text);
    }
    text
}

fn body(random: &mut Random, head: &str, text: &mut String) {
    let labels = 1 + random.below(4);
    let names: Vec<String> = (0..labels)
        .map(|label| match random.below(9) {
            0 => format!("accept_{label}"),
            1 => format!("progress_{label}"),
            _ => format!("L{label}"),
        })
        .collect();
    let ends = random.below(3) == 0;
    let _ = writeln!(text, "{head} {{ bit l; goto {};", names[0]);
    for name in &names {
        let _ = write!(text, "{name}: if");
        for _ in 0..1 + random.below(3) {
            let action = match random.below(16) {
                0..3 => "l = 1 - l",
                3 => "l == 1",
                4 => "l == 0",
                5 => "g = 1 - g",
                6 => "g == 1",
                7 => "h = l",
                8 => "h == 0 -> h = 1",
                9 => "a[_pid] = 1 - a[_pid]",
                10 => "a[_pid] == 1",
                11 => "c!l",
                12 => "c?l",
                13 => "atomic { g == 0 -> g = 1; l = 1 - l }",
                14 => "d_step { l = g; g = h }",
                _ => "atomic { c!l; l = 0 }",
            };
            let target = if ends && random.below(4) == 0 { "done" } else { &names[random.below(labels)] };
            let _ = write!(text, " :: {action} -> goto {target}");
        }
        text.push_str(" fi;\n");
    }
    text.push_str(if ends { "done: skip }\n" } else { "}\n" });
}

fn random_formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        let atoms = ["g == 1", "h == 1", "g == h", "g == 0", "len(c) == 0", "a[0] == 1", "a[0] == a[1]", "P[0]:l == 1"];
        let atom = atoms[if random.below(3) == 0 { random.below(8) } else { random.below(5) }];
        return format!("({atom})");
    }
    let unary = |operator: &str, random: &mut Random| format!("({operator} {})", random_formula(random, depth - 1));
    match random.below(10) {
        0 => unary("!", random),
        1 | 2 => unary("[]", random),
        3 | 4 => unary("<>", random),
        5 if random.below(3) == 0 => unary("X", random),
        5 | 6 => unary("[] <>", random),
        binary => {
            let (left, right) = (random_formula(random, depth - 1), random_formula(random, depth - 1));
            format!("({left} {} {right})", ["U", "&&", "->"][binary - 7])
        }
    }
}

/// The models of a seed, each with the properties to be verified.
pub fn random_cases(seed: u64) -> Vec<(String, String)> {
    let mut random = Random::new(seed);
    let model = random_model(&mut random);
    let text = format!("{model}ltl p {{ {} }}\n", random_formula(&mut random, 3));
    let mut cases = Vec::new();
    for (mark, property) in [("ltl p", "p"), ("accept_", "accept"), ("progress_", "progress")] {
        if text.contains(mark) {
            cases.push((text.clone(), property.to_owned()));
        }
    }
    cases
}

pub fn seeds(default: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let parse = |text: String| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    };
    std::env::var("ISOSPIN_SEEDS").ok().and_then(parse).unwrap_or(default)
}

#[test]
fn reductions_and_workers_change_no_verdict() {
    let mut verdicts = [0; 2];
    let (mut reduced, mut full) = ([0_u64; 2], 0);
    for seed in seeds(0..60) {
        for (text, property) in random_cases(seed) {
            let machine = load(&text);
            let property = property.as_str();
            for fairness in [Fairness::None, Fairness::Weak] {
                let search = |options: Options| {
                    let options = Options { engine: Engine::Interpreter, ..options };
                    let found = finding(&machine, property, &options);
                    assert!(!matches!(found.verdict, Verdict::Unknown(_)), "seed {seed} {property}: {found:?}\n{text}");
                    (found.verdict == Verdict::Holds, found.counts.states)
                };
                let (expected, states) = search(plain(fairness));
                verdicts[usize::from(expected)] += 1;
                let skipped = ["plain", "interpreted"];
                for (way, options) in ways(fairness).into_iter().filter(|(way, _)| !skipped.contains(way)) {
                    let (holds, fewer) = search(options);
                    assert_eq!(holds, expected, "seed {seed} {property} {fairness:?} {way}\n{text}");
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
    assert!(reduced.iter().all(|&states| states < full), "{reduced:?} of {full}");
}
