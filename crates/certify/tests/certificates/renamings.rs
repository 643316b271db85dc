//! The checker's own proofs of symmetry, asked about renamings that are none: each model looks symmetric but for one thing.

use std::sync::Arc;

use certify::Accepted;
use certify::kinds::{Kinds, NUMBER};
use certify::prover::Prover;
use certify::region::Region;
use certify::renaming::Renaming;

use super::model;

/// What is claimed of a model with two equal processes.
struct Claim<'a> {
    text: &'a str,
    /// The global variables that hold numbers of processes.
    names: &'a [&'a str],
    /// The global arrays that are indexed by such.
    indexed: &'a [&'a str],
}

/// Asks for a proof that the processes 0 and 1 may be exchanged.
fn exchange(claim: &Claim<'_>) -> Accepted<()> {
    let machine = Arc::new((*model(claim.text).machine).clone());
    let definitions = machine.active.iter().map(|definition| definition.0).collect();
    let mut kinds = Kinds::numbers(&machine, definitions);
    (kinds.count, kinds.process) = (2, 1);
    for (cells, kinds) in machine.layout.globals.cells.iter().zip(&mut kinds.globals) {
        let name = &*cells.path[0].name;
        kinds.content = if claim.names.contains(&name) { 1 } else { NUMBER };
        kinds.indices.iter_mut().for_each(|kind| *kind = u8::from(claim.indexed.contains(&name)));
    }
    let region = Region::new(&machine, kinds)?;
    let globals = (0..machine.layout.globals.cells.len()).collect();
    let locations = |definition: &machine::id::DefinitionId| {
        (0..machine.definition(*definition).automaton.locations.len()).collect()
    };
    let locations = machine.active.iter().map(locations).collect();
    let renaming = Renaming::new(&region, vec![vec![(0, 1), (1, 0)]], globals, locations)?;
    Prover::new(&region, &[])?.prove(&renaming)
}

#[test]
fn what_is_symmetric_is_proven() {
    let proven = [
        ("byte n; active [2] proctype P() { do :: n++ :: n-- od }", &[][..], &[][..]),
        ("byte n; active [2] proctype P() { n++ }", &[], &[]),
        ("byte t; active [2] proctype P() { t = _pid; t == 1 - _pid }", &["t"], &[]),
        ("byte t; active [2] proctype P() { do :: t == _pid -> t = 1 - t :: t < 2 od }", &["t"], &[]),
        ("bool w[2]; active [2] proctype P() { w[_pid] = 1; !w[1 - _pid] }", &[], &["w"]),
        ("bool w[2]; active [2] proctype P() { do :: w[0] + w[1] == 0 && w[_pid] == 0 od }", &[], &["w"]),
        ("byte t; bool w[2]; active [2] proctype P() { w[t] = 0; t = 1 - t }", &["t"], &["w"]),
        ("byte n; active [2] proctype P() { end: do :: n == 1 -> n = 0 :: else -> n = 1 od }", &[], &[]),
        ("byte n; active [2] proctype P() { { n = 1; n = 2 } unless { n == 3 } }", &[], &[]),
        ("byte n; active [2] proctype P() provided (n < 3) { do :: n = 0 od }", &[], &[]),
    ];
    for (text, names, indexed) in proven {
        let claim = Claim { text, names, indexed };
        assert_eq!(exchange(&claim), Ok(()), "{text}");
    }
}

#[test]
fn what_is_not_symmetric_is_not_proven() {
    let unproven = [
        // A number of a process as a number.
        ("byte n; active [2] proctype P() { n = _pid }", &[][..], &[][..]),
        ("byte t; active [2] proctype P() { t < 1; t = _pid }", &["t"], &[]),
        ("byte t, n; active [2] proctype P() { n = t }", &["t"], &[]),
        ("byte t, n; active [2] proctype P() { n == t }", &["t"], &[]),
        ("byte t; active [2] proctype P() { t = 0 }", &["t"], &[]),
        ("byte t; active [2] proctype P() { t = (t + 1) % 3 }", &["t"], &[]),
        ("byte t; active [2] proctype P() { t -> skip }", &["t"], &[]),
        ("bit t; byte s; active [2] proctype P() { s = t + s }", &["t"], &[]),
        // What one process does alone.
        ("byte n; active [2] proctype P() { do :: _pid == 0 -> n = 1 :: else -> n = 2 od }", &[], &[]),
        ("bool w[2]; active [2] proctype P() { w[_pid] = 1; !w[0] }", &[], &["w"]),
        ("bool w[2]; active [2] proctype P() { w[_pid] = 1 }", &[], &[]),
        ("bool w[3]; byte t; active [2] proctype P() { w[t] = 1; t = 1 - t }", &["t"], &[]),
        // Channels.
        ("chan c = [1] of { byte }; active [2] proctype P() { do :: c!_pid :: c?_ od }", &[], &[]),
        ("chan c = [2] of { byte }; byte t; active [2] proctype P() { do :: c!!t :: c?t od }", &["t"], &[]),
        ("chan c[2] = [1] of { byte }; active [2] proctype P() { do :: c[_pid]!1 :: c[0]?_ od }", &[], &["c"]),
        // What tells that a process came to its end, or what others do.
        ("byte n; active [2] proctype P() { n++; _nr_pr == 1 }", &[], &[]),
        ("active [2] proctype P() { chan c = [1] of { byte }; c!1 }", &[], &[]),
        ("active [2] proctype P() { P[0]@l; l: skip }", &[], &[]),
        ("byte n; active [2] proctype P() { do :: enabled(1 - _pid) -> n = 1 od }", &[], &[]),
        ("byte n; active [2] proctype P() priority 2 { n = 1; set_priority(_pid, 3) }", &[], &[]),
        ("byte n; active [2] proctype P() provided (_pid == n) { n = 1 }", &[], &[]),
        ("chan c = [1] of { byte }; active [2] proctype P() { xs c; c!1 }", &[], &[]),
        // Two definitions.
        ("byte n; active proctype P() { n = 1 } active proctype Q() { n = 1 }", &[], &[]),
        // A name that is cut off, and one that does not fit.
        ("byte t; int u; active [2] proctype P() { t = u }", &["t", "u"], &[]),
    ];
    for (text, names, indexed) in unproven {
        let claim = Claim { text, names, indexed };
        assert!(exchange(&claim).is_err(), "{text}");
    }
}

#[test]
fn renamings_that_are_no_permutations_are_refused() {
    let machine = Arc::new((*model("byte n; active [2] proctype P() { n++ }").machine).clone());
    let mut kinds = Kinds::numbers(&machine, vec![0, 0]);
    (kinds.count, kinds.process) = (2, 1);
    let region = Region::new(&machine, kinds).unwrap();
    let locations = vec![(0..machine.definitions[0].automaton.locations.len()).collect::<Vec<usize>>(); 2];
    let make = |names: &[(i32, i32)], globals: &[usize]| {
        Renaming::new(&region, vec![names.to_vec()], globals.to_vec(), locations.clone())
    };
    assert!(make(&[(0, 1), (1, 0)], &[0]).is_ok());
    assert!(make(&[(0, 1)], &[0]).is_err());
    assert!(make(&[(0, 1), (1, 1)], &[0]).is_err());
    assert!(make(&[(0, 1), (1, 0), (1, 0)], &[0]).is_err());
    assert!(make(&[(0, 2), (2, 0)], &[0]).is_err());
    assert!(make(&[(0, 1), (1, 0)], &[1]).is_err());
    assert!(make(&[(0, 1), (1, 0)], &[]).is_err());
}
