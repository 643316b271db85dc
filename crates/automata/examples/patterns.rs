//! Sizes of automata for the formula sets of the literature, beside those reported for Spot and those of SPIN.
//!
//! ```text
//! cargo run --release -p isospin-automata --example patterns [-- [--spin] [--each]]
//! ```

use std::time::{Duration, Instant};

use automata::atom::AtomTable;
use automata::automaton::Size;
use automata::formula::Formula;
use automata::reduce::Kind;
use automata::text::parse;
use automata::translate::translate_to;

fn main() {
    let each = std::env::args().any(|argument| argument == "--each");
    let mut total = [[0u128; 4]; 2];
    let mut slowest = (Duration::ZERO, String::new());
    println!("{:<22}{:>34}{:>34}", "", "generalised, ours / Spot's", "on states, ours / Spot's");
    for (name, text) in SETS {
        for negated in [false, true] {
            let mut sums = [[0u128; 4]; 2];
            for (number, row) in text.lines().filter(|line| !line.starts_with('#')).enumerate() {
                let columns: Vec<&str> = row.split('\t').collect();
                let mut atoms = AtomTable::default();
                let mut formula = parse(columns[0], &mut atoms).expect("the table's formulas are well formed");
                if negated {
                    formula = Formula::negation(formula);
                }
                let mut sizes = Vec::new();
                for kind in [Kind::Generalised, Kind::BuchiStates] {
                    let start = Instant::now();
                    let automaton = translate_to(&formula, kind).expect("the table's formulas are small");
                    let time = start.elapsed();
                    if time > Duration::from_millis(40) {
                        eprintln!("{name} {} {negated} {kind:?} {time:?}", number + 1);
                    }
                    if time > slowest.0 {
                        slowest = (time, format!("{name} {}", number + 1));
                    }
                    sizes.push(automaton.size());
                }
                let reported = if negated { &columns[3..5] } else { &columns[1..3] };
                let reported: Vec<Option<(u128, u128)>> = reported.iter().map(|text| figures(text)).collect();
                for index in 0..2 {
                    let Some((states, transitions)) = reported[index] else { continue };
                    let ours = [sizes[index].states as u128, sizes[index].transitions];
                    for (sum, value) in sums[index].iter_mut().zip([ours[0], states, ours[1], transitions]) {
                        *sum += value;
                    }
                }
                if each {
                    print_row(name, number + 1, negated, &sizes, &reported);
                }
            }
            println!(
                "{:<22}{}{}",
                format!("{}{name}", if negated { "not " } else { "" }),
                summary(&sums[0]),
                summary(&sums[1])
            );
            for index in 0..2 {
                for column in 0..4 {
                    total[index][column] += sums[index][column];
                }
            }
        }
    }
    println!("{:<22}{}{}", "sum", summary(&total[0]), summary(&total[1]));
    println!("slowest: {:?} for {}", slowest.0, slowest.1);
}

const SETS: [(&str, &str); 5] = [
    ("dwyer", include_str!("../patterns/dwyer.tsv")),
    ("etessami-holzmann", include_str!("../patterns/etessami-holzmann.tsv")),
    ("somenzi-bloem", include_str!("../patterns/somenzi-bloem.tsv")),
    ("liberouter", include_str!("../patterns/liberouter.tsv")),
    ("pelanek", include_str!("../patterns/pelanek.tsv")),
];

fn figures(text: &str) -> Option<(u128, u128)> {
    let (states, transitions) = text.split_once('/')?;
    Some((states.parse().ok()?, transitions.parse().ok()?))
}

fn summary(sums: &[u128; 4]) -> String {
    format!("{:>8} /{:>5} st.{:>8} /{:>6}", sums[0], sums[1], sums[2], sums[3])
}

fn print_row(name: &str, number: usize, negated: bool, sizes: &[Size], reported: &[Option<(u128, u128)>]) {
    let sign = if negated { "!" } else { " " };
    print!("{sign}{name:<18}{number:>3}");
    for (size, reported) in sizes.iter().zip(reported) {
        let (states, transitions) = reported.unwrap_or((0, 0));
        let difference = if states == 0 { 0 } else { size.states as i128 - states as i128 };
        print!("{:>6}/{:<4}{:>+3} {:>8}/{:<8}", size.states, states, difference, size.transitions, transitions);
    }
    println!();
}
