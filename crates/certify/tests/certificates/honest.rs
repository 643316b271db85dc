//! What holds is proven, with and without symmetry.

use certify::check::check;
use isospin::verify::{Notice, Symmetry, Verdict};
use oracle::symmetric;

use super::{certificate, certified, examples, model, of_loaded};

/// Examples that a checker is done with in a moment, with the order of the group that is used.
const SMALL: &[(&str, u32)] = &[
    ("alternating_bit", 1),
    ("bakery", 1),
    ("consistent_store", 1),
    ("elevator", 1),
    ("email", 1),
    ("feature_interaction", 1),
    ("leader", 1),
    ("mutex_server", 24),
    ("peterson", 1),
    ("price", 1),
    ("producer_consumer", 36),
    ("raft", 1),
    ("readers_writers", 12),
    ("ticket_lock", 120),
    ("token_ring", 1),
    ("writers_first", 6),
    ("families/client_server", 6),
    ("families/election", 1),
    ("families/mutex", 120),
    ("families/peterson", 6),
];

#[test]
fn examples_that_hold_are_proven_to() {
    let mut orders = Vec::new();
    for &(name, _) in SMALL {
        let path = examples().join(name).with_extension("pml");
        let model = of_loaded(promela::load(&path, &promela::Options::default()), name);
        let finding = certified(&model, Symmetry::default());
        assert_eq!(finding.verdict, Verdict::Holds, "{name}");
        let used = finding.symmetry.as_ref().map_or(1_u32.into(), |usage| usage.order.clone());
        orders.push((name, u32::try_from(used).expect("the groups are small")));
        let part = finding.certificate.expect("what holds has a certificate");
        let proved = check(&model, &isospin::verify::Certificate::file(&[&part])[..]);
        let proved = proved.unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let figures = (proved[0].property.as_str(), proved[0].states, proved[0].transitions);
        assert_eq!(figures, ("safety", part.states, part.transitions), "{name}");
    }
    assert_eq!(orders, SMALL);
}

#[test]
fn a_certificate_of_fewer_states_proves_the_same() {
    let model = model("byte n; active [4] proctype P() { do :: atomic { n < 1 -> n++ }; assert(n == 1); n-- od }");
    let plain = check(&model, &certificate(&model, Symmetry::Off)[..]).unwrap();
    let modulo = check(&model, &certificate(&model, Symmetry::default())[..]).unwrap();
    assert!(modulo[0].states < plain[0].states && modulo[0].renamings.0 > 0);
}

#[test]
fn processes_that_came_to_their_end_may_stay_there() {
    let model = model("byte n; active [3] proctype P() { n++; assert(n <= 3) }");
    let proved = check(&model, &certificate(&model, Symmetry::default())[..]).unwrap();
    assert!(proved[0].renamings.0 > 0);
}

#[test]
fn random_models_are_certified_exactly_if_they_hold() {
    let (mut proven, mut symmetric_ones) = (0, 0);
    for seed in 0..150 {
        let text = symmetric::model(seed);
        let model = model(&text);
        let finding = certified(&model, Symmetry::default());
        match (&finding.verdict, &finding.certificate) {
            (Verdict::Holds, Some(part)) => {
                let proved = check(&model, &isospin::verify::Certificate::file(&[part])[..]);
                let proved = proved.unwrap_or_else(|reason| panic!("seed {seed}: {reason}\n{text}"));
                proven += 1;
                symmetric_ones += usize::from(proved[0].renamings.0 > 0);
            }
            (Verdict::Violated, None) => {}
            (verdict, _) => {
                let is_endless = finding.notices.contains(&Notice::EndlessAtomic);
                assert!(is_endless, "seed {seed}: {verdict:?} {:?}\n{text}", finding.notices);
            }
        }
    }
    assert!(proven > 20, "{proven} proven, {symmetric_ones} with symmetry");
}

#[test]
fn reductions_that_are_not_used_are_named() {
    let finding = certified(&model("byte n; active [2] proctype P() { byte i; i = 1; n = i; i = 0 }"), Symmetry::Off);
    let told: Vec<String> = finding.notices.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|each| each.starts_with("partial order and merging and dead variables were not used")),
        "{told:?}"
    );
}
