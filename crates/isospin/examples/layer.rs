//! A layer of one's own around an engine: it counts how often each process moves, and changes nothing.
//! `cargo run -p isospin --example layer`

use std::collections::BTreeMap;
use std::sync::Arc;

use explore::search::{Options, Progress, search};
use explore::store::{Limits, TreeStore};
use machine::jit::{CompiledGenerator, CompiledMachine, EmbeddedCode};
use system::{Arena, Extent, System, leave_to_inner};

const MODEL: &str =
    "chan c = [1] of { byte }; active proctype A() { byte i; do :: i < 3 -> c!i; i++ :: else -> break od }
    active proctype B() { byte x; do :: c?x od }";

/// The layer: the system inside, and how many transitions each process made.
struct Counted<S> {
    inner: S,
    moves: BTreeMap<u8, u64>,
}

impl<S: System> Counted<S> {
    fn count(&mut self, successors: &Arena) {
        successors.labels().for_each(|label| *self.moves.entry(label.process).or_default() += 1);
    }
}

impl<S: System> System for Counted<S> {
    leave_to_inner!(inner: initial, acceptance, novelty, notes, normalise, unfold);

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        self.inner.successors(state, into);
        self.count(into);
    }

    fn reduced(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.reduced(state, into);
        self.count(into);
        extent
    }

    fn other(&mut self, state: &[u8], into: &mut Arena) -> Extent {
        let extent = self.inner.other(state, into);
        self.count(into);
        extent
    }
}

fn main() {
    let model = promela::load_text("m.pml", MODEL, &promela::Options::default()).model.expect("it is correct");
    let machine = Arc::new(machine::lower(&model));
    let compiled = CompiledMachine::new(machine, EmbeddedCode::none()).expect("it can be compiled");
    let make = || Counted { inner: CompiledGenerator::new(compiled.clone()), moves: BTreeMap::new() };
    let store = TreeStore::new(Limits::memory(1 << 20));
    // Every state is looked at for its errors, and none is one: where B waits for ever is a deadlock.
    let options = Options { errors: explore::search::Errors::All, ..Options::default() };
    let outcome = search(make, &store, &options, &Progress::new());
    let moves = &outcome.systems[0].moves;
    println!("{} states, {} deadlock; transitions of each process: {moves:?}", outcome.stored, outcome.violations);
    assert_eq!(moves.values().sum::<u64>(), outcome.transitions() - 1, "each but the first state is reached by one");
}
