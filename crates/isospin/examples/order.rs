//! An order of search of one's own: random, so that nobody relies on any. The kernel does the rest: paths, limits, counts.
//! `cargo run -p isospin --example order`

use explore::search::{Entry, Frontier, Options, Progress, search, search_in_order};
use explore::store::{Limits, TreeStore};
use machine::generate::InterpretedGenerator;
use system::System;

const MODEL: &str =
    "byte x; active [3] proctype P() { byte y = x; x = y + 1 } active proctype Q() { _nr_pr == 1; assert(x > 1) }";

/// States that wait, and a number that decides which comes next.
struct Shuffled {
    waiting: Vec<Entry>,
    random: u64,
}

impl Frontier for Shuffled {
    fn push(&mut self, entry: Entry, _state: &[u8], _depth: u64) {
        self.waiting.push(entry);
    }

    fn pop(&mut self) -> Option<Entry> {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let count = self.waiting.len().max(1);
        (!self.waiting.is_empty()).then(|| self.waiting.swap_remove((self.random >> 33) as usize % count))
    }

    fn bytes(&self) -> u64 {
        (self.waiting.capacity() * size_of::<Entry>()) as u64
    }
}

fn main() {
    let model = promela::load_text("m.pml", MODEL, &promela::Options::default()).model.expect("it is correct");
    let engine = InterpretedGenerator::new(machine::lower(&model).into()).expect("nothing is hidden");
    let make = || -> Box<dyn System> { Box::new(engine.clone()) };
    let options = Options { errors: explore::search::Errors::All, ..Options::default() };
    let store = || TreeStore::new(Limits::memory(1 << 20));
    let deep = search(make, &store(), &options, &Progress::new());
    for seed in 1..=3 {
        let mut frontier = Shuffled { waiting: Vec::new(), random: seed };
        let found = search_in_order(make, &store(), &options, &Progress::new(), &mut frontier);
        let length = found.path.as_ref().map(Vec::len).expect("two may read the same number");
        println!(
            "seed {seed}: {} states, {} violations, the first after {} steps",
            found.stored,
            found.violations,
            length - 1
        );
        assert_eq!((found.stored, found.violations), (deep.stored, deep.violations));
    }
}
