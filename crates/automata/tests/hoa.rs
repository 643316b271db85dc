//! The HOA format: round trips, every acceptance condition against its definition, features, errors, no panics.

mod common;

use automata::atom::AtomTable;
use automata::automaton::Automaton;
use automata::hoa::{hoa, read, read_all};
use automata::lasso::{Lasso, Valuation};
use automata::product::accepts;
use automata::reduce::Kind;
use automata::translate::translate_to;
use common::{ATOMS, cases, formulas, letters, many_words};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

fn names() -> AtomTable {
    let mut atoms = AtomTable::default();
    for atom in 0..ATOMS {
        atoms.intern(&format!("p{atom}"));
    }
    atoms
}

fn automaton(text: &str) -> Automaton {
    read(text, &mut names()).unwrap_or_else(|error| panic!("{error}")).automaton
}

fn error(text: &str) -> String {
    read(text, &mut names()).map(|_| ()).expect_err("the text is wrong").to_string()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn written_automata_read_back_the_same(formula in formulas(12), words in many_words()) {
        for kind in [Kind::Generalised, Kind::BuchiEdges, Kind::BuchiStates] {
            let original = translate_to(&formula, kind).expect("random formulas are small");
            let text = hoa(&original, &names(), "a \"name\" \\");
            let back = read(&text, &mut names());
            prop_assert!(back.is_ok(), "{:?}\n{}", back, text);
            let Ok(back) = back else { continue };
            prop_assert_eq!(back.name.as_deref(), Some("a \"name\" \\"));
            prop_assert_eq!(back.automaton.size(), original.size());
            prop_assert_eq!(back.automaton.acceptance_sets(), original.acceptance_sets());
            prop_assert_eq!(hoa(&back.automaton, &names(), "a \"name\" \\"), text);
            for (prefix, cycle) in &words {
                let word = Lasso { prefix: prefix.clone(), cycle: cycle.clone() };
                prop_assert_eq!(accepts(&back.automaton, &word), accepts(&original, &word));
            }
        }
    }

    #[test]
    fn the_reader_never_panics(text in hoa_like_texts()) {
        let _ = read_all(&text, &mut AtomTable::default());
    }

    #[test]
    fn a_damaged_automaton_never_makes_the_reader_panic(
        position in any::<prop::sample::Index>(),
        junk in "[\\[\\]{}()!&|0-9tfA-Z\"@: -]{0,3}",
    ) {
        let mut text: Vec<char> = EVERYTHING.chars().collect();
        let at = position.index(text.len());
        text.splice(at..(at + junk.len()).min(text.len()), junk.chars());
        let _ = read_all(&text.into_iter().collect::<String>(), &mut AtomTable::default());
    }

    /// A one-letter-one-state automaton makes acceptance visible: reading the letter whose bits are `s` takes the edge
    /// that is in exactly the sets of `s`, so the sets seen for ever are those of the cycle's letters.
    #[test]
    fn every_condition_means_what_it_says(
        condition in conditions(),
        cycle in proptest::collection::vec(letters(), 1..4),
    ) {
        let text = format!(
            "HOA: v1 States: 1 Start: 0 AP: 3 \"p0\" \"p1\" \"p2\" Acceptance: 3 {} --BODY-- State: 0 {} --END--",
            condition.text(),
            (0..8).map(|letter: u32| {
                let sets = (0..3).filter(|set| letter >> set & 1 == 1).map(|set| set.to_string());
                format!("0 {{{}}}", sets.collect::<Vec<String>>().join(" "))
            }).collect::<Vec<String>>().join(" "),
        );
        let automaton = automaton(&text);
        let word = Lasso { prefix: vec![Valuation::empty()], cycle: cycle.clone() };
        prop_assert_eq!(accepts(&automaton, &word), condition.holds(&cycle), "{}", text);
    }
}

use proptest::prelude::prop;

/// A condition with its own, direct meaning.
#[derive(Clone, Debug)]
enum Condition {
    Constant(bool),
    Inf(u32, bool),
    Fin(u32, bool),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    fn text(&self) -> String {
        let sign = |complemented: &bool| if *complemented { "!" } else { "" };
        match self {
            Condition::Constant(value) => if *value { "t" } else { "f" }.to_owned(),
            Condition::Inf(set, complemented) => format!("Inf({}{set})", sign(complemented)),
            Condition::Fin(set, complemented) => format!("Fin({}{set})", sign(complemented)),
            Condition::And(left, right) => format!("({} & {})", left.text(), right.text()),
            Condition::Or(left, right) => format!("({} | {})", left.text(), right.text()),
        }
    }

    fn holds(&self, cycle: &[Valuation]) -> bool {
        let visited = |set: u32, complemented: bool| {
            cycle.iter().any(|letter| letter.holds(automata::atom::AtomId(set)) != complemented)
        };
        match self {
            Condition::Constant(value) => *value,
            Condition::Inf(set, complemented) => visited(*set, *complemented),
            Condition::Fin(set, complemented) => !visited(*set, *complemented),
            Condition::And(left, right) => left.holds(cycle) && right.holds(cycle),
            Condition::Or(left, right) => left.holds(cycle) || right.holds(cycle),
        }
    }
}

fn conditions() -> impl Strategy<Value = Condition> {
    let leaf = proptest::prop_oneof![
        1 => any::<bool>().prop_map(Condition::Constant),
        6 => (0u32..3, any::<bool>()).prop_map(|(set, complemented)| Condition::Inf(set, complemented)),
        6 => (0u32..3, any::<bool>()).prop_map(|(set, complemented)| Condition::Fin(set, complemented)),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let pair = (inner.clone(), inner).prop_map(|(left, right)| (Box::new(left), Box::new(right)));
        proptest::prop_oneof![
            pair.clone().prop_map(|(left, right)| Condition::And(left, right)),
            pair.prop_map(|(left, right)| Condition::Or(left, right)),
        ]
    })
}

fn hoa_like_texts() -> impl Strategy<Value = String> {
    let word = proptest::prop_oneof![
        proptest::sample::select(vec![
            "HOA:",
            "v1",
            "States:",
            "Start:",
            "AP:",
            "\"p\"",
            "Acceptance:",
            "Inf(0)",
            "Fin(",
            "!",
            ")",
            "--BODY--",
            "State:",
            "--END--",
            "--ABORT--",
            "[",
            "]",
            "t",
            "f",
            "{",
            "}",
            "&",
            "|",
            "@a",
            "Alias:",
            "0",
            "1",
            "2",
            "/*",
            "*/",
            "name:",
            "\"",
            "4294967295",
            "99999999999999",
            "properties:",
            "Other:",
            "é",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(word, 0..40).prop_map(|words| words.join(" "))
}

/// Uses most of the format.
const EVERYTHING: &str = r#"HOA: v1 /* a comment /* in a comment */ */
tool: "a tool" "1.0" name: "all \"features\""
States: 3 Start: 0 Start: 1
AP: 2 "p0" "p1"
Alias: @both 0&1 Alias: @neither !(0 | 1)
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0) & Inf(1)
properties: explicit-labels state-acc trans-acc
--BODY--
State: [@both] 0 "first" {0}
1 2
State: 1 [@neither | t & 0] 2 {1} [!0] 0
State: 2 {0 1} [t] 2
--END--
"#;

#[test]
fn all_features_are_read() {
    let hoa = read(EVERYTHING, &mut names()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(hoa.name.as_deref(), Some("all \"features\""));
    assert_eq!(hoa.properties, ["explicit-labels", "state-acc", "trans-acc"]);
    // The two initial states are joined in a fourth one.
    assert_eq!(hoa.automaton.size().states, 4);
    assert_eq!(hoa.automaton.acceptance_sets(), 2);
}

#[test]
fn implicit_labels_follow_the_binary_order_of_letters() {
    let text = "HOA: v1 States: 2 Start: 0 AP: 2 \"p0\" \"p1\" acc-name: Buchi Acceptance: 1 Inf(0)
        --BODY-- State: 0 0 1 0 0 State: 1 {0} 1 1 1 1 --END--";
    let automaton = automaton(text);
    let letter = |bits: u32| (0..2).filter(|atom| bits >> atom & 1 == 1).map(automata::atom::AtomId).collect();
    for bits in 0..4 {
        let word = Lasso { prefix: vec![letter(bits)], cycle: vec![Valuation::empty()] };
        assert_eq!(accepts(&automaton, &word), bits == 1);
    }
}

#[test]
fn streams_may_hold_several_automata_and_aborted_ones() {
    let one = "HOA: v1 States: 1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--\n";
    let text = format!("{one} HOA: v1 States: 7 --ABORT-- {one}");
    assert_eq!(read_all(&text, &mut names()).map(|automata| automata.len()), Ok(2));
    assert!(error(&text).contains("found 2"));
}

#[test]
fn errors_have_a_place_and_a_reason() {
    let with = |header: &str, body: &str| format!("HOA: v1\nAP: 1 \"p0\"\n{header}\n--BODY--\n{body}\n--END--");
    let acceptance = "Acceptance: 1 Inf(0)";
    for (text, expected) in [
        (with("", "State: 0"), "line 1, column 1: the header has no `Acceptance:` item"),
        (
            with(acceptance, "State: 0 [0] 1&2"),
            "line 5, column 15: universal branching (`&` between states) is not supported",
        ),
        (with("Acceptance: 1 Inf(1)", ""), "line 3, column 19: there are only 1 acceptance sets"),
        (with(acceptance, "State: 0 [1] 0"), "line 5, column 11: there are only 1 propositions"),
        (with(acceptance, "State: 0 [@a] 0"), "line 5, column 11: no alias `@a` was defined before"),
        (with("Start: 0 & 1", ""), "line 3, column 10: universal branching (`&` between states) is not supported"),
        (
            with("Strange: 7", ""),
            "line 3, column 1: the header item `Strange:` is not known, and may change the meaning",
        ),
        (with(acceptance, "State: 0 0"), "line 5, column 8: fewer edges without a label than there are letters"),
        (with(acceptance, "State: 0 [0] 0 State: 0"), "line 5, column 23: state 0 was defined before, at line 5"),
        (with("States: 1 Start: 3 Acceptance: 0 t", ""), "line 3, column 18: there is no state 3: `States:` says 1"),
        (with(acceptance, "State: 0 [0 0"), "line 5, column 13: expected `]`, `&` or `|`, found `0`"),
        ("HOA: v1 /* x".to_owned(), "line 1, column 9: this comment has no end"),
        (String::new(), "line 1, column 1: the text holds no automaton"),
    ] {
        assert_eq!(error(&text), expected);
    }
}
