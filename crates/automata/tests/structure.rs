//! What the crate says about automata and languages: strength, determinism, stutter invariance, drawings.

mod common;

use automata::atom::AtomTable;
use automata::automaton::Automaton;
use automata::classify::{Classification, ComponentKind, Strength};
use automata::dot::dot;
use automata::formula::Formula;
use automata::lasso::holds;
use automata::reduce::Kind;
use automata::stutter::is_stutter_invariant;
use automata::text::parse;
use automata::translate::{TranslationError, translate, translate_to};
use common::{cases, formulas, many_words};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

fn formula(text: &str) -> Formula {
    parse(text, &mut AtomTable::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn automaton(text: &str) -> Automaton {
    translate(&formula(text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn stutter_invariant_formulas_ignore_repetitions(formula in formulas(8), words in many_words()) {
        if is_stutter_invariant(&formula) == Ok(true) {
            for (prefix, cycle) in &words {
                let expected = holds(&formula, prefix, cycle);
                for position in 0..prefix.len() {
                    let mut longer = prefix.clone();
                    longer.insert(position, prefix[position].clone());
                    prop_assert_eq!(holds(&formula, &longer, cycle), expected);
                }
                for position in 0..cycle.len() {
                    let mut longer = cycle.clone();
                    longer.insert(position, cycle[position].clone());
                    prop_assert_eq!(holds(&formula, prefix, &longer), expected);
                }
            }
        }
    }

    #[test]
    fn classes_of_formulas_show_in_their_automata(formula in formulas(10)) {
        let classes = formula.classes();
        let automaton = translate_to(&formula, Kind::BuchiStates).expect("random formulas are small");
        let classification = Classification::of(&automaton);
        if classes.guarantee() && classification.deterministic {
            prop_assert!(classification.strength() <= Strength::Terminal, "{:?}", automaton);
        }
        // A safety language has an automaton in which every run accepts; ours is one after pruning.
        if classes.safety() && classification.deterministic {
            let rejecting = classification.components().iter().any(|(kind, _)| *kind == ComponentKind::Rejecting);
            prop_assert!(!rejecting, "{:?}", automaton);
        }
    }
}

#[test]
fn strength_of_well_known_formulas() {
    for (text, expected) in [
        ("0", Strength::Empty),
        ("1", Strength::Terminal),
        ("p U q", Strength::Terminal),
        ("G p", Strength::Weak),
        ("F G p", Strength::Weak),
        ("G F p", Strength::Strong),
        ("G(p -> F q)", Strength::Strong),
    ] {
        assert_eq!(Classification::of(&automaton(text)).strength(), expected, "{text}");
    }
    let until = Classification::of(&automaton("p U q"));
    assert!(until.deterministic && until.weak && until.very_weak && !until.complete);
    assert_eq!(until.components().len(), 2);
}

#[test]
fn stutter_invariance_of_well_known_formulas() {
    for (text, expected) in [
        ("F(p & X !p)", true),
        ("p U (p & X(!p U q))", false),
        ("F(p & X(!p & X q))", false),
        ("(p & X !p) | (!p & X p) | G p | G !p", false),
        ("X p", false),
        ("X F G p", true),
        ("X p | X !p", true),
        ("p -> X F q", false),
        ("G(p -> X F q)", true),
        ("G((p & !q) -> X F q)", true),
    ] {
        assert_eq!(is_stutter_invariant(&formula(text)), Ok(expected), "{text}");
    }
}

#[test]
fn explosive_formulas_end_in_an_error_not_in_exhausted_memory() {
    let mut atoms = AtomTable::default();
    let mut atom = |index: u32| Formula::atom(atoms.intern(&format!("p{index}")));
    // Two to the power of forty letters to tell apart.
    let wide = Formula::and((0..40).map(|index| Formula::eventually(atom(index))));
    assert!(matches!(translate(&wide), Err(TranslationError::TooLarge { .. })));
    // More goals than acceptance sets.
    let deep = (0..70)
        .fold(Formula::truth(), |rest, index| Formula::eventually(Formula::and([atom(index), Formula::next(rest)])));
    assert_eq!(translate(&deep).map(|_| ()), Err(TranslationError::TooManyAcceptanceSets));
}

#[test]
fn many_atoms_in_guards_are_no_obstacle() {
    let mut atoms = AtomTable::default();
    let all = Formula::and((0..100).map(|index| Formula::atom(atoms.intern(&format!("p{index}")))));
    let automaton = translate(&Formula::always(Formula::eventually(all))).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(automaton.size().states, 1);
    assert_eq!(automaton.atoms().len(), 100);
}

#[test]
fn drawings_show_states_edges_and_acceptance() {
    let mut atoms = AtomTable::default();
    let formula = parse("p U \"x > 3\"", &mut atoms).unwrap_or_else(|error| panic!("{error}"));
    let automaton = translate_to(&formula, Kind::BuchiStates).unwrap_or_else(|error| panic!("{error}"));
    let text = dot(&automaton, &atoms, "until \"three\"");
    for part in ["label=\"until \\\"three\\\"\"", "start -> 0;", "[shape=doublecircle]", "0 -> 1 [label=\"(x > 3)\"];"]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

/// Test threads have small stacks, so this also bounds the depth of recursion.
#[test]
fn deep_formulas_do_not_exhaust_the_stack() {
    let depth = 900;
    for (open, close) in [
        ("X ", ""),
        ("! ", ""),
        ("F G ", ""),
        ("p U (", ")"),
        ("q & X (", ")"),
        ("(", ") U p"),
        ("p -> (", ")"),
        ("p <-> X(", ")"),
        ("(p W q) R (", ")"),
        ("F(p & X(q | G(", ")))"),
    ] {
        let depth = depth / open.matches(['(', ' ', 'X', 'F', 'G']).count();
        let text = format!("{}p{}", open.repeat(depth), close.repeat(depth));
        let formula = formula(&text);
        assert_eq!(formula.negated().negated().atoms(), formula.atoms());
        match translate_to(&formula, Kind::BuchiStates) {
            Ok(_) | Err(TranslationError::TooLarge { .. } | TranslationError::TooManyAcceptanceSets) => {}
        }
    }
}
