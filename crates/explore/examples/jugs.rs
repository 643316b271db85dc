//! A transition system that is no Promela: two jugs of five and three litres, and the wish for exactly four. What a search needs is an initial
//! state, successors as bytes, and how many things are wrong: here, having four litres is "wrong", so the counterexample is the
//! solution. `cargo run -p isospin-explore --example jugs`

use explore::search::{Options, Order, Progress, search};
use explore::store::{Limits, TreeStore};
use system::{Arena, Fate, Label, System};

const SIZES: [u8; 2] = [5, 3];
const WANTED: u8 = 4;

/// The jugs. A state is how much is in each.
struct Jugs;

impl System for Jugs {
    fn initial(&mut self, into: &mut Vec<u8>) -> Fate {
        into.clear();
        into.extend([0, 0]);
        Fate::Open
    }

    fn successors(&mut self, state: &[u8], into: &mut Arena) {
        into.clear();
        into.signals_mut().errors = u32::from(state[0] == WANTED);
        for jug in 0..2 {
            let other = 1 - jug;
            let poured = state[jug].min(SIZES[other] - state[other]);
            let mut next = |here, there| {
                let mut after = [0; 2];
                (after[jug], after[other]) = (here, there);
                into.push(&after, Label::default());
            };
            next(SIZES[jug], state[other]);
            next(0, state[other]);
            next(state[jug] - poured, state[other] + poured);
        }
    }
}

fn main() {
    let options = Options { order: Order::BreadthFirst, ..Options::default() };
    let outcome = search(|| Jugs, &TreeStore::new(Limits::memory(1 << 20)), &options, &Progress::new());
    let path = outcome.path.expect("four litres can be measured");
    println!("{} steps, {} states seen", path.len() - 1, outcome.stored);
    for state in &path {
        println!("  {} and {} litres", state[0], state[1]);
    }
    assert_eq!(path.len() - 1, 6, "nobody does it in fewer");
}
