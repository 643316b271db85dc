//! The laws of the stores, on random vectors: each behaves like a `HashSet<Vec<u8>>`, also when several workers use it.
#![cfg(not(loom))]

use explore::store::{
    Arrangement, BitsPerState, BitstateStore, Branch, ByteFlags, Checkpoint, Coverage, FingerprintBits,
    FingerprintStore, FlagStates, FlaggedSet, Flags, Insert, Limits, LoadStates, PlainStore, StateRef, StateStore,
    TreeStore, VisitedSet, Visitor,
};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

const ENOUGH: Limits = Limits::memory(1 << 28);

/// A tree over some words, at least two, cut as the bits of `seed` say.
fn grown(words: &[u16], seed: u64) -> Branch {
    let part = |words: &[u16], seed: u64| {
        let is_leaf = words.len() == 1 || (words.len() <= 8 && seed.is_multiple_of(3));
        if is_leaf { Branch::Leaf(words.to_vec()) } else { grown(words, seed) }
    };
    let (left, right) = words.split_at(1 + (seed >> 8) as usize % (words.len() - 1));
    Branch::Fork(Box::new([part(left, seed.rotate_right(11)), part(right, seed.rotate_right(29))]))
}

/// One insertion: a state, and the number of an earlier one to name as its parent.
#[derive(Clone, Debug)]
struct Step {
    state: Vec<u8>,
    parent: usize,
}

/// Vectors of bytes without any relation.
fn random_steps() -> impl Strategy<Value = Vec<Step>> {
    let state = prop::collection::vec(any::<u8>(), 0..100);
    prop::collection::vec((state, any::<usize>()).prop_map(|(state, parent)| Step { state, parent }), 1..200)
}

/// Vectors that arise from earlier ones by changing a few words to one of a few values, and sometimes the length.
fn related_steps(lengths: usize) -> impl Strategy<Value = Vec<Step>> {
    let changes = prop::collection::vec((any::<usize>(), 0u8..5), 1..4);
    let step = (any::<usize>(), changes, prop::option::weighted(0.1, 0..lengths));
    prop::collection::vec(step, 1..400).prop_map(|steps| {
        let mut states: Vec<Step> = Vec::new();
        for (parent, changes, length) in steps {
            let mut state = match states.len() {
                0 => vec![0; 40],
                count => states[parent % count].state.clone(),
            };
            if let Some(length) = length {
                state.resize(4 * length, 0);
            }
            for (at, value) in changes {
                if let Some(cell) = (at % (state.len() + 1)).checked_sub(1) {
                    state[cell] = value;
                }
            }
            states.push(Step { state, parent });
        }
        states
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop_oneof![random_steps(), related_steps(20), related_steps(150)]
}

/// Inserts all steps, comparing with the twin; then loads all.
fn behaves_like_a_hash_set<S: StateStore>(store: &S, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut handle = store.handle();
    let mut twin: HashMap<&[u8], StateRef> = HashMap::new();
    let mut references = Vec::new();
    let mut cursor = Default::default();
    for step in steps {
        if let Some(&parent) = references.get(step.parent % (references.len() + 1)) {
            handle.focus(parent, &mut cursor);
        }
        let reference = match (handle.insert(&step.state, &cursor), twin.get(step.state.as_slice())) {
            (Insert::New(reference), None) => reference,
            (Insert::Known(reference), Some(&expected)) if reference == expected => reference,
            (answer, expected) => {
                return Err(TestCaseError::fail(format!("{answer:?} where the twin has {expected:?}")));
            }
        };
        twin.insert(&step.state, reference);
        references.push(reference);
    }
    prop_assert_eq!(store.len(), twin.len() as u64);
    prop_assert_eq!(twin.values().collect::<HashSet<_>>().len(), twin.len());
    let (mut bytes, mut visited) = (vec![7; 3], Vec::new());
    for (state, reference) in twin {
        handle.load(reference, &mut bytes);
        prop_assert_eq!(&bytes, state);
        handle.visit(reference, &mut visited, &mut cursor);
        prop_assert_eq!(&visited, state);
    }
    prop_assert_eq!(store.coverage(), Coverage::Exact);
    Ok(())
}

/// Inserts the steps in batches into one store and one by one into another: the answers are the same.
fn batches_are_sequences<S: StateStore>(together: &S, single: &S, steps: &[Step]) -> Result<(), TestCaseError> {
    let (mut batches, mut singles) = (together.handle(), single.handle());
    let (mut parent, mut other_parent) = (Default::default(), Default::default());
    let mut references: Vec<StateRef> = Vec::new();
    let mut inserted = Vec::new();
    let mut start = 0;
    while start < steps.len() {
        // Batches of all sizes, up to more than are built side by side.
        let count = (1 + steps[start].parent % 70).min(steps.len() - start);
        if let Some(&reference) = references.get(steps[start].parent % (references.len() + 1)) {
            batches.focus(reference, &mut parent);
            singles.focus(reference, &mut other_parent);
        }
        batches.insert_all(count, |number| &steps[start + number].state, &parent, &mut inserted);
        prop_assert_eq!(inserted.len(), count);
        for (step, &insert) in steps[start..].iter().zip(&inserted) {
            prop_assert_eq!(singles.insert(&step.state, &other_parent), insert);
            let (Insert::New(reference) | Insert::Known(reference)) = insert else {
                return Err(TestCaseError::fail("full"));
            };
            references.push(reference);
        }
        start += count;
    }
    Ok(())
}

fn keeps_flags<S: FlaggedSet>(store: &S, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut handle = store.handle();
    let mut twin: HashMap<StateRef, Flags> = HashMap::new();
    for (number, step) in (0..).zip(steps) {
        let (Insert::New(state) | Insert::Known(state)) = handle.insert(&step.state, &Default::default()) else {
            return Err(TestCaseError::fail("full"));
        };
        let flags = twin.entry(state).or_default();
        prop_assert_eq!(handle.flags(state), *flags);
        prop_assert_eq!(handle.set_flags(state, Flags::bit(number)), *flags);
        *flags = flags.and(Flags::bit(number));
        if number % 3 == 0 {
            prop_assert_eq!(handle.clear_flags(state, *flags), *flags);
            *flags = Flags::NONE;
        }
    }
    twin.into_iter().try_for_each(|(state, flags)| {
        prop_assert_eq!(handle.flags(state), flags);
        Ok(())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn inserting_many_is_inserting_one_after_the_other(steps in steps()) {
        batches_are_sequences(&PlainStore::new(ENOUGH), &PlainStore::new(ENOUGH), &steps)?;
    }

    #[test]
    fn trees_side_by_side_hold_the_same_states(steps in steps()) {
        let store = TreeStore::new(ENOUGH);
        let mut handle = store.handle();
        let (mut parent, mut inserted, mut bytes) = (Default::default(), Vec::new(), Vec::new());
        let mut twin: HashMap<Vec<u8>, StateRef> = HashMap::new();
        let mut start = 0;
        while start < steps.len() {
            let count = (1 + steps[start].parent % 70).min(steps.len() - start);
            handle.insert_all(count, |number| &steps[start + number].state, &parent, &mut inserted);
            for (step, &insert) in steps[start..start + count].iter().zip(&inserted) {
                let reference = match (insert, twin.get(&step.state)) {
                    (Insert::New(reference), None) => reference,
                    (Insert::Known(reference), Some(&expected)) if reference == expected => reference,
                    answer => return Err(TestCaseError::fail(format!("{answer:?}"))),
                };
                handle.visit(reference, &mut bytes, &mut parent);
                prop_assert_eq!(&bytes, &step.state);
                twin.insert(step.state.clone(), reference);
            }
            start += count;
        }
        prop_assert_eq!(store.len(), twin.len() as u64);
    }

    #[test]
    fn a_tree_is_a_set_however_its_words_are_arranged(steps in related_steps(20), keys in prop::collection::vec(any::<u64>(), 20)) {
        let arranged = |words: usize| {
            let mut order: Vec<u16> = (0..words as u16).collect();
            order.sort_by_key(|&word| keys[usize::from(word)]);
            (4 * words, Arrangement::new(4 * words, grown(&order, keys[0])).expect("a tree with all words"))
        };
        let store = TreeStore::new(ENOUGH);
        prop_assert!(store.can_arrange());
        store.arrange((5..20).map(arranged).collect());
        behaves_like_a_hash_set(&store, &steps)?;
        prop_assert!(!store.can_arrange());

        let mut saved = Vec::new();
        store.save(&mut saved).expect("memory does not fail");
        let restored: TreeStore = Checkpoint::restore(&mut saved.as_slice(), ENOUGH).expect("it was saved as it is");
        let (mut before, mut after) = (store.handle(), restored.handle());
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for step in &steps {
            let known = before.insert(&step.state, &Default::default());
            prop_assert_eq!(known, after.insert(&step.state, &Default::default()));
            let Insert::Known(reference) = known else { return Err(TestCaseError::fail("it is known")) };
            before.load(reference, &mut one);
            after.load(reference, &mut other);
            prop_assert_eq!(&one, &other);
        }
    }

    #[test]
    fn the_tree_is_a_set(steps in steps()) {
        behaves_like_a_hash_set(&TreeStore::new(ENOUGH), &steps)?;
        behaves_like_a_hash_set(&TreeStore::with_flags(ENOUGH), &steps)?;
    }

    #[test]
    fn the_plain_store_is_a_set(steps in steps()) {
        behaves_like_a_hash_set(&PlainStore::new(ENOUGH), &steps)?;
    }

    #[test]
    fn flags_belong_to_their_states(steps in steps()) {
        keeps_flags(&TreeStore::<ByteFlags>::with_flags(ENOUGH), &steps)?;
        keeps_flags(&PlainStore::new(ENOUGH), &steps)?;
        let wide = FingerprintBits::new(64).expect("a width");
        keeps_flags(&FingerprintStore::<ByteFlags>::with_flags(ENOUGH, wide), &steps)?;
    }

    #[test]
    fn preparing_all_before_committing_changes_nothing(steps in steps()) {
        let (one, all) = (TreeStore::new(ENOUGH), TreeStore::new(ENOUGH));
        let (mut one, mut all) = (one.handle(), all.handle());
        let no_parent = Default::default();
        let prepared: Vec<_> = steps.iter().map(|step| all.prepare(&step.state, &no_parent)).collect();
        for (step, prepared) in steps.iter().zip(prepared) {
            prop_assert_eq!(all.commit(&step.state, prepared), one.insert(&step.state, &no_parent));
        }
    }

    #[test]
    fn approximate_stores_know_what_they_were_given(steps in steps()) {
        let fingerprints = FingerprintStore::new(ENOUGH, FingerprintBits::default());
        let bits = BitstateStore::new(Limits::memory(1 << 20), BitsPerState::default()).expect("a megabyte");
        let (mut first, mut second) = (fingerprints.handle(), bits.handle());
        let mut twin = HashSet::new();
        for step in &steps {
            twin.insert(&step.state);
            let _ = (first.insert(&step.state, &()), second.insert(&step.state, &()));
            prop_assert!(matches!(first.insert(&step.state, &()), Insert::Known(_)));
            prop_assert!(matches!(second.insert(&step.state, &()), Insert::Known(_)));
        }
        // 400 states in 48 bits or in a megabyte: a mistake has a chance below one in 10⁹, and 10⁶ for each run.
        prop_assert_eq!(fingerprints.len(), twin.len() as u64);
        prop_assert_eq!(bits.len(), twin.len() as u64);
    }
}

/// A vector like those of models: few values, in most words the same.
fn vector(number: u64) -> Vec<u8> {
    let mut state = vec![0; 4 * (10 + number as usize % 3)];
    for (cell, digit) in
        [0, 9, 16, 33].into_iter().zip([number % 17, number / 17 % 23, number / 391 % 29, number / 11_339])
    {
        state[cell] = digit as u8;
    }
    state
}

/// Workers insert overlapping ranges in different orders; each state must be new once, and its flag free once.
fn one_new_for_each_state<S: VisitedSet>(
    store: &S,
    workers: u64,
    states: u64,
    mut check: impl FnMut(&mut S::Handle, u64, StateRef) + Send + Clone,
) {
    let (new, start) = (AtomicU64::new(0), Barrier::new(workers as usize));
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let mut check = check.clone();
            let (new, start) = (&new, &start);
            scope.spawn(move || {
                let mut handle = store.handle();
                let mut cursor = Default::default();
                start.wait();
                for step in 0..states {
                    // Every worker visits all numbers; the strides differ, so the orders do.
                    let number = (step * (2 * worker + 1) + worker * 31) % states;
                    let (Insert::New(state) | Insert::Known(state)) = (match handle.insert(&vector(number), &cursor) {
                        insert @ Insert::New(_) => {
                            new.fetch_add(1, Ordering::Relaxed);
                            insert
                        }
                        insert => insert,
                    }) else {
                        panic!("there is memory enough")
                    };
                    if step % 5 == 0 {
                        handle.focus(state, &mut cursor);
                    }
                    check(&mut handle, number, state);
                }
            });
        }
    });
    assert_eq!(new.into_inner(), states);
    assert_eq!(store.len(), states);
    let mut handle = store.handle();
    for number in 0..states {
        let Insert::Known(state) = handle.insert(&vector(number), &Default::default()) else { panic!("lost {number}") };
        check(&mut handle, number, state);
    }
}

/// Powers of two, so that odd strides visit all.
const STATES: u64 = 1 << 16;

#[test]
fn workers_agree_on_who_was_first_in_a_tree() {
    for workers in [2, 8] {
        one_new_for_each_state(&TreeStore::new(ENOUGH), workers, STATES, |handle, number, state| {
            if number % 64 == 0 {
                let mut bytes = Vec::new();
                handle.load(state, &mut bytes);
                assert_eq!(bytes, vector(number));
            }
        });
    }
}

#[test]
fn workers_agree_on_who_was_first_in_a_plain_store() {
    for workers in [2, 8] {
        one_new_for_each_state(&PlainStore::new(ENOUGH), workers, STATES, |handle, number, state| {
            if number % 64 == 0 {
                let mut bytes = Vec::new();
                handle.load(state, &mut bytes);
                assert_eq!(bytes, vector(number));
            }
        });
    }
}

#[test]
fn workers_agree_on_who_was_first_in_approximate_stores() {
    let wide = FingerprintBits::new(64).expect("a width");
    one_new_for_each_state(&FingerprintStore::new(ENOUGH, wide), 8, STATES, |_, _, _| {});
    let seven = BitsPerState::new(7).expect("a number of bits");
    one_new_for_each_state(&BitstateStore::new(ENOUGH, seven).expect("memory"), 8, STATES, |_, _, _| {});
}

#[test]
fn no_flag_is_lost_or_set_twice_while_tables_grow() {
    let store = TreeStore::with_flags(ENOUGH);
    let first = AtomicU64::new(0);
    one_new_for_each_state(&store, 8, STATES, |handle, number, state| {
        let flag = Flags::bit(number as u32);
        if !handle.set_flags(state, flag).contains(flag) {
            first.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert_eq!(first.into_inner(), STATES);
}

fn is_full_in_time<S: StateStore>(store: &S, limit: u64) {
    let mut handle = store.handle();
    let mut stored = Vec::new();
    for number in 0u64.. {
        // Vectors that share nothing, so that memory runs out soon, and in every part of the store.
        let state: Vec<u8> =
            (0..4).flat_map(|word| (number * 4 + word).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).collect();
        match handle.insert(&state, &Default::default()) {
            Insert::New(reference) => stored.push((reference, state)),
            Insert::Known(_) => panic!("all are different"),
            Insert::Full => break,
        }
    }
    assert!(store.memory() <= limit, "{} of {limit} bytes", store.memory());
    assert!(store.memory() >= limit / 3, "full after {} of {limit} bytes", store.memory());
    assert_eq!(store.len(), stored.len() as u64);
    let mut bytes = Vec::new();
    for (reference, state) in stored {
        assert_eq!(handle.insert(&state, &Default::default()), Insert::Known(reference));
        handle.load(reference, &mut bytes);
        assert_eq!(bytes, state);
    }
}

#[test]
fn a_store_within_its_limit_is_full_and_still_answers() {
    for limit in [200_000, 3_000_000] {
        is_full_in_time(&TreeStore::new(Limits::memory(limit)), limit);
        is_full_in_time(&TreeStore::with_flags(Limits::memory(limit)), limit);
        is_full_in_time(&PlainStore::new(Limits::memory(limit)), limit);
    }
    for store in [TreeStore::new(Limits::memory(0)), TreeStore::new(Limits::memory(1000))] {
        assert_eq!(store.handle().insert(&[1; 16], &Default::default()), Insert::Full);
    }
}

#[test]
fn a_model_of_three_states_costs_kilobytes() {
    let (tree, plain) = (TreeStore::new(ENOUGH), PlainStore::new(ENOUGH));
    let (mut first, mut second) = (tree.handle(), plain.handle());
    for number in 0..3 {
        let _ = (first.insert(&vector(number), &Default::default()), second.insert(&vector(number), &()));
    }
    assert!(tree.memory() < 200 << 10 && plain.memory() < 50 << 10, "{} and {} bytes", tree.memory(), plain.memory());
}

#[test]
fn the_bitstate_store_predicts_what_it_misses() {
    for bits in [1, 2, 3, 5] {
        let store = BitstateStore::new(Limits::memory(100_000), BitsPerState::new(bits).expect("a number of bits"))
            .expect("memory");
        let mut handle = store.handle();
        let states = 60_000u64;
        let omitted = (0..states).filter(|n| matches!(handle.insert(&n.to_le_bytes(), &()), Insert::Known(_))).count();
        let Coverage::Approximate(omission) = store.coverage() else { panic!("bits are not exact") };
        let share = omitted as f64 / states as f64;
        assert!(
            omission.mean > share * 0.5 && omission.mean < share * 1.5,
            "{omission:?}, but {share} with {bits} bits"
        );
        let fresh =
            (states..states + 2000).filter(|n| matches!(handle.insert(&n.to_le_bytes(), &()), Insert::Known(_)));
        let now = fresh.count() as f64 / 2000.0;
        assert!((omission.now - now).abs() < 0.05, "{omission:?}, but {now} with {bits} bits");
    }
}
