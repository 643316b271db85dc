//! Laws of formulas: normal forms, rewriting, syntactic classes and spellings, all against the semantics on lassos.

mod common;

use automata::atom::{AtomId, AtomTable};
use automata::formula::Formula;
use automata::lasso::{Valuation, holds};
use automata::simplify::simplify;
use automata::spelling::Spelling;
use automata::text;
use common::{ATOMS, cases, formulas, many_words};
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

fn names() -> AtomTable {
    let mut atoms = AtomTable::default();
    for atom in 0..ATOMS {
        atoms.intern(&format!("p{atom}"));
    }
    atoms
}

/// The definition of truth at a position, by unfolding far enough that the cycle has been seen whole.
fn naive(formula: &Formula, prefix: &[Valuation], cycle: &[Valuation], position: usize) -> bool {
    use automata::formula::Operator as Op;
    let horizon = position.max(prefix.len()) + cycle.len();
    let at = |f: &Formula, i: usize| {
        // Beyond the first turn positions repeat.
        let i = if i < prefix.len() { i } else { prefix.len() + (i - prefix.len()) % cycle.len() };
        naive(f, prefix, cycle, i)
    };
    let until = |f: &Formula, g: &Formula| (position..=horizon).any(|k| at(g, k) && (position..k).all(|i| at(f, i)));
    let always = |f: &Formula| (position..=horizon).all(|i| at(f, i));
    match formula.operator() {
        Op::True => true,
        Op::False => false,
        Op::Atom(atom) => prefix.iter().chain(cycle).nth(position).is_some_and(|letter| letter.holds(*atom)),
        Op::Not(f) => !at(f, position),
        Op::And(parts) => parts.iter().all(|part| at(part, position)),
        Op::Or(parts) => parts.iter().any(|part| at(part, position)),
        Op::Implies(f, g) => !at(f, position) || at(g, position),
        Op::Equivalent(f, g) => at(f, position) == at(g, position),
        Op::Next(f) => at(f, position + 1),
        Op::Eventually(f) => until(&Formula::truth(), f),
        Op::Always(f) => always(f),
        Op::Until(f, g) => until(f, g),
        Op::WeakUntil(f, g) => until(f, g) || always(f),
        Op::Release(f, g) => until(g, &Formula::and([f.clone(), g.clone()])) || always(g),
        Op::StrongRelease(f, g) => until(g, &Formula::and([f.clone(), g.clone()])),
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn evaluation_agrees_with_the_definition(formula in formulas(6), words in many_words()) {
        for (prefix, cycle) in words.iter().take(4) {
            prop_assert_eq!(holds(&formula, prefix, cycle), naive(&formula, prefix, cycle, 0));
        }
    }

    #[test]
    fn normal_form_keeps_the_meaning_and_is_normal(formula in formulas(20), words in many_words()) {
        let (normal, negated) = (formula.negation_normal_form(), formula.negated());
        prop_assert!(normal.classes().negation_normal_form() && negated.classes().negation_normal_form());
        for (prefix, cycle) in &words {
            let expected = holds(&formula, prefix, cycle);
            prop_assert_eq!(holds(&normal, prefix, cycle), expected);
            prop_assert_eq!(holds(&negated, prefix, cycle), !expected);
        }
    }

    #[test]
    fn simplification_keeps_the_meaning(formula in formulas(24), words in many_words()) {
        let simple = simplify(&formula);
        prop_assert!(simple.classes().negation_normal_form());
        for (prefix, cycle) in &words {
            prop_assert_eq!(
                holds(&simple, prefix, cycle), holds(&formula, prefix, cycle), "{:?} became {:?}", formula, simple
            );
        }
    }

    #[test]
    fn simplifying_again_does_not_grow_the_formula(formula in formulas(16)) {
        let simple = simplify(&formula);
        let again = simplify(&simple);
        prop_assert!(again.size() <= simple.size(), "{:?} became {:?}", simple, again);
    }

    #[test]
    fn syntactic_classes_are_true(formula in formulas(12), words in many_words()) {
        let classes = formula.classes();
        for (prefix, cycle) in &words {
            let whole = holds(&formula, prefix, cycle);
            for cut in 1..=prefix.len() {
                let suffix = holds(&formula, &prefix[cut..], cycle);
                prop_assert!(!classes.pure_eventuality() || !suffix || whole);
                prop_assert!(!classes.pure_universality() || !whole || suffix);
            }
            if classes.stutter_invariant() {
                let twice = prefix.iter().flat_map(|letter| [letter.clone(), letter.clone()]);
                let doubled: Vec<Valuation> = twice.collect();
                prop_assert_eq!(holds(&formula, &doubled, cycle), whole);
            }
        }
    }

    #[test]
    fn printed_formulas_read_back(formula in formulas(20), words in many_words()) {
        let mut atoms = names();
        for spelling in [Spelling::Spin, Spelling::Spot] {
            let printed = formula.display(spelling, &atoms).to_string();
            let read = text::parse(&printed, &mut atoms);
            prop_assert!(read.is_ok(), "{}: {:?}", printed, read);
            let read = read.unwrap_or_else(|_| Formula::truth());
            for (prefix, cycle) in &words {
                prop_assert_eq!(holds(&read, prefix, cycle), holds(&formula, prefix, cycle), "{}", printed);
            }
        }
    }

    #[test]
    fn the_reader_never_panics(text in "[ p0-9()!&|<>=\\-\\[\\]UVRWMXGF\"\\\\é]{0,40}") {
        let _ = text::parse(&text, &mut AtomTable::default());
    }
}

#[test]
fn rules_of_the_literature_are_applied() {
    for (given, expected) in [
        ("F(p0 U p1)", "F p1"),
        ("G(p0 R p1)", "G p1"),
        ("p0 U GF p1", "GF p1"),
        ("X GF p0", "GF p0"),
        ("GF X p0", "GF p0"),
        ("FG(p0 & X p1)", "FG(p0 & p1)"),
        ("GF(p0 & F p1)", "GF p0 & GF p1"),
        ("F(p0 & GF p1)", "F p0 & GF p1"),
        ("(p0 U p1) & (p2 U p1)", "(p0 & p2) U p1"),
        ("p0 U (p0 U p1)", "p0 U p1"),
        ("p0 & X G p0", "G p0"),
        ("p0 U (p1 | F p2)", "F p2 | (p0 U p1)"),
        ("(X p0) U (X p1)", "X(p0 U p1)"),
        ("p0 & !p0", "0"),
        ("F p0 & G !p0", "0"),
        ("(p0 U p1) | !(p0 U p1)", "1"),
        ("(p0 & p1) | (p0 & !p1)", "p0"),
        ("!(FF p0 <-> F p0)", "0"),
    ] {
        let mut atoms = names();
        let formula = text::parse(given, &mut atoms).unwrap_or_else(|error| panic!("{given}: {error}"));
        assert_eq!(simplify(&formula).spot(&atoms).to_string(), expected, "from {given}");
    }
}

#[test]
fn many_atoms_are_no_obstacle() {
    let formula = Formula::and((0..200).map(|atom| Formula::eventually(Formula::atom(AtomId(atom)))));
    let all: Valuation = (0..200).map(AtomId).collect();
    assert!(holds(&formula, &[], &[all]));
    assert!(!holds(&formula, &[], &[(0..199).map(AtomId).collect()]));
    assert_eq!(simplify(&formula).atoms().len(), 200);
}
