//! Laws of the translation, on random formulas: against the semantics on random words, and of a formula with its
//! negation.

mod common;

use automata::automaton::Automaton;
use automata::emptiness::{is_empty, witness};
use automata::formula::Formula;
use automata::lasso::{Lasso, holds};
use automata::product::{accepts, intersection};
use automata::reduce::Kind;
use automata::translate::translate_to;
use common::{cases, formulas, many_words};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

const KINDS: [Kind; 3] = [Kind::Generalised, Kind::BuchiEdges, Kind::BuchiStates];

fn automaton(formula: &Formula, kind: Kind) -> Automaton {
    translate_to(formula, kind).expect("random formulas are small")
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn automata_accept_exactly_the_words_that_satisfy_the_formula(formula in formulas(14), words in many_words()) {
        for kind in KINDS {
            let automaton = automaton(&formula, kind);
            for (prefix, cycle) in &words {
                let word = Lasso { prefix: prefix.clone(), cycle: cycle.clone() };
                let expected = holds(&formula, prefix, cycle);
                prop_assert_eq!(accepts(&automaton, &word), expected, "{:?} {:?}", kind, automaton);
            }
        }
    }

    #[test]
    fn a_formula_and_its_negation_share_no_word(formula in formulas(14)) {
        let negation = Formula::negation(formula.clone());
        for kind in KINDS {
            let both = intersection(&automaton(&formula, kind), &automaton(&negation, kind));
            prop_assert!(is_empty(&both), "{:?} {:?}", kind, witness(&both));
        }
    }

    #[test]
    fn witnesses_satisfy_the_formula(formula in formulas(14)) {
        let automaton = automaton(&formula, Kind::Generalised);
        if let Some(word) = witness(&automaton) {
            prop_assert!(accepts(&automaton, &word));
            prop_assert!(holds(&formula, &word.prefix, &word.cycle), "{:?}", word);
        }
    }

    #[test]
    fn each_kind_is_what_it_says(formula in formulas(14)) {
        prop_assert_eq!(automaton(&formula, Kind::BuchiEdges).acceptance_sets(), 1);
        let on_states = automaton(&formula, Kind::BuchiStates);
        prop_assert_eq!(on_states.acceptance_sets(), 1);
        prop_assert!(on_states.has_state_acceptance());
    }
}
