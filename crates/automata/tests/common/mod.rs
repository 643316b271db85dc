//! Random formulas and words for the property tests.
//!
//! The number of cases of each property is modest by default; `ISOSPIN_AUTOMATA_CASES=5000` makes a thorough run.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod claims;

use automata::atom::AtomId;
use automata::formula::Formula;
use automata::lasso::Valuation;
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof};

/// Random formulas speak of this many atoms.
pub const ATOMS: u32 = 4;

/// The configuration of a property with a default number of cases.
pub fn cases(default: u32) -> ProptestConfig {
    let wanted = std::env::var("ISOSPIN_AUTOMATA_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(default), failure_persistence: None, ..ProptestConfig::default() }
}

/// A formula with all operators; `size` is about its number of operators.
pub fn formulas(size: u32) -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        10 => (0..ATOMS).prop_map(|atom| Formula::atom(AtomId(atom))),
        1 => Just(Formula::truth()),
        1 => Just(Formula::falsehood()),
    ];
    leaf.prop_recursive(6, size, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            2 => inner.clone().prop_map(Formula::negation),
            2 => pair.clone().prop_map(|(f, g)| Formula::and([f, g])),
            2 => pair.clone().prop_map(|(f, g)| Formula::or([f, g])),
            1 => pair.clone().prop_map(|(f, g)| Formula::implies(f, g)),
            1 => pair.clone().prop_map(|(f, g)| Formula::equivalent(f, g)),
            2 => inner.clone().prop_map(Formula::next),
            3 => inner.clone().prop_map(Formula::eventually),
            3 => inner.clone().prop_map(Formula::always),
            2 => pair.clone().prop_map(|(f, g)| Formula::until(f, g)),
            2 => pair.clone().prop_map(|(f, g)| Formula::release(f, g)),
            1 => pair.clone().prop_map(|(f, g)| Formula::weak_until(f, g)),
            1 => pair.prop_map(|(f, g)| Formula::strong_release(f, g)),
        ]
    })
}

/// A letter over the random formulas' atoms.
pub fn letters() -> impl Strategy<Value = Valuation> {
    (0u32..1 << ATOMS).prop_map(|bits| (0..ATOMS).filter(|atom| bits >> atom & 1 == 1).map(AtomId).collect())
}

/// A short ultimately periodic word: prefix and cycle.
pub fn words() -> impl Strategy<Value = (Vec<Valuation>, Vec<Valuation>)> {
    (proptest::collection::vec(letters(), 0..4), proptest::collection::vec(letters(), 1..5))
}

/// Several words.
pub fn many_words() -> impl Strategy<Value = Vec<(Vec<Valuation>, Vec<Valuation>)>> {
    proptest::collection::vec(words(), 24)
}
