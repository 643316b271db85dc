//! Never claims: ours read back, and SPIN's compared with ours.

mod common;

use std::process::Command;

use automata::atom::AtomTable;
use automata::formula::Formula;
use automata::lasso::{Lasso, holds};
use automata::never::never_claim;
use automata::product::accepts;
use automata::reduce::Kind;
use automata::spelling::Spelling;
use automata::translate::translate_to;
use common::claims::read_claim;
use common::{ATOMS, cases, formulas, many_words};
use proptest::prelude::{prop_assert_eq, prop_assume, proptest};

fn names() -> AtomTable {
    let mut atoms = AtomTable::default();
    for atom in 0..ATOMS {
        atoms.intern(&format!("p{atom}"));
    }
    atoms
}

/// SPIN's claim for a formula; none if SPIN is not installed or needs more than five seconds.
fn spin_claim(formula: &Formula, atoms: &AtomTable) -> Option<String> {
    const OUT_OF_TIME: i32 = 124;
    let text = formula.display(Spelling::Spin, atoms).to_string();
    Command::new("spin").arg("-V").output().ok()?;
    let output = Command::new("timeout").args(["5", "spin", "-f", &text]).output().ok()?;
    if output.status.code() == Some(OUT_OF_TIME) {
        return None;
    }
    let claim = String::from_utf8(output.stdout).expect("claims are plain text");
    assert!(claim.starts_with("never"), "spin refuses {text}: {claim}");
    Some(claim)
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn claims_read_back_accept_the_same_words(formula in formulas(12), words in many_words()) {
        let mut atoms = names();
        for kind in [Kind::BuchiStates, Kind::Generalised] {
            let automaton = translate_to(&formula, kind).expect("random formulas are small");
            let claim = never_claim(&automaton, &atoms, "a comment with */ in it");
            let back = read_claim(&claim, &mut atoms);
            for (prefix, cycle) in &words {
                let word = Lasso { prefix: prefix.clone(), cycle: cycle.clone() };
                prop_assert_eq!(accepts(&back, &word), holds(&formula, prefix, cycle), "{}", claim);
            }
        }
    }

    #[test]
    fn spin_and_we_accept_the_same_words(formula in formulas(8), words in many_words()) {
        prop_assume!(formula.classes().stutter_invariant());
        let mut atoms = names();
        let Some(claim) = spin_claim(&formula, &atoms) else { return Ok(()) };
        let theirs = read_claim(&claim, &mut atoms);
        let ours = translate_to(&formula, Kind::BuchiStates).expect("random formulas are small");
        for (prefix, cycle) in &words {
            let word = Lasso { prefix: prefix.clone(), cycle: cycle.clone() };
            prop_assert_eq!(accepts(&theirs, &word), accepts(&ours, &word), "{}", claim);
        }
    }
}
