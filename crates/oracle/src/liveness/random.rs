//! Random models that reductions can reduce, and random properties of them.
//!
//! Two or three equal processes, and perhaps others, walk through a few labels; they share bits, an array and a channel, and have a
//! bit each. The properties are a formula, a never claim, and the accept and progress labels that were given on the way.

use std::fmt::Write as _;

use super::{Pair, Watched};
use crate::random::Random;

/// The models of a number, each with a property.
#[must_use]
pub fn pairs(seed: u64) -> Vec<Pair> {
    // The generator's streams of neighbouring seeds are shifts of each other by one; these lie far apart.
    let mut random = Random::new(seed.wrapping_mul(0xd134_2543_de82_ef95));
    let model = model(&mut random);
    // SPIN counts accept labels of processes beside those of a claim, whose question is another one.
    let unlabelled = model.replace("accept_", "A_");
    let formula = formula(&mut random, 3);
    let mut pairs =
        vec![Pair { text: format!("{unlabelled}ltl p {{ {formula} }}\n"), property: Watched::Formula("p".into()) }];
    if random.below(2) == 0 {
        let text = format!("{unlabelled}{}", claim(&mut random));
        pairs.push(Pair { text, property: Watched::Never });
    }
    for (mark, property) in [("accept_", Watched::Acceptance), ("progress_", Watched::Progress)] {
        if model.contains(mark) {
            pairs.push(Pair { text: model.clone(), property });
        }
    }
    pairs
}

fn model(random: &mut Random) -> String {
    let processes = 2 + random.below(2);
    let capacity = random.below(3);
    let mut text = format!("bit g, h;\nbit a[{}];\nchan c = [{capacity}] of {{ bit }};\n", processes + 2);
    let created = random.below(5) == 0;
    let head = if created { "proctype P()".to_string() } else { format!("active [{processes}] proctype P()") };
    body(random, &head, &mut text);
    if random.below(2) == 0 {
        body(random, "active proctype Q()", &mut text);
    }
    if created {
        let runs = "run P(); ".repeat(processes);
        let _ = match random.below(2) {
            0 => writeln!(text, "init {{ atomic {{ {runs}}} }}"),
            _ => writeln!(text, "init {{ {runs}}}"),
        };
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
        let target = |random: &mut Random| match ends && random.below(4) == 0 {
            true => "done".to_string(),
            false => names[random.below(labels)].clone(),
        };
        for _ in 0..1 + random.below(3) {
            let action = match random.below(24) {
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
                15 => "timeout",
                16 => "{ g == 0; h = 0 } unless { h == 1 -> l = 0 }",
                17 => "nempty(c) -> c?<l>",
                18 => "atomic { g = 1 - g; h == 1; g = h }",
                19 => "a[g] = 1 - a[g]",
                20 => "a[h] == 1",
                21 => "c!a[_pid]",
                22 => "c?a[1]",
                _ => "atomic { c!l; l = 0 }",
            };
            let _ = write!(text, " :: {action} -> goto {}", target(random));
        }
        if random.below(8) == 0 {
            let _ = write!(text, " :: else -> goto {}", target(random));
        }
        text.push_str(" fi;\n");
    }
    text.push_str(if ends { "done: skip }\n" } else { "}\n" });
}

/// What formulas and claims ask about.
const ATOMS: [&str; 10] = [
    "g == 1",
    "h == 1",
    "g == h",
    "g == 0",
    "len(c) == 0",
    "a[0] == 1",
    "a[0] == a[1]",
    "len(c) + a[2] > 1",
    "a[1] + g + h > 1",
    "a[g] == a[h]",
];

fn atom(random: &mut Random) -> &'static str {
    ATOMS[if random.below(3) == 0 { random.below(ATOMS.len()) } else { random.below(5) }]
}

fn formula(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        return format!("({})", atom(random));
    }
    let unary = |operator: &str, random: &mut Random| format!("({operator} {})", formula(random, depth - 1));
    match random.below(10) {
        0 => unary("!", random),
        1 | 2 => unary("[]", random),
        3 | 4 => unary("<>", random),
        5 | 6 => unary("[] <>", random),
        binary => {
            let (left, right) = (formula(random, depth - 1), formula(random, depth - 1));
            format!("({left} {} {right})", ["U", "&&", "->"][binary - 7])
        }
    }
}

/// A never claim of a few locations, some of them accepting, one of them perhaps its end.
fn claim(random: &mut Random) -> String {
    let locations = 1 + random.below(4);
    let names: Vec<String> = (0..locations)
        .map(|number| match random.below(3) {
            0 => format!("accept_S{number}"),
            _ => format!("S{number}"),
        })
        .collect();
    let ends = random.below(3) == 0;
    let mut text = String::from("never {\n");
    for name in &names {
        let _ = write!(text, "{name}: if");
        let target = |random: &mut Random| match ends && random.below(6) == 0 {
            true => "done".to_string(),
            false => names[random.below(locations)].clone(),
        };
        let mut options = String::new();
        for _ in 0..1 + random.below(3) {
            let guard = match random.below(8) {
                0 => "true".to_string(),
                1 => format!("!({})", atom(random)),
                2 => format!("({}) && ({})", atom(random), atom(random)),
                3 => format!("atomic {{ ({}) -> ({}) }}", atom(random), atom(random)),
                _ => atom(random).to_string(),
            };
            let _ = write!(options, " :: {guard} -> goto {}", target(random));
        }
        if random.below(4) == 0 {
            let _ = write!(options, " :: else -> goto {}", target(random));
        } else if random.below(4) == 0 {
            // This `else` does not ask about the options behind it.
            let (otherwise, next) = (target(random), target(random));
            let _ = write!(text, " :: do :: {} -> break :: else -> goto {otherwise} od -> goto {next}", atom(random));
        }
        text.push_str(&options);
        text.push_str(" fi;\n");
    }
    text.push_str(if ends { "done: skip }\n" } else { "}\n" });
    text
}
