//! Visited states: what has been seen, in as few bytes as possible, shared by all workers.
//!
//! | store | keeps | gives states back | bytes for a state |
//! | --- | --- | --- | --- |
//! | [`TreeStore`] | everything, sub-vectors shared | yes | about 5 to 7, whatever the vector's length |
//! | [`PlainStore`] | everything, packed | yes | the vector and about 14 |
//! | [`FingerprintStore`] | a hash of up to 61 bits | no | 5 to 10 |
//! | [`BitstateStore`] | a few bits | no | as many as the memory allows |
//!
//! A search is written once, against the traits: [`VisitedSet`] is all that a safety search needs; [`StateStore`] adds
//! the way back from a [`StateRef`] to the bytes, which approximate stores cannot offer and therefore do not implement;
//! [`FlaggedSet`] adds bits for each state (on the stack, coloured, settled). Each worker owns a handle; calls through a
//! handle are static, and the only synchronisation between workers is in the store itself.
//!
//! ```
//! use explore::store::{Insert, Limits, LoadStates, TreeStore, VisitedSet, Visitor};
//!
//! let store = TreeStore::new(Limits::memory(1 << 20));
//! let mut worker = store.handle();
//! let mut parent = Default::default();
//!
//! let Insert::New(first) = worker.insert(&[1, 0, 0, 0, 2, 0, 0, 0], &parent) else { panic!("an empty store has seen nothing") };
//! worker.focus(first, &mut parent); // successors of `first` are stored by what they change
//! assert!(matches!(worker.insert(&[1, 0, 0, 0, 3, 0, 0, 0], &parent), Insert::New(_)));
//! assert_eq!(worker.insert(&[1, 0, 0, 0, 2, 0, 0, 0], &parent), Insert::Known(first));
//!
//! let mut bytes = Vec::new();
//! worker.load(first, &mut bytes);
//! assert_eq!(bytes, [1, 0, 0, 0, 2, 0, 0, 0]);
//! assert_eq!(store.len(), 2);
//! ```

mod compact;
mod growing;
mod memory;
mod mix;
mod sync;
