//! A saved store comes back as it was, and a damaged file never comes back at all.
#![cfg(not(loom))]

use explore::store::{
    BitsPerState, BitstateStore, ByteFlags, Checkpoint, CheckpointError, FingerprintBits, FingerprintStore, FlagStates,
    Flags, Insert, Limits, LoadStates, PlainStore, StateRef, TreeStore, VisitedSet, Visitor,
};
use proptest::prelude::*;

const ENOUGH: Limits = Limits::memory(1 << 26);

/// States of many lengths, most of them close to each other.
fn states() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let state = (0usize..90, any::<usize>(), any::<u8>()).prop_map(|(words, at, value)| {
        let mut state = vec![0; 4 * words];
        if let Some(cell) = (at % (state.len() + 1)).checked_sub(1) {
            state[cell] = value;
        }
        state
    });
    prop::collection::vec(state, 0..300)
}

fn filled<S: VisitedSet>(store: S, states: &[Vec<u8>]) -> (S, Vec<StateRef>) {
    let mut handle = store.handle();
    let insert = |state: &Vec<u8>| match handle.insert(state, &Default::default()) {
        Insert::New(reference) | Insert::Known(reference) => reference,
        Insert::Full => panic!("there is memory enough"),
    };
    let references = states.iter().map(insert).collect();
    (store, references)
}

/// The order in which states are saved must not be one in which they crowd when they come back.
#[test]
fn a_large_store_filled_by_several_workers_comes_back() {
    let limits = Limits::memory(1 << 27);
    let store = TreeStore::new(limits);
    let mut handles = [store.handle(), store.handle(), store.handle()];
    for number in 0..400_000_u32 {
        let state = [number / 600, number % 600, number % 7].map(u32::to_le_bytes).concat();
        assert!(matches!(handles[number as usize % 3].insert(&state, &Default::default()), Insert::New(_)));
    }
    let file = saved(&store);
    let restored: TreeStore = TreeStore::restore(&mut file.as_slice(), limits).expect("it is whole");
    assert_eq!(restored.len(), store.len());
}

fn saved<S: Checkpoint>(store: &S) -> Vec<u8> {
    let mut file = Vec::new();
    store.save(&mut file).expect("memory can be written to");
    file
}

/// Saves and restores; what was known is known under the same references, and what is new is new.
fn comes_back<S: Checkpoint>(store: &S, states: &[Vec<u8>], references: &[StateRef]) -> Result<S, TestCaseError> {
    let mut file = saved(store);
    file.extend(b"what follows");
    let mut rest = file.as_slice();
    let restored = S::restore(&mut rest, ENOUGH).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(rest, b"what follows");
    prop_assert_eq!(restored.len(), store.len());
    let mut handle = restored.handle();
    for (state, &reference) in states.iter().zip(references) {
        prop_assert_eq!(handle.insert(state, &Default::default()), Insert::Known(reference));
    }
    let fresh = store.len() as u32 * 1000;
    for number in fresh..fresh + 50 {
        let state = [&number.to_le_bytes()[..], &[255; 396]].concat();
        prop_assert!(matches!(handle.insert(&state, &Default::default()), Insert::New(_)));
    }
    Ok(restored)
}

fn loads<S: VisitedSet<Handle: LoadStates>>(
    store: &S,
    states: &[Vec<u8>],
    references: &[StateRef],
) -> Result<(), TestCaseError> {
    let (mut handle, mut bytes) = (store.handle(), Vec::new());
    for (state, &reference) in states.iter().zip(references) {
        handle.load(reference, &mut bytes);
        prop_assert_eq!(&bytes, state);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn trees_come_back(states in states()) {
        let (store, references) = filled(TreeStore::new(ENOUGH), &states);
        let restored = comes_back(&store, &states, &references)?;
        loads(&restored, &states, &references)?;
        loads(&comes_back(&restored, &states, &references)?, &states, &references)?;
    }

    #[test]
    fn plain_stores_come_back(states in states()) {
        let (store, references) = filled(PlainStore::new(ENOUGH), &states);
        loads(&comes_back(&store, &states, &references)?, &states, &references)?;
    }

    #[test]
    fn approximate_stores_come_back(states in states()) {
        let (store, references) = filled(FingerprintStore::new(ENOUGH, FingerprintBits::default()), &states);
        comes_back(&store, &states, &references)?;
        let bits = BitstateStore::new(Limits::memory(1 << 20), BitsPerState::default()).expect("a megabyte");
        let (store, references) = filled(bits, &states);
        comes_back(&store, &states, &references)?;
    }

    #[test]
    fn flags_come_back(states in states()) {
        let (store, references) = filled(TreeStore::with_flags(ENOUGH), &states);
        let mut handle = store.handle();
        for (number, &reference) in (0..).zip(&references) {
            handle.set_flags(reference, Flags::bit(number));
        }
        let mut restored = comes_back(&store, &states, &references)?.handle();
        for reference in references {
            prop_assert_eq!(restored.flags(reference), handle.flags(reference));
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed(states in states(), at: prop::sample::Index, bit in 0u32..8) {
        let damaged = |mut file: Vec<u8>| {
            let cell = at.index(file.len());
            file[cell] ^= 1 << bit;
            file
        };
        let (tree, _) = filled(TreeStore::new(ENOUGH), &states);
        prop_assert!(TreeStore::<ByteFlags>::restore(&mut damaged(saved(&tree)).as_slice(), ENOUGH).is_err());
        prop_assert!(<TreeStore>::restore(&mut damaged(saved(&tree)).as_slice(), ENOUGH).is_err());
        let (plain, _) = filled(PlainStore::new(ENOUGH), &states);
        prop_assert!(PlainStore::restore(&mut damaged(saved(&plain)).as_slice(), ENOUGH).is_err());
    }

    #[test]
    fn a_file_cut_short_is_truncated(states in states(), at: prop::sample::Index) {
        let (tree, _) = filled(TreeStore::new(ENOUGH), &states);
        let file = saved(&tree);
        let result = <TreeStore>::restore(&mut &file[..at.index(file.len())], ENOUGH);
        prop_assert!(matches!(result.err(), Some(CheckpointError::Truncated)));
    }
}

#[test]
fn what_is_wrong_is_told() {
    let states: Vec<Vec<u8>> = (0..1000u32).map(|number| number.to_le_bytes().repeat(4)).collect();
    let (tree, _) = filled(TreeStore::new(ENOUGH), &states);
    let file = saved(&tree);
    let error = |file: &[u8], limits| <TreeStore>::restore(&mut &*file, limits).err();
    assert!(matches!(error(b"Once upon a time", ENOUGH), Some(CheckpointError::NotAStore)));
    let mut future = file.clone();
    future[8] = 99;
    assert!(matches!(error(&future, ENOUGH), Some(CheckpointError::Version(99))));
    assert!(matches!(error(&file, Limits::memory(5000)), Some(CheckpointError::TooLarge)));
    assert!(matches!(PlainStore::restore(&mut &*file, ENOUGH).err(), Some(CheckpointError::OtherStore)));
    let flagged = TreeStore::<ByteFlags>::restore(&mut &*file, ENOUGH);
    assert!(matches!(flagged.err(), Some(CheckpointError::OtherStore)));
    // Two blocks exchanged: each is intact, the order is not.
    let mut exchanged = file.clone();
    let last = exchanged.len() - 28;
    exchanged.copy_within(last.., 16);
    assert!(matches!(error(&exchanged, ENOUGH), Some(CheckpointError::Damaged { block: 0 })));
}
