//! The orders of the groups of known families of models, and that what is found is a symmetry of the whole state space.

mod support;

use std::path::PathBuf;

use machine::Machine;
use support::check_all_states;
use symmetry::detect::{Detection, Options, detect};

fn machine_of(name: &str, defines: &[&str]) -> Machine {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name).with_extension("pml");
    let mut options = promela::Options::default();
    options.preprocess.defines = defines.iter().map(ToString::to_string).collect();
    let loaded = promela::load(&path, &options);
    machine::lower(&loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics)))
}

/// Detects, and checks everything that can be checked on the states near the entry state: all of them, if they are few.
fn detected(name: &str, defines: &[&str]) -> Detection {
    let machine = machine_of(name, defines);
    let detection = detect(&machine, &Options::default());
    assert!(detection.rejected.is_empty(), "{name}: {:?}", detection.rejected);
    assert!(detection.complete);
    check_all_states(&machine, &detection, 3_000, name);
    detection
}

fn order(name: &str, defines: &[&str]) -> String {
    let detection = detected(name, defines);
    println!(
        "{name} {defines:?}: order {} = {}, {} points",
        detection.group.order(),
        detection.group.structure(),
        detection.shape.degree()
    );
    for generator in &detection.generators {
        println!("   {:?}", generator.cycles);
    }
    detection.group.order().to_string()
}

/// The order of a family of `examples/families`, which must be found in less than a second.
fn example(name: &str, defines: &[&str]) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/families").join(name);
    let mut options = promela::Options::default();
    options.preprocess.defines = defines.iter().map(ToString::to_string).collect();
    let loaded = promela::load(&path.with_extension("pml"), &options);
    let machine = machine::lower(&loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics)));
    let detection = detect(&machine, &Options::default());
    println!("{name} {defines:?}: {} in {:.3} s", detection.group.order(), detection.seconds);
    assert!(detection.rejected.is_empty() && detection.complete, "{name}: {:?}", detection.rejected);
    check_all_states(&machine, &detection, 300, name);
    detection.group.order().to_string()
}

#[test]
fn families_of_the_examples_have_their_groups() {
    for (name, defines, order) in [
        ("mutex", vec!["N=5"], "120"),
        ("peterson", vec!["N=3"], "6"),
        ("peterson_stepwise", vec!["N=3"], "6"),
        ("peterson_loop", vec!["N=3"], "6"),
        ("peterson_loop", vec!["N=4"], "24"),
        ("resource_allocator", vec!["N=7", "A=2", "B=3"], "24"),
        ("resource_allocator", vec!["N=6", "A=3", "B=3", "ALTERNATING"], "48"),
        ("three_tiered", vec!["SERVERS=3", "CLIENTS=3", "LAST=2"], "144"),
        ("three_tiered", vec!["SERVERS=2", "CLIENTS=3"], "72"),
        ("three_tiered_dynamic", vec!["SERVERS=2", "N=3"], "12"),
        ("email", vec!["N=3"], "6"),
        ("load_balancer", vec!["SERVERS=2", "N=4"], "48"),
        ("hypercube", vec!["DIMENSIONS=3"], "48"),
        ("hypercube_table", vec![], "48"),
        ("hypercube_table", vec!["FIXED"], "6"),
        ("star", vec!["N=5"], "120"),
        ("ring", vec!["N=5"], "5"),
        ("ring", vec!["N=5", "BOTH"], "10"),
        ("telephone", vec![], "2"),
        ("railway", vec![], "2"),
        ("cache_coherence", vec!["N=4"], "24"),
        ("election", vec!["N=3"], "6"),
        ("objects", vec!["N=3", "OBJECTS=3"], "36"),
        ("matching", vec!["N=3", "SERVERS=2"], "12"),
        ("partial_matching", vec!["N=5"], "14400"),
        ("price", vec!["R=10"], "3628800"),
        ("client_server", vec!["SIZE=3"], "6"),
        ("client_server", vec!["SIZE=4", "VERIFIABLE"], "24"),
        ("references", vec!["N=3", "SERVERS=2"], "12"),
        ("philosophers", vec!["N=5"], "5"),
        ("philosophers", vec!["N=5", "EITHER"], "10"),
        ("sliding_windows", vec!["N=3"], "6"),
    ] {
        assert_eq!(example(name, &defines), order, "{name} {defines:?}");
    }
}

#[test]
fn processes_of_a_mutual_exclusion_are_all_alike() {
    assert_eq!(order("mutex", &[]), "6");
    assert_eq!(order("mutex", &["N=5"]), "120");
    assert_eq!(order("mutex_named", &[]), "6");
    assert_eq!(order("peterson", &["N=2"]), "2");
    assert_eq!(order("peterson", &["N=3"]), "6");
    assert_eq!(order("peterson", &["N=4"]), "24");
}

#[test]
fn clients_of_an_allocator_are_alike_within_a_priority() {
    assert_eq!(order("allocator", &[]), "24");
    assert_eq!(order("allocator", &["SHARING"]), "12");
}

#[test]
fn a_hypercube_has_its_reflections_and_rotations() {
    assert_eq!(order("hypercube", &[]), "48");
    assert_eq!(order("hypercube", &["FIXED"]), "6");
    assert_eq!(order("hypercube_computed", &[]), "48");
}

#[test]
fn rings_turn_and_may_be_reflected() {
    assert_eq!(order("ring", &["N=5"]), "5");
    assert_eq!(order("ring", &["N=5", "BUFFERED"]), "5");
    assert_eq!(order("ring_counter", &[]), "5");
}

#[test]
fn tiers_are_wreath_products() {
    assert_eq!(order("three_tiered", &[]), "144");
    assert_eq!(order("load_balancer", &[]), "288");
}

#[test]
fn correspondents_are_all_alike() {
    assert_eq!(order("email", &["N=3"]), "6");
    assert_eq!(order("email", &["N=4"]), "24");
}

#[test]
fn processes_of_different_proctypes_may_be_alike() {
    assert_eq!(order("separate_proctypes", &[]), "6");
}

#[test]
fn locations_are_exchanged_with_what_they_lead_to() {
    assert_eq!(order("option_order", &[]), "4");
}

#[test]
fn unlike_values_break_symmetry() {
    assert_eq!(order("broken", &[]), "2");
    assert_eq!(order("broken", &["LITERAL"]), "1");
}

#[test]
fn values_that_are_only_copied_are_symmetric_too() {
    assert_eq!(order("scalarset", &[]), "36");
}

#[test]
fn clients_of_a_star_are_all_alike() {
    assert_eq!(order("star", &[]), "24");
}

#[test]
fn a_hundred_processes_are_no_burden() {
    for (name, defines) in [("mutex", vec!["N=100"]), ("star", vec!["N=100"]), ("ring", vec!["N=100"])] {
        let detection = detect(&machine_of(name, &defines), &Options::default());
        println!("{name}: {} s", detection.seconds);
        assert!(detection.rejected.is_empty() && detection.complete);
        assert!(detection.group.order() >= 100u32.into());
        assert!(detection.seconds < 10.0, "{name}: {} s", detection.seconds);
    }
}
