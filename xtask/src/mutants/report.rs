//! What became of the faults, as a table, and what no test of verdicts meets.

use std::collections::{BTreeMap, BTreeSet};

use super::MODULES;
use super::points::Kind;
use super::tree::Numbered;
use super::trial::{Fate, Test};

/// Faults that change no verdict, each with the reason. The first four fields are the fault's key.
const EQUIVALENT: &str = include_str!("equivalent.txt");

/// The tests that compare verdicts, by the beginning of their names.
const VERDICTS: &[&str] = &[
    "isospin/verdicts",
    "isospin/reductions",
    "isospin/agreement",
    "isospin/symmetry",
    "isospin/liveness",
    "isospin/branching",
    "isospin/exclusive",
    "isospin/claims",
    "machine/reduction",
    "explore/reduction",
    "oracle",
];

/// A fault on one line.
pub fn line(point: &Numbered<'_>) -> String {
    let text: String = point.point.text.chars().take(90).collect();
    format!(
        "{} {}:{} {}: {}: {text}",
        point.number,
        point.source.path,
        point.point.lines.0,
        point.point.function,
        point.point.kind.name()
    )
}

fn reasons() -> BTreeMap<&'static str, &'static str> {
    EQUIVALENT.lines().filter_map(|line| line.rsplit_once(" => ")).collect()
}

/// Whether a fault is known to change no verdict.
pub fn is_equivalent(key: &str) -> bool {
    reasons().contains_key(key)
}

/// Prints the table of modules, and the faults that nothing caught.
pub fn table(all: &[&(String, Numbered<'_>)], results: &BTreeMap<String, Fate>) -> Result<(), String> {
    let reasons = reasons();
    let mut counts = vec![[0usize; 5]; MODULES.len()];
    let (mut alive, mut excused) = (Vec::new(), Vec::new());
    for (key, point) in all {
        let Some(fate) = results.get(key) else { continue };
        let count = &mut counts[point.source.module];
        count[0] += 1;
        match (fate, reasons.get(key.as_str())) {
            (Fate::Caught(_), _) => count[1] += 1,
            (_, Some(reason)) => {
                count[2] += 1;
                excused.push(format!("{}\n    {reason}", line(point)));
            }
            (Fate::Survived, None) => {
                count[3] += 1;
                alive.push(format!("survived {}", line(point)));
            }
            (Fate::NotMet, None) => {
                count[4] += 1;
                alive.push(format!("not met  {}", line(point)));
            }
        }
    }
    alive.iter().chain(&excused).for_each(|line| println!("{line}"));
    println!("\n| modules | faults | caught | equivalent | survived | not met | caught of those not equivalent |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let total = counts.iter().fold([0; 5], |sum, count| std::array::from_fn(|at| sum[at] + count[at]));
    for (name, [tried, caught, equivalent, survived, unmet]) in
        MODULES.iter().map(|module| module.name).zip(counts).chain([("all", total)])
    {
        let rate = 100.0 * caught as f64 / (tried - equivalent).max(1) as f64;
        println!("| {name} | {tried} | {caught} | {equivalent} | {survived} | {unmet} | {rate:.1} % |");
    }
    Ok(())
}

/// Prints the branches that no test of verdicts takes, and the conditions that are never true or never false there.
pub fn branches<'t>(points: impl Iterator<Item = Numbered<'t>>, tests: &[Test]) -> Result<(), String> {
    let judging = tests.iter().filter(|test| VERDICTS.iter().any(|name| test.name.starts_with(name)));
    let met: BTreeSet<(u32, char)> = judging.flat_map(|test| test.met.iter().copied()).collect();
    let (mut outcomes, mut missed) = (0, 0);
    for point in points {
        let is_met = |letter| met.contains(&(point.number, letter));
        let lacks: &[&str] = match point.point.kind {
            // A branch that says of itself that it cannot be taken ends the program, so nothing is left out because of it.
            Kind::Branch if point.point.text.starts_with("unreachable!") => &[],
            // `true` and `false` have one value only.
            Kind::Negated if ["true", "false"].contains(&point.point.text.as_str()) => {
                outcomes += 1;
                if is_met('r') { &[] } else { &["not evaluated"] }
            }
            Kind::Branch => {
                outcomes += 1;
                if is_met('r') { &[] } else { &["not taken"] }
            }
            Kind::ConditionLeftOut | Kind::Negated if is_met('t') || is_met('f') || !is_met('r') => {
                outcomes += 2;
                match (is_met('t'), is_met('f')) {
                    (true, true) => &[],
                    (true, false) => &["never false"],
                    (false, true) => &["never true"],
                    (false, false) => &["never true", "never false"],
                }
            }
            _ => &[],
        };
        missed += lacks.len();
        if !lacks.is_empty() {
            println!("{:24} {}", lacks.join(", "), line(&point));
        }
    }
    println!("{missed} of {outcomes} outcomes of branches and conditions are not met by tests of verdicts");
    Ok(())
}
