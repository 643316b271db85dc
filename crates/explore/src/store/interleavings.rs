//! Every interleaving of small programs that use the concurrent parts, run by loom:
//! `RUSTFLAGS="--cfg loom" cargo test -p isospin-explore --release --lib interleavings`
//!
//! With `--cfg loom` a line has two slots, so that tables grow at once.

use super::compact::layout::{PairLayout, WordLayout};
use super::compact::set::{Added, CompactSet};
use super::compact::table::Flagging;
use super::growing::{Growing, Worker, Workers};
use super::memory::Budget;
use super::mix::hash_words;
use super::tree::nodes::{NodeId, Nodes, Spare};
use std::sync::Arc;

/// Runs `program` in every way that preempts threads at most `preemptions` times.
fn in_every_order(preemptions: usize, program: impl Fn() + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(program);
}

/// A table whose end is noticed by whoever uses it too late.
struct Mortal {
    version: u64,
    alive: loom::cell::UnsafeCell<bool>,
}

// SAFETY: loom reports unsynchronised accesses to the cell, which is what is tested.
#[allow(unsafe_code)]
unsafe impl Sync for Mortal {}

impl Mortal {
    fn new(version: u64) -> Mortal {
        Mortal { version, alive: loom::cell::UnsafeCell::new(true) }
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        #[allow(unsafe_code)]
        // SAFETY: as above.
        self.alive.with_mut(|alive| unsafe { *alive = false });
    }
}

#[test]
fn nobody_uses_a_freed_table() {
    in_every_order(3, || {
        let workers = Arc::new(Workers::default());
        let growing = Arc::new(Growing::new(Mortal::new(0)));
        let read = |growing: &Growing<Mortal>, worker: &mut Worker| {
            let inside = worker.enter();
            let table = growing.table(&inside);
            #[allow(unsafe_code)]
            // SAFETY: as above.
            table.alive.with(|alive| assert!(unsafe { *alive }));
            table.version
        };
        let reader = {
            let (growing, mut worker) = (Arc::clone(&growing), Worker::new(&workers));
            loom::thread::spawn(move || {
                let first = read(&growing, &mut worker);
                assert!(read(&growing, &mut worker) >= first);
            })
        };
        let mut worker = Worker::new(&workers);
        growing.replace(&mut worker.enter(), |old| Some(Mortal::new(old.version + 1)));
        assert_eq!(read(&growing, &mut worker), 1);
        reader.join().expect("the reader's assertions hold");
    });
}

/// Two workers insert keys; in the end each key was new exactly once, and all are there.
fn each_key_is_new_once(first: &'static [u64], second: &'static [u64], preemptions: usize) {
    in_every_order(preemptions, move || {
        let workers = Arc::new(Workers::default());
        let set = Arc::new(CompactSet::<WordLayout>::new(Flagging::Without, &Budget::new(1 << 20)));
        let insert = |set: &CompactSet<WordLayout>, worker: &mut Worker, keys: &[u64]| {
            let mut count = |&&key: &&u64| set.insert(key, &mut worker.enter()) == Added::New;
            keys.iter().filter(&mut count).count()
        };
        let other = {
            let (set, mut worker) = (Arc::clone(&set), Worker::new(&workers));
            loom::thread::spawn(move || insert(&set, &mut worker, second))
        };
        let mut worker = Worker::new(&workers);
        let new = insert(&set, &mut worker, first) + other.join().expect("no assertions there");
        let mut all: Vec<u64> = [first, second].concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(new, all.len());
        let inside = worker.enter();
        assert_eq!(set.len(&inside), all.len() as u64);
        let mut found = Vec::new();
        set.for_each(&inside, |key, _| found.push(key));
        found.sort_unstable();
        assert_eq!(found, all);
    });
}

#[test]
fn a_key_that_two_insert_is_new_once() {
    each_key_is_new_once(&[5], &[5], 3);
}

#[test]
fn keys_survive_growth() {
    each_key_is_new_once(&[1, 2, 3], &[3, 4], 2);
}

#[test]
fn flags_survive_growth() {
    in_every_order(2, || {
        let workers = Arc::new(Workers::default());
        let set = Arc::new(CompactSet::<PairLayout>::new(Flagging::With, &Budget::new(1 << 20)));
        let mut worker = Worker::new(&workers);
        assert_eq!(set.insert(1, &mut worker.enter()), Added::New);
        let other = {
            let (set, mut worker) = (Arc::clone(&set), Worker::new(&workers));
            loom::thread::spawn(move || {
                let before = set.update_flags(1, &mut worker.enter(), |flags| flags | 2);
                assert_eq!(before.expect("it is there") & !4, 0);
            })
        };
        for key in [2, 3, 4, 5] {
            assert_eq!(set.insert(key, &mut worker.enter()), Added::New);
        }
        let before = set.update_flags(1, &mut worker.enter(), |flags| flags | 4);
        assert_eq!(before.expect("it is there") & !2, 0);
        other.join().expect("the other's assertions hold");
        assert_eq!(set.update_flags(1, &mut worker.enter(), |flags| flags), Some(6));
    });
}

#[test]
fn equal_records_get_one_number() {
    in_every_order(2, || {
        let workers = Arc::new(Workers::default());
        let nodes = Arc::new(Nodes::new(&Budget::new(1 << 20)));
        let cons = |nodes: &Nodes<2>, worker: &mut Worker| -> Vec<NodeId> {
            let mut spare = Spare::default();
            let records = [[7, 0], [7, 8], [0, 9]];
            let find =
                |record| nodes.cons(record, hash_words(record), &mut spare, &mut worker.enter()).expect("memory");
            let ids = records.each_ref().map(find);
            assert!(records.iter().zip(ids).all(|(&record, id)| nodes.get(id) == record));
            ids.into()
        };
        let other = {
            let (nodes, mut worker) = (Arc::clone(&nodes), Worker::new(&workers));
            loom::thread::spawn(move || cons(&nodes, &mut worker))
        };
        let ours = cons(&nodes, &mut Worker::new(&workers));
        assert_eq!(ours, other.join().expect("the other's assertions hold"));
    });
}
