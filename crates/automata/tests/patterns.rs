//! The formula sets of the literature: right automata, in sum no more than a twentieth larger than those of Spot, and each in less than a tenth of a second.
//!
//! `cargo run --release -p isospin-automata --example patterns` prints the whole table.

use automata::atom::{AtomId, AtomTable};
use automata::formula::Formula;
use automata::lasso::{Lasso, Valuation, holds};
use automata::product::accepts;
use automata::reduce::Kind;
use automata::text::parse;
use automata::translate::translate_to;
use std::time::{Duration, Instant};

/// Letters from a fixed stream of bits (Knuth's linear congruential generator).
struct Letters(u64);

impl Letters {
    fn word(&mut self, atoms: u32) -> Lasso {
        let mut letters = |count: usize| -> Vec<Valuation> {
            (0..count)
                .map(|_| {
                    self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let bits = self.0 >> 40;
                    (0..atoms).filter(|atom| bits >> atom & 1 == 1).map(AtomId).collect()
                })
                .collect()
        };
        let (prefix, cycle) = (letters(3), letters(2));
        Lasso { prefix, cycle }
    }
}

fn check_set(table: &str) {
    let mut letters = Letters(1);
    for (kind, column) in [(Kind::Generalised, 1), (Kind::BuchiStates, 2)] {
        let (mut ours, mut spot) = (0, 0);
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let mut atoms = AtomTable::default();
            let formula = parse(columns[0], &mut atoms).unwrap_or_else(|error| panic!("{line}: {error}"));
            let atom_count = atoms.atoms().count() as u32;
            for (formula, column) in [(formula.clone(), column), (Formula::negation(formula), column + 2)] {
                let automaton = translate_to(&formula, kind).unwrap_or_else(|error| panic!("{line}: {error}"));
                for _ in 0..20 {
                    let word = letters.word(atom_count);
                    let expected = holds(&formula, &word.prefix, &word.cycle);
                    assert_eq!(accepts(&automaton, &word), expected, "{line} on {word:?}");
                }
                if let Some((states, _)) = columns[column].split_once('/') {
                    ours += automaton.state_count();
                    spot += states.parse::<usize>().unwrap_or_else(|error| panic!("{line}: {error}"));
                }
            }
        }
        assert!(ours * 20 <= spot * 21, "{kind:?}: {ours} states, Spot {spot}");
    }
}

#[test]
fn patterns_of_dwyer_avrunin_and_corbett() {
    check_set(include_str!("../patterns/dwyer.tsv"));
}

#[test]
fn formulas_of_etessami_and_holzmann() {
    check_set(include_str!("../patterns/etessami-holzmann.tsv"));
}

#[test]
fn formulas_of_somenzi_and_bloem() {
    check_set(include_str!("../patterns/somenzi-bloem.tsv"));
}

#[test]
fn formulas_of_the_liberouter_project() {
    check_set(include_str!("../patterns/liberouter.tsv"));
}

#[test]
fn formulas_of_pelanek() {
    check_set(include_str!("../patterns/pelanek.tsv"));
}

/// How long a translation takes: the processor time of this thread where the system tells it, so that other work does not count.
fn time_of(translate: impl Fn()) -> Duration {
    let processor_time = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    let (start, before) = (Instant::now(), processor_time());
    translate();
    match (before, processor_time()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => start.elapsed(),
    }
}

#[test]
fn no_translation_takes_a_tenth_of_a_second() {
    let tables = [
        include_str!("../patterns/dwyer.tsv"),
        include_str!("../patterns/etessami-holzmann.tsv"),
        include_str!("../patterns/somenzi-bloem.tsv"),
        include_str!("../patterns/pelanek.tsv"),
    ];
    for line in tables.iter().flat_map(|table| table.lines()).filter(|line| !line.starts_with('#')) {
        let text = line.split('\t').next().unwrap_or_default();
        let formula = parse(text, &mut AtomTable::default()).unwrap_or_else(|error| panic!("{line}: {error}"));
        for (formula, kind) in [formula.clone(), Formula::negation(formula)]
            .iter()
            .flat_map(|formula| [(formula, Kind::Generalised), (formula, Kind::BuchiStates)])
        {
            let time = || time_of(|| assert!(translate_to(formula, kind).is_ok()));
            let limit = Duration::from_millis(100);
            // The first round may pay for pages and clocks.
            let times: Vec<Duration> = std::iter::repeat_with(time).take(3).collect();
            let least = times.iter().min().copied().unwrap_or(limit);
            assert!(least < limit, "{text}, {kind:?}: {times:?}");
        }
    }
}
