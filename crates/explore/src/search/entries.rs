//! What stands on a search's stack: references where the store can give states back, whole states where it cannot.

use super::open::{Decoder, Encoder};
use crate::store::{LoadStates, StateRef, Visitor};

/// A growing list of states.
pub(super) trait Entries<H: Visitor>: Default + Send + Sync {
    fn push(&mut self, state: &[u8], reference: StateRef);

    fn len(&self) -> usize;

    fn truncate(&mut self, len: usize);

    /// Appends an entry of another list.
    fn copy(&mut self, from: &Self, index: usize);

    /// Writes a state to `into`.
    fn load(&self, index: usize, handle: &mut H, into: &mut Vec<u8>);

    /// Writes a state to `into` and puts a cursor on it.
    fn visit(&self, index: usize, handle: &mut H, into: &mut Vec<u8>, cursor: &mut H::Cursor) {
        self.load(index, handle, into);
        handle.focus(self.reference(index), cursor);
    }

    fn reference(&self, index: usize) -> StateRef;

    /// Writes the list.
    fn save(&self, to: &mut Encoder);

    /// Reads what was written; `None` if it makes no sense.
    fn restore(from: &mut Decoder<'_>) -> Option<Self>;
}

/// Eight bytes for each state.
#[derive(Default)]
pub(super) struct References {
    list: Vec<StateRef>,
}

impl<H: LoadStates> Entries<H> for References {
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
        self.list.push(from.list[index]);
    }

    fn load(&self, index: usize, handle: &mut H, into: &mut Vec<u8>) {
        handle.load(self.list[index], into);
    }

    fn visit(&self, index: usize, handle: &mut H, into: &mut Vec<u8>, cursor: &mut H::Cursor) {
        handle.visit(self.list[index], into, cursor);
    }

    fn reference(&self, index: usize) -> StateRef {
        self.list[index]
    }

    fn save(&self, to: &mut Encoder) {
        to.references(&self.list);
    }

    fn restore(from: &mut Decoder<'_>) -> Option<References> {
        Some(References { list: from.references()? })
    }
}

/// The states themselves, one behind the other.
#[derive(Default)]
pub(super) struct Vectors {
    bytes: Vec<u8>,
    ends: Vec<(usize, StateRef)>,
}

impl Vectors {
    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before].0)
    }
}

impl<H: Visitor> Entries<H> for Vectors {
    fn push(&mut self, state: &[u8], reference: StateRef) {
        self.bytes.extend_from_slice(state);
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
        let (end, reference) = from.ends[index];
        self.bytes.extend_from_slice(&from.bytes[from.start(index)..end]);
        self.ends.push((self.bytes.len(), reference));
    }

    fn load(&self, index: usize, _: &mut H, into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(&self.bytes[self.start(index)..self.ends[index].0]);
    }

    fn reference(&self, index: usize) -> StateRef {
        self.ends[index].1
    }

    fn save(&self, to: &mut Encoder) {
        to.number(self.ends.len() as u64);
        for (index, &(end, reference)) in self.ends.iter().enumerate() {
            to.number(reference.to_bits());
            to.bytes(&self.bytes[self.start(index)..end]);
        }
    }

    fn restore(from: &mut Decoder<'_>) -> Option<Vectors> {
        let mut vectors = Vectors::default();
        for _ in 0..from.length(16)? {
            let reference = StateRef::from_bits(from.number()?);
            vectors.bytes.extend_from_slice(from.bytes()?);
            vectors.ends.push((vectors.bytes.len(), reference));
        }
        Some(vectors)
    }
}
