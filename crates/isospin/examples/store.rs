//! A store of one's own: a hash map behind a lock, with a limit. Searches, workers and paths come for nothing.
//! `cargo run -p isospin --example store`

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use explore::search::{Options, Progress, search};
use explore::store::{Budget, Coverage, Insert, Limits, LoadStates, PlainStore, StateRef, VisitedSet, Visitor};
use machine::generate::InterpretedGenerator;

const MODEL: &str = "byte x; active [2] proctype P() { do :: x < 9 -> x++ :: x > 0 -> x-- od }";
const MOST_STATES: usize = 10_000;

/// The number of each state, and the states by their numbers.
type States = (HashMap<Vec<u8>, u64>, Vec<Vec<u8>>);

#[derive(Clone)]
struct MapStore {
    states: Arc<Mutex<States>>,
    /// What searches charge their stacks to.
    budget: Arc<Budget>,
}

impl VisitedSet for MapStore {
    type Handle = MapStore;

    fn handle(&self) -> MapStore {
        self.clone()
    }

    fn len(&self) -> u64 {
        self.states.lock().unwrap_or_else(PoisonError::into_inner).1.len() as u64
    }

    fn memory(&self) -> u64 {
        self.states.lock().unwrap_or_else(PoisonError::into_inner).1.iter().map(|state| 2 * state.len() as u64).sum()
    }

    fn most_memory(&self) -> u64 {
        self.memory() + self.budget.most()
    }

    fn coverage(&self) -> Coverage {
        Coverage::Exact
    }
}

impl Visitor for MapStore {
    type Cursor = ();
    type Prepared = ();

    fn prepare(&mut self, _state: &[u8], (): &()) {}

    fn commit(&mut self, state: &[u8], (): ()) -> Insert {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let (numbers, list) = &mut *states;
        match numbers.get(state) {
            Some(&number) => Insert::Known(StateRef::from_bits(number)),
            None if list.len() == MOST_STATES => Insert::Full,
            None => {
                let number = list.len() as u64;
                numbers.insert(state.to_vec(), number);
                list.push(state.to_vec());
                Insert::New(StateRef::from_bits(number))
            }
        }
    }

    fn focus(&mut self, _state: StateRef, (): &mut ()) {}

    fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }
}

impl LoadStates for MapStore {
    fn load(&mut self, state: StateRef, into: &mut Vec<u8>) {
        into.clone_from(&self.states.lock().unwrap_or_else(PoisonError::into_inner).1[state.to_bits() as usize]);
    }
}

fn main() {
    let model = promela::load_text("m.pml", MODEL, &promela::Options::default()).model.expect("it is correct");
    let engine = InterpretedGenerator::new(machine::lower(&model).into()).expect("nothing is hidden");
    let options = Options { workers: 2, ..Options::default() };
    let mine = MapStore { states: Arc::default(), budget: Budget::new(1 << 20) };
    let found = search(|| engine.clone(), &mine, &options, &Progress::new());
    let expected = search(|| engine.clone(), &PlainStore::new(Limits::memory(1 << 20)), &options, &Progress::new());
    println!("{} states in a map, {} in the plain store", found.stored, expected.stored);
    assert_eq!((found.stored, found.matched), (expected.stored, expected.matched));
}
