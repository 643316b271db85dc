//! What stands on a search's stack: references where the store can give states back, whole states where it cannot.

use std::ops::Range;

use super::chunks::Chunks;
use super::open::{Decoder, Encoder};
use crate::store::{LoadStates, StateRef, Visitor};

/// A growing list of states.
pub(super) trait List: Default + Send + Sync {
    fn push(&mut self, state: &[u8], reference: StateRef);

    fn len(&self) -> usize;

    fn truncate(&mut self, len: usize);

    /// Appends an entry of another list.
    fn copy(&mut self, from: &Self, index: usize);

    fn reference(&self, index: usize) -> StateRef;

    /// The memory that it has.
    fn bytes(&self) -> u64;

    /// Writes the list.
    fn save(&self, to: &mut Encoder);

    /// Reads what was written; `None` if it makes no sense.
    fn restore(from: &mut Decoder<'_>) -> Option<Self>;
}

/// A list whose states a store's handle can give back.
pub(super) trait Entries<H: Visitor>: List {
    /// Writes a state to `into`.
    fn load(&self, index: usize, handle: &mut H, into: &mut Vec<u8>);

    /// Writes a state to `into` and puts a cursor on it.
    fn visit(&self, index: usize, handle: &mut H, into: &mut Vec<u8>, cursor: &mut H::Cursor) {
        self.load(index, handle, into);
        handle.focus(self.reference(index), cursor);
    }
}

/// Eight bytes for each state.
#[derive(Default)]
pub(super) struct References {
    list: Chunks<StateRef>,
}

impl List for References {
    fn push(&mut self, _: &[u8], reference: StateRef) {
        self.list.push(reference);
    }

    fn len(&self) -> usize {
        self.list.len()
    }

    fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    fn copy(&mut self, from: &References, index: usize) {
        self.list.push(from.list.get(index));
    }

    fn reference(&self, index: usize) -> StateRef {
        self.list.get(index)
    }

    fn bytes(&self) -> u64 {
        self.list.bytes()
    }

    fn save(&self, to: &mut Encoder) {
        to.number(self.list.len() as u64);
        self.list.iter().for_each(|reference| to.number(reference.to_bits()));
    }

    fn restore(from: &mut Decoder<'_>) -> Option<References> {
        Some(References { list: from.references()?.into_iter().collect() })
    }
}

impl<H: LoadStates> Entries<H> for References {
    fn load(&self, index: usize, handle: &mut H, into: &mut Vec<u8>) {
        handle.load(self.list.get(index), into);
    }

    fn visit(&self, index: usize, handle: &mut H, into: &mut Vec<u8>, cursor: &mut H::Cursor) {
        handle.visit(self.list.get(index), into, cursor);
    }
}

/// The states themselves, one behind the other.
#[derive(Default)]
pub(super) struct Vectors {
    bytes: Chunks<u8>,
    ends: Chunks<(usize, StateRef)>,
}

impl Vectors {
    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends.get(before).0)
    }

    fn range(&self, index: usize) -> Range<usize> {
        self.start(index)..self.ends.get(index).0
    }
}

impl List for Vectors {
    fn push(&mut self, state: &[u8], reference: StateRef) {
        self.bytes.extend(state);
        self.ends.push((self.bytes.len(), reference));
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn truncate(&mut self, len: usize) {
        self.bytes.truncate(self.start(len));
        self.ends.truncate(len);
    }

    fn copy(&mut self, from: &Vectors, index: usize) {
        let mut state = Vec::new();
        from.bytes.append_to(from.range(index), &mut state);
        self.bytes.extend(&state);
        self.ends.push((self.bytes.len(), from.ends.get(index).1));
    }

    fn reference(&self, index: usize) -> StateRef {
        self.ends.get(index).1
    }

    fn bytes(&self) -> u64 {
        self.bytes.bytes() + self.ends.bytes()
    }

    fn save(&self, to: &mut Encoder) {
        to.number(self.ends.len() as u64);
        let mut state = Vec::new();
        for (index, (_, reference)) in self.ends.iter().enumerate() {
            state.clear();
            self.bytes.append_to(self.range(index), &mut state);
            to.number(reference.to_bits());
            to.bytes(&state);
        }
    }

    fn restore(from: &mut Decoder<'_>) -> Option<Vectors> {
        let mut vectors = Vectors::default();
        for _ in 0..from.length(16)? {
            let reference = StateRef::from_bits(from.number()?);
            vectors.bytes.extend(from.bytes()?);
            vectors.ends.push((vectors.bytes.len(), reference));
        }
        Some(vectors)
    }
}

impl<H: Visitor> Entries<H> for Vectors {
    fn load(&self, index: usize, _: &mut H, into: &mut Vec<u8>) {
        into.clear();
        self.bytes.append_to(self.range(index), into);
    }
}
